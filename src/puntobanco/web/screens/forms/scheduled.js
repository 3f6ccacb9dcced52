// Changes that wait for the end of a round: the table has them, and makes them by its clock. Pure, but `withdraw`.
import { newId, post } from "../base/api.js";
import { html } from "../base/dom.js";

/** @import { ScheduledChange } from "server" */
/** @typedef {{ t: "said", text: string, wrong?: boolean }} Told */

/** What a form says that may have to wait. */
export const LATER = "Under a round in play nothing changes: where one is, this waits until it is over.";

const SAYS = { limits: "limits change", clock: "clock changes", cards: "cards change" };

/** @param {ScheduledChange} change */
export const saysOf = ({ kind, by }) => `${SAYS[kind]} after this round, asked for by ${by}`;

/** The value that the next round has: the one that waits, or the one that holds.
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
  (waiting(table, kind) ? `Table ${number}: ${SAYS[kind]} after this round` : `Table ${number}: ${kind} changed`);

/** @param {number} number @param {ScheduledChange} change */
export const withdrawButton = (number, { kind }) => html`<button type="button" class="btn sm" data-act="withdraw-change"
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
