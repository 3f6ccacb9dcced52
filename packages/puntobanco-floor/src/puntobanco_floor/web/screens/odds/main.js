// The odds lab: asks the server for what a tab shows, and draws what it answers.
import { Refused, get, saidBy, staff, toLogin } from "../base/api.js";
import { acts, byId, listen } from "../base/dom.js";
import { run } from "../base/screen.js";
import { staffActs } from "../base/staffbar.js";
import { language, setLanguage } from "../base/words.js";
import "../kit/elements.js";
import { PARTS, TABS, asked, bonusOf, hasPart, reduce, start, stopsOf } from "./reduce.js";
import { page } from "./view.js";
import { t } from "./words.js";

/** @import { Part, Tab } from "./reduce.js" */

const SLOW_MS = 180; // sooner than this nobody needs to be told that it is computed
const SAID_MS = 6000;
const root = byId("root");
const wanted = new URLSearchParams(location.search);
const given = (name) => wanted.get(name) ?? undefined;
const first = start({
  tab: given("tab"), game: wanted.get("game"), decks: Number(wanted.get("decks")), bet: given("bet"),
  stakeCents: Math.round(100 * Number(wanted.get("stake"))) || 1000,
  rounds: given("rounds"), seed: given("seed"), cut: given("cut"),
});
setLanguage(language());
const loop = run({ root, first, reduce, view: page, drawn: measure });
const say = loop.tell;
let asking = 0, running = 0;

// A chart is drawn for the box that it has: its letters keep their size.
const boxes = new ResizeObserver((seen) => {
  for (const { target, contentRect } of seen) {
    const chart = target.getAttribute("data-box") ?? "", own = loop.state.boxes[chart];
    const w = Math.floor(contentRect.width), h = Math.floor(contentRect.height);
    if (w > 40 && h > 40 && (own.w !== w || own.h !== h)) say({ t: "box", chart, w, h });
  }
});
const watched = new WeakSet();
function measure() {
  for (const box of root.querySelectorAll("[data-box]")) {
    if (watched.has(box)) continue;
    watched.add(box);
    boxes.observe(box);
  }
}

const UNANSWERED = () => t("the server did not answer; check the connection");
const reasonOf = (/** @type {unknown} */ error) => saidBy(error, UNANSWERED);
const isOver = (/** @type {unknown} */ error) => error instanceof Refused && error.status === 401;

/** @param {Part} part @param {string} path @param {() => boolean} isCurrent */
async function ask(part, path, isCurrent) {
  try {
    const answer = await get(path);
    if (isCurrent()) say({ t: "answer", part, answer });
  } catch (error) {
    if (isOver(error)) toLogin();
    else if (isCurrent()) say({ t: "wrong", part, reason: reasonOf(error) });
  }
}

const sheetPath = () => `/api/odds/games/${loop.state.game}/decks/${loop.state.decks}`;
/** @type {Record<string, () => string>} */
const PATHS = {
  sheet: sheetPath,
  edges: () => `/api/odds/games/${loop.state.game}/edges`,
  removal: () => `${sheetPath()}/removal`,
  compare: () => `/api/odds/compare?decks=${loop.state.decks}&stake_cents=${loop.state.stakeCents}`,
  method: () => `${sheetPath()}/method`,
};

// What the tab shows and has not got.
function compute() {
  if (!loop.state.lab) return;  // a tab chosen before the games are known: asked for when they are
  asking += 1;
  const number = asking;
  setTimeout(() => { if (number === asking) say({ t: "slow" }); }, SLOW_MS);
  remember();
  for (const part of PARTS[loop.state.tab]) {
    if (!hasPart(loop.state, part)) ask(part, PATHS[part](), () => number === asking);
  }
}

function deal() {
  const { query, wrong } = asked(loop.state);
  if (wrong) return say({ t: "wrong", part: "run", reason: wrong });
  running += 1;
  const number = running;
  say({ t: "dealing" });
  remember();
  return ask("run", `${sheetPath()}/simulation?${query}`, () => number === running);
}

// The address says what is shown, so that it can be kept and sent.
function remember() {
  const shown = new URLSearchParams(loop.state.tab === "par" ? {} : { tab: loop.state.tab });
  if (loop.state.tab !== "compare") shown.set("game", loop.state.game ?? "");
  shown.set("decks", String(loop.state.decks));
  if (loop.state.tab === "par" && loop.state.bet) shown.set("bet", loop.state.bet);
  const hasStake = loop.state.tab === "compare" || (loop.state.tab === "par" && bonusOf(loop.state.sheet));
  if (hasStake) shown.set("stake", String(loop.state.stakeCents / 100));
  if (loop.state.tab === "simulation") {
    for (const [name, value] of Object.entries(loop.state.form)) if (value) shown.set(name, value);
  }
  history.replaceState(null, "", `?${shown}`);
}

