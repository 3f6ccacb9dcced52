// What is said aloud by the browser's own voice, where it has one for the language; else nothing is said.

// Cantonese first: the words are those of Hong Kong's and Macau's tables.
/** @type {Record<string, string[]>} */
const WANTED = {
  en: ["en"], zh: ["zh-hk", "yue", "zh-tw", "zh-hant", "zh"], "zh-Hans": ["zh-sg", "zh-cn", "zh-hans", "zh"],
};

/**
 * The voice for a language, the nearest tag first; a language of which nothing is known here asks by its own tag.
 * @template {{ lang: string }} V
 * @param {V[]} voices @param {string} lang
 * @returns {V | null}
 */
export function voiceFor(voices, lang) {
  const tag = (/** @type {V} */ voice) => voice.lang.replace("_", "-").toLowerCase();
  for (const wanted of WANTED[lang] ?? [lang.toLowerCase()]) {
    const found = voices.find((voice) => tag(voice) === wanted || tag(voice).startsWith(`${wanted}-`));
    if (found) return found;
  }
  return null;
}

/** Instead of what is still being said: an announcement is never late. @param {string} text @param {string} lang */
export function say(text, lang) {
  const speech = globalThis.speechSynthesis;
  if (!speech || !globalThis.SpeechSynthesisUtterance) return;
  try {
    const voice = voiceFor(speech.getVoices(), lang);
    if (!voice) return;
    speech.cancel();
    const said = new SpeechSynthesisUtterance(text);
    said.voice = voice;
    said.lang = voice.lang;
    speech.speak(said);
  } catch { /* a machine without a voice */ }
}

export function hush() {
  try { globalThis.speechSynthesis?.cancel(); } catch { /* nothing is said there */ }
}
