// The staff's login on the page.
import { get, login, post, Refused, saidBy, staff } from "../base/api.js";
import { acts, byId, fieldOf } from "../base/dom.js";
import { run } from "../base/screen.js";
import { LOGGED_IN, staffActs } from "../base/staffbar.js";
import { capital, language, setLanguage } from "../base/words.js";
import "../kit/elements.js";
import { nextPath } from "./next.js";
import { page } from "./view.js";
import { t } from "./words.js";

/** @import { State } from "./view.js" */

setLanguage(language());
const { search } = location;
/** @type {State} */
const first = {
  house: "", demo: false, me: null, busy: false, error: "", search, expired: search.includes("next="),
  enrols: false, name: "", shown: "", begun: null,
};
const root = byId("app");
const loop = run({
  root, first, reduce: (state, /** @type {Partial<State>} */ changes) => ({ ...state, ...changes }), view: page,
});
const { tell } = loop;

/** @param {unknown} error */
function refused(error) {
  const told = saidBy(error, () => t("The server does not answer. Try again in a moment."));
  tell({ busy: false, error: () => capital(told()) });
}

/** @param {string} role */
function enter(role) {
  localStorage.setItem(LOGGED_IN, "1");
  location.replace(nextPath(location.search, role));
}

/** @param {string} name @param {string} shown */
async function begun(name, shown) {
  tell({ busy: false, enrols: true, name, shown, begun: await post("/api/staff/enrol/begin", { name, shown }) });
}

/** @param {string} id */
function typed(id) {
  const found = document.getElementById(id);
  return found instanceof HTMLInputElement ? found.value.trim() : "";
}

acts(root, {
  language: staffActs.language,
  async login(form) {
    const name = fieldOf(form, "name").value.trim(), password = fieldOf(form, "password");
    if (loop.state.busy) return;
    tell({ busy: true, error: "" });
    try {
      enter((await login(name, password.value, typed("one_time"))).role);
    } catch (error) {
      if (error instanceof Refused && error.code === "not-enrolled") {
        begun(name, password.value).catch(refused);
        return;
      }
      refused(error);
      password.value = "";
      password.focus();
    }
  },
  code: () => tell({ enrols: true, error: "" }),
  back: () => tell({ enrols: false, begun: null, error: "" }),
  async begin(form) {
    if (loop.state.busy) return;
    tell({ busy: true, error: "" });
    await begun(fieldOf(form, "name").value.trim(), fieldOf(form, "shown").value.trim()).catch(refused);
  },
  async enrol(form) {
    const { busy, name, shown, begun: it } = loop.state;
    if (busy) return;
    tell({ busy: true, error: "" });
    const own = { password: fieldOf(form, "own").value, pin: typed("pin"), one_time: typed("one_time") };
    await post("/api/staff/enrol", { name, shown, factor: it?.factor ?? "", ...own })
      .then(({ role }) => enter(role)).catch(refused);
  },
  fill(element) {
    byId("name").value = element.dataset.name;
    byId("password").focus();
  },
  async change(form) {
    const own = { password: fieldOf(form, "own").value, pin: typed("pin") };
    await post("/api/staff/me/password", { before: fieldOf(form, "before").value, ...own })
      .then(() => tell({ me: null, error: "" })).catch(refused);
  },
  async logout() {
    await post("/api/staff/logout").catch(() => {});
    localStorage.removeItem(LOGGED_IN);
    tell({ me: null });
  },
});

async function begin() {
  loop.draw();
  document.getElementById("name")?.focus();
  get("/api/floor").then((floor) => tell({ demo: floor.demo, house: floor.house ?? "" })).catch(() => {});
  if (!localStorage.getItem(LOGGED_IN)) return;
  try {
    await get("/api/staff/me"); // staff() would come back here where the login is over
    tell({ me: await staff() });
  } catch {
    localStorage.removeItem(LOGGED_IN);
  }
}
begin();
