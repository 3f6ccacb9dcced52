// The audit: what the journal holds, asked for piece by piece. Nothing here changes anything but where one looks.
import "../kit/elements.js";
import { Refused, download, get, post, saidBy, staff, toLogin } from "../base/api.js";
import { acts, byId, listen } from "../base/dom.js";
import { rulebook } from "../base/rulebook.js";
import { run } from "../base/screen.js";
import { staffActs } from "../base/staffbar.js";
import { language, setLanguage } from "../base/words.js";
import { beside, first, isTable, reduce, verdict } from "./reduce.js";
import { view } from "./view.js";
import { t } from "./words.js";

/** @import { Page } from "server" */
/** @import { State } from "./reduce.js" */

const PLAY_MS = 900, POLL_MS = 400, WATCH_MS = 5000, TYPE_MS = 250;
const root = byId("root");
const base = "/api/staff/audit";
setLanguage(language());
const loop = run({ root, first: first(), reduce, view, after });
const { tell } = loop;

/** @param {State} before @param {State} state */
function after(before, state) {
  if (state.seq !== null && (state.seq !== before.seq || state.stream !== before.stream) && !state.raw) readRaw();
  if (state.seq !== before.seq || state.rows !== before.rows) requestAnimationFrame(showChosen); // once it is drawn
}

const showChosen = () => root.querySelector(".e.sel")?.scrollIntoView({ block: "nearest" });

/**
 * @template Answer
 * @param {() => Promise<Answer>} work
 */
async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused && error.status === 401) toLogin();
    tell({ t: "said", text: saidBy(error, () => t("The server does not answer.")) });
    return null;
  }
}

const streamPath = () => /** @type {const} */ (`${base}/streams/${loop.state.stream}`);
const roundPath = (/** @type {number} */ round) =>
  /** @type {const} */ (`${base}/tables/${Number(loop.state.stream.split(":")[1])}/rounds/${round}`);

const readRaw = () => attempt(async () => {
  tell({ t: "raw", raw: await get(`${streamPath()}/entries/${Number(loop.state.seq)}`) });
});

const readRound = (/** @type {number} */ round, /** @type {number | null} */ seq = null) => attempt(async () => {
  tell({ t: "reading" });
  tell({ t: "retold", retold: await get(roundPath(round)), seq });
});

const readPage = (/** @type {number | null} */ before = null) => attempt(async () => {
  tell({ t: "reading" });
  const query = new URLSearchParams();
  if (before) query.set("before", String(before));
  if (loop.state.group) query.set("group", loop.state.group);
  if (loop.state.text.trim()) query.set("text", loop.state.text.trim());
  /** @type {Page} */
  const page = await get(`${streamPath()}/entries?${query}`);
  tell({ t: "page", page, more: before !== null });
  if (loop.state.seq === null && loop.state.rows.length) await choose(loop.state.rows[0].seq);
});

const readStreams = () => attempt(async () => tell({ t: "streams", streams: await get(`${base}/streams`) }));

/** @param {string} stream */
async function openStream(stream) {
  tell({ t: "stream", stream });
  const rounds = loop.state.streams.find((row) => row.stream === stream)?.rounds ?? 0;
  if (loop.state.mode === "journal") await readPage();
  else if (rounds) await readRound(rounds);
}

// A record that is not of the round on show brings its own round.
/** @param {number} seq */
async function choose(seq) {
  tell({ t: "choose", seq });
  if (!isTable(loop.state.stream)) return;
  const row = loop.state.rows.find((one) => one.seq === seq), bad = loop.state.verify?.bad;
  const holds = bad?.stream !== loop.state.stream || bad?.seq !== seq; // no round is told from a record that does not
  if (holds && row?.round && row.round !== loop.state.round) await readRound(row.round, seq);
}

async function verify() {
  await attempt(async () => tell({ t: "verify", verify: await post(`${base}/verify`) }));
  watchVerify();
}

let watching = false;
async function watchVerify() {
  if (watching) return;
  watching = true;
  while (verdict(loop.state.verify) === "running") {
    await new Promise((done) => { setTimeout(done, POLL_MS); });
    const found = await attempt(() => get(`${base}/verify`));
    if (found) tell({ t: "verify", verify: found });
  }
  watching = false;
  await readStreams();
}

