// The dealer's console as one value: what the server says, the card under the finger, what is on its way. Pure.
import { decidedKey, news } from "../base/decided.js";
import { may } from "../base/staffbar.js";
import { secondsLeft } from "./idle.js";

/**
 * @import {
 *   Answer, DealerView, Decided, LobbyTable, ProposalView, Redealt, StaffMe, Words as Bilingual,
 * } from "server"
 */
/** @import { LinkState } from "../base/link.js" */
/** @import { Language } from "../base/words.js" */

/**
 * @typedef {{ command: string, [field: string]: unknown }} Command
 * @typedef {{ card: string, by_hand: boolean }} Waiting
 * @typedef {{
 *   key?: string, args?: unknown[], text?: Bilingual | null, clause?: string, offer?: string, rest?: string,
 *   isDoubt?: boolean,
 * }} Notice
 * @typedef {{
 *   proposal?: number, commands?: Command[], byPin?: boolean, rejecting?: boolean, self?: boolean, error: string,
 *   wrong?: string,
 *   busy: boolean, key: string,
 * }} Second
 *
 * @typedef {object} Sheet what is open over the table: name says which, and each has fields of its own
 * @property {string} name
 * @property {string} [choice]
 * @property {string[]} [order]
 * @property {Partial<Redealt> | null} [preview]
 * @property {string[]} [trying]
 * @property {number} [picked]
 * @property {boolean} [adding]
 * @property {string} [slot]
 * @property {string} [card]
 * @property {string[]} [cards]
 * @property {string} [ground]
 *
 * @typedef {object} State
 * @property {number} number
 * @property {Language} lang
 * @property {StaffMe | null} me
 * @property {LinkState} link
 * @property {DealerView | null} view
 * @property {{ reason: Bilingual } | null} unseen
 * @property {LobbyTable[] | null} tables
 * @property {{ card: string, at: number } | null} entry
 * @property {Waiting[]} waiting
 * @property {{ card: string, at: number } | null} scan
 * @property {string} rank
 * @property {{ id: string, command: Command } | null} sent
 * @property {number} need
 * @property {Notice | null} notice
 * @property {Sheet | null} sheet
 * @property {Second | null} second
 * @property {Decided[]} decided
 * @property {(string | number)[]} read
 * @property {string} rekey
 * @property {number | null} used
 * @property {number | null} locks
 *
 * @typedef {State & { view: DealerView }} Seen once the table has been read
 * @typedef {{ t: "me", me: StaffMe } | { t: "lang", lang: Language } | { t: "tables", tables: LobbyTable[] }
 *   | { t: "unseen", reason: Bilingual } | { t: "link", state: LinkState }
 *   | { t: "view", view: DealerView }
 *   | { t: "rank", rank: string } | { t: "card", card: string, at: number } | { t: "scan", card: string, at: number }
 *   | { t: "unread", text: string, at: number } | { t: "tick", at: number } | { t: "confirm" } | { t: "undo" }
 *   | { t: "sending", id: string, command: Command, waiting?: Waiting[] }
 *   | { t: "answered", id: string, answer: Answer }
 *   | { t: "refused", id: string, reason: Bilingual | null, clause: string }
 *   | { t: "said", notice: Notice } | { t: "dismiss" } | { t: "sheet", sheet: Sheet }
 *   | { t: "change", name?: string, fields: Partial<Sheet> } | { t: "close" } | { t: "second", second: Second | null }
 *   | { t: "used", at: number } | { t: "idle", at: number } | { t: "decided-seen" } | { t: "rekey" }} Message
 */

export const HOLD_MS = 1500; // a card that was keyed is shown so long before it counts
const TWICE_MS = 600; // the same code again within this is the scanner reading one card twice
export const MAX_WAITING = 6; // cards read ahead of the table
const CODE_MOST = 8; // what the table takes for the code of a card

