// The administration drawn: tabs, the lists of the house, and the sheet or the secret above them. Pure.
import { html } from "../base/dom.js";
import { dollars, moment } from "../base/money.js";
import { may, roleName, staffbar } from "../base/staffbar.js";
import { saidHere } from "../base/words.js";
import { note, SEEN, START } from "../forms/notes.js";
import { scheduledList } from "../forms/scheduled.js";
import { found, gameOf } from "./reduce.js";
import { secret, sheet } from "./asking.js";
import { clockOf, isInPlay, numberOf, ROLE_SAYS, settingValue, standsAt, stateOf, TABS, t } from "./words.js";

/** @import { Html } from "../base/dom.js" */
/** @import { Seen, State } from "./reduce.js" */

/** @param {State} state */
export function view(state) {
  return html`${staffbar({ me: state.me, current: "admin" })}<div class="notes">${notes(state)}</div>
    <main class="w ${state.link === "lost" ? "stale" : ""}" id="main">${state.house ? page({ ...state, house: state.house }) : empty(state)}</main>
    <p class="sr" role="status" aria-live="polite">${state.said}</p>
    ${state.secret ? secret(state.secret) : state.sheet ? sheet(state, state.sheet) : null}`;
}

const empty = ({ refused }) =>
  html`<p class="panel none">${refused ? t("Not shown: {0}.", refused) : t("Asking for the house …")}</p>`;

/** @param {State} state */
function notes(state) {
  if (state.link === "lost") {
    return note("danger", "off", html`<b>${t("Not connected.")}</b>
      ${t("What you see may be old; nothing can be changed until the connection is back.")}`);
  }
  if (state.house?.stopped) {
    const text = html`<b>${t("The floor is stopped:")}</b> ${saidHere(state.house.stopped)}${t(".")}`;
    return note("warn", "stop", text, may(state.me, "start-floor") ? START() : null);
  }
  return state.trouble ? note("danger", "warn", state.trouble, SEEN()) : null;
}

/** @param {Seen} state */
function page(state) {
  const { house } = state;
  const tabs = TABS.filter(([id]) => id === "settings" || house[id]).map((each) => tab(state, each));
  const mayStop = may(state.me, "stop-floor") && !house.stopped;
  return html`<div class="head"><h1>${house.house}</h1>
    <div class="seg sm" role="group" aria-label="${t("What to administer")}">${tabs}</div>
    <span class="grow"></span>${mayStop ? ask("stop-floor", t("Stop the floor"), { kind: "danger" }) : null}</div>
    ${proposals(state)}${LISTS[shown(state)](state)}`;
}

/** The tab that was asked for, if it is one and the role may see its list. @param {Seen} state */
const shown = ({ tab: wanted, house }) =>
  (wanted === "settings" || (LISTS[wanted] && house[wanted]) ? wanted : "tables");

/** @param {Seen} state @param {string[]} tab */
function tab(state, [id, name]) {
  const count = id === "settings" ? null : html`&nbsp;<span class="dim">${state.house[id].length}</span>`;
  return html`<button type="button" data-act="tab" data-tab="${id}"
    aria-pressed="${String(shown(state) === id)}">${t(name)}${count}</button>`;
}

const ask = (sheet, text, { name = "", kind = "", label = "", off = false } = {}) => html`<button type="button"
  class="btn sm ${kind}" data-key="${sheet}" data-act="ask" data-sheet="${sheet}"
  ${name ? html`data-name="${name}"` : null} ${label ? html`aria-label="${label}"` : null}
  ${off ? html`disabled` : null}>${text}</button>`;

/** The acts of a row: buttons that say to whom or what they do it. */
const asksOf = (name, about = name) => (sheet, text, kind = "", off = false) =>
  ask(sheet, text, { name, kind, label: `${text}${t(", ")}${about}`, off });

/** @param {string} title @param {{ add?: Html | null, say?: string, body: Html }} part */
const panel = (title, { add = null, say = "", body }) => html`<section class="panel list" aria-label="${title}">
  <header><h2>${title}</h2><span class="dim small">${say}</span><span class="grow"></span>${add}</header>
  ${body}</section>`;

const list = (heads, rows) => html`<div class="scroll"><table class="t rows"><thead><tr>${heads}</tr></thead>
  <tbody>${rows}</tbody></table></div>`;

const heads = (...names) => names.map((name) => html`<th scope="col">${name}</th>`);

/** @param {Seen} state */
const search = (state, label) => html`<label class="find"><span class="sr">${label}</span><pb-icon name="search"
  size="16"></pb-icon><input class="in" type="search" data-find name="find" value="${state.filter}"
  placeholder="${label}" autocomplete="off"></label>`;

const pill = (kind, text) => html`<span class="pill ${kind}"><i class="dot"></i>${text}</span>`;
const muted = (text) => html`<span class="muted">${text}</span>`;

const ACTS = () => html`<span class="sr">${t("Acts")}</span>`;
const LISTS = { tables, staff, terminals, exclusions, settings };

