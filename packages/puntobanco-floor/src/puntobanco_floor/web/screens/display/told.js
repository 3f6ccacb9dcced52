// What the display says: the announcement above, and the middle between the hands. Pure values, drawn elsewhere.
import { cited } from "../base/rules.js";
import { isChinese, said } from "../base/words.js";
import { correctionsTold } from "../kit/corrections.js";
import { outcome, winnerOf } from "../kit/names.js";
import { hands, isBetween, isStale, viewSeen } from "./reduce.js";
import { t } from "./words.js";

/** @import { LastView, TableView } from "server" */
/** @import { Language } from "../base/words.js" */
/** @import { Seen, State } from "./reduce.js" */
/**
 * @typedef {{
 *   text: string, tone: string, more?: string, ends?: number | null, total?: number | null, calm?: boolean,
 * }} Announced
 */
/**
 * @typedef {{
 *   lines: string[], winner?: string | null, eyebrow?: string, head?: string, score?: string, notes?: string[],
 *   clause?: string, tone?: string, spoken?: string,
 * }} Middle
 */

const NATURALS = [8, 9];
const CARDS_BEFORE_THIRD = 4;

/**
 * The announcement: its words, a tone, and where something ends, when; below it, what was put right in the round.
 * @param {State} state
 */
export function announced(state) {
  const { view, lang } = state;
  if (!view) return { text: state.refused ? said(lang, state.refused.reason) : t(lang, "connecting"), tone: "" };
  const found = stated(/** @type {Seen} */ (state)), told = correctionsTold(view, lang);
  return told.length ? { ...found, more: [found.more, ...told].filter(Boolean).join(" · ") } : found;
}

/** @param {Seen} state @returns {Announced} */
function stated({ view, lang, opening }) {
  const between = ["waiting", "settled", "void"].includes(view.phase);
  if (view.phase === "down") return { text: t(lang, "down"), tone: "" };
  if (view.phase === "stopped") return { text: t(lang, "paused"), tone: "warn" };
  if (view.phase === "betting") {
    const ring = { ends: view.closes_at, total: view.betting_ms, ...(view.dealer_closes ? { calm: true } : {}) };
    const guide = view.dealer_closes && view.closes_at ? t(lang, "dealer_closes") : "";
    const notice = [guide, noticeOf(view, lang)].filter(Boolean).join(" · ");
    return { ...called(lang, "open", view.announce_open, notice), tone: "ok", ...ring };
  }
  if (!between) {
    const squeezed = view.squeeze_until ? { ends: view.squeeze_until, total: view.squeeze_ms, calm: true } : {};
    return { ...called(lang, "closed", view.announce_close, noticeOf(view, lang)), tone: "warn", ...squeezed };
  }
  if (view.halted) {
    return { text: t(lang, view.closing ? "closing" : "halted"), more: said(lang, view.halted), tone: "warn" };
  }
  if (view.shoe === null) return { text: t(lang, "shoe_change"), tone: "" };
  if (opening) return { text: t(lang, "opens_in"), tone: "", ends: opening.at, total: opening.total_ms, calm: true };
  return { text: t(lang, "waiting"), tone: "" };
}

// The rulebook's own words stay beside the Chinese.
const called = (lang, key, words, notice) =>
  ({ text: t(lang, key, words), more: [isChinese(lang) ? words : "", notice].filter(Boolean).join(" · ") });

// While a round is played: that it is the last of its shoe; that none follows, and why.
/** @param {TableView} view @param {Language} lang */
function noticeOf(view, lang) {
  const { closing, last_hand: last } = view, halted = said(lang, view.halted);
  const none = halted ? t(lang, closing ? "closes_after" : "none_after", halted) : "";
  return [last ? t(lang, "last_hand") : "", none].filter(Boolean).join(" · ");
}

/**
 * The middle: `winner` B, P, T or none, lines from large to small, notes, and the clause behind it.
 * @param {State} state
 * @returns {Middle}
 */
