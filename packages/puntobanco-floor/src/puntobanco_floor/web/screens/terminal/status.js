// What the table is doing now: the line at the top, its sign, and the words that are said aloud. Pure.
import { isChinese, said, sentences } from "../base/words.js";
import { netCents } from "./outcome.js";
import { stakeOn } from "./reduce.js";
import { anyCovered, asLanded } from "./squeeze.js";
import { t } from "./words.js";

/** @import { Language } from "../base/words.js" */

/** @import { Seen, State } from "./reduce.js" */

export const WINNERS = { P: "player", B: "banker", T: "tie" };
export const SEALS = { player: "閒", banker: "莊", tie: "和" };
/** @type {Record<Language, Language>} */
const OTHER = { en: "zh", zh: "en", "zh-Hans": "en" };

// The literal words of the rulebook stand beside the Chinese, in either language: `aside` is in the other one.
const literal = (lang, en, key, more) => (isChinese(lang)
  ? { title: t(lang, key), aside: en, sub: [more], say: t(lang, key) }
  : { title: en, aside: t(lang, key), sub: [more], say: en });

/** @param {State} s */
export function statusOf(s) {
  const { lang, table } = s;
  if (s.link === "over") return isOver(s);
  if (!table) return { sign: "wifi", title: t(lang, "connecting"), sub: [t(lang, "connecting_sub")] };
  if (s.link !== "open") return { sign: "wifi", title: t(lang, "reconnecting"), sub: [t(lang, "reconnecting_sub")] };
  if (waitsForMix(table)) return mixing(s, lang, table);
  return (PHASES[table.phase] ?? PHASES.waiting)(s, lang, table);
}

/** Why there is no table to see, in short, and what to do. @param {State} s */
export function overOf({ lang, refused }) {
  const why = refused ? said(lang, refused.reason) || t(lang, refused.key ?? "") : "";
  return refused?.code === "no-such-table"
    ? { title: why, why: t(lang, "elsewhere"), sub: t(lang, "elsewhere") }
    : { title: t(lang, "over"), why, sub: t(lang, "over_sub") };
}

/** @param {State} s */
function isOver(s) {
  const { title, sub } = overOf(s);
  return { sign: "warn", title, sub: [sub] };
}

// A shoe that witnesses mix: no bet opens before, and the table does not wait for ever.
const waitsForMix = ({ phase, shuffle }) => !!shuffle?.abandoned_at && ["waiting", "settled", "void"].includes(phase);

function mixing(s, lang, { shuffle }) {
  const title = t(lang, "mixing"), left = t(lang, "mixing_sub", secondsTo(s, shuffle.abandoned_at));
  return { sign: "rebet", title, sub: [said(lang, shuffle.text), left], ticks: true, say: title };
}

