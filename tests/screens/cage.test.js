// The cage: what a cashier types, what a voucher can be, and who may press what.
import assert from "node:assert/strict";
import { test } from "node:test";
import { barred, centsOf, first, isWhole, reduce, rowOf } from "../../src/puntobanco/web/screens/cage/reduce.js";
import { view } from "../../src/puntobanco/web/screens/cage/view.js";
import { VOUCHER, standing } from "../../src/puntobanco/web/screens/cage/words.js";

const ME = { name: "carl", role: "cashier", house: "House", demo: false, sees: ["cage", "liability"] };
const ROW = {
  table: "table:3", session: "T-07:9f", terminal: "T-07", since: 1, balance_cents: 100, in_play_cents: 0,
  net_cents: -50, loss_cents: null, stopped: "", connected: true,
};
const SEEN = {
  window: 2, cashier: "carl", since: 1, float_cents: 0, in_cents: 0, out_cents: 0, at_tables_cents: 0,
  drawer_cents: 4_165_500, counted: false, payments: [], hand_pays: [], hand_pay_cents: 1_000_000,
  sessions: [ROW], sessions_total: 1, credits_cents: 100, vouchers_open: 1, vouchers_cents: 200, liability_cents: 300,
};
const FOUND = {
  state: "valid", says: "so it is", cents: 284_500, issued_at: 1, issued_in: "table:1", issued_seq: 4,
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
  assert.ok(!isWhole(reduce(typed, { t: "found", found: { state: "unknown", says: "no" }, id: "1" })));
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
  assert.match(barred({ me: { ...ME, role: "supervisor" }, view: SEEN }), /Read only/);
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

test("nobody approves what they asked for", () => {
  const payments = [{ payment: 1, by: "carl", cents: 5, why: "over $10,000", issued_in: "cage:2" }];
  const waiting = { ...at({ t: "tab", tab: "waiting" }), view: { ...SEEN, payments } };
  const text = (name) => String(view({ ...waiting, me: { ...ME, name } }));
  assert.match(text("carl"), /data-act="approve"[^>]*disabled/);
  assert.doesNotMatch(text("sam"), /data-act="approve"[^>]*disabled/);
});

test("how a session stands", () => {
  const words = (more) => standing({ ...ROW, ...more })[1];
  const seen = [words({}), words({ in_play_cents: 5 }), words({ connected: false }), words({ stopped: "x" })];
  assert.deepEqual(seen, ["Idle", "Playing", "Away", "Stopped"]);
});
