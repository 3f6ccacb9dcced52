// What a round came to, told in money: each wager by the line of its spot, then the net; gold only for who is ahead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { celebration, netCents, wagersTold } from "../../src/puntobanco_floor/web/screens/terminal/outcome.js";
import { lineOf, reduce } from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import { toneOf } from "../../src/puntobanco_floor/web/screens/terminal/sound.js";
import { statusOf } from "../../src/puntobanco_floor/web/screens/terminal/status.js";
import { view } from "../../src/puntobanco_floor/web/screens/terminal/view.js";
import {
  betsOpened, dealt, happens, line, mine, opened, roundSettled, roundVoided, run,
} from "./terminal-story.js";

const CARDS = ["3w", "Lg", "2e", "Lf", "9a", "6f"];
const SIX = { result: "B", player: 4, banker: 6 };
const PAYING = { banker: [0], "fortune-six": [1] };
const settled = (lines, paying = PAYING) =>
  run(dealt(...CARDS), roundSettled(SIX, { paying }), mine({ seq: 60, lines }));
const shown = (s, lang = "en", shape = "wide") => String(view({ ...s, lang, shape }));
const text = (markup) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim();
const callout = (s, lang) => text(/<div class="callout[^]*?<\/div>/.exec(shown(s, lang))[0]);
const meter = (s) => /<b class="([^"]*)"\s+data-meter="win">([^<]*)</.exec(shown(s)).slice(1);

// $100 on Banker is paid half on a six; $500 on others is lost: the review's own round.
const BEHIND = [
  line("banker", 10000, "wins", 5000), line("player", 40000, "loses", 0), line("tie", 10000, "loses", 0),
];
const AHEAD = [line("banker", 10000, "wins", 5000), line("tie", 1000, "loses", 0)];

test("each wager says what it got by the words of its pay line, then the net", () => {
  assert.equal(
    callout(settled(AHEAD)),
    "Banker wins 6 over 4. Banker pays 1 to 2 on six +$50 Tie loses −$10 Net +$40 3.9.4 4.1",
  );
  assert.equal(
    callout(settled(AHEAD), "zh"), "莊贏 6 比 4。 莊若Banker wins on six，1 to 2 +$50 和輸 −$10 本局淨額 +$40 3.9.4 4.1"
      .replace("莊若", "莊：若"),
  );
});

test("who has no wager reads why cards were drawn instead", () => {
  assert.match(callout(settled([])), /^Banker wins 6 over 4\. A card for b3\./);
  assert.doesNotMatch(callout(settled(AHEAD)), /A card for/);
});

