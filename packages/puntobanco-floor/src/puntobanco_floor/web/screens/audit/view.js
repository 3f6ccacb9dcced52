// The audit as html: the bar of the verification, the journal, and where its other columns stand. Pure.
import { html } from "../base/dom.js";
import { count, moment } from "../base/money.js";
import { clauseMark } from "../base/rules.js";
import { staffbar } from "../base/staffbar.js";
import { saidHere } from "../base/words.js";
import { ledger, raw, settlement } from "./record.js";
import { isTable, listed, rulesOf, verdict } from "./reduce.js";
import { replay } from "./replay.js";
import { GROUPS, kindName, seconds, short, streamName, told, t, saysOf } from "./words.js";

/** @import { State } from "./reduce.js" */

/** @param {State} state */
export function view(state) {
  return html`${staffbar({ me: state.me, current: "audit" })}${bar(state)}
    <main class="audit">${state.stream ? columns(state) : unread(state)}</main>`;
}

/** @param {State} state */
const columns = (state) => html`${journal(state)}${replay(state)}<div class="side">${
  settlement(state)}${ledger(state)}${raw(state)}</div>`;

const unread = ({ said }) =>
  html`<p class="first" role="status">${said ?? t("One moment: the journal is being read.")}</p>`;

// The bar of the verification

/** @param {State} state */
function bar(state) {
  const how = verdict(state.verify), { icon, title, small, rest = null } = BARS[how](state.verify, state);
  return html`<section class="ver ${how}" aria-label="${t("Verification")}"><div class="ic"><pb-icon name="${icon}"
    size="26"></pb-icon></div><div class="what" role="status"><h1>${title}</h1><small>${small}</small></div>${
    rest}<span class="grow"></span><div class="row">${exports(state)}${verifyButton(how)}</div></section>`;
}

/**
 * @typedef {{ icon: string, title: string, small: unknown, rest?: unknown }} Bar
 * @type {Record<string, (verify: any, state: State) => Bar>}
 */
const BARS = {
  unknown: () => ({ icon: "shield", title: t("Audit"), small: t("reading what is known") }),
  never: () => ({
    icon: "shield", title: t("Not verified since the server started"),
    small: t("chain, signatures, every state, every settlement and every cent can be recomputed from the journal"),
  }),
  running: ({ done, total, took_ms: took }) => ({
    icon: "clock", title: t("Recomputing everything"),
    small: t("{0} of {1} records, {2}", count(done), count(total), seconds(took)),
    rest: html`<progress max="${total || 1}" value="${done}" aria-label="${t("Records recomputed")}"></progress>`,
  }),
  broken: ({ bad, fault }) => ({
    icon: "stop", title: bad ? t("Broken at {0}, record {1}", streamName(bad.stream), bad.seq) : t("Broken"),
    small: fault, rest: bad ? badFacts(bad) : null,
  }),
  sound: (found, { streams }) => ({
    icon: "check", title: t("Journal verified, no breaks"), small: recomputed(found, streams), rest: facts(found),
  }),
};

const VERIFY = { unknown: "Verify now", never: "Verify now", running: "Verifying…" };

const verifyButton = (how) => html`<button type="button" class="btn sm primary" data-act="verify"
  ${how === "running" ? html`disabled` : null}>${t(VERIFY[how] ?? "Verify again")}</button>`;

const badFacts = ({ stream, seq, expected, found }) => html`<div class="fact hashes"><span>${
  t("chain says")} <b class="mono"
    title="${expected}">${short(expected)}</b></span><span>${t("bytes are")} <b class="mono"
    title="${found}">${short(found)}</b></span></div>
  <button type="button" class="btn sm" data-act="bad" data-stream="${stream}"
    data-seq="${seq}">${t("Show the record")}</button>`;

function recomputed({ began_at: began, took_ms: took, entries }, streams) {
  const since = streams.reduce((sum, row) => sum + row.seq, 0) - entries;
  return t(since > 0 ? "recomputed {0}, {1}; {2} records since" : "recomputed {0}, {1}", moment(began), seconds(took),
    count(since));
}

