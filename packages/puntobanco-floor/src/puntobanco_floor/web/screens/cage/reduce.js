// The cage's state: what the server's view says, and what the cashier is doing. Pure.
import { decidedKey, news } from "../base/decided.js";
import { cents } from "../base/money.js";
import { may, roleName } from "../base/staffbar.js";
import { countedCents, pieceOf } from "./count.js";
import { t } from "./words.js";

/** @import { DecidedView, Liability, ReceiptFound, StaffMe, VoucherFound, VoucherPaper, WindowView } from "server" */
/** @import { LinkState } from "../base/link.js" */
/** @import { Words } from "../base/words.js" */
/** @import { Pieces } from "./count.js" */

/**
 * @typedef {{ buy: string, sell: string, float: string }} Amounts
 * @typedef {{ cents: number, at: number, seq: number }} Paid
 * @typedef {{ digits: string, found: VoucherFound | null, id: string, waits: number, paid: Paid | null }} Voucher
 * @typedef {{ id: string, cents: number, payment: number }} Sale a voucher that waits to be sold
 * @typedef {{ key: string, what: string, cents: number, at: number }} Doubt an act whose outcome is not known
 * @typedef {{ of: string, kind: string, text: Words, clause?: string, table?: string, code?: string }} Said
 *
 * @typedef {object} State
 * @property {number} window
 * @property {StaffMe | null} me
 * @property {WindowView | null} view
 * @property {LinkState} link
 * @property {string} tab
 * @property {string} table
 * @property {string | null} session
 * @property {Amounts} amounts
 * @property {Pieces} pieces
 * @property {{ session: string, cents: number } | null} paying
 * @property {Voucher} voucher
 * @property {{ paper: VoucherPaper, copies: number } | null} paper
 * @property {Liability | null} liability
 * @property {string} busy
 * @property {Doubt[]} doubts
 * @property {Said | null} said
 * @property {{ address: string, found: ReceiptFound | null }} receipt
 * @property {string} refusing
 * @property {string} reason
 * @property {Sale[]} sales
 * @property {DecidedView[]} decided
 * @property {(string | number)[]} read
 *
 * @typedef {State & { view: WindowView }} Seen once the window has been read
 * @typedef {{
 *   t: "done", what: string, text: Words, paper?: VoucherPaper, paid?: Paid, waits?: number, id?: string,
 *   digits?: string,
 * }} Done
 * @typedef {{ t: "refused", of?: string, text: Words, clause?: string, table?: string, code?: string }} Refusal
 * @typedef {{ t: "me", me: StaffMe } | { t: "kept", sales: Sale[], read: State["read"] }
 *   | { t: "link", link: LinkState }
 *   | { t: "view", view: WindowView } | { t: "tab", tab: string } | { t: "table", table: string }
 *   | { t: "choose", session: string } | { t: "amount", of: keyof Amounts, text: string }
 *   | { t: "key", of: keyof Amounts, key: string } | { t: "digits", text: string }
 *   | { t: "found", found: VoucherFound, id: string } | { t: "busy", what: string } | Done
 *   | { t: "selling", sale: { id: string, cents: number } } | { t: "refusing", key: string }
 *   | { t: "doubt", about: { key: string, what: string, cents?: number }, at: number, text: Words }
 *   | { t: "decided", key: string }
 *   | { t: "reason", text: string } | { t: "decided-seen" } | Refusal | { t: "unanswered" }
 *   | { t: "liability", liability: Liability } | { t: "piece", of: string, text: string }
 *   | { t: "receipt", address: string, found: ReceiptFound | null }
 *   | { t: "paying", paying: State["paying"] }} Message
 */

const DIGITS = 18;
const MAX_AMOUNT = 9; // digits before the point
const MAX_REASON = 400;
/** @type {Voucher} */
const NO_VOUCHER = { digits: "", found: null, id: "", waits: 0, paid: null };
const UNANSWERED = () => t("No answer came. Press again: it is done once, however often it is asked.");

