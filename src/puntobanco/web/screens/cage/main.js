// The cage: the window's view from the socket, money by HTTP. Each act has one id until it is answered.
import "../kit/elements.js";
import { Refused, get, newId, post, staff, toLogin } from "../base/api.js";
import { acts, patch } from "../base/dom.js";
import { views } from "../base/link.js";
import { money } from "../base/money.js";
import { print } from "../base/print.js";
import { rulebook } from "../base/rulebook.js";
import { staffActs } from "../base/staffbar.js";
import { moment, receipt, voucher } from "../base/voucher.js";
import { centsOf, first, isWhole, reduce, rowOf } from "./reduce.js";
import { view } from "./view.js";
import { nameOf, tableName } from "./words.js";

const root = document.getElementById("root");
const number = Number(location.pathname.split("/")[3]) || 1;
const here = `/api/staff/cage/${number}`;
let state = first(number);

function tell(message) {
  state = reduce(state, message);
  patch(root, view(state));
}

// An act asked again, because no answer came, has the id of before: it is done once.
const ids = new Map();

async function ask(what, path, body, finish) {
  if (state.busy) return;
  tell({ t: "busy", what });
  const key = JSON.stringify([path, body]);
  if (!ids.has(key)) ids.set(key, newId());
  try {
    const answer = await post(path, { id: ids.get(key), ...body });
    ids.delete(key);
    if (answer?.ok === false) tell({ t: "refused", text: answer.reason, clause: answer.clause, table: tableOf(path) });
    else finish(answer);
  } catch (error) {
    if (error instanceof Refused) ids.delete(key);
    failed(error, tableOf(path));
  }
  refresh();
}

// The table that was asked, whose rules a refusal cites; none where the window was.
const tableOf = (path) => /^\/api\/staff\/tables\/(\d+)\//.exec(path)?.[1] ?? "";

function failed(error, table = "") {
  if (!(error instanceof Refused)) tell({ t: "unanswered" });
  else if (error.status === 401) toLogin();
  else tell({ t: "refused", text: error.reason, clause: error.clause, table });
}

// The socket brings it too, a moment later.
async function refresh() {
  try {
    tell({ t: "view", view: await get(here) });
    if (state.tab === "vouchers") tell({ t: "liability", liability: await get("/api/staff/reports/liability") });
  } catch { /* the socket brings it, or says that it is lost */ }
}

const atTable = (table) => `/api/staff/tables/${table.split(":")[1]}/commands`;

async function look() {
  if (!isWhole(state)) return;
  const { digits } = state.voucher;
  tell({ t: "busy", what: "look" });
  try {
    const found = await post("/api/staff/vouchers/look-up", { number: digits });
    tell({ t: "busy", what: "" });
    if (state.voucher.digits === digits) tell({ t: "found", found, id: newId() });
  } catch (error) {
    failed(error);
  }
}

// A receipt of this window: who stood at it, and the rows that are the act's own.
const receiptOf = (title, cents, rows) => receipt({
  title, house: state.me.house, demo: state.me.demo, cents,
  rows: [["Window", number], ["Cashier", state.me.name], ...rows],
});

const payReceipt = ({ cents, at, seq }) => receiptOf("VOUCHER PAID", cents, [
  ["Time", moment(at)], ["Record", `cage ${number}, entry ${seq}`],
]);
const buyReceipt = (row, cents, at) => receiptOf("CREDITS BOUGHT", cents, [
  ["Terminal", nameOf(row)], ["Table", tableName(row.table)], ["Time", moment(at)],
]);
const handReceipt = (row, at) => receiptOf("CREDITS PAID", row.balance_cents, [
  ["Terminal", nameOf(row)], ["Time", moment(at)],
]);

const rules = rulebook();

