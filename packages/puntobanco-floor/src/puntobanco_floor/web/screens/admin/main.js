// The administration wired up: the socket feeds the state, the state draws the page, forms ask the server.
import { get, Refused, saidBy, staff, toLogin } from "../base/api.js";
import { acts, byId, listen } from "../base/dom.js";
import { views } from "../base/link.js";
import { doubtOf, pendings } from "../base/pending.js";
import { run } from "../base/screen.js";
import { atHouse } from "../base/money.js";
import { roleName, staffActs } from "../base/staffbar.js";
import { alike, language, saidHere, setLanguage } from "../base/words.js";
import "../kit/elements.js";
import { cardValues, readCards } from "../forms/cards.js";
import { causeWrong, nameWrong, patronWrong, reasonWrong, whyOf, wrongs } from "../forms/fields.js";
import { clockValues, limitValues, readClock, readLimits } from "../forms/limits.js";
import { changedText, waiting, withdraw } from "../forms/scheduled.js";
import { first, gameOf, namesOf, placed, reduce, rowOf } from "./reduce.js";
import { onForms, sheets } from "../forms/sheets.js";
import { freeNumber, openValues, readOpening } from "../forms/tables.js";
import { view } from "./view.js";
import { numberOf, TABS, t } from "./words.js";

/** @import { GameChoice, ScheduledChange } from "server" */
/** @import { Values, Wrong } from "../forms/fields.js" */
/** @import { Secret, Sheet } from "./reduce.js" */

const root = byId("screen");
const asked = location.hash.slice(1);
setLanguage(language());
const loop = run({
  root, first: first({ tab: TABS.some(([id]) => id === asked) ? asked : "tables" }), reduce, view,
  drawn: () => sheets(root, cancel),
});
const { tell } = loop;

function cancel() {
  if (!loop.state.secret) tell({ t: "cancel" }); // a secret is put away on purpose only
}

/** @typedef {Pick<Secret, "what" | "where">} Shown */

const commands = pendings({
  place: () => `admin ${loop.state.me?.name ?? ""}`,
  onDoubt: (_, error) => tell({ t: "doubt", error: () => saidHere(doubtOf(error).reason) }),
});

/**
 * Ask the server; what it refuses stands beside its field, in its own words. A secret is kept only to be shown.
 * `text` may look at the answer.
 * @param {string} path
 * @param {object | undefined} body
 * @param {string | ((answer: any) => string)} [text]
 * @param {{ secret?: Shown, values?: Values }} [more]
 */
function ask(path, body = {}, text = "", { secret, values } = {}) {
  tell({ t: "asked", values });
  const about = { text: typeof text === "string" ? text : t("It was recorded."), secret };
  return follow(commands.send(JSON.stringify([path, body]), path, body, { about }), text, secret);
}

/** @param {Promise<any>} sent @param {string | ((answer: any) => string)} text @param {Shown} [secret] */
async function follow(sent, text, secret) {
  const { sheet } = loop.state, kind = sheet?.kind ?? "";
  try {
    const found = await sent;
    if (found?.ok === false) throw new Refused({ ...found, reason: found.reason ?? alike("") }, 409); // looked up
    const made = found?.secret || found?.code;
    const shown = secret && made ? { ...secret, name: found.name, secret: made } : undefined;
    const says = typeof text === "string" ? text : text(found);
    tell(isOpen(sheet) || shown ? { t: "done", text: says, secret: shown } : { t: "said", text: says });
    return found;
  } catch (found) {
    const error = /** @type {Refused} */ (found);
    if (isOpen(sheet)) tell({ t: "wrong", ...placed(kind, error) });
    else tell({ t: "said", text: saidBy(error), wrong: true });
    if (error.status === 401) toLogin();
    return null;
  }
}

/** Whether a sheet still waits for its answer; one in doubt can be put away. @param {Sheet | null} sheet */
const isOpen = (sheet) => Boolean(sheet && loop.state.sheet?.busy && loop.state.sheet.kind === sheet.kind);

/**
 * Limits, clock or cards: now, or where a round is in play, when it is over.
 * @param {Sheet} it
 * @param {ScheduledChange["kind"]} kind
 * @param {object} body
 * @param {Values} values
 */
const change = ({ name: stream }, kind, body, values) =>
  ask(tablePath(stream), body, (row) => changedText(numberOf(stream), row, kind), { values });

const OWNER = { what: "owner", where: `${location.origin}/staff` };
const waits = (/** @type {string} */ done) => (/** @type {{ proposal: number }} */ found) =>
  (found.proposal ? t("It waits for a second person, as proposal {0}", found.proposal) : done);
