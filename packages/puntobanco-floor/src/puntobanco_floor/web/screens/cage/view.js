// The cage as html: counter, vouchers, hand pays and shift count. Pure.
import { decidedKey, decidedWords } from "../base/decided.js";
import { html } from "../base/dom.js";
import { money } from "../base/money.js";
import { staffbar } from "../base/staffbar.js";
import { day, grouped, moment, place } from "../base/voucher.js";
import { pageLanguage, saidHere, sentences } from "../base/words.js";
import { amountField, chosen, pad, said, sessions } from "./parts.js";
import { barred, centsOf, isAsked, rowOf, waiting } from "./reduce.js";
import { countsIn, handPays, shift, voucherWords, vouchersTab } from "./tabs.js";
import { ACT, VOUCHER, commandWords, nameOf, tableName, t } from "./words.js";

/** @import { Seen, State } from "./reduce.js" */

const TABS = [["counter", "Counter"], ["vouchers", "Vouchers"], ["waiting", "Hand-pays"], ["shift", "Shift count"]];

/** @param {State} state */
export function view(state) {
  const { me, view: seen, tab } = state;
  const body = { counter, vouchers: vouchersTab, waiting: handPays, shift }[tab];
  return html`${staffbar({ me, current: "cage" })}
    ${subbar(state)}${told(state)}
    <main class="cage ${tab}" data-key="${tab}">${seen ? body({ ...state, view: seen }) : UNREAD()}</main>`;
}

const UNREAD = () => html`<p class="first" role="status">${t("One moment: the window is being read.")}</p>`;
const LOST = () => html`<span class="pill danger" role="status"><pb-icon name="off"
  size="14"></pb-icon>${t("Connection lost: figures are not current")}</span>`;

/** @param {State} state */
function subbar(state) {
  const { window, view: seen, tab, link } = state, n = waiting(seen);
  return html`<div class="subbar"><h1>${t("Window {0}", window)}</h1>
    <div class="tabs" role="group" aria-label="${t("What to do")}">${TABS.map(([id, name]) =>
      tabButton(id, t(name), id === tab, id === "waiting" ? n : 0))}</div>
    <span class="grow"></span>
    ${link === "lost" ? LOST() : null}
    ${seen?.differed ? RECOUNT() : null}
    ${seen ? shiftNow(seen) : null}${said(state, "window")}</div>`;
}

function tabButton(id, name, pressed, n) {
  const pill = n ? html` <span class="pill warn">${n}</span>` : null;
  return html`<button type="button" class="tab" data-act="tab" data-tab="${id}"
    aria-pressed="${pressed ? "true" : "false"}">${name}${pill}</button>`;
}

const RECOUNT = () => html`<span class="pill warn" role="status"><pb-icon name="warn"
  size="14"></pb-icon>${t("The counts differ: both count again")}</span>`;

// What should lie in the drawer is told nowhere: who counts it counts blind.
function shiftNow({ cashier, since }) {
  if (!cashier) return html`<span class="pill">${t("No shift open")}</span>`;
  return html`<span class="muted">${t("Cashier")} <b>${cashier}</b> ${t("since {0}", moment(since))}</span>`;
}

const TOLD_MOST = 3;
const KINDS = { approved: "ok", rejected: "danger", withdrawn: "warn", lapsed: "warn" };

/** Acts whose outcome is not known yet. @param {State} state */
const doubts = (state) => state.doubts.map(({ key, what, cents, at }) => html`<p class="warn" data-doubt="${what}"
  data-key="doubt-${key}">${t("{0}: not known yet whether it was recorded. Asked for at {1}; do not repeat it.",
    [t(ACT[what] ?? what), cents ? money(cents) : ""].filter(Boolean).join(" "), moment(at))}</p>`);

