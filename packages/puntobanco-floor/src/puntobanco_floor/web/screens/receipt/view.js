// A receipt for people: what it is of, how far it is proven, what the entries say, and whom one must believe. Pure.
import { html } from "../base/dom.js";
import { languages } from "../base/languages.js";
import { moment, money } from "../base/money.js";
import { either, words } from "../base/words.js";

/** @import { Language } from "../base/words.js" */
/**
 * @typedef {{ part: string, place: number }} Part
 * @typedef {{ header: string, parts: Part[], proof: string }} Entry
 * @typedef {{ claim: { house: string, policy: string, says: string }, entries: Entry[],
 *   what: { kind: string, table: string, round: number, session: string, bet: string, shoe: number } }} Receipt
 * @typedef {Record<string, { en: string, zh: string }>} Told the house's words for parts, by their texts
 * @typedef {{ lang: Language, file: string, receipt: Receipt | null, told: Told, gone: boolean }} State
 */

const t = words({
  receipt: ["Receipt", "收據"], loading: ["Loading…", "載入中…"], print: ["Print", "列印"],
  gone: ["This link is no receipt of this house, or it has ended. A file that was saved stays good.",
    "此連結並非本場收據，或已過期。已儲存的檔案仍然有效。"],
  wager: ["Wager on {1}, round {0}", "第 {0} 局 {1} 的投注"], round: ["Round {0}", "第 {0} 局"],
  voucher: ["Voucher", "票券"], session: ["Session {0}", "時段 {0}"], shoe: ["Shoe {0}", "第 {0} 靴"],
  pending: ["Recorded; proof follows within a minute", "已記錄；證明將於一分鐘內提供"],
  pending_text: ["The house has signed for it. This page asks again by itself.", "本場已簽署。此頁會自動更新。"],
  witnessed: ["In the log, and seen by witnesses", "已在記錄簿內，並有見證"],
  witnessed_text: ["Witnesses named by the house: {0}.", "本場指明的見證人：{0}。"],
  unwitnessed: ["In the log; unwitnessed", "已在記錄簿內；無見證"],
  unwitnessed_text: ["The house names no witness: it alone says that this was recorded.", "本場未指明見證人：只有本場聲稱已作記錄。"],
  demonstration: ["In the log; the witness is run by this computer, proves nothing", "已在記錄簿內；見證人由此電腦運行，不能證明任何事"],
  save: ["Save the receipt", "儲存收據"], verify: ["Verifier", "驗證程式"],
  proven_witnessed: [
    "What is proven: these entries stand in the log that the witnesses saw, and were not changed since.",
    "已證明：這些記錄在見證人所見的記錄簿之內，其後未有更改。"],
  proven_unwitnessed: [
    "What is proven: these entries stand in a log that the house has signed. Nobody else has seen that log.",
    "已證明：這些記錄在本場簽署的記錄簿之內。沒有其他人看過該記錄簿。"],
  proven_demonstration: [
    "What is proven: these entries stand in a log that this computer has signed. Nobody else has seen that log.",
    "已證明：這些記錄在此電腦簽署的記錄簿之內。沒有其他人看過該記錄簿。"],
  proven_pending: [
    "What is proven: the house has signed for these entries. They are not in its log yet.",
    "已證明：本場已簽署這些記錄。它們尚未在記錄簿之內。"],
  not_proven: ["What is not: that none is missing. Nobody proves that.", "未證明：沒有遺漏。無人能證明。"],
  believe_house: ["Whom you must believe: the house. A log that only the house has seen could be written again.",
    "你須相信誰：本場。只有本場看過的記錄簿可以重寫。"],
  believe: [
    "Whom you must believe: one honest witness of those that you name. Not this page: it comes from the " +
      "house. Save the file, and check it with a verifier and a policy that you have from a witness or a " +
      "regulator.",
    "你須相信誰：你所指明的見證人中至少一位誠實。不必相信此頁：此頁由本場提供。請儲存檔案，用驗證程式及由見證人或監管機構取得的政策核對。"],
  redeem: ["A receipt redeems nothing.", "收據不能兌換任何東西。"],
  entry: ["entry {0}", "記錄 {0}"], line: ["{0}, {1}: {2}, {3}", "{0}，{1}：{2}，{3}"],
  wins: ["wins", "贏"], loses: ["loses", "輸"], pushes: ["push", "退回本金"], void: ["returned", "退回"],
  "player-pair": ["Player Pair", "閒對"], "banker-pair": ["Banker Pair", "莊對"], "fortune-six": ["Fortune Six", "幸運六"],
  "super-six-plus": ["Super Six Plus", "超級六 Plus"], "element-bonus": ["Element Bonus", "五行獎"],
});

