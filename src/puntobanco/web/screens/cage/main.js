// The cage: the window's view from the socket, money by HTTP. Each act has one id until it is answered.
import "../kit/elements.js";
import { Refused, get, newId, post, staff, toLogin } from "../base/api.js";
import { attend } from "../base/attention.js";
import { acts, byId, listen } from "../base/dom.js";
import { keep, kept } from "../base/kept.js";
import { views } from "../base/link.js";
import { money } from "../base/money.js";
import { print } from "../base/print.js";
import { rulebook } from "../base/rulebook.js";
import { run } from "../base/screen.js";
import { staffActs } from "../base/staffbar.js";
import { moment, receipt, voucher } from "../base/voucher.js";
import { language, saidHere, setLanguage } from "../base/words.js";
import { centsOf, countOf, first, isWhole, reduce, rowOf, saleOf, toDecide } from "./reduce.js";
import { slipRows } from "./tabs.js";
import { view } from "./view.js";
import { nameOf, tableName, t } from "./words.js";

/** @import { Words } from "../base/words.js" */
/** @import { Answer, SessionRow, ShiftClosed, VoucherPaper } from "server" */
/** @import { Amounts, Paid, State } from "./reduce.js" */

const root = byId("root");
const number = Number(location.pathname.split("/")[3]) || 1;
const here = /** @type {const} */ (`/api/staff/cage/${number}`);
setLanguage(language());
const loop = run({ root, first: first(number), reduce, view, after });
const { tell } = loop;

// What outlives the page: vouchers that wait to be sold, and decisions that were put away.
const keptAs = (/** @type {string} */ what) => `cage-${what} ${number} ${loop.state.me?.name ?? ""}`;

/** @param {State} before @param {State} state */
function after(before, state) {
  if (state.sales !== before.sales) keep(keptAs("sales"), state.sales);
  if (state.read !== before.read) keep(keptAs("read"), state.read);
  attend({ page: t("Cage window {0}", number), before: before.view && toDecide(before), waits: toDecide(state) });
}

// An act asked again, because no answer came, has the id of before: it is done once.
const ids = new Map();

/**
 * @param {string} what
 * @param {string} path
 * @param {{ id?: string, [field: string]: unknown }} body
 * @param {(answer: any, id: string) => unknown} finish
 * @param {(error: unknown, id: string) => boolean} [onRefused]
 */
async function ask(what, path, body, finish, onRefused = () => false) {
  if (loop.state.busy) return;
  tell({ t: "busy", what });
  const key = JSON.stringify([path, body]);
  if (!ids.has(key)) ids.set(key, newId());
  const id = body.id ?? /** @type {string} */ (ids.get(key));
  try {
    const answer = await post(path, { ...body, id });
    ids.delete(key);
    if (answer?.ok === false) tell({ t: "refused", ...saidOf(answer), table: tableOf(path) });
    else finish(answer, id);
  } catch (error) {
    if (error instanceof Refused) ids.delete(key);
    if (!onRefused(error, id)) failed(error, tableOf(path));
  }
  refresh();
}

/** @param {{ reason: string, reason_zh?: string, clause: string, code: string }} refusal */
const saidOf = ({ clause, code, ...told }) => ({ text: () => saidHere(told, "reason"), clause, code });

// The table that was asked, whose rules a refusal cites; none where the window was.
const tableOf = (/** @type {string} */ path) => /^\/api\/staff\/tables\/(\d+)\//.exec(path)?.[1] ?? "";

/** @param {unknown} error @param {string} [table] */
function failed(error, table = "") {
  if (!(error instanceof Refused)) tell({ t: "unanswered" });
  else if (error.status === 401) toLogin();
  else tell({ t: "refused", ...saidOf(error), table });
}

// The socket brings it too, a moment later.
async function refresh() {
  try {
    tell({ t: "view", view: await get(here) });
    if (loop.state.tab === "vouchers") tell({ t: "liability", liability: await get("/api/staff/reports/liability") });
  } catch { /* the socket brings it, or says that it is lost */ }
}

const atTable = (/** @type {string} */ table) => `/api/staff/tables/${table.split(":")[1]}/commands`;

async function look() {
  if (!isWhole(loop.state)) return;
  const { digits } = loop.state.voucher;
  tell({ t: "busy", what: "look" });
  try {
    const found = await post("/api/staff/vouchers/look-up", { number: digits });
    tell({ t: "busy", what: "" });
    if (loop.state.voucher.digits === digits) tell({ t: "found", found, id: newId() });
  } catch (error) {
    failed(error);
  }
}

const LEAST_ADDRESS = 60; // letters of a whole address, and more than anybody types by chance

