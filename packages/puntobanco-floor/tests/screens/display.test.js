// The overhead display's pure part: what it shows of a table in every state, and that old news is never shown as new.
import assert from "node:assert/strict";
import { test } from "node:test";

import { hands, reduce, start } from "../../src/puntobanco_floor/web/screens/display/reduce.js";
import { announced, middle, notesOf, spoken } from "../../src/puntobanco_floor/web/screens/display/told.js";
import { limitGroups, page } from "../../src/puntobanco_floor/web/screens/display/view.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const CARDS = { p1: "3w", b1: "Lg", p2: "2e", b2: "Lf", p3: "9a", b3: "6f" };
const FOUR = { p1: "3w", b1: "Lg", p2: "2e", b2: "Lf" };
const LAST = { round: 38, result: "Bb", player: 4, banker: 6 };
const bet = (en, zh, min_cents, max_cents) => ({ title: { en, zh }, limits: { min_cents, max_cents } });
const SETTLED = {
  table: "table:1", number: 1, title: { en: "6 Star No Commission Baccarat", zh: "六星免佣百家樂" },
  deck: "five-elements", decks: 8, shoe: 214, phase: "settled", round: 38,
  betting_ms: 25000, closes_at: null, opens_at: null, cards: CARDS,
  why: null, next: null, stop: null, player: 4, banker: 6, notes: [], results: ["P", "Bb"], last: LAST,
  roads: { bead: [[0, 0, "P"], [1, 0, "Bb"]], big: [[0, 0, "P0"], [0, 1, "B0b"]], eye: [], small: [], pig: [] },
  counts: { rounds: 2, banker: 1, player: 1, tie: 0, banker_pair: 1, player_pair: 0, natural: 1, void: 3,
    banker_six: 2 },
  bets: [bet("Player", "閒", 2500, 500000), bet("Tie", "和", 500, 50000), bet("Banker", "莊", 2500, 500000)],
  announce_open: "Place your bets, please", announce_close: "No more bets", halted: null, demo: true,
};
const table = (changes) => ({ ...SETTLED, ...changes });
const BETTING = table({ phase: "betting", round: 39, cards: {}, player: null, banker: null, closes_at: 50_000 });
const STOP = { ground: "foreign-card", title: { en: "a card of another deck", zh: "外來牌" }, clause: "5.1.1" };

const after = (views, { lang = "en" } = {}) =>
  views.reduce((state, view) => reduce(state, { t: "view", view, at: 20_000 }), start({ table: 1, lang }));
const drawn = (...views) => String(page(after(views)));
const text = (markup) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const shows = (shown, ...parts) => parts.forEach((part) => assert.ok(shown.includes(part), part));

test("settled: the winner in words and characters, totals, and what the round had", () => {
  const shown = text(drawn(SETTLED));
  const round = ["莊贏", "BANKER", "wins, 6 over 4", "Six on three cards", "Banker Pair"];
  shows(shown, ...round, "Shoe 214", "Round 38", "8 decks");
  assert.equal(spoken(after([SETTLED])), "Waiting for the next round. Banker wins, 6 over 4");
});

test("while bets are open the last result stays, labelled, with its cards where this page saw them", () => {
  const [seen, late] = [after([SETTLED, BETTING]), after([BETTING])];
  assert.deepEqual(hands(seen), { round: 38, cards: CARDS, player: 4, banker: 6, past: true });
  assert.deepEqual(hands(late), { cards: {}, player: null, banker: null, past: true });
  const open = { text: "Place your bets, please", more: "", tone: "ok", ends: 50_000, total: 25000 };
  for (const state of [seen, late]) {
    const { eyebrow, score, winner, notes } = middle(state);
    assert.deepEqual([eyebrow, score, winner, notes], ["Last result, round 38", "won, 6 over 4", "B", []]);
    assert.deepEqual(announced(state), open);
    assert.equal(spoken(state), "Place your bets, please");
  }
});

test("a hand of an earlier round is not kept once another round is the last", () => {
  const later = table({ ...BETTING, round: 41, closes_at: null, last: { ...LAST, round: 40 } });
  const state = after([SETTLED, later]);
  assert.deepEqual(hands(state).cards, {});
});

