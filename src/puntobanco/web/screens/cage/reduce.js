// The cage's state: what the server's view says, and what the cashier is doing. Pure.
import { cents } from "../base/money.js";

const DIGITS = 18;
const MAX_AMOUNT = 9; // digits before the point
const NO_VOUCHER = { digits: "", found: null, id: "", waits: 0, paid: null };
const UNANSWERED = "No answer came. Press again: it is done once, however often it is asked.";

export const first = (window) => ({
  window, me: null, view: null, link: "connecting", tab: "counter", table: "", session: null,
  amounts: { buy: "", sell: "", count: "", float: "" }, voucher: NO_VOUCHER, paper: null, liability: null,
  busy: "", said: null,
});

const digitsOf = (text) => text.replace(/\D/g, "").slice(0, DIGITS);
const amountOf = (text) => text.replace(/[^\d.]/g, "").replace(/^0+(?=\d)/, "").slice(0, MAX_AMOUNT + 3);

// A key of the pad beneath an amount: a digit, "00", "back" or "+50" in dollars.
function keyed(text, key) {
  if (key === "back") return text.slice(0, -1);
  if (key.startsWith("+")) return added(text, Number(key.slice(1)));
  const next = amountOf(text + key);
  return next.split(".")[0].length > MAX_AMOUNT ? text : next;
}

function added(text, dollars) {
  const before = (cents(text || "0") ?? 0) / 100;
  return String(Math.min(before + dollars, 10 ** MAX_AMOUNT - 1));
}

const withAmount = (state, of, text) => ({ ...state, amounts: { ...state.amounts, [of]: text } });

export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "link": return { ...state, link: message.link };
    case "view": return { ...state, view: message.view, session: stillThere(state.session, message.view) };
    case "tab": return { ...state, tab: message.tab, said: null };
    case "table": return { ...state, table: message.table };
    case "choose": return { ...state, session: message.session === state.session ? null : message.session, said: null };
    case "amount": return withAmount(state, message.of, amountOf(message.text));
    case "key": return withAmount(state, message.of, keyed(state.amounts[message.of], message.key));
    case "digits": return { ...state, said: null, voucher: { ...NO_VOUCHER, digits: digitsOf(message.text) } };
    case "found": return { ...state, voucher: { ...state.voucher, found: message.found, id: message.id } };
    case "busy": return { ...state, busy: message.what, said: null };
    case "done": return done(state, message);
    case "refused": return { ...state, busy: "", said: refusal(message) };
    case "unanswered": return { ...state, busy: "", said: { kind: "warn", text: UNANSWERED } };
    case "liability": return { ...state, liability: message.liability };
    default: return state;
  }
}

const refusal = ({ text, clause = "", table = "" }) => ({ kind: "danger", text, clause, table });

// What an act leaves behind on the screen.
function done(before, { what, text, paper, paid, waits }) {
  const state = { ...before, busy: "", said: text ? { kind: "ok", text } : null };
  const cleared = (of) => ({ ...state.amounts, [of]: "" });
  switch (what) {
    case "pay": return { ...state, voucher: { ...state.voucher, paid: paid ?? null, waits: waits ?? 0 } };
    case "sell": return { ...state, paper: { paper, copies: 0 }, amounts: cleared("sell") };
    case "copy": return { ...state, paper: { ...state.paper, copies: state.paper.copies + 1 } };
    case "buy": return { ...state, amounts: cleared("buy") };
    case "open": return { ...state, amounts: cleared("float") };
    case "count": case "confirm": return { ...state, amounts: cleared("count") };
    default: return state;
  }
}

const stillThere = (session, view) => (view.sessions.some((row) => row.session === session) ? session : null);

// What follows from a state

export const rowOf = (state) => state.view?.sessions.find((row) => row.session === state.session) ?? null;
export const centsOf = (state, of) => cents(state.amounts[of] || "0") ?? 0;
export const isOwn = (state) => Boolean(state.view?.cashier) && state.view.cashier === state.me?.name;
export const waiting = (view) => (view ? view.payments.length + view.hand_pays.length : 0);

// Why this person cannot take or give money at this window now; nothing where it is possible.
export function barred({ me, view }) {
  if (!me || !view) return "One moment: the window is being read.";
  if (me.role !== "cashier") return `Read only: the role ${me.role} handles no cash.`;
  if (!view.cashier) return "No shift is open at this window. Open one with its float, under Shift count.";
  if (view.cashier !== me.name) return `The window is ${view.cashier}'s.`;
  if (view.counted) return "The drawer is being counted.";
  return "";
}

// A number is looked up as soon as it is whole.
export const isWhole = (state) => state.voucher.digits.length === DIGITS && !state.voucher.found && state.busy === "";
