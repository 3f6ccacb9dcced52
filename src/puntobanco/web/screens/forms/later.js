// What waits for the end of a round: limits, side bets, clocks and cards change between rounds. Pure, but `work`.

/**
 * A job: {table: 3, what: "limits" | "bets" | "clock" | "cards", body}.
 * One of each kind for a table; the newest holds.
 */
export const queued = (jobs, job) => [...without(jobs, job), job];

export const without = (jobs, { table, what }) => jobs.filter((each) => each.table !== table || each.what !== what);

export const jobsOf = (jobs, table) => jobs.filter((each) => each.table === table);

const SAYS = {
  limits: "limits change after this round", bets: "side bets change after this round",
  clock: "clock changes after this round", cards: "cards change after this round",
};
export const saysOf = (job) => SAYS[job.what];

export const doneOf = (job) => DONE[job.what];
const DONE = {
  limits: "has its new limits", bets: "has its side bets changed", clock: "has its new clock",
  cards: "has its cards changed",
};

/** Do what can be done now. `isOver(table)`: whether its round is over. `tell` gets {t: "later-done", job} and
 * {t: "said", text}. */
export async function work(jobs, { isOver, post, tell }) {
  for (const job of jobs.filter((each) => isOver(each.table))) {
    tell({ t: "later-done", job });
    try {
      await post(`/api/admin/tables/${job.table}`, job.body);
      tell({ t: "said", text: `Table ${job.table} ${doneOf(job)}` });
    } catch (error) {
      if (error.code === "not-now") tell({ t: "later", job }); // the next round was quicker
      else tell({ t: "said", text: `Table ${job.table}: ${error.message}`, wrong: true });
    }
  }
}
