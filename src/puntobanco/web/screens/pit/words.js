// What the pit calls things: states of tables, kinds of alerts, percentages. Pure.

/** @import { Alert, PitStop, PitTable } from "server" */

const MINUS = "−";

/** 0.0117 -> "1.17%"; the minus is a real one. @param {number} part @param {number} [digits] */
export const percent = (part, digits = 2) => {
  const text = Math.abs(part * 100).toFixed(digits);
  return `${part < 0 && Number(text) !== 0 ? MINUS : ""}${text}%`;
};

/** @param {number} part @param {number} [digits] */
export const points = (part, digits = 2) => {
  const text = Math.abs(part * 100).toFixed(digits);
  return Number(text) === 0 ? text : `${part < 0 ? MINUS : "+"}${text}`;
};

/** The game in so few words that they fit on a card: "6 Star", "Super Six Plus". @param {string} title */
export const shortTitle = (title) =>
  title.replace(/^Non-Commission Baccarat with /, "").replace(/ No Commission Baccarat$/, "");

/** @type {Record<string, string>} */
const BOOKS = { mbs: "MBS rules", rws: "RWS rules" };
/** @param {string} rules */
export const rulesOf = (rules) => BOOKS[rules.slice(0, 3)] ?? "house rules";

/** @param {PitTable} table */
export const sizeOf = (table) => `${table.decks}×${table.deck === "five-elements" ? 65 : 52}`;

/**
 * What a table is doing: a kind for its colour, and words.
 * @param {PitTable} table
 * @param {{ stopped?: string }} [floor]
 */
export function stateOf(table, { stopped = "" } = {}) {
  if (table.phase === "down") return { kind: "", text: "Closed", grey: true };
  if (table.silent) return { kind: "danger", text: "Not responding", grey: true };
  if (table.phase === "stopped") return { kind: "warn", text: paused(table.stop) };
  if (table.closing && !table.is_in_play) return { kind: "danger", text: "Closing" };
  if ((table.halted || stopped) && !table.is_in_play) return { kind: "danger", text: "Stopped" };
  const [kind, text] = PHASES[table.phase] ?? ["", table.phase];
  return { kind, text: table.phase === "dealing" ? dealing(table.cards) : text };
}

/** @type {Record<string, string[]>} */
const PHASES = {
  waiting: ["", "Between rounds"], betting: ["ok", "Betting"], closed: ["info", "No more bets"],
  dealing: ["info", "Dealing"], settled: ["info", "Settled"], void: ["warn", "Void, stakes returned"],
};
const paused = (/** @type {PitStop | null} */ stop) => (stop ? `Paused, clause ${stop.clause}` : "Paused");
/** @param {number} cards */
const dealing = (cards) => (cards ? `Dealing, ${cards} ${cards === 1 ? "card" : "cards"}` : "Dealing");

/** @type {Record<string, string[]>} */
export const ALERTS = {
  "large-win": ["warn", "Large win"], "large-wager": ["info", "Large wager"], return: ["danger", "Return"],
  spread: ["warn", "Side-bet spread"], late: ["info", "Late wagers"], logins: ["danger", "Logins refused"],
};

/** What an alert is known by, also after the server has started again. @param {Alert} alert */
export const alertKey = ({ at, table, kind, round, text }) => [at, table, kind, round, text].join(" ");

/** @param {string} stream */
export const tableName = (stream) => `Table ${String(stream).split(":")[1]}`;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The gaming day that the figures count, "2026-11-15" as the house has it. @param {string} day */
export function gamingDay(day) {
  const [year, month, date] = day.split("-").map(Number);
  return `${date} ${MONTHS[month - 1]} ${year}`;
}
