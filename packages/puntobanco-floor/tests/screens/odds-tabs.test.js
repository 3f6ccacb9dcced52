// The odds lab's other tabs: games side by side, a simulation beside the exact odds, how the figures are made.
import assert from "node:assert/strict";
import { test } from "node:test";

import { barChart } from "../../src/puntobanco_floor/web/screens/odds/barchart.js";
import { errorChart } from "../../src/puntobanco_floor/web/screens/odds/errorchart.js";
import { asked, decksOf, hasPart, reduce, start } from "../../src/puntobanco_floor/web/screens/odds/reduce.js";
import { page } from "../../src/puntobanco_floor/web/screens/odds/view.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const figure = (text, decimal = "0.01") => ({ exact: `exact(${text})`, decimal, text });
const row = (game, decks, cards) => ({
  game, title: alike(`The ${game}`), heading: alike(`rules of ${game}`), rules: `${game} 1`, deck: "d",
  deck_cards: cards, decks,
  default_decks: decks.at(-1), minimums: {},
});
const simulation = {
  least_rounds: 100000, most_rounds: 5000000, choices: [100000, 1000000, 5000000], most_seed: "18446744073709551615",
  table_cut: 14,
};
const games = [row("stars", [6, 8, 10], 65), row("plain", [4, 6, 8], 52)];
const lab = { public: false, pdf: true, simulates: true, simulation, games };
const cell = (bet, title, text, rank, bonus = false) => ({
  bet, title: alike(title), pays: "1 to 1", edge: figure(text, rank === "worst" ? "0.16" : "-0.11"),
  hit: figure(`hit ${text}`),
  deviation: figure(`sd ${text}`), rank, bonus,
});
const column = (game, refused = null, clause = "") => ({
  game, title: alike(`The ${game}`), heading: alike("h"), rules: "r", deck_cards: 65, cards: 520, refused, clause,
});
const compare = {
  decks: 8, stake_cents: 1000, stakes: [100, 1000], bonus: [alike("Tie")], games: [column("stars"), column("plain")],
  rows: [
    { row: "tie", title: alike("Tie"), hand: "tie",
      cells: [cell("tie", "Tie", "−11%", "best", true), cell("tie", "Tie", "16%", "worst")] },
    { row: "lucky", title: alike("Lucky / <b>Unlucky</b>"), hand: "",
      cells: [null, cell("lucky", "Lucky", "16%", "only")] },
  ],
  lowest: { edge: figure("−11%"), title: alike("Tie"), games: [alike("The stars")] },
  highest: { edge: figure("16%"), title: alike("Tie"), games: [alike("The stars"), alike("The plain")] },
};
const bet = (title, errors, agrees) => ({
  bet: title, title: alike(title), hand: "", simulated: figure(`s ${title}`), error: figure("0.1%"),
  exact: figure(`x ${title}`),
  difference: figure("+0.05%"), errors, errors_text: `z${errors}`, agrees, words: alike(`words of ${title}`),
});
const run = {
  game: "stars", title: alike("The stars"), heading: null, rules: "", decks: 8, cards: 520,
  seed: "18446744073709551615",
  asked: 1000000, rounds: 1000020, shoes: 11905, cut: null, seconds: 0.4, passed: true, tests: 5, level: "0.001",
  words: alike("It agrees."), bets: [bet("Banker", 0.5, true), bet("Lucky", -5.5, false)],
  lines: [{ bet: "Banker", title: alike("Banker"), pays: alike("1 to 1"), clause: "4.1", count: "53,990",
    expected: "53,876.3",
    errors: 0.5, errors_text: "+0.50" }],
};
const sum = { when: alike("wins"), probability: figure("p"), net: figure("+1"), product: figure("pp") };
const method = {
  game: "stars", title: alike("The stars"), heading: alike("Rules as of then"), rules: "stars 1", rulebook: "",
  digest: "d1ge5t",
  decks: 8, cards: 520, deck_cards: 65, round_cards: 6, orders: "19,206",
  lengths: [figure("l4"), figure("l5"), figure("l6")], cards_per_round: figure("4.94"), digits: 12,
  lowest_return: figure("75%"), rarest_award: "1 in 100,000,000",
  table_cut: 14, reserve: 13, rounds_per_shoe: 84, level: "0.001", program: "puntobanco 9", source: "5ource",
  example: { bet: "banker", title: alike("Banker"), rows: [sum], total: figure("−1.39"), edge: figure("1.39%") },
  clauses: [{ clause: "4.1", text: alike("what is paid") }],
  readings: [{ clause: "reading 3", text: alike("<i>ours</i>") }],
};

const answer = (part, found) => ({ t: "answer", part, answer: found });
const opened = (wanted) => reduce(start(wanted), { t: "lab", lab });
const drawn = (state) => String(page(state));
const sound = (svg) => {
  assert.match(svg, /^<svg [^>]*role="img" aria-label="[^"]+">.*<\/svg>$/s);
  assert.doesNotMatch(svg, /\bstyle=|<script|NaN|undefined|null|Infinity/);
};

