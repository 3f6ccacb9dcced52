// What a terminal knows: the table, this session, and what is on its way. Pure: a state and a message make a state.
import { IN_DOUBT, pauseMs } from "../base/doubt.js";
import { changed, placeOf } from "./changes.js";
import { chipsFor } from "./layout.js";
import { limitReached } from "./limits.js";
import { LINE_FIELDS } from "./line-fields.js";
import { checkRead, isCheckDue } from "./reality.js";
import { FRESH_MS, fresh, staffActs } from "./session.js";
import { cameDown, knownOf, lain, landed, turned } from "./squeeze.js";

/**
 * @import {
 *   Answered, Bye, LimitsView, Line, Mine, Recall, ReceiptLink, RoundRow, RulesView, SessionView, StopView, TableView,
 *   VoucherPaper, Welcome, Words as Bilingual,
 * } from "server"
 */
/** @import { Happened } from "./changes.js" */
/** @import { Html } from "../base/dom.js" */
/** @import { Sight } from "../base/sight.js" */
/** @import { Language } from "../base/words.js" */

/**
 * @typedef {{
 *   session: string, bet: string, stake_cents: number, outcome: string, winnings_cents: number, returned_cents: number,
 *   bonus_cents: number, clause: string, bonus_clause: string, set_off_cents: number,
 * }} NamedLine
 * @typedef {Omit<SessionView, "lines"> & { lines: NamedLine[] }} Own
 * @typedef {{ id: string, bet: string, cents: number, group?: string }} Part what one command of a step put down
 *
 * @typedef {object} Pending a wager on its way, and what it leaves on its spot
 * @property {"place" | "raise" | "withdraw"} t
 * @property {string} id
 * @property {number} round
 * @property {string} bet
 * @property {number} [stake_cents]
 * @property {number} [by_cents]
 * @property {number} n
 * @property {number} delta_cents
 * @property {number} to_cents
 * @property {string} [group]
 * @property {number} at when it was first sent, by the server's clock
 * @property {string} session whose it is
 * @property {number} [tries] how often no decision came; none: it waits for its first answer
 * @property {number} [againAt] when it is sent again
 *
 * @typedef {{
 *   key?: string, code?: string, reason?: Bilingual | null, clause?: string, bet?: string, bets?: string[],
 *   cents?: number, double?: boolean, until?: number, at?: number,
 * }} Refusal
 * @typedef {{
 *   name: string, wrong?: Refusal | null, clause?: string, replay?: Recall | null, done?: boolean, body?: Html,
 *   asking?: boolean, rounds?: RoundRow[] | null, before?: number | null, mine?: boolean,
 *   paper?: VoucherPaper & { at: number }, receipt?: ReceiptLink | null,
 * }} Sheet
 * @typedef {{ session: string, cents: number, in_cents: number }} Held
 * @typedef {{
 *   session: string, cents: number, what: "paid" | "back" | "loaded" | "adjusted", round?: number,
 * }} Handed what staff did with credits
 * @typedef {Partial<StopView> & { round: number, lines: NamedLine[], balance_cents: number }} Voided
 *
 * @typedef {object} State
 * @property {Language} lang
 * @property {Language} home
 * @property {boolean} sound
 * @property {boolean} squeeze
 * @property {boolean} larger
 * @property {boolean} contrast
 * @property {number} chip
 * @property {Record<string, number>} last
 * @property {number} read
 * @property {number[]} heard
 * @property {Held | null} held
 * @property {Handed | null} handed
 * @property {"wide" | "phone"} shape
 * @property {number} now
 * @property {number} clock
 * @property {"connecting" | "open" | "lost" | "over"} link
 * @property {number} tries
 * @property {boolean} still
 * @property {boolean} sync
 * @property {boolean} behind
 * @property {Pending[]} outbox
 * @property {TableView | null} table
 * @property {Own | null} mine
 * @property {Record<string, number | "turn">} slid
 * @property {Record<string, number>} covered
 * @property {Record<string, number>} landing
 * @property {Pick<TableView, "why" | "next">} known
 * @property {boolean} quiet
 * @property {number[]} chips
 * @property {Record<string, Pending>} pending
 * @property {Part[][]} undo
 * @property {Refusal | null} refused
 * @property {number} lastNet
 * @property {Voided | null} voided
 * @property {Sheet | null} sheet
 * @property {RulesView | null} rules
 * @property {LimitsView | null} own
 * @property {boolean} busy
 * @property {number | null} cameIn
 * @property {boolean} expects
 * @property {number | null} leftAt
 * @property {import("./roads-panel.js").RoadKind} road
 * @property {number} everyMs
 * @property {{ session: string, at: number } | null} checked
 * @property {number} hinted
 *
 * @typedef {State & { table: TableView, mine: Own }} Seen once the table has been told
 * @typedef {{ t: "sent", commands: Pending[], step?: Part[], undo?: Part[][], refused?: Refusal | null }} Sent
 * @typedef {Welcome | Happened | Mine | Answered | Bye
 *   | { t: "link", state: State["link"], tries?: number } | { t: "tick", now: number } | { t: "asked" } | Sent
 *   | { t: "refused", refused: Refusal } | { t: "doubt", refused: Refusal } | { t: "done" }
 *   | { t: "chip", cents: number }
 *   | { t: "language", lang: Language } | { t: "sound" } | { t: "squeeze" } | { t: "sight", name: keyof Sight }
 *   | { t: "turn", slot: string } | { t: "landed", slot: string } | { t: "quiet", quiet: boolean }
 *   | { t: "shape", shape: State["shape"] } | { t: "sheet", sheet: Sheet | null }
 *   | { t: "filled", name: string, with: Partial<Sheet> } | { t: "busy" } | { t: "rules", rules: RulesView }
 *   | { t: "own", own: LimitsView } | { t: "handed-read" } | { t: "read" }
 *   | { t: "heard", review: number } | { t: "expects" } | { t: "fresh" } | { t: "road", road: State["road"] }
 *   | { t: "every", minutes: number } | { t: "check-read" } | { t: "hint-read" }} Message
 */

