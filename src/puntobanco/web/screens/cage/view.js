// The cage as html: counter, vouchers, hand pays and shift count. Pure.
import { html } from "../base/dom.js";
import { money, time } from "../base/money.js";
import { staffbar } from "../base/staffbar.js";
import { day, grouped, moment, place } from "../base/voucher.js";
import { amountField, pad, said, sessions } from "./parts.js";
import { barred, centsOf, rowOf, waiting } from "./reduce.js";
import { handPays, shift, vouchersTab } from "./tabs.js";
import { VOUCHER, nameOf, tableName } from "./words.js";

const TABS = [["counter", "Counter"], ["vouchers", "Vouchers"], ["waiting", "Hand-pays"], ["shift", "Shift count"]];

export function view(state) {
  const { me, view: seen, tab } = state;
  const body = { counter, vouchers: vouchersTab, waiting: handPays, shift }[tab];
  return html`${staffbar({ me, current: "cage" })}
    ${subbar(state)}
    <main class="cage ${tab}" data-key="${tab}">${seen ? body(state) : html`<p class="first" role="status">One moment: the window is being read.</p>`}</main>`;
}

function subbar({ window, view: seen, tab, link }) {
  const n = waiting(seen);
  return html`<div class="subbar"><h1>Window ${window}</h1>
    <div class="tabs" role="group" aria-label="What to do">${TABS.map(([id, name]) => html`<button type="button" class="tab" data-act="tab" data-tab="${id}"
      aria-pressed="${id === tab ? "true" : "false"}">${name}${id === "waiting" && n ? html` <span class="pill warn">${n}</span>` : null}</button>`)}</div>
    <span class="grow"></span>
    ${link === "lost" ? html`<span class="pill danger" role="status"><pb-icon name="off" size="14"></pb-icon>Connection lost: figures are not current</span>` : null}
    ${seen ? seen.cashier
    ? html`<span class="muted">Cashier <b>${seen.cashier}</b> since ${time(seen.since)}${tab === "shift" ? null : html` · drawer <b>${money(seen.drawer_cents)}</b>`}</span>`
    : html`<span class="pill">No shift open</span>` : null}</div>`;
}

function counter(state) {
  return html`${buyIn(state)}
    <div class="middle">${redeem(state)}${waits(state)}</div>
    <div class="end">${sessions(state)}${owed(state)}</div>`;
}

function buyIn(state) {
  const row = rowOf(state), amount = centsOf(state, "buy"), bar = barred(state), busy = state.busy === "buy";
  const why = bar || (!row ? "Choose a session in the list." : !amount ? "Type the amount received." : "");
  const limit = row?.loss_cents == null ? "none set" : money(row.loss_cents);
  return html`<section class="panel" aria-labelledby="h-buy"><header><h2 id="h-buy">Buy-in</h2></header><div class="p">
    <div class="cash"><span>Terminal</span><div class="in chosen">${row ? html`<b>${nameOf(row)}</b> <span class="muted">${tableName(row.table)}</span>` : html`<span class="dim">choose in the list of sessions</span>`}</div></div>
    ${amountField(state, "buy", "Amount received, cash")}
    ${pad("buy")}
    <button type="button" class="btn primary tall" data-act="buy" ${why || busy ? html`disabled` : null}>${busy ? "Loading…" : row ? `Load ${money(amount)} to ${nameOf(row)}` : "Load"}</button>
    <p class="muted small">${why || (row ? `Balance now ${money(row.balance_cents)}, after ${money(row.balance_cents + amount)}. Loss limit on this session: ${limit}.` : "")}</p>
  </div></section>`;
}

function redeem(state) {
  const { digits, found } = state.voucher, looks = state.busy === "look";
  return html`<section class="panel" aria-labelledby="h-redeem"><header><h2 id="h-redeem">Redeem voucher</h2><span class="grow"></span>
      <span class="pill ${looks ? "warn" : "ok"}"><i class="dot"></i>${looks ? "Looking it up" : "Scanner ready"}</span></header><div class="p">
    <label class="cash"><span>Scan, or type the 18 digits</span><span class="in mono"><pb-icon name="scan" size="20"></pb-icon><input id="digits" inputmode="numeric" autocomplete="off"
      maxlength="40" value="${grouped(digits, " ")}" data-set="${grouped(digits, " ")}" placeholder="00 0000 0000 0000 0000"></span></label>
    ${found ? card(state, found) : html`<p class="empty muted">${digits ? `${digits.length} of 18 digits` : "What a voucher is worth is shown here. Nothing is paid before Pay is pressed."}</p>`}
    ${found ? payRow(state, found) : null}
    ${said(state)}
  </div></section>`;
}

