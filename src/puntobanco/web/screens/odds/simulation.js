// The third tab: shoes dealt by the simulator, and how far each wager's edge lies from the exact one.
import { html } from "../base/dom.js";
import { count } from "../base/money.js";
import { errorChart } from "./errorchart.js";
import { INKS, boxed, panelOf, wrong } from "./panels.js";
import { rowOf } from "./reduce.js";

/** @import { State } from "./reduce.js" */

/** @param {State} state */
export function simulationControls(state) {
  const { form, dealing, lab } = state, row = rowOf(state), choices = lab?.simulation.choices ?? [];
  const isChosen = (rounds) => String(rounds) === form.rounds;
  const option = (rounds) => html`<option value="${rounds}" ${isChosen(rounds) ? html`selected` : null}>${
    count(rounds)}</option>`;
  return html`<form class="row sim" data-act="deal" data-key="form">
    <label class="row"><span class="muted">Rounds</span><select class="in" data-field="rounds"
      data-set="${form.rounds}">${choices.map(option)}</select></label>
    <label class="row"><span class="muted">Seed</span><input class="in seed" type="text" inputmode="numeric"
      autocomplete="off" maxlength="20" data-field="seed" data-set="${form.seed}" value="${form.seed}"></label>
    <button type="button" class="btn sm" data-act="seed">New seed</button>
    <label class="row"><span class="muted">Cut card</span><input class="in cut" type="number" min="6"
      max="${(state.decks ?? 0) * (row?.deck_cards ?? 0) - 7}" placeholder="none" data-field="cut" data-set="${form.cut}"
      value="${form.cut}"></label>
    <button type="submit" class="btn sm primary" ${dealing ? html`aria-disabled="true"` : null}>
      <pb-icon name="play" size="18"></pb-icon>${dealing ? "Dealing" : "Deal"}</button></form>`;
}

/** @param {State} state */
export const runFiles = (state) => html`<div class="row files"><button type="button" class="btn sm" data-act="save"
  data-form="run" ${state.run && !state.dealing ? null : html`disabled title="As soon as a run is over"`}
  ${state.saving ? html`aria-disabled="true"` : null}><pb-icon name="dl" size="18"></pb-icon>JSON</button></div>`;

/** @param {State} state */
export function simulationBody(state) {
  const { dealing } = state, run = dealing ? null : state.run;
  const instead = dealing
    ? boxed("errors", html`<div class="sk-chart" aria-hidden="true"></div>`)
    : html`<p class="wrong dim" data-key="wrong">as soon as shoes have been dealt</p>`;
  return html`<div class="w w3" data-key="simulation">
    <section class="panel" data-key="bets" aria-busy="${dealing ? "true" : "false"}">
      <header><h2>${run ? titleOf(run) : "Simulated and exact"}</h2><span class="grow"></span>
        <span class="dim small">${run ? dealtOf(run) : dealing ? SLOW : ""}</span></header>
      ${run ? [verdict(run), betTable(run)] : dealing ? skeleton() : unrun(state)}</section>
    ${panelOf(state, "errors", run && chart(run), instead)}
    ${run ? linesPanel(run) : null}</div>`;
}

const SLOW = "dealing; a game's first run takes some seconds more";
const titleOf = (run) => `${run.title}, ${run.decks} decks, seed ${run.seed}`;
const dealtOf = (run) => `${count(run.rounds)} rounds from ${count(run.shoes)} shoes, ${
  run.cut === null ? "no cut card" : `cut card ${run.cut} from the end`}, in ${run.seconds} s`;

/** @param {State} state */
function unrun({ lab, wrong: { run: reason } }) {
  if (reason) return wrong(reason);
  return lab ? invitation(lab) : null;
}

