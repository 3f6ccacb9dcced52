// Faces of the cards in a box of 250 x 350: pips where they lie on any card, so that its edge tells how many there are.
import { court } from "./courts.js";
import { glyph, star } from "./stars.js";
import { PAPER, PICTURES, SUITS, pip } from "./suits.js";

const EDGE = "#d8d2c2";
const SANS = 'font-family="Inter, Noto Sans, Arial, sans-serif" font-weight="800"';
const COLUMNS = { l: 82, m: 125, r: 168 }, PIP = 48, ACE = 116;

// Two and three have nothing at a long edge, four and five two pips, six to eight three, nine and ten four.
/** @type {Record<string, [keyof typeof COLUMNS, number][]>} */
const PIPS = (() => {
  /** @type {(...rows: number[]) => [keyof typeof COLUMNS, number][]} */
  const beside = (...rows) => rows.flatMap((y) => [["l", y], ["r", y]]);
  /** @type {(...rows: number[]) => [keyof typeof COLUMNS, number][]} */
  const within = (...rows) => rows.map((y) => ["m", y]);
  const [top, middle, end] = [54, 175, 296], quarters = [54, 135, 215, 296];
  return {
    2: within(top, end), 3: within(top, middle, end), 4: beside(top, end), 5: [...beside(top, end), ...within(middle)],
    6: beside(top, middle, end), 7: [...beside(top, middle, end), ...within(114)],
    8: [...beside(top, middle, end), ...within(114, 236)], 9: [...beside(...quarters), ...within(middle)],
    T: [...beside(...quarters), ...within(94, 256)],
  };
})();

/** How many pips of a rank lie at one long edge: its legs. @param {string} rank */
export const legs = (rank) => (PIPS[rank] ?? []).filter(([column]) => column === "l").length;

const UPSIDE = "rotate(180 125 175)";

/** @param {string} suit @param {string} column @param {number} y */
function placed(suit, column, y) {
  const x = COLUMNS[column], drawn = pip(suit, x - PIP / 2, y - PIP / 2, PIP);
  return y > 175 ? `<g transform="rotate(180 ${x} ${y})">${drawn}</g>` : drawn;
}

/** @param {string} rank @param {string} suit */
function middleOf(rank, suit) {
  const { ink } = SUITS[suit], picture = PICTURES[rank];
  if (picture?.seal) return star(rank, picture.seal, ink);
  if (picture) return court(rank, suit, ink);
  if (rank === "A") return pip(suit, 125 - ACE / 2, 175 - ACE / 2, ACE);
  return PIPS[rank].map(([column, y]) => placed(suit, column, y)).join("");
}

const index = (/** @type {string} */ rank) => (rank === "T" ? "10" : rank);
// 6 and 9 are underlined: they stay apart when the third card lies sideways.
const isUnderlined = (/** @type {string} */ rank) => rank === "6" || rank === "9";

/** @param {string} rank @param {string} suit */
function corner(rank, suit) {
  const { ink, zh, element } = SUITS[suit];
  const narrow = rank === "T" ? ' textLength="45" lengthAdjust="spacingAndGlyphs"' : "";
  return (
    `<text x="31" y="62" font-size="62" text-anchor="middle"${narrow} ${SANS} fill="${ink}">${index(rank)}</text>` +
    (isUnderlined(rank) ? `<rect x="14" y="68" width="34" height="5" rx="2.500" fill="${ink}"/>` : "") +
    pip(suit, 15, 78, 32) + (element ? glyph(zh, 18, 118, 26, ink, 11) : "")
  );
}

const sheet = (/** @type {number} */ edge, /** @type {number} */ radius) =>
  `<rect x="${edge / 2}" y="${edge / 2}" width="${250 - edge}" height="${350 - edge}" rx="${radius}" ` +
  `fill="${PAPER}" stroke="${EDGE}" stroke-width="${edge}"/>`;

/**
 * The whole face; as long as it is squeezed fingers lie on the corners that name it.
 * @param {Iterable<string>} code
 */
export function face([rank, suit], { isNamed = true } = {}) {
  const named = isNamed ? `${corner(rank, suit)}<g transform="${UPSIDE}">${corner(rank, suit)}</g>` : "";
  return sheet(3, 20) + middleOf(rank, suit) + named;
}

/** Where a card is narrow: its rank and its suit, as large as fit. @param {Iterable<string>} code */
export function smallFace([rank, suit]) {
  const { ink } = SUITS[suit];
  const [size, spacing] = rank === "T" ? [168, ' letter-spacing="-14"'] : [186, ""];
  return (
    `${sheet(4, 26)}<text x="125" y="168" text-anchor="middle" font-size="${size}"${spacing} ${SANS} fill="${ink}">` +
    `${index(rank)}</text>` +
    (isUnderlined(rank) ? `<rect x="76" y="178" width="98" height="12" rx="5" fill="${ink}"/>` : "") +
    pip(suit, 60, 204, 130)
  );
}