/** Look up a receipt that a patron shows. @param {string} address */
async function lookAtReceipt(address) {
  tell({ t: "receipt", address, found: null });
  if (address.trim().length < LEAST_ADDRESS) return;
  try {
    const found = await post("/api/staff/receipts/look-up", { address });
    if (loop.state.receipt.address === address) tell({ t: "receipt", address, found });
  } catch (error) {
    if (error instanceof Refused && error.status !== 401) tell({ t: "refused", of: "waiting", ...saidOf(error) });
    else failed(error);
  }
}

// A receipt of this window: who stood at it, and the rows that are the act's own.
/** @param {string} title @param {number} cents @param {[string, string][]} rows */
const receiptOf = (title, cents, rows) => receipt({
  title, house: loop.state.me?.house ?? "", demo: loop.state.me?.demo ?? false, cents,
  rows: [[t("Window"), number], [t("Cashier"), loop.state.me?.name ?? ""], ...rows],
});

const payReceipt = (/** @type {Paid} */ { cents, at, seq }) => receiptOf(t("VOUCHER PAID"), cents, [
  [t("Time"), moment(at)], [t("Record"), t("cage {0}, entry {1}", number, seq)],
]);
/** @param {SessionRow} row @param {number} cents @param {number} at */
const buyReceipt = (row, cents, at) => receiptOf(t("CREDITS BOUGHT"), cents, [
  [t("Terminal"), nameOf(row)], [t("Table"), tableName(row.table)], [t("Time"), moment(at)],
]);
/** @param {SessionRow} row @param {number} cents @param {number} at */
const handReceipt = (row, cents, at) => receiptOf(t("CREDITS PAID"), cents, [
  [t("Terminal"), nameOf(row)], [t("Time"), moment(at)],
]);

const rules = rulebook();

acts(root, {
  ...staffActs,
  clause({ dataset }) { rules.open(dataset); },
  tab(element) { tell({ t: "tab", tab: element.dataset.tab }); if (element.dataset.tab === "vouchers") refresh(); },
  choose(element) { tell({ t: "choose", session: element.dataset.session }); },
  key: ({ dataset: { of, press } }) => tell({ t: "key", of: /** @type {keyof Amounts} */ (of), key: press }),
  clear() { tell({ t: "digits", text: "" }); byId("digits").focus(); },
  buy() {
    const row = rowOf(loop.state), cents = centsOf(loop.state, "buy");
    if (!row) return;
    ask("buy", atTable(row.table), { command: { command: "buy-in", session: row.session, cents } }, (answer) => {
      const later = () => t("A buy-in of {0} waits for a second person.", money(cents));
      if (answer.proposal) return waits("buy", later, answer);
      tell({ t: "done", what: "buy", text: () => t("{0} loaded to {1}.", money(cents), nameOf(row)) });
      return print(buyReceipt(row, cents, answer.at));
    });
  },
  pay() {
    const { digits, found } = loop.state.voucher;
    if (!found) return;
    ask("pay", `${here}/pay`, { number: digits }, (answer) => {
      if (answer.proposal) return tell({ t: "done", what: "pay", waits: answer.proposal, text: "" });
      const paid = { cents: found.cents, at: answer.at, seq: answer.seq };
      const text = () => t("Paid {0} cash. The receipt is printed.", money(found.cents));
      tell({ t: "done", what: "pay", paid, text });
      return print(payReceipt(paid));
    });
  },
  receipt() { if (loop.state.voucher.paid) print(payReceipt(loop.state.voucher.paid)); },
  sell() { sell({ cents: centsOf(loop.state, "sell") }); },
  "print-sold"({ dataset }) {
    const sale = saleOf(loop.state, dataset.sale);
    if (sale) sell(sale);
  },
  copy() {
    const { paper } = loop.state;
    if (!paper) return;
    tell({ t: "done", what: "copy", text: () => t("A duplicate is printed.") });
    print(voucher(paper.paper, { duplicate: true }));
  },
  handpay() {
    const row = rowOf(loop.state);
    if (row) tell({ t: "paying", paying: { session: row.session, cents: row.balance_cents } });
  },
  "no-handpay": () => tell({ t: "paying", paying: null }),
  "handpay-now"() {
    const row = rowOf(loop.state), { paying } = loop.state;
    if (!row || !paying) return;
    const { session, cents } = paying; // so much and no other sum, whatever came meanwhile
    ask("handpay", atTable(row.table), { command: { command: "cash-out", session, cents } }, (answer) => {
      const apart = () => t("{0} is set apart. A second person decides.", money(cents));
      if (answer.proposal) return waits("handpay", apart, answer);
      tell({ t: "done", what: "handpay", text: () => t("Paid {0} to {1}.", money(cents), nameOf(row)) });
      return print(handReceipt(row, cents, answer.at));
    });
  },
  approve: ({ dataset }) => decide(dataset, "approve", () => t("Approved.")),
  refuse({ dataset }) {
    tell({ t: "refusing", key: dataset.wait });
    loop.draw();
    document.getElementById("reason")?.focus();
  },
  reject: ({ dataset }) => decide(dataset, "reject", () => t("Turned down."), { reason: loop.state.reason.trim() }),
  withdraw: ({ dataset }) => decide(dataset, "withdraw", () => t("Withdrawn.")),
  "decided-seen": () => tell({ t: "decided-seen" }),
  open() { shift("open", centsOf(loop.state, "float"), () => t("The shift is open.")); },
  count() { shift("count", countOf(loop.state), () => t("Counted. Somebody else counts now, from their own login.")); },
  confirm() { shift("confirm", countOf(loop.state), ""); }, // the window says what follows: agreed, or count again
  slip() { if (loop.state.view?.closed) print(slipOf(loop.state.view.closed)); },
});

