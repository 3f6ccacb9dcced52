// Alerts with their evidence, and what waits for a second person. Pure.
import { may } from "../base/staffbar.js";
import { decidedKey } from "../base/decided.js";
import { html } from "../base/dom.js";
import { money, time } from "../base/money.js";
import { clauseChip } from "../base/rules.js";
import { decisionWords, reviewsOf, unread, waitingOf } from "./reduce.js";
import { ALERTS, alertKey, gamingDay, percent, shortTitle, tableName } from "./words.js";

/** @import { PitReview, PitTable } from "server" */
/** @import { Seen } from "./reduce.js" */

/** One fact: words, money or cards, with the clause that says so. */
export const fact = (each, table) => html`<div><dt>${each.name}</dt><dd>${each.text} ${amount(each.cents)}
  ${each.cards ? cards(each.cards) : null}
  ${clauseOf(each, table)}</dd></div>`;

const amount = (cents) => (cents === null || cents === undefined ? null : html`<b>${money(cents)}</b>`);

const cards = (codes) => html`<span class="cards">${codes.split(" ").map((code) =>
  html`<pb-card code="${code}" size="30" small></pb-card>`)}</span>`;

/** The clause that says so, where there is one; it leads to the rules of the table with this number. */
export const clauseOf = ({ clause }, table) => clauseChip("en", clause, { table });

export const facts = (list, table) => html`<dl class="facts">${list.map((each) => fact(each, table))}</dl>`;

const none = (text) => html`<p class="none"><pb-icon name="check" size="22"></pb-icon>${text}</p>`;

const ALL_SEEN = html`<button type="button" class="btn sm ghost" data-act="all-seen">Mark all seen</button>`;

/** @param {Seen} state */
export function alerts(state) {
  const { alerts: all } = state.board;
  const list = all.length ? all.map((alert) => alertRow(state, alert)) : none("No alerts today");
  return html`<section class="panel list" id="alerts" tabindex="-1" aria-labelledby="alerts-title">
    <header><h2 id="alerts-title">Alerts</h2><span class="grow"></span>
    <span class="dim small">${all.length ? whichAlerts(state) : ""}</span>
    ${unread(state).length > 1 ? ALL_SEEN : null}</header>
    <div class="scroll">${list}</div></section>`;
}

/** @param {Seen} state */
function whichAlerts({ board }) {
  const shown = board.alerts.length, count = board.alerts_in_all;
  return `${gamingDay(board.day)}, newest first${count > shown ? `; ${shown} of ${count}` : ""}`;
}

/** @param {Seen} state */
function alertRow(state, alert) {
  const key = alertKey(alert), [kind, title] = ALERTS[alert.kind] ?? ["", alert.kind];
  const isOpen = state.open === key, isNew = !state.seen.includes(key);
  const where = alert.table ? `${tableName(alert.table)}, round ${alert.round}` : "The house";
  const said = `${where}: ${alert.text}`, when = time(alert.at).slice(0, 5);
  return html`<div class="li ${isOpen ? "open" : ""}" data-key="alert-${key}"><button type="button" class="head"
        data-act="alert" data-key="head" data-alert="${key}" aria-expanded="${String(isOpen)}">
      <span class="pill ${kind}">${isNew ? html`<i class="dot"></i>` : null}${title}</span>
      <span>${said}${isNew ? html`<span class="sr"> (new)</span>` : null}</span><time>${when}</time></button>
    ${isOpen ? evidence(state, alert) : null}</div>`;
}

/** @param {Seen} state */
function evidence(state, alert) {
  const round = `${alert.table}/${alert.round}`, edges = state.edges[round];
  const session = alert.session ? [{ name: "Session", text: alert.session }] : [];
  const all = [{ name: "When", text: time(alert.at) }, ...session, ...alert.facts];
  return html`<div class="evidence">${facts(all, numberOf(alert.table))}
    ${edges ? edgeLines(edges) : alert.table ? askEdges(alert) : null}</div>`;
}

const numberOf = (table) => table.split(":")[1];

const askEdges = ({ table, round }) => html`<button type="button" class="btn sm" data-act="edges"
  data-table="${numberOf(table)}" data-round="${round}">Edges of that round</button>`;

function edgeLines(found) {
  if (found.error) return html`<p class="muted small" role="status">${found.error}</p>`;
  const each = found.edges.map((edge) => `${edge.title ?? edge.bet} ${percent(-edge.edge)}`).join(" · ");
  return html`<p class="muted small">House edge for the cards unseen as round ${found.round} began: ${each}</p>`;
}

/** @param {Seen} state */
export function approvals(state) {
  const waits = waitingOf(state), forWhom = may(state.me, "approve") ? "your approval" : "a supervisor";
  const asked = reviewsOf(state.board), count = waits.length + asked.length;
  const one = (each) => (each.table ? approval(state, each) : payment(state, each));
  const list = count ? waits.map(one) : none("Nothing waits for a second person");
  return html`<section class="panel list" id="approvals" tabindex="-1" aria-labelledby="approvals-title">
    <header><h2 id="approvals-title">Waiting for ${forWhom}</h2>
    <span class="grow"></span>${count ? html`<span class="pill warn">${count}</span>` : null}</header>
    <div class="scroll">${state.decided.length ? told(state.decided) : null}${list}${
      reviews(state, asked)}</div></section>`;
}

