// The lobby's state: what was last heard, over which link, in which language.

/** @import { FloorView, Lobby } from "server" */
/** @import { LinkState } from "../base/link.js" */
/** @import { Language } from "../base/words.js" */

/**
 * @typedef {{ lang: Language, link: LinkState, view: Lobby | null, at: number | null, device: FloorView | null }} State
 * @typedef {{ t: "view", view: Lobby, at: number } | { t: "link", state: LinkState }
 *   | { t: "language", lang: Language } | { t: "device", device: FloorView }} Message
 */

/** @param {{ lang?: Language }} [asked] @returns {State} */
export const start = ({ lang = "en" } = {}) => ({ lang, link: "connecting", view: null, at: null, device: null });

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "view": return { ...state, view: message.view, at: message.at, link: "open" };
    case "link": return { ...state, link: state.link === "lost" ? "lost" : message.state }; // until a view comes
    case "language": return { ...state, lang: message.lang };
    case "device": return { ...state, device: message.device }; // {terminal: its name where it is enrolled}
    default: return state;
  }
}

/** Tables are shown as they were while the link is lost, and said to be. @param {State} state */
export const isStale = (state) => state.link === "lost";

/**
 * On a floor for money, only an enrolled terminal can play; in the demonstration everybody can.
 * @param {State} state
 */
export const mayPlay = (state) => Boolean(state.view?.demo || state.device?.terminal);
