// What a patron is told beside the game: limits used and reached, the reality check, past rounds, keys, first hints.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pressed } from "../../src/puntobanco_floor/web/screens/base/keypad.js";
import { tap } from "../../src/puntobanco_floor/web/screens/terminal/ask.js";
import { HINTS, hintNow } from "../../src/puntobanco_floor/web/screens/terminal/guide.js";
import { limitReached, limitsUsed, lossLeft } from "../../src/puntobanco_floor/web/screens/terminal/limits.js";
import { playedFor } from "../../src/puntobanco_floor/web/screens/terminal/reality.js";
import { canBet } from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import { view } from "../../src/puntobanco_floor/web/screens/terminal/view.js";
import { withOlder } from "../../src/puntobanco_floor/web/screens/terminal/view-history.js";
import { betsOpened, dealt, ids, line, mine, opened, roundSettled, run } from "./terminal-story.js";

const HOUR = 3_600_000;
const OWN = { loss_cents: 50_000, minutes: null, lost_cents: 0, played_ms: 0, wider: null, wider_at: null };
const shown = (s, lang = "en", shape = "wide") => String(view({ ...s, lang, shape }));
const text = (markup) => String(markup).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const seated = (more, own = OWN) => run(opened(), { t: "own", own }, mine({ seq: 60, ...more }));
const sheet = (s, name, more = {}) => run(s, { t: "sheet", sheet: { name, ...more } });

test("what is left of a loss limit is what may still be staked: what is in play counts as lost", () => {
  assert.equal(lossLeft(opened()), null);
  assert.equal(lossLeft(seated({ loss_cents: 50_000, net_cents: -32_000 })), 18_000);
  assert.equal(lossLeft(seated({ loss_cents: 50_000, net_cents: -32_000, wagers: { tie: 8_000 } })), 10_000);
  assert.equal(lossLeft(seated({ loss_cents: 50_000, net_cents: -70_000 })), 0);
});

test("limits are told with what is used and left, in both languages; who is ahead has used nothing", () => {
  const s = seated({ loss_cents: 50_000, net_cents: -32_000 });
  assert.deepEqual(limitsUsed(s), [{ kind: "loss", most: 50_000, used: 32_000, left: 18_000 }]);
  assert.match(text(shown(sheet(s, "limits"))), /Loss limit today \$320 of \$500 used, \$180 left/);
  assert.match(text(shown(sheet(s, "limits"), "zh")), /今日輸額上限 已用 \$320（上限 \$500），尚餘 \$180/);
  const ahead = seated({ loss_cents: 50_000, net_cents: 9_000 });
  assert.deepEqual(limitsUsed(ahead), [{ kind: "loss", most: 50_000, used: 0, left: 50_000 }]);
  const timed = seated({ ends_at: 1_000_000 + HOUR / 4 }, { ...OWN, loss_cents: null, minutes: 60 });
  assert.deepEqual(limitsUsed(timed), [{ kind: "time", most: 60, used: 45, left: 15 }]);
});

