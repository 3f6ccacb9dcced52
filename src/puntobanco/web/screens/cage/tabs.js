// The cage's other tabs as html: vouchers sold, what waits for a second person, the shift and its count. Pure.
import { html } from "../base/dom.js";
import { money, time } from "../base/money.js";
import { place, voucher } from "../base/voucher.js";
import { amountField, pad, said, sessions } from "./parts.js";
import { barred, centsOf, isOwn, rowOf } from "./reduce.js";
import { COMMAND, nameOf, tableName } from "./words.js";

export function vouchersTab(state) {
  const amount = centsOf(state, "sell"), bar = barred(state), busy = state.busy === "sell", sold = state.paper;
  return html`<section class="panel" aria-labelledby="h-sell"><header><h2 id="h-sell">Sell a voucher</h2></header><div class="p">
      ${amountField(state, "sell", "Amount received, cash")}${pad("sell")}
      <button type="button" class="btn primary tall" data-act="sell" ${bar || busy || !amount ? html`disabled` : null}>${busy ? "Selling…" : amount ? `Sell a voucher of ${money(amount)}` : "Sell a voucher"}</button>
      <p class="muted small">${bar || (amount ? "It is printed at once, and worth cash here or credits at any terminal." : "Type the amount received.")}</p>${said(state)}</div></section>
    <section class="panel" aria-labelledby="h-paper"><header><h2 id="h-paper">Last voucher sold here</h2><span class="grow"></span>
      ${sold ? html`<button type="button" class="btn" data-act="copy"><pb-icon name="print"></pb-icon>Print a duplicate</button>` : null}</header>
      <div class="p">${sold ? voucher(sold.paper, { duplicate: sold.copies > 0 }) : html`<p class="empty muted">A voucher that is sold is shown here until the next one.</p>`}
      ${sold ? html`<p class="muted small">A duplicate is a record: it has no code and only the last four digits, and cannot be redeemed.</p>` : null}</div>
      ${owedByIssuer(state.liability)}</section>`;
}

const name = (stream) => place(stream) || stream;

const owedByIssuer = (found) => (found ? html`<header class="second-head"><h2>Vouchers not redeemed, by who issued them</h2><span class="grow"></span>
  <span class="pill ${found.ties_out ? "ok" : "danger"}">${found.ties_out ? "ties out to the ledger" : "does not tie out to the ledger"}</span></header>
  <table class="t"><thead><tr><th>Issued by</th><th class="r">Open</th><th class="r">Amount</th><th class="r">Expired</th><th class="r">Amount</th></tr></thead><tbody>
  ${found.rows.map((row) => html`<tr><td><b>${name(row.table)}</b></td><td class="r">${row.open}</td><td class="r">${money(row.open_cents)}</td><td class="r">${row.expired}</td><td class="r">${money(row.expired_cents)}</td></tr>`)}
  <tr><td><b>All</b></td><td></td><td class="r gold"><b>${money(found.open_cents)}</b></td><td></td><td class="r"><b>${money(found.expired_cents)}</b></td></tr></tbody></table>` : null);

export function handPays(state) {
  const { view: seen, me } = state, row = rowOf(state), bar = barred(state), none = !seen.payments.length && !seen.hand_pays.length;
  return html`<section class="panel" aria-labelledby="h-second"><header><h2 id="h-second">Waiting for a second person</h2></header><div class="p">
      ${none ? html`<p class="empty muted">Nothing waits. Vouchers over ${money(seen.hand_pay_cents)}, expired ones, and hand pays of tables come here.</p>` : null}
      ${seen.payments.map((one) => waitingCard(state, { key: `payment-${one.payment}`, title: `Voucher of ${name(one.issued_in)}`, why: one.why, by: one.by, cents: one.cents, act: "payment", number: one.payment }, me))}
      ${seen.hand_pays.map((one) => waitingCard(state, { key: `${one.table}-${one.proposal}`, title: `${tableName(one.table)}, ${nameOf(one)}`, why: COMMAND[one.command] ?? one.command, by: one.by, cents: one.cents, act: "proposal", number: one.proposal, table: one.table }, me))}
      ${said(state)}</div></section>
    <div class="end"><section class="panel" aria-labelledby="h-hand"><header><h2 id="h-hand">Pay out a session by hand</h2></header><div class="p">
      <div class="cash"><span>Session</span><div class="in chosen">${row ? html`<b>${nameOf(row)}</b> <span class="muted">${tableName(row.table)}</span>` : html`<span class="dim">choose in the list below</span>`}</div></div>
      <button type="button" class="btn primary tall" data-act="handpay" ${bar || !row || !row.balance_cents || row.in_play_cents || state.busy ? html`disabled` : null}>${row ? `Pay ${money(row.balance_cents)} to ${nameOf(row)}` : "Pay out"}</button>
      <p class="muted small">${bar || (row?.in_play_cents ? "Its wagers are in play: pay when the round is settled." : row && !row.balance_cents ? "It has no credits." : "All credits leave the session as cash, and it ends. Over its table's limit a second person decides.")}</p></div></section>${sessions(state)}</div>`;
}

