// What stands out on a road of past results: a hand that wins again and again, or hands in turn. It says nothing of the
// next round. Pure.

/** @typedef {{ kind: "run" | "turns", side: "banker" | "player", length: number, long: boolean }} Streak */

export const SHOWN_FROM = 4;
export const LONG_FROM = 6;
export const TURNS_FROM = 6;
const SIDES = /** @type {const} */ ({ B: "banker", P: "player" });

/**
 * What the newest results of a big road make, its cells in the order in which they were laid; none: nothing to say.
 * A tie ends no run: it is written on the cell before it.
 * @param {ReadonlyArray<readonly [number, number, string]>} cells @returns {Streak | null}
 */
export function streakOf(cells) {
  const runs = runsOf(cells.map(([, , mark]) => mark[0]).filter((winner) => winner in SIDES));
  const last = runs[runs.length - 1];
  if (!last) return null;
  const side = SIDES[last.winner];
  if (last.length >= SHOWN_FROM) return { kind: "run", side, length: last.length, long: last.length >= LONG_FROM };
  const turns = runs.length - 1 - runs.findLastIndex((run) => run.length > 1);
  return turns >= TURNS_FROM ? { kind: "turns", side, length: turns, long: true } : null;
}

/** @param {string[]} winners @returns {{ winner: string, length: number }[]} */
function runsOf(winners) {
  const runs = [];
  for (const winner of winners) {
    const last = runs[runs.length - 1];
    if (last?.winner === winner) last.length += 1;
    else runs.push({ winner, length: 1 });
  }
  return runs;
}
