// A chart in its panel, or the table of the same figures.
import { html, raw } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { decksChart, removalChart, resultsChart, stakeChart, together } from "./charts.js";
import { betOf, bonusOf, stopOf, stopsOf } from "./reduce.js";

export const wrong = (reason) => html`<div class="wrong" data-key="wrong"><pb-icon name="warn" size="22"></pb-icon><p>${reason}</p>
  <button type="button" class="btn sm" data-act="again">Try again</button></div>`;

const PARTS = { stake: "sheet", decks: "edges", results: "sheet", removal: "removal" };
const PANELS = { stake: stakePanel, decks: decksPanel, results: resultsPanel, removal: removalPanel };

export function chartPanel(state, chart) {
  const part = PARTS[chart], reason = state.wrong[part];
  const made = state[part] && (state.sheet || chart === "decks") ? PANELS[chart](state) : null;
  const id = `chart-${chart}`;
  return html`<section class="panel chart-panel" data-key="${id}" data-chart="${chart}" aria-labelledby="${id}">
    <header><h2 id="${id}">${made?.title ?? TITLES[chart]}</h2><span class="grow"></span><span class="muted small note">${made?.note ?? ""}</span>
      <button type="button" class="btn sm flip" data-act="table" data-chart="${chart}" aria-pressed="${state.asTable[chart] ? "true" : "false"}"
        aria-keyshortcuts="T" title="Chart or table (T)"><span class="sr">${made?.title ?? TITLES[chart]} as a </span>Table</button></header>
    ${!made && reason ? (part === "sheet" ? html`<p class="wrong dim" data-key="wrong">as soon as there is a par sheet</p>` : wrong(reason)) : !made ? html`<div class="ch" data-key="box" data-box="${chart}"><div class="sk-chart" aria-hidden="true"></div></div>`
      : state.asTable[chart] ? table(made) : html`<div class="ch" data-key="box" data-box="${chart}">${raw(made.draw(state.boxes[chart]))}</div>`}
  </section>`;
}

const TITLES = { stake: "Tie edge by stake", decks: "House edge by number of decks", results: "Return distribution", removal: "Removing one card" };

const table = ({ title, columns, rows }) => html`<div class="scroll" data-key="table" role="region" aria-label="${title}, table" tabindex="0"><table class="t">
  <thead><tr>${columns.map((name, i) => html`<th scope="col" class="${i ? "r" : ""}">${name}</th>`)}</tr></thead>
  <tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => (i ? html`<td class="r">${cell}</td>` : html`<th scope="row">${cell}</th>`))}</tr>`)}</tbody></table></div>`;

const worth = (figure) => Number(figure.decimal);
const ratio = (exact) => { const [a, b] = exact.split("/"); return Number(a) / Number(b); };

// A wager with a bonus: its edge by stake. A game without one: the edge of its Tie by decks.
function stakePanel(state) {
  const bet = bonusOf(state.sheet);
  if (!bet) return tieByDecks(state);
  const stops = stopsOf(bet), stop = stopOf(state, bet), { bonus, minimum } = bet;
  const at = (view) => view && { value: view.stake_cents / 100, said: `${dollars(view.stake_cents)}: ${view.edge.text}` };
  return {
    title: `${bet.title} edge by stake, with the bonus`, note: "",
    columns: ["Stake", "House edge", "SD", "Edge, exact"],
    rows: [...(bonus.break_even ? [[`${bonus.break_even.text} break-even`, "0%", "", `stake ${bonus.break_even.exact}`]] : []),
      ...stops.map((view) => [`${dollars(view.stake_cents)}${view.stake_cents === minimum?.stake_cents ? " table minimum" : ""}`, view.edge.text, view.deviation.text, view.edge.exact]),
      ["without the bonus", bet.edge.text, bet.deviation.text, bet.edge.exact]],
    draw: (box) => stakeChart({
      title: bet.title, edge: worth(bet.edge), bonus: worth(bonus.expected_dollars), without: bet.edge.text,
      even: bonus.break_even && { value: worth(bonus.break_even), said: bonus.break_even.text },
      minimum: at(minimum), chosen: at(stop), least: stops[0].stake_cents / 100, most: stops.at(-1).stake_cents / 100,
    }, box),
  };
}

function tieByDecks(state) {
  const { edges } = state;
  if (!edges) return null;
  const bet = edges.bets.find((one) => one.bet === "tie") ?? edges.bets[0];
  return byDecks(state, [bet], `${bet.title} edge by decks`, "no bonus in this game");
}

function decksPanel(state) {
  return byDecks(state, state.edges.bets, "House edge by number of decks", `values at ${state.decks} decks`);
}

function byDecks(state, bets, title, note) {
  const { edges } = state;
  return {
    title, note, columns: ["Wager", ...edges.decks.map((decks) => `${decks} decks`)],
    rows: [...bets.map((bet) => [bet.bonus ? `${bet.title}, no bonus` : bet.title, ...bet.edges.map((edge) => edge.text)]), ["Return of 75%", ...edges.decks.map(() => edges.limit.text)]],
    draw: (box) => decksChart({ decks: edges.decks, chosen: state.decks, series: together(bets), limit: edges.limit, bet: state.bet }, box),
  };
}

function resultsPanel(state) {
  const bet = betOf(state), stop = bet.bonus ? stopOf(state, bet) : null;
  const results = bet.results.map((result, i) => ({ ...result, figure: stop ? stop.nets[i] : result.net }));
  return {
    title: "Return distribution", note: `${bet.title}${stop ? ` at ${dollars(stop.stake_cents)}` : ""}, net per $1`,
    columns: ["Result", "Net per $1", "Probability", "Exact", "Pays", "Clause"],
    rows: results.map((result) => [result.when, result.figure.text, result.probability.decimal, result.probability.exact, result.pays, result.clause]),
    draw: (box) => resultsChart({ title: bet.title, results: results.map((result) => ({
      net: result.figure.text, value: ratio(result.figure.exact), when: result.when, kind: result.kind, chance: worth(result.probability), said: result.probability.text,
    })) }, box),
  };
}

const KINDS = { points: "Card of value", ranks: "Card", suits: "Suit" };

function removalPanel(state) {
  const bet = betOf(state), found = state.removal.bets.find((one) => one.bet === bet.bet && !one.bonus), extra = state.removal.bets.find((one) => one.bet === bet.bet && one.bonus);
  const several = found.series.length > 1, named = (one, suffix) => `${several ? `${one.suits}, ` : ""}${suffix}`;
  const rows = found.kinds.map((kind, i) => [kind, ...found.series.flatMap((one) => [one.effects[i].text, one.effects[i].exact])]);
  if (extra) extra.kinds.forEach((kind, i) => rows.push([`bonus, ${kind}`, extra.series.map((one) => `${one.suits} ${one.effects[i].text}`).join("; "), extra.series.map((one) => one.effects[i].exact).join("; ")]));
  return {
    title: "Removing one card", note: extra ? `${bet.title} (no bonus), return` : `${bet.title}, change of return`,
    columns: [KINDS[found.by], ...found.series.flatMap((one) => [named(one, "change"), named(one, "exact")])], rows,
    draw: (box) => removalChart({ title: bet.title, by: found.by, kinds: found.kinds, series: found.series }, box),
  };
}
