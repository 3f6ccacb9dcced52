// The second tab: every game of the floor side by side at one number of decks, and a chart of their edges.
import { html } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { saidHere } from "../base/words.js";
import { barChart } from "./barchart.js";
import { INKS, boxed, panelOf, wrong } from "./panels.js";
import { bonusNames, t, titlesOf } from "./words.js";

/** @import { State } from "./reduce.js" */

const FIGURES = [["exact", "Exact"], ["hit", "Hit rate"], ["deviation", "SD"]];

/** @param {State} state */
export function compareControls(state) {
  /** @param {string[]} it */
  const button = ([figure, name]) => html`<button type="button" data-act="show" data-figure="${figure}"
    aria-pressed="${state.shows[figure] ? "true" : "false"}">${t(name)}</button>`;
  return html`${stakePick(state)}
    <div class="row show" data-key="show"><span class="muted" id="also">${t("Also show")}</span>
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
  return html`<label class="row" data-key="stake"><span class="muted">${t("{0} stake", bonusNames(compare))}</span>
    <select class="in" id="stake-of-all" data-set="${stakeCents}">${stakes.map(option)}</select></label>`;
}

/** @param {State} state */
export function compareBody(state) {
  const { compare } = state, reason = state.wrong.compare;
  const instead = reason
    ? html`<p class="wrong dim" data-key="wrong">${t("as soon as there are par sheets")}</p>`
    : boxed("edges", html`<div class="sk-chart" aria-hidden="true"></div>`);
  const title = compare ? t("House edge of every game, {0} decks, fresh shoe", compare.decks)
    : t("House edge of every game");
  const expected = reason ? "" : t("exact, about 2 s for each game");
  return html`<div class="w2" data-key="compare">
    <section class="panel" data-key="sheets" aria-busy="${compare || reason ? "false" : "true"}">
      <header><h2>${title}</h2><span class="grow"></span>
        <span class="dim small">${compare ? t("exact, no rounding in the engine") : expected}</span></header>
      ${compare ? [extremes(compare), table(state, compare)] : reason ? wrong(reason) : skeleton()}</section>
    ${panelOf(state, "edges", compare && chart(compare), instead)}</div>`;
}

function extremes(compare) {
  const { lowest, highest, games, bonus, stake_cents: cents } = compare;
  if (!lowest) return null;
  const all = games.filter((game) => !game.refused).length;
  const where = (found) => (found.games.length === all ? t("every game") : titlesOf(found.games));
  const said = (name, found) => html`<span><b>${name}</b>
    ${t("{0} at {1}", saidHere(found.title), where(found))}${t(", ")}<b>${found.edge.text}</b></span>`;
  const at = html`<span class="dim">${t("{0} with a bonus: at {1}", bonusNames(compare), dollars(cents))}</span>`;
  return html`<p class="extremes" data-key="extremes">${said(t("Best of all:"), lowest)}${
    said(t("Worst of all:"), highest)}${
    bonus.length ? at : null}</p>`;
}

/** @param {State} state */
function table(state, { games, rows }) {
  const head = games.map((game, i) => html`<th scope="col"><i class="no c${i % COLOURS}" aria-hidden="true">${i + 1}</i>
    ${saidHere(game.title)}<span class="dim" title="${saidHere(game.heading)}">${
      t("{0} cards", game.cards)}</span></th>`);
  return html`<div class="scroll" data-key="table" role="region" aria-label="${t("Games side by side")}" tabindex="0">
    <table class="cmp"><thead><tr><th scope="col">${t("Wager")}</th>${head}</tr></thead>
    <tbody>${rows.map((row, n) => html`<tr><th scope="row" class="${INKS[row.hand] ?? "gold"}">${
      saidHere(row.title)}</th>${
      row.cells.map((cell, i) => shownCell(state, row, cell, games[i], n ? 0 : rows.length))}</tr>`)}</tbody>
    </table></div>`;
}

const COLOURS = 6;

// What a game does not allow is said once, down the whole column.
/** @param {State} state */
function shownCell(state, row, cell, game, rows) {
  if (game.refused) {
    const clause = game.clause ? html` <span class="clause">${game.clause}</span>` : null;
    return rows ? html`<td rowspan="${rows}" class="refused">${saidHere(game.refused)}${clause}</td>` : null;
  }
  if (!cell) return html`<td class="none">${t("not offered")}</td>`;
  const { shows } = state, hit = shows.hit && t("hit rate {0}", cell.hit.text);
  const extra = [hit, shows.deviation && t("SD {0}", cell.deviation.text)].filter(Boolean);
  return html`<td class="${cell.rank}"><b>${cell.edge.text}</b>${ranked(cell.rank)}${named(row, cell)}
    ${cell.bonus ? html`<small>${t("bonus counted, at {0}", dollars(state.compare?.stake_cents ?? 0))}</small>` : null}
    ${shows.exact ? html`<small class="fr">${cell.edge.exact}</small>` : null}
    ${extra.length ? html`<small>${extra.join(" · ")}</small>` : null}</td>`;
}

const RANKS = { best: ["ok", "best"], worst: ["warn", "worst"], same: ["", "same in all"], only: ["", "only here"] };
const ranked = (rank) => (RANKS[rank] ? html` <span class="pill ${RANKS[rank][0]}">${t(RANKS[rank][1])}</span>` : null);
const named = (row, cell) => (cell.title.en === row.title.en ? null : html`<small>${
  t("as {0}", saidHere(cell.title))}</small>`);

function skeleton() {
  const cell = (i) => html`<td><i class="sk${i % 3}"></i></td>`;
  const row = (n) => html`<tr class="sk">${[0, 1, 2, 3, 4, 5].map((i) => cell(i + n))}</tr>`;
  return html`<table class="cmp"><tbody aria-hidden="true">${[0, 1, 2, 3, 4, 5, 6].map(row)}</tbody></table>`;
}

function chart({ games, rows, decks }) {
  const shown = games.map((game, i) => ({ ...game, i })).filter((game) => !game.refused);
  const said = (cell) => cell?.edge.text ?? t("not offered");
  return {
    title: t("House edge by game"), note: t("{0} decks; each bar has its game's number", decks),
    columns: [t("Wager"), ...shown.map((game) => saidHere(game.title))],
    rows: rows.map((row) => [saidHere(row.title), ...shown.map(({ i }) => said(row.cells[i]))]),
    draw: (box) => barChart({ decks, games: shown.map((game) => ({ title: saidHere(game.title), i: game.i })),
      rows: rows.map(barred) }, box),
  };
}

const barred = (row) => ({
  title: saidHere(row.title), bars: row.cells.flatMap((cell, i) =>
    (cell ? [{ i, value: 100 * Number(cell.edge.decimal), said: cell.edge.text, rank: cell.rank }] : [])),
});
