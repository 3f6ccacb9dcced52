// The pit wired up: the socket feeds the state, the state draws the page, clicks and forms ask the server.
import { reasonWrong, wrongs } from "../forms/fields.js";
import { doneOf, saysOf, work } from "../forms/later.js";
import { limitValues, readLimits } from "../forms/limits.js";
import { onForms, sheets } from "../forms/sheets.js";
import { freeNumber, openValues, readOpening } from "../forms/tables.js";
import { get, newId, post, staff, toLogin } from "../base/api.js";
import { now } from "../base/clock.js";
import { acts, patch } from "../base/dom.js";
import { keep, kept } from "../base/kept.js";
import { views } from "../base/link.js";
import { rulebook } from "../base/rulebook.js";
import { staffActs } from "../base/staffbar.js";
import "../kit/elements.js";
import { changes, closedBy, tickedFor } from "./closing.js";
import { first, reduce, tableOf } from "./reduce.js";
import { view } from "./view.js";
import { alertKey } from "./words.js";

const SEEN = "pit-seen", READ = "pit-decided", TICK_MS = 1000;
const root = document.getElementById("screen");
let state = first({ seen: kept(SEEN, []), read: kept(READ, []) }), drawing = false;

function tell(message) {
  const before = state;
  state = reduce(state, message);
  if (state.seen !== before.seen) keepSeen();
  if (state.read !== before.read) keep(READ, state.read);
  if (!drawing) { drawing = true; requestAnimationFrame(draw); }
}

/** The alerts opened here, as long as the server still shows them. */
function keepSeen() {
  const shown = new Set(state.board?.alerts.map(alertKey));
  keep(SEEN, state.seen.filter((key) => shown.has(key)));
}

function draw() {
  drawing = false;
  patch(root, view(state));
  sheets(root, () => tell({ t: "cancel" }));
}

/** Ask the server for something; what it refuses is said in the sheet, in its own words. `notNow` is another way. */
async function ask(work, done, values, notNow = null) {
  tell({ t: "asked", values });
  try {
    const found = await work();
    if (found && found.ok === false) throw Object.assign(new Error(found.reason), { clause: found.clause });
    tell({ t: "done", text: done });
    return found;
  } catch (error) {
    if (notNow && error.code === "not-now") return notNow();
    const reason = error.reason ?? error.message;
    tell({ t: "wrong", error: error.clause ? `${reason} [${error.clause}]` : reason });
    if (error.status === 401) toLogin();
    return null;
  }
}

const command = (table, body) => post(`/api/staff/tables/${table}/commands`, { id: newId(), command: body });
const approve = (table, proposal) => command(table, { command: "approve", proposal });
const reject = (table, proposal, reason) => command(table, { command: "reject", proposal, reason });
const withdraw = (table, proposal) => command(table, { command: "withdraw-proposal", proposal });
const decidePayment = ({ window: at, payment }, what, more = {}) =>
  post(`/api/staff/cage/${at}/${what}`, { id: newId(), payment, ...more });
const of = (table) => `/api/admin/tables/${table}`;

const ASK = {
  look: ({ table, proposal }) => ask(() => approve(table, proposal), "Approved"),
  refuse: ({ table, proposal }, values) => ask(() => reject(table, proposal, values.reason), "Refused", values),
  withdraw: ({ table, proposal }) => ask(() => withdraw(table, proposal), "Withdrawn"),
  "look-payment": (it) => ask(() => decidePayment(it, "approve"), "Approved: the cashier goes on"),
  "refuse-payment": (it, values) =>
    ask(() => decidePayment(it, "reject", { reason: values.reason }), "Refused", values),
  "withdraw-payment": (it) => ask(() => decidePayment(it, "withdraw"), "Withdrawn"),
  "stop-table": ({ table }, values) =>
    ask(() => post(`${of(table)}/stop`, values), `Table ${table} is stopped`, values),
  "start-table": ({ table }) => ask(() => post(`${of(table)}/start`), `Table ${table} is started`),
  "close-table": ({ table }, values) => close(table, values),
  "stop-floor": (_, values) => ask(() => post("/api/admin/floor/stop", values), "The floor is stopped", values),
  "start-floor": () => ask(() => post("/api/admin/floor/start"), "The floor is started"),
  limits({ table, game }, values) {
    const { limits, wrong } = readLimits(game, values);
    if (wrong) return tell({ t: "wrong", wrong, values });
    return changeLimits(table, limits, values);
  },
  bets({ table }, values) {
    const found = tableOf(state, table), closed = closedBy(found, values), { isSame } = changes(found, closed);
    if (isSame) return tell({ t: "wrong", error: "Nothing would change.", values });
    return open({ kind: "bets-sure", table, closed });
  },
  "bets-sure": ({ table, closed }) => changeBets(table, closed),
  "open-table"({ games }, values) {
    const { body, wrong } = readOpening(games, values, openNumbers());
    if (wrong) return tell({ t: "wrong", wrong, values });
    return ask(() => post("/api/admin/tables", body), `Table ${body.number} is open`, values);
  },
};
const WITH_REASON = new Set(["refuse", "refuse-payment", "stop-table", "close-table", "stop-floor"]);
const openNumbers = () => state.board.tables.filter((table) => table.phase !== "down").map((table) => table.number);

