// The cage: what a cashier types, what a voucher can be, and who may press what.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  barred, centsOf, first, isWhole, reduce, rowOf, saleOf,
} from "../../src/puntobanco_floor/web/screens/cage/reduce.js";
import { view } from "../../src/puntobanco_floor/web/screens/cage/view.js";
import { alike, pageLanguage, setLanguage } from "../../src/puntobanco_floor/web/screens/base/words.js";
import { VOUCHER, standing } from "../../src/puntobanco_floor/web/screens/cage/words.js";
import { staff } from "./staff.js";

const ME = staff("carl", "cashier");
const ROW = {
  table: "table:3", session: "T-07:9f", terminal: "T-07", since: 1, balance_cents: 100, in_play_cents: 0,
  net_cents: -50, loss_cents: null, stopped: null, connected: true,
};
const SEEN = {
  window: 2, cashier: "carl", since: 1, counted: false, differed: false, closed: null,
  payments: [], hand_pays: [], decided: [],
  hand_pay_cents: 1_000_000, sessions: [ROW], sessions_total: 1,
  credits_cents: 100, vouchers_open: 1, vouchers_cents: 200, liability_cents: 300,
};
const CLOSED = {
  shift: 3, cashier: "carl", by: "sam", since: 1, float_cents: 40_000, in_cents: 23_500, out_cents: 13_500,
  counted_cents: 49_000, expected_cents: 50_000, difference_cents: -1_000,
};
const FOUND = {
  state: "valid", says: alike("so it is"), cents: 284_500, issued_at: 1, issued_in: "table:1", issued_seq: 4,
  issued_by: "T-01", expires_at: 9, redeemed_in: "", second: "",
};
const at = (...messages) => messages.reduce(reduce, { ...first(2), me: ME, view: SEEN });
const key = (of, ...keys) => keys.map((k) => ({ t: "key", of, key: k }));

test("keys make an amount, and quick amounts add to it", () => {
  assert.equal(centsOf(at(...key("buy", "5", "00")), "buy"), 50_000);
  assert.equal(centsOf(at(...key("buy", "5", "00", "back")), "buy"), 5_000);
  assert.equal(centsOf(at(...key("buy", "+50", "+1000")), "buy"), 105_000);
  assert.equal(centsOf(at({ t: "amount", of: "buy", text: "$1,250.50" }), "buy"), 125_050);
  assert.equal(centsOf(at({ t: "amount", of: "buy", text: "abc" }), "buy"), 0);
  assert.equal(at(...key("buy", ..."9".repeat(20))).amounts.buy.length, 9);
});

test("a voucher's number is taken as it is typed or scanned, and looked up once it is whole", () => {
  const typed = at({ t: "digits", text: "00-1847 2205-6619 40731234" });
  assert.equal(typed.voucher.digits, "001847220566194073");
  assert.ok(isWhole(typed));
  assert.ok(!isWhole(at({ t: "digits", text: "0018" })));
  assert.ok(!isWhole(reduce(typed, { t: "found", found: { state: "unknown", says: alike("no") }, id: "1" })));
});

test("another number forgets what was found and paid", () => {
  const paid = at(
    { t: "digits", text: "1" }, { t: "found", found: { state: "valid", cents: 5 }, id: "x" },
    { t: "done", what: "pay", paid: { cents: 5 }, text: "Paid" },
  );
  assert.equal(paid.voucher.paid.cents, 5);
  const next = reduce(paid, { t: "digits", text: "2" });
  assert.deepEqual([next.voucher.found, next.voucher.paid, next.said], [null, null, null]);
});

test("who may handle cash", () => {
  assert.equal(barred(at()), "");
  assert.match(barred({ me: staff("carl", "supervisor"), view: SEEN }), /Read only/);
  assert.match(barred({ me: ME, view: { ...SEEN, cashier: "" } }), /No shift/);
  assert.match(barred({ me: ME, view: { ...SEEN, cashier: "cora" } }), /cora/);
  assert.match(barred({ me: ME, view: { ...SEEN, counted: true } }), /counted/);
});