// `read` are the decisions that were put away here before.
/** @type {(number: number, lang: Language, read?: State["read"]) => State} */
export const start = (number, lang, read = []) => ({
  number, lang, me: null, link: "connecting", view: null, unseen: null, tables: null,
  entry: null, // {card, at}: keyed, and not yet counted
  waiting: [], // {card, by_hand}: cards that count, in order, not yet sent
  scan: null, // {card, at}: the scanner's last
  rank: "", // typed, its suit not yet
  sent: null, // {id, command}: on its way
  need: 0, // the entry of the journal that a view must hold before the next command goes out
  notice: null, // {text, clause, offer}: the last refusal
  sheet: null, // {name, ...}: what is open over the table
  second: null, // {proposal or commands, byPin, rejecting, self, error, wrong, busy}: somebody else answers
  decided: [], // what became of proposals and was not put away yet
  read,
  rekey: "", // a card in question that the dealer enters anew
  used: null, // when the server last heard of this login
  locks: null, // seconds until it is locked, while that is near
});

/** @type {(state: State, m: Message) => State} */
export function reduce(state, m) {
  switch (m.t) {
    case "me": return { ...state, me: m.me };
    case "lang": return { ...state, lang: m.lang };
    case "tables": return { ...state, tables: m.tables };
    case "unseen": return { ...state, unseen: m, entry: null, waiting: [] };
    case "link": return linked(state, m.state);
    case "view": return seen(state, m.view);
    case "rank": return { ...state, rank: m.rank };
    case "card": return keyed(state, m);
    case "scan": return scanned(state, m);
    case "unread": return unread(state, m);
    case "tick": return state.entry && m.at - state.entry.at >= HOLD_MS ? counted(state) : state;
    case "confirm": return state.entry ? counted(state) : state;
    case "undo": return { ...state, entry: null, rank: "" };
    case "sending": return sending(state, m);
    case "answered": return state.sent?.id === m.id ? answered(state, m) : state;
    case "refused": return state.sent?.id === m.id ? refused(state, m) : state;
    case "said": return { ...state, notice: m.notice };
    case "dismiss": return { ...state, notice: null };
    case "sheet": return { ...state, sheet: m.sheet, entry: null, notice: null };
    case "change": return changed(state, m);
    case "close": return closed(state);
    case "second": return { ...state, second: m.second };
    case "used": return { ...state, used: Math.max(state.used ?? m.at, m.at), locks: null };
    case "idle": return idled(state, m.at);
    case "decided-seen": return { ...state, decided: [], read: (state.view?.decided ?? []).map(decidedKey) };
    case "rekey": return { ...state, rekey: state.view?.questioned ?? "" };
    default: return state;
  }
}

/** @type {(state: State, message: { name?: string, fields: Partial<Sheet> }) => State} */
function changed(state, { name, fields }) {
  const { sheet } = state;
  return sheet && sheet.name === name ? { ...state, sheet: { ...sheet, ...fields } } : state;
}

/** @type {(state: State, at: number) => State} */
function idled(state, at) {
  const locks = secondsLeft(state.me, state.used, at);
  return locks === state.locks ? state : { ...state, locks };
}

/** @type {(state: State, link: LinkState) => State} */
function linked(state, link) {
  if (link === "open") return { ...state, link };
  // Cards that were not sent are read again by the dealer, who sees what the table holds when it is back.
  return { ...state, link, entry: null, waiting: [] };
}

/** @type {(state: State, view: DealerView) => State} */
function seen(state, view) {
  const before = state.view;
  const next = { ...state, view, unseen: null, decided: [...state.decided, ...toTell(state, view)] };
  const moved = !before || before.table.phase !== view.table.phase || before.table.round !== view.table.round;
  if (moved && state.sheet && !fits(state.sheet, view)) next.sheet = null;
  const isOver = !["stopped", "burn"].includes(state.sheet?.name ?? "");
  if (view.table.phase === "stopped" && isOver) next.sheet = stoppedSheet(view);
  if (next.sheet?.name === "stopped") next.sheet = withProposed(next.sheet, view);
  if (moved && state.notice?.offer === "irregularity") next.notice = null;
  const stuck = view.questioned || !isDealing(view);
  if (stuck && state.waiting.length) {
    next.notice = { key: "not_entered", args: [state.waiting.map((w) => w.card).join(" ")] };
    next.waiting = [];
  }
  if (!isDealing(view)) next.entry = null;
  if (!view.questioned) next.rekey = "";
  return next;
}

