// The audit as html: the bar of the verification, the journal, and what belongs to the chosen record. Pure.
import { html } from "../base/dom.js";
import { count, dollars, money, signed, time } from "../base/money.js";
import { staffbar } from "../base/staffbar.js";
import { isTable, listed, outcome, postings, verdict } from "./reduce.js";
import { replay } from "./replay.js";
import { GROUPS, accountName, kindName, plain, seconds, sessionName, short, streamName, told } from "./words.js";

export function view(state) {
  return html`${staffbar({ me: state.me, current: "audit" })}${bar(state)}
    <main class="audit">${state.stream ? html`${journal(state)}${replay(state)}<div class="side">${settlement(state)}${ledger(state)}${raw(state)}</div>` : html`<p class="first" role="status">${state.said ?? "One moment: the journal is being read."}</p>`}</main>`;
}

const fact = (value, words) => html`<div class="fact"><b>${value}</b>${words}</div>`;

function bar(state) {
  const found = state.verify, how = verdict(found);
  const acts = html`<span class="grow"></span><div class="row">${exports(state)}<button type="button" class="btn sm primary" data-act="verify" ${how === "running" ? html`disabled` : null}>${how === "never" || how === "unknown" ? "Verify now" : how === "running" ? "Verifying…" : "Verify again"}</button></div>`;
  const box = (icon, title, small, rest) => html`<section class="ver ${how}" aria-label="Verification"><div class="ic"><pb-icon name="${icon}" size="26"></pb-icon></div><div class="what" role="status"><h1>${title}</h1><small>${small}</small></div>${rest}${acts}</section>`;
  if (how === "unknown") return box("shield", "Audit", "reading what is known", null);
  if (how === "never") return box("shield", "Not verified since the server started", "chain, signatures, every state, every settlement and every cent can be recomputed from the journal", null);
  if (how === "running") return box("clock", "Recomputing everything", `${count(found.done)} of ${count(found.total)} records, ${seconds(found.took_ms)}`, html`<progress max="${found.total || 1}" value="${found.done}" aria-label="Records recomputed"></progress>`);
  const when = `recomputed ${time(found.began_at)}, ${seconds(found.took_ms)}`;
  if (how === "broken") {
    const { bad } = found;
    return box("stop", bad ? `Broken at ${streamName(bad.stream)}, record ${bad.seq}` : "Broken", found.fault,
      bad ? html`<div class="fact hashes"><span>chain says <b class="mono" title="${bad.expected}">${short(bad.expected)}</b></span><span>bytes are <b class="mono" title="${bad.found}">${short(bad.found)}</b></span></div>
        <button type="button" class="btn sm" data-act="bad" data-stream="${bad.stream}" data-seq="${bad.seq}">Show the record</button>` : null);
  }
  const now = state.streams.reduce((sum, row) => sum + row.seq, 0), since = now - found.entries;
  return box("check", "Journal verified, no breaks", when + (since > 0 ? `; ${count(since)} records since` : ""),
    html`${fact(`${count(found.entries)} records`, `${found.streams} streams, ${count(found.signatures)} signatures`)}${fact("$0.00", "ledger out of balance")}${fact("Replay equal", `${count(found.rounds)} settled rounds, ${count(found.voids)} void`)}${unproven(found.unproven)}`);
}

const unproven = (list) => (list.length ? html`<details class="menu fact"><summary title="What cannot be proved before something else has happened">${list.length} open</summary><ul class="pop">${list.map((text) => html`<li>${text}</li>`)}</ul></details>` : null);

function exports({ stream, round }) {
  if (!stream) return null;
  return html`<details class="menu"><summary class="btn sm"><pb-icon name="dl" size="16"></pb-icon>Export CSV</summary><form class="pop" data-act="export">
    <p class="small muted">${streamName(stream)}, one line a record, with its hash</p>
    ${isTable(stream) ? html`<div class="row"><label class="field">From round<input id="from" inputmode="numeric" value="${round ?? ""}" maxlength="9"></label><label class="field">to<input id="to" inputmode="numeric" value="${round ?? ""}" maxlength="9"></label></div><button class="btn sm" type="submit">These rounds</button>` : null}
    <button class="btn sm" type="button" data-act="export-all">The whole stream</button></form></details>`;
}

