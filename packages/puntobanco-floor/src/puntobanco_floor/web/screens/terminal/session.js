// A session as it goes on: what the staff did with its credits, and what is left of it when it is over. Pure.

/** @import { SessionView } from "server" */
/** @import { State } from "./reduce.js" */

export const FRESH_MS = 60_000; // after so long nothing of a patron who has left is on the terminal

/**
 * What is set apart for a hand pay; where that is less than before, it was paid, or it is among the credits again: what
 * came into the session tells which, since it was taken from that as it was set apart. What came in and was asked for
 * by nobody here, the staff have loaded. What a ruling awards is told with its round.
 * @type {(s: State, session: SessionView) => Pick<State, "held" | "handed" | "cameIn" | "expects" | "leftAt">}
 */
export function staffActs(s, session) {
  const { session: id, seated, held_cents: cents } = session, cameIn = cameInto(session);
  const before = s.held?.session === id ? s.held : null, less = before ? before.cents - cents : 0;
  const held = cents ? { session: id, cents, in_cents: cameIn } : null;
  const known = { held, cameIn, expects: s.expects, leftAt: leftAt(s, session) };
  if (before && less > 0) {
    const isPaid = !seated || cameIn - before.in_cents < less;
    return { ...known, handed: { session: id, cents: less, what: isPaid ? "paid" : "back" } };
  }
  const [paid] = newAdjustments(s, session).slice(-1);
  if (paid) return { ...known, handed: { session: id, cents: paid.cents, what: "adjusted", round: paid.round } };
  const more = isSame(s, session) ? cameIn - (s.cameIn ?? cameIn) : 0;
  if (more > 0 && s.expects) return { ...known, expects: false, handed: null };
  if (more > 0) return { ...known, handed: { session: id, cents: more, what: "loaded" } };
  const isAnew = seated && s.mine && !s.mine.seated;
  return { ...known, handed: s.handed?.session === id && !isAnew ? s.handed : null };
}

/** What the house has paid for past rounds since the session was last told. */
/** @param {State} s @param {SessionView} session */
const newAdjustments = (s, session) =>
  (isSame(s, session) ? (session.adjustments ?? []).slice(s.mine?.adjustments?.length ?? 0) : []);

/** @param {State} s @param {SessionView} session */
const isSame = ({ mine }, { session, seated }) => Boolean(mine?.seated && seated && mine.session === session);

/** @param {State} s @param {SessionView} session */
function leftAt(s, { seated }) {
  if (seated) return null;
  return s.mine?.seated ? s.now : s.leftAt;
}

/** @param {SessionView} session */
function cameInto({ balance_cents: balance, moving_cents: onTheWay = 0, wagers, net_cents: net }) {
  return Object.values(wagers).reduce((a, b) => a + b, balance + onTheWay) - net;
}

/**
 * As the next patron finds it: the language of the device, no sound, text as usual, nothing to repeat or to read.
 * @param {State} s
 */
export const fresh = (s) => ({
  ...s, lang: s.home, sound: false, squeeze: false, larger: false, contrast: false, chip: s.chips[0] ?? 0, last: {},
  lastNet: 0, undo: [], held: null, handed: null, voided: null, refused: null, own: null, covered: {}, expects: false,
  leftAt: null, road: /** @type {const} */ ("big"), checked: null, hinted: 0,
});
