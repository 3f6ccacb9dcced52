// The reports as html: what is asked for, what came of it in figures and charts, then every table. Pure.
import { html, raw } from "../base/dom.js";
import { count, money, moment, signed } from "../base/money.js";
import { staffbar } from "../base/staffbar.js";
import { said } from "../base/words.js";
import { dropChart, keptChart } from "./charts.js";
import { dayOf, kindsOf } from "./reduce.js";
import { betName, gameName, OWED, placeName, section, SECTIONS } from "./sections.js";
import { t } from "./words.js";

/** @import { Liability, Report } from "server" */
/** @import { Html } from "../base/dom.js" */
/** @import { Language } from "../base/words.js" */
/** @import { State } from "./reduce.js" */

/** @param {State} state */
export function view(state) {
  const { me, lang } = state;
  return html`${staffbar({ me, current: "reports", lang })}
    <main class="rep" aria-busy="${String(state.busy)}">${me ? asking(state) : ""}${told(state)}${body(state)}</main>`;
}

const body = (/** @type {State} */ state) =>
  (state.report ? whole(state, state.report) : state.owed ? owed(state, state.owed) : "");

/** @param {State} state */
function told({ lang, busy, said: wrong, report, owed: found }) {
  const text = wrong ? said(lang, wrong) : busy && !report && !found ? t(lang, "reading") : "";
  return html`<p class="told ${wrong ? "danger" : "muted"}" role="status">${text}</p>`;
}

/** @param {State} state */
function asking(state) {
  const { lang, kind } = state;
  return html`<div class="ask" data-key="ask"><h1>${t(lang, "reports")}</h1>
    <div class="seg sm" role="group" aria-label="${t(lang, "report_kind")}">${kindsOf(state).map((one) => html`<button
      type="button" data-act="kind" data-kind="${one}" aria-pressed="${String(one === kind)}">${t(lang, one)}</button>`)}</div>
    ${kind === "liability" ? "" : days(state)}
    <div class="saves"><button type="button" class="btn sm" data-act="save"
      data-form="csv">${t(lang, "save", "CSV")}</button>
    ${kind === "liability" ? "" : html`<button type="button" class="btn sm" data-act="save"
      data-form="pdf">${t(lang, "save", "PDF")}</button>`}
    <button type="button" class="btn sm primary" data-act="print">${t(lang, "print")}</button></div></div>`;
}

/** @param {State} state */
function days(state) {
  const { lang, today } = state, day = dayOf(state);
  const step = (by, sign, word, off) => html`<button type="button" class="btn sm" data-act="beside" data-by="${by}"
    aria-label="${t(lang, word)}" ${off ? html`disabled` : ""}>${sign}</button>`;
  return html`<div class="days">${step(-1, "‹", "day_before", !day)}<label class="sr"
    for="day">${t(lang, "day_of")}</label><input class="in" type="date" id="day" value="${day}" max="${today}">${step(1, "›", "day_after", !day || day >= today)}</div>`;
}

/** @type {(name: string, value: unknown) => Html} */
const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** @param {State} state @param {Report} report */
function heading(state, report) {
  const { lang, me } = state, since = report.kind === "life" ? t(lang, "the_beginning") : moment(report.start);
  return html`<header class="head" data-key="head"><h2>${t(lang, `title_${report.kind}`)}
      ${report.demo ? html`<span class="demo">${t(lang, "demo_says")}</span>` : ""}</h2>
    <dl>${fact(t(lang, "house"), report.house)}${
      fact(t(lang, "interval"), t(lang, "from_to", since, moment(report.end)))}${
      fact(t(lang, "day_of"), t(lang, "starts_at", report.day_starts))}${fact(t(lang, "made"), moment(report.at))}${
      fact(t(lang, "program"), report.program)}${fact(t(lang, "tie_out"), tied(lang, report))}</dl>
    <p class="dim">${t(lang, "times", me?.zone ?? "UTC")}</p></header>`;
}