test("a tab is chosen by the address or a message, and only the chosen one can be reached by Tab", () => {
  assert.equal(opened({ tab: "no such" }).tab, "par");
  for (const tab of ["par", "compare", "simulation", "method"]) {
    const text = drawn(reduce(opened({}), { t: "tab", tab }));
    assert.equal(text.match(/role="tab"/g).length, 4);
    assert.equal(text.match(/aria-selected="true"/g).length, 1);
    assert.match(text, new RegExp(`id="tab-${tab}"[^>]*aria-selected="true"[^>]*tabindex="0"`, "s"));
    assert.match(text, new RegExp(`role="tabpanel" id="panel" aria-labelledby="tab-${tab}"`));
    assert.doesNotMatch(text, /\sstyle=|undefined|NaN|\[object/);
  }
  assert.equal(drawn(start({ tab: "simulation" })).match(/aria-selected="true"/g).length, 1, "before the lab is open");
});

test("where games are compared any number of decks can be chosen, and back at a game its own", () => {
  const state = opened({ tab: "compare", game: "plain" });
  assert.deepEqual(decksOf(state), [4, 6, 8, 10]);
  const ten = reduce(state, { t: "decks", decks: 10 });
  assert.equal(ten.decks, 10);
  assert.equal(reduce(ten, { t: "decks", decks: 9 }), ten);
  const back = reduce(ten, { t: "tab", tab: "par" });
  assert.deepEqual([back.decks, decksOf(back)], [8, [4, 6, 8]]);
});

test("an answer for another stake or number of decks is not taken", () => {
  const state = opened({ tab: "compare" }), eight = reduce(state, { t: "decks", decks: 8 });
  const full = reduce(eight, answer("compare", compare));
  assert.ok(hasPart(full, "compare"));
  assert.equal(reduce(state, answer("compare", compare)).compare, null, "ten decks are asked for");
  const other = reduce(full, { t: "stake", cents: 100 });
  assert.ok(!hasPart(other, "compare"));
  assert.equal(reduce(other, { t: "slow" }).compare, null);
  assert.equal(reduce(full, { t: "slow" }).compare, compare);
});

test("best and worst are said in words, a bet that a game has not, and why a game has no figures", () => {
  const state = [{ t: "decks", decks: 8 }, answer("compare", compare)].reduce(reduce, opened({ tab: "compare" }));
  const text = drawn(state);
  for (const said of [
    ">best<", ">worst<", ">only here<", "not offered", "bonus counted, at $10", "exact(16%)", "as Lucky",
    "Tie at every game", "Tie at The stars",
  ]) assert.ok(text.includes(said), said);
  assert.ok(!text.includes("hit 16%") && !text.includes("<b>Unlucky"));
  const more = drawn([{ t: "show", figure: "hit" }, { t: "show", figure: "exact" }].reduce(reduce, state));
  assert.ok(more.includes("hit rate hit 16%") && !more.includes("exact(16%)"));
  const columns = [column("stars"), column("plain", alike("plain has 4 to 6 decks"), "2.1")];
  const [tie] = compare.rows;
  const rows = ["tie", "other"].map((name) => ({ ...tie, row: name, cells: [tie.cells[0], null] }));
  const refused = drawn({ ...state, compare: { ...compare, games: columns, rows } });
  assert.match(refused, /rowspan="2" class="refused">plain has 4 to 6 decks <span class="clause">2\.1</);
  assert.match(drawn(reduce(state, { t: "tables" })), /aria-label="House edge by game, table"/);
  assert.match(drawn(reduce(state, { t: "wrong", part: "compare", reason: "busy" })), /busy.*Try again/s);
});

test("bars are sound standing and lying, for one game or many, also where the patron has the edge", () => {
  const bar = (i, value) => ({ i, value, said: `${value}%`, rank: "" });
  const all = [0, 1, 2, 3, 4, 5, 6].map((i) => ({ i, title: `G${i}` }));
  const long = "a very long name of a wager that nobody would read", many = all.map(({ i }) => bar(i, i));
  const rows = [{ title: "Tie", bars: [bar(0, -11), bar(1, 14)] }, { title: long, bars: many }];
  for (const box of [{ w: 1380, h: 220 }, { w: 320, h: 700 }, { w: 700, h: 200 }]) {
    sound(barChart({ decks: 8, games: all, rows }, box));
    sound(barChart({ decks: 8, games: all, rows: [{ title: "One", bars: [bar(0, 1)] }] }, box));
  }
  assert.match(barChart({ decks: 8, games: all, rows }, { w: 1380, h: 220 }), /aria-label="[^"]*Tie: G0 -11%, G1 14%/);
});

