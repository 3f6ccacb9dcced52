// Changes that wait for the end of a round: the table has them, and makes them by its clock. Pure, but `withdraw`.
import { newId, post } from "../base/api.js";
import { html } from "../base/dom.js";
import { time } from "../base/money.js";

/** @import { ScheduledChange } from "server" */
/** @typedef {{ t: "said", text: string, wrong?: boolean }} Told */

/** What a form says that may have to wait. */
export const LATER = "Under a round in play nothing changes: where one is, this waits until it is over.";

const SAYS = { limits: "limits change", clock: "clock changes", cards: "cards change" };

/** In short, all that waits. @param {ScheduledChange[]} changes */
export const saysOf = (changes) => `${changes.map(({ kind }) => SAYS[kind]).join(", ")} after this round`;

/** The value that the next round has, where it is another.
 * @template {ScheduledChange["kind"]} Kind
 * @param {{ scheduled: ScheduledChange[] }} table
 * @param {Kind} kind
 */
export const waiting = ({ scheduled }, kind) => scheduled.find((change) => change.kind === kind)?.[kind];

/** What became of a change that was asked for: it is made, or it waits.
 * @param {number} number
 * @param {{ scheduled: ScheduledChange[] }} table
 * @param {ScheduledChange["kind"]} kind
 */
export const changedText = (number, table, kind) =>
  `Table ${number}: ${waiting(table, kind) ? `${SAYS[kind]} after this round` : `${kind} changed`}`;

/** What waits at a table, each with who asked, and a button for who may.
 * @param {number} number @param {ScheduledChange[]} changes @param {boolean} may
 */
export const scheduledList = (number, changes, may) => changes.map((change) => html`<div
  class="row between small scheduled"><span class="warn">${saysOf([change])}, asked for by ${change.by}
  at ${time(change.at)}</span>${
    may ? withdrawButton(number, change) : null}</div>`);

/** @param {number} number @param {ScheduledChange} change */
const withdrawButton = (number, { kind }) => html`<button type="button" class="btn sm" data-act="withdraw-change"
  data-table="${number}" data-change="${kind}"
  aria-label="Withdraw the change of ${kind}, table ${number}">Withdraw</button>`;

/** @param {(message: Told) => void} tell */
export const withdraw = (tell) => async (/** @type {HTMLElement} */ { dataset: { table, change } }) => {
  const command = { command: "withdraw-change", kind: change };
  try {
    const { ok, reason } = await post(`/api/staff/tables/${table}/commands`, { id: newId(), command });
    tell({ t: "said", text: ok ? `Table ${table} keeps its ${change}` : `Table ${table}: ${reason}`, wrong: !ok });
  } catch (error) {
    tell({ t: "said", text: `Table ${table}: ${/** @type {Error} */ (error).message}`, wrong: true });
  }
};