function journal(state) {
  const { stream, streams, mode, retold: found, round, group, text } = state, rows = listed(state), table = isTable(stream);
  const rounds = streams.find((row) => row.stream === stream)?.rounds ?? 0;
  return html`<section class="panel j" aria-label="Journal"><header><label class="sr" for="stream">Stream</label><select id="stream" class="in" data-set="${stream}">${streams.map((row) => html`<option value="${row.stream}" ${row.stream === stream ? html`selected` : null}>${streamName(row.stream)}${row.title ? `, ${row.title}` : ""}</option>`)}</select>
      ${table ? html`<div class="seg sm" role="group" aria-label="What is listed"><button type="button" data-act="mode" data-mode="round" aria-pressed="${mode === "round" ? "true" : "false"}">Round</button><button type="button" data-act="mode" data-mode="journal" aria-pressed="${mode === "journal" ? "true" : "false"}">Journal</button></div>` : null}</header>
    ${table && mode === "round" ? html`<div class="rounds"><h2>${found ? `Shoe ${found.shoe}, round ${found.round}` : "Round"}</h2>${found ? html`<span class="pill ${found.state === "void" ? "danger" : found.state === "settled" ? "ok" : "warn"}">${found.state}</span>` : null}<span class="grow"></span>
      <button type="button" class="btn sm" data-act="round" data-round="${(round ?? 1) - 1}" aria-label="Round ${(round ?? 1) - 1}" ${(round ?? 1) <= 1 ? html`disabled` : null}>‹ ${(round ?? 1) - 1}</button>
      <form data-act="goto"><label class="sr" for="goto">Round</label><input id="goto" class="in num" inputmode="numeric" maxlength="9" placeholder="${round ?? ""}"></form>
      <button type="button" class="btn sm" data-act="round" data-round="${(round ?? 0) + 1}" aria-label="Round ${(round ?? 0) + 1}" ${(round ?? 0) >= rounds ? html`disabled` : null}>${(round ?? 0) + 1} ›</button></div>` : null}
    <div class="flt" role="group" aria-label="Kinds of records">${GROUPS.filter(([id]) => !id || id === group || shownGroup(state, id)).map(([id, name]) => html`<button type="button" class="pill${id === group ? " gold" : ""}" data-act="group" data-group="${id}" aria-pressed="${id === group ? "true" : "false"}">${name}${mode === "round" && found ? ` ${id ? found.records.filter(({ row }) => row.group === id).length : found.records.length}` : ""}</button>`)}
      <label class="find"><span class="sr">Filter: words, a clause, a name</span><pb-icon name="search" size="15"></pb-icon><input id="find" class="in" placeholder="Filter, /" autocomplete="off" maxlength="80" value="${text}" data-set="${text}"></label></div>
    <div class="list" role="listbox" aria-label="Records" tabindex="0">${rows.map((one) => line(state, one))}${rows.length ? null : html`<p class="empty muted" role="status">${state.reading ? "One moment." : state.said ?? "No record of this kind."}</p>`}</div>
    <footer>${mode === "journal" ? html`<span>${count(rows.length)} of ${count(state.last)} records, newest first</span><span class="grow"></span>${state.before ? html`<button type="button" class="btn sm" data-act="older" ${state.reading ? html`disabled` : null}>Older</button>` : html`<span>the beginning</span>`}`
    : found ? html`<span>records ${found.first} to ${found.last}${found.folded ? `; ${count(found.folded)} wagers folded` : ""}</span><span class="grow"></span><span class="dim">${found.rules}</span>` : null}</footer></section>`;
}

const shownGroup = ({ mode, retold: found, stream }, id) => (mode === "round" ? found?.records.some(({ row }) => row.group === id) : isTable(stream) ? id !== "house" : stream === "floor" ? id === "house" : ["money", "decisions"].includes(id));

function line(state, one) {
  const { row } = one, chosen = row.seq === state.seq, future = state.mode === "round" && state.retold && row.seq > (state.retold.records[state.at]?.row.seq ?? 0);
  return html`<div class="e${chosen ? " sel" : ""}${future ? " fut" : ""}" role="option" aria-selected="${chosen ? "true" : "false"}" data-key="${state.stream}-${row.seq}" data-act="choose" data-seq="${row.seq}">
    <i></i><span class="dim">${row.at ? time(row.at) : "?"}</span><span class="d"><b>${kindName(row.kind)}</b><span>${one.cards ? told(one) : plain(row.says)}</span></span>${row.clause ? html`<span class="clause">${row.clause}</span>` : html`<span></span>`}<span class="h">${row.hash}</span></div>`;
}

