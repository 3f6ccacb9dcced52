// Squeezing: cards that a patron has yet to turn, what is seen until then, how far a finger lifts one. Pure.

/** @import { State } from "./reduce.js" */
/** @typedef {State["covered"]} Covered */

export const TURNS_AT = 0.6; // lifted further it turns
export const SQUEEZE_MS = 6_000; // a card that the patron may turn turns by itself then

const worth = (/** @type {string} */ code) => (code[0] === "A" ? 1 : Number(code[0]) || 0);

/** @param {Record<string, string>} cards @param {string} hand */
export function points(cards, hand) {
  const codes = ["1", "2", "3"].map((n) => cards[hand + n]).filter(Boolean);
  return codes.reduce((total, code) => total + worth(code), 0) % 10;
}

/** @param {State} s @param {string} slot */
export const isCovered = (s, slot) => slot in s.covered;
/** @param {State} s */
export const anyCovered = (s) => Object.keys(s.covered).length > 0;

/** @template T @param {Record<string, T>} covered @param {(entry: [string, T]) => boolean} isKept */
const kept = (covered, isKept) => Object.fromEntries(Object.entries(covered).filter(isKept));

/** @param {Covered} covered @param {string} slot */
export const turned = (covered, slot) => kept(covered, ([one]) => one !== slot);

/** Those that have lain long enough are turned. @param {Covered} covered @param {number} now */
export function lainUntil(covered, now) {
  return Object.values(covered).some((until) => until <= now) ? kept(covered, ([, until]) => until > now) : covered;
}

/**
 * The table as far as it is turned: totals of the cards that are seen, and no reason that gives another away.
 * @template {State} S
 * @param {S} s
 * @returns {S}
 */
export function asSeen(s) {
  if (!anyCovered(s) || !s.table) return s;
  const cards = kept(s.table.cards, ([slot]) => !isCovered(s, slot));
  /** @param {string} hand */
  const total = (hand) => (Object.keys(cards).some((slot) => slot[0] === hand) ? points(cards, hand) : null);
  return { ...s, table: { ...s.table, player: total("p"), banker: total("b"), why: null, next: null } };
}

/**
 * How much of the card is lifted, from 0 to 1, when a finger has moved by (dx, dy). The lower left corner follows it
 * along the diagonal; of a card that lies on its side that is the upper left one. `width` and `height` are as seen.
 * @param {{ dx: number, dy: number, width: number, height: number, onItsSide?: boolean }} moved
 */
export function lifted({ dx, dy, width, height, onItsSide = false }) {
  const up = onItsSide ? height : -height;
  return Math.min(1, Math.max(0, (dx * width + dy * up) / (width ** 2 + height ** 2)));
}
