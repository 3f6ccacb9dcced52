// Roads as SVG text: cells come placed by the server as [row, column, mark], here they are only drawn.
import { either } from "../base/words.js";
import { sealText } from "./seals.js";

export const ROWS = 6;
const BANKER = "#ff5b52";
const PLAYER = "#4f9bff";
const TIE = "#38d087";
const GROUND = "#07110e";
const GRID = "#22372f";
const BEADS = { B: ["莊", "#c9302a"], P: ["閒", "#2463d8"], T: ["和", "#147a42"] };
const HAN = 'font-family="Noto Sans CJK TC, Noto Sans TC, PingFang TC, sans-serif" font-weight="700"';
const SANS = 'font-family="Inter, Noto Sans, Arial, sans-serif" font-weight="800"';

export const ROAD_NAMES = {
  bead: ["Bead plate", "珠盤路"],
  big: ["Big road", "大路"],
  eye: ["Big eye boy", "大眼仔"],
  small: ["Small road", "小路"],
  pig: ["Cockroach pig", "曱甴路"],
};

/** A road too long for its columns is moved left by whole columns: the newest stays in sight. */
export function shifted(cells, columns) {
  const away = Math.max(0, ...cells.map(([, col]) => col - columns + 1));
  return cells.filter(([, col]) => col >= away).map(([row, col, mark]) => [row, col - away, mark]);
}

/** One road. `last` tints the cell of the newest result. */
export function road(kind, cells, { columns = 24, cell = 16, last = false, lang = "en" } = {}) {
  const draw = DRAW[kind];
  if (!draw) throw new RangeError(`${kind} is no road`);
  const seen = shifted(cells, columns);
  const marks = seen.map(([row, col, mark], i) => {
    const tint = last && i === seen.length - 1 ? newest(row, col, cell, kind === "bead" ? 0.4 : 0.28) : "";
    return tint + draw(mark, round(col * cell + cell / 2), round(row * cell + cell / 2), cell);
  });
  const [width, height] = [round(columns * cell), round(ROWS * cell)];
  return (
    `<svg class="road" role="img" aria-label="${roadLabel(kind, cells, lang)}" ` +
    `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="${GROUND}"/>${grid(columns, cell)}${marks.join("")}</svg>`
  );
}

/** What a reader says of a road: its name, that it is past results, and on the bead plate the newest. */
export function roadLabel(kind, cells, lang = "en") {
  const [en, han] = ROAD_NAMES[kind];
  const start = either(lang, `${en}, past results`, `${han}，過往結果`);
  if (!cells.length) return start + either(lang, ", none yet", "，未有結果");
  if (kind !== "bead") return start;
  const [winner, seal] = WINNERS[cells.at(-1)[2][0]];
  return start + either(lang, `, newest ${winner}`, `，最新 ${seal}`);
}

const WINNERS = { B: ["Banker", "莊"], P: ["Player", "閒"], T: ["Tie", "和"] };
const round = (n) => Math.round(n * 100) / 100;
const newest = (row, col, s, opacity) =>
  `<rect x="${round(col * s + 1)}" y="${round(row * s + 1)}" width="${round(s - 2)}" height="${round(s - 2)}" ` +
  `fill="#e6c274" opacity="${opacity}"/>`;

function grid(columns, s) {
  let lines = "";
  for (let i = 0; i <= columns; i += 1) lines += `M${round(i * s)} 0V${round(ROWS * s)}`;
  for (let j = 0; j <= ROWS; j += 1) lines += `M0 ${round(j * s)}H${round(columns * s)}`;
  return `<path d="${lines}" stroke="${GRID}" fill="none"/>`;
}

const dot = (x, y, r, fill, rim) =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${fill}" stroke="${rim}" stroke-width="1"/>`;

// Pairs: banker's dot at the top left, player's at the bottom right.
function pairs(mark, x, y, s, reach, rim) {
  const r = Math.max(2, s * 0.125);
  const banker = mark.includes("b") ? dot(x - reach, y - reach, r, BANKER, rim) : "";
  const player = mark.includes("p") ? dot(x + reach, y + reach, r, PLAYER, rim) : "";
  return banker + player;
}

function bead(mark, x, y, s) {
  const [han, fill] = BEADS[mark[0]];
  return (
    `<circle cx="${x}" cy="${y}" r="${round(s * 0.41)}" fill="${fill}"/>` +
    `<text x="${x}" y="${round(y + s * 0.15)}" text-anchor="middle" font-size="${round(s * 0.42)}" ${HAN} ` +
    `fill="#fff">${sealText(han)}</text>` +
    pairs(mark.slice(1), x, y, s, s * 0.3, "#fff")
  );
}

function big(mark, x, y, s) {
  const [, winner = "", ties = "", pair = ""] = /^([BPT])(\d*)([bp]*)$/.exec(mark) ?? [];
  const r = s * 0.36;
  const many = Number(ties || (winner === "T" ? 1 : 0));
  const ring = winner === "T" ? "" : circle(x, y, r, winner === "B" ? BANKER : PLAYER, Math.max(2, s * 0.11));
  const tied = many ? slash(x, y, r * 1.05, TIE, Math.max(2, s * 0.1)) + count(many, x, y, s) : "";
  return ring + tied + pairs(pair, x, y, s, r * 0.86, GROUND);
}

const circle = (x, y, r, ink, width) =>
  `<circle cx="${x}" cy="${y}" r="${round(r)}" fill="none" stroke="${ink}" stroke-width="${round(width)}"/>`;

const slash = (x, y, r, ink, width) =>
  `<path d="M${round(x - r)} ${round(y + r)}L${round(x + r)} ${round(y - r)}" ` +
  `stroke="${ink}" stroke-width="${round(width)}" stroke-linecap="round"/>`;

// Two ties and more on one cell: their number, on a ground of its own so that the slash does not cross it.
function count(many, x, y, s) {
  if (many < 2) return "";
  return (
    `<text x="${x}" y="${round(y + s * 0.17)}" text-anchor="middle" font-size="${round(s * 0.5)}" ${SANS} ` +
    `fill="#eafff4" stroke="${GROUND}" stroke-width="${round(s * 0.14)}" paint-order="stroke">${many}</text>`
  );
}

const inkOf = (mark) => (mark === "R" ? BANKER : PLAYER);

const DRAW = {
  bead,
  big,
  eye: (mark, x, y, s) => circle(x, y, s * 0.34, inkOf(mark), Math.max(2, s * 0.13)),
  small: (mark, x, y, s) => `<circle cx="${x}" cy="${y}" r="${round(s * 0.34)}" fill="${inkOf(mark)}"/>`,
  pig: (mark, x, y, s) => slash(x, y, s * 0.34, inkOf(mark), Math.max(2.5, s * 0.17)),
};

const ASK_CELL = 16;

/** What a derived road would show next, by itself: a mark of `R` or `B`, or nothing. */
export function askMark(kind, mark) {
  const middle = ASK_CELL / 2, drawn = mark ? DRAW[kind](mark, middle, middle, ASK_CELL) : "";
  return `<svg class="ask-mark" data-ask="${kind}" data-mark="${mark}" width="${ASK_CELL}" height="${ASK_CELL}" ` +
    `viewBox="0 0 ${ASK_CELL} ${ASK_CELL}" aria-hidden="true">${drawn}</svg>`;
}
