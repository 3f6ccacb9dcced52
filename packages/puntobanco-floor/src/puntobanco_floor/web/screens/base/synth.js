// Sounds made by the browser itself: bells that ring out, and bursts of noise for chips and paper. No file is loaded.

/**
 * @typedef {{ at: number, hertz: number, long: number, loud: number }} Bell after so many seconds, for so many
 * @typedef {{ at: number, hertz: number, to?: number, long: number, loud: number, sharp?: number }} Burst noise around
 *   a pitch, which may slide to another
 * @typedef {{ bells?: Bell[], bursts?: Burst[] }} Sound
 */

const SILENT = 0.0001, NOISE_S = 0.5;
/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let noise = null;

/** @param {AudioContext} at */
function noiseOf(at) {
  const made = at.createBuffer(1, NOISE_S * at.sampleRate, at.sampleRate), data = made.getChannelData(0);
  for (let i = 0; i < data.length; i += 1) data[i] = Math.random() * 2 - 1;
  return made;
}

/** Loud at once, then less and less. @param {AudioContext} on */
function fading(on, /** @type {number} */ from, /** @type {number} */ long, /** @type {number} */ loud) {
  const gain = on.createGain();
  gain.gain.setValueAtTime(loud, from);
  gain.gain.exponentialRampToValueAtTime(SILENT, from + long);
  gain.connect(on.destination);
  return gain;
}

/** @param {AudioContext} on @param {Bell} bell */
function ring(on, { at, hertz, long, loud }) {
  const from = on.currentTime + at;
  for (const [times, part] of [[1, 1], [2.76, 0.3], [5.4, 0.12]]) { // the partials of a small bell
    const tone = on.createOscillator();
    tone.frequency.value = hertz * times;
    tone.connect(fading(on, from, long / times, loud * part));
    tone.start(from);
    tone.stop(from + long);
  }
}

/** @param {AudioContext} on @param {Burst} burst */
function burst(on, { at, hertz, to = hertz, long, loud, sharp = 1 }) {
  const from = on.currentTime + at, source = on.createBufferSource(), filter = on.createBiquadFilter();
  source.buffer = noise ??= noiseOf(on);
  filter.type = "bandpass";
  filter.Q.value = sharp;
  filter.frequency.setValueAtTime(hertz, from);
  filter.frequency.exponentialRampToValueAtTime(to, from + long);
  source.connect(filter).connect(fading(on, from, long, loud));
  source.start(from);
  source.stop(from + Math.min(long, NOISE_S));
}

/** Nothing happens where a machine has no sound, or nobody has touched the page yet. @param {Sound} sound */
export function sounds({ bells = [], bursts = [] }) {
  try {
    if (!audio && !navigator.userActivation?.hasBeenActive) return; // a browser lets nobody begin by itself
    audio ??= new AudioContext();
    for (const each of bells) ring(audio, each);
    for (const each of bursts) burst(audio, each);
  } catch { /* a machine without sound */ }
}