const fact = (value, words) => html`<div class="fact"><b>${value}</b>${words}</div>`;

const facts = (found) => [
  fact(t("{0} records", count(found.entries)), t("{0} streams, {1} signatures", found.streams,
    count(found.signatures))),
  fact("$0.00", t("ledger out of balance")),
  fact(t("Replay equal"), t("{0} settled rounds, {1} void", count(found.rounds), count(found.voids))),
  found.unproven.length ? unproven(found.unproven) : null,
  found.rulings.length ? rulings(found.rulings) : null,
];

const unproven = (list) => html`<details class="menu fact">
  <summary title="${t("What cannot be proved before something else has happened")}">${
    t("{0} open", list.length)}</summary>
  <ul class="pop">${list.map((text) => html`<li>${text}</li>`)}</ul></details>`;

const rulings = (list) => html`<details class="menu fact">
  <summary title="${t("Voids that this program would refuse; the journal holds")}">${
    t("{0} rulings to look at", list.length)}</summary>
  <ul class="pop">${list.map((text) => html`<li>${text}</li>`)}</ul></details>`;

/** @param {State} state */
function exports({ stream, round }) {
  if (!stream) return null;
  return html`<details class="menu"><summary class="btn sm"><pb-icon name="dl" size="16"></pb-icon>${
    t("Export CSV")}</summary>
    <form class="pop" data-act="export">
    <p class="small muted">${t("{0}, one line a record, with its hash", streamName(stream))}</p>
    ${isTable(stream) ? exportRounds(round ?? "") : null}
    <button class="btn sm" type="button" data-act="export-all">${t("The whole stream")}</button></form></details>`;
}

const exportRounds = (round) => html`<div class="row"><label class="field">${t("From round")}<input id="from"
    inputmode="numeric" value="${round}" maxlength="9"></label><label class="field">${t("to")}<input id="to"
    inputmode="numeric" value="${round}" maxlength="9"></label></div>
  <button class="btn sm" type="submit">${t("These rounds")}</button>`;

// The journal

/** @param {State} state */
function journal(state) {
  const { stream, streams, mode } = state, rows = listed(state), table = isTable(stream);
  return html`<section class="panel j" aria-label="${t("Journal")}"><header><label class="sr" for="stream">${
    t("Stream")}</label><select
      id="stream" class="in" data-set="${stream}">${streams.map((row) => streamOption(row, stream))}</select>
      ${table ? modes(mode) : null}</header>
    ${table && mode === "round" ? rounds(state) : null}
    ${filters(state)}
    <div class="list" ${rows.length ? LISTBOX() : null}>${rows.map((one) => line(state, one))}${
      rows.length ? null : noRows(state)}</div>
    <footer>${mode === "journal" ? journalEnd(state, rows) : roundEnd(state)}<span
      class="dim">${state.me ? t("times of {0}", state.me.zone) : ""}</span></footer></section>`;
}

// Without records it is none: a box of that role holds nothing but options.
const LISTBOX = () => html`role="listbox" aria-label="${t("Records")}" tabindex="0"`;

const streamOption = ({ stream, title }, chosen) => html`<option value="${stream}"
  ${stream === chosen ? html`selected` : null}>${streamName(stream)}${title ? `${t(", ")}${title}` : ""}</option>`;

const modes = (mode) => html`<div class="seg sm" role="group" aria-label="${t("What is listed")}">${
  [["round", "Round"], ["journal", "Journal"]].map(([id, name]) => html`<button type="button" data-act="mode"
    data-mode="${id}" aria-pressed="${mode === id ? "true" : "false"}">${t(name)}</button>`)}</div>`;

const KINDS = { void: "danger", settled: "ok" };

