// The odds lab: a late answer is not taken for another's, charts are sound for any figures, texts are the server's.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  decksChart, removalChart, resultsChart, stakeChart, together,
} from "../../src/puntobanco_floor/web/screens/odds/charts.js";
import { apart, steps, tick, wrapped } from "../../src/puntobanco_floor/web/screens/kit/draw.js";
import { bonusOf, reduce, start, stopOf, stopsOf } from "../../src/puntobanco_floor/web/screens/odds/reduce.js";
import { along, page } from "../../src/puntobanco_floor/web/screens/odds/view.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const figure = (exact, text, decimal = String(ratio(exact))) => ({ exact, decimal, text });
function ratio(exact) { const [a, b] = exact.split("/"); return Number(a) / Number(b); }
const result = (kind, when, net, chance, bonus = 0) => ({
  kind, when: alike(when), pays: alike("8 to 1"), clause: "4.1", bonus,
  probability: figure(chance, `p(${chance})`), net: figure(net, `n(${net})`),
});
const stake = (cents) => ({
  stake_cents: cents, edge: figure(`${cents}/100000`, `e(${cents})`), deviation: figure("2/1", "2.000"),
  nets: [figure("8/1", "+8"), figure("308/1", `+308 at ${cents}`), figure("-1/1", "−1")],
});
const tie = {
  bet: "tie", title: alike("Tie"), hand: "tie", flags: [], minimum: stake(700), asked: null,
  edge: figure("14/100", "14.0000%"), deviation: figure("2/1", "2.000"), hit: figure("1/10", "10.000%"),
  results: [
    result("wins", "tie", "8/1", "9/100"),
    result("wins", "<b>6 Stars</b>", "8/1", "1/1000000", 30000),
    result("loses", "otherwise", "-1/1", "909999/1000000"),
  ],
  bonus: {
    expected_dollars: figure("1/4", "$0.25"), break_even: figure("178/100", "$1.78"),
    stakes: [100, 500, 1000, 100000].map(stake),
  },
};
const banker = {
  ...tie, bet: "banker", title: alike("Banker"), hand: "banker", bonus: null, minimum: null,
  results: [
    result("wins", "wins", "1/1", "45/100"),
    result("pushes", "tie", "0/1", "10/100"),
    result("loses", "otherwise", "-1/1", "45/100"),
  ],
  flags: ["returns less than 75 % to patrons"],
};
const sixStar = {
  game: "six-star", title: alike("6 Star"), heading: null, rules: "six-star x", deck: "five-elements", deck_cards: 65,
  decks: [4, 8, 10], default_decks: 8, minimums: { tie: 700 },
};
const plain = {
  game: "plain", title: alike("Plain"), heading: null, rules: "plain x", deck: "standard", deck_cards: 52,
  decks: [4, 6], default_decks: 6, minimums: {},
};
const simulation = {
  least_rounds: 100000, most_rounds: 1000000, choices: [100000, 1000000],
  most_seed: "18446744073709551615", table_cut: 14,
};
const lab = { public: true, pdf: false, simulates: true, simulation, games: [sixStar, plain] };
const sheet = {
  game: "six-star", title: alike("6 Star"), rules: "six-star x", heading: alike("Rules"), digest: "d", decks: 8,
  cards: 520,
  cards_per_round: figure("5/1", "5"), bets: [banker, tie],
};
const figures = (...texts) => texts.map((text) => figure(text, text));
const edges = { game: "six-star", rules: "r", decks: [4, 8, 10], limit: figure("1/4", "25%"), bets: [
  { bet: "banker", title: alike("Banker"), hand: "banker", bonus: false, edges: figures("1/100", "2/100", "30/100") },
  { bet: "tie", title: alike("Tie"), hand: "tie", bonus: true, edges: figures("14/100", "14/100", "14/100") },
  { bet: "player-pair", title: alike("Player Pair"), hand: "player", bonus: false,
    edges: figures("3/100", "3/100", "3/100") },
  { bet: "banker-pair", title: alike("Banker Pair"), hand: "banker", bonus: false,
    edges: figures("3/100", "3/100", "3/100") },
] };
const nothing = figure("0/1", "0%");
const fire = { suits: "Fire", effects: [figure("1/1000", "+0.1%"), figure("-1/500", "−0.2%")] };
const others = { suits: "other elements", effects: [nothing, figure("1/2000", "+0.05%")] };
const any = (...effects) => ({ suits: "any element", effects });
const removal = { game: "six-star", rules: "r", decks: 8, cards: 520, bets: [
  { bet: "banker", bonus: false, by: "points", kinds: ["0", "1"], series: [fire, others] },
  { bet: "tie", bonus: false, by: "points", kinds: ["0", "1"], series: [any(nothing, nothing)] },
  { bet: "tie", bonus: true, by: "ranks", kinds: ["A"], series: [any(figure("1/8000", "+0.01¢"))] },
] };
const answer = (part, found) => ({ t: "answer", part, answer: found });
const answers = [{ t: "lab", lab }, answer("sheet", sheet), answer("edges", edges), answer("removal", removal)];
const answered = answers.reduce(reduce, start());
const BOX = { w: 430, h: 240 };

