// The same words in English and Traditional Chinese, switched at any time.

/** @typedef {"en" | "zh"} Language */

/** @type {Language[]} */
export const LANGUAGES = ["en", "zh"];

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
    return (lang === "zh" ? pair[1] : pair[0]).replace(/\{(\d)\}/g, (_, n) => String(args[Number(n)] ?? ""));
  };
}

/** @type {Texts} */
export const SHARED = {
  player: ["Player", "閒"], banker: ["Banker", "莊"], tie: ["Tie", "和"],
  player_wins: ["Player wins", "閒贏"], banker_wins: ["Banker wins", "莊贏"], is_tie: ["Tie", "和局"],
  table: ["Table {0}", "賭枱 {0}"], shoe: ["Shoe {0}", "第 {0} 靴"], round: ["Round {0}", "第 {0} 局"],
  demo: ["DEMO", "示範"], place_bets: ["Place your bets", "請投注"], no_more: ["No more bets", "截止投注"],
  language: ["Language", "語言"],
};

/**
 * A text of the server's: `title` and `title_zh` side by side.
 * @param {Language} lang
 * @param {any} value
 * @param {string} field
 * @returns {string}
 */
export const said = (lang, value, field) => (lang === "zh" && value[`${field}_zh`]) || value[field];

/** With a capital: what the server says in the middle of a sentence, at the start of one. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Phrases as sentences, each with the capital and the full stop of its language: "Void. All wagers returned."
 * @param {Language} lang
 * @param {string[]} parts
 */
export function sentences(lang, ...parts) {
  const [stop, gap] = lang === "zh" ? ["。", ""] : [".", " "];
  const ended = (/** @type {string} */ part) => (/[.!?。！？]$/.test(part) ? part : `${part}${stop}`);
  return parts.filter(Boolean).map((part) => capital(ended(part))).join(gap);
}

export const TAGS = { en: "en", zh: "zh-Hant" };

/** Whether a text, such as one in an address, names a language. @returns {text is Language} */
export const isLanguage = (/** @type {unknown} */ text) => LANGUAGES.includes(/** @type {Language} */ (text));

/** The language that was chosen here last. @returns {Language} */
export function language() {
  try {
    const kept = localStorage.getItem("language");
    if (isLanguage(kept)) return kept;
  } catch { /* no storage: English */ }
  return "en";
}

/** @param {Language} lang */
export function setLanguage(lang) {
  document.documentElement.lang = TAGS[lang];
  try { localStorage.setItem("language", lang); } catch { /* it lasts as long as the page */ }
}
