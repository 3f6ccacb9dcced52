// Past rounds as a list, newest first: one's own or all, each opens its replay.
import { html } from "../base/dom.js";
import { moment, money, signed } from "../base/money.js";
import { flag } from "./view-felt.js";
import { winnerOf } from "./status.js";
import { t } from "./words.js";
import { w } from "./words-patron.js";

/** @import { RoundRow } from "server" */
/** @import { Language } from "../base/words.js" */
/** @import { Seen, Sheet } from "./reduce.js" */

/** What has come so far, with another page; a round that two pages tell is as the newer one has it.
 * @param {RoundRow[]} known @param {RoundRow[]} more */
export function withOlder(known, more) {
  const rounds = new Set(known.map(({ round }) => round));
  return [...known, ...more.filter(({ round }) => !rounds.has(round))];
}

/** @param {Seen} s @param {Sheet} sheet */
export function roundList(s, { rounds, before, mine = true }) {
  const { lang } = s, off = flag("disabled", s.busy);
  const choice = (/** @type {boolean} */ own, /** @type {string} */ key) => html`<button type="button"
    data-act="rounds" data-mine="${String(own)}" aria-pressed="${String(own === mine)}">${w(lang, key)}</button>`;
  const older = before ? html`<div class="btns"><button type="button" class="btn" data-act="rounds-older" ${off}>${
    w(lang, "older")}</button></div>` : "";
  return html`<div class="seg which" role="group" aria-label="${w(lang, "which")}">${choice(true, "my_rounds")}${
    choice(false, "all_rounds")}</div>${rounds ? listed(lang, rounds, mine, before) : waits(lang)}${older}`;
}

const waits = (/** @type {Language} */ lang) => html`<p class="l" role="status">${t(lang, "loading")}</p>`;

/** @type {(lang: Language, rounds: RoundRow[], mine: boolean, before: number | null | undefined) => unknown} */
function listed(lang, rounds, mine, before) {
  if (!rounds.length) return html`<p class="l">${w(lang, before ? "none_here" : mine ? "none_mine" : "none_all")}</p>`;
  const heads = ["round_col", "time_col", "result_col", "staked_col", "back_col", "net_col"];
  const head = (/** @type {string} */ key, /** @type {number} */ i) =>
    html`<th scope="col" class="${i > 2 ? "r" : ""}">${w(lang, key)}</th>`;
  return html`<table class="t rounds"><thead><tr>${heads.map(head)}</tr></thead><tbody>${
    rounds.map((row) => roundRow(lang, row))}</tbody></table>`;
}

/** @param {Language} lang @param {RoundRow} row */
function roundRow(lang, { round, at, result, staked_cents: staked, back_cents: back }) {
  const amount = (/** @type {string} */ text) => html`<td class="r num">${staked ? text : "–"}</td>`;
  return html`<tr data-key="${round}" data-listed="${round}"><td><button type="button" class="btn round-no"
    data-act="open-round" data-round="${round}" aria-label="${w(lang, "open_round", round)}">${round}</button></td><td
    class="when">${moment(at)}</td><td>${resultOf(lang, result)}</td>${amount(money(staked))}${
    amount(money(back))}${amount(signed(back - staked))}</tr>`;
}

/** @param {Language} lang @param {string} result */
function resultOf(lang, result) {
  const winner = winnerOf({ result });
  return winner ? html`<b class="${winner[0]}-ink">${t(lang, winner)}</b>` : w(lang, "void");
}
