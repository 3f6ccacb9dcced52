// The third tab: shoes dealt by the simulator, and how far each wager's edge lies from the exact one.
import { html } from "../base/dom.js";
import { count } from "../base/money.js";
import { saidHere } from "../base/words.js";
import { errorChart } from "./errorchart.js";
import { INKS, boxed, panelOf, wrong } from "./panels.js";
import { rowOf } from "./reduce.js";
import { t } from "./words.js";

/** @import { State } from "./reduce.js" */

/** @param {State} state */
export function simulationControls(state) {
  const { form, dealing, lab } = state, row = rowOf(state), choices = lab?.simulation.choices ?? [];
  if (lab && !lab.simulates) return html`<span class="dim small">${
    t("Simulation: not installed on this server")}</span>`;
  const isChosen = (rounds) => String(rounds) === form.rounds;
  const option = (rounds) => html`<option value="${rounds}" ${isChosen(rounds) ? html`selected` : null}>${
    count(rounds)}</option>`;
  return html`<form class="row sim" data-act="deal" data-key="form">
    <label class="row"><span class="muted">${t("Rounds")}</span><select class="in" data-field="rounds"
      data-set="${form.rounds}">${choices.map(option)}</select></label>
    <label class="row"><span class="muted">${t("Seed")}</span><input class="in seed" type="text" inputmode="numeric"
      autocomplete="off" maxlength="20" data-field="seed" data-set="${form.seed}" value="${form.seed}"></label>
    <button type="button" class="btn sm" data-act="seed">${t("New seed")}</button>
    <label class="row"><span class="muted">${t("Cut card")}</span><input class="in cut" type="number" min="6"
      max="${(state.decks ?? 0) * (row?.deck_cards ?? 0) - 7}" placeholder="${t("none")}" data-field="cut" data-set="${form.cut}"
      value="${form.cut}"></label>
    <button type="submit" class="btn sm primary" ${dealing ? html`aria-disabled="true"` : null}>
      <pb-icon name="play" size="18"></pb-icon>${dealing ? t("Dealing") : t("Deal")}</button></form>`;
}

/** @param {State} state */
export const runFiles = (state) => html`<div class="row files"><button type="button" class="btn sm" data-act="save"
  data-form="run" ${state.run && !state.dealing ? null : html`disabled title="${t("As soon as a run is over")}"`}
  ${state.saving ? html`aria-disabled="true"` : null}><pb-icon name="dl" size="18"></pb-icon>JSON</button></div>`;

/** @param {State} state */
export function simulationBody(state) {
  const { dealing } = state, run = dealing ? null : state.run;
  const instead = dealing
    ? boxed("errors", html`<div class="sk-chart" aria-hidden="true"></div>`)
    : html`<p class="wrong dim" data-key="wrong">${t("as soon as shoes have been dealt")}</p>`;
  return html`<div class="w w3" data-key="simulation">
    <section class="panel" data-key="bets" aria-busy="${dealing ? "true" : "false"}">
      <header><h2>${run ? titleOf(run) : t("Simulated and exact")}</h2><span class="grow"></span>
        <span class="dim small">${run ? dealtOf(run) : dealing ? SLOW() : ""}</span></header>
      ${run ? [verdict(run), betTable(run)] : dealing ? skeleton() : unrun(state)}</section>
    ${panelOf(state, "errors", run && chart(run), instead)}
    ${run ? linesPanel(run) : null}</div>`;
}

const SLOW = () => t("dealing; a game's first run takes some seconds more");
const titleOf = (run) => t("{0}, {1} decks, seed {2}", saidHere(run.title), run.decks, run.seed);
const dealtOf = (run) => t("{0} rounds from {1} shoes, {2}, in {3} s", count(run.rounds), count(run.shoes),
  run.cut === null ? t("no cut card") : t("cut card {0} from the end", run.cut), run.seconds);

/** @param {State} state */
function unrun({ lab, wrong: { run: reason } }) {
  if (reason) return wrong(reason);
  if (lab && !lab.simulates) return html`<p class="wrong dim" data-key="wrong">${MISSING()}</p>`;
  return lab ? invitation(lab) : null;
}

const MISSING = () => html`${t("A simulation needs an extra on the server; exact odds do not:")}
  <code>fast</code>`;