const CODE = { what: "code", where: `${location.origin}/enrol` };
const tablePath = (/** @type {string | undefined} */ stream) => `/api/admin/tables/${numberOf(stream)}`;
const staffPath = (/** @type {string} */ name = "") => `/api/admin/staff/${encodeURIComponent(name)}`;
const terminalPath = (/** @type {string} */ name = "") => `/api/admin/terminals/${encodeURIComponent(name)}`;
const exclusionPath = (/** @type {string} */ patron = "") => `/api/admin/exclusions/${encodeURIComponent(patron)}`;
const reason = (/** @type {Values} */ { reason: text }) => wrongs({ reason: reasonWrong(text ?? "") });
/** @param {{ name: string }[] | null | undefined} list @param {string} name */
const newName = (list, name) => wrongs({ name: nameWrong(name, namesOf(list)) });
// A sheet about a table's bets is asked for only where its game is known.
const gameAt = (/** @type {string | undefined} */ stream = "") =>
  /** @type {GameChoice} */ (gameOf(loop.state, rowOf(loop.state, stream)?.game ?? ""));
const open = () =>
  (loop.state.house?.tables ?? []).filter((row) => row.phase !== "down").map((row) => numberOf(row.table));

/**
 * Each form: what is wrong with it, and what is asked of the server. `read` may give a body in place of the values.
 * @type {Record<string, {
 *   read?: (values: Values, it: Sheet) => { wrong?: Wrong | null, [part: string]: any },
 *   wrong?: (values: Values) => Wrong | null,
 *   ask: (it: Sheet, values: Values, body: any, read: any) => unknown,
 * }>}
 */
const FORMS = {
  "open-table": {
    read: (values) => readOpening(loop.state.games ?? [], values, open()),
    ask: (_, values, body) => ask("/api/admin/tables", body, t("Table {0} is open", body.number), { values }),
  },
  limits: {
    read: (values, it) => readLimits(gameAt(it.name), values),
    ask: (it, values, _, { limits }) => change(it, "limits", { limits }, values),
  },
  clock: {
    read: (values) => readClock(values),
    ask: (it, values, _, { clock }) => change(it, "clock", { clock }, values),
  },
  cards: {
    read: (values, it) => readCards(gameAt(it.name), values),
    ask: (it, values, _, { cards }) => change(it, "cards", { cards }, values),
  },
  "stop-table": {
    wrong: causeWrong,
    ask: (it, values) =>
      ask(`${tablePath(it.name)}/stop`, whyOf(values), t("The table is stopped"), { values }),
  },
  "start-table": { ask: (it) => ask(`${tablePath(it.name)}/start`, undefined, t("The table is started")) },
  "disable-table": { // now; or, where a round is in play, by the server as soon as that is over
    wrong: causeWrong,
    ask: (it, values) => ask(`${tablePath(it.name)}/disable`, whyOf(values),
      t("Table {0} closes", numberOf(it.name)), { values }),
  },
  "stop-floor": {
    wrong: causeWrong,
    ask: (_, values) => ask("/api/admin/floor/stop", whyOf(values), t("The floor is stopped"), { values }),
  },
  "start-floor": { ask: () => ask("/api/admin/floor/start", undefined, t("The floor is started")) },
  "add-staff": {
    wrong: ({ name }) => newName(loop.state.house?.staff, name),
    ask: (_, values) => ask("/api/admin/staff", { name: values.name, role: values.role },
      waits(t("{0} is added", values.name)), { secret: OWNER, values }),
  },
  "new-enrolment": {
    ask: (it) => ask(staffPath(it.name), { new_code: true }, waits(t("A new code is made")), { secret: OWNER }),
  },
  agree: {
    ask: (it) => ask(`/api/admin/proposals/${it.name}/agree`, undefined, t("Proposal {0} is approved", it.name),
      { secret: OWNER }),
  },
  "turn-down": {
    wrong: reason,
    ask: (it, values) => ask(`/api/admin/proposals/${it.name}/turn-down`, { reason: values.reason },
      t("Proposal {0} is turned down", it.name), { values }),
  },
  "change-role": {
    ask: (it, values) =>
      ask(staffPath(it.name), { role: values.role }, waits(t("{0} is {1} now", it.name, roleName(values.role))),
        { values }),
  },
  "disable-staff": {
    wrong: reason,
    ask: (it, values) => ask(staffPath(it.name), { disable: values.reason }, t("{0} is disabled", it.name), { values }),
  },
  "enable-staff": { ask: (it) => ask(staffPath(it.name), { enable: true }, t("{0} is enabled", it.name)) },
  "confirm-staff": { ask: (it) => ask(staffPath(it.name), { confirm: true }, t("{0} is confirmed", it.name)) },
  "add-terminal": {
    wrong: ({ name }) => newName(loop.state.house?.terminals, name),
    ask: (_, values) => ask("/api/admin/terminals", { name: values.name, table: Number(values.table) },
      t("{0} is added", values.name), { secret: CODE, values }),
  },
  "move-terminal": {
    ask: (it, values) =>
      ask(terminalPath(it.name), { table: Number(values.table) }, t("{0} is moved", it.name), { values }),
  },
  "new-code": {
    ask: (it) => ask(terminalPath(it.name), { new_code: true }, t("A new code is made"), { secret: CODE }),
  },
  "disable-terminal": {
    wrong: reason,
    ask: (it, values) => ask(terminalPath(it.name), { disable: values.reason }, t("{0} is disabled", it.name),
      { values }),
  },
  exclude: {
    wrong: (values) => wrongs({ patron: patronWrong(values.patron), ...reason(values), until: past(values.until) }),
    ask: (_, values) => ask("/api/admin/exclusions", exclusion(values), t("{0} is excluded", values.patron),
      { values }),
  },
  readmit: {
    wrong: ({ sure }) => (sure ? null : { sure: t("Tick the box first.") }),
    ask: (it) => ask(`${exclusionPath(it.name)}/end`, undefined, waits(t("{0} may play again", it.name))),
  },
};

