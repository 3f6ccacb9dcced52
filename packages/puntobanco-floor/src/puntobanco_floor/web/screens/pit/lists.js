// Alerts with their evidence, and what waits for a second person. Pure.
import { may } from "../base/staffbar.js";
import { decidedKey } from "../base/decided.js";
import { html } from "../base/dom.js";
import { moment, money, time } from "../base/money.js";
import { clauseChip } from "../base/rules.js";
import { alike, pageLanguage, saidHere, sentences } from "../base/words.js";
import { awardsOf, decisionWords, reviewsOf, unread, waitingOf } from "./reduce.js";
import { ALERTS, alertKey, gamingDay, percent, shortTitle, tableName, t } from "./words.js";

/** @import { Fact, PitAward, PitReview, PitTable } from "server" */
/** @import { Seen } from "./reduce.js" */

// The server names evidence by fixed words, and a bet in both languages.
const nameOf = (each) => (each.bet ? saidHere(each.bet) : t(each.name));

/** One fact: words, money or cards, with the clause that says so. */
/** @param {Partial<Fact>} each @param {string | number} [table] */
export const fact = (each, table) => html`<div><dt>${nameOf(each)}</dt><dd>${saidHere(each.text)} ${
  amount(each.cents)}
  ${each.cards ? cards(each.cards) : null}
  ${clauseOf(each, table)}</dd></div>`;

const amount = (cents) => (cents === null || cents === undefined ? null : html`<b>${money(cents)}</b>`);

const cards = (codes) => html`<span class="cards">${codes.split(" ").map((code) =>
  html`<pb-card code="${code}" size="30" small></pb-card>`)}</span>`;

/** The clause that says so, where there is one; it leads to the rules of the table with this number. */
/** @param {{ clause?: string }} each @param {string | number} [table] */
export const clauseOf = ({ clause }, table) => clauseChip(pageLanguage(), clause, { table });

/** @param {Partial<Fact>[]} list @param {string | number} [table] */
export const facts = (list, table) => html`<dl class="facts">${list.map((each) => fact(each, table))}</dl>`;

const none = (text) => html`<p class="none"><pb-icon name="check" size="22"></pb-icon>${text}</p>`;

const ALL_SEEN = () => html`<button type="button" class="btn sm ghost" data-act="all-seen">${
  t("Mark all seen")}</button>`;

/** @param {Seen} state */
export function alerts(state) {
  const { alerts: all } = state.board;
  const list = all.length ? all.map((alert) => alertRow(state, alert)) : none(t("No alerts today"));
  return html`<section class="panel list" id="alerts" tabindex="-1" aria-labelledby="alerts-title">
    <header><h2 id="alerts-title">${t("Alerts")}</h2><span class="grow"></span>
    <span class="dim small">${all.length ? whichAlerts(state) : ""}</span>
    ${unread(state).length > 1 ? ALL_SEEN() : null}</header>
    <div class="scroll">${list}</div>${logLine(state)}</section>`;
}

/** The transparency log: how far it is, and who else has seen it. @param {Seen} state */
function logLine({ board: { log } }) {
  if (!log?.size) return null;
  const behind = log.behind ? t(", {0} entries behind for {1} s", log.behind, Math.round(log.behind_s)) : "";
  const seen = log.is_witnessed ? t("witnessed to {0}", log.witnessed) : t(log.why);
  return html`<p class="dim small" id="log-line">${t("Log: {0} leaves{1}; {2}", log.size, behind, seen)}</p>`;
}

/** @param {Seen} state */
function whichAlerts({ board }) {
  const shown = board.alerts.length, count = board.alerts_in_all;
  return t(count > shown ? "{0}, newest first; {1} of {2}" : "{0}, newest first", gamingDay(board.day), shown, count);
}

/** @param {Seen} state */
function alertRow(state, alert) {
  const key = alertKey(alert), [kind, title] = ALERTS[alert.kind] ?? ["", alert.kind];
  const isOpen = state.open === key, isNew = !state.seen.includes(key);
  const where = alert.table ? t("{0}, round {1}", tableName(alert.table), alert.round) : t("The house");
  const said = t("{0}: {1}", where, saidHere(alert.text)), when = time(alert.at).slice(0, 5);
  return html`<div class="li ${isOpen ? "open" : ""}" data-key="alert-${key}"><button type="button" class="head"
        data-act="alert" data-key="head" data-alert="${key}" aria-expanded="${String(isOpen)}">
      <span class="pill ${kind}">${isNew ? html`<i class="dot"></i>` : null}${t(title)}</span>
      <span>${said}${isNew ? html`<span class="sr"> ${t("(new)")}</span>` : null}</span><time>${when}</time></button>
    ${isOpen ? evidence(state, alert) : null}</div>`;
}