/** @param {Seen} state */
function tables(state) {
  const mine = may(state.me, "open-table"), rows = state.house.tables.map((row) => tableRow(state, row, mine));
  return panel(t("Tables"), {
    say: t("limits, clock and cards change between rounds"),
    add: mine ? ask("open-table", t("Open a table"), { kind: "primary", off: !state.games }) : null,
    body: rows.length ? list(TABLE_HEADS(), rows) : html`<p class="none">${t("No table was opened yet.")}</p>`,
  });
}

const TABLE_HEADS = () => html`${heads(t("Table"), t("State"))}<th scope="col" class="r">${t("Round")}</th>
  <th scope="col" class="r">${t("Seated")}</th>${heads(t("Main wagers"), t("Clock"), ACTS())}`;

/** @param {Seen} state */
function tableRow(state, row, mine) {
  const said = stateOf(row), number = numberOf(row.table);
  return html`<tr data-key="${row.table}" class="${row.phase === "down" ? "grey" : ""}">
    <th scope="row"><b>${t("Table {0}", number)}</b><small>${titleOf(state, row.game)}</small></th>
    <td>${pill(said.kind, said.text)}${scheduledList(number, row.scheduled, mine)}</td>
    <td class="r" data-label="${t("Round")}">${row.round}</td><td class="r" data-label="${t("Seated")}">${
      row.sessions}</td>
    <td class="nowrap" data-label="${t("Main wagers")}">${mainWagers(row.limits)}</td>
    <td class="muted" data-label="${t("Clock")}">${clockOf(row)}</td>
    <td class="acts">${mine ? tableActs(state, row) : null}</td></tr>`;
}

/** @param {Seen} state @param {string} id */
function titleOf(state, id) {
  const game = gameOf(state, id);
  return game ? saidHere(game.title) : id;
}

function mainWagers(limits) {
  const main = limits?.bets.player ?? Object.values(limits?.bets ?? {})[0];
  return main ? t("{0} to {1}", dollars(main.min_cents), dollars(main.max_cents)) : "–";
}

/** @param {Seen} state */
function tableActs(state, row) {
  const of = asksOf(row.table, t("table {0}", numberOf(row.table)));
  if (row.phase === "down") return of("open-table", t("Open"), "primary");
  const start = row.closing ? t("Keep open") : t("Start");
  const run = row.halted ? of("start-table", start, "primary") : of("stop-table", t("Stop"));
  const close = of("disable-table", isInPlay(row) ? t("Close after") : t("Close"), "danger");
  const closes = row.closing && isInPlay(row);
  const unknown = !gameOf(state, row.game); // its bets are not told yet, or not at all
  return html`${of("limits", t("Limits"), "", unknown)}${of("clock", t("Clock"), "", unknown)}${
    of("cards", t("Cards"), "", unknown)}${state.house.stopped && !row.closing ? null : run}${closes ? null : close}`;
}

/** @param {Seen} state */
function staff(state) {
  const mine = may(state.me, "add-staff"), add = mine ? ask("add-staff", t("Add somebody"), { kind: "primary" }) : null;
  const rows = found(state, state.house.staff ?? []).map((person) => staffRow(state, person, mine));
  return panel(t("Staff"), {
    say: t("everybody chooses a password of one's own"), add: html`${search(state, t("Find staff"))}${add}`,
    body: list(heads(t("Name"), t("Role"), t("State"), ACTS()), rows),
  });
}

/** What waits for a second person. @param {Seen} state */
function proposals(state) {
  const rows = (state.house.proposals ?? []).map((waits) => proposalRow(waits, may(state.me, "agree"), state.me?.name));
  const body = list(heads(t("Proposal"), t("Asked by"), ACTS()), rows);
  return rows.length ? panel(t("Waits for a second person"), { body }) : null;
}

function proposalRow({ number, by, command, person, role, patron, game, digest, pays }, mine, me) {
  const of = asksOf(String(number), t("proposal {0}", number));
  const approve = by === me ? null : of("agree", t("Approve"), "primary");
  const down = of("turn-down", by === me ? t("Withdraw") : t("Turn down"), "danger");
  return html`<tr data-key="p${number}"><th scope="row"><b>${number}</b> ${t(command.replaceAll("-", " "))}
    <small>${person || patron || game} ${role ? roleName(role) : ""}</small>${game ? newGame(digest, pays) : null}</th>
    <td>${by}</td>
    <td class="acts">${mine ? html`${approve}${down}` : null}</td></tr>`;
}

/** What a second person allows: which definition, and what it pays otherwise. */
const newGame = (digest, pays) => html`<small>${t("definition {0}", digest.slice(0, 12))}</small>
  <ul class="pays">${pays.map((pay) => html`<li>${saidHere(pay.text)}</li>`)}</ul>`;

/** @param {Seen} state */
function staffRow(state, person, mine) {
  const you = person.name === state.me?.name ? html`<small>${t("you")}</small>` : null;
  return html`<tr data-key="${person.name}" class="${person.disabled ? "grey" : ""}">
    <th scope="row"><b>${person.name}</b>${you}</th>
    <td>${roleName(person.role)}<small>${t(ROLE_SAYS[person.role])}</small></td><td>${personState(person)}</td>
    <td class="acts">${mine ? staffActs(person) : null}</td></tr>`;
}