/** @type {(window: number) => State} */
export const first = (window) => ({
  window, me: null, view: null, link: "connecting", tab: "counter", table: "", session: null,
  amounts: { buy: "", sell: "", float: "" },
  pieces: {}, // of the count, by denomination
  paying: null, // {session, cents}: a hand pay that is asked about once more, with its amount
  voucher: NO_VOUCHER, paper: null, liability: null,
  busy: "", // what is asked for now
  doubts: [], // acts that are sent again until the floor has decided them
  said: null, // {of, kind, text, ...}: what was said last, in the panel where it was asked
  receipt: { address: "", found: null }, // that a patron shows, and what it is of
  refusing: "", reason: "", // what is being turned down, and why
  sales: [], // vouchers that wait to be sold: {id, cents, payment}; the id is asked with again
  decided: [], // what became of this person's proposals and was not put away yet
  read: [],
});

// Chosen once more it is let go.
/** @param {State} state @param {string} session */
const other = (state, session) => (session === state.session ? null : session);

const digitsOf = (/** @type {string} */ text) => text.replace(/\D/g, "").slice(0, DIGITS);
/** @param {string} text */
const amountOf = (text) => text.replace(/[^\d.]/g, "").replace(/^0+(?=\d)/, "").slice(0, MAX_AMOUNT + 3);

// A key of the pad beneath an amount: a digit, "00", "back" or "+50" in dollars.
/** @type {(text: string, key: string) => string} */
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

/** @type {(state: State, of: keyof Amounts, text: string) => State} */
const withAmount = (state, of, text) => ({ ...state, amounts: { ...state.amounts, [of]: text } });

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "kept": return { ...state, sales: message.sales, read: message.read };
    case "link": return { ...state, link: message.link };
    case "view": return seen(state, message.view);
    case "tab": return { ...state, tab: message.tab, said: null, paying: null };
    case "table": return { ...state, table: message.table };
    case "choose": return { ...state, session: other(state, message.session), paying: null, said: null };
    case "amount": return withAmount(state, message.of, amountOf(message.text));
    case "piece":
      return { ...state, pieces: { ...state.pieces, [message.of]: pieceOf(message.of, message.text) } };
    case "paying": return { ...state, paying: message.paying, said: null };
    case "key": return withAmount(state, message.of, keyed(state.amounts[message.of], message.key));
    case "digits": return { ...state, said: null, voucher: { ...NO_VOUCHER, digits: digitsOf(message.text) } };
    case "found": return { ...state, voucher: { ...state.voucher, found: message.found, id: message.id } };
    case "busy": return { ...state, busy: message.what, said: null };
    case "doubt": return doubted(state, message);
    case "decided": return { ...state, doubts: state.doubts.filter(({ key }) => key !== message.key) };
    case "done": return done(state, message);
    case "selling": return selling(state, message.sale);
    case "refusing": return { ...state, refusing: message.key, reason: "", said: null };
    case "reason": return { ...state, reason: message.text.slice(0, MAX_REASON) };
    case "receipt": return { ...state, said: null, receipt: { address: message.address, found: message.found } };
    case "decided-seen": return { ...state, decided: [], read: (state.view?.decided ?? []).map(decidedKey) };
    case "refused": return { ...state, busy: released(state, message.of), said: refusal(state, message) };
    case "unanswered": return { ...state, busy: "", said: { of: panelOf(state.busy), kind: "warn",
      text: UNANSWERED } };
    case "liability": return { ...state, liability: message.liability };
    default: return state;
  }
}

// The panel where something is asked for; what waits for a second person has a key of its own.
/** @type {Record<string, string>} */
const PANELS = {
  buy: "buy", pay: "redeem", look: "redeem", receipt: "redeem", sell: "sell", copy: "sell", handpay: "hand",
  open: "shift", count: "shift", confirm: "shift", view: "window",
};
const panelOf = (/** @type {string} */ what) => PANELS[what] ?? "waiting";

