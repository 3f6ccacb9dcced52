// My table in the lobby: where this patron sits, with how much, and the ways from there: back, to another table, out.
import { html } from "../base/dom.js";
import { dollars, money } from "../base/money.js";
import { said } from "../base/words.js";
import { t } from "./words.js";

/** @import { LobbyTable, SessionView } from "server" */
/** @import { Language } from "../base/words.js" */
/** @import { State } from "./reduce.js" */

/** Where this patron sits; of several seats the one with credits. @param {State} state @returns {SessionView | null} */
export function seatOf({ me }) {
  const seats = (me?.tables ?? []).filter(({ seated }) => seated);
  return seats.find(({ balance_cents, moving_to }) => balance_cents > 0 || moving_to) ?? seats[0] ?? null;
}

export const numberOf = (/** @type {SessionView} */ { table }) => Number(table.split(":")[1]);

/** @param {SessionView} seat */
export const isInPlay = ({ wagers }) => Object.keys(wagers).length > 0;

/** @param {State} state */
export function mine(state) {
  const { lang, leaving, view } = state, seat = seatOf(state);
  if (!seat || !view) return "";
  const number = numberOf(seat), table = view.tables.find((one) => one.number === number);
  const name = table ? said(lang, table.title) : "";
  return html`<section class="mine" aria-labelledby="my-table">
    <h2 id="my-table">${t(lang, "my_table", number)}<small>${name}</small></h2>
    <p class="has"><b data-credits>${money(seat.balance_cents)}</b> ${t(lang, "credits")}${ownLimit(state, seat)}</p>
    ${seat.moving_to ? onTheWay(lang, seat) : ""}
    <span class="grow"></span>
    <a class="btn" href="/tables/${number}">${t(lang, "back")}</a>${
    leaving ? "" : leave(lang, seat, state.busy)}
    ${leaving ? ways(lang, number, state.busy) : ""}</section>`;
}

/** @param {Language} lang @param {SessionView} seat */
function onTheWay(lang, { moving_to: to, moving_cents: cents }) {
  return html`<p class="way" role="status">${t(lang, "on_the_way", money(cents), to.split(":")[1])}</p>`;
}

// With credits, how they leave is asked first.
/** @param {Language} lang @param {SessionView} seat @param {boolean} busy */
function leave(lang, seat, busy) {
  const off = busy || isInPlay(seat) || Boolean(seat.moving_to || seat.held_cents);
  const why = isInPlay(seat) ? html` <small>${t(lang, "after_round")}</small>` : "";
  return html`<button type="button" class="btn" data-act="leave"
    ${off ? html`disabled` : ""}>${t(lang, "leave")}${why}</button>`;
}

/** @param {Language} lang */
const ways = (lang, number, busy) => html`<div class="out" role="group" aria-label="${t(lang, "leave")}">
    <p>${t(lang, "leave_how")}</p><a class="btn primary" href="/tables/${number}#cash"
      ${busy ? html`aria-disabled="true"` : ""}>${t(lang, "cash")}</a><button
      type="button" class="btn" data-act="stay">${t(lang, "stay")}</button></div>`;

// What is left of the loss that the patron allows himself: of the day, with what this visit has won or lost.
/** @param {State} state @param {SessionView} seat */
function ownLimit({ lang, me }, seat) {
  const limits = me?.limits;
  if (!limits || limits.loss_cents === null) return "";
  const left = Math.max(0, limits.loss_cents - limits.lost_cents + Math.min(0, seat.net_cents));
  return html` <span class="muted">· ${t(lang, "loss_left", dollars(left), dollars(limits.loss_cents))}</span>`;
}

/** @param {LobbyTable} table */
export const isFull = ({ seats, seated }) => seats > 0 && seated >= seats;

/** How many sit there, or how many seats are free. @param {Language} lang @param {LobbyTable} table */
export function seatsSaid(lang, table) {
  if (!table.seats) return t(lang, "seated", table.seated);
  return t(lang, isFull(table) ? "full" : "seats_free", Math.max(0, table.seats - table.seated), table.seats);
}

/**
 * The way to a table: sit down there, move there, back to it, or look on.
 * @param {State} state
 * @param {LobbyTable} table
 * @param {boolean} sits whether this device may play, at a table that is open
 */
export function way(state, table, sits) {
  const { lang } = state, { number } = table, seat = seatOf(state), name = said(lang, table.title);
  const link = (/** @type {string} */ key, /** @type {string} */ to, primary = "") => html`<a class="btn go${primary}"
    href="${to}" aria-label="${t(lang, "sit_at", t(lang, key), number, name)}">${t(lang, key)}</a>`;
  if (seat && numberOf(seat) === number) return link("back", `/tables/${number}`, " primary");
  if (!sits || isFull(table)) return link("look", `/tables/${number}`);
  if (!seat) return link("sit", `/tables/${number}#sit`, " primary");
  const off = state.busy || Boolean(table.halted) || isInPlay(seat) || Boolean(seat.moving_to || seat.held_cents);
  const why = isInPlay(seat) ? html`<small>${t(lang, "after_round")}</small>` : "";
  return html`<button type="button" class="btn go primary" data-act="move" data-table="${number}"
    aria-label="${t(lang, "sit_at", t(lang, "move"), number, name)}"
    ${off ? html`disabled` : ""}>${t(lang, "move")}${why}</button>`;
}
