// The ritual: a card counts when it lies face up, the payout comes beside the stake, and what is said and heard when.
import assert from "node:assert/strict";
import { test } from "node:test";
import { voiceFor } from "../../src/puntobanco_floor/web/screens/base/voice.js";
import { initial, reduce } from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import { SOUNDS, toneOf } from "../../src/puntobanco_floor/web/screens/terminal/sound.js";
import { spokenOf } from "../../src/puntobanco_floor/web/screens/terminal/spoken.js";
import { LANDS_MS } from "../../src/puntobanco_floor/web/screens/terminal/squeeze.js";
import { statusOf } from "../../src/puntobanco_floor/web/screens/terminal/status.js";
import { view } from "../../src/puntobanco_floor/web/screens/terminal/view.js";
import {
  betsClosed, betsOpened, card, cards, dealt, laid, line, mine, opened, roundSettled, run, welcome,
} from "./terminal-story.js";

const NOW = 1_000_000;
const shown = (s) => String(view(s));
const total = (s, side) => new RegExp(`data-total="${side}">([^<]*)<`).exec(shown(s))[1];
const landing = (s) => Object.keys(s.landing);
const NEXT = { slot: "p3", text: { en: "Player has 5 and draws", zh: "閒5點，補牌" }, clause: "3.9.2" };
const lands = (slot) => ({ t: "landed", slot });

test("a card comes face down: its points count once it lies face up, for the eye and for who listens", () => {
  let s = laid(dealt("3w", "Lg"));
  s = run(s, card("p2", "2e"));
  assert.deepEqual([landing(s), total(s, "player")], [["p2"], "3"]);
  assert.match(shown(s), /aria-label="Player 3 points"/);
  assert.match(shown(s), /class="under"/);
  s = run(s, lands("p2"));
  assert.deepEqual([landing(s), total(s, "player")], [[], "5"]);
  assert.match(shown(s), /aria-label="Player 5 points"/);
  assert.doesNotMatch(shown(s), /class="under"/);
});

test("of a hand of which nothing has landed there is no total", () => {
  const s = dealt("3w");
  assert.equal(total(s, "player"), "–");
  assert.match(shown(s), /aria-label="Player, no cards"/);
});

test("the reason for a third card waits for the card that is the reason; what was said before stays", () => {
  const s = run(laid(dealt("3w", "Lg", "2e")), card("b2", "Lf", { next: NEXT }));
  assert.doesNotMatch(shown(s), /Player has 5 and draws|third live/);
  assert.match(statusOf(s).sub.join(), /card 4 is being drawn/);
  const there = run(s, lands("b2"));
  assert.match(shown(there), /Player has 5 and draws/);
  assert.match(statusOf(there).sub.join(), /card 5 is being drawn/);
});

test("cards of one message come one after another, those of the next begin anew, and a new round has none", () => {
  let s = run(opened(), cards([["p1", "3w"], ["b1", "Lg"], ["p2", "2e"]]), card("b2", "Lf"));
  assert.deepEqual(s.slid, { p1: 0, b1: 1, p2: 2, b2: 0 });
  assert.match(shown(s), /data-after="2"><span class="leaf"[^>]*><pb-card class="up" data-key="up" code="2e"/);
  s = run(s, betsOpened(8));
  assert.deepEqual([s.slid, s.landing], [{}, {}]);
});

test("what was not seen to be dealt does not move: after a reload, a break, and where nothing is to move", () => {
  const there = { phase: "dealing", closes_at: null, cards: { p1: "3w" }, player: 3 };
  const reloaded = reduce(initial(), welcome(there));
  const back = run(dealt("3w"), { t: "link", state: "lost", tries: 1 });
  const quiet = run(opened(), { t: "quiet", quiet: true }, card("p1", "3w"));
  for (const s of [reloaded, back, quiet]) {
    assert.deepEqual([s.slid, s.landing, total(s, "player")], [{}, {}, "3"]);
    assert.doesNotMatch(shown(s), /data-after|class="under"/);
  }
});

test("a card that nobody saw land counts after a while, and does not move then", () => {
  const s = dealt("3w");
  assert.deepEqual(landing(run(s, { t: "tick", now: NOW + LANDS_MS - 1 })), ["p1"]);
  const over = run(s, { t: "tick", now: NOW + LANDS_MS });
  assert.deepEqual([landing(over), over.slid, total(over, "player")], [[], {}, "3"]);
});

