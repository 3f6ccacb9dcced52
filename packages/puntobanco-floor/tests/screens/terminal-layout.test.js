// Where spots lie for any game, which chips there are, and what a spot says it pays.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chipsFor, density, feltRows, inOrder, isCrowded, limitRows,
} from "../../src/puntobanco_floor/web/screens/terminal/layout.js";
import { asked, payLines } from "../../src/puntobanco_floor/web/screens/terminal/pays.js";
import { both, spots } from "../../src/puntobanco_floor/web/screens/terminal/view-felt.js";
import { bet, BETS, opened } from "./terminal-story.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const names = (rows) => rows.map((row) => row.map((one) => one.bet));
const side = (id, hand = "") => bet(id, hand, false, [["", "8 to 1"]]);
const named = (id) => BETS.find((one) => one.bet === id);
const idsOf = (bets) => bets.map((one) => one.bet);

test("main bets lie in one row Player, Tie, Banker; side bets above, each on its side", () => {
  const rows = feltRows(BETS);
  assert.deepEqual(rows.main.map((one) => one.bet), ["player", "tie", "banker"]);
  assert.deepEqual(names(rows.side), [["player-pair", "fortune-six", "element-bonus", "banker-pair"]]);
  assert.deepEqual(
    idsOf(inOrder(rows)),
    ["player-pair", "fortune-six", "element-bonus", "banker-pair", "player", "tie", "banker"],
  );
});

test("on a telephone four side bets lie two by two, player's still on the left", () => {
  const { side: rows } = feltRows(BETS, "phone");
  assert.deepEqual(names(rows), [["player-pair", "fortune-six"], ["element-bonus", "banker-pair"]]);
});

test("a game without tie bets, one without side bets, and one of side bets only", () => {
  assert.deepEqual(feltRows(BETS.filter((one) => one.bet !== "tie")).main.map((one) => one.bet), ["player", "banker"]);
  assert.deepEqual(feltRows(BETS.filter((one) => one.main)).side, []);
  const only = feltRows([side("a"), side("b", "player")]);
  assert.deepEqual([only.main, names(only.side)], [[], [["b", "a"]]]);
  assert.deepEqual(feltRows([]), { side: [], main: [] });
});

test("any number of bets up to 64: all there once, rows as even as can be, in order from left to right", () => {
  const hands = ["player", "banker", "", "tie"], order = ["player", "tie", "", "banker"];
  const main = BETS.filter((one) => one.main);
  for (const shape of ["wide", "phone"]) {
    for (let n = 0; n <= 61; n += 1) {
      const bets = [...main, ...Array.from({ length: n }, (_, i) => side(`s${i}`, hands[(i * 7) % 4]))];
      const rows = feltRows(bets, shape), lengths = rows.side.map((row) => row.length);
      assert.equal(new Set(inOrder(rows).map((one) => one.bet)).size, bets.length);
      assert.ok(Math.max(0, ...lengths) <= (shape === "wide" ? 8 : 3), `${n} ${lengths}`);
      assert.ok(Math.max(0, ...lengths) - Math.min(99, ...lengths) <= 1 || !n, `${shape} ${n}: ${lengths}`);
      for (const row of rows.side) {
        const places = row.map((one) => order.indexOf(one.hand));
        assert.deepEqual(places, [...places].sort((a, b) => a - b));
      }
    }
  }
});

test("many bets say less each", () => {
  const of = (n) => density(feltRows(Array.from({ length: n }, (_, i) => side(`s${i}`))));
  assert.deepEqual([0, 4, 5, 6, 12, 13, 61].map(of), ["roomy", "roomy", "roomy", "snug", "snug", "dense", "dense"]);
});

test("long words, many lines, or several lines in several rows take all the room; our games do not", () => {
  const said = (id, title, lines) => ({ ...bet(id, "", false, lines), title: alike(title) });
  const plain = ["8 to 1"], crowded = (...bets) => isCrowded(feltRows([...BETS, ...bets]));
  assert.equal(crowded(), false);
  assert.equal(crowded(side("a")), false);
  assert.equal(crowded(said("a", "A title of twenty-one", [["", ...plain]])), true);
  assert.equal(crowded(said("a", "A", [["x".repeat(41), ...plain]])), true);
  assert.equal(crowded(said("a", "A", [["", ...plain], ["b", ...plain], ["c", ...plain], ["d", ...plain]])), true);
  const three = said("a", "A", [["", ...plain], ["b", ...plain], ["c", ...plain]]);
  assert.equal(isCrowded(feltRows([three])), false);
  assert.equal(isCrowded(feltRows([three, ...["b", "c", "d", "e", "f"].map((id) => side(id))])), true);
});

