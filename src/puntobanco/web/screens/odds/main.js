// The odds lab: asks the server for one game and number of decks at a time, and draws what it answers.
import { Refused, get, staff, toLogin } from "../base/api.js";
import { acts, patch } from "../base/dom.js";
import { staffActs } from "../base/staffbar.js";
import "../kit/elements.js";
import { bonusOf, reduce, start, stopsOf } from "./reduce.js";
import { page } from "./view.js";

const SLOW_MS = 180; // sooner than this nobody needs to be told that it is computed
const SAID_MS = 6000;
const root = document.getElementById("root");
const wanted = new URLSearchParams(location.search);
let state = start({
  game: wanted.get("game"), decks: Number(wanted.get("decks")), bet: wanted.get("bet"),
  stakeCents: Math.round(100 * Number(wanted.get("stake"))) || 1000,
});
let drawing = false, asking = 0;

function say(message) {
  state = reduce(state, message);
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; patch(root, page(state)); measure(); });
}

// A chart is drawn for the box that it has: its letters keep their size.
const boxes = new ResizeObserver((seen) => {
  for (const { target, contentRect } of seen) {
    const chart = target.dataset.box, own = state.boxes[chart];
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

const UNANSWERED = "the server did not answer; check the connection";
const reasonOf = (error) => (error instanceof Refused ? error.message : UNANSWERED);
const isOver = (error) => error instanceof Refused && error.status === 401;

async function ask(part, path) {
  const number = asking;
  try {
    const found = await get(path);
    if (number === asking) say({ t: part, [part]: found });
  } catch (error) {
    if (isOver(error)) toLogin();
    else if (number === asking) say({ t: "wrong", part, reason: reasonOf(error) });
  }
}

function compute({ edges = false } = {}) {
  asking += 1;
  const number = asking, game = `/api/odds/games/${state.game}`, sheet = `${game}/decks/${state.decks}`;
  setTimeout(() => { if (number === asking) say({ t: "slow" }); }, SLOW_MS);
  remember();
  ask("sheet", sheet);
  if (edges || !state.edges) ask("edges", `${game}/edges`);
  ask("removal", `${sheet}/removal`);
}

// The address says what is shown, so that it can be kept and sent.
function remember() {
  const shown = new URLSearchParams({ game: state.game, decks: state.decks });
  if (state.bet) shown.set("bet", state.bet);
  if (bonusOf(state.sheet)) shown.set("stake", state.stakeCents / 100);
  history.replaceState(null, "", `?${shown}`);
}

async function open() {
  try {
    const lab = await get("/api/odds/games");
    if (!lab.public) say({ t: "me", me: await staff() });
    say({ t: "lab", lab });
    compute({ edges: true });
  } catch (error) {
    if (isOver(error)) toLogin();
    else say({ t: "wrong", part: "lab", reason: reasonOf(error) });
  }
}

// A file is fetched, so that a refusal can be read here, and saved under its name.
async function save(form) {
  const stake = bonusOf(state.sheet) && form !== "csv" ? `?stake_cents=${state.stakeCents}` : "";
  say({ t: "saving", form, said: form === "pdf" ? "Making the PDF: a few seconds the first time" : "" });
  try {
    const answer = await fetch(`/api/odds/games/${state.game}/decks/${state.decks}/${form}${stake}`);
    if (answer.status === 401) return toLogin();
    if (!answer.ok) throw new Refused(await answer.json(), answer.status);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `par-${state.game}-${state.decks}-decks.${form}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say({ t: "saving", form: "", said: `Saved ${link.download}` });
  } catch (error) {
    say({ t: "saving", form: "", said: reasonOf(error) });
  }
  const { said } = state;
  return setTimeout(() => { if (state.said === said) say({ t: "saving", form: state.saving, said: "" }); }, SAID_MS);
}

acts(root, {
  ...staffActs,
  decks: (element) => { say({ t: "decks", decks: Number(element.dataset.decks) }); compute(); },
  bet: (element) => { say({ t: "bet", bet: element.dataset.bet }); remember(); },
  table: (element) => say({ t: "table", chart: element.dataset.chart }),
  save: (element) => save(element.dataset.form),
  again: () => (state.lab ? compute({ edges: Boolean(state.wrong.edges) }) : open()),
});
root.addEventListener("change", (event) => {
  if (event.target.id === "game") { say({ t: "game", game: event.target.value }); compute({ edges: true }); }
  if (event.target.id === "stake") remember();
});
root.addEventListener("input", (event) => {
  if (event.target.id !== "stake") return;
  const stop = stopsOf(bonusOf(state.sheet))[Number(event.target.value)];
  say({ t: "stake", cents: stop.stake_cents });
});
document.addEventListener("keydown", (event) => {
  const isPlainT = event.key.toLowerCase() === "t" && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isPlainT || event.target.closest("select, input[type=text]")) return;
  const chart = event.target.closest("[data-chart]")?.dataset.chart;
  say(chart ? { t: "table", chart } : { t: "tables" });
});

say({ t: "" });
open();