test("closing ends the past: no card of the round before lies there", () => {
  const state = after([SETTLED, BETTING, table({ phase: "closed", round: 39, cards: {}, player: null, banker: null })]);
  assert.deepEqual(hands(state), { cards: {}, player: null, banker: null, past: false });
  assert.equal(announced(state).text, "No more bets");
  assert.equal(middle(state).winner, undefined);
});

test("dealing: totals, and from the fourth card the reason with its clause", () => {
  const next = { slot: "p3", text: { en: "Player has 5 and draws", zh: "閒5點，補牌" }, clause: "3.9.2" };
  const three = table({ phase: "dealing", cards: { p1: "3w", b1: "Lg", p2: "2e" }, player: 5, banker: 0, next });
  assert.deepEqual(middle(after([three])), { head: "Player 5, Banker 0", lines: [], clause: undefined });
  const four = table({ phase: "dealing", cards: FOUR, player: 5, banker: 0, next });
  const [en, zh] = ["en", "zh"].map((lang) => middle(after([four], { lang })));
  assert.deepEqual(en, { head: "Player 5, Banker 0", lines: ["Player has 5 and draws"], clause: "3.9.2" });
  assert.deepEqual(zh, { head: "閒 5 點，莊 0 點", lines: ["閒5點，補牌"], clause: "3.9.2" });
});

test("stopped and void name the ground and the clause; a void round returns wagers and leaves the roads", () => {
  const stopped = text(drawn(table({ phase: "stopped", cards: FOUR, stop: STOP })));
  shows(stopped, "Play is paused", "The supervisor is checking round 38", "A card of another deck", "clause 5.1.1");
  const last = { round: 38, result: "VOID", player: null, banker: null };
  const voided = table({ phase: "void", cards: FOUR, stop: STOP, last });
  shows(text(drawn(voided)), "Round 38 void", "All wagers of this round are returned", "clause 5.1.1", "2 rounds");
  const opened = table({ ...BETTING, last });
  assert.deepEqual(middle(after([voided, opened])).lines, ["Round 38 was void"]);
});

test("between rounds: the next opening with its ring, a shoe change, a stop of the table, a closed table", () => {
  const waits = after([table({ opens_at: 24_000 })]);
  assert.deepEqual(announced(waits), { text: "Next round opens in", tone: "", ends: 24_000, total: 4_000, calm: true });
  const later = reduce(waits, { t: "view", view: table({ opens_at: 24_000 }), at: 22_000 });
  assert.equal(announced(later).total, 4_000, "the ring goes on from where it was");
  assert.equal(announced(after([table({ shoe: null })])).text, "Shoe change");
  const halted = after([table({ halted: alike("closing at 2") })]);
  assert.deepEqual(announced(halted), { text: "No new rounds", more: "closing at 2", tone: "warn" });
  const inChinese = after([table({ halted: { en: "another game", zh: "另一遊戲" } })], { lang: "zh" });
  assert.equal(announced(inChinese).more, "另一遊戲");
  const over = after([table({ halted: alike("end of shift"), closing: true })]);
  assert.deepEqual(announced(over), { text: "The table closes", more: "end of shift", tone: "warn" });
  const playing = after([{ ...BETTING, halted: alike("end of shift"), closing: true }]);
  assert.equal(announced(playing).more, "The table closes after this round: end of shift");
  const stops = after([{ ...BETTING, halted: alike("a leak") }], { lang: "zh" });
  assert.equal(announced(stops).more, "Place your bets, please · 本局後暫不開局：a leak");
  const down = after([table({ phase: "down", shoe: null })]);
  assert.equal(announced(down).text, "Table closed");
  assert.deepEqual(hands(down).cards, {});
});

test("before a first result there is none: nothing is made up", () => {
  const nothing = { cards: {}, player: null, banker: null, last: null, results: [] };
  const state = after([table({ phase: "betting", round: 1, ...nothing })]);
  assert.deepEqual(middle(state).lines, ["First round of this shoe"]);
  assert.equal(middle(state).winner, undefined);
  assert.match(text(String(page(start({ table: 3 })))), /Table 3 .*Connecting to the table/);
});

