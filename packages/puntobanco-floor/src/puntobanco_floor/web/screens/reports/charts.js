// Charts of a report, as SVG text: what was kept against theory, and drop and win by period.
import { money } from "../base/money.js";
import { across, letters, px, rect, steps, svg, text, tick, upright } from "../kit/draw.js";
import { t } from "./words.js";

/** @import { Language } from "../base/words.js" */

const WIDTH = 720, TALL = 15, GROUP = 62, MOST = 14; // of rows: the table below has all
const STRONG = { fill: "var(--text)", weight: 650 };

/** "98.94" returned is 1.06 kept, in hundredths of a percent. @param {string} returned */
export const keptOf = (returned) => 10_000 - Math.round(Number(returned) * 100);

/** @param {number} hundredths */
export function percentText(hundredths) {
  const size = Math.abs(hundredths), rest = String(size % 100).padStart(2, "0");
  return `${hundredths < 0 ? "\u2212" : ""}${Math.floor(size / 100)}.${rest} %`;
}

/**
 * A pair of bars a row. Rows without wagers have neither figure, and are left out.
 * @param {Language} lang
 * @param {{ name: string, theory: string, actual: string }[]} rows
 */
export function keptChart(lang, label, rows) {
  const found = rows.filter(({ theory, actual }) => theory !== "" && actual !== "").slice(0, MOST)
    .map((row) => ({ name: row.name, theory: keptOf(row.theory), actual: keptOf(row.actual) }));
  if (!found.length) return "";
  const values = found.flatMap(({ theory, actual }) => [theory, actual]);
  const told = found.map(({ name, theory, actual }) =>
    t(lang, "chart_row", name, percentText(actual), percentText(theory)));
  return lying({ low: Math.min(0, ...values), high: Math.max(0, ...values), unit: (v) => `${tick(v / 100)} %` },
    `${label}. ${told.join(". ")}.`,
    found.map(({ name, theory, actual }) => ({ name, bars: [
      { value: actual, words: `${percentText(actual)} ${t(lang, "actual")}`, look: actual < 0 ? "lost" : "actual" },
      { value: theory, words: `${percentText(theory)} ${t(lang, "theory")}`, look: "theory" },
    ] })));
}

/**
 * @param {Language} lang
 * @param {{ period: string, drop_cents: number, win_cents: number }[]} rows
 */
export function dropChart(lang, label, rows) {
  const found = byPeriod(rows).slice(-MOST);
  if (found.length < 2) return "";
  const values = found.flatMap(({ drop, win }) => [drop, win]);
  if (values.every((value) => !value)) return "";
  const told = found.map(({ period, drop, win }) => t(lang, "drop_row", period, money(drop), money(win)));
  return lying({ low: Math.min(0, ...values), high: Math.max(0, ...values), unit: (v) => `$${tick(v / 100)}` },
    `${label}. ${told.join(". ")}.`,
    found.map(({ period, drop, win }) => ({ name: period, bars: [
      { value: drop, words: `${money(drop)} ${t(lang, "c_drop")}`, look: "theory" },
      { value: win, words: `${money(win)} ${t(lang, "c_win")}`, look: win < 0 ? "lost" : "actual" },
    ] })));
}

/** All tables of a period together. */
export function byPeriod(rows) {
  const found = new Map();
  for (const { period, drop_cents: drop, win_cents: win } of rows) {
    const before = found.get(period) ?? { period, drop: 0, win: 0 };
    found.set(period, { period, drop: before.drop + drop, win: before.win + win });
  }
  return [...found.values()].sort((a, b) => (a.period < b.period ? -1 : 1));
}

function lying({ low, high, unit }, label, rows) {
  const room = letters(rows.flatMap(({ bars }) => bars.map(({ words }) => words))) + 12;
  const x0 = 8, x1 = WIDTH - room, y0 = 8, y1 = y0 + GROUP * rows.length;
  const X = (value) => x0 + ((value - low) / (high - low || 1)) * (x1 - x0);
  const parts = steps(low, high, 5).flatMap((at) => [
    upright(X(at), y0, y1, at ? "var(--line)" : "var(--text-3)"),
    text(X(at), y1 + 16, unit(at), { anchor: at === low ? "start" : "middle", fill: "var(--text-2)" }),
  ]);
  parts.push(across(x0, x1, y1, "var(--line)"));
  rows.forEach(({ name, bars }, n) => {
    const top = y0 + GROUP * n;
    parts.push(text(x0, top + 14, name, STRONG));
    bars.forEach(({ value, words, look }, i) => {
      const y = top + 21 + i * (TALL + 3), wide = Math.max(1.5, Math.abs(X(value) - X(0)));
      parts.push(rect(Math.min(X(0), X(value)), y, wide, TALL, `rx="3" class="${look}"`));
      parts.push(text(Math.max(X(0), X(value)) + 6, y + 12, words, { fill: "var(--text)", size: 12 }));
    });
  });
  return svg({ w: WIDTH, h: Number(px(y1 + 24)) }, label, parts);
}
