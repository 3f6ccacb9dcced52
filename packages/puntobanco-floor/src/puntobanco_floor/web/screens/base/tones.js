// Short tones, made by the browser itself.

const LONG_S = 0.14, LOUD = 0.06;
/** @type {AudioContext | null} */
let audio = null;

/** Each as its pitch in hertz, and after how many seconds it sounds. @param {number[][]} tones */
export function play(tones) {
  try {
    if (!audio && !navigator.userActivation?.hasBeenActive) return; // a browser lets nobody begin by itself
    audio ??= new AudioContext();
    for (const [hertz, after] of tones) {
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
