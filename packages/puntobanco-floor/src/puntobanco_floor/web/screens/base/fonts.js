// The floor's fonts, asked for when the page has been drawn and painted: nothing waits for them, and text moves little
// when they come.
import { painted } from "./dom.js";
import { hasHan, lookForHan } from "./han.js";
import { wanted } from "./words.js";

const ADDRESS = "/fonts.css", HAN = '16px "puntobanco Han"';
const AGAIN_MS = 20_000, TRIES = 6; // a floor makes them in its first seconds, once

let begun = false;

/** Once a page. */
export function loadFonts() {
  if (begun) return;
  begun = true;
  painted(() => new PerformanceObserver((_, seen) => { // a browser notes the paint a little later
    seen.disconnect();
    ask(TRIES);
  }).observe({ type: "paint", buffered: true }));
}

/** @param {number} tries */
function ask(tries) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = ADDRESS;
  sheet.onload = () => {
    if (sheet.sheet?.cssRules.length) return come();
    sheet.remove();
    if (tries > 1) setTimeout(() => ask(tries - 1), AGAIN_MS);
    return undefined;
  };
  document.head.append(sheet);
}

/** On a device that could not write Chinese: now it is offered, and spoken where it was chosen before. */
async function come() {
  if (hasHan()) return;
  await document.fonts.load(HAN, "莊").catch(() => []);
  if (!lookForHan()) return;
  const lang = wanted();
  const button = document.querySelector(`[data-act=language][data-lang="${CSS.escape(lang)}"]`);
  if (lang !== "en" && button instanceof HTMLElement) button.click();
}
