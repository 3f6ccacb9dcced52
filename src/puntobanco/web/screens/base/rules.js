// The rules of a table as every screen draws them, and the chip of a clause, which opens them there. Pure.
import { html } from "./dom.js";
import { said, words } from "./words.js";

/** @import { Language } from "./words.js" */

export const t = words({
  rules: ["Rules", "規則"], clause: ["Clause", "條款"], malfunction: ["Malfunction", "故障處理"],
  opens: ["{0}, read the rules", "{0}，閱讀規則"], loading: ["Loading…", "載入中…"], close: ["Close", "關閉"],
  no_answer: ["The server does not answer.", "伺服器沒有回應。"],
  not_listed: ["“{0}” has no line of its own on this page.", "本頁沒有「{0}」的單獨條目。"],
  other_game: [
    "This table plays another game now: the round that you look at was played by other rules.",
    "此枱現為另一遊戲：所查看的牌局按另一套規則進行。",
  ],
});

/**
 * A clause as people read it: readings and house rules are the floor's own, and said so in both languages.
 * @param {Language} lang @param {string} clause
 */
export const cited = (lang, clause) =>
  (lang === "zh" ? clause.replace("reading ", "詮釋 ").replace("house", "本場") : clause);

/** A real button. `text` is what it shows, `table` whose rules it means where a screen has several tables; `off` where
 * nothing can be asked now. */
/** @param {Language} lang @param {string} clause */
export function clauseChip(lang, clause, { text = "", table = "", game = "", off = false } = {}) {
  if (!clause) return "";
  const words_ = text || cited(lang, clause);
  if (off) return html`<span class="clause">${words_}</span>`;
  return html`<button type="button" class="clause" ${leads(clause, table, game)}
    aria-label="${t(lang, "opens", words_)}">${words_}</button>`;
}

/** The same inside something that is pressed itself, where no button may be: for a finger or a mouse.
 *
 * With a keyboard one chooses what it stands in, and has the button beside what is then told of it. */
/** @param {string} clause */
export const clauseMark = (clause, { table = "", game = "" } = {}) =>
  (clause ? html`<span class="clause" ${leads(clause, table, game)}>${clause}</span>` : "");

const leads = (clause, table, game) => html`data-act="clause" data-clause="${clause}"${
  table ? html` data-table="${table}"` : ""}${game ? html` data-game="${game}"` : ""}`;

/** Each clause is a place on the page. @param {string} clause */
export const clauseId = (clause) => `clause-${String(clause).replace(/[^A-Za-z0-9]+/g, "-")}`;

const POLICY = "malfunction";
const word = (lang, [en, zh]) => (lang === "zh" && zh ? zh : en);

/** Whether the page has a place for a clause. */
export const isListed = (page, clause) =>
  clause === POLICY || page.sections.some(({ rows }) => rows.some((row) => row.clause === clause));

/** The page of `GET /api/tables/N/rules`, with the lines of a clause marked. */
export function rulesPage(lang, page, clause = "") {
  const seen = new Set();
  const row = (line) => {
    const first = !seen.has(line.clause);
    seen.add(line.clause);
    return ruleRow(lang, line, { first, here: line.clause === clause });
  };
  const sections = page.sections.map((section) => ruleSection(lang, section, section.rows.map(row)));
  return html`<p class="muted">${said(lang, page, "heading")}</p>${sections}${policy(lang, page, clause === POLICY)}`;
}

function ruleRow(lang, { cells, clause }, { first, here }) {
  const place = first ? html`id="${clauseId(clause)}"` : "";
  const all = cells.map((cell) => html`<td>${word(lang, cell)}</td>`);
  return html`<tr ${place} class="${here ? "here" : ""}"${here && first ? html` tabindex="-1"` : ""}>${all}<td
    class="r"><span class="clause">${cited(lang, clause)}</span></td></tr>`;
}

function ruleSection(lang, section, rows) {
  const heads = section.columns.map((column) => html`<th scope="col">${word(lang, column)}</th>`);
  return html`<section><h3>${said(lang, section, "title")}</h3><table
    class="t"><thead><tr>${heads}<th scope="col"
    class="r">${t(lang, "clause")}</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

const policy = (lang, page, here) => html`<section class="policy ${here ? "here" : ""}" id="${clauseId(POLICY)}"
  tabindex="-1"><h3>${t(lang, "malfunction")}</h3><p>${word(lang, page.malfunction)}</p></section>`;