/** @param {string} what @param {Words} text @param {Answer} answer */
const waits = (what, text, { proposal }) => tell({ t: "done", what, text, waits: proposal });

// A large one is asked for again with the id of before, once a second person has approved it.
/** @param {{ id?: string, cents: number }} sale */
function sell({ id, cents }) {
  const finish = (/** @type {VoucherPaper} */ paper, /** @type {string} */ sold) => {
    tell({ t: "done", what: "sell", paper, id: sold, text: () => t("Voucher of {0} sold and printed.", money(cents)) });
    print(voucher(paper));
  };
  ask("sell", `${here}/sell`, id ? { id, cents } : { cents }, finish, (error, asked) => {
    if (!(error instanceof Refused) || error.code !== "second-person-needed") return false;
    tell({ t: "selling", sale: { id: asked, cents } });
    return true;
  });
}

const slipOf = (/** @type {ShiftClosed} */ closed) => receipt({
  title: t("SHIFT CLOSED"), house: loop.state.me?.house ?? "", demo: loop.state.me?.demo ?? false,
  cents: closed.counted_cents,
  rows: [
    [t("Window"), number], [t("Shift"), closed.shift], [t("Cashier"), closed.cashier], [t("Counted with"), closed.by],
    [t("Since"), moment(closed.since)], ...slipRows(closed),
  ],
});

/** @param {string} what @param {number} cents @param {Words} text */
function shift(what, cents, text) {
  ask(what, `${here}/${what}`, { cents }, () => tell({ t: "done", what, text }));
}

// At the window, or at the table where it waits.
const AT_A_TABLE = { approve: "approve", reject: "reject", withdraw: "withdraw-proposal" };

/**
 * @param {Record<string, string>} dataset
 * @param {keyof typeof AT_A_TABLE} what
 * @param {Words} text
 * @param {{ reason?: string }} [more]
 */
function decide({ of, number: asked, table, wait }, what, text, more = {}) {
  const finish = () => tell({ t: "done", what: wait, text });
  if (of === "payment") ask(wait, `${here}/${what}`, { payment: Number(asked), ...more }, finish);
  else ask(wait, atTable(table), { command: { command: AT_A_TABLE[what], proposal: Number(asked), ...more } }, finish);
}

listen(root, "input", (target) => {
  if (target.id === "digits") { tell({ t: "digits", text: target.value }); look(); }
  else if (target.id === "receipt") lookAtReceipt(target.value);
  else if (target.id === "reason") tell({ t: "reason", text: target.value });
  else if (target.dataset.piece) tell({ t: "piece", of: target.dataset.piece, text: target.value });
  else if (target.dataset.amount) tell({ t: "amount", of: target.dataset.amount, text: target.value });
});
listen(root, "change", (target) => {
  if (target.id === "table") tell({ t: "table", table: target.value });
});

// Digits that are typed nowhere go to what this tab asks for: at the counter, where the scanner is, to the voucher.
listen(window, "keydown", (target, event) => {
  const typing = target.closest?.("input, select, textarea");
  if (event.key === "Enter" && target.id === "digits") event.preventDefault();
  if (typing || event.ctrlKey || event.altKey || event.metaKey || !/^\d$/.test(event.key)) return;
  /** @type {HTMLElement | null} */
  const field = root.querySelector(loop.state.tab === "counter" ? "#digits" : "[data-amount]");
  field?.focus();
});

loop.draw();
const me = await staff();
tell({ t: "me", me });
tell({ t: "kept", sales: kept(keptAs("sales"), []), read: kept(keptAs("read"), []) });
await refresh();
views({ [`cage:${number}`]: (seen) => tell({ t: "view", view: seen }) }, {
  onState: (link) => tell({ t: "link", link }), onBye: toLogin,
  onRefused: (_, reason, reason_zh) =>
    tell({ t: "refused", of: "view", text: () => saidHere({ reason, reason_zh }, "reason") }),
});