async function open() {
  try {
    const lab = await get("/api/odds/games");
    if (!lab.public) say({ t: "me", me: await staff() });
    say({ t: "lab", lab });
    compute();
  } catch (error) {
    if (isOver(error)) toLogin();
    else say({ t: "wrong", part: "lab", reason: reasonOf(error) });
  }
}

// A file is fetched, so that a refusal can be read here, and saved under its name.
/** @param {string} form */
async function save(form) {
  const stake = bonusOf(loop.state.sheet) && form !== "csv" ? `?stake_cents=${loop.state.stakeCents}` : "";
  const { run: last } = loop.state, isRun = form === "run" && last;
  const cut = last?.cut ? `&cut=${last.cut}` : "";
  const path = isRun
    ? `${sheetPath()}/simulation/json?rounds=${last.asked}&seed=${last.seed}${cut}`
    : `${sheetPath()}/${form}${stake}`;
  const name = isRun
    ? `simulation-${last.game}-${last.decks}-decks-seed-${last.seed}.json`
    : `par-${loop.state.game}-${loop.state.decks}-decks.${form}`;
  say({ t: "saving", form, said: form === "pdf" ? t("Making the PDF: a few seconds the first time") : "" });
  try {
    const answer = await fetch(path);
    if (answer.status === 401) return toLogin();
    if (!answer.ok) throw new Refused(await answer.json(), answer.status);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say({ t: "saving", form: "", said: t("Saved {0}", name) });
  } catch (error) {
    say({ t: "saving", form: "", said: reasonOf(error) });
  }
  const { said } = loop.state;
  const forget = () => { if (loop.state.said === said) say({ t: "saving", form: loop.state.saving, said: "" }); };
  return setTimeout(forget, SAID_MS);
}

const toTab = (/** @type {Tab} */ tab) => { say({ t: "tab", tab }); compute(); };
const newSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

acts(root, {
  ...staffActs,
  tab: (element) => toTab(/** @type {Tab} */ (element.dataset.tab)),
  decks: (element) => { say({ t: "decks", decks: Number(element.dataset.decks) }); compute(); },
  bet: (element) => { say({ t: "bet", bet: element.dataset.bet }); remember(); },
  table: (element) => say({ t: "table", chart: element.dataset.chart }),
  show: (element) => say({ t: "show", figure: element.dataset.figure }),
  save: (element) => save(element.dataset.form),
  seed: () => say({ t: "form", name: "seed", value: newSeed() }),
  deal: () => { if (!loop.state.dealing) deal(); },
  again: () => { if (!loop.state.lab) open(); else if (loop.state.tab === "simulation") deal(); else compute(); },
});
listen(root, "change", (target) => {
  if (target.id === "game") { say({ t: "game", game: target.value }); compute(); }
  if (target.id === "stake") remember();
  if (target.id === "stake-of-all") { say({ t: "stake", cents: Number(target.value) }); compute(); }
});
listen(root, "input", (target) => {
  if (target.dataset.field) say({ t: "form", name: target.dataset.field, value: target.value.trim() });
  if (target.id !== "stake") return;
  const stop = stopsOf(bonusOf(loop.state.sheet))[Number(target.value)];
  say({ t: "stake", cents: stop.stake_cents });
});

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
/** @param {HTMLElement} target @param {KeyboardEvent} event */
function tabByKey(target, event) {
  const many = TABS.length, at = TABS.findIndex(({ id }) => id === target.dataset.tab);
  const ends = /** @type {Record<string, number>} */ ({ Home: 0, End: many - 1 });
  const next = ends[event.key] ?? (at + (STEPS[event.key] ?? 0) + many) % many;
  if (next === at) return;
  event.preventDefault();
  toTab(TABS[next].id);
  byId(`tab-${TABS[next].id}`).focus();
}

listen(document, "keydown", (target, event) => {
  if (target.closest("[role=tab]")) tabByKey(target, event);
  const isPlainT = event.key.toLowerCase() === "t" && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isPlainT || target.closest("select, input:not([type=range])")) return;
  const chart = target.closest("[data-chart]")?.dataset.chart;
  say(chart ? { t: "table", chart } : { t: "tables" });
});

loop.draw();
open();
