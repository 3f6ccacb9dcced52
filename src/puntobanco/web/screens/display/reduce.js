// The display's state: the table as last heard, the hand that was last settled, and how the link stands.

export const start = ({ table, lang = "en" }) => ({
  table, lang, link: "connecting", view: null, at: null, refused: "",
  kept: null, // the last settled hand, while this page has seen it: {round, cards, player, banker}
  fresh: [], // slots of the cards that came while somebody looked on: these slide in
  opening: null, // {at, total_ms} of the next round, from when it was first heard of
});

export function reduce(state, message) {
  switch (message.t) {
    case "view": return seen(state, message.view, message.at);
    case "link": return { ...state, link: state.link === "lost" ? "lost" : message.state }; // lost until a view comes
    case "language": return { ...state, lang: message.lang };
    case "refused": return { ...state, link: "open", refused: message.reason };
    default: return state;
  }
}

function seen(state, view, at) {
  return {
    ...state, link: "open", refused: "", view, at,
    kept: keptOf(state.kept, view),
    fresh: freshOf(state, view),
    opening: openingOf(state.opening, view, at),
  };
}

const handsOf = ({ cards, player, banker }) => ({ cards, player, banker });

// A table says nothing of the cards before the ones that lie there; what was on the screen may stay.
function keptOf(kept, view) {
  if (view.phase === "settled") return { round: view.round, ...handsOf(view) };
  return kept && kept.round === view.last?.round ? kept : null;
}

// After a gap the table is shown as it lies, still.
function freshOf({ view: before, link, fresh }, view) {
  if (!before || link !== "open") return [];
  const same = before.round === view.round;
  const came = Object.keys(view.cards).filter((slot) => !same || before.cards[slot] !== view.cards[slot]);
  return came.length ? came : same ? fresh : [];
}

function openingOf(before, view, at) {
  if (!view.opens_at) return null;
  return before?.at === view.opens_at ? before : { at: view.opens_at, total_ms: Math.max(1, view.opens_at - at) };
}

export const isStale = (state) => state.link === "lost";

/** No round is played: bets are open on the next one, or it is awaited. */
export const isBetween = ({ phase, cards }) =>
  phase === "waiting" || (phase === "betting" && !Object.keys(cards).length);

/** What lies on the table, or lay there last: {cards, player, banker, past}. */
export function hands(state) {
  const { view, kept } = state;
  const none = { cards: {}, player: null, banker: null, past: false };
  if (!view || view.phase === "down") return none;
  if (!isBetween(view)) return { ...handsOf(view), past: false };
  if (Object.keys(view.cards).length) return { ...handsOf(view), past: true };
  if (kept) return { ...kept, past: true };
  return { ...none, player: view.last?.player ?? null, banker: view.last?.banker ?? null, past: true };
}
