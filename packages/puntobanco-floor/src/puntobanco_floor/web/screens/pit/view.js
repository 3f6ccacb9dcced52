// The pit drawn: the bar, a card for each table, alerts and approvals, game protection, and the sheet above all. Pure.
import { note, SEEN, START } from "../forms/notes.js";
import { saysOf } from "../forms/scheduled.js";
import { html } from "../base/dom.js";
import { dollars, moment } from "../base/money.js";
import { may, staffbar } from "../base/staffbar.js";
import { place } from "../base/voucher.js";
import { saidHere } from "../base/words.js";
import { alerts, approvals } from "./lists.js";
import { protection } from "./protection.js";
import { reviewsOf, tableOf, totals, unread, waitingOf } from "./reduce.js";
import { sheet } from "./sheets.js";
import { percent, rulesOf, shortTitle, sizeOf, stateOf, t } from "./words.js";

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
  const middle = html`<nav class="pit-nav" aria-label="${t("On this page")}">
    <a href="#approvals">${t("Approvals")} <span class="pill ${waits ? "warn" : ""}">${waits}</span></a>
    <a href="#alerts">${t("Alerts")} <span class="pill ${fresh ? "danger" : ""}">${fresh}</span></a></nav>
    <span class="grow"></span>${state.now ? html`<b class="num" title="${state.me?.zone ?? ""}">${
      moment(state.now)}</b>` : null}`;
  return staffbar({ me: state.me, current: "pit", middle });
}

/** @param {State} state */
function notes(state) {
  if (state.refused) {
    return note("danger", "warn", t("The pit cannot be shown: {0}.", saidHere(state.refused)));
  }
  if (state.link === "lost") {
    const of = state.lostAt ? t("What you see is of {0}.", moment(state.lostAt)) : "";
    return note("danger", "off", html`<b>${t("Not connected.")}</b> ${of}
      ${t("Nothing can be decided here until the connection is back; tables play on.")}`);
  }
  if (state.board?.stopped) {
    return note("warn", "stop", html`<b>${t("The floor is stopped:")}</b> ${saidHere(state.board.stopped)}${t(".")}
      ${t("Rounds in play end by rule; no new one opens.")}`, may(state.me, "start-floor") ? START() : null);
  }
  if (state.board?.failing) {
    return note("danger", "stop", html`<b>${t("Nothing is recorded at this node:")}</b> ${state.board.failing}.
      ${t("Check the disk of the database.")}`);
  }
  if (state.trouble) return note("danger", "warn", state.trouble, SEEN());
  const { unreachable = 0, log, in_doubt: doubts = {} } = state.board ?? {};
  if (Object.keys(doubts).length) return note("warn", "warn", html`${Object.entries(doubts).map(inDoubt)}`);
  if (log?.fault) {
    return note("danger", "stop", html`<b>${t("The transparency log is stopped at this node:")}</b> ${log.fault}.`);
  }
  return unreachable ? note("warn", "warn", html`<b>${t("No new card is taken:")}</b>
    ${t("no card leads any more to {0} of the patrons who are excluded or have limits. An administrator runs:",
      unreachable)}
    <code>puntobanco patron mend</code>`) : null;
}

// What a node does not know yet; the screens that asked send the same commands again by themselves.
/** @param {[stream: string, since: number]} doubt */
const inDoubt = ([stream, since]) => html`<p data-doubt="${stream}">${
  t("{0}: it is not yet known whether commands were recorded, since {1}. Screens ask again; do not repeat them.",
    place(stream) || t("The house"), moment(since))}</p>`;

const blank = (text) => html`<p class="panel blank">${text}</p>`;

function empty({ refused }) {
  return html`<section class="l">${blank(refused ? t("Nothing to see.") : t("Asking for the tables …"))}</section>`;
}

