// The lobby from its state: a tile a table, with what it announces, its big road, counts, limits and a way to sit down.
import { html } from "../base/dom.js";
import { languages } from "../base/languages.js";
import { dollars, time } from "../base/money.js";
import { sightSwitches } from "../base/sight.js";
import { either, han, hanTag, isChinese, TAGS, said } from "../base/words.js";
import { outcome, rulesLine, titleParts, winnerOf } from "../kit/names.js";
import { seal } from "../kit/seals.js";
import { isFull, mine, seatsSaid, way } from "./mine.js";
import { isStale, mayPlay } from "./reduce.js";
import { shownTables, sorting, streakTag } from "./sorting.js";
import { t } from "./words.js";

/** @import { LobbyTable } from "server" */
/** @import { Language } from "../base/words.js" */
/** @import { State } from "./reduce.js" */

const COLUMNS = 24;
const SAMPLES = {
  standard: [["Ks", "6h", "Ac"], ["Qh", "9c", "As"], ["Jd", "6s", "Ah"]],
  "five-elements": [["Ff", "9a", "Ag"], ["Lw", "6e", "Af"]],
};

/** What a table announces now: a tone, the words, and when bets close. */
/**
 * @param {LobbyTable} table
 * @param {Language} lang
 * @returns {{ tone: string, text: string, more?: string, ends?: number | null }}
 */
export function announced(table, lang) {
  const { phase, last } = table;
  const between = ["waiting", "settled", "void"].includes(phase);
  const closed = ["closed", "dealing"].includes(phase);
  if (phase === "down") return { tone: "", text: t(lang, "down") };
  if (phase === "stopped") return { tone: "warn", text: t(lang, "stopped") };
  if (between && table.halted) {
    return { tone: "warn", text: t(lang, haltedKey(table)), more: said(lang, table.halted) };
  }
  const more = table.closing ? { more: t(lang, "closes_after") } : {};
  if (phase === "betting") {
    return { tone: "ok", text: t(lang, "open", table.announce_open), ends: table.closes_at, ...more };
  }
  if (closed) return { tone: "warn", text: t(lang, "closed", table.announce_close), ...more };
  if (phase === "void") return { tone: "info", text: t(lang, "void", table.round) };
  if (phase === "settled" && last && winnerOf(last.result)) return { tone: "info", text: outcome(last, lang) };
  return { tone: "", text: t(lang, table.shoe === null ? "shoe_change" : "waiting") };
}

const haltedKey = ({ closing }) => (closing ? "closing" : "halted");

/** @param {State} state */
export function page(state, now) {
  const { lang, view } = state;
  const tables = view?.tables ?? [];
  return html`
    <header class="top">
      <pb-logo size="38"></pb-logo>
      <h1>${t(lang, "title")}</h1>
      <span class="about muted">${view ? about(lang, view.house, tables.length) : ""}</span>
      ${view?.demo ? demo(lang) : ""}
      <span class="grow"></span>
      ${state.device?.terminal ? html`<span class="muted">${t(lang, "terminal", state.device.terminal)}</span>` : ""}
      <b class="clock">${time(now)}</b>
      <span class="sights">${sightSwitches(lang, state)}</span>
      ${languages(lang)}
    </header>
    <div class="said" role="status">${bars(state)}</div>
    ${mine(state)}
    <main class="g${isStale(state) ? " stale" : ""}" id="tables" data-count="${tables.length}">
      ${view ? [sorting(state), shownTables(state).map((table) => tile(state, table))] : ""}
      ${view ? before(lang, tables, view.odds) : ""}
    </main>`;
}

const about = (lang, house, tables) =>
  html`${house} · ${tables === 1 ? t(lang, "one_table") : t(lang, "tables", tables)}`;
const demo = (lang) =>
  html`<span class="play"><b class="demo">DEMO</b> <span class="muted worth">${t(lang, "play_credits")}</span></span>`;

/** @param {State} state */
function bars(state) {
  const { lang, view } = state;
  const lines = [];
  if (isStale(state)) lines.push(bar("danger", "off", staleness(state)));
  else if (!view) lines.push(bar("", "wifi", t(lang, "connecting")));
  if (view?.stopped) lines.push(bar("warn", "pause", t(lang, "house_stopped", said(lang, view.stopped))));
  if (state.refused) lines.push(bar("warn", "warn", said(lang, state.refused.reason)));
  if (view && !view.demo && state.device && !state.device.terminal) lines.push(notEnrolled(lang));
  if (view && !view.tables.length) lines.push(bar("", "info", t(lang, "none")));
  return lines;
}

const bar = (tone, icon, text) =>
  html`<p class="bar ${tone}"><pb-icon name="${icon}" size="22"></pb-icon><b>${text}</b></p>`;
const staleness = ({ lang, at }) => (at ? t(lang, "stale", time(at)) : t(lang, "stale_never"));

function notEnrolled(lang) {
  const why = html`<span><b>${t(lang, "not_enrolled")}</b> ${t(lang, "how_to_enrol")}</span>`;
  const way = html`<a class="btn" href="/enrol">${t(lang, "enrol")}</a>`;
  return html`<p class="bar info"><pb-icon name="lock" size="22"></pb-icon>${why}${way}</p>`;
}

