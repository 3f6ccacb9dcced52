// The odds lab as a page: tabs, controls, and the first tab: the par sheet with its four charts.
import { html } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { languages } from "../base/languages.js";
import { staffbar } from "../base/staffbar.js";
import { pageLanguage, saidHere } from "../base/words.js";
import { compareBody, compareControls } from "./compare.js";
import { methodBody } from "./method.js";
import { INKS, chartPanel, wrong } from "./panels.js";
import { TABS, bonusOf, decksOf, rowOf, stopOf, stopsOf } from "./reduce.js";
import { runFiles, simulationBody, simulationControls } from "./simulation.js";
import { flagsOf, t } from "./words.js";

/** @import { Words } from "../base/words.js" */
/** @import { State } from "./reduce.js" */

/** @param {State} state */
export const page = (state) => html`${bar(state)}
  <main id="main" aria-label="${t("Odds lab")}">
    ${tabs(state)}
    <p class="${state.said || state.wrong.lab ? "said" : "sr"}" role="status"
      data-key="said">${state.wrong.lab ?? status(state)}
      ${state.wrong.lab ? html`<button type="button" class="btn sm" data-act="again">${
        t("Try again")}</button>` : null}</p>
    <div class="tabpanel" role="tabpanel" id="panel" aria-labelledby="tab-${state.tab}">
      ${state.lab ? controls(state) : opening(state)}
      ${BODIES[state.tab](state)}
    </div>
  </main>`;

const BODIES = { par: parBody, compare: compareBody, simulation: simulationBody, method: methodBody };

/** @param {State} state */
function parBody(state) {
  return html`<div class="w" data-key="par">
      ${sheetPanel(state)}
      ${chartPanel(state, "stake")}
      <div class="bot" data-key="bot">${["decks", "results", "removal"].map((chart) => chartPanel(state, chart))}</div>
    </div>`;
}

/** @param {State} state */
function opening(state) {
  const said = state.wrong.lab ? "" : t("Opening the odds lab");
  return html`<div class="ctl" data-key="ctl"><span class="muted">${said}</span></div>`;
}

/** @type {Record<string, (state: State) => Words | false | undefined>} */
const STATUS = {
  par: ({ sheet, wrong: { sheet: reason } }) => (sheet ? t("{0}, {1} decks", saidHere(sheet.title), sheet.decks)
    : !reason && t("Computing the par sheet")),
  compare: ({ compare, wrong: { compare: reason } }) => (compare ? t("All games at {0} decks", compare.decks)
    : !reason && t("Computing the par sheets of all games")),
  simulation: ({ run, dealing, wrong: { run: reason } }) => (dealing ? t("Dealing") : reason ?? saidHere(run?.words)),
  method: ({ method, wrong: { method: reason } }) => (method
    ? t("How the figures of {0} are made", saidHere(method.title))
    : !reason && t("Asking how the figures are made")),
};
/** @param {State} state */
const status = (state) => state.said || STATUS[state.tab](state) || "";

/** @param {State} state */
function bar(state) {
  if (state.lab?.public && !state.me) {
    const brand = html`<span class="brand"><pb-logo></pb-logo><span>${t("Odds lab")}</span></span>`;
    return html`<header class="staffbar" data-key="staffbar">${brand}<span
      class="grow"></span>${languages(pageLanguage(), { small: true })}</header>`;
  }
  return staffbar({ me: state.me, current: "odds" });
}

/** @param {State} state */
const tabs = (state) => html`<div class="tabs" role="tablist" aria-label="${t("Odds lab")}" data-key="tabs">${
  TABS.map((tab) => tabButton(tab, tab.id === state.tab))}</div>`;

const tabButton = ({ id, name }, isChosen) => html`<button type="button" role="tab" id="tab-${id}" data-act="tab"
  data-tab="${id}" aria-selected="${isChosen ? "true" : "false"}" aria-controls="panel"
  tabindex="${isChosen ? 0 : -1}">${t(name)}</button>`;

