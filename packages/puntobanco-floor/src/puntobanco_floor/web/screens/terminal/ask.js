// What hands ask for: a tap, undo, clear, rebet and double as commands, or the reason why not. Pure.
import { IN_DOUBT } from "../base/doubt.js";
import { canBet, isInDoubt, nextNumber, stakeOn, sum } from "./reduce.js";

/** @import { FromTerminal } from "server" */
/** @import { Message, Part, Pending, Refusal, Seen, Sent, State } from "./reduce.js" */
/** @typedef {{ bet: string, cents: number | null, group?: string }} Asked all of it back where there are no cents */
/** @typedef {() => string} NewId */

/** @type {(commands: Pending[], more?: Partial<Sent>) => Sent} */
const sent = (commands, more = {}) => ({ t: "sent", commands, ...more });
/** @type {(key: string, more?: Refusal) => Message} */
const refused = (key, more = {}) => ({ t: "refused", refused: { key, ...more } });

// What is asked of a spot on which `has` lies: all of it back (null), some of it back, more on it, or a first stake.
/** @type {(has: number, cents: number | null) => Pick<Pending, "t" | "by_cents" | "stake_cents">} */
function verb(has, cents) {
  if (cents === null) return { t: "withdraw" };
  if (cents < 0) return { t: "withdraw", by_cents: has + cents ? -cents : undefined };
  return has ? { t: "raise", by_cents: cents } : { t: "place", stake_cents: cents };
}

// Commands one after the other, each knowing what those before it leave on its spot.
/** @type {(s: Seen, asked: Asked[], newId: NewId) => Pending[]} */
function commands(s, asked, newId) {
  const pending = { ...s.pending };
  return asked.map(({ bet, cents, group }) => {
    const has = stakeOn({ ...s, pending }, bet), id = newId();
    const to = cents === null ? 0 : has + cents;
    const whose = { at: s.now, session: s.mine.session };
    const after = { n: nextNumber(pending), delta_cents: to - has, to_cents: to, group, ...whose };
    const command = { ...verb(has, cents), id, round: s.table.round, bet, ...after };
    pending[id] = command;
    return command;
  });
}

/** As the wire has it: without what only this terminal needs. @type {(command: Pending) => FromTerminal} */
export const wire = ({ t, id, round, bet, stake_cents, by_cents }) =>
  /** @type {FromTerminal} */ ({ t, id, round, bet, stake_cents, by_cents });

/** @type {(commands: Pending[]) => Part[]} */
const placed = (asked) => asked.map(({ id, bet, delta_cents, group }) => ({ id, bet, cents: delta_cents, group }));

/** @type {(s: Seen, asked: Asked[], newId: NewId) => Sent} */
function adding(s, asked, newId) {
  const found = commands(s, asked, newId);
  return sent(found, { step: placed(found) });
}

/** Until a wager is decided, none is sent that counts on it. @type {(bet?: string) => Message} */
const unknown = (bet) => ({ t: "refused", refused: { ...IN_DOUBT, bet } });

/** @type {(s: State, bet: string, newId: NewId) => Message | null} */
export function tap(s, bet, newId) {
  if (!canBet(s)) return null;
  if (isInDoubt(s)) return unknown(bet);
  return isClosed(s, bet) ? refused("spot_closed", { bet }) : adding(s, [{ bet, cents: s.chip }], newId);
}

/** @type {(s: State, newId: NewId) => Message | null} */
export function undo(s, newId) {
  const step = s.undo[s.undo.length - 1];
  if (!canBet(s) || !step) return null;
  if (isInDoubt(s)) return unknown();
  const asked = step.map(({ bet, cents }) => ({ bet, cents: -cents })).filter(({ bet }) => stakeOn(s, bet) > 0);
  return sent(commands(s, asked.reverse(), newId), { undo: s.undo.slice(0, -1) });
}

/** @param {Seen} s */
const down = (s) => s.table.bets.map(({ bet }) => bet).filter((bet) => stakeOn(s, bet) > 0);
/** @param {State} s */
export const hasDown = (s) => s.table !== null && down(/** @type {Seen} */ (s)).length > 0;

/** @type {(s: State, newId: NewId) => Message | null} */
export function clear(s, newId) {
  if (!canBet(s) || !hasDown(s)) return null;
  if (isInDoubt(s)) return unknown();
  const asked = down(s).map((bet) => ({ bet, cents: null }));
  return sent(commands(s, asked, newId), { undo: [] });
}

/** @type {(s: State, bet: string, newId: NewId) => Message | null} */
export function clearSpot(s, bet, newId) {
  if (!canBet(s) || !stakeOn(s, bet)) return null;
  if (isInDoubt(s)) return unknown(bet);
  const undo = s.undo.map((step) => step.filter((part) => part.bet !== bet)).filter((step) => step.length);
  return sent(commands(s, [{ bet, cents: null }], newId), { undo });
}

/** @param {Seen} s */
const before = (s) => s.table.bets.map(({ bet }) => bet).filter((bet) => s.last[bet]);
/** @param {State} s */
export const canRebet = (s) => canBet(s) && !hasDown(s) && before(s).some((bet) => !isClosed(s, bet));

/** What is closed now is left out, and named. @type {(s: State, newId: NewId) => Message | null} */
export function rebet(s, newId) {
  if (!canBet(s) || !canRebet(s)) return null;
  if (isInDoubt(s)) return unknown();
  const asked = before(s).filter((bet) => !isClosed(s, bet)).map((bet) => ({ bet, cents: s.last[bet] }));
  const needed = sum(asked.map(({ cents }) => cents)), out = before(s).filter((bet) => isClosed(s, bet));
  if (needed > s.mine.balance_cents) return refused("noCreditsFor", { cents: needed });
  return { ...adding(s, asked, newId), refused: out.length ? { key: "left_out", bet: out[0], bets: out } : null };
}

/**
 * All or nothing: a spot that would pass its limit is named, and nothing is sent.
 * @type {(s: State, newId: NewId) => Message | null}
 */
export function double(s, newId) {
  if (!canBet(s) || !hasDown(s)) return null;
  if (isInDoubt(s)) return unknown();
  const group = newId(), asked = down(s).map((bet) => ({ bet, cents: stakeOn(s, bet), group }));
  const over = asked.find(({ bet, cents }) => 2 * cents > limitsOf(s, bet).max_cents);
  if (over) return refused("doubleOver", { bet: over.bet, cents: limitsOf(s, over.bet).max_cents });
  const waiting = sum(Object.values(s.pending).map((command) => command.delta_cents));
  const needed = sum(asked.map(({ cents }) => cents));
  if (needed > s.mine.balance_cents - waiting) return refused("noCreditsFor", { cents: needed });
  return adding(s, asked, newId);
}

/** @param {Seen} s @param {string} bet */
function limitsOf(s, bet) {
  const found = s.table.bets.find((one) => one.bet === bet);
  if (!found) throw new Error(`this table has no ${bet}`);
  return found.limits;
}

/** @param {Seen} s @param {string} bet */
const isClosed = (s, bet) => Boolean(limitsOf(s, bet).closed);
