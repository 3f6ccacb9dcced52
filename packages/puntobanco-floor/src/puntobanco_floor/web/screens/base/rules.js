// The rules of a table as every screen draws them, and the chip of a clause, which opens them there. Pure.
import { html } from "./dom.js";
import { dollars } from "./money.js";
import { pageLanguage, said, words } from "./words.js";

/** @import { RulesView, TableView } from "server" */
/** @import { Language } from "./words.js" */

export const t = words({
  rules: ["Rules", "規則"], clause: ["Clause", "條款"],
  opens: ["{0}, read the rules", "{0}，閱讀規則"], loading: ["Loading…", "載入中…"], close: ["Close", "關閉"],
  no_answer: ["The server does not answer.", "伺服器沒有回應。"],
  not_listed: ["“{0}” has no line of its own on this page.", "本頁沒有「{0}」的單獨條目。"],
  other_game: [
    "This table plays another game now: the round that you look at was played by other rules.",
    "本賭枱現為另一遊戲：所查看的牌局按另一套規則進行。",
  ],
  house_policy: ["House policy at this table", "本賭枱的本場規定"],
  bet: ["Bet", "投注"], least: ["At least", "最少"], most: ["At most", "最多"], steps: ["In steps of", "每級"],
  shut: ["closed", "已關閉"],
  policy_most: ["One patron's wagers in a round: at most {0}.", "每位客人每局投注總額最多 {0}。"],
  policy_apart: [
    "Wagers of all patrons on Player and Banker: at most {0} apart.", "本賭枱閒與莊的投注總額相差最多 {0}。",
  ],
  policy_table: [
    "All wagers at this table together can win at most {0} in a round; what goes beyond is refused.",
    "本賭枱每局全部投注可贏總額最多 {0}；超出者不獲接受。",
  ],
  policy_back: [
    "Until bets close a wager may be taken back, whatever others have staked.",
    "截止投注前可撤回投注，不論其他客人如何投注。",
  ],
  policy_hand: [
    "More than {0} is paid out by hand, by two of the staff, and not as a voucher.",
    "兌現超過 {0} 者由兩名職員人手支付，不發票券。",
  ],
  policy_voucher: ["A voucher is good for {0} days.", "票券有效期為 {0} 日。"],
});

// Parts that a rulebook prints without a number, by its own heading: as `base/citations.py` has them.
const HEADINGS = {
  "1:baccarat-table-of-play": ["1, Baccarat Table of Play", "1 補牌規則"], "1:bet": ["1, Bet", "1 投注"],
  "1:card-shoe": ["1, Card Shoe", "1 牌靴"],
  "1:electronic-card-shuffler": ["1, Electronic Card Shuffler", "1 電子洗牌機"], "1:house": ["1, House", "1 本場"],
  "1:natural": ["1, Natural", "1 例牌"], "1:non-commission": ["1, Non-Commission", "1 免佣"],
  "1:original-bet": ["1, Original Bet", "1 原注"], "1:player": ["1, Player", "1 客人"],
  "1:pair": ["1, Player Pair or Banker Pair", "1 閒對或莊對"], "1:player-terminal": ["1, Player Terminal", "1 終端機"],
  "1:point-total": ["1, Point Total", "1 點數"], "1:reconstruction": ["1, Reconstruction", "1 還原"],
  "1:round-of-play": ["1, Round of play", "1 牌局"], "1:super-six-plus": ["1, Super Six Plus", "1 超級六 Plus"],
  "1:tie": ["1, Tie", "1 和局"], "1:void": ["1, Void", "1 作廢"],
  "3.9:table": ["3.9, Table of Play", "3.9 補牌規則"], house: ["house", "本場"],
};
const HOUSE_PROCEDURE = [19, 20, 21, 23, 28, 29, 30, 31, 37, 39, 40, 45, 46, 47, 48];
const OURS = { procedure: ["house procedure {0}", "本場程序 {0}"], reading: ["our reading {0}", "詮釋 {0}"] };
const own = words({ ...HEADINGS, ...OURS });

/**
 * A clause as people read it: as the rulebook prints it; what is the floor's own is said to be so.
 * @param {Language} lang @param {string} clause
 */
export function cited(lang, clause) {
  const number = Number(/^reading (\d+)$/.exec(clause)?.[1]);
  if (number) return own(lang, HOUSE_PROCEDURE.includes(number) ? "procedure" : "reading", number);
  return clause in HEADINGS ? own(lang, clause) : clause;
}

