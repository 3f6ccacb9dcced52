// Changes that wait for the end of a round: the table has them, and makes them by its clock. Pure, but `withdraw`.
import { saidBy } from "../base/api.js";
import { html } from "../base/dom.js";
import { moment } from "../base/money.js";
import { saidHere } from "../base/words.js";
import { t } from "./words.js";

/** @import { ScheduledChange } from "server" */
/** @import { pendings } from "../base/pending.js" */
/** @import { Words } from "../base/words.js" */
/** @typedef {{ t: "said", text: Words, wrong?: boolean }} Told */

/** What a form says that may have to wait. */
export const LATER = () => t("Under a round in play nothing changes: where one is, this waits until it is over.");

const SAYS = { limits: "limits change", clock: "clock changes", cards: "cards change" };

/** In short, all that waits. @param {Pick<ScheduledChange, "kind">[]} changes */
export const saysOf = (changes) => t("{0} after this round", changes.map(({ kind }) => t(SAYS[kind])).join(t(", ")));

/** The value that the next round has, where it is another.
 * @template {ScheduledChange["kind"]} Kind
 * @param {{ scheduled: ScheduledChange[] }} table
 * @param {Kind} kind
 */
export const waiting = ({ scheduled = [] }, kind) => scheduled.find((change) => change.kind === kind)?.[kind];

/** What became of a change that was asked for: it is made, or it waits.
 * @param {number} number
 * @param {{ scheduled: ScheduledChange[] }} table
 * @param {ScheduledChange["kind"]} kind
 */
export const changedText = (number, table, kind) =>
  t("Table {0}: {1}", number, waiting(table, kind) ? saysOf([{ kind }]) : t(`${kind} changed`));

/** What waits at a table, each with who asked, and a button for who may.
 * @param {number} number @param {ScheduledChange[]} changes @param {boolean} may
 */
export const scheduledList = (number, changes, may) => changes.map((change) => html`<div
  class="row between small scheduled"><span class="warn">${
    t("{0}, asked for by {1} at {2}", saysOf([change]), change.by, moment(change.at))}</span>${
    may ? withdrawButton(number, change) : null}</div>`);

/** @param {number} number @param {ScheduledChange} change */
const withdrawButton = (number, { kind }) => html`<button type="button" class="btn sm" data-act="withdraw-change"
  data-table="${number}" data-change="${kind}"
  aria-label="${t("Withdraw, table {0}: {1}", number, t(SAYS[kind]))}">${t("Withdraw")}</button>`;

/** @param {(message: Told) => void} tell @param {ReturnType<typeof pendings>} commands */
export const withdraw = (tell, commands) => async (/** @type {HTMLElement} */ { dataset: { table, change } }) => {
  const command = { command: "withdraw-change", kind: change }, about = { text: t("Table {0} stays as it is", table) };
  const path = `/api/staff/tables/${table}/commands`;
  try {
    const answer = await commands.send(JSON.stringify([path, command]), path, { command }, { about });
    const text = () => (answer.ok ? t("Table {0} stays as it is", table)
      : t("Table {0}: {1}", table, saidHere(answer.reason)));
    tell({ t: "said", text, wrong: !answer.ok });
  } catch (error) {
    tell({ t: "said", text: () => t("Table {0}: {1}", table, saidBy(error)()), wrong: true });
  }
};
