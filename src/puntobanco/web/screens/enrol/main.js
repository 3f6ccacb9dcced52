// A device becomes a terminal: the code is used up, and the key stays here in a cookie that no script can read.
import "../kit/elements.js";
import { post } from "../base/api.js";
import { acts, patch } from "../base/dom.js";
import { view } from "./view.js";

const root = document.getElementById("enrol");
const draw = (state) => patch(root, view(state));

acts(root, {
  async enrol(form) {
    const code = form.elements.namedItem("code").value;
    draw({ busy: true });
    try {
      const found = await post("/api/enrol", { code });
      location.href = found.table ? `/tables/${found.table.split(":")[1]}` : "/";
    } catch (error) {
      draw({ wrong: error.message });
    }
  },
});
draw({});
