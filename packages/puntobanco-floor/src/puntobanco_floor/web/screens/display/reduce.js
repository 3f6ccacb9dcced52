// The display's state: the table as last heard, the hand that was last settled, and how the link stands.

import { withoutOldShoe } from "../kit/new-shoe.js";
import { totalsSeen } from "../kit/points.js";

/** @import { TableView, Words as Bilingual } from "server" */
/** @import { LinkState } from "../base/link.js" */
/** @import { Language } from "../base/words.js" */

/**
 * @typedef {Pick<TableView, "cards" | "player" | "banker">} Hands
 * @typedef {{
 *   table: number, lang: Language, link: LinkState, view: TableView | null, at: number | null,
 *   refused: { reason: Bilingual } | null,
 *   kept: (Hands & { round: number }) | null, fresh: string[], landing: Record<string, number>,
 *   quiet: boolean, next: TableView["next"], opening: { at: number, total_ms: number } | null,
 * }} State
 * @typedef {State & { view: TableView }} Seen once the table has been told
 * @typedef {{ t: "view", view: TableView, at: number } | { t: "link", state: LinkState }
 *   | { t: "language", lang: Language } | { t: "refused", reason: Bilingual }
 *   | { t: "landed", slot: string } | { t: "tick", at: number } | { t: "quiet", quiet: boolean }} Message
 */

/** @param {{ table: number, lang?: Language }} asked @returns {State} */
export const start = ({ table, lang = "en" }) => ({
  table, lang, link: "connecting", view: null, at: null, refused: null,
  kept: null, // the last settled hand, while this page has seen it: {round, cards, player, banker}
  fresh: [], // slots of the cards that came while somebody looked on: these slide in and are turned
  landing: {}, // of these, the ones that do not lie face up yet, and when each counts at the latest
  quiet: false, // nothing moves here
  next: null, // what was called for when all cards lay there
  opening: null, // {at, total_ms} of the next round, from when it was first heard of
});

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "view": return seen(state, message.view, message.at);
    case "link": return { ...state, link: state.link === "lost" ? "lost" : message.state }; // lost until a view comes
    case "language": return { ...state, lang: message.lang };
    case "landed": return landed(state, [message.slot]);
    case "tick": return landed(state, Object.keys(state.landing).filter((slot) => state.landing[slot] <= message.at));
    case "quiet": return landed({ ...state, quiet: message.quiet, fresh: [] }, Object.keys(state.landing));
    case "refused": return { ...state, link: "open", refused: message };
    default: return state;
  }
}

/** @type {(state: State, view: TableView, at: number) => State} */
function seen(state, told, at) {
  const view = withoutOldShoe(told), isDealing = view.phase === "dealing";
  const came = isDealing && !state.quiet ? cameOf(state, view) : [];
  const goesOn = isDealing && state.view?.round === view.round;
  const [landing, fresh] = goesOn ? [{ ...state.landing }, state.fresh] : [{}, []];
  for (const slot of came) landing[slot] = at + LANDS_MS;
  return landed({
    ...state, link: "open", refused: null, view, at, landing,
    kept: keptOf(state.kept, view),
    fresh: [...fresh, ...came],
    opening: openingOf(state.opening, view, at),
  }, []);
}

const LANDS_MS = 3_000; // a page that did not see it land counts it then

// Cards that lie face up; when all do, what the table calls for is known.
/** @type {(state: State, slots: string[]) => State} */
function landed(state, slots) {
  const isLaid = (/** @type {string} */ slot) => slots.includes(slot);
  const landing = Object.fromEntries(Object.entries(state.landing).filter(([slot]) => !isLaid(slot)));
  const isOver = !Object.keys(landing).length;
  return { ...state, landing, next: isOver ? state.view?.next ?? null : state.next };
}

/** The table as far as its cards lie face up. @type {(state: State) => TableView | null} */
export function viewSeen({ view, landing, next }) {
  if (!view || !Object.keys(landing).length) return view;
  return { ...view, ...totalsSeen(view.cards, (slot) => slot in landing), next };
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
function cameOf({ view: before, link }, view) {
  if (!before || link !== "open") return [];
  const lay = before.round === view.round ? before.cards : {};
  return Object.keys(view.cards).filter((slot) => lay[slot] !== view.cards[slot]);
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
  const view = viewSeen(state), { kept } = state;
  const none = { cards: {}, player: null, banker: null, past: false };
  if (!view || view.phase === "down") return none;
  if (!isBetween(view)) return { ...handsOf(view), past: false };
  if (Object.keys(view.cards).length) return { ...handsOf(view), past: true };
  return kept ? { ...kept, past: true } : { ...none, past: true }; // no total over places that are empty
}
