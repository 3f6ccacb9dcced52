// The rules over a staff screen: a chip opens them at its clause, Esc or a tap beside them closes them.
import { get, Refused } from "./api.js";
import { html, listen, patch } from "./dom.js";
import { cited, clauseId, isListed, rulesPage, t } from "./rules.js";
import { pageLanguage, said } from "./words.js";

/** @import { RulesView } from "server" */
/** @import { Language } from "./words.js" */
/** @typedef {{ clause: string, game: string }} Asked */

/**
 * `lang()` is the screen's language; `through(event)` lets keys pass to the screen that it needs all the same.
 * Gives {open({table, clause, game}), close()}: `open` takes the data of a chip.
 * @param {{ lang?: () => Language, through?: (event: KeyboardEvent) => boolean }} [screen]
 */
export function rulebook({ lang = pageLanguage, through = () => false } = {}) {
  const dialog = document.createElement("dialog");
  dialog.className = "rulebook";
  dialog.setAttribute("aria-labelledby", "rules-title");
  /** @type {Asked | null} */
  let asked = null; // the chip whose rules are open
  const draw = (found) => { if (asked) patch(dialog, sheet(lang(), asked, found)); };

  listen(dialog, "click", (target) => {
    if (target === dialog || target.closest("[data-close]")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => { if (!through(event)) event.stopPropagation(); });
  dialog.addEventListener("close", () => { asked = null; });

  /** @param {{ table?: number | string, clause?: string, game?: string }} chip */
  async function open({ table, clause = "", game = "" }) {
    const own = { clause, game };
    asked = own;
    draw({});
    if (!dialog.isConnected) document.body.append(dialog);
    if (!dialog.open) dialog.showModal();
    dialog.querySelector("h2")?.focus();
    try {
      const page = await get(`/api/tables/${Number(table)}/rules`);
      if (asked !== own) return; // closed, or another clause
      draw({ page });
      show(dialog, clause);
    } catch (error) {
      if (asked === own) draw({ wrong: error instanceof Refused ? error.message : t(lang(), "no_answer") });
    }
  }

  return { open, close: () => dialog.close() };
}

/** To the clause, and the focus with it; a page that has none stays at its top.
 * @param {HTMLElement} dialog @param {string} clause */
function show(dialog, clause) {
  const place = document.getElementById(clauseId(clause));
  dialog.querySelector(".rules")?.scrollTo(0, 0);
  if (!place || !dialog.contains(place)) return;
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "center" });
}

/** @param {Language} lang @param {Asked} asked @param {{ page?: RulesView, wrong?: string }} found */
function sheet(lang, { clause, game }, { page, wrong }) {
  const title = page ? said(lang, page.title) : t(lang, "rules");
  const close = html`<button type="button" class="btn" data-close aria-label="${t(lang, "close")}"><pb-icon
    name="clear" size="22"></pb-icon></button>`;
  const body = page ? html`${asides(lang, page, clause, game)}${rulesPage(lang, page, clause)}` : waits(lang, wrong);
  return html`<header><h2 id="rules-title" tabindex="-1">${title}</h2>${close}</header>
    <div class="rules" tabindex="0" role="region" aria-label="${t(lang, "rules")}">${body}</div>`;
}

const waits = (lang, wrong) => html`<p role="status" class="${wrong ? "danger" : "muted"}">${
  wrong ?? t(lang, "loading")}</p>`;

function asides(lang, page, clause, game) {
  const said_ = [
    game && game !== page.game ? t(lang, "other_game") : "",
    clause && !isListed(page, clause) ? t(lang, "not_listed", cited(lang, clause)) : "",
  ];
  return said_.filter(Boolean).map((text) => html`<p class="aside" role="note">${text}</p>`);
}