test("the button repeats amount and terminal", () => {
  const text = String(view(at({ t: "choose", session: ROW.session }, ...key("buy", "5", "00"))));
  assert.match(text, /Load \$500\.00 to T-07/);
  assert.match(text, /Balance now \$1\.00, after \$501\.00\. Loss limit on this session: none set\./);
  assert.match(text, /Liability now<\/dt><dd class="gold sum">\$3\.00/);
});

test("a session that left is not chosen any more", () => {
  const chosen = at({ t: "choose", session: ROW.session });
  assert.equal(rowOf(chosen).terminal, "T-07");
  assert.equal(reduce(chosen, { t: "view", view: { ...SEEN, sessions: [] } }).session, null);
});

test("every state of a voucher has its own words and is drawn", () => {
  for (const [state, { title }] of Object.entries(VOUCHER)) {
    const found = { ...FOUND, state, cents: state === "valid" ? 5 : 0 };
    assert.match(String(view(at({ t: "found", found, id: "1" }))), new RegExp(title));
  }
});

test("only a payable voucher has a Pay button, and it is locked while it is asked", () => {
  const valid = at({ t: "found", found: FOUND, id: "1" });
  assert.match(String(view(valid)), /data-act="pay" >Pay \$2,845\.00 cash/);
  assert.match(String(view(reduce(valid, { t: "busy", what: "pay" }))), /data-act="pay" disabled>Paying/);
  const redeemed = at({ t: "found", found: { ...FOUND, state: "redeemed" }, id: "1" });
  assert.doesNotMatch(String(view(redeemed)), /data-act="pay"/);
});

const PAYS = {
  payment: 1, by: "carl", at: 1000, command: "pay-voucher", cents: 1_500_000, why: alike("over $10,000"),
  issued_in: "cage:2",
};
const SELLS = {
  ...PAYS, payment: 2, command: "sell-voucher", cents: 1_200_000, why: alike("over $10,000 of cash"), issued_in: "",
};
const HAND = {
  table: "table:3", proposal: 7, command: "cash-out", by: "cora", at: 1000, session: ROW.session, terminal: "T-07",
  cents: 1_600_000,
};
const seeing = (more, ...messages) => at({ t: "view", view: { ...SEEN, ...more } }, ...messages);
const waitingTab = (more, ...messages) => seeing(more, { t: "tab", tab: "waiting" }, ...messages);
const as = (state, name, role = "cashier") => String(view({ ...state, me: staff(name, role) }));

test("nobody approves what they asked for: who asked withdraws it, others approve or turn it down", () => {
  const state = waitingTab({ payments: [PAYS] });
  assert.doesNotMatch(as(state, "carl"), /data-act="(approve|refuse)"/);
  assert.match(as(state, "carl"), /data-act="withdraw"/);
  assert.match(as(state, "sam", "supervisor"), /data-act="approve"/);
  assert.doesNotMatch(as(state, "sam", "supervisor"), /data-act="withdraw"/);
  assert.doesNotMatch(as(state, "otto", "auditor"), /data-act="(approve|refuse|withdraw)"/);
});

test("everything about money waits in one list, with who asked and when", () => {
  const buys = { ...HAND, proposal: 8, command: "buy-in" }, loads = { ...HAND, proposal: 9, command: "load-credits" };
  const text = String(view(waitingTab({ payments: [PAYS, SELLS], hand_pays: [HAND, buys, loads] })));
  const said = ["Pay a voucher of Cage window 2", "Sell a voucher", "Hand pay", "Large buy-in", "Load of credits"];
  for (const words of said) assert.match(text, new RegExp(words));
  assert.equal(text.match(/Asked by \w+ at \d+ \w+ \d{4} \d\d:\d\d:\d\d/g).length, 5);
});

test("an adjustment says how it is paid, and what the receipt names", () => {
  const left = { ...HAND, command: "adjust", round: 9, left: true }, seated = { ...left, proposal: 8, left: false };
  const text = String(view(waitingTab({ hand_pays: [left, seated] })));
  assert.match(text, new RegExp(`against the receipt: it names round 9 and session ${ROW.session}`));
  assert.match(text, /Adjustment for round 9, paid as credits/);
  assert.match(text, /compare it with the receipt/);
  const found = { kind: "round", table: HAND.table, round: 9, session: HAND.session, proposals: [HAND.proposal] };
  const shown = waitingTab({ hand_pays: [left] }, { t: "receipt", address: "https://x/receipt/y", found });
  assert.match(String(view(shown)), /the receipt is of this round and session/);
  assert.doesNotMatch(String(view(waitingTab({ hand_pays: [HAND] }))), /id="receipt"/);
  assert.match(String(view(seeing({ hand_pays: [left] }))), /against the receipt/);
});

