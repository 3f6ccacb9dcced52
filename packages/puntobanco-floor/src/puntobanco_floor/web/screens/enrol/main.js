// A device becomes a terminal: the code is used up, and the key stays here in a cookie that no script can read.
import "../kit/elements.js";
import { post, Refused } from "../base/api.js";
import { acts, byId, fieldOf } from "../base/dom.js";
import { run } from "../base/screen.js";
import { staffActs } from "../base/staffbar.js";
import { alike, language, setLanguage } from "../base/words.js";
import { view } from "./view.js";
import { t } from "./words.js";

/** @import { State } from "./view.js" */

/** @type {State} */
const first = { busy: false, wrong: null };
setLanguage(language());
const root = byId("enrol");
const loop = run({ root, first, reduce: (_, /** @type {State} */ next) => next, view });

acts(root, {
  language: staffActs.language,
  async enrol(form) {
    const code = fieldOf(form, "code").value;
    loop.tell({ busy: true, wrong: null });
    try {
      const found = await post("/api/enrol", { code });
      location.href = found.table ? `/tables/${found.table.split(":")[1]}` : "/";
    } catch (error) {
      const none = alike(t("The server does not answer; please try again."));
      loop.tell({ busy: false, wrong: error instanceof Refused ? error.reason : none });
    }
  },
});
loop.draw();
