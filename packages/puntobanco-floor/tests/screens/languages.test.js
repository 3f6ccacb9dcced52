// Three languages: every table of words has both columns, every text has its row, and pages that are drawn in Chinese
// hold no English of the screens' own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { simplified } from "../../src/puntobanco_floor/web/screens/base/hans.js";
import { inWords } from "../../src/puntobanco_floor/web/screens/base/inwords.js";
import {
  either, isLanguage, said, setLanguage, texts, words,
} from "../../src/puntobanco_floor/web/screens/base/words.js";
import { receipt, voucher } from "../../src/puntobanco_floor/web/screens/base/voucher.js";
import { page as enrolling } from "../../src/puntobanco_floor/web/screens/login/view.js";
import { view as device } from "../../src/puntobanco_floor/web/screens/enrol/view.js";
import { view as terminal } from "../../src/puntobanco_floor/web/screens/terminal/view.js";
import { betsClosed, dealt, opened, roundSettled, roundVoided, run } from "./terminal-story.js";
import { staff } from "./staff.js";

const SCREENS = fileURLToPath(new URL("../../src/puntobanco_floor/web/screens/", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));
const FILES = readdirSync(SCREENS, { recursive: true }).map(String).filter((name) => name.endsWith(".js"));
const codeOf = (name) => readFileSync(join(SCREENS, name), "utf8")
  .replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/[^\n]*/g, "$1").replace(/"\s*\+\s*"/g, "");
const HAN = /[\u4e00-\u9fff]/;

// Where a screen's texts are found by their English
const BY_ENGLISH = ["admin", "audit", "cage", "enrol", "forms", "login", "odds", "pit"];
const tableOf = async (folder) => (await import(join(SCREENS, folder, "words.js"))).WORDS;

