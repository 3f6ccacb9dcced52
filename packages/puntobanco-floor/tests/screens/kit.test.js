// The drawing kit: every face, any amount, roads as the server placed them, codes that a reader can scan.
import assert from "node:assert/strict";
import { test } from "node:test";

import { barcode, qr, symbols } from "../../src/puntobanco_floor/web/screens/kit/barcode.js";
import { DECKS, card, cardName, isCard } from "../../src/puntobanco_floor/web/screens/kit/cards.js";
import { legs } from "../../src/puntobanco_floor/web/screens/kit/faces.js";
import { peel } from "../../src/puntobanco_floor/web/screens/kit/peel.js";
import { STACK_LIMIT, chip, chipLabel, chipsOf, stack } from "../../src/puntobanco_floor/web/screens/kit/chips.js";
import { ICONS, icon, logo } from "../../src/puntobanco_floor/web/screens/kit/icons.js";
import { arc, ring, ringInk, secondsLeft } from "../../src/puntobanco_floor/web/screens/kit/ring.js";
import { ROAD_NAMES, road, roadLabel, shifted } from "../../src/puntobanco_floor/web/screens/kit/roads.js";

const ALL = [...DECKS.standard, ...DECKS["five-elements"]];

// Balanced tags, no inline style, no script, no address, no figure that is not one.
function sound(svg) {
  assert.match(svg, /^<svg [^>]*>.*<\/svg>$/s);
  assert.doesNotMatch(svg, /\bstyle=|<script|<style|https?:|data:|NaN|undefined|null|Infinity/);
  const open = [];
  for (const [, close, name, empty] of svg.matchAll(/<(\/?)([a-zA-Z]+)[^>]*?(\/?)>/g)) {
    if (close) assert.equal(open.pop(), name);
    else if (!empty) open.push(name);
  }
  assert.deepEqual(open, []);
  return svg;
}

const count = (text, part) => text.split(part).length - 1;

test("every card of both decks has a face, large and small, and no two look alike", () => {
  assert.deepEqual([DECKS.standard.length, DECKS["five-elements"].length], [52, 65]);
  for (const size of [30, 95]) {
    const drawn = ALL.map((code) => sound(card(code, size)));
    assert.equal(new Set(drawn).size, 117);
    assert.ok(drawn.every((svg) => !svg.includes("id=")));
  }
});

test("a card is named in English and Chinese, and its height is seven fifths of its width", () => {
  assert.equal(cardName("9f"), "9 of Fire");
  assert.equal(cardName("9f", "zh-Hant"), "火9");
  assert.equal(cardName("Lw"), "Luk of Wood");
  assert.equal(cardName("Lw", "zh"), "木祿");
  assert.equal(cardName("Th"), "10 of Hearts");
  assert.equal(cardName("As", "zh"), "黑桃A");
  assert.equal(new Set(ALL.map((code) => cardName(code))).size, 117);
  assert.equal(new Set(ALL.map((code) => cardName(code, "zh"))).size, 117);
  assert.match(card("9f", 95, { lang: "zh" }), /aria-label="火9" width="95" height="133"/);
});

test("six and nine are underlined, at both sizes; no other card is", () => {
  for (const size of [40, 120]) {
    const rects = (code) => count(card(code, size), "<rect");
    const corners = size > 60 ? 2 : 1; // from either end the same
    for (const code of ["6s", "9s", "6a", "9a"]) assert.equal(rects(code), rects("8s") + corners);
  }
});

test("what is no card shows the back", () => {
  for (const code of ["", "back", "1s", "Jf", "Sh", "toString"]) {
    assert.equal(isCard(code), false);
    assert.equal(card(code, 80), card("", 80));
    assert.match(sound(card(code, 80)), /aria-label="card face down"/);
  }
  assert.equal(cardName("", "zh"), "未翻開的牌");
});

test("pips lie as on any card: 2 and 3 have no legs, 4 and 5 two, 6 to 8 three, 9 and 10 four", () => {
  assert.deepEqual([..."23456789T"].map(legs), [0, 0, 2, 2, 3, 3, 3, 4, 4]);
  for (const [i, rank] of [..."23456789T"].entries()) {
    const pips = count(card(`${rank}h`, 180), `<svg x=`) - 2; // less those of the two corners
    assert.equal(pips, i + 2, rank);
  }
});

