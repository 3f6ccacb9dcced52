// The odds lab's state: which tab, what is asked, what has been answered, which wager and stake are looked at.
import { t } from "./words.js";

/**
 * @import {
 *   BetSheet, CompareView, EdgesView, LabGames, MethodView, RemovalView, SheetView, SimulationView, StaffMe, StakeView,
 *   LabGame,
 * } from "server"
 */
/** @import { Words } from "../base/words.js" */

/**
 * @typedef {"par" | "compare" | "simulation" | "method"} Tab
 * @typedef {"sheet" | "edges" | "removal" | "compare" | "method" | "run"} Part
 * @typedef {{
 *   tab?: string, game?: string | null, decks?: number, bet?: string, stakeCents?: number, rounds?: string,
 *   seed?: string, cut?: string,
 * }} Wanted
 * @typedef {{ rounds: string, seed: string, cut: string }} Form
 *
 * @typedef {object} State
 * @property {Tab} tab
 * @property {StaffMe | null} me
 * @property {LabGames | null} lab
 * @property {string | null} game
 * @property {number | null} decks
 * @property {string | null} bet
 * @property {number} stakeCents
 * @property {SheetView | null} sheet
 * @property {EdgesView | null} edges
 * @property {RemovalView | null} removal
 * @property {CompareView | null} compare
 * @property {MethodView | null} method
 * @property {SimulationView | null} run
 * @property {boolean} dealing
 * @property {Form} form
 * @property {Record<string, boolean>} shows
 * @property {Record<string, boolean>} asTable
 * @property {Record<string, { w: number, h: number }>} boxes
 * @property {Record<string, Words>} wrong
 * @property {string} saving
 * @property {Words} said
 * @property {Wanted} wanted
 *
 * @typedef {{ t: "me", me: StaffMe } | { t: "lab", lab: LabGames } | { t: "tab", tab: Tab }
 *   | { t: "game", game: string }
 *   | { t: "decks", decks: number } | { t: "slow" } | { t: "answer", part: Part, answer: any }
 *   | { t: "wrong", part: string, reason: Words } | { t: "bet", bet: string } | { t: "stake", cents: number }
 *   | { t: "show", figure: string } | { t: "form", name: string, value: string } | { t: "dealing" }
 *   | { t: "table", chart: string } | { t: "tables" } | { t: "box", chart: string, w: number, h: number }
 *   | { t: "saving", form: string, said?: Words }} Message
 */

/** @type {{ id: Tab, name: string }[]} */
export const TABS = [
  { id: "par", name: "Par sheet" }, { id: "compare", name: "Compare games" },
  { id: "simulation", name: "Simulation" }, { id: "method", name: "Method" },
];
/** @type {Record<Tab, string[]>} */
const CHARTS = {
  par: ["stake", "decks", "results", "removal"], compare: ["edges"], simulation: ["errors"], method: [],
};
/** @type {Record<Tab, Part[]>} */
export const PARTS = { par: ["sheet", "edges", "removal"], compare: ["compare"], simulation: [], method: ["method"] };
const BOXES = {
  stake: { w: 450, h: 410 }, decks: { w: 470, h: 240 }, results: { w: 430, h: 240 }, removal: { w: 430, h: 240 },
  edges: { w: 1380, h: 240 }, errors: { w: 440, h: 400 },
};

/** @param {Wanted} [wanted] @returns {State} */
export const start = (wanted = {}) => ({
  tab: TABS.find(({ id }) => id === wanted.tab)?.id ?? "par",
  me: null, lab: null, game: null, decks: null, bet: wanted.bet ?? null, stakeCents: wanted.stakeCents ?? 1000,
  sheet: null, edges: null, removal: null, compare: null, method: null, run: null, dealing: false,
  form: { rounds: wanted.rounds ?? "", seed: wanted.seed ?? "1", cut: wanted.cut ?? "" },
  shows: { exact: true, hit: false, deviation: false },
  asTable: Object.fromEntries(Object.keys(BOXES).map((chart) => [chart, false])),
  boxes: BOXES, wrong: {}, saving: "", said: "", wanted,
});

/** How many decks can be chosen: of the game; where games are compared, of any. @param {State} state */
export function decksOf(state) {
  if (state.tab !== "compare") return rowOf(state)?.decks ?? [];
  return [...new Set((state.lab?.games ?? []).flatMap((row) => row.decks))].sort((a, b) => a - b);
}

// Which game: as it was answered, so that a late answer to another question is not taken for this one's.
/** @param {State} state */
const isAsked = (state, answer) => answer.game === state.game && (answer.decks === state.decks || answer.decks?.length);
/** @param {State} state */
const isCompared = (state, answer) => answer.decks === state.decks && answer.stake_cents === state.stakeCents;
/** @param {State} state @param {Part} part */
const fits = (state, part, answer) => (part === "compare" ? isCompared : isAsked)(state, answer);

/** Whether what is asked now has been answered. @param {State} state @param {Part} part */
export const hasPart = (state, part) => Boolean(state[part] && fits(state, part, state[part]));

