// What the administration calls things. Pure.

/** @import { TableRow } from "server" */

export const TABS = [
  ["tables", "Tables"], ["staff", "Staff"], ["terminals", "Terminals"], ["exclusions", "Exclusions"],
  ["settings", "Settings"],
];

/** @type {Record<string, string>} */
export const ROLE_SAYS = {
  dealer: "deals, declares irregularities", supervisor: "runs the pit, approves as the second person",
  cashier: "sells and pays at the cage", auditor: "looks at everything, changes nothing",
  administrator: "tables, staff, terminals, exclusions",
};

/** @param {string | undefined} stream */
export const numberOf = (stream) => Number(String(stream).split(":")[1]);

/** @param {string} stream */
export const standsAt = (stream) => (stream ? `Table ${numberOf(stream)}` : "anywhere");

/** @type {Record<string, string[]>} */
const PHASES = {
  down: ["", "Closed"], waiting: ["", "Between rounds"], betting: ["ok", "Betting"],
  closed: ["info", "No more bets"], dealing: ["info", "Dealing"],
  stopped: ["warn", "Paused"], settled: ["info", "Settled"], void: ["warn", "Void"],
};

/** @param {TableRow} row */
export function stateOf(row) {
  const [kind, text] = PHASES[row.phase] ?? ["", row.phase];
  if (row.closing) {
    const when = isInPlay(row) ? "Closes after this round" : "Closing";
    return { kind: "danger", text: `${when}: ${row.halted}` };
  }
  return row.halted && row.phase !== "down" ? { kind: "danger", text: `Stopped: ${row.halted}` } : { kind, text };
}

/** @param {TableRow} row */
export const isInPlay = (row) => ["betting", "closed", "dealing", "stopped"].includes(row.phase);

/** @param {TableRow} row */
export function clockOf({ clock }) {
  if (!clock.betting_ms && !clock.automatic) return "by hand";
  const bets = `bets ${clock.betting_ms / 1000} s`, pause = `pause ${clock.pause_ms / 1000} s`;
  return clock.automatic ? `server · ${bets} · ${pause}` : `dealer · ${bets}`;
}

/** @type {Record<string, string>} */
const SETTINGS = { "": "none", True: "true", False: "false" };
/** @param {string} value */
export const settingValue = (value) => SETTINGS[value] ?? value;
