// A device becomes a terminal: the code is used up, and the key stays here in a cookie that no script can read.
import "../kit/elements.js";
import { post } from "../base/api.js";
import { acts, byId, fieldOf } from "../base/dom.js";
import { run } from "../base/screen.js";
import { view } from "./view.js";

/** @import { State } from "./view.js" */

/** @type {State} */
const first = { busy: false, wrong: "" };
const root = byId("enrol");
const loop = run({ root, first, reduce: (_, /** @type {State} */ next) => next, view });

acts(root, {
  async enrol(form) {
    const code = fieldOf(form, "code").value;
    loop.tell({ busy: true, wrong: "" });
    try {
      const found = await post("/api/enrol", { code });
      location.href = found.table ? `/tables/${found.table.split(":")[1]}` : "/";
    } catch (error) {
      loop.tell({ busy: false, wrong: /** @type {Error} */ (error).message });
    }
  },
});
loop.draw();
