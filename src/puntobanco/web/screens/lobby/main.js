// The lobby: the floor's view as it comes, drawn anew; a click changes the language.
import "../kit/elements.js";
import { get } from "../base/api.js";
import { now } from "../base/clock.js";
import { acts, byId } from "../base/dom.js";
import { views } from "../base/link.js";
import { run } from "../base/screen.js";
import { isLanguage, language, setLanguage } from "../base/words.js";
import { reduce, start } from "./reduce.js";
import { page } from "./view.js";

const root = byId("lobby");
const loop = run({ root, first: start({ lang: language() }), reduce, view: (state) => page(state, now()) });
const { tell } = loop;
setLanguage(loop.state.lang);

acts(root, {
  language({ dataset: { lang } }) {
    if (!isLanguage(lang)) return;
    setLanguage(lang);
    tell({ t: "language", lang });
  },
});

// Whether this device is enrolled may change while the floor is away.
async function ask() {
  try {
    tell({ t: "device", device: await get("/api/floor") });
  } catch { /* the link says that nobody answers */ }
}

views(
  { lobby: (view, at) => tell({ t: "view", view, at }) },
  {
    onState(link) {
      tell({ t: "link", state: link });
      if (link === "open") ask();
    },
  },
);
setInterval(loop.draw, 1000); // the clock
loop.draw();