/** @param {State} state */
function controls(state) {
  const row = rowOf(state), files = { par: parFiles, simulation: runFiles }[state.tab];
  return html`<section class="ctl" data-key="ctl" aria-label="${t("What is computed")}">
    ${state.tab === "compare" ? null : gamePick(state)}
    <div class="row decks" data-key="decks"><span class="muted" id="decks-of">${
      state.tab === "compare" ? t("Decks") : t("Decks of {0}", row?.deck_cards)}</span>
      <div class="seg sm" role="group" aria-labelledby="decks-of">${
        decksOf(state).map((decks) => decksButton(decks, decks === state.decks))}</div></div>
    ${{ par: stakeSlider, compare: compareControls, simulation: simulationControls }[state.tab]?.(state)}
    <span class="grow"></span>
    ${files?.(state)}
  </section>`;
}

/** @param {State} state */
const gamePick = (state) => html`<label class="pick" data-key="pick"><span class="sr">${t("Game")}</span>
  <select class="in" id="game" data-set="${state.game}">${
    (state.lab?.games ?? []).map((one) => gameOption(one, one.game === state.game))}</select></label>`;

/** @param {State} state */
const parFiles = (state) => html`<div class="row files">${
  ["pdf", "csv", "json"].map((form) => saveButton(state, form))}</div>
  ${state.lab?.pdf ? null : html`<span class="dim small">${t("PDF: not installed on this server")}</span>`}`;

const gameOption = (one, isChosen) =>
  html`<option value="${one.game}" ${isChosen ? html`selected` : null}>${saidHere(one.title)}</option>`;

const decksButton = (decks, isChosen) => html`<button type="button" data-act="decks"
  data-decks="${decks}" aria-pressed="${isChosen ? "true" : "false"}">${decks}</button>`;

