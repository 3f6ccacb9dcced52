// What is asked in a sheet: a second look at a proposal, a reason to stop or close, bets, limits, a new table. Pure.
import { causeFields, check, field } from "../forms/fields.js";
import { limitsForm } from "../forms/limits.js";
import { LATER } from "../forms/scheduled.js";
import { openForm, starting } from "../forms/tables.js";
import { html } from "../base/dom.js";
import { changes, closable } from "./closing.js";
import { about, aboutPayment, clauseOf, facts, proposedBy, yours } from "./lists.js";
import { paymentOf, tableOf } from "./reduce.js";
import { answering, asking } from "./reviews.js";
import { shortTitle } from "./words.js";

/** @import { Seen, Sheet } from "./reduce.js" */

/** @param {Seen} state @param {Sheet} it */
export function sheet(state, it) {
  const table = it.table ? tableOf(state, it.table) : null;
  const found = SHEETS[it.kind](state, it, table);
  const cancel = html`<button type="button" class="btn sm" data-act="cancel">${found.cancel ?? "Cancel"}</button>`;
  return html`<dialog class="notice ${found.warned ? "warned" : ""} ${found.wide ? "wide" : ""}"
      data-key="sheet-${it.kind}" aria-labelledby="sheet-title"><form data-form="${it.kind}" novalidate>
    <h2 id="sheet-title">${found.title}</h2>${found.body}
    ${it.error ? error(it.error) : null}
    <div class="btns">${cancel}${found.more ?? null}
    ${found.go ? goButton(state, it, found) : null}</div></form></dialog>`;
}

const WARNING = html`<pb-icon name="warn" size="18"></pb-icon>`;
const error = (text) => html`<p class="error" role="alert">${WARNING}<span>${text}</span></p>`;

/** @param {Seen} state @param {Sheet} it */
function goButton(state, it, { go, warned, off }) {
  const disabled = it.busy || off || state.link === "lost" ? html`disabled` : null;
  return html`<button type="submit" class="btn sm ${warned ? "danger" : "primary"}"
    ${disabled}>${it.busy ? "Asking …" : go}</button>`;
}

const named = (table) => html`Table ${table.number}, ${shortTitle(table.title)}`;
const p = (text) => html`<p class="muted">${text}</p>`;

const SHEETS = {
  look: (state, it, table) => decide(state, it, table),
  refuse: (state, it, table) => decide(state, it, table),
  withdraw: (state, it, table) => decide(state, it, table),
  "look-payment": (state, it) => decidePayment(state, it),
  "refuse-payment": (state, it) => decidePayment(state, it),
  "withdraw-payment": (state, it) => decidePayment(state, it),
  review: (state, it) => answering(state, it) ?? DECIDED,
  "ask-review": (_, it, table) => asking(it, table),
  "stop-table": (_, it, table) => ({
    title: html`Stop ${named(table)}`, go: "Stop the table", warned: true,
    body: html`${p(`No new round opens until it is started again. ${inPlay(table)}`)}${causeFields(it, it.causes)}`,
  }),
  "start-table": (_, it, table) => starting(table, named(table)),
  "close-table": (_, it, table) => ({
    title: html`Close ${named(table)}`, go: table.is_in_play ? "Close after this round" : "Close now", warned: true,
    body: html`${p(table.is_in_play
      ? `Everybody at the table is told now. Round ${table.round} ends by rule and is paid; then the table closes.`
      : "The table closes now. Nobody loses credits: they can be cashed out at a closed table.")}
      ${causeFields(it, it.causes)}`,
  }),
  "stop-floor": (state, it) => ({
    title: "Stop the whole floor", go: "Stop every table", warned: true,
    body: html`${p(`No table opens a new round until the floor is started again. ${allInPlay(state)}`)}
      ${causeFields(it, it.causes)}`,
  }),
  "start-floor": (state) => ({
    title: "Start the floor", go: "Start the floor",
    body: p(`It was stopped: ${state.board.stopped}. Tables that were stopped with it open rounds again; `
      + "those stopped one by one stay as they are."),
  }),
  limits: (_, it, table) => ({
    title: html`Limits of ${named(table)}`, wide: true, go: it.game ? "Change the limits" : null,
    body: it.game ? html`${p(LATER)}${limitsForm(it.game, it)}` : p("Asking for the limits …"),
  }),
  bets: (_, it, table) => ({
    title: html`Side bets of ${named(table)}`, go: "Go on", warned: true,
    body: html`${p("A closed bet takes no wagers; its spot is grey and says so. Player and Banker stay open.")}
      <div class="ticks">${closable(table).map((bet) => betTick(it, bet))}</div>`,
  }),
  "bets-sure": (_, it, table) => ({
    title: html`Change side bets of ${named(table)}`, go: sureOf(changes(table, it.closed)), warned: true,
    body: html`${changed(changes(table, it.closed))}${p(table.is_in_play
      ? `Round ${table.round} is in play and ends as it began; this holds from the next one.`
      : "This holds from the next round.")}`,
  }),
  "open-table": (state, it) => ({
    title: "Open a table", wide: true, go: it.games ? "Open the table" : null,
    body: it.games ? openForm(it) : p("Asking for the games …"),
  }),
};