// What was approved is seen on the table.
/** @type {(state: State, view: DealerView) => Decided[]} */
const toTell = ({ view: before, me, read }, { decided }) =>
  news(before?.decided ?? null, decided, { name: me?.name, read }).filter((one) => one.outcome !== "approved");

/** @type {(view: DealerView) => Sheet} */
const stoppedSheet = ({ dealt, surplus }) =>
  ({ name: "stopped", choice: "", order: [...dealt, ...surplus], preview: null });

// Under what lies over it a stopped round is still to be decided.
/** @type {(state: State) => State} */
function closed(state) {
  const under = state.sheet?.name === "burn" && state.view?.table.phase === "stopped" ? state.view : null;
  return { ...state, sheet: under && stoppedSheet(under) };
}

// Whoever looks at a proposed order sees that order, and what follows from it.
/** @type {(sheet: Sheet, view: DealerView) => Sheet} */
function withProposed(sheet, view) {
  const [proposal] = proposalsOf(view);
  if (proposal?.command.command !== "reconstruct" || sheet.order?.join(" ") === proposal.command.order) return sheet;
  return { ...sheet, order: String(proposal.command.order).split(" "), picked: -1, preview: null };
}

/** Whether the stopped round is shown dealt again in the order of the strip. @param {State} state */
export function isTrying({ sheet, view }) {
  if (sheet?.name !== "stopped" || !view) return false;
  return sheet.choice === "reconstruct" || proposalsOf(view)[0]?.command.command === "reconstruct";
}

const isDealing = (/** @type {DealerView} */ view) => ["closed", "dealing"].includes(view.table.phase);

// What stays open when the table moves on.
/** @type {(sheet: Sheet, view: DealerView) => boolean} */
function fits(sheet, view) {
  if (sheet.name === "stopped") return view.table.phase === "stopped";
  if (sheet.name === "correct") return view.table.phase === "dealing";
  if (sheet.name === "burn") return view.table.phase !== "betting";
  return ["irregularity", "count"].includes(sheet.name) && view.table.phase !== "stopped";
}

/** @type {(state: State, key: string, args?: unknown[]) => State} */
const warned = (state, key, args = []) => ({ ...state, notice: { key, args } });

/**
 * A card of the keypad or typed by hand: shown large, and counted a little later.
 * @type {(state: State, message: { card: string, at: number }) => State}
 */
function keyed(state, { card, at }) {
  if (state.link !== "open" || !state.view) return state;
  const sheet = forSheet(state, card);
  if (sheet) return { ...state, sheet, rank: "" };
  if (!isDealing(state.view)) return warned({ ...state, rank: "" }, "none_due", [card]);
  if (state.entry) return state; // one at a time: confirm it or undo it
  return { ...state, entry: { card, at }, rank: "", notice: null };
}

/**
 * A card that the scanner read counts at once.
 * @type {(state: State, message: { card: string, at: number }) => State}
 */
function scanned(state, { card, at }) {
  if (state.link !== "open" || !state.view) return state;
  const twice = state.scan && state.scan.card === card && at - state.scan.at < TWICE_MS;
  if (twice) return warned({ ...state, scan: { card, at } }, "twice", [card]);
  const read = { ...state, scan: { card, at }, rank: "" };
  const sheet = forSheet(state, card);
  if (sheet) return { ...read, sheet };
  if (!isDealing(state.view)) return warned(read, "none_due", [card]);
  // It was keyed, and then it could be read after all.
  if (state.entry?.card === card) return queued({ ...read, entry: null }, card, false);
  if (state.entry) return warned(read, "one_pending", [state.entry.card, card]);
  return queued(read, card, false);
}

/**
 * What is the code of no card, such as a joker's, is the table's to question where a card is due.
 * @type {(state: State, message: { text: string, at: number }) => State}
 */
