// Limits of one's own: what is used and left, usual amounts, keys to type with; the tray once one is reached.
import { html } from "../base/dom.js";
import { keypad } from "../base/keypad.js";
import { dollars, moment, money } from "../base/money.js";
import { limitsUsed } from "./limits.js";
import { flag } from "./view-felt.js";
import { t } from "./words.js";
import { w } from "./words-patron.js";

/** @import { LimitsView } from "server" */
/** @import { Html } from "../base/dom.js" */
/** @import { Language } from "../base/words.js" */
/** @import { Use } from "./limits.js" */
/** @import { Seen } from "./reduce.js" */

const LOSSES = [5_000, 10_000, 20_000, 50_000, 100_000], MINUTES = [30, 60, 120, 240];

/** @param {Seen} s */
export const limitsForm = (s) => html`${s.own ? html`<p class="l" data-own>${limitsSaid(s.lang, s.own)}</p>` : ""}${
  limitsUsed(s).map((use) => usedBar(s.lang, use))}
  <form data-act="set-limits" class="limits-form"><div class="limit-fields">${lossField(s)}${minutesField(s)}<button
    type="submit" class="btn primary" ${flag("disabled", s.busy)}>${t(s.lang, "own_set")}</button></div>${
    keysOf(s)}</form><p class="muted small">${t(s.lang, "own_text")}</p>`;

/** A kiosk has no keyboard; a telephone brings its own. @param {Seen} s */
export const keysOf = ({ lang, shape }) => (shape === "wide" ? keypad(lang) : "");

/** Whether the device is to show a keyboard of its own. @param {Seen} s @param {string} mode */
export const typing = ({ shape }, mode) => (shape === "wide" ? "none" : mode);

/** @param {Seen} s */
const lossField = (s) => html`<div class="limit-field"><label class="field">${t(s.lang, "own_loss")}<input name="loss"
  data-pad inputmode="${typing(s, "decimal")}" autocomplete="off" maxlength="12"></label>${
  presets(s, "loss", LOSSES.map((cents) => [String(cents / 100), dollars(cents)]))}</div>`;

/** @param {Seen} s */
const minutesField = (s) => html`<div class="limit-field"><label class="field">${
  t(s.lang, "own_minutes")}<input name="minutes" data-pad inputmode="${typing(s, "numeric")}" autocomplete="off"
  maxlength="4"></label>${
  presets(s, "minutes", MINUTES.map((many) => [String(many), w(s.lang, "minutes", many)]))}</div>`;

/** @param {Seen} s @param {string} field @param {string[][]} values */
const presets = ({ lang }, field, values) => html`<div class="presets" role="group" aria-label="${w(lang, "usual")}">${
  values.map(([value, said]) => html`<button type="button" class="btn" data-act="preset" data-field="${field}"
  data-value="${value}">${said}</button>`)}</div>`;

/** "$320 of $500 used, $180 left" @param {Language} lang @param {Use} use */
function usedBar(lang, { kind, most, used, left }) {
  const said = (/** @type {number} */ n) => (kind === "loss" ? dollars(n) : w(lang, "minutes", n));
  const title = w(lang, `limit_${kind}`), words = w(lang, "used_of", said(used), said(most), said(left));
  return html`<div class="used ${left ? "" : "none-left"}" data-used="${kind}"><span>${title}</span><b>${
    words}</b><progress max="${most}" value="${used}" aria-label="${title}"></progress></div>`;
}

/** @param {Language} lang @param {LimitsView} own */
function limitsSaid(lang, own) {
  const now = t(lang, "own_now", ...lossAndMinutes(lang, own));
  const wider = own.wider ? t(lang, "own_wider", moment(own.wider_at ?? 0), ...lossAndMinutes(lang, own.wider)) : "";
  return `${now} ${wider}`;
}

/** @type {(lang: Language, limits: Pick<LimitsView, "loss_cents" | "minutes">) => string[]} */
const lossAndMinutes = (lang, { loss_cents, minutes }) => [
  loss_cents === null ? t(lang, "no_loss") : t(lang, "loss_of", money(loss_cents)),
  minutes === null ? t(lang, "no_minutes") : t(lang, "minutes_of", minutes),
];

/** In the place of the chips: why not, and the two ways on. @type {(s: Seen, kind: string, cash: boolean) => Html} */
export const reachedTray = ({ lang }, kind, cash) => html`<section class="tray inviting reached" data-key="reached"
  data-reached="${kind}"><pb-icon name="shield" size="30"></pb-icon><p role="status">${
  w(lang, `reached_${kind}`)}</p><button type="button" class="btn" data-act="limits">${
  t(lang, "your_limits")}</button>${cash ? html`<button type="button" class="btn primary" data-act="cash">${
  t(lang, "cash")}</button>` : ""}</section>`;
