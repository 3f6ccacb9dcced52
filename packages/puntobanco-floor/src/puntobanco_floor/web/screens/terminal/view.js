// The whole terminal from its state: a wide table, or a telephone in one column.
import { html } from "../base/dom.js";
import { languages, otherLanguage } from "../base/languages.js";
import { said } from "../base/words.js";
import { withoutOldShoe } from "../kit/new-shoe.js";
import { density, feltRows } from "./layout.js";
import { hintNow } from "./guide.js";
import { limitReached } from "./limits.js";
import { celebration } from "./outcome.js";
import { canBet, isSeen } from "./reduce.js";
import { BESIDE, IN_SHEET, roadsPanel } from "./roads-panel.js";
import { overOf } from "./status.js";
import { callout, flag, hand, spots } from "./view-felt.js";
import {
  clock, counts, doors, game, hint, limits, limitsDoor, meters, road, sessionLine, sound, squeezing,
  status, strips, tray,
} from "./view-parts.js";
import { leaveDoor } from "./view-leave.js";
import { notice, sheet } from "./view-sheets.js";
import { t } from "./words.js";
import { w } from "./words-patron.js";

/** @import { Seen, State } from "./reduce.js" */

/** @param {State} state */
export function view(state) {
  const s = onNewShoe(state);
  const shown = s.sheet?.name === "panel" && isSeen(s) ? { ...s, sheet: { ...s.sheet, body: panel(s, IN_SHEET) } } : s;
  return html`<div class="room"><div class="term" data-shape="${s.shape}" data-phase="${s.table?.phase ?? ""}"
    data-limit="${limitReached(s)}" data-cheer="${
    s.still ? 0 : celebration(s.mine?.lines ?? [])}"
    ${flag("inert", s.sheet)}>${s.shape === "phone" ? phone(s) : wide(s)}</div></div>${sheet(shown)}`;
}

// On a new shoe nothing of the one before lies on the felt, one's own wagers neither.
/** @param {State} s @returns {State} */
function onNewShoe(s) {
  const table = s.table && withoutOldShoe(s.table);
  if (table === s.table) return s;
  return { ...s, table, mine: s.mine && { ...s.mine, wagers: {}, lines: [] } };
}

/** @param {State} s */
export const pageTitle = ({ lang, table }) =>
  table ? `${said(lang, table.title)} · ${t(lang, "table_no", table.number)}` : "puntobanco";

// Wide

/** @param {State} s */
const wide = (s) => html`<header class="top" data-key="top">${game(s)}${status(s)}<div
    class="topr">${clock(s)}${sound(s)}${languages(s.lang)}</div></header>
  ${strips(s)}${isSeen(s) ? wideTable(s) : empty(s)}`;

/** @param {Seen} s */
const wideTable = (s) => html`<main class="main" data-key="main"><section class="table felt" data-key="felt"><div
    class="hands" aria-label="${t(s.lang, "hands")}">${nothingDealt(s) ? instead(s) : handsApart(s)}</div>${
    spots(s)}${byHand(s)}${notice(s)}</section>
  <aside class="side" data-key="side">${panel(s, BESIDE)}${doors(s)}</aside></main>${tray(s, 78)}<footer
    class="meters" data-key="meters" aria-label="${t(s.lang, "meters")}">${
    meters(s)}${sessionLine(s)}${squeezing(s, "slim")}${limitsDoor(s)}${leaveDoor(s, " slim")}${more(s, 24)}</footer>`;

/** @param {Seen} s */
const handsApart = (s) =>
  html`${hand(s, "player", 95)}<div class="mid" data-key="mid">${callout(s)}</div>${hand(s, "banker", 95)}`;

/** @param {Seen} s @param {typeof BESIDE} size */
const panel = (s, size) => html`${roadsPanel(s, size)}
  <section class="limits" tabindex="0" aria-label="${t(s.lang, "limits")}"><h2>${
    t(s.lang, "limits")} <span>${t(s.lang, "per_spot")}</span></h2>${limits(s)}</section>`;

// A telephone

/** @param {State} s */
const phone = (s) => html`<header class="top" data-key="top">${game(s)}${otherLanguage(s)}</header><section
    class="st" data-key="st">${status(s)}</section>
  ${strips(s)}${isSeen(s) ? phoneTable(s) : empty(s)}`;

/** @param {Seen} s */
const phoneTable = (s) => html`<main class="main" data-key="main"><div class="hands"
    aria-label="${t(s.lang, "hands")}">${nothingDealt(s) ? instead(s) : handsTogether(s)}</div><section
    class="roadw" data-key="road"><div class="mid">${
    s.refused ? hint(s) : firstHint(s) ?? callout(s)}</div><div class="past"><button
    type="button" class="past-open" data-act="panel" aria-label="${w(s.lang, "open_roads")}">${
    road(s, ROAD_COLUMNS[density(feltRows(s.table.bets, "phone"))], 12)}</button>${counts(s)}</div></section>
  <section class="felt felt2" data-key="felt">${spots(s)}</section>${byHand(s)}${notice(s)}</main>${tray(s, 58)}<footer
    class="meters" data-key="meters" aria-label="${t(s.lang, "meters")}">${
    meters(s)}${more(s, 26)}${sessionLine(s)}</footer>`;

// A telephone gives its hints above the felt, where the last result stands.
/** @param {Seen} s */
const firstHint = (s) => (canBet(s) ? hintNow(s) : null);

const ROAD_COLUMNS = { roomy: 26, snug: 40, dense: 40 }; // the more there is below it, the lower the strip

/** @param {Seen} s */
const handsTogether = (s) => html`${hand(s, "player", 46)}${hand(s, "banker", 46)}`;

// Both

/** @param {Seen} s */
const nothingDealt = ({ table: { phase, shoe } }) =>
  phase === "down" || (shoe === null && ["waiting", "settled", "void"].includes(phase));

// Where nothing is dealt the table says why, in the place of the hands.
/** @param {Seen} s */
function instead({ lang, table }) {
  const [key, icon] = table.phase === "down" ? ["down", "lock"] : ["shoe_change", "shoe"];
  return html`<div class="instead" data-key="instead"><pb-icon name="${icon}"
    size="44"></pb-icon><div><b>${t(lang, key)}</b><p>${t(lang, `${key}_sub`)}</p></div></div>`;
}

/** @param {Seen} s */
function byHand({ lang, table }) {
  if (!table.keyed.length) return "";
  return html`<p class="by-hand" data-key="by-hand" role="note"><pb-icon name="hand"
    size="18"></pb-icon>${t(lang, "by_hand")}</p>`;
}

/** @param {State} s */
const more = (s, size) => html`<button type="button" class="btn more" data-act="menu"
  aria-label="${t(s.lang, "menu_label")}"><pb-icon name="more" size="${size}"></pb-icon></button>`;

// Before the first view; where there will be none, why, and where to go.
/** @param {State} s */
const empty = (s) => html`<main class="main loading" data-key="main"><section
  class="table felt">${s.link === "over" && whyOver(s)}</section></main>`;

/** @param {State} s */
function whyOver(s) {
  const { lang } = s, { title, why } = overOf(s);
  return html`<div class="instead" role="alert"><pb-icon name="warn"
    size="44"></pb-icon><div><b>${title}</b><p>${why}</p><p class="ways"><a
    class="btn" href="/">${t(lang, "all_tables")}</a> <a
    class="btn" href="/enrol">${t(lang, "enrol")}</a></p></div></div>`;
}
