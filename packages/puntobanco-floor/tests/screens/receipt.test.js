// The page of a receipt: what it claims and what it does not, in both languages; and where a terminal offers one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isProven, page, pageTitle } from "../../src/puntobanco_floor/web/screens/receipt/view.js";
import { receiptButton, receiptShown } from "../../src/puntobanco_floor/web/screens/terminal/view-receipt.js";

const header = JSON.stringify({ seq: 14, at: 1_773_000_000_000 });
const wager = { event: "WagerPlaced", round: 2, session: "g1", bet: "banker", stake_cents: 1_000 };
const line = ["g1", "banker", 1_000, "wins", 950, 1_000, 0, "4.1"];
const made = ({ proof = "c2sp.org/tlog-proof@v1", says = "witnessed" } = {}) => ({
  claim: { house: "Lion", policy: "log x\nwitness alpha.example key\nquorum alpha.example\n", says },
  entries: [{ header, proof, parts: [wager, line].map((part, i) => ({ part: JSON.stringify(part), place: i + 1 })) }],
  what: { kind: "round", table: "table:1", round: 2, session: "g1", bet: "", shoe: 0 },
});
const BLANK = { lang: "en", file: "/receipt/x.json", receipt: null, told: {}, gone: false };
const text = (state) => String(page({ ...BLANK, ...state }));

test("a receipt without its proof says that the proof follows, and is asked for again", () => {
  const receipt = made({ proof: "" });
  assert.equal(isProven(receipt), false);
  assert.match(text({ receipt }), /Recorded; proof follows within a minute/);
});

test("a proven one names its witnesses, what is proven, what is not, and whom to believe", () => {
  const found = text({ receipt: made() });
  const told = [/alpha\.example/, /What is proven/, /that none is missing/, /one honest witness/, /redeems nothing/];
  for (const said of told) {
    assert.match(found, said);
  }
  assert.match(found, /Table 1/);
  assert.match(found, /Banker, \$10\.00: wins, \$19\.50/);
  assert.match(found, /WagerPlaced/, "as it is recorded, until the house has put it into words");
});

test("an unwitnessed one and a demonstration's say so", () => {
  assert.match(text({ receipt: made({ says: "unwitnessed" }) }), /data-standing="unwitnessed"/);
  assert.match(text({ receipt: made({ says: "demonstration" }) }), /run by this computer, proves nothing/);
});

test("no page says both witnessed and unwitnessed", () => {
  const witnessed = /witnesses saw|seen by witnesses|one honest witness|見證人所見|並有見證|至少一位誠實/;
  const alone = /unwitnessed|names no witness|Nobody else has seen|無見證|未指明見證人|沒有其他人看過/;
  for (const lang of ["en", "zh"]) {
    const pageOf = (given) => text({ lang, receipt: made(given) });
    assert.match(pageOf({}), witnessed);
    assert.doesNotMatch(pageOf({}), alone);
    for (const says of ["unwitnessed", "demonstration"]) {
      assert.match(pageOf({ says }), alone);
      assert.doesNotMatch(pageOf({ says }), witnessed);
    }
    const pending = pageOf({ proof: "", says: "unwitnessed" });
    assert.doesNotMatch(pending, witnessed);
    assert.match(pending, /not in its log yet|尚未在記錄簿之內/);
  }
});

test("it speaks Chinese, and a link that ended is said", () => {
  const told = { [JSON.stringify(wager)]: { en: "g1 wagers $10 on Banker", zh: "g1 在 莊 投注 $10" } };
  const chinese = text({ receipt: made(), lang: "zh", told });
  for (const said of [/見證人/, /賭枱 1/, /g1 在 莊 投注 \$10/, /莊，\$10\.00：贏，\$19\.50/]) assert.match(chinese, said);
  assert.doesNotMatch(chinese, /WagerPlaced|banker|wins/);
  assert.match(text({ gone: true }), /it has ended/);
  assert.equal(pageTitle({ ...BLANK, receipt: made() }), "Receipt · Round 2 · puntobanco");
});

test("a terminal asks with kind and number, and shows the link with its code", () => {
  const seen = { lang: "en", busy: false };
  const button = String(receiptButton(seen, "wager", "Receipt", { number: 2, bet: "banker" }));
  assert.match(button, /data-kind="wager" data-number="2"/);
  const receipt = { path: "/receipt/x", url: "", qr: ["10", "01"], ends_at: 1, proven: false };
  const shown = String(receiptShown(seen, { name: "history", receipt }));
  assert.match(shown, /href="\/receipt\/x"/);
  assert.match(shown, /data-receipt="recorded"/);
  assert.equal(receiptShown(seen, { name: "history" }), "");
});
