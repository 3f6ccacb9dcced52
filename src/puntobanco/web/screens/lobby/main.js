// The lobby: the floor's view as it comes, drawn anew; a click changes the language.
import "../kit/elements.js";
import { get } from "../base/api.js";
import { now } from "../base/clock.js";
import { acts, patch } from "../base/dom.js";
import { views } from "../base/link.js";
import { language, setLanguage } from "../base/words.js";
import { reduce, start } from "./reduce.js";
import { page } from "./view.js";

const root = document.getElementById("lobby");
let state = start({ lang: language() });
setLanguage(state.lang);

function hear(message) {
  state = reduce(state, message);
  draw();
}
const draw = () => patch(root, page(state, now()));

acts(root, {
  language(button) {
    setLanguage(button.dataset.lang);
    hear({ t: "language", lang: button.dataset.lang });
  },
});

// Whether this device is enrolled may change while the floor is away.
async function ask() {
  try {
    hear({ t: "device", device: await get("/api/floor") });
  } catch { /* the link says that nobody answers */ }
}

views(
  { lobby: (view, at) => hear({ t: "view", view, at }) },
  {
    onState(link) {
      hear({ t: "link", state: link });
      if (link === "open") ask();
    },
  },
);
setInterval(draw, 1000); // the clock
draw();
