// Chips and stacks of chips as SVG text, for any number of cents.

export const STACK_LIMIT = 7; // more chips than this are not drawn; the amount stands beside the stack
const RISE = 10;
const CREAM = "#f6f2e6";
const SANS = 'font-family="Inter, Noto Sans, Arial, sans-serif" font-weight="800"';

// Cents: body, ink, edge. What a stack is made of, largest first.
const LOOKS = new Map([
  [10_000_000, ["#0b6e75", "#fff", CREAM]],
  [2_500_000, ["#8a2d6b", "#fff", CREAM]],
  [500_000, ["#c9cfd8", "#20242c", "#4b5563"]],
  [100_000, ["#d9a93c", "#2a1e06", "#6b4a08"]],
  [50_000, ["#6a3aa3", "#fff", CREAM]],
  [10_000, ["#20242c", "#fff", CREAM]],
  [2_500, ["#1d7f55", "#fff", CREAM]],
  [500, ["#b8372f", "#fff", CREAM]],
  [100, ["#2a5db0", "#fff", CREAM]],
  [25, ["#7a4a21", "#fff", CREAM]],
  [5, ["#54606b", "#fff", CREAM]],
  [1, ["#8c5a3c", "#fff", CREAM]],
]);

/** @type {[number, string][]} */
const UNITS = [[1e9, "B"], [1e6, "M"], [1e3, "K"]];

/** Short enough for a chip: 5, 100, 1K, 2.5K, 1M, 50¢, 2.50. @param {number} cents */
export function chipLabel(cents) {
  if (cents > 0 && cents < 100) return `${cents}¢`;
  if (cents % 100) return (cents / 100).toFixed(2);
  const whole = cents / 100;
  for (const [unit, letter] of UNITS) {
    if (whole >= unit && (whole * 100) % unit === 0) return `${whole / unit}${letter}`;
  }
  return String(whole);
}

// A denomination of the house's own takes the look of the nearest one below.
/** @param {number} cents */
function lookOf(cents) {
  for (const [from, look] of LOOKS) if (cents >= from) return look;
  return /** @type {string[]} */ (LOOKS.get(1));
}

const FONTS = [29, 29, 29, 26, 21, 17, 15]; // by number of characters

function disc(cents) {
  const [body, ink, edge] = lookOf(cents);
  const label = chipLabel(cents);
  const font = FONTS[label.length] ?? 13;
  return (
    `<circle cx="50" cy="50" r="48" fill="${body}"/>` +
    `<circle cx="50" cy="50" r="41" fill="none" stroke="${edge}" stroke-width="13" ` +
    `stroke-dasharray="21.47 21.47" stroke-dashoffset="10.7" opacity=".95"/>` +
    `<circle cx="50" cy="50" r="47" fill="none" stroke="#000" stroke-opacity=".45" stroke-width="2"/>` +
    `<circle cx="50" cy="50" r="31" fill="${body}" stroke="${edge}" stroke-opacity=".85" stroke-width="2.5"/>` +
    `<text x="50" y="${50 + font * 0.345}" text-anchor="middle" ${SANS} font-size="${font}" fill="${ink}">` +
    `${label}</text>`
  );
}

/** One chip. Silent for a reader: the button around it says the amount. @param {number} cents @param {number} [size] */
export function chip(cents, size = 72) {
  const drawn = disc(valid(cents));
  return `<svg class="chip" width="${size}" height="${size}" viewBox="0 0 100 100" aria-hidden="true">${drawn}</svg>`;
}

/**
 * The chips that make up an amount, largest first, as many as are drawn: those of the table, then the usual ones for
 * what they leave.
 * @param {number} cents @param {number[]} [values]
 */
export function chipsOf(cents, values = []) {
  const chips = [], own = values.length ? [...values].sort((a, b) => b - a) : [];
  let left = valid(cents);
  for (const value of [...own, ...LOOKS.keys()]) {
    for (; left >= value && chips.length < STACK_LIMIT; left -= value) chips.push(value);
  }
  return chips;
}

const SHADOW = '<circle cx="50" cy="54" r="48" fill="#000" opacity=".45"/>';

/**
 * A stack that stands on its square and grows upwards out of it, so that the square never changes size.
 * @param {number} cents @param {number} [size]
 */
export function stack(cents, size = 54, { dim = false, values = /** @type {number[]} */ ([]) } = {}) {
  const chips = chipsOf(cents, values)
    .map((value, i) => `<g transform="translate(0 ${-i * RISE})">${SHADOW}${disc(value)}</g>`)
    .join("");
  return (
    `<svg class="stack${dim ? " dim" : ""}" width="${size}" height="${size}" viewBox="0 0 100 100" ` +
    `overflow="visible" aria-hidden="true">${chips}</svg>`
  );
}

function valid(cents) {
  const whole = Math.floor(Number(cents));
  return Number.isFinite(whole) && whole > 0 ? whole : 0;
}
