// The owner of an account enrols: the code that two people gave out, or the first password; then a password of one's
// own, and the app for one-time codes where the role has a second factor. Pure.
import { html } from "../base/dom.js";
import { t } from "./words.js";

/** @import { Begun } from "server" */
/** @import { Words } from "../base/words.js" */
/** @import { State } from "./view.js" */

/** @param {State} state */
export const enrolling = (state) => (state.begun ? choosing(state, state.begun) : showing(state));

/** @param {State} state */
const showing = ({ busy, error, name }) => html`<form class="panel" data-act="begin" data-key="begin">
  <p class="said">${t("Type the code that two people have given you, both parts of it; or the first password.")}</p>
  <label class="field">${t("Name")}<input id="name" name="name" autocomplete="username" autocapitalize="none"
    spellcheck="false" maxlength="64" required value="${name}"></label>
  <label class="field">${t("Code")}<input id="shown" name="shown" autocomplete="off" autocapitalize="characters"
    spellcheck="false" maxlength="200" required></label>
  ${wrong(error)}
  <button type="submit" class="btn primary" ${busy ? html`disabled` : null}>${t("Go on")}</button>
  <button type="button" class="btn" data-act="back">${t("Back to the login")}</button></form>`;

/** @param {State} state @param {Begun} begun */
const choosing = ({ busy, error }, begun) => html`<form class="panel" data-act="enrol" data-key="enrol">
  <p class="said">${t("Choose a password of your own, {0}. Nobody else knows it.", begun.name)}</p>
  <label class="field">${t("Your own password")}<input id="own" name="own" type="password" autocomplete="new-password"
    minlength="10" maxlength="200" required></label>
  <label class="field">${t("A PIN, to confirm decisions with; you may leave it out")}<input id="pin" name="pin" type="password"
    inputmode="numeric" autocomplete="off" maxlength="12"></label>
  ${begun.factor ? factor(begun) : null}
  ${wrong(error)}
  <button type="submit" class="btn primary" ${busy ? html`disabled` : null}>${t("Enrol")}</button></form>`;

/** @param {Begun} begun */
const factor = ({ secret, uri, qr }) => html`<p class="said">${
  t("Scan this with an app for one-time codes on your telephone, or")}
    <a href="${uri}">${t("open the app on this device")}</a>${t(", or type:")} <b class="mono">${secret}</b></p>
  <pb-qr class="qr" rows="${qr.join("|")}" size="190" label="${t("QR code of the second factor")}"></pb-qr>
  <label class="field">${t("The code that it shows now")}<input id="one_time" name="one_time" inputmode="numeric"
    autocomplete="one-time-code" maxlength="8" required></label>`;

const wrong = (/** @type {Words} */ error) => html`<p class="wrong" role="alert" data-key="wrong">${
  error ? html`<pb-icon name="warn" size="20"></pb-icon><span>${error}</span>` : null}</p>`;