test("a face is drawn with no font but for figures and letters, and from either end it is the same", () => {
  for (const code of ALL) {
    const drawn = card(code, 180), texts = [...drawn.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text);
    assert.equal(texts.length, 2, code);
    assert.ok(texts.every((text) => /^[A2-9JQKSLF]$|^10$/.test(text)), code);
    assert.doesNotMatch(drawn.replace(/aria-label="[^"]*"/, ""), /[^ -~]|filter/, code);
    assert.match(drawn, /rotate\(180 125 175\)/, code);
  }
});

test("a card is lifted from any edge or corner, and its flap does not name it", () => {
  assert.equal(peel("9a", 80), card("", 80));
  assert.equal(peel("9a", 80, { from: [0, 1], to: [0, 1] }), card("", 80));
  const corner = { from: [0, 1], to: [0.3, 0.7] };
  const [one, two] = [sound(peel("9a", 80, corner)), sound(peel("9a", 80, corner))];
  const ids = [...(one + two).matchAll(/ id="([^"]+)"/g)].map((found) => found[1]);
  assert.equal(new Set(ids).size, 4);
  const edges = [[[0, 0.5], [0.4, 0.5]], [[1, 0.5], [0.6, 0.5]], [[0.5, 0], [0.5, 0.4]], [[0.5, 1], [0.5, 0.6]],
    [[0, 0], [0.5, 0.5]], [[1, 0], [0.5, 0.5]], [[1, 1], [0, 0]]];
  const drawn = edges.map(([from, to]) => sound(peel("Kd", 80, { from, to })).replace(/peel\d+/g, ""));
  assert.equal(new Set(drawn).size, edges.length);
  for (const each of drawn) assert.doesNotMatch(each, /<text/);
  const left = peel("4s", 80, { from: [0, 0.5], to: [0.4, 0.5] }); // half of that comes up, as a strip of the left edge
  assert.match(left, /<polygon points="(100,0 50,0 50,350 100,350|50,0 100,0 100,350 50,350|100,0 50,0[^"]*)"/);
});

test("a chip is drawn for any number of cents, with a short label", () => {
  const labels = {
    1: "1¢", 50: "50¢", 100: "1", 250: "2.50", 500: "5", 10_000: "100",
    100_000: "1K", 250_000: "2.5K", 100_000_000: "1M", 123_400: "1234",
  };
  for (const [cents, label] of Object.entries(labels)) {
    assert.equal(chipLabel(Number(cents)), label);
    assert.ok(sound(chip(Number(cents))).includes(`>${label}<`));
  }
  for (const cents of [0, -5, 7, 99, 999_999_999_999, Number.NaN, "500"]) sound(chip(cents));
});

test("a stack holds the amount while it has chips for it, and stays in its square", () => {
  for (const cents of [1, 7, 100, 23_500, 500_000, 2_500_100]) {
    assert.equal(chipsOf(cents).reduce((sum, value) => sum + value, 0), cents);
  }
  assert.equal(chipsOf(99_999_999_999).length, STACK_LIMIT);
  assert.deepEqual(chipsOf(0), []);
  for (const cents of [0, 500, 23_500, 99_999]) {
    assert.match(sound(stack(cents, 54)), /width="54" height="54" viewBox="0 0 100 100"/);
  }
  assert.match(stack(500, 54, { dim: true }), /class="stack dim"/);
});

test("a stack is made of the table's own chips, and of the usual ones for what they leave", () => {
  const tray = [1_000, 2_500, 10_000, 50_000, 100_000];
  assert.deepEqual(chipsOf(1_000, tray), [1_000], "not two of $5");
  assert.deepEqual(chipsOf(12_000, tray), [10_000, 1_000, 1_000]);
  assert.deepEqual(chipsOf(1_550, tray), [1_000, 500, 25, 25]);
  for (const cents of [1_000, 13_500, 7, 250_000]) assert.equal(chipsOf(cents, tray).reduce((a, b) => a + b), cents);
  assert.match(stack(1_000, 54, { values: tray }), />10</);
});