function card(state, found) {
  const { paid, waits } = state.voucher;
  const shown = paid ? { kind: "ok", icon: "cash", title: "Paid" } : waits ? { kind: "warn", icon: "user", title: "Waits for a second person" } : VOUCHER[found.state];
  const rows = found.cents ? [
    ["Issued", moment(found.issued_at)], ["By", `${found.issued_by}, ${place(found.issued_in)}`], ["Voucher", `no. ${String(found.issued_seq).padStart(6, "0")}`],
    ["Expires", day(found.expires_at)],
    ...(found.redeemed_in ? [["Redeemed", moment(found.redeemed_at)], ["Where", place(found.redeemed_in)], ["By", found.redeemed_by]] : []),
  ] : [];
  return html`<div class="found ${shown.kind}" role="status"><div class="row between wrap"><span class="pill ${shown.kind}"><pb-icon name="${shown.icon}" size="14"></pb-icon>${shown.title}</span>
      ${found.cents ? html`<span class="muted small">check digits agree</span>` : null}</div>
    ${found.cents ? html`<p class="am">${money(found.cents)}</p><dl class="kv">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>` : html`<p class="says">${sentence(found.says)}.</p>`}
    ${found.second && !paid && !waits ? html`<p class="second warn"><pb-icon name="user" size="16"></pb-icon>Needs a second person: ${found.second}.</p>` : null}</div>`;
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

function payRow(state, found) {
  const { paid, waits } = state.voucher, bar = barred(state), busy = state.busy === "pay";
  const payable = ["valid", "expired"].includes(found.state) && !waits && !paid;
  return html`<div class="row acts"><button type="button" class="btn" data-act="clear">${paid || waits || !payable ? "Next voucher" : "Clear"}</button>
    ${paid ? html`<button type="button" class="btn" data-act="receipt"><pb-icon name="print"></pb-icon>Receipt again</button>` : null}
    ${payable ? html`<button type="button" class="btn primary tall" data-act="pay" ${bar || busy ? html`disabled` : null}>${busy ? "Paying…" : found.second ? `Ask to pay ${money(found.cents)}` : `Pay ${money(found.cents)} cash`}</button>` : null}</div>
    ${payable && bar ? html`<p class="muted small">${bar}</p>` : null}`;
}

// The first of what waits; the rest is under Hand-pays.
function waits(state) {
  const { view: seen } = state, n = waiting(seen), one = seen.payments[0] ?? seen.hand_pays[0];
  if (!n) return null;
  const title = "payment" in one ? `Voucher of ${place(one.issued_in)}` : `${tableName(one.table)}, ${nameOf(one)}`;
  return html`<section class="panel" aria-labelledby="h-waits"><header><h2 id="h-waits">Hand-pay</h2><span class="grow"></span><span class="pill warn">waiting for a second person</span></header>
    <div class="p first-wait"><div><b>${money(one.cents)}</b><br><span class="muted small">${title}, ${"payment" in one ? one.why : "by hand"}; asked by ${one.by}</span></div>
    <button type="button" class="btn" data-act="tab" data-tab="waiting">${n > 1 ? `All ${n}` : "Look"}</button></div></section>`;
}

const owed = ({ view: seen }) => html`<section class="panel p" aria-label="What the house owes"><dl class="kv"><dt>Credits and wagers of sessions</dt><dd>${money(seen.credits_cents)}</dd>
  <dt>Unredeemed vouchers, ${seen.vouchers_open}</dt><dd>${money(seen.vouchers_cents)}</dd><dt>Liability now</dt><dd class="gold sum">${money(seen.liability_cents)}</dd></dl></section>`;
