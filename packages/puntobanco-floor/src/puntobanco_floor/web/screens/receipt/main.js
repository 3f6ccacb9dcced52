// A receipt behind its link: read, drawn in either language, and read again until its proof is there.
import "../kit/elements.js";
import { acts, byId } from "../base/dom.js";
import { run } from "../base/screen.js";
import { isLanguage, language, setLanguage } from "../base/words.js";
import { isProven, page, pageTitle } from "./view.js";

/** @import { State } from "./view.js" */

const AGAIN_MS = 3000;
/** @type {State} */
const first = { lang: language(), file: `${location.pathname}.json`, receipt: null, told: {}, gone: false };
const root = byId("receipt");
const loop = run({
  root, first, reduce: (state, /** @type {Partial<State>} */ changes) => ({ ...state, ...changes }), view: page,
  drawn: (state) => { document.title = pageTitle(state); },
});

/** @param {string} lang */
function speak(lang) {
  if (!isLanguage(lang)) return;
  setLanguage(lang);
  loop.tell({ lang });
}

async function read() {
  try {
    const answer = await fetch(first.file, { cache: "no-store" });
    if (answer.ok) {
      loop.tell({ receipt: await answer.json() });
      const words = await fetch(`${location.pathname}.words.json`, { cache: "no-store" });
      if (words.ok) loop.tell({ told: await words.json() });
    }
    if (answer.status === 404) return loop.tell({ gone: true });
  } catch { /* nobody answers: asked again */ }
  const { receipt } = loop.state;
  if (!receipt || !isProven(receipt)) setTimeout(read, AGAIN_MS);
  return undefined;
}

acts(root, { language: ({ dataset }) => speak(dataset.lang), print: () => window.print() });
speak(first.lang);
read();
