// The odds lab as a page: controls, the par sheet, four charts, each of them also as a table.
import { html } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { staffbar } from "../base/staffbar.js";
import { chartPanel, wrong } from "./panels.js";
import { bonusOf, rowOf, stopOf, stopsOf } from "./reduce.js";

export const page = (state) => html`${bar(state)}
  <main id="main" aria-label="Odds lab">
    ${state.lab ? controls(state) : html`<div class="ctl" data-key="ctl"><span class="muted">${state.wrong.lab ? "" : "Opening the odds lab"}</span></div>`}
    <p class="${state.said || state.wrong.lab ? "said" : "sr"}" role="status" data-key="said">${state.wrong.lab ?? status(state)}
      ${state.wrong.lab ? html`<button type="button" class="btn sm" data-act="again">Try again</button>` : null}</p>
    <div class="w" data-key="w">
      ${sheetPanel(state)}
      ${chartPanel(state, "stake")}
      <div class="bot" data-key="bot">${["decks", "results", "removal"].map((chart) => chartPanel(state, chart))}</div>
    </div>
  </main>`;

function status(state) {
  if (state.said) return state.said;
  if (!state.sheet) return state.wrong.sheet ? "" : "Computing the par sheet";
  return `${state.sheet.title}, ${state.sheet.decks} decks`;
}

function bar(state) {
  if (state.lab?.public && !state.me) {
    return html`<header class="staffbar" data-key="staffbar"><span class="brand"><pb-logo></pb-logo><span>Odds lab</span></span></header>`;
  }
  return staffbar({ me: state.me, current: "odds" });
}

function controls(state) {
  const row = rowOf(state);
  return html`<section class="ctl" data-key="ctl" aria-label="What is computed">
    <label class="pick"><span class="sr">Game</span><select class="in" id="game" data-set="${state.game}">
      ${state.lab.games.map((one) => html`<option value="${one.game}" ${one.game === state.game ? html`selected` : null}>${one.title}</option>`)}</select></label>
    <div class="row decks"><span class="muted" id="decks-of">Decks of ${row.deck_cards}</span>
      <div class="seg sm" role="group" aria-labelledby="decks-of">${row.decks.map((decks) => html`<button type="button" data-act="decks"
        data-decks="${decks}" aria-pressed="${decks === state.decks ? "true" : "false"}">${decks}</button>`)}</div></div>
    ${stakeSlider(state)}
    <span class="grow"></span>
    <div class="row files">${["pdf", "csv", "json"].map((form) => html`<button type="button" class="btn sm" data-act="save" data-form="${form}"
      ${form === "pdf" && !state.lab.pdf ? html`disabled title="A PDF needs the extra report on the server"` : null}
      ${state.saving ? html`aria-disabled="true"` : null}>
      <pb-icon name="dl" size="18"></pb-icon>${state.saving === form ? "Making" : null} ${form.toUpperCase()}</button>`)}</div>
    ${state.lab.pdf ? null : html`<span class="dim small">PDF: not installed on this server</span>`}
  </section>`;
}

// Where something lies along the slider, whose stops are evenly apart.
export function along(stops, cents) {
  const above = stops.findIndex((stop) => stop.stake_cents >= cents);
  if (above <= 0) return above === 0 ? 0 : 1;
  const [a, b] = [stops[above - 1].stake_cents, stops[above].stake_cents];
  return (above - 1 + (cents - a) / (b - a)) / (stops.length - 1);
}

