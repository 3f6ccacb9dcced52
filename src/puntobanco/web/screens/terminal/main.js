// The terminal in the browser: socket and hands in, state by `reduce`, page by `view`. No fact is read back from it.
import "../kit/elements.js";
import "./count.js";
import { get, guest, newId, post, Refused, vouchers } from "../base/api.js";
import { now, setNow } from "../base/clock.js";
import { acts, byId, fieldOf, listen } from "../base/dom.js";
import { link } from "../base/link.js";
import { cents } from "../base/money.js";
import { print } from "../base/print.js";
import { clauseId } from "../base/rules.js";
import { run } from "../base/screen.js";
import { isLanguage, setLanguage } from "../base/words.js";
import { voucher } from "../base/voucher.js";
import * as ask from "./ask.js";
import { focusSheets, hands } from "./hands.js";
import { keep, kept } from "./keep.js";
import { squeezes } from "./peel.js";
import { initial, reduce } from "./reduce.js";
import { sounds } from "./sound.js";
import { pageTitle, view } from "./view.js";

/** @import { Acting } from "../base/dom.js" */
/** @import { Message, Refusal, Sent, Sheet, State } from "./reduce.js" */

const TICK_MS = 250, RETRY_MS = 2000, PROBE_MS = 400;
const NEW_TRIES = 2, SEEN_TRIES = 6; // to connect, before it is asked why that fails
const number = Number(location.pathname.split("/")[2]);
const root = byId("terminal");
const narrow = matchMedia("(max-width: 599px), (max-width: 759px) and (orientation: portrait)");

const shapeNow = () => (narrow.matches ? "phone" : "wide");
const first = reduce(initial(kept(number)), { t: "shape", shape: shapeNow() });
const loop = run({ root, first, reduce, view, after, drawn });
const update = loop.tell;
/** @type {ReturnType<typeof link> | null} */
let socket = null;
let session = "";

/** @param {State} before @param {State} state */
function after(before, state) {
  if (state.sync) socket?.send({ t: "sync" });
  for (const command of state.outbox) socket?.send(ask.wire(command));
  if (state.sync || state.outbox.length) update({ t: "asked" });
  keep(number, before, state);
  sounds(before, state);
}

/** @param {State} state */
function drawn(state) {
  root.toggleAttribute("data-still", state.still);
  document.title = pageTitle(state);
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
    onState(found, tries) {
      if (found !== "lost") return;
      update({ t: "link", state: "lost", tries });
      if (tries % (loop.state.table ? SEEN_TRIES : NEW_TRIES) === 0) probe();
    },
  });
}