function sound(svg) {
  assert.match(svg, /^<svg [^>]*role="img" aria-label="[^"]+">.*<\/svg>$/s);
  assert.doesNotMatch(svg, /\bstyle=|<script|NaN|undefined|null|Infinity/);
  return svg;
}

test("the first game and its usual number of decks are asked for, or those of the address", () => {
  assert.deepEqual([answered.game, answered.decks, answered.bet], ["six-star", 8, "banker"]);
  const wanted = reduce(start({ game: "plain", decks: 4, bet: "tie" }), { t: "lab", lab });
  assert.deepEqual([wanted.game, wanted.decks], ["plain", 4]);
  assert.equal(reduce(start({ game: "plain", decks: 9 }), { t: "lab", lab }).decks, 6);
  assert.equal(reduce(start({ game: "no such" }), { t: "lab", lab }).game, "six-star");
});

test("an answer to another question is not taken for this one's", () => {
  const asked = reduce(answered, { t: "decks", decks: 4 });
  assert.equal(reduce(asked, answer("sheet", sheet)).sheet, asked.sheet);
  assert.equal(asked.sheet.decks, 8, "what was there stays until it takes long");
  assert.equal(reduce(asked, { t: "slow" }).sheet, null);
  const four = reduce(asked, answer("sheet", { ...sheet, decks: 4 }));
  assert.equal(reduce(four, { t: "slow" }).sheet.decks, 4);
  const other = reduce(answered, { t: "game", game: "plain" });
  assert.deepEqual([other.sheet, other.edges, other.removal, other.decks], [null, null, null, 6]);
  assert.equal(reduce(other, answer("edges", edges)).edges, null);
  assert.equal(reduce(answered, { t: "decks", decks: 5 }), answered, "the rulebook does not allow it");
});

test("the slider has the table's minimum among its stops, and both marks lie where they belong", () => {
  const stops = stopsOf(bonusOf(sheet));
  assert.deepEqual(stops.map((stop) => stop.stake_cents), [100, 500, 700, 1000, 100000]);
  assert.deepEqual([100, 600, 1000, 10 ** 7].map((cents) => along(stops, cents)), [0, 1.5 / 4, 0.75, 1]);
  assert.equal(stopOf(answered, tie).stake_cents, 1000);
  assert.equal(reduce({ ...answered, stakeCents: 690 }, answer("sheet", sheet)).stakeCents, 700);
  assert.deepEqual(stopsOf(null), []);
});

