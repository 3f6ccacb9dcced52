// The switch between the languages: all of them side by side, or the next one alone where there is little room. Pure.
import { html } from "./dom.js";
import { CALLED, isChinese, LANGUAGES, nextLanguage, TAGS, words } from "./words.js";

/** @import { Language } from "./words.js" */

const t = words({}); // what all screens share

/** `small` where nobody touches it. @param {Language} lang */
export const languages = (lang, { small = false } = {}) => html`<div class="seg langs${small ? " sm" : ""}" role="group"
  aria-label="${t(lang, "language")}">${LANGUAGES.map((one) => choice(one, one === lang))}</div>`;

/** @param {Language} one @param {boolean} isChosen */
const choice = (one, isChosen) => html`<button type="button" data-act="language" data-lang="${one}" lang="${TAGS[one]}"
  class="${isChinese(one) ? "cjk" : ""}" aria-label="${CALLED[one][1]}"
  aria-pressed="${String(isChosen)}">${CALLED[one][0]}</button>`;

/** The next language, as a button. @param {{ lang: Language }} state @param {string} [look] */
export function otherLanguage({ lang }, look = "btn lang") {
  const one = nextLanguage(lang);
  return html`<button type="button" class="${look} ${isChinese(one) ? "cjk" : ""}" data-key="lang" data-act="language"
    data-lang="${one}" lang="${TAGS[one]}" aria-label="${CALLED[one][1]}">${CALLED[one][0]}</button>`;
}
