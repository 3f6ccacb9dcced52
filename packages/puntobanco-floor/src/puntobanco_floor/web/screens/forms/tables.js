// Opening a table: the form with game, dealing, clock, cards and limits, and what it means to the server. Pure.
import { html } from "../base/dom.js";
import { cardsForm, cardValues, isOfCards, readCards, USUAL } from "./cards.js";
import { field, wholeWrong } from "./fields.js";
import { clockForm, clockValues, limitsForm, limitValues, readClock, readLimits } from "./limits.js";
import { saidHere } from "../base/words.js";
import { t } from "./words.js";

/** @import { Clock, GameChoice, TableRow } from "server" */
/** @import { Html } from "../base/dom.js" */
/** @import { Values, Wrong } from "./fields.js" */

const MOST_TABLE = 1_000_000;

/** The clock to begin with: quick where the server deals, none where a dealer does. */
/** @type {Clock} */
const SERVER = {
  betting_ms: 15_000, guard_ms: 1_000, card_ms: 900, pause_ms: 4_000, squeeze_ms: 0,
  automatic: true, new_shoes: true, closes_by_clock: false,
};
/** @type {Clock} */
const DEALER = {
  betting_ms: 0, guard_ms: 0, card_ms: 0, pause_ms: 0, squeeze_ms: 0, automatic: false, new_shoes: false,
  closes_by_clock: false,
};

/** @param {GameChoice[]} games @param {unknown} id */
const gameIn = (games, id) => games.find((game) => game.game === id) ?? games[0];

/**
 * What the form holds at first, and again when another game or dealing is chosen.
 * @param {GameChoice[]} games
 * @param {Values} chosen
 * @returns {Values}
 */
export function openValues(games, { number, game: id = games[0].game, dealing = "server" }) {
  const game = gameIn(games, id), clock = clockValues(dealing === "server" ? SERVER : DEALER);
  const cards = cardValues(USUAL);
  return { number: String(number), game: game.game, ...clock, ...cards, dealing, ...limitValues(game, game.limits) };
}

/** The lowest number that no table has. @param {number[]} numbers */
export const freeNumber = (numbers) => { let n = 1; while (numbers.includes(n)) n += 1; return n; };

/** @param {GameChoice[]} games @param {Values} values @param {number[]} [taken] */
export function readOpening(games, values, taken = []) {
  /** @type {Wrong} */
  const wrong = {};
  const game = gameIn(games, values.game), number = Number(values.number);
  const isOpen = taken.includes(number) ? t("Table {0} is open already.", values.number) : "";
  const badNumber = wholeWrong(values.number ?? "", 1, MOST_TABLE) || isOpen;
  if (badNumber) wrong.number = badNumber;
  const physical = values.dealing === "dealer";
  const limits = readLimits(game, values), clock = readClock(values);
  const cards = readCards(game, { ...values, dealing: physical ? "physical" : "virtual" });
  Object.assign(wrong, limits.wrong, clock.wrong, cards.wrong);
  if (Object.keys(wrong).length) return { wrong };
  return { body: { number, game: game.game, physical, clock: clock.clock, cards: cards.cards, limits: limits.limits } };
}

/**
 * What a sheet says that starts a table; or keeps it open, where it was about to close.
 * @param {Pick<TableRow, "halted" | "closing">} table
 * @param {Html | string} name
 */
export function starting({ halted: cause, closing }, name) {
  const halted = saidHere(cause), was = closing ? t("It was to close: {0}. Rounds open again.", halted)
    : t("It was stopped: {0}. Rounds open again.", halted);
  const body = html`<p class="muted">${was}</p>`;
  if (closing) return { title: t("Keep {0} open", name), go: t("Keep the table open"), body };
  return { title: t("Start {0}", name), go: t("Start the table"), body };
}

const DEALING = () => [["server", t("The server")], ["dealer", t("A dealer, with physical cards")]];

/** @param {{ games: GameChoice[], values: Values, wrong?: Wrong | null }} sheet */
export function openForm({ games, values, wrong }) {
  const game = gameIn(games, values.game), titles = games.map((each) => [each.game, saidHere(each.title)]);
  const number = { name: "number", label: t("Table number"), value: values.number, wrong: wrong?.number,
    mode: "numeric" };
  const dealing = { name: "dealing", label: t("Who deals"), value: values.dealing, options: DEALING(),
    act: "reopen-form" };
  return html`<div class="grid three">${field(number)}
      ${field({ name: "game", label: t("Game"), value: game.game, options: titles, act: "reopen-form" })}
      ${field(dealing)}</div>
    <details data-key="clock-part"><summary>${t("Clock")}${bad(wrong, isOfClock)}</summary>
      ${clockForm({ values, wrong })}</details>
    <details data-key="cards-part"><summary>${t("Cards")}${bad(wrong, isOfCards)}</summary>
      ${cardsForm(game, { values, wrong }, { who: false })}</details>
    <details data-key="limits-part"><summary>${t("Limits")}${bad(wrong, isOfLimits)}</summary>
      ${limitsForm(game, { values, wrong })}</details>`;
}

const isOfClock = (/** @type {string} */ name) => ["betting", "guard", "card", "pause", "squeeze"].includes(name);
const isOfLimits = (/** @type {string} */ name) => !isOfClock(name) && !isOfCards(name) && name !== "number";

/** A part that is folded still says that something in it is wrong.
 * @param {Wrong | null | undefined} wrong @param {(name: string) => boolean} isHere */
function bad(wrong, isHere) {
  const count = Object.keys(wrong ?? {}).filter(isHere).length;
  return count ? html` <span class="pill danger">${t("{0} to mend", count)}</span>` : null;
}
