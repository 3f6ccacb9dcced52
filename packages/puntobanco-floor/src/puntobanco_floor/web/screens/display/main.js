// The overhead display of one table: its view as it comes, drawn anew.
import "../kit/elements.js";
import { now } from "../base/clock.js";
import { acts, byId, listen } from "../base/dom.js";
import { views } from "../base/link.js";
import { run } from "../base/screen.js";
import { keptSight, showSight } from "../base/sight.js";
import { isLanguage, language, nextLanguage, setLanguage } from "../base/words.js";
import { reduce, start } from "./reduce.js";
import { page } from "./view.js";

const root = byId("display");
const table = Number(location.pathname.split("/")[2]);
// A screen without keys has its language, and how it looks, in its address: ?lang=zh&text=large&contrast=high
const query = new URLSearchParams(location.search), asked = query.get("lang"), sight = keptSight();
showSight({
  larger: query.has("text") ? query.get("text") === "large" : sight.larger,
  contrast: query.has("contrast") ? query.get("contrast") === "high" : sight.contrast,
});
const first = start({ table, lang: isLanguage(asked) ? asked : language() });
const still = matchMedia("(prefers-reduced-motion: reduce)"), TICK_MS = 500;
const loop = run({ root, first, reduce, view: page });
const { tell } = loop;

/** @param {string} lang */
function speak(lang) {
  if (!isLanguage(lang)) return;
  setLanguage(lang);
  tell({ t: "language", lang });
}

acts(root, { language: (button) => speak(button.dataset.lang) });
addEventListener("keydown", (event) => {
  const alone = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key.toLowerCase() === "l" && alone) speak(nextLanguage(loop.state.lang));
});
listen(root, "animationend", (target, { animationName }) => {
  if (animationName === "face-up") tell({ t: "landed", slot: target.closest("[data-slot]").dataset.slot });
});
const quiet = () => tell({ t: "quiet", quiet: still.matches });
still.addEventListener("change", quiet);
quiet();
setInterval(() => { if (Object.keys(loop.state.landing).length) tell({ t: "tick", at: now() }); }, TICK_MS);
speak(first.lang);
views(
  { [`table:${table}`]: (view, at) => tell({ t: "view", view, at }) },
  {
    onState: (found) => tell({ t: "link", state: found }),
    onRefused: (_, reason) => tell({ t: "refused", reason }),
  },
);
