// The rules of one table as a page: the game, its rulebook, every rule with its clause, and ways on. Pure.
import { html } from "../base/dom.js";
import { languages } from "../base/languages.js";
import { rulesPage, tableTerms } from "../base/rules.js";
import { said, words } from "../base/words.js";

/** @import { RulesView, TableView, Words as Bilingual } from "server" */
/** @import { Language } from "../base/words.js" */
/**
 * @typedef {{ number: number, lang: Language, clause: string, rules: RulesView | null, table: TableView | null,
 *   wrong: { reason: Bilingual } | null }} State
 */

const t = words({
  rules: ["Rules", "規則"], loading: ["Loading…", "載入中…"], print: ["Print", "列印"], tables: ["All tables", "所有賭枱"],
  sit: ["To the table", "前往賭枱"],
});

/** @param {State} state */
export const pageTitle = ({ lang, number, rules }) =>
  [rules ? said(lang, rules.title) : "", t(lang, "rules"), t(lang, "table", number)].filter(Boolean).join(" · ");

/** @param {State} state */
export function page({ lang, number, clause, rules, table, wrong }) {
  const terms = rules && table ? tableTerms(lang, table, rules) : "";
  const body = rules ? html`<div class="rules">${rulesPage(lang, rules, clause)}${terms}</div>` : waits(lang, wrong);
  return html`<header class="top"><a class="home" href="/" aria-label="${t(lang, "tables")}"><pb-logo
      size="38"></pb-logo></a>
    <div class="what"><h1>${rules ? said(lang, rules.title) : t(lang, "rules")}</h1>
      <h2>${t(lang, "rules")} · ${t(lang, "table", number)}</h2></div>
    <div class="ways"><a class="btn" href="/tables/${number}">${t(lang, "sit")}</a>${printing(lang, rules)}${
      languages(lang)}</div></header>
    <main class="page">${body}</main>`;
}

const printing = (lang, rules) => html`<button type="button" class="btn" data-act="print"
  ${rules ? "" : html`disabled`}><pb-icon name="print" size="20"></pb-icon>${t(lang, "print")}</button>`;

const waits = (lang, wrong) => html`<p role="${wrong ? "alert" : "status"}" class="${wrong ? "danger" : "muted"}">${
  wrong ? said(lang, wrong.reason) : t(lang, "loading")}</p>`;