/** Closed now; or, where a round is in play, by the server as soon as that is over. */
async function close(number, values) {
  const work = () => post(`${of(number)}/disable`, { reason: values.reason });
  const found = await ask(work, `Table ${number} closes`, values);
  if (found?.closed) tell({ t: "said", text: `Table ${number} is closed` });
}

const changeLimits = (table, limits, values) => change({ table, what: "limits", body: { limits } }, values);
const changeBets = (table, closed) => change({ table, what: "bets", body: { closed } });

/** Now, or where a round is in play, when it is over; also where one has opened meanwhile. */
function change(job, values) {
  const { table } = job, later = () => {
    tell({ t: "later", job });
    tell({ t: "done", text: `Table ${table}: ${saysOf(job)}` });
  };
  if (tableOf(state, table).is_in_play) return later();
  return ask(() => post(of(table), job.body), `Table ${table} ${doneOf(job)}`, values, later);
}

function isOver(number) {
  const table = tableOf(state, number);
  return Boolean(table) && table.phase !== "down" && !table.is_in_play;
}

/** What a sheet needs to know before it can be filled in. */
const FILL = {
  bets: ({ table }) => ({ values: tickedFor(tableOf(state, table)) }),
  async limits({ table }) {
    const [rows, games] = await Promise.all([get("/api/admin/tables"), get("/api/admin/games")]);
    const row = rows.find((each) => each.table === `table:${table}`);
    const game = games.find((each) => each.game === row.game);
    return { more: { game }, values: limitValues(game, row.limits) };
  },
  async "open-table"({ table }) {
    const games = await get("/api/admin/games"), known = tableOf(state, table);
    const number = table ?? freeNumber(state.board.tables.map((each) => each.number));
    return { more: { games }, values: openValues(games, { number, game: known?.game, dealing: known?.dealt_by }) };
  },
};

async function open(sheet) {
  tell({ t: "sheet", sheet });
  if (!FILL[sheet.kind]) return;
  try {
    tell({ t: "values", ...(await FILL[sheet.kind](sheet)) });
  } catch (error) {
    tell({ t: "wrong", error: error.message });
  }
}

const rules = rulebook();

acts(root, {
  ...staffActs,
  clause: ({ dataset }) => rules.open(dataset),
  select: (element) => tell({ t: "select", table: Number(element.dataset.table) }),
  tab: (element) => tell({ t: "tab", tab: element.dataset.tab }),
  alert: (element) => tell({ t: "alert", key: element.dataset.alert }),
  cancel: () => tell({ t: "cancel" }),
  seen: () => tell({ t: "trouble-seen" }),
  "all-seen": () => tell({ t: "all-seen" }),
  "decided-seen": () => tell({ t: "decided-seen" }),
  ask({ dataset: { sheet, ...about } }) {
    const which = ["table", "proposal", "window", "payment"].filter((name) => about[name]);
    open({ kind: sheet, ...Object.fromEntries(which.map((name) => [name, Number(about[name])])) });
  },
  async edges({ dataset: { table, round } }) {
    const key = `table:${table}/${round}`;
    try {
      tell({ t: "edges", round: key, found: await get(`/api/staff/tables/${table}/rounds/${round}/edges`) });
    } catch (error) {
      tell({ t: "edges", round: key, found: { error: error.message } });
    }
  },
});
onForms(root, {
  submit(kind, values) {
    if (!state.sheet || state.sheet.busy || state.sheet.kind !== kind) return;
    const wrong = WITH_REASON.has(kind) ? wrongs({ reason: reasonWrong(values.reason ?? "") }) : null;
    if (wrong) tell({ t: "wrong", wrong, values });
    else ASK[kind](state.sheet, values);
  },
  change(name, values) { // another game, or who deals: other bets and another clock
    if (name === "reopen-form") tell({ t: "values", values: openValues(state.sheet.games, values) });
  },
});

function viewed(view, at) {
  tell({ t: "view", view, at });
  tell({ t: "tick", now: at });
  work(state.later, { isOver, post, tell });
}

setInterval(() => tell({ t: "tick", now: now() }), TICK_MS);
const me = await staff().catch(() => null); // nobody: the login page is on its way
tell({ t: "me", me });
if (me) views({ pit: viewed }, {
  onState: (link) => tell({ t: "link", state: link }),
  onRefused: (_, reason) => tell({ t: "refused-view", reason }),
  onBye: toLogin,
});
