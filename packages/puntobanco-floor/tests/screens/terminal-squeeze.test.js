// Cards that slide in, and cards that a patron turns: what waits until then, and how far a finger lifts one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { initial } from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import {
  asSeen, foldOf, onCard, ownHands, SQUEEZE_MS, TURNS_AT,
} from "../../src/puntobanco_floor/web/screens/terminal/squeeze.js";
import { statusOf } from "../../src/puntobanco_floor/web/screens/terminal/status.js";
import { view } from "../../src/puntobanco_floor/web/screens/terminal/view.js";
import {
  card, cards, dealt, happens, laid, line, mine, opened, roundSettled, roundStopped, roundVoided, run, welcome,
} from "./terminal-story.js";

const NOW = 1_000_000;
const wagers = (on) => mine({ seq: 51, wagers: on });
const BOTH = wagers({ player: 1000, banker: 1000 });
const squeezing = (...messages) => run(opened(), { t: "squeeze" }, BOTH, ...messages);
const covered = (s) => Object.keys(s.covered);
const shown = (s) => String(view(s));
const total = (s, side) => new RegExp(`data-total="${side}">([^<]*)<`).exec(shown(s))[1];
const faces = (s) => [...shown(s).matchAll(/<pb-card [^>]*code="(..)"/g)].map(([, code]) => code);

const NEXT = { slot: "p3", text: { en: "Player has 5 and draws", zh: "閒5點，補牌" }, clause: "3.9.2" };
const four = () => squeezing(card("p1", "3w"), card("b1", "Lg"), card("p2", "2e"), card("b2", "Lf", { next: NEXT }));

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
  assert.deepEqual([faces(s), total(s, "player")], [["3w"], "–"]); // it is being turned
  s = laid(s);
  assert.deepEqual([faces(s), total(s, "player"), total(s, "banker")], [["3w"], "3", "–"]);
  s = laid(run(s, ...["p2", "b1", "b2"].map((slot) => ({ t: "turn", slot }))));
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
  const stop = { ground: "x", title: { en: "a fault", zh: "故障" }, clause: "5.1" };
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

test("only the cards of the side that was backed: by main bets, else by side bets, and none without one", () => {
  const came = cards([["p1", "3w"], ["b1", "Lg"], ["p2", "2e"], ["b2", "Lf"]]);
  const of = (on) => covered(run(opened(), { t: "squeeze" }, wagers(on), came));
  assert.deepEqual(of({ player: 1000, tie: 1000 }), ["p1", "p2"]);
  assert.deepEqual(of({ banker: 1000, "player-pair": 1000 }), ["b1", "b2"]);
  assert.deepEqual(of({ "player-pair": 1000 }), ["p1", "p2"]);
  assert.deepEqual(of({ tie: 1000, "fortune-six": 1000 }), []);
  assert.deepEqual(of({}), []);
  assert.deepEqual([...ownHands(opened())], []);
});

test("the house's time to squeeze is the table's: cards turn shortly before it is over, and it is seen to run", () => {
  const dealtUntil = (until) => cards([["p1", "3w"], ["b1", "Lg"], ["p2", "2e"], ["b2", "Lf"]],
    { squeeze_ms: 8000, squeeze_until: until });
  const s = squeezing(dealtUntil(NOW + 8000));
  assert.deepEqual(new Set(Object.values(s.covered)), new Set([NOW + 7300]));
  assert.match(statusOf(s).sub.join(), /time to squeeze: 8 s/);
  assert.deepEqual(covered(run(s, { t: "tick", now: NOW + 7299 })).length, 4);
  assert.deepEqual(covered(run(s, { t: "tick", now: NOW + 7300 })), []);
  const alone = squeezing(cards([["p1", "3w"]], { squeeze_ms: 9000 })); // a dealer's table: the time is each card's
  assert.deepEqual(alone.covered, { p1: NOW + 9000 });
});

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} ${b}`);

test("a card is lifted by the corner or the edge where it is taken, inwards, no further than it is large", () => {
  near(foldOf([0.05, 0.95], [1.05, -0.05]).lifted, 1); // lower left corner to upper right
  near(foldOf([0.05, 0.95], [0.55, 0.45]).lifted, 0.5);
  assert.deepEqual(foldOf([0.05, 0.95], [0.55, 0.45]).fold.from, [0, 1]);
  assert.equal(foldOf([0.05, 0.95], [-0.5, 1.5]).lifted, 0); // outwards
  near(foldOf([0.05, 0.5], [0.65, 0.5]).lifted, 0.6); // left edge
  near(foldOf([0.95, 0.5], [0.35, 0.5]).lifted, 0.6); // right edge
  near(foldOf([0.5, 0.05], [0.5, 0.65]).lifted, 0.6); // upper edge
  near(foldOf([0.5, 0.95], [0.5, 0.35]).lifted, 0.6); // lower edge
  assert.deepEqual(foldOf([0.95, 0.5], [0.35, 0.5]).fold.from, [1, 0.5]);
  assert.equal(foldOf([0.5, 0.95], [0.5, 1.5]).lifted, 0);
  assert.equal(foldOf([0.05, 0.05], [9, 9]).lifted, 1);
  assert.equal(foldOf([0.5, 0.95], [3, 0.95]).lifted, 0); // along the edge nothing is lifted
  assert.deepEqual(foldOf([0.5, 0.5], [0.9, 0.5]).fold.from, [0, 0.5]); // in the middle: the edge it is pulled from
  assert.deepEqual(foldOf([0.5, 0.5], [0.5, 0.1]).fold.from, [0.5, 1]);
  assert.ok(foldOf([0.05, 0.5], [0.81, 0.5]).lifted >= TURNS_AT);
});

test("of a card on its side the edges are where they are seen", () => {
  assert.deepEqual(onCard([0.2, 0.7]), [0.2, 0.7]);
  assert.deepEqual(onCard([0, 0], true), [0, 1]); // its lower left corner is the upper left one that is seen
  assert.deepEqual(onCard([1, 0], true), [0, 0]);
});

test("a win that was seen is counted up over the meter, which has the whole figure from the start", () => {
  const won = [line("banker", 20000, "wins", 10000)];
  const last = { result: "B", player: 5, banker: 6 };
  const s = run(dealt("3w"), roundSettled(last), mine({ seq: 60, lines: won }));
  const counted = /data-meter="win">\+\$100\.00<\/b><pb-count data-key="count 7"[^>]*cents="10000" aria-hidden=/;
  assert.match(shown(s), counted);
  assert.doesNotMatch(shown({ ...s, still: true }), /pb-count/);
  const none = shown(run(s, mine({ seq: 61, lines: [line("tie", 1000, "loses", 0)] })));
  assert.match(none, /data-meter="win">−\$10\.00<\/b><\/div>/);
});
