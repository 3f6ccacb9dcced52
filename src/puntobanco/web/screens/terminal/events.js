// What happens at the table, event by event. What does not follow on what is known, or is rare, asks for the whole.

/** @import { CorrectedView, PublicCorrection, PublicEvent, RoadsView, TableStopView, TableView } from "server" */
/** @import { Seen, State } from "./reduce.js" */
/** @typedef {Partial<Omit<State, "table">> & { table?: Partial<TableView> }} Change of the table, and beside it */

const ORDER = ["p1", "b1", "p2", "b2"];
export const SQUEEZE_MS = 6_000; // a card that the patron may turn turns by itself then
const NO_ROADS = { bead: [], big: [], eye: [], small: [], pig: [] };
const NO_COUNTS = { rounds: 0, banker: 0, player: 0, tie: 0, banker_pair: 0, player_pair: 0, natural: 0, void: 0 };

/** @type {(s: Seen, e: PublicEvent) => Seen} */
export function onEvent(s, e) {
  const handler = /** @type {(t: TableView, e: PublicEvent, s: Seen) => Change} */ (EVENTS[e.event]);
  if (!handler || isOfAnotherRound(s, e)) return { ...s, sync: true };
  const { table, ...beside } = handler(s.table, e, s);
  return /** @type {Seen} */ ({ ...s, ...beside, table: { ...s.table, ...table } });
}

/** Something was missed. @type {(s: Seen, e: PublicEvent) => boolean} */
const isOfAnotherRound = (s, e) => "round" in e && e.event !== "BetsOpened" && e.round !== s.table.round;

const NOT_OPEN = { closes_at: null, dealer_closes: false };

/**
 * What each event changes. One that is not here, or that a newer server sends, asks for the whole view.
 * @type {{ [E in PublicEvent["event"]]?: (t: TableView, e: Extract<PublicEvent, { event: E }>, s: Seen) => Change }}
 */
const EVENTS = {
  TableOpened: () => ({ sync: true }),
  TableClosed: () => ({ table: { phase: "down", ...NOT_OPEN, opens_at: null }, sync: true }),
  TableHalted: (t, e) => ({
    table: { halted: e.reason, halted_zh: e.reason_zh, closing: Boolean(e.closes), opens_at: null },
  }),
  TableRestarted: () => ({ table: { halted: "", halted_zh: "", closing: false } }),
  LimitsChanged: (t, e) => ({
    table: {
      patron_max_cents: e.limits.patron_max_cents, differential_cents: e.limits.differential_cents ?? null,
      exposure_max_cents: e.limits.exposure_max_cents, hand_pay_cents: e.limits.hand_pay_cents ?? 0,
      bets: t.bets.map((bet) => ({ ...bet, limits: e.limits.bets[bet.bet] ?? bet.limits })),
    },
  }),

  ShoeEnded: () => ({ table: { shoe: null, opens_at: null, last_hand: false } }),
  ShoeStarted: (t, e) => ({
    table: { shoe: e.shoe, decks: e.decks, results: [], roads: NO_ROADS, counts: NO_COUNTS },
  }),
  LastHandCalled: () => ({ table: { last_hand: true } }),

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
  TotalsAnnounced: (t, e) => ({ table: { player: e.player, banker: e.banker } }),
  RoundSettled(t, e) {
    if (e.cards.split(" ").length !== Object.keys(t.cards).length) return { sync: true };
    const table = {
      phase: "settled", player: e.player, banker: e.banker, results: [...t.results, e.result],
      roads: marked(t.roads, e.marks), counts: e.counts ?? t.counts, notes: e.notes ?? [],
      last: { round: e.round, result: e.result, player: e.player, banker: e.banker },
    };
    return { table };
  },
  RoundVoided: (t, e) => ({
    table: {
      phase: "void", ...NOT_OPEN, next: null, stop: stopOf(e),
      last: { round: e.round, result: "VOID", player: null, banker: null },
    },
  }),
  IrregularityDeclared: (t, e) => ({ table: { phase: "stopped", ...NOT_OPEN, next: null, stop: stopOf(e) } }),

  // The round goes on from elsewhere.
  RoundResumed: () => ({ sync: true }),
  RoundReconstructed: () => ({ sync: true }),
  RoundReopened: () => ({ sync: true }),
  CardCorrected: (t, e) => ({
    table: { cards: { ...t.cards, [e.slot]: e.after }, corrected: corrected(t.corrected, e) }, sync: true,
  }),
};

/**
 * With what was entered first, however often it was corrected.
 * @type {(before: CorrectedView[], e: PublicCorrection) => CorrectedView[]}
 */
function corrected(before, { slot, before: entered, after }) {
  const others = (before ?? []).filter((one) => one.slot !== slot);
  const first = (before ?? []).find((one) => one.slot === slot)?.before ?? entered;
  return [...others, { slot, before: first, after }];
}

/** @param {TableStopView} e */
const stopOf = (e) => ({ ground: e.ground, title: e.title ?? e.ground, title_zh: e.title_zh ?? "", clause: e.clause });

const worth = (/** @type {string} */ code) => (code[0] === "A" ? 1 : Number(code[0]) || 0);

/** @param {Record<string, string>} cards @param {string} hand */
export function points(cards, hand) {
  const codes = ["1", "2", "3"].map((n) => cards[hand + n]).filter(Boolean);
  return codes.reduce((total, code) => total + worth(code), 0) % 10;
}

/** The roads with the cells that a result set. @type {(roads: RoadsView, marks?: RoadsView) => RoadsView} */
export function marked(roads, marks) {
  if (!marks) return roads;
  const found = { ...roads };
  for (const kind of /** @type {(keyof RoadsView)[]} */ (Object.keys(roads))) {
    const cells = roads[kind], set = marks[kind] ?? [];
    const isSet = (/** @type {unknown[]} */ [row, col]) => set.some((cell) => cell[0] === row && cell[1] === col);
    found[kind] = [...cells.filter((cell) => !isSet(cell)), ...set];
  }
  return found;
}
