// How far a simulation is off, wager by wager: a mark on a scale of standard errors, zero in the middle.
import { INK, across, dot, line, px, rect, svg, text, tick, upright, wrapped } from "../kit/draw.js";
import { t } from "./words.js";

const LEAST = 4; // standard errors on either side, at least
const BAND = 2; // within so many most wagers of most runs are

/** `bets` are {title, errors, said, agrees}; agrees is null where nothing is judged. */
export function errorChart({ title, bets }, box) {
  const { w, h } = box, names = Math.min(150, w * 0.34), x0 = names + 8, x1 = w - 58, y1 = 12, y0 = h - 42;
  const most = Math.max(LEAST, ...bets.map((bet) => Math.ceil(Math.abs(bet.errors) + 0.2)));
  const X = (v) => x0 + ((v + most) / (2 * most)) * (x1 - x0);
  const band = Math.min(46, (y0 - y1) / bets.length), down = y1 + band * bets.length;
  const parts = [rect(X(-BAND), y1, X(BAND) - X(-BAND), down - y1, 'fill="#0b3a24" fill-opacity=".8"')];
  const step = most > 12 ? Math.ceil(most / 6) : most > 5 ? 2 : 1;
  for (let at = -Math.floor(most / step) * step; at <= most; at += step) {
    parts.push(upright(X(at), y1, down, at ? INK.grid : INK.zero, { width: at ? 1 : 1.5 }));
    parts.push(text(X(at), down + 18, tick(at), { anchor: "middle" }));
  }
  const axis = t("standard errors from the exact edge");
  parts.push(text((x0 + x1) / 2, down + 36, axis, { anchor: "middle", fill: INK.third }));
  bets.forEach((bet, i) => {
    const y = y1 + band * i + band / 2, fill = { true: INK.tie, false: INK.danger }[bet.agrees] ?? INK.player;
    parts.push(text(names, y + 4, wrapped(bet.title, names, 1)[0], { anchor: "end", weight: 650, fill: INK.text }));
    parts.push(across(X(0), X(bet.errors), y, fill, { width: 2 }));
    parts.push(mark(X(bet.errors), y, fill, bet.agrees));
    parts.push(text(x1 + 8, y + 4, bet.said, { weight: 700, fill: INK.text }));
  });
  const told = bets.map((bet) => `${bet.title} ${bet.said}`).join(", ");
  return svg(box, t("{0}: difference from the exact edge in standard errors. {1}.", title, told), parts);
}

// A dot where it agrees, a cross where it does not, a square where nothing is judged: not by colour alone.
function mark(x, y, fill, agrees) {
  if (agrees === null) return rect(x - 5, y - 5, 10, 10, `fill="${fill}"`);
  return agrees ? dot(x, y, 6, fill) : line(`M${px(x - 6)} ${px(y - 6)}l12 12m0-12l-12 12`, fill, { width: 3 });
}
