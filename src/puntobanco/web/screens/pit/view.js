// The pit drawn: the bar, a card for each table, alerts and approvals, game protection, and the sheet above all. Pure.
import { note, SEEN, START } from "../forms/notes.js";
import { saysOf } from "../forms/scheduled.js";
import { html } from "../base/dom.js";
import { dollars, time } from "../base/money.js";
import { may, staffbar } from "../base/staffbar.js";
import { alerts, approvals } from "./lists.js";
import { protection } from "./protection.js";
import { reviewsOf, tableOf, totals, unread, waitingOf } from "./reduce.js";
import { sheet } from "./sheets.js";
import { percent, rulesOf, shortTitle, sizeOf, stateOf } from "./words.js";

/** @import { PitTable } from "server" */
/** @import { Seen, State } from "./reduce.js" */

const FEW = 5; // up to so many tables, the total is a card like theirs; beyond, a strip above them

/** @param {State} state */
export function view(state) {
  return html`${bar(state)}<div class="pit-notes">${notes(state)}</div>
    <main class="w ${state.link === "lost" ? "stale" : ""}"
      id="main">${state.board ? floor({ ...state, board: state.board }) : empty(state)}</main>
    <p class="sr" role="status" aria-live="polite">${state.said}</p>
    ${state.board && state.sheet ? sheet({ ...state, board: state.board }, state.sheet) : null}`;
}

/** @param {State} state */
function bar(state) {
  const waits = waitingOf(state).length + reviewsOf(state.board).length, fresh = unread(state).length;
  const middle = html`<nav class="pit-nav" aria-label="On this page">
    <a href="#approvals">Approvals <span class="pill ${waits ? "warn" : ""}">${waits}</span></a>
    <a href="#alerts">Alerts <span class="pill ${fresh ? "danger" : ""}">${fresh}</span></a></nav>
    <span class="grow"></span>${state.now ? html`<b class="num">${time(state.now)}</b>` : null}`;
  return staffbar({ me: state.me, current: "pit", middle });
}

/** @param {State} state */
function notes(state) {
  if (state.refused) return note("danger", "warn", html`The pit cannot be shown: ${state.refused}.`);
  if (state.link === "lost") {
    const of = state.lostAt ? `What you see is of ${time(state.lostAt)}.` : "";
    return note("danger", "off", html`<b>Not connected.</b> ${of}
      Nothing can be decided here until the connection is back; tables play on.`);
  }
  if (state.board?.stopped) {
    return note("warn", "stop", html`<b>The floor is stopped:</b> ${state.board.stopped}.
      Rounds in play end by rule; no new one opens.`, may(state.me, "start-floor") ? START : null);
  }
  if (state.trouble) return note("danger", "warn", state.trouble, SEEN);
  const { unreachable = 0 } = state.board ?? {};
  return unreachable ? note("warn", "warn", html`<b>No new card is taken:</b> no card leads any more to ${unreachable}
    of the patrons who are excluded or have limits. An administrator runs <code>puntobanco patron mend</code>.`) : null;
}

const blank = (text) => html`<p class="panel blank">${text}</p>`;

function empty({ refused }) {
  return html`<section class="l">${blank(refused ? "Nothing to see." : "Asking for the tables …")}</section>`;
}

/** @param {Seen} state */
function floor(state) {
  const { tables } = state.board;
  const many = tables.length > FEW;
  const cards = tables.length ? tables.map((table) => card(state, table)) : blank("No table was opened yet.");
  return html`<section class="l" aria-label="Tables, alerts and approvals">
    ${many ? total(state, true) : null}
    <div class="tb" id="tables">${cards}
      ${many ? null : total(state, false)}</div>
    <div class="bt">${alerts(state)}${approvals(state)}</div></section>
    ${protection(state, tableOf(state, state.selected))}`;
}

/**
 * A table: what it does, its road and the money of its day. Selecting it shows its protection beside.
 * @param {Seen} state
 */