function invitation({ simulation: { most_rounds: most, table_cut: cut }, public: isPublic }) {
  return html`<div class="prose" data-key="what">
    <p>${t("The floor's own simulator deals whole fresh shoes of the chosen game and counts how every wager ends. "
      + "Beside each simulated edge stands the exact one, and how far apart they are.")}</p>
    <p>${t("Shoes follow from the seed and their number alone: the same seed has the same counts, here and at the "
      + "command line. This generator is never used for play.")}</p>
    <p>${t("Without a cut card every shoe gives the same number of rounds, each with the odds of a fresh shoe, and "
      + "the run is judged. With one, shoes end as a table's do (there it lies {0} cards from the end, unless it is "
        + "set): shown, and not judged.", cut)}</p>
    <p class="dim">${
      t(isPublic ? "{0} rounds at most: this lab is open to everybody." : "{0} rounds at most.",
        count(most))}</p></div>`;
}

const PILLS = { true: ["ok", "check", "agrees"], false: ["danger", "warn", "does not agree"] };

function verdict(run) {
  const { passed } = run;
  const [kind, icon, said] = PILLS[passed] ?? ["info", "info", "not judged"];
  return html`<p class="verdict" data-key="verdict"><span class="pill ${kind}"><pb-icon name="${icon}"
    size="14"></pb-icon>${t(said)}</span> ${saidHere(run.words)}</p>`;
}

function heads(names, isRight) {
  const head = (name, i) => html`<th scope="col" class="${isRight(i) ? "r" : ""}">${t(name)}</th>`;
  return html`<thead><tr>${names.map(head)}</tr></thead>`;
}

const COLUMNS = [
  "Wager", "Simulated edge", "Standard error", "Exact edge", "Difference", "In standard errors", "In words",
];

function betTable({ bets }) {
  const row = (bet) => html`<tr><th scope="row" class="${INKS[bet.hand] ?? "gold"}">${saidHere(bet.title)}</th>
    <td class="r e" title="${bet.simulated.exact}">${bet.simulated.text}</td><td class="r">± ${bet.error.text}</td>
    <td class="r e" title="${bet.exact.exact}">${bet.exact.text}</td><td class="r">${bet.difference.text}</td>
    <td class="r e">${bet.errors_text}</td>
    <td class="${bet.agrees === false ? "danger" : ""}">${saidHere(bet.words)}</td></tr>`;
  return html`<div class="scroll" data-key="table" role="region" aria-label="${
    t("Simulated and exact edges")}" tabindex="0">
    <table class="t simt">${heads(COLUMNS, (i) => i > 0 && i < 6)}<tbody>${bets.map(row)}</tbody></table></div>
    <p class="dim small note-under">${
      t("A standard error is the exact standard deviation of one round divided by the square root of the rounds. A "
        + "bonus is not counted in.")}</p>`;
}

const LINES = ["Wager", "Pays", "Clause", "Counted", "Expected", "In standard errors"];

function linesPanel({ lines }) {
  const row = (line) => html`<tr><th scope="row">${saidHere(line.title)}</th><td>${saidHere(line.pays)}</td>
    <td><span class="clause">${line.clause}</span></td><td class="r e">${line.count}</td>
    <td class="r">${line.expected}</td><td class="r e">${line.errors_text}</td></tr>`;
  return html`<section class="panel lines" data-key="lines"><header><h2>${
    t("Every line: counted and expected")}</h2></header>
    <div class="scroll" role="region" aria-label="${t("Every line")}" tabindex="0"><table class="t simt">${
      heads(LINES, (i) => i > 2)}<tbody>${lines.map(row)}</tbody></table></div></section>`;
}

function skeleton() {
  const cell = (i) => html`<td><i class="sk${i % 3}"></i></td>`;
  const row = (n) => html`<tr class="sk">${COLUMNS.map((_, i) => cell(i + n))}</tr>`;
  return html`<table class="t simt" data-key="sk"><tbody aria-hidden="true">${
    [0, 1, 2, 3, 4, 5, 6].map(row)}</tbody></table>`;
}

const marked = (bet) =>
  ({ title: saidHere(bet.title), errors: bet.errors, said: bet.errors_text, agrees: bet.agrees });

function chart(run) {
  const { bets } = run;
  return {
    title: t("How far off, in standard errors"), note: t("band: ± 2"),
    columns: [t("Wager"), t("In standard errors"), t("In words")],
    rows: bets.map((bet) => [saidHere(bet.title), bet.errors_text, saidHere(bet.words)]),
    draw: (box) => errorChart({ title: saidHere(run.title), bets: bets.map(marked) }, box),
  };
}