function stakeSlider(state) {
  const bet = bonusOf(state.sheet);
  if (!bet) return null;
  const stops = stopsOf(bet), stop = stopOf(state, bet), even = bet.bonus.break_even;
  const marks = [
    even && { at: along(stops, Math.min(100 * Number(even.decimal), stops.at(-1).stake_cents)), kind: "even", said: `${even.text} even` },
    bet.minimum && { at: along(stops, bet.minimum.stake_cents), kind: "least", said: `${dollars(bet.minimum.stake_cents)} min.` },
  ].filter(Boolean);
  const close = marks.length === 2 && Math.abs(marks[0].at - marks[1].at) < 0.4;
  return html`<div class="stake" data-key="stake"><label class="muted" for="stake">${bet.title} stake</label>
    <div class="slide"><input type="range" id="stake" min="0" max="${stops.length - 1}" step="1" value="${stops.indexOf(stop)}" data-set="${stops.indexOf(stop)}"
      aria-valuetext="${stop ? `${dollars(stop.stake_cents)}, house edge ${stop.edge.text}` : ""}">
      <svg class="marks" width="210" height="24" viewBox="0 0 210 24" aria-hidden="true">${marks.map((mark) => {
        const x = 10 + mark.at * 190, end = close && mark.kind === "least";
        return html`<path class="${mark.kind}" d="M${x - 4} 6L${x} 0L${x + 4} 6Z"/><text class="${mark.kind}" x="${end ? Math.max(x + 7, 90) : Math.max(0, x - 8)}" y="18" font-size="12">${mark.said}</text>`;
      })}</svg></div>
    <output for="stake"><b class="gold">${stop ? dollars(stop.stake_cents) : ""}</b></output></div>`;
}

// The par sheet

const COLUMNS = ["Wager", "Result", "Pays", "Probability, exact", "Decimal", "House edge", "SD", "Hit rate"];
const INKS = { player: "p-ink", banker: "b-ink", tie: "t-ink" };

function sheetPanel(state) {
  const { sheet } = state;
  return html`<section class="panel sheet-panel" data-key="sheet" aria-busy="${sheet || state.wrong.sheet ? "false" : "true"}">
    <header><h2>${sheet ? `Par sheet, ${sheet.decks} decks, ${sheet.cards} cards, fresh shoe` : "Par sheet"}</h2><span class="grow"></span>
      <span class="dim small">${sheet ? `${sheet.heading} · exact, no rounding in the engine` : state.wrong.sheet ? "" : "exact, about 2 s"}</span></header>
    ${state.wrong.sheet ? wrong(state.wrong.sheet) : html`<div class="scroll" role="region" aria-label="Par sheet" tabindex="0">
      <table class="par ${sheet && sheet.bets.flatMap((bet) => bet.results).length < 20 ? "few" : ""}"><thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      ${sheet ? sheet.bets.map((bet) => wager(state, bet)) : skeleton()}</table></div>
    ${sheet ? flags(sheet) : null}`}</section>`;
}

function wager(state, bet) {
  const stop = bet.bonus ? stopOf(state, bet) : null, chosen = bet.bet === state.bet;
  const shown = bet.results.filter((result) => result.kind !== "loses");
  const once = (content, name) => html`<td class="${name}" rowspan="${shown.length}">${content}</td>`;
  return html`<tbody data-key="${bet.bet}" data-act="bet" data-bet="${bet.bet}" class="${chosen ? "chosen" : ""}">
    ${shown.map((result, i) => html`<tr>
      ${i ? null : html`<th scope="rowgroup" class="w1" rowspan="${shown.length}"><button type="button" class="${INKS[bet.hand] ?? "gold"}" data-act="bet"
        data-bet="${bet.bet}" aria-pressed="${chosen ? "true" : "false"}">${bet.title}${stop ? html` <span class="dim">at ${dollars(stop.stake_cents)}</span>` : null}</button></th>`}
      <td class="l">${result.when}</td><td class="pays">${result.pays}</td><td class="fr">${result.probability.exact}</td>
      <td title="${result.probability.decimal}">${result.probability.text}</td>
      ${i ? null : html`${once((stop ?? bet).edge.text, "e")}${once((stop ?? bet).deviation.text, "s")}${once(bet.hit.text, "s")}`}</tr>`)}
  </tbody>`;
}

const flags = (sheet) => {
  const found = sheet.bets.filter((bet) => bet.flags.length);
  return found.length ? html`<ul class="flags">${found.map((bet) => html`<li><pb-icon name="flag" size="16"></pb-icon>${bet.title}: ${bet.flags.join("; ")}</li>`)}</ul>` : null;
};

const skeleton = () => html`<tbody aria-hidden="true">${Array.from({ length: 17 }, (_, i) => html`<tr class="sk">${COLUMNS.map((_, n) => html`<td>${n % 5 || i % 3 === 0 ? html`<i class="sk${(i + n) % 3}"></i>` : null}</td>`)}</tr>`)}</tbody>`;
