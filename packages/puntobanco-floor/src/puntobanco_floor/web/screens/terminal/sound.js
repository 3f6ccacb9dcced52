// What a change of the terminal sounds like, and what is said aloud with it; off unless somebody turns it on.
import { celebration } from "./outcome.js";
import { spokenOf } from "./spoken.js";

/** @import { Sound } from "../base/synth.js" */
/** @import { State } from "./reduce.js" */

/** Bells one after another. @param {number[]} pitches @param {number} apart @param {number} long */
const bells = (pitches, apart, long, loud = 0.06) => pitches.map((hertz, i) => ({ at: i * apart, hertz, long, loud }));
/** A chip on chips: a click of clay, and its ring. @param {number} [at] */
const click = (at = 0) => ({
  bursts: [
    { at, hertz: 4200, long: 0.03, loud: 0.5, sharp: 2 },
    { at: at + 0.045, hertz: 5200, long: 0.025, loud: 0.25, sharp: 3 },
  ],
  bells: [{ at, hertz: 3100, long: 0.05, loud: 0.012 }],
});
const PAID_S = 0.8; // when the chips that lose have left
const many = (/** @type {number} */ n, /** @type {number} */ from) => {
  const clicks = Array.from({ length: n }, (_, i) => click(from + i * 0.07));
  return { bursts: clicks.flatMap((one) => one.bursts), bells: clicks.flatMap((one) => one.bells) };
};
/** @param {number[]} pitches @param {number} chips */
const won = (pitches, chips) => {
  const paid = many(chips, PAID_S);
  return { bells: [...bells(pitches, 0.11, 0.9), ...paid.bells], bursts: paid.bursts };
};

/** @type {Record<string, Sound>} */
export const SOUNDS = {
  open: { bells: bells([784, 1047], 0.14, 0.7, 0.05) },
  closed: { bells: bells([523], 0, 0.9, 0.06) },
  slide: { bursts: [{ at: 0, hertz: 900, to: 2600, long: 0.24, loud: 0.16, sharp: 0.7 }] },
  turn: {
    bursts: [
      { at: 0, hertz: 2400, to: 900, long: 0.07, loud: 0.3, sharp: 0.8 },
      { at: 0.05, hertz: 240, long: 0.09, loud: 0.35, sharp: 1.2 },
    ],
  },
  chip: click(),
  win: won([659, 784, 1047], 2),
  win_big: won([659, 784, 1047, 1319], 4),
  win_huge: won([523, 659, 784, 1047, 1319, 1568, 2093], 7),
  over: { bells: bells([392, 523], 0.16, 0.5, 0.04) },
  stop: { bells: bells([220, 220], 0.3, 0.5, 0.08) },
};
/** @type {Record<string, string>} */
const OF_PHASE = { betting: "open", closed: "closed", stopped: "stop", void: "stop" };
const WON = ["over", "win", "win_big", "win_huge"]; // by how far ahead the patron is

/** @param {State} s */
const lying = (s) => Object.keys(s.table?.cards ?? {}).length;
/** @param {State} s */
const waiting = (s) => Object.keys(s.landing).length + Object.keys(s.covered).length;

/** What a change of state sounds like; null for most. Pure. @param {State} before @param {State} state */
export function toneOf(before, state) {
  if (!state.sound || !state.table || state.still) return null;
  if (!before.sound) return "chip";
  const was = before.table?.phase, is = state.table.phase;
  const isPaid = before.mine?.lines.length === 0 && state.mine?.lines.length && is === "settled";
  if (isPaid) return WON[celebration(state.mine?.lines ?? [])];
  if (lying(before) < lying(state)) return "slide";
  if (was !== is) return OF_PHASE[is] ?? null;
  if (is === "dealing" && waiting(before) > waiting(state)) return "turn";
  return Object.keys(state.pending).length > Object.keys(before.pending).length ? "chip" : null;
}

// Loaded when somebody turns the sound on: most terminals are silent. Both at once: what is said keeps its order.
const loaded = () => Promise.all([import("../base/synth.js"), import("../base/voice.js")]);

/** @param {State} before @param {State} state */
export async function sounds(before, state) {
  const tone = toneOf(before, state), words = spokenOf(before, state), isOff = before.sound && !state.sound;
  if (!tone && !words && !isOff) return;
  try {
    const [synth, voice] = await loaded();
    if (tone) synth.sounds(SOUNDS[tone]);
    if (words) voice.say(words, state.lang);
    if (isOff) voice.hush();
  } catch { /* the floor is away: what comes later is heard */ }
}
