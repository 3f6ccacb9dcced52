// The second tab: every game of the floor side by side at one number of decks, and a chart of their edges.
import { html } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { barChart } from "./barchart.js";
import { INKS, boxed, panelOf, wrong } from "./panels.js";

/** @import { State } from "./reduce.js" */

const FIGURES = [["exact", "Exact"], ["hit", "Hit rate"], ["deviation", "SD"]];

/** @param {State} state */
export function compareControls(state) {
  /** @param {string[]} it */
  const button = ([figure, name]) => html`<button type="button" data-act="show" data-figure="${figure}"
    aria-pressed="${state.shows[figure] ? "true" : "false"}">${name}</button>`;
  return html`${stakePick(state)}
    <div class="row show" data-key="show"><span class="muted" id="also">Also show</span>
      <div class="seg sm" role="group" aria-labelledby="also">${FIGURES.map(button)}</div></div>`;
}

// The stake of a bet with a bonus; which bets those are comes with the first answer.
/** @param {State} state */
function stakePick(state) {
  const { compare, stakeCents } = state;
  if (!compare?.bonus.length) return null;
  const stakes = [...new Set([...compare.stakes, stakeCents])].sort((a, b) => a - b);
  const option = (cents) => html`<option value="${cents}" ${cents === stakeCents ? html`selected` : null}>${
    dollars(cents)}</option>`;
  return html`<label class="row" data-key="stake"><span class="muted">${compare.bonus.join(", ")} stake</span>
    <select class="in" id="stake-of-all" data-set="${stakeCents}">${stakes.map(option)}</select></label>`;
}

/** @param {State} state */
export function compareBody(state) {
  const { compare } = state, reason = state.wrong.compare;
  const instead = reason
    ? html`<p class="wrong dim" data-key="wrong">as soon as there are par sheets</p>`
    : boxed("edges", html`<div class="sk-chart" aria-hidden="true"></div>`);
  const title = compare ? `House edge of every game, ${compare.decks} decks, fresh shoe` : "House edge of every game";
  const expected = reason ? "" : "exact, about 2 s for each game";
  return html`<div class="w2" data-key="compare">
    <section class="panel" data-key="sheets" aria-busy="${compare || reason ? "false" : "true"}">
      <header><h2>${title}</h2><span class="grow"></span>
        <span class="dim small">${compare ? "exact, no rounding in the engine" : expected}</span></header>
      ${compare ? [extremes(compare), table(state, compare)] : reason ? wrong(reason) : skeleton()}</section>
    ${panelOf(state, "edges", compare && chart(compare), instead)}</div>`;
}

function extremes({ lowest, highest, games, bonus, stake_cents: cents }) {
  if (!lowest) return null;
  const all = games.filter((game) => !game.refused).length;
  const where = (found) => (found.games.length === all ? "every game" : found.games.join(", "));
  const said = (name, found) => html`<span><b>${name} of all:</b>
    ${found.title} at ${where(found)}, <b>${found.edge.text}</b></span>`;
  const at = html`<span class="dim">${bonus.join(", ")} with a bonus: at ${dollars(cents)}</span>`;
  return html`<p class="extremes" data-key="extremes">${said("Best", lowest)}${said("Worst", highest)}${
    bonus.length ? at : null}</p>`;
}

/** @param {State} state */
function table(state, { games, rows }) {
  const head = games.map((game, i) => html`<th scope="col"><i class="no c${i % COLOURS}" aria-hidden="true">${i + 1}</i>
    ${game.title}<span class="dim" title="${game.heading}">${game.cards} cards</span></th>`);
  return html`<div class="scroll" data-key="table" role="region" aria-label="Games side by side" tabindex="0">
    <table class="cmp"><thead><tr><th scope="col">Wager</th>${head}</tr></thead>
    <tbody>${rows.map((row, n) => html`<tr><th scope="row" class="${INKS[row.hand] ?? "gold"}">${row.title}</th>${
      row.cells.map((cell, i) => shownCell(state, row, cell, games[i], n ? 0 : rows.length))}</tr>`)}</tbody>
    </table></div>`;
}

const COLOURS = 6;

// What a game does not allow is said once, down the whole column.
/** @param {State} state */
function shownCell(state, row, cell, game, rows) {
  if (game.refused) {
    const clause = game.clause ? html` <span class="clause">${game.clause}</span>` : null;
    return rows ? html`<td rowspan="${rows}" class="refused">${game.refused}${clause}</td>` : null;
  }
  if (!cell) return html`<td class="none">not offered</td>`;
  const { shows } = state, hit = shows.hit && `hit rate ${cell.hit.text}`;
  const extra = [hit, shows.deviation && `SD ${cell.deviation.text}`].filter(Boolean);
  return html`<td class="${cell.rank}"><b>${cell.edge.text}</b>${ranked(cell.rank)}${named(row, cell)}
    ${cell.bonus ? html`<small>bonus counted, at ${dollars(state.compare?.stake_cents ?? 0)}</small>` : null}
    ${shows.exact ? html`<small class="fr">${cell.edge.exact}</small>` : null}
    ${extra.length ? html`<small>${extra.join(" · ")}</small>` : null}</td>`;
}

const RANKS = { best: ["ok", "best"], worst: ["warn", "worst"], same: ["", "same in all"], only: ["", "only here"] };
const ranked = (rank) => (RANKS[rank] ? html` <span class="pill ${RANKS[rank][0]}">${RANKS[rank][1]}</span>` : null);
const named = (row, cell) => (cell.title === row.title ? null : html`<small>as ${cell.title}</small>`);

function skeleton() {
  const cell = (i) => html`<td><i class="sk${i % 3}"></i></td>`;
  const row = (n) => html`<tr class="sk">${[0, 1, 2, 3, 4, 5].map((i) => cell(i + n))}</tr>`;
  return html`<table class="cmp"><tbody aria-hidden="true">${[0, 1, 2, 3, 4, 5, 6].map(row)}</tbody></table>`;
}

function chart({ games, rows, decks }) {
  const shown = games.map((game, i) => ({ ...game, i })).filter((game) => !game.refused);
  const said = (cell) => cell?.edge.text ?? "not offered";
  return {
    title: "House edge by game", note: `${decks} decks; each bar has its game's number`,
    columns: ["Wager", ...shown.map((game) => game.title)],
    rows: rows.map((row) => [row.title, ...shown.map(({ i }) => said(row.cells[i]))]),
    draw: (box) => barChart({ decks, games: shown.map(({ title, i }) => ({ title, i })), rows: rows.map(barred) }, box),
  };
}

const barred = ({ title, cells }) => ({
  title, bars: cells.flatMap((cell, i) =>
    (cell ? [{ i, value: 100 * Number(cell.edge.decimal), said: cell.edge.text, rank: cell.rank }] : [])),
});
