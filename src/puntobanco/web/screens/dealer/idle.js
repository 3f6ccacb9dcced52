// The idle lock as the console foresees it: the server ends a login that was not used so long, here it is counted down.

const WARN_S = 30; // from then on it is shown
const TELL_MS = 15_000; // a touch tells the server so at most this often, but for while it is shown

/** Whole seconds until the lock, while that is worth showing; null before, and where it is not known. */
export function secondsLeft(me, usedAt, now) {
  if (!me?.idle_s || usedAt === null) return null;
  const left = Math.ceil(me.idle_s - (now - usedAt) / 1000);
  return left > WARN_S ? null : Math.max(0, left);
}

/** Whether a touch has to be told to the server. */
export const mustTell = ({ me, used, locks }, now) =>
  Boolean(me) && used !== null && (locks !== null || now - used >= TELL_MS);
