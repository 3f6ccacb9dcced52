// Cards that slide in, and cards that a patron turns: what waits until then, and how far a finger lifts one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { initial, reduce } from "../../src/puntobanco/web/screens/terminal/reduce.js";
import { asSeen, lifted, SQUEEZE_MS, TURNS_AT } from "../../src/puntobanco/web/screens/terminal/squeeze.js";
import { statusOf } from "../../src/puntobanco/web/screens/terminal/status.js";
import { view } from "../../src/puntobanco/web/screens/terminal/view.js";
import {
  betsOpened, card, cards, dealt, happens, line, mine, opened, roundSettled, roundStopped, roundVoided, run, welcome,
} from "./terminal-story.js";

const NOW = 1_000_000;
const squeezing = (...messages) => run(opened(), { t: "squeeze" }, ...messages);
const covered = (s) => Object.keys(s.covered);
const shown = (s) => String(view(s));
const total = (s, side) => new RegExp(`data-total="${side}">([^<]*)<`).exec(shown(s))[1];
const faces = (s) => [...shown(s).matchAll(/<pb-card [^>]*code="(..)"/g)].map(([, code]) => code);

const NEXT = { slot: "p3", en: "Player has 5 and draws", zh: "閒5點，補牌", clause: "3.9.2" };
const four = () => squeezing(card("p1", "3w"), card("b1", "Lg"), card("p2", "2e"), card("b2", "Lf", { next: NEXT }));

test("cards of one message slide in one after another, those of the next begin anew, and a new round has none", () => {
  let s = run(opened(), cards([["p1", "3w"], ["b1", "Lg"], ["p2", "2e"]]), card("b2", "Lf"));
  assert.deepEqual(s.slid, { p1: 0, b1: 1, p2: 2, b2: 0 });
  assert.match(shown(s), /data-after="2"><pb-card class=""\s+code="2e"/);
  s = run(s, betsOpened(8));
  assert.deepEqual(s.slid, {});
});

test("a card that was not seen to be dealt does not move", () => {
  const s = reduce(initial(), welcome({ phase: "dealing", closes_at: null, cards: { p1: "3w" }, player: 3 }));
  assert.match(shown(s), /<span class="in" data-key="card" ><pb-card/);
});

test("nobody squeezes who has not asked for it", () => {
  assert.equal(initial().squeeze, false);
  assert.deepEqual(covered(dealt("3w", "Lg")), []);
});

test("a card lies face down until it is turned; totals and reasons wait with it, and who listens is told", () => {
  let s = four();
  assert.deepEqual(covered(s), ["p1", "b1", "p2", "b2"]);
  assert.deepEqual([faces(s), total(s, "player"), total(s, "banker")], [[], "–", "–"]);
  assert.doesNotMatch(shown(s), /draws|3\.9\.2|third live/);
  assert.match(shown(s), /aria-label="3 of Wood, face down; turn it"/);
  assert.match(shown(s), /data-hand="player"\s+aria-label="Player 5 points"/);
  assert.match(statusOf(s).say, /a card for b2/);
  assert.match(statusOf(s).sub.join(), /cards to turn/);
  s = run(s, { t: "turn", slot: "p1" });
  assert.deepEqual([faces(s), total(s, "player"), total(s, "banker")], [["3w"], "3", "–"]);
  s = run(s, ...["p2", "b1", "b2"].map((slot) => ({ t: "turn", slot })));
  assert.deepEqual([total(s, "player"), total(s, "banker")], ["5", "0"]);
  assert.match(shown(s), /Player has 5 and draws/);
  assert.equal(asSeen(s), s);
});

test("a card turns by itself after six seconds, and not before", () => {
  const s = squeezing(card("p1", "3w"));
  assert.deepEqual(covered(run(s, { t: "tick", now: NOW + SQUEEZE_MS - 1 })), ["p1"]);
  assert.deepEqual(covered(run(s, { t: "tick", now: NOW + SQUEEZE_MS })), []);
});

test("a settlement, a void, a stop, a break, a new view and the end of squeezing turn everything at once", () => {
  const result = { result: "P", player: 5, banker: 0 };
  const stop = { ground: "x", title: "a fault", title_zh: "故障", clause: "5.1" };
  const over = [
    roundSettled(result), roundVoided(stop), roundStopped(stop), happens({ cards: { p1: "4w" } }),
    { t: "link", state: "lost", tries: 1 }, { t: "squeeze" },
    welcome({ phase: "dealing", cards: { p1: "3w" }, player: 3 }),
  ];
  for (const told of over) assert.deepEqual(covered(run(four(), told)), [], String(told));
});

test("figures of the ledger never wait for a card", () => {
  const s = run(four(), mine({ seq: 60, balance_cents: 12_300, wagers: { tie: 1000 } }));
  assert.deepEqual([covered(s).length, s.mine.balance_cents], [4, 12_300]);
  assert.match(shown(s), /data-meter="credits">\$123\.00</);
  assert.match(shown(s), /data-meter="bet">\$10\.00</);
});

test("a corner follows the finger along the diagonal, upright and on its side, and no further than the card", () => {
  const upright = { width: 100, height: 140 }, aside = { width: 140, height: 100, onItsSide: true };
  assert.equal(lifted({ ...upright, dx: 100, dy: -140 }), 1);
  assert.equal(lifted({ ...upright, dx: 50, dy: -70 }), 0.5);
  assert.equal(lifted({ ...upright, dx: -50, dy: 70 }), 0);
  assert.equal(lifted({ ...upright, dx: 500, dy: -700 }), 1);
  assert.equal(lifted({ ...aside, dx: 70, dy: 50 }), 0.5);
  assert.equal(lifted({ ...aside, dx: 0, dy: -50 }), 0);
  assert.ok(lifted({ ...upright, dx: 60, dy: -84 }) >= TURNS_AT);
});

test("a win that was seen is counted up over the meter, which has the whole figure from the start", () => {
  const won = [line("banker", 20000, "wins", 10000)];
  const last = { result: "B", player: 5, banker: 6 };
  const s = run(dealt("3w"), roundSettled(last), mine({ seq: 60, lines: won }));
  assert.match(shown(s), /data-meter="win">\$100\.00<\/b><pb-count data-key="count 7"[^>]*cents="10000" aria-hidden=/);
  assert.doesNotMatch(shown({ ...s, still: true }), /pb-count/);
  const none = shown(run(s, mine({ seq: 61, lines: [line("tie", 1000, "loses", 0)] })));
  assert.match(none, /data-meter="win">\$0\.00<\/b><\/div>/);
});
