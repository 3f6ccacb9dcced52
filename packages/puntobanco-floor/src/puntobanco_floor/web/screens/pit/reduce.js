// The pit's state: the last board, what is selected and opened, and the sheet that is asked something in. Pure.
import { decidedKey, decidedWords, news } from "../base/decided.js";
import { pageLanguage, saidHere } from "../base/words.js";
import { alertKey, tableName, t } from "./words.js";

/**
 * @import {
 *   Alert, Board, Choice, GameChoice, PitTable, ReviewCase, RoundEdges, StaffMe, Words as Bilingual,
 * } from "server"
 */
/** @import { Decision } from "../base/decided.js" */
/** @import { LinkState } from "../base/link.js" */
/** @import { Words } from "../base/words.js" */
/** @import { Values, Wrong } from "../forms/fields.js" */
/** @import { Told } from "../forms/scheduled.js" */

/**
 * @typedef {{
 *   kind: string, table?: number, proposal?: number, window?: number, payment?: number, closed?: string[],
 *   review?: number, case?: ReviewCase, award?: number,
 *   game?: GameChoice, games?: GameChoice[], causes?: Choice[], complaints?: Choice[], gone?: boolean,
 *   values: Values, wrong: Wrong | null, error: Words, busy: boolean,
 * }} Sheet
 * @typedef {Decision & { place: string }} Placed
 *
 * @typedef {object} State
 * @property {StaffMe | null} me
 * @property {LinkState} link
 * @property {number | null} lostAt
 * @property {number} at
 * @property {number} now
 * @property {Board | null} board
 * @property {Bilingual | null} refused
 * @property {number | null} selected
 * @property {string} tab
 * @property {string | null} open
 * @property {string[]} seen
 * @property {Placed[]} decided
 * @property {(string | number)[]} read
 * @property {Record<string, RoundEdges | { error: string }>} edges
 * @property {Sheet | null} sheet
 * @property {Words} said
 * @property {Words} trouble
 *
 * @typedef {{ wrong?: Wrong | null, error?: Words, values?: Values }} Trouble
 * @typedef {State & { board: Board }} Seen once the board has been read
 * @typedef {{ t: "me", me: StaffMe | null } | { t: "tick", now: number } | { t: "link", state: LinkState }
 *   | { t: "refused-view", refused: State["refused"] } | { t: "view", view: Board, at: number }
 *   | { t: "select", table: number }
 *   | { t: "tab", tab: string } | { t: "all-seen" } | { t: "decided-seen" } | { t: "alert", key: string }
 *   | { t: "edges", round: string, found: RoundEdges | { error: string } }
 *   | { t: "sheet", sheet: Partial<Sheet> & { kind: string } } | { t: "asked", values?: Values }
 *   | { t: "values", values: Values, more?: Partial<Sheet> } | ({ t: "wrong" } & Trouble) | { t: "done", text: string }
 *   | { t: "doubt", error: Words } | Told | { t: "trouble-seen" } | { t: "cancel" }} Message
 */

// `seen` and `read` are alerts and decisions that were put away here before.
/** @type {(kept?: { seen?: string[], read?: State["read"] }) => State} */
export const first = ({ seen = [], read = [] } = {}) => ({
  me: null, // who is logged in
  link: "connecting", // "open" or "lost"
  lostAt: null, // when the board was last current
  at: 0, // the server's time of the last board
  now: 0,
  board: null,
  refused: null, // why this login sees no board
  selected: null, // the number of a table
  tab: "edges", // or "returns"
  open: null, // the key of the alert whose evidence is open
  seen, // keys of alerts that were opened here
  decided: [], // what became of proposals and was not put away yet
  read,
  edges: {}, // of closed rounds, by "table:1/24"
  sheet: null, // {kind, table, proposal, values, wrong, error, busy}
  said: "", // the last thing done, for the status line
  trouble: "", // what could not be done, where no sheet says it
});

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "tick": return { ...state, now: message.now };
    case "link": return linked(state, message.state);
    case "refused-view": return { ...state, refused: message.refused };
    case "view": return viewed(state, message);
    case "select": return { ...state, selected: message.table };
    case "tab": return { ...state, tab: message.tab };
    case "all-seen": return seenAll(state);
    case "decided-seen": return { ...state, decided: [], read: decisions(state.board).map(decidedKey) };
    case "alert": return opened(state, message.key);
    case "edges": return { ...state, edges: { ...state.edges, [message.round]: message.found } };
    case "sheet": return { ...state, sheet: { values: {}, wrong: null, error: "", busy: false, ...message.sheet } };
    case "asked": return asked(state, true, { values: message.values });
    case "values": return withSheet(state, { values: { ...state.sheet?.values, ...message.values }, ...message.more });
    case "wrong": return asked(state, false, message);
    case "done": return { ...state, sheet: null, said: message.text };
    case "said": return { ...state, said: message.text, trouble: message.wrong ? message.text : state.trouble };
    case "trouble-seen": return { ...state, trouble: "" };
    case "doubt":
      return state.sheet?.busy ? withSheet(state, { error: message.error }) : { ...state, said: message.error };
    case "cancel": return state.sheet?.busy && !state.sheet.error ? state : { ...state, sheet: null };
    default: return state;
  }
}

