// A device becomes a terminal: the code is used up, and the key stays here in a cookie that no script can read.
import "../kit/elements.js";
import { post, Refused } from "../base/api.js";
import { acts, byId, fieldOf } from "../base/dom.js";
import { run } from "../base/screen.js";
import { view } from "./view.js";

/** @import { State } from "./view.js" */

const NO_ANSWER = { reason: "The server does not answer; please try again.", reason_zh: "伺服器沒有回應，請再試。" };
/** @type {State} */
const first = { busy: false, wrong: null };
const root = byId("enrol");
const loop = run({ root, first, reduce: (_, /** @type {State} */ next) => next, view });

acts(root, {
  async enrol(form) {
    const code = fieldOf(form, "code").value;
    loop.tell({ busy: true, wrong: null });
    try {
      const found = await post("/api/enrol", { code });
      location.href = found.table ? `/tables/${found.table.split(":")[1]}` : "/";
    } catch (error) {
      const { reason, reason_zh } = error instanceof Refused ? error : NO_ANSWER;
      loop.tell({ busy: false, wrong: { reason, reason_zh } });
    }
  },
});
loop.draw();
