// Jack, Queen and King: one half of each figure, drawn once; the other half is the same, turned by half a circle.
import { pip } from "./suits.js";

const GOLD = "#dba93a", DEEP = "#a87717", SKIN = "#fbe6cd", PAPER = "#fffdf6";
const SECOND = { "#15181d": "#b3202c", "#c01f2e": "#1d3f7a" }; // beside black ink red, beside red ink blue

const shape = (/** @type {string} */ fill, /** @type {string} */ d, line = "none", width = 0) =>
  `<path fill="${fill}" d="${d}"${line === "none" ? "" : ` stroke="${line}" stroke-width="${width}"`}/>`;
const line = (/** @type {string} */ ink, /** @type {string} */ d, width = 2.4) =>
  `<path fill="none" stroke="${ink}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" d="${d}"/>`;
const dot = (/** @type {string} */ fill, /** @type {number} */ x, /** @type {number} */ y, r = 3) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;

// A face that looks ahead: brows, eyes, nose, and the mouth where nothing hides it.
const features = (/** @type {string} */ ink, mouth = "") =>
  line(ink, "M111 77q5-4 10 0M129 77q5-4 10 0", 2) +
  line(ink, "M112 84q4 3 8 0M130 84q4 3 8 0M125 83v11q-1 3-4 2.500", 1.8) + mouth;

// Shoulders from the neck to the frame, with a band that falls to the middle.
const robe = (/** @type {string} */ ink, /** @type {string} */ other) =>
  shape(ink, "M68 175v-22q6-17 34-24h46q28 7 34 24v22z") +
  shape(other, "M108 127h34l-6 48h-22z") +
  line(GOLD, "M108 127l6 48M142 127l-6 48", 3);

const king = (/** @type {string} */ ink, /** @type {string} */ other) =>
  robe(ink, other) +
  shape(PAPER, "M94 132q31 22 62 0l6 11q-37 25-74 0z", ink, 2) +
  [[100, 143], [112, 149], [125, 151], [138, 149], [150, 143]].map(([x, y]) => dot(ink, x, y, 2)).join("") +
  shape(ink, "M97 62q-13 26-3 52 10 3 12-6V70h38v38q2 9 12 6 10-26-3-52z") +
  shape(SKIN, "M104 66h42v22q0 26-21 28-21-2-21-28z") +
  shape(ink, "M104 88q4 10 12 8 6-4 9-1 3-3 9 1 8 2 12-8 4 40-21 52-25-12-21-52z") +
  line(SKIN, "M118 102q7 4 14 0M114 112q3 10 7 15M136 112q-3 10-7 15M125 114v18", 1.8) +
  features(ink) +
  shape(GOLD, "M96 66l-6-33 19 14 16-20 16 20 19-14-6 33z", DEEP, 2) +
  shape(other, "M96 66h58v-8H96z") + line(GOLD, "M96 57h58", 2) +
  [[90, 31, GOLD], [125, 25, GOLD], [160, 31, GOLD], [110, 62, PAPER], [125, 62, PAPER], [140, 62, PAPER]]
    .map(([x, y, fill]) => dot(String(fill), Number(x), Number(y), fill === GOLD ? 4 : 2.4)).join("") +
  line(DEEP, "M174 175V62", 5) + line(GOLD, "M174 175V62", 2.6) +
  shape(GOLD, "M174 34l9 12-9 12-9-12z", DEEP, 2) + shape(SKIN, "M163 154q11-9 19 0v15q-9 8-19 0z", ink, 2) +
  line(ink, "M164 159h17M164 164h17", 1.4);