test("a limit that is reached closes the felt for play, says so, and leaves the ways out open", () => {
  const s = seated({ loss_cents: 50_000, net_cents: -49_500 });
  assert.equal(limitReached(s), "loss", "less is left than any spot takes");
  assert.equal(canBet(s), false);
  assert.equal(tap(s, "player", ids()), null);
  for (const shape of ["wide", "phone"]) {
    const page = shown(s, "en", shape);
    assert.match(page, /data-limit="loss"/);
    assert.match(page, /data-reached="loss"/);
    assert.match(text(page), /You have reached the loss limit that you set for today\./);
    assert.match(page, /<section class="tray inviting reached".*data-act="limits".*data-act="cash"/s);
    assert.doesNotMatch(page, /class="cbtn/);
  }
  assert.match(text(shown(s, "zh")), /你已達到今日自訂的輸額上限/);
});

test("while a wager lies there nothing is closed: it may be taken back", () => {
  const s = seated({ loss_cents: 50_000, net_cents: -40_000, wagers: { player: 10_000 } });
  assert.equal(lossLeft(s), 0);
  assert.equal(limitReached(s), "");
  assert.equal(canBet(s), true);
});

test("time that is over closes it as well, and time that is not does not", () => {
  assert.equal(limitReached(seated({ ends_at: 1_000_000 })), "time");
  assert.equal(limitReached(seated({ ends_at: 1_000_001 })), "");
  assert.match(text(shown(seated({ ends_at: 1_000_000 }))), /The time that you set for today is over\./);
});

test("limits have usual amounts, and keys on glass where there is no keyboard", () => {
  const wide = shown(sheet(opened(), "limits")), phone = shown(sheet(opened(), "limits"), "en", "phone");
  assert.match(wide, /data-act="preset" data-field="loss"\s+data-value="500">\$500</);
  assert.match(wide, /data-field="minutes"\s+data-value="60">60 min</);
  assert.equal(wide.match(/data-press=/g)?.length, 12);
  assert.equal(shown(sheet(opened(), "buy")).match(/data-press=/g)?.length, 12);
  assert.doesNotMatch(phone, /data-press=/);
  assert.match(phone, /inputmode="decimal"/);
});

test("keys type, delete and clear, up to what the field takes", () => {
  assert.equal(["1", "2", "⌫", "5"].reduce((typed, key) => pressed(typed, key), ""), "15");
  assert.equal(pressed("123", "C"), "");
  assert.equal(pressed("1234", "5", 4), "1234");
  assert.equal(pressed("123", "4", 4), "1234");
});

// The reality check
const playing = (more = {}) => run(opened(), { t: "every", minutes: 60 }, mine({ seq: 60, since: 1_000_000, ...more }));
const tick = (now) => ({ t: "tick", now });
const DUE = 1_000_000 + HOUR;

test("after an interval of the house, time and net are told; not a moment before, and never where it is off", () => {
  assert.equal(run(playing(), tick(DUE - 1)).sheet, null);
  const s = run(playing({ net_cents: -32_000 }), tick(DUE));
  assert.equal(s.sheet?.name, "reality");
  assert.match(text(shown(s)), /You have played for 1 h 0 min Net since buy-in −\$320\.00 Credits \$1,000\.00/);
  assert.match(text(shown(s, "zh")), /你已玩 1 小時 0 分鐘 買入後淨額 −\$320\.00/);
  assert.match(shown(s), /data-act="check-leave".*data-act="check-read"/s);
  assert.doesNotMatch(shown(s).slice(shown(s).indexOf("data-sheet=")), /data-act="close"/, "it wants an answer");
  assert.equal(run(opened(), { t: "every", minutes: 0 }, mine({ seq: 60, since: 1 }), tick(DUE)).sheet, null);
  assert.equal(run(playing({ seated: false }), tick(DUE)).sheet, null);
});

test("it does not come into a round with a wager of the patron, nor over what that came to, nor over a sheet", () => {
  assert.equal(run(playing({ wagers: { tie: 1000 } }), tick(DUE)).sheet, null);
  const sent = playing();
  assert.equal(run(sent, tap(sent, "tie", ids()), tick(DUE)).sheet, null, "nor while one is on its way");
  const settled = run(
    dealt("3w", "Lg", "2e", "Lf"), { t: "every", minutes: 60 }, roundSettled({ result: "P", player: 5, banker: 0 }),
    mine({ seq: 70, since: 1_000_000, lines: [line("tie", 1000, "loses", 0)] }), tick(DUE),
  );
  assert.equal(settled.sheet, null);
  assert.equal(run(settled, betsOpened(8), tick(DUE + 250)).sheet?.name, "reality", "with the next round");
  assert.equal(run(sheet(playing(), "rules"), tick(DUE)).sheet?.name, "rules");
});

test("once it was read, the next one is an interval away; for another patron it begins anew", () => {
  const read = run(playing(), tick(DUE), { t: "check-read" });
  assert.equal(read.sheet, null);
  assert.equal(run(read, tick(DUE + HOUR - 1)).sheet, null);
  assert.equal(run(read, tick(DUE + HOUR)).sheet?.name, "reality");
  const next = run(read, mine({ seq: 80, session: "T-07:aa", since: DUE }));
  assert.equal(run(next, tick(DUE + HOUR - 1)).sheet, null);
  assert.equal(run(next, tick(DUE + HOUR)).sheet?.name, "reality");
});

test("minutes and hours in words", () => {
  assert.equal(playedFor("en", 59 * 60_000), "59 min");
  assert.equal(playedFor("zh", HOUR + 5 * 60_000), "1 小時 5 分鐘");
});

// Past rounds
const ROWS = [
  { round: 12, at: 5, result: "Bb", staked_cents: 60_000, back_cents: 20_000 },
  { round: 9, at: 4, result: "VOID", staked_cents: 1_000, back_cents: 1_000 },
  { round: 8, at: 3, result: "T", staked_cents: 0, back_cents: 0 },
];

test("past rounds are a list with what was staked, came back and remained; each opens its replay", () => {
  const s = sheet(opened(), "history", { replay: null, rounds: ROWS, before: 40, mine: true });
  const page = shown(s);
  assert.match(text(page), /Round Time Result Staked Back Net 12 .* Banker \$600\.00 \$200\.00 −\$400\.00 9 .* Void/);
  assert.match(text(page), / 8 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d Tie – – –/);
  assert.match(page, /data-act="open-round" data-round="12"/);
  assert.match(page, /data-mine="true" aria-pressed="true"/);
  assert.match(page, /data-act="rounds-older"/);
  assert.match(text(shown(s, "zh")), /我的牌局 全部牌局 局 時間 結果 投注 取回 淨額/);
  assert.doesNotMatch(shown(sheet(opened(), "history", { rounds: ROWS, before: null })), /rounds-older/);
});

test("no rounds: of one's own, among the latest, or at all", () => {
  const none = (more) => text(shown(sheet(opened(), "history", { rounds: [], ...more })));
  assert.match(none({ before: null, mine: true }), /You have had no wager here yet\./);
  assert.match(none({ before: 7, mine: true }), /there may be older ones/);
  assert.match(none({ before: null, mine: false }), /No round has been played here yet\./);
});

test("a round that an older page tells again stays as the newer one has it", () => {
  const anew = { ...ROWS[1], back_cents: 5 };
  assert.deepEqual(withOlder(ROWS, [anew, { ...anew, round: 7 }]).map(({ round, back_cents }) => [round, back_cents]),
    [[12, 20_000], [9, 1_000], [8, 0], [7, 5]]);
});

// First visits
test("three hints at most, each until it is read, then never again; the next patron sees them anew", () => {
  let s = opened();
  for (const [i] of HINTS.entries()) {
    assert.match(text(hintNow(s)), new RegExp(`${i + 1} of 3`));
    assert.match(shown(s), /data-act="hint-read"/);
    assert.match(shown(s, "zh", "phone"), /data-act="hint-read"/);
    s = run(s, { t: "hint-read" });
  }
  assert.equal(HINTS.length, 3);
  assert.equal(hintNow(s), null);
  assert.doesNotMatch(shown(s), /hint-read/);
  assert.equal(run(s, { t: "fresh" }).hinted, 0);
});

test("how to play is five pictures with cards of the table's own deck, and opens from the rules and the menu", () => {
  for (const [deck, code] of [["standard", "7h"], ["five-elements", "7f"]]) {
    const page = shown(sheet(opened({ deck }), "how"));
    assert.equal(page.match(/class="how-picture"/g)?.length, 5);
    assert.match(page, new RegExp(`code="${code}"`));
  }
  assert.match(text(shown(sheet(opened(), "how"))), /Tie 8 to 1/);
  const rules = { title: { en: "6 Star", zh: "六星" }, heading: null, voucher_days: 30, sections: [] };
  assert.match(shown(sheet(run(opened(), { t: "rules", rules }), "rules")), /how-door" data-act="how"/);
  assert.match(shown(sheet(opened(), "menu")), /data-act="how"/);
  assert.match(text(shown(sheet(opened(), "how"), "zh")), /較接近九點的一方勝出。/);
});

test("a session's end leaves no wager, line, road, check, language or sound to the next patron", () => {
  const last = run(
    { ...opened(), lang: "zh", sound: true }, { t: "road", road: "pig" }, mine({ seq: 60, wagers: { tie: 1000 } }),
    mine({ seq: 61, seated: false, balance_cents: 0, since: null }),
  );
  assert.doesNotMatch(shown(last), /data-stake="[1-9]/);
  const next = run(last, tick(1_000_000), tick(1_000_000 + 61_000));
  assert.deepEqual([next.lang, next.sound, next.road, next.checked], ["en", false, "big", null]);
});
