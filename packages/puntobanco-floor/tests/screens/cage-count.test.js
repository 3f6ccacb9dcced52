// The drawer by denomination, a hand pay that is asked about once more, and what waits in the tab's title.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isNew, titled } from "../../src/puntobanco_floor/web/screens/base/attention.js";
import { COINS, countedCents, isCounted, NOTES, pieceOf } from "../../src/puntobanco_floor/web/screens/cage/count.js";
import { countOf, first, reduce, toDecide } from "../../src/puntobanco_floor/web/screens/cage/reduce.js";
import { view } from "../../src/puntobanco_floor/web/screens/cage/view.js";
import { staff } from "./staff.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const ROW = {
  table: "table:3", session: "T-07:9f", terminal: "T-07", since: 1, balance_cents: 285_000, in_play_cents: 0,
  net_cents: -50, loss_cents: null, stopped: null, connected: true,
};
const SEEN = {
  window: 2, cashier: "carl", since: 1, counted: false, differed: false, closed: null,
  payments: [], hand_pays: [], decided: [], hand_pay_cents: 1_000_000, sessions: [ROW], sessions_total: 1,
  credits_cents: 100, vouchers_open: 1, vouchers_cents: 200, liability_cents: 300,
};
const at = (...messages) => messages.reduce(reduce, { ...first(2), me: staff("carl", "cashier"), view: SEEN });
const piece = (of, text) => ({ t: "piece", of: String(of), text });
const shown = (state) => String(view(state));

test("each piece counts its worth, and what has no row is typed in dollars", () => {
  const one = Object.fromEntries([...NOTES, ...COINS].map((value) => [value, "1"]));
  assert.equal(countedCents(one), [...NOTES, ...COINS].reduce((a, b) => a + b));
  assert.equal(countOf(at(piece(10_000, "12"), piece(5, "3"), piece("other", "1,250.50"))), 120_000 + 15 + 125_050);
  assert.equal(pieceOf("10000", "-1 2x"), "12");
  assert.equal(pieceOf("10000", "1234567"), "123456");
});

test("nothing typed is no count, a zero is one, and what is no amount is none", () => {
  assert.ok(!isCounted({}));
  assert.ok(isCounted({ 10000: "0" }));
  assert.ok(!isCounted({ 10000: "1", other: "1.2.3" }));
  const empty = at({ t: "tab", tab: "shift" });
  assert.match(shown(empty), /data-act="count"\s+disabled/);
  assert.doesNotMatch(shown(reduce(empty, piece(500, "3"))), /data-act="count"\s+disabled/);
});

test("the count is by denomination for both, each row says its worth, and one amount cannot be typed instead", () => {
  const sam = { ...at(), me: staff("sam", "supervisor"), view: { ...SEEN, counted: true } };
  for (const state of [at(), sam]) {
    const text = shown([{ t: "tab", tab: "shift" }, piece(5_000, "7")].reduce(reduce, state));
    for (const value of [...NOTES, ...COINS]) assert.ok(text.includes(`data-piece="${value}"`), String(value));
    assert.match(text, /\$350\.00[^]*Counted in all[^]*\$350\.00[^]*I counted \$350\.00/);
    assert.doesNotMatch(text, /data-amount=|class="pad"/);
  }
});

test("what was counted is gone from the screen once it is given, and when the two differ", () => {
  const counted = at({ t: "tab", tab: "shift" }, piece(5_000, "7"));
  assert.deepEqual(reduce(counted, { t: "done", what: "count", text: "Counted." }).pieces, {});
  assert.deepEqual(reduce(counted, { t: "done", what: "confirm", text: "" }).pieces, {});
});

const chosen = at({ t: "tab", tab: "waiting" }, { t: "choose", session: ROW.session });
const asked = reduce(chosen, { t: "paying", paying: { session: ROW.session, cents: 285_000 } });

test("a hand pay is asked about once more, with its amount and to whom", () => {
  assert.doesNotMatch(shown(chosen), /data-act="handpay-now"/);
  assert.match(shown(asked), /Pay \$2,850\.00 in cash to T-07 at Table 3\?/);
  assert.match(shown(asked), /data-act="handpay-now"\s+>I pay \$2,850\.00/);
  assert.match(shown(asked), /data-act="handpay"\s+disabled/);
});

test("another amount, another session, another tab or Back ends the question", () => {
  const more = { ...SEEN, sessions: [{ ...ROW, balance_cents: 290_000 }] };
  const playing = { ...SEEN, sessions: [{ ...ROW, in_play_cents: 1_000 }] };
  const ends = [
    { t: "view", view: more }, { t: "view", view: playing }, { t: "view", view: { ...SEEN, sessions: [] } },
    { t: "choose", session: "T-08:aa" }, { t: "tab", tab: "counter" }, { t: "paying", paying: null },
  ];
  for (const message of ends) assert.equal(reduce(asked, message).paying, null, JSON.stringify(message));
  assert.deepEqual(reduce(asked, { t: "view", view: SEEN }).paying, asked.paying, "the same again changes nothing");
});

test("what this person may decide is counted in the title, and only something new is heard", () => {
  const pay = (by) => ({ payment: 1, by, at: 5, command: "pay-voucher", cents: 5, why: alike("large"),
    issued_in: "table:1" });
  const seeing = (me, payments) => toDecide({ me, view: { ...SEEN, payments } });
  assert.equal(seeing(staff("carl", "cashier"), [pay("carl")]), 0, "one's own waits for somebody else");
  assert.equal(seeing(staff("sam", "supervisor"), [pay("carl"), pay("cora")]), 2);
  assert.equal(titled("Pit", 0), "Pit · puntobanco");
  assert.equal(titled("Pit", 2), "(2) Pit · puntobanco");
  assert.deepEqual([isNew(null, 2), isNew(1, 1), isNew(2, 1), isNew(1, 2)], [false, false, false, true]);
});
