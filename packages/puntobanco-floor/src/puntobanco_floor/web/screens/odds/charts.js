// The par sheet's charts: pure functions from figures to SVG. Every text comes from the server.
import {
  INK, across, apart, dot, letters, line, path, percentAxis, px, rect, ring, steps, svg, text, tick, wrapped,
} from "../kit/draw.js";
import { saidHere } from "../base/words.js";
import { suitsOf, t } from "./words.js";

const DOLLARS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000];

// Edge of a bet with a fixed bonus, by stake on a logarithmic scale. `bonus` is what it is worth in dollars a round.
export function stakeChart({ title, edge, bonus, even, minimum, chosen, least, most, without }, box) {
  const { w, h } = box, x0 = 50, x1 = w - 22, y1 = 26, y0 = h - 46;
  const edgeAt = (v) => 100 * (edge - bonus / v);
  const low = Math.max(-25, Math.floor(Math.min(0, edgeAt(least)) / 5) * 5 - 1);
  const high = Math.ceil((100 * edge + 1.5) / 5) * 5;
  const X = (v) => x0 + (Math.log(v / least) / Math.log(most / least)) * (x1 - x0);
  const Y = (v) => y0 - ((v - low) / (high - low)) * (y0 - y1);
  const parts = [];
  if (even && even.value > least) {
    parts.push(rect(x0, Y(0), X(even.value) - x0, y0 - Y(0), `fill="${INK.patron}"`));
  }
  parts.push(...percentAxis(low, high, h / 48, x0, x1, Y));
  let last = -Infinity;
  for (const at of DOLLARS.filter((d) => d >= least && d <= most)) {
    if (X(at) - last < 40) continue;
    last = X(at);
    parts.push(line(`M${px(X(at))} ${px(y0)}v5`, INK.third), text(X(at), y0 + 20, `$${at}`, { anchor: "middle" }));
  }
  parts.push(text((x0 + x1) / 2, y0 + 40, t("{0} stake, log scale", title), { anchor: "middle", fill: INK.third }));
  parts.push(across(x0, x1, Y(100 * edge), INK.tie, { width: 1.5, dash: "5 5" }));
  parts.push(text(x1, Y(100 * edge) - 8, t("{0} without the bonus", without), { anchor: "end", fill: INK.tie }));
  const curve = [];
  for (let i = 0; i <= 160; i += 1) {
    const v = least * (most / least) ** (i / 160);
    if (edgeAt(v) >= low) curve.push([X(v), Y(edgeAt(v))]);
  }
  parts.push(line(path(curve), INK.gold, { width: 3 }));
  const notes = [];
  if (even) {
    parts.push(dot(X(even.value), Y(0), 6, INK.danger));
    notes.push([INK.danger, t("break-even {0}", even.said)], [null, t("below it the patron has the edge")]);
  }
  if (minimum) {
    const x = X(minimum.value), y = Y(edgeAt(minimum.value));
    parts.push(line(`M${px(x)} ${px(y0)}V${px(y)}`, INK.player, { width: 1.5, dash: "3 4" }), dot(x, y, 6, INK.player));
    const name = minimum.said === chosen?.said ? t("the minimum,") : t("table minimum");
    notes.push([INK.player, `${name} ${minimum.said}`]);
  }
  if (chosen) {
    parts.push(ring(X(chosen.value), Y(edgeAt(chosen.value)), INK.gold, 2.5));
    if (minimum?.said !== chosen.said) notes.push([INK.gold, t("your stake {0}", chosen.said)]);
  }
  const words = notes.map(([, said]) => said);
  const top = Y(0) + Math.max(20, (y0 - Y(0) - notes.length * 19) / 2 + 8);
  const clear = Math.max(x0 + (x1 - x0) * 0.36, even ? X(even.value) + 24 : 0); // of the curve
  parts.push(...legend(notes, Math.min(x1 - 14 - letters(words), clear), x1, top));
  return svg(box, t("{0}: house edge by stake. {1}.", title, words.join(t("; "))), parts);
}

// Notes, each [colour of its dot or none, words], beneath each other on a dark ground.
const legend = (notes, left, right, top) => [
  rect(left - 9, top - 16, right - left + 9, notes.length * 19 + 6, 'rx="6" fill="#0a1411" fill-opacity=".88"'),
  ...notes.map(([fill, said], i) => {
    const y = top + i * 19;
    const words = text(left + 14, y, said, { fill: fill ?? INK.second, weight: fill ? 700 : 500 });
    return fill ? dot(left + 3, y - 4, 4, fill) + words : words;
  }),
];

const COLOURS = { player: INK.player, banker: INK.banker, tie: INK.tie };
const OTHERS = [INK.text, INK.gold, "#d7a6ff", "#7fe0e6", "#f0b8c8"];