/** @param {Seen} state */
function evidence(state, alert) {
  const round = `${alert.table}/${alert.round}`, edges = state.edges[round];
  const session = alert.session ? [{ name: "Session", text: alike(alert.session) }] : [];
  const all = [{ name: "When", text: alike(moment(alert.at)) }, ...session, ...alert.facts];
  return html`<div class="evidence">${facts(all, numberOf(alert.table))}
    ${edges ? edgeLines(edges) : alert.table ? askEdges(alert) : null}</div>`;
}

const numberOf = (table) => table.split(":")[1];

const askEdges = ({ table, round }) => html`<button type="button" class="btn sm" data-act="edges"
  data-table="${numberOf(table)}" data-round="${round}">${t("Edges of that round")}</button>`;

function edgeLines(found) {
  if (found.error) return html`<p class="muted small" role="status">${found.error}</p>`;
  const each = found.edges.map((edge) => `${saidHere(edge.title)} ${percent(-edge.edge)}`).join(" · ");
  return html`<p class="muted small">${
    t("House edge for the cards unseen as round {0} began: {1}", found.round, each)}</p>`;
}

/** @param {Seen} state */
export function approvals(state) {
  const waits = waitingOf(state), title = may(state.me, "approve") ? t("Waiting for your approval")
    : t("Waiting for a supervisor");
  const asked = reviewsOf(state.board), count = waits.length + asked.length;
  const one = (each) => (each.table ? approval(state, each) : payment(state, each));
  const list = count ? waits.map(one) : none(t("Nothing waits for a second person"));
  return html`<section class="panel list" id="approvals" tabindex="-1" aria-labelledby="approvals-title">
    <header><h2 id="approvals-title">${title}</h2>
    <span class="grow"></span>${count ? html`<span class="pill warn">${count}</span>` : null}</header>
    <div class="scroll">${state.decided.length ? told(state.decided) : null}${list}${
      reviews(state, asked)}${awards(state)}</div></section>`;
}

const TOLD_MOST = 5;

/** What became of the last proposals, by whom and why. */
const told = (decided) => html`<div class="told" data-key="told" role="status">
  ${decided.slice(-TOLD_MOST).map((one) => html`<p data-key="d-${decidedKey(one)}">${decisionWords(one)}</p>`)}
  <div class="row"><button type="button" class="btn sm ghost" data-act="decided-seen">${
    t("Seen")}</button></div></div>`;

export const about = ({ number }, waiting) => t("{0}: {1}", waiting.round
  ? t("{0}, round {1}", t("Table {0}", number), waiting.round) : t("Table {0}", number), saidHere(waiting.title));

export const proposedBy = (waiting) => (waiting.at
  ? t("Proposed by {0}, {1}.", waiting.by, moment(waiting.at)) : t("Proposed by {0}.", waiting.by));

/** @param {Seen} state */
function approval(state, { table, waiting }) {
  const own = waiting.by === state.me?.name, decides = may(state.me, "approve");
  return html`<div class="ap" data-key="waiting-${table.number}-${waiting.proposal}"><b>${about(table, waiting)}</b>
    ${clauseOf(waiting, table.number)}
    <p class="muted">${shortTitle(table)}${t(".")} ${inShort(waiting)} ${proposedBy(waiting)}</p>
    ${own && decides ? yours(16) : null}
    ${decides ? decisions(state, proposalOf(table, waiting), own) : OTHERS()}</div>`;
}

/**
 * A voucher that is large, to sell or to pay, or has expired: a cashier asks, somebody else looks.
 * @param {Seen} state
 */
function payment(state, { waiting }) {
  const own = waiting.by === state.me?.name, decides = may(state.me, "approve");
  const which = html`data-window="${waiting.window}" data-payment="${waiting.payment}"`;
  return html`<div class="ap" data-key="payment-${waiting.window}-${waiting.payment}"><b>${aboutPayment(waiting)}</b>
    <p class="muted">${sentence(saidHere(waiting.why))} ${proposedBy(waiting)}</p>
    ${own && decides ? yours(16) : null}
    ${decides ? decisions(state, which, own, "-payment") : OTHERS()}</div>`;
}

export const aboutPayment = ({ window, command, cents }) =>
  t(command === "sell-voucher" ? "Cage window {0}: sell a voucher of {1}" : "Cage window {0}: pay a voucher of {1}",
    window, money(cents));
/** @param {string} why */
export const sentence = (why) => (why ? sentences(pageLanguage(), why) : "");

