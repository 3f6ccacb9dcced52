// The overhead display of one table: its view as it comes, drawn anew.
import "../kit/elements.js";
import { acts, patch } from "../base/dom.js";
import { views } from "../base/link.js";
import { LANGUAGES, language, setLanguage } from "../base/words.js";
import { reduce, start } from "./reduce.js";
import { page } from "./view.js";

const root = document.getElementById("display");
const table = Number(location.pathname.split("/")[2]);
const asked = new URLSearchParams(location.search).get("lang"); // a screen without keys has its language in its address
let state = start({ table, lang: LANGUAGES.includes(asked) ? asked : language() });

function hear(message) {
  state = reduce(state, message);
  patch(root, page(state));
}

function speak(lang) {
  setLanguage(lang);
  hear({ t: "language", lang });
}

acts(root, { language: (button) => speak(button.dataset.lang) });
addEventListener("keydown", (event) => {
  const alone = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key.toLowerCase() === "l" && alone) speak(state.lang === "zh" ? "en" : "zh");
});
speak(state.lang);
views(
  { [`table:${table}`]: (view, at) => hear({ t: "view", view, at }) },
  { onState: (found) => hear({ t: "link", state: found }), onRefused: (_, reason) => hear({ t: "refused", reason }) },
);