// The same ids: no effect twice.
function sendAgain() {
  for (const command of Object.values(loop.state.pending)) socket?.send(ask.wire(command));
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

/** No more tries: the floor has said why not. @param {unknown} why */
function over(why) {
  if (why instanceof TypeError) return; // nobody answered; the link goes on trying
  socket?.close();
  update({ t: "refused", refused: wrongOf(why) });
  update({ t: "link", state: "over" });
}

/** @param {Message | null} message */
function send(message) {
  if (!message) return;
  update(message);
  if (message.t === "sent") for (const command of message.commands) socket?.send(ask.wire(command));
}

// What people do

/** @param {() => Promise<unknown>} work */
async function attempt(work) {
  update({ t: "busy" });
  try {
    await work();
    update({ t: "done" });
  } catch (error) {
    if (!(error instanceof Refused || error instanceof TypeError)) throw error; // ours
    const wrong = wrongOf(error);
    if (loop.state.sheet) update({ t: "filled", name: loop.state.sheet.name, with: { wrong } });
    else update({ t: "refused", refused: wrong });
  }
}

/** @param {unknown} error @returns {Refusal} */
function wrongOf(error) {
  if (!(error instanceof Refused)) return { key: "no_answer" };
  const { code, reason, reason_zh, clause } = error;
  return { code, reason, reason_zh, clause };
}

/** @param {string} name @param {Partial<Sheet>} [more] */
const open = (name, more = {}) => update({ t: "sheet", sheet: { name, ...more } });

async function rules(clause = "") {
  open("rules", { clause });
  const read = async () => update({ t: "rules", rules: await get(`/api/tables/${number}/rules`) });
  if (!loop.state.rules) await attempt(read);
  const toClause = () => document.getElementById(clauseId(clause))?.scrollIntoView({ block: "center" });
  requestAnimationFrame(() => requestAnimationFrame(toClause)); // in the first of them it is drawn
}

/** @param {number} round the last one where it is 0 */
async function history(round) {
  if (loop.state.sheet?.name !== "history") open("history", { replay: null });
  await attempt(async () => {
    const at = /** @type {const} */ (`/api/tables/${number}`);
    const replay = await (round ? get(`${at}/rounds/${round}`) : get(`${at}/last-round`));
    update({ t: "filled", name: "history", with: { replay, wrong: null, asking: false } });
  });
}

/** @param {boolean} asking */
const toReview = (asking) => update({ t: "filled", name: "history", with: { asking, wrong: null } });

/** @param {HTMLFormElement} form */
function askReview(form) {
  const complaint = field(form, "complaint"), note = field(form, "note"), round = loop.state.sheet?.replay?.round ?? 0;
  if (!complaint) return update({ t: "filled", name: "history", with: { wrong: { key: "review_choose" } } });
  return attempt(async () => {
    const session = await post(`/api/tables/${number}/rounds/${round}/review`, { id: newId(), complaint, note });
    update({ t: "mine", session });
    toReview(false);
  });
}

/** @param {Acting} element */
function readAnswer({ dataset: { review, round } }) {
  update({ t: "heard", review: Number(review) });
  return history(Number(round));
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

// A session that was cashed out is over: before the next seat this terminal begins another.
async function renew() {
  const before = session;
  session = (await guest()).session;
  if (session === before) return;
  socket?.close();
  connect();
}

async function seat() {
  await renew();
  await post(`/api/tables/${number}/seat`);
  if (loop.state.sheet?.name === "buy") update({ t: "sheet", sheet: null }); // another one was opened meanwhile
}

/** @param {HTMLFormElement} form */
async function redeem(form) {
  await renew();
  await post(`/api/tables/${number}/redeem`, { number: field(form, "number") });
  form.reset();
  update({ t: "filled", name: "buy", with: { done: true, wrong: null } });
}

/** @param {HTMLFormElement} form */
function setLimits(form) {
  const loss = field(form, "loss"), minutes = field(form, "minutes");
  const isBad = (loss && cents(loss) === null) || !/^\d*$/.test(minutes);
  if (isBad) return update({ t: "filled", name: "limits", with: { wrong: { key: "own_bad" } } });
  const asked = { loss_cents: loss ? cents(loss) : null, minutes: minutes ? Number(minutes) : null };
  return attempt(async () => update({ t: "own", own: await post("/api/me/limits", asked) }));
}

/** @param {HTMLFormElement} form @param {string} name */
const field = (form, name) => fieldOf(form, name).value.trim();

/** @param {string} lang */
function speak(lang) {
  if (!isLanguage(lang)) return;
  update({ t: "language", lang });
  setLanguage(lang);
}

/** @type {Record<string, (element: Acting) => unknown>} */
const table = {
  spot: (element) => send(ask.tap(loop.state, element.dataset.bet, newId)),
  undo: () => send(ask.undo(loop.state, newId)),
  clear: () => send(ask.clear(loop.state, newId)),
  rebet: () => send(ask.rebet(loop.state, newId)),
  double: () => send(ask.double(loop.state, newId)),
  chip: (element) => update({ t: "chip", cents: Number(element.dataset.cents) }),
  language: (element) => speak(element.dataset.lang),
  sound: () => update({ t: "sound" }),
  squeeze: () => update({ t: "squeeze" }),
  turn: (element) => turn(element.dataset.turns),
  continue: () => update({ t: "read" }),
  "handed-read": () => update({ t: "handed-read" }),
  close,
  menu: () => open("menu"),
  panel: () => open("panel"),
  buy: () => open("buy"),
  cash: () => open("cash"),
  limits: () => open("limits"),
  rules: (element) => rules(element.dataset.clause),
  clause: (element) => rules(element.dataset.clause),
  history: () => history(0),
  replay: (element) => history((loop.state.sheet?.replay?.round ?? 0) + Number(element.dataset.step)),
  review: () => toReview(true),
  "review-cancel": () => toReview(false),
  "send-review": askReview,
  "answer-read": readAnswer,
  seat: () => attempt(seat),
  "cash-out": () => attempt(cashOut),
  print() {
    const paper = loop.state.sheet?.paper;
    if (paper) print(voucher({ ...paper, place: `table:${number}`, session: loop.state.mine?.session ?? "" }));
  },
  "have-it": () => { vouchers.done(number); location.reload(); }, // the next patron is another
  redeem: (form) => attempt(() => redeem(form)),
  "set-limits": setLimits,
};

function close() {
  update({ t: "sheet", sheet: null });
}

/** The next card that is to be turned has the focus then, if this one had it. @param {string} slot */
function turn(slot) {
  const hadFocus = document.activeElement?.getAttribute("data-turns") === slot;
  const next = () => /** @type {HTMLElement | null} */ (root.querySelector(".cover"))?.focus();
  update({ t: "turn", slot });
  if (hadFocus) requestAnimationFrame(next);
}

setLanguage(loop.state.lang);
acts(root, table);
squeezes(root, turn);
listen(root, "click", (target) => { // a closed spot is off, and says why to who taps it
  const spot = target.closest(".spot.shut");
  if (spot) table.spot(spot);
});
hands(root, {
  hold: (bet) => send(ask.clearSpot(loop.state, bet, newId)),
  chip: (value) => update({ t: "chip", cents: value }),
  language: () => speak(loop.state.lang === "en" ? "zh" : "en"),
  escape: () => { if (loop.state.sheet && loop.state.sheet.name !== "paper") close(); },
  busy: () => Boolean(loop.state.sheet),
});
narrow.addEventListener("change", () => update({ t: "shape", shape: shapeNow() }));
setInterval(() => { if (loop.state.table) update({ t: "tick", now: now() }); }, TICK_MS);
loop.draw();

async function begin() {
  try {
    session = (await guest()).session;
    connect();
    update({ t: "own", own: (await get("/api/me")).limits });
    if (vouchers.get(number)) await attempt(cashOut); // a voucher that was not put away
  } catch (error) {
    if (error instanceof TypeError && !socket) setTimeout(begin, RETRY_MS); // nobody answered yet
    else over(error);
  }
}
begin();
