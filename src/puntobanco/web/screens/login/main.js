// The staff's login on the page.
import { get, login, post, Refused, staff } from "../base/api.js";
import { acts, byId, fieldOf } from "../base/dom.js";
import { run } from "../base/screen.js";
import { LOGGED_IN } from "../base/staffbar.js";
import "../kit/elements.js";
import { nextPath } from "./next.js";
import { page } from "./view.js";

/** @import { State } from "./view.js" */

const { search } = location;
/** @type {State} */
const first = { house: "", demo: false, me: null, busy: false, error: "", search, expired: search.includes("next=") };
const root = byId("app");
const loop = run({
  root, first, reduce: (state, /** @type {Partial<State>} */ changes) => ({ ...state, ...changes }), view: page,
});
const { tell } = loop;

acts(root, {
  async login(form) {
    const name = fieldOf(form, "name"), password = fieldOf(form, "password");
    if (loop.state.busy) return;
    tell({ busy: true, error: "" });
    try {
      const { role } = await login(name.value.trim(), password.value);
      localStorage.setItem(LOGGED_IN, "1");
      location.replace(nextPath(location.search, role));
    } catch (error) {
      const said = error instanceof Refused ? error.message : "The server does not answer. Try again in a moment.";
      tell({ busy: false, error: said[0].toUpperCase() + said.slice(1) });
      password.value = "";
      password.focus();
    }
  },
  fill(element) {
    byId("name").value = element.dataset.name;
    byId("password").focus();
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