export const UNDO_MOST = 10;
const AT_ONCE = { slid: {}, covered: {}, landing: {} }; // every card lies face up, and none is seen to come
export const SAID_MS = 8_000;
const HEARD_MOST = 20; // the floor tells of fewer

// `kept` outlives the page: language, sound, squeezing, how it looks, chip, the wagers to repeat, the void round that
// was read, what is set apart for a hand pay and what became of one, the answers to reviews that were read.
/** @type {(kept?: Partial<State>) => State} */
export const initial = (kept = {}) => ({
  lang: "en", home: "en", sound: false, squeeze: false, larger: false, contrast: false, chip: 0, last: {}, read: 0,
  heard: [], held: null, handed: null, road: "big", checked: null, hinted: 0,
  pending: {}, // by id, in the order in which they were sent, until they are decided
  ...kept,
  shape: "wide", // or "phone"
  now: 0, // the server's time
  clock: 0, // the same, to be seen: from the first tick on, since the first time to be written takes a while
  link: "connecting", // "open", "lost", or "over" when the floor wants no more of this terminal
  tries: 0,
  still: true, // nothing moves: what is shown was not seen to happen
  sync: false, // the whole view is to be asked for
  behind: false, // something was missed, and the whole view has not come yet
  outbox: [], // commands that follow from answers
  table: null,
  mine: null,
  quiet: false, // nothing moves here: whoever sits here wants it so
  slid: {}, // cards that were seen to be dealt, by slot: which of its message each was, or that it was turned by hand
  landing: {}, // cards that do not lie face up yet, by slot, and when each counts at the latest
  known: { why: null, next: null }, // what was said when all cards lay there
  covered: {}, // cards that the patron has yet to turn, by slot, and when each turns by itself
  chips: [],
  undo: [], // steps of this round: [[{id, bet, cents}]]
  refused: null, // {code, reason, clause, bet} of the table, or {key, bet, cents} of our own
  lastNet: 0, // cents that the last round with a wager made of the stakes; a void one is none
  voided: null, // the round that is void, until it is read
  sheet: null, // {name, ...}: rules, history, buy, cash, paper, limits, menu
  rules: null,
  own: null, // the patron's own limits
  busy: false,
  cameIn: null, // cents that had come into the session when it was last told
  expects: false, // credits that this terminal has asked for are on their way
  leftAt: null, // when the last patron left; soon after that nothing of theirs is here
  everyMs: 0, // how often the house wants time and net told; 0: never
});

/** @type {(s: State, m: Message) => State} */
export function reduce(s, m) {
  const handler = /** @type {(s: State, m: Message) => State} */ (MESSAGES[m.t]);
  return handler ? handler(s, m) : s;
}

