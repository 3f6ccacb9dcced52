// The dealer's console on the page: socket, keys, fingers and commands.
import { newId, post, Refused, staff, toLogin, get } from "../base/api.js";
import { acts, patch } from "../base/dom.js";
import { keep, kept } from "../base/kept.js";
import { views } from "../base/link.js";
import { rulebook } from "../base/rulebook.js";
import { staffActs } from "../base/staffbar.js";
import { language, setLanguage } from "../base/words.js";
import "../kit/elements.js";
import { asSecond } from "./second.js";
import { shoeAsked } from "./shoe.js";
import { dragging } from "./drag.js";
import { mustTell } from "./idle.js";
import { BURST_MS, fresh, pause, press } from "./keys.js";
import { actionOf, isReady, isTrying, may, moved, outgoing, proposalsOf, reduce, start } from "./reduce.js";
import { page } from "./view.js";
import { t } from "./words.js";

const root = document.getElementById("app");
const number = Number(/^\/staff\/dealer\/(\d+)/.exec(location.pathname)?.[1] ?? 0);
const path = `/api/staff/tables/${number}`;
const READ = `dealer-decided ${number}`;
let state = start(number, language(), kept(READ, [])), typing = fresh(), drawn = false, timer = 0;

function dispatch(message) {
  const before = state;
  state = reduce(state, message);
  if (state === before) return;
  flow(before);
  if (!drawn) {
    drawn = true;
    requestAnimationFrame(draw);
  }
}

function draw() {
  drawn = false;
  patch(root, page(state));
}

// What follows from a change: the next card goes out, a card that is held counts later, an order is tried.
function flow(before) {
  const due = outgoing(state);
  if (due) send({ command: "enter-card", ...due }, state.waiting.slice(1));
  if (state.entry && !before.entry) timer = setInterval(() => dispatch({ t: "tick", at: performance.now() }), 50);
  if (!state.entry && before.entry) clearInterval(timer);
  const sheet = state.sheet;
  if (isTrying(state) && !sheet.preview && sheet.trying !== sheet.order) tryOrder(sheet.order);
  const opened = (now) => now.second?.key || now.sheet?.name || "";
  if (opened(state) && opened(state) !== opened(before)) focusSoon(".sheet.over h2, .sheet h2");
}

// Once it is drawn.
function focusSoon(selector) {
  const focus = () => root.querySelector(selector)?.focus();
  requestAnimationFrame(() => requestAnimationFrame(focus));
}

async function tryOrder(order) {
  const tell = (fields) => dispatch({ t: "change", name: "stopped", fields });
  tell({ trying: order });
  try {
    const preview = await get(`${path}/redealt?order=${encodeURIComponent(order.join(" "))}`);
    if (state.sheet?.order === order) tell({ preview });
  } catch (error) {
    if (!over(error) && state.sheet?.order === order) tell({ preview: { refused: error.message, clause: "" } });
  }
}

// Commands. The id makes one of a command that is sent again after the server was away.

function send(command, waiting) {
  const id = newId();
  dispatch({ t: "sending", id, command, waiting });
  ask(id, command);
}

async function ask(id, command) {
  const at = performance.now();
  try {
    const answer = await post(`${path}/commands`, { id, command });
    dispatch({ t: "used", at });
    if (answer.ok) dispatch({ t: "answered", id, answer });
    else dispatch({ t: "refused", id, reason: answer.reason, clause: answer.clause });
  } catch (error) {
    if (over(error)) return;
    const { reason, clause } = error;
    if (error instanceof Refused && error.status < 500) dispatch({ t: "refused", id, reason, clause });
    else setTimeout(() => state.sent?.id === id && ask(id, command), 700);
  }
}

function over(error) {
  if (!(error instanceof Refused && error.status === 401)) return false;
  toLogin();
  return true;
}

