// The dealer's console on the page: socket, keys, fingers and commands.
import { get, newId, Refused, staff, toLogin } from "../base/api.js";
import { acts, byId, fieldOf, listen } from "../base/dom.js";
import { keep, kept } from "../base/kept.js";
import { views } from "../base/link.js";
import { doubtOf, pendings } from "../base/pending.js";
import { rulebook } from "../base/rulebook.js";
import { run } from "../base/screen.js";
import { may, staffActs } from "../base/staffbar.js";
import { alike, isLanguage, language, setLanguage } from "../base/words.js";
import "../kit/elements.js";
import { asSecond } from "./second.js";
import { shoeAsked } from "./shoe.js";
import { dragging } from "./drag.js";
import { mustTell } from "./idle.js";
import { BURST_MS, fresh, pause, press } from "./keys.js";
import { actionOf, isReady, isTrying, moved, outgoing, proposalsOf, reduce, start } from "./reduce.js";
import { page } from "./view.js";
import { t } from "./words.js";

/** @import { LobbyTable, Words as Bilingual } from "server" */
/** @import { Topics } from "../base/link.js" */
/** @import { Deck, Heard } from "./keys.js" */
/** @import { Command, Message, Second, Sheet, State, Waiting } from "./reduce.js" */

const root = byId("app");
const number = Number(/^\/staff\/dealer\/(\d+)/.exec(location.pathname)?.[1] ?? 0);
const path = /** @type {const} */ (`/api/staff/tables/${number}`);
const READ = `dealer-decided ${number}`;
const loop = run({
  root, first: start(number, language(), kept(READ, [])), reduce, view: page, after: (before) => flow(before),
});
const dispatch = loop.tell;
let typing = fresh(), timer = 0;

/**
 * What follows from a change: the next card goes out, a card that is held counts later, an order is tried.
 * Each step may change the state itself, so that it is read anew.
 * @param {State} before
 */
function flow(before) {
  const due = outgoing(loop.state);
  if (due) send({ command: "enter-card", ...due }, loop.state.waiting.slice(1));
  if (loop.state.entry && !before.entry) timer = setInterval(() => dispatch({ t: "tick", at: performance.now() }), 50);
  if (!loop.state.entry && before.entry) clearInterval(timer);
  const { sheet } = loop.state;
  if (isTrying(loop.state) && sheet?.order && !sheet.preview && sheet.trying !== sheet.order) tryOrder(sheet.order);
  if (opened(loop.state) && opened(loop.state) !== opened(before)) focusSoon(".sheet.over h2, .sheet h2");
}

const opened = (/** @type {State} */ { second: asked, sheet }) => asked?.key || sheet?.name || "";

/** Once it is drawn. @param {string} selector */
function focusSoon(selector) {
  const focus = () => /** @type {HTMLElement | null} */ (root.querySelector(selector))?.focus();
  requestAnimationFrame(() => requestAnimationFrame(focus));
}

/** @param {string[]} order */
async function tryOrder(order) {
  const tell = (/** @type {Partial<Sheet>} */ fields) => dispatch({ t: "change", name: "stopped", fields });
  tell({ trying: order });
  try {
    const preview = await get(`${path}/redealt?order=${encodeURIComponent(order.join(" "))}`);
    if (loop.state.sheet?.order === order) tell({ preview });
  } catch (error) {
    if (over(error) || loop.state.sheet?.order !== order) return;
    tell({ preview: { refused: alike(/** @type {Error} */ (error).message), clause: "" } });
  }
}

// Commands: each has one id until the table has decided it.
const commands = pendings({
  place: () => `dealer ${number} ${loop.state.me?.name ?? ""}`,
  onDoubt(_, error) {
    dispatch({ t: "said", notice: { text: doubtOf(error).reason, clause: "", isDoubt: true } });
  },
});

/** Whether it was done. @param {Command} command @param {Waiting[]} [waiting] @returns {Promise<boolean>} */
async function send(command, waiting) {
  const key = JSON.stringify(command), id = newId();
  if (commands.has(key)) return false; // its outcome is not known yet
  dispatch({ t: "sending", id, command, waiting });
  return follow(id, commands.send(key, `${path}/commands`, { command }, { id }));
}

/** @param {string} id @param {Promise<any>} sent @returns {Promise<boolean>} */
async function follow(id, sent) {
  const at = performance.now();
  try {
    const answer = await sent;
    dispatch({ t: "used", at });
    if (answer.ok) dispatch({ t: "answered", id, answer });
    else dispatch({ ...refusalOf(answer), id });
    return answer.ok;
  } catch (error) {
    if (!over(error)) dispatch({ ...refusalOf(/** @type {Refused} */ (error)), id });
    return false;
  }
}