function settlement(state) {
  const found = outcome(state), funds = state.retold?.funds ?? [];
  if (!found) return html`<section class="panel" aria-label="Settlement"><header><h2>Settlement</h2></header><p class="empty muted">${state.retold ? "Not settled yet." : "Choose a record of a round."}</p></section>`;
  const sessions = [...new Set(found.lines.map((row) => row.session))], session = sessions.includes(state.session) ? state.session : "";
  const lines = found.lines.filter((row) => !session || row.session === session), own = funds.find((row) => row.session === session) ?? (funds.length === 1 ? funds[0] : null);
  const sum = (name) => (session ? lines.reduce((total, row) => total + row[name], 0) : found[name === "stake_cents" ? "staked_cents" : name] ?? lines.reduce((total, row) => total + row[name], 0));
  return html`<section class="panel s" aria-labelledby="h-settle"><header><h2 id="h-settle">${found.what[0].toUpperCase() + found.what.slice(1)}</h2><span class="grow"></span>
      ${sessions.length > 1 ? html`<label class="sr" for="session">Session</label><select id="session" class="in" data-set="${session}"><option value="">${count(found.lines_total)} lines, ${sessions.length} sessions</option>${sessions.map((id) => html`<option value="${id}" ${id === session ? html`selected` : null}>${sessionName(id)}</option>`)}</select>`
    : html`<span class="muted small">${sessions.length ? sessionName(sessions[0]) : "no wagers"}</span>`}</header>
    ${own ? html`<p class="funds muted small">credits ${money(own.before_cents)} before, ${money(own.after_cents)} after</p>` : null}
    <div class="scroll" tabindex="0" role="region" aria-label="Lines of the settlement">${lines.length ? html`<table class="t"><thead><tr><th>Wager</th><th class="r">Stake</th><th>Clause</th><th class="r">Pays</th><th class="r">Win</th><th class="r">Paid</th><th><span class="sr">Agrees</span></th></tr></thead><tbody>
    ${lines.map((row) => html`<tr data-key="${row.session}-${row.bet}"><td><b>${row.title}</b>${sessions.length > 1 && !session ? html`<br><span class="dim">${sessionName(row.session)}</span>` : null}</td><td class="r">${dollars(row.stake_cents)}</td><td><span class="clause">${row.clause}</span>${row.bonus_clause ? html` <span class="clause">${row.bonus_clause}</span>` : null}</td>
      <td class="r ${row.outcome === "wins" ? "gold" : "muted"}">${row.pays || row.outcome}</td><td class="r">${row.winnings_cents + row.bonus_cents ? dollars(row.winnings_cents + row.bonus_cents) : "–"}</td><td class="r"><b>${row.paid_cents ? dollars(row.paid_cents) : "–"}</b></td><td class="${row.agrees ? "ok" : "danger"}">${row.agrees ? "✓" : "✕"}<span class="sr">${row.agrees ? "agrees with the rules" : "does not agree with the rules"}</span></td></tr>`)}
    <tr><td><b>Total</b></td><td class="r"><b>${dollars(sum("stake_cents"))}</b></td><td></td><td></td><td class="r"><b>${dollars(lines.reduce((t, row) => t + row.winnings_cents + row.bonus_cents, 0))}</b></td><td class="r gold"><b>${dollars(sum("paid_cents"))}</b></td><td></td></tr></tbody></table>` : html`<p class="empty muted">No wagers in this round.</p>`}
    ${found.lines_total > found.lines.length ? html`<p class="empty muted">${count(found.lines_total - found.lines.length)} more lines; the CSV has them.</p>` : null}</div></section>`;
}

function ledger(state) {
  const found = postings(state), total = found?.postings.reduce((sum, row) => sum + row.cents, 0) ?? 0;
  return html`<section class="panel l" aria-labelledby="h-ledger"><header><h2 id="h-ledger">Ledger postings</h2>${found ? html`<span class="muted small">record ${found.row.seq}</span>` : null}<span class="grow"></span>${found?.postings.length ? html`<span class="pill ${total ? "danger" : "ok"}">sum ${money(total)}</span>` : null}</header>
    ${found?.postings.length ? html`<div class="scroll" tabindex="0" role="region" aria-label="Postings"><table class="t"><tbody>${found.postings.map((row) => html`<tr><td>${accountName(row.account)}</td><td class="r">${row.cents > 0 ? html`<b>${signed(row.cents)}</b>` : money(row.cents)}</td></tr>`)}</tbody></table></div>` : html`<p class="empty muted">No money moves in this record.</p>`}</section>`;
}

function raw(state) {
  const found = state.raw;
  return html`<section class="panel raw" aria-labelledby="h-raw"><header><h2 id="h-raw">Record ${state.seq ?? ""}</h2><span class="grow"></span>${found ? html`<span class="pill ${found.agrees ? "ok" : "danger"}"><pb-icon name="${found.agrees ? "check" : "stop"}" size="13"></pb-icon>${found.agrees ? "hash agrees" : "hash does not agree"}</span>` : null}</header>
    <div class="hx scroll" tabindex="0" role="region" aria-label="The record as it is written">${found ? html`<span class="dim">previous</span> ${found.prev || "none"}<br>${found.before_hash === found.prev ? null : html`<span class="danger">but it is</span> ${found.before_hash}<br>`}<span class="dim">this</span> <span class="${found.agrees ? "ok" : "danger"}">${found.hash}</span><br>
      ${found.next_prev === found.hash ? null : html`<span class="danger">the chain says</span> ${found.next_prev}<br>`}<span class="dim">by</span> ${found.row.by} <span class="dim">command</span> ${found.row.command}<br><span class="dim">body</span> <span id="body">${found.raw}</span>${found.withheld ? html`<br><span class="warn">Hashes of secrets are withheld; the hash above is of the whole record.</span>` : null}` : html`<span class="dim">${state.seq ? "One moment." : "Choose a record."}</span>`}</div>
    <div class="row acts">${state.retold ? html`<button type="button" class="btn sm grow" data-act="pack"><pb-icon name="dl" size="16"></pb-icon>Dispute pack, round ${state.retold.round}</button>` : null}<button type="button" class="btn sm grow" data-act="copy" ${found ? null : html`disabled`}>Copy record</button></div></section>`;
}