function doNext(command) {
  if (!isReady(state)) return;
  if (command === "new-shoe" || command === "end-shoe") dispatch({ t: "sheet", sheet: { name: "shoe" } });
  else if (may(state.me, command)) send({ command });
  else second({ command: { command } });
}

const second = (fields) => dispatch({ t: "second", second: { error: "", busy: false, key: newId(), ...fields } });

const close = () => dispatch(state.second ? { t: "second", second: null } : { t: "close" });
const change = (fields) => dispatch({ t: "change", name: state.sheet?.name, fields });
const reorder = (cards, picked) => change({ order: cards, picked, preview: null });

function move(from, to) {
  const cards = state.sheet.order;
  reorder(moved(cards, from, to), Math.max(0, Math.min(to, cards.length - 1)));
}

function takeOut() {
  const { order: cards, picked } = state.sheet;
  reorder(cards.filter((_, i) => i !== picked), -1);
}

function shoeCommand(form, command) {
  const fields = command === "end-shoe" ? {} : shoeAsked(Object.fromEntries(new FormData(form)));
  if (may(state.me, command)) send({ command, ...fields });
  else second({ command: { command, ...fields } });
}

// A scanner is heard through the rules too: a card that is read brings the table back.
const isTyped = ({ key, ctrlKey, altKey, metaKey }) =>
  (key === "Enter" || /^[^ ]$/.test(key)) && !(ctrlKey || altKey || metaKey);
const rules = rulebook({ lang: () => state.lang, through: isTyped });

