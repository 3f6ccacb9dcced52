// Opening a table: the form with game, dealing, clock and limits, and what it means to the server. Pure.
import { html } from "../base/dom.js";
import { field, wholeWrong } from "./fields.js";
import { clockForm, clockValues, limitsForm, limitValues, readClock, readLimits } from "./limits.js";

const MOST_TABLE = 1_000_000;

/** The clock to begin with: quick where the server deals, none where a dealer does. */
const SERVER = {
  betting_ms: 15_000, guard_ms: 1_000, card_ms: 900, pause_ms: 4_000,
  automatic: true, new_shoes: true, decks: 0, cut: 14,
};
const DEALER = {
  betting_ms: 0, guard_ms: 0, card_ms: 0, pause_ms: 0, automatic: false, new_shoes: false, decks: 0, cut: 14,
};

const gameIn = (games, id) => games.find((game) => game.game === id) ?? games[0];

/** What the form holds at first, and again when another game or dealing is chosen. */
export function openValues(games, { number, game: id = games[0].game, dealing = "server" }) {
  const game = gameIn(games, id), clock = clockValues(dealing === "server" ? SERVER : DEALER);
  return { number: String(number), game: game.game, dealing, ...clock, ...limitValues(game, game.limits) };
}

/** The lowest number that no table has. */
export const freeNumber = (numbers) => { let n = 1; while (numbers.includes(n)) n += 1; return n; };

export function readOpening(games, values, taken = []) {
  const game = gameIn(games, values.game), wrong = {}, number = Number(values.number);
  const isOpen = taken.includes(number) ? `Table ${values.number} is open already.` : "";
  const badNumber = wholeWrong(values.number ?? "", 1, MOST_TABLE) || isOpen;
  if (badNumber) wrong.number = badNumber;
  const limits = readLimits(game, values), clock = readClock(game, values);
  Object.assign(wrong, limits.wrong, clock.wrong);
  if (Object.keys(wrong).length) return { wrong };
  const physical = values.dealing === "dealer";
  return { body: { number, game: game.game, physical, clock: clock.clock, limits: limits.limits } };
}

const DEALING = [["server", "The server"], ["dealer", "A dealer, with cards of paper"]];

export function openForm({ games, values, wrong }) {
  const game = gameIn(games, values.game), titles = games.map((each) => [each.game, each.title]);
  const number = { name: "number", label: "Table number", value: values.number, wrong: wrong?.number, mode: "numeric" };
  const dealing = { name: "dealing", label: "Who deals", value: values.dealing, options: DEALING, act: "reopen-form" };
  return html`<div class="grid three">${field(number)}
      ${field({ name: "game", label: "Game", value: game.game, options: titles, act: "reopen-form" })}
      ${field(dealing)}</div>
    <details data-key="clock-part"><summary>Clock${bad(wrong, CLOCK)}</summary>
      ${clockForm(game, { values, wrong })}</details>
    <details data-key="limits-part"><summary>Limits${bad(wrong, null)}</summary>
      ${limitsForm(game, { values, wrong })}</details>`;
}

const CLOCK = ["betting", "guard", "card", "pause", "decks", "cut"];

/** A part that is folded still says that something in it is wrong. */
function bad(wrong, names) {
  const isHere = (name) => (names ? names.includes(name) : !CLOCK.includes(name) && name !== "number");
  const count = Object.keys(wrong ?? {}).filter(isHere).length;
  return count ? html` <span class="pill danger">${count} to mend</span>` : null;
}
