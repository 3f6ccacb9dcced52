// The dealer's console: state in, page out.
import { html } from "../base/dom.js";
import { said } from "../base/words.js";
import { roleName } from "../base/staffbar.js";
import { aside } from "./aside.js";
import { entryPanel } from "./keypad.js";
import { hands, prompt } from "./prompt.js";
import { secondPerson, sheet } from "./sheets.js";
import { wizard } from "./wizard.js";
import { t } from "./words.js";

export function page(state) {
  if (!state.number) return html`${bar(state)}${chooser(state)}`;
  if (state.unseen && !state.view) return html`${bar(state)}<main class="choose"><p class="refusal" role="alert">${t(state.lang, "not_seen", state.unseen)}</p><p><a class="btn" href="/staff/dealer">${t(state.lang, "choose_table")}</a></p></main>`;
  const covered = ["irregularity", "stopped"].includes(state.sheet?.name) || state.sheet || state.second ? html`inert` : null;
  return html`${bar(state)}<main class="wrap" data-key="main" ${covered}><div class="left" data-key="left">${prompt(state)}${hands(state)}${entryPanel(state)}</div>${aside(state)}</main>
    ${wizard(state)}${sheet(state)}${secondPerson(state)}`;
}

function bar(state) {
  const { lang, me, view } = state, table = view?.table;
  return html`<header class="staffbar dealerbar" data-key="bar"><a class="brand" href="/staff/dealer"><pb-logo size="30"></pb-logo><span>${t(lang, "console")}</span></a>
    ${me?.demo ? html`<span class="demo">DEMO</span>` : null}
    ${table ? html`<b class="what">${t(lang, "table", table.number)} · ${said(lang, table, "title")}</b><span class="muted">${table.shoe ? html`${t(lang, "shoe_no", table.shoe)} · ` : null}${t(lang, "round", table.round)}</span>${phase(state)}` : null}
    <span class="grow"></span>
    ${me ? html`<span class="staff-who"><b>${me.name}</b> <span class="muted">${roleName(me.role, lang)}</span></span>` : null}
    <button type="button" class="btn" data-act="lang" data-key="lang" lang="${lang === "zh" ? "en" : "zh-Hant"}">${t(lang, "other_lang")}</button>
    ${me ? html`<button type="button" class="btn" data-act="logout" data-key="logout"><pb-icon name="lock" size="18"></pb-icon>${lang === "zh" ? "登出" : "Log out"}</button>` : null}</header>`;
}

function phase({ lang, view, link }) {
  const { table } = view, kind = { betting: "ok", stopped: "danger", void: "danger", closed: "warn", dealing: "warn" }[table.phase] ?? "";
  if (link === "lost") return html`<span class="pill danger big"><pb-icon name="wifi" size="16"></pb-icon>${t(lang, "connecting")}</span>`;
  return html`<span class="pill ${kind} big">${table.phase === "closed" || table.phase === "dealing" ? html`<pb-icon name="lock" size="15"></pb-icon>` : null}${t(lang, `ph_${table.phase}`)}</span>
    ${table.closes_at && table.betting_ms ? html`<pb-ring ends="${table.closes_at}" total="${table.betting_ms}" size="44"></pb-ring>` : null}`;
}

function chooser({ lang, tables, link }) {
  const own = [...(tables ?? [])].sort((a, b) => (a.dealt_by === "dealer" ? 0 : 1) - (b.dealt_by === "dealer" ? 0 : 1) || a.number - b.number);
  return html`<main class="choose" data-key="choose"><h1>${t(lang, "choose_table")}</h1>
    ${tables ? html`<ul>${own.map((table) => html`<li data-key="t-${table.number}"><a class="panel pickt" href="/staff/dealer/${table.number}"><b>${t(lang, "table", table.number)}</b>
      <span class="name">${said(lang, table, "title")}</span><span class="muted">${t(lang, `ph_${table.phase}`)} · ${t(lang, "round", table.round)}</span>
      <span class="pill ${table.dealt_by === "dealer" ? "gold" : ""}">${t(lang, table.dealt_by === "dealer" ? "cards_dealer" : "cards_server")}</span></a></li>`)}</ul>
      ${own.length ? null : html`<p>${t(lang, "no_tables")}</p>`}` : html`<p role="status">${t(lang, link === "lost" ? "server_lost" : "connecting")}</p>`}</main>`;
}