// Bets whose edges are the same throughout are one line: "Player/Banker Pair".
export function together(bets) {
  const found = new Map();
  for (const bet of bets) {
    const key = bet.edges.map((edge) => edge.exact).join();
    found.set(key, [...(found.get(key) ?? []), bet]);
  }
  let other = 0;
  return [...found.values()].map((same) => {
    const [{ bet, hand, bonus, edges }] = same, title = titleOf(same.map((one) => saidHere(one.title)));
    const named = COLOURS[bet] ?? (hand && same.length === 1 && COLOURS[hand]);
    const colour = named || OTHERS[other++ % OTHERS.length];
    return { title: bonus ? t("{0}, no bonus", title) : title, edges, colour, own: same.map((one) => one.bet) };
  });
}

function titleOf(titles) {
  const ends = new Set(titles.map((title) => title.split(" ").at(-1)));
  const begins = titles.map((title) => title.split(" ").slice(0, -1).join(" "));
  if (titles.length > 1 && ends.size === 1 && begins.every(Boolean)) return `${begins.join("/")} ${[...ends][0]}`;
  return titles.join(t(", "));
}

// House edge by number of decks; the line of the lowest return, and the values at the chosen number.
export function decksChart({ decks, chosen, series, limit, bet }, box) {
  const { w, h } = box, x0 = 42, y1 = 14, y0 = h - 28, at = decks.indexOf(chosen);
  const said = (one) => `${one.title} ${one.edges[at].text}`, limitSaid = t("{0}: returns 75%", limit.text);
  const x1 = w - 12 - Math.min(w * 0.55, letters([...series.map(said), limitSaid]));
  const value = (figure) => 100 * Number(figure.decimal);
  const all = series.flatMap((one) => one.edges.map(value)), edge = value(limit);
  const high = Math.max(edge + 2, ...all) * 1.04, low = Math.min(0, ...all) * 1.1;
  const [fewest, most] = [decks[0], decks.at(-1)];
  const X = (d) => (decks.length > 1 ? x0 + ((d - fewest) / (most - fewest)) * (x1 - x0) : (x0 + x1) / 2);
  const Y = (v) => y0 - ((v - low) / (high - low)) * (y0 - y1);
  const parts = percentAxis(low, high, h / 36, x0, x1, Y);
  parts.push(line(`M${px(X(chosen))} ${px(y0)}V${px(y1)}`, "#3d574e", { width: 1.5 }));
  for (const d of decks) {
    const ink = d === chosen ? { fill: INK.text, weight: 750 } : { fill: INK.second, weight: 500 };
    parts.push(text(X(d), y0 + 19, String(d), { anchor: "middle", ...ink }));
  }
  parts.push(across(x0, x1, Y(edge), INK.danger, { width: 1.5, dash: "5 5" }));
  const labels = [{ y: Y(edge) + 4, said: limitSaid, colour: INK.danger }];
  for (const one of series) {
    const mine = one.own.includes(bet);
    const points = one.edges.map((figure, i) => [X(decks[i]), Y(value(figure))]);
    parts.push(line(path(points), one.colour, { width: mine ? 3.5 : 2.2 }));
    points.forEach(([x, y], i) => {
      parts.push(dot(x, y, mine ? 4 : 3, one.colour));
      if (value(one.edges[i]) > edge) parts.push(ring(x, y, INK.danger, 2));
    });
    labels.push({ y: Y(value(one.edges.at(-1))) + 4, said: said(one), colour: one.colour, weight: mine ? 750 : 600 });
  }
  for (const label of apart(labels, 15, y1 + 4, y0 + 4)) {
    parts.push(text(x1 + 9, label.at, label.said, { fill: label.colour, weight: label.weight ?? 600, size: 12 }));
  }
  return svg(box, t("House edge by number of decks; at {0} decks {1}.", chosen, series.map(said).join(t(", "))), parts);
}

const STRONG = { anchor: "middle", weight: 700, fill: INK.text };
const FILLS = { loses: "#b92b25", pushes: "#4b6a5f", wins: "#e6c274" };

const NAMES = { loses: "loses", pushes: "push" };

