// The terminal in the browser: socket and hands in, state by `reduce`, page by `view`. No fact is read back from it.
import "../kit/elements.js";
import "./count.js";
import { get, guest, newId, post, Refused, vouchers } from "../base/api.js";
import { now, setNow } from "../base/clock.js";
import { acts, byId, fieldOf, listen, painted } from "../base/dom.js";
import { hasHan } from "../base/han.js";
import { keypads } from "../base/keypad.js";
import { keep as keepFor, kept as before } from "../base/kept.js";
import { link } from "../base/link.js";
import { REPEAT_MS } from "../base/doubt.js";
import { doubtOf, isDecision, outcomePath, pendings } from "../base/pending.js";
import { cents } from "../base/money.js";
import { print } from "../base/print.js";
import { clauseId } from "../base/rules.js";
import { run } from "../base/screen.js";
import { isSight, showSight } from "../base/sight.js";
import { isLanguage, nextLanguage, setLanguage } from "../base/words.js";
import { voucher } from "../base/voucher.js";
import * as ask from "./ask.js";
import { focusSheets, hands } from "./hands.js";
import { keep, kept } from "./keep.js";
import { shapeFor } from "./layout.js";
import { squeezes } from "./peel.js";
import { initial, reduce } from "./reduce.js";
import { roadScrolls, showNewest } from "./road-scroll.js";
import { sounds } from "./sound.js";
import { pageTitle, view } from "./view.js";
import { withOlder } from "./view-history.js";

/** @import { RoundPage } from "server" */
/** @import { Acting } from "../base/dom.js" */
/** @import { Message, Pending, Refusal, Sent, Sheet, State } from "./reduce.js" */

const TICK_MS = 250, RETRY_MS = 2000, PROBE_MS = 400, FIRST_DRAW_MS = 500;
const NEW_TRIES = 2, SEEN_TRIES = 6; // to connect, before it is asked why that fails
const MUST_ANSWER = ["paper", "reality"]; // sheets that Esc does not close
const number = Number(location.pathname.split("/")[2]);
const root = byId("terminal");
/** @returns {State["shape"]} */
function shapeNow() {
  const scale = Number(getComputedStyle(document.body).zoom) || 1; // a large screen and larger text have one
  return shapeFor(innerWidth / scale, innerHeight / scale);
}

const still = matchMedia("(prefers-reduced-motion: reduce)");
const begun = initial(kept(number));
showSight(begun);
const shaped = reduce(begun, { t: "shape", shape: shapeNow() });
const first = reduce(shaped, { t: "quiet", quiet: still.matches });
const loop = run({ root, first, reduce, view, after, drawn });
const update = loop.tell;
/** @type {ReturnType<typeof link> | null} */
let socket = null;
let session = before("session", ""), isTicking = false;
const commands = pendings({
  place: () => `terminal ${number} ${session}`,
  onDoubt: (_, error) => update({ t: "doubt", refused: wrongOf(doubtOf(error)) }),
});

/** @param {State} before @param {State} state */
function after(before, state) {
  if (state.sync) socket?.send({ t: "sync" });
  state.outbox.forEach(sendOrLookUp);
  if (state.sync || state.outbox.length) update({ t: "asked" });
  keep(number, before, state);
  if (state.lang !== before.lang) setLanguage(state.lang);
  if (state.larger !== before.larger || state.contrast !== before.contrast) looksOther(state);
  sounds(before, state);
}

/** @param {State} state */
function looksOther(state) {
  showSight(state);
  update({ t: "shape", shape: shapeNow() });
}

/** @param {State} state */
function drawn(state) {
  root.toggleAttribute("data-still", state.still);
  document.title = pageTitle(state);
  focusSheets(root);
  showNewest(root);
  if (state.table && !isTicking) {
    isTicking = true;
    painted(() => setInterval(() => update({ t: "tick", now: now() }), TICK_MS)); // after the table has been seen
  }
}

// In English the page as it came says what the first drawing would, and on a slow device that one would keep the table
// waiting. Where there is no table so soon, it is drawn.
/** @type {(value?: unknown) => void} */
let shown = () => {};
const begins = new Promise((now) => { shown = now; setTimeout(now, FIRST_DRAW_MS); });
begins.then(loop.draw);

// The wire