/** @param {State} state */
const saveButton = (state, form) => html`<button type="button" class="btn sm" data-act="save" data-form="${form}"
  ${form === "pdf" && !state.lab?.pdf ? html`disabled title="${
    t("A PDF needs the extra report on the server")}"` : null}
  ${state.saving ? html`aria-disabled="true"` : null}>
  <pb-icon name="dl" size="18"></pb-icon>${state.saving === form ? t("Making") : null} ${form.toUpperCase()}</button>`;

// Where something lies along the slider, whose stops are evenly apart.
export function along(stops, cents) {
  const above = stops.findIndex((stop) => stop.stake_cents >= cents);
  if (above <= 0) return above === 0 ? 0 : 1;
  const [a, b] = [stops[above - 1].stake_cents, stops[above].stake_cents];
  return (above - 1 + (cents - a) / (b - a)) / (stops.length - 1);
}

/** @param {State} state */
function stakeSlider(state) {
  const bet = bonusOf(state.sheet);
  if (!bet) return null;
  const stops = stopsOf(bet), stop = stopOf(state, bet), place = stop ? stops.indexOf(stop) : -1;
  const marks = marksOf(bet, stops);
  const close = marks.length === 2 && Math.abs(marks[0].at - marks[1].at) < 0.4;
  return html`<div class="stake" data-key="stake"><label class="muted" for="stake">${
    t("{0} stake", saidHere(bet.title))}</label>
    <div class="slide"><input type="range" id="stake" min="0" max="${stops.length - 1}" step="1"
      value="${place}" data-set="${place}"
      aria-valuetext="${stop ? t("{0}, house edge {1}", dollars(stop.stake_cents), stop.edge.text) : ""}">
      <svg class="marks" width="210" height="24" viewBox="0 0 210 24" aria-hidden="true">${
        marks.map((mark) => drawn(mark, close))}</svg></div>
    <output for="stake"><b class="gold">${stop ? dollars(stop.stake_cents) : ""}</b></output></div>`;
}

// Below the slider: where the bonus makes up for the edge, and the least that a table takes.
function marksOf(bet, stops) {
  const even = bet.bonus.break_even, least = bet.minimum?.stake_cents;
  const mark = (kind, cents, said) => ({ at: along(stops, cents), kind, said });
  return [
    even && mark("even", Math.min(100 * Number(even.decimal), stops.at(-1).stake_cents), t("{0} even", even.text)),
    bet.minimum && mark("least", least, t("{0} min.", dollars(least))),
  ].filter(Boolean);
}

function drawn(mark, close) {
  const x = 10 + mark.at * 190, end = close && mark.kind === "least";
  const textX = end ? Math.max(x + 7, 90) : Math.max(0, x - 8);
  return html`<path class="${mark.kind}" d="M${x - 4} 6L${x} 0L${x + 4} 6Z"/><text class="${mark.kind}"
    x="${textX}" y="18" font-size="12">${mark.said}</text>`;
}

// The par sheet

const COLUMNS = ["Wager", "Result", "Pays", "Probability, exact", "Decimal", "House edge", "SD", "Hit rate"];

/** @param {State} state */
function sheetPanel(state) {
  const { sheet } = state, reason = state.wrong.sheet;
  const title = sheet ? t("Par sheet, {0} decks, {1} cards, fresh shoe", sheet.decks, sheet.cards) : t("Par sheet");
  const expected = reason ? "" : t("exact, about 2 s");
  const note = sheet ? `${saidHere(sheet.heading)} · ${t("exact, no rounding in the engine")}` : expected;
  return html`<section class="panel sheet-panel" data-key="sheet" aria-busy="${sheet || reason ? "false" : "true"}">
    <header><h2>${title}</h2><span class="grow"></span>
      <span class="dim small">${note}</span></header>
    ${reason ? wrong(reason) : parTable(state)}</section>`;
}

/** @param {State} state */
function parTable(state) {
  const { sheet } = state;
  const few = sheet && sheet.bets.flatMap((bet) => bet.results).length < 20;
  const head = COLUMNS.map((name) => html`<th scope="col">${t(name)}</th>`);
  return html`<div class="scroll" role="region" aria-label="${t("Par sheet")}" tabindex="0">
      <table class="par ${few ? "few" : ""}"><thead><tr>${head}</tr></thead>
      ${sheet ? sheet.bets.map((bet) => wager(state, bet)) : skeleton()}</table></div>
    ${sheet ? flags(sheet) : null}`;
}

/** @param {State} state */
function wager(state, bet) {
  const stop = bet.bonus ? stopOf(state, bet) : null, chosen = bet.bet === state.bet;
  const { edge, deviation } = stop ?? bet;
  const shown = bet.results.filter((result) => result.kind !== "loses");
  const once = (content, name) => html`<td class="${name}" rowspan="${shown.length}">${content}</td>`;
  return html`<tbody data-key="${bet.bet}" data-act="bet" data-bet="${bet.bet}" class="${chosen ? "chosen" : ""}">
    ${shown.map((result, i) => html`<tr>
      ${i ? null : html`<th scope="rowgroup" class="w1" rowspan="${shown.length}">${betButton(bet, stop, chosen)}</th>`}
      <td class="l">${saidHere(result.when)}</td><td class="pays">${saidHere(result.pays)}</td>
      <td class="fr">${result.probability.exact}</td>
      <td title="${result.probability.decimal}">${result.probability.text}</td>
      ${i ? null : [once(edge.text, "e"), once(deviation.text, "s"), once(bet.hit.text, "s")]}</tr>`)}
  </tbody>`;
}

function betButton(bet, stop, chosen) {
  const at = stop ? html` <span class="dim">${t("at {0}", dollars(stop.stake_cents))}</span>` : null;
  return html`<button type="button" class="${INKS[bet.hand] ?? "gold"}" data-act="bet"
    data-bet="${bet.bet}" aria-pressed="${chosen ? "true" : "false"}">${saidHere(bet.title)}${at}</button>`;
}

const flags = (sheet) => {
  const found = sheet.bets.filter((bet) => bet.flags.length);
  const flag = html`<pb-icon name="flag" size="16"></pb-icon>`;
  const rows = found.map((bet) => html`<li>${flag}${saidHere(bet.title)}${t(": ")}${
    flagsOf(bet).join(t("; "))}</li>`);
  return found.length ? html`<ul class="flags">${rows}</ul>` : null;
};

function skeleton() {
  const cell = (i, n) => html`<td>${n % 5 || i % 3 === 0 ? html`<i class="sk${(i + n) % 3}"></i>` : null}</td>`;
  const row = (i) => html`<tr class="sk">${COLUMNS.map((_, n) => cell(i, n))}</tr>`;
  return html`<tbody aria-hidden="true">${Array.from({ length: 17 }, (_, i) => row(i))}</tbody>`;
}