function invitation({ simulation: { most_rounds: most, table_cut: cut }, public: isPublic }) {
  return html`<div class="prose" data-key="what">
    <p>The floor's own simulator deals whole fresh shoes of the chosen game and counts how every wager ends. Beside each
      simulated edge stands the exact one, and how far apart they are.</p>
    <p>Shoes follow from the seed and their number alone: the same seed has the same counts, here and at the command
      line. This generator is never used for play.</p>
    <p>Without a cut card every shoe gives the same number of rounds, each with the odds of a fresh shoe, and the run is
      judged. With one, shoes end as a table's do (there it lies ${cut} cards from the end, unless it is set): shown,
      and not judged.</p>
    <p class="dim">${count(most)} rounds at most${isPublic ? ": this lab is open to everybody" : ""}.</p></div>`;
}

const PILLS = { true: ["ok", "check", "agrees"], false: ["danger", "warn", "does not agree"] };

function verdict({ passed, words }) {
  const [kind, icon, said] = PILLS[passed] ?? ["info", "info", "not judged"];
  return html`<p class="verdict" data-key="verdict"><span class="pill ${kind}"><pb-icon name="${icon}"
    size="14"></pb-icon>${said}</span> ${words}</p>`;
}

function heads(names, isRight) {
  const head = (name, i) => html`<th scope="col" class="${isRight(i) ? "r" : ""}">${name}</th>`;
  return html`<thead><tr>${names.map(head)}</tr></thead>`;
}

const COLUMNS = [
  "Wager", "Simulated edge", "Standard error", "Exact edge", "Difference", "In standard errors", "In words",
];

function betTable({ bets }) {
  const row = (bet) => html`<tr><th scope="row" class="${INKS[bet.hand] ?? "gold"}">${bet.title}</th>
    <td class="r e" title="${bet.simulated.exact}">${bet.simulated.text}</td><td class="r">± ${bet.error.text}</td>
    <td class="r e" title="${bet.exact.exact}">${bet.exact.text}</td><td class="r">${bet.difference.text}</td>
    <td class="r e">${bet.errors_text}</td>
    <td class="${bet.agrees === false ? "danger" : ""}">${bet.words}</td></tr>`;
  return html`<div class="scroll" data-key="table" role="region" aria-label="Simulated and exact edges" tabindex="0">
    <table class="t simt">${heads(COLUMNS, (i) => i > 0 && i < 6)}<tbody>${bets.map(row)}</tbody></table></div>
    <p class="dim small note-under">A standard error is the exact standard deviation of one round divided by the square
      root of the rounds. A bonus is not counted in.</p>`;
}

const LINES = ["Wager", "Pays", "Clause", "Counted", "Expected", "In standard errors"];

function linesPanel({ lines }) {
  const row = (line) => html`<tr><th scope="row">${line.title}</th><td>${line.pays}</td>
    <td><span class="clause">${line.clause}</span></td><td class="r e">${line.count}</td>
    <td class="r">${line.expected}</td><td class="r e">${line.errors_text}</td></tr>`;
  return html`<section class="panel lines" data-key="lines"><header><h2>Every line: counted and expected</h2></header>
    <div class="scroll" role="region" aria-label="Every line" tabindex="0"><table class="t simt">${
      heads(LINES, (i) => i > 2)}<tbody>${lines.map(row)}</tbody></table></div></section>`;
}

function skeleton() {
  const cell = (i) => html`<td><i class="sk${i % 3}"></i></td>`;
  const row = (n) => html`<tr class="sk">${COLUMNS.map((_, i) => cell(i + n))}</tr>`;
  return html`<table class="t simt" data-key="sk"><tbody aria-hidden="true">${
    [0, 1, 2, 3, 4, 5, 6].map(row)}</tbody></table>`;
}

const marked = ({ title, errors, errors_text: said, agrees }) => ({ title, errors, said, agrees });

function chart({ title, bets }) {
  return {
    title: "How far off, in standard errors", note: "band: ± 2",
    columns: ["Wager", "In standard errors", "In words"],
    rows: bets.map((bet) => [bet.title, bet.errors_text, bet.words]),
    draw: (box) => errorChart({ title, bets: bets.map(marked) }, box),
  };
}