/** What became of what this person asked for, until it is put away. @param {State} state */
function told(state) {
  const { decided } = state;
  if (!decided.length) return html`<div class="told" role="status" data-key="told">${doubts(state)}</div>`;
  const line = (one) => html`<p class="${KINDS[one.outcome]}"
    data-key="d-${decidedKey(one)}">${place(one.place)}${t(": ")}${decidedWords(pageLanguage(), one)}</p>`;
  return html`<div class="told" role="status" data-key="told"><div>${doubts(state)}${
    decided.slice(-TOLD_MOST).map(line)}</div>
    <button type="button" class="btn sm" data-act="decided-seen">${t("Seen")}</button></div>`;
}

/** @param {Seen} state */
function counter(state) {
  return html`${buyIn(state)}
    <div class="middle">${redeem(state)}${waits(state)}</div>
    <div class="end">${sessions(state)}${owed(state)}</div>`;
}

/** @param {Seen} state */
function buyIn(state) {
  const row = rowOf(state), amount = centsOf(state, "buy"), bar = barred(state);
  const busy = isAsked(state, "buy", `buy ${row?.session}`);
  const why = bar || (!row ? t("Choose a session in the list.") : !amount ? t("Type the amount received.") : "");
  const words = row ? t("Load {0} to {1}", money(amount), nameOf(row)) : t("Load");
  return html`<section class="panel" aria-labelledby="h-buy"><header><h2 id="h-buy">${t("Buy-in")}</h2></header><div class="p">
    <div class="cash"><span>${t("Terminal")}</span>
      <div class="in chosen">${chosen(row, t("choose in the list of sessions"))}</div></div>
    ${amountField(state, "buy", t("Amount received, cash"))}
    ${pad("buy")}
    <button type="button" class="btn primary tall" data-act="buy"
      ${why || busy ? html`disabled` : null}>${busy ? t("Loading…") : words}</button>
    <p class="muted small">${why || (row && balances(row, amount, state.window))}</p>
    ${said(state, "buy")}
  </div></section>`;
}

function balances({ balance_cents: now, loss_cents: loss }, amount, window) {
  const limit = loss == null ? t("none set") : money(loss), after = money(now + amount);
  return `${t("Balance now {0}, after {1}. Loss limit on this session: {2}.", money(now), after, limit)} ${
    countsIn(window)}`;
}

const LOOKS = () => html`<span class="pill warn"><i class="dot"></i>${t("Looking it up")}</span>`;

/** @param {Seen} state */
function redeem(state) {
  const { digits, found } = state.voucher, looks = state.busy === "look";
  const typed = grouped(digits, " ");
  return html`<section class="panel" aria-labelledby="h-redeem">
    <header><h2 id="h-redeem">${t("Redeem voucher")}</h2><span class="grow"></span>
      ${looks ? LOOKS() : null}</header><div class="p">
    <label class="cash"><span>${t("Scan, or type the 18 digits")}</span><span class="in mono"><pb-icon name="scan"
      size="20"></pb-icon><input id="digits" inputmode="numeric" autocomplete="off" maxlength="40"
      value="${typed}" data-set="${typed}" placeholder="00 0000 0000 0000 0000"></span></label>
    ${found ? card(state, found) : notYet(digits)}
    ${found ? payRow(state, found) : null}
    ${said(state, "redeem")}
  </div></section>`;
}

function notYet(digits) {
  const hint = t("What a voucher is worth is shown here. Nothing is paid before Pay is pressed.");
  return html`<p class="empty muted">${digits ? t("{0} of 18 digits", digits.length) : hint}</p>`;
}

/** @param {Seen} state */
function card(state, found) {
  const { paid, waits } = state.voucher;
  const { kind, icon, title } = paid ? PAID : waits ? WAITS : VOUCHER[found.state];
  return html`<div class="found ${kind}" role="status">
    <div class="row between wrap"><span class="pill ${kind}"><pb-icon name="${icon}" size="14"></pb-icon>${
      t(title)}</span>
      ${found.cents ? html`<span class="muted small">${t("check digits agree")}</span>` : null}</div>
    ${found.cents ? worth(found) : html`<p class="says">${sentences(pageLanguage(), saidHere(found.says))}</p>`}
    ${found.second && !paid && !waits ? needsSecond(saidHere(found.second)) : null}</div>`;
}

