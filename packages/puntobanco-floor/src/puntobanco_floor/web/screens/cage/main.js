// The cage: the window's view from the socket, money by HTTP. Each act has one id until it is decided.
import "../kit/elements.js";
import { get, newId, post, Refused, staff, toLogin } from "../base/api.js";
import { attend } from "../base/attention.js";
import { IN_DOUBT } from "../base/doubt.js";
import { acts, byId, listen } from "../base/dom.js";
import { keep, kept } from "../base/kept.js";
import { views } from "../base/link.js";
import { money } from "../base/money.js";
import { doubtOf, pendings } from "../base/pending.js";
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
/** @import { Answer, SessionRow, ShiftClosed, VoucherPaper, Words as Bilingual } from "server" */
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

/** @typedef {{ what: string, key: string, cents?: number, row?: SessionRow, digits?: string, id?: string }} About */

const commands = pendings({
  place: () => `cage ${number} ${loop.state.me?.name ?? ""}`,
  onDoubt: ({ about, at }, error) => tell({ t: "doubt", about, at, ...saidOf(doubtOf(error)) }),
});

/**
 * Send a command and do what follows from it. While it is in doubt, the same act is not sent again by hand.
 * @param {About} about
 * @param {string} path
 * @param {object} body
 */
function ask(about, path, body) {
  if (loop.state.busy || commands.has(about.key)) return;
  tell({ t: "busy", what: about.what });
  follow(about, path, commands.send(about.key, path, body, { id: about.id, about }));
}

/** @param {About} about @param {string} path @param {Promise<any>} sent */
async function follow(about, path, sent) {
  const { what: of, key } = about;
  try {
    const answer = await sent;
    tell({ t: "decided", key });
    if (answer?.ok === false) tell({ t: "refused", of, ...saidOf(answer), table: tableOf(path) });
    else FINISH[of](answer, about);
  } catch (error) {
    tell({ t: "decided", key });
    if (error instanceof Refused && error.code === "second-person-needed" && of === "sell") waitsToSell(about);
    else failed(error, tableOf(path), of);
  }
  refresh();
}

/**
 * What follows from each command that was accepted, by its act; after a reload too.
 * @type {Record<string, (answer: any, about: any) => unknown>}
 */
const FINISH = {
  buy(answer, { row, cents }) {
    const later = () => t("A buy-in of {0} waits for a second person.", money(cents));
    if (answer.proposal) return waits("buy", later, answer);
    tell({ t: "done", what: "buy", text: () => t("{0} loaded to {1}.", money(cents), nameOf(row)) });
    return print(buyReceipt(row, cents, answer.at));
  },
  pay(answer, { digits, cents }) {
    if (answer.proposal) return tell({ t: "done", what: "pay", digits, waits: answer.proposal, text: "" });
    const paid = { cents, at: answer.at, seq: answer.seq };
    const text = () => t("Paid {0} cash. The receipt is printed.", money(cents));
    tell({ t: "done", what: "pay", digits, paid, text });
    return print(payReceipt(paid));
  },
  sell(/** @type {VoucherPaper} */ paper, about) {
    if (!paper.number) return waitsToSell(about); // looked up: it waits for a second person
    const { cents, id } = about;
    tell({ t: "done", what: "sell", paper, id, text: () => t("Voucher of {0} sold and printed.", money(cents)) });
    return print(voucher(paper));
  },
  handpay(answer, { row, cents }) {
    const apart = () => t("{0} is set apart. A second person decides.", money(cents));
    if (answer.proposal) return waits("handpay", apart, answer);
    tell({ t: "done", what: "handpay", text: () => t("Paid {0} to {1}.", money(cents), nameOf(row)) });
    return print(handReceipt(row, cents, answer.at));
  },
  open: () => tell({ t: "done", what: "open", text: () => t("The shift is open.") }),
  count: () => tell({
    t: "done", what: "count", text: () => t("Counted. Somebody else counts now, from their own login."),
  }),
  confirm: () => tell({ t: "done", what: "confirm", text: "" }), // the window says what follows
  approve: () => tell({ t: "done", what: "approve", text: () => t("Approved.") }),
  reject: () => tell({ t: "done", what: "reject", text: () => t("Turned down.") }),
  withdraw: () => tell({ t: "done", what: "withdraw", text: () => t("Withdrawn.") }),
};