/** @type {(state: State, message: Refusal) => Said} */
const refusal = (state, { of, text, clause = "", table = "", code = "" }) =>
  ({ of: panelOf(of ?? state.busy), kind: "danger", text, clause, table, code });

// While an act is in doubt the window goes on with others; this one is not sent again by hand.
/** @type {(state: State, message: Extract<Message, { t: "doubt" }>) => State} */
function doubted(state, { about: { key, what, cents: worth = 0 }, at, text }) {
  const others = state.doubts.filter((one) => one.key !== key);
  const said = { of: panelOf(what), kind: "warn", text };
  return { ...state, busy: released(state, what), said, doubts: [...others, { key, what, cents: worth, at }] };
}

/** What is asked for after an act is decided: an act that was in doubt ends none that was begun since. */
const released = (/** @type {State} */ { busy }, /** @type {string} */ what = busy) => (busy === what ? "" : busy);

/**
 * Whether an act is on its way, or its outcome not known yet.
 * @type {(state: State, what: string, key?: string) => boolean}
 */
export const isAsked = ({ busy, doubts }, what, key = what) => busy === what || doubts.some((one) => one.key === key);

// What an act leaves behind on the screen.
/** @type {(before: State, message: Done) => State} */
function done(before, { what, text, paper, paid, waits, id, digits = before.voucher.digits }) {
  const said = text ? { of: panelOf(what), kind: waits ? "warn" : "ok", text } : before.said;
  const state = { ...before, busy: released(before, what), said };
  const cleared = (/** @type {keyof Amounts} */ of) => ({ ...state.amounts, [of]: "" });
  switch (what) {
    case "pay": {
      const isOther = digits !== before.voucher.digits; // scanned since
      return isOther ? state : { ...state, voucher: { ...state.voucher, paid: paid ?? null, waits: waits ?? 0 } };
    }
    case "sell": {
      const sold = paper ? { paper, copies: 0 } : null;
      return { ...state, paper: sold, amounts: cleared("sell"), sales: without(state, id) };
    }
    case "copy": return { ...state, paper: state.paper && { ...state.paper, copies: state.paper.copies + 1 } };
    case "buy": return { ...state, amounts: cleared("buy") };
    case "open": return { ...state, amounts: cleared("float") };
    case "count": case "confirm": return { ...state, pieces: {} };
    default: return { ...state, refusing: "", reason: "", paying: null };
  }
}

/** @type {(state: State, id?: string) => Sale[]} */
const without = ({ sales }, id) => sales.filter((sale) => sale.id !== id);

const DECIDES = () => t("A second person decides. Then the voucher is printed here.");

// A voucher that needs a second person: it is asked for again, with this id, once that person has approved.
/** @type {(state: State, sale: { id: string, cents: number }) => State} */
function selling(state, { id, cents: worth }) {
  const said = { of: "sell", kind: "warn", text: DECIDES };
  const sales = [...without(state, id), { id, cents: worth, payment: saleOf(state, id)?.payment ?? 0 }];
  return { ...state, busy: released(state, "sell"), said, sales, amounts: { ...state.amounts, sell: "" } };
}

// The window as the server sees it now, and what changed with it.
/** @type {(before: State, view: WindowView) => State} */
function seen(before, view) {
  const state = { ...before, view, session: stillThere(before.session, view), sales: stillSold(before, view) };
  const own = news(before.view?.decided ?? null, view.decided, { name: before.me?.name, read: before.read });
  const decided = [...before.decided, ...own.filter((one) => one.asked_by === before.me?.name)];
  return { ...state, decided, paying: stillPaid(before.paying, view), ...counted(before, view) };
}

// A first count that waited and waits no more: both agreed, or they differ and both count again.
/** @type {(state: State, view: WindowView) => Partial<State>} */
function counted({ view: before, said }, view) {
  if (!before?.counted || view.counted) return { said };
  if (view.closed) return { said: { of: "shift", kind: "ok", text: AGREED } };
  return view.differed ? { said: null, pieces: {} } : { said };
}

const AGREED = () => t("The counts agree. The shift is over.");

