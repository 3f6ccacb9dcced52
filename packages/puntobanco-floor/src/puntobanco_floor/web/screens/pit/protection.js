// Game protection: edges against the fresh shoe, the cards unseen, returns of the day, the worst case, the acts. Pure.
import { may } from "../base/staffbar.js";
import { html, raw } from "../base/dom.js";
import { dollars, moment } from "../base/money.js";
import { saidHere } from "../base/words.js";
import { suitIcon } from "../kit/suits.js";
import { scheduledList } from "../forms/scheduled.js";
import { favourable, mayClose } from "./closing.js";
import { percent, points, t } from "./words.js";

/** @import { Seen } from "./reduce.js" */

const SCALE = 0.3; // the bars go from 0 to 30 %
const BAR = { width: 96, height: 18 };
const INKS = {
  f: "#ff8d78", g: "#e9c766", e: "#d9a27c", w: "#7ddba0", a: "#86b6ff",
  s: "#dfe7e2", h: "#ff938a", d: "#ff938a", c: "#dfe7e2",
};

const STAFF_ONLY = () => html`<span class="pill gold"><pb-icon name="lock" size="12"></pb-icon>${
  t("Staff only")}</span>`;

/** @param {Seen} state */
export function protection(state, table) {
  if (!table) return NO_TABLE();
  const tab = (/** @type {string[]} */ [id, name]) => html`<button type="button" data-act="tab" data-tab="${id}"
    aria-pressed="${String(state.tab === id)}">${t(name)}</button>`;
  return html`<aside class="panel gp" aria-labelledby="gp-title"><header><pb-icon name="shield"></pb-icon><h2
      id="gp-title">${t("Game protection")} · ${t("Table {0}", table.number)}</h2><span class="grow"></span>
      <div class="seg sm" role="group" aria-label="${t("What to show")}">${TABS.map(tab)}</div></header>
    ${state.tab === "returns" ? returns(table) : edges(table)}
    ${worst(table)}${foot(state, table)}</aside>`;
}

const NO_TABLE = () => html`<aside class="panel gp" aria-label="${t("Game protection")}"><p class="none">${
  t("Select a table.")}</p></aside>`;
const TABS = [["edges", "Edges"], ["returns", "Returns"]];

function edges({ protection: found, bets, phase, shoe }) {
  if (!found) return phase === "betting" ? BETS_OPEN() : NO_EDGES();
  if (found.shoe !== shoe) return shoe ? NEW_SHOE() : NO_SHOE();
  const shut = new Set(bets.filter((bet) => bet.closed).map(({ bet }) => bet));
  const burned = found.burned ? t(" ({0} burned unseen)", found.burned) : "";
  const when = t("before round {0}, the last that is over{1}", found.round, burned);
  return html`<p class="muted lead">${STAFF_ONLY()} ${
    t("Exact house edge for the {0} unseen cards {1}.", found.unseen, when)}
      ${t("White mark: fresh {0}-deck shoe. Never sent to a terminal or display.", found.decks)}</p>
    <table class="t edges"><caption class="sr">${t("House edge of each wager")}</caption>
      <thead><tr><th scope="col">${t("Wager")}</th><th scope="col" class="r">${
        t("Fresh")}</th><th scope="col" class="r">${t("Then")}</th>
        <th scope="col" class="r">${t("Change")}</th><th scope="col">${t("0 to 30%")}</th></tr></thead>
      <tbody>${found.edges.map((edge) => edgeRow(edge, shut.has(edge.bet)))}</tbody></table>
    ${unseen(found)}`;
}

const BETS_OPEN = () => html`<p class="none">${
  t("Bets are open: edges and unseen cards are shown when they are closed.")}</p>`;
const NEW_SHOE = () => html`<p class="none">${t("A new shoe is on the table, and no round of it has ended yet.")}</p>`;
const NO_SHOE = () => html`<p class="none">${
  t("The shoe was taken away: there is nothing to hold against a fresh one.")}</p>`;
const NO_EDGES = () => html`<p class="none">${
  t("No round has ended since the watch began: there is nothing to hold against the fresh shoe yet.")}</p>`;
const GRADES = { fell: ["warn", "fell by over one point"], favourable: ["danger", "favours the player"] };

const SHUT = () => html` <span class="shut" title="${
  t("closed at this table")}"><pb-icon name="lock" size="14"></pb-icon><span
  class="sr">${t(", closed")}</span></span>`;