function unread(state, { text, at }) {
  const takes = state.link === "open" && state.view && isDealing(state.view) && !state.sheet;
  return takes ? scanned(state, { card: text.slice(-CODE_MOST), at }) : warned(state, "unread", [text.slice(0, 24)]);
}

/** @type {(state: State) => State} */
function counted(state) {
  return state.entry ? queued({ ...state, entry: null }, state.entry.card, true) : state;
}

/** @type {(state: State, card: string, byHand: boolean) => State} */
function queued(state, card, byHand) {
  if (state.waiting.length >= MAX_WAITING) return warned(state, "too_many", [card]);
  return { ...state, waiting: [...state.waiting, { card, by_hand: byHand }], notice: null };
}

/** Where an open sheet asks for a card, the sheet with it. @type {(state: State, card: string) => Sheet | null} */
function forSheet({ sheet }, card) {
  const corrects = sheet?.name === "correct" || (sheet?.name === "stopped" && sheet.choice === "correct-card");
  if (corrects && sheet.slot) return { ...sheet, card };
  if (sheet?.name === "burn") return { ...sheet, cards: [...(sheet.cards ?? []), card] };
  if (sheet?.name === "stopped" && sheet.choice === "reconstruct") {
    return { ...sheet, order: [...(sheet.order ?? []), card], preview: null };
  }
  return null;
}

/** @type {(state: State, message: { id: string, command: Command, waiting?: Waiting[] }) => State} */
function sending(state, { id, command, waiting }) {
  return { ...state, sent: { id, command }, waiting: waiting ?? state.waiting, notice: null };
}

/** @type {(state: State, message: { answer: Answer }) => State} */
function answered(state, { answer }) {
  const command = state.sent?.command.command ?? "";
  const notice = state.notice?.isDoubt ? null : state.notice;
  const next = { ...state, notice, sent: null, need: Math.max(state.need, answer.seq || 0) };
  if (command === "declare-irregularity" && state.sheet?.name === "irregularity") next.sheet = null;
  const closes = ["new-shoe", "end-shoe", "count-shoe", "correct-card", "reopen", "burn-cards"].includes(command);
  if (closes && state.sheet?.name !== "stopped") return closed(next);
  return next;
}

/** @type {(state: State, message: { reason: Bilingual | null, clause: string }) => State} */
function refused(state, { reason, clause }) {
  const card = state.sent?.command.command === "enter-card";
  const rest = state.waiting.map((w) => w.card).join(" ");
  const notice = { text: reason, clause, offer: card ? "irregularity" : "", rest };
  return { ...state, sent: null, waiting: [], notice };
}

// What follows from the state

/**
 * Whether the screen may act: the server is there and what it said is not older than what was done.
 * @param {State} state
 */
export const isReady = ({ link, unseen, view, sent, need }) =>
  link === "open" && !unseen && view !== null && !sent && view.table.seq >= need;

/** The next card to send, where one waits and the table takes cards. @param {State} state */
export function outgoing(state) {
  const { view, waiting } = state;
  return view && isReady(state) && waiting.length && isDealing(view) ? waiting[0] : null;
}

/** @param {State} state */
export const actionOf = (state) => state.view?.next[0] ?? null;

/** Proposals about the round; money is the cage's business. @param {DealerView} view */
export const proposalsOf = (view) => view.proposals.filter((p) => p.about !== "money");

/** Nobody approves what they asked for. @param {StaffMe | null} me @param {Pick<ProposalView, "by">} proposal */
export const mayApprove = (me, proposal) => may(me, "approve") && me?.name !== proposal.by;

/** Whether a card that lies there can be corrected: the dealer's own, while the round is dealt. @param {State} state */
export function canFix(state) {
  if (!isReady(state) || !may(state.me, "correct-card")) return false;
  return state.view?.table.phase === "dealing" && state.view.shoe?.dealing === "physical";
}

/** A card of the strip moved to another place. @param {string[]} order @param {number} from @param {number} to */
export function moved(order, from, to) {
  if (from === to || from < 0 || from >= order.length) return order;
  const rest = order.filter((_, i) => i !== from);
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, order[from]);
  return rest;
}
