// Alerts with their evidence, and what waits for a second person. Pure.
import { html } from "../base/dom.js";
import { money, time } from "../base/money.js";
import { unread, waitingOf } from "./reduce.js";
import { ALERTS, alertKey, gamingDay, may, percent, shortTitle, tableName } from "./words.js";

/** One fact: words, money or cards, with the clause that says so. */
export const fact = (each) => html`<div><dt>${each.name}</dt><dd>${each.text} ${each.cents === null || each.cents === undefined ? null : html`<b>${money(each.cents)}</b>`}
  ${each.cards ? html`<span class="cards">${each.cards.split(" ").map((code) => html`<pb-card code="${code}" size="30" small></pb-card>`)}</span>` : null}
  ${each.clause ? html`<span class="clause">${each.clause}</span>` : null}</dd></div>`;

export const facts = (list) => html`<dl class="facts">${list.map(fact)}</dl>`;

export function alerts(state) {
  const { alerts: all, alerts_in_all: count } = state.board;
  return html`<section class="panel list" id="alerts" tabindex="-1" aria-labelledby="alerts-title"><header><h2 id="alerts-title">Alerts</h2><span class="grow"></span>
    <span class="dim small">${all.length ? `${gamingDay(state.at)}, newest first${count > all.length ? `; ${all.length} of ${count}` : ""}` : ""}</span>
    ${unread(state).length > 1 ? html`<button type="button" class="btn sm ghost" data-act="all-seen">Mark all seen</button>` : null}</header>
    <div class="scroll">${all.length ? all.map((alert) => alertRow(state, alert)) : html`<p class="none"><pb-icon name="check" size="22"></pb-icon>No alerts today</p>`}</div></section>`;
}

function alertRow(state, alert) {
  const key = alertKey(alert), [kind, title] = ALERTS[alert.kind] ?? ["", alert.kind];
  const isOpen = state.open === key, isNew = !state.seen.includes(key);
  return html`<div class="li ${isOpen ? "open" : ""}" data-key="alert-${key}"><button type="button" class="head" data-act="alert" data-key="head" data-alert="${key}" aria-expanded="${String(isOpen)}">
      <span class="pill ${kind}">${isNew ? html`<i class="dot"></i>` : null}${title}</span>
      <span>${tableName(alert.table)}, round ${alert.round}: ${alert.text}${isNew ? html`<span class="sr"> (new)</span>` : null}</span><time>${time(alert.at).slice(0, 5)}</time></button>
    ${isOpen ? evidence(state, alert) : null}</div>`;
}

function evidence(state, alert) {
  const round = `${alert.table}/${alert.round}`, edges = state.edges[round];
  return html`<div class="evidence">${facts([{ name: "When", text: time(alert.at) }, ...(alert.session ? [{ name: "Session", text: alert.session }] : []), ...alert.facts])}
    ${edges ? edgeLines(edges) : html`<button type="button" class="btn sm" data-act="edges" data-table="${alert.table.split(":")[1]}" data-round="${alert.round}">Edges of that round</button>`}</div>`;
}

const edgeLines = (found) => (found.error ? html`<p class="muted small" role="status">${found.error}</p>`
  : html`<p class="muted small">House edge for the cards unseen as round ${found.round} began: ${found.edges.map((edge) => `${edge.title ?? edge.bet} ${percent(-edge.edge)}`).join(" · ")}</p>`);

export function approvals(state) {
  const waits = waitingOf(state);
  return html`<section class="panel list" id="approvals" tabindex="-1" aria-labelledby="approvals-title"><header><h2 id="approvals-title">${may(state.me, "decide") ? "Waiting for your approval" : "Waiting for a supervisor"}</h2>
    <span class="grow"></span>${waits.length ? html`<span class="pill warn">${waits.length}</span>` : null}</header>
    <div class="scroll">${waits.length ? waits.map((each) => approval(state, each)) : html`<p class="none"><pb-icon name="check" size="22"></pb-icon>Nothing waits for a second person</p>`}</div></section>`;
}

export const about = (table, waiting) => `Table ${table.number}${waiting.round ? `, round ${waiting.round}` : ""}: ${waiting.title}`;

export const proposedBy = (waiting) => `Proposed by ${waiting.by}${waiting.at ? `, ${time(waiting.at)}` : ""}.`;

function approval(state, { table, waiting }) {
  const own = waiting.by === state.me?.name, which = html`data-table="${table.number}" data-proposal="${waiting.proposal}"`;
  const off = state.link === "lost" ? html`disabled` : null;
  return html`<div class="ap" data-key="waiting-${table.number}-${waiting.proposal}"><b>${about(table, waiting)}</b> ${waiting.clause ? html`<span class="clause">${waiting.clause}</span>` : null}
    <p class="muted">${shortTitle(table.title)}. ${inShort(waiting)} ${proposedBy(waiting)}</p>
    ${own && may(state.me, "decide") ? html`<p class="own"><pb-icon name="user" size="16"></pb-icon> You proposed this: somebody else must approve it.</p>` : null}
    ${may(state.me, "decide") ? html`<div class="row">
      <button type="button" class="btn sm" data-act="ask" data-sheet="look" ${which} ${off}>Open</button>
      <button type="button" class="btn sm danger" data-act="ask" data-sheet="refuse" ${which} ${off}>${own ? "Withdraw" : "Refuse"}</button>
      ${own ? null : html`<button type="button" class="btn sm primary" data-act="ask" data-sheet="look" ${which} ${off}>Approve …</button>`}</div>`
    : html`<p class="dim small">A supervisor decides on it.</p>`}</div>`;
}

/** The facts that fit in a line. */
function inShort(waiting) {
  if (waiting.refused) return `It cannot be approved now: ${waiting.refused}.`;
  return waiting.facts.filter((each) => each.text || Number.isInteger(each.cents)).slice(0, 3)
    .map((each) => `${each.name}: ${[each.text, Number.isInteger(each.cents) ? money(each.cents) : ""].filter(Boolean).join(", ")}.`).join(" ");
}
