// The pit wired up: the socket feeds the state, the state draws the page, clicks and forms ask the server.
import { causeWrong, patronWrong, reasonWrong, wholeWrong, whyOf, wrongs } from "../forms/fields.js";
import { limitValues, readLimits, wrongBy } from "../forms/limits.js";
import { changedText, waiting, withdraw as withdrawChange } from "../forms/scheduled.js";
import { onForms, sheets } from "../forms/sheets.js";
import { freeNumber, openValues, readOpening } from "../forms/tables.js";
import { get, Refused, saidBy, staff, toLogin } from "../base/api.js";
import { now } from "../base/clock.js";
import { attend } from "../base/attention.js";
import { acts, byId } from "../base/dom.js";
import { cents } from "../base/money.js";
import { keep, kept } from "../base/kept.js";
import { views } from "../base/link.js";
import { doubtOf, pendings } from "../base/pending.js";
import { rulebook } from "../base/rulebook.js";
import { run } from "../base/screen.js";
import { staffActs } from "../base/staffbar.js";
import { alike, language, saidHere, setLanguage } from "../base/words.js";
import "../kit/elements.js";
import { changes, closedBy, tickedFor } from "./closing.js";
import { awardOf, first, reduce, tableOf, toDecide } from "./reduce.js";
import { view } from "./view.js";
import { alertKey, t } from "./words.js";

/** @import { Answered, Board, PitTable } from "server" */
/** @import { Values } from "../forms/fields.js" */
/** @import { Sheet, State } from "./reduce.js" */
/** @typedef {{ values: Values, more?: Partial<Sheet> }} Fill */

const MOST_ROUND = 999_999_999;
const SEEN = "pit-seen", READ = "pit-decided", TICK_MS = 1000;
const root = byId("screen");
setLanguage(language());
const loop = run({
  root, first: first({ seen: kept(SEEN, []), read: kept(READ, []) }), reduce, view, after,
  drawn: () => sheets(root, () => tell({ t: "cancel" })),
});
const { tell } = loop;

/** @param {State} before @param {State} state */
function after(before, state) {
  if (state.seen !== before.seen) keepSeen(state);
  if (state.read !== before.read) keep(READ, state.read);
  attend({ page: t("Pit"), before: before.board && toDecide(before), waits: toDecide(state) });
}

/** The alerts opened here, as long as the server still shows them. @param {State} state */
function keepSeen({ board, seen }) {
  const shown = new Set(board?.alerts.map(alertKey));
  keep(SEEN, seen.filter((key) => shown.has(key)));
}

const commands = pendings({
  place: () => `pit ${loop.state.me?.name ?? ""}`,
  onDoubt: (_, error) => tell({ t: "doubt", error: () => saidHere(doubtOf(error).reason) }),
});

/**
 * Ask the server for something; what it refuses is said in the sheet, in its own words. `done` may look at the answer.
 * @param {[path: string, body?: object]} command
 * @param {string | ((answer: any) => string)} done
 * @param {Values} [values]
 */
function ask([path, body = {}], done, values) {
  tell({ t: "asked", values });
  const text = typeof done === "string" ? done : t("It was recorded.");
  return follow(commands.send(JSON.stringify([path, body]), path, body, { about: { text } }), done);
}

/** @param {Promise<any>} sent @param {string | ((answer: any) => string)} done */
async function follow(sent, done) {
  const { sheet } = loop.state;
  try {
    const found = await sent;
    const answer = /** @type {Partial<Answered>} */ (found);
    if (answer?.ok === false) throw new Refused({ ...answer, reason: answer.reason ?? alike("") }, 409);
    const text = typeof done === "string" ? done : done(found);
    tell(isOpen(sheet) ? { t: "done", text } : { t: "said", text });
    return found;
  } catch (thrown) {
    const error = /** @type {Refused} */ (thrown);
    const wrong = wrongBy(error);
    if (!isOpen(sheet)) tell({ t: "said", text: saidBy(error), wrong: true });
    else tell(wrong ? { t: "wrong", wrong } : { t: "wrong", error: saidBy(error) });
    if (error.status === 401) toLogin();
    return null;
  }
}

/** Whether a sheet still waits for its answer; one in doubt can be put away. @param {Sheet | null} sheet */
const isOpen = (sheet) => Boolean(sheet && loop.state.sheet?.busy && loop.state.sheet.kind === sheet.kind);

/** @type {(table: number, body: object) => [string, object]} */
const command = (table, body) => [`/api/staff/tables/${table}/commands`, { command: body }];
/** @param {number} table @param {number} proposal */
const approve = (table, proposal) => command(table, { command: "approve", proposal });
/** @param {number} table @param {number} proposal @param {string} reason */
const reject = (table, proposal, reason) => command(table, { command: "reject", proposal, reason });
/** @param {number} table @param {number} proposal */
const withdraw = (table, proposal) => command(table, { command: "withdraw-proposal", proposal });
/** @type {(it: Sheet, what: string, more?: object) => [string, object]} */
const decidePayment = ({ window: at, payment }, what, more = {}) =>
  [`/api/staff/cage/${at}/${what}`, { payment, ...more }];
