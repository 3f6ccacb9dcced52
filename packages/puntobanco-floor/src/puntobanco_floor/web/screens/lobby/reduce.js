// The lobby's state: what was last heard, over which link, in which language.

/** @import { FloorView, Lobby, Me, Words as Bilingual } from "server" */
/** @import { LinkState } from "../base/link.js" */
/** @import { Sight } from "../base/sight.js" */
/** @import { Language } from "../base/words.js" */
/** @import { Order } from "./sorting.js" */

/**
 * @typedef {{ reason: Bilingual }} Told why something was refused
 * @typedef {Sight & {
 *   lang: Language, link: LinkState, view: Lobby | null, at: number | null, device: FloorView | null, me: Me | null,
 *   order: Order, only: string, busy: boolean, leaving: boolean, refused: Told | null,
 * }} State
 * @typedef {{ t: "view", view: Lobby, at: number } | { t: "link", state: LinkState }
 *   | { t: "language", lang: Language } | { t: "sight", name: keyof Sight } | { t: "device", device: FloorView }
 *   | { t: "order", order: Order } | { t: "only", only: string }
 *   | { t: "me", me: Me | null } | { t: "busy", busy: boolean } | { t: "leaving", leaving: boolean }
 *   | { t: "refused", refused: Told }} Message
 */

/** @param {Partial<Sight> & { lang?: Language }} [asked] @returns {State} */
export const start = ({ lang = "en", larger = false, contrast = false } = {}) => ({
  lang, larger, contrast, link: "connecting", view: null, at: null, device: null,
  order: "number", only: "", // a game, or all
  me: null, // this patron's session, where there is one
  busy: false, // a move or a leave is asked for
  leaving: false, // how credits leave is being asked
  refused: null,
});

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "view": return { ...state, view: message.view, at: message.at, link: "open" };
    case "link": return { ...state, link: state.link === "lost" ? "lost" : message.state }; // until a view comes
    case "language": return { ...state, lang: message.lang };
    case "sight": return { ...state, [message.name]: !state[message.name] };
    case "me": return { ...state, me: message.me, leaving: state.leaving && Boolean(message.me) };
    case "busy": return { ...state, busy: message.busy, refused: message.busy ? null : state.refused };
    case "leaving": return { ...state, leaving: message.leaving, refused: null };
    case "refused": return { ...state, refused: message.refused, busy: false };
    case "device": return { ...state, device: message.device }; // {terminal: its name where it is enrolled}
    case "order": return { ...state, order: message.order };
    case "only": return { ...state, only: message.only };
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