function edgeRow(edge, isShut) {
  const [ink, words] = GRADES[edge.grade] ?? ["muted", ""], stake = edge.stake_cents;
  const at = stake === null ? null : html`<span class="muted">${t(", at {0}", dollars(stake))}</span>`;
  return html`<tr class="${edge.grade}"><th scope="row">${saidHere(edge.title)}${at}${isShut ? SHUT() : null}</th>
    <td class="r muted">${percent(edge.fresh)}</td>
    <td class="r"><b class="${edge.grade ? ink : ""}">${percent(edge.now)}</b></td>
    <td class="r ${ink}">${points(edge.now - edge.fresh)}${words ? html`<span class="sr">${t(", ")}${
      t(words)}</span>` : null}</td>
    <td>${raw(bar(edge))}</td></tr>`;
}

const along = (part) => Math.round(Math.min(1, Math.max(0, part / SCALE)) * (BAR.width - 2) * 10) / 10;

/** A bar from 0 to 30 %; the white mark is the fresh shoe. What favours the player stands at the left edge, in red. */
export function bar({ now, fresh, grade }) {
  const ink = { fell: "#f4bd55", favourable: "#ff8478" }[grade] ?? "#4f9b80";
  const long = now < 0 ? 7 : along(now), { width, height } = BAR;
  const frame = `x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="4" fill="#050b09" stroke="#2b423a"`;
  return `<svg class="bar" width="${width}" height="24" viewBox="0 -3 ${width} 24" aria-hidden="true"><rect ${frame}/>`
    + `<rect x="1" y="3" width="${long}" height="12" rx="2" fill="${ink}"/>`
    + `<rect x="${along(fresh)}" y="-3" width="2" height="24" fill="#fff" opacity=".85"/></svg>`;
}

function unseen(found) {
  const [what, many] = found.suits.length === 5
    ? [t("Unseen cards by element"), "five"] : [t("Unseen cards by suit"), "four"];
  const say = found.points.map((n, i) => `${i}: ${n}`).join(", ");
  return html`<div class="cmp">
    <div class="row between"><b>${t("Unseen cards by point value")}</b><span class="dim small">${
      t("line: expected")}</span></div>
    <div class="pt" role="img" aria-label="${t("Unseen cards by point value")}${t(": ")}${say}">${
      raw(columns(found))}</div>
    <b>${what}</b><ul class="ele ${many}">${found.suits.map(countOf)}</ul></div>`;
}

function countOf(each) {
  const { suit, count } = each, name = saidHere(each.name);
  const drawing = raw(suitIcon(suit, 22, { ink: INKS[suit], gap: "#0a1411" }));
  return html`<li title="${name}">${drawing}<span class="sr">${name}</span>${count}</li>`;
}

/** Ten columns, each against its own expectation: a line at the same height for all. */
export function columns({ points: counts, expected }) {
  const wide = 42, most = 62, line = 40, foot = 76;
  const column = (n, i) => {
    const x = i * 42.4 + 1, tall = expected[i] ? Math.min(most, (n / expected[i]) * line) : 0, y = foot - tall;
    const place = `x="${x + 1}" y="${y.toFixed(1)}" width="${wide - 4}" height="${tall.toFixed(1)}"`;
    return `<text x="${x + wide / 2}" y="11" class="n">${n}</text><rect ${place} rx="3" fill="#3f6858"/>`
      + `<text x="${x + wide / 2}" y="89" class="p">${i}</text>`;
  };
  return `<svg viewBox="0 0 424 90" width="424" height="90">${counts.map(column).join("")}`
    + `<rect x="0" y="${foot - line}" width="424" height="2" fill="#fff" opacity=".8"/></svg>`;
}

function returns(table) {
  if (!table.returns.length) return html`<p class="none">${t("No round was settled today since the watch began.")}</p>`;
  const [any] = table.returns, rounds = any.rounds.toLocaleString("en");
  const alarmAt = Math.round(any.alarm_at).toLocaleString("en");
  return html`<p class="muted lead">${STAFF_ONLY()} ${t("What came of {0} rounds today, against fair cards.", rounds)}
      ${t("Evidence is how many times likelier the results are by another cause; at {0} it is an alarm, which fair "
        + "cards raise on one day in a thousand.", alarmAt)}</p>
    <table class="t edges"><caption class="sr">${t("Returns of each wager today")}</caption>
    <thead><tr><th scope="col">${t("Wager")}</th><th scope="col" class="r">${t("Won")}</th><th scope="col" class="r">${
      t("Fair")}</th>
      <th scope="col" class="r">${t("Paid back")}</th><th scope="col" class="r">${t("Exact")}</th>
      <th scope="col" class="r">${t("Evidence")}</th></tr></thead>
    <tbody>${table.returns.map(returnRow)}</tbody></table>`;
}

function returnRow(row) {
  const icon = row.alarm ? html`<pb-icon name="warn" size="14"></pb-icon> ` : null;
  return html`<tr class="${row.alarm ? "favourable" : ""}"><th scope="row">${saidHere(row.title)}</th>
    <td class="r">${row.won}</td><td class="r muted">${(row.chance * row.rounds).toFixed(1)}</td>
    <td class="r">${row.actual === null ? "–" : percent(row.actual, 1)}</td>
    <td class="r muted">${percent(row.exact, 1)}</td>
    <td class="r ${row.alarm ? "danger" : "muted"}">${icon}${times(row.evidence)}</td></tr>`;
}