test("a loss is never dressed as a win: no gold, no count, no fanfare, and the words say behind", () => {
  const s = settled(BEHIND), markup = shown(s);
  assert.deepEqual(meter(s), ["", "−$450.00"]);
  assert.doesNotMatch(markup, /pb-count|cheer-|class="tag win|class="spot b win/);
  assert.match(markup, /class="spot b paid/);
  assert.match(markup, /data-cheer="0"/);
  assert.equal(statusOf(s).say, "Banker wins, 6 over 4. You are 450 dollars behind.");
  assert.equal(statusOf({ ...s, lang: "zh" }).say, "莊贏，6 比 4。你淨輸 450 元。");
  assert.equal(toneOf({ ...dealt(...CARDS), sound: true }, { ...s, sound: true }), "over");
});

test("gold, sound and what moves are for who is ahead, sized by the multiple of the stakes", () => {
  const sizes = [
    [5000, 1, "win"], [19999, 1, "win"], [20000, 2, "win_big"], [99999, 2, "win_big"], [100000, 3, "win_huge"],
  ];
  for (const [winnings, size, tone] of sizes) {
    const s = settled([line("banker", 10000, "wins", winnings)]);
    assert.equal(celebration(s.mine.lines), size, String(winnings));
    assert.equal(toneOf({ ...dealt(...CARDS), sound: true }, { ...s, sound: true }), tone);
    assert.match(shown(s), new RegExp(`data-cheer="${size}"`));
    assert.match(shown(s), new RegExp(`gold cheer-${size}"`));
    assert.equal(meter(s)[0], "gold");
  }
  assert.equal(celebration([line("tie", 1000, "pushes", 0, 1000)].map(lineOf)), 0);
  assert.match(shown({ ...settled(AHEAD), still: true }), /data-cheer="0"/); // not seen to happen
});

test("even is said as even, and wagers that came back as that", () => {
  const even = [line("banker", 10000, "wins", 5000), line("tie", 5000, "loses", 0)];
  assert.equal(statusOf(settled(even)).say, "Banker wins, 6 over 4. You are even.");
  assert.deepEqual(meter(settled(even)), ["", "$0.00"]);
});

test("many wagers are a few rows: the best paid by name, the rest together", () => {
  const lines = [
    line("banker", 1000, "wins", 500), line("fortune-six", 1000, "wins", 20000), line("player", 1000, "loses", 0),
    line("tie", 1000, "loses", 0), line("player-pair", 1000, "loses", 0), line("banker-pair", 1000, "pushes", 0, 1000),
  ];
  const s = settled(lines), told = wagersTold({ ...s, lang: "en" });
  assert.deepEqual(told, [
    { text: "2 more pay", cents: 20500 }, { text: "Banker Pair is returned", cents: 0 },
    { text: "Player, Tie and 1 more lose", cents: -3000 },
  ]);
  assert.equal(told.reduce((sum, { cents }) => sum + cents, 0), netCents(s.mine.lines));
  const few = wagersTold(settled(lines.slice(0, 3)));
  assert.deepEqual(few.map((one) => one.text), [
    "Fortune Six pays 20 to 1: Banker has 3 cards", "Banker pays 1 to 2 on six", "Player loses",
  ]);
});

test("the line that paid is marked on its spot, and said with it", () => {
  const markup = shown(settled(AHEAD)), spot = markup.slice(markup.indexOf('data-bet="banker"'));
  assert.match(spot, /^[^>]*aria-label="Banker, wins \$50, clause 4\.1, Banker pays 1 to 2 on six, /);
  assert.match(spot, /class="line {2}held"><span class="when">wins on six<\/span> <b>1 to 2/);
  assert.doesNotMatch(shown(dealt(...CARDS)), / held"/);
});

test("a void round leaves the last net as it was", () => {
  const before = settled(AHEAD);
  assert.equal(before.lastNet, 4000);
  const stop = { ground: "foreign-card", title: { en: "a card", zh: "牌" }, clause: "5.1" };
  const lines = [line("banker", 10000, "void", 0, 10000)];
  const s = run(before, betsOpened(8), roundVoided(stop), mine({ seq: 70, lines }));
  assert.equal(s.lastNet, 4000);
  assert.match(text(shown(s)), /Last round \+\$40\.00/);
});

test("after a void, or a result, a new shoe shows nothing of the shoe before", () => {
  const stop = { ground: "foreign-card", title: { en: "a card", zh: "牌" }, clause: "5.1" };
  const lines = [line("banker", 10000, "void", 0, 10000)];
  const voided = run(dealt("3w"), roundVoided(stop), mine({ seq: 60, lines }), { t: "read" });
  const away = run(voided, happens({ shoe: null }));
  assert.equal(statusOf(away).title, "The shoe is being changed");
  const counts = { ...voided.table.counts, void: 0 };
  for (const old of [voided, settled(AHEAD)]) {
    const next = run(old, happens({ shoe: 4, results: [], counts })), markup = shown(next);
    assert.match(text(markup), /The next round is about to begin/);
    assert.doesNotMatch(markup, /is void|<pb-card|<pb-stack|class="tag/);
  }
  const open = run(voided, happens({ shoe: 4, results: [], counts }), betsOpened(8));
  assert.match(text(shown(open)), /Last round, 7 Void/); // the round before is still told when bets open
});

test("a past round says which line paid", () => {
  const replay = {
    replay: true, table: "table:1", round: 6, game: "six-star", rules: "mbs", at: 5, result: "B", clause: "", player: 4,
    banker: 6, cards: [], corrected: [], reconstructed: null, reopened: null, lines: AHEAD, wagered_cents: 11000,
    paid_cents: 15000, before_cents: 0, after_cents: 0, demo: true, complaints: [], paying: PAYING,
  };
  const history = (more) => ({ name: "history", replay: { ...replay, ...more } });
  const sheet = (more) => text(shown(reduce(opened(), { t: "sheet", sheet: history(more) })));
  assert.match(sheet({}), /Banker \$100\.00 Win Banker pays 1 to 2 on six \$150\.00/);
  assert.doesNotMatch(sheet({ game: "rapid" }), /pays 1 to 2 on six/); // another felt now
});
