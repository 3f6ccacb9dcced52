// Seals: a Chinese character that stands for a side or a star, and the letter in its place where no font has it.
import { html } from "../base/dom.js";
import { han } from "../base/words.js";

const LETTERS = { 莊: "B", 閒: "P", 和: "T", 壽: "S", 祿: "L", 福: "F" };

/** @param {string} zh */
export const letterOf = (zh) => LETTERS[zh] ?? "";

/** Whether the page was found unable to write Chinese (`base/han.js`). */
const isBare = () => globalThis.document?.documentElement.dataset.han === "none";

/** For SVG text. @param {string} zh */
export const sealText = (zh) => (isBare() ? letterOf(zh) : zh);

/** For a page, in its script: the style sheet shows one of the two. @param {string} zh */
export const seal = (zh, lang = "") =>
  html`<bdi class="han" data-letter="${letterOf(zh)}"><bdi>${han(lang, zh)}</bdi></bdi>`;
