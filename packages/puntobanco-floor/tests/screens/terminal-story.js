// A table and its messages for the tests of the terminal: round 7 of the third shoe, bets open.
import { initial, reduce } from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import { points } from "../../src/puntobanco_floor/web/screens/kit/points.js";

const TITLES_ZH = { player: "閒", banker: "莊", tie: "和" };
const titled = (id) => id.replace(/(^|-)(\w)/g, (_, dash, letter) => (dash ? " " : "") + letter.toUpperCase());

const conditional = (en) => (en ? { en, zh: `若${en}` } : null);

const payLine = ([when, pays, more = {}]) => ({
  when: conditional(when), means: null, pays: { en: pays, zh: pays.replace(/^(\S+) to 1$/, "1 賠 $1") },
  clause: "4.1", bonus: false, ...more,
});

export const bet = (id, hand, main, lines, limits = {}, asks = "") => ({
  bet: id, title: { en: titled(id), zh: TITLES_ZH[id] ?? `注${id}` }, hand, main, asks: conditional(asks),
  lines: lines.map(payLine),
  limits: { min_cents: 1000, max_cents: 500_000, step_cents: 100, ...limits }, step_cents: 100,
});

export const BETS = [
  bet("player", "player", true, [["Player has Flaming 9's", "1.2 to 1"], ["", "1 to 1"]]),
  bet("banker", "banker", true, [["Banker wins on six", "1 to 2"], ["", "1 to 1"]]),
  bet("tie", "tie", true, [
    ["", "8 to 1"],
    ["Player has Flaming 9's and Banker has Flaming 9's", "$3,000", { bonus: true, clause: "4.3" }],
  ], { max_cents: 50_000 }),
  bet("player-pair", "player", false, [["", "11 to 1"]]), bet("banker-pair", "banker", false, [["", "11 to 1"]]),
  bet("fortune-six", "", false, [["Banker has 2 cards", "12 to 1"], ["Banker has 3 cards", "20 to 1"]], {},
    "Banker wins on six"),
  bet("element-bonus", "", false, [
    ["4 cards are dealt", "50 to 1"], ["5 cards are dealt", "500 to 1"], ["6 cards are dealt", "5,000 to 1"],
  ], { max_cents: 5000 }, "every card dealt is of one element"),
];

export const table = (more = {}) => ({
  table: "table:1", number: 1, v: 20, seq: 50, at: 1, game: "six-star", title: { en: "6 Star", zh: "六星" }, rules: "mbs",
  deck: "five-elements", decks: 8, shoe: 3, phase: "betting", round: 7,
  betting_ms: 15_000, closes_at: 1_015_000, opens_at: null, squeeze_ms: 0, squeeze_until: null, cards: {}, keyed: [],
  why: null, next: null, stop: null,
  player: null, banker: null, results: [], roads: { bead: [], big: [], eye: [], small: [], pig: [] },
  counts: { rounds: 0, banker: 0, player: 0, tie: 0, banker_pair: 0, player_pair: 0 }, last: null, bets: BETS,
  patron_max_cents: 2_000_000, differential_cents: null, exposure_max_cents: 500_000_000, hand_pay_cents: 1_000_000,
  announce_open: "Place your bets, please", announce_close: "No more bets", late_clause: "5.6",
  withdraw_clause: "5.7", dealt_by: "server", halted: null, demo: true, paying: {}, ...more,
});

export const session = (more = {}) => ({
  table: "table:1", seq: 50, session: "T-07:9f", seated: true, balance_cents: 100_000, wagers: {}, lines: [],
  since: 1, net_cents: 0, held_cents: 0, loss_cents: null, ends_at: null, stopped: null, reviews: [], ...more,
});
export const welcome = (more = {}) => ({
  t: "welcome", protocol: 4, now: 1_000_000, table: table(more), session: session(),
});
export const mine = (more) => ({ t: "mine", session: session(more) });
export const line = (
  id, stake, outcome, winnings, returned = outcome === "wins" ? stake : 0, bonus = 0, clause = "4.1",
) => ["T-07:9f", id, stake, outcome, winnings, returned, bonus, clause, bonus ? "4.3" : "", 0];
export const opened = (more = {}) => reduce(initial(), welcome(more));

// Messages; one that is a function is made from the state that it comes to.
export const run = (state, ...messages) => messages.reduce((s, made) => {
  const m = typeof made === "function" ? made(s) : made;
  return m ? reduce(s, m) : s;
}, state);

/** What so many events change in the view; which they are is nothing to a terminal. */
export const happens = (set = {}, add = null, count = 1) => ({ table }) => ({
  t: "events", v: table.v + count, seq: table.seq + 1, at: 1_000_000,
  events: Array(count).fill({ event: "Something" }), set, add,
});
export const ids = () => { let n = 0; return () => `id${(n += 1)}`; };

const SLOTS = ["p1", "b1", "p2", "b2", "p3", "b3"];
const WHY = { p1: "3.7.1", b1: "3.7.2", p2: "3.7.1", b2: "3.7.2", p3: "3.9.2", b3: "3.9.4" };
const NOT_OPEN = { closes_at: null, dealer_closes: false };

export const betsOpened = (round, more = {}) => happens({
  phase: "betting", round, shoe: 3, closes_at: 99, dealer_closes: false, opens_at: null, last_hand: false, cards: {},
  why: null, next: null, stop: null, keyed: [], notes: [], player: null, banker: null, corrected: [],
  reconstructed: null, ...more,
});
export const betsClosed = () => happens({ phase: "closed", ...NOT_OPEN });
export const cards = (pairs, more = {}) => (s) => {
  const lying = { ...s.table.cards, ...Object.fromEntries(pairs) }, [slot] = pairs.at(-1);
  const why = { slot, text: { en: `a card for ${slot}`, zh: `派${slot}` }, clause: WHY[slot] };
  const player = points(lying, "p"), banker = lying.b1 ? points(lying, "b") : null;
  const set = { phase: "dealing", ...NOT_OPEN, cards: lying, why, next: null, player, banker, ...more };
  return happens(set, null, pairs.length)(s);
};
export const card = (slot, code, more = {}) => cards([[slot, code]], more);
export const roundSettled = ({ result, player, banker }, more = {}, roads = {}) => (s) => {
  const last = { round: s.table.round, result, player, banker };
  return happens({ phase: "settled", player, banker, notes: [], last, ...more }, { results: [result], roads })(s);
};
export const roundVoided = (stop) => (s) => {
  const last = { round: s.table.round, result: "VOID", player: null, banker: null };
  const counts = { ...s.table.counts, void: 1 };
  return happens({ phase: "void", ...NOT_OPEN, next: null, stop, last, counts })(s);
};
export const roundStopped = (stop) => happens({ phase: "stopped", ...NOT_OPEN, next: null, stop });
/** Every card that was on its way lies face up. */
export const laid = (s) => Object.keys(s.landing).reduce((one, slot) => reduce(one, { t: "landed", slot }), s);
export const dealt = (...codes) => run(opened(), betsClosed(), ...codes.map((code, i) => card(SLOTS[i], code)));
