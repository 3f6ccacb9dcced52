// Playing cards of both decks as SVG text, with their names. A card is drawn in a box of 250 x 350.
import { PAPER, PICTURES, SUITS, pip } from "./suits.js";

const SMALL_BELOW = 60; // a narrower card shows only index and suit, as large as fit
const CARD_RATIO = 1.4;

const W = 250;
const H = 350;
const SANS = 'font-family="Inter, Noto Sans, Arial, sans-serif" font-weight="800"';
const HAN = 'font-family="Noto Sans CJK TC, Noto Sans TC, PingFang TC, sans-serif" font-weight="700"';
const SEAL = 'font-family="Noto Serif CJK TC, Noto Serif TC, Songti TC, PMingLiU, serif" font-weight="700"';
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
  const zh = isChinese(lang);
  if (!isCard(code)) return BACK_NAMES[zh ? "zh" : "en"];
  const [rank, suit] = code;
  const name = PICTURES[rank] ?? RANK_NAMES[rank] ?? { en: rank, zh: rank };
  return zh ? `${SUITS[suit].zh}${name.zh}` : `${name.en} of ${SUITS[suit].en}`;
}

/** @param {string} lang */
export const isChinese = (lang) => String(lang ?? "").toLowerCase().startsWith("zh");

/**
 * One card as an SVG. `dim` lays a shade over it; a code that is no card shows the back.
 * @param {string} code @param {number} [size]
 */
export function card(code, size = 100, { lang = "en", dim = false, small = size < SMALL_BELOW } = {}) {
  const drawn = !isCard(code) ? back() : small ? smallFace(code) : face(code);
  const shade = dim ? `<rect width="${W}" height="${H}" rx="20" fill="#052019" opacity=".45"/>` : "";
  return framed(drawn + shade, size, cardName(code, lang));
}

function framed(drawing, size, label, extra = "") {
  const height = Math.round(size * CARD_RATIO);
  return (
    `<svg class="card" role="img" aria-label="${label}" width="${size}" height="${height}" ` +
    `viewBox="0 0 ${W} ${H}"${extra}>${drawing}</svg>`
  );
}