const NOTHING = { sheet: null, edges: null, removal: null, method: null, run: null, dealing: false };

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "lab": return opened(state, message.lab);
    case "tab": return allowed({ ...state, tab: message.tab, said: "" });
    case "game": {
      if (!rowOf(state, message.game)) return state;
      return allowed({ ...state, ...NOTHING, game: message.game, wrong: {}, said: "" });
    }
    case "decks": {
      if (!decksOf(state).includes(message.decks)) return state;
      return { ...state, decks: message.decks, run: null, dealing: false, wrong: {}, said: "" };
    }
    case "slow": {
      const parts = PARTS[state.tab].filter((part) => part !== "edges" && !hasPart(state, part));
      return { ...state, ...Object.fromEntries(parts.map((part) => [part, null])) };
    }
    case "answer": {
      const { part, answer } = message;
      if (!fits(state, part, answer)) return state;
      const next = { ...state, [part]: answer, wrong: without(state.wrong, part) };
      if (part === "run") return { ...next, dealing: false };
      return part === "sheet" ? seen(next) : next;
    }
    case "wrong": {
      const gone = message.part in state ? { [message.part]: null } : {};
      const dealing = message.part === "run" ? false : state.dealing;
      return { ...state, ...gone, dealing, wrong: { ...state.wrong, [message.part]: message.reason } };
    }
    case "bet": return { ...state, bet: message.bet };
    case "stake": return { ...state, stakeCents: message.cents };
    case "show": return { ...state, shows: { ...state.shows, [message.figure]: !state.shows[message.figure] } };
    case "form": return { ...state, form: { ...state.form, [message.name]: message.value } };
    case "dealing": return { ...state, dealing: true, wrong: without(state.wrong, "run") };
    case "table": return { ...state, asTable: { ...state.asTable, [message.chart]: !state.asTable[message.chart] } };
    case "tables": {
      const own = CHARTS[state.tab], all = !own.every((chart) => state.asTable[chart]);
      return { ...state, asTable: { ...state.asTable, ...Object.fromEntries(own.map((chart) => [chart, all])) } };
    }
    case "box": return { ...state, boxes: { ...state.boxes, [message.chart]: { w: message.w, h: message.h } } };
    case "saving": return { ...state, saving: message.form, said: message.said ?? "" };
    default: return state;
  }
}

/** @type {(table: State["wrong"], key: string) => State["wrong"]} */
const without = (table, key) => Object.fromEntries(Object.entries(table).filter(([name]) => name !== key));

/** @type {(state: State, lab: LabGames) => State} */
function opened(state, lab) {
  const { wanted, form } = state, { simulation } = lab;
  const row = lab.games.find((one) => one.game === wanted.game) ?? lab.games[0];
  const rounds = simulation.choices.includes(Number(form.rounds)) ? form.rounds : String(usual(simulation));
  const next = { ...state, lab, game: row.game, decks: wanted.decks ?? null, form: { ...form, rounds }, wrong: {} };
  return allowed(next);
}

/** @param {{ choices: number[] }} simulation */
const usual = ({ choices }) => choices.find((rounds) => rounds >= 1e6) ?? choices.at(-1);

// A number of decks that can be chosen: what was, or the game's usual one.
/** @param {State} state @returns {State} */
function allowed(state) {
  if (state.decks !== null && decksOf(state).includes(state.decks)) return state;
  return { ...state, decks: rowOf(state)?.default_decks ?? null, run: null };
}

// The wager looked at is one of this sheet; the stake is one that its slider has.
/** @param {State} state @returns {State} */
function seen(state) {
  if (!state.sheet) return state;
  const { bets } = state.sheet;
  const named = (bet) => bets.find((one) => one.bet === bet);
  const { bet } = named(state.bet) ?? named("banker") ?? bets[0];
  const stops = stopsOf(bonusOf(state.sheet));
  return { ...state, bet, stakeCents: stops.length ? nearest(stops, state.stakeCents) : state.stakeCents };
}

/** @param {StakeView[]} stops @param {number} cents */
function nearest(stops, cents) {
  const away = (stop) => Math.abs(stop.stake_cents - cents);
  return stops.reduce((best, stop) => (away(stop) < away(best) ? stop : best)).stake_cents;
}

/** @type {(state: State, game?: string | null) => LabGame | null} */
export const rowOf = (state, game = state.game) => state.lab?.games.find((row) => row.game === game) ?? null;

/** The wager with a bonus, whose edge depends on the stake; there is one in 6 Star. @param {SheetView | null} sheet */
export const bonusOf = (sheet) => sheet?.bets.find((bet) => bet.bonus) ?? null;

/** Stakes of the slider: those of the sheet, and the least that a table takes. @param {BetSheet | null} bet */
export function stopsOf(bet) {
  if (!bet?.bonus) return [];
  const { bonus, minimum } = bet;
  const isOwn = minimum && !bonus.stakes.some((stop) => stop.stake_cents === minimum.stake_cents);
  return [...bonus.stakes, ...(isOwn ? [minimum] : [])].sort((a, b) => a.stake_cents - b.stake_cents);
}

/** @param {State} state @param {BetSheet | null} bet */
export const stopOf = (state, bet) => stopsOf(bet).find((stop) => stop.stake_cents === state.stakeCents) ?? null;
/** @param {State} state */
export const betOf = (state) => state.sheet?.bets.find((bet) => bet.bet === state.bet) ?? null;

/**
 * What is asked of the simulator, as it stands in an address; or why it cannot be asked.
 * @param {State} state
 * @returns {{ query: string, wrong?: undefined } | { query?: undefined, wrong: string }}
 */
export function asked({ form, lab }) {
  const { seed, rounds, cut } = form, most = lab?.simulation.most_seed ?? "0";
  const isSeed = /^\d{1,20}$/.test(seed) && BigInt(seed) <= BigInt(most);
  if (!isSeed) return { wrong: t("a seed is a whole number from 0 to {0}", most) };
  if (cut && !/^\d{1,4}$/.test(cut)) return {
    wrong: t("a cut card is a whole number of cards from the end, or nothing"),
  };
  return { query: new URLSearchParams({ rounds, seed, ...(cut ? { cut } : {}) }).toString() };
}
