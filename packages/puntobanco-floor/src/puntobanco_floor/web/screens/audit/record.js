// What belongs to the chosen record as html: its settlement, its ledger postings, and the record itself. Pure.
import { html } from "../base/dom.js";
import { count, dollars, money, signed } from "../base/money.js";
import { clauseChip } from "../base/rules.js";
import { capital, pageLanguage, saidHere } from "../base/words.js";
import { outcome, postings, rulesOf } from "./reduce.js";
import { accountName, sessionName, t } from "./words.js";

/** @import { State } from "./reduce.js" */

// The settlement

/** @param {State} state */
export function settlement(state) {
  const found = outcome(state);
  if (!found) return noSettlement(state);
  const sessions = [...new Set(found.lines.map((row) => row.session))];
  const session = sessions.includes(state.session) ? state.session : "";
  const lines = found.lines.filter((row) => !session || row.session === session);
  const own = fundsOf(state.retold?.funds ?? [], session), more = found.lines_total - found.lines.length;
  const shown = { lines, named: sessions.length > 1 && !session, rules: rulesOf(state) };
  return html`<section class="panel s" aria-labelledby="h-settle">
      <header><h2 id="h-settle">${capital(t(found.what))}</h2><span class="grow"></span>
      ${sessions.length > 1 ? sessionChoice(found, sessions, session) : onlySession(sessions)}</header>
    ${own ? funds(own) : null}
    <div class="scroll" tabindex="0" role="region" aria-label="${t("Lines of the settlement")}">
    ${lines.length ? linesTable(shown, totals(found, lines, session)) : NO_WAGERS()}
    ${more > 0 ? html`<p class="empty muted">${
      t("{0} more lines; the CSV has them.", count(more))}</p>` : null}</div></section>`;
}

const NO_WAGERS = () => html`<p class="empty muted">${t("No wagers in this round.")}</p>`;

/** @param {State} state */
const noSettlement = ({ retold: found }) => html`<section class="panel" aria-label="${t("Settlement")}">
  <header><h2>${t("Settlement")}</h2></header>
  <p class="empty muted">${found ? t("Not settled yet.") : t("Choose a record of a round.")}</p></section>`;

const fundsOf = (list, session) =>
  list.find((row) => row.session === session) ?? (list.length === 1 ? list[0] : null);

const funds = ({ before_cents: before, after_cents: after }) =>
  html`<p class="funds muted small">${t("credits {0} before, {1} after", money(before), money(after))}</p>`;

const sessionChoice = (found, sessions, session) => html`<label class="sr" for="session">${t("Session")}</label><select
    id="session" class="in" data-set="${session}">
    <option value="">${t("{0} lines, {1} sessions", count(found.lines_total), sessions.length)}</option>
    ${sessions.map((id) => html`<option value="${id}"
      ${id === session ? html`selected` : null}>${sessionName(id)}</option>`)}</select>`;

const onlySession = (sessions) =>
  html`<span class="muted small">${sessions.length ? sessionName(sessions[0]) : t("no wagers")}</span>`;

const sum = (lines, value) => lines.reduce((total, row) => total + value(row), 0);
const wonBy = (row) => row.winnings_cents + row.bonus_cents;

// Of one session its lines are summed; of all of them the record says the sums, since not every line may be listed.
function totals(found, lines, session) {
  const staked = sum(lines, (row) => row.stake_cents), paid = sum(lines, (row) => row.paid_cents);
  return {
    staked: session ? staked : found.staked_cents ?? staked,
    won: sum(lines, wonBy),
    paid: session ? paid : found.paid_cents ?? paid,
  };
}

const linesTable = ({ lines, named, rules }, { staked, won, paid }) => html`<table class="t">
    <thead><tr><th>${t("Wager")}</th><th class="r">${t("Stake")}</th><th>${t("Clause")}</th><th class="r">${
      t("Pays")}</th>
      <th class="r">${t("Win")}</th><th class="r">${t("Paid")}</th><th><span class="sr">${
        t("Agrees")}</span></th></tr></thead><tbody>
    ${lines.map((row) => lineRow(row, named, rules))}
    <tr><td><b>${t("Total")}</b></td><td class="r"><b>${dollars(staked)}</b></td><td></td><td></td>
      <td class="r"><b>${dollars(won)}</b></td><td class="r gold"><b>${dollars(paid)}</b></td><td></td></tr>
    </tbody></table>`;

