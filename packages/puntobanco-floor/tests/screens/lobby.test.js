// The lobby's pure part: every table's state in words, who may sit down, and what is said when the floor is away.
import assert from "node:assert/strict";
import { test } from "node:test";

import { outcome, rulesLine, titleParts } from "../../src/puntobanco_floor/web/screens/kit/names.js";
import { mayPlay, reduce, start } from "../../src/puntobanco_floor/web/screens/lobby/reduce.js";
import { announced, page } from "../../src/puntobanco_floor/web/screens/lobby/view.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const TABLE = {
  table: "table:1", number: 1, game: "six-star", title: { en: "6 Star No Commission Baccarat", zh: "六星免佣百家樂" },
  rules: "mbs-six-star-2017-03-17", deck: "five-elements", decks: 8, phase: "settled", round: 38, shoe: 2,
  closes_at: null, betting_ms: 25000, halted: null,
  announce_open: "Place your bets, please", announce_close: "No more bets",
  counts: { rounds: 38, banker: 19, player: 15, tie: 4, banker_pair: 3, player_pair: 2 }, big: [[0, 0, "B0"]],
  min_cents: 2500, max_cents: 500000, seated: 3, dealt_by: "server",
  last: { round: 38, result: "Bb", player: 4, banker: 6 },
};
const table = (changes) => ({ ...TABLE, ...changes });
const FLOOR = { house: "Marina", demo: true, stopped: null };
const floor = (changes, ...tables) => ({ ...FLOOR, tables: tables.length ? tables : [TABLE], ...changes });
const heard = (view, lang = "en", device = null) =>
  [{ t: "view", view, at: 20_000 }, { t: "device", device }].reduce(reduce, start({ lang }));
const text = (state) => String(page(state, 20_000)).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test("a game's title has a short name and a kind; one of another form stays whole", () => {
  const parts = (en, zh) => Object.values(titleParts({ en, zh }));
  assert.deepEqual(
    parts("6 Star No Commission Baccarat", "六星免佣百家樂"),
    ["6 Star", "No Commission Baccarat", "六星", "免佣百家樂"],
  );
  assert.deepEqual(
    parts("Non-Commission Baccarat with Super Six Plus", "超級六 Plus 免佣百家樂"),
    ["Super Six Plus", "Non-Commission Baccarat", "超級六 Plus", "免佣百家樂"],
  );
  assert.deepEqual(parts("Lucky Rapid", ""), ["Lucky Rapid", "", "", ""]);
  assert.deepEqual(parts("Lucky Rapid", "Lucky Rapid"), ["Lucky Rapid", "", "", ""]); // no Chinese: not twice
  assert.deepEqual(parts("No Commission Baccarat", "免佣百家樂"), ["No Commission Baccarat", "", "免佣百家樂", ""]);
});

test("the rule set is named by its source and its date", () => {
  assert.equal(rulesLine("mbs-six-star-2017-03-17"), "MBS rules, 17 Mar 2017");
  assert.equal(rulesLine("mbs-fortune-six-2017-02-17 4"), "MBS rules, 17 Feb 2017");
  assert.equal(rulesLine("rws-super-six-plus-2019-05-10", "zh-Hant"), "RWS 規則，2019年5月10日");
  assert.equal(rulesLine("house"), "House rules");
  assert.equal(rulesLine("something else"), "something else");
});

test("a result in words", () => {
  assert.equal(outcome({ result: "Pb", player: 9, banker: 2 }), "Player wins, 9 over 2");
  assert.equal(outcome({ result: "T", player: 6, banker: 6 }), "Tie at 6");
  assert.equal(outcome({ result: "B", player: null, banker: null }), "Banker wins");
  assert.equal(outcome({ result: "VOID", player: null, banker: null }, "zh"), "此局作廢");
});

