// The cage's other tabs as html: vouchers sold, what waits for a second person, the shift and its count. Pure.
import { html } from "../base/dom.js";
import { money, signed } from "../base/money.js";
import { may } from "../base/staffbar.js";
import { moment, place, voucher } from "../base/voucher.js";
import { saidHere } from "../base/words.js";
import { amountField, chosen, pad, said, sessions } from "./parts.js";
import { countSheet, isCounted } from "./count.js";
import { barred, centsOf, countOf, isAsked, isOwn, isShown, isSold, mayDecide, rowOf } from "./reduce.js";
import { commandWords, nameOf, tableName, t } from "./words.js";

/** @import { Seen } from "./reduce.js" */

/** @param {Seen} state */
export function vouchersTab(state) {
  const { paper: sold } = state;
  return html`${sell(state)}
    <section class="panel" aria-labelledby="h-paper">
      <header><h2 id="h-paper">${t("Last voucher sold here")}</h2><span class="grow"></span>
      ${sold ? COPY() : null}</header>
      <div class="p">${state.sales.map((sale) => toSell(state, sale))}
      ${sold ? voucher(sold.paper, { duplicate: sold.copies > 0 }) : NONE_SOLD()}
      ${sold ? COPY_NOTE() : null}</div>
      ${state.liability ? owedByIssuer(state.liability) : null}</section>`;
}

const COPY = () => html`<button type="button" class="btn"
  data-act="copy"><pb-icon name="print"></pb-icon>${t("Print a duplicate")}</button>`;
const COPY_NOTE = () => html`<p class="muted small">${
  t("A duplicate is a record: it has no code and only the last four digits, and cannot be redeemed.")}</p>`;
const SELL_NOTE = () => t("It is printed at once, and worth cash here or credits at any terminal.");
const NONE_SOLD = () => html`<p class="empty muted">${
  t("A voucher that is sold is shown here until the next one.")}</p>`;

/** @param {Seen} state */
function sell(state) {
  const amount = centsOf(state, "sell"), bar = barred(state), busy = isAsked(state, "sell");
  const words = amount ? t("Sell a voucher of {0}", money(amount)) : t("Sell a voucher");
  const note = amount ? `${SELL_NOTE()} ${countsIn(state.window)}` : t("Type the amount received.");
  return html`<section class="panel" aria-labelledby="h-sell">
      <header><h2 id="h-sell">${t("Sell a voucher")}</h2></header><div class="p">
      ${amountField(state, "sell", t("Amount received, cash"))}${pad("sell")}
      <button type="button" class="btn primary tall" data-act="sell"
        ${bar || busy || !amount ? html`disabled` : null}>${busy ? t("Selling…") : words}</button>
      <p class="muted small">${bar || note}</p>${said(state, "sell")}</div></section>`;
}

/** @param {number} window */
export const countsIn = (window) => t("It counts in the drawer of window {0}.", window);

// A large one: printed with the number that was asked for, once a second person has approved.
/** @param {Seen} state */
function toSell(state, sale) {
  const ready = isSold(state, sale), off = offWhen(!ready || isAsked(state, "sell") || barred(state));
  const pill = ready ? html`<span class="pill ok">${t("Decided")}</span>`
    : html`<span class="pill warn">${t("Waits for a second person")}</span>`;
  return html`<article class="wait" data-key="sale-${sale.id}"><div class="row between wrap"><b
      class="big">${t("Voucher of {0}", money(sale.cents))}</b>${pill}</div>
    <div class="row acts"><button type="button" class="btn ${ready ? "primary" : ""}" data-act="print-sold"
      data-sale="${sale.id}" ${off}>${t("Print the voucher")}</button></div></article>`;
}

const name = (stream) => place(stream) || stream;

function owedByIssuer({ ties_out: tied, rows, open_cents: open, expired_cents: expired }) {
  const words = tied ? t("ties out to the ledger") : t("does not tie out to the ledger");
  return html`<header class="second-head"><h2>${
    t("Vouchers not redeemed, by who issued them")}</h2><span class="grow"></span>
  <span class="pill ${tied ? "ok" : "danger"}">${words}</span></header>
  <table class="t"><thead><tr><th>${t("Issued by")}</th><th class="r">${t("Open")}</th><th class="r">${t("Amount")}</th>
    <th class="r">${t("Expired")}</th><th class="r">${t("Amount")}</th></tr></thead><tbody>
  ${rows.map(issuerRow)}
  <tr><td><b>${t("All")}</b></td><td></td><td class="r gold"><b>${money(open)}</b></td>
    <td></td><td class="r"><b>${money(expired)}</b></td></tr></tbody></table>`;
}

