// The cage's words: what a voucher can be, and how sessions stand.

// Each state of a voucher has its own colour, icon and words.
export const VOUCHER = {
  valid: { kind: "ok", icon: "check", title: "Valid, not yet redeemed" },
  redeemed: { kind: "danger", icon: "undo", title: "Already redeemed" },
  expired: { kind: "warn", icon: "clock", title: "Expired" },
  unknown: { kind: "info", icon: "search", title: "Unknown number" },
  "wrong-check-digits": { kind: "gold", icon: "edit", title: "Check digits are wrong" },
  "no-number": { kind: "gold", icon: "edit", title: "Not a voucher number" },
};

export const COMMAND = { "cash-out": "Hand pay", "buy-in": "Large buy-in", "load-credits": "Load of credits" };

// [colour, words]: at the table with a wager, at the table, gone, or stopped.
export function standing(row) {
  if (row.stopped) return ["danger", "Stopped"];
  if (!row.connected) return ["warn", "Away"];
  return row.in_play_cents ? ["ok", "Playing"] : ["muted", "Idle"];
}

export const nameOf = (row) => row.terminal || `Guest ${row.session.slice(1, 5)}`;
/** @param {string} stream */
export const tableName = (stream) => `Table ${stream.split(":")[1]}`;