test("every phase is announced in words; bets have a ring", () => {
  const said = (changes, lang = "en") => announced(table(changes), lang).text;
  const open = announced(table({ phase: "betting", closes_at: 9_000 }), "en");
  assert.deepEqual(open, { tone: "ok", text: "Place your bets, please", ends: 9_000 });
  assert.equal(said({ phase: "betting" }, "zh"), "請投注");
  assert.equal(said({ phase: "closed" }), "No more bets");
  assert.equal(said({ phase: "dealing" }), "No more bets");
  assert.equal(said({ phase: "settled" }), "Banker wins, 6 over 4");
  assert.equal(said({ phase: "void" }), "Round 38 void, wagers returned");
  assert.equal(said({ phase: "stopped" }), "Paused for a decision");
  assert.equal(said({ phase: "waiting", shoe: null, last: null }), "Shoe change");
  assert.equal(said({ phase: "waiting" }), "Waiting for the next round");
  assert.equal(said({ phase: "down" }), "Table closed");
  const halted = announced(table({ halted: alike("until two") }), "en");
  assert.deepEqual(halted, { tone: "warn", text: "No new rounds", more: "until two" });
  const inChinese = announced(table({ halted: { en: "another game", zh: "另一遊戲" } }), "zh");
  assert.equal(inChinese.more, "另一遊戲");
  const closing = { halted: alike("the end"), closing: true };
  assert.equal(announced(table(closing), "en").text, "The table closes");
  assert.equal(announced(table({ ...closing, phase: "betting" }), "en").more, "closes after this round");
  assert.equal(said({ phase: "dealing", halted: alike("until two") }), "No more bets",
    "a round that is played is played out");
});

test("a tile shows name, rules, counts, limits, seats and round, and is a real link", () => {
  const state = heard(floor());
  const shown = text(state);
  const parts = [
    "6 Star 六星", "Table 1 · MBS rules, 17 Mar 2017", "莊 Banker 19", "閒 Player 15", "和 Tie 4", "$25 – $5,000",
    "3 seated", "round 38", "DEMO",
  ];
  for (const part of parts) assert.ok(shown.includes(part), part);
  const markup = String(page(state, 0));
  const said = "Sit down, table 1: 6 Star No Commission Baccarat";
  const link = `<a class="btn go primary" href="/tables/1#sit" aria-label="${said}">Sit down</a>`;
  assert.ok(markup.replace(/\s+/g, " ").includes(link));
  assert.match(markup, /href="\/tables\/1\/display"/);
});

test("the rules of every game are one step away, each once", () => {
  const other = table({ table: "table:3", number: 3, game: "rapid", title: { en: "Rapid", zh: "快速" } });
  const state = heard(floor({}, TABLE, table({ table: "table:2", number: 2 }), other));
  const ways = String(page(state, 0)).match(/<nav class="ways"[^]*?<\/nav>/)[0];
  assert.deepEqual([...ways.matchAll(/href="([^"]+)">([^<]+)/g)].map(([, to, says]) => [to, says]), [
    ["/tables/1/rules", "6 Star"], ["/tables/3/rules", "Rapid"],
  ]);
});

test("nothing tells what is left in a shoe, or what comes next", () => {
  const shown = text(heard(floor({}, TABLE, table({ table: "table:2", number: 2, phase: "betting" }))));
  assert.doesNotMatch(shown, /left|remaining|chance|predict|likely/i);
  assert.match(shown, /They do not tell what comes next/);
});

test("on a floor for money an enrolled terminal sits down; another device looks, and is told how to enrol", () => {
  const real = floor({ demo: false });
  const on = (terminal) => heard(real, "en", { terminal });
  const [other, enrolled, unasked] = [on(""), on("T-07"), heard(real)];
  assert.deepEqual([other, enrolled, unasked].map(mayPlay), [false, true, false]);
  assert.match(text(other), /not enrolled.*An administrator makes a code.*Enter the code.*Look/);
  assert.match(String(page(other, 0)), /href="\/enrol"/);
  assert.match(text(enrolled), /Terminal T-07.*Sit down/);
  assert.doesNotMatch(text(enrolled), /DEMO|not enrolled/);
  assert.doesNotMatch(text(unasked), /not enrolled/, "it is not said before it is known");
});

test("a floor that is away, stopped or empty says so", () => {
  const lost = reduce(heard(floor()), { t: "link", state: "lost" });
  assert.match(text(lost), /Not current since \d\d:\d\d:\d\d: connecting again/);
  assert.match(String(page(lost, 0)), /class="g stale"/);
  assert.match(text(reduce(start(), { t: "link", state: "lost" })), /does not answer/);
  assert.match(text(start()), /Connecting/);
  const stopped = heard(floor({ stopped: { en: "for everybody's safety", zh: "為保障安全" } }));
  assert.match(text(stopped), /No round opens on this floor: for everybody/);
  assert.match(text({ ...stopped, lang: "zh" }), /全場暫停開局：為保障安全/);
  assert.match(text(heard({ house: "Marina", demo: false, stopped: null, tables: [] })), /No table is set up yet/);
});

test("in Chinese the Chinese name is first", () => {
  const shown = text(heard(floor(), "zh"));
  assert.match(shown, /選擇賭枱.*六星 6 Star .*賭枱 1 · MBS 規則，2017年3月17日.*莊贏，6 點對 4 點.*入座/);
});