test("what is turned down needs a reason", () => {
  const state = waitingTab({ payments: [{ ...PAYS, by: "cora" }] }, { t: "refusing", key: "payment-1" });
  assert.match(String(view(state)), /<textarea[^>]*id="reason"/);
  assert.match(String(view(state)), /data-act="reject"[^>]*disabled/);
  const typed = reduce(state, { t: "reason", text: "the slip is torn" });
  assert.doesNotMatch(String(view(typed)), /data-act="reject"[^>]*disabled/);
  assert.equal(reduce(typed, { t: "refusing", key: "" }).reason, "");
});

test("who asked learns what became of it, by whom and why", () => {
  const said = { place: "table:3", proposal: 7, asked_by: "carl", command: "cash-out", outcome: "rejected", by: "sam" };
  const state = seeing({}, { t: "view", view: { ...SEEN, decided: [{ ...said, reason: "no passport" }] } });
  assert.match(String(view(state)), /Table 3: sam rejected: a hand pay\. The reason: no passport/);
  assert.doesNotMatch(String(view(reduce(state, { t: "decided-seen" }))), /sam rejected/);
});

test("what should be in the drawer is told nowhere while a shift is open", () => {
  const told = { ...SEEN, float_cents: 987_600, in_cents: 987_600, out_cents: 987_600, drawer_cents: 987_600 };
  for (const tab of ["counter", "vouchers", "waiting", "shift"]) {
    assert.doesNotMatch(String(view({ ...at({ t: "tab", tab }), view: told })), /9,876\.00|[Dd]rawer <b>|Float/, tab);
  }
});

test("two people count, each alone; where they differ both count again and no figure is shown", () => {
  const counted = seeing({ counted: true }, { t: "tab", tab: "shift" }, { t: "piece", of: "5000", text: "9" });
  assert.match(String(view(counted)), /I counted \$450\.00/);
  const beforeTheForm = /You have counted[^]*waits for a second person[^]*data-piece/;
  assert.match(String(view(counted)), beforeTheForm);
  assert.match(String(view({ ...counted, me: { ...ME, name: "sam" } })), /Second count/);
  const again = reduce(counted, { t: "view", view: { ...SEEN, differed: true } });
  assert.match(String(view(again)), /The two counts differ\. Both count again, each alone/);
  assert.deepEqual(again.pieces, {});
  assert.doesNotMatch(String(view(again)), /450/);
  const done = reduce(again, { t: "done", what: "confirm", text: "" });
  assert.match(String(view(done)), /The two counts differ/, "the answer does not wipe out what the view has said");
});

test("when both agree the slip says float, in, out, what should be there, what was, and the difference", () => {
  const over = { cashier: "", since: null, closed: CLOSED };
  const state = seeing({ counted: true }, { t: "tab", tab: "shift" }, { t: "view", view: { ...SEEN, ...over } });
  const text = String(view(state));
  assert.match(text, /The counts agree\. The shift is over/);
  const figures = ["400.00", "235.00", "135.00", "500.00", "490.00", "−$10.00"];
  for (const money of figures) assert.ok(text.includes(money), money);
  assert.match(text, /short/);
  assert.match(text, /Open a shift/);
});

test("cash counts in a window's drawer, and says in which", () => {
  const row = { t: "choose", session: ROW.session };
  assert.match(String(view(at(row, ...key("buy", "5")))), /It counts in the drawer of window 2/);
  const none = { me: ME, view: { ...SEEN, cashier: "" } };
  assert.match(barred(none), /No shift is open at this window\. Open one/);
});

