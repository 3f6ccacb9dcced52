// The replay as html: the cards as they lay after a record, why, what the rules say, and a scrubber. Pure.
import { html, raw } from "../base/dom.js";
import { time } from "../base/money.js";
import { clauseChip } from "../base/rules.js";
import { record, rulesOf } from "./reduce.js";
import { hand, isDealt, kindName, places, plain, told } from "./words.js";

/** @import { State } from "./reduce.js" */

const CARD = 66;

/** @param {State} state */
export function replay(state) {
  const found = state.retold, now = record(state);
  if (!found || !now) return emptyReplay(state);
  const { corrections, approvals, records } = found, rules = rulesOf(state);
  return html`<section class="panel rp" aria-labelledby="h-replay"><header><h2 id="h-replay">Replay</h2><span
      class="pill info">rebuilt from the journal alone</span><span class="grow"></span><span
      class="muted small">record ${state.at + 1} of ${records.length}</span></header>
    <div class="felt"><div class="tbl">${side(now, "p", "PLAYER", "閒", now.player)}${
      side(now, "b", "BANKER", "莊", now.banker)}</div>${why(now, rules)}</div>
    <div class="checks scroll" tabindex="0" role="region" aria-label="Checks">${
      corrections.map((one) => correction(one, rules))}${approvals.map(people)}${checks(found, rules)}</div>
    ${scrubber(state, found, now)}</section>`;
}

/** @param {State} state */
const emptyReplay = (state) => html`<section class="panel rp" aria-label="Replay"><header><h2>Replay</h2></header>
  <p class="empty muted" role="status">${nothing(state)}</p></section>`;

/** @param {State} state */
function nothing({ stream, seq, said, verify }) {
  if (verify?.bad?.stream === stream && verify.bad.seq === seq) {
    return `The journal does not hold at record ${seq}, so that its round is not told again.`
      + " The record as it lies there now is on the right.";
  }
  return stream.startsWith("table:") ? said ?? "Choose a record of a round." : "This stream has no rounds.";
}

function side(now, letter, name, glyph, points) {
  const order = places(now.cards), slots = Object.keys(order).filter((slot) => slot[0] === letter);
  const card = (slot) => html`<div class="n${now.slot === slot ? " now" : ""}"
    data-key="${slot}"><pb-card code="${now.cards[slot]}" size="${CARD}"></pb-card><em>card ${order[slot]}</em></div>`;
  return html`<div class="hand ${letter}">
    <div class="hd ${letter}-ink"><b>${points ?? "–"}</b>${name} <span class="cjk" lang="zh-Hant">${glyph}</span></div>
    <div class="cd">${slots.map(card)}</div></div>`;
}

function titleOf(now) {
  const { row, slot, cards } = now, kind = kindName(row.kind);
  if (isDealt(now)) return `Card ${places(cards)[slot]}: ${told(now).replace(/^\d /, "")}`;
  return kind[0] + kind.slice(1).toLowerCase();
}

function why(now, rules) {
  const { row } = now;
  const banker = now.banker === null ? "" : `, Banker ${now.banker}`;
  const totals = now.player === null ? "" : ` Player ${now.player}${banker}.`;
  const text = isDealt(now) ? `${sentence(now.why)}.${totals}` : `${sentence(plain(row.says))}.`;
  return html`<div class="why" role="status"><h3>${titleOf(now)} ${clauseChip("en", row.clause, rules)}</h3>
    <p>${text} <span class="dim">By ${row.by}, ${time(row.at)}.</span></p></div>`;
}

const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1).replace(/\.$/, "") : "");

const small = (code) => html`<pb-card code="${code}" size="44"></pb-card>`;
const dimmed = (code) => html`<pb-card code="${code}" size="44" dim></pb-card>`;

const strip = (name, cards, gone = []) => html`<div><span class="eyebrow">${name}</span>
  <div class="row strip">${cards.map(small)}${gone.map(dimmed)}</div></div>`;

const BURNED = html`<p class="dim small">The dimmed cards were not needed, and are burned.</p>`;

const correction = (one, rules) => html`<article class="fix">
  <p><b>Corrected</b>, record ${one.seq}: ${plain(one.what)} ${clauseChip("en", one.clause, rules)}</p>
  <div class="both">${strip("As it lay", one.original)}${strip("As it should be", one.corrected, one.surplus)}</div>
  ${one.surplus.length ? BURNED : null}</article>`;

const people = (one) => html`<p class="people"><pb-icon name="user" size="16"></pb-icon><span><b>${one.asked_by}</b>
  asked for ${one.what}, <b>${one.decided_by}</b> ${one.approved ? "approved" : "turned it down"},
  ${time(one.at)}, record ${one.seq}</span></p>`;

function checks(found, rules) {
  if (!found.checks.length) return html`<p class="empty muted">The checks follow when the round is settled.</p>`;
  return html`<table class="t"><thead><tr><th>Check</th><th>Clause</th><th>Expected</th><th>Recorded</th>
    <th><span class="sr">Agrees</span></th></tr></thead><tbody>${
    found.checks.map((row) => checkRow(row, rules))}</tbody></table>`;
}

const checkRow = (row, rules) => html`<tr class="${row.agrees ? "" : "off"}"><td>${row.what}</td>
    <td>${clauseChip("en", row.clause, rules)}</td><td class="muted">${row.expected}</td>
    <td class="${row.recorded === "no wager" ? "dim" : ""}">${row.recorded}</td>
    <td class="${row.agrees ? "ok" : "danger"}">${row.agrees ? "✓" : "✕"}<span
      class="sr">${row.agrees ? "agrees" : "does not agree"}</span></td></tr>`;

/** @param {State} state */
function scrubber(state, found, now) {
  const { at, playing } = state, last = found.records.length - 1;
  return html`<div class="sc"><button type="button" class="btn sm" data-act="step" data-by="-1"
      aria-label="Previous record" ${at ? null : html`disabled`}>‹</button>
    <button type="button" class="btn sm primary" data-act="play" aria-label="${playing ? "Pause" : "Play"}"><pb-icon
      name="${playing ? "pause" : "play"}" size="20"></pb-icon></button>
    <button type="button" class="btn sm" data-act="step" data-by="1"
      aria-label="Next record" ${at < last ? null : html`disabled`}>›</button>
    <div class="trk">${ticks(found.records)}<input type="range" id="scrub" min="0" max="${last}" step="1"
      value="${at}" data-set="${at}" aria-label="Record"
      aria-valuetext="record ${at + 1}, ${hand(now.slot || "p1") && told(now)}"></div><span
      class="muted small">${time(now.row.at)}</span></div>`;
}

// A tick for each card.
function ticks(records) {
  const last = Math.max(1, records.length - 1);
  const one = (i) => `<rect x="${((i / last) * 1000).toFixed(1)}" y="0" width="4" height="16" rx="2"/>`;
  const all = records.map(({ slot }, i) => (slot ? one(i) : "")).join("");
  return raw(`<svg viewBox="-2 0 1008 16" preserveAspectRatio="none" aria-hidden="true">${all}</svg>`);
}