test("a road too long for its columns moves left by whole columns", () => {
  const cells = [[0, 0, "B0"], [1, 0, "B0"], [0, 1, "P0"], [0, 2, "B0"], [5, 3, "B1"]];
  assert.deepEqual(shifted(cells, 4), cells);
  assert.deepEqual(shifted(cells, 2), [[0, 0, "B0"], [5, 1, "B1"]]);
  assert.deepEqual(shifted([], 3), []);
});

test("a big road draws a ring a cell, a slash for ties, their number from two, and pairs as dots", () => {
  const drawn = (mark) => sound(road("big", [[0, 0, mark]], { columns: 3, cell: 20 }));
  const bare = drawn("B0");
  assert.equal(count(bare, "<circle"), 1);
  assert.equal(count(drawn("B0"), "#38d087"), 0);
  assert.equal(count(drawn("P1"), "#38d087"), 1);
  assert.match(drawn("P3"), />3</);
  assert.equal(count(drawn("B0bp"), "<circle"), 3);
  assert.equal(count(drawn("T2"), "<circle"), 0);
  assert.match(drawn("T2"), />2</);
  assert.equal(count(drawn("B12b"), ">12<"), 1);
});

test("every kind of road is drawn empty and full, to the size of its cells", () => {
  const full = { bead: "Tbp", big: "B0p", eye: "R", small: "B", pig: "R" };
  for (const [kind, mark] of Object.entries(full)) {
    const cells = Array.from({ length: 60 }, (_, i) => [i % 6, Math.floor(i / 6), mark]);
    assert.match(sound(road(kind, cells, { columns: 7, cell: 21.5 })), /width="150.5" height="129"/);
    sound(road(kind, []));
    assert.equal(count(road(kind, cells, { columns: 10, last: true }), "#e6c274"), 1);
  }
  assert.deepEqual(Object.keys(ROAD_NAMES), Object.keys(full));
  assert.throws(() => road("other", []), /no road/);
});

test("a road says in words that it is the past, and the bead plate its newest", () => {
  assert.equal(roadLabel("bead", [[0, 0, "P"], [1, 0, "Bb"]]), "Bead plate, past results, newest Banker");
  assert.equal(roadLabel("bead", [[0, 0, "T"]], "zh-Hant"), "珠盤路，過往結果，最新 和");
  assert.equal(roadLabel("big", []), "Big road, past results, none yet");
});

test("the ring counts whole seconds, red from five, and steps for readers who want no motion", () => {
  assert.deepEqual([25_000, 24_001, 200, 0, -9].map(secondsLeft), [25, 25, 1, 0, 0]);
  assert.notEqual(ringInk(5_000), ringInk(5_001));
  assert.equal(ringInk(5_000, true), ringInk(5_001));
  assert.equal(arc(24_100, 25_000, true), arc(25_000, 25_000));
  assert.match(arc(5, 0), /^0\.0 /);
  assert.match(sound(ring(14_000, 25_000)), /role="timer" aria-label="14 seconds"/);
  assert.match(ring(900, 25_000, 60, { lang: "zh" }), /aria-label="1 秒"/);
  assert.match(sound(ring(null, 0)), /aria-hidden="true"/);
});

test("icons are silent and take the colour of the text", () => {
  for (const name of ICONS) assert.match(sound(icon(name)), /stroke="currentColor".*aria-hidden="true"/);
  assert.throws(() => icon("nothing"), /there is no icon nothing/);
  sound(logo());
});

test("Code 128 of digits: known symbols, check and width", () => {
  assert.deepEqual(symbols("1234"), [105, 12, 34, (105 + 12 + 68) % 103, 106]);
  assert.deepEqual(symbols("123"), [105, 12, 100, 19, (105 + 12 + 200 + 57) % 103, 106]);
  // Start, nine pairs, check, stop: 11 modules each and 13 for the stop, with two quiet zones of 10.
  assert.match(sound(barcode("001847362951840027")), new RegExp(`viewBox="0 0 ${11 * 11 + 13 + 20} 100"`));
  assert.throws(() => barcode("12a4"), /digits/);
});

test("a QR code is the server's squares with four of quiet around", () => {
  const drawn = sound(qr("101|010|110", 90));
  assert.match(drawn, /viewBox="0 0 11 11".*d="M4 4h1v1h-1zM6 4h1v1h-1zM5 5h1v1h-1zM4 6h2v1h-2z"/);
  assert.throws(() => qr("10|1"), /square/);
});
