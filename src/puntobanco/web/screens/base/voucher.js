// A voucher and a receipt as they are printed: 156 x 66 mm, black on white. Pure: a paper of the API in, markup out.
// The page that shows one loads base/voucher.css, and kit/elements.js for the codes.
import { html } from "./dom.js";
import { inWords } from "./inwords.js";
import { money } from "./money.js";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (n) => String(n).padStart(2, "0");

/** 14 Dec 2026, and with the time; by the clock of the machine that shows it. @param {number} ms */
export function day(ms) {
  const t = new Date(ms);
  return `${t.getDate()} ${MONTHS[t.getMonth()]} ${t.getFullYear()}`;
}

/** @param {number} ms */
export function moment(ms) {
  const t = new Date(ms);
  return `${day(ms)} ${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`;
}

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
  return kind === "cage" ? `Cage window ${number}` : `${kind[0].toUpperCase()}${kind.slice(1)} ${number}`;
}

/** A session is at a terminal of that name, "T-07:9f31c7a2", or a guest's. @param {string} session */
export const terminalOf = (session) => (session && session.includes(":") ? session.split(":")[0] : "");

// `paper`: number, cents, expires_at, qr, house, demo; and where the API says them at, place, session, seq.
export function voucher(paper, { duplicate = false } = {}) {
  const number = duplicate ? masked(paper.number) : grouped(paper.number);
  const no = paper.seq ? String(paper.seq).padStart(6, "0") : "";
  const terminal = terminalOf(paper.session);
  const where = [place(paper.place), terminal && `Terminal ${terminal}`].filter(Boolean).join(" · ");
  const name = duplicate ? "Duplicate of a voucher" : "Voucher";
  return html`<article class="voucher${duplicate ? " duplicate" : ""}" aria-label="${name}">
    <div class="v-edge"><span>${no ? `VOUCHER ${no}` : number}</span></div>
    <div class="v-body">
      <div class="v-head"><b>${paper.house}</b><span>${where}</span></div>
      <p class="v-title">CASH-OUT VOUCHER <span class="cjk" lang="zh-Hant">票券</span></p>
      ${duplicate ? COPY : codes(paper)}
      <p class="v-number">${number}</p>
      <p class="v-amount">${money(paper.cents)}</p>
      <p class="v-words">${inWords(paper.cents)}</p>
      <div class="v-foot"><span>${paper.at ? moment(paper.at) : ""}<br>${no ? `No. ${no}` : ""}</span>
        <span class="v-mid">${worth(paper)}<br>Not valid if altered or unreadable.</span>
        <span class="v-end">Not valid after<br>${day(paper.expires_at)}</span></div>
    </div>
    <div class="v-edge"><span>${number}</span></div>
  </article>`;
}

const COPY = html`<p class="v-copy">DUPLICATE<small>a record only, cannot be redeemed</small></p>`;

function codes({ number, qr }) {
  const rows = qr.join("|");
  return html`<div class="v-codes"><pb-barcode digits="${number}"></pb-barcode><pb-qr rows="${rows}"></pb-qr></div>`;
}

const worth = ({ demo }) =>
  demo ? html`<b>DEMO: play credits, worth nothing.</b>` : "Redeem once at the cage or any terminal.";

// What a window gave or took, for the patron: `rows` are pairs of words.
export function receipt({ title, house, cents, rows, demo }) {
  return html`<article class="voucher receipt" aria-label="Receipt"><div class="v-body">
    <div class="v-head"><b>${house}</b><span>${demo ? "DEMO: play credits" : ""}</span></div>
    <p class="v-title">${title}</p>
    <p class="v-amount">${money(cents)}</p><p class="v-words">${inWords(cents)}</p>
    <dl class="v-rows">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
  </div></article>`;
}
