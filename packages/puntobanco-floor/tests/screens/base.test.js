// What all screens share: escaping, money, words. `patch` is tested in a browser.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { html, raw } from "../../src/puntobanco_floor/web/screens/base/dom.js";
import {
  cents, count, day, dollars, elapsed, moment, money, setZone, signed, time,
} from "../../src/puntobanco_floor/web/screens/base/money.js";
import { moment as paperMoment } from "../../src/puntobanco_floor/web/screens/base/voucher.js";
import { browserLanguage, SHARED, said, words } from "../../src/puntobanco_floor/web/screens/base/words.js";

test("whatever is put into html is text, wherever it stands", () => {
  const evil = `<img src=x onerror="alert('1')">&`;
  const harmless = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;";
  const out = String(html`<b title="${evil}">${evil}</b>`);
  assert.equal(out, `<b title="${harmless}">${harmless}</b>`);
});

test("html within html stays, lists are joined, nothing is nothing, zero is zero", () => {
  assert.equal(String(html`<ul>${[1, 2].map((n) => html`<li>${n}</li>`)}</ul>`), "<ul><li>1</li><li>2</li></ul>");
  assert.equal(String(html`${null}${undefined}${false}${true}${0}${""}`), "0");
  assert.equal(String(html`${raw("<svg></svg>")}${"<svg>"}`), "<svg></svg>&lt;svg&gt;");
});

test("money is cents, grouped, with a true minus", () => {
  assert.equal(money(123456789), "$1,234,567.89");
  assert.equal(money(-5), "\u2212$0.05");
  assert.equal(money(0), "$0.00");
  assert.equal(dollars(20000), "$200");
  assert.equal(dollars(1250), "$12.50");
  assert.equal(dollars(100000000), "$1,000,000");
  assert.equal(signed(41000), "+$410.00");
  assert.equal(signed(-41000), "\u2212$410.00");
  assert.equal(signed(0), "$0.00");
  assert.equal(count(1234567), "1,234,567");
  assert.equal(elapsed(47 * 60000 + 59999), "0:47");
  assert.equal(elapsed(-5), "0:00");
});

test("an amount that people type is cents or nothing", () => {
  const table = { "1": 100, "1.5": 150, "1,234.50": 123450, "$20": 2000, " 7 ": 700, "0.01": 1, "1234567": 123456700 };
  for (const [text, expected] of Object.entries(table)) assert.equal(cents(text), expected, text);
  const wrong = ["", ".", "1.", "1.234", "-1", "1e3", "1,23", "12,3456", "x", "１", "1 000", "9999999999999"];
  for (const text of wrong) assert.equal(cents(text), null, text);
});

test("words of every key are there in both languages, with the same places to fill", () => {
  for (const [key, [en, zh]] of Object.entries(SHARED)) {
    assert.deepEqual((en.match(/\{\d\}/g) || []).sort(), (zh.match(/\{\d\}/g) || []).sort(), key);
  }
  const t = words({ own: ["{1} before {0}", "{0} 後於 {1}"] });
  assert.equal(t("en", "own", "a", 0), "0 before a");
  assert.equal(t("zh", "own", "a", "b"), "a 後於 b");
  assert.equal(t("zh", "player"), "閒");
  assert.equal(said("zh", { en: "Tie", zh: "和" }), "和");
  assert.equal(said("zh", null), "");
});

const SCREENS = new URL("../../src/puntobanco_floor/web/screens/", import.meta.url);
const sources = () => readdirSync(SCREENS, { recursive: true }).filter((name) => name.endsWith(".js"))
  .map((name) => [name, readFileSync(new URL(name, SCREENS), "utf8")]);

test("Enter presses what a form is for: every button says its type, and a form has one that it is sent by", () => {
  for (const [name, text] of sources()) {
    const buttons = [...text.matchAll(/<button\b([^>]*)/g)].map(([, attributes]) => attributes);
    for (const one of buttons) assert.match(one, /\btype="(button|submit)"/, `${name}: <button${one}`);
    const forms = text.match(/<form\b/g)?.length ?? 0;
    const sent = buttons.filter((attributes) => attributes.includes('type="submit"'));
    assert.ok(sent.length <= forms, `${name}: ${sent.length} buttons send ${forms} forms`);
    for (const attributes of sent) assert.doesNotMatch(attributes, /reject|refuse/i, name);
  }
});

test("times are those of the house's clocks, with a date, wherever the device is", () => {
  const ms = Date.UTC(2026, 10, 16, 23, 5, 7);
  setZone("Asia/Singapore");
  assert.deepEqual([time(ms), day(ms), moment(ms)], ["07:05:07", "2026-11-17", "2026-11-17 07:05:07"]);
  assert.equal(paperMoment(ms), "17 Nov 2026 07:05:07");
  setZone("America/New_York");
  assert.deepEqual([time(ms), day(ms)], ["18:05:07", "2026-11-16"]);
  setZone("Nowhere/At-all"); // as the device has it
  assert.match(moment(ms), /^2026-11-1[67] \d\d:05:07$/);
  setZone();
});

test("the browser's language is the first that the screens speak", () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const speaks = (...languages) => {
    Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
    return browserLanguage();
  };
  assert.deepEqual([speaks("zh-HK", "en"), speaks("fr", "zh-TW"), speaks("fr"), speaks()], ["zh", "zh", "en", "en"]);
  assert.deepEqual(["zh-CN", "zh-SG", "zh-Hans-MY", "zh"].map((tag) => speaks(tag)), Array(4).fill("zh-Hans"));
  assert.deepEqual(["zh-Hant-SG", "zh-MO", "zh-hk"].map((tag) => speaks(tag)), ["zh", "zh", "zh"]);
  assert.equal(speaks("_", "en-SG"), "en");
  if (before) Object.defineProperty(globalThis, "navigator", before);
});
