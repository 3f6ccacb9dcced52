// Playing cards of both decks as SVG text, with their names. A card is drawn in a box of 250 x 350.
import { either } from "../base/words.js";
import { face, smallFace } from "./faces.js";
import { PAPER, PICTURES, SUITS } from "./suits.js";

export const SMALL_BELOW = 60; // a narrower card shows only index and suit, as large as fit
const CARD_RATIO = 1.4;

export const WIDTH = 250;
export const HEIGHT = 350;
const W = WIDTH, H = HEIGHT;
const EDGE = "#d8d2c2";
const GILT = "#d9b45f";

const STANDARD_RANKS = "A23456789TJQK";
const ELEMENT_RANKS = "A23456789TSLF";

/** The 52 or 65 codes of a deck, suit by suit. */
export const DECKS = {
  standard: [..."shdc"].flatMap((suit) => [...STANDARD_RANKS].map((rank) => rank + suit)),
  "five-elements": [..."fgewa"].flatMap((suit) => [...ELEMENT_RANKS].map((rank) => rank + suit)),
};
const KNOWN = new Set([...DECKS.standard, ...DECKS["five-elements"]]);

/** @param {string} code */
export const isCard = (code) => KNOWN.has(code);

const BACK_NAMES = { en: "card face down", zh: "未翻開的牌" };
const RANK_NAMES = { A: { en: "Ace", zh: "A" }, T: { en: "10", zh: "10" } };

/**
 * What a reader calls it: "9 of Fire", "火9"; anything that is no card is a card face down.
 * @param {string} code @param {string} [lang]
 */
export function cardName(code, lang = "en") {
  if (!isCard(code)) return either(lang, BACK_NAMES.en, BACK_NAMES.zh);
  const [rank, suit] = code;
  const name = PICTURES[rank] ?? RANK_NAMES[rank] ?? { en: rank, zh: rank };
  return either(lang, `${name.en} of ${SUITS[suit].en}`, `${SUITS[suit].zh}${name.zh}`);
}

/**
 * One card as an SVG. `dim` lays a shade over it; a code that is no card shows the back.
 * @param {string} code @param {number} [size]
 */
export function card(code, size = 100, { lang = "en", dim = false, small = size < SMALL_BELOW } = {}) {
  const drawn = !isCard(code) ? back() : small ? smallFace(code) : face(code);
  const shade = dim ? `<rect width="${W}" height="${H}" rx="20" fill="#052019" opacity=".45"/>` : "";
  return framed(drawn + shade, size, cardName(code, lang));
}

/** @param {string} drawing @param {number} size @param {string} label */
export function framed(drawing, size, label, extra = "") {
  const height = Math.round(size * CARD_RATIO);
  return (
    `<svg class="card" role="img" aria-label="${label}" width="${size}" height="${height}" ` +
    `viewBox="0 0 ${W} ${H}"${extra}>${drawing}</svg>`
  );
}

// The lattice of the back is drawn line by line, so that no card needs a pattern and its id.
const LATTICE = lattice({ left: 17, top: 17, right: 233, bottom: 333, step: 39.6 });

function lattice({ left, top, right, bottom, step }) {
  let lines = "";
  let knots = "";
  const round = (n) => Math.round(n * 10) / 10;
  const at = (x, y) => `${round(x)} ${round(y)}`;
  const [cx, cy] = [W / 2, H / 2];
  for (let k = -8; k <= 8; k += 1) {
    const sum = cx + cy + k * step; // x + y along a falling line
    const [x1, x2] = [Math.max(left, sum - bottom), Math.min(right, sum - top)];
    const [y1, y2] = [sum - x1, sum - x2];
    if (x1 < x2) lines += `M${at(x1, y1)}L${at(x2, y2)}M${at(W - x1, y1)}L${at(W - x2, y2)}`;
    for (let j = -8; j <= 8; j += 1) {
      const [x, y] = [cx + ((k + j) * step) / 2, cy + ((k - j) * step) / 2];
      if (x > left + 4 && x < right - 4 && y > top + 4 && y < bottom - 4) knots += `M${at(x, y)}h.01`;
    }
  }
  return (
    `<path d="${lines}" stroke="${GILT}" stroke-opacity=".38" stroke-width="2"/>` +
    `<path d="${knots}" stroke="${GILT}" stroke-opacity=".55" stroke-width="8" stroke-linecap="round"/>`
  );
}

/** The back, as every card has it. */
export function back() {
  return (
    `<rect x="1.5" y="1.5" width="247" height="347" rx="20" fill="${PAPER}" stroke="${EDGE}" stroke-width="3"/>` +
    `<rect x="15" y="15" width="220" height="320" rx="12" fill="#0d4a3a"/>${LATTICE}` +
    `<rect x="15" y="15" width="220" height="320" rx="12" fill="none" stroke="${GILT}" stroke-width="3"/>` +
    `<circle cx="125" cy="175" r="46" fill="#0a3a2e" stroke="${GILT}" stroke-width="3"/>` +
    `<path d="M125 143l9 22 24 2-18 15 6 24-21-13-21 13 6-24-18-15 24-2z" fill="${GILT}"/>`
  );
}
