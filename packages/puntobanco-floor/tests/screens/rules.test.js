// The rules as every screen draws them: a place for each clause, both languages, and chips that lead there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { languages, otherLanguage } from "../../src/puntobanco_floor/web/screens/base/languages.js";
import {
  cited, clauseChip, clauseId, clauseMark, isListed, rulesPage,
} from "../../src/puntobanco_floor/web/screens/base/rules.js";
import { page, pageTitle } from "../../src/puntobanco_floor/web/screens/rules/view.js";

const RULES = {
  game: "six-star", title: { en: "6 Star", zh: "六星" }, heading: { en: "Rules as of 2017", zh: "規則生效日期 2017" },
  sections: [
    { title: { en: "Table of play", zh: "補牌規則" }, columns: [{ en: "When", zh: "情況" }], rows: [
      { cells: [{ en: "Player has 0-5", zh: "閒 0-5" }], clause: "3.9.2" },
      { cells: [{ en: "again", zh: "又" }], clause: "3.9.2" },
    ] },
    { title: { en: "How we read the rules", zh: "規則詮釋" }, columns: [{ en: "Rule", zh: "規則" }], rows: [
      { cells: [{ en: "One bonus.", zh: "一次。" }], clause: "reading 1" },
    ] },
  ],
  voucher_days: 30,
};
const count = (text, part) => String(text).split(part).length - 1;

test("each clause has one place; the lines of the one asked for are marked, the first can have the focus", () => {
  const text = String(rulesPage("en", RULES, "3.9.2"));
  assert.equal(count(text, 'id="clause-3-9-2"'), 1);
  assert.equal(count(text, 'class="here"'), 2);
  assert.equal(count(text, '<tr id="clause-3-9-2" class="here" tabindex="-1">'), 1);
  assert.equal(clauseId("1:super-six-plus"), "clause-1-super-six-plus");
});

test("a clause opens the rule's own words, not the line of a bet that pays by it", () => {
  const pays = { title: { en: "Bets", zh: "投注" }, columns: [{ en: "Bet", zh: "投注" }, { en: "Pays", zh: "賠率" }], rows: [
    { cells: [{ en: "Player", zh: "閒" }, { en: "1 to 1", zh: "1 賠 1" }], clause: "3.10" },
    { cells: [{ en: "Tie", zh: "和" }, { en: "8 to 1", zh: "1 賠 8" }], clause: "4.1" },
  ] };
  const round = { title: { en: "The round", zh: "牌局" }, columns: [{ en: "Rule", zh: "規則" }], rows: [
    { cells: [{ en: "The higher total wins", zh: "點數較高者勝" }], clause: "3.10" },
  ] };
  const both = { ...RULES, sections: [pays, round] }, text = String(rulesPage("en", both, "3.10"));
  assert.equal(count(text, 'class="here"'), 1);
  assert.match(text, /<tr id="clause-3-10" class="here" tabindex="-1"><td>The higher total wins/);
  assert.match(String(rulesPage("en", both, "4.1")), /<tr id="clause-4-1" class="here" tabindex="-1"><td>Tie/);
});

test("a clause that the page does not have marks nothing and breaks nothing", () => {
  assert.doesNotMatch(String(rulesPage("en", RULES, "reading 42")), /here"/);
  assert.deepEqual(["3.9.2", "reading 1", "reading 42", ""].map((c) => isListed(RULES, c)),
    [true, true, false, false]);
});

test("in Chinese everything is Chinese, citations too", () => {
  const text = String(rulesPage("zh", RULES));
  for (const part of ["補牌規則", "閒 0-5", "條款", "詮釋 1"]) assert.ok(text.includes(part), part);
  assert.deepEqual(["house", "1:tie", "3.9:table", "reading 21", "H1"].map((c) => cited("zh", c)),
    ["本場", "1 和局", "3.9 補牌規則", "本場程序 21", "H1"]);
});

test("a chip is a button whose label holds its words, with its clause and table; without one there is none", () => {
  const chip = String(clauseChip("en", "5.2", { text: "clause 5.2", table: 6, game: "rapid" }));
  assert.match(chip, /^<button type="button" class="clause" data-act="clause" data-clause="5\.2" data-table="6" /);
  assert.match(chip, /aria-label="clause 5\.2, read the rules">clause 5\.2<\/button>$/);
  assert.equal(String(clauseChip("en", "")), "");
  assert.equal(String(clauseMark("")), "");
  assert.equal(String(clauseChip("en", "5.2", { off: true })), '<span class="clause">5.2</span>');
  assert.match(String(clauseMark("<b>", { table: 2 })), /^<span class="clause" .*data-table="2">&lt;b&gt;<\/span>$/);
});

test("a page of its own: title, rules, ways on; while it is asked for, or not to be had, it says so", () => {
  const state = { lang: "en", number: 6, clause: "", rules: RULES, wrong: null };
  const text = String(page(state));
  for (const part of ["6 Star", "Table 6", '"/tables/6"', 'data-act="print"']) assert.ok(text.includes(part), part);
  assert.equal(pageTitle(state), "6 Star · Rules · Table 6");
  assert.match(String(page({ ...state, lang: "zh" })), /<h1>六星<\/h1>[^]*規則 · 賭枱 6/);
  assert.match(String(page({ ...state, rules: null })), /role="status"[^]*Loading/);
  const wrong = { reason: { en: "There is no table 6", zh: "沒有賭枱 6" } };
  assert.match(String(page({ ...state, rules: null, wrong })), /role="alert"[^]*no table 6/);
  assert.match(String(page({ ...state, rules: null, wrong, lang: "zh" })), /role="alert"[^>]*>沒有賭枱 6</);
});

test("one switch for the languages, small where nobody touches it", () => {
  assert.match(String(languages("zh")), /^<div class="seg langs" [^]*data-lang="zh"[^>]*aria-pressed="true">繁</);
  assert.match(String(languages("zh-Hans")), /data-lang="zh-Hans" lang="zh-Hans"[^>]*aria-pressed="true">简</);
  assert.match(String(languages("en", { small: true })), /^<div class="seg langs sm" /);
  assert.match(String(otherLanguage({ lang: "zh" })), /data-lang="zh-Hans"[^>]*aria-label="简体中文"/);
});
