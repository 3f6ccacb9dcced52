// What happens at the table, event by event. What does not follow on what is known, or is rare, asks for the whole.

const ORDER = ["p1", "b1", "p2", "b2"];
export const SQUEEZE_MS = 6_000; // a card that the patron may turn turns by itself then
const NO_ROADS = { bead: [], big: [], eye: [], small: [], pig: [] };
const NO_COUNTS = { rounds: 0, banker: 0, player: 0, tie: 0, banker_pair: 0, player_pair: 0 };

export function onEvent(s, e) {
  const handler = EVENTS[e.event];
  if (!handler || isOfAnotherRound(s, e)) return { ...s, sync: true };
  const change = handler(s.table, e, s);
  const { table, ...beside } = change.table || change.sync ? change : { table: change };
  return { ...s, ...beside, table: { ...s.table, ...table } };
}

// Something was missed.
const isOfAnotherRound = (s, e) => e.round !== undefined && e.event !== "BetsOpened" && e.round !== s.table.round;

const NOT_OPEN = { closes_at: null, dealer_closes: false };

// Each gives what changes of the table, or {table, ...} with what changes of the state beside it.
const EVENTS = {
  TableOpened: () => ({ sync: true }),
  TableClosed: () => ({ table: { phase: "down", ...NOT_OPEN, opens_at: null }, sync: true }),
  TableHalted: (t, e) => ({ halted: e.reason, closing: Boolean(e.closes), opens_at: null }),
  TableRestarted: () => ({ halted: "", closing: false }),
  LimitsChanged: (t, e) => ({
    patron_max_cents: e.limits.patron_max_cents, differential_cents: e.limits.differential_cents ?? null,
    bets: t.bets.map((bet) => ({ ...bet, limits: e.limits.bets[bet.bet] ?? bet.limits })),
  }),

  ShoeEnded: () => ({ shoe: null, opens_at: null, last_hand: false }),
  ShoeStarted: (t, e) => ({ shoe: e.shoe, decks: e.decks, results: [], roads: NO_ROADS, counts: NO_COUNTS }),
  LastHandCalled: () => ({ last_hand: true }),

  BetsOpened: (t, e, s) => ({
    table: {
      phase: "betting", round: e.round, shoe: e.shoe, closes_at: e.closes_at, dealer_closes: Boolean(e.dealer_closes),
      opens_at: null, last_hand: false, cards: {}, why: null, next: null, stop: null, keyed: [], notes: [],
      player: null, banker: null, announce_open: e.announcement, corrected: [], reconstructed: null,
    },
    slid: {},
    mine: s.mine && { ...s.mine, lines: [], wagers: {} },
    undo: [], refused: null, sync: s.sync || e.round !== t.round + 1,
  }),
  BetsClosed: (t, e) => ({
    table: { phase: "closed", ...NOT_OPEN, announce_close: e.announcement, next: e.next ?? null },
    undo: [], refused: null,
  }),
  CardDealt(t, e, s) {
    const dealt = Object.keys(t.cards).length, due = dealt < 4 ? [ORDER[dealt]] : ["p3", "b3"];
    if (!due.includes(e.slot) || t.cards[e.slot]) return { sync: true };
    const cards = { ...t.cards, [e.slot]: e.card };
    const why = { slot: e.slot, en: e.why, zh: e.why_zh ?? e.why, clause: e.clause };
    const table = {
      phase: "dealing", ...NOT_OPEN, cards, why, next: e.next ?? null,
      player: points(cards, "p"), banker: cards.b1 ? points(cards, "b") : null,
      keyed: e.by_hand ? [...t.keyed, e.slot] : t.keyed,
    };
    const covered = s.squeeze ? { ...s.covered, [e.slot]: s.now + SQUEEZE_MS } : s.covered;
    return { table, slid: { ...s.slid, [e.slot]: s.came }, came: s.came + 1, covered };
  },
  TotalsAnnounced: (t, e) => ({ player: e.player, banker: e.banker }),
  RoundSettled(t, e) {
    if (e.cards.split(" ").length !== Object.keys(t.cards).length) return { sync: true };
    return {
      phase: "settled", player: e.player, banker: e.banker, results: [...t.results, e.result],
      roads: marked(t.roads, e.marks), counts: e.counts ?? t.counts, notes: e.notes ?? [],
      last: { round: e.round, result: e.result, player: e.player, banker: e.banker },
    };
  },
  RoundVoided: (t, e) => ({
    phase: "void", ...NOT_OPEN, next: null, stop: stopOf(e),
    last: { round: e.round, result: "VOID", player: null, banker: null },
  }),
  IrregularityDeclared: (t, e) => ({ phase: "stopped", ...NOT_OPEN, next: null, stop: stopOf(e) }),

  // The round goes on from elsewhere.
  RoundResumed: () => ({ sync: true }),
  RoundReconstructed: () => ({ sync: true }),
  RoundReopened: () => ({ sync: true }),
  CardCorrected: (t, e) => ({
    table: { cards: { ...t.cards, [e.slot]: e.after }, corrected: corrected(t.corrected, e) }, sync: true,
  }),
};

// With what was entered first, however often it was corrected.
function corrected(before, { slot, before: entered, after }) {
  const others = (before ?? []).filter((one) => one.slot !== slot);
  const first = (before ?? []).find((one) => one.slot === slot)?.before ?? entered;
  return [...others, { slot, before: first, after }];
}

const stopOf = (e) => ({ ground: e.ground, title: e.title ?? e.ground, title_zh: e.title_zh ?? "", clause: e.clause });

const worth = (code) => (code[0] === "A" ? 1 : Number(code[0]) || 0);

export function points(cards, hand) {
  const codes = ["1", "2", "3"].map((n) => cards[hand + n]).filter(Boolean);
  return codes.reduce((total, code) => total + worth(code), 0) % 10;
}

// The roads with the cells that a result set.
export function marked(roads, marks) {
  if (!marks) return roads;
  const found = {};
  for (const [kind, cells] of Object.entries(roads)) {
    const set = marks[kind] ?? [];
    const isSet = ([row, col]) => set.some((cell) => cell[0] === row && cell[1] === col);
    found[kind] = [...cells.filter((cell) => !isSet(cell)), ...set];
  }
  return found;
}
