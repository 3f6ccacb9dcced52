// A terminal: state = reduce(state, message), then render. Nothing is read back from the page.
import { get, money, post, session, vouchers } from "./api.js";

const number = location.pathname.split("/").pop();
const at = (id) => document.getElementById(id);
const CHIPS = [1000, 2500, 10000, 50000, 100000];
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣", f: "火", g: "金", e: "土", w: "木", a: "水" };
const PICTURES = { S: "壽", L: "祿", F: "福" };

let state = { link: "connecting", table: null, mine: null, seq: 0, pending: {}, said: "", paper: null, recalled: null, limits: null, chip: CHIPS[0], last: {}, offset: 0 };
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

const worth = (code) => (code[0] === "A" ? 1 : Number(code[0]) || 0);
const points = (cards, hand) => ["1", "2", "3"].reduce((sum, n) => sum + (cards[hand + n] ? worth(cards[hand + n]) : 0), 0) % 10;

function onEvent(s, e) {
  const table = { ...s.table };
  switch (e.event) {
    case "BetsOpened":
      Object.assign(table, { phase: "betting", round: e.round, closes_at: e.closes_at, cards: {}, player: null, banker: null });
      return { ...s, table, mine: { ...s.mine, lines: [] } };
    case "BetsClosed":
      Object.assign(table, { phase: "closed", closes_at: null });
      break;
    case "CardDealt":
      table.phase = "dealing";
      table.cards = { ...table.cards, [e.slot]: e.card };
      Object.assign(table, { player: points(table.cards, "p"), banker: points(table.cards, "b") });
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
    case "TableHalted":
      table.halted = e.reason;
      break;
    case "TableRestarted":
      table.halted = "";
      break;
    case "ShoeEnded":
      break;
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
  at("message").textContent = s.said;
  paper(s.paper);
  recalled(s.recalled);
  if (!s.table) return;
  const notice = [s.table.halted && `No new round: ${s.table.halted}.`, s.mine.stopped && `No more wagers: ${s.mine.stopped}. Credits can be cashed out.`];
  at("notice").textContent = notice.filter(Boolean).join(" ");
  ownLimits(s);
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
  at("net").textContent = s.mine.seated ? money(s.mine.net_cents) : "–";
  at("clock").textContent = s.mine.since ? elapsed(Date.now() + s.offset - s.mine.since) : "–";
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

function elapsed(ms) {
  const minutes = Math.max(0, Math.floor(ms / 60000));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

function paper(p) {
  at("paper").hidden = !p;
  if (!p) return;
  at("paper-title").textContent = `${p.demo ? "DEMO " : ""}Voucher`;
  at("paper-house").textContent = `${p.house}${p.demo ? ": play credits, worth nothing" : ""}`;
  at("paper-cents").textContent = money(p.cents);
  at("paper-number").textContent = p.shown;
  at("paper-until").textContent = new Date(p.expires_at).toLocaleDateString();
  const size = p.qr.length;
  const squares = p.qr.flatMap((row, y) => [...row].map((on, x) => (on === "1" ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  at("paper-qr").setAttribute("viewBox", `-4 -4 ${size + 8} ${size + 8}`);
  at("paper-modules").setAttribute("d", squares);
}

function recalled(r) {
  at("recalled").hidden = !r;
  if (!r) return;
  const lines = r.lines.map((x) => `${x[1]} ${money(x[2])}: ${x[3]} ${money(x[4] + x[5] + x[6])} [${x[7]}]`);
  const rows = [
    `REPLAY of round ${r.round}, ${new Date(r.at).toLocaleString()}`,
    r.result === "VOID" ? `Void [${r.clause}]: all wagers returned` : `Player ${r.player}, Banker ${r.banker}`,
    ...r.cards.map((c) => `${c.slot} ${c.card}: ${c.why} [${c.clause}]`), ...lines,
    `Credits before ${money(r.before_cents)}, wagered ${money(r.wagered_cents)}, paid ${money(r.paid_cents)}, after ${money(r.after_cents)}`,
  ];
  at("recalled").replaceChildren(...rows.map((text) => { const li = document.createElement("li"); li.textContent = text; return li; }));
}

function ownLimits(s) {
  const l = s.limits;
  if (!l) return;
  const say = (loss, minutes) => [loss === null ? "no loss limit" : `lose at most ${money(loss)}`, minutes === null ? "no time limit" : `play at most ${minutes} minutes`].join(", ");
  at("own").textContent = `A day: ${say(l.loss_cents, l.minutes)}.` + (l.wider ? ` From ${new Date(l.wider_at).toLocaleString()}: ${say(l.wider.loss_cents, l.wider.minutes)}.` : "");
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
  const id = newId();
  const whole = { ...message, id, round: state.table.round };
  waiting.set(id, whole);
  update({ ...state, pending: { ...state.pending, [id]: whole } });
  send(whole);
}

const newId = () => `${Date.now().toString(36)}-${counter++}`;

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
  update({ ...state, said: "" });
  try { await action(); } catch (error) { update({ ...state, said: error.message }); }
}

at("bets").addEventListener("click", (event) => { const b = event.target.closest("[data-bet]"); if (b && !b.disabled) stake(b.dataset.bet, state.chip); });
at("seat").addEventListener("click", () => attempt(() => post(`/api/tables/${number}/seat`)));
at("clear").addEventListener("click", () => Object.keys(state.mine.wagers).forEach((bet) => command({ t: "withdraw", bet })));
at("rebet").addEventListener("click", () => Object.entries(state.last).forEach(([bet, cents]) => stake(bet, cents)));
at("cash-out").addEventListener("click", () => attempt(cashOut));
at("paper-print").addEventListener("click", () => print());
at("paper-done").addEventListener("click", () => { vouchers.done(number); location.reload(); }); // the next patron is another
at("recall").addEventListener("click", () => attempt(async () => {
  const wanted = at("round").value;
  const path = wanted ? `rounds/${encodeURIComponent(wanted)}` : "last-round";
  const recalled = await get(`/api/tables/${number}/${path}`); // first: the state may change meanwhile
  update({ ...state, recalled });
}));
at("limits").addEventListener("submit", (event) => {
  event.preventDefault();
  const number_ = (id) => (at(id).value === "" ? null : Number(at(id).value));
  const loss = number_("loss");
  attempt(async () => {
    const limits = await post("/api/me/limits", { loss_cents: loss === null ? null : Math.round(loss * 100), minutes: number_("minutes") });
    update({ ...state, limits });
  });
});

async function cashOut() { // an answer that is lost is asked for again with the same id: the same voucher
  const id = vouchers.get(number) || newId();
  vouchers.keep(number, id);
  try {
    const paper = await post(`/api/tables/${number}/cash-out`, { id });
    update({ ...state, said: "", paper });
  } catch (error) {
    if (!(error instanceof TypeError)) vouchers.done(number); // refused: nothing was issued
    throw error;
  }
}
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
setInterval(() => { if (state.table && (state.table.closes_at || state.mine.since)) update(state); }, 250);
attempt(async () => {
  await session();
  connect();
  const { limits } = await get("/api/me");
  update({ ...state, limits });
  if (vouchers.get(number)) await cashOut(); // a voucher that was not put away
});
