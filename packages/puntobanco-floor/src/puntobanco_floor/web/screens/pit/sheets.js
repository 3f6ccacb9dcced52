// What is asked in a sheet: a second look at a proposal, a reason to stop or close, bets, limits, a new table. Pure.
import { causeFields, check, field } from "../forms/fields.js";
import { limitsForm } from "../forms/limits.js";
import { LATER } from "../forms/scheduled.js";
import { openForm, starting } from "../forms/tables.js";
import { html } from "../base/dom.js";
import { alike, capital, saidHere } from "../base/words.js";
import { place } from "../base/voucher.js";
import { changes, closable } from "./closing.js";
import { about, aboutPayment, clauseOf, facts, proposedBy, yours } from "./lists.js";
import { paymentOf, tableOf } from "./reduce.js";
import { answering, asking, paying } from "./reviews.js";
import { shortTitle, t } from "./words.js";

/** @import { Seen, Sheet } from "./reduce.js" */

/** @param {Seen} state @param {Sheet} it */
export function sheet(state, it) {
  const table = it.table ? tableOf(state, it.table) : null;
  const found = SHEETS[it.kind](state, it, table);
  const cancel = html`<button type="button" class="btn sm" data-act="cancel">${found.cancel ?? t("Cancel")}</button>`;
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
    ${disabled}>${it.busy ? t("Asking …") : go}</button>`;
}

const named = (table) => t("Table {0}, {1}", table.number, shortTitle(table));
const p = (text) => html`<p class="muted">${text}</p>`;

const SHEETS = {
  look: (state, it, table) => decide(state, it, table),
  refuse: (state, it, table) => decide(state, it, table),
  withdraw: (state, it, table) => decide(state, it, table),
  "look-payment": (state, it) => decidePayment(state, it),
  "refuse-payment": (state, it) => decidePayment(state, it),
  "withdraw-payment": (state, it) => decidePayment(state, it),
  review: (state, it) => answering(state, it) ?? DECIDED(),
  "ask-review": (_, it, table) => asking(it, table),
  adjust: (state, it, table) => paying(state, it, table) ?? DECIDED(),
  "stop-table": (_, it, table) => ({
    title: t("Stop {0}", named(table)), go: t("Stop the table"), warned: true,
    body: html`${p(`${t("No new round opens until it is started again.")} ${inPlay(table)}`)}${
      causeFields(it, it.causes)}`,
  }),
  "start-table": (_, it, table) => starting(table, named(table)),
  "close-table": (_, it, table) => ({
    title: t("Close {0}", named(table)), go: table.is_in_play ? t("Close after this round") : t("Close now"),
      warned: true,
    body: html`${p(table.is_in_play
      ? t("Everybody at the table is told now. Round {0} ends by rule and is paid; then the table closes.", table.round)
      : t("The table closes now. Nobody loses credits: they can be cashed out at a closed table."))}
      ${causeFields(it, it.causes)}`,
  }),
  "stop-floor": (state, it) => ({
    title: t("Stop the whole floor"), go: t("Stop every table"), warned: true,
    body: html`${p(`${t("No table opens a new round until the floor is started again.")} ${allInPlay(state)}`)}
      ${causeFields(it, it.causes)}`,
  }),
  "start-floor": (state) => ({
    title: t("Start the floor"), go: t("Start the floor"),
    body: p(t("It was stopped: {0}. Tables that were stopped with it open rounds again; those stopped one by one "
      + "stay as they are.", saidHere(state.board.stopped))),
  }),
  limits: (_, it, table) => ({
    title: t("Limits of {0}", named(table)), wide: true, go: it.game ? t("Change the limits") : null,
    body: it.game ? html`${p(LATER())}${limitsForm(it.game, it)}` : p(t("Asking for the limits …")),
  }),
  bets: (_, it, table) => ({
    title: t("Side bets of {0}", named(table)), go: t("Go on"), warned: true,
    body: html`${p(t("A closed bet takes no wagers; its spot is grey and says so. Player and Banker stay open."))}
      <div class="ticks">${closable(table).map((bet) => betTick(it, bet))}</div>`,
  }),
  "bets-sure": (_, it, table) => ({
    title: t("Change side bets of {0}", named(table)), go: sureOf(changes(table, it.closed)), warned: true,
    body: html`${changed(changes(table, it.closed))}${p(table.is_in_play
      ? t("Round {0} is in play and ends as it began; this holds from the next one.", table.round)
      : t("This holds from the next round."))}`,
  }),
  "open-table": (state, it) => ({
    title: t("Open a table"), wide: true, go: it.games ? t("Open the table") : null,
    body: it.games ? openForm(it) : p(t("Asking for the games …")),
  }),
};

/** @param {Sheet} it */
const betTick = (it, bet) => check({
  name: `closed.${bet.bet}`, label: t("Close {0}", saidHere(bet.title)), on: it.values[`closed.${bet.bet}`],
  hint: bet.says,
});

/** What would change, by name. */
function changed({ closes, opens }) {
  const line = (name, bets) => (bets.length ? html`<div><dt>${name}</dt><dd><b>${listed(bets)}</b></dd></div>` : null);
  return html`<dl class="facts">${line(t("Close"), closes)}${line(t("Open again"), opens)}</dl>`;
}

const listed = (bets) => bets.map((bet) => saidHere(bet.title)).join(t(", "));
const sureOf = ({ closes, opens }) => capital([
  closes.length ? t("Close {0}", listed(closes)) : "", opens.length ? t("open {0}", listed(opens)) : "",
].filter(Boolean).join(t(", ")));

function inPlay(table) {
  return table.is_in_play ? t("Round {0} in play ends by rule, and is paid.", table.round) : t("No round is in play.");
}

/** @param {Seen} state */
function allInPlay(state) {
  const count = state.board.tables.filter((table) => table.is_in_play).length;
  return t(count === 1 ? "{0} round in play ends by rule, and is paid." : "{0} rounds in play end by rule, and are "
    + "paid.", count);
}

const DECIDED = () => ({
  title: t("Decided"), cancel: t("Close"),
  body: p(t("Somebody has decided on this meanwhile, or it is no longer possible.")),
});

/** @param {Seen} state @param {Sheet} it */
function decide(state, it, table) {
  const waiting = table?.waiting.find((each) => each.proposal === it.proposal);
  if (!waiting) return DECIDED();
  const body = html`<p class="muted"><b>${about(table, waiting)}</b>
      ${clauseOf(waiting, table.number)}<br>${shortTitle(table)}${t(".")} ${proposedBy(waiting)}</p>
    ${facts(waiting.facts, table.number)}
    ${waiting.refused ? notNow(saidHere(waiting.refused)) : null}`;
  const which = html`data-table="${table.number}" data-proposal="${waiting.proposal}"`;
  return answered(state, it, { waiting, body, which, off: Boolean(waiting.refused) });
}

/** @param {Seen} state @param {Sheet} it */
function decidePayment(state, it) {
  const waiting = paymentOf(state.board, it);
  if (!waiting) return DECIDED();
  const isSale = waiting.command === "sell-voucher";
  const about = [
    { name: isSale ? "Taken in cash" : "Paid in cash", cents: waiting.cents },
    { name: "Needs two", text: waiting.why },
    ...(isSale ? [] : [{ name: "Issued at", text: alike(placeOf(waiting.issued_in)) }]),
  ];
  const stays = isSale ? t("The cashier gives the cash back.")
    : t("The voucher stays good. The cashier gives it back.");
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
    return { title: t("Refuse this?"), go: t("Refuse"), warned: true, body: html`${body}${whyNot(it)}` };
  }
  if (it.kind === `withdraw${kind}`) return { title: t("Withdraw this?"), go: t("Withdraw"), warned: true, body };
  const [sheet, words] = own ? ["withdraw", t("Withdraw …")] : ["refuse", t("Refuse …")];
  return {
    title: t("Look again"), go: own ? null : t("Approve as {0}", state.me?.name ?? ""), off, cancel: t("Close"),
    body: html`${body}${own ? yours(18) : null}`,
    more: html`<button type="button" class="btn sm danger" data-act="ask" data-sheet="${sheet}${kind}"
      ${which}>${words}</button>`,
  };
}

/** "table:3" -> "Table 3", "cage:1" -> "Cage window 1". */
const placeOf = (stream) => place(stream) || t("unknown");

const notNow = (why) => html`<p class="error">${WARNING}<span>${t("It cannot be approved now: {0}.", why)}</span></p>`;

/** @param {Sheet} it */
const whyNot = (it) => field({
  name: "reason", label: t("Why it is refused"), type: "area",
  value: it.values.reason ?? "", hint: t("Written in the journal; the proposer sees it."), wrong: it.wrong?.reason,
});