/** @param {{ reason?: Bilingual | null, clause?: string }} found */
const refusalOf = ({ reason = null, clause = "" }) => ({ t: /** @type {"refused"} */ ("refused"), reason, clause });

/** Whether the login is over: to the login, and back. @param {unknown} error */
function over(error) {
  if (!(error instanceof Refused && error.status === 401)) return false;
  toLogin();
  return true;
}

/** @param {string} command */
function doNext(command) {
  if (!isReady(loop.state)) return;
  if (command === "new-shoe" || command === "end-shoe") dispatch({ t: "sheet", sheet: { name: "shoe" } });
  else if (may(loop.state.me, command)) send({ command });
  else second({ commands: [{ command }] });
}

// By PIN, which nobody has in a demonstration.
/** @param {Partial<Second>} fields */
const second = (fields) => dispatch({
  t: "second", second: { error: "", busy: false, key: newId(), byPin: !loop.state.me?.demo, ...fields },
});

const close = () => dispatch(loop.state.second ? { t: "second", second: null } : { t: "close" });
/** @param {Partial<Sheet>} fields */
const change = (fields) => dispatch({ t: "change", name: loop.state.sheet?.name, fields });
/** @param {string[]} cards @param {number} picked */
const reorder = (cards, picked) => change({ order: cards, picked, preview: null });

/** @param {number} from @param {number} to */
function move(from, to) {
  const cards = loop.state.sheet?.order ?? [];
  reorder(moved(cards, from, to), Math.max(0, Math.min(to, cards.length - 1)));
}

/** The sheet that is open, as far as one is. @returns {Partial<Sheet>} */
const sheetNow = () => loop.state.sheet ?? {};

function takeOut() {
  const { order: cards = [], picked } = sheetNow();
  reorder(cards.filter((_, i) => i !== picked), -1);
}

/** What a form holds that has no files. @param {HTMLFormElement} form @returns {Record<string, string>} */
const textsOf = (form) => /** @type {any} */ (Object.fromEntries(new FormData(form)));

/** The end of a shoe, the next one, or both with one approval. @param {HTMLFormElement | null} form */
async function shoeCommands(form, ends = false) {
  const fields = form ? shoeAsked(textsOf(form)) : {};
  const commands = [...(ends ? [{ command: "end-shoe" }] : []), ...(form ? [{ command: "new-shoe", ...fields }] : [])];
  if (!commands.every(({ command }) => may(loop.state.me, command))) return second({ commands });
  for (const command of commands) if (!await send(command)) return;
}

// A scanner is heard through the rules too: a card that is read brings the table back.
const isTyped = (/** @type {KeyboardEvent} */ { key, ctrlKey, altKey, metaKey }) =>
  (key === "Enter" || /^[^ ]$/.test(key)) && !(ctrlKey || altKey || metaKey);
const rules = rulebook({ lang: () => loop.state.lang, through: isTyped });

