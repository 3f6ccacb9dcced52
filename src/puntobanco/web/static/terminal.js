// A terminal: state = reduce(state, message), then render. Nothing is read back from the page.
import { money, post, session } from "./api.js";

const number = location.pathname.split("/").pop();
const at = (id) => document.getElementById(id);
const CHIPS = [1000, 2500, 10000, 50000, 100000];
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣", f: "火", g: "金", e: "土", w: "木", a: "水" };
const PICTURES = { S: "壽", L: "祿", F: "福" };

let state = { link: "connecting", table: null, mine: null, seq: 0, pending: {}, said: "", paper: "", chip: CHIPS[0], last: {}, offset: 0 };
let socket = null;
let counter = 0;
const waiting = new Map(); // id -> message, sent again after a reconnect

// reduce

function reduce(s, m) {
  switch (m.t) {
    case "welcome":
      return { ...s, link: "open", table: m.table, mine: m.session, seq: m.table.seq, offset: m.now - Date.now() };
    case "events":
      return m.events.reduce(onEvent, { ...s, seq: m.seq });
    case "mine":
      return { ...s, mine: m.session, last: Object.keys(m.session.wagers).length ? m.session.wagers : s.last };
    case "answered": {
      const pending = { ...s.pending };
      delete pending[m.id];
      return { ...s, pending, said: m.ok ? "" : m.clause ? `${m.reason} [${m.clause}]` : m.reason };
    }
    case "bye":
      return { ...s, said: m.reason };
  }
  return s;
}

function onEvent(s, e) {
  const table = { ...s.table };
  switch (e.event) {
    case "BetsOpened":
      Object.assign(table, { phase: "betting", round: e.round, closes_at: e.closes_at, cards: {}, player: null, banker: null });
      return { ...s, table, said: "", mine: { ...s.mine, lines: [] } };
    case "BetsClosed":
      Object.assign(table, { phase: "closed", closes_at: null });
      break;
    case "CardDealt":
      table.phase = "dealing";
      table.cards = { ...table.cards, [e.slot]: e.card };
      return { ...s, table, why: `${e.why} [${e.clause}]` };
    case "TotalsAnnounced":
      Object.assign(table, { player: e.player, banker: e.banker });
      break;
    case "RoundSettled":
      Object.assign(table, { phase: "settled", player: e.player, banker: e.banker, results: [...table.results, e.result] });
      break;
    case "RoundVoided":
      table.phase = "void";
      return { ...s, table, why: `Void [${e.clause}]: all wagers are returned` };
    case "IrregularityDeclared":
      table.phase = "stopped";
      return { ...s, table, why: `${e.ground} [${e.clause}]: a decision is due` };
    case "ShoeStarted":
      table.results = [];
      break;
    default: // rare: ask for the whole view
      send({ t: "sync" });
  }
  return { ...s, table };
}

// render

function says(s) {
  if (s.link !== "open") return s.link === "connecting" ? "Connecting…" : "Reconnecting…";
  const t = s.table;
  const seconds = t.closes_at ? Math.max(0, Math.ceil((t.closes_at - Date.now() - s.offset) / 1000)) : null;
  return {
    down: "The table is closed.", waiting: "The next round is about to begin.",
    betting: `“${t.announce_open}”${seconds === null ? "" : ` ${seconds} s`}`, closed: `“${t.announce_close}”`,
    dealing: s.why || "Dealing", stopped: s.why || "The round is stopped for a decision.", void: s.why || "Void.",
    settled: `Player ${t.player}, Banker ${t.banker}`,
  }[t.phase];
}

function card(code) {
  const li = document.createElement("li");
  const face = code[0] === "T" ? "10" : PICTURES[code[0]] || code[0];
  li.textContent = `${face}${SUITS[code[1]]}`;
  if ("hdf".includes(code[1])) li.className = "red";
  return li;
}

function betButton(s, bet) {
  const button = document.createElement("button");
  const staked = (s.mine.wagers || {})[bet.bet] || 0;
  const line = (s.mine.lines || []).find((x) => x[1] === bet.bet);
  const pending = Object.values(s.pending).filter((m) => m.bet === bet.bet);
  button.type = "button";
  button.className = `bet ${line ? line[3] : ""}`;
  button.disabled = s.table.phase !== "betting" || !s.mine.seated || s.link !== "open";
  button.dataset.bet = bet.bet;
  const rows = [["strong", bet.title], ["small", bet.pays.join(", ")], ["small", `${money(bet.limits.min_cents)}–${money(bet.limits.max_cents)}`]];
  if (staked) rows.push(["span", `Wager ${money(staked)}`]);
  if (pending.length) rows.push(["span", "waiting for the table…"]);
  if (line) rows.push(["span", `${line[3]} ${money(line[4] + line[5] + line[6])} [${line[7]}]`]);
  for (const [tag, text] of rows) {
    const el = document.createElement(tag);
    el.textContent = text;
    button.append(el);
  }
  return button;
}

