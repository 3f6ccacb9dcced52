// The note above a staff screen, as the pit and the administration show it, and what it may offer. Pure.
import { html } from "../base/dom.js";
import { t } from "./words.js";

/** @import { Html } from "../base/dom.js" */
/** @import { Words } from "../base/words.js" */

/** @param {string} kind @param {string} icon @param {Html | Words} text @param {Html | null} [button] */
export const note = (kind, icon, text, button = null) => html`<p class="note ${kind}" role="alert"><pb-icon
  name="${icon}"></pb-icon><span>${text}</span>${button}</p>`;

export const START = () => html`<button type="button" class="btn sm primary" data-act="ask"
  data-sheet="start-floor">${t("Start the floor")}</button>`;
export const SEEN = () => html`<button type="button" class="btn sm" data-act="seen">${t("OK")}</button>`;