acts(root, {
  ...staffActs,
  clause({ dataset }, event) {
    if (/** @type {UIEvent} */ (event).detail > 0) blur(); // a finger; a key has the focus back afterwards
    rules.open({ table: number, clause: dataset.clause });
  },
  do: (element) => doNext(element.dataset.command),
  key: (element) => dispatch({ t: "card", card: element.dataset.card, at: performance.now() }),
  undo: () => dispatch({ t: "undo" }),
  confirm: () => dispatch({ t: "confirm" }),
  rescan: () => dispatch({ t: "rekey" }),
  insist: () => send({ command: "enter-card", card: loop.state.view?.questioned, by_hand: true }),
  dismiss: () => dispatch({ t: "dismiss" }),
  language({ dataset: { lang } }) {
    if (!isLanguage(lang)) return;
    setLanguage(lang);
    dispatch({ t: "lang", lang });
  },
  fix(element) {
    const last = Object.keys(loop.state.view?.table.cards ?? {}).sort((a, b) => order(a) - order(b)).at(-1);
    const slot = element.dataset.slot || last;
    if (["correct", "stopped"].includes(loop.state.sheet?.name ?? "")) change({ slot });
    else dispatch({ t: "sheet", sheet: { name: "correct", slot, card: "" } });
  },
  correct: () => send({ command: "correct-card", slot: sheetNow().slot, card: sheetNow().card }),
  shoe: () => dispatch({ t: "sheet", sheet: { name: "shoe" } }),
  "new-shoe": (form) => shoeCommands(form),
  "change-shoe": (form) => shoeCommands(form, true),
  "end-shoe": () => shoeCommands(null, true),
  count: () => dispatch({ t: "sheet", sheet: { name: "count" } }),
  "count-shoe": (form) => send({ command: "count-shoe", cards: Number(fieldOf(form, "cards").value) }),
  irregularity: () => dispatch({ t: "sheet", sheet: { name: "irregularity", ground: "" } }),
  ground: (element) => change({ ground: element.dataset.ground }),
  declare() {
    const ground = loop.state.view?.grounds.find((g) => g.ground === sheetNow().ground);
    const detail = typed("textarea[name=detail]")?.value.trim() ?? "";
    if (!ground) return;
    const counted = ground.needs_count ? { cards_left: countOf(typed("input[name=cards_left]")) } : {};
    const first = { text: alike(t(loop.state.lang, "count_first")), clause: "" };
    if (counted.cards_left === null) dispatch({ t: "said", notice: first });
    else send({ command: ground.command, ground: ground.ground, detail, ...counted });
  },
  empty() {
    const left = typed("input[name=cards_left]");
    if (left) left.value = "0";
  },
  burning: () => dispatch({ t: "sheet", sheet: { name: "burn", cards: [] } }),
  unburn: (element) => change({ cards: sheetNow().cards?.filter((_, i) => i !== Number(element.dataset.at)) }),
  burn(form) {
    const cards = sheetNow().cards?.join(" "), unseen = Number(fieldOf(form, "unseen").value);
    send({ command: "burn-cards", cards, unseen, detail: fieldOf(form, "detail").value.trim() });
  },
  choose: (element) => change({ choice: element.dataset.command, picked: -1 }),
  pick: (element) => change({ picked: Number(element.dataset.at) }),
  earlier: () => shift(-1),
  later: () => shift(1),
  "take-out": takeOut,
  adding: () => change({ adding: !sheetNow().adding }),
  propose(element) {
    const { command } = element.dataset;
    const { order: cards = [], slot, card } = sheetNow();
    /** @type {Record<string, object>} */
    const fields = { reconstruct: { order: cards.join(" ") }, "correct-card": { slot, card } };
    send({ command, ...fields[command] });
  },
  approve: (element) => send({ command: "approve", proposal: Number(element.dataset.proposal) }),
  reject: (element) => second({ proposal: Number(element.dataset.proposal), rejecting: true, self: true }),
  withdraw: (element) => send({ command: "withdraw-proposal", proposal: Number(element.dataset.proposal) }),
  "decided-seen"() {
    dispatch({ t: "decided-seen" });
    keep(READ, loop.state.read);
  },
  second: (element) => second({ proposal: Number(element.dataset.proposal) }),
  "no-second": close,
  close,
  "reject-here": () => ofSecond({ rejecting: true, error: "" }, "[name=reason]"),
  "approve-here": () => ofSecond({ rejecting: false, wrong: "", error: "" }, "[name=name]"),
  "reject-now"({ form }) {
    if (!form || !loop.state.second) return;
    const reason = fieldOf(form, "reason").value.trim(), { proposal, self } = loop.state.second;
    if (!self && !form.reportValidity()) return;
    if (!reason) {
      ofSecond({ wrong: "reason_needed" }, "[name=reason]");
      return;
    }
    const command = { command: "reject", proposal, reason };
    if (self) {
      dispatch({ t: "second", second: null });
      send(command);
    } else bySecond(form, [command], "not_rejected");
  },
  "second-by": () => ofSecond({ byPin: !loop.state.second?.byPin, error: "" }, "[name=name]"),
  "as-second"(form) {
    const { proposal, commands, rejecting } = loop.state.second ?? {};
    if (rejecting) return; // Enter decides nothing here
    if (proposal) bySecond(form, [{ command: "approve", proposal }], "not_approved");
    else if (commands) bySecond(form, commands, "not_done");
  },
});

// A whole number that was typed; null where none was.
const countOf = (/** @type {HTMLInputElement | null} */ field) =>
  (field && /^\d+$/.test(field.value.trim()) ? Number(field.value) : null);

/** A field of the open sheet. @param {string} selector @returns {HTMLInputElement | null} */
const typed = (selector) => root.querySelector(selector);

/** The chosen card of the strip, one place on. @param {number} by */
function shift(by) {
  const { picked = -1 } = sheetNow();
  move(picked, picked + by);
}

const blur = () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur();

