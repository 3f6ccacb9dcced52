// The same words in English and Chinese, switched at any time; Simplified is made of the Traditional by base/hans.js.
import { hasHan } from "./han.js";
import { simplified } from "./hans.js";

/** @import { Words as Bilingual } from "server" */
/** @typedef {"en" | "zh" | "zh-Hans"} Language `zh` is Traditional */

/** @type {Language[]} */
export const LANGUAGES = ["en", "zh", "zh-Hans"];

/** Whether it is Chinese of either script; a tag such as `zh-Hant` too. @param {string | null} [lang] */
export const isChinese = (lang) => String(lang ?? "").toLowerCase().startsWith("zh");

/** Whether it is Simplified Chinese. @param {string | null} [lang] */
const isSimplified = (lang) => String(lang ?? "").toLowerCase() === "zh-hans";

/**
 * One of the two texts that we write, in the script that is wanted.
 * @param {string | null | undefined} lang @param {string} en @param {string} zh
 */
export function either(lang, en, zh) {
  if (!isChinese(lang)) return en;
  return isSimplified(lang) ? simplified(zh) : zh;
}

/** Chinese that stands beside English too, such as a seal: in the script of the page. */
/** @param {string} lang @param {string} zh */
export const han = (lang, zh) => (isSimplified(lang) ? simplified(zh) : zh);

/** The tag of Chinese that stands on this page. @param {string} lang */
export const hanTag = (lang) => (isSimplified(lang) ? "zh-Hans" : "zh-Hant");

/**
 * What a state holds to be said: a function makes it when it is drawn, in the language that the page then has.
 * @typedef {string | (() => string)} Words
 */

/** @typedef {Record<string, string[]>} Texts */

/**
 * words({open: ["Open {0}", "開 {0}"]}) -> t(lang, "open", 3)
 * @param {Texts} table
 * @returns {(lang: Language, key: string, ...args: unknown[]) => string}
 */
export function words(table) {
  return (lang, key, ...args) => {
    const pair = table[key] || SHARED[key];
    if (!pair) return key;
    return filled(either(lang, pair[0], pair[1]), args);
  };
}

/** @type {Language} */
let spoken = "en"; // by this page; a staff screen speaks one language at a time, as its clocks have one zone

/** The language of this page, once it is set. */
export const pageLanguage = () => spoken;

/**
 * A staff screen's words, by their English: texts([["Open {0}", "開啟 {0}"]]) -> t("Open {0}", 3). What has no row stays
 * as it is: a name, or a text that the server wrote.
 * @param {string[][]} rows
 * @returns {(english: string, ...args: unknown[]) => string}
 */
export function texts(rows) {
  const chinese = new Map(rows.map(([en, zh]) => [en, zh]));
  return (english, ...args) =>
    filled(either(spoken, english, chinese.get(english) ?? english), args);
}

/** @param {string} text @param {unknown[]} args */
const filled = (text, args) => text.replace(/\{(\d)\}/g, (_, n) => String(args[Number(n)] ?? ""));

/** @type {Texts} */
export const SHARED = {
  player: ["Player", "閒"], banker: ["Banker", "莊"], tie: ["Tie", "和"],
  player_wins: ["Player wins", "閒贏"], banker_wins: ["Banker wins", "莊贏"], is_tie: ["Tie", "和局"],
  table: ["Table {0}", "賭枱 {0}"], shoe: ["Shoe {0}", "第 {0} 靴"], round: ["Round {0}", "第 {0} 局"],
  demo: ["DEMO", "示範"], place_bets: ["Place your bets", "請投注"], no_more: ["No more bets", "截止投注"],
  language: ["Language", "語言"],
};

/** A text of the server's; empty where there is none. @param {Language} lang @param {Bilingual | null} [text] */
export const said = (lang, text) => (text ? either(lang, text.en, text.zh) : "");

/** The same in the language of this page. @param {Bilingual | null} [text] */
export const saidHere = (text) => said(spoken, text);

/** A text of one language in place of one of the server's. @param {string} text @returns {Bilingual} */
export const alike = (text) => ({ en: text, zh: text });

/** With a capital: what the server says in the middle of a sentence, at the start of one. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Phrases as sentences, each with the capital and the full stop of its language: "Void. All wagers returned."
 * @param {Language} lang
 * @param {string[]} parts
 */
export function sentences(lang, ...parts) {
  const [stop, gap] = isChinese(lang) ? ["。", ""] : [".", " "];
  const ended = (/** @type {string} */ part) => (/[.!?。！？]$/.test(part) ? part : `${part}${stop}`);
  return parts.filter(Boolean).map((part) => capital(ended(part))).join(gap);
}

export const TAGS = { en: "en", zh: "zh-Hant", "zh-Hans": "zh-Hans" };

/** What a switch shows of each language, and how that language calls itself. */
export const CALLED = { en: ["EN", "English"], zh: ["繁", "繁體中文"], "zh-Hans": ["简", "简体中文"] };

/** The language that a key or a lone button goes on to. @param {Language} lang @returns {Language} */
export const nextLanguage = (lang) => LANGUAGES[(LANGUAGES.indexOf(lang) + 1) % LANGUAGES.length];

/** Whether a text, such as one in an address, names a language. @returns {text is Language} */
export const isLanguage = (/** @type {unknown} */ text) => LANGUAGES.includes(/** @type {Language} */ (text));

/** The first language of the browser that the screens speak. @returns {Language} */
export const browserLanguage = () => writable(ofBrowser());

/** @returns {Language} */
const ofBrowser = () => (globalThis.navigator?.languages ?? []).map(spokenHere).find(isLanguage) ?? "en";

/** zh-SG and zh-CN are written in Simplified characters, zh-HK and zh-TW in Traditional ones. @param {string} tag */
function spokenHere(tag) {
  if (!isChinese(tag)) return tag.toLowerCase().split("-")[0]; // without the browser's tables of all languages
  try {
    const { language: tongue, script } = new Intl.Locale(tag).maximize();
    return tongue === "zh" && script === "Hans" ? "zh-Hans" : tongue;
  } catch {
    return ""; // no tag of a language
  }
}

/** What this device can write. @param {Language} lang @returns {Language} */
const writable = (lang) => (lang === "en" || hasHan() ? lang : "en");

/** @type {Language | undefined} */
let first;

/** The language to begin with, were it one that this device can write. @returns {Language} */
export const wanted = () => first ?? "en";

/** The language that was chosen here last, else the browser's. @returns {Language} */
export function language() {
  const lang = chosen();
  first ??= lang;
  return writable(lang);
}

/** @returns {Language} */
function chosen() {
  try {
    const kept = localStorage.getItem("language");
    if (isLanguage(kept)) return kept;
  } catch { /* no storage: the browser's */ }
  return ofBrowser();
}

/** @param {Language} lang */
export function setLanguage(lang) {
  const isOther = spoken !== lang;
  spoken = lang;
  if (!globalThis.document) return; // no page: a test
  document.documentElement.lang = TAGS[lang];
  if (isOther) globalThis.dispatchEvent(new Event("languagechange")); // whoever has drawn texts draws them again
  try { localStorage.setItem("language", lang); } catch { /* it lasts as long as the page */ }
}