/** @param {Receipt} receipt */
export const isProven = ({ entries }) => entries.every((entry) => entry.proof);

/** @param {Language} lang @param {Receipt} receipt */
function subject(lang, { what: { kind, round, session, bet, shoe } }) {
  if (kind === "wager") return t(lang, "wager", round, bet);
  if (kind === "round") return t(lang, "round", round);
  if (kind === "session") return t(lang, "session", session);
  return kind === "shoe" ? t(lang, "shoe", shoe) : t(lang, "voucher");
}

/** @param {State} state */
export const pageTitle = ({ lang, receipt }) =>
  [t(lang, "receipt"), receipt ? subject(lang, receipt) : "", "puntobanco"].filter(Boolean).join(" · ");

/** @param {State} state */
export function page({ lang, file, receipt, told, gone }) {
  const about = receipt
    ? html`<h2>${subject(lang, receipt)} · ${
      t(lang, "table", receipt.what.table.replace("table:", ""))} · ${receipt.claim.house}</h2>` : "";
  return html`<header class="top"><pb-logo size="38"></pb-logo><div
    class="what"><h1>${t(lang, "receipt")}</h1>${about}</div>${
    languages(lang)}</header><main class="page">${
    receipt ? body(lang, file, receipt, told) : waits(lang, gone)}</main>`;
}

/** @param {Language} lang @param {boolean} gone */
const waits = (lang, gone) => html`<p role="${gone ? "alert" : "status"}" class="${gone ? "danger" : "muted"}">${
  t(lang, gone ? "gone" : "loading")}</p>`;

/** @param {Language} lang @param {string} file @param {Receipt} receipt @param {Told} told */
const body = (lang, file, receipt, told) => html`${stands(lang, receipt)}
  <div class="ways"><a class="btn primary" href="${file}" download="receipt.json">${t(lang, "save")}</a><a class="btn"
    href="/verify.html">${t(lang, "verify")}</a><button type="button" class="btn" data-act="print"><pb-icon name="print"
    size="20"></pb-icon>${t(lang, "print")}</button></div>
  <table class="facts"><tbody>${receipt.entries.flatMap((entry) => rows(lang, entry, told))}</tbody></table>
  <section class="means"><p><b>${t(lang, `proven_${standing(receipt)}`)}</b></p><p><b>${
    t(lang, "not_proven")}</b></p><p>${t(lang, receipt.claim.says === "witnessed" ? "believe" : "believe_house")}</p>
    <p>${t(lang, "redeem")}</p></section>`;

/** One of "pending", "witnessed", "unwitnessed", "demonstration": every sentence of the page follows it. */
/** @param {Receipt} receipt */
const standing = (receipt) => (isProven(receipt) ? receipt.claim.says : "pending");

/** @param {Language} lang @param {Receipt} receipt */
function stands(lang, receipt) {
  const name = standing(receipt), lines = receipt.claim.policy.split("\n");
  const names = lines.filter((line) => line.startsWith("witness ")).map((line) => line.split(" ")[1]);
  const text = t(lang, name === "demonstration" ? "witnessed_text" : `${name}_text`, names.join(", "));
  return html`<p class="standing ${name === "witnessed" ? "ok" : "warn"}" role="status" data-standing="${name}"><b>${
    t(lang, name)}</b>${text}</p>`;
}

/** @param {Language} lang @param {Entry} entry @param {Told} told */
function rows(lang, { header, parts }, told) {
  const { seq, at } = JSON.parse(header);
  const place = html`<td>${moment(at)}<br>${t(lang, "entry", seq)}</td>`;
  return parts.map(({ part }) => html`<tr>${place}<td>${said(lang, part, told)}</td></tr>`);
}

/** An event in the house's words, as it is recorded until they are there; or a line of one. */
/** @param {Language} lang @param {string} part @param {Told} told */
function said(lang, part, told) {
  if (part.startsWith("[")) return line(lang, JSON.parse(part));
  const words = told[part];
  return words ? either(lang, words.en, words.zh) : JSON.parse(part).event;
}

/** A designer's own bet has its id. @param {Language} lang @param {any[]} found */
function line(lang, found) {
  const [, bet, stake, outcome, won, back, bonus] = Array.isArray(found[0]) ? found[0] : found;
  return t(lang, "line", t(lang, bet), money(stake), t(lang, outcome), money(won + back + bonus));
}