test("a lost link is said with the time of the last news, and nothing is announced any more", () => {
  const lost = reduce(after([BETTING]), { t: "link", state: "lost" });
  const shown = String(page(lost));
  assert.match(shown, /role="alert".*Display not current.*last news \d\d:\d\d:\d\d/s);
  assert.match(shown, /<main class="stale">/);
  assert.ok(!text(shown).includes("Place your bets"));
  assert.equal(spoken(lost), "");
  assert.ok(!String(page(reduce(lost, { t: "view", view: BETTING, at: 30_000 }))).includes("Display not current"));
});

test("cards slide in only when they come while the page looks on", () => {
  const one = table({ phase: "dealing", cards: { p1: "3w" } });
  const two = table({ phase: "dealing", cards: { p1: "3w", b1: "Lg" } });
  assert.deepEqual(after([one]).fresh, []);
  assert.deepEqual(after([one, two]).fresh, ["b1"]);
  assert.deepEqual(after([one, two, two]).fresh, ["b1"]);
  const three = table({ phase: "dealing", cards: { p1: "3w", b1: "Lg", p2: "2e" } });
  assert.deepEqual(after([one, two, three]).fresh, ["b1", "p2"]); // the one before is still on its way
  const lost = reduce(after([one]), { t: "link", state: "lost" });
  assert.deepEqual(reduce(lost, { t: "view", view: two, at: 1 }).fresh, []);
});

test("a card that comes counts when it lies face up; where nothing moves, or the round is settled, at once", () => {
  const next = { slot: "p3", text: { en: "Player has 5 and draws", zh: "閒5點，補牌" }, clause: "3.9.2" };
  const three = table({ phase: "dealing", cards: { p1: "3w", b1: "Lg", p2: "2e" }, player: 5, banker: 0, next: null });
  const four = table({ phase: "dealing", cards: FOUR, player: 5, banker: 7, next });
  const before = { ...FOUR, b2: "7f" }, s = after([three, { ...four, cards: before }]);
  assert.deepEqual([hands(s).banker, middle(s).head, middle(s).lines], [0, "Player 5, Banker 0", []]);
  assert.match(String(page(s)), /data-total="banker">0<[^]*class="under"/);
  const there = reduce(s, { t: "landed", slot: "b2" });
  assert.deepEqual([hands(there).banker, middle(there).lines], [7, ["Player has 5 and draws"]]);
  assert.doesNotMatch(String(page(there)), /class="under"/);
  assert.equal(hands(reduce(s, { t: "tick", at: 22_999 })).banker, 0);
  assert.equal(hands(reduce(s, { t: "tick", at: 23_000 })).banker, 7);
  const settled = reduce(s, { t: "view", view: table({ cards: before, player: 5, banker: 7 }), at: 20_100 });
  assert.deepEqual([settled.fresh, settled.landing, hands(settled).banker], [[], {}, 7]);
  const still = reduce(start({ table: 1 }), { t: "quiet", quiet: true });
  const quiet = [three, four].reduce((state, view) => reduce(state, { t: "view", view, at: 1 }), still);
  assert.deepEqual([quiet.fresh, hands(quiet).banker], [[], 7]);
});

test("the house's time to squeeze is a ring for everybody", () => {
  const view = table({ phase: "dealing", cards: FOUR, squeeze_ms: 8_000, squeeze_until: 28_000 });
  assert.deepEqual([announced(after([view])).ends, announced(after([view])).total], [28_000, 8_000]);
});

test("notes: naturals of two cards, a six by its cards, pairs, and what the rulebook calls it", () => {
  const notes = (cards, player, banker, result, named) => notesOf({ cards, player, banker }, { result }, "en", named);
  assert.deepEqual(notes(FOUR, 9, 2, "P"), ["Natural 9"]);
  assert.deepEqual(notes(CARDS, 9, 2, "P"), []);
  assert.deepEqual(notes(FOUR, 2, 6, "B"), ["Six on two cards"]);
  assert.deepEqual(notes(CARDS, 6, 6, "Tbp"), ["Banker Pair", "Player Pair"]);
  const flaming = [{ text: { en: "Player has Flaming 9's", zh: "閒有火九" } }];
  assert.deepEqual(notes(FOUR, 9, 2, "P", flaming), ["Natural 9", "Player has Flaming 9's"]);
});