acts(root, {
  ...staffActs,
  clause({ dataset }) { rules.open(dataset); },
  tab(element) { tell({ t: "tab", tab: element.dataset.tab }); if (element.dataset.tab === "vouchers") refresh(); },
  choose(element) { tell({ t: "choose", session: element.dataset.session }); },
  key(element) { tell({ t: "key", of: element.dataset.of, key: element.dataset.press }); },
  clear() { tell({ t: "digits", text: "" }); document.getElementById("digits").focus(); },
  buy() {
    const row = rowOf(state), cents = centsOf(state, "buy");
    ask("buy", atTable(row.table), { command: { command: "buy-in", session: row.session, cents } }, (answer) => {
      tell({ t: "done", what: "buy", text: `${money(cents)} loaded to ${nameOf(row)}.` });
      print(buyReceipt(row, cents, answer.at));
    });
  },
  pay() {
    const { digits, found } = state.voucher;
    ask("pay", `${here}/pay`, { number: digits }, (answer) => {
      if (answer.proposal) return tell({ t: "done", what: "pay", waits: answer.proposal, text: "" });
      const paid = { cents: found.cents, at: answer.at, seq: answer.seq };
      tell({ t: "done", what: "pay", paid, text: `Paid ${money(found.cents)} cash. The receipt is printed.` });
      return print(payReceipt(paid));
    });
  },
  receipt() { print(payReceipt(state.voucher.paid)); },
  sell() {
    const cents = centsOf(state, "sell");
    ask("sell", `${here}/sell`, { cents }, (paper) => {
      tell({ t: "done", what: "sell", paper, text: `Voucher of ${money(cents)} sold and printed.` });
      print(voucher(paper));
    });
  },
  copy() {
    tell({ t: "done", what: "copy", text: "A duplicate is printed." });
    print(voucher(state.paper.paper, { duplicate: true }));
  },
  handpay() {
    const row = rowOf(state);
    ask("handpay", atTable(row.table), { command: { command: "cash-out", session: row.session } }, (answer) => {
      if (answer.proposal) return tell({ t: "done", what: "handpay", text: "A second person decides." });
      tell({ t: "done", what: "handpay", text: `Paid ${money(row.balance_cents)} to ${nameOf(row)}.` });
      return print(handReceipt(row, answer.at));
    });
  },
  approve: (element) => decide(element, "approve", "Approved."),
  reject: (element) => decide(element, "reject", "Turned down."),
  open() { shift("open", "float", "The shift is open."); },
  count() { shift("count", "count", "Counted. Somebody else counts now, from their own login."); },
  confirm() { shift("confirm", "count", "The counts agree. The shift is over."); },
});

function shift(what, of, text) {
  ask(what, `${here}/${what}`, { cents: centsOf(state, of) }, () => tell({ t: "done", what, text }));
}

function decide({ dataset }, what, text) {
  const finish = () => tell({ t: "done", what, text });
  const asked = Number(dataset.number);
  if (dataset.of === "payment") ask(dataset.wait, `${here}/${what}`, { payment: asked }, finish);
  else ask(dataset.wait, atTable(dataset.table), { command: { command: what, proposal: asked } }, finish);
}

root.addEventListener("input", ({ target }) => {
  if (target.id === "digits") { tell({ t: "digits", text: target.value }); look(); }
  else if (target.dataset.amount) tell({ t: "amount", of: target.dataset.amount, text: target.value });
});
root.addEventListener("change", ({ target }) => {
  if (target.id === "table") tell({ t: "table", table: target.value });
});

// A scanner types where the cursor is: digits that are typed nowhere go to the voucher.
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key === "Enter" && event.target.id === "digits") event.preventDefault();
  if (typing || event.ctrlKey || event.altKey || event.metaKey || !/^\d$/.test(event.key)) return;
  if (state.tab !== "counter") tell({ t: "tab", tab: "counter" });
  document.getElementById("digits")?.focus();
});

patch(root, view(state));
const me = await staff();
tell({ t: "me", me });
await refresh();
views({ [`cage:${number}`]: (seen) => tell({ t: "view", view: seen }) }, {
  onState: (link) => tell({ t: "link", link }), onBye: toLogin, onRefused: (_, text) => tell({ t: "refused", text }),
});