function connect() {
  socket = link(`/ws/${number}`, {
    onMessage(message) {
      if (message.t === "welcome") setNow(message.now);
      update(message);
      if (message.t === "bye") setTimeout(probe, PROBE_MS);
      if (message.t === "welcome") {
        sendAgain();
        shown();
      }
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
  Object.values(loop.state.pending).forEach(sendOrLookUp);
}

/** @param {Pending} command */
function sendOrLookUp(command) {
  if (now() - command.at < REPEAT_MS) socket?.send(ask.wire(command));
  else lookUp(command);
}

/** What became of a wager that is not sent again any more. @param {Pending} command */
async function lookUp({ id }) {
  try {
    await get(outcomePath({ id, path: `/api/tables/${number}/`, body: {} }));
    update({ t: "answered", id, ok: true, code: "", reason: null, clause: "", head: null });
  } catch (error) {
    if (isDecision(error)) update({ t: "answered", id, ok: false, ...answerOf(error), head: null });
  }
}

/** @param {unknown} error */
function answerOf(error) {
  const { code, reason, clause } = /** @type {Refused} */ (error);
  return { code, reason, clause };
}

// A socket does not say why it does not open: is there no such table, or no session any more?
async function probe() {
  try {
    await get(`/api/tables/${number}`);
    await get("/api/me");
  } catch (error) {
    if (error instanceof Refused) refused(error); // else nobody answers: the link goes on trying
  }
}

/** Where a session is gone: another, if this terminal may have one. @param {unknown} error */
function refused(error) {
  if (error instanceof Refused && error.status === 401) guest().then((next) => { ({ session } = next); }, over);
  else over(error);
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

/** Whether it went well. @param {() => Promise<unknown>} work */
async function attempt(work) {
  update({ t: "busy" });
  try {
    await work();
    update({ t: "done" });
    return true;
  } catch (error) {
    if (!(error instanceof Refused || error instanceof TypeError)) throw error; // ours
    const wrong = { ...wrongOf(error), ...await ownSeat(error) };
    if (loop.state.sheet) update({ t: "filled", name: loop.state.sheet.name, with: { wrong } });
    else update({ t: "refused", refused: wrong });
    return false;
  }
}

/** Where this patron sits, if that is in the way. @param {unknown} error @returns {Promise<Partial<Refusal>>} */
async function ownSeat(error) {
  if (!(error instanceof Refused) || error.code !== "seated-elsewhere") return {};
  const found = await get("/api/me").catch(() => null), seat = found?.tables.find((one) => one.seated);
  return seat ? { at: Number(seat.table.split(":")[1]) } : {};
}

/** @param {any} error @returns {Refusal} */
function wrongOf(error) {
  if (!error?.reason) return { key: "no_answer" };
  const { code, reason, clause } = error;
  return { code, reason, clause };
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

/** The list of past rounds from its top, one's own or all; `more` goes on with the older ones. @param {boolean} mine */
function rounds(mine, more = false) {
  const known = more ? loop.state.sheet : null;
  if (!known) open("history", { replay: null, rounds: null, mine });
  return attempt(async () => {
    const from = known?.before ? `&before=${known.before}` : "";
    /** @type {RoundPage} */
    const page = await get(`/api/tables/${number}/rounds?mine=${mine}${from}`);
    const { sheet } = loop.state;
    if (sheet?.mine !== mine || sheet.replay) return; // something else was asked for meanwhile
    const all = withOlder(known?.rounds ?? [], page.rounds);
    update({ t: "filled", name: "history", with: { rounds: all, before: page.before, mine, wrong: null } });
  });
}

/** @param {number} round */
async function history(round) {
  if (loop.state.sheet?.name !== "history") open("history", { replay: null });
  await attempt(async () => {
    const replay = await get(`/api/tables/${number}/rounds/${round}`);
    update({ t: "filled", name: "history", with: { replay, wrong: null, asking: false, receipt: null } });
  });
}

// A receipt stands in the sheet in which it was asked for: a voucher is not put away for it.
/** @param {Acting} element */
function receipt({ dataset: { kind, number: of, bet } }) {
  const name = loop.state.sheet?.name ?? "";
  return attempt(async () => {
    const asked = { kind, number: Number(of ?? 0), bet: bet ?? "" };
    const link = await post(`/api/tables/${number}/receipts`, asked);
    update({ t: "filled", name, with: { receipt: link, wrong: null } });
  });
}

/** @param {boolean} asking */
const toReview = (asking) => update({ t: "filled", name: "history", with: { asking, wrong: null } });

/** @param {HTMLFormElement} form */
function askReview(form) {
  const complaint = field(form, "complaint"), note = field(form, "note"), round = loop.state.sheet?.replay?.round ?? 0;
  if (!complaint) return update({ t: "filled", name: "history", with: { wrong: { key: "review_choose" } } });
  return act("review", `/api/tables/${number}/rounds/${round}/review`, { complaint, note });
}

/** @param {Acting} element */
function readAnswer({ dataset: { review, round } }) {
  update({ t: "heard", review: Number(review) });
  return history(Number(round));
}

/**
 * What follows from each command that was accepted, by its act; after a reload too.
 * @type {Record<string, (answer: any) => unknown>}
 */
const DONE = {
  "cash-out": (paper) => open("paper", { paper: { ...paper, at: now() } }),
  seat() { if (loop.state.sheet?.name === "buy") update({ t: "sheet", sheet: null }); }, // else another was opened
  leave() { // the session is over with it; who is next begins another
    update({ t: "fresh" });
    location.assign("/");
  },
  redeem() {
    /** @type {HTMLFormElement | null} */
    const form = root.querySelector("form[data-act=redeem]");
    form?.reset();
    update({ t: "filled", name: "buy", with: { done: true, wrong: null } });
  },
  review(answer) {
    update({ t: "mine", session: answer });
    toReview(false);
  },
  async limits(answer) { // one that was looked up does not say how they are now
    update({ t: "own", own: "played_ms" in answer ? answer : (await get("/api/me")).limits });
  },
};

/** Do what follows from a command, once the floor has decided it. @param {string} key @param {Promise<any>} answer */
const follow = (key, answer) => attempt(async () => {
  try {
    await DONE[key](await answer);
  } catch (error) {
    if (key === "cash-out" && isDecision(error)) vouchers.done(number); // nothing was issued
    throw error;
  }
});

/** @param {string} key @param {string} path @param {object} [body] @param {{ id?: string, at?: number }} [more] */
const act = (key, path, body, more) => follow(key, commands.send(key, path, body, more));

function cashOut() {
  const id = vouchers.get(number) || newId();
  vouchers.keep(number, id);
  return act("cash-out", `/api/tables/${number}/cash-out`, {}, { id });
}

/** A voucher that was not put away is looked up: it is asked for only while its command is pending. */
function showVoucher() {
  const id = vouchers.get(number);
  if (!id || commands.has("cash-out")) return null;
  return act("cash-out", `/api/tables/${number}/cash-out`, {}, { id, at: 0 });
}

// A session that was cashed out is over: before the next seat this terminal begins another.
async function renew() {
  const last = session;
  session = (await guest()).session;
  if (session === last) return;
  keepFor("session", session);
  socket?.close();
  connect();
}

async function seat() {
  update({ t: "expects" });
  if (await attempt(renew)) await act("seat", `/api/tables/${number}/seat`);
}

const leave = () => act("leave", `/api/tables/${number}/leave`);

/** @param {HTMLFormElement} form */
async function redeem(form) {
  update({ t: "expects" });
  const body = { number: field(form, "number") };
  if (await attempt(renew)) await act("redeem", `/api/tables/${number}/redeem`, body);
}

/** @param {HTMLFormElement} form */
function setLimits(form) {
  const loss = field(form, "loss"), minutes = field(form, "minutes");
  const isBad = (loss && cents(loss) === null) || !/^\d*$/.test(minutes);
  if (isBad) return update({ t: "filled", name: "limits", with: { wrong: { key: "own_bad" } } });
  const asked = { loss_cents: loss ? cents(loss) : null, minutes: minutes ? Number(minutes) : null };
  return act("limits", "/api/me/limits", asked);
}

/** @param {HTMLFormElement} form @param {string} name */
const field = (form, name) => fieldOf(form, name).value.trim();

/** @param {string} lang */
function speak(lang) {
  if (!isLanguage(lang)) return;
  update({ t: "language", lang });
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
  sight({ dataset: { sight } }) { if (isSight(sight)) update({ t: "sight", name: sight }); },
  turn: (element) => turn(element.dataset.turns),
  continue: () => update({ t: "read" }),
  "handed-read": () => update({ t: "handed-read" }),
  close,
  menu: () => open("menu"),
  panel: () => open("panel"),
  buy: () => open("buy"),
  cash: () => open("cash"),
  leave: () => open("leave"),
  "leave-seat": leave,
  limits: () => open("limits"),
  rules: (element) => rules(element.dataset.clause),
  clause: (element) => rules(element.dataset.clause),
  history: () => rounds(loop.state.sheet?.mine ?? true),
  rounds: (element) => rounds(element.dataset.mine === "true"),
  "rounds-older": () => rounds(loop.state.sheet?.mine ?? true, true),
  "open-round": (element) => history(Number(element.dataset.round)),
  how: () => open("how"),
  road: (element) => chooseRoad(element.dataset.road),
  "hint-read": () => update({ t: "hint-read" }),
  "check-read": () => update({ t: "check-read" }),
  "check-leave"() {
    update({ t: "check-read" });
    open("leave");
  },
  preset: (button) => { if (button.form) fieldOf(button.form, button.dataset.field).value = button.dataset.value; },
  replay: (element) => history((loop.state.sheet?.replay?.round ?? 0) + Number(element.dataset.step)),
  receipt,
  review: () => toReview(true),
  "review-cancel": () => toReview(false),
  "send-review": askReview,
  "answer-read": readAnswer,
  seat,
  "cash-out": cashOut,
  print() {
    const paper = loop.state.sheet?.paper;
    if (paper) print(voucher({ ...paper, place: `table:${number}`, session: loop.state.mine?.session ?? "" }));
  },
  "have-it"() { // the next patron is another
    vouchers.done(number);
    update({ t: "fresh" });
    location.reload();
  },
  redeem,
  "set-limits": setLimits,
};

function close() {
  update({ t: "sheet", sheet: null });
}

/** @param {string} kind */
const chooseRoad = (kind) => update({ t: "road", road: /** @type {State["road"]} */ (kind) });

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
keypads(root);
roadScrolls(root, chooseRoad);
listen(root, "click", (target) => { // a closed spot is off, and says why to who taps it
  const spot = target.closest(".spot.shut");
  if (spot) table.spot(spot);
});
hands(root, {
  hold: (bet) => send(ask.clearSpot(loop.state, bet, newId)),
  chip: (value) => update({ t: "chip", cents: value }),
  language: () => speak(nextLanguage(loop.state.lang)),
  escape: () => { if (loop.state.sheet && !MUST_ANSWER.includes(loop.state.sheet.name)) close(); },
  busy: () => Boolean(loop.state.sheet),
});
addEventListener("resize", () => update({ t: "shape", shape: shapeNow() }));
listen(root, "animationend", (target, { animationName }) => { // a card lies face up when it is seen to
  if (animationName === "face-up") update({ t: "landed", slot: target.closest("[data-slot]").dataset.slot });
});
still.addEventListener("change", () => update({ t: "quiet", quiet: still.matches }));

// What was tapped in the lobby, once: to sit down here, or to cash out.
/** @param {boolean} isSeated */
async function asWished(isSeated) {
  const wish = location.hash;
  if (!wish) return;
  globalThis.history.replaceState(null, "", location.pathname);
  if (wish === "#sit" && !isSeated) await seat();
  if (wish === "#cash" && isSeated) open("cash");
}

async function begin() {
  if (session && !socket) connect(); // as the session of before, which is asked for meanwhile
  try {
    await renew();
    const [found] = await Promise.all([get("/api/me"), begins]);
    update({ t: "own", own: found.limits });
    update({ t: "every", minutes: found.reality_check_minutes });
    commands.resume((one, answer) => follow(one.key, answer)); // what an earlier page has left
    if (vouchers.get(number)) await showVoucher();
    else await asWished(found.tables.some((one) => one.seated && one.table === `table:${number}`));
  } catch (error) {
    if (error instanceof TypeError) setTimeout(begin, RETRY_MS); // nobody answered yet
    else refused(error);
  }
}
queueMicrotask(begin); // a first question from here would have the browser read the whole script for its place in it
if (loop.state.lang !== "en" || !hasHan()) loop.draw(); // without fonts, languages are offered when they come
