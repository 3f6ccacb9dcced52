// The pit's state: the last board, what is selected and opened, and the sheet that is asked something in. Pure.
import { queued, without } from "../forms/later.js";
import { decidedKey, decidedWords, news } from "../base/decided.js";
import { alertKey, tableName } from "./words.js";

// `seen` and `read` are alerts and decisions that were put away here before.
export const first = ({ seen = [], read = [] } = {}) => ({
  me: null, // who is logged in
  link: "connecting", // "open" or "lost"
  lostAt: null, // when the board was last current
  at: 0, // the server's time of the last board
  now: 0,
  board: null,
  refused: "", // why this login sees no board
  selected: null, // the number of a table
  tab: "edges", // or "returns"
  open: null, // the key of the alert whose evidence is open
  seen, // keys of alerts that were opened here
  decided: [], // what became of proposals and was not put away yet
  read,
  edges: {}, // of closed rounds, by "table:1/24"
  sheet: null, // {kind, table, proposal, values, wrong, error, busy}
  later: [], // what waits for the end of a round: see forms/later.js
  said: "", // the last thing done, for the status line
  trouble: "", // what could not be done later
});

export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "tick": return { ...state, now: message.now };
    case "link": return linked(state, message.state);
    case "refused-view": return { ...state, refused: message.reason };
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
    case "later": return { ...state, later: queued(state.later, message.job) };
    case "later-done": return { ...state, later: without(state.later, message.job) };
    case "trouble-seen": return { ...state, trouble: "" };
    case "cancel": return state.sheet?.busy ? state : { ...state, sheet: null };
    default: return state;
  }
}

/** Once lost, the board is current again with the next view, not with the next connection. */
function linked(state, link) {
  if (link === "lost") return { ...state, link, lostAt: state.lostAt ?? (state.at || null) };
  return state.link === "lost" && state.board ? state : { ...state, link };
}

function viewed(state, { view, at }) {
  const numbers = view.tables.map((table) => table.number);
  const known = state.board?.alerts.map(alertKey);
  const alerts = known ? view.alerts.filter((alert) => !known.includes(alertKey(alert))) : [];
  const told = toTell(state, view);
  return {
    ...state, board: view, at, link: "open", refused: "", lostAt: null, decided: [...state.decided, ...told],
    selected: numbers.includes(state.selected) ? state.selected : mostPressing(view),
    sheet: stillAsked(state.sheet, view),
    said: saidOf(alerts, told) ?? waitsMore(state, view) ?? state.said,
  };
}

/** The table to begin with: one that waits for a decision, one with an alert, or the first that is open. */
function mostPressing({ tables, alerts }) {
  const found = tables.find((table) => table.waiting.length) ?? tables.find((table) => table.table === alerts[0]?.table)
    ?? tables.find((table) => table.phase !== "down") ?? tables[0];
  return found ? found.number : null;
}

/** A sheet about a proposal that somebody else has decided meanwhile says so, and asks for nothing more. */
function stillAsked(sheet, view) {
  if (!sheet || sheet.busy) return sheet;
  if (sheet.payment !== undefined) return { ...sheet, gone: !paymentOf(view, sheet) };
  if (sheet.proposal === undefined) return sheet;
  const table = view.tables.find((each) => each.number === sheet.table);
  const there = table?.waiting.some((waiting) => waiting.proposal === sheet.proposal);
  return there ? { ...sheet, gone: false } : { ...sheet, gone: true };
}

// What somebody should hear of at once.
function saidOf(alerts, told) {
  if (alerts.length) return `Alert: ${alerts[0].text}`;
  return told.length ? decisionWords(told.at(-1)) : null;
}

/** The last decisions of all tables, each with its table. */
const decisions = (board) =>
  (board?.tables ?? []).flatMap((table) => table.decided.map((one) => ({ ...one, place: table.table })));

export const decisionWords = (one) => `${tableName(one.place)}: ${decidedWords("en", one)}`;

// What was approved is told to who asked for it.
function toTell({ board, me, read }, view) {
  const found = news(board && decisions(board), decisions(view), { name: me?.name, read });
  return found.filter((one) => one.outcome !== "approved" || one.asked_by === me?.name);
}

function waitsMore(state, view) {
  const waits = (board) => board.payments.length + board.tables.reduce((n, table) => n + table.waiting.length, 0);
  if (!state.board || waits(view) === waits(state.board)) return null;
  return waits(view) > waits(state.board) ? "A new proposal waits for approval" : state.said;
}

function opened(state, key) {
  if (state.open === key) return { ...state, open: null };
  return { ...state, open: key, seen: state.seen.includes(key) ? state.seen : [...state.seen, key] };
}

function seenAll(state) {
  const shown = (state.board?.alerts ?? []).map(alertKey);
  return { ...state, seen: [...new Set([...state.seen, ...shown])] };
}

/** The sheet as it was sent, or with what is wrong in it; what is typed stays. */
const asked = (state, busy, { wrong, error, values }) =>
  withSheet(state, { busy, wrong: wrong ?? null, error: error ?? "", values: values ?? state.sheet?.values });

const withSheet = (state, changes) => (state.sheet ? { ...state, sheet: { ...state.sheet, ...changes } } : state);

// What the views ask of the state.

export const tableOf = (state, number) => state.board?.tables.find((table) => table.number === number) ?? null;

export const unread = ({ board, seen }) => (board?.alerts ?? []).filter((alert) => !seen.includes(alertKey(alert)));

/** Everything that waits for a second person, the longest first: {table, waiting} or {waiting} at the cage. */
export const waitingOf = ({ board }) => [
  ...(board?.tables ?? []).flatMap((table) => table.waiting.map((waiting) => ({ table, waiting }))),
  ...(board?.payments ?? []).map((waiting) => ({ table: null, waiting })),
].sort((a, b) => (a.waiting.at ?? 0) - (b.waiting.at ?? 0));

/** A payment that waits at a window of the cage. */
export const paymentOf = (board, { window, payment }) =>
  board?.payments.find((each) => each.window === window && each.payment === payment) ?? null;

export function totals(tables) {
  const sum = (of) => tables.reduce((n, table) => n + of(table), 0);
  const drop = sum((table) => table.figures.drop_cents), win = sum((table) => table.figures.win_cents);
  return {
    tables: tables.length, drop, win, hold: drop ? win / drop : null, voids: sum((table) => table.figures.voids),
    connected: sum((table) => table.connected), seats: sum((table) => table.seats),
  };
}
