// The replay as html: the cards as they lay after a record, why, what the rules say, and a scrubber. Pure.
import { html, raw } from "../base/dom.js";
import { moment } from "../base/money.js";
import { clauseChip } from "../base/rules.js";
import { han, hanTag, isChinese, pageLanguage, saidHere, sentences } from "../base/words.js";
import { record, rulesOf } from "./reduce.js";
import { isDealt, kindName, places, plain, told, t, saysOf } from "./words.js";

/** @import { State } from "./reduce.js" */

const CARD = 66;

/** @param {State} state */
export function replay(state) {
  const found = state.retold, now = record(state);
  if (!found || !now) return emptyReplay(state);
  const { corrections, approvals, records } = found, rules = rulesOf(state);
  return html`<section class="panel rp" aria-labelledby="h-replay"><header><h2 id="h-replay">${t("Replay")}</h2><span
      class="pill info">${t("rebuilt from the journal alone")}</span><span class="grow"></span><span
      class="muted small">${t("record {0} of {1}", state.at + 1, records.length)}</span></header>
    <div class="felt"><div class="tbl">${side(now, "p", "PLAYER", "閒", now.player)}${
      side(now, "b", "BANKER", "莊", now.banker)}</div>${why(now, rules)}</div>
    <div class="checks scroll" tabindex="0" role="region" aria-label="${t("Checks")}">${
      corrections.map((one) => correction(one, rules))}${approvals.map(people)}${checks(found, rules)}</div>
    ${scrubber(state, found, now)}</section>`;
}

/** @param {State} state */
const emptyReplay = (state) => html`<section class="panel rp" aria-label="${t("Replay")}"><header><h2>${
  t("Replay")}</h2></header>
  <p class="empty muted" role="status">${nothing(state)}</p></section>`;

/** @param {State} state */
function nothing({ stream, seq, said, verify }) {
  if (verify?.bad?.stream === stream && verify.bad.seq === seq) {
    return t("The journal does not hold at record {0}, so that its round is not told again. The record as it lies "
      + "there now is on the right.", seq);
  }
  return stream.startsWith("table:") ? said ?? t("Choose a record of a round.") : t("This stream has no rounds.");
}

function side(now, letter, name, glyph, points) {
  const lang = pageLanguage();
  const order = places(now.cards), slots = Object.keys(order).filter((slot) => slot[0] === letter);
  const card = (slot) => html`<div class="n${now.slot === slot ? " now" : ""}"
    data-key="${slot}"><pb-card code="${now.cards[slot]}" size="${CARD}"></pb-card><em>${
      t("card {0}", order[slot])}</em></div>`;
  return html`<div class="hand ${letter}">
    <div class="hd ${letter}-ink"><b>${points ?? "–"}</b>${
      isChinese(lang) ? null : name} <span class="cjk" lang="${hanTag(lang)}">${han(lang, glyph)}</span></div>
    <div class="cd">${slots.map(card)}</div></div>`;
}

function titleOf(now) {
  const { row, slot, cards } = now, kind = kindName(row.kind);
  if (isDealt(now)) return t("Card {0}: {1}", places(cards)[slot], told(now).replace(/^\d /, ""));
  return kind[0] + kind.slice(1).toLowerCase();
}

function why(now, rules) {
  const { row } = now;
  const banker = now.banker === null ? "" : t(", Banker {0}", now.banker);
  const totals = now.player === null ? "" : t("Player {0}{1}", now.player, banker);
  const text = isDealt(now) ? sentences(pageLanguage(), saidHere(now.why), totals) : sentences(pageLanguage(),
    saysOf(row));
  return html`<div class="why" role="status"><h3>${titleOf(now)} ${clauseChip(pageLanguage(), row.clause, rules)}</h3>
    <p>${text} <span class="dim">${t("By {0}, {1}.", row.by, moment(row.at))}</span></p></div>`;
}



