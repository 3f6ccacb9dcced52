// The drawer counted by denomination: pieces in, the sum out; nothing beside it says what should lie there. Pure.
import { html } from "../base/dom.js";
import { cents, dollars, money } from "../base/money.js";
import { t } from "./words.js";

/** @import { Html } from "../base/dom.js" */
/** @typedef {Record<string, string>} Pieces what is typed, by the cents of a piece; `other` in dollars */

export const NOTES = [100_000, 10_000, 5_000, 2_000, 1_000, 500, 200];
export const COINS = [100, 50, 20, 10, 5];
const MAX_DIGITS = 6;

/** As it is typed: whole pieces, or dollars of what has no row. @param {string} of @param {string} text */
export const pieceOf = (of, text) =>
  (of === "other" ? text.replace(/[^\d.,]/g, "").slice(0, 12) : text.replace(/\D/g, "").slice(0, MAX_DIGITS));

/** What the pieces come to; null where something typed is no amount. @param {Pieces} pieces */
export function countedCents(pieces) {
  const rows = [...NOTES, ...COINS].map((value) => value * Number(pieces[value] || 0));
  const other = cents(pieces.other || "0");
  return other === null ? null : rows.reduce((sum, row) => sum + row, other);
}

/** Whether anything was counted, an empty drawer with a zero too. @param {Pieces} pieces */
export const isCounted = (pieces) => Object.values(pieces).some(Boolean) && countedCents(pieces) !== null;

/** @param {Pieces} pieces @returns {Html} */
export function countSheet(pieces) {
  const total = countedCents(pieces);
  return html`<div class="pieces" role="group" aria-label="${t("Pieces in the drawer")}">
    ${column(t("Notes"), NOTES, pieces)}${column(t("Coins"), COINS, pieces)}</div>
    <label class="piece other"><span>${t("Anything else, in dollars")}</span><input class="in" data-piece="other"
      inputmode="decimal" autocomplete="off" maxlength="12" value="${pieces.other ?? ""}"
      data-set="${pieces.other ?? ""}"></label>
    <p class="row between total" role="status"><span>${t("Counted in all")}</span><b>${
      total === null ? "–" : money(total)}</b></p>`;
}

/** @param {string} name @param {number[]} values @param {Pieces} pieces */
const column = (name, values, pieces) => html`<div><h3>${name}</h3>${values.map((value) => row(value, pieces))}</div>`;

/** @param {number} value @param {Pieces} pieces */
function row(value, pieces) {
  const typed = pieces[value] ?? "", name = value < 100 ? `${value}¢` : dollars(value);
  return html`<label class="piece" data-key="piece-${value}"><span>${name}</span><input class="in"
    data-piece="${value}" inputmode="numeric" autocomplete="off" maxlength="${MAX_DIGITS}"
    aria-label="${t("{0}, pieces", name)}" value="${typed}" data-set="${typed}"><b>${
    typed ? money(value * Number(typed)) : ""}</b></label>`;
}
