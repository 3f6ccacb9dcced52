// A chart in its panel, or the table of the same figures.
import { html, raw } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { decksChart, removalChart, resultsChart, stakeChart, together } from "./charts.js";
import { betOf, bonusOf, stopOf, stopsOf } from "./reduce.js";

/** @import { EdgeView } from "server" */
/** @import { State } from "./reduce.js" */

export const wrong = (reason) => html`<div class="wrong" data-key="wrong">
  <pb-icon name="warn" size="22"></pb-icon><p>${reason}</p>
  <button type="button" class="btn sm" data-act="again">Try again</button></div>`;

export const INKS = { player: "p-ink", banker: "b-ink", tie: "t-ink" };

const PARTS = { stake: "sheet", decks: "edges", results: "sheet", removal: "removal" };
const PANELS = { stake: stakePanel, decks: decksPanel, results: resultsPanel, removal: removalPanel };

/** A chart of the par sheet. @param {State} state */
export function chartPanel(state, chart) {
  const part = PARTS[chart];
  const made = state[part] && (state.sheet || chart === "decks") ? PANELS[chart](state) : null;
  return panelOf(state, chart, made, missing(chart, part, state.wrong[part]));
}

/**
 * Any chart: `made` has title, note, columns, rows and what draws it; `instead` stands where there is none yet.
 * @param {State} state
 */
export function panelOf(state, chart, made, instead) {
  const id = `chart-${chart}`, title = made?.title ?? TITLES[chart], note = made?.note ?? "";
  return html`<section class="panel chart-panel" data-key="${id}" data-chart="${chart}" aria-labelledby="${id}">
    <header><h2 id="${id}">${title}</h2><span class="grow"></span><span class="muted small note">${note}</span>
      <button type="button" class="btn sm flip" data-act="table" data-chart="${chart}"
        aria-pressed="${state.asTable[chart] ? "true" : "false"}" aria-keyshortcuts="T"
        title="Chart or table (T)"><span class="sr">${title} as a </span>Table</button></header>
    ${made ? figures(state, chart, made) : instead}
  </section>`;
}

const TITLES = {
  stake: "Tie edge by stake", decks: "House edge by number of decks",
  results: "Return distribution", removal: "Removing one card", edges: "House edge by game",
  errors: "How far off, in standard errors",
};

export const boxed = (chart, content) => html`<div class="ch" data-key="box" data-box="${chart}">${content}</div>`;

/** @param {State} state */
const figures = (state, chart, made) =>
  (state.asTable[chart] ? table(made) : boxed(chart, raw(made.draw(state.boxes[chart]))));

function missing(chart, part, reason) {
  if (!reason) return boxed(chart, html`<div class="sk-chart" aria-hidden="true"></div>`);
  if (part !== "sheet") return wrong(reason);
  return html`<p class="wrong dim" data-key="wrong">as soon as there is a par sheet</p>`;
}

function table({ title, columns, rows }) {
  const head = columns.map((name, i) => html`<th scope="col" class="${i ? "r" : ""}">${name}</th>`);
  const cell = (content, i) => (i ? html`<td class="r">${content}</td>` : html`<th scope="row">${content}</th>`);
  return html`<div class="scroll" data-key="table" role="region"
    aria-label="${title}, table" tabindex="0"><table class="t">
  <thead><tr>${head}</tr></thead>
  <tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div>`;
}

const worth = (figure) => Number(figure.decimal);
const ratio = (exact) => { const [a, b] = exact.split("/"); return Number(a) / Number(b); };

// A wager with a bonus: its edge by stake. A game without one: the edge of its Tie by decks.
/** @param {State} state */
function stakePanel(state) {
  const bet = bonusOf(state.sheet);
  if (!bet) return tieByDecks(state);
  const stops = stopsOf(bet), stop = stopOf(state, bet), { bonus, minimum } = bet, most = stops.at(-1);
  if (!bonus || !most) return null;
  const said = (view) => `${dollars(view.stake_cents)}: ${view.edge.text}`;
  const at = (view) => view && { value: view.stake_cents / 100, said: said(view) };
  return {
    title: `${bet.title} edge by stake, with the bonus`, note: "",
    columns: ["Stake", "House edge", "SD", "Edge, exact"],
    rows: stakeRows(bet, stops),
    draw: (box) => stakeChart({
      title: bet.title, edge: worth(bet.edge), bonus: worth(bonus.expected_dollars), without: bet.edge.text,
      even: bonus.break_even && { value: worth(bonus.break_even), said: bonus.break_even.text },
      minimum: at(minimum), chosen: at(stop), least: stops[0].stake_cents / 100, most: most.stake_cents / 100,
    }, box),
  };
}

