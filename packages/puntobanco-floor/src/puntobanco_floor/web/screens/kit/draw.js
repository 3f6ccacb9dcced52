// What charts are drawn with: lines, letters and axes as SVG text. Geometry is in floats; texts are given.
import { escaped } from "../base/dom.js";

export const INK = {
  text: "#f4f1e8", second: "#bccbc3", third: "#93a79d", grid: "#22372f", zero: "#7fa695", gold: "#e6c274",
  tie: "#66dba0", player: "#86b6ff", banker: "#ff938a", danger: "#ff9a90", patron: "#43120f",
};
const SIZE = 12.5;
const MINUS = "\u2212";

/** @param {number} n */
export const px = (n) => String(Math.round(n * 10) / 10);

export function svg({ w, h }, label, parts) {
  const size = `viewBox="0 0 ${px(w)} ${px(h)}" width="${px(w)}" height="${px(h)}"`;
  return `<svg ${size} role="img" aria-label="${escaped(label)}">${parts.join("")}</svg>`;
}

/** @param {number} x @param {number} y @param {string} said */
export function text(x, y, said, { fill = INK.second, anchor = "start", weight = 500, size = SIZE } = {}) {
  const face = `font-size="${size}" fill="${fill}" text-anchor="${anchor}" font-weight="${weight}"`;
  return `<text x="${px(x)}" y="${px(y)}" ${face}>${escaped(said)}</text>`;
}

/** @param {string} d @param {string} stroke */
export function line(d, stroke, { width = 1, dash = "" } = {}) {
  const dashed = dash ? ` stroke-dasharray="${dash}"` : "";
  return `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}"${dashed}/>`;
}

export const upright = (x, y0, y1, stroke, how) => line(`M${px(x)} ${px(y0)}V${px(y1)}`, stroke, how);
export const across = (x0, x1, y, stroke, how) => line(`M${px(x0)} ${px(y)}H${px(x1)}`, stroke, how);
export const rect = (x, y, w, h, rest) =>
  `<rect x="${px(x)}" y="${px(y)}" width="${px(w)}" height="${px(h)}" ${rest}/>`;
/** @param {number} x @param {number} y @param {number} r @param {string} fill */
export const dot = (x, y, r, fill) => `<circle cx="${px(x)}" cy="${px(y)}" r="${r}" fill="${fill}"/>`;
/** @param {number} x @param {number} y @param {string} stroke @param {number} width */
export const ring = (x, y, stroke, width) =>
  `<circle cx="${px(x)}" cy="${px(y)}" r="7.5" fill="none" stroke="${stroke}" stroke-width="${width}"/>`;
export const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${px(x)} ${px(y)}`).join("");

// How wide the longest of these is, in a wide face.
export const letters = (texts) => 7.4 * Math.max(...texts.map(lengthOf));

const HAN = /[\p{sc=Han}，。、：；！？（）「」]/gu;
const WORD = /(\s*)([\p{sc=Han}，。、：；！？（）「」]|[^\s\p{sc=Han}，。、：；！？（）「」]+)/gu;
/** In Latin letters: a Chinese character is as wide as nearly two. @param {string} said */
const lengthOf = (said) => said.length + 0.75 * (said.match(HAN)?.length ?? 0);

/** A number on an axis, which is a mark to read by and no figure: 0.2, 5, 1e−4. @param {number} value */
export function tick(value) {
  const size = Math.abs(value);
  const said = size && size < 0.001 ? `1e${Math.round(Math.log10(size))}` : String(Number(value.toPrecision(6)));
  return said.replaceAll("-", MINUS);
}

/**
 * Round steps of 1, 2 or 5 that make about `many` of them.
 * @param {number} low @param {number} high @param {number} many
 */
export function steps(low, high, many) {
  const raw = (high - low) / Math.max(1, many), power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw * 0.999) ?? raw;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1) {
    found.push(Number((i * step).toPrecision(12)));
  }
  return found;
}

// Labels that want to lie at `y`, moved apart by `gap` and kept between top and bottom.
export function apart(labels, gap, top, bottom) {
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  let last = -Infinity;
  for (const label of sorted) last = label.at = Math.max(label.y, last + gap, top);
  let next = bottom;
  for (const label of sorted.reverse()) next = (label.at = Math.min(label.at, next)) - gap;
  return sorted.reverse();
}

/**
 * About so many letters fit in a width; long words stay whole where they can.
 * @param {string} said @param {number} width @param {number} most
 */
export function wrapped(said, width, most) {
  const room = Math.max(4, Math.floor(width / 6.4)), lines = [""];
  for (const [, space, word] of said.matchAll(WORD)) {
    const joined = lines.at(-1) ? lines.at(-1) + space + word : word; // Chinese breaks between any two characters
    if (lengthOf(joined) <= room || !lines.at(-1)) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${lines[most - 1].slice(0, room - 1)}…`];
}

export const percentAxis = (low, high, many, x0, x1, Y) => steps(low, high, many).flatMap((t) => [
  across(x0, x1, Y(t), t ? INK.grid : INK.zero, { width: t ? 1 : 1.5 }),
  text(x0 - 8, Y(t) + 4, `${tick(t)}%`, { anchor: "end" }),
]);