test("the page says the server's texts and nothing that it rounded itself", () => {
  const drawn = String(page({ ...answered, bet: "tie" }));
  const texts = [
    "e(1000)", "9/100", "p(9/100)", "14.0000%", "10.000%", "+308 at 1000",
    "returns less than 75 % to patrons", "break-even $1.78", "$7 min.",
  ];
  for (const said of texts) assert.ok(drawn.includes(said), said);
  assert.ok(!drawn.includes("<b>6 Stars"), "a designer's words are escaped");
  assert.match(drawn, /PDF: not installed on this server/);
  assert.doesNotMatch(drawn, /\sstyle=|undefined|NaN|\[object/);
});

test("while it is computed there are skeleton rows; what failed is said in words with a way to try again", () => {
  const empty = reduce(start(), { t: "lab", lab });
  assert.equal(String(page(empty)).match(/<tr class="sk">/g).length, 17);
  assert.match(String(page(empty)), /exact, about 2 s/);
  const failed = String(page(reduce(empty, { t: "wrong", part: "sheet", reason: "the odds lab is busy" })));
  assert.match(failed, /the odds lab is busy/);
  assert.equal(failed.match(/Try again/g).length, 1);
  const unopened = reduce(start(), { t: "wrong", part: "lab", reason: "no answer" });
  assert.match(String(page(unopened)), /no answer.*Try again/s);
});

test("T turns every chart into a table and back; one chart alone by its button", () => {
  const all = reduce(answered, { t: "tables" });
  const { stake: byStake, decks, results, removal: byCard, edges: byGame } = all.asTable;
  assert.deepEqual([byStake, decks, results, byCard, byGame], [true, true, true, true, false], "of this tab alone");
  assert.doesNotMatch(String(page(all)), /role="img"/);
  assert.match(String(page({ ...all, bet: "tie" })), /bonus, A.*\+0\.01¢/s);
  assert.ok(Object.values(reduce(all, { t: "tables" }).asTable).every((isTable) => !isTable));
  const { asTable } = reduce(answered, { t: "table", chart: "decks" });
  assert.deepEqual(Object.keys(asTable).filter((chart) => asTable[chart]), ["decks"]);
});

const barOf = ({ net, when, kind, probability }) =>
  ({ net: net.text, value: 1, when: when.en, kind, chance: Number(probability.decimal), said: probability.text });

test("every chart is sound in any box, for any wager", () => {
  const byStake = { title: "Tie", edge: 0.14, bonus: 0.25, without: "14%", least: 1, most: 1000 };
  const byDecks = { decks: edges.decks, chosen: 8, series: together(edges.bets), limit: edges.limit, bet: "tie" };
  const below = together([{ ...edges.bets[0], edges: [figure("-1/100", "−1%")] }]);
  const bySuit = {
    title: "Element Bonus", by: "suits", kinds: ["Fire", "other elements"],
    series: [{ suits: "", effects: [figure("-1/10", "−10%"), figure("-1/20", "−5%")] }],
  };
  for (const box of [BOX, { w: 300, h: 200 }, { w: 900, h: 500 }]) {
    const at = (value, said) => ({ value, said });
    const chosen = at(10, "$10: 1%");
    for (const [even, minimum] of [[null, null], [at(1.78, "$1.78"), at(5, "$5: 9%")], [at(0.5, "$0.50"), chosen]]) {
      const said = sound(stakeChart({ ...byStake, even, minimum, chosen }, box));
      assert.ok(said.includes("$10: 1%"));
    }
    sound(decksChart(byDecks, box));
    sound(decksChart({ ...byDecks, decks: [8], series: below, bet: "" }, box));
    for (const { title, results } of [banker, tie]) {
      sound(resultsChart({ title: title.en, results: results.map(barOf) }, box));
    }
    for (const bet of removal.bets) sound(removalChart({ title: bet.bet, ...bet }, box));
    sound(removalChart(bySuit, box));
  }
});

test("lines that pay the same are told by name, and what cannot happen has no bar", () => {
  const results = [
    { net: "+1", value: 1, when: "a natural", kind: "wins", chance: 0.16, said: "0.16" },
    { net: "+1", value: 1, when: "by four", kind: "wins", chance: 0.04, said: "0.04" },
    { net: "+30", value: 30, when: "six alike", kind: "wins", chance: 0, said: "0.000000" },
    { net: "−1", value: -1, when: "otherwise", kind: "loses", chance: 0.8, said: "0.8" },
  ];
  const drawn = sound(resultsChart({ title: "Bonus", results }, BOX));
  const label = /aria-label="([^"]+)"/.exec(drawn)[1];
  assert.equal(label, "Bonus: loses, net −1 with probability 0.8; a natural, net +1 with probability 0.16; "
    + "by four, net +1 with probability 0.04.");
});

test("a point over the limit is ringed, and bets with the same edges are one line", () => {
  const series = together(edges.bets);
  assert.deepEqual(series.map((one) => one.title), ["Banker", "Tie, no bonus", "Player/Banker Pair"]);
  const drawn = decksChart({ decks: edges.decks, chosen: 8, series, limit: edges.limit, bet: "tie" }, BOX);
  assert.equal(drawn.match(/r="7.5" fill="none"/g).length, 1);
  assert.match(drawn, /Tie, no bonus 14\/100/);
});

test("axes have round steps, labels do not cover each other, long words are wrapped", () => {
  assert.deepEqual(steps(-11, 16, 6), [-10, -5, 0, 5, 10, 15]);
  assert.deepEqual(steps(0, 0.5, 5), [0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.deepEqual([tick(0.0001), tick(-0.2), tick(1), tick(0)], ["1e−4", "−0.2", "1", "0"]);
  const at = apart([{ y: 10 }, { y: 11 }, { y: 100 }, { y: 99 }], 15, 0, 100).map((label) => label.at);
  for (let i = 1; i < at.length; i += 1) assert.ok(at[i] - at[i - 1] >= 15 && at[i] <= 100);
  assert.deepEqual(wrapped("Banker has Flaming 9's", 70, 3), ["Banker has", "Flaming", "9's"]);
  assert.equal(wrapped("a very long sentence that does not fit anywhere", 40, 2).length, 2);
});
