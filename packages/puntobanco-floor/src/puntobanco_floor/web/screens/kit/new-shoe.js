// A shoe from which no round was played yet: what lies there of the shoe before is gone from the screens. Pure.

/** @import { TableView } from "server" */

/** A settled round is in the results of its shoe, a void one is counted there. @param {TableView} table */
function isNewShoe({ phase, shoe, results, counts }) {
  if (shoe === null) return false;
  return phase === "settled" ? !results.length : phase === "void" && !counts.void;
}

/** @type {Partial<TableView>} */
const NOTHING_DEALT = {
  phase: "waiting", cards: {}, keyed: [], corrected: [], reconstructed: null, why: null, next: null, stop: null,
  last_hand: false, player: null, banker: null, notes: [], last: null, paying: {},
};

/** The same table where its shoe is in play. @param {TableView} table @returns {TableView} */
export const withoutOldShoe = (table) => (isNewShoe(table) ? { ...table, ...NOTHING_DEALT } : table);
