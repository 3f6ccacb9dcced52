// The tables of a report: for each its rows and columns, and how a figure of each kind is written. Pure.
import { html } from "../base/dom.js";
import { count, money, moment, signed } from "../base/money.js";
import { said } from "../base/words.js";
import { kindName, t } from "./words.js";

/** @import { Report } from "server" */
/** @import { Language } from "../base/words.js" */
/** @import { State } from "./reduce.js" */

/** @typedef {[word: string, field: string, as?: keyof typeof AS]} Column */

const ENGLISH = (/** @type {string} */ text) => html`<span lang="en">${text}</span>`;

const tableOf = (/** @type {State} */ { tables }, /** @type {string} */ stream) =>
  tables.find(({ table }) => table === stream);

/** "table:3" as people call it. @param {State} state @param {string} stream */
export function placeName({ lang }, stream) {
  const [what, number] = stream.split(":");
  if (what === "table") return t(lang, "table", number);
  if (what === "cage") return t(lang, "window_no", number);
  return stream === "floor" ? t(lang, "floor") : stream;
}

/** @param {State} state @param {{ table: string, game: string }} row */
export function gameName(state, { table, game }) {
  const found = [tableOf(state, table), ...state.tables].find((one) => one?.game === game);
  return found ? said(state.lang, found.title) : game;
}

/** @param {State} state @param {{ game: string, bet: string }} row */
export function betName(state, { game, bet }) {
  const found = state.tables.find((one) => one.game === game)?.bets.find((one) => one.bet === bet);
  return found ? said(state.lang, found.title) : bet;
}

/**
 * How a field is written; what is no text stands on the right.
 * @satisfies {Record<string, (value: any, row: any, state: State) => unknown>}
 */
const AS = {
  text: (value) => String(value),
  english: (value) => ENGLISH(value),
  place: (value, _, state) => placeName(state, value),
  game: (_, row, state) => gameName(state, row),
  bet: (_, row, state) => betName(state, row),
  kind: (value, _, { lang }) => kindName(lang, value),
  title: (_, row, { lang }) => said(lang, row.title),
  people: (names, _, { lang }) => names.join(", ") || t(lang, "the_server"),
  time: (value) => moment(value),
  count: (value) => count(value),
  money: (value) => money(value),
  signed: (value) => signed(value),
  percent: (value) => (value === "" ? "–" : `${String(value).replace("-", "\u2212")} %`),
};
const RIGHT = new Set(["count", "money", "signed", "percent"]);

/** @type {(row: any, column: Column, state: State) => unknown} */
const written = (row, [, field, as = "text"], state) => {
  /** @type {(value: any, row: any, state: State) => unknown} */
  const how = AS[as];
  return how(row[field], row, state);
};

/** @type {Column[]} */
const PLAYED = [["c_table", "table", "place"], ["c_game", "game", "game"], ["c_decks", "decks", "count"]];

