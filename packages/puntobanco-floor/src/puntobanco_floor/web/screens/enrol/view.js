// A device and its code: what the page says. Pure.
import { html, raw } from "../base/dom.js";
import { languages } from "../base/languages.js";
import { pageLanguage, saidHere } from "../base/words.js";
import { t } from "./words.js";

/** @import { Words as Bilingual } from "server" */
/** @typedef {{ busy: boolean, wrong: Bilingual | null }} State */

/** @param {State} state */
export const view = ({ wrong, busy }) => html`<section class="notice"><h1><pb-logo
    size="40"></pb-logo><span>${t("Enrol this terminal")}</span></h1>${languages(pageLanguage())}
  <p>${t("The administrator has a code for this device: 12 letters and digits. It works once, for an hour.")}</p>
  <form data-act="enrol"><label class="field">${t("Code")}<input name="code" autocomplete="off"
      autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus></label>
    <button type="submit" class="btn primary" ${busy ? raw("disabled") : ""}>${t("Enrol")}</button></form>
  ${wrong ? refused(wrong) : ""}
  <a class="home" href="/">${t("All tables")}</a></section>`;

const refused = (why) => html`<p class="wrong" role="alert" data-key="wrong"><pb-icon name="warn"
  size="22"></pb-icon><span>${saidHere(why)}</span></p>`;
