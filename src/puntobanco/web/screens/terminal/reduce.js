// What a terminal knows: the table, this session, and what is on its way. Pure: a state and a message make a state.
import { onEvent } from "./events.js";
import { chipsFor } from "./layout.js";
import { LINE_FIELDS } from "./line-fields.js";
import { lainUntil, turned } from "./squeeze.js";

export const UNDO_MOST = 10;
export const SAID_MS = 8_000;

// `kept` outlives the page: language, sound, squeezing, chip, the wagers to repeat, the void round that was read, what
// is set apart for a hand pay and what became of one.
export const initial = (kept = {}) => ({
  lang: "en", sound: false, squeeze: false, chip: 0, last: {}, read: 0, held: null, handed: null, ...kept,
  shape: "wide", // or "phone"
  now: 0, // the server's time
  link: "connecting", // "open", "lost", or "over" when the floor wants no more of this terminal
  tries: 0,
  still: true, // nothing moves: what is shown was not seen to happen
  sync: false, // the whole view is to be asked for
  outbox: [], // commands that follow from answers
  seq: 0,
  table: null,
  mine: null,
  slid: {}, // cards that were seen to be dealt, by slot: which of its message each was
  came: 0, // so many cards in this message
  covered: {}, // cards that the patron has yet to turn, by slot, and when each turns by itself
  chips: [],
  pending: {}, // by id, in the order in which they were sent, until they are answered
  undo: [], // steps of this round: [[{id, bet, cents}]]
  refused: null, // {code, reason, clause, bet} of the table, or {key, bet, cents} of our own
  win: 0, // cents won in the last round with a wager
  voided: null, // the round that is void, until it is read
  sheet: null, // {name, ...}: rules, history, buy, cash, paper, limits, menu
  rules: null,
  own: null, // the patron's own limits
  busy: false,
});

export function reduce(s, m) {
  const handler = MESSAGES[m.t];
  return handler ? handler(s, m) : s;
}