function lineRow(row, named, rules) {
  const whose = named ? html`<br><span class="dim">${sessionName(row.session)}</span>` : null;
  const clauses = [row.clause, row.bonus_clause].filter(Boolean).map((clause) => clauseChip(pageLanguage(), clause,
    rules));
  const agrees = row.agrees ? t("agrees with the rules") : t("does not agree with the rules");
  return html`<tr data-key="${row.session}-${row.bet}"><td><b>${saidHere(row.title)}</b>${whose}</td>
      <td class="r">${dollars(row.stake_cents)}</td><td><span class="cited">${clauses}</span></td>
      <td class="r ${row.outcome === "wins" ? "gold" : "muted"}">${
        row.pays ? saidHere(row.pays) : t(row.outcome)}</td>
      <td class="r">${wonBy(row) ? dollars(wonBy(row)) : "–"}</td>
      <td class="r"><b>${row.paid_cents ? dollars(row.paid_cents) : "–"}</b></td>
      <td class="${row.agrees ? "ok" : "danger"}">${row.agrees ? "✓" : "✕"}<span class="sr">${agrees}</span></td></tr>`;
}

// The ledger and the record itself

/** @param {State} state */
export function ledger(state) {
  const found = postings(state), moved = found?.postings ?? [], total = sum(moved, (row) => row.cents);
  const pill = html`<span class="pill ${total ? "danger" : "ok"}">${t("sum {0}", money(total))}</span>`;
  return html`<section class="panel l" aria-labelledby="h-ledger"><header><h2 id="h-ledger">${t("Ledger postings")}</h2>${
      found ? html`<span class="muted small">${
        t("record {0}", found.row.seq)}</span>` : null}<span class="grow"></span>${
      moved.length ? pill : null}</header>
    ${moved.length ? postingsTable(moved) : html`<p class="empty muted">${
      t("No money moves in this record.")}</p>`}</section>`;
}

const postingsTable = (moved) => html`<div class="scroll" tabindex="0" role="region" aria-label="${t("Postings")}">
  <table class="t"><tbody>${moved.map(postingRow)}</tbody></table></div>`;

const postingRow = ({ account, cents }) => html`<tr><td>${accountName(account)}</td>
    <td class="r">${cents > 0 ? html`<b>${signed(cents)}</b>` : money(cents)}</td></tr>`;

/** @param {State} state */
export function raw(state) {
  const { raw: found, retold, seq } = state;
  return html`<section class="panel raw" aria-labelledby="h-raw"><header><h2 id="h-raw">${t("Record {0}", seq ?? "")}</h2><span
      class="grow"></span>${found ? hashPill(found.agrees) : null}</header>
    <div class="hx scroll" tabindex="0" role="region" aria-label="${t("The record as it is written")}">${
      found ? written(found) : html`<span class="dim">${seq ? t("One moment.") : t("Choose a record.")}</span>`}</div>
    <div class="row acts">${retold ? pack(retold.round) : null}<button type="button" class="btn sm grow"
      data-act="copy" ${found ? null : html`disabled`}>${t("Copy record")}</button></div></section>`;
}

const hashPill = (agrees) => html`<span class="pill ${agrees ? "ok" : "danger"}"><pb-icon
  name="${agrees ? "check" : "stop"}" size="13"></pb-icon>${
    agrees ? t("hash agrees") : t("hash does not agree")}</span>`;

const pack = (round) => html`<button type="button" class="btn sm grow" data-act="pack"><pb-icon name="dl"
  size="16"></pb-icon>${t("Dispute pack, round {0}", round)}</button>`;

// The bytes of a record, with the hashes before and after it where these do not agree with its own.
function written({ prev, before_hash: before, hash, next_prev: next, agrees, row, raw: body, withheld }) {
  const butIs = before === prev ? null : html`<span class="danger">${t("but it is")}</span> ${before}<br>`;
  const chainSays = next === hash ? null : html`<span class="danger">${t("the chain says")}</span> ${next}<br>`;
  return html`<span class="dim">${t("previous")}</span> ${prev || t("none")}<br>${butIs}<span class="dim">${
    t("this")}</span> <span
      class="${agrees ? "ok" : "danger"}">${hash}</span><br>
      ${chainSays}<span class="dim">${t("by")}</span> ${row.by} <span class="dim">${t("command")}</span> ${
        row.command}<br><span
      class="dim">${t("body")}</span> <span id="body">${body}</span>${withheld ? WITHHELD() : null}`;
}

const WITHHELD = () => html`<br><span
  class="warn">${t("Hashes of secrets are withheld; the hash above is of the whole record.")}</span>`;