const small = (code) => html`<pb-card code="${code}" size="44"></pb-card>`;
const dimmed = (code) => html`<pb-card code="${code}" size="44" dim></pb-card>`;

const strip = (name, cards, gone = []) => html`<div><span class="eyebrow">${name}</span>
  <div class="row strip">${cards.map(small)}${gone.map(dimmed)}</div></div>`;

const BURNED = () => html`<p class="dim small">${t("The dimmed cards were not needed, and are burned.")}</p>`;

const correction = (one, rules) => html`<article class="fix">
  <p><b>${t("Corrected")}</b>${t(", record {0}: {1}", one.seq, plain(one.what))} ${
    clauseChip(pageLanguage(), one.clause, rules)}</p>
  <div class="both">${strip(t("As it lay"), one.original)}${
    strip(t("As it should be"), one.corrected, one.surplus)}</div>
  ${one.surplus.length ? BURNED() : null}</article>`;

const people = (one) => html`<p class="people"><pb-icon name="user" size="16"></pb-icon><span>${t(one.approved
  ? "{0} asked for {1}, {2} approved, {3}, record {4}" : "{0} asked for {1}, {2} turned it down, {3}, record {4}",
one.asked_by, one.what, one.decided_by, moment(one.at), one.seq)}</span></p>`;

function checks(found, rules) {
  if (!found.checks.length) return html`<p class="empty muted">${
    t("The checks follow when the round is settled.")}</p>`;
  return html`<table class="t"><thead><tr><th>${t("Check")}</th><th>${t("Clause")}</th><th>${t("Expected")}</th><th>${
    t("Recorded")}</th>
    <th><span class="sr">${t("Agrees")}</span></th></tr></thead><tbody>${
    found.checks.map((row) => checkRow(row, rules))}</tbody></table>`;
}

const checkRow = (row, rules) => html`<tr class="${row.agrees ? "" : "off"}"><td>${saidHere(row.what)}</td>
    <td>${clauseChip(pageLanguage(), row.clause, rules)}</td><td class="muted">${saidHere(row.expected)}</td>
    <td class="${row.recorded.en === "no wager" ? "dim" : ""}">${saidHere(row.recorded)}</td>
    <td class="${row.agrees ? "ok" : "danger"}">${row.agrees ? "✓" : "✕"}<span
      class="sr">${row.agrees ? t("agrees") : t("does not agree")}</span></td></tr>`;

/** @param {State} state */
function scrubber(state, found, now) {
  const { at, playing } = state, last = found.records.length - 1;
  return html`<div class="sc"><button type="button" class="btn sm" data-act="step" data-by="-1"
      aria-label="${t("Previous record")}" ${at ? null : html`disabled`}>‹</button>
    <button type="button" class="btn sm primary" data-act="play" aria-label="${
      playing ? t("Pause") : t("Play")}"><pb-icon
      name="${playing ? "pause" : "play"}" size="20"></pb-icon></button>
    <button type="button" class="btn sm" data-act="step" data-by="1"
      aria-label="${t("Next record")}" ${at < last ? null : html`disabled`}>›</button>
    <div class="trk">${ticks(found.records)}<input type="range" id="scrub" min="0" max="${last}" step="1"
      value="${at}" data-set="${at}" aria-label="${t("Record")}"
      aria-valuetext="${t("record {0}", at + 1)}${t(", ")}${told(now)}"></div><span
      class="muted small">${moment(now.row.at)}</span></div>`;
}

// A tick for each card.
function ticks(records) {
  const last = Math.max(1, records.length - 1);
  const one = (i) => `<rect x="${((i / last) * 1000).toFixed(1)}" y="0" width="4" height="16" rx="2"/>`;
  const all = records.map(({ slot }, i) => (slot ? one(i) : "")).join("");
  return raw(`<svg viewBox="-2 0 1008 16" preserveAspectRatio="none" aria-hidden="true">${all}</svg>`);
}