function stakeRows(bet, stops) {
  const even = bet.bonus.break_even, least = bet.minimum?.stake_cents;
  const row = (name, { edge, deviation }) => [name, edge.text, deviation.text, edge.exact];
  const named = (cents) => `${dollars(cents)}${cents === least ? " table minimum" : ""}`;
  return [
    ...(even ? [[`${even.text} break-even`, "0%", "", `stake ${even.exact}`]] : []),
    ...stops.map((view) => row(named(view.stake_cents), view)),
    row("without the bonus", bet),
  ];
}

/** @param {State} state */
function tieByDecks(state) {
  const { edges } = state;
  if (!edges) return null;
  const bet = edges.bets.find((one) => one.bet === "tie") ?? edges.bets[0];
  return byDecks(state, [bet], `${bet.title} edge by decks`, "no bonus in this game");
}

/** @param {State} state */
function decksPanel(state) {
  const { edges, decks } = state;
  return edges && byDecks(state, edges.bets, "House edge by number of decks", `values at ${decks} decks`);
}

/** @param {State} state @param {EdgeView[]} bets @param {string} title @param {string} note */
function byDecks(state, bets, title, note) {
  if (!state.edges) return null;
  const { decks, limit } = state.edges;
  const row = (bet) => [bet.bonus ? `${bet.title}, no bonus` : bet.title, ...bet.edges.map((edge) => edge.text)];
  return {
    title, note, columns: ["Wager", ...decks.map((number) => `${number} decks`)],
    rows: [...bets.map(row), ["Return of 75%", ...decks.map(() => limit.text)]],
    draw: (box) => decksChart({ decks, chosen: state.decks, series: together(bets), limit, bet: state.bet }, box),
  };
}

/** @param {State} state */
function resultsPanel(state) {
  const bet = betOf(state);
  if (!bet) return null;
  const stop = bet.bonus ? stopOf(state, bet) : null;
  const results = bet.results.map((result, i) => ({ ...result, figure: stop ? stop.nets[i] : result.net }));
  const row = ({ when, figure, probability, pays, clause }) =>
    [when, figure.text, probability.decimal, probability.exact, pays, clause];
  const bar = ({ when, figure, probability, kind }) => ({
    net: figure.text, value: ratio(figure.exact), when, kind, chance: worth(probability), said: probability.text,
  });
  return {
    title: "Return distribution", note: `${bet.title}${stop ? ` at ${dollars(stop.stake_cents)}` : ""}, net per $1`,
    columns: ["Result", "Net per $1", "Probability", "Exact", "Pays", "Clause"],
    rows: results.map(row),
    draw: (box) => resultsChart({ title: bet.title, results: results.map(bar) }, box),
  };
}

const KINDS = { points: "Card of value", ranks: "Card", suits: "Suit" };

/** @param {State} state */
function removalPanel(state) {
  const bet = betOf(state), own = (state.removal?.bets ?? []).filter((one) => one.bet === bet?.bet);
  const found = own.find((one) => !one.bonus), extra = own.find((one) => one.bonus);
  if (!bet || !found) return null;
  const several = found.series.length > 1, named = (one, suffix) => `${several ? `${one.suits}, ` : ""}${suffix}`;
  const both = ({ text, exact }) => [text, exact];
  const rows = found.kinds.map((kind, i) => [kind, ...found.series.flatMap((one) => both(one.effects[i]))]);
  if (extra) rows.push(...bonusRows(extra));
  return {
    title: "Removing one card", note: extra ? `${bet.title} (no bonus), return` : `${bet.title}, change of return`,
    columns: [KINDS[found.by], ...found.series.flatMap((one) => [named(one, "change"), named(one, "exact")])], rows,
    draw: (box) => removalChart({ title: bet.title, by: found.by, kinds: found.kinds, series: found.series }, box),
  };
}

function bonusRows({ kinds, series }) {
  const each = (say) => series.map(say).join("; ");
  return kinds.map((kind, i) => [
    `bonus, ${kind}`, each((one) => `${one.suits} ${one.effects[i].text}`), each((one) => one.effects[i].exact),
  ]);
}
