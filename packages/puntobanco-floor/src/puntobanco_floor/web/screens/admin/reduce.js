// The administration's state: the house as it stands, the tab, the sheet, and a secret while it is shown. Pure.
import { saidBy } from "../base/api.js";
import { wrongBy } from "../forms/limits.js";

/** @import { Choice, GameChoice, HouseView, SettingView, StaffMe } from "server" */
/** @import { Refused } from "../base/api.js" */
/** @import { LinkState } from "../base/link.js" */
/** @import { Words } from "../base/words.js" */
/** @import { Values, Wrong } from "../forms/fields.js" */
/** @import { Told } from "../forms/scheduled.js" */

/**
 * @typedef {{ kind: string, name?: string, values: Values, wrong: Wrong | null, error: Words, busy: boolean }} Sheet
 * @typedef {{ what: string, where: string, name: string, secret: string, copied?: boolean }} Secret
 * @typedef {{
 *   me: StaffMe | null, link: LinkState, house: HouseView | null, games: GameChoice[] | null,
 *   settings: SettingView[] | null, causes: Choice[] | null, refused: string, tab: string, filter: string,
 *   sheet: Sheet | null, secret: Secret | null, said: Words, trouble: Words,
 * }} State
 * @typedef {{ wrong?: Wrong | null, error?: Words, values?: Values }} Trouble
 * @typedef {State & { house: HouseView }} Seen once the house has been read
 * @typedef {{ t: "me", me: StaffMe | null } | { t: "link", state: LinkState } | { t: "view", view: HouseView }
 *   | { t: "refused-view", reason: string } | { t: "games", games: GameChoice[] }
 *   | { t: "settings", settings: SettingView[] } | { t: "causes", causes: Choice[] }
 *   | { t: "tab", tab: string } | { t: "filter", text: string }
 *   | { t: "sheet", sheet: Partial<Sheet> & { kind: string } } | { t: "values", values: Values }
 *   | { t: "doubt", error: Words }
 *   | { t: "asked", values?: Values } | ({ t: "wrong" } & Trouble) | { t: "done", text: string, secret?: Secret }
 *   | Told | { t: "trouble-seen" } | { t: "copied" } | { t: "put-away" } | { t: "cancel" }} Message
 */

/** @type {(asked?: { tab?: string }) => State} */
export const first = ({ tab = "tables" } = {}) => ({
  me: null,
  link: "connecting", // "open" or "lost"
  house: null, // {house, demo, stopped, tables, staff, terminals, exclusions}
  games: null, // what tables can be opened with
  settings: null,
  causes: null, // why a table or the floor may be stopped
  refused: "",
  tab,
  filter: "", // of staff and terminals
  sheet: null, // {kind, name, values, wrong, error, busy}
  secret: null, // {what, name, secret, copied}: shown once, and forgotten when it is put away
  said: "",
  trouble: "", // what could not be done, where no sheet says it
});

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "link": return linked(state, message.state);
    case "view": return { ...state, house: message.view, link: "open", refused: "" };
    case "refused-view": return { ...state, refused: message.reason };
    case "games": return { ...state, games: message.games };
    case "settings": return { ...state, settings: message.settings };
    case "causes": return { ...state, causes: message.causes };
    case "tab": return { ...state, tab: message.tab, filter: "" };
    case "filter": return { ...state, filter: message.text };
    case "sheet": return { ...state, sheet: { values: {}, wrong: null, error: "", busy: false, ...message.sheet } };
    case "values": return withSheet(state, { values: { ...state.sheet?.values, ...message.values } });
    case "asked": return asked(state, true, { values: message.values });
    case "wrong": return asked(state, false, message);
    case "done": return { ...state, sheet: null, said: message.text, secret: message.secret ?? state.secret };
    case "said": return { ...state, said: message.text, trouble: message.wrong ? message.text : state.trouble };
    case "trouble-seen": return { ...state, trouble: "" };
    case "copied": return state.secret ? { ...state, secret: { ...state.secret, copied: true } } : state;
    case "put-away": return { ...state, secret: null };
    case "doubt":
      return state.sheet?.busy ? withSheet(state, { error: message.error }) : { ...state, said: message.error };
    case "cancel": return state.sheet?.busy && !state.sheet.error ? state : { ...state, sheet: null };
    default: return state;
  }
}

/** Once lost, the house is current again with the next view, not with the next connection. */
/** @type {(state: State, link: LinkState) => State} */
function linked(state, link) {
  return state.link === "lost" && state.house && link !== "lost" ? state : { ...state, link };
}

/** The sheet as it was sent, or with what is wrong in it; what is typed stays. */
/** @type {(state: State, busy: boolean, trouble: Trouble) => State} */
const asked = (state, busy, { wrong, error, values }) =>
  withSheet(state, { busy, wrong: wrong ?? null, error: error ?? "", values: values ?? state.sheet?.values ?? {} });

/** @type {(state: State, changes: Partial<Sheet>) => State} */
const withSheet = (state, changes) => (state.sheet ? { ...state, sheet: { ...state.sheet, ...changes } } : state);

// What the views and the checks ask of the state.

/** @param {State} state @param {string} table */
export const rowOf = (state, table) => state.house?.tables.find((row) => row.table === table) ?? null;
/** @param {State} state @param {string} id */
export const gameOf = (state, id) => state.games?.find((game) => game.game === id) ?? null;
/** @param {{ name: string }[] | null | undefined} list */
export const namesOf = (list) => (list ?? []).map((each) => each.name);

/**
 * Rows whose name holds what is looked for.
 * @template {object} Row
 * @param {State} state
 * @param {Row[]} list
 */
export const found = (state, list) => {
  const wanted = state.filter.trim().toLowerCase();
  const holds = (/** @type {unknown} */ value) => String(value).toLowerCase().includes(wanted);
  return wanted ? list.filter((each) => Object.values(each).some(holds)) : list;
};

/**
 * The field beside which a refusal of the server belongs; none: it stands above the buttons.
 * @param {string} kind
 * @param {Refused} error
 * @returns {Trouble}
 */
export function placed(kind, error) {
  const wrong = wrongBy(error);
  if (wrong) return { wrong };
  const field = FIELDS[kind]?.[error.code];
  return field ? { wrong: { [field]: error.message } } : { error: saidBy(error) };
}

/** @type {Record<string, Record<string, string>>} */
const FIELDS = {
  "add-staff": { "already-there": "name" }, "add-terminal": { "already-there": "name" },
  "open-table": { "not-now": "number", "unknown-game": "game" },
  "stop-table": { "not-now": "cause" }, "stop-floor": { "already-there": "cause" },
  exclude: { "already-there": "patron" },
  "change-role": { "last-administrator": "role" }, "disable-staff": { "last-administrator": "reason" },
};
