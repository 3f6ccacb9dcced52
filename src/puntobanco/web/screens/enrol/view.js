// A device and its code: what the page says. Pure.
import { html, raw } from "../base/dom.js";

/** @typedef {{ busy: boolean, wrong: { reason: string, reason_zh: string } | null }} State */

/** @param {State} state */
export const view = ({ wrong, busy }) => html`<section class="notice"><h1><pb-logo
    size="40"></pb-logo><span>Enrol this terminal<span class="zh cjk" lang="zh-Hant">登記本終端機</span></span></h1>
  <p>The administrator has a code for this device: 12 letters and digits. It works once, for an hour.</p>
  <p class="zh-says cjk" lang="zh-Hant">管理員備有本機登記碼：12 個字母及數字，一小時內有效，只可使用一次。</p>
  <form data-act="enrol"><label class="field">Code 登記碼<input name="code" autocomplete="off"
      autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus></label>
    <button type="submit" class="btn primary" ${busy ? raw("disabled") : ""}>Enrol</button></form>
  ${wrong ? refused(wrong) : ""}
  <a class="home" href="/">All tables</a></section>`;

const refused = (why) => html`<p class="wrong" role="alert" data-key="wrong"><pb-icon name="warn"
  size="22"></pb-icon><span>${why.reason}<span class="zh cjk" lang="zh-Hant">${why.reason_zh}</span></span></p>`;