const issuerRow = (row) => html`<tr><td><b>${name(row.table)}</b></td>
    <td class="r">${row.open}</td><td class="r">${money(row.open_cents)}</td>
    <td class="r">${row.expired}</td><td class="r">${money(row.expired_cents)}</td></tr>`;

/** @param {Seen} state */
export function handPays(state) {
  const waiting = [...state.view.payments.map(waitingPayment), ...state.view.hand_pays.map(waitingProposal)];
  return html`<section class="panel" aria-labelledby="h-second">
      <header><h2 id="h-second">${t("Waiting for a second person")}</h2></header><div class="p">
      ${waiting.some((one) => one.left) ? receiptField(state) : null}
      ${waiting.length ? waiting.map((one) => waitingCard(state, one)) : nothingWaits(state.view)}
      ${said(state, "waiting")}</div></section>
    <div class="end">${handPay(state)}${sessions(state)}</div>`;
}

/** @param {Seen} state */
const receiptField = ({ receipt: { address } }) => html`<label class="cash why"><span>${
  t("The patron's receipt: scan its code, or type its address")}</span>
  <input class="in" id="receipt" autocomplete="off" spellcheck="false" maxlength="600" value="${address}"
    data-set="${address}"></label>`;

const nothingWaits = ({ hand_pay_cents: limit }) => html`<p class="empty muted">${t("Nothing waits.")}
  ${t("Vouchers over {0}, expired ones, large buy-ins, and hand pays of tables come here.", money(limit))}</p>`;

/** What a voucher waits for. */
export const voucherWords = ({ command, issued_in: at }) =>
  (command === "sell-voucher" ? t("Sell a voucher") : t("Pay a voucher of {0}", name(at)));

const waitingPayment = (one) => ({
  key: `payment-${one.payment}`, title: voucherWords(one), why: saidHere(one.why),
  by: one.by, at: one.at, cents: one.cents, act: "payment", number: one.payment,
});

const waitingProposal = (one) => ({
  key: `${one.table}-${one.proposal}`, title: `${tableName(one.table)}${t(", ")}${nameOf(one)}`,
  why: commandWords(one),
  by: one.by, at: one.at, cents: one.cents, act: "proposal", number: one.proposal, table: one.table,
  left: one.command === "adjust" && one.left,
});

/** @param {Seen} state */
function handPay(state) {
  const row = rowOf(state), bar = barred(state);
  const words = row ? t("Pay {0} to {1} …", money(row.balance_cents), nameOf(row)) : t("Pay out");
  const locked = bar || !row || !row.balance_cents || row.in_play_cents || state.busy || state.paying
    || isAsked(state, "handpay", `handpay ${row.session}`);
  return html`<section class="panel" aria-labelledby="h-hand">
      <header><h2 id="h-hand">${t("Pay out a session by hand")}</h2></header><div class="p">
      <div class="cash"><span>${t("Session")}</span>
        <div class="in chosen">${chosen(row, t("choose in the list below"))}</div></div>
      <button type="button" class="btn tall ${state.paying ? "" : "primary"}" data-act="handpay"
        ${locked ? html`disabled` : null}>${words}</button>
      ${state.paying && row ? confirmPay(state, row) : null}
      <p class="muted small">${bar || `${handPayNote(row)} ${countsIn(state.window)}`}</p>${
        said(state, "hand")}</div></section>`;
}

// Asked once more, with the amount as it was counted out.
/** @param {Seen} state */
function confirmPay(state, row) {
  const { paying } = state, cents = paying?.cents ?? 0;
  const busy = Boolean(state.busy) || isAsked(state, "handpay", `handpay ${row.session}`);
  return html`<div class="wait" role="group" aria-label="${t("Confirm the hand pay")}" data-key="confirm-pay">
    <p>${t("Pay {0} in cash to {1} at {2}?", money(cents), nameOf(row), tableName(row.table))}
      ${t("All its credits leave, and its session ends.")}</p>
    <div class="row acts"><button type="button" class="btn" data-act="no-handpay">${t("Back")}</button>
    <button type="button" class="btn primary" data-act="handpay-now"
      ${offWhen(busy)}>${busy ? t("Paying…") : t("I pay {0}", money(cents))}</button></div></div>`;
}