const TOLD_MOST = 5;

/** What became of the last proposals, by whom and why. */
const told = (decided) => html`<div class="told" data-key="told" role="status">
  ${decided.slice(-TOLD_MOST).map((one) => html`<p data-key="d-${decidedKey(one)}">${decisionWords(one)}</p>`)}
  <div class="row"><button type="button" class="btn sm ghost" data-act="decided-seen">Seen</button></div></div>`;

export const about = ({ number }, { round, title }) => `Table ${number}${round ? `, round ${round}` : ""}: ${title}`;

export const proposedBy = (waiting) => `Proposed by ${waiting.by}${waiting.at ? `, ${time(waiting.at)}` : ""}.`;

/** @param {Seen} state */
function approval(state, { table, waiting }) {
  const own = waiting.by === state.me?.name, decides = may(state.me, "approve");
  return html`<div class="ap" data-key="waiting-${table.number}-${waiting.proposal}"><b>${about(table, waiting)}</b>
    ${clauseOf(waiting, table.number)}
    <p class="muted">${shortTitle(table.title)}. ${inShort(waiting)} ${proposedBy(waiting)}</p>
    ${own && decides ? yours(16) : null}
    ${decides ? decisions(state, proposalOf(table, waiting), own) : OTHERS}</div>`;
}

/**
 * A voucher that is large, to sell or to pay, or has expired: a cashier asks, somebody else looks.
 * @param {Seen} state
 */
function payment(state, { waiting }) {
  const own = waiting.by === state.me?.name, decides = may(state.me, "approve");
  const which = html`data-window="${waiting.window}" data-payment="${waiting.payment}"`;
  return html`<div class="ap" data-key="payment-${waiting.window}-${waiting.payment}"><b>${aboutPayment(waiting)}</b>
    <p class="muted">${sentence(waiting.why)} ${proposedBy(waiting)}</p>
    ${own && decides ? yours(16) : null}
    ${decides ? decisions(state, which, own, "-payment") : OTHERS}</div>`;
}

export const aboutPayment = ({ window, command, cents }) =>
  `Cage window ${window}: ${command === "sell-voucher" ? "sell" : "pay"} a voucher of ${money(cents)}`;
/** @param {string} why */
export const sentence = (why) => (why ? `${why[0].toUpperCase()}${why.slice(1)}.` : "");

const OTHERS = html`<p class="dim small">A supervisor decides on it.</p>`;

/** @param {number} size */
export const yours = (size) => html`<p class="own"><pb-icon name="user" size="${size}"></pb-icon>
  You proposed this: somebody else must approve it.</p>`;

const proposalOf = ({ number }, { proposal }) => html`data-table="${number}" data-proposal="${proposal}"`;

/** @param {Seen} state */
function decisions(state, which, own, kind = "") {
  const off = state.link === "lost" ? html`disabled` : null;
  const button = (sheet, look, text) => html`<button type="button" class="btn sm ${look}" data-act="ask"
    data-sheet="${sheet}${kind}" ${which} ${off}>${text}</button>`;
  if (own) return html`<div class="row">${button("look", "", "Open")}${button("withdraw", "danger", "Withdraw")}</div>`;
  return html`<div class="row">${button("look", "", "Open")}${button("refuse", "danger", "Refuse")}
      ${button("look", "primary", "Approve …")}</div>`;
}

/** The facts that fit in a line. */
function inShort(waiting) {
  if (waiting.refused) return `It cannot be approved now: ${waiting.refused}.`;
  const short = waiting.facts.filter((each) => each.text || Number.isInteger(each.cents)).slice(0, 3);
  return short.map((each) => `${each.name}: ${wordsAndMoney(each)}.`).join(" ");
}

const wordsAndMoney = ({ text, cents }) =>
  [text, Number.isInteger(cents) ? money(cents) : ""].filter(Boolean).join(", ");

// Reviews that patrons ask for

/** @param {Seen} state @param {{ table: PitTable, review: PitReview }[]} waits */
function reviews(state, waits) {
  if (!waits.length) return null;
  return html`<h3 class="sub" data-key="reviews">Reviews that patrons ask for</h3>${
    waits.map((each) => review(state, each))}`;
}

/** @param {PitTable} table @param {PitReview} asked */
export const aboutReview = ({ number }, { review: which, round, complaint }) =>
  `Table ${number}, round ${round}: review ${which}, ${complaint.toLowerCase()}`;

/** @param {PitReview} asked */
export const reviewAskedBy = ({ who, at }) => `Asked by ${who}, ${time(at)}.`;

/** @param {Seen} state @param {{ table: PitTable, review: PitReview }} each */
function review(state, { table, review: asked }) {
  const off = state.link === "lost" ? html`disabled` : null;
  return html`<div class="ap" data-key="review-${table.number}-${asked.review}"><b>${aboutReview(table, asked)}</b>
    <p class="muted">${shortTitle(table.title)}. ${asked.note ? `“${asked.note}” ` : ""}${reviewAskedBy(asked)}</p>
    <div class="row"><button type="button" class="btn sm" data-act="ask" data-sheet="review"
      data-table="${table.number}" data-review="${asked.review}" ${off}>Open</button></div></div>`;
}