acts(root, {
  ...staffActs,
  clause({ dataset }, event) {
    if (event.detail > 0) document.activeElement?.blur(); // a finger; a key has the focus back afterwards
    rules.open({ table: number, clause: dataset.clause });
  },
  do: (element) => doNext(element.dataset.command),
  key: (element) => dispatch({ t: "card", card: element.dataset.card, at: performance.now() }),
  undo: () => dispatch({ t: "undo" }),
  confirm: () => dispatch({ t: "confirm" }),
  rescan: () => dispatch({ t: "rekey" }),
  insist: () => send({ command: "enter-card", card: state.view.questioned, by_hand: true }),
  dismiss: () => dispatch({ t: "dismiss" }),
  lang() {
    const lang = state.lang === "zh" ? "en" : "zh";
    setLanguage(lang);
    dispatch({ t: "lang", lang });
  },
  fix(element) {
    const last = Object.keys(state.view.table.cards).sort((a, b) => order(a) - order(b)).at(-1);
    const slot = element.dataset.slot || last;
    if (["correct", "stopped"].includes(state.sheet?.name)) change({ slot });
    else dispatch({ t: "sheet", sheet: { name: "correct", slot, card: "" } });
  },
  correct: () => send({ command: "correct-card", slot: state.sheet.slot, card: state.sheet.card }),
  shoe: () => dispatch({ t: "sheet", sheet: { name: "shoe" } }),
  "new-shoe": (form) => shoeCommand(form, "new-shoe"),
  "end-shoe": (form) => shoeCommand(form, "end-shoe"),
  count: () => dispatch({ t: "sheet", sheet: { name: "count" } }),
  "count-shoe": (form) => send({ command: "count-shoe", cards: Number(form.elements.namedItem("cards").value) }),
  irregularity: () => dispatch({ t: "sheet", sheet: { name: "irregularity", ground: "" } }),
  ground: (element) => change({ ground: element.dataset.ground }),
  declare() {
    const ground = state.view.grounds.find((g) => g.ground === state.sheet.ground);
    const detail = root.querySelector("textarea[name=detail]")?.value.trim() ?? "";
    if (!ground) return;
    const counted = ground.needs_count ? { cards_left: countOf(root.querySelector("input[name=cards_left]")) } : {};
    const first = { text: t(state.lang, "count_first"), clause: "" };
    if (counted.cards_left === null) dispatch({ t: "said", notice: first });
    else send({ command: ground.command, ground: ground.ground, detail, ...counted });
  },
  empty() {
    root.querySelector("input[name=cards_left]").value = "0";
  },
  burning: () => dispatch({ t: "sheet", sheet: { name: "burn", cards: [] } }),
  unburn: (element) => change({ cards: state.sheet.cards.filter((_, i) => i !== Number(element.dataset.at)) }),
  burn({ elements: { unseen, detail } }) {
    const cards = state.sheet.cards.join(" ");
    send({ command: "burn-cards", cards, unseen: Number(unseen.value), detail: detail.value.trim() });
  },
  choose: (element) => change({ choice: element.dataset.command, picked: -1 }),
  pick: (element) => change({ picked: Number(element.dataset.at) }),
  earlier: () => move(state.sheet.picked, state.sheet.picked - 1),
  later: () => move(state.sheet.picked, state.sheet.picked + 1),
  "take-out": takeOut,
  adding: () => change({ adding: !state.sheet.adding }),
  propose(element) {
    const { command } = element.dataset;
    const { order: cards, slot, card } = state.sheet;
    const fields = { reconstruct: { order: cards.join(" ") }, "correct-card": { slot, card } };
    send({ command, ...fields[command] });
  },
  approve: (element) => send({ command: "approve", proposal: Number(element.dataset.proposal) }),
  reject: (element) => second({ proposal: Number(element.dataset.proposal), rejecting: true, self: true }),
  withdraw: (element) => send({ command: "withdraw-proposal", proposal: Number(element.dataset.proposal) }),
  "decided-seen"() {
    dispatch({ t: "decided-seen" });
    keep(READ, state.read);
  },
  second: (element) => second({ proposal: Number(element.dataset.proposal) }),
  "no-second": close,
  close,
  "reject-here": () => ofSecond({ rejecting: true, error: "" }, "[name=reason]"),
  "approve-here": () => ofSecond({ rejecting: false, wrong: "", error: "" }, "[name=name]"),
  "reject-now"({ form }) {
    const reason = form.elements.namedItem("reason").value.trim(), { proposal, self } = state.second;
    if (!self && !form.reportValidity()) return;
    if (!reason) {
      ofSecond({ wrong: "reason_needed" }, "[name=reason]");
      return;
    }
    const command = { command: "reject", proposal, reason };
    if (self) {
      dispatch({ t: "second", second: null });
      send(command);
    } else bySecond(form, command, "not_rejected");
  },
  "as-second"(form) {
    const { proposal, command, rejecting } = state.second;
    if (rejecting) return; // Enter decides nothing here
    if (proposal) bySecond(form, { command: "approve", proposal }, "not_approved");
    else bySecond(form, command, "not_done");
  },
});

// A whole number that was typed; null where none was.
const countOf = (field) => (/^\d+$/.test(field?.value.trim() ?? "") ? Number(field.value) : null);

function ofSecond(fields, focus) {
  dispatch({ t: "second", second: { ...state.second, ...fields } });
  focusSoon(`.sheet.over ${focus}`);
}

// What went wrong names who tried it, and what.
async function bySecond(form, command, failed) {
  const asked = { ...state.second, wrong: "" };
  dispatch({ t: "second", second: { ...asked, busy: true, error: "" } });
  const [name, password] = ["name", "password"].map((field) => form.elements.namedItem(field).value);
  const error = await asSecond(name, password, path, command);
  const said = error ? { ...asked, busy: false, error: t(state.lang, failed, name, error) } : null;
  dispatch({ t: "second", second: said });
  if (!error && state.sheet?.name === "shoe") dispatch({ t: "close" });
}

const order = (slot) => ["p1", "b1", "p2", "b2", "p3", "b3"].indexOf(slot);
dragging(root, { isOn: () => state.sheet?.name === "stopped", onMove: move });