/** @type {{ key: string, rows: (report: Report) => any[], columns: Column[] }[]} */
export const SECTIONS = [
  { key: "exceptions", rows: ({ exceptions }) => exceptions.map((what) => ({ what })),
    columns: [["c_what", "what", "english"]] },
  { key: "games", rows: ({ games }) => games, columns: [...PLAYED, ["c_rounds", "rounds", "count"],
    ["c_wagered", "wagered_cents", "money"], ["c_won", "won_cents", "money"], ["c_bonus", "bonus_cents", "money"],
    ["c_win", "win_cents", "signed"], ["c_theory", "theory", "percent"], ["c_actual", "actual", "percent"]] },
  { key: "drops", rows: ({ drop }) => drop, columns: [["c_period", "period"], ...PLAYED.slice(0, 2),
    ["c_bought", "bought_cents", "money"], ["c_loaded", "loaded_cents", "money"],
    ["c_redeemed", "redeemed_cents", "money"], ["c_drop", "drop_cents", "money"],
    ["c_out", "out_cents", "money"], ["c_win", "win_cents", "signed"],
    ["c_hold", "hold", "percent"]] },
  { key: "adjustments", rows: ({ adjustments }) => adjustments ?? [], columns: [...PLAYED,
    ["c_adjustments", "adjustments", "count"], ["c_as_credits", "credits_cents", "money"],
    ["c_in_cash", "cash_cents", "money"], ["c_total", "total_cents", "money"]] },
  { key: "bets", rows: ({ bets }) => bets, columns: [PLAYED[0], PLAYED[1], ["c_bet", "bet", "bet"],
    ["c_wagers", "wagers", "count"], ["c_wagered", "wagered_cents", "money"], ["c_won", "won_cents", "money"],
    ["c_theory", "theory", "percent"],
    ["c_actual", "actual", "percent"]] },
  { key: "drawers", rows: ({ drawers }) => drawers, columns: [["c_window", "window", "place"],
    ["c_shift", "shift", "count"], ["c_cashier", "cashier"], ["c_second", "second"],
    ["c_since", "since", "time"], ["c_closed", "at", "time"],
    ["c_float", "float_cents", "money"], ["c_in", "in_cents", "money"], ["c_paid", "out_cents", "money"],
    ["c_expected", "expected_cents", "money"], ["c_counted", "counted_cents", "money"],
    ["c_difference", "difference_cents", "signed"]] },
  { key: "vouchers", rows: ({ vouchers }) => vouchers, columns: [["c_table", "table", "place"],
    ["c_issued", "issued", "count"], ["c_amount", "issued_cents", "money"], ["c_redeemed", "redeemed", "count"],
    ["c_amount", "redeemed_cents", "money"],
    ["c_expired", "expired", "count"], ["c_amount", "expired_cents", "money"], ["c_left", "out", "count"],
    ["c_amount", "out_cents", "money"]] },
  { key: "meters", rows: ({ meters }) => meters, columns: [["c_terminal", "terminal"], ["c_games", "games", "count"],
    ["c_wagered", "wagered_cents", "money"], ["c_won", "won_cents", "money"], ["c_cash_in", "cash_in_cents", "money"],
    ["c_vouchers_in", "vouchers_in_cents", "money"], ["c_loads", "loads_cents", "money"],
    ["c_vouchers_out", "vouchers_out_cents", "money"], ["c_cash_outs", "cash_outs_cents", "money"],
    ["c_hand_pays", "hand_pays_cents", "money"], ["c_adjustments", "adjustments_cents", "money"]] },
  { key: "voids", rows: ({ games }) => games.filter((row) => row.voids || row.reopened || row.unrecovered_cents),
    columns: [...PLAYED, ["c_void", "voids", "count"], ["c_voided", "voided_cents", "money"],
      ["c_reopened", "reopened", "count"], ["c_unrecovered", "unrecovered_cents", "money"]] },
  { key: "voided", rows: ({ voided }) => voided, columns: [["c_ground", "title", "title"], ["c_by", "people", "people"],
    ["c_rounds", "rounds", "count"], ["c_voided", "returned_cents", "money"]] },
  { key: "interrupted", rows: ({ interrupted }) => interrupted.filter(({ cents }) => cents),
    columns: [["c_table", "table", "place"], ["c_round", "round", "count"], ["c_in_play", "cents", "money"]] },
  { key: "shoes", rows: ({ shoes }) => shoes, columns: [["c_table", "table", "place"], ["c_shoes", "shoes", "count"],
    ["c_mixed", "mixed", "count"], ["c_abandoned", "abandoned", "count"], ["c_alone", "alone", "count"],
    ["c_share", "share", "percent"]] },
  { key: "events", rows: ({ events }) => events, columns: [["c_time", "at", "time"], ["c_stream", "stream", "place"],
    ["c_entry", "entry", "count"], ["c_who", "by"], ["c_kind", "kind", "kind"], ["c_what", "what", "english"]] },
  { key: "tieouts", rows: ({ ties }) => ties, columns: [["c_account", "what", "english"],
    ["c_report", "report_cents", "money"], ["c_ledger", "ledger_cents", "money"]] },
];

/** @type {Column[]} */
export const OWED = [["c_table", "table", "place"], ["c_open", "open", "count"], ["c_amount", "open_cents", "money"],
  ["c_expired", "expired", "count"], ["c_amount", "expired_cents", "money"]];

/** @param {State} state @param {string} key @param {any[]} rows @param {Column[]} columns */
export function section(state, key, rows, columns, foot = html``) {
  const { lang } = state, side = ([, , as = "text"]) => (RIGHT.has(as) ? "r" : "");
  const heads = columns.map((one) => html`<th scope="col" class="${side(one)}">${t(lang, one[0])}</th>`);
  const body = rows.length ? html`<div class="scroll" tabindex="0" role="region" aria-label="${t(lang, key)}">
      <table class="t"><thead><tr>${heads}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${columns.map((one) => html`<td class="${side(one)}">${
        written(row, one, state)}</td>`)}</tr>`)}${foot}</tbody></table></div>`
    : html`<p class="muted none">${t(lang, "none")}</p>`;
  return html`<section class="panel sec" id="${key}" data-key="${key}"><header><h2>${t(lang, key)}</h2>${
    rows.length ? html`<span class="dim">${count(rows.length)}</span>` : ""}</header>${body}</section>`;
}
