// The switch between the two languages, as patrons' screens have it; `small` where nobody touches it.
import { html } from "./dom.js";
import { words } from "./words.js";

/** @import { Language } from "./words.js" */

const t = words({}); // what all screens share

/** @param {Language} lang */
export const languages = (lang, { small = false } = {}) => html`<div class="seg${small ? " sm" : ""}" role="group"
  aria-label="${t(lang, "language")}"><button type="button" data-act="language" data-lang="en" lang="en"
  aria-pressed="${String(lang === "en")}">EN</button><button type="button" data-act="language" data-lang="zh"
  lang="zh-Hant" class="cjk" aria-pressed="${String(lang === "zh")}">中文</button></div>`;