// What a wager comes to: the chance and the net of each of its lines, on a logarithmic scale. Lines that pay the same
// stand beside each other under their own names. `results` are {net, value, when, kind, chance, said}.
export function resultsChart({ title, results }, box) {
  const { w, h } = box, x0 = 50, x1 = w - 8, y1 = 22;
  const possible = results.filter((result) => result.chance > 0); // a logarithm has no place for what cannot happen
  const sorted = possible.sort((a, b) => a.value - b.value);
  const band = (x1 - x0) / sorted.length, wide = Math.min(58, band * 0.68);
  const named = (result) => (NAMES[result.kind] ? t(NAMES[result.kind]) : result.when);
  const names = sorted.map((result) => wrapped(named(result), band - 4, 3));
  const y0 = h - 22 - 13 * Math.max(...names.map((lines) => lines.length));
  const lowest = Math.floor(Math.log10(Math.min(...sorted.map((result) => result.chance))) - 0.25);
  const Y = (p) => y0 - ((Math.log10(p) - lowest) / -lowest) * (y0 - y1);
  const parts = [];
  for (let power = lowest; power <= 0; power += 1) {
    const p = 10 ** power;
    parts.push(across(x0, x1, Y(p), INK.grid), text(x0 - 8, Y(p) + 4, tick(p), { anchor: "end" }));
  }
  sorted.forEach((result, i) => {
    const x = x0 + band * i + band / 2, y = Y(result.chance);
    parts.push(rect(x - wide / 2, y, wide, Math.max(1, y0 - y), `rx="4" fill="${FILLS[result.kind]}"`));
    parts.push(text(x, y - 6, result.said, { ...STRONG, size: 12 }));
    parts.push(text(x, y0 + 17, result.net, { ...STRONG, size: 13 }));
    names[i].forEach((said, n) => parts.push(text(x, y0 + 31 + 13 * n, said, { anchor: "middle", size: 12 })));
  });
  const chances = sorted.map((result) => t("{0}, net {1} with probability {2}", named(result), result.net,
    result.said));
  return svg(box, t("{0}: {1}.", title, chances.join(t("; "))), parts);
}

const BY = { points: "points", ranks: "rank", suits: "" };
const HELPS = "#66dba0", HURTS = "#ff8478";

// What one card less does: bars up help the patron, bars down the house. Several series are suits that differ.
export function removalChart({ title, by, kinds, series }, box) {
  const { w, h } = box, x0 = 62, x1 = w - 8, y1 = series.length > 1 ? 42 : 22, y0 = h - 26;
  const values = series.map((one) => one.effects.map((effect) => 100 * Number(effect.decimal)));
  const all = values.flat(), top = Math.max(0, ...all), bottom = Math.min(0, ...all);
  if (!top && !bottom) {
    return svg(box, t("{0}: no card changes it.", title), [
      text(w / 2, h / 2 - 8, t("No effect"), { ...STRONG, size: 15 }),
      text(w / 2, h / 2 + 14, t("one card less, whichever it is, leaves this wager as it was"), { anchor: "middle" }),
    ]);
  }
  const Y = (v) => y0 - 14 - ((v - bottom) / (top - bottom)) * (y0 - 14 - y1);
  const parts = percentAxis(bottom, top, h / 46, x0, x1, Y);
  if (!steps(bottom, top, h / 46).includes(0)) parts.push(across(x0, x1, Y(0), INK.zero, { width: 1.5 }));
  const band = (x1 - x0) / kinds.length, wide = Math.min(28, (band * 0.74) / series.length);
  kinds.forEach((kind, i) => {
    const middle = x0 + band * i + band / 2;
    series.forEach((one, n) => {
      const v = values[n][i], x = middle + (n - (series.length - 1) / 2) * wide, y = Math.min(Y(0), Y(v));
      const fill = `fill="${v > 0 ? HELPS : HURTS}"${n ? ' fill-opacity=".6"' : ""}`;
      parts.push(rect(x - wide / 2 + 0.5, y, wide - 1, Math.max(1.5, Math.abs(Y(v) - Y(0))), `rx="2.5" ${fill}`));
      if (all.indexOf(v) !== n * kinds.length + i) return; // the first of the highest and of the lowest is told
      const { text: said } = one.effects[i];
      if (v === top && top) parts.push(text(x, y - 5, said, { ...STRONG, size: 12 }));
      if (v === bottom && bottom) parts.push(text(x, Y(v) + 14, said, { ...STRONG, size: 12 }));
    });
    const name = by === "suits" ? wrapped(kind, band, 1)[0] : kind;
    parts.push(text(middle, y0 + 16, name, { ...STRONG, weight: 650, size: 13 }));
  });
  parts.push(text(x0 - 8, y0 + 16, BY[by] && t(BY[by]), { anchor: "end", fill: INK.third }));
  if (series.length > 1) {
    const key = series.map((one, n) => t(n ? "paler: {0}" : "full colour: {0}", suitsOf(one.suits))).join(" · ");
    parts.push(text(x1, 14, key, { anchor: "end", fill: INK.second, size: 12 }));
  }
  const effects = (one) => kinds.map((kind, i) => `${kind} ${one.effects[i].text}`).join(", ");
  const told = series.map((one) => `${suitsOf(one.suits)}${t(": ")}${effects(one)}`).join("; ");
  return svg(box, t("{0}: change of the return when one card leaves the shoe; {1}.", title, told), parts);
}