const OTHERS = () => html`<p class="dim small">${t("A supervisor decides on it.")}</p>`;

/** @param {number} size */
export const yours = (size) => html`<p class="own"><pb-icon name="user" size="${size}"></pb-icon>
  ${t("You proposed this: somebody else must approve it.")}</p>`;

const proposalOf = ({ number }, { proposal }) => html`data-table="${number}" data-proposal="${proposal}"`;

/** @param {Seen} state */
function decisions(state, which, own, kind = "") {
  const off = state.link === "lost" ? html`disabled` : null;
  const button = (sheet, look, text) => html`<button type="button" class="btn sm ${look}" data-act="ask"
    data-sheet="${sheet}${kind}" ${which} ${off}>${text}</button>`;
  if (own) return html`<div class="row">${button("look", "", t("Open"))}${
    button("withdraw", "danger", t("Withdraw"))}</div>`;
  return html`<div class="row">${button("look", "", t("Open"))}${button("refuse", "danger", t("Refuse"))}
      ${button("look", "primary", t("Approve …"))}</div>`;
}

/** The facts that fit in a line. */
function inShort(waiting) {
  if (waiting.refused) return t("It cannot be approved now: {0}.", saidHere(waiting.refused));
  const short = waiting.facts.filter((each) => each.text || Number.isInteger(each.cents)).slice(0, 3);
  return short.map((each) => sentences(pageLanguage(), t("{0}: {1}", nameOf(each), wordsAndMoney(each)))).join(" ");
}

const wordsAndMoney = (each) =>
  [saidHere(each.text), Number.isInteger(each.cents) ? money(each.cents) : ""].filter(Boolean).join(t(", "));

// Reviews that patrons ask for

/** @param {Seen} state @param {{ table: PitTable, review: PitReview }[]} waits */
function reviews(state, waits) {
  if (!waits.length) return null;
  return html`<h3 class="sub" data-key="reviews">${t("Reviews that patrons ask for")}</h3>${
    waits.map((each) => review(state, each))}`;
}

/** @param {PitTable} table @param {PitReview} asked */
export const aboutReview = ({ number }, asked) =>
  t("Table {0}, round {1}: review {2}, {3}", number, asked.round, asked.review,
    saidHere(asked.complaint).toLowerCase());

/** @param {PitReview} asked */
export const reviewAskedBy = ({ who, at }) => t("Asked by {0}, {1}.", who, moment(at));

/** @param {Seen} state @param {{ table: PitTable, review: PitReview }} each */
function review(state, { table, review: asked }) {
  const off = state.link === "lost" ? html`disabled` : null;
  return html`<div class="ap" data-key="review-${table.number}-${asked.review}"><b>${aboutReview(table, asked)}</b>
    <p class="muted">${shortTitle(table)}${t(".")} ${asked.note ? `“${asked.note}” ` : ""}${reviewAskedBy(asked)}</p>
    <div class="row"><button type="button" class="btn sm" data-act="ask" data-sheet="review"
      data-table="${table.number}" data-review="${asked.review}" ${off}>${t("Open")}</button></div></div>`;
}

// Reviews that were answered in the patron's favour or referred, and are not paid

/** @param {Seen} state */
function awards(state) {
  const list = awardsOf(state.board);
  if (!list.length) return null;
  return html`<h3 class="sub" data-key="awards">${t("Answered reviews, not paid")}</h3>${
    list.map((each) => award(state, each))}`;
}

/** @param {PitTable} table @param {PitAward} given */
export const aboutAward = ({ number }, given) => t("Table {0}, round {1}: review {2}, {3}", number, given.round,
  given.review, saidHere(given.decision).toLowerCase());

/** @param {PitAward} given */
export const paidTo = ({ who, seated }) => (seated ? t("To {0}, as credits.", who)
  : t("To {0}, who has left: a cashier pays cash against the receipt.", who));

/** @param {Seen} state @param {{ table: PitTable, award: PitAward }} each */
function award(state, { table, award: given }) {
  const off = state.link === "lost" ? html`disabled` : null;
  const pay = html`<div class="row"><button type="button" class="btn sm" data-act="ask" data-sheet="adjust"
      data-table="${table.number}" data-award="${given.review}" ${off}>${t("Pay …")}</button></div>`;
  return html`<div class="ap" data-key="award-${table.number}-${given.review}"><b>${aboutAward(table, given)}</b>
    ${clauseOf(given, table.number)}<p class="muted">${shortTitle(table)}${t(".")} ${paidTo(given)}</p>
    ${may(state.me, "adjust") ? pay : null}</div>`;
}