/** Once lost, the board is current again with the next view, not with the next connection. */
/** @type {(state: State, link: LinkState) => State} */
function linked(state, link) {
  if (link === "lost") return { ...state, link, lostAt: state.lostAt ?? (state.at || null) };
  return state.link === "lost" && state.board ? state : { ...state, link };
}

/** @type {(state: State, message: { view: Board, at: number }) => State} */
function viewed(state, { view, at }) {
  const numbers = view.tables.map((table) => table.number);
  const known = state.board?.alerts.map(alertKey);
  const alerts = known ? view.alerts.filter((alert) => !known.includes(alertKey(alert))) : [];
  const told = toTell(state, view);
  return {
    ...state, board: view, at, link: "open", refused: null, lostAt: null, decided: [...state.decided, ...told],
    selected: state.selected !== null && numbers.includes(state.selected) ? state.selected : mostPressing(view),
    sheet: stillAsked(state.sheet, view),
    said: saidOf(alerts, told) ?? waitsMore(state, view) ?? state.said,
  };
}

/**
 * The table to begin with: one that waits for a decision, one with an alert, or the first that is open.
 * @param {Board} board
 */
function mostPressing({ tables, alerts }) {
  const found = tables.find((table) => table.waiting.length || table.reviews.length)
    ?? tables.find((table) => table.table === alerts[0]?.table)
    ?? tables.find((table) => table.phase !== "down") ?? tables[0];
  return found ? found.number : null;
}

/** A sheet about a proposal that somebody else has decided meanwhile says so, and asks for nothing more. */
/** @type {(sheet: Sheet | null, view: Board) => Sheet | null} */
function stillAsked(sheet, view) {
  if (!sheet || sheet.busy) return sheet;
  if (sheet.review !== undefined) return { ...sheet, gone: !reviewOf(view, sheet) };
  if (sheet.award !== undefined) return { ...sheet, gone: !awardOf(view, sheet) };
  if (sheet.payment !== undefined) return { ...sheet, gone: !paymentOf(view, sheet) };
  if (sheet.proposal === undefined) return sheet;
  const table = view.tables.find((each) => each.number === sheet.table);
  const there = table?.waiting.some((waiting) => waiting.proposal === sheet.proposal);
  return there ? { ...sheet, gone: false } : { ...sheet, gone: true };
}

// What somebody should hear of at once.
/** @type {(alerts: Alert[], told: Placed[]) => string | null} */
function saidOf(alerts, told) {
  if (alerts.length) return t("Alert: {0}", saidHere(alerts[0].text));
  const last = told.at(-1);
  return last ? decisionWords(last) : null;
}

/** The last decisions of all tables, each with its table. @param {Board | null} board @returns {Placed[]} */
const decisions = (board) =>
  (board?.tables ?? []).flatMap((table) => table.decided.map((one) => ({ ...one, place: table.table })));

/** @param {Placed} one */
export const decisionWords = (one) => t("{0}: {1}", tableName(one.place), decidedWords(pageLanguage(), one));

// What was approved is told to who asked for it.
/** @type {(state: State, view: Board) => Placed[]} */
function toTell({ board, me, read }, view) {
  const found = news(board && decisions(board), decisions(view), { name: me?.name, read });
  return found.filter((one) => one.outcome !== "approved" || one.asked_by === me?.name);
}

