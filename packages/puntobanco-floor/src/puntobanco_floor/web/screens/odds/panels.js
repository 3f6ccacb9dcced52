// A chart in its panel, or the table of the same figures.
import { html, raw } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { saidHere } from "../base/words.js";
import { decksChart, removalChart, resultsChart, stakeChart, together } from "./charts.js";
import { betOf, bonusOf, stopOf, stopsOf } from "./reduce.js";
import { kindsOf, suitsOf, t } from "./words.js";

/** @import { EdgeView } from "server" */
/** @import { Words } from "../base/words.js" */
/** @import { State } from "./reduce.js" */

/** @param {Words} reason */
export const wrong = (reason) => html`<div class="wrong" data-key="wrong">
  <pb-icon name="warn" size="22"></pb-icon><p>${reason}</p>
  <button type="button" class="btn sm" data-act="again">${t("Try again")}</button></div>`;

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
  const id = `chart-${chart}`, title = made?.title ?? t(TITLES[chart]), note = made?.note ?? "";
  return html`<section class="panel chart-panel" data-key="${id}" data-chart="${chart}" aria-labelledby="${id}">
    <header><h2 id="${id}">${title}</h2><span class="grow"></span><span class="muted small note">${note}</span>
      <button type="button" class="btn sm flip" data-act="table" data-chart="${chart}"
        aria-pressed="${state.asTable[chart] ? "true" : "false"}" aria-keyshortcuts="T"
        title="${t("Chart or table (T)")}"><span class="sr">${t("{0} as a ", title)}</span>${
          t("Table")}</button></header>
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
  return html`<p class="wrong dim" data-key="wrong">${t("as soon as there is a par sheet")}</p>`;
}

function table({ title, columns, rows }) {
  const head = columns.map((name, i) => html`<th scope="col" class="${i ? "r" : ""}">${name}</th>`);
  const cell = (content, i) => (i ? html`<td class="r">${content}</td>` : html`<th scope="row">${content}</th>`);
  return html`<div class="scroll" data-key="table" role="region"
    aria-label="${t("{0}, table", title)}" tabindex="0"><table class="t">
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
    title: t("{0} edge by stake, with the bonus", saidHere(bet.title)), note: "",
    columns: [t("Stake"), t("House edge"), t("SD"), t("Edge, exact")],
    rows: stakeRows(bet, stops),
    draw: (box) => stakeChart({
      title: saidHere(bet.title), edge: worth(bet.edge), bonus: worth(bonus.expected_dollars),
        without: bet.edge.text,
      even: bonus.break_even && { value: worth(bonus.break_even), said: bonus.break_even.text },
      minimum: at(minimum), chosen: at(stop), least: stops[0].stake_cents / 100, most: most.stake_cents / 100,
    }, box),
  };
}

function stakeRows(bet, stops) {
  const even = bet.bonus.break_even, least = bet.minimum?.stake_cents;
  const row = (name, { edge, deviation }) => [name, edge.text, deviation.text, edge.exact];
  const named = (cents) => (cents === least ? t("{0} table minimum", dollars(cents)) : dollars(cents));
  return [
    ...(even ? [[t("{0} break-even", even.text), "0%", "", t("stake {0}", even.exact)]] : []),
    ...stops.map((view) => row(named(view.stake_cents), view)),
    row(t("without the bonus"), bet),
  ];
}

/** @param {State} state */
function tieByDecks(state) {
  const { edges } = state;
  if (!edges) return null;
  const bet = edges.bets.find((one) => one.bet === "tie") ?? edges.bets[0];
  return byDecks(state, [bet], t("{0} edge by decks", saidHere(bet.title)), t("no bonus in this game"));
}

/** @param {State} state */
function decksPanel(state) {
  const { edges, decks } = state;
  return edges && byDecks(state, edges.bets, t("House edge by number of decks"), t("values at {0} decks", decks));
}

/** @param {State} state @param {EdgeView[]} bets @param {string} title @param {string} note */
function byDecks(state, bets, title, note) {
  if (!state.edges) return null;
  const { decks, limit } = state.edges;
  const row = (bet) => [bet.bonus ? t("{0}, no bonus", saidHere(bet.title)) : saidHere(bet.title),
    ...bet.edges.map((edge) => edge.text)];
  return {
    title, note, columns: [t("Wager"), ...decks.map((number) => t("{0} decks", number))],
    rows: [...bets.map(row), [t("Return of 75%"), ...decks.map(() => limit.text)]],
    draw: (box) => decksChart({ decks, chosen: state.decks, series: together(bets), limit, bet: state.bet }, box),
  };
}

/** @param {State} state */
function resultsPanel(state) {
  const bet = betOf(state);
  if (!bet) return null;
  const stop = bet.bonus ? stopOf(state, bet) : null;
  const results = bet.results.map((result, i) => ({ ...result, figure: stop ? stop.nets[i] : result.net }));
  const row = (one) => [
    saidHere(one.when), one.figure.text, one.probability.decimal, one.probability.exact, saidHere(one.pays),
      one.clause,
  ];
  const bar = ({ figure, probability, kind, ...one }) => ({
    net: figure.text, value: ratio(figure.exact), when: saidHere(one.when), kind, chance: worth(probability),
      said: probability.text,
  });
  return {
    title: t("Return distribution"),
    note: t(stop ? "{0} at {1}, net per $1" : "{0}, net per $1", saidHere(bet.title), stop
      ? dollars(stop.stake_cents) : ""),
    columns: [t("Result"), t("Net per $1"), t("Probability"), t("Exact"), t("Pays"), t("Clause")],
    rows: results.map(row),
    draw: (box) => resultsChart({ title: saidHere(bet.title), results: results.map(bar) }, box),
  };
}

const KINDS = { points: "Card of value", ranks: "Card", suits: "Suit" };

/** @param {State} state */
function removalPanel(state) {
  const bet = betOf(state), own = (state.removal?.bets ?? []).filter((one) => one.bet === bet?.bet);
  const found = own.find((one) => !one.bonus), extra = own.find((one) => one.bonus);
  if (!bet || !found) return null;
  const several = found.series.length > 1, named = (one, suffix) => `${several ? `${suitsOf(one.suits)}${
    t(", ")}` : ""}${t(suffix)}`;
  const both = ({ text, exact }) => [text, exact];
  const rows = kindsOf(found).map((kind, i) => [kind, ...found.series.flatMap((one) => both(one.effects[i]))]);
  if (extra) rows.push(...bonusRows(extra));
  return {
    title: t("Removing one card"),
    note: t(extra ? "{0} (no bonus), return" : "{0}, change of return", saidHere(bet.title)),
    columns: [t(KINDS[found.by]), ...found.series.flatMap((one) => [named(one, "change"), named(one, "exact")])], rows,
    draw: (box) => removalChart({ title: saidHere(bet.title), by: found.by, kinds: kindsOf(found),
      series: found.series }, box),
  };
}

function bonusRows(extra) {
  const { series } = extra, kinds = kindsOf(extra);
  const each = (say) => series.map(say).join("; ");
  return kinds.map((kind, i) => [
    t("bonus, {0}", kind), each((one) => `${suitsOf(one.suits)} ${
      one.effects[i].text}`), each((one) => one.effects[i].exact),
  ]);
}