// A finger leaves no focus behind: Enter of a scanner would press that button again.
root.addEventListener("click", (event) => {
  if (event.detail > 0 && document.activeElement?.matches("button")) document.activeElement.blur();
});

function mayDeclare() {
  if (!isReady(state) || !may(state.me, "declare-irregularity") || state.sheet) return false;
  return !["stopped", "down"].includes(state.view.table.phase);
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches?.("input, textarea, select")) {
    if (event.key === "Escape") close();
    return;
  }
  if (event.ctrlKey || event.altKey || event.metaKey) {
    if (event.ctrlKey && event.key.toLowerCase() === "i" && mayDeclare()) {
      event.preventDefault();
      dispatch({ t: "sheet", sheet: { name: "irregularity", ground: "" } });
    }
    return;
  }
  if (event.repeat && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    return;
  }
  const focused = document.activeElement?.matches("button, a") ? document.activeElement : null;
  if (event.key === " ") {
    if (focused || state.sheet || state.second) return;
    event.preventDefault();
    if (actionOf(state)?.command === "close-bets" && !proposalsOf(state.view).length) doNext("close-bets");
    return;
  }
  if (event.key === "Escape" && !state.entry && (state.sheet || state.second)) {
    if (state.second || state.sheet.name !== "stopped") close();
    return;
  }
  if (focused?.dataset.act === "pick" && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    event.preventDefault();
    const from = Number(focused.dataset.at), to = from + (event.key === "ArrowLeft" ? -1 : 1);
    if (to < 0 || to >= state.sheet.order.length) return;
    move(from, to);
    focusSoon(`.pick[data-at="${to}"]`);
    return;
  }
  const held = Boolean(typing.typed) || Boolean(state.entry) || Boolean(typing.rank);
  if (event.key === "Enter" && focused && !held) return; // somebody walks through the page with Tab
  const at = event.timeStamp, deck = state.view?.table.deck ?? "standard";
  const [settled, first] = pause(typing, at, deck);
  const [next, then] = press(settled, event.key, at, deck);
  typing = next;
  if (event.key === "Enter") event.preventDefault();
  heard([...first, ...then]);
  setTimeout(() => {
    const [later, events] = pause(typing, at + BURST_MS + 1, deck);
    if (typing.last === at) {
      typing = later;
      heard(events);
    }
  }, BURST_MS + 5);
});

function heard(events) {
  for (const event of events) {
    if (event.t === "scan" || event.t === "card") rules.close();
    dispatch({ ...event, at: performance.now() });
  }
}

// The idle lock: whatever a hand does keeps the login, and is told to the server now and then.
let telling = false;
async function touched() {
  const at = performance.now();
  if (telling || !mustTell(state, at)) return;
  telling = true;
  await staff().then(() => dispatch({ t: "used", at }), () => {}); // nobody logged in: to the login, and back
  telling = false;
}
for (const kind of ["pointerdown", "keydown", "wheel"]) {
  document.addEventListener(kind, touched, { capture: true, passive: true });
}
setInterval(() => dispatch({ t: "idle", at: performance.now() }), 1000);

document.documentElement.lang = state.lang === "zh" ? "zh-Hant" : "en";
draw();
const asked = performance.now();
staff().then((me) => {
  dispatch({ t: "me", me });
  dispatch({ t: "used", at: asked });
  const topics = number
    ? { [`dealer:${number}`]: (view) => dispatch({ t: "view", view }) }
    : { lobby: (view) => arrived(view.tables) };
  views(topics, {
    onState: (link) => dispatch({ t: "link", state: link }),
    onRefused(what, reason) {
      dispatch({ t: "unseen", reason });
      staff().catch(() => {}); // a login that ended with its server: to the login, and back
    },
    onBye: toLogin,
  });
}).catch(() => {});

function arrived(tables) {
  if (tables.length === 1) location.replace(`/staff/dealer/${tables[0].number}`);
  else dispatch({ t: "tables", tables });
}
