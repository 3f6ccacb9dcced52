// What is left of the limits that a patron set for the day, and whether one of them is reached. Pure.

/** @import { SessionView } from "server" */
/** @import { State } from "./reduce.js" */

const MINUTE_MS = 60_000;

/** @param {Pick<SessionView, "wagers">} mine */
const inPlay = ({ wagers }) => Object.values(wagers).reduce((a, b) => a + b, 0);

/** Cents that may still be staked, as if all in play were lost. None: no limit. @param {Pick<State, "mine">} s */
export function lossLeft({ mine }) {
  if (!mine?.seated || typeof mine.loss_cents !== "number") return null;
  return Math.max(0, mine.loss_cents + mine.net_cents - inPlay(mine));
}

/** Milliseconds that are left to play. None: no limit. @param {Pick<State, "mine" | "now">} s */
export function timeLeft({ mine, now }) {
  return mine?.seated && typeof mine.ends_at === "number" ? Math.max(0, mine.ends_at - now) : null;
}

/**
 * Which limit keeps this patron from any wager; none while one is in play, which may be taken back.
 * @param {State} s @returns {"loss" | "time" | ""}
 */
export function limitReached(s) {
  const { mine, table, pending } = s;
  if (!mine?.seated || !table || inPlay(mine) || Object.keys(pending).length) return "";
  if (timeLeft(s) === 0) return "time";
  const left = lossLeft(s), mins = table.bets.filter((bet) => !bet.limits.closed).map((bet) => bet.limits.min_cents);
  return left !== null && mins.length && left < Math.min(...mins) ? "loss" : "";
}

/**
 * @typedef {{ kind: "loss" | "time", most: number, used: number, left: number }} Use cents, or whole minutes
 */

/** The limits of the day with what is used and left of them. @param {State} s @returns {Use[]} */
export function limitsUsed(s) {
  const { own } = s, cents = lossLeft(s), ms = timeLeft(s);
  /** @type {Use[]} */
  const found = [];
  if (own?.loss_cents !== null && own?.loss_cents !== undefined) {
    found.push(useOf("loss", own.loss_cents, cents ?? own.loss_cents - own.lost_cents));
  }
  if (own?.minutes !== null && own?.minutes !== undefined) {
    const left = ms ?? own.minutes * MINUTE_MS - own.played_ms;
    found.push(useOf("time", own.minutes, Math.ceil(left / MINUTE_MS)));
  }
  return found;
}

/** Who has won has all of it, and no more. @type {(kind: Use["kind"], most: number, left: number) => Use} */
function useOf(kind, most, left) {
  const kept = Math.min(most, Math.max(0, left));
  return { kind, most, used: most - kept, left: kept };
}