const of = (/** @type {number} */ table) => /** @type {const} */ (`/api/admin/tables/${table}`);

/**
 * What each sheet asks for; `it` has the table and the proposal that it was opened with.
 * @type {Record<string, (it: any, values: Values) => unknown>}
 */
const ASK = {
  look: ({ table, proposal }) => ask(approve(table, proposal), t("Approved")),
  refuse: ({ table, proposal }, values) => ask(reject(table, proposal, values.reason), t("Refused"), values),
  withdraw: ({ table, proposal }) => ask(withdraw(table, proposal), t("Withdrawn")),
  "look-payment": (it) => ask(decidePayment(it, "approve"), t("Approved: the cashier goes on")),
  "refuse-payment": (it, values) =>
    ask(decidePayment(it, "reject", { reason: values.reason }), t("Refused"), values),
  "withdraw-payment": (it) => ask(decidePayment(it, "withdraw"), t("Withdrawn")),
  review({ table, review }, values) {
    const { decision, clause, note } = values, chosen = (/** @type {string} */ text) => (text ? "" : t("Choose."));
    const wrong = wrongs({ decision: chosen(decision), clause: chosen(clause), note: reasonWrong(note) });
    if (wrong) return tell({ t: "wrong", wrong, values });
    const answer = { command: "answer-review", review, decision, clause, note: note.trim().replace(/\s+/g, " ") };
    return ask(command(table, answer), t("Review {0} is answered", review), values);
  },
  "ask-review"({ table }, { round, session, complaint, note }) {
    const values = { round, session, complaint, note }, text = note.trim().replace(/\s+/g, " ");
    const wrong = wrongs({
      round: wholeWrong(round, 1, MOST_ROUND), session: patronWrong(session), complaint: complaint ? "" : t("Choose."),
    });
    if (wrong) return tell({ t: "wrong", wrong, values });
    const asked = { command: "ask-review", round: Number(round), session, complaint, note: text };
    return ask(command(table, asked), t("A review of round {0} is asked for", round), values);
  },
  adjust({ table, award }, values) {
    const given = award === undefined ? null : awardOf(loop.state.board, { table, award })?.award;
    const round = given?.round ?? Number(values.round), session = given?.session ?? values.session;
    const oneLine = (/** @type {string} */ text) => (text ?? "").trim().replace(/\s+/g, " ");
    const direction = oneLine(values.direction), clause = given ? "" : oneLine(values.clause);
    const amount = cents((values.amount ?? "").trim());
    const wrong = wrongs({
      amount: amount ? "" : t("Dollars and cents, more than zero."), note: reasonWrong(values.note ?? ""),
      direction: given?.referred && !direction ? t("Say which.") : "",
      ...(given ? {} : {
        round: wholeWrong(values.round ?? "", 1, MOST_ROUND), session: patronWrong(session ?? ""),
        clause: Boolean(clause) === Boolean(direction) ? t("A clause or a direction, one of the two.") : "",
      }),
    });
    if (wrong) return tell({ t: "wrong", wrong, values });
    const note = oneLine(values.note), review = award ?? 0;
    const asked = { command: "adjust", session, round, cents: amount, note, review, clause, direction };
    return ask(command(table, asked), t("The payment waits for a second person"), values);
  },
  "stop-table": ({ table }, values) =>
    ask([`${of(table)}/stop`, whyOf(values)], t("Table {0} is stopped", table), values),
  "start-table": ({ table }) => ask([`${of(table)}/start`], t("Table {0} is started", table)),
  "close-table": ({ table }, values) => close(table, values),
  "stop-floor": (_, values) =>
    ask(["/api/admin/floor/stop", whyOf(values)], t("The floor is stopped"), values),
  "start-floor": () => ask(["/api/admin/floor/start"], t("The floor is started")),
  limits({ table, game }, values) {
    const { limits, wrong } = readLimits(game, values);
    if (wrong) return tell({ t: "wrong", wrong, values });
    return changeLimits(table, { limits }, values);
  },
  bets({ table }, values) {
    const found = tableOf(loop.state, table);
    if (!found) return null;
    const closed = closedBy(found, values), { isSame } = changes(found, closed);
    if (isSame) return tell({ t: "wrong", error: t("Nothing would change."), values });
    return open({ kind: "bets-sure", table, closed });
  },
  "bets-sure": ({ table, closed }) => changeLimits(table, { closed }),
  "open-table"({ games }, values) {
    const { body, wrong } = readOpening(games, values, openNumbers());
    if (wrong) return tell({ t: "wrong", wrong, values });
    return ask(["/api/admin/tables", body], t("Table {0} is open", body.number), values);
  },
};
const WITH_REASON = new Set(["refuse", "refuse-payment"]);
const WITH_CAUSE = new Set(["stop-table", "close-table", "stop-floor"]);
const openNumbers = () =>
  (loop.state.board?.tables ?? []).filter((table) => table.phase !== "down").map((table) => table.number);