const index = (rank) => (rank === "T" ? "10" : rank);
// 6 and 9 are underlined: they stay apart when the third card lies sideways.
const underlined = (rank) => rank === "6" || rank === "9";
const centred = (x, y, size, font, ink, text) =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="middle" ${font} fill="${ink}">${text}</text>`;

function face(/** @type {Iterable<string>} */ [rank, suit]) {
  const { ink, zh, element } = SUITS[suit];
  const picture = PICTURES[rank];
  const [x, size] = rank === "T" ? [10, 92] : picture ? [16, 94] : [20, 104];
  const spacing = rank === "T" ? ' letter-spacing="-9"' : "";
  const parts = [
    `<rect x="1.5" y="1.5" width="247" height="347" rx="20" fill="${PAPER}" stroke="${EDGE}" stroke-width="3"/>`,
    `<text x="${x}" y="98" font-size="${size}" ${SANS} fill="${ink}"${spacing}>${index(rank)}</text>`,
    underlined(rank) ? `<rect x="24" y="106" width="56" height="7" rx="3" fill="${ink}"/>` : "",
    pip(suit, 22, 120, 66),
    picture ? pictureOf(rank, suit) : pip(suit, 92, 180, 140),
  ];
  if (element) parts.push(centred(picture ? 55 : 50, 316, 44, HAN, ink, zh));
  return parts.join("");
}

function pictureOf(rank, suit) {
  const { ink } = SUITS[suit];
  const { draw, seal } = PICTURES[rank];
  const under = seal
    ? centred(169, 214, 104, SEAL, ink, seal) + pip(suit, 137, 244, 64)
    : pip(suit, 119, 128, 100) + centred(169, 308, 66, SANS, ink, rank);
  return (
    `<rect x="108" y="22" width="122" height="306" rx="14" ` +
    `fill="${ink}" fill-opacity=".07" stroke="${ink}" stroke-width="3"/>` +
    `<svg x="119" y="38" width="100" height="60" viewBox="0 0 100 60">${draw(ink)}</svg>${under}`
  );
}

function smallFace(/** @type {Iterable<string>} */ [rank, suit]) {
  const { ink } = SUITS[suit];
  const [size, spacing] = rank === "T" ? [168, ' letter-spacing="-14"'] : [186, ""];
  return (
    `<rect x="2" y="2" width="246" height="346" rx="26" fill="${PAPER}" stroke="${EDGE}" stroke-width="4"/>` +
    `<text x="125" y="168" text-anchor="middle" font-size="${size}"${spacing} ${SANS} fill="${ink}">` +
    `${index(rank)}</text>` +
    (underlined(rank) ? `<rect x="76" y="178" width="98" height="12" rx="5" fill="${ink}"/>` : "") +
    pip(suit, 60, 204, 130)
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

function back() {
  return (
    `<rect x="1.5" y="1.5" width="247" height="347" rx="20" fill="${PAPER}" stroke="${EDGE}" stroke-width="3"/>` +
    `<rect x="15" y="15" width="220" height="320" rx="12" fill="#0d4a3a"/>${LATTICE}` +
    `<rect x="15" y="15" width="220" height="320" rx="12" fill="none" stroke="${GILT}" stroke-width="3"/>` +
    `<circle cx="125" cy="175" r="46" fill="#0a3a2e" stroke="${GILT}" stroke-width="3"/>` +
    `<path d="M125 143l9 22 24 2-18 15 6 24-21-13-21 13 6-24-18-15 24-2z" fill="${GILT}"/>`
  );
}

let peels = 0;
const PEEL_NAMES = { en: "card being turned", zh: "正在翻開的牌" };

/** A card face down whose lower left corner is lifted: 0 lies flat, 1 is folded corner to corner.

The flap is the corner mirrored at the fold, and shows the face as it lies on the other side of the paper. */
/** @param {string} code @param {number} [size] @param {number} [lifted] */
export function peel(code, size = 100, lifted = 0.35, { lang = "en" } = {}) {
  const t = Math.min(1, Math.max(0, lifted));
  if (!isCard(code) || t === 0) return card("", size, { lang });
  const corner = [0, H];
  const mid = [(W * t) / 2, H - (H * t) / 2];
  const far = Math.hypot(W, H);
  const [nx, ny] = [W / far, -H / far];
  const side = ([x, y]) => (x - mid[0]) * nx + (y - mid[1]) * ny;
  const mirror = ([x, y]) => { const d = 2 * side([x, y]); return [x - d * nx, y - d * ny]; };
  const sheet = [[0, 0], [W, 0], [W, H], corner];
  const stays = points(cut(sheet, side, 1));
  const flap = points(cut(sheet, side, -1).map(mirror));
  const shift = 2 * (mid[0] * nx + mid[1] * ny);
  const mirrored = [1 - 2 * nx * nx, -2 * nx * ny, -2 * nx * ny, 1 - 2 * ny * ny, shift * nx, shift * ny];
  const matrix = mirrored.map((n) => n.toFixed(4)).join(" ");
  const id = `peel${(peels += 1)}`;
  const drawing =
    `<defs><clipPath id="${id}"><polygon points="${stays}"/></clipPath>` +
    `<clipPath id="${id}f"><polygon points="${flap}"/></clipPath></defs>` +
    `<g clip-path="url(#${id})">${back()}</g>` +
    `<polygon points="${flap}" fill="#000" opacity=".35" transform="translate(7 -5)"/>` +
    `<g clip-path="url(#${id}f)"><g transform="matrix(${matrix}) matrix(-1 0 0 1 ${W} 0)">${face(code)}</g></g>` +
    `<polygon points="${flap}" fill="none" stroke="#b9b19d" stroke-width="2" stroke-linejoin="round"/>`;
  return framed(drawing, size, PEEL_NAMES[isChinese(lang) ? "zh" : "en"], ' overflow="visible"');
}

const points = (polygon) => polygon.map((p) => p.map((n) => Math.round(n * 10) / 10).join(",")).join(" ");

// The part of a polygon on one side of a line.
function cut(polygon, side, sign) {
  return polygon.flatMap((a, i) => {
    const b = polygon[(i + 1) % polygon.length];
    const [da, db] = [sign * side(a), sign * side(b)];
    const kept = da >= 0 ? [a] : [];
    if (da * db < 0) kept.push(a.map((n, k) => n + ((b[k] - n) * da) / (da - db)));
    return kept;
  });
}
