// A voucher and a receipt as they are printed: 156 x 66 mm, black on white. Pure: a paper of the API in, markup out.
// The page that shows one loads base/voucher.css, and kit/elements.js for the codes.
import { html } from "./dom.js";
import { inWords } from "./inwords.js";
import { money, partsOf, time } from "./money.js";
import { han, hanTag, isChinese, pageLanguage, texts } from "./words.js";

export const WORDS = [
  ["Cage window {0}", "{0} 號帳房窗口"],
  ["Table {0}", "賭枱 {0}"],
  ["Terminal {0}", "終端機 {0}"],
  ["Duplicate of a voucher", "票券副本"],
  ["Voucher", "票券"],
  ["VOUCHER {0}", "票券 {0}"],
  ["DUPLICATE", "副本"],
  ["a record only, cannot be redeemed", "只作記錄，不能兌換"],
  ["No. {0}", "編號 {0}"],
  ["Not valid if altered or unreadable.", "塗改或無法辨認者無效。"],
  ["Not valid after", "有效期至"],
  ["DEMO: play credits, worth nothing.", "示範：試玩餘額，並無價值。"],
  ["Redeem once at the cage or any terminal.", "可在帳房或任何終端機兌換一次。"],
  ["Receipt", "收據"],
  ["DEMO: play credits", "示範：試玩餘額"],
];
const t = texts(WORDS);

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** 14 Dec 2026, and with the time; by the clocks of the house. @param {number} ms */
export function day(ms) {
  const { year, month, day: date } = partsOf(ms);
  if (isChinese(pageLanguage())) return `${year}年${Number(month)}月${Number(date)}日`;
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** @param {number} ms */
export const moment = (ms) => `${day(ms)} ${time(ms)}`;

/**
 * 001847220566194073 -> 00-1847-2205-6619-4073, as far as it is typed.
 * @param {string} digits @param {string} [between]
 */
export function grouped(digits, between = "-") {
  const found = [digits.slice(0, 2)];
  for (let i = 2; i < digits.length; i += 4) found.push(digits.slice(i, i + 4));
  return found.filter(Boolean).join(between);
}

/** Of a duplicate only the last four digits are printed, and no code: it cannot be redeemed. @param {string} digits */
export const masked = (digits) => `••-••••-••••-••••-${digits.slice(-4)}`;

/** "table:3" -> "Table 3", "cage:2" -> "Cage window 2" @param {string} stream */
export function place(stream) {
  const [kind, number] = String(stream || "").split(":");
  if (!number) return "";
  return t(kind === "cage" ? "Cage window {0}" : "Table {0}", number);
}

/** A session is at a terminal of that name, "T-07:9f31c7a2", or a guest's. @param {string} session */
export const terminalOf = (session) => (session && session.includes(":") ? session.split(":")[0] : "");

// Both languages, the page's first.
function title() {
  const lang = pageLanguage(), zh = html`<span class="cjk" lang="${hanTag(lang)}">${han(lang, "票券")}</span>`;
  return isChinese(lang) ? html`${zh} <span lang="en">CASH-OUT VOUCHER</span>` : html`CASH-OUT VOUCHER ${zh}`;
}

// `paper`: number, cents, expires_at, qr, house, demo; and where the API says them at, place, session, seq.
export function voucher(paper, { duplicate = false } = {}) {
  const number = duplicate ? masked(paper.number) : grouped(paper.number);
  const no = paper.seq ? String(paper.seq).padStart(6, "0") : "";
  const terminal = terminalOf(paper.session);
  const where = [place(paper.place), terminal && t("Terminal {0}", terminal)].filter(Boolean).join(" · ");
  const name = duplicate ? t("Duplicate of a voucher") : t("Voucher");
  return html`<article class="voucher${duplicate ? " duplicate" : ""}" aria-label="${name}">
    <div class="v-edge"><span>${no ? t("VOUCHER {0}", no) : number}</span></div>
    <div class="v-body">
      <div class="v-head"><b>${paper.house}</b><span>${where}</span></div>
      <p class="v-title">${title()}</p>
      ${duplicate ? COPY() : codes(paper)}
      <p class="v-number">${number}</p>
      <p class="v-amount">${money(paper.cents)}</p>
      <p class="v-words">${inWords(paper.cents)}</p>
      <div class="v-foot"><span>${paper.at ? moment(paper.at) : ""}<br>${no ? t("No. {0}", no) : ""}</span>
        <span class="v-mid">${worth(paper)}<br>${t("Not valid if altered or unreadable.")}</span>
        <span class="v-end">${t("Not valid after")}<br>${day(paper.expires_at)}</span></div>
    </div>
    <div class="v-edge"><span>${number}</span></div>
  </article>`;
}

const COPY = () => html`<p class="v-copy">${t("DUPLICATE")}<small>${
  t("a record only, cannot be redeemed")}</small></p>`;

function codes({ number, qr }) {
  const rows = qr.join("|");
  return html`<div class="v-codes"><pb-barcode digits="${number}"></pb-barcode><pb-qr rows="${rows}"></pb-qr></div>`;
}

const worth = ({ demo }) =>
  demo ? html`<b>${t("DEMO: play credits, worth nothing.")}</b>` : t("Redeem once at the cage or any terminal.");

// What a window gave or took, for the patron: `rows` are pairs of words.
export function receipt({ title: heading, house, cents, rows, demo }) {
  return html`<article class="voucher receipt" aria-label="${t("Receipt")}"><div class="v-body">
    <div class="v-head"><b>${house}</b><span>${demo ? t("DEMO: play credits") : ""}</span></div>
    <p class="v-title">${heading}</p>
    <p class="v-amount">${money(cents)}</p><p class="v-words">${inWords(cents)}</p>
    <dl class="v-rows">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
  </div></article>`;
}