/** @type {{ [T in Message["t"]]: (s: State, m: Extract<Message, { t: T }>) => State }} */
const MESSAGES = {
  // From the floor
  welcome(s, m) {
    const chips = chipsFor(m.table.bets);
    const chip = chips.includes(s.chip) ? s.chip : chips[0];
    const same = s.table && s.table.round === m.table.round;
    const undo = same ? s.undo : [], refused = s.refused?.code === "bye" ? null : s.refused;
    const told = { table: m.table, now: m.now, pending: ofSession(s.pending, m.session.session) };
    const fresh = { tries: 0, sync: false, behind: false, still: true, ...AT_ONCE, known: knownOf(m.table) };
    return withMine({ ...s, ...told, ...fresh, link: "open", chips, chip, undo, refused }, m.session);
  },
  events(s, m) {
    const place = placeOf(s.table, m);
    if (s.behind || place === "known") return s;
    if (!isSeen(s) || place === "missed") return { ...s, sync: true, behind: true };
    return followed(s, changed(s.table, m), Math.max(s.now, m.at));
  },
  mine(s, m) {
    return s.mine && m.session.seq < s.mine.seq ? s : withMine(s, m.session);
  },
  answered(s, m) {
    const sent = s.pending[m.id];
    if (!sent) return s;
    if (!m.ok && UNDECIDED.includes(m.code)) return doubted(s, sent);
    const pending = { ...s.pending };
    delete pending[m.id];
    if (m.ok) return { ...s, pending };
    // What was sent after it counted on it.
    for (const [id, later] of Object.entries(pending)) {
      const counted = later.bet === sent.bet && later.n > sent.n;
      if (counted) pending[id] = { ...later, to_cents: later.to_cents - sent.delta_cents };
    }
    const undo = without(s.undo, (part) => part.id === m.id), { code, reason, clause } = m;
    const refused = { code, reason, clause, bet: sent.bet, double: Boolean(sent.group) };
    const next = { ...s, pending, undo, refused };
    return sent.group ? takenBack(next, sent) : next;
  },
  bye: (s, m) => ({ ...s, refused: { code: "bye", reason: m.reason, clause: "", bet: "" } }),

  // From the link and the clock
  link: (s, m) => ({ ...s, link: m.state, tries: m.tries ?? s.tries, ...AT_ONCE, known: knownOf(s.table) }),
  tick(s, m) { // a refusal has been read after a while
    const { refused } = s, until = refused?.until ?? m.now + SAID_MS;
    const isRead = m.now > until && s.link !== "over";
    const lay = lain({ ...s, now: m.now, clock: m.now });
    if (s.leftAt !== null && !s.sheet && m.now > s.leftAt + FRESH_MS) return fresh(lay);
    const next = sentAgain({ ...lay, refused: refused && (isRead ? null : { ...refused, until }) });
    return isCheckDue(next) ? { ...next, sheet: { name: "reality" } } : next;
  },
  asked: (s) => ({ ...s, sync: false, outbox: [] }),

  // From hands
  sent(s, m) {
    const pending = { ...s.pending };
    for (const command of m.commands) pending[command.id] = command;
    let undo = m.undo ?? s.undo;
    if (m.step) undo = [...undo, m.step].slice(-UNDO_MOST);
    return { ...s, pending, undo, refused: m.refused ?? null };
  },
  refused: (s, m) => ({ ...s, busy: false, refused: m.refused }),
  doubt: (s, { refused }) => (s.sheet ? { ...s, sheet: { ...s.sheet, wrong: refused } } : { ...s, refused }),
  done: (s) => ({ ...s, busy: false }),
  chip: (s, m) => ({ ...s, chip: m.cents, refused: null }),
  language: (s, m) => ({ ...s, lang: m.lang, leftAt: null }), // whoever chooses something is there
  sound: (s) => ({ ...s, sound: !s.sound, leftAt: null }),
  sight: (s, { name }) => ({ ...s, [name]: !s[name], leftAt: null }),
  squeeze: (s) => ({ ...s, squeeze: !s.squeeze, covered: {}, leftAt: null }),
  expects: (s) => ({ ...s, expects: true }),
  fresh,
  turn: (s, m) => turned(s, m.slot),
  landed: (s, m) => landed(s, m.slot),
  quiet: (s, m) => ({ ...s, quiet: m.quiet, ...AT_ONCE, known: knownOf(s.table) }),
  shape: (s, m) => (s.shape === m.shape ? s : { ...s, shape: m.shape }),
  sheet: (s, m) => ({ ...s, sheet: m.sheet, refused: null, busy: false }),
  filled: (s, m) => (s.sheet && s.sheet.name === m.name ? { ...s, busy: false, sheet: { ...s.sheet, ...m.with } } : s),
  busy: (s) => ({ ...s, busy: true, refused: null, sheet: s.sheet && { ...s.sheet, wrong: null } }),
  rules: (s, m) => ({ ...s, rules: m.rules }),
  own: (s, m) => ({ ...s, own: m.own }),
  "handed-read": (s) => (s.leftAt === null ? { ...s, handed: null } : fresh(s)),
  heard: (s, m) => ({ ...s, heard: [...s.heard, m.review].slice(-HEARD_MOST) }),
  road: (s, m) => ({ ...s, road: m.road }),
  every: (s, m) => ({ ...s, everyMs: m.minutes * 60_000 }),
  "check-read": checkRead,
  "hint-read": (s) => ({ ...s, hinted: s.hinted + 1 }),
  read: (s) => ({ ...s, voided: null, read: s.voided ? s.voided.round : s.read }),
};