/** @param {{ reason: Bilingual, clause: string, code: string }} refusal */
const saidOf = ({ reason, clause, code }) => ({ text: () => saidHere(reason), clause, code });

// The table that was asked, whose rules a refusal cites; none where the window was.
const tableOf = (/** @type {string} */ path) => /^\/api\/staff\/tables\/(\d+)\//.exec(path)?.[1] ?? "";

/** @param {unknown} error @param {string} [table] @param {string} [of] the act */
function failed(error, table = "", of = undefined) {
  if (!(error instanceof Refused)) tell({ t: "unanswered" });
  else if (error.status === 401) toLogin();
  else tell({ t: "refused", of, ...saidOf(error), table });
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
    const { session, table } = row, about = { what: "buy", key: `buy ${session}`, row, cents };
    ask(about, atTable(table), { command: { command: "buy-in", session, cents } });
  },
  pay() {
    const { digits, found } = loop.state.voucher;
    if (!found) return;
    ask({ what: "pay", key: `pay ${digits}`, digits, cents: found.cents }, `${here}/pay`, { number: digits });
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
    const about = { what: "handpay", key: `handpay ${session}`, row, cents };
    ask(about, atTable(row.table), { command: { command: "cash-out", session, cents } });
  },
  approve: ({ dataset }) => decide(dataset, "approve"),
  refuse({ dataset }) {
    tell({ t: "refusing", key: dataset.wait });
    loop.draw();
    document.getElementById("reason")?.focus();
  },
  reject: ({ dataset }) => decide(dataset, "reject", { reason: loop.state.reason.trim() }),
  withdraw: ({ dataset }) => decide(dataset, "withdraw"),
  "decided-seen": () => tell({ t: "decided-seen" }),
  open() { shift("open", centsOf(loop.state, "float")); },
  count() { shift("count", countOf(loop.state)); },
  confirm() { shift("confirm", countOf(loop.state)); }, // the window says what follows: agreed, or count again
  slip() { if (loop.state.view?.closed) print(slipOf(loop.state.view.closed)); },
});

/** @param {string} what @param {Words} text @param {Answer} answer */
const waits = (what, text, { proposal }) => tell({ t: "done", what, text, waits: proposal });

// A large one is asked for again with the id of before, once a second person has approved it.
/** @param {{ id?: string, cents: number }} sale */
const sell = ({ id = newId(), cents }) => ask({ what: "sell", key: "sell", id, cents }, `${here}/sell`, { cents });

/** @param {Partial<About>} about */
const waitsToSell = ({ id = "", cents = 0 }) => tell({ t: "selling", sale: { id, cents } });

const slipOf = (/** @type {ShiftClosed} */ closed) => receipt({
  title: t("SHIFT CLOSED"), house: loop.state.me?.house ?? "", demo: loop.state.me?.demo ?? false,
  cents: closed.counted_cents,
  rows: [
    [t("Window"), number], [t("Shift"), closed.shift], [t("Cashier"), closed.cashier], [t("Counted with"), closed.by],
    [t("Since"), moment(closed.since)], ...slipRows(closed),
  ],
});

/** @param {string} what @param {number} cents */
const shift = (what, cents) => ask({ what, key: what }, `${here}/${what}`, { cents });

// At the window, or at the table where it waits.
const AT_A_TABLE = { approve: "approve", reject: "reject", withdraw: "withdraw-proposal" };

/**
 * @param {Record<string, string>} dataset
 * @param {keyof typeof AT_A_TABLE} what
 * @param {{ reason?: string }} [more]
 */
function decide({ of, number: asked, table, wait }, what, more = {}) {
  const about = { what, key: wait };
  if (of === "payment") ask(about, `${here}/${what}`, { payment: Number(asked), ...more });
  else ask(about, atTable(table), { command: { command: AT_A_TABLE[what], proposal: Number(asked), ...more } });
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
commands.resume(({ about, at, path }, answer) => { // what an earlier page has left
  tell({ t: "doubt", about, at, ...saidOf(IN_DOUBT) });
  follow(about, path, answer);
});
await refresh();
views({ [`cage:${number}`]: (seen) => tell({ t: "view", view: seen }) }, {
  onState: (link) => tell({ t: "link", link }), onBye: toLogin,
  onRefused: (_, reason) => tell({ t: "refused", of: "view", text: () => saidHere(reason) }),
});