/** @type {(state: State, view: Board) => Words | null} */
function waitsMore(state, view) {
  /** @param {Board} board */
  const waits = (board) => board.payments.length + board.tables.reduce((n, table) => n + table.waiting.length, 0);
  if (!state.board) return null;
  if (reviewsOf(view).length > reviewsOf(state.board).length) return t("A patron asks for a review");
  if (waits(view) === waits(state.board)) return null;
  return waits(view) > waits(state.board) ? t("A new proposal waits for approval") : state.said;
}

/** @type {(state: State, key: string) => State} */
function opened(state, key) {
  if (state.open === key) return { ...state, open: null };
  return { ...state, open: key, seen: state.seen.includes(key) ? state.seen : [...state.seen, key] };
}

/** @type {(state: State) => State} */
function seenAll(state) {
  const shown = (state.board?.alerts ?? []).map(alertKey);
  return { ...state, seen: [...new Set([...state.seen, ...shown])] };
}

/** The sheet as it was sent, or with what is wrong in it; what is typed stays. */
/** @type {(state: State, busy: boolean, trouble: Trouble) => State} */
const asked = (state, busy, { wrong, error, values }) =>
  withSheet(state, { busy, wrong: wrong ?? null, error: error ?? "", values: values ?? state.sheet?.values ?? {} });

/** @type {(state: State, changes: Partial<Sheet>) => State} */
const withSheet = (state, changes) => (state.sheet ? { ...state, sheet: { ...state.sheet, ...changes } } : state);

// What the views ask of the state.

/** @type {(state: State, number?: number | null) => PitTable | null} */
export const tableOf = (state, number) => state.board?.tables.find((table) => table.number === number) ?? null;

/** @param {State} state */
export const unread = ({ board, seen }) => (board?.alerts ?? []).filter((alert) => !seen.includes(alertKey(alert)));

/** Everything that waits for a second person, the longest first; at the cage without a table. @param {State} state */
export const waitingOf = ({ board }) => [
  ...(board?.tables ?? []).flatMap((table) => table.waiting.map((waiting) => ({ table, waiting }))),
  ...(board?.payments ?? []).map((waiting) => ({ table: null, waiting })),
].sort((a, b) => (a.waiting.at ?? 0) - (b.waiting.at ?? 0));

/** How many wait for this person: what they asked for themselves waits for somebody else. @param {State} state */
export const toDecide = (state) =>
  waitingOf(state).filter(({ waiting }) => waiting.by !== state.me?.name).length + reviewsOf(state.board).length;

/** Reviews that patrons have asked for, the longest waiting first. @param {Board | null} board */
export const reviewsOf = (board) => (board?.tables ?? [])
  .flatMap((table) => table.reviews.map((review) => ({ table, review })))
  .sort((a, b) => a.review.at - b.review.at);

/** Answered reviews that may be paid, the oldest of each table first. @param {Board | null} board */
export const awardsOf = (board) => (board?.tables ?? [])
  .flatMap((table) => table.awards.map((award) => ({ table, award })));

/** @param {Board | null} board @param {Pick<Sheet, "table" | "award">} of */
export const awardOf = (board, { table: number, award }) =>
  awardsOf(board).find((each) => each.table.number === number && each.award.review === award) ?? null;

/** @param {Board | null} board @param {Pick<Sheet, "table" | "review">} of */
export const reviewOf = (board, { table: number, review }) =>
  reviewsOf(board).find((each) => each.table.number === number && each.review.review === review) ?? null;

/**
 * A payment that waits at a window of the cage.
 * @param {Board | null} board
 * @param {Pick<Sheet, "window" | "payment">} of
 */
export const paymentOf = (board, { window, payment }) =>
  board?.payments.find((each) => each.window === window && each.payment === payment) ?? null;

/** @param {PitTable[]} tables */
export function totals(tables) {
  const sum = (/** @type {(table: PitTable) => number} */ of) => tables.reduce((n, table) => n + of(table), 0);
  const drop = sum((table) => table.figures.drop_cents), win = sum((table) => table.figures.win_cents);
  return {
    tables: tables.length, drop, win, hold: drop ? win / drop : null, voids: sum((table) => table.figures.voids),
    connected: sum((table) => table.connected), seats: sum((table) => table.seats),
  };
}
