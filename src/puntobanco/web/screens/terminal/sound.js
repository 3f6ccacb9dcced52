// Short tones, off unless somebody turns them on.

/** @import { State } from "./reduce.js" */

/** @type {Record<string, number[][]>} */
const TONES = {
  open: [[523, 0], [784, 0.12]],
  closed: [[330, 0]],
  card: [[880, 0]],
  chip: [[1240, 0]],
  win: [[659, 0], [784, 0.1], [1047, 0.2]],
  over: [[392, 0], [523, 0.14]],
  stop: [[220, 0], [220, 0.25]],
};
/** @type {Record<string, string>} */
const OF_PHASE = { betting: "open", closed: "closed", dealing: "card", stopped: "stop", void: "stop" };
const LONG_S = 0.14, LOUD = 0.06;
/** @type {AudioContext | null} */
let audio = null;

/** @param {string} name */
function play(name) {
  try {
    if (!audio && !navigator.userActivation?.hasBeenActive) return; // a browser lets nobody begin by itself
    audio ??= new AudioContext();
    for (const [hertz, after] of TONES[name]) {
      const tone = audio.createOscillator(), gain = audio.createGain(), at = audio.currentTime + after;
      tone.frequency.value = hertz;
      gain.gain.setValueAtTime(LOUD, at);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + LONG_S);
      tone.connect(gain).connect(audio.destination);
      tone.start(at);
      tone.stop(at + LONG_S);
    }
  } catch { /* a machine without sound */ }
}

/** What a change of state sounds like; null for most. Pure. @param {State} before @param {State} state */
export function toneOf(before, state) {
  if (!state.sound || !state.table || state.still) return null;
  if (!before.sound) return "chip";
  const was = before.table?.phase, is = state.table.phase;
  const isPaid = before.mine?.lines.length === 0 && state.mine?.lines.length && is === "settled";
  if (isPaid) return state.win ? "win" : "over";
  if (was !== is) return OF_PHASE[is] ?? null;
  if (Object.keys(before.table?.cards ?? {}).length < Object.keys(state.table.cards).length) return "card";
  return Object.keys(state.pending).length > Object.keys(before.pending).length ? "chip" : null;
}

/** @param {State} before @param {State} state */
export function sounds(before, state) {
  const tone = toneOf(before, state);
  if (tone) play(tone);
}
