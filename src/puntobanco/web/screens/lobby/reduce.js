// The lobby's state: what was last heard, over which link, in which language.

export const start = ({ lang = "en" } = {}) => ({ lang, link: "connecting", view: null, at: null, device: null });

export function reduce(state, message) {
  switch (message.t) {
    case "view": return { ...state, view: message.view, at: message.at, link: "open" };
    case "link": return { ...state, link: state.link === "lost" ? "lost" : message.state }; // until a view comes
    case "language": return { ...state, lang: message.lang };
    case "device": return { ...state, device: message.device }; // {terminal: its name where it is enrolled}
    default: return state;
  }
}

/** Tables are shown as they were while the link is lost, and said to be. */
export const isStale = (state) => state.link === "lost";

/** On a floor for money, only an enrolled terminal can play; in the demonstration everybody can. */
export const mayPlay = (state) => Boolean(state.view?.demo || state.device?.terminal);
