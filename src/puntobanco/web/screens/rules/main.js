// The rules of one table on a page of their own: read once, drawn in either language, at the clause after `#`.
import "../kit/elements.js";
import { get, Refused } from "../base/api.js";
import { acts, patch } from "../base/dom.js";
import { clauseId } from "../base/rules.js";
import { LANGUAGES, language, setLanguage } from "../base/words.js";
import { page, pageTitle } from "./view.js";

const RETRY_MS = 2000;
const root = document.getElementById("rules");
const asked = new URLSearchParams(location.search).get("lang");
let state = {
  number: Number(location.pathname.split("/")[2]), lang: LANGUAGES.includes(asked) ? asked : language(),
  clause: clauseHere(), rules: null, wrong: "",
};

function clauseHere() {
  try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } // no clause is written so
}

function tell(changes) {
  state = { ...state, ...changes };
  document.title = pageTitle(state);
  patch(root, page(state));
}

const toClause = () => document.getElementById(clauseId(state.clause))?.scrollIntoView({ block: "center" });

function speak(lang) {
  setLanguage(lang);
  tell({ lang });
}

async function read() {
  try {
    tell({ rules: await get(`/api/tables/${state.number}/rules`), wrong: "" });
    toClause();
  } catch (error) {
    if (error instanceof Refused) tell({ wrong: error.reason });
    else setTimeout(read, RETRY_MS); // nobody answers yet
  }
}

acts(root, { language: ({ dataset }) => speak(dataset.lang), print: () => window.print() });
addEventListener("hashchange", () => { tell({ clause: clauseHere() }); toClause(); });
speak(state.lang);
read();
