// The dealer's console: state in, page out.
import { html } from "../base/dom.js";
import { languages } from "../base/languages.js";
import { either, said } from "../base/words.js";
import { roleName } from "../base/staffbar.js";
import { aside } from "./aside.js";
import { entryPanel } from "./keypad.js";
import { hands, prompt } from "./prompt.js";
import { secondPerson, sheet } from "./sheets.js";
import { wizard } from "./wizard.js";
import { t } from "./words.js";

/** @import { Seen, State } from "./reduce.js" */

/** @param {State} state */
export const page = (state) => html`${screen(state)}${locking(state)}`;

/** @param {State} state */
function screen(state) {
  if (!state.number) return html`${bar(state)}${chooser(state)}`;
  if (state.unseen && !state.view) return html`${bar(state)}${notSeen(state)}`;
  const seen = /** @type {Seen} */ (state); // before the first view each part draws its empty place
  const covered = state.sheet || state.second ? html`inert` : null;
  const left = html`<div class="left" data-key="left">${prompt(seen)}${hands(seen)}${entryPanel(seen)}</div>`;
  return html`${bar(state)}<main class="wrap" data-key="main" ${covered}>${left}${aside(seen)}</main>
    ${wizard(seen)}${sheet(seen)}${secondPerson(seen)}`;
}

// Seen by the second, said once.
/** @param {State} state */
function locking({ lang, locks }) {
  const near = locks !== null;
  return html`<p class="sr" role="status" data-key="locks-said">${near ? t(lang, "locks_soon") : ""}</p>
    ${near ? html`<p class="locks" data-key="locks" role="timer"><pb-icon name="lock"
      size="20"></pb-icon>${t(lang, "locks_in", String(locks).padStart(2, "0"))}</p>` : null}`;
}

/** @param {State} state */
const notSeen = ({ lang, unseen }) => html`<main class="choose">
  <p class="refusal" role="alert">${t(lang, "not_seen", said(lang, unseen?.reason))}</p>
  <p><a class="btn" href="/staff/dealer">${t(lang, "choose_table")}</a></p></main>`;

/** @param {State} state */
function bar(state) {
  const { lang, me, view } = state, brand = html`<pb-logo size="30"></pb-logo><span>${t(lang, "console")}</span>`;
  return html`<header class="staffbar dealerbar" data-key="bar"><a class="brand" href="/staff/dealer">${brand}</a>
    ${me?.demo ? html`<span class="demo">DEMO</span>` : null}
    ${view ? where(/** @type {Seen} */ (state)) : null}
    <span class="grow"></span>
    ${me ? who(lang, me) : null}
    ${languages(lang)}
    ${me ? logout(lang) : null}</header>`;
}

/** @param {Seen} state */
function where(state) {
  const { lang, view: { table } } = state;
  const shoe = table.shoe ? html`${t(lang, "shoe_no", table.shoe)} · ` : null;
  const title = html`<b class="what">${t(lang, "table", table.number)} · ${said(lang, table.title)}</b>`;
  const shuffled = table.shuffle ? html` · <span data-shuffled>${said(lang, table.shuffle.text)}</span>` : null;
  return html`${title}<span class="muted">${shoe}${t(lang, "round", table.round)}${shuffled}</span>${phase(state)}`;
}

const who = (lang, { name, role }) => html`<span class="staff-who"><b>${name}</b>
  <span class="muted">${roleName(role, lang)}</span></span>`;

const logout = (lang) => html`<button type="button" class="btn" data-act="logout"
  data-key="logout"><pb-icon name="lock" size="18"></pb-icon>${either(lang, "Log out", "登出")}</button>`;

const KINDS = { betting: "ok", stopped: "danger", void: "danger", closed: "warn", dealing: "warn" };

/** @param {Seen} state */
function phase({ lang, view, link }) {
  if (link === "lost") {
    return html`<span class="pill danger big"><pb-icon name="wifi" size="16"></pb-icon>${t(lang, "connecting")}</span>`;
  }
  const { phase: now, closes_at: ends, betting_ms: total, dealer_closes: guide } = view.table;
  const lock = now === "closed" || now === "dealing" ? html`<pb-icon name="lock" size="15"></pb-icon>` : null;
  const calm = guide ? html` calm` : null;
  const ring = ends && total ? html`<pb-ring ends="${ends}" total="${total}" size="44"${calm}></pb-ring>` : null;
  return html`<span class="pill ${KINDS[now] ?? ""} big">${lock}${t(lang, `ph_${now}`)}</span>
    ${ring}`;
}

/** @param {State} state */
function chooser({ lang, tables, link }) {
  const body = tables ? choices(lang, tables)
    : html`<p role="status">${t(lang, link === "lost" ? "server_lost" : "connecting")}</p>`;
  return html`<main class="choose" data-key="choose"><h1>${t(lang, "choose_table")}</h1>
    ${body}</main>`;
}

// Those with a dealer's cards first.
function choices(lang, tables) {
  const last = (table) => (table.dealt_by === "dealer" ? 0 : 1);
  const own = [...tables].sort((a, b) => last(a) - last(b) || a.number - b.number);
  return html`<ul>${own.map((table) => choice(lang, table))}</ul>
      ${own.length ? null : html`<p>${t(lang, "no_tables")}</p>`}`;
}

function choice(lang, table) {
  const { number } = table;
  const [ink, cards] = table.dealt_by === "dealer" ? ["gold", "cards_dealer"] : ["", "cards_server"];
  const round = html`<span class="muted">${t(lang, `ph_${table.phase}`)} · ${t(lang, "round", table.round)}</span>`;
  return html`<li data-key="t-${number}">
    <a class="panel pickt" href="/staff/dealer/${number}"><b>${t(lang, "table", number)}</b>
      <span class="name">${said(lang, table.title)}</span>${round}
      <span class="pill ${ink}">${t(lang, cards)}</span></a></li>`;
}
