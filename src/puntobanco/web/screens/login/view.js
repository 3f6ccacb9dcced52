// The staff's login: name, password, what went wrong in words, who is logged in already.
import { html } from "../base/dom.js";
import { roleName, screensOf } from "../base/staffbar.js";
import { nextPath } from "./next.js";

const DEMO = [["dora", "dealer"], ["sam", "supervisor"], ["sue", "supervisor"], ["carl", "cashier"], ["otto", "auditor"], ["ada", "administrator"]];

export const page = (state) => html`<main class="login" data-key="login"><header><pb-logo size="56"></pb-logo><div><h1>${state.house || "puntobanco"}</h1><p class="muted">Staff</p></div>
  ${state.demo ? html`<span class="demo">DEMO</span>` : null}</header>${state.me ? already(state) : form(state)}</main>`;

function form({ busy, error, demo, expired }) {
  return html`<form class="panel" data-act="login" data-key="form">
    ${expired ? html`<p class="said" data-key="again">Log in to go on. You come back to the page you were on.</p>` : null}
    <label class="field">Name<input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required autofocus></label>
    <label class="field">Password<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required></label>
    <p class="wrong" role="alert" data-key="wrong">${error ? html`<pb-icon name="warn" size="20"></pb-icon><span>${error}</span>` : null}</p>
    <button type="submit" class="btn primary" ${busy ? html`disabled` : null}>${busy ? "Checking…" : "Log in"}</button>
  </form>
  ${demo ? html`<section class="panel hint" data-key="hint"><h2>A demonstration</h2><p>The server printed a password for each of these where it was started. Choose a name, then type its password.</p>
    <div class="names">${DEMO.map(([name, role]) => html`<button type="button" class="btn" data-act="fill" data-name="${name}"><b>${name}</b> <span class="muted">${roleName(role)}</span></button>`)}</div></section>` : null}`;
}

function already({ me, search }) {
  const next = nextPath(search, me.role);
  return html`<section class="panel" data-key="already"><p class="said">You are logged in as <b>${me.name}</b>, ${roleName(me.role)}.</p>
    <a class="btn primary" href="${next}">Go on</a><nav aria-label="Screens">${screensOf(me).map((screen) => html`<a class="btn" href="${screen.path}">${screen.name}</a>`)}</nav>
    <button type="button" class="btn" data-act="logout">Log out</button></section>`;
}