// What a change of the table means beside it: cards that are seen to come, and what ends with betting or a round.
/** @type {(s: Seen, table: TableView, now: number) => State} */
function followed(s, table, now) {
  const before = s.table, isNew = table.round !== before.round, lay = isNew ? {} : before.cards;
  const still = Object.entries(lay).some(([slot, code]) => table.cards[slot] !== code); // they were put otherwise
  const came = Object.keys(table.cards).filter((slot) => !lay[slot]);
  const next = { ...s, table, now, still, ...(isNew ? AT_ONCE : {}) };
  if (table.phase === "dealing" && !still) Object.assign(next, cameDown(next, came));
  else Object.assign(next, AT_ONCE); // over, or put otherwise: nothing is waited for
  if (!Object.keys(next.landing).length) next.known = knownOf(table);
  const isClosed = before.phase === "betting" && !["betting", "stopped"].includes(table.phase);
  if (isNew || isClosed) Object.assign(next, { undo: [], refused: null });
  return s.mine ? { ...next, mine: ofRound(s.mine, table, isNew) } : next;
}

// Wagers are of a round, lines stand while it is settled or void; nobody is told one by one that this is over.
/** @type {(mine: Own, table: TableView, isNew: boolean) => Own} */
function ofRound(mine, table, isNew) {
  const isOver = table.phase === "settled" || table.phase === "void";
  return { ...mine, wagers: isNew ? {} : mine.wagers, lines: isNew || !isOver ? [] : mine.lines };
}

// A session's own view: credits, wagers, and what became of them.
/** @type {(s: State, session: SessionView) => State} */
function withMine(s, session) {
  const lines = session.lines.map(lineOf);
  let next = { ...s, mine: { ...session, lines }, ...staffActs(s, session) };
  if (!session.seated) return { ...next, last: {}, lastNet: 0, undo: [] }; // whoever comes next is somebody else
  if (!lines.length) return next;
  const last = Object.fromEntries(lines.map((line) => [line.bet, line.stake_cents]));
  next = { ...next, last };
  if (s.table?.phase !== "void") return { ...next, lastNet: sum(lines.map(gained)) };
  if (s.table.round === s.read) return next;
  return { ...next, voided: { round: s.table.round, lines, balance_cents: session.balance_cents, ...s.table.stop } };
}

// The steps that can be undone, less the parts that are gone.
/** @type {(steps: Part[][], isGone: (part: Part) => boolean) => Part[][]} */
const without = (steps, isGone) =>
  steps.map((step) => step.filter((part) => !isGone(part))).filter((step) => step.length);

