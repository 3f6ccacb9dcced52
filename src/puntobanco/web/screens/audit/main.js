// The audit: what the journal holds, asked for piece by piece. Nothing here changes anything but where one looks.
import "../kit/elements.js";
import { Refused, download, get, post, staff, toLogin } from "../base/api.js";
import { acts, patch } from "../base/dom.js";
import { rulebook } from "../base/rulebook.js";
import { staffActs } from "../base/staffbar.js";
import { beside, first, isTable, reduce, verdict } from "./reduce.js";
import { view } from "./view.js";

const PLAY_MS = 900, POLL_MS = 400, WATCH_MS = 5000, TYPE_MS = 250;
const root = document.getElementById("root");
const base = "/api/staff/audit";
let state = first();

function tell(message) {
  const before = state;
  state = reduce(state, message);
  patch(root, view(state));
  if (state.seq !== null && (state.seq !== before.seq || state.stream !== before.stream) && !state.raw) readRaw();
  if (state.seq !== before.seq || state.rows !== before.rows) showChosen();
}

const showChosen = () => root.querySelector(".e.sel")?.scrollIntoView({ block: "nearest" });

async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused && error.status === 401) toLogin();
    tell({ t: "said", text: error instanceof Refused ? error.message : "The server does not answer." });
    return null;
  }
}

const streamPath = () => `${base}/streams/${state.stream}`;
const roundPath = (round) => `${base}/tables/${state.stream.split(":")[1]}/rounds/${round}`;

const readRaw = () => attempt(async () => tell({ t: "raw", raw: await get(`${streamPath()}/entries/${state.seq}`) }));

const readRound = (round, seq = null) => attempt(async () => {
  tell({ t: "reading" });
  tell({ t: "retold", retold: await get(roundPath(round)), seq });
});

const readPage = (before = null) => attempt(async () => {
  tell({ t: "reading" });
  const query = new URLSearchParams();
  if (before) query.set("before", before);
  if (state.group) query.set("group", state.group);
  if (state.text.trim()) query.set("text", state.text.trim());
  tell({ t: "page", page: await get(`${streamPath()}/entries?${query}`), more: before !== null });
  if (state.seq === null && state.rows.length) await choose(state.rows[0].seq);
});

const readStreams = () => attempt(async () => tell({ t: "streams", streams: await get(`${base}/streams`) }));

async function openStream(stream) {
  tell({ t: "stream", stream });
  const rounds = state.streams.find((row) => row.stream === stream)?.rounds ?? 0;
  if (state.mode === "journal") await readPage();
  else if (rounds) await readRound(rounds);
}

// A record that is not of the round on show brings its own round.
async function choose(seq) {
  tell({ t: "choose", seq });
  if (!isTable(state.stream)) return;
  const row = state.rows.find((one) => one.seq === seq), bad = state.verify?.bad;
  const holds = bad?.stream !== state.stream || bad.seq !== seq; // no round is told from a record that does not
  if (holds && row?.round && row.round !== state.round) await readRound(row.round, seq);
}

async function verify() {
  await attempt(async () => tell({ t: "verify", verify: await post(`${base}/verify`) }));
  watchVerify();
}

let watching = false;
async function watchVerify() {
  if (watching) return;
  watching = true;
  while (verdict(state.verify) === "running") {
    await new Promise((done) => { setTimeout(done, POLL_MS); });
    const found = await attempt(() => get(`${base}/verify`));
    if (found) tell({ t: "verify", verify: found });
  }
  watching = false;
  await readStreams();
}

let playing = null;
function play(on) {
  clearInterval(playing);
  if (on && state.at === state.retold.records.length - 1) tell({ t: "at", at: 0 });
  tell({ t: "play", playing: on });
  if (on) playing = setInterval(() => { tell({ t: "tick" }); if (!state.playing) clearInterval(playing); }, PLAY_MS);
}

const step = (by) => { play(false); tell({ t: "at", at: state.at + by }); };
const rounds = (first_, last) => download(`${streamPath()}/csv?first=${first_}&last=${last}`);

const rules = rulebook();

acts(root, {
  ...staffActs, verify,
  clause({ dataset }) { rules.open(dataset); },
  mode({ dataset }) { tell({ t: "mode", mode: dataset.mode }); if (dataset.mode === "journal") readPage(); },
  group({ dataset }) { tell({ t: "filter", group: dataset.group }); if (state.mode === "journal") readPage(); },
  older() { readPage(state.before); },
  round({ dataset }) { readRound(Number(dataset.round)); },
  goto(form) {
    const round = Number(form.querySelector("input").value);
    form.reset();
    if (round > 0) readRound(round);
  },
  choose({ dataset }) { choose(Number(dataset.seq)); },
  step({ dataset }) { step(Number(dataset.by)); },
  play() { play(!state.playing); },
  pack() { download(`${roundPath(state.retold.round)}/pack`); },
  export(form) {
    const [from, to] = ["from", "to"].map((id) => Number(form.querySelector(`#${id}`).value));
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
    const body = document.getElementById("body");
    getSelection().selectAllChildren(body);
    await navigator.clipboard?.writeText(body.textContent).catch(() => {}); // it is selected, where that is not allowed
  },
});

let typed = null;
root.addEventListener("input", ({ target }) => {
  if (target.id === "scrub") { play(false); tell({ t: "at", at: Number(target.value) }); }
  if (target.id !== "find") return;
  tell({ t: "filter", text: target.value });
  clearTimeout(typed);
  if (state.mode === "journal") typed = setTimeout(readPage, TYPE_MS);
});
root.addEventListener("change", ({ target }) => {
  if (target.id === "stream") openStream(target.value);
  if (target.id === "session") tell({ t: "session", session: target.value });
});

const KEYS = {
  ArrowDown: () => go(1), ArrowUp: () => go(-1), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
  " ": () => state.retold && play(!state.playing),
  "/": () => document.getElementById("find")?.focus(),
};
const go = (by) => { const seq = beside(state, by); if (seq !== null) choose(seq); };

// Fields and buttons have keys of their own.
const isTheirs = ({ key, target }) => target.closest?.("input, select, textarea, summary")
  || (key === " " && target.closest?.("button, a"));

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.id === "find") event.target.blur();
  if (event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key]) return;
  if (isTheirs(event)) return;
  event.preventDefault();
  KEYS[event.key]();
});

patch(root, view(state));
tell({ t: "me", me: await staff() });
await Promise.all([readStreams(), attempt(async () => tell({ t: "verify", verify: await get(`${base}/verify`) }))]);
watchVerify();
const asked = new URLSearchParams(location.search);
const wanted = state.streams.find((row) => row.stream === `table:${asked.get("table")}`) ?? state.streams[0];
if (wanted) {
  await openStream(wanted.stream);
  if (asked.get("round")) await readRound(Number(asked.get("round")));
}
setInterval(() => { if (!document.hidden) readStreams(); }, WATCH_MS);
