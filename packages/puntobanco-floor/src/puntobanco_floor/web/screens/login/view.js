// The staff's login: name, password, what went wrong in words, who is logged in already.
import { html } from "../base/dom.js";
import { languages } from "../base/languages.js";
import { roleName, screensOf } from "../base/staffbar.js";
import { pageLanguage } from "../base/words.js";
import { enrolling } from "./enrol.js";
import { nextPath } from "./next.js";
import { t } from "./words.js";

/** @import { Begun, StaffMe } from "server" */
/** @import { Words } from "../base/words.js" */
/**
 * @typedef {{
 *   house: string, demo: boolean, me: StaffMe | null, busy: boolean, error: Words, search: string, expired: boolean,
 *   enrols: boolean, name: string, shown: string, begun: Begun | null,
 * }} State
 */

const DEMO = [
  ["dora", "dealer"], ["sam", "supervisor"], ["sue", "supervisor"],
  ["carl", "cashier"], ["otto", "auditor"], ["ada", "administrator"],
];

/** @param {State} state */
export function page(state) {
  const body = state.me ? already(state.me, state) : state.enrols ? enrolling(state) : form(state);
  return html`<main class="login" data-key="login">${head(state)}${body}</main>`;
}

/** @param {State} state */
function head({ house, demo }) {
  const title = html`<h1>${house || "puntobanco"}</h1><p class="muted">${t("Staff")}</p>`;
  return html`<header><pb-logo size="56"></pb-logo><div>${title}</div>
    ${languages(pageLanguage(), { small: true })}${demo ? html`<span class="demo">${
      t("DEMO")}</span>` : null}</header>`;
}

/** @param {State} state */
function form({ busy, error, demo, expired }) {
  return html`<form class="panel" data-act="login" data-key="form">
    ${expired ? AGAIN() : null}
    <label class="field">${t("Name")}<input id="name" name="name" autocomplete="username" autocapitalize="none"
      spellcheck="false" maxlength="64" required autofocus></label>
    <label class="field">${t("Password")}<input id="password" name="password" type="password"
      autocomplete="current-password" maxlength="200" required></label>
    ${demo ? null : ONE_TIME()}
    <p class="wrong" role="alert" data-key="wrong">${error ? wrong(error) : null}</p>
    <button type="submit" class="btn primary" ${busy ? html`disabled` : null}>${
      busy ? t("Checking…") : t("Log in")}</button>
    ${demo ? null : html`<button type="button" class="btn" data-act="code">${
      t("I have a code to enrol with")}</button>`}
  </form>
  ${demo ? hint() : null}`;
}

const ONE_TIME = () => html`<label class="field" data-key="one-time">${t("One-time code; dealers have none")}<input id="one_time"
  name="one_time" inputmode="numeric" autocomplete="one-time-code" maxlength="8"></label>`;

const AGAIN = () => html`<p class="said" data-key="again">${
  t("Log in to go on. You come back to the page you were on.")}</p>`;

const wrong = (error) => html`<pb-icon name="warn" size="20"></pb-icon><span>${error}</span>`;

const hint = () => html`<section class="panel hint" data-key="hint"><h2>${t("A demonstration")}</h2>
  <p>${t("The server printed a password for each of these where it was started. Choose a name, then type its "
    + "password. A floor for money has a second factor too.")}</p>
  <div class="names">${DEMO.map(filling)}</div></section>`;

const filling = (/** @type {string[]} */ [name, role]) => html`<button type="button" class="btn" data-act="fill"
  data-name="${name}"><b>${name}</b> <span class="muted">${roleName(role)}</span></button>`;

/** @param {StaffMe} me @param {State} state */
function already(me, { search, demo, error }) {
  const next = nextPath(search, me.role);
  const links = screensOf(me).map(({ path, name }) => html`<a class="btn" href="${path}">${name}</a>`);
  return html`<section class="panel" data-key="already">
    <p class="said">${t("You are logged in as {0}, {1}.", me.name, roleName(me.role))}</p>
    <a class="btn primary" href="${next}">${t("Go on")}</a><nav aria-label="${t("Screens")}">${links}</nav>
    <button type="button" class="btn" data-act="logout">${t("Log out")}</button></section>${
      demo ? null : changing(error)}`;
}

const changing = (/** @type {Words} */ error) => html`<form class="panel" data-act="change" data-key="change">
  <h2>${t("Your own password")}</h2>
  <label class="field">${t("Password until now")}<input id="before" name="before" type="password"
    autocomplete="current-password" maxlength="200" required></label>
  <label class="field">${t("New password")}<input id="own" name="own" type="password" autocomplete="new-password"
    minlength="10" maxlength="200"></label>
  <label class="field">${t("New PIN")}<input id="pin" name="pin" type="password" inputmode="numeric" autocomplete="off"
    maxlength="12"></label>
  <p class="wrong" role="alert" data-key="wrong">${error ? wrong(error) : null}</p>
  <button type="submit" class="btn">${t("Change, and log in again")}</button></form>`;
