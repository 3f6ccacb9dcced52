// The floor's fonts, asked for when the page has been drawn and painted: nothing waits for them, and text moves little
// when they come.
import { painted } from "./dom.js";
import { hasHan, lookForHan } from "./han.js";
import { wanted } from "./words.js";

const ADDRESS = "/fonts.css", HAN = '16px "puntobanco Han"';

let begun = false;

/** Once a page. */
export function loadFonts() {
  if (begun) return;
  begun = true;
  painted(() => new PerformanceObserver((_, seen) => { // a browser notes the paint a little later
    seen.disconnect();
    ask();
  }).observe({ type: "paint", buffered: true }));
}

function ask() {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = ADDRESS;
  sheet.onload = come;
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
