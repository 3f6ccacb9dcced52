// Parts that several tabs of the cage have: an amount with its keys, what was said last, the list of sessions. Pure.
import { html } from "../base/dom.js";
import { moment, money, shortly, signed } from "../base/money.js";
import { clauseChip } from "../base/rules.js";
import { pageLanguage, saidHere } from "../base/words.js";
import { nameOf, standing, tableName, t } from "./words.js";

/** @import { Seen } from "./reduce.js" */

// The keys beneath an amount; touch, and the same amount can be typed.
const PAD = [
  "1", "2", "3", "+50",
  "4", "5", "6", "+100",
  "7", "8", "9", "+500",
  "00", "0", "back", "+1000",
];

/** @param {Seen} state */
export function amountField(state, of, label) {
  const typed = state.amounts[of];
  return html`<label class="cash"><span>${label}</span><span class="in"><span class="dim"
    aria-hidden="true">$</span><input data-amount="${of}" id="amount-${of}" inputmode="decimal" autocomplete="off"
    maxlength="13" placeholder="0.00" value="${typed}" data-set="${typed}"></span></label>`;
}

// The session that is chosen, or a word on how to choose one.
export function chosen(row, hint) {
  if (!row) return html`<span class="dim">${hint}</span>`;
  return html`<b>${nameOf(row)}</b> <span class="muted">${tableName(row.table)}</span>`;
}

/** @param {string} of */
export const pad = (of) =>
  html`<div class="pad" role="group" aria-label="${t("Amount")}">${PAD.map((key) => padKey(of, key))}</div>`;

const padKey = (of, key) => html`<button type="button" class="btn${key.startsWith("+") ? " quick" : ""}"
  data-act="key" data-of="${of}" data-press="${key}">${keyFace(key)}</button>`;

function keyFace(key) {
  if (key === "back") return html`<pb-icon name="back" size="22"></pb-icon><span class="sr">${t("Delete")}</span>`;
  return key === "+1000" ? "+1K" : key;
}

const SAID = { ok: "check", warn: "warn", danger: "stop" };

/** What was said last, in the panel where it was asked. */
export function said({ said: last }, of) {
  const own = last?.of === of ? last : null;
  return html`<p class="said ${own?.kind ?? ""}" data-said="${of}" role="status">${own ? wordsOf(own) : null}</p>`;
}

const wordsOf = ({ kind, text, clause, table, code }) => html`<pb-icon name="${SAID[kind]}"
  size="18"></pb-icon><span>${text} ${cited(clause, table)}${code === "no-open-shift" ? TO_SHIFT() : null}</span>`;

const TO_SHIFT = () => html` <button type="button" class="btn sm" data-act="tab" data-tab="shift">${
  t("Open a shift")}</button>`;

// A table's rules can be opened from here; a clause of no table is only named.
const cited = (clause, table) => (clause && !table ? `[${clause}]` : clauseChip(pageLanguage(), clause, { table }));

/** @param {Seen} state */
export function sessions({ view: seen, table, session }) {
  const tables = [...new Set(seen.sessions.map((row) => row.table))];
  const rows = seen.sessions.filter((row) => !table || row.table === table);
  const more = seen.sessions_total - seen.sessions.length;
  return html`<section class="panel sessions" aria-labelledby="h-sessions">
    <header><h2 id="h-sessions">${t("Sessions")}</h2><span class="grow"></span>
    <label class="sr" for="table">${t("Table")}</label><select class="in" id="table" data-set="${table}">
      <option value="">${t("All tables, {0}", seen.sessions_total)}</option>
      ${tables.map((name) => tableOption(name, name === table))}</select></header>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="h-sessions">
    ${rows.length ? sessionTable(rows, session) : html`<p class="empty muted">${t("Nobody plays now.")}</p>`}
    ${more > 0 ? html`<p class="empty muted">${
      t("{0} more sessions are not listed.", more)}</p>` : null}</div></section>`;
}

const tableOption = (name, isChosen) =>
  html`<option value="${name}" ${isChosen ? html`selected` : null}>${tableName(name)}</option>`;

const sessionTable = (rows, session) => html`<table class="t">
    <thead><tr><th>${t("Terminal")}</th><th>${t("State")}</th><th class="r">${t("In play")}</th><th class="r">${
      t("Balance")}</th>
      <th class="r">${t("Net")}</th><th class="r">${t("Since")}</th></tr></thead>
    <tbody>${rows.map((row) => sessionRow(row, row.session === session))}</tbody></table>`;

function sessionRow(row, isChosen) {
  const [kind, words] = standing(row);
  return html`<tr data-key="${row.session}" class="${isChosen ? "chosen" : ""}">
    <td><button type="button" class="pick" data-act="choose" data-session="${row.session}"
      aria-pressed="${isChosen ? "true" : "false"}">
    <b>${nameOf(row)}</b><span class="muted">${tableName(row.table)}</span></button></td>
    <td><span class="${kind}" title="${saidHere(row.stopped)}">${words}</span></td>
    <td class="r muted">${money(row.in_play_cents)}</td><td class="r"><b>${money(row.balance_cents)}</b></td>
    <td class="r ${row.net_cents ? "" : "dim"}">${signed(row.net_cents)}</td>
    <td class="r muted" title="${moment(row.since)}">${shortly(row.since)}</td></tr>`;
}