test("a title without Chinese stands once, in either language", () => {
  for (const lang of ["en", "zh"]) assert.equal(String(both(lang, "Red Start", "Red Start")), "<b>Red Start</b>");
  assert.match(String(both("en", "Tie", "和")), /Tie.*和/);
});

test("chips begin with the smallest stake that is taken and keep the steps", () => {
  const at = (min_cents, max_cents, step_cents = 100) =>
    chipsFor([bet("player", "player", true, [], { min_cents, max_cents, step_cents })]);
  assert.deepEqual(at(1000, 500_000), [1000, 2500, 10_000, 50_000, 100_000]);
  assert.deepEqual(at(500, 500_000), [500, 2500, 10_000, 50_000, 100_000]);
  assert.deepEqual(at(500, 5000), [500, 2500]);
  assert.deepEqual(at(2000, 100_000, 2000), [2000, 10_000, 50_000, 100_000]); // 25.00 is no multiple of 20.00
  assert.deepEqual(at(10, 1000, 10), [10, 100, 500]);
  assert.deepEqual(at(100_000, 100_000), [100_000]);
  assert.deepEqual(chipsFor([]), []);
});

test("limits share a line where they are the same", () => {
  assert.deepEqual(limitRows(BETS).map((row) => [idsOf(row.bets), row.max_cents]), [
    [["player", "banker"], 500_000], [["tie"], 50_000],
    [["player-pair", "banker-pair", "fortune-six"], 500_000], [["element-bonus"], 5000],
  ]);
});

test("closed spots share a line, whatever they would take, and their limits choose no chip", () => {
  const shut = (one) => ({ ...one, limits: { ...one.limits, closed: true } });
  const bets = BETS.map((one) => (["tie", "fortune-six"].includes(one.bet) ? shut(one) : one));
  assert.deepEqual(limitRows(bets).map((row) => [idsOf(row.bets), row.closed]), [
    [["player", "banker"], false], [["player-pair", "banker-pair"], false], [["element-bonus"], false],
    [["tie", "fortune-six"], true],
  ]);
  const cheap = shut(bet("cheap", "", false, [], { min_cents: 100 }));
  assert.deepEqual(chipsFor([...BETS, cheap]), chipsFor(BETS));
});

test("a spot says what it pays in few words, the plain odds first and a bonus last", () => {
  const says = (id) => payLines(named(id), "en").map((one) => `${one.bonus ? "+" : ""}${one.when}|${one.pays}`);
  assert.deepEqual(says("player"), ["|1 to 1", "Flaming 9's|1.2 to 1"]);
  assert.deepEqual(says("banker"), ["|1 to 1", "wins on six|1 to 2"]);
  assert.deepEqual(says("tie"), ["|8 to 1", "+both Flaming 9's|$3,000"]);
  assert.deepEqual(says("fortune-six"), ["2 cards|12 to 1", "3 cards|20 to 1"]);
  assert.deepEqual(says("element-bonus"), ["4 cards|50 to 1", "5 cards|500 to 1", "6 cards|5,000 to 1"]);
});

test("hands that differ are both named", () => {
  const two = bet("both", "", false, [["Player has 8 points", "3 to 1"], ["Banker has 8 points", "4 to 1"]]);
  assert.deepEqual(payLines(two, "en").map((one) => one.when), ["Player has 8 points", "Banker has 8 points"]);
});

test("what all lines ask for is said once, and each price is said in full", () => {
  const says = (id) => [asked(named(id), "en"), ...payLines(named(id), "en").map((one) => `${one.when} ${one.pays}`)];
  assert.deepEqual(says("element-bonus"), [
    "every card dealt is of one element", "4 cards 50 to 1", "5 cards 500 to 1", "6 cards 5,000 to 1",
  ]);
  assert.deepEqual(says("fortune-six"), ["Banker wins on six", "2 cards 12 to 1", "3 cards 20 to 1"]);
  const drawn = String(spots({ ...opened(), shape: "wide", lang: "en" }));
  const text = drawn.replace(/<span class="when">(.*?)<\/span>/g, "$1");
  assert.match(text, /Banker wins on six<\/span>[^]*2 cards <b>12 to 1<\/b>/);
  assert.match(text, /4 cards <b>50 to 1<\/b>[^]*5 cards <b>500 to 1<\/b>[^]*6 cards <b>5,000 to 1<\/b>/);
});