/** @param {State} state */
function tile(state, table) {
  const { lang } = state;
  const off = table.phase === "down";
  return html`<article class="c${off ? " off" : ""}" data-key="${table.table}" aria-labelledby="name-${table.number}">
    <div class="hd">
      <div class="grow">
        ${heading(table, lang)}
        <p class="v">${t(lang, "table", table.number)} · ${rulesLine(table.rules, TAGS[lang])}</p>
      </div>
      <div class="deck" aria-hidden="true">${samples(table)}</div>
    </div>
    ${announcement(table, lang)}
    <pb-road kind="big" cells="${JSON.stringify(table.big)}" columns="${COLUMNS}" cell="15.2" last
      lang="${TAGS[lang]}"></pb-road>
    ${counts(table, lang)}
    ${foot(state, table, mayPlay(state) && !off)}
  </article>`;
}

function samples({ deck, number }) {
  const hands = SAMPLES[deck] ?? SAMPLES.standard;
  return hands[number % hands.length].map((code) => html`<pb-card code="${code}" size="26"></pb-card>`);
}

function announcement(table, lang) {
  const { tone, text, ends, more } = announced(table, lang);
  const why = more ? html`<small class="muted" title="${more}">${more}</small>` : "";
  const total = table.betting_ms;
  return html`<div class="mt now"><span class="pill ${tone}"><i class="dot"></i><span>${text}</span></span>${why}
      ${ends ? html`<pb-ring ends="${ends}" total="${total}" size="38" lang="${TAGS[lang]}"></pb-ring>` : ""}</div>`;
}

function counts(table, lang) {
  const { banker, player, tie } = table.counts;
  const sides = [
    count(lang, "banker", "莊", banker),
    count(lang, "player", "閒", player),
    count(lang, "tie", "和", tie),
  ];
  const by = table.dealt_by === "dealer" ? html`${t(lang, "dealer")} · ` : "";
  return html`<div class="mt counts">${sides}
      <span class="grow"></span>${streakTag(table, lang) || html`<span class="muted round">${by}${
        t(lang, "round", table.round)}</span>`}</div>`;
}

/** @param {State} state @param {LobbyTable} table @param {boolean} sits */
function foot(state, table, sits) {
  const { lang } = state, { number } = table;
  const range = `${dollars(table.min_cents)} – ${dollars(table.max_cents)}`;
  const limits = html`<b><span class="sr">${t(lang, "limits")}</span> ${range}</b>`;
  const display = t(lang, "display", number);
  return html`<div class="f">
      <div class="lim">${limits}<br><span class="${isFull(table) ? "warn" : ""}">${
        seatsSaid(lang, table)}</span>${closedBets(table, lang)}</div>
      <a class="btn show" href="/tables/${number}/display" aria-label="${display}"
        title="${display}"><pb-icon name="eye" size="20"></pb-icon></a>
      ${way(state, table, sits)}
    </div>`;
}

function closedBets({ closed }, lang) {
  if (!closed?.length) return "";
  const names = closed.map((title) => said(lang, title)).join(isChinese(lang) ? "、" : ", ");
  return html`<br><span class="warn" title="${names}">${t(lang, "closed_bets", names)}</span>`;
}

function heading(table, lang) {
  const { name, zh } = titleParts(table.title);
  const chinese = html`<span class="cjk" lang="${hanTag(lang)}">${han(lang, zh)}</span>`;
  const both = [html`<span lang="en">${name}</span>`, zh ? chinese : ""];
  const [first, second] = isChinese(lang) && zh ? both.reverse() : both;
  return html`<h2 id="name-${table.number}">${first} <span class="second">${second}</span></h2>`;
}

const INK = { banker: "b-ink", player: "p-ink", tie: "t-ink" };
function count(lang, side, zh, n) {
  const mark = html`<span class="cjk" lang="${hanTag(lang)}" aria-hidden="true">${seal(zh, lang)}</span>`;
  const name = html`<span class="sr">${t(lang, side)}</span>`;
  return html`<b class="${INK[side]}">${mark} ${name}<span data-count="${side}">${n}</span></b>`;
}

// It lies across under the tiles.
function before(lang, tables, odds) {
  const way = odds ? html`<a class="btn" href="/odds">${t(lang, "odds")}</a>` : "";
  return html`<article class="c inf" data-key="before">
    <h2>${t(lang, "before")}</h2><p class="muted">${t(lang, "past")}</p>
    <nav class="ways" aria-labelledby="rules-of"><b id="rules-of">${t(lang, "rules")}</b>${
      games(tables).map((table) => rulesOf(table, lang))}</nav>${way}
  </article>`;
}

/** A table of each game: those that play the same have the same rules. */
export const games = (tables) => tables.filter(({ game }, i) => tables.findIndex((table) => table.game === game) === i);

function rulesOf(table, lang) {
  const { name, zh } = titleParts(table.title);
  return html`<a class="btn" href="/tables/${table.number}/rules">${either(lang, name, zh || name)}</a>`;
}
