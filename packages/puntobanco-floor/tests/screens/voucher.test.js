// The voucher: the amount in words, the number in groups, and what a duplicate does not print.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords } from "../../src/puntobanco_floor/web/screens/base/inwords.js";
import {
  grouped, masked, place, receipt, terminalOf, voucher,
} from "../../src/puntobanco_floor/web/screens/base/voucher.js";

test("an amount is said in words", () => {
  for (const [cents, words] of [
    [0, "No dollars and no cents"],
    [1, "No dollars and one cent"],
    [100, "One dollar and no cents"],
    [1_113, "Eleven dollars and thirteen cents"],
    [2_199, "Twenty-one dollars and ninety-nine cents"],
    [10_000, "One hundred dollars and no cents"],
    [284_500, "Two thousand eight hundred forty-five dollars and no cents"],
    [100_000_050, "One million dollars and fifty cents"],
    [100_000_100, "One million one dollars and no cents"],
    [123_456_789_000, "One billion two hundred thirty-four million five hundred sixty-seven thousand "
      + "eight hundred ninety dollars and no cents"],
  ]) assert.equal(inWords(cents), words);
});

test("what is no amount has no words", () => {
  for (const wrong of [-1, 1.5, NaN, 2 ** 60]) assert.throws(() => inWords(wrong), RangeError);
});

test("numbers, places and terminals as people read them", () => {
  assert.equal(grouped("001847220566194073"), "00-1847-2205-6619-4073");
  assert.equal(grouped("0018472", " "), "00 1847 2");
  assert.equal(grouped(""), "");
  assert.equal(masked("001847220566194073"), "••-••••-••••-••••-4073");
  assert.equal(place("table:3"), "Table 3");
  assert.equal(place("cage:2"), "Cage window 2");
  assert.equal(place(""), "");
  assert.equal(terminalOf("T-07:9f31"), "T-07");
  assert.equal(terminalOf("g8a1"), "");
});

const PAPER = {
  number: "001847220566194073", shown: "001847 220566 194073", cents: 284_500, qr: ["101", "010", "111"],
  at: Date.UTC(2026, 10, 15, 12, 44, 10), expires_at: Date.UTC(2026, 11, 14, 12),
  house: "Marina <Bay>", demo: true, place: "table:3", session: "T-07:9f", seq: 4127,
};

test("a voucher prints its number in text, in both codes and on both edges", () => {
  const text = String(voucher(PAPER));
  assert.equal(text.split("00-1847-2205-6619-4073").length - 1, 2); // text and right edge
  assert.match(text, /VOUCHER 004127/);
  assert.match(text, /<pb-barcode digits="001847220566194073">/);
  assert.match(text, /<pb-qr rows="101\|010\|111">/);
  assert.match(text, /\$2,845\.00/);
  assert.match(text, /Two thousand eight hundred forty-five dollars and no cents/);
  assert.match(text, /Table 3 · Terminal T-07/);
  assert.match(text, /14 Dec 2026/);
  assert.match(text, /DEMO: play credits/);
  assert.match(text, /Marina &lt;Bay&gt;/);
  assert.doesNotMatch(text, /DUPLICATE/);
});

test("a duplicate says so and gives nobody the number", () => {
  const text = String(voucher(PAPER, { duplicate: true }));
  assert.match(text, /DUPLICATE/);
  assert.doesNotMatch(text, /001847220566194073|1847-2205|pb-barcode|pb-qr/);
});

test("a receipt has what it is given", () => {
  const paid = { title: "VOUCHER PAID", house: "Demo", cents: 5, rows: [["Window", "2"]], demo: false };
  const text = String(receipt(paid));
  assert.match(text, /VOUCHER PAID/);
  assert.match(text, /\$0\.05/);
  assert.match(text, /<dt>Window<\/dt><dd>2<\/dd>/);
});