// A doubling is all or nothing: what the table took of it, or has yet to answer, is taken back.
/** @type {(s: State, sent: Pending) => State} */
function takenBack(s, sent) {
  const rest = s.undo.flat().filter((part) => part.group === sent.group);
  const undo = without(s.undo, (part) => part.group === sent.group);
  if (s.table?.phase !== "betting" || s.table.round !== sent.round) return { ...s, undo };
  const pending = { ...s.pending };
  const outbox = rest.map(({ id, bet, cents }) => {
    const has = stakeOn({ ...s, pending }, bet);
    /** @type {Pending} */
    const command = {
      t: "withdraw", id: `${id}-back`, round: sent.round, bet, by_cents: cents,
      n: nextNumber(pending), delta_cents: -cents, to_cents: has - cents, at: s.now, session: sent.session,
    };
    pending[command.id] = command;
    return command;
  });
  return { ...s, undo, pending, outbox: [...s.outbox, ...outbox] };
}

/**
 * The journal's line of a wager, with names: on the wire it is an array, whose last fields may be missing.
 * @type {(values: Line) => NamedLine}
 */
export const lineOf = (values) =>
  /** @type {any} */ (Object.fromEntries(LINE_FIELDS.map(([name, absent], i) => [name, values[i] ?? absent])));

/** @param {number[]} numbers */
export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
/** @param {NamedLine} line */
export const wonCents = (line) => line.winnings_cents + line.bonus_cents;
/** What a wager made of its stake. @param {NamedLine} line */
export const gained = (line) => wonCents(line) + line.returned_cents - line.stake_cents;
/** @param {NamedLine} line */
export const paidCents = (line) => line.winnings_cents + line.bonus_cents + line.returned_cents - line.set_off_cents;

// Answers that decide nothing: the wager may have been taken, or is taken when it is sent again.
const UNDECIDED = ["in-doubt", "not-stored", "database-unavailable"];

// The same wager with the same id goes out again after a while: a raise is not taken twice.
/** @type {(s: State, sent: Pending) => State} */
function doubted(s, sent) {
  const tries = (sent.tries ?? 0) + 1, again = { ...sent, tries, againAt: s.now + pauseMs(tries) };
  return { ...s, pending: { ...s.pending, [sent.id]: again }, refused: { ...IN_DOUBT, bet: sent.bet } };
}

/** @type {(s: State) => State} */
function sentAgain(s) {
  const due = Object.values(s.pending).filter(({ againAt = Infinity }) => againAt <= s.now);
  if (!due.length || s.link !== "open") return s;
  const later = due.map((one) => [one.id, { ...one, againAt: s.now + pauseMs(one.tries) }]);
  return { ...s, pending: { ...s.pending, ...Object.fromEntries(later) }, outbox: [...s.outbox, ...due] };
}

// The next patron's session must not send what the last one's left.
/** @type {(pending: State["pending"], session: string) => State["pending"]} */
const ofSession = (pending, session) =>
  Object.fromEntries(Object.entries(pending).filter(([, one]) => one.session === session));

/** Whether the outcome of a wager of this round is not known: until it is, none is added. @param {State} s */
export const isInDoubt = (s) =>
  Object.values(s.pending).some(({ tries = 0, round }) => tries > 0 && round === s.table?.round);

// What is on its way to a spot, in the order in which it was sent.
/** @type {(s: State, bet: string) => Pending[]} */
const sentTo = (s, bet) =>
  Object.values(s.pending).filter((command) => command.bet === bet && command.round === s.table?.round);

/** What lies on a spot, with what is on its way there. @param {State} s @param {string} bet */
export function stakeOn(s, bet) {
  const sent = sentTo(s, bet);
  return sent.length ? sent[sent.length - 1].to_cents : s.mine?.wagers[bet] ?? 0;
}

/** @param {State} s @param {string} bet */
export const isPending = (s, bet) => sentTo(s, bet).length > 0;
/** @param {Record<string, Pending>} pending */
export const nextNumber = (pending) => Math.max(0, ...Object.values(pending).map((command) => command.n)) + 1;
/** @param {State} s @param {string} bet */
export const lineOn = (s, bet) => s.mine?.lines.find((line) => line.bet === bet);

/**
 * Whether a wager may be sent; whether it is taken the table says.
 * @param {State} s
 * @returns {s is Seen}
 */
export const canBet = (s) =>
  s.link === "open" && s.table?.phase === "betting" && Boolean(s.mine?.seated) && !s.mine?.stopped
  && !limitReached(s);
/** Whether the table has been told. @param {State} s @returns {s is Seen} */
export const isSeen = (s) => s.table !== null;

/** @param {State} s */
export const acceptedCents = (s) => sum(Object.values(s.mine?.wagers ?? {}));