function staffActs({ name, disabled, unconfirmed }) {
  const of = asksOf(name), code = of("new-enrolment", t("New code"));
  const other = disabled ? of("enable-staff", t("Enable"), "primary") : of("disable-staff", t("Disable"), "danger");
  const confirm = unconfirmed ? of("confirm-staff", t("Confirm"), "primary") : null;
  return html`${confirm}${code}${of("change-role", t("Role"))}${other}`;
}

function personState(person) {
  if (person.disabled) return html`${pill("danger", t("Disabled"))} ${muted(person.disabled)}`;
  if (!person.enrolled) return html`${pill("info", t("To enrol"))} ${muted(t("with the code"))}`;
  if (person.locked) return html`${pill("warn", t("May log in"))} ${muted(t("wrong passwords in a row"))}`;
  if (person.unconfirmed) return html`${pill("warn", t("To be confirmed"))} ${muted(t("since the recovery"))}`;
  return pill("ok", t("May log in"));
}

/** @param {Seen} state */
function terminals(state) {
  const mine = may(state.me, "add-terminal");
  const add = mine ? ask("add-terminal", t("Add a terminal"), { kind: "primary" }) : null;
  const rows = found(state, state.house.terminals ?? []).map((device) => terminalRow(device, mine));
  return panel(t("Terminals"), {
    say: t("a code enrols one device, once, within the hour"), add: html`${search(state, t("Find terminals"))}${add}`,
    body: rows.length ? list(heads(t("Terminal"), t("Stands at"), t("State"), ACTS()), rows) : noTerminals(state),
  });
}

const noTerminals = ({ filter }) => html`<p class="none">${filter ? t("No terminal of that name.")
  : t("No terminal was added yet. Add one, and type its code at /enrol on the device.")}</p>`;

function terminalRow(device, mine) {
  return html`<tr data-key="${device.name}" class="${device.disabled ? "grey" : ""}">
    <th scope="row"><b>${device.name}</b></th><td data-label="${t("Stands at")}">${standsAt(device.table)}</td>
    <td>${deviceState(device)}</td>
    <td class="acts">${mine ? terminalActs(device) : null}</td></tr>`;
}

function terminalActs({ name, enrolled, disabled }) {
  const of = asksOf(name), code = of("new-code", enrolled ? t("Enrol anew") : t("New code"));
  return html`${of("move-terminal", t("Move"))}${code}${
    disabled ? null : of("disable-terminal", t("Disable"), "danger")}`;
}

function deviceState(device) {
  if (device.disabled) return html`${pill("danger", t("Disabled"))} ${muted(device.disabled)}`;
  if (device.enrolled) return pill("ok", t("Enrolled"));
  if (device.code_waits) return pill("info", t("Waits for its code"));
  return html`${pill("warn", t("Not enrolled"))} ${muted(t("its code is used up or too old"))}`;
}

/** @param {Seen} state */
function exclusions(state) {
  const mine = may(state.me, "exclude-patron");
  const rows = (state.house.exclusions ?? []).map((row) => exclusionRow(row, mine));
  return panel(t("Exclusions"), {
    say: t("patrons who may not play here"), add: mine ? ask("exclude", t("Exclude a patron"), { kind: "primary" })
      : null,
    body: rows.length ? list(heads(t("Patron"), t("Reason"), t("Until"), ACTS()), rows) : NOBODY(),
  });
}

const NOBODY = () => html`<p class="none"><pb-icon name="check" size="22"></pb-icon>${t("Nobody is excluded")}</p>`;

function exclusionRow({ patron, reason, until }, mine) {
  const end = mine ? ask("readmit", t("End"), { name: patron, label: t("End the exclusion of {0}", patron) }) : null;
  return html`<tr data-key="${patron}"><th scope="row"><b>${patron}</b></th>
    <td data-label="${t("Reason")}">${reason}</td><td data-label="${t("Until")}">${
      until ? moment(until) : t("for good")}</td>
    <td class="acts">${end}</td></tr>`;
}

/** @param {Seen} state */
function settings(state) {
  const columns = heads(t("Setting"), t("Value"), t("Usually"), t("May be"), t("What it does"));
  return panel(t("Settings"), {
    say: t("of this node; they change with the configuration file and a restart"),
    body: state.settings ? list(columns, state.settings.map(settingRow))
      : html`<p class="none">${t("Asking for the settings …")}</p>`,
  });
}

function settingRow({ name, value, usual, bounds, help }) {
  return html`<tr data-key="${name}"><th scope="row" class="mono">${name}</th>
    <td data-label="${t("Value")}"><b class="${value === usual ? "" : "gold"}">${settingValue(value)}</b></td>
    <td class="muted" data-label="${t("Usually")}">${settingValue(usual)}</td>
    <td class="muted" data-label="${t("May be")}" lang="en">${bounds}</td><td class="muted" lang="en">${
      help}</td></tr>`;
}