/** @param {Language} lang @param {Partial<Report>} report */
function tied(lang, { ties_out: holds, compared, faults }) {
  const wrong = html`<span lang="en">${(faults ?? []).join("; ")}</span>`;
  if (!holds) return html`<b class="danger">${t(lang, "ties_not")}</b> ${wrong}`;
  const many = compared ? t(lang, "ties_n", count(compared)) : "";
  return html`<span class="ok">${t(lang, "ties")}</span>${many}`;
}

const sum = (rows, field) => rows.reduce((all, row) => all + row[field], 0);
const tile = (/** @type {string} */ name, /** @type {string} */ value, look = "") => html`<div class="panel tile"><span
  class="eyebrow">${name}</span><b class="${look}">${value}</b></div>`;

/** @param {State} state @param {Report} report */
function tiles({ lang }, { games, drop, vouchers, drawers }) {
  const win = sum(games, "win_cents"), dropped = sum(drop, "drop_cents"), off = sum(drawers, "difference_cents");
  const hundredths = dropped ? Math.round((sum(drop, "win_cents") * 10_000) / dropped) : null;
  const hold = hundredths === null ? "–" : `${(hundredths / 100).toFixed(2).replace("-", "\u2212")} %`;
  return html`<div class="tiles" data-key="tiles">${tile(t(lang, "rounds"), count(sum(games, "rounds")))}${
    tile(t(lang, "wagered"), money(sum(games, "wagered_cents")))}${
    tile(t(lang, "win"), signed(win), win < 0 ? "danger" : "")}${
    tile(t(lang, "drop"), money(dropped))}${tile(t(lang, "hold"), hold)}${
    tile(t(lang, "owed"), money(sum(vouchers, "out_cents")))}${
    tile(t(lang, "drawers_off"), signed(off), off ? "warn" : "")}</div>`;
}

/** @param {State} state @param {Report} report */
function charts(state, report) {
  const { lang } = state, placed = (row, name) => t(lang, "of_table", placeName(state, row.table), name);
  const figure = (key, drawn, note = "") => (drawn ? html`<figure class="panel ch" data-key="${key}"><figcaption><h2>${
    t(lang, key)}</h2></figcaption>${raw(drawn)}${note ? html`<p class="dim">${note}</p>` : ""}</figure>` : "");
  const games = report.games.map((row) => ({ ...row, name: placed(row, gameName(state, row)) }));
  const bets = report.bets.map((row) => ({ ...row, name: placed(row, betName(state, row)) }));
  const kept = keptChart(lang, t(lang, "kept_chart"), games);
  return html`<div class="charts">${figure("kept_chart", kept, t(lang, "few"))}${
    figure("kept_bets", keptChart(lang, t(lang, "kept_bets"), bets))}${
    figure("drop_chart", dropChart(lang, t(lang, "drop_chart"), report.drop))}</div>`;
}

/** @param {State} state @param {Report} report */
const whole = (state, report) => html`${heading(state, report)}${tiles(state, report)}${charts(state, report)}${
  SECTIONS.map(({ key, rows, columns }) => section(state, key, rows(report), columns))}`;

/** @param {State} state @param {Liability} found */
function owed(state, found) {
  const { lang, me } = state;
  const foot = html`<tr class="sum"><th scope="row">${t(lang, "total")}</th><td></td><td
    class="r">${money(found.open_cents)}</td><td></td><td class="r">${money(found.expired_cents)}</td></tr>`;
  return html`<header class="head" data-key="head"><h2>${t(lang, "title_liability")}
      ${found.demo ? html`<span class="demo">${t(lang, "demo_says")}</span>` : ""}</h2>
    <dl>${fact(t(lang, "house"), found.house)}${fact(t(lang, "made"), moment(found.at))}${
      fact(t(lang, "c_ledger"), money(found.ledger_cents))}${fact(t(lang, "tie_out"), tied(lang, found))}</dl>
    <p class="dim">${t(lang, "times", me?.zone ?? "UTC")}</p></header>${
    section(state, "liability", found.rows, OWED, foot)}`;
}
