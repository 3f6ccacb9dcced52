// What a new shoe of a table is, as a form: source, decks, cut, burn, set id and count.
// Checked as the server does. Pure.
import { html } from "../base/dom.js";
import { check, field, wholeWrong } from "./fields.js";
import { t } from "./words.js";

/** @import { Cards, GameChoice } from "server" */
/** @import { Values, Wrong } from "./fields.js" */

const MOST_CUT = 1000, MOST_BURN = 50, MOST_ROUNDS = 1000;

/** The cards to begin with, as the server has them where nobody says otherwise. */
/** @type {Cards} */
export const USUAL = {
  source: "shoe", dealing: "virtual", decks: 0, cut: 14, burn: 0, count_shoes: false, road_rounds: 100,
};

/** What the form holds at first: texts by field. @param {Cards} cards @returns {Values} */
export const cardValues = (cards) => ({
  source: cards.source, dealing: cards.dealing, decks: String(cards.decks || ""), cut: String(cards.cut),
  burn: String(cards.burn), count_shoes: cards.count_shoes, road_rounds: String(cards.road_rounds),
});

/**
 * What is typed, as the server takes it: {cards} or {wrong: {field: words}}.
 * @param {GameChoice} game
 * @param {Values} values
 */
export function readCards(game, values) {
  /** @type {Wrong} */
  const wrong = {};
  const text = (/** @type {string} */ name) => (values[name] ?? "").trim();
  const decks = text("decks"), byFirst = text("burn") === "first-card";
  if (decks && wholeWrong(decks, game.fewest_decks, game.most_decks)) {
    wrong.decks = t("{0} to {1} decks, by the rules of this game.", game.fewest_decks, game.most_decks);
  }
  const badBurn = byFirst ? "" : wholeWrong(text("burn"), 0, MOST_BURN);
  if (badBurn) wrong.burn = t("0 to {0}, or first-card.", MOST_BURN);
  const badCut = wholeWrong(text("cut"), 0, MOST_CUT);
  if (badCut) wrong.cut = badCut;
  const rounds = text("road_rounds") || String(USUAL.road_rounds), badRounds = wholeWrong(rounds, 1, MOST_ROUNDS);
  if (badRounds) wrong.road_rounds = badRounds;
  if (Object.keys(wrong).length) return { wrong };
  return {
    cards: {
      source: game.shuffler ? values.source || USUAL.source : USUAL.source,
      dealing: values.dealing === "physical" ? "physical" : "virtual", decks: Number(decks), cut: Number(text("cut")),
      burn: byFirst ? "first-card" : Number(text("burn")), count_shoes: Boolean(values.count_shoes),
      road_rounds: Number(rounds),
    },
  };
}

const SOURCES = () => [["shoe", t("A shoe")], ["continuous", t("An electronic shuffler, without end")]];
const DEALING = () => [["virtual", t("The server")], ["physical", t("A dealer, with physical cards")]];

/**
 * `who`: also who deals, where the table is not being opened.
 * @param {GameChoice} game
 * @param {{ values: Values, wrong?: Wrong | null }} sheet
 * @param {{ who?: boolean }} [more]
 */
export function cardsForm(game, { values, wrong }, { who = true } = {}) {
  const of = (name, label, hint = "", more = {}) =>
    field({ name, label, hint, value: values[name], wrong: wrong?.[name], ...more });
  const decks = t("Empty: {0}. The rules allow {1} to {2}.", game.default_decks, game.fewest_decks, game.most_decks);
  return html`<div class="grid">
    ${who ? of("dealing", t("The next shoe is dealt by"), "", { options: DEALING() }) : null}
    ${game.shuffler ? of("source", t("Cards come from"), "", { options: SOURCES() }) : null}
    ${of("decks", t("Decks of a new shoe"), decks, { mode: "numeric" })}
    ${of("cut", t("Cut card, cards from the end"), t("House procedure."), { mode: "numeric" })}
    ${of("burn", t("Cards burned unseen"),
      t("A number; or first-card: as many as the first card, turned, has points."))}
    ${game.shuffler ? of("road_rounds", t("Rounds until a shuffler’s roads start afresh"), t("With a new set."),
      { mode: "numeric" }) : null}</div>
    ${check({
      name: "count_shoes", label: t("A dealer’s shoe needs its set id and a count of all cards"),
        on: values.count_shoes,
      hint: t("A count that differs retires the shoe before it is played."),
    })}`;
}

const CARDS = ["source", "decks", "cut", "burn", "count_shoes", "road_rounds"];
/** @param {string} name */
export const isOfCards = (name) => CARDS.includes(name);
