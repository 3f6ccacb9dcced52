// The top bar of staff screens: house, where one is, the screens this role may see, who is logged in, log out.
import { html } from "./dom.js";
import { languages } from "./languages.js";
import { either, isLanguage, pageLanguage, setLanguage } from "./words.js";

/** @import { StaffMe } from "server" */
/** @import { Html } from "./dom.js" */
/** @import { Language } from "./words.js" */

// `sees` is what the role must be allowed to look at, as GET /api/staff/me says; without it everybody may.
const SCREENS = [
  { id: "dealer", path: "/staff/dealer", name: ["Dealer", "荷官"], sees: "dealer" },
  { id: "pit", path: "/staff/pit", name: ["Pit", "賭區"], sees: "pit" },
  { id: "cage", path: "/staff/cage/1", name: ["Cage", "帳房"], sees: "cage" },
  { id: "audit", path: "/staff/audit", name: ["Audit", "審計"], sees: "reports" },
  { id: "reports", path: "/staff/reports", name: ["Reports", "報表"], sees: "reports" },
  { id: "admin", path: "/staff/admin", name: ["Administration", "管理"], sees: "house" },
  { id: "odds", path: "/odds", name: ["Odds", "機率"] },
];
/** @type {Record<string, string[]>} */
const ROLES = {
  dealer: ["dealer", "荷官"], supervisor: ["supervisor", "主任"], cashier: ["cashier", "出納"],
  auditor: ["auditor", "審計員"], administrator: ["administrator", "管理員"],
};
const DEMO = ["DEMO · play credits", "示範 · 試玩餘額"];
/** @type {Record<string, string>} */
const HOME = { dealer: "dealer", supervisor: "pit", cashier: "cage", auditor: "audit", administrator: "admin" };

/** Kept in localStorage while somebody is logged in, so that the login asks who it is only where somebody may be. */
export const LOGGED_IN = "staff logged in";

/** @type {(pair: string[], lang: Language) => string} */
const said = ([en, zh], lang) => either(lang, en, zh);

/** Whether this login may give a command, as the server says. @param {StaffMe | null} me @param {string} command */
export const may = (me, command) => Boolean(me?.may.includes(command));

/** The screens that somebody may see, first to last. @param {StaffMe} me @param {Language} [lang] */
export const screensOf = (me, lang = pageLanguage()) => SCREENS.filter(({ sees }) => !sees || me.sees.includes(sees))
  .map(({ id, path, name }) => ({ id, path, name: said(name, lang) }));

/** Where somebody of this role goes after logging in. @param {string} role */
export const homeOf = (role) => (SCREENS.find((screen) => screen.id === HOME[role]) ?? { path: "/staff" }).path;

/** @param {string} role @param {Language} [lang] */
export const roleName = (role, lang = pageLanguage()) => said(ROLES[role] ?? [role, role], lang);

/**
 * The bar. `me` is what base/api.js staff() gives, or null while it is not known; `current` the screen's id; `middle`
 * is html of the screen's own between the links and the name.
 * @param {{ me: StaffMe | null, current: string, lang?: Language, middle?: Html | null }} bar
 */
export function staffbar({ me, current, lang = pageLanguage(), middle = null }) {
  const home = me ? homeOf(me.role) : "/staff";
  return html`<header class="staffbar" data-key="staffbar">
    <a class="brand" href="${home}"><pb-logo></pb-logo><span>${me?.house || "puntobanco"}</span></a>
    ${me?.demo ? html`<span class="pill warn demo-mark">${said(DEMO, lang)}</span>` : null}
    <nav aria-label="${said(["Screens", "畫面"], lang)}">
      ${me ? screensOf(me, lang).map((screen) => html`<a href="${screen.path}"
        ${screen.id === current ? html`aria-current="page"` : null}>${screen.name}</a>`) : null}
    </nav>
    ${middle}
    <span class="grow"></span>
    ${languages(lang, { small: true })}${me ? staffWho({ me, lang }) : null}
  </header>`;
}

/** Who is logged in and the way out: the right end of the bar.
 * @param {{ me: StaffMe, lang: Language, big?: boolean }} who */
const staffWho = ({ me, lang, big = false }) => html`<span class="staff-who">
    <b>${me.name}</b> <span class="muted">${roleName(me.role, lang)}</span></span>
  <button type="button" class="${big ? "btn" : "btn sm"}" data-act="logout">${said(["Log out", "登出"], lang)}</button>`;

/** Handlers for acts(root, {...staffActs, ...}). Log out comes back here after the next login. */
export const staffActs = {
  /** @param {{ dataset: Record<string, string> }} button */
  language({ dataset: { lang } }) { if (isLanguage(lang)) setLanguage(lang); },
  async logout() {
    const { post } = await import("./api.js");
    try {
      await post("/api/staff/logout", {});
    } catch {
      // The login was over already: the same page follows.
    }
    localStorage.removeItem(LOGGED_IN);
    location.assign(`/staff?next=${encodeURIComponent(location.pathname)}`);
  },
};
