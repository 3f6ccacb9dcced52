// A card face down that is being lifted from any edge or corner, as SVG text. Drawn in the card's own box of 250 x 350.
import { either } from "../base/words.js";
import { card, framed, HEIGHT as H, isCard, back, WIDTH as W } from "./cards.js";
import { face } from "./faces.js";

/** @typedef {[number, number]} Point in parts of the card's width and height, from its upper left corner */
/** @typedef {{ from: Point, to: Point }} Fold a point of the edge, and where it lies now */

let peels = 0;
const PEEL_NAMES = { en: "card being turned", zh: "正在翻開的牌" };

/**
 * The paper is folded halfway between where the finger took it and where the finger is. The flap is mirrored at the
 * fold, and shows the face as it lies on the other side of the paper, without the corners that would name it.
 * @param {string} code @param {number} [size] @param {Fold | null} [fold]
 */
export function peel(code, size = 100, fold = null, { lang = "en" } = {}) {
  if (!isCard(code) || !fold) return card("", size, { lang });
  const at = ([x, y]) => [x * W, y * H];
  const [from, to] = [at(fold.from), at(fold.to)], far = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (far < 1) return card("", size, { lang });
  const mid = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const [nx, ny] = [(to[0] - from[0]) / far, (to[1] - from[1]) / far];
  const side = ([x, y]) => (x - mid[0]) * nx + (y - mid[1]) * ny;
  const mirror = ([x, y]) => { const d = 2 * side([x, y]); return [x - d * nx, y - d * ny]; };
  const sheet = [[0, 0], [W, 0], [W, H], [0, H]];
  const stays = points(cut(sheet, side, 1)), flap = points(cut(sheet, side, -1).map(mirror));
  const shift = 2 * (mid[0] * nx + mid[1] * ny);
  const mirrored = [1 - 2 * nx * nx, -2 * nx * ny, -2 * nx * ny, 1 - 2 * ny * ny, shift * nx, shift * ny];
  const matrix = mirrored.map((n) => n.toFixed(4)).join(" "), id = `peel${(peels += 1)}`;
  const shown = face(code, { isNamed: false }), shade = `${(nx * 8).toFixed(1)} ${(ny * 8).toFixed(1)}`;
  const drawing =
    `<defs><clipPath id="${id}"><polygon points="${stays}"/></clipPath>` +
    `<clipPath id="${id}f"><polygon points="${flap}"/></clipPath></defs>` +
    `<g clip-path="url(#${id})">${back()}</g>` +
    `<polygon points="${flap}" fill="#000" opacity=".35" transform="translate(${shade})"/>` +
    `<g clip-path="url(#${id}f)"><g transform="matrix(${matrix}) matrix(-1 0 0 1 ${W} 0)">${shown}</g></g>` +
    `<polygon points="${flap}" fill="none" stroke="#b9b19d" stroke-width="2" stroke-linejoin="round"/>`;
  return framed(drawing, size, either(lang, PEEL_NAMES.en, PEEL_NAMES.zh), ' overflow="visible"');
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
