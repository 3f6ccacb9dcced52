// What a dealer would say aloud, as the table goes on: bets open and closed, then both totals and who wins. Pure.
import { winnerOf } from "./status.js";
import { t } from "./words.js";

/** @import { State } from "./reduce.js" */

/** What is said when one state follows another; null for most. @param {State} before @param {State} state */
export function spokenOf(before, state) {
  const { lang, table } = state;
  if (!state.sound || state.still || !table || !before.table) return null;
  if (before.table.phase === table.phase && before.table.round === table.round) return null;
  if (table.phase === "betting") return lang === "en" ? table.announce_open : t(lang, "place_zh");
  if (table.phase === "closed") return lang === "en" ? table.announce_close : t(lang, "closed_zh");
  return table.phase === "settled" ? resultSaid(state) : null;
}

/** "Player 6, Banker 4, Player wins": the totals as they lie there. @param {State} state */
function resultSaid({ lang, table }) {
  const winner = winnerOf(table?.last);
  if (!table || !winner || table.player === null) return null;
  const won = winner === "tie" ? t(lang, "tie_title") : t(lang, `${winner}_wins`);
  return t(lang, "totals_said", table.player, table.banker, won);
}