function handPayNote(row) {
  if (row?.in_play_cents) return t("Its wagers are in play: pay when the round is settled.");
  if (row && !row.balance_cents) return t("It has no credits.");
  return t("All credits leave the session as cash, and it ends. Over its table's limit a second person decides.");
}

/** @param {Seen} state */
function waitingCard(state, one) {
  const own = state.me?.name === one.by, can = mayDecide(state.me, one.by);
  const decides = can ? t("you may decide") : t("somebody else decides"), refusing = state.refusing === one.key;
  return html`<article class="wait" data-key="${one.key}">
    <div class="row between wrap"><div><b class="big">${one.title}</b><br><span
      class="muted small">${one.why}</span></div><b class="sum">${money(one.cents)}</b></div>
    <p class="row small wrap">${step("ok", "check", t("Asked by {0} at {1}", one.by, moment(one.at)))}${
      step("warn", "clock", decides)}${one.left ? receiptStep(isShown(state, one)) : null}</p>
    ${refusing ? whyNot(state) : null}
    <div class="row acts">${own && may(state.me, "withdraw-proposal") ? withdrawing(state, one) : null}
    ${can ? deciding(state, one, refusing) : null}</div></article>`;
}

const which = (one) => html`data-of="${one.act}" data-number="${one.number}"
  data-table="${one.table ?? ""}" data-wait="${one.key}"`;

const whyNot = ({ reason }) => html`<label class="cash why"><span>${
  t("Why it is turned down; who asked reads it")}</span>
  <textarea class="in" id="reason" rows="2" maxlength="400" data-set="${reason}">${reason}</textarea></label>`;

/** @param {Seen} state */
const isDeciding = (state, one) => Boolean(state.busy) || isAsked(state, one.key);

const offWhen = (is) => (is ? html`disabled` : null);

/** @param {Seen} state */
const withdrawing = (state, one) => html`<button type="button" class="btn" data-act="withdraw" ${which(one)}
  ${offWhen(isDeciding(state, one))}>${t("Withdraw")}</button>`;

/** @param {Seen} state */
function deciding(state, one, refusing) {
  if (!refusing) {
    return html`<button type="button" class="btn danger" data-act="refuse" ${which(one)}
        ${offWhen(isDeciding(state, one))}>${t("Turn down …")}</button>
      <button type="button" class="btn primary" data-act="approve" ${which(one)}
        ${offWhen(isDeciding(state, one))}>${t("Approve {0}", money(one.cents))}</button>`;
  }
  return html`<button type="button" class="btn" data-act="refuse" data-wait="">${t("Back")}</button>
    <button type="button" class="btn danger" data-act="reject" ${which(one)}
      ${offWhen(isDeciding(state, one) || !state.reason.trim())}>${t("Turn down")}</button>`;
}

/** @param {boolean} shown */
const receiptStep = (shown) => (shown ? step("ok", "check", t("the receipt is of this round and session"))
  : step("warn", "search", t("compare it with the receipt")));

const step = (kind, icon, words) =>
  html`<span class="${kind} row"><pb-icon name="${icon}" size="16"></pb-icon>${words}</span>`;

/** @param {Seen} state */
export function shift(state) {
  const { view: seen } = state;
  return html`<section class="panel" aria-labelledby="h-count">
    <header><h2 id="h-count">${shiftTitle(state)}</h2></header>
    <div class="p">
      ${state.view.differed ? DIFFER() : null}
      ${shiftEntry(state)}
      ${said(state, "shift")}</div></section>
    ${seen.closed && !seen.cashier ? slip(seen.closed) : howItStands(seen)}`;
}

const DIFFER = () => html`<p class="said warn" role="status"><pb-icon name="warn"
  size="18"></pb-icon><span>${t("The two counts differ. Both count again, each alone.")}</span></p>`;

const howItStands = (seen) => html`<section class="panel p" aria-label="${t("The shift")}">
  <dl class="kv wide">${seen.cashier ? shiftFacts(seen) : NO_SHIFT()}</dl>
  <p class="muted small">${
    t("Two people count, each alone. What should lie there is told to nobody before both have counted. Where the two "
      + "figures agree the shift ends, and the difference from what should lie there is written to the "
      + "journal.")}</p></section>`;