/** @param {State} state */
function rounds({ stream, streams, retold: found, round }) {
  const last = streams.find((row) => row.stream === stream)?.rounds ?? 0;
  const before = (round ?? 1) - 1, after = (round ?? 0) + 1;
  const pill = found ? html`<span class="pill ${KINDS[found.state] ?? "warn"}">${t(found.state)}</span>` : null;
  return html`<div class="rounds"><h2>${found ? t("Shoe {0}, round {1}", found.shoe, found.round) : t("Round")}</h2>${
    pill}${
      found ? html`<span class="muted small" data-shuffled>${
        found.shuffle ? saidHere(found.shuffle.text) : ""}</span>` : null}<span class="beside">
      ${roundButton(before, `‹ ${before}`, before < 1)}
      <form data-act="goto"><label class="sr" for="goto">${t("Round")}</label><input id="goto" class="in num"
        inputmode="numeric" maxlength="9" placeholder="${round ?? ""}"></form>
      ${roundButton(after, `${after} ›`, after > last)}</span></div>`;
}

const roundButton = (round, words, locked) => html`<button type="button" class="btn sm" data-act="round"
  data-round="${round}" aria-label="${t("Round {0}", round)}" ${locked ? html`disabled` : null}>${words}</button>`;

/** @param {State} state */
function filters(state) {
  const { group, text } = state, shown = GROUPS.filter(([id]) => !id || id === group || hasGroup(state, id));
  return html`<div class="flt" role="group" aria-label="${t("Kinds of records")}">${
      shown.map(([id, name]) => groupButton(id, `${t(name)}${countOf(state, id)}`, id === group))}
      <label class="find"><span class="sr">${t("Filter: words, a clause, a name")}</span><pb-icon name="search"
        size="15"></pb-icon><input id="find" class="in" placeholder="${t("Filter, /")}" autocomplete="off" maxlength="80"
        value="${text}" data-set="${text}"></label></div>`;
}

const groupButton = (id, words, chosen) => html`<button type="button" class="pill${chosen ? " gold" : ""}"
  data-act="group" data-group="${id}" aria-pressed="${chosen ? "true" : "false"}">${words}</button>`;

// How many records of a kind the round has, where a round is listed.
/** @param {State} state */
function countOf({ mode, retold: found }, id) {
  if (mode !== "round" || !found) return "";
  return ` ${found.records.filter(({ row }) => !id || row.group === id).length}`;
}

/** @param {State} state */
function hasGroup({ mode, retold: found, stream }, id) {
  if (mode === "round") return found?.records.some(({ row }) => row.group === id);
  if (isTable(stream)) return id !== "house";
  return stream === "floor" ? id === "house" : ["money", "decisions"].includes(id);
}

const noRows = ({ reading, said }) =>
  html`<p class="empty muted" role="status">${reading ? t("One moment.") : said ?? t("No record of this kind.")}</p>`;

function journalEnd({ last, before, reading }, rows) {
  const older = () => html`<button type="button" class="btn sm" data-act="older"
    ${reading ? html`disabled` : null}>${t("Older")}</button>`;
  return html`<span>${t("{0} of {1} records, newest first", count(rows.length), count(last))}</span><span
    class="grow"></span>${before ? older() : html`<span>${t("the beginning")}</span>`}`;
}

/** @param {State} state */
function roundEnd({ retold: found }) {
  if (!found) return null;
  const { first, last, folded, rules } = found;
  const wagers = folded ? t("; {0} wagers folded", count(folded)) : "";
  return html`<span>${t("records {0} to {1}{2}", first, last, wagers)}</span><span class="grow"></span><span
    class="dim">${rules}</span>`;
}

/** @param {State} state */
function line(state, one) {
  const { row } = one, chosen = row.seq === state.seq;
  return html`<div class="e${chosen ? " sel" : ""}${isAhead(state, row) ? " fut" : ""}" role="option"
      aria-selected="${chosen ? "true" : "false"}" data-key="${state.stream}-${row.seq}"
      data-act="choose" data-seq="${row.seq}">
    <i></i><span class="dim">${row.at ? moment(row.at) : "?"}</span><span class="d"><b>${kindName(row.kind)}</b><span>${
      one.cards ? told(one) : saysOf(row)}</span></span><span>${
      clauseMark(row.clause, rulesOf(state))}</span><span class="h">${row.hash}</span></div>`;
}

// Not yet told again, where the replay stands now.
/** @param {State} state */
const isAhead = ({ mode, retold: found, at }, row) =>
  mode === "round" && found && row.seq > (found.records[at]?.row.seq ?? 0);