test("what is said stands in the panel where it was asked", () => {
  const bought = at({ t: "busy", what: "buy" }, { t: "done", what: "buy", text: "$50.00 loaded." });
  assert.match(String(view(bought)), /data-said="buy"[^>]*>[^]*?\$50\.00 loaded/);
  assert.match(String(view(bought)), /data-said="redeem"[^>]*><\/p>/);
  const refused = at({ t: "busy", what: "pay" }, { t: "refused", text: "redeemed before" });
  assert.match(String(view(refused)), /data-said="redeem"[^>]*>[^]*?redeemed before/);
  assert.match(String(view(refused)), /data-said="buy"[^>]*><\/p>/);
});

test("what was said is read in the language that the page now has", () => {
  const state = at({ t: "busy", what: "buy" }, { t: "unanswered" }), before = pageLanguage();
  assert.match(view(state).text, /No answer came/);
  setLanguage("zh");
  assert.match(view(state).text, /沒有回覆/);
  setLanguage(before);
});

test("who has no open shift is led to where one is opened", () => {
  const state = at({ t: "busy", what: "buy" }, { t: "refused", code: "no-open-shift", text: "carl has no open shift" });
  assert.match(String(view(state)), /carl has no open shift[^]*data-act="tab" data-tab="shift"/);
});

test("a voucher that waits to be sold keeps its id until it is printed or turned down", () => {
  const sale = { id: "s-1", cents: SELLS.cents };
  const waits = { t: "view", view: { ...SEEN, payments: [SELLS] } };
  let state = at({ t: "tab", tab: "vouchers" }, { t: "selling", sale }, waits);
  assert.equal(saleOf(state, "s-1").payment, 2);
  assert.match(String(view(state)), /Waits for a second person[^]*data-act="print-sold"[^>]*disabled/);
  const decided = (outcome) => ({
    place: "cage:2", proposal: 2, asked_by: "carl", command: "sell-voucher", outcome, by: "sam", reason: "",
  });
  const approved = reduce(state, { t: "view", view: { ...SEEN, decided: [decided("approved")] } });
  assert.doesNotMatch(String(view(approved)), /data-act="print-sold"[^>]*disabled/);
  const rejected = reduce(state, { t: "view", view: { ...SEEN, decided: [decided("rejected")] } });
  assert.equal(saleOf(rejected, "s-1"), null);
  state = reduce(approved, { t: "done", what: "sell", paper: { number: "1" }, id: "s-1", text: "sold" });
  assert.equal(saleOf(state, "s-1"), null);
});

test("how a session stands", () => {
  const words = (more) => standing({ ...ROW, ...more })[1];
  const seen = [words({}), words({ in_play_cents: 5 }), words({ connected: false }), words({ stopped: alike("x") })];
  assert.deepEqual(seen, ["Idle", "Playing", "Away", "Stopped"]);
});

const DOUBT = { t: "doubt", about: { what: "buy", key: "buy T-07:9f", cents: 50_000 }, at: 1, text: "…" };

test("an act in doubt is named, cannot be pressed again, and lets the window go on with others", () => {
  const asked = at({ t: "choose", session: "T-07:9f" }, ...key("buy", "5", "00"), { t: "busy", what: "buy" }, DOUBT);
  assert.equal(asked.busy, "");
  assert.match(String(view(asked)), /data-act="buy"\s+disabled/);
  assert.match(String(view(asked)), /data-doubt="buy"[^>]*>Buy-in \$500\.00: not known yet whether it was recorded/);
  const others = { ...asked, session: null };
  const elsewhere = reduce({ ...others, view: { ...SEEN, sessions: [{ ...ROW, session: "s2" }] } },
    { t: "choose", session: "s2" });
  assert.doesNotMatch(String(view(elsewhere)), /data-act="buy"\s+disabled/);
  const over = reduce(asked, { t: "decided", key: "buy T-07:9f" });
  assert.doesNotMatch(String(view(over)), /data-doubt/);
});

test("an act that is decided late ends none that was begun since, and pays no other voucher", () => {
  const later = at(DOUBT, { t: "busy", what: "look" }, { t: "done", what: "buy", text: "loaded" });
  assert.equal(later.busy, "look");
  const paid = { t: "done", what: "pay", digits: "1", paid: { cents: 5 }, text: "Paid" };
  const other = at({ t: "digits", text: "2" }, paid);
  assert.equal(other.voucher.paid, null);
});
