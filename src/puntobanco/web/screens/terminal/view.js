// The whole terminal from its state: a wide table, or a telephone in one column.
import { html } from "../base/dom.js";
import { said } from "../base/words.js";
import { callout, flag, hand, spots } from "./view-felt.js";
import { clock, counts, doors, game, languages, limits, limitsDoor, meters, otherLanguage, road, roundsSaid, sessionLine, sound, status, strips, tray } from "./view-parts.js";
import { notice, sheet } from "./view-sheets.js";
import { t } from "./words.js";

export function view(s) {
  const shown = s.sheet?.name === "panel" && s.table ? { ...s, sheet: { ...s.sheet, body: panel(s) } } : s;
  return html`<div class="term" data-shape="${s.shape}" data-phase="${s.table?.phase ?? ""}" ${flag("inert", s.sheet)}>${s.shape === "phone" ? phone(s) : wide(s)}</div>${sheet(shown)}`;
}

export const pageTitle = (s) => (s.table ? `${said(s.lang, s.table, "title")} · ${t(s.lang, "table_no", s.table.number)}` : "puntobanco");

const wide = (s) => html`<header class="top" data-key="top">${game(s)}${status(s)}<div class="topr">${clock(s)}${sound(s)}${languages(s)}</div></header>
  ${strips(s)}${s.table ? html`<main class="main" data-key="main"><section class="table felt" data-key="felt"><div class="hands" aria-label="${t(s.lang, "hands")}">${midst(s, 95)}</div>${spots(s)}${byHand(s)}${notice(s)}</section>
  <aside class="side" data-key="side">${panel(s)}${doors(s)}</aside></main>${tray(s, 78)}<footer class="meters" data-key="meters" aria-label="${t(s.lang, "meters")}">${meters(s)}${sessionLine(s)}${limitsDoor(s)}<button type="button" class="btn more" data-act="menu" aria-label="${t(s.lang, "menu_label")}"><pb-icon name="more" size="24"></pb-icon></button></footer>` : empty(s)}`;

// Where nothing is dealt the table says why, in the place of the hands.
function midst(s, size) {
  const { table, lang } = s;
  if (table.phase === "down" || (table.shoe === null && ["waiting", "settled", "void"].includes(table.phase))) {
    const key = table.phase === "down" ? "down" : "shoe_change";
    return html`<div class="instead" data-key="instead"><pb-icon name="${key === "down" ? "lock" : "shoe"}" size="44"></pb-icon><div><b>${t(lang, key)}</b><p>${t(lang, `${key}_sub`)}</p></div></div>`;
  }
  return html`${hand(s, "player", size)}<div class="mid" data-key="mid">${callout(s)}</div>${hand(s, "banker", size)}`;
}

const panel = (s) => html`<section class="roads"><h2>${t(s.lang, "big_road")} <span data-key="${roundsSaid(s)}">${roundsSaid(s)}</span></h2>${road(s, 14, 19.4)}${counts(s)}</section>
  <section class="limits"><h2>${t(s.lang, "limits")} <span>${t(s.lang, "per_spot")}</span></h2>${limits(s)}</section>`;

const phone = (s) => html`<header class="top" data-key="top">${game(s)}${otherLanguage(s)}</header><section class="st" data-key="st">${status(s)}</section>
  ${strips(s)}${s.table ? html`<main class="main" data-key="main"><div class="hands" aria-label="${t(s.lang, "hands")}">${handsOnPhone(s)}</div><section class="roadw" data-key="road"><div class="line"><div class="mid">${callout(s)}</div>${counts(s)}</div>${road(s, 30, 12)}</section>
  <section class="felt felt2" data-key="felt">${spots(s)}</section>${byHand(s)}${notice(s)}</main>${tray(s, 58)}<footer class="meters" data-key="meters" aria-label="${t(s.lang, "meters")}">${meters(s)}<button type="button" class="btn more" data-act="menu" aria-label="${t(s.lang, "menu_label")}"><pb-icon name="more" size="26"></pb-icon></button>${sessionLine(s)}</footer>` : empty(s)}`;

const byHand = (s) => (s.table.by_hand ? html`<p class="by-hand" data-key="by-hand" role="note"><pb-icon name="hand" size="18"></pb-icon>${t(s.lang, "by_hand")}</p>` : "");

function handsOnPhone(s) {
  const { table } = s;
  return table.phase === "down" || (table.shoe === null && ["waiting", "settled", "void"].includes(table.phase)) ? midst(s, 46) : html`${hand(s, "player", 46)}${hand(s, "banker", 46)}`;
}

// Before the first view; where there will be none, why, and where to go.
function empty(s) {
  const why = s.link === "over" && html`<div class="instead" role="alert"><pb-icon name="warn" size="44"></pb-icon><div><b>${t(s.lang, "over")}</b><p>${s.refused ? s.refused.reason ?? t(s.lang, s.refused.key) : ""}</p><p class="ways"><a class="btn" href="/">${t(s.lang, "all_tables")}</a> <a class="btn" href="/enrol">${t(s.lang, "enrol")}</a></p></div></div>`;
  return html`<main class="main loading" data-key="main"><section class="table felt">${why}</section></main>`;
}
