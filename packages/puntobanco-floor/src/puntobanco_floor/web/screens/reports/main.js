// The reports: one is asked for at a time, by kind and day, which are in the address too. Nothing is changed here.
import "../kit/elements.js";
import { Refused, download, get, staff, toLogin } from "../base/api.js";
import { acts, byId, listen } from "../base/dom.js";
import { day as dayText } from "../base/money.js";
import { run } from "../base/screen.js";
import { staffActs } from "../base/staffbar.js";
import { isLanguage, language, setLanguage } from "../base/words.js";
import { dayBeside, dayOf, first, KINDS, kindsOf, pathOf, reduce } from "./reduce.js";
import { view } from "./view.js";
import { t } from "./words.js";

/** @import { Kind } from "./reduce.js" */

const root = byId("root");
const query = new URLSearchParams(location.search);
const begun = first({ lang: language(), kind: query.get("kind"), day: query.get("day") });
const loop = run({
  root, first: begun, reduce, view,
  drawn: ({ lang }) => { document.title = `${t(lang, "reports")} · puntobanco`; },
});
const { tell } = loop;
setLanguage(begun.lang);

let latest = 0; // what was asked for last is what is shown

/** @param {{ kind?: Kind, day?: string }} [wanted] */
async function show(wanted = {}) {
  tell({ t: "ask", ...wanted });
  const { kind, day } = loop.state, number = latest += 1;
  history.replaceState(null, "", `?${new URLSearchParams(day ? { kind, day } : { kind })}`);
  try {
    const found = await get(pathOf({ kind, day }));
    if (number !== latest) return;
    if (kind === "daily" && !day) tell({ t: "today", today: dayText(found.start) });
    tell(kind === "liability" ? { t: "owed", owed: found } : { t: "report", report: found });
  } catch (error) {
    if (error instanceof Refused && error.status === 401) toLogin();
    const reason = error instanceof Refused ? error.reason : { en: t("en", "no_answer"), zh: t("zh", "no_answer") };
    if (number === latest) tell({ t: "said", said: reason });
  }
}

acts(root, {
  ...staffActs,
  language({ dataset: { lang } }) {
    if (!isLanguage(lang)) return;
    setLanguage(lang);
    tell({ t: "language", lang });
  },
  kind({ dataset }) { show({ kind: KINDS.find((kind) => kind === dataset.kind) }); },
  beside({ dataset }) { show({ day: dayBeside(dayOf(loop.state), Number(dataset.by)) }); },
  save({ dataset }) { download(pathOf(loop.state, dataset.form)); },
  print() { window.print(); },
});
listen(root, "change", (target) => { if (target.id === "day" && target.value) show({ day: target.value }); });

loop.draw();
tell({ t: "me", me: await staff() });
get("/api/tables").then((tables) => tell({ t: "tables", tables }), () => { /* rows then name games by their ids */ });
if (kindsOf(loop.state).includes(loop.state.kind)) {
  if (loop.state.day || loop.state.kind !== "daily") { // which day the present one is, by the house's clocks
    get(pathOf({ kind: "daily", day: "" })).then(({ start }) => tell({ t: "today", today: dayText(start) }), () => {});
  }
  show();
} else show({ kind: kindsOf(loop.state)[0] ?? "liability" });