function waitingCard(state, one, me) {
  const own = me?.name === one.by, busy = state.busy === one.key;
  const attrs = html`data-of="${one.act}" data-number="${one.number}" data-table="${one.table ?? ""}" data-wait="${one.key}"`;
  return html`<article class="wait" data-key="${one.key}"><div class="row between wrap"><div><b class="big">${one.title}</b><br><span class="muted small">${one.why}</span></div><b class="sum">${money(one.cents)}</b></div>
    <p class="row small wrap"><span class="ok row"><pb-icon name="check" size="16"></pb-icon>Asked by ${one.by}</span><span class="warn row"><pb-icon name="clock" size="16"></pb-icon>${own ? "somebody else decides" : "you may decide"}</span></p>
    <div class="row acts"><button type="button" class="btn danger" data-act="reject" ${attrs} ${busy ? html`disabled` : null}>Turn down</button>
    <button type="button" class="btn primary" data-act="approve" ${attrs} ${busy || own ? html`disabled` : null}>Approve ${money(one.cents)}</button></div></article>`;
}

export function shift(state) {
  const { view: seen, me } = state, open = Boolean(seen.cashier), own = isOwn(state), cashier = me?.role === "cashier";
  const second = open && seen.counted && !own && ["cashier", "supervisor"].includes(me?.role);
  return html`<section class="panel" aria-labelledby="h-count"><header><h2 id="h-count">${!open ? "Open a shift" : seen.counted ? "Second count" : "Count the drawer"}</h2></header><div class="p">
      ${!open ? entry(state, "float", "Float that lies in the drawer", "open", cashier, (amount) => `Open with ${money(amount)}`, cashier ? "The window is yours until it is counted." : "A cashier opens a shift.")
    : own ? entry(state, "count", "Counted in the drawer", "count", !seen.payments.length, (amount) => `I counted ${money(amount)}`,
      seen.payments.length ? "A payment waits for a second person; decide that first." : seen.counted ? "Your count waits for a second person. Counting again replaces it." : "What should lie there is not shown here: count first.")
      : second ? entry(state, "count", "Counted by you", "confirm", true, (amount) => `I counted ${money(amount)}`, `${seen.cashier} has counted. Count again, alone: the same figure ends the shift.`)
        : html`<p class="empty muted">${seen.counted ? "The first count waits for a second person." : `The shift is ${seen.cashier}'s.`}</p>`}
      ${said(state)}</div></section>
    <section class="panel p" aria-label="The shift"><dl class="kv wide">${open ? [["Cashier", seen.cashier], ["Since", time(seen.since)], ["Float", money(seen.float_cents)], ["Cash for vouchers sold", money(seen.in_cents)],
    ["Cash for vouchers paid", money(-seen.out_cents)], ["Cash at tables, in less out", money(seen.at_tables_cents)], ["First count", seen.counted ? "done, waits for a second" : "not yet"]].map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)
    : html`<dt>Shift</dt><dd>none open</dd>`}</dl><p class="muted small">Two people count, each alone. Where the two figures agree the shift ends, and the difference from what should lie there is written to the journal.</p></section>`;
}

function entry(state, of, label, act, may, words, note) {
  const amount = centsOf(state, of), typed = state.amounts[of] !== "", busy = state.busy === act;
  return html`${amountField(state, of, label)}${pad(of)}<button type="button" class="btn primary tall" data-act="${act}" ${!may || busy || !typed ? html`disabled` : null}>${busy ? "One moment…" : words(amount)}</button><p class="muted small">${note}</p>`;
}