// Each sale with the number under which it waits; those that were turned down are gone.
/** @type {(state: State, view: WindowView) => Sale[]} */
function stillSold({ sales, me, window }, view) {
  const taken = new Set(sales.map((sale) => sale.payment));
  /** @param {Sale} sale */
  const isOf = (sale) => (one) => one.command === "sell-voucher" && one.by === me?.name && one.cents === sale.cents;
  const numbered = sales.map((sale) => {
    const found = sale.payment ? null : view.payments.find((one) => isOf(sale)(one) && !taken.has(one.payment));
    if (found) taken.add(found.payment);
    return found ? { ...sale, payment: found.payment } : sale;
  });
  const isGone = (/** @type {Sale} */ sale) => view.decided.some((one) => one.place === `cage:${window}`
    && one.proposal === sale.payment && ["rejected", "withdrawn"].includes(one.outcome));
  return numbered.filter((sale) => !isGone(sale));
}

// Where the credits are others by now, the amount that was asked about is not what would be paid.
/** @type {(paying: State["paying"], view: WindowView) => State["paying"]} */
function stillPaid(paying, { sessions }) {
  const row = sessions.find((one) => one.session === paying?.session);
  return row && row.balance_cents === paying?.cents && !row.in_play_cents ? paying : null;
}

/** @type {(session: string | null, view: WindowView) => string | null} */
const stillThere = (session, view) => (view.sessions.some((row) => row.session === session) ? session : null);

// What follows from a state

/** Whether the receipt that was shown is of this adjustment. */
/** @param {State} state @param {{ table?: string, number: number }} one */
export const isShown = ({ receipt: { found } }, { table, number }) =>
  Boolean(found && found.table === table && found.proposals.includes(number));

/** @param {State} state */
export const rowOf = (state) => state.view?.sessions.find((row) => row.session === state.session) ?? null;
/** @param {State} state @param {keyof Amounts} of */
export const centsOf = (state, of) => cents(state.amounts[of] || "0") ?? 0;
/** What the pieces come to. @param {State} state */
export const countOf = (state) => countedCents(state.pieces) ?? 0;
/** @param {State} state */
export const isOwn = (state) => Boolean(state.view?.cashier) && state.view?.cashier === state.me?.name;
/** How many of what waits this person may decide. @param {Pick<State, "me" | "view">} state */
export const toDecide = ({ me, view }) =>
  [...(view?.payments ?? []), ...(view?.hand_pays ?? [])].filter((one) => mayDecide(me, one.by)).length;
/** @param {WindowView | null} view */
export const waiting = (view) => (view ? view.payments.length + view.hand_pays.length : 0);

/**
 * Why this person cannot take or give money at this window now; nothing where it is possible.
 * @param {Pick<State, "me" | "view">} state
 */
export function barred({ me, view }) {
  if (!me || !view) return t("One moment: the window is being read.");
  if (!may(me, "buy-in")) return t("Read only: the role {0} handles no cash.", roleName(me.role));
  if (!view.cashier) return t("No shift is open at this window. Open one with its float, under Shift count.");
  if (view.cashier !== me.name) return t("The window is {0}'s.", view.cashier);
  if (view.counted) return t("The drawer is being counted.");
  return "";
}

/** @type {(state: State, id: string) => Sale | null} */
export const saleOf = (state, id) => state.sales.find((sale) => sale.id === id) ?? null;

/**
 * Whether a voucher that waits can be printed: its proposal is not among those that wait any more.
 * @param {State} state
 * @param {Sale} sale
 */
export const isSold = ({ view }, sale) =>
  Boolean(sale.payment) && !view?.payments.some((one) => one.payment === sale.payment);

/** @param {StaffMe | null} me @param {string} by who asked for it */
export const mayDecide = (me, by) => may(me, "approve") && me?.name !== by;

/** A number is looked up as soon as it is whole. @param {State} state */
export const isWhole = (state) => state.voucher.digits.length === DIGITS && !state.voucher.found && state.busy === "";
