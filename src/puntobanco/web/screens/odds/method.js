// The fourth tab: how the figures are made, what is assumed, what they mean, and which rules they read.
import { html } from "../base/dom.js";
import { count } from "../base/money.js";
import { wrong } from "./panels.js";

/** @import { State } from "./reduce.js" */

/** @param {State} state */
export function methodBody(state) {
  const { method } = state, reason = state.wrong.method;
  const waiting = html`<section class="panel prose" data-key="waiting" aria-busy="true">
    <p class="dim">One moment</p></section>`;
  return html`<div class="w4" data-key="method">${method ? pages(method) : reason ? wrong(reason) : waiting}</div>`;
}

const pages = (m) => html`<div class="col" data-key="left">${[how(m), assumed(m), example(m), checked(m)]}</div>
  <div class="col" data-key="right">${[meaning(m), rules(m), documents(m)]}</div>`;

const part = (id, title, note, content) => html`<section class="panel" data-key="${id}" aria-labelledby="m-${id}">
  <header><h2 id="m-${id}">${title}</h2><span class="grow"></span><span class="dim small">${note}</span></header>
  ${content}</section>`;

const facts = (id, title, rows) => part(id, title, "", html`<dl class="facts">${
  rows.map(([name, said]) => html`<dt>${name}</dt><dd>${said}</dd>`)}</dl>`);

const how = (m) => part("how", "How the exact figures are computed", `${m.title}, ${m.decks} decks`, html`
  <div class="prose"><p>A round takes at most ${m.round_cards} cards. From ${count(m.cards)} cards they can leave the
    shoe in <b class="num">${m.orders}</b> orders, all equally likely. A wager's chance is the number of orders that win
    it, divided by all of them: a fraction, and no estimate.</p>
  <p>The orders are not tried one by one. A wager's condition is taken from the game's definition and followed card by
    card; cards that it cannot tell apart are dealt together, and what is decided is not dealt any further. What is left
    is a sum of products of card counts, worked out in whole numbers. Only the figures you read are rounded; the files
    have every number as a fraction and to ${m.digits} digits.</p>
  <p>Rounds end after four, five or six cards with probabilities ${m.lengths.map((one) => one.text).join(", ")}:
    ${m.cards_per_round.text} cards a round.</p></div>`);

const assumed = (m) => facts("assumed", "What is assumed", [
  ["A fresh shoe", html`${m.decks} whole decks of ${m.deck_cards} cards, well shuffled, and the first round that is
    dealt from them. Nothing here knows a shoe in play.`],
  ["Burned cards", html`Cards that leave unseen change nothing: to whoever has not seen them they are as good as still
    in the shoe.`],
  ["The cut card", html`A par sheet does not look at it. A later round has the odds of the first as long as it is dealt
    whatever came before; a cut card makes that depend on the cards, a little. Deal with one under Simulation to see how
    much. At tables it lies ${m.table_cut} cards from the end, unless it is set.`],
  ["Every round counts", "Irregularities are left out: a void round returns its wagers."],
  ["A bonus", "is a fixed sum, so that its worth depends on the stake. It is left out unless a stake is named."],
]);

const HEADS = ["Result", "Probability", "Net per $1", "Product"];

function example({ example: e, decks }) {
  const row = (one) => html`<tr><th scope="row">${one.when}</th><td class="r fr">${one.probability.exact}</td>
    <td class="r">${one.net.text}</td><td class="r fr">${one.product.exact}</td></tr>`;
  return part("example", `A sum in full: ${e.title}`, `${decks} decks`, html`
    <div class="scroll" role="region" aria-label="A sum in full" tabindex="0"><table class="t simt"><thead><tr>${
      HEADS.map((name, i) => html`<th scope="col" class="${i ? "r" : ""}">${name}</th>`)}</tr></thead>
    <tbody>${e.rows.map(row)}<tr class="total"><th scope="row">Expected</th><td></td><td></td>
      <td class="r fr">${e.total.exact}</td></tr></tbody></table></div>
    <p class="prose">That is ${e.total.text} of each dollar; turned round, a house edge of <b>${e.edge.text}</b>.</p>`);
}

const meaning = (m) => facts("meaning", "What the numbers mean", [
  ["House edge", html`What the house keeps of each dollar wagered, on average over all orders of the cards. Pushed
    wagers are counted among those wagered. Below zero the patron has the advantage.`],
  ["Hit rate", "How often a wager comes back with a win; a push is none."],
  ["SD", html`The standard deviation of one round's result for each dollar: how widely single results scatter about the
    average.`],
  ["Flags", html`A wager that returns less than ${m.lowest_return.text} to patrons, or has an award rarer than
    ${m.rarest_award}, is marked.`],
  ["Best and worst", "are said of the house edge alone, from the patron's side."],
]);

const checked = (m) => part("checked", "How it is checked", "", html`<div class="prose">
  <p>A second solver that shares no code with the first goes through the ranks with the rules written out; for every
    line of every game and number of decks the two agree as fractions. Small shoes are also settled in every order of
    their cards.</p>
  <p>The simulator deals ${m.rounds_per_shoe} rounds from each of these shoes and leaves at least ${m.reserve} cards, so
    that every round is dealt whatever came before. A run fails when something is less likely than ${m.level}, divided
    by the number of things looked at.</p></div>`);

function rules(m) {
  const row = (one) => html`<tr><td><span class="clause">${one.clause}</span></td><td>${one.text}</td></tr>`;
  const table = (rows) => html`<table class="t cited"><tbody>${rows.map(row)}</tbody></table>`;
  const list = (name, rows) => (rows.length ? html`<h3>${name}</h3>${table(rows)}` : null);
  return part("rules", "Which rules are read", m.heading, html`<div class="prose">
    <p>Rulebook <b>${m.rulebook || "of a designer's own"}</b>, known here as <b>${m.rules}</b>; digest of what is played
      <span class="mono hash">${m.digest}</span>. In our words:</p>
    <div class="scroll cites" role="region" aria-label="Clauses and readings" tabindex="0">${
      [list("Clauses", m.clauses), list("How we read the rules", m.readings)]}</div></div>`);
}

const file = (name) => html`<span class="mono">${name}</span>`;

const documents = (m) => facts("documents", "To read on", [
  [html`<a href="/api/openapi.json">/api/openapi.json</a>`, "every question that this server answers, and how"],
  [file("docs/odds.md"), "the solver and the par sheets; a file of the program, as the next ones are"],
  [file("docs/simulation.md"), "the simulator, a trillion rounds, what a cut card does"],
  [file("docs/games/"), "the rules of each game, line by line with its clause"],
  [file("docs/rulebooks/readings.md"), "every reading, with its reason"],
  ["This program", html`${m.program}, source <span class="mono hash">${m.source}</span>`],
]);
