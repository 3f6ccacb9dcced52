// Receipts in the sheets of a terminal: buttons that ask for one, and the link with its QR code. Pure.
import { html } from "../base/dom.js";
import { moment } from "../base/money.js";
import { flag } from "./view-felt.js";
import { t } from "./words.js";

/** @import { ReceiptLink } from "server" */
/** @import { Language } from "../base/words.js" */
/** @import { Seen, Sheet } from "./reduce.js" */

/**
 * @param {Seen} s @param {string} kind @param {string} label
 * @param {{ number?: number, bet?: string, slim?: boolean }} [of]
 */
export const receiptButton = ({ busy }, kind, label, { number = 0, bet = "", slim = false } = {}) => html`<button
  type="button" class="btn${slim ? " slim" : ""}" data-act="receipt" data-kind="${kind}" data-number="${number}"
  data-bet="${bet}" ${flag("disabled", busy)}><pb-icon name="shield" size="18"></pb-icon>${label}</button>`;

/** @param {Seen} s @param {Sheet} own */
export const receiptShown = ({ lang }, own) => (own.receipt ? shown(lang, own.receipt) : "");

/** @param {Language} lang @param {ReceiptLink} link */
const shown = (lang, link) => html`<section class="receipt" data-key="receipt" data-receipt="${
  link.proven ? "proven" : "recorded"}"><pb-qr class="qr" rows="${link.qr.join("|")}" size="168"
    label="${t(lang, "receipt_qr")}"></pb-qr><div><p><b>${
    t(lang, link.proven ? "receipt_proven" : "receipt_recorded")}</b></p>
    <p class="muted small">${t(lang, "receipt_text", moment(link.ends_at))}</p>
    <a class="btn" href="${link.path}" target="_blank" rel="noopener">${t(lang, "receipt_open")}</a></div></section>`;
