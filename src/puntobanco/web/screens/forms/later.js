// What waits for the end of a round: limits, side bets, clocks and cards change between rounds. Pure, but `work`.

/** @import { Refused } from "../base/api.js" */
/** @typedef {{ table: number, what: "limits" | "bets" | "clock" | "cards", body: object }} Job */

/** What a form says that may have to wait. */
export const LATER = "Under a round in play nothing changes: where one is, this waits until it is over. "
  + "Keep this page open until then.";

/** One of each kind for a table; the newest holds. @param {Job[]} jobs @param {Job} job */
export const queued = (jobs, job) => [...without(jobs, job), job];

/** @param {Job[]} jobs @param {Job} job */
export const without = (jobs, { table, what }) => jobs.filter((each) => each.table !== table || each.what !== what);

/** @param {Job[]} jobs @param {number} table */
export const jobsOf = (jobs, table) => jobs.filter((each) => each.table === table);

const SAYS = {
  limits: "limits change after this round", bets: "side bets change after this round",
  clock: "clock changes after this round", cards: "cards change after this round",
};
/** @param {Job} job */
export const saysOf = (job) => SAYS[job.what];

/** @param {Job} job */
export const doneOf = (job) => DONE[job.what];
const DONE = {
  limits: "has its new limits", bets: "has its side bets changed", clock: "has its new clock",
  cards: "has its cards changed",
};

/**
 * @typedef {{ t: "later", job: Job } | { t: "later-done", job: Job }
 *   | { t: "said", text: string, wrong?: boolean }} Told
 */

/**
 * Do what can be done now. `isOver(table)`: whether its round is over.
 * @param {Job[]} jobs
 * @param {{
 *   isOver: (table: number) => boolean, post: (path: string, body: object) => Promise<unknown>,
 *   tell: (message: Told) => void,
 * }} page
 */
export async function work(jobs, { isOver, post, tell }) {
  for (const job of jobs.filter((each) => isOver(each.table))) {
    tell({ t: "later-done", job });
    try {
      await post(`/api/admin/tables/${job.table}`, job.body);
      tell({ t: "said", text: `Table ${job.table} ${doneOf(job)}` });
    } catch (found) {
      const error = /** @type {Refused} */ (found);
      if (error.code === "not-now") tell({ t: "later", job }); // the next round was quicker
      else tell({ t: "said", text: `Table ${job.table}: ${error.message}`, wrong: true });
    }
  }
}
