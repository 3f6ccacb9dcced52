// The administration's state: the house as it stands, the tab, the sheet, and a secret while it is shown. Pure.
import { queued, without } from "../forms/later.js";

export const first = ({ tab = "tables" } = {}) => ({
  me: null,
  link: "connecting", // "open" or "lost"
  house: null, // {house, demo, stopped, tables, staff, terminals, exclusions}
  games: null, // what tables can be opened with
  settings: null,
  refused: "",
  tab,
  filter: "", // of staff and terminals
  sheet: null, // {kind, name, values, wrong, error, busy}
  secret: null, // {what, name, secret, copied}: shown once, and forgotten when it is put away
  later: [], // what waits for the end of a round: see later.js
  said: "",
  trouble: "", // what could not be done later
});

export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "link": return linked(state, message.state);
    case "view": return { ...state, house: message.view, link: "open", refused: "" };
    case "refused-view": return { ...state, refused: message.reason };
    case "games": return { ...state, games: message.games };
    case "settings": return { ...state, settings: message.settings };
    case "tab": return { ...state, tab: message.tab, filter: "" };
    case "filter": return { ...state, filter: message.text };
    case "sheet": return { ...state, sheet: { values: {}, wrong: null, error: "", busy: false, ...message.sheet } };
    case "values": return withSheet(state, { values: { ...state.sheet?.values, ...message.values } });
    case "asked": return asked(state, true, { values: message.values });
    case "wrong": return asked(state, false, message);
    case "done": return { ...state, sheet: null, said: message.text, secret: message.secret ?? state.secret };
    case "said": return { ...state, said: message.text, trouble: message.wrong ? message.text : state.trouble };
    case "later": return { ...state, later: queued(state.later, message.job) };
    case "later-done": return { ...state, later: without(state.later, message.job) };
    case "trouble-seen": return { ...state, trouble: "" };
    case "copied": return state.secret ? { ...state, secret: { ...state.secret, copied: true } } : state;
    case "put-away": return { ...state, secret: null };
    case "cancel": return state.sheet?.busy ? state : { ...state, sheet: null };
    default: return state;
  }
}

/** Once lost, the house is current again with the next view, not with the next connection. */
function linked(state, link) {
  return state.link === "lost" && state.house && link !== "lost" ? state : { ...state, link };
}

/** The sheet as it was sent, or with what is wrong in it; what is typed stays. */
const asked = (state, busy, { wrong, error, values }) =>
  withSheet(state, { busy, wrong: wrong ?? null, error: error ?? "", values: values ?? state.sheet?.values });

const withSheet = (state, changes) => (state.sheet ? { ...state, sheet: { ...state.sheet, ...changes } } : state);

// What the views and the checks ask of the state.

export const rowOf = (state, table) => state.house?.tables.find((row) => row.table === table) ?? null;
export const gameOf = (state, id) => state.games?.find((game) => game.game === id) ?? null;
export const namesOf = (list) => (list ?? []).map((each) => each.name);

/** Rows whose name holds what is looked for. */
export const found = (state, list) => {
  const wanted = state.filter.trim().toLowerCase();
  const holds = (value) => String(value).toLowerCase().includes(wanted);
  return wanted ? list.filter((each) => Object.values(each).some(holds)) : list;
};

/** The field beside which a refusal of the server belongs; none: it stands above the buttons. */
export function placed(kind, error) {
  const field = FIELDS[kind]?.[error.code];
  return field ? { wrong: { [field]: error.message } } : { error: error.message };
}

const FIELDS = {
  "add-staff": { "already-there": "name" }, "add-terminal": { "already-there": "name" },
  "open-table": { "not-now": "number", "unknown-game": "game" },
  "stop-table": { "not-now": "reason" }, "stop-floor": { "already-there": "reason" },
  exclude: { "already-there": "patron" },
  "change-role": { "last-administrator": "role" }, "disable-staff": { "last-administrator": "reason" },
};
