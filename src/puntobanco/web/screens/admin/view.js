// The administration drawn: tabs, the lists of the house, and the sheet or the secret above them. Pure.
import { html } from "../base/dom.js";
import { dollars, moment } from "../base/money.js";
import { staffbar } from "../base/staffbar.js";
import { jobsOf, saysOf } from "./later.js";
import { found, gameOf } from "./reduce.js";
import { secret, sheet } from "./asking.js";
import { clockOf, isInPlay, may, numberOf, ROLE_SAYS, settingValue, standsAt, stateOf, TABS } from "./words.js";

export function view(state) {
  return html`${staffbar({ me: state.me, current: "admin" })}<div class="notes">${notes(state)}</div>
    <main class="w ${state.link === "lost" ? "stale" : ""}" id="main">${state.house ? page(state) : html`<p class="panel none">${state.refused ? `Not shown: ${state.refused}.` : "Asking for the house …"}</p>`}</main>
    <p class="sr" role="status" aria-live="polite">${state.said}</p>
    ${state.secret ? secret(state) : state.sheet ? sheet(state) : null}`;
}

function notes(state) {
  if (state.link === "lost") return html`<p class="note danger" role="alert"><pb-icon name="off"></pb-icon><span><b>Not connected.</b> What you see may be old; nothing can be changed until the connection is back.</span></p>`;
  if (state.house?.stopped) {
    return html`<p class="note warn" role="alert"><pb-icon name="stop"></pb-icon><span><b>The floor is stopped:</b> ${state.house.stopped}.</span>
      ${may(state.me, "floor") ? html`<button type="button" class="btn sm primary" data-act="ask" data-sheet="start-floor">Start the floor</button>` : null}</p>`;
  }
  return state.trouble ? html`<p class="note danger" role="alert"><pb-icon name="warn"></pb-icon><span>${state.trouble}</span><button type="button" class="btn sm" data-act="seen">OK</button></p>` : null;
}

function page(state) {
  const { house } = state;
  const counts = { tables: house.tables.length, staff: house.staff?.length, terminals: house.terminals?.length, exclusions: house.exclusions?.length };
  const tabs = TABS.filter(([id]) => id === "settings" || house[id]);
  return html`<div class="head"><h1>${house.house}</h1><div class="seg sm" role="group" aria-label="What to administer">${tabs.map(([id, name]) =>
      html`<button type="button" data-act="tab" data-tab="${id}" aria-pressed="${String(state.tab === id)}">${name}${counts[id] === undefined ? null : html`&nbsp;<span class="dim">${counts[id]}</span>`}</button>`)}</div>
    <span class="grow"></span>${may(state.me, "floor") && !house.stopped ? ask("stop-floor", "Stop the floor", { kind: "danger" }) : null}</div>
    ${LISTS[state.tab](state)}`;
}

const ask = (sheet, text, { name = "", kind = "", label = "", off = false } = {}) => html`<button type="button" class="btn sm ${kind}" data-key="${sheet}" data-act="ask" data-sheet="${sheet}"
  ${name ? html`data-name="${name}"` : null} ${label ? html`aria-label="${label}"` : null} ${off ? html`disabled` : null}>${text}</button>`;

const panel = (title, { add = null, say = "", body }) => html`<section class="panel list" aria-label="${title}"><header><h2>${title}</h2><span class="dim small">${say}</span><span class="grow"></span>${add}</header>${body}</section>`;

const search = (state, label) => html`<label class="find"><span class="sr">${label}</span><pb-icon name="search" size="16"></pb-icon><input class="in" type="search" data-find name="find" value="${state.filter}" placeholder="${label}" autocomplete="off"></label>`;

const LISTS = { tables, staff, terminals, exclusions, settings };

function tables(state) {
  const mine = may(state.me, "tables");
  return panel("Tables", {
    say: "limits and clock change between rounds", add: mine ? ask("open-table", "Open a table", { kind: "primary", off: !state.games }) : null,
    body: state.house.tables.length ? html`<div class="scroll"><table class="t rows"><thead><tr><th scope="col">Table</th><th scope="col">State</th><th scope="col" class="r">Round</th><th scope="col" class="r">Seated</th><th scope="col">Main wagers</th><th scope="col">Clock</th><th scope="col"><span class="sr">Acts</span></th></tr></thead>
      <tbody>${state.house.tables.map((row) => tableRow(state, row, mine))}</tbody></table></div>` : html`<p class="none">No table was opened yet.</p>`,
  });
}

function tableRow(state, row, mine) {
  const said = stateOf(row), number = numberOf(row.table), about = `table ${number}`, main = row.limits?.bets.player ?? Object.values(row.limits?.bets ?? {})[0];
  const of = (sheet, text, kind = "") => ask(sheet, text, { name: row.table, kind, label: `${text}, ${about}` });
  return html`<tr data-key="${row.table}" class="${row.phase === "down" ? "grey" : ""}"><th scope="row"><b>Table ${number}</b><small>${gameOf(state, row.game)?.title ?? row.game}</small></th>
    <td><span class="pill ${said.kind}"><i class="dot"></i>${said.text}</span>${jobsOf(state.later, number).map((job) => html`<small class="warn">${saysOf(job)}</small>`)}</td><td class="r" data-label="Round">${row.round}</td><td class="r" data-label="Seated">${row.sessions}</td>
    <td class="nowrap" data-label="Main wagers">${main ? `${dollars(main.min_cents)} to ${dollars(main.max_cents)}` : "–"}</td><td class="muted" data-label="Clock">${clockOf(row)}</td>
    <td class="acts">${!mine ? null : row.phase === "down" ? of("open-table", "Open", "primary") : html`${of("limits", "Limits")}${of("clock", "Clock")}
      ${state.house.stopped ? null : row.halted ? of("start-table", "Start", "primary") : of("stop-table", "Stop")}${of("disable-table", isInPlay(row) ? "Close after" : "Close", "danger")}`}</td></tr>`;
}

