// The five roads in tabs, counts in words, ask marks where the house shows them; streaks in the lobby, and its order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { streakOf } from "../../src/puntobanco_floor/web/screens/kit/streaks.js";
import { reduce as lobby, start } from "../../src/puntobanco_floor/web/screens/lobby/reduce.js";
import { shownTables, sorting, streakTag } from "../../src/puntobanco_floor/web/screens/lobby/sorting.js";
import { BESIDE, IN_SHEET, ROADS, roadsPanel } from "../../src/puntobanco_floor/web/screens/terminal/roads-panel.js";
import { view } from "../../src/puntobanco_floor/web/screens/terminal/view.js";
import { opened, run } from "./terminal-story.js";

const text = (markup) => String(markup).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const road = (...marks) => marks.map((mark, i) => [i % 6, Math.floor(i / 6), mark]);
const COUNTS = {
  rounds: 41, banker: 19, player: 17, tie: 5, banker_pair: 3, player_pair: 2, natural: 8, void: 1, banker_six: 4,
};
const LONG = Array.from({ length: 40 }, (_, column) => [0, column, column % 2 ? "P0" : "B0"]);
const table = { counts: COUNTS, roads: { bead: [], big: LONG, eye: [[0, 0, "R"]], small: [], pig: [] } };

test("each road is one tab, the chosen one is drawn with all of its columns", () => {
  const s = opened(table);
  for (const kind of ROADS) {
    const shown = String(roadsPanel(run(s, { t: "road", road: kind }), BESIDE));
    assert.equal(shown.match(/role="tab"/g)?.length, 5);
    assert.match(shown, new RegExp(`data-road="${kind}"\\s+aria-selected="true"`));
    assert.match(shown, new RegExp(`<pb-road data-key="${kind}" kind="${kind}"`));
  }
  assert.match(String(roadsPanel(s, BESIDE)), /columns="40"/, "back to the first round, not the last 14 columns");
  assert.match(String(roadsPanel(run(s, { t: "road", road: "eye" }), BESIDE)), /columns="14"/);
  assert.doesNotMatch(String(view({ ...s, sheet: { name: "panel" } })), /id="([^"]+)".* id="\1"/s);
  assert.match(String(roadsPanel(s, IN_SHEET)), /id="road-sheet"/);
});

test("counts of the shoe are in words, and what they are worth is said", () => {
  const s = opened(table), shown = text(roadsPanel(s, BESIDE)), zh = text(roadsPanel({ ...s, lang: "zh" }, BESIDE));
  assert.match(shown, /Player 17 .*Banker 19 .*Tie 5 Player Pair 2 Banker Pair 3 Naturals 8 Banker wins on six 4/);
  assert.match(shown, /41 rounds.*Past results say nothing of the next\./);
  assert.match(zh, / 閒 17 莊 19 和 5 閒對 2 莊對 3 例牌 8 莊六點贏 4 過往結果，不能預測下一局。/);
});

test("ask marks are drawn where the house sends them, and nowhere else", () => {
  assert.doesNotMatch(String(roadsPanel(opened(table), BESIDE)), /data-ask/);
  const asks = { banker: ["R", "", "B"], player: ["B", "", "R"] };
  const shown = String(roadsPanel(opened({ ...table, asks }), BESIDE));
  const marks = [...shown.matchAll(/data-ask="(\w+)" data-mark="(\w*)"/g)].map(([, kind, mark]) => `${kind}${mark}`);
  assert.deepEqual(marks, ["eyeR", "small", "pigB", "eyeB", "small", "pigR"]);
  assert.match(text(shown), /If Banker .*If Player .*no forecast/);
});

test("a telephone opens the roads by its strip", () => {
  assert.match(String(view({ ...opened(), shape: "phone" })), /class="past-open" data-act="panel"/);
});

test("a streak is told from four on, a long one from six; ties do not end it, nor does the turn of the road", () => {
  assert.equal(streakOf([]), null);
  assert.equal(streakOf(road("T3")), null);
  assert.equal(streakOf(road("P0", "B0", "B0", "B1b")), null);
  const run4 = { kind: "run", side: "banker", length: 4, long: false };
  assert.deepEqual(streakOf(road("P0", "B0", "B2", "B0p", "B0")), run4);
  const tail = [[0, 0, "B0"], ...Array.from({ length: 8 }, (_, i) => [Math.min(i, 5), Math.max(1, i - 4), "P0"])];
  assert.deepEqual(streakOf(tail), { kind: "run", side: "player", length: 8, long: true });
});

test("hands that win in turn are told from six on", () => {
  const five = road("B0", "B0", "P0", "B0", "P0", "B0", "P0");
  assert.equal(streakOf(five), null);
  assert.deepEqual(streakOf([...five, [0, 9, "B0"]]), { kind: "turns", side: "banker", length: 6, long: true });
});

const tile = (number, more = {}) => ({
  table: `table:${number}`, number, game: "rapid", title: { en: "Rapid", zh: "極速" }, big: [], min_cents: 1000, ...more,
});
const RUN = road("B0", "B0", "B0", "B0", "B0", "B0");
const MANY = [
  tile(1), tile(2, { big: road("P0", "P0", "P0", "P0") }), tile(3, { min_cents: 500 }), tile(4, { big: RUN }),
  tile(5, { game: "six-star", title: { en: "6 Star No Commission Baccarat", zh: "六星免佣百家樂" } }), tile(6), tile(7),
];
const floor = (...messages) =>
  [{ t: "view", view: { tables: MANY }, at: 1 }, ...messages].reduce(lobby, start());

test("the lobby says in words what stands out on a road", () => {
  assert.equal(streakTag(MANY[0], "en"), "");
  assert.match(text(streakTag(MANY[3], "en")), /Long road: Banker 6/);
  assert.match(text(streakTag(MANY[3], "zh")), /長路：莊 6 局/);
  assert.equal(text(streakTag(MANY[1], "en")).trim(), "Player 4 in a row");
  assert.equal(text(streakTag(MANY[1], "zh")).trim(), "閒連開 4 局");
});

test("tables are shown by number, streak or limit, of all games or of one", () => {
  const numbers = (...messages) => shownTables(floor(...messages)).map(({ number }) => number);
  assert.deepEqual(numbers(), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(numbers({ t: "order", order: "streak" }).slice(0, 3), [4, 2, 1]);
  assert.deepEqual(numbers({ t: "order", order: "least" }).slice(0, 2), [3, 1]);
  assert.deepEqual(numbers({ t: "only", only: "six-star" }), [5]);
  assert.equal(numbers({ t: "only", only: "gone" }).length, 7, "a game that no table plays any more hides none");
  assert.match(String(sorting(floor())), /data-order="streak".*value="six-star"/s);
  const six = { tables: MANY.slice(0, 6) };
  assert.equal(sorting(floor({ t: "view", view: six, at: 2 })), "", "all are seen at once: nothing to sort");
  assert.deepEqual(MANY.map(({ number }) => number), [1, 2, 3, 4, 5, 6, 7], "the view itself is left as it came");
});
