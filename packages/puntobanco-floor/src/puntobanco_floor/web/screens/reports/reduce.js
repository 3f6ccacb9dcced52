// The reports' state: which report of which day is wanted, and what came of it. Pure.

/** @import { Liability, Report, StaffMe, TableView, Words as Bilingual } from "server" */
/** @import { Language } from "../base/words.js" */

/**
 * @typedef {"daily" | "month" | "year" | "life" | "liability"} Kind
 * @typedef {{
 *   lang: Language, me: StaffMe | null, kind: Kind, day: string, today: string, report: Report | null,
 *   owed: Liability | null, tables: TableView[], busy: boolean, said: Bilingual | null,
 * }} State `day` is empty for the present one; `today` is that one, once it is known
 * @typedef {{ t: "me", me: StaffMe } | { t: "language", lang: Language } | { t: "tables", tables: TableView[] }
 *   | { t: "ask", kind?: Kind, day?: string } | { t: "report", report: Report } | { t: "owed", owed: Liability }
 *   | { t: "today", today: string } | { t: "said", said: State["said"] }} Message
 */

/** @type {Kind[]} */
export const KINDS = ["daily", "month", "year", "life", "liability"];

const DAY_MS = 86_400_000, DATE = /^\d{4}-\d\d-\d\d$/;

/** @param {{ lang?: Language, kind?: string | null, day?: string | null }} [asked] @returns {State} */
export const first = ({ lang = "en", kind = "", day = "" } = {}) => ({
  lang, me: null, kind: KINDS.find((one) => one === kind) ?? "daily", day: DATE.test(day ?? "") ? String(day) : "",
  today: "", report: null, owed: null, tables: [], busy: true, said: null,
});

/** @type {(state: State, message: Message) => State} */
export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "language": return { ...state, lang: message.lang };
    case "tables": return { ...state, tables: message.tables };
    case "today": return { ...state, today: message.today };
    case "ask": return asked(state, message);
    case "report": return { ...state, report: message.report, owed: null, busy: false, said: null };
    case "owed": return { ...state, owed: message.owed, report: null, busy: false, said: null };
    case "said": return { ...state, said: message.said, busy: false };
    default: return state;
  }
}

/** What was shown stays until the other is there. @param {State} state @param {{ kind?: Kind, day?: string }} wanted */
function asked(state, { kind = state.kind, day = state.day }) {
  const wanted = day === state.today ? "" : day;
  return { ...state, kind, day: DATE.test(wanted) ? wanted : "", busy: true, said: null };
}

/** The kinds that somebody may see. @param {State} state */
export const kindsOf = ({ me }) => KINDS.filter((kind) =>
  me?.sees.includes(kind === "liability" ? "liability" : "reports"));

/** Another day: "2026-03-01" and −1 is "2026-02-28". @param {string} day @param {number} by */
export const dayBeside = (day, by) => new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10);

/** The day on show. @param {State} state */
export const dayOf = ({ day, today }) => day || today;

/** Where the report is had from. @param {{ kind: Kind, day: string }} wanted */
export function pathOf({ kind, day }, form = "") {
  if (kind === "liability") return `/api/staff/reports/liability${form ? `.${form}` : ""}`;
  return `/api/staff/reports/${kind}${form ? `/${form}` : ""}${day ? `?day=${day}` : ""}`;
}
