// What a round came to for this patron: the net, how far ahead, what each wager got and by which line. Pure.
import { dollars } from "../base/money.js";
import { said } from "../base/words.js";
import { lineSaid } from "./pays.js";
import { gained, sum } from "./reduce.js";
import { t } from "./words.js";

/** @import { BetView } from "server" */
/** @import { Language } from "../base/words.js" */
/** @import { NamedLine, Seen } from "./reduce.js" */
/** @typedef {{ text: string, cents: number }} Told a wager, or several, and what it made of the stakes */

/** What came back, less what was staked. @param {NamedLine[]} lines */
export const netCents = (lines) => sum(lines.map(gained));

const BIG = 2, HUGE = 10; // times what was staked

/** 0 for who is not ahead, whatever won; else 1 to 3 by the multiple of the stakes. @param {NamedLine[]} lines */
export function celebration(lines) {
  const net = netCents(lines), staked = sum(lines.map((line) => line.stake_cents));
  if (net <= 0) return 0;
  if (net >= HUGE * staked) return 3;
  return net >= BIG * staked ? 2 : 1;
}

const ROWS_MOST = 3, NAMES_MOST = 2;

/** Wagers in a few rows: what paid and why, what came back, what is lost. @param {Seen} s @returns {Told[]} */
export function wagersTold(s) {
  const { lang } = s, lines = s.mine?.lines ?? [];
  const of = (/** @type {string} */ outcome) => lines.filter((line) => line.outcome === outcome);
  const others = [together(s, "pushed", of("pushes")), together(s, "lose_one", of("loses"))];
  const rest = others.filter((row) => row !== null);
  const won = of("wins").sort((a, b) => gained(b) - gained(a)), room = ROWS_MOST - rest.length;
  const shown = won.length > room ? won.slice(0, room - 1) : won, left = won.slice(shown.length);
  const more = left.length ? [{ text: t(lang, "more_pay", left.length), cents: netCents(left) }] : [];
  return [...shown.map((line) => ({ text: paidBy(s, line), cents: gained(line) })), ...more, ...rest];
}

/** @param {Seen} s @param {string} key @param {NamedLine[]} lines @returns {Told | null} */
function together(s, key, lines) {
  if (!lines.length) return null;
  const names = lines.slice(0, NAMES_MOST).map((line) => titleOf(s, line.bet)).join(t(s.lang, "joined"));
  const more = lines.length > NAMES_MOST ? ` ${t(s.lang, "more_spots", lines.length - NAMES_MOST)}` : "";
  const word = lines.length > 1 ? `${key}_many` : key;
  return { text: t(s.lang, word, `${names}${more}`), cents: netCents(lines) };
}

/** "Banker pays 1 to 2 on six": the line of its spot that paid. @param {Seen} s @param {NamedLine} line */
export function paidBy(s, line) {
  const bet = s.table.bets.find((one) => one.bet === line.bet), paying = s.table.paying ?? {};
  return bet ? paidByLine(s.lang, bet, paying[line.bet]) : line.bet;
}

/** The same of any round. @param {Language} lang @param {BetView} bet @param {number[] | undefined} places */
export function paidByLine(lang, bet, places) {
  const title = said(lang, bet.title), [odds, bonus] = places ?? [];
  if (odds === undefined || !bet.lines[odds]) return title;
  const base = lineSaid(lang, bet, bet.lines[odds]), more = bonus === undefined ? null : bet.lines[bonus];
  return more ? `${base}${t(lang, "and_bonus", said(lang, more.pays))}` : base;
}

/** @param {Seen} s @param {string} id */
function titleOf({ lang, table }, id) {
  const bet = table.bets.find((one) => one.bet === id);
  return bet ? said(lang, bet.title) : id;
}

/** A sum with its sign, whole dollars where there are no cents. @param {number} cents */
export const signedDollars = (cents) => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));