/** @param {string} text */
const past = (text) => (text && !(atHouse(text) > Date.now()) ? t("A moment that is still to come.") : "");

const exclusion = (/** @type {Values} */ { patron, reason: why, until }) =>
  ({ patron, reason: why, until: until ? atHouse(until) : null });

/** What a sheet holds as it opens. @param {string} kind @param {string} name @returns {Values} */
function values(kind, name) {
  const row = rowOf(loop.state, name), game = row && gameOf(loop.state, row.game);
  if (kind === "limits" && game && row.limits) return limitValues(game, waiting(row, "limits") ?? row.limits);
  if (kind === "clock" && row) return clockValues(waiting(row, "clock") ?? row.clock);
  if (kind === "cards" && row) return cardValues(waiting(row, "cards") ?? row.cards);
  if (kind !== "open-table") return {};
  const numbers = (loop.state.house?.tables ?? []).map((each) => numberOf(each.table));
  const chosen = row ? { number: numberOf(name), game: row.game } : { number: freeNumber(numbers) };
  return openValues(loop.state.games ?? [], chosen);
}

acts(root, {
  ...staffActs,
  tab: ({ dataset: { tab } }) => { history.replaceState(null, "", `#${tab}`); tell({ t: "tab", tab }); },
  ask: ({ dataset: { sheet: kind, name } }) => tell({ t: "sheet", sheet: { kind, name, values: values(kind, name) } }),
  cancel: () => tell({ t: "cancel" }),
  seen: () => tell({ t: "trouble-seen" }),
  "withdraw-change": withdraw(tell, commands),
  "put-away": () => tell({ t: "put-away" }),
  async copy() {
    try {
      await navigator.clipboard.writeText(loop.state.secret?.secret ?? "");
      tell({ t: "copied" });
    } catch { // no clipboard here: mark it, so that one key copies it
      getSelection()?.selectAllChildren(byId("secret"));
    }
  },
});
listen(root, "input", (target) => {
  if (target.matches("[data-find]")) tell({ t: "filter", text: target.value });
});
onForms(root, {
  submit(kind, typed) {
    const it = loop.state.sheet, form = FORMS[kind];
    if (!it || it.busy || it.kind !== kind) return;
    const read = form.read?.(typed, it) ?? {};
    const wrong = read.wrong ?? form.wrong?.(typed) ?? null;
    if (wrong) tell({ t: "wrong", wrong, values: typed });
    else form.ask(it, typed, read.body, read);
  },
  change(name, typed) {
    if (name === "reopen-form") tell({ t: "values", values: openValues(loop.state.games ?? [], typed) });
  },
});

const me = await staff().catch(() => null); // nobody: the login page is on its way
tell({ t: "me", me });
if (me) {
  commands.resume(({ about }, answer) => follow(answer, about.text, about.secret)); // what an earlier page has left
  views({ house: (found) => tell({ t: "view", view: found }) }, {
    onState: (link) => tell({ t: "link", state: link }),
    onRefused: (_, reason) => tell({ t: "refused-view", reason: saidHere(reason) }),
    onBye: toLogin,
  });
  get("/api/admin/games").then((games) => tell({ t: "games", games }), () => {});
  get("/api/admin/causes").then((causes) => tell({ t: "causes", causes }), () => {});
  get("/api/admin/settings").then((settings) => tell({ t: "settings", settings }), () => {});
}
