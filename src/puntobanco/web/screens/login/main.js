// The staff's login on the page.
import { get, login, post, Refused, staff } from "../base/api.js";
import { acts, patch } from "../base/dom.js";
import { LOGGED_IN } from "../base/staffbar.js";
import "../kit/elements.js";
import { nextPath } from "./next.js";
import { page } from "./view.js";

const root = document.getElementById("app");
const { search } = location;
let state = { house: "", demo: false, me: null, busy: false, error: "", search, expired: search.includes("next=") };

function change(fields) {
  state = { ...state, ...fields };
  patch(root, page(state));
}

acts(root, {
  async login(form) {
    const [name, password] = [form.elements.namedItem("name"), form.elements.namedItem("password")];
    if (state.busy) return;
    change({ busy: true, error: "" });
    try {
      const { role } = await login(name.value.trim(), password.value);
      localStorage.setItem(LOGGED_IN, "1");
      location.replace(nextPath(location.search, role));
    } catch (error) {
      const said = error instanceof Refused ? error.message : "The server does not answer. Try again in a moment.";
      change({ busy: false, error: said[0].toUpperCase() + said.slice(1) });
      password.value = "";
      password.focus();
    }
  },
  fill(element) {
    document.getElementById("name").value = element.dataset.name;
    document.getElementById("password").focus();
  },
  async logout() {
    await post("/api/staff/logout").catch(() => {});
    localStorage.removeItem(LOGGED_IN);
    change({ me: null });
  },
});

async function begin() {
  change({});
  document.getElementById("name")?.focus();
  get("/api/floor").then((floor) => change({ demo: floor.demo, house: floor.house ?? "" })).catch(() => {});
  if (!localStorage.getItem(LOGGED_IN)) return;
  try {
    await get("/api/staff/me"); // staff() would come back here where the login is over
    change({ me: await staff() });
  } catch {
    localStorage.removeItem(LOGGED_IN);
  }
}
begin();