test("where nothing is installed that simulates, the tab says so and offers no button", () => {
  const without = reduce(start({ tab: "simulation" }), { t: "lab", lab: { ...lab, simulates: false } });
  const text = drawn(without);
  assert.match(text, /not installed on this server/);
  assert.match(text, /<code>fast<\/code>/);
  assert.doesNotMatch(text, /data-act="deal"|Try again/);
  assert.match(drawn(opened({ tab: "simulation" })), /data-act="deal"/);
});

test("a run says simulated and exact, how far apart, and in words whether it agrees", () => {
  const state = [{ t: "decks", decks: 8 }, answer("run", run)].reduce(reduce, opened({ tab: "simulation" }));
  const text = drawn(state);
  for (const said of [
    "s Banker", "x Banker", "± 0.1%", "z0.5", "words of Lucky", "It agrees.", "seed 18446744073709551615",
    "1,000,020 rounds from 11,905 shoes, no cut card, in 0.4 s", "53,876.3",
  ]) assert.ok(text.includes(said), said);
  assert.match(text, /pill ok.*agrees/s);
  const cut = drawn({ ...state, run: { ...run, passed: null, cut: 14 } });
  assert.match(cut, /cut card 14 from the end.*pill info.*not judged/s);
  assert.match(drawn({ ...state, run: { ...run, passed: false } }), /pill danger.*does not agree/s);
  for (const message of [{ t: "decks", decks: 6 }, { t: "game", game: "plain" }]) {
    const other = reduce(state, message);
    assert.equal(other.run, null, "it was of another shoe");
    assert.match(drawn(other), /5,000,000 rounds at most\./);
  }
});

test("while shoes are dealt nothing old is shown; a refusal is, and a late answer is not taken", () => {
  const state = reduce(opened({ tab: "simulation" }), { t: "decks", decks: 8 });
  const dealing = reduce(reduce(state, answer("run", run)), { t: "dealing" });
  assert.doesNotMatch(drawn(dealing), /s Banker/);
  assert.match(drawn(dealing), /aria-busy="true".*aria-disabled="true"|aria-disabled="true".*aria-busy="true"/s);
  const failed = reduce(dealing, { t: "wrong", part: "run", reason: "the odds lab is busy" });
  assert.ok(!failed.dealing);
  assert.match(drawn(failed), /the odds lab is busy.*Try again/s);
  assert.equal(reduce(state, answer("run", { ...run, decks: 6 })).run, null);
  assert.ok(reduce(dealing, { t: "tab", tab: "method" }).dealing, "it goes on while another tab is read");
});

test("a seed is a number of 64 bits, and what is asked stands in the address as it was typed", () => {
  const state = opened({ tab: "simulation", seed: "7", cut: "14", rounds: "5000000" });
  assert.equal(asked(state).query, "rounds=5000000&seed=7&cut=14");
  const typed = (name, value) => asked(reduce(state, { t: "form", name, value }));
  assert.equal(typed("seed", "18446744073709551615").query, "rounds=5000000&seed=18446744073709551615&cut=14");
  assert.equal(typed("cut", "").query, "rounds=5000000&seed=7");
  for (const bad of ["18446744073709551616", "", "x", "-1", "1.5"]) assert.match(typed("seed", bad).wrong, /a seed is/);
  assert.match(typed("cut", "1e3").wrong, /a cut card is/);
  assert.equal(opened({ rounds: "17" }).form.rounds, "1000000", "a number of rounds that is offered");
});

test("a mark tells agreement by its shape too, and the scale holds whatever is far off", () => {
  const bets = [0.5, -3, 40, 0].map((errors, i) => ({ title: `B${i}`, errors, said: "+1.00", agrees: true }));
  const large = { w: 440, h: 400 };
  for (const box of [large, { w: 300, h: 200 }]) sound(errorChart({ title: "T", bets }, box));
  const shapes = [true, false, null].map((agrees) => errorChart({ title: "T", bets: [{ ...bets[0], agrees }] }, large));
  assert.equal(new Set(shapes.map((svg) => [/<circle/.test(svg), /l12 12/.test(svg)].join())).size, 3);
});

test("the method's figures are the server's, and its documents are named", () => {
  const state = [{ t: "decks", decks: 8 }, answer("method", method)].reduce(reduce, opened({ tab: "method" }));
  const text = drawn(state);
  for (const said of [
    "19,206", "8 whole decks of 65 cards", "l4, l5, l6", "4.94 cards a round", "to 12 digits", "less than 75%",
    "1 in 100,000,000", "84 rounds from each", "at least 13 cards", "exact(pp)", "1.39%", "what is paid", "reading 3",
    "d1ge5t", "5ource", "docs/explanation/odds.md", "of a designer&#39;s own",
  ]) assert.ok(text.includes(said), said);
  assert.ok(!text.includes("<i>ours"));
  assert.equal(reduce(state, { t: "game", game: "plain" }).method, null);
  assert.match(drawn(reduce(state, { t: "wrong", part: "method", reason: "gone" })), /gone.*Try again/s);
});