const PHASES = {
  down: (s, lang) => plain(lang, "lock", "down"),
  waiting: (s, lang, table) =>
    table.shoe === null ? plain(lang, "rebet", "shoe_change") : plain(lang, "hist", "waiting"),
  betting(s, lang, table) {
    const left = secondsLeft(s), sign = left ? "ring" : "play";
    const called = literal(lang, table.announce_open, "place_zh", closesIn(lang, left, table.dealer_closes));
    return { ...called, sign, ticks: true };
  },
  closed(s, lang, table) {
    return { ...literal(lang, table.announce_close, "closed_zh", t(lang, "cards_follow")), sign: "lock" };
  },
  dealing(s, lang, table) {
    const { next, why } = asLanded(s).table ?? table;
    const dealt = Object.keys(table.cards).length - Object.keys(s.landing).length;
    const drawn = next && !next.slot ? t(lang, "all_dealt") : t(lang, "card_drawn", dealt + 1);
    const more = anyCovered(s) ? t(lang, "to_turn") : drawn; // the rest is said aloud, not shown
    const called = literal(lang, table.announce_close, "closed_zh", more), until = table.squeeze_until;
    const sub = until ? [more, t(lang, "squeeze_wait", secondsTo(s, until))] : [more];
    return { ...called, sub, sign: "lock", ticks: Boolean(until),
      say: why ? said(lang, why.text) : "" };
  },
  stopped(s, lang, { round }) {
    const title = t(lang, "paused"), sub = t(lang, "paused_sub", round);
    return { sign: "warn", title, sub: [sub], say: sentences(lang, title, sub) };
  },
  void(s, lang, { round, shoe }) {
    if (shoe === null) return plain(lang, "rebet", "shoe_change");
    const title = t(lang, "void_title", round), sub = t(lang, "void_sub");
    const aside = t(OTHER[lang], "void_title", round);
    return { sign: "warn", title, aside, sub: [sub], say: sentences(lang, title, sub) };
  },
  settled(s, lang, table) {
    if (table.shoe === null) return plain(lang, "rebet", "shoe_change");
    if (!winnerOf(table.last)) return plain(lang, "hist", "waiting"); // a new shoe, and nothing from it yet
    const winner = winnerOf(table.last), title = resultLine(lang, table), other = OTHER[lang];
    const result = winner === "tie" ? t(other, "tie_title") : t(other, `${winner}_wins`);
    const more = table.opens_at ? t(lang, "next_in", secondsTo(s, table.opens_at))
      : t(lang, table.halted ? "next_none" : "next_soon");
    return { sign: winner, title, aside: result, sub: [more], ticks: true, say: saidOfResult(s, title) };
  },
};

function plain(lang, sign, key) {
  const title = t(lang, key), sub = t(lang, `${key}_sub`);
  return { sign, title, sub: [sub], say: sentences(lang, title, sub) };
}

// Where the dealer closes, the time is a guide: when it is up, bets are still open.
function closesIn(lang, left, byDealer) {
  if (left === null || (byDealer && !left)) return t(lang, "no_clock");
  if (byDealer) return t(lang, "guide_in", left);
  return left === 1 ? t(lang, "closes_in_1") : t(lang, "closes_in", left);
}

/** @param {Seen} s */
const secondsTo = (s, at) => Math.max(0, Math.ceil((at - s.now) / 1000));
/** @param {Seen} s */
export const secondsLeft = (s) => (s.table.closes_at ? secondsTo(s, s.table.closes_at) : null);

export const winnerOf = (last) => WINNERS[last?.result[0]] ?? null;

export function resultLine(lang, { last, player, banker }) {
  const winner = winnerOf(last);
  if (winner === "tie") return t(lang, "tie_at", player);
  const [high, low] = winner === "player" ? [player, banker] : [banker, player];
  return t(lang, "wins_over", t(lang, winner), high, low);
}

// Once, with what it means for this patron: nothing is said before that is known.
/** @param {Seen} s */
function saidOfResult(s, title) {
  const { lang, mine, table } = s, lines = mine?.lines ?? [];
  const staked = table.bets.some((bet) => stakeOn(s, bet.bet) > 0);
  if (!lines.length) return staked ? "" : sentences(lang, title);
  return sentences(lang, title, yours(lang, lines));
}

function yours(lang, lines) {
  const net = netCents(lines), isReturned = lines.every((line) => line.outcome === "pushes");
  if (isReturned) return t(lang, "you_push");
  if (!net) return t(lang, "you_even");
  return t(lang, net > 0 ? "you_win" : "you_lose", spoken(lang, Math.abs(net)));
}

/** @param {Language} lang @param {number} cents */
export function spoken(lang, cents) {
  const whole = Math.floor(cents / 100), rest = cents % 100;
  return rest ? t(lang, "dollars_cents_said", whole, rest) : t(lang, "dollars_said", whole);
}

/** @param {Seen} s */
export const reference = (s, round) => `${s.table.number}/${s.table.shoe ?? "–"}/${round}`;
/** @param {Seen} s */
export const terminalName = ({ mine, lang }) =>
  mine?.session.includes(":") ? mine.session.split(":")[0] : t(lang, "guest_terminal");
