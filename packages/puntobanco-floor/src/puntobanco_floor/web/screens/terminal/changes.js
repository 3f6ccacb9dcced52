// The table as a message of events leaves it: the message says what it changes, and no kind of event is known here.

/** @import { Added, Events, RoadsView, TableView } from "server" */
/** @typedef {Omit<Events, "set"> & { set: Partial<TableView> }} Happened */
/** @typedef {"known" | "next" | "missed"} Place of a message among those that were heard */

/** Each event counts one, so that a gap is a gap. @type {(table: TableView | null, m: Happened) => Place} */
export function placeOf(table, m) {
  if (table && m.v <= table.v) return "known";
  return table && m.v - m.events.length === table.v ? "next" : "missed";
}

/** @type {(table: TableView, m: Happened) => TableView} */
export function changed(table, { v, seq, at, set, add }) {
  const next = { ...table, ...set, v, seq, at };
  if (!add) return next;
  return { ...next, results: [...next.results, ...add.results], roads: laid(next.roads, add.roads) };
}

/**
 * A cell takes the place of the one at its row and column.
 * @type {(roads: RoadsView, added: Added["roads"]) => RoadsView}
 */
function laid(roads, added) {
  const found = { ...roads };
  for (const [road, marks] of Object.entries(added)) {
    const kind = /** @type {keyof RoadsView} */ (road);
    const cells = new Map(roads[kind].map((cell) => [`${cell[0]} ${cell[1]}`, cell]));
    for (const mark of marks) cells.set(`${mark[0]} ${mark[1]}`, mark);
    found[kind] = [...cells.values()];
  }
  return found;
}
