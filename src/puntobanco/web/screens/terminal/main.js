// The terminal in the browser: socket and hands in, state by `reduce`, page by `view`. No fact is read back from it.
import "../kit/elements.js";
import "./count.js";
import { get, guest, newId, post, Refused, vouchers } from "../base/api.js";
import { now, setNow } from "../base/clock.js";
import { acts, patch } from "../base/dom.js";
import { link } from "../base/link.js";
import { cents } from "../base/money.js";
import { print } from "../base/print.js";
import { clauseId } from "../base/rules.js";
import { setLanguage } from "../base/words.js";
import { voucher } from "../base/voucher.js";
import * as ask from "./ask.js";
import { focusSheets, hands } from "./hands.js";
import { keep, kept } from "./keep.js";
import { squeezes } from "./peel.js";
import { initial, reduce } from "./reduce.js";
import { sounds } from "./sound.js";
import { pageTitle, view } from "./view.js";

const TICK_MS = 250, RETRY_MS = 2000, PROBE_MS = 400;
const NEW_TRIES = 2, SEEN_TRIES = 6; // to connect, before it is asked why that fails
const number = Number(location.pathname.split("/")[2]);
const root = document.getElementById("terminal");
const narrow = matchMedia("(max-width: 599px), (max-width: 759px) and (orientation: portrait)");

let state = reduce(initial(kept(number)), { t: "shape", shape: narrow.matches ? "phone" : "wide" });
let socket = null, frame = 0;

function update(message) {
  const before = state;
  state = reduce(state, message);
  if (state === before) return;
  if (state.sync) socket?.send({ t: "sync" });
  for (const command of state.outbox) socket?.send(ask.wire(command));
  if (state.sync || state.outbox.length) state = reduce(state, { t: "asked" });
  keep(number, before, state);
  sounds(before, state);
  frame ||= requestAnimationFrame(draw);
}

function draw() {
  frame = 0;
  root.toggleAttribute("data-still", state.still);
  document.title = pageTitle(state);
  patch(root, view(state));
  focusSheets(root);
}

// The wire

function connect() {
  socket = link(`/ws/${number}`, {
    onMessage(message) {
      if (message.t === "welcome") setNow(message.now);
      update(message);
      if (message.t === "bye") setTimeout(probe, PROBE_MS);
      if (message.t === "welcome") sendAgain();
    },
    onState(link, tries) {
      if (link !== "lost") return;
      update({ t: "link", state: "lost", tries });
      if (tries % (state.table ? SEEN_TRIES : NEW_TRIES) === 0) probe();
    },
  });
}

// The same ids: no effect twice.
function sendAgain() {
  for (const command of Object.values(state.pending)) socket.send(ask.wire(command));
}

// A socket does not say why it does not open: is there no such table, or no session any more?
async function probe() {
  try {
    await get(`/api/tables/${number}`);
    await get("/api/me");
  } catch (error) {
    if (!(error instanceof Refused)) return; // nobody answers: the link goes on trying
    if (error.status === 401) guest().catch(over); // another session, if this terminal may have one
    else over(error);
  }
}

// No more tries: the floor has said why not.
function over(why) {
  if (why instanceof TypeError) return; // nobody answered; the link goes on trying
  socket?.close();
  const refused = why instanceof Error ? { code: why.code ?? "", reason: why.message, clause: "" } : why;
  update({ t: "refused", refused });
  update({ t: "link", state: "over" });
}

function send(message) {
  if (!message) return;
  update(message);
  for (const command of message.commands ?? []) socket.send(ask.wire(command));
}

// What people do

async function attempt(work) {
  update({ t: "busy" });
  try {
    await work();
    update({ t: "done" });
  } catch (error) {
    if (!(error instanceof Refused || error instanceof TypeError)) throw error; // ours
    const wrong = wrongOf(error);
    if (state.sheet) update({ t: "filled", name: state.sheet.name, with: { wrong } });
    else update({ t: "refused", refused: wrong });
  }
}

function wrongOf(error) {
  if (!(error instanceof Refused)) return { key: "no_answer" };
  const { code, reason, clause } = error;
  return { code, reason, clause };
}

const open = (name, more = {}) => update({ t: "sheet", sheet: { name, ...more } });

async function rules(clause = "") {
  open("rules", { clause });
  if (!state.rules) await attempt(async () => update({ t: "rules", rules: await get(`/api/tables/${number}/rules`) }));
  const toClause = () => document.getElementById(clauseId(clause))?.scrollIntoView({ block: "center" });
  requestAnimationFrame(() => requestAnimationFrame(toClause)); // in the first of them it is drawn
}