/** @param {Seen} state */
function floor(state) {
  const { tables } = state.board;
  const many = tables.length > FEW;
  const cards = tables.length ? tables.map((table) => card(state, table)) : blank(t("No table was opened yet."));
  return html`<section class="l" aria-label="${t("Tables, alerts and approvals")}">
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
      ${alert ? html`<span class="sr">${t("has an alert")}</span>` : null}
      <span class="grow"></span><span class="muted small">${
      table.shuffled ? `${t("shoe {0}", table.shoe)} ${saidHere(table.shuffled)} · ` : ""}${
      t("round {0}", table.round)} · ${terminals(table)}</span></div>
    <pb-road kind="big" cells="${JSON.stringify(table.big)}" columns="23" cell="11.6"></pb-road>
    ${figures(table.figures.drop_cents, table.figures.win_cents, table.figures.hold)}</article>`;
}

function pick(table, selected) {
  const { number } = table, title = saidHere(table.title), name = shortTitle(table) || t("Never opened");
  return html`<button type="button" class="pick" data-act="select" data-table="${number}"
    aria-pressed="${String(selected)}" title="${title}">${name}</button>`;
}

const toDecide = (count) => (count ? html`<span class="pill gold"
  title="${t("waits for a decision")}">${t("{0} to decide", count)}</span>` : null);

const ring = (table) => html`<pb-ring ends="${table.closes_at}" total="${table.betting_ms}" size="44"></pb-ring>`;

const terminals = ({ connected, seats }) => html`<span
  title="${t("terminals connected of seats")}">${connected}/${seats}<span class="sr"> ${t("terminals")}</span></span>`;

/** @param {PitTable} table */
function subtitle(table) {
  const said = stateOf(table), name = t("Table {0}", table.number), halted = saidHere(table.halted);
  if (said.grey) return t("{0} · last seen {1}", name, moment(table.last_seen));
  if (table.scheduled.length) return html`<span class="warn">${name} · ${saysOf(table.scheduled)}</span>`;
  const why = table.closing ? t("closes after this round: {0}", halted) : halted;
  if (halted) return html`<span class="warn" title="${why}">${name} · ${why}</span>`;
  return `${name} · ${rulesOf(table.rules)} · ${sizeOf(table)}`;
}

const figures = (drop, win, hold) => html`<dl class="k"><div><dt>${t("Drop")}</dt><dd>${whole(drop)}</dd></div>
  <div><dt>${t("Win")}</dt><dd class="${win < 0 ? "danger" : ""}">${whole(win)}</dd></div>
  <div><dt>${t("Hold")}</dt><dd class="${win < 0 ? "danger" : ""}">${
    hold === null ? "–" : percent(hold, 1)}</dd></div></dl>`;

const whole = (cents) => dollars(Math.round(cents / 100) * 100);

/** @param {Seen} state */
function total(state, strip) {
  const sum = totals(state.board.tables), voids = t(sum.voids === 1 ? "{0} void round today" : "{0} void rounds today",
    sum.voids);
  const open = html`<button type="button" class="btn sm" data-act="ask" data-sheet="open-table"
    ${off(state)}>${strip ? t("Open a table") : t("Open another table")}</button>`;
  const stop = html`<button type="button" class="btn sm danger" data-act="ask" data-sheet="stop-floor"
    ${off(state)}>${t("Stop floor")}</button>`;
  return html`<article class="panel c total ${strip ? "strip" : ""}" data-key="total">
    <h3>${strip ? t("Pit") : t("Pit total")}${t(", ")}${
      t(sum.tables === 1 ? "{0} table" : "{0} tables", sum.tables)}</h3>
    ${figures(sum.drop, sum.win, sum.hold)}
    <span class="muted small">${t("{0} of {1} terminals", sum.connected, sum.seats)} · ${
      strip ? t("{0} void", sum.voids) : voids}</span>
    <div class="row btns">${may(state.me, "open-table") ? open : null}
    ${may(state.me, "stop-floor") && !state.board.stopped ? stop : null}</div></article>`;
}

/** @param {Seen} state */
export const off = (state) => (state.link === "lost" ? html`disabled` : null);
