// Games side by side as bars: a group for each wager, a numbered bar for each game. Lying on a narrow screen.
import { INK, across, letters, percentAxis, rect, steps, svg, text, tick, upright, wrapped } from "../kit/draw.js";
import { t } from "./words.js";

export const FILLS = ["#e6c274", "#86b6ff", "#66dba0", "#d7a6ff", "#ff938a", "#7fe0e6"];
const NARROW = 700;
const STRONG = { anchor: "middle", weight: 700, fill: INK.text };
const ON_BAR = { weight: 800, fill: "#14201b", size: 11 };

/** `rows` are {title, bars: [{i, value, said, rank}]}; `games` are {title, i}, where i is the game's place. */
export function barChart({ decks, games, rows }, box) {
  const all = rows.flatMap((row) => row.bars.map((bar) => bar.value));
  const high = Math.max(1, ...all), low = Math.min(0, ...all);
  const parts = (box.w < NARROW ? lying : standing)(rows, low, high, box);
  const named = (i) => games.find((game) => game.i === i)?.title ?? "";
  const each = (bars) => bars.map((bar) => `${named(bar.i)} ${bar.said}`).join(", ");
  const told = rows.map(({ title, bars }) => `${title}${t(": ")}${each(bars)}`);
  return svg(box, t("House edge by game at {0} decks. {1}.", decks, told.join(t(". "))), parts);
}

const fillOf = (i) => FILLS[i % FILLS.length];
const shade = (bar) => `rx="3" fill="${fillOf(bar.i)}"${bar.value < 0 ? ' stroke="#ff8478" stroke-width="2"' : ""}`;

function standing(rows, low, high, { w, h }) {
  const x0 = 46, x1 = w - 8, group = (x1 - x0) / rows.length;
  const names = rows.map(({ title }) => wrapped(title, group - 8, 2));
  const y1 = 24, y0 = h - 10 - 14 * Math.max(...names.map((lines) => lines.length));
  const Y = (v) => y0 - ((v - low) / (high - low)) * (y0 - y1);
  const parts = percentAxis(low, high, h / 44, x0, x1, Y);
  const wide = Math.min(38, (group - 18) / Math.max(...rows.map(({ bars }) => bars.length)));
  rows.forEach(({ bars }, n) => {
    const middle = x0 + group * (n + 0.5);
    bars.forEach((bar, i) => parts.push(...standingBar(bar, middle + (i - bars.length / 2) * wide, wide, Y)));
    parts.push(...spread(bars, middle, group, Y));
    names[n].forEach((said, i) => parts.push(text(middle, y0 + 16 + 14 * i, said, { ...STRONG, weight: 650 })));
  });
  return parts;
}

function standingBar(bar, x, wide, Y) {
  const top = Math.min(Y(0), Y(bar.value)), tall = Math.max(1.5, Math.abs(Y(bar.value) - Y(0)));
  const isWithin = tall > 18, within = Y(0) + (bar.value < 0 ? 14 : -5);
  const ink = isWithin ? ON_BAR : { weight: 750, fill: fillOf(bar.i), size: 11 };
  return [
    rect(x + 1, top, wide - 2, tall, shade(bar)),
    text(x + wide / 2, isWithin ? within : top - 5, String(bar.i + 1), { anchor: "middle", ...ink }),
  ];
}

// Above a group: its edge, or from the lowest to the highest.
function spread(bars, middle, width, Y) {
  const sorted = [...bars].sort((a, b) => a.value - b.value), least = sorted[0].said, most = sorted.at(-1).said;
  const said = least === most ? least : t("{0} to {1}", least, most);
  const lines = letters([said]) > width ? [least, t("to {0}", most)] : [said];
  const inside = Y(Math.max(0, sorted.at(-1).value)) < 34 + 13 * lines.length;
  const top = inside ? 14 : Y(Math.max(0, sorted.at(-1).value)) - 20 - 13 * (lines.length - 1);
  return lines.map((one, i) => text(middle, Math.max(12, top + 13 * i), one, { ...STRONG, size: 12 }));
}

function lying(rows, low, high, { w, h }) {
  const x0 = 24, x1 = w - 8, y1 = 8, bars = rows.flatMap((row) => row.bars).length;
  const room = letters(rows.flatMap((row) => row.bars.map((bar) => bar.said)));
  const X = (v) => x0 + ((v - low) / (high - low)) * (x1 - x0 - room);
  const tall = Math.min(20, (h - 24 - y1 - 22 * rows.length) / bars), parts = [];
  const y0 = y1 + 22 * rows.length + tall * bars;
  for (const at of steps(low, high, w / 90)) {
    parts.push(upright(X(at), y1, y0, at ? INK.grid : INK.zero));
    parts.push(text(X(at), y0 + 17, `${tick(at)}%`, { anchor: "middle" }));
  }
  parts.push(across(x0, x1, y0, INK.grid));
  let y = y1;
  for (const { title, bars: own } of rows) {
    parts.push(text(x0, y + 15, title, { fill: INK.text, weight: 650 }));
    y += 22;
    for (const bar of own) {
      const left = Math.min(X(0), X(bar.value)), wide = Math.max(1.5, Math.abs(X(bar.value) - X(0)));
      parts.push(rect(left, y + 1, wide, tall - 2, shade(bar)));
      parts.push(text(x0 - 16, y + tall / 2 + 4, String(bar.i + 1), { weight: 750, fill: fillOf(bar.i), size: 12 }));
      parts.push(text(Math.max(X(0), X(bar.value)) + 5, y + tall / 2 + 4, bar.said, { fill: INK.text, size: 12 }));
      y += tall;
    }
  }
  return parts;
}