// A row of a table of words; a text that is asked for by its English.
const ROW = /\n?\s*["']?([\w-]+)["']?: \[((?:\s*"(?:[^"\\]|\\.)*",?)+)\s*\]/g;
const ASKED = /(?<![\w.$])t\(\s*(?:[^"`()]*\? )?"((?:[^"\\]|\\.)*)"(?:\s*: "((?:[^"\\]|\\.)*)")?/g;

test("Simplified Chinese is made of the Traditional text, before names are put in", () => {
  const t = words({ open: ["Open {0}", "開啟 {0}"] });
  assert.deepEqual(["en", "zh", "zh-Hans"].map((lang) => t(lang, "open", "陳")), ["Open 陳", "開啟 陳", "开启 陳"]);
  assert.equal(said("zh-Hans", { en: "6 Star", zh: "六星免佣百家樂" }), "六星免佣百家乐");
  assert.equal(either("zh-Hans", "Log in", "登入"), "登录"); // a word that is another, not only written otherwise
  assert.deepEqual(["zh-Hans", "zh-Hant", "fr", null].map(isLanguage), [true, false, false, false]);
});

test("a staff screen's words are found by their English, in the language of the page", () => {
  const t = texts([["Table {0}", "賭枱 {0}"]]);
  const spoken = ["en", "zh", "zh-Hans"].map((lang) => { setLanguage(lang); return t("Table {0}", 3); });
  assert.deepEqual(spoken, ["Table 3", "賭枱 3", "赌桌 3"]);
  assert.equal(t("T-07"), "T-07"); // what has no row stays
  setLanguage("en");
});

test("every table of words has both columns", async () => {
  for (const folder of [...BY_ENGLISH, "base"]) {
    const table = folder === "base" ? (await import(join(SCREENS, "base/voucher.js"))).WORDS : await tableOf(folder);
    assert.ok(table.length > 4, folder);
    for (const row of table) {
      assert.equal(row.length, 2, `${folder}: ${row}`);
      assert.ok(row[0] && (HAN.test(row[1]) || /^[\s，。：；、{}\d]*$/.test(row[1])), `${folder}: ${row}`);
      const places = (text) => [...new Set(text.match(/\{\d\}/g) ?? [])].sort().join();
      assert.equal(places(row[0]), places(row[1]), `${folder}: ${row}`);
    }
    const english = table.map(([en]) => en);
    assert.deepEqual(english.filter((text, i) => english.indexOf(text) !== i), [], folder);
  }
  let keyed = 0;
  for (const name of FILES.filter((file) => /\bwords\(\{/.test(codeOf(file)))) {
    for (const [, key, row] of codeOf(name).matchAll(ROW)) {
      const columns = [...row.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text);
      assert.equal(columns.length, 2, `${name}: ${key}`);
      assert.ok(columns.every(Boolean), `${name}: ${key}`);
      keyed += 1;
    }
  }
  assert.ok(keyed > 500, String(keyed));
});

test("every text of a staff screen has its row, and every row is used", async () => {
  for (const folder of BY_ENGLISH) {
    const table = new Set((await tableOf(folder)).map(([en]) => en));
    const code = FILES.filter((name) => name.startsWith(`${folder}/`)).map(codeOf).join("\n");
    const asked = [...code.matchAll(ASKED)]
      .flatMap(([, one, other]) => [one, other]).filter(Boolean);
    assert.ok(asked.length > 4, folder);
    assert.deepEqual([...new Set(asked)].filter((text) => !table.has(text)), [], folder);
  }
});

test("no screen asks for a language but through words.js", () => {
  for (const name of FILES.filter((file) => !["base/words.js", "terminal/pays.js"].includes(file))) {
    assert.doesNotMatch(codeOf(name), /[!=]== "zh"/, name); // there are two kinds of Chinese: isChinese, either
  }
});

const PAGES = [
  "admin", "audit", "cage-count", "cage", "odds-tabs", "odds", "pit",
].map((name) => join(HERE, `${name}.test.js`));

/** What all tests of the staff's screens draw, in that language. @param {string} lang @returns {string[]} */
function drawnIn(lang) {
  const folder = mkdtempSync(join(tmpdir(), "drawn-")), file = join(folder, "pages");
  const env = { ...process.env, SPOKEN: lang, DRAWN: file, NODE_TEST_CONTEXT: "" };
  try {
    for (const page of PAGES) {
      spawnSync(process.execPath, ["--import", join(HERE, "in-another-language.js"), page], { env, stdio: "ignore" });
    }
    return readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What people read or hear of a page, piece by piece; not what is marked as English. @param {string} page */
function readable(page) {
  const marked = page.replace(/<(\w+)[^>]*\slang="en"[^>]*>[^<]*<\/\1>/g, " ");
  const plain = marked.replace(/<(code|output)\b[^>]*>[^<]*<\/\1>/g, " ");
  const heard = [...plain.matchAll(/\s(?:aria-label|aria-valuetext|title|placeholder|data-label)="([^"]*)"/g)];
  return [...plain.replace(/<[^>]*>/g, "\n").split("\n"), ...heard.map(([, text]) => text)].map((text) => text.trim());
}

// What the tests' own tables, bets and houses are called, as a server might write it
const NAMES =
  /^(Player|Banker|Tie|House|Spades|Hearts|Diamonds|Clubs|Player Pair|Banker Pair|on tie|It is|first card)$/;
const RUN = /[A-Za-z][a-z’']+(?:[ ,]+[A-Za-z][a-z’']+)+/g;

test("drawn in Chinese, no staff screen shows English of its own", () => {
  const isStaffs = (name) => BY_ENGLISH.some((folder) => name.startsWith(`${folder}/`)) || name === "base/staffbar.js";
  const own = FILES.filter(isStaffs).map(codeOf).join("\n").replace(/\s+/g, " ");
  const english = [];
  let chinese = 0;
  for (const page of drawnIn("zh")) {
    for (const text of readable(page)) {
      if (HAN.test(text)) chinese += 1;
      for (const [run_] of text.matchAll(RUN)) {
        if (own.includes(run_) && !NAMES.test(run_)) english.push(`${run_} in: ${text}`);
      }
      if (/^[A-Z][a-z]+$/.test(text) && own.includes(`"${text}"`) && !NAMES.test(text)) english.push(text);
    }
  }
  assert.ok(chinese > 3_000, String(chinese));
  assert.deepEqual([...new Set(english)], []);
});

test("drawn in Simplified Chinese, no character is Traditional", () => {
  const own = FILES.filter((name) => !name.endsWith("hans.js")).map(codeOf).join("\n");
  const wrong = drawnIn("zh-Hans").flatMap(readable).flatMap((text) => text.match(/[\u4e00-\u9fff]+/g) ?? [])
    .filter((text) => simplified(text) !== text && own.includes(text) && text !== "繁體中文");
  assert.deepEqual([...new Set(wrong)], []);
});

test("a terminal in Simplified Chinese: status, spots, seals and what is said aloud", () => {
  const settled = run(dealt("2f", "3g", "5e", "3w"), roundSettled({ result: "P0", player: 7, banker: 6 }));
  const ground = { ground: "x", title: { en: "A card was exposed", zh: "有牌曝光" }, clause: "5.1" };
  for (const state of [opened(), run(opened(), betsClosed()), settled, run(dealt("2f"), roundVoided(ground))]) {
    const all = readable(String(terminal({ ...state, lang: "zh-Hans" })));
    const seen = all.filter((text) => HAN.test(text) && text !== "繁體中文");
    assert.ok(seen.length > 20);
    assert.deepEqual(seen.filter((text) => simplified(text) !== text), []);
  }
  const felt = (/** @type {string} */ lang) => String(terminal({ ...opened(), lang }));
  assert.match(felt("zh-Hans"), /lang="zh-Hans"><bdi class="han" data-letter="P"><bdi>闲</);
  assert.match(felt("zh"), /lang="zh-Hant"><bdi class="han" data-letter="P"><bdi>閒</);
});

test("login, enrolment and paper in Chinese", () => {
  setLanguage("zh");
  const first = {
    house: "", demo: true, me: null, busy: false, error: "", search: "", expired: true, enrols: false, name: "",
    shown: "", begun: null,
  };
  const begun = { name: "dora", role: "dealer", factor: "f", secret: "ABCD", uri: "otpauth://x", qr: ["1"] };
  const pages = [
    first, { ...first, demo: false }, { ...first, me: staff("dora", "dealer"), demo: false },
    { ...first, enrols: true }, { ...first, enrols: true, begun },
  ].map((state) => String(enrolling(state)));
  pages.push(String(device({ busy: false, wrong: { en: "no", zh: "不" } })));
  const paper = {
    number: "001847220566194073", cents: 284_500, expires_at: 2e12, qr: ["1"], house: "H", demo: true, at: 1e12,
    place: "table:3", session: "T-07:9f31c7a2", seq: 12,
  };
  pages.push(String(voucher(paper)), String(voucher(paper, { duplicate: true })));
  pages.push(String(receipt({ title: "結更", house: "H", cents: 5, rows: [], demo: true })));
  for (const page of pages) {
    const english = readable(page).filter((text) => RUN.test(text) && !/CASH-OUT VOUCHER/.test(text));
    assert.deepEqual(english, []);
  }
  assert.match(pages[6], /貳仟捌佰肆拾伍元正[^]*編號 000012[^]*有效期至<br>2033年5月18日/);
  assert.deepEqual([0, 5, 10, 1_005_000, 10_000_000_000].map(inWords), [
    "零元正", "零元零伍分", "零元壹角", "壹萬零伍拾元正", "壹億元正",
  ]);
  setLanguage("zh-Hans");
  assert.equal(inWords(284_500), "贰仟捌佰肆拾伍元正");
  setLanguage("en");
});