function render(s) {
  at("status").textContent = says(s);
  at("message").textContent = [s.said, s.paper].filter(Boolean).join(" ");
  if (!s.table) return;
  document.title = s.table.title;
  at("title").textContent = s.table.title;
  at("demo").hidden = !s.table.demo;
  for (const hand of ["player", "banker"]) {
    const slots = ["1", "2", "3"].map((n) => s.table.cards[hand[0] + n]).filter(Boolean);
    at(`${hand}-cards`).replaceChildren(...slots.map(card));
    at(hand).textContent = s.table[hand] === null || !slots.length ? "" : s.table[hand];
  }
  const staked = Object.values(s.mine.wagers || {}).reduce((a, b) => a + b, 0);
  const won = (s.mine.lines || []).reduce((a, x) => a + x[4] + x[5] + x[6] - x[2], 0);
  at("balance").textContent = s.mine.seated ? money(s.mine.balance_cents) : "–";
  at("staked").textContent = money(staked);
  at("won").textContent = (s.mine.lines || []).length ? money(won) : "–";
  s.table.bets.forEach((bet, n) => { // a spot that says the same stays: a finger may be on it
    const there = at("bets").children[n], spot = betButton(s, bet);
    if (!there) at("bets").append(spot);
    else if (!there.isEqualNode(spot)) {
      const focused = there === document.activeElement;
      there.replaceWith(spot);
      if (focused) spot.focus();
    }
  });
  at("seat").disabled = s.mine.seated && s.mine.balance_cents > 0;
  at("cash-out").disabled = !s.mine.seated || staked > 0 || !s.mine.balance_cents;
  at("clear").disabled = s.table.phase !== "betting" || !staked;
  at("rebet").disabled = s.table.phase !== "betting" || staked > 0 || !Object.keys(s.last).length;
  at("results").replaceChildren(...s.table.results.map((r) => { const li = document.createElement("li"); li.className = r[0]; li.textContent = r[0]; return li; }));
}

let frame = 0;
function update(next) {
  state = next;
  if (!frame) frame = requestAnimationFrame(() => { frame = 0; render(state); });
}

// wire

function send(message) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function command(message) {
  const id = `${Date.now().toString(36)}-${counter++}`;
  const whole = { ...message, id, round: state.table.round };
  waiting.set(id, whole);
  update({ ...state, pending: { ...state.pending, [id]: whole } });
  send(whole);
}

function stake(bet, cents) {
  const has = (state.mine.wagers || {})[bet] || 0;
  command(has ? { t: "raise", bet, by_cents: cents } : { t: "place", bet, stake_cents: cents });
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/ws/${number}`);
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.t === "answered") waiting.delete(message.id);
    if (message.t === "welcome") for (const sent of waiting.values()) send(sent); // the same ids: no effect twice
    update(reduce(state, message));
  };
  socket.onclose = () => { update({ ...state, link: "reconnecting" }); setTimeout(connect, 500 + Math.random() * 1000); };
}

// hands on

async function attempt(action) {
  try { await action(); } catch (error) { update({ ...state, said: error.message }); }
}

at("bets").addEventListener("click", (event) => { const b = event.target.closest("[data-bet]"); if (b && !b.disabled) stake(b.dataset.bet, state.chip); });
at("seat").addEventListener("click", () => attempt(() => post(`/api/tables/${number}/seat`)));
at("clear").addEventListener("click", () => Object.keys(state.mine.wagers).forEach((bet) => command({ t: "withdraw", bet })));
at("rebet").addEventListener("click", () => Object.entries(state.last).forEach(([bet, cents]) => stake(bet, cents)));
at("cash-out").addEventListener("click", () => attempt(async () => {
  const paper = await post(`/api/tables/${number}/cash-out`);
  update({ ...state, said: "", paper: `${paper.demo ? "DEMO " : ""}Voucher ${paper.shown}: ${money(paper.cents)}. Write it down; it is shown once.` });
}));
at("redeem").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => { await post(`/api/tables/${number}/redeem`, { number: at("number").value }); at("number").value = ""; });
});
for (const cents of CHIPS) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name: "chip", value: cents, checked: cents === state.chip });
  input.addEventListener("change", () => update({ ...state, chip: cents }));
  label.append(input, ` ${money(cents).replace(".00", "")}`);
  at("chips").append(label);
}
setInterval(() => { if (state.table && state.table.closes_at) update(state); }, 250);
attempt(async () => { await session(); connect(); });
