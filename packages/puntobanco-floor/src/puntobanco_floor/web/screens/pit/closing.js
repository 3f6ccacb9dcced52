// Side bets that are closed and opened again: which can be, which should be, and what a choice would change. Pure.
import { waiting } from "../forms/scheduled.js";
import { percent, t } from "./words.js";

/** @import { PitBet, PitTable } from "server" */
/** @import { Values } from "../forms/fields.js" */

/** The wagers that favoured the player when the last round that is over began. @param {PitTable} table */
export const favourable = ({ protection }) =>
  (protection?.edges ?? []).filter((edge) => edge.grade === "favourable");

/** Whether a bet is open and can be closed. @param {PitBet} bet */
export const mayClose = ({ closed, closable: can }) => can && !closed;

/** The bets as the next round has them. @param {PitTable} table @returns {PitBet[]} */
function next(table) {
  const limits = waiting(table, "limits");
  return limits ? table.bets.map((bet) => ({ ...bet, closed: limits.bets[bet.bet].closed })) : table.bets;
}

/** The bets that can be closed, each with what speaks for it. @param {PitTable} table */
export function closable(table) {
  const edges = new Map(favourable(table).map((edge) => [edge.bet, edge.now]));
  return next(table).filter((bet) => bet.closable).map((bet) => ({ ...bet, says: saysOf(bet, edges.get(bet.bet)) }));
}

/** @param {PitBet} bet @param {number} [edge] */
function saysOf({ closed }, edge) {
  const favours = edge === undefined ? "" : t("favoured the player: house edge {0}", percent(edge));
  return [closed ? t("closed") : "", favours].filter(Boolean).join(t("; "));
}

/** What is ticked as the sheet opens: what is closed, and what favoured the player. @param {PitTable} table */
export function tickedFor(table) {
  const bad = new Set(favourable(table).map(({ bet }) => bet));
  return Object.fromEntries(closable(table).map(({ bet, closed }) => [`closed.${bet}`, closed || bad.has(bet)]));
}

/** The bets that would be closed by what is ticked. @param {PitTable} table @param {Values} values */
export const closedBy = (table, values) =>
  closable(table).filter(({ bet }) => values[`closed.${bet}`]).map(({ bet }) => bet);

/** What that changes. @param {PitTable} table @param {string[]} closed */
export function changes(table, closed) {
  const closes = next(table).filter((bet) => !bet.closed && closed.includes(bet.bet));
  const opens = next(table).filter((bet) => bet.closed && !closed.includes(bet.bet));
  return { closes, opens, isSame: !closes.length && !opens.length };
}
