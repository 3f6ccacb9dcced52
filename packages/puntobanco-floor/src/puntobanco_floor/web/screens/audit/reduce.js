// The audit's state: which stream, which records are listed, which is chosen, and the round it belongs to. Pure.

/** @import { Page, Raw, Retold, Row, StaffMe, StreamRow, Verification } from "server" */
/** @import { Words } from "../base/words.js" */

/**
 * @typedef {object} State
 * @property {StaffMe | null} me
 * @property {StreamRow[]} streams
 * @property {string} stream
 * @property {"round" | "journal"} mode
 * @property {string} group
 * @property {string} text
 * @property {Row[]} rows
 * @property {number | null} before where the next older page begins
 * @property {number} last
 * @property {boolean} reading
 * @property {number | null} round
 * @property {Retold | null} retold
 * @property {number} at the record of the round on show
 * @property {number | null} seq the chosen record
 * @property {Raw | null} raw
 * @property {string} session
 * @property {boolean} playing
 * @property {Verification | null} verify
 * @property {Words | null} said
 *
 * @typedef {{ t: "me", me: StaffMe } | { t: "streams", streams: StreamRow[] } | { t: "verify", verify: Verification }
 *   | { t: "stream", stream: string } | { t: "mode", mode: State["mode"] }
 *   | { t: "filter", group?: string, text?: string } | { t: "reading" } | { t: "page", page: Page, more: boolean }
 *   | { t: "retold", retold: Retold, seq: number | null } | { t: "raw", raw: Raw } | { t: "choose", seq: number }
 *   | { t: "at", at: number } | { t: "session", session: string } | { t: "play", playing: boolean } | { t: "tick" }
 *   | { t: "said", text: Words }} Message
 */

/** @returns {State} */
export const first = () => ({
  me: null, streams: [], stream: "", mode: "round", group: "", text: "", rows: [], before: null, last: 0,
  reading: false, round: null, retold: null, at: 0, seq: null, raw: null, session: "", playing: false,
  verify: null, said: null,
});

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "streams": return { ...state, streams: message.streams };
    case "verify": return { ...state, verify: message.verify };
    case "stream": return opened(state, message.stream);
    case "mode": return { ...state, mode: message.mode, rows: [], before: null };
    case "filter": return { ...state, group: message.group ?? state.group, text: message.text ?? state.text };
    case "reading": return { ...state, reading: true, said: null };
    case "page": return paged(state, message);
    case "retold": return retold(state, message);
    case "raw": return state.seq === message.raw.row.seq ? { ...state, raw: message.raw } : state;
    case "choose": return chosen(state, message.seq);
    case "at": return placed(state, message.at);
    case "session": return { ...state, session: message.session };
    case "play": return { ...state, playing: message.playing };
    case "tick": return ticked(state);
    case "said": return { ...state, reading: false, said: message.text };
    default: return state;
  }
}

/** @param {string} stream */
export const isTable = (stream) => stream.startsWith("table:");

/** Whose rules the clauses of this stream are, and by which game the round on show was played. @param {State} state */
export function rulesOf({ stream, retold: found }) {
  return isTable(stream) ? { table: stream.split(":")[1], game: found?.game ?? "" } : {};
}

// Another stream begins anew; the journal is all there is of one without rounds.
/** @type {(state: State, stream: string) => State} */
function opened({ me, streams, verify, mode }, stream) {
  return { ...first(), me, streams, verify, stream, mode: isTable(stream) ? mode : "journal" };
}

/** @type {(state: State, message: { page: Page, more: boolean }) => State} */
function paged(state, { page, more }) {
  if (page.stream !== state.stream) return state;
  const rows = more ? [...state.rows, ...page.rows] : page.rows;
  return { ...state, reading: false, rows, before: page.before, last: page.last };
}

// A round: the record that was asked for, or its last.
/** @type {(state: State, message: { retold: Retold, seq: number | null }) => State} */
function retold(state, { retold: found, seq }) {
  if (found.table !== state.stream) return state;
  const wanted = found.records.findIndex((record) => record.row.seq === seq);
  const at = wanted >= 0 ? wanted : found.records.length - 1;
  const next = { ...state, reading: false, retold: found, round: found.round, at, session: "", playing: false };
  if (seq && wanted < 0) return next;
  const shown = found.records[at].row.seq;
  return { ...next, seq: shown, raw: kept(state, shown) };
}

/** @type {(state: State, seq: number) => Raw | null} */
const kept = (state, seq) => (state.raw?.row.seq === seq ? state.raw : null);

/** @type {(state: State, seq: number) => State} */
function chosen(state, seq) {
  const at = state.retold?.records.findIndex((record) => record.row.seq === seq) ?? -1;
  return { ...state, seq, raw: kept(state, seq), at: at >= 0 ? at : state.at, playing: false };
}

/** @type {(state: State, at: number) => State} */
function placed(state, at) {
  const n = state.retold?.records.length ?? 0;
  if (!state.retold || !n) return state;
  const place = Math.max(0, Math.min(n - 1, at)), seq = state.retold.records[place].row.seq;
  return { ...state, at: place, seq, raw: kept(state, seq) };
}

/** @param {State} state @returns {State} */
function ticked(state) {
  if (!state.playing) return state;
  const next = placed(state, state.at + 1);
  if (next.at === state.at) return { ...state, playing: false };
  return { ...next, playing: next.at < (next.retold?.records.length ?? 0) - 1 };
}

/**
 * What is listed: the round in the order it was played, or the journal newest first as the server filtered it.
 * @param {State} state
 * @returns {{ row: Row }[]}
 */
export function listed(state) {
  if (state.mode === "journal") return state.rows.map((row) => ({ row }));
  const wanted = state.text.trim().toLowerCase();
  return (state.retold?.records ?? []).filter(({ row }) => (!state.group || row.group === state.group)
    && (!wanted || wordsOf(row).includes(wanted)));
}

/** @param {Row} row */
const wordsOf = ({ kind, says, by, command, clause, hash }) =>
  `${kind} ${says.en} ${by} ${command} ${clause} ${hash}`.toLowerCase();

/**
 * The record next to the chosen one in the list, `by` further down; itself at the end.
 * @param {State} state
 * @param {number} by
 */
export function beside(state, by) {
  const rows = listed(state), i = rows.findIndex(({ row }) => row.seq === state.seq);
  return rows[Math.max(0, Math.min(rows.length - 1, i < 0 ? 0 : i + by))]?.row.seq ?? null;
}

/** @param {State} state */
export const record = (state) => state.retold?.records[state.at] ?? null;

/** The settlement to show: that of the chosen record, else the round's last. @param {State} state */
export function outcome({ retold: found, seq }) {
  return found?.outcomes.find((one) => one.seq === seq) ?? found?.outcomes.at(-1) ?? null;
}

/** Postings of the chosen record; of one that moves nothing, those of the round's end. @param {State} state */
export function postings(state) {
  const own = record(state), { raw, retold: found } = state;
  if (raw && (!found || raw.postings.length)) return { row: raw.row, postings: raw.postings };
  if (own?.postings.length) return own;
  const end = found?.outcomes.at(-1)?.seq;
  return found?.records.find(({ row }) => row.seq === end) ?? null;
}

/** The bar above: neutral until a full recomputation has come to its end. @param {Verification | null} verify */
export function verdict(verify) {
  if (!verify) return "unknown";
  if (verify.running) return "running";
  if (!verify.ran) return "never";
  return verify.fault ? "broken" : "sound";
}