export function card(state, table) {
  const said = stateOf(table, { stopped: state.board.stopped }), selected = table.number === state.selected;
  const alert = unread(state).some((each) => each.table === table.table);
  return html`<article class="panel c ${selected ? "sel" : ""} ${alert ? "al" : ""} ${said.grey ? "grey" : ""}"
      data-key="table-${table.number}">
    <div class="row top"><h3>${pick(table, selected)}
      <small>${subtitle(table)}</small></h3>
      ${toDecide(table.waiting.length + table.reviews.length)}
      ${table.closes_at && state.link !== "lost" ? ring(table) : null}</div>
    <div class="row mid"><span class="pill ${said.kind}"><i class="dot"></i>${said.text}</span>
      ${alert ? html`<span class="sr">has an alert</span>` : null}
      <span class="grow"></span><span class="muted small">round ${table.round} · ${terminals(table)}</span></div>
    <pb-road kind="big" cells="${JSON.stringify(table.big)}" columns="23" cell="11.6"></pb-road>
    ${figures(table.figures.drop_cents, table.figures.win_cents, table.figures.hold)}</article>`;
}

function pick({ number, title }, selected) {
  const name = shortTitle(title) || "Never opened";
  return html`<button type="button" class="pick" data-act="select" data-table="${number}"
    aria-pressed="${String(selected)}" title="${title}">${name}</button>`;
}

const toDecide = (count) => (count ? html`<span class="pill gold"
  title="waits for a decision">${count} to decide</span>` : null);

const ring = (table) => html`<pb-ring ends="${table.closes_at}" total="${table.betting_ms}" size="44"></pb-ring>`;

const terminals = ({ connected, seats }) => html`<span
  title="terminals connected of seats">${connected}/${seats}<span class="sr"> terminals</span></span>`;

/** @param {PitTable} table */
function subtitle(table) {
  const said = stateOf(table), name = `Table ${table.number}`, { halted } = table;
  if (said.grey) return `${name} · last seen ${time(table.last_seen)}`;
  if (table.scheduled.length) return html`<span class="warn">${name} · ${saysOf(table.scheduled)}</span>`;
  const why = table.closing ? `closes after this round: ${halted}` : halted;
  if (halted) return html`<span class="warn" title="${why}">${name} · ${why}</span>`;
  return `${name} · ${rulesOf(table.rules)} · ${sizeOf(table)}`;
}

const figures = (drop, win, hold) => html`<dl class="k"><div><dt>Drop</dt><dd>${whole(drop)}</dd></div>
  <div><dt>Win</dt><dd class="${win < 0 ? "danger" : ""}">${whole(win)}</dd></div>
  <div><dt>Hold</dt><dd class="${win < 0 ? "danger" : ""}">${hold === null ? "–" : percent(hold, 1)}</dd></div></dl>`;

const whole = (cents) => dollars(Math.round(cents / 100) * 100);

/** @param {Seen} state */
function total(state, strip) {
  const sum = totals(state.board.tables), voids = sum.voids === 1 ? "void round today" : "void rounds today";
  const open = html`<button type="button" class="btn sm" data-act="ask" data-sheet="open-table"
    ${off(state)}>${strip ? "Open a table" : "Open another table"}</button>`;
  const stop = html`<button type="button" class="btn sm danger" data-act="ask" data-sheet="stop-floor"
    ${off(state)}>Stop floor</button>`;
  return html`<article class="panel c total ${strip ? "strip" : ""}" data-key="total">
    <h3>${strip ? "Pit" : "Pit total"}, ${sum.tables} ${sum.tables === 1 ? "table" : "tables"}</h3>
    ${figures(sum.drop, sum.win, sum.hold)}
    <span class="muted small">${sum.connected} of ${sum.seats} terminals · ${sum.voids} ${strip ? "void" : voids}</span>
    <div class="row btns">${may(state.me, "open-table") ? open : null}
    ${may(state.me, "stop-floor") && !state.board.stopped ? stop : null}</div></article>`;
}

/** @param {Seen} state */
export const off = (state) => (state.link === "lost" ? html`disabled` : null);
