// The display's state: the table as last heard, the hand that was last settled, and how the link stands.

/** @import { TableView } from "server" */
/** @import { LinkState } from "../base/link.js" */
/** @import { Language } from "../base/words.js" */

/**
 * @typedef {Pick<TableView, "cards" | "player" | "banker">} Hands
 * @typedef {{
 *   table: number, lang: Language, link: LinkState, view: TableView | null, at: number | null,
 *   refused: { reason: string, reason_zh: string } | null,
 *   kept: (Hands & { round: number }) | null, fresh: string[], opening: { at: number, total_ms: number } | null,
 * }} State
 * @typedef {State & { view: TableView }} Seen once the table has been told
 * @typedef {{ t: "view", view: TableView, at: number } | { t: "link", state: LinkState }
 *   | { t: "language", lang: Language } | { t: "refused", reason: string, reason_zh: string }} Message
 */

/** @param {{ table: number, lang?: Language }} asked @returns {State} */
export const start = ({ table, lang = "en" }) => ({
  table, lang, link: "connecting", view: null, at: null, refused: null,
  kept: null, // the last settled hand, while this page has seen it: {round, cards, player, banker}
  fresh: [], // slots of the cards that came while somebody looked on: these slide in
  opening: null, // {at, total_ms} of the next round, from when it was first heard of
});

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "view": return seen(state, message.view, message.at);
    case "link": return { ...state, link: state.link === "lost" ? "lost" : message.state }; // lost until a view comes
    case "language": return { ...state, lang: message.lang };
    case "refused": return { ...state, link: "open", refused: message };
    default: return state;
  }
}

/** @type {(state: State, view: TableView, at: number) => State} */
function seen(state, view, at) {
  return {
    ...state, link: "open", refused: null, view, at,
    kept: keptOf(state.kept, view),
    fresh: freshOf(state, view),
    opening: openingOf(state.opening, view, at),
  };
}

/** @type {(hands: Hands) => Hands} */
const handsOf = ({ cards, player, banker }) => ({ cards, player, banker });

// A table says nothing of the cards before the ones that lie there; what was on the screen may stay.
/** @type {(kept: State["kept"], view: TableView) => State["kept"]} */
function keptOf(kept, view) {
  if (view.phase === "settled") return { round: view.round, ...handsOf(view) };
  return kept && kept.round === view.last?.round ? kept : null;
}

// After a gap the table is shown as it lies, still.
/** @type {(state: State, view: TableView) => string[]} */
function freshOf({ view: before, link, fresh }, view) {
  if (!before || link !== "open") return [];
  const same = before.round === view.round;
  const came = Object.keys(view.cards).filter((slot) => !same || before.cards[slot] !== view.cards[slot]);
  return came.length ? came : same ? fresh : [];
}

/** @type {(before: State["opening"], view: TableView, at: number) => State["opening"]} */
function openingOf(before, view, at) {
  if (!view.opens_at) return null;
  return before?.at === view.opens_at ? before : { at: view.opens_at, total_ms: Math.max(1, view.opens_at - at) };
}

/** @param {State} state */
export const isStale = (state) => state.link === "lost";

/** No round is played: bets are open on the next one, or it is awaited. @param {TableView} view */
export const isBetween = ({ phase, cards }) =>
  phase === "waiting" || (phase === "betting" && !Object.keys(cards).length);

/** What lies on the table, or lay there last. @param {State} state @returns {Hands & { past: boolean }} */
export function hands(state) {
  const { view, kept } = state;
  const none = { cards: {}, player: null, banker: null, past: false };
  if (!view || view.phase === "down") return none;
  if (!isBetween(view)) return { ...handsOf(view), past: false };
  if (Object.keys(view.cards).length) return { ...handsOf(view), past: true };
  if (kept) return { ...kept, past: true };
  return { ...none, player: view.last?.player ?? null, banker: view.last?.banker ?? null, past: true };
}