const MESSAGES = {
  // From the floor
  welcome(s, m) {
    const chips = chipsFor(m.table.bets);
    const chip = chips.includes(s.chip) ? s.chip : chips[0];
    const same = s.table && s.table.round === m.table.round;
    const undo = same ? s.undo : [], refused = s.refused?.code === "bye" ? null : s.refused;
    const told = { table: m.table, seq: m.table.seq, now: m.now };
    const next = { ...s, ...told, link: "open", tries: 0, sync: false, chips, chip, undo, still: true, refused };
    return withMine({ ...next, slid: {}, covered: {} }, m.session);
  },
  events(s, m) {
    if (!s.table) return { ...s, sync: true };
    if (m.seq <= s.seq) return s; // told before
    const at = { seq: m.seq, now: Math.max(s.now, m.at), still: false, came: 0 };
    const next = m.events.reduce(onEvent, { ...s, ...at });
    return next.table.phase === "dealing" && !next.sync ? next : { ...next, covered: {} };
  },
  mine(s, m) {
    return s.mine && m.session.seq < s.mine.seq ? s : withMine(s, m.session);
  },
  answered(s, m) {
    const sent = s.pending[m.id];
    if (!sent) return s;
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
  link: (s, m) => ({ ...s, link: m.state, tries: m.tries ?? s.tries, covered: {} }),
  tick(s, m) { // a refusal has been read after a while
    const { refused } = s, until = refused?.until ?? m.now + SAID_MS;
    const isRead = m.now > until && s.link !== "over";
    const covered = lainUntil(s.covered, m.now);
    return { ...s, now: m.now, covered, refused: refused && (isRead ? null : { ...refused, until }) };
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
  done: (s) => ({ ...s, busy: false }),
  chip: (s, m) => ({ ...s, chip: m.cents, refused: null }),
  language: (s, m) => ({ ...s, lang: m.lang }),
  sound: (s) => ({ ...s, sound: !s.sound }),
  squeeze: (s) => ({ ...s, squeeze: !s.squeeze, covered: {} }),
  turn: (s, m) => ({ ...s, covered: turned(s.covered, m.slot) }),
  shape: (s, m) => ({ ...s, shape: m.shape }),
  sheet: (s, m) => ({ ...s, sheet: m.sheet, refused: null, busy: false }),
  filled: (s, m) => (s.sheet && s.sheet.name === m.name ? { ...s, busy: false, sheet: { ...s.sheet, ...m.with } } : s),
  busy: (s) => ({ ...s, busy: true, refused: null, sheet: s.sheet && { ...s.sheet, wrong: null } }),
  rules: (s, m) => ({ ...s, rules: m.rules }),
  own: (s, m) => ({ ...s, own: m.own }),
  "handed-read": (s) => ({ ...s, handed: null }),
  read: (s) => ({ ...s, voided: null, read: s.voided ? s.voided.round : s.read }),
};

// A session's own view: credits, wagers, and what became of them.
function withMine(s, session) {
  const lines = session.lines.map(lineOf), { phase, round, stop } = s.table ?? {};
  let next = { ...s, mine: { ...session, lines }, ...handPay(s, session) };
  if (!session.seated) return { ...next, last: {}, win: 0, undo: [] }; // whoever comes next is somebody else
  if (!lines.length) return next;
  const last = Object.fromEntries(lines.map((line) => [line.bet, line.stake_cents]));
  next = { ...next, last, win: sum(lines.map(wonCents)) };
  const isNews = phase === "void" && round !== s.read;
  if (isNews) next.voided = { round, lines, balance_cents: session.balance_cents, ...stop };
  return next;
}

// What is set apart for a hand pay; where that is less than before, it was paid, or it is among the credits again. What
// came into the session tells which: it was taken from that as it was set apart.
function handPay(s, session) {
  const { session: id, seated, held_cents: cents } = session, in_cents = cameIn(session);
  const before = s.held?.session === id ? s.held : null, less = (before?.cents ?? 0) - cents;
  const held = cents ? { session: id, cents, in_cents } : null;
  if (less > 0) {
    const isPaid = !seated || in_cents - before.in_cents < less;
    return { held, handed: { session: id, cents: less, isPaid } };
  }
  const isAnew = seated && s.mine && !s.mine.seated;
  return { held, handed: s.handed?.session === id && !isAnew ? s.handed : null };
}

const cameIn = ({ balance_cents: balance, wagers, net_cents: net }) => balance + sum(Object.values(wagers)) - net;

// The steps that can be undone, less the parts that are gone.
const without = (steps, isGone) =>
  steps.map((step) => step.filter((part) => !isGone(part))).filter((step) => step.length);

// A doubling is all or nothing: what the table took of it, or has yet to answer, is taken back.
function takenBack(s, sent) {
  const rest = s.undo.flat().filter((part) => part.group === sent.group);
  const undo = without(s.undo, (part) => part.group === sent.group);
  if (s.table.phase !== "betting" || s.table.round !== sent.round) return { ...s, undo };
  const pending = { ...s.pending };
  const outbox = rest.map(({ id, bet, cents }) => {
    const has = stakeOn({ ...s, pending }, bet);
    const command = {
      t: "withdraw", id: `${id}-back`, round: sent.round, bet, by_cents: cents,
      n: nextNumber(pending), delta_cents: -cents, to_cents: has - cents,
    };
    pending[command.id] = command;
    return command;
  });
  return { ...s, undo, pending, outbox: [...s.outbox, ...outbox] };
}

// The journal's line of a wager, with names: on the wire it is an array, whose last fields may be missing.
export const lineOf = (values) =>
  Object.fromEntries(LINE_FIELDS.map(([name, absent], i) => [name, values[i] ?? absent]));

export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
export const wonCents = (line) => line.winnings_cents + line.bonus_cents;
export const paidCents = (line) => line.winnings_cents + line.bonus_cents + line.returned_cents - line.set_off_cents;

// What is on its way to a spot, in the order in which it was sent.
const sentTo = (s, bet) =>
  Object.values(s.pending).filter((command) => command.bet === bet && command.round === s.table.round);

// What lies on a spot, with what is on its way there.
export function stakeOn(s, bet) {
  const sent = sentTo(s, bet);
  return sent.length ? sent[sent.length - 1].to_cents : s.mine?.wagers[bet] ?? 0;
}

export const isPending = (s, bet) => sentTo(s, bet).length > 0;
export const nextNumber = (pending) => Math.max(0, ...Object.values(pending).map((command) => command.n)) + 1;
export const lineOn = (s, bet) => s.mine?.lines.find((line) => line.bet === bet);

// Whether a wager may be sent; whether it is taken the table says.
export const canBet = (s) =>
  s.link === "open" && s.table?.phase === "betting" && Boolean(s.mine?.seated) && !s.mine.stopped;
export const acceptedCents = (s) => sum(Object.values(s.mine?.wagers ?? {}));