const NO_SHIFT = () => html`<dt>${t("Shift")}</dt><dd>${t("none open")}</dd>`;

/** @param {Seen} state */
function shiftTitle(state) {
  const { cashier, counted } = state.view;
  if (!cashier) return t("Open a shift");
  if (!counted) return t("Count the drawer");
  return isOwn(state) ? t("You have counted") : t("Second count");
}

const pairs = (rows) => rows.map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`);

const shiftFacts = (seen) => pairs([
  [t("Cashier"), seen.cashier], [t("Since"), moment(seen.since)],
  [t("First count"), seen.counted ? t("done, waits for a second") : t("not yet")],
]);

/** The rows of a closed shift, on the screen and on paper. */
export const slipRows = (closed) => [
  [t("Float"), money(closed.float_cents)], [t("Cash in"), money(closed.in_cents)],
  [t("Cash out"), money(-closed.out_cents)], [t("Should be there"), money(closed.expected_cents)],
  [t("Counted by both"), money(closed.counted_cents)], [t("Difference"), differenceWords(closed.difference_cents)],
];

function differenceWords(cents) {
  if (!cents) return t("none");
  return t(cents < 0 ? "{0}, short" : "{0}, over", signed(cents));
}

const slip = (closed) => html`<section class="panel" aria-labelledby="h-slip">
  <header><h2 id="h-slip">${t("Shift {0} of {1}, closed", closed.shift, closed.cashier)}</h2><span class="grow"></span><button
    type="button" class="btn" data-act="slip"><pb-icon name="print"></pb-icon>${t("Print the slip")}</button></header>
  <div class="p"><dl class="kv wide slip ${closed.difference_cents ? "off" : ""}">${pairs(slipRows(closed))}</dl>
  <p class="muted small">${
    t("Since {0}. Counted by {1} and {2}. A difference is a significant event, and stands in the daily report.",
      moment(closed.since), closed.cashier, closed.by)}</p></div></section>`;

// What this person may type now: the float, the first count, the second, or nothing.
/** @param {Seen} state */
function shiftEntry(state) {
  const { view: { cashier, counted, payments }, me } = state;
  if (!cashier) return openEntry(state);
  if (isOwn(state)) {
    return countEntry(state, "count", { on: !payments.length, note: countNote(payments, counted) });
  }
  if (counted && may(me, "confirm-count")) {
    const note = t("{0} has counted. Count again, alone: the same figure ends the shift.", cashier);
    return countEntry(state, "confirm", { on: true, note });
  }
  const whose = counted ? t("The first count waits for a second person.") : t("The shift is {0}'s.", cashier);
  return html`<p class="empty muted">${whose}</p>`;
}

/** @param {Seen} state */
function openEntry(state) {
  const opens = may(state.me, "open-shift");
  return entry(state, {
    of: "float", label: t("Float that lies in the drawer"), act: "open", on: opens,
    words: (amount) => t("Open with {0}", money(amount)),
    note: opens ? t("The window is yours until it is counted.") : t("A cashier opens a shift."),
  });
}

/** @param {Seen} state @param {string} act */
function countEntry(state, act, { on, note }) {
  const busy = isAsked(state, act), locked = !on || busy || !isCounted(state.pieces);
  return html`<p class="muted">${note}</p>${countSheet(state.pieces)}<button type="button" class="btn primary tall"
    data-act="${act}" ${offWhen(locked)}>${
    busy ? t("One moment…") : t("I counted {0}", money(countOf(state)))}</button>`;
}

function countNote(payments, counted) {
  if (payments.length) return t("A payment waits for a second person; it is decided or withdrawn first.");
  if (counted) return t("Your count waits for a second person. Counting again replaces it.");
  return t("What should lie there is not shown here: count first.");
}

/** @param {Seen} state */
function entry(state, { of, label, act, on, words, note }) {
  const busy = isAsked(state, act), locked = !on || busy || state.amounts[of] === "";
  return html`${amountField(state, of, label)}${pad(of)}<button type="button" class="btn primary tall" data-act="${act}"
    ${locked ? html`disabled` : null}>${busy ? t("One moment…") : words(centsOf(state, of))}</button><p
    class="muted small">${note}</p>`;
}