/** A real button. `text` is what it shows, `table` whose rules it means where a screen has several tables; `off` where
 * nothing can be asked now. */
/**
 * @param {Language} lang @param {string} [clause]
 * @param {{ text?: string, table?: string | number, game?: string, off?: boolean }} [more]
 */
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
/** @param {string} clause @param {{ table?: string, game?: string, lang?: Language }} [more] */
export const clauseMark = (clause, { table = "", game = "", lang = pageLanguage() } = {}) =>
  (clause ? html`<span class="clause" ${leads(clause, table, game)}>${cited(lang, clause)}</span>` : "");

const leads = (clause, table, game) => html`data-act="clause" data-clause="${clause}"${
  table ? html` data-table="${table}"` : ""}${game ? html` data-game="${game}"` : ""}`;

/** Each clause is a place on the page. @param {string} clause */
export const clauseId = (clause) => `clause-${String(clause).replace(/[^A-Za-z0-9]+/g, "-")}`;


/** Whether the page has a place for a clause. */
export const isListed = (page, clause) =>
  page.sections.some(({ rows }) => rows.some((row) => row.clause === clause));

/** Where a clause is read: in the rule's own words, if the page has them; else in every line that cites it, as what a
 * bet pays. */
function linesOf(sections, clause) {
  const cite = (found) => found.flatMap(({ rows }) => rows.filter((row) => row.clause === clause));
  const rule = cite(sections.filter(({ columns }) => columns.length === 1));
  return rule.length ? rule : cite(sections);
}

/** The page of `GET /api/tables/N/rules`, with the lines of a clause marked. */
export function rulesPage(lang, page, clause = "") {
  const marked = linesOf(page.sections, clause);
  const row = (line) => {
    const first = linesOf(page.sections, line.clause)[0] === line;
    return ruleRow(lang, line, { first, here: marked.includes(line) });
  };
  const sections = page.sections.map((section) => ruleSection(lang, section, section.rows.map(row)));
  return html`<p class="muted">${said(lang, page.heading)}</p>${sections}`;
}

function ruleRow(lang, { cells, clause }, { first, here }) {
  const place = first ? html`id="${clauseId(clause)}"` : "";
  const all = cells.map((cell) => html`<td>${said(lang, cell)}</td>`);
  return html`<tr ${place} class="${here ? "here" : ""}"${here && first ? html` tabindex="-1"` : ""}>${all}<td
    class="r"><span class="clause">${cited(lang, clause)}</span></td></tr>`;
}

function ruleSection(lang, section, rows) {
  const heads = section.columns.map((column) => html`<th scope="col">${said(lang, column)}</th>`);
  return html`<section><h3>${said(lang, section.title)}</h3><table
    class="t"><thead><tr>${heads}<th scope="col"
    class="r">${t(lang, "clause")}</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

/**
 * What a patron can know before betting that no rulebook has: limits, and how winnings are paid out.
 * @param {Language} lang @param {TableView} table @param {RulesView} page
 */
export function tableTerms(lang, table, { voucher_days: days }) {
  const { patron_max_cents, differential_cents, exposure_max_cents, hand_pay_cents } = table;
  const lines = [t(lang, "policy_most", dollars(patron_max_cents))];
  lines.push(t(lang, "policy_table", dollars(exposure_max_cents)));
  if (differential_cents !== null) lines.push(t(lang, "policy_apart", dollars(differential_cents)));
  lines.push(t(lang, "policy_back"));
  if (hand_pay_cents) lines.push(t(lang, "policy_hand", dollars(hand_pay_cents)));
  lines.push(t(lang, "policy_voucher", days));
  return html`<section class="policy"><h3>${t(lang, "house_policy")}</h3>${limitTable(lang, table.bets)}${
    lines.map((line) => html`<p>${line}</p>`)}</section>`;
}

function limitTable(lang, bets) {
  const heads = ["bet", "least", "most", "steps"].map((key) => html`<th scope="col">${t(lang, key)}</th>`);
  const row = (bet) => html`<tr><th scope="row">${said(lang, bet.title)}</th>${limitCells(lang, bet.limits)}</tr>`;
  return html`<table class="t"><thead><tr>${heads}</tr></thead><tbody>${bets.map(row)}</tbody></table>`;
}

function limitCells(lang, { min_cents, max_cents, step_cents, closed }) {
  if (closed) return html`<td colspan="3">${t(lang, "shut")}</td>`;
  return [min_cents, max_cents, step_cents].map((cents) => html`<td>${dollars(cents)}</td>`);
}