function staff(state) {
  const mine = may(state.me, "staff");
  return panel("Staff", {
    say: "three wrong passwords lock", add: html`${search(state, "Find staff")}${mine ? ask("add-staff", "Add somebody", { kind: "primary" }) : null}`,
    body: html`<div class="scroll"><table class="t rows"><thead><tr><th scope="col">Name</th><th scope="col">Role</th><th scope="col">State</th><th scope="col"><span class="sr">Acts</span></th></tr></thead><tbody>${found(state, state.house.staff).map((person) => {
      const of = (sheet, text, kind = "") => ask(sheet, text, { name: person.name, kind, label: `${text}, ${person.name}` });
      return html`<tr data-key="${person.name}" class="${person.disabled ? "grey" : ""}"><th scope="row"><b>${person.name}</b>${person.name === state.me?.name ? html`<small>you</small>` : null}</th>
        <td>${person.role}<small>${ROLE_SAYS[person.role]}</small></td><td>${personState(person)}</td>
        <td class="acts">${mine ? html`${of("new-password", person.locked ? "New password, unlock" : "New password")}${of("change-role", "Role")}${person.disabled ? of("enable-staff", "Enable", "primary") : of("disable-staff", "Disable", "danger")}` : null}</td></tr>`;
    })}</tbody></table></div>`,
  });
}

function personState(person) {
  if (person.disabled) return html`<span class="pill danger"><i class="dot"></i>Disabled</span> <span class="muted">${person.disabled}</span>`;
  return person.locked ? html`<span class="pill warn"><i class="dot"></i>Locked</span> <span class="muted">too many wrong passwords</span>` : html`<span class="pill ok"><i class="dot"></i>May log in</span>`;
}

function terminals(state) {
  const mine = may(state.me, "terminals");
  const rows = found(state, state.house.terminals);
  return panel("Terminals", {
    say: "a code enrols one device, once, within the hour", add: html`${search(state, "Find terminals")}${mine ? ask("add-terminal", "Add a terminal", { kind: "primary" }) : null}`,
    body: rows.length ? html`<div class="scroll"><table class="t rows"><thead><tr><th scope="col">Terminal</th><th scope="col">Stands at</th><th scope="col">State</th><th scope="col"><span class="sr">Acts</span></th></tr></thead><tbody>${rows.map((device) => {
      const of = (sheet, text, kind = "") => ask(sheet, text, { name: device.name, kind, label: `${text}, ${device.name}` });
      return html`<tr data-key="${device.name}" class="${device.disabled ? "grey" : ""}"><th scope="row"><b>${device.name}</b></th><td data-label="Stands at">${standsAt(device.table)}</td><td>${deviceState(device)}</td>
        <td class="acts">${mine ? html`${of("move-terminal", "Move")}${of("new-code", device.enrolled ? "Enrol anew" : "New code")}${device.disabled ? null : of("disable-terminal", "Disable", "danger")}` : null}</td></tr>`;
    })}</tbody></table></div>` : html`<p class="none">${state.filter ? "No terminal of that name." : "No terminal was added yet. Add one, and type its code at /enrol on the device."}</p>`,
  });
}

function deviceState(device) {
  if (device.disabled) return html`<span class="pill danger"><i class="dot"></i>Disabled</span> <span class="muted">${device.disabled}</span>`;
  if (device.enrolled) return html`<span class="pill ok"><i class="dot"></i>Enrolled</span>`;
  return device.code_waits ? html`<span class="pill info"><i class="dot"></i>Waits for its code</span>` : html`<span class="pill warn"><i class="dot"></i>Not enrolled</span> <span class="muted">its code is used up or too old</span>`;
}

function exclusions(state) {
  const mine = may(state.me, "exclusions"), rows = state.house.exclusions;
  return panel("Exclusions", {
    say: "patrons who may not play here", add: mine ? ask("exclude", "Exclude a patron", { kind: "primary" }) : null,
    body: rows.length ? html`<div class="scroll"><table class="t rows"><thead><tr><th scope="col">Patron</th><th scope="col">Reason</th><th scope="col">Until</th><th scope="col"><span class="sr">Acts</span></th></tr></thead><tbody>${rows.map((row) =>
      html`<tr data-key="${row.patron}"><th scope="row"><b>${row.patron}</b></th><td data-label="Reason">${row.reason}</td><td data-label="Until">${row.until ? moment(row.until) : "for good"}</td><td class="acts">${mine ? ask("readmit", "End", { name: row.patron, label: `End the exclusion of ${row.patron}` }) : null}</td></tr>`)}</tbody></table></div>`
      : html`<p class="none"><pb-icon name="check" size="22"></pb-icon>Nobody is excluded</p>`,
  });
}

function settings(state) {
  return panel("Settings", {
    say: "of this node; they change with the configuration file and a restart",
    body: state.settings ? html`<div class="scroll"><table class="t rows"><thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">Usually</th><th scope="col">May be</th><th scope="col">What it does</th></tr></thead><tbody>${state.settings.map((each) =>
      html`<tr data-key="${each.name}"><th scope="row" class="mono">${each.name}</th><td data-label="Value"><b class="${each.value === each.usual ? "" : "gold"}">${settingValue(each.value)}</b></td><td class="muted" data-label="Usually">${settingValue(each.usual)}</td><td class="muted" data-label="May be">${each.bounds}</td><td class="muted">${each.help}</td></tr>`)}</tbody></table></div>` : html`<p class="none">Asking for the settings …</p>`,
  });
}