/** @param {Partial<Second>} fields @param {string} focus */
function ofSecond(fields, focus) {
  if (loop.state.second) dispatch({ t: "second", second: { ...loop.state.second, ...fields } });
  focusSoon(`.sheet.over ${focus}`);
}

/**
 * What went wrong names who tried it, and what.
 * @param {HTMLFormElement} form
 * @param {Command[]} commands
 * @param {string} failed
 */
async function bySecond(form, commands, failed) {
  if (!loop.state.second) return;
  const asked = { ...loop.state.second, wrong: "" };
  dispatch({ t: "second", second: { ...asked, busy: true, error: "" } });
  const typedIn = (/** @type {string} */ field) => fieldOf(form, field).value, name = typedIn("name").trim();
  const who = asked.byPin ? { name, pin: typedIn("pin") }
    : { name, password: typedIn("password"), one_time: typedIn("one_time") };
  const error = await asSecond(loop.state.lang, who, path, commands);
  const said = error ? { ...asked, busy: false, error: t(loop.state.lang, failed, name, error) } : null;
  dispatch({ t: "second", second: said });
  if (!error && loop.state.sheet?.name === "shoe") dispatch({ t: "close" });
}

const order = (/** @type {string} */ slot) => ["p1", "b1", "p2", "b2", "p3", "b3"].indexOf(slot);
dragging(root, { isOn: () => loop.state.sheet?.name === "stopped", onMove: move });

// A finger leaves no focus behind: Enter of a scanner would press that button again.
root.addEventListener("click", (event) => {
  if (event.detail > 0 && document.activeElement?.matches("button")) blur();
});

function mayDeclare() {
  if (!isReady(loop.state) || !may(loop.state.me, "declare-irregularity") || loop.state.sheet) return false;
  return !["stopped", "down"].includes(loop.state.view?.table.phase ?? "down");
}

listen(document, "keydown", (target, event) => {
  if (target.matches?.("input, textarea, select")) {
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
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const focused = active?.matches("button, a") ? active : null;
  if (event.key === " ") {
    if (focused || loop.state.sheet || loop.state.second) return;
    event.preventDefault();
    const { view } = loop.state;
    if (view && actionOf(loop.state)?.command === "close-bets" && !proposalsOf(view).length) doNext("close-bets");
    return;
  }
  if (event.key === "Escape" && !loop.state.entry && (loop.state.sheet || loop.state.second)) {
    if (loop.state.second || loop.state.sheet?.name !== "stopped") close();
    return;
  }
  if (focused?.dataset.act === "pick" && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    event.preventDefault();
    const from = Number(focused.dataset.at), to = from + (event.key === "ArrowLeft" ? -1 : 1);
    if (to < 0 || to >= (sheetNow().order?.length ?? 0)) return;
    move(from, to);
    focusSoon(`.pick[data-at="${to}"]`);
    return;
  }
  const held = Boolean(typing.typed) || Boolean(loop.state.entry) || Boolean(typing.rank);
  if (event.key === "Enter" && focused && !held) return; // somebody walks through the page with Tab
  const at = event.timeStamp, deck = /** @type {Deck} */ (loop.state.view?.table.deck ?? "standard");
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

/** @param {Heard[]} events */
function heard(events) {
  for (const event of events) {
    if (event.t === "scan" || event.t === "card") rules.close();
    const at = performance.now();
    dispatch(/** @type {Message} */ ({ ...event, at }));
  }
}

// The idle lock: whatever a hand does keeps the login, and is told to the server now and then.
let telling = false;
async function touched() {
  const at = performance.now();
  if (telling || !mustTell(loop.state, at)) return;
  telling = true;
  await staff().then(() => dispatch({ t: "used", at }), () => {}); // nobody logged in: to the login, and back
  telling = false;
}
for (const kind of ["pointerdown", "keydown", "wheel"]) {
  document.addEventListener(kind, touched, { capture: true, passive: true });
}
setInterval(() => dispatch({ t: "idle", at: performance.now() }), 1000);

setLanguage(loop.state.lang);
loop.draw();
const asked = performance.now();
staff().then((me) => {
  dispatch({ t: "me", me });
  dispatch({ t: "used", at: asked });
  commands.resume(({ id, body }, answer) => { // what an earlier page has left
    dispatch({ t: "sending", id, command: /** @type {{ command: Command }} */ (body).command });
    follow(id, answer);
  });
  /** @type {Topics} */
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

/** @param {LobbyTable[]} tables */
function arrived(tables) {
  if (tables.length === 1) location.replace(`/staff/dealer/${tables[0].number}`);
  else dispatch({ t: "tables", tables });
}