const PAID = { kind: "ok", icon: "cash", title: "Paid" };
const WAITS = { kind: "warn", icon: "user", title: "Waits for a second person" };

const worth = (found) => html`<p class="am">${money(found.cents)}</p><dl class="kv">${[
  [t("Issued"), moment(found.issued_at)],
  [t("By"), `${found.issued_by}${t(", ")}${place(found.issued_in)}`],
  [t("Voucher"), t("no. {0}", String(found.issued_seq).padStart(6, "0"))],
  [t("Expires"), day(found.expires_at)],
  ...(found.redeemed_in ? redemption(found) : []),
].map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;

const redemption = (found) => [
  [t("Redeemed"), moment(found.redeemed_at)], [t("Where"), place(found.redeemed_in)], [t("By"), found.redeemed_by],
];

const needsSecond = (why) =>
  html`<p class="second warn"><pb-icon name="user" size="16"></pb-icon>${t("Needs a second person: {0}.", why)}</p>`;

/** @param {Seen} state */
function payRow(state, found) {
  const { paid, waits } = state.voucher, bar = barred(state);
  const busy = isAsked(state, "pay", `pay ${state.voucher.digits}`);
  const payable = ["valid", "expired"].includes(found.state) && !waits && !paid;
  const words = found.second ? t("Ask to pay {0}", money(found.cents)) : t("Pay {0} cash", money(found.cents));
  const pay = html`<button type="button" class="btn primary tall"
    data-act="pay" ${bar || busy ? html`disabled` : null}>${busy ? t("Paying…") : words}</button>`;
  return html`<div class="row acts">
    <button type="button" class="btn" data-act="clear">${payable ? t("Clear") : t("Next voucher")}</button>
    ${paid ? RECEIPT() : null}
    ${payable ? pay : null}</div>
    ${payable && bar ? html`<p class="muted small">${bar}</p>` : null}`;
}

const RECEIPT = () => html`<button type="button" class="btn"
  data-act="receipt"><pb-icon name="print"></pb-icon>${t("Receipt again")}</button>`;

// The first of what waits; the rest is under Hand-pays.
/** @param {Seen} state */
function waits(state) {
  const { view: seen } = state, n = waiting(seen);
  const one = /** @type {any} */ (seen.payments[0] ?? seen.hand_pays[0]);
  if (!n) return null;
  const what = "payment" in one ? [voucherWords(one), saidHere(one.why)].join(t(", "))
    : `${tableName(one.table)}${t(", ")}${nameOf(one)}${t(": ")}${commandWords(one)}`;
  return html`<section class="panel" aria-labelledby="h-waits">
    <header><h2 id="h-waits">${t("Second person")}</h2><span class="grow"></span><span
      class="pill warn">${t("waiting for a second person")}</span></header>
    <div class="p first-wait"><div><b>${money(one.cents)}</b><br><span
      class="muted small">${t("{0}; asked by {1}", what, one.by)}</span></div>
    <button type="button" class="btn" data-act="tab" data-tab="waiting">${
      n > 1 ? t("All {0}", n) : t("Look")}</button></div>
    </section>`;
}

/** @param {Seen} state */
const owed = ({ view: seen }) => html`<section class="panel p" aria-label="${t("What the house owes")}"><dl class="kv">
  <dt>${t("Credits and wagers of sessions")}</dt><dd>${money(seen.credits_cents)}</dd>
  <dt>${t("Unredeemed vouchers, {0}", seen.vouchers_open)}</dt><dd>${money(seen.vouchers_cents)}</dd>
  <dt>${t("Liability now")}</dt><dd class="gold sum">${money(seen.liability_cents)}</dd></dl></section>`;