async function history(round) {
  if (state.sheet?.name !== "history") open("history", { replay: null });
  await attempt(async () => {
    const replay = await get(`/api/tables/${number}/${round ? `rounds/${round}` : "last-round"}`);
    update({ t: "filled", name: "history", with: { replay, wrong: null } });
  });
}

// An answer that is lost is asked for again with the same id: the same voucher.
async function cashOut() {
  const id = vouchers.get(number) || newId();
  vouchers.keep(number, id);
  try {
    const paper = await post(`/api/tables/${number}/cash-out`, { id });
    open("paper", { paper: { ...paper, at: now() } });
  } catch (error) {
    if (error instanceof Refused) vouchers.done(number); // nothing was issued
    throw error;
  }
}

async function seat() {
  await post(`/api/tables/${number}/seat`);
  if (state.sheet?.name === "buy") update({ t: "sheet", sheet: null }); // another one was opened meanwhile
}

async function redeem(form) {
  await post(`/api/tables/${number}/redeem`, { number: field(form, "number") });
  form.reset();
  update({ t: "filled", name: "buy", with: { done: true, wrong: null } });
}

function setLimits(form) {
  const loss = field(form, "loss"), minutes = field(form, "minutes");
  const isBad = (loss && cents(loss) === null) || !/^\d*$/.test(minutes);
  if (isBad) return update({ t: "filled", name: "limits", with: { wrong: { key: "own_bad" } } });
  const asked = { loss_cents: loss ? cents(loss) : null, minutes: minutes ? Number(minutes) : null };
  return attempt(async () => update({ t: "own", own: await post("/api/me/limits", asked) }));
}

const field = (form, name) => form.elements.namedItem(name).value.trim();

const table = {
  spot: (element) => send(ask.tap(state, element.dataset.bet, newId)),
  undo: () => send(ask.undo(state, newId)),
  clear: () => send(ask.clear(state, newId)),
  rebet: () => send(ask.rebet(state, newId)),
  double: () => send(ask.double(state, newId)),
  chip: (element) => update({ t: "chip", cents: Number(element.dataset.cents) }),
  language: (element) => { update({ t: "language", lang: element.dataset.lang }); setLanguage(state.lang); },
  sound: () => update({ t: "sound" }),
  squeeze: () => update({ t: "squeeze" }),
  turn: (element) => turn(element.dataset.turns),
  continue: () => update({ t: "read" }),
  "handed-read": () => update({ t: "handed-read" }),
  close: () => update({ t: "sheet", sheet: null }),
  menu: () => open("menu"),
  panel: () => open("panel"),
  buy: () => open("buy"),
  cash: () => open("cash"),
  limits: () => open("limits"),
  rules: (element) => rules(element.dataset.clause),
  clause: (element) => rules(element.dataset.clause),
  history: () => history(0),
  replay: (element) => history(state.sheet.replay.round + Number(element.dataset.step)),
  seat: () => attempt(seat),
  "cash-out": () => attempt(cashOut),
  print: () => print(voucher({ ...state.sheet.paper, place: `table:${number}`, session: state.mine?.session ?? "" })),
  "have-it": () => { vouchers.done(number); location.reload(); }, // the next patron is another
  redeem: (form) => attempt(() => redeem(form)),
  "set-limits": setLimits,
};

// The next card that is to be turned has the focus then, if this one had it.
function turn(slot) {
  const hadFocus = document.activeElement?.dataset.turns === slot;
  update({ t: "turn", slot });
  if (hadFocus) requestAnimationFrame(() => root.querySelector(".cover")?.focus());
}

setLanguage(state.lang);
acts(root, table);
squeezes(root, turn);
root.addEventListener("click", ({ target }) => { // a closed spot is off, and says why to who taps it
  const spot = target.closest(".spot.shut");
  if (spot) table.spot(spot);
});
hands(root, {
  hold: (bet) => send(ask.clearSpot(state, bet, newId)),
  chip: (value) => update({ t: "chip", cents: value }),
  language: () => table.language({ dataset: { lang: state.lang === "en" ? "zh" : "en" } }),
  escape: () => { if (state.sheet && state.sheet.name !== "paper") table.close(); },
  busy: () => Boolean(state.sheet),
});
narrow.addEventListener("change", () => update({ t: "shape", shape: narrow.matches ? "phone" : "wide" }));
setInterval(() => { if (state.table) update({ t: "tick", now: now() }); }, TICK_MS);
draw();

async function begin() {
  try {
    await guest();
    connect();
    update({ t: "own", own: (await get("/api/me")).limits });
    if (vouchers.get(number)) await attempt(cashOut); // a voucher that was not put away
  } catch (error) {
    if (error instanceof TypeError && !socket) setTimeout(begin, RETRY_MS); // nobody answered yet
    else over(error);
  }
}
begin();
