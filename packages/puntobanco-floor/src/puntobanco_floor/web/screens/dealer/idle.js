// The idle lock as the console foresees it: the server ends a login that was not used so long, here it is counted down.

/** @import { StaffMe } from "server" */
/** @import { State } from "./reduce.js" */

const WARN_S = 30; // from then on it is shown
const TELL_MS = 15_000; // a touch tells the server so at most this often, but for while it is shown

/**
 * Whole seconds until the lock, while that is worth showing; null before, and where it is not known.
 * @param {StaffMe | null} me
 * @param {number | null} usedAt
 * @param {number} now
 */
export function secondsLeft(me, usedAt, now) {
  if (!me?.idle_s || usedAt === null) return null;
  const left = Math.ceil(me.idle_s - (now - usedAt) / 1000);
  return left > WARN_S ? null : Math.max(0, left);
}

/** Whether a touch has to be told to the server. @param {State} state @param {number} now */
export const mustTell = ({ me, used, locks }, now) =>
  Boolean(me) && used !== null && (locks !== null || now - used >= TELL_MS);