export function middle(state) {
  const { lang } = state, view = viewSeen(state);
  if (!view) return { lines: [] };
  const seen = { ...state, view };
  if (view.phase === "down") return { head: t(lang, "down"), lines: [t(lang, "down_more")] };
  if (view.phase === "stopped") return stopped(view, lang);
  if (view.phase === "void") return voided(view, lang);
  if (view.phase === "settled") return view.last ? result(seen, view.last, { past: false }) : { lines: [] };
  if (isBetween(view)) return before(seen);
  return dealing(view, lang, Object.keys(view.cards).length - Object.keys(state.landing).length);
}

function stopped({ round, stop }, lang) {
  const lines = [t(lang, "checking", round), titleOf(stop, lang)];
  return { tone: "warn", head: t(lang, "paused"), lines, clause: stop?.clause };
}

function voided({ round, stop }, lang) {
  const lines = [titleOf(stop, lang), t(lang, "returned")];
  return { tone: "warn", head: t(lang, "void", round), lines, clause: stop?.clause };
}

const titleOf = (stop, lang) => (stop ? sentence(said(lang, stop.title)) : "");
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Seen} state @returns {Middle} */
function before(state) {
  const { view, lang } = state;
  if (!view.last) return { lines: [t(lang, view.shoe === null ? "shoe_change" : "first")] };
  if (view.last.result === "VOID") return { eyebrow: "", lines: [t(lang, "last_void", view.last.round)] };
  return result(state, view.last, { past: true });
}

/** @param {Seen} state @param {LastView} last @param {{ past: boolean }} when @returns {Middle} */
function result(state, last, { past }) {
  const { lang } = state;
  const winner = winnerOf(last.result);
  const eyebrow = past ? t(lang, "last", last.round) : "";
  const score = scoreOf(last, winner, past, lang);
  const notes = past ? [] : notesOf(hands(state), last, lang, state.view.notes);
  return { winner, eyebrow, score, notes, spoken: outcome(last, lang), lines: [] };
}

function scoreOf({ player, banker }, winner, past, lang) {
  if (winner === "T") return t(lang, "tie_at", player);
  const [high, low] = winner === "P" ? [player, banker] : [banker, player];
  return t(lang, past ? "over_past" : "over", high, low);
}

/** What a round had besides its winner.

Pairs and the rulebook's names are the server's; a natural and a six are seen in what lies there. */
export function notesOf({ cards, player, banker }, last, lang, named = []) {
  const notes = [];
  const third = { player: "p3" in cards, banker: "b3" in cards };
  const winner = winnerOf(last.result);
  if (winner === "B" && banker === 6) notes.push(t(lang, third.banker ? "six_three" : "six_two"));
  const best = winner === "P" ? player : banker;
  if (NATURALS.includes(best) && !third.player && !third.banker) notes.push(t(lang, "natural", best));
  if (last.result.includes("b")) notes.push(t(lang, "banker_pair"));
  if (last.result.includes("p")) notes.push(t(lang, "player_pair"));
  return [...notes, ...named.map((note) => sentence(said(lang, note.text)))];
}

// Totals once both hands have cards; the reason for a third card, or for none, from the fourth on.
/** @param {TableView} view @param {Language} lang @param {number} laid how many cards lie face up */
function dealing(view, lang, laid) {
  const [player, banker] = [view.player, view.banker];
  const head = player === null || banker === null ? t(lang, "dealing") : t(lang, "totals", player, banker);
  const why = laid >= CARDS_BEFORE_THIRD ? view.next : null;
  return { head, lines: why ? [sentence(said(lang, why.text))] : [], clause: why?.clause };
}

/** The clause behind it, in words. @param {Language} lang @param {string} [clause] */
export function ruleSaid(lang, clause = "") {
  const label = cited(lang, clause);
  return /^\d/.test(clause) ? t(lang, "rule", label) : label;
}

/** One sentence for readers, said once when it changes. @param {State} state */
export function spoken(state) {
  if (isStale(state)) return "";
  const { text, more } = announced(state);
  const { head, spoken: said, lines, clause } = middle(state);
  const rule = ruleSaid(state.lang, clause);
  const happens = state.view && state.view.phase !== "betting" ? [head ?? said, ...lines, rule] : [];
  return [...new Set([text, more, ...happens])].filter(Boolean).join(isChinese(state.lang) ? "。" : ". ");
}
