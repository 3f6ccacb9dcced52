// Parts that several tabs of the cage have: an amount with its keys, what was said last, the list of sessions. Pure.
import { html } from "../base/dom.js";
import { money, signed, time } from "../base/money.js";
import { nameOf, standing, tableName } from "./words.js";

// The keys beneath an amount; touch, and the same amount can be typed.
const PAD = [["1", "2", "3", "+50"], ["4", "5", "6", "+100"], ["7", "8", "9", "+500"], ["00", "0", "back", "+1000"]].flat();

export function amountField(state, of, label) {
  return html`<label class="cash"><span>${label}</span><span class="in"><span class="dim" aria-hidden="true">$</span><input data-amount="${of}" id="amount-${of}"
    inputmode="decimal" autocomplete="off" maxlength="13" placeholder="0.00" value="${state.amounts[of]}" data-set="${state.amounts[of]}"></span></label>`;
}

export const pad = (of) => html`<div class="pad" role="group" aria-label="Amount">${PAD.map((key) => html`<button type="button" class="btn${key.startsWith("+") ? " quick" : ""}"
  data-act="key" data-of="${of}" data-press="${key}">${key === "back" ? html`<pb-icon name="back" size="22"></pb-icon><span class="sr">Delete</span>` : key === "+1000" ? "+1K" : key}</button>`)}</div>`;

export const said = (state) => html`<p class="said ${state.said?.kind ?? ""}" role="status">${state.said ? html`<pb-icon name="${{ ok: "check", warn: "warn", danger: "stop" }[state.said.kind]}" size="18"></pb-icon><span>${state.said.text}</span>` : null}</p>`;

export function sessions({ view: seen, table, session }) {
  const tables = [...new Set(seen.sessions.map((row) => row.table))];
  const rows = seen.sessions.filter((row) => !table || row.table === table);
  return html`<section class="panel sessions" aria-labelledby="h-sessions"><header><h2 id="h-sessions">Sessions</h2><span class="grow"></span>
    <label class="sr" for="table">Table</label><select class="in" id="table" data-set="${table}"><option value="">All tables, ${seen.sessions_total}</option>${tables.map((name) => html`<option value="${name}" ${name === table ? html`selected` : null}>${tableName(name)}</option>`)}</select></header>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="h-sessions">${rows.length ? html`<table class="t"><thead><tr><th>Terminal</th><th>State</th><th class="r">In play</th><th class="r">Balance</th><th class="r">Net</th><th class="r">Since</th></tr></thead>
    <tbody>${rows.map((row) => sessionRow(row, row.session === session))}</tbody></table>` : html`<p class="empty muted">Nobody plays now.</p>`}
    ${seen.sessions_total > seen.sessions.length ? html`<p class="empty muted">${seen.sessions_total - seen.sessions.length} more sessions are not listed.</p>` : null}</div></section>`;
}

function sessionRow(row, chosen) {
  const [kind, words] = standing(row);
  return html`<tr data-key="${row.session}" class="${chosen ? "chosen" : ""}"><td><button type="button" class="pick" data-act="choose" data-session="${row.session}" aria-pressed="${chosen ? "true" : "false"}">
    <b>${nameOf(row)}</b><span class="muted">${tableName(row.table)}</span></button></td><td><span class="${kind}" title="${row.stopped}">${words}</span></td>
    <td class="r muted">${money(row.in_play_cents)}</td><td class="r"><b>${money(row.balance_cents)}</b></td><td class="r ${row.net_cents ? "" : "dim"}">${signed(row.net_cents)}</td><td class="r muted">${time(row.since).slice(0, 5)}</td></tr>`;
}