/** Closed now; or, where a round is in play, by the server as soon as that is over.
 * @param {number} number @param {Values} values */
async function close(number, values) {
  const found = await ask([`${of(number)}/disable`, whyOf(values)], t("Table {0} closes", number), values);
  if (found?.closed) tell({ t: "said", text: t("Table {0} is closed", number) });
}

/**
 * Limits, or which bets are closed: now, or where a round is in play, when it is over.
 * @param {number} table
 * @param {object} body
 * @param {Values} [values]
 */
const changeLimits = (table, body, values) =>
  ask([of(table), body], (row) => changedText(table, row, "limits"), values);

const causes = async () => ({ more: { causes: await get("/api/admin/causes") }, values: {} });

/**
 * What a sheet needs to know before it can be filled in.
 * @type {Record<string, (it: Partial<Sheet>) => Fill | Promise<Fill>>}
 */
const FILL = {
  "ask-review": async () => ({ more: { complaints: await get("/api/staff/complaints") }, values: {} }),
  "stop-table": causes, "close-table": causes, "stop-floor": causes,
  async review({ table, review }) {
    const found = await get(`/api/staff/tables/${Number(table)}/reviews/${Number(review)}`);
    return { more: { case: found }, values: {} };
  },
  bets: ({ table }) => ({ values: tickedFor(/** @type {PitTable} */ (tableOf(loop.state, table))) }),
  async limits({ table }) {
    const [rows, games] = await Promise.all([get("/api/admin/tables"), get("/api/admin/games")]);
    const row = rows.find((each) => each.table === `table:${table}`);
    const game = games.find((each) => each.game === row?.game);
    if (!game || !row?.limits) throw new Error(t("This table was never opened."));
    return { more: { game }, values: limitValues(game, waiting(row, "limits") ?? row.limits) };
  },
  async "open-table"({ table }) {
    const games = await get("/api/admin/games"), known = tableOf(loop.state, table);
    const number = table ?? freeNumber((loop.state.board?.tables ?? []).map((each) => each.number));
    return { more: { games }, values: openValues(games, { number, game: known?.game, dealing: known?.dealt_by }) };
  },
};

/** @param {Partial<Sheet> & { kind: string }} sheet */
async function open(sheet) {
  tell({ t: "sheet", sheet });
  if (!FILL[sheet.kind]) return;
  try {
    tell({ t: "values", ...(await FILL[sheet.kind](sheet)) });
  } catch (error) {
    tell({ t: "wrong", error: saidBy(error) });
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
  "withdraw-change": withdrawChange(tell, commands),
  "all-seen": () => tell({ t: "all-seen" }),
  "decided-seen": () => tell({ t: "decided-seen" }),
  ask({ dataset: { sheet, ...about } }) {
    const which = ["table", "proposal", "window", "payment", "review", "award"].filter((name) => about[name]);
    open({ kind: sheet, ...Object.fromEntries(which.map((name) => [name, Number(about[name])])) });
  },
  async edges({ dataset: { table, round } }) {
    const key = `table:${table}/${round}`;
    try {
      const found = await get(`/api/staff/tables/${Number(table)}/rounds/${Number(round)}/edges`);
      tell({ t: "edges", round: key, found });
    } catch (error) {
      tell({ t: "edges", round: key, found: { error: /** @type {Error} */ (error).message } });
    }
  },
});
/** @param {string} kind @param {Values} values */
function missing(kind, values) {
  if (WITH_CAUSE.has(kind)) return causeWrong(values);
  return WITH_REASON.has(kind) ? wrongs({ reason: reasonWrong(values.reason ?? "") }) : null;
}

onForms(root, {
  submit(kind, values) {
    if (!loop.state.sheet || loop.state.sheet.busy || loop.state.sheet.kind !== kind) return;
    const wrong = missing(kind, values);
    if (wrong) tell({ t: "wrong", wrong, values });
    else ASK[kind](loop.state.sheet, values);
  },
  change(name, values) { // another game, or who deals: other bets and another clock
    if (name === "reopen-form") tell({ t: "values", values: openValues(loop.state.sheet?.games ?? [], values) });
  },
});

/** @param {Board} view @param {number} at */
function viewed(view, at) {
  tell({ t: "view", view, at });
  tell({ t: "tick", now: at });
}

setInterval(() => tell({ t: "tick", now: now() }), TICK_MS);
const me = await staff().catch(() => null); // nobody: the login page is on its way
tell({ t: "me", me });
if (me) commands.resume(({ about }, answer) => follow(answer, about.text)); // what an earlier page has left
if (me) views({ pit: viewed }, {
  onState: (link) => tell({ t: "link", state: link }),
  onRefused: (_, refused) => tell({ t: "refused-view", refused }),
  onBye: toLogin,
});
