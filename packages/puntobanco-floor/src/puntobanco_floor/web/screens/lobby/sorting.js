// In which order the lobby shows its tables, and which of them; the streak that a table's road ends with. Pure.
import { html } from "../base/dom.js";
import { either } from "../base/words.js";
import { streakOf } from "../kit/streaks.js";
import { titleParts } from "../kit/names.js";
import { t } from "./words.js";

/** @import { LobbyTable } from "server" */
/** @import { Language } from "../base/words.js" */
/** @import { State } from "./reduce.js" */
/** @typedef {"number" | "streak" | "least"} Order */

/** @type {Order[]} */
export const ORDERS = ["number", "streak", "least"];
const FITTING = 6; // tables that are seen at once

const lengthOf = (/** @type {LobbyTable} */ { big }) => streakOf(big)?.length ?? 0;
/** @type {Record<Order, (a: LobbyTable, b: LobbyTable) => number>} */
const BY = {
  number: (a, b) => a.number - b.number,
  streak: (a, b) => lengthOf(b) - lengthOf(a) || a.number - b.number,
  least: (a, b) => a.min_cents - b.min_cents || a.number - b.number,
};

/** Those that are asked for, in the order that is asked for. @param {State} state @returns {LobbyTable[]} */
export function shownTables({ view, order, only }) {
  const all = view?.tables ?? [], isThere = all.some(({ game }) => game === only);
  return all.filter(({ game }) => !isThere || game === only).sort(BY[order]);
}

/** Where all tables are seen at once nobody needs it. @param {State} state */
export function sorting({ lang, view, order, only }) {
  const tables = view?.tables ?? [];
  if (tables.length <= FITTING) return "";
  const games = [...new Map(tables.map((table) => [table.game, table])).values()];
  const choice = (/** @type {Order} */ one) => html`<button type="button" data-act="order" data-order="${one}"
    aria-pressed="${String(one === order)}">${t(lang, `by_${one}`)}</button>`;
  const game = (/** @type {LobbyTable} */ table) => html`<option value="${table.game}">${nameOf(table, lang)}</option>`;
  return html`<div class="sorting" data-key="sorting"><div class="seg"
    role="group" aria-label="${t(lang, "order")}">${ORDERS.map(choice)}</div><label class="only"><span
    class="sr">${t(lang, "only")}</span><select class="in" data-only data-set="${only}"><option
    value="">${t(lang, "all_games")}</option>${games.map(game)}</select></label></div>`;
}

/** @param {LobbyTable} table @param {Language} lang */
function nameOf(table, lang) {
  const { name, zh } = titleParts(table.title);
  return zh ? either(lang, name, zh) : name;
}

/** "Banker 6 in a row", marked where the road is long. @param {LobbyTable} table @param {Language} lang */
export function streakTag({ big }, lang) {
  const found = streakOf(big);
  if (!found) return "";
  const key = found.kind === "run" && found.long ? "long_run" : `streak_${found.kind}`;
  const text = t(lang, key, found.length, t(lang, found.side)), title = t(lang, found.long ? "long_road" : "past_only");
  return html`<span class="streak ${found.kind === "run" ? `${found.side[0]}-ink` : ""}${found.long ? " long" : ""}"
    data-streak="${found.kind} ${found.length}" title="${title}">${text}</span>`;
}
