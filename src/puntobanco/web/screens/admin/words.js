// What the administration calls things, and what each role may do here. Pure.

export const TABS = [
  ["tables", "Tables"], ["staff", "Staff"], ["terminals", "Terminals"], ["exclusions", "Exclusions"],
  ["settings", "Settings"],
];

/** The same as MAY in floor/staff.py, by what is changed here; the server has the last word. */
const MAY = {
  administrator: new Set(["tables", "floor", "staff", "terminals", "exclusions"]),
  supervisor: new Set(["tables", "floor", "exclusions"]),
};
export const may = (me, what) => Boolean(me && MAY[me.role]?.has(what));

export const ROLES = ["dealer", "supervisor", "cashier", "auditor", "administrator"];
export const ROLE_SAYS = {
  dealer: "deals, declares irregularities", supervisor: "runs the pit, approves as the second person",
  cashier: "sells and pays at the cage", auditor: "looks at everything, changes nothing",
  administrator: "tables, staff, terminals, exclusions",
};

export const numberOf = (stream) => Number(String(stream).split(":")[1]);

export const standsAt = (stream) => (stream ? `Table ${numberOf(stream)}` : "anywhere");

const PHASES = {
  down: ["", "Closed"], waiting: ["", "Between rounds"], betting: ["ok", "Betting"],
  closed: ["info", "No more bets"], dealing: ["info", "Dealing"],
  stopped: ["warn", "Paused"], settled: ["info", "Settled"], void: ["warn", "Void"],
};

export function stateOf(row) {
  const [kind, text] = PHASES[row.phase] ?? ["", row.phase];
  if (row.closing) {
    const when = isInPlay(row) ? "Closes after this round" : "Closing";
    return { kind: "danger", text: `${when}: ${row.halted}` };
  }
  return row.halted && row.phase !== "down" ? { kind: "danger", text: `Stopped: ${row.halted}` } : { kind, text };
}

export const isInPlay = (row) => ["betting", "closed", "dealing", "stopped"].includes(row.phase);

export function clockOf({ clock }) {
  if (!clock.betting_ms && !clock.automatic) return "by hand";
  const bets = `bets ${clock.betting_ms / 1000} s`, pause = `pause ${clock.pause_ms / 1000} s`;
  return clock.automatic ? `server · ${bets} · ${pause}` : `dealer · ${bets}`;
}

const SETTINGS = { "": "none", True: "true", False: "false" };
export const settingValue = (value) => SETTINGS[value] ?? value;
