// The fourth tab: how the figures are made, what is assumed, what they mean, and which rules they read.
import { html } from "../base/dom.js";
import { count } from "../base/money.js";
import { saidHere } from "../base/words.js";
import { wrong } from "./panels.js";
import { t } from "./words.js";

/** @import { State } from "./reduce.js" */

/** @param {State} state */
export function methodBody(state) {
  const { method } = state, reason = state.wrong.method;
  const waiting = html`<section class="panel prose" data-key="waiting" aria-busy="true">
    <p class="dim">${t("One moment")}</p></section>`;
  return html`<div class="w4" data-key="method">${method ? pages(method) : reason ? wrong(reason) : waiting}</div>`;
}

const pages = (m) => html`<div class="col" data-key="left">${[how(m), assumed(m), example(m), checked(m)]}</div>
  <div class="col" data-key="right">${[meaning(m), rules(m), documents(m)]}</div>`;

const part = (id, title, note, content) => html`<section class="panel" data-key="${id}" aria-labelledby="m-${id}">
  <header><h2 id="m-${id}">${title}</h2><span class="grow"></span><span class="dim small">${note}</span></header>
  ${content}</section>`;

const facts = (id, title, rows) => part(id, title, "", html`<dl class="facts">${
  rows.map(([name, said]) => html`<dt>${name}</dt><dd>${said}</dd>`)}</dl>`);

const how = (m) => part("how", t("How the exact figures are computed"), t("{0}, {1} decks", saidHere(m.title),
  m.decks), html`
  <div class="prose"><p>${
    t("A round takes at most {0} cards. From {1} cards they can leave the shoe in {2} orders, all equally likely. A "
      + "wager's chance is the number of orders that win it, divided by all of them: a fraction, and no estimate.",
    m.round_cards, count(m.cards), m.orders)}</p>
  <p>${t("The orders are not tried one by one. A wager's condition is taken from the game's definition and followed "
    + "card by card; cards that it cannot tell apart are dealt together, and what is decided is not dealt any "
      + "further. What is left is a sum of products of card counts, worked out in whole numbers. Only the figures "
        + "you read are rounded; the files have every number as a fraction and to {0} digits.", m.digits)}</p>
  <p>${t("Rounds end after four, five or six cards with probabilities {0}: {1} cards a round.", m.lengths.map((one) =>
    one.text).join(t(", ")), m.cards_per_round.text)}</p></div>`);

const assumed = (m) => facts("assumed", t("What is assumed"), [
  [t("A fresh shoe"), t("{0} whole decks of {1} cards, well shuffled, and the first round that is dealt from them. "
    + "Nothing here knows a shoe in play.", m.decks, m.deck_cards)],
  [t("Burned cards"), t("Cards that leave unseen change nothing: to whoever has not seen them they are as good as "
    + "still in the shoe.")],
  [t("The cut card"), t("A par sheet does not look at it. A later round has the odds of the first as long as it is "
    + "dealt whatever came before; a cut card makes that depend on the cards, a little. Deal with one under "
      + "Simulation to see how much. At tables it lies {0} cards from the end, unless it is set.", m.table_cut)],
  [t("Every round counts"), t("Irregularities are left out: a void round returns its wagers.")],
  [t("A bonus"), t("is a fixed sum, so that its worth depends on the stake. It is left out unless a stake is named.")],
]);

const HEADS = ["Result", "Probability", "Net per $1", "Product"];

function example({ example: e, decks }) {
  const row = (one) => html`<tr><th scope="row">${saidHere(one.when)}</th><td class="r fr">${
    one.probability.exact}</td>
    <td class="r">${one.net.text}</td><td class="r fr">${one.product.exact}</td></tr>`;
  return part("example", t("A sum in full: {0}", saidHere(e.title)), t("{0} decks", decks), html`
    <div class="scroll" role="region" aria-label="${
      t("A sum in full")}" tabindex="0"><table class="t simt"><thead><tr>${
      HEADS.map((name, i) => html`<th scope="col" class="${i ? "r" : ""}">${t(name)}</th>`)}</tr></thead>
    <tbody>${e.rows.map(row)}<tr class="total"><th scope="row">${t("Expected value")}</th><td></td><td></td>
      <td class="r fr">${e.total.exact}</td></tr></tbody></table></div>
    <p class="prose">${t("That is {0} of each dollar; turned round, a house edge of {1}.", e.total.text,
      e.edge.text)}</p>`);
}

const meaning = (m) => facts("meaning", t("What the numbers mean"), [
  [t("House edge"), t("What the house keeps of each dollar wagered, on average over all orders of the cards. Pushed "
    + "wagers are counted among those wagered. Below zero the patron has the advantage.")],
  [t("Hit rate"), t("How often a wager comes back with a win; a push is none.")],
  [t("SD"), t("The standard deviation of one round's result for each dollar: how widely single results scatter about "
    + "the average.")],
  [t("Flags"), t("A wager that returns less than {0} to patrons, or has an award rarer than {1}, is marked.",
    m.lowest_return.text, m.rarest_award)],
  [t("Best and worst"), t("are said of the house edge alone, from the patron's side.")],
]);

const checked = (m) => part("checked", t("How it is checked"), "", html`<div class="prose">
  <p>${t("A second solver that shares no code with the first goes through the ranks with the rules written out; for "
    + "every line of every game and number of decks the two agree as fractions. Small shoes are also settled in "
      + "every order of their cards.")}</p>
  <p>${t("The simulator deals {0} rounds from each of these shoes and leaves at least {1} cards, so that every round "
    + "is dealt whatever came before. A run fails when something is less likely than {2}, divided by the number of "
      + "things looked at.", m.rounds_per_shoe, m.reserve, m.level)}</p></div>`);

function rules(m) {
  const row = (one) => html`<tr><td><span class="clause">${one.clause}</span></td><td>${
    saidHere(one.text)}</td></tr>`;
  const table = (rows) => html`<table class="t cited"><tbody>${rows.map(row)}</tbody></table>`;
  const list = (name, rows) => (rows.length ? html`<h3>${name}</h3>${table(rows)}` : null);
  return part("rules", t("Which rules are read"), saidHere(m.heading), html`<div class="prose">
    <p>${t("Rulebook {0}, known here as {1}; digest of what is played:", m.rulebook || t("of a designer's own"),
      m.rules)}
      <span class="mono hash">${m.digest}</span></p><p>${t("In our words:")}</p>
    <div class="scroll cites" role="region" aria-label="${t("Clauses and readings")}" tabindex="0">${
      [list(t("Clauses"), m.clauses), list(t("How we read the rules"), m.readings)]}</div></div>`);
}

const file = (name) => html`<span class="mono">${name}</span>`;

const documents = (m) => facts("documents", t("To read on"), [
  [html`<a href="/api/openapi.json">/api/openapi.json</a>`, t("every question that this server answers, and how")],
  [file("docs/explanation/odds.md"), t("the solver and the par sheets; a file of the program, as the next ones are")],
  [file("docs/explanation/simulation.md"), t("the simulator, a trillion rounds, what a cut card does")],
  [file("docs/reference/games/"), t("the rules of each game, line by line with its clause")],
  [file("docs/reference/rulebooks/readings.md"), t("every reading, with its reason")],
  [t("This program"), html`${m.program}${t(", source")} <span class="mono hash">${m.source}</span>`],
]);