/** @param {Sheet} it */
const betTick = (it, { bet, title, says }) => check({
  name: `closed.${bet}`, label: `Close ${title}`, on: it.values[`closed.${bet}`], hint: says,
});

/** What would change, by name. */
function changed({ closes, opens }) {
  const line = (name, bets) => (bets.length ? html`<div><dt>${name}</dt><dd><b>${listed(bets)}</b></dd></div>` : null);
  return html`<dl class="facts">${line("Close", closes)}${line("Open again", opens)}</dl>`;
}

const listed = (bets) => bets.map(({ title }) => title).join(", ");
const sureOf = ({ closes, opens }) => [
  closes.length ? `Close ${listed(closes)}` : "", opens.length ? `open ${listed(opens)}` : "",
].filter(Boolean).join(", ").replace(/^o/, "O");

function inPlay(table) {
  return table.is_in_play ? `Round ${table.round} in play ends by rule, and is paid.` : "No round is in play.";
}

/** @param {Seen} state */
function allInPlay(state) {
  const count = state.board.tables.filter((table) => table.is_in_play).length;
  return `${count} ${count === 1 ? "round" : "rounds"} in play end by rule, and are paid.`;
}

const DECIDED = {
  title: "Decided", cancel: "Close", body: p("Somebody has decided on this meanwhile, or it is no longer possible."),
};

/** @param {Seen} state @param {Sheet} it */
function decide(state, it, table) {
  const waiting = table?.waiting.find((each) => each.proposal === it.proposal);
  if (!waiting) return DECIDED;
  const body = html`<p class="muted"><b>${about(table, waiting)}</b>
      ${clauseOf(waiting, table.number)}<br>${shortTitle(table.title)}. ${proposedBy(waiting)}</p>
    ${facts(waiting.facts, table.number)}
    ${waiting.refused ? notNow(waiting.refused) : null}`;
  const which = html`data-table="${table.number}" data-proposal="${waiting.proposal}"`;
  return answered(state, it, { waiting, body, which, off: Boolean(waiting.refused) });
}

/** @param {Seen} state @param {Sheet} it */
function decidePayment(state, it) {
  const waiting = paymentOf(state.board, it);
  if (!waiting) return DECIDED;
  const isSale = waiting.command === "sell-voucher";
  const about = [
    { name: isSale ? "Taken in cash" : "Paid in cash", cents: waiting.cents }, { name: "Needs two", text: waiting.why },
    ...(isSale ? [] : [{ name: "Issued at", text: placeOf(waiting.issued_in) }]),
  ];
  const stays = isSale ? "The cashier gives the cash back." : "The voucher stays good. The cashier gives it back.";
  const body = html`<p class="muted"><b>${aboutPayment(waiting)}</b><br>${proposedBy(waiting)}</p>${facts(about)}
    ${it.kind === "look-payment" ? null : p(stays)}`;
  const which = html`data-window="${waiting.window}" data-payment="${waiting.payment}"`;
  return answered(state, it, { waiting, body, which, kind: "-payment" });
}

/**
 * The ways to answer: to approve, to refuse with a reason, or for who asked to withdraw.
 * @param {Seen} state @param {Sheet} it
 */
function answered(state, it, { waiting, body, which, kind = "", off = false }) {
  const own = waiting.by === state.me?.name;
  if (it.kind === `refuse${kind}`) {
    return { title: "Refuse this?", go: "Refuse", warned: true, body: html`${body}${whyNot(it)}` };
  }
  if (it.kind === `withdraw${kind}`) return { title: "Withdraw this?", go: "Withdraw", warned: true, body };
  const [sheet, words] = own ? ["withdraw", "Withdraw …"] : ["refuse", "Refuse …"];
  return {
    title: "Look again", go: own ? null : `Approve as ${state.me?.name ?? ""}`, off, cancel: "Close",
    body: html`${body}${own ? yours(18) : null}`,
    more: html`<button type="button" class="btn sm danger" data-act="ask" data-sheet="${sheet}${kind}"
      ${which}>${words}</button>`,
  };
}

/** "table:3" -> "Table 3", "cage:1" -> "Cage window 1". */
const placeOf = (stream) => stream.replace(/^table:/, "Table ").replace(/^cage:/, "Cage window ") || "unknown";

const notNow = (why) => html`<p class="error">${WARNING}<span>It cannot be approved now: ${why}.</span></p>`;

/** @param {Sheet} it */
const whyNot = (it) => field({
  name: "reason", label: "Why it is refused", type: "area",
  value: it.values.reason ?? "", hint: "Written in the journal; the proposer sees it.", wrong: it.wrong?.reason,
});
