// The five roads of a shoe in tabs, scrolling back to its first round, with counts in words. Past results only.
import { html, raw } from "../base/dom.js";
import { either, hanTag, TAGS } from "../base/words.js";
import { askMark, ROAD_NAMES } from "../kit/roads.js";
import { seal } from "../kit/seals.js";
import { SEALS } from "./status.js";
import { t } from "./words.js";
import { w } from "./words-patron.js";

/** @import { Language } from "../base/words.js" */
/** @import { Seen } from "./reduce.js" */
/** @typedef {"bead" | "big" | "eye" | "small" | "pig"} RoadKind */

/** @type {RoadKind[]} */
export const ROADS = ["bead", "big", "eye", "small", "pig"];
export const BESIDE = { place: "side", columns: 14, cell: 19.4 };
export const IN_SHEET = { place: "sheet", columns: 12, cell: 27 };

/**
 * `place` tells two panels on one page apart; the road is as wide as its results, at least `columns`.
 * @param {Seen} s @param {{ place: string, columns: number, cell: number }} size
 */
export function roadsPanel(s, { place, columns, cell }) {
  const { lang, table, road: kind } = s, cells = table.roads[kind];
  const used = Math.max(0, ...cells.map(([, column]) => column + 1)), id = `road-${place}`;
  const tab = (/** @type {RoadKind} */ one) => roadTab(lang, one, one === kind, id);
  return html`<section class="roads-panel" data-key="roads-${place}"><h2>${w(lang, "roads")} <span
      data-key="${roundsSaid(s)}">${roundsSaid(s)}</span></h2>
    <div class="road-tabs" role="tablist" aria-label="${w(lang, "roads")}">${ROADS.map(tab)}</div>
    <div class="road-scroll" id="${id}" role="tabpanel" tabindex="0" aria-labelledby="${id}-${kind}"
      data-road-kind="${kind}" data-newest="${Math.round(used * cell)}"><pb-road data-key="${kind}" kind="${kind}"
      cells="${JSON.stringify(cells)}" columns="${Math.max(columns, used)}" cell="${cell}" last
      lang="${TAGS[lang]}"></pb-road></div>${asks(s)}${countsInWords(lang, table)}
    <p class="past-note">${w(lang, "past")}</p></section>`;
}

/** @param {Language} lang @param {RoadKind} kind @param {boolean} isShown @param {string} id */
function roadTab(lang, kind, isShown, id) {
  const [en, zh] = ROAD_NAMES[kind], name = either(lang, en, zh);
  return html`<button type="button" role="tab" id="${id}-${kind}" data-act="road" data-road="${kind}"
    aria-selected="${String(isShown)}" aria-controls="${id}" tabindex="${isShown ? 0 : -1}"
    aria-label="${name}" title="${name}">${w(lang, kind)}</button>`;
}

/** @param {Seen} s */
export function roundsSaid({ lang, table: { counts: { rounds } } }) {
  return t(lang, rounds === 1 ? "rounds_1" : "rounds", rounds);
}

const COUNTED = ["player", "banker", "tie", "player_pair", "banker_pair", "natural", "banker_six"];

/** @param {Language} lang @param {Seen["table"]} table */
const countsInWords = (lang, { counts }) => html`<dl class="shoe-counts"
  aria-label="${w(lang, "counts")}">${COUNTED.map((key) => html`<div data-key="${key}"><dt>${
  counted(lang, key)}</dt><dd data-count="${key}">${counts[key] ?? 0}</dd></div>`)}</dl>`;

// The seal of a side stands before its English name; in Chinese the name is the seal, and stands once.
/** @param {Language} lang @param {string} side */
function counted(lang, side) {
  const name = w(lang, side);
  if (!SEALS[side]) return name;
  if (lang !== "en") return html`<span class="cjk ${side[0]}-ink">${name}</span>`;
  return html`<i class="cjk ${side[0]}-ink" lang="${hanTag(lang)}" aria-hidden="true">${
    seal(SEALS[side], lang)}</i> ${name}`;
}

// Where the house shows them: how the derived roads would go on. Never more than what would be drawn.
/** @param {Seen} s */
function asks({ lang, table: { asks: marks } }) {
  if (!marks) return "";
  const side = (/** @type {"banker" | "player"} */ name) => html`<span class="ask ${name[0]}-ink">${
    w(lang, "ask_if", t(lang, name))} ${["eye", "small", "pig"].map((kind, i) => raw(askMark(kind, marks[name][i])))
  }</span>`;
  return html`<p class="asks-row" title="${w(lang, "asks")}">${side("banker")}${side("player")}<span
    class="sr">${w(lang, "asks")}</span></p>`;
}
