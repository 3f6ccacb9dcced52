// Leaving a table: without credits at once; with credits by cashing out, or by moving to another table with them.
import { html } from "../base/dom.js";
import { money } from "../base/money.js";
import { acceptedCents } from "./reduce.js";
import { t } from "./words.js";

/** @import { Html } from "../base/dom.js" */
/** @import { Seen } from "./reduce.js" */

/** @param {Seen} s */
const isInPlay = (s) => acceptedCents(s) > 0 || Object.keys(s.pending).length > 0;

/** Whether the seat can be left, now or by way of the sheet. @param {Seen} s */
export const canLeave = (s) => s.link === "open" && Boolean(s.mine.seated) && !isInPlay(s);

/** In the menu; and beside the meters, where there is none. @param {Seen} s @param {string} [slim] */
export const leaveDoor = (s, slim = "") => (s.mine.seated ? html`<button type="button" class="btn${slim}"
  data-act="leave" ${canLeave(s) ? "" : html`disabled`}><pb-icon name="left"
  size="${slim ? 18 : 22}"></pb-icon><span>${t(s.lang, "leave")}${
  isInPlay(s) ? html`<small class="why">${t(s.lang, "cash_off")}</small>` : ""}</span></button>` : "");

/** What the sheet says. @param {Seen} s @returns {Html} */
export const leaveText = (s) => html`<p class="l">${
  t(s.lang, s.mine.balance_cents ? "leave_with" : "leave_none", money(s.mine.balance_cents))}</p>`;

/** @param {Seen} s @returns {Html} */
export function leaveButtons(s) {
  const { lang } = s, off = s.busy || !canLeave(s) ? html`disabled` : "";
  if (!s.mine.balance_cents) {
    return html`<button type="button" class="btn" data-act="close">${t(lang, "stay")}</button><button type="button"
      class="btn primary wide" data-act="leave-seat" ${off} data-focus>${t(lang, "leave")}</button>`;
  }
  return html`<a class="btn" href="/">${t(lang, "move")}</a><button type="button"
    class="btn primary wide" data-act="cash" ${off} data-focus>${t(lang, "cash")}</button>`;
}