test("limits that are alike stand together", () => {
  assert.deepEqual(limitGroups(SETTLED.bets, "en"), [
    { range: "$25 – $5,000", names: ["Player", "Banker"] },
    { range: "$5 – $500", names: ["Tie"] },
  ]);
  const shut = SETTLED.bets.map((one) => ({ ...one, limits: { ...one.limits, closed: one.title.en !== "Player" } }));
  assert.deepEqual(limitGroups(shut, "en").at(-1), { range: "Closed", names: ["Tie", "Banker"] });
});

test("this shoe is counted, with its naturals and void rounds; the rules of the table are one step away", () => {
  const shown = text(drawn(SETTLED));
  shows(shown, "This shoe 2 rounds", "Banker Pair 1", "Player Pair 0 Naturals 1 Banker wins on six 2 Void rounds 3");
  assert.match(drawn(SETTLED), /href="\/tables\/1\/rules"/);
  shows(text(String(page(after([SETTLED], { lang: "zh" })))), "例牌 1 莊六點贏 2 作廢局數 3");
});

test("in Chinese everything is Chinese, and the announcement keeps the rulebook's words beside it", () => {
  const state = after([BETTING], { lang: "zh" });
  const shown = text(String(page(state)));
  shows(shown, "請投注", "Place your bets, please", "上局結果，第 38 局", "賭枱 1", "6 點對 4 點", "大眼仔");
});

test("no inline style and no script, whatever a table is called", () => {
  const shown = drawn(table({ title: alike("<img src=x onerror=alert(1)>"), halted: alike("<b onclick=x>") }));
  assert.doesNotMatch(shown, /<img|<script|<b onclick|\sstyle=/);
});

test("what was put right in the round stands under the announcement and is said", () => {
  const corrected = [{ slot: "b2", before: "Lf", after: "9f" }];
  const seen = after([table({ corrected })]);
  const told = "Corrected: Banker’s second card is the 9 of Fire; it had been entered as the Luk of Fire.";
  assert.ok(announced(seen).more.includes(told));
  assert.ok(spoken(seen).includes(told));
  const ground = { ground: "wrong-card-count", title: { en: "a wrong number", zh: "張數錯誤" }, clause: "5.2" };
  const dealing = after([table({ phase: "dealing", cards: FOUR, reconstructed: ground })], { lang: "zh" });
  assert.ok(announced(dealing).more.includes("牌張已按原定次序還原：張數錯誤。"));
  assert.equal(announced(after([SETTLED])).more, undefined);
});

test("the last hand is told above, and that a dealer closes the bets though a time is shown", () => {
  const called = after([table({ phase: "dealing", cards: FOUR, last_hand: true })]);
  assert.equal(announced(called).more, "Last hand of this shoe");
  const zh = after([table({ phase: "dealing", cards: FOUR, last_hand: true })], { lang: "zh" });
  assert.match(announced(zh).more, /本靴最後一局/);
  const guided = announced(after([{ ...BETTING, dealer_closes: true }]));
  assert.deepEqual([guided.more, guided.calm], ["The dealer closes betting", true]);
});

test("a new shoe shows nothing of the one before, after a result and after a void", () => {
  const fresh = { shoe: 215, results: [], roads: { bead: [], big: [], eye: [], small: [], pig: [] },
    counts: { rounds: 0, banker: 0, player: 0, tie: 0, banker_pair: 0, player_pair: 0, natural: 0, void: 0 } };
  const void_ = { phase: "void", stop: STOP, last: { round: 38, result: "VOID", player: null, banker: null } };
  for (const more of [{}, void_]) {
    const state = after([table(more), table({ ...more, ...fresh })]);
    assert.deepEqual(hands(state), { cards: {}, player: null, banker: null, past: true });
    assert.deepEqual(middle(state).lines, ["First round of this shoe"]);
    assert.doesNotMatch(text(String(page(state))), /void|BANKER wins/);
  }
});