const queen = (/** @type {string} */ ink, /** @type {string} */ other) =>
  robe(other, ink) +
  shape(GOLD, "M125 38q-36 2-36 46 0 30-11 46 17 6 28-6h38q11 12 28 6-11-16-11-46 0-44-36-46z", DEEP, 2) +
  line(DEEP, "M97 66q-6 26-8 56M153 66q6 26 8 56M103 112l-7 14M147 112l7 14", 2) +
  shape(SKIN, "M103 74q0-18 22-18t22 18v14q0 26-22 29-22-3-22-29z") + shape(SKIN, "M116 112h18v16q-9 7-18 0z") +
  line(DEEP, "M104 76q13-2 20-16 8 14 22 16", 5) +
  features(ink, shape("#b3202c", "M118 102q4-4 7-1.500 3-2.500 7 1.500-7 6-14 0z")) +
  [92, 103, 114, 125, 136, 147, 158]
    .map((x) => `<circle cx="${x}" cy="${134 + Math.abs(x - 125) * -0.09}" r="7" fill="${PAPER}" ` +
      `stroke="${ink}" stroke-width="1.600"/>`).join("") +
  dot(GOLD, 125, 146, 4.5) +
  shape(GOLD, "M101 58l-5-20q9 8 14 6 5-4 15-16 10 12 15 16 5 2 14-6l-5 20q-24-8-48 0z", DEEP, 2) +
  [[96, 36], [125, 25], [154, 36]].map(([x, y]) => dot(PAPER, x, y, 3.6) + ring(DEEP, x, y, 3.6)).join("") +
  dot(other, 125, 44, 3.5) +
  line("#2c7a46", "M80 175q-2-22 2-40", 3) + shape("#2c7a46", "M81 158q-12-2-12-12 11 1 12 12z") +
  [[82, 112], [72, 119], [76, 131], [88, 131], [92, 119]].map(([x, y]) => dot(other, x, y, 6.5)).join("") +
  dot(GOLD, 82, 122, 5);

const jack = (/** @type {string} */ ink, /** @type {string} */ other) =>
  robe(ink, GOLD) +
  shape(other, "M92 131q33 16 66 0l3 12q-36 17-72 0z", ink, 2) + dot(GOLD, 125, 145, 5) +
  shape(DEEP, "M98 62q-13 30-5 58 8 5 16 0V70h32v50q8 5 16 0 8-28-5-58z") +
  line(GOLD, "M97 76q-5 22-2 42M153 76q5 22 2 42", 2) +
  shape(SKIN, "M104 66h42v22q0 25-21 28-21-3-21-28z") + shape(SKIN, "M116 110h18v18q-9 6-18 0z") +
  shape(DEEP, "M103 62h44v14q-10-8-22-8t-22 8z") +
  features(ink, line("#b3202c", "M119 103q6 4 12 0", 2.4)) +
  shape(ink, "M88 64q-4-30 37-32 41 2 37 32-37-12-74 0z") + shape(other, "M86 66q39-14 78 0l-2 8q-37-13-74 0z") +
  line(GOLD, "M87 66q38-13 76 0", 2) +
  shape(PAPER, "M148 40q6-16 32-12-4 26-26 24z", ink, 1.8) + line(ink, "M151 46q10-10 24-14", 1.6) +
  dot(GOLD, 150, 47, 4.5) +
  line(DEEP, "M77 175V88", 5) + line(GOLD, "M77 175V88", 2.6) +
  shape(PAPER, "M77 54l7 28h-14zM80 88q13 2 11 22-13-2-13-12z", ink, 2) +
  shape(SKIN, "M70 152q9-8 17 0v16q-8 7-17 0z", ink, 2) + line(ink, "M71 158h15M71 163h15", 1.4);

const ring = (/** @type {string} */ ink, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${ink}" stroke-width="1.500"/>`;

/** @type {Record<string, (ink: string, other: string) => string>} */
const HALVES = { J: jack, Q: queen, K: king };

/**
 * The figure between the indices, from either end the same.
 * @param {string} rank @param {string} suit @param {string} ink
 */
export function court(rank, suit, ink) {
  const other = SECOND[ink] ?? GOLD;
  const half = HALVES[rank](ink, other) + pip(suit, 68, 26, 22);
  return (
    `<rect x="64" y="22" width="122" height="306" rx="8" fill="#fbf3e0"/>` +
    `<g>${half}</g><g transform="rotate(180 125 175)">${half}</g>` +
    `<rect x="64" y="166" width="122" height="18" fill="${GOLD}"/>` +
    line(DEEP, "M64 166h122M64 184h122", 2) +
    line(ink, "M72 175l8-5 8 5-8 5zM98 175l8-5 8 5-8 5zM136 175l8-5 8 5-8 5zM162 175l8-5 8 5-8 5z", 1.6) +
    dot(ink, 125, 175, 6) + dot(GOLD, 125, 175, 2.6) +
    `<rect x="64" y="22" width="122" height="306" rx="8" fill="none" stroke="${ink}" stroke-width="2.500"/>`
  );
}
