// Where the spots of any game lie, and which chips fit its limits. Pure.

/** @import { BetView } from "server" */
/** @typedef {{ side: BetView[][], main: BetView[] }} Rows */

const LEFT_TO_RIGHT = ["player", "tie", "", "banker"];
const place = (/** @type {BetView} */ bet) => Math.max(0, LEFT_TO_RIGHT.indexOf(bet.hand));

/** One column where it is narrow, or higher than wide. @param {number} width @param {number} height */
export const shapeFor = (width, height) => (width < 600 || (width < 1100 && height > width) ? "phone" : "wide");

// How many side bets lie beside each other, by how many there are.
const ACROSS = {
  wide: (/** @type {number} */ n) => (n <= 5 ? n : n <= 12 ? Math.ceil(n / 2) : 8),
  phone: (/** @type {number} */ n) => (n <= 3 ? n : n === 4 ? 2 : 3),
};

/**
 * Rows of bets from the top: side bets, player's on the left and banker's on the right, and the main bets nearest.
 * @param {BetView[]} bets
 * @param {"wide" | "phone"} [shape]
 * @returns {Rows}
 */
export function feltRows(bets, shape = "wide") {
  const main = bets.filter((bet) => bet.main).sort((a, b) => place(a) - place(b));
  const side = bets.filter((bet) => !bet.main);
  return { side: sideRows(side, ACROSS[shape](side.length)), main };
}

/** @param {BetView[]} side @param {number} across */
function sideRows(side, across) {
  if (!side.length) return [];
  /** @type {BetView[][]} */
  const rows = Array.from({ length: Math.ceil(side.length / across) }, () => []);
  // Each hand's bets are shared out among the rows, so that every row has its left and its right.
  for (const hand of ["player", "banker", "tie", ""]) {
    for (const bet of side.filter((one) => LEFT_TO_RIGHT[place(one)] === hand)) {
      rows.reduce((least, row) => (row.length < least.length ? row : least)).push(bet);
    }
  }
  for (const row of rows) row.sort((a, b) => place(a) - place(b));
  return rows;
}

/** How much a side spot can say: with many of them less. @param {Rows} rows */
export function density({ side }) {
  const across = Math.max(0, ...side.map((row) => row.length));
  return side.length > 2 || across > 6 ? "dense" : side.length > 1 || across > 5 ? "snug" : "roomy";
}

const WORDY = { lines: 3, title: 20, when: 40 };

/** Whether a side bet says more than a spot usually has room for. @param {BetView} bet */
const isWordy = ({ lines, title }) =>
  lines.length > WORDY.lines || title.en.length > WORDY.title
  || lines.some(({ when }) => when && when.en.length > WORDY.when);

/** Whether the spots need all the room there is: long words, or several lines in several rows. @param {Rows} rows */
export function isCrowded({ side }) {
  const bets = side.flat();
  return bets.some(isWordy) || (side.length > 1 && bets.some(({ lines }) => lines.length > 2));
}

/** In reading order, as Tab goes and as the keys 1 to 9 count. @param {Rows} rows */
export const inOrder = (rows) => [...rows.side.flat(), ...rows.main];

const CHIPS = [100, 500, 2500, 10_000, 50_000, 100_000, 500_000, 2_500_000, 10_000_000];
const CHIPS_MOST = 5;

/**
 * The smallest stake that some spot takes, then the usual values above it that keep every step.
 * @param {BetView[]} all
 */
export function chipsFor(all) {
  const bets = all.filter((bet) => !bet.limits.closed);
  if (!bets.length) return [];
  const least = Math.min(...bets.map((bet) => bet.limits.min_cents));
  const most = Math.max(...bets.map((bet) => bet.limits.max_cents));
  const keeps = (/** @type {number} */ cents) => bets.some((bet) => cents % bet.limits.step_cents === 0);
  return [least, ...CHIPS.filter((cents) => cents > least && cents <= most && keeps(cents))].slice(0, CHIPS_MOST);
}

/**
 * @typedef {{ min_cents: number, max_cents: number, main: boolean, closed: boolean, bets: BetView[] }} LimitRow
 */

/** The limits as a table: spots that share them share a line; so do those that are closed. @param {BetView[]} bets */
export function limitRows(bets) {
  /** @type {LimitRow[]} */
  const rows = [];
  for (const bet of [...bets].sort((a, b) => Number(b.main) - Number(a.main))) {
    const { min_cents, max_cents, closed = false } = bet.limits, { main } = bet;
    /** @param {LimitRow} row */
    const isSame = (row) => row.min_cents === min_cents && row.max_cents === max_cents && row.main === main;
    const same = rows.find((row) => (closed ? row.closed : !row.closed && isSame(row)));
    if (same) same.bets.push(bet);
    else rows.push({ min_cents, max_cents, main, closed, bets: [bet] });
  }
  return rows.sort((a, b) => Number(a.closed) - Number(b.closed));
}
