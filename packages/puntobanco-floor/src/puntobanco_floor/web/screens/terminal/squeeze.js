// Cards that are seen to come, and cards that a patron turns: what is known until then, how a finger lifts one. Pure.
import { totalsSeen } from "../kit/points.js";

/** @import { TableView } from "server" */
/** @import { Fold, Point } from "../kit/peel.js" */
/** @import { Seen, State } from "./reduce.js" */
/** @typedef {Record<string, number>} Until slots of cards, and until when each is so at the latest */

export const TURNS_AT = 0.75; // lifted further it turns: until then the legs at its edge are seen
export const SQUEEZE_MS = 6_000; // where the house sets no time, a card that the patron may turn turns by itself then
const TURNED_MS = 700; // before the table goes on they lie face up
export const LANDS_MS = 3_000; // a page that did not see it land counts it then

/** @param {State} s @param {string} slot */
export const isCovered = (s, slot) => slot in s.covered;
/** @param {State} s @param {string} slot */
export const isLanding = (s, slot) => slot in s.landing;
/** @param {State} s */
export const anyCovered = (s) => Object.keys(s.covered).length > 0;

/** @template T @param {Record<string, T>} covered @param {(entry: [string, T]) => boolean} isKept */
const kept = (covered, isKept) => Object.fromEntries(Object.entries(covered).filter(isKept));

/** @template T @param {Record<string, T>} slots @param {string} slot @returns {Record<string, T>} */
const without = (slots, slot) => kept(slots, ([one]) => one !== slot);

/**
 * The hands that the patron has backed: by the main bets, else by the others. Of these the cards may be squeezed.
 * @param {State} s
 */
export function ownHands({ table, mine }) {
  const backed = (table?.bets ?? []).filter((bet) => mine?.wagers[bet.bet] && ["player", "banker"].includes(bet.hand));
  const main = backed.filter((bet) => bet.main);
  return new Set((main.length ? main : backed).map((bet) => bet.hand[0]));
}

/**
 * Cards that came: those to squeeze lie face down for a while, the others are on their way and are turned there. Where
 * nothing moves they lie there at once.
 * @param {Seen} s @param {string[]} came
 * @returns {Pick<State, "covered" | "landing" | "slid">}
 */
export function cameDown(s, came) {
  const own = s.squeeze ? ownHands(s) : new Set(), wait = s.table.squeeze_ms || SQUEEZE_MS;
  const covered = { ...s.covered }, landing = { ...s.landing }, slid = { ...s.slid };
  came.forEach((slot, i) => {
    if (own.has(slot[0])) covered[slot] = s.now + wait;
    else if (!s.quiet) landing[slot] = s.now + LANDS_MS;
    if (!s.quiet) slid[slot] = i;
  });
  const until = s.table.squeeze_until;
  if (until) for (const slot of Object.keys(covered)) covered[slot] = until - TURNED_MS;
  return { covered, landing, slid };
}

/** What is known when all cards lie there. @param {TableView | null} table */
export const knownOf = (table) => ({ why: table?.why ?? null, next: table?.next ?? null });

/** @type {(s: State) => State} */
const withKnown = (s) => (Object.keys(s.landing).length ? s : { ...s, known: knownOf(s.table) });

/** A card that lay face down is turned over: it counts when it lies there. @type {(s: State, slot: string) => State} */
export function turned(s, slot) {
  if (!isCovered(s, slot)) return s;
  const covered = without(s.covered, slot);
  if (s.quiet) return withKnown({ ...s, covered });
  return {
    ...s, covered, landing: { ...s.landing, [slot]: s.now + LANDS_MS }, slid: { ...s.slid, [slot]: "turn" },
  };
}

/** It lies face up. @type {(s: State, slot: string) => State} */
export const landed = (s, slot) =>
  (isLanding(s, slot) ? withKnown({ ...s, landing: without(s.landing, slot) }) : s);

/** Those that lay long enough are turned; those that should have landed lie there. @type {(s: State) => State} */
export function lain(s) {
  const over = (/** @type {Until} */ slots) => Object.keys(slots).filter((slot) => slots[slot] <= s.now);
  const cut = (/** @type {State} */ of, /** @type {string} */ slot) =>
    landed({ ...of, slid: without(of.slid, slot) }, slot);
  return over(s.covered).reduce(turned, over(s.landing).reduce(cut, s));
}

/**
 * The table as far as the cards lie face up: totals of those, and what was known before the others.
 * @template {State} S
 * @param {S} s
 * @returns {S}
 */
export function asLanded(s) {
  if (!Object.keys(s.landing).length || !s.table) return s;
  return { ...s, table: { ...s.table, ...totalsSeen(s.table.cards, (slot) => isLanding(s, slot)), ...s.known } };
}

/**
 * The same, and nothing of the cards that the patron has yet to turn: no reason that gives one away.
 * @template {State} S
 * @param {S} s
 * @returns {S}
 */
export function asSeen(s) {
  if (!anyCovered(s) || !s.table) return asLanded(s);
  const totals = totalsSeen(s.table.cards, (slot) => isCovered(s, slot) || isLanding(s, slot));
  return { ...s, table: { ...s.table, ...totals, why: null, next: null } };
}

// Fingers

const EDGE = 1 / 3, SLANT = 0.75; // how near an edge it is taken by it; how far to the side one pulls there
const HIGH = 1.4; // times its width

/** From parts of what is seen to parts of the card, which may lie on its side. @param {Point} part @returns {Point} */
export const onCard = ([x, y], onItsSide = false) => (onItsSide ? [y, 1 - x] : [x, y]);

const nearest = (/** @type {number} */ part) => (part < EDGE ? 0 : part > 1 - EDGE ? 1 : null);

/**
 * The fold of a card that was taken at one point and pulled to another, and how much of it is lifted, from 0 to 1. It
 * is taken by the corner or the edge that is nearest, and lifts inwards only.
 * @param {Point} taken @param {Point} pulled
 * @returns {{ fold: Fold, lifted: number }}
 */
export function foldOf(taken, pulled) {
  let [x, y] = taken.map(nearest);
  if (x === null && y === null) { // in the middle: the edge from which it is pulled away
    const [dx, dy] = [pulled[0] - taken[0], pulled[1] - taken[1]];
    if (Math.abs(dx) > Math.abs(dy) * HIGH) x = dx > 0 ? 0 : 1;
    else y = dy > 0 ? 0 : 1;
  }
  const inwards = (/** @type {number | null} */ edge, /** @type {number} */ by) =>
    (edge === 0 ? Math.max(0, by) : edge === 1 ? Math.min(0, by) : by);
  let [dx, dy] = [inwards(x, pulled[0] - taken[0]), inwards(y, pulled[1] - taken[1])];
  if (x === null) dx = Math.sign(dx) * Math.min(Math.abs(dx), Math.abs(dy) * HIGH * SLANT);
  if (y === null) dy = Math.sign(dy) * Math.min(Math.abs(dy), (Math.abs(dx) / HIGH) * SLANT);
  const wide = Math.abs(dx), high = Math.abs(dy) * HIGH, across = wide + high * HIGH;
  /** @type {Point} */
  const from = [x ?? taken[0], y ?? taken[1]];
  const fold = { from, to: /** @type {Point} */ ([from[0] + dx, from[1] + dy]) };
  return { fold, lifted: across ? Math.min(1, (wide ** 2 + high ** 2) / across) : 0 };
}
