// The rules of one table on a page of their own: read once, drawn in either language, at the clause after `#`.
import "../kit/elements.js";
import { get, Refused } from "../base/api.js";
import { acts, byId } from "../base/dom.js";
import { clauseId } from "../base/rules.js";
import { run } from "../base/screen.js";
import { isLanguage, language, setLanguage } from "../base/words.js";
import { page, pageTitle } from "./view.js";

/** @import { State } from "./view.js" */

const RETRY_MS = 2000;
const asked = new URLSearchParams(location.search).get("lang");
/** @type {State} */
const first = {
  number: Number(location.pathname.split("/")[2]), lang: isLanguage(asked) ? asked : language(),
  clause: clauseHere(), rules: null, table: null, wrong: null,
};
const root = byId("rules");
const loop = run({
  root, first, reduce: (state, /** @type {Partial<State>} */ changes) => ({ ...state, ...changes }), view: page,
  drawn: (state) => { document.title = pageTitle(state); },
});
const { tell } = loop;

function clauseHere() {
  try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } // no clause is written so
}

function toClause() {
  loop.draw();
  document.getElementById(clauseId(loop.state.clause))?.scrollIntoView({ block: "center" });
}

/** @param {string} lang */
function speak(lang) {
  if (!isLanguage(lang)) return;
  setLanguage(lang);
  tell({ lang });
}

async function read() {
  try {
    const [rules, table] = await Promise.all([
      get(`/api/tables/${first.number}/rules`), get(`/api/tables/${first.number}`),
    ]);
    tell({ rules, table, wrong: null });
    toClause();
  } catch (error) {
    if (error instanceof Refused) tell({ wrong: error });
    else setTimeout(read, RETRY_MS); // nobody answers yet
  }
}

acts(root, { language: ({ dataset }) => speak(dataset.lang), print: () => window.print() });
addEventListener("hashchange", () => { tell({ clause: clauseHere() }); toClause(); });
speak(first.lang);
read();