test("a settlement waits for no card: totals, result and credits are there at once", () => {
  const last = { result: "B", player: 3, banker: 4 };
  const s = run(dealt("3w", "4g"), roundSettled(last), mine({ seq: 60, balance_cents: 55_500 }));
  assert.deepEqual([s.landing, s.slid, total(s, "banker")], [{}, {}, "4"]);
  assert.match(shown(s), /data-meter="credits">\$555\.00</);
});

const WON = [line("banker", 20000, "wins", 10000), line("tie", 1000, "loses", 0)];
const settledWith = (lines) => run(laid(dealt("3w", "4g")), roundSettled({ result: "B", player: 3, banker: 4 }),
  mine({ seq: 60, lines }));

test("what won comes beside its stake, what lost and what comes back unchanged has nothing beside it", () => {
  const s = settledWith([...WON, line("player", 1000, "pushes", 0, 1000)]);
  const payouts = [...shown(s).matchAll(/data-payout="(\d+)"/g)].map(([, cents]) => cents);
  assert.deepEqual(payouts, ["10000"]);
  assert.doesNotMatch(shown({ ...s, still: true }), /data-payout/); // it was taken long ago
  const bonus = settledWith([line("tie", 1000, "wins", 8000, 1000, 300_000)]);
  assert.match(shown(bonus), /data-payout="308000"/);
});

const loud = (s) => ({ ...s, sound: true });
const said = (before, message, lang = "en") => {
  const from = { ...loud(before), lang };
  return spokenOf(from, run(from, message));
};

test("bets open and closed, and the result, are said once, in the language that was chosen", () => {
  const betting = opened(), done = dealt("3w", "3g", "3e", "Lf");
  assert.equal(said(settledWith(WON), betsOpened(8)), "Place your bets, please");
  assert.equal(said(betting, betsClosed()), "No more bets");
  assert.equal(said(betting, betsClosed(), "zh"), "截止投注");
  assert.equal(said(betting, card("p1", "3w")), null);
  assert.equal(said(done, lands("b2")), null);
  const wins = roundSettled({ result: "P", player: 6, banker: 4 });
  const ties = roundSettled({ result: "T", player: 6, banker: 6 });
  assert.equal(said(done, wins), "Player 6, Banker 4, Player wins");
  assert.equal(said(done, wins, "zh"), "閒 6 點，莊 4 點，閒贏");
  assert.equal(said(done, ties), "Player 6, Banker 6, Tie");
});

test("nothing is said with the sound off, for what was not seen, or twice", () => {
  const betting = opened(), closed = run(betting, betsClosed());
  assert.equal(spokenOf(betting, closed), null);
  assert.equal(spokenOf(loud(betting), loud({ ...closed, still: true })), null);
  assert.equal(spokenOf(loud(closed), loud(run(closed, { t: "tick", now: NOW + 250 }))), null);
  assert.equal(spokenOf(loud(initial()), loud(betting)), null); // a page that opens
});

test("a voice is one of the language: Cantonese before Mandarin, and none where there is none", () => {
  const voices = ["de-DE", "zh-CN", "zh_HK", "en-GB"].map((lang) => ({ lang }));
  assert.equal(voiceFor(voices, "en").lang, "en-GB");
  assert.equal(voiceFor(voices, "zh").lang, "zh_HK");
  assert.equal(voiceFor(voices.slice(0, 2), "zh").lang, "zh-CN");
  assert.equal(voiceFor(voices.slice(0, 1), "zh"), null);
  assert.equal(voiceFor([], "en"), null);
});

const tone = (before, message) => toneOf(loud(before), run(loud(before), message));

test("a card is heard as it slides and as it is turned, a win by its size, and a loss never as one", () => {
  assert.equal(tone(opened(), card("p1", "3w")), "slide");
  assert.equal(tone(dealt("3w"), lands("p1")), "turn");
  assert.equal(tone(laid(dealt("3w")), { t: "tick", now: NOW + 250 }), null);
  const paid = (...lines) => {
    const before = run(laid(dealt("3w", "4g")), roundSettled({ result: "B", player: 3, banker: 4 }));
    return tone(before, mine({ seq: 60, lines }));
  };
  assert.equal(paid(line("banker", 1000, "wins", 1000)), "win");
  assert.equal(paid(line("tie", 1000, "wins", 8000)), "win_big");
  assert.equal(paid(line("fortune-six", 1000, "wins", 20_000)), "win_huge");
  assert.equal(paid(line("banker", 1000, "wins", 500), line("tie", 1000, "loses", 0)), "over");
  const heard = ["open", "closed", "slide", "turn", "chip", "win", "win_big", "win_huge", "over", "stop"];
  assert.deepEqual(Object.keys(SOUNDS).sort(), heard.sort());
});