let playing = 0;
function tick() {
  tell({ t: "tick" });
  if (!loop.state.playing) clearInterval(playing);
}

/** @param {boolean} on */
function play(on) {
  clearInterval(playing);
  const { at, retold } = loop.state;
  if (on && retold && at === retold.records.length - 1) tell({ t: "at", at: 0 });
  tell({ t: "play", playing: on });
  if (on) playing = setInterval(tick, PLAY_MS);
}

const step = (/** @type {number} */ by) => { play(false); tell({ t: "at", at: loop.state.at + by }); };
const rounds = (first_, last) => download(`${streamPath()}/csv?first=${first_}&last=${last}`);

const rules = rulebook();

acts(root, {
  ...staffActs, verify,
  clause({ dataset }) { rules.open(dataset); },
  mode({ dataset }) {
    tell({ t: "mode", mode: dataset.mode === "journal" ? "journal" : "round" });
    if (dataset.mode === "journal") readPage();
  },
  group({ dataset }) { tell({ t: "filter", group: dataset.group }); if (loop.state.mode === "journal") readPage(); },
  older() { readPage(loop.state.before); },
  round({ dataset }) { readRound(Number(dataset.round)); },
  goto(form) {
    const round = Number(form.querySelector("input")?.value);
    form.reset();
    if (round > 0) readRound(round);
  },
  choose({ dataset }) { choose(Number(dataset.seq)); },
  step({ dataset }) { step(Number(dataset.by)); },
  play() { play(!loop.state.playing); },
  pack() { if (loop.state.retold) download(`${roundPath(loop.state.retold.round)}/pack`); },
  export() {
    const [from, to] = ["from", "to"].map((id) => Number(byId(id).value));
    if (from > 0 && to >= from) rounds(from, to);
  },
  "export-all"() { download(`${streamPath()}/csv`); },
  async bad({ dataset }) {
    tell({ t: "stream", stream: dataset.stream }); // anew: what was read before may not be what lies there now
    tell({ t: "mode", mode: "journal" });
    await choose(Number(dataset.seq));
    await readPage(Number(dataset.seq) + 30);
  },
  async copy() {
    const body = byId("body");
    getSelection()?.selectAllChildren(body);
    // It is selected, where that is not allowed.
    await navigator.clipboard?.writeText(body.textContent ?? "").catch(() => {});
  },
});

let typed = 0;
listen(root, "input", (target) => {
  if (target.id === "scrub") { play(false); tell({ t: "at", at: Number(target.value) }); }
  if (target.id !== "find") return;
  tell({ t: "filter", text: target.value });
  clearTimeout(typed);
  if (loop.state.mode === "journal") typed = setTimeout(() => readPage(), TYPE_MS);
});
listen(root, "change", (target) => {
  if (target.id === "stream") openStream(target.value);
  if (target.id === "session") tell({ t: "session", session: target.value });
});

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowDown: () => go(1), ArrowUp: () => go(-1), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
  " ": () => { if (loop.state.retold) play(!loop.state.playing); },
  "/": () => document.getElementById("find")?.focus(),
};
const go = (/** @type {number} */ by) => { const seq = beside(loop.state, by); if (seq !== null) choose(seq); };

// Fields and buttons have keys of their own.
const isTheirs = ({ key, target }) => target.closest?.("input, select, textarea, summary")
  || (key === " " && target.closest?.("button, a"));

listen(window, "keydown", (target, event) => {
  if (event.key === "Escape" && target.id === "find") target.blur();
  if (event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key]) return;
  if (isTheirs(event)) return;
  event.preventDefault();
  KEYS[event.key]();
});

loop.draw();
tell({ t: "me", me: await staff() });
await Promise.all([readStreams(), attempt(async () => tell({ t: "verify", verify: await get(`${base}/verify`) }))]);
watchVerify();
const asked = new URLSearchParams(location.search);
const wanted = loop.state.streams.find((row) => row.stream === `table:${asked.get("table")}`) ?? loop.state.streams[0];
if (wanted) {
  await openStream(wanted.stream);
  if (asked.get("round")) await readRound(Number(asked.get("round")));
}
setInterval(() => { if (!document.hidden) readStreams(); }, WATCH_MS);