function times(n) {
  if (n === null || n > 1e9) return t("over 1e9");
  return n >= 100 ? Math.round(n).toLocaleString("en") : n.toFixed(2);
}

function worst(table) {
  if (!table.worst.length) {
    const why = table.is_in_play ? t("No stake lies on the table.") : t("No round is in play: nothing is at risk.");
    return html`<p class="worst none small">${why}</p>`;
  }
  const most = dollars(table.exposure_cents), allowed = dollars(table.exposure_max_cents);
  return html`<div class="worst"><table class="t"><thead><tr><th scope="col">${
    t("Worst case, round {0}", table.round)}</th>
      <th scope="col" class="r">${t("Stake")}</th><th scope="col" class="r">${t("Payout")}</th></tr></thead>
    <tbody>${table.worst.slice(0, 2).map(worstRow)}</tbody></table>
    <p class="dim">${t("At most {0} in all, of {1} that this table may risk.", most, allowed)}</p></div>`;
}

function worstRow(row) {
  const { patrons, stake_cents: stake, payout_cents: payout } = row;
  const bonus = patrons ? t(", bonus for {0}", patrons) : "";
  return html`<tr><td>${saidHere(row.title)}${t(", ")}${saidHere(row.pays)}${bonus}</td>
    <td class="r muted">${dollars(stake)}</td><td class="r"><b>${dollars(payout)}</b></td></tr>`;
}

/** @param {Seen} state */
function foot(state, table) {
  const acts = may(state.me, "halt-table") ? buttons(state, table) : null;
  return html`<div class="foot"><p class="muted">${alarm(table)}</p>${acts}</div>`;
}

function alarm(table) {
  const found = favourable(table), odd = table.returns.filter((row) => row.alarm);
  if (found.length) {
    const { round } = table.protection;
    return html`<b class="danger">${WARNING} ${
      t("{0} favoured the player before round {1}.", titlesOf(found), round)}</b>
      ${toDo(table, found)}`;
  }
  if (odd.length) return html`<b class="danger">${WARNING} ${
    t("{0}: returns are not those of fair cards.", titlesOf(odd))}</b>`;
  return html`${t("Alarm rule: any wager below 0% edge, returns unlike fair cards, or stakes that follow the edge.")}
    <b class="ok">${t("No alarm now.")}</b>`;
}

/** What can be done about wagers that favoured the player: those that are closed already take nothing more. */
function toDo(table, found) {
  const of = (edge) => table.bets.find(({ bet }) => bet === edge.bet);
  const open = found.filter((edge) => !of(edge)?.closed);
  if (!open.length) return found.length === 1 ? t("It is closed.") : t("They are closed.");
  if (!open.some((edge) => of(edge)?.closable)) return t("It cannot be closed alone: stop the table.");
  return t("Close side bets from the next round, or stop the table.");
}

const WARNING = html`<pb-icon name="warn" size="15"></pb-icon>`;
const titlesOf = (list) => list.map((each) => saidHere(each.title)).join(t(", "));

/** @param {Seen} state */
function buttons(state, table) {
  const off = state.link === "lost" ? html`disabled` : null;
  const ask = (sheet, text, kind = "") => html`<button type="button" class="btn sm ${kind}" data-key="${sheet}"
    data-act="ask" data-sheet="${sheet}" data-table="${table.number}" ${off}>${text}</button>`;
  const review = html`${may(state.me, "ask-review") ? ask("ask-review", t("Ask for a review")) : null}${
    may(state.me, "adjust") ? ask("adjust", t("Pay an award")) : null}`;
  if (table.phase === "down") {
    const closed = html`<span class="dim small">${t("closed {0}", moment(table.last_seen))}</span>`;
    return html`<div class="row">${ask("open-table", t("Open table"), "primary")}${review}${closed}</div>`;
  }
  const start = table.closing ? t("Keep open") : t("Start table"), closes = table.closing && table.is_in_play;
  const run = table.halted ? ask("start-table", start, "primary") : ask("stop-table", t("Stop table"));
  const close = ask("close-table", table.halted && !table.is_in_play ? t("Close now") : t("Close table"), "danger");
  const danger = favourable(table).some(({ bet }) => table.bets.some((one) => one.bet === bet && mayClose(one)));
  return html`${scheduledList(table.number, table.scheduled, !off)}<div class="row">${
    ask("bets", t("Close side bets"), danger ? "primary" : "")}${ask("limits", t("Limits"))}${review}
    ${state.board.stopped && !table.closing ? null : run}${closes ? null : close}</div>`;
}
