// The overhead display of one table: its view as it comes, drawn anew.
import "../kit/elements.js";
import { acts, byId } from "../base/dom.js";
import { views } from "../base/link.js";
import { run } from "../base/screen.js";
import { isLanguage, language, setLanguage } from "../base/words.js";
import { reduce, start } from "./reduce.js";
import { page } from "./view.js";

const root = byId("display");
const table = Number(location.pathname.split("/")[2]);
const asked = new URLSearchParams(location.search).get("lang"); // a screen without keys has its language in its address
const first = start({ table, lang: isLanguage(asked) ? asked : language() });
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
  if (event.key.toLowerCase() === "l" && alone) speak(loop.state.lang === "zh" ? "en" : "zh");
});
speak(first.lang);
views(
  { [`table:${table}`]: (view, at) => tell({ t: "view", view, at }) },
  {
    onState: (found) => tell({ t: "link", state: found }),
    onRefused: (_, reason, reason_zh) => tell({ t: "refused", reason, reason_zh }),
  },
);
