// The felt: both hands, what is said between them, and the spots.
import { html, raw } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { cited, clauseChip as chip } from "../base/rules.js";
import { alike, capital, han, hanTag, isChinese, said, sentences, TAGS } from "../base/words.js";
import { cardName } from "../kit/cards.js";
import { seal } from "../kit/seals.js";
import { density, feltRows, inOrder, isCrowded } from "./layout.js";
import { celebration, netCents, paidBy, signedDollars, wagersTold } from "./outcome.js";
import { asked, payLines } from "./pays.js";
import { canBet, isPending, lineOn, paidCents, stakeOn, sum, wonCents } from "./reduce.js";
import { anyCovered, asLanded, asSeen, isCovered, isLanding } from "./squeeze.js";
import { SEALS, winnerOf } from "./status.js";
import { t } from "./words.js";

/** @import { LastView } from "server" */
/** @import { Language } from "../base/words.js" */
/** @import { NamedLine, Refusal, Seen } from "./reduce.js" */

export const flag = (name, on) => (on ? raw(name) : "");

export const clauseChip = (lang, clause, worded = false) =>
  chip(lang, clause, worded && /^\d/.test(clause) ? { text: t(lang, "rule", cited(lang, clause)) } : {});

/**
 * A title in the chosen language, the other one beside it; once, where there is no other.
 * @param {Language} lang @param {string} en @param {string} zh
 */
export function both(lang, en, zh) {
  if (en === zh) return html`<b>${en}</b>`;
  const chinese = han(lang, zh), tag = hanTag(lang);
  if (isChinese(lang)) return html`<b lang="${tag}" class="cjk">${chinese}</b> <span class="other" lang="en">${
    en}</span>`;
  return html`<b>${en}</b> <span class="other cjk" lang="${tag}">${chinese}</span>`;
}

// Hands

/** @param {Seen} s */
export function hand(s, side, size) {
  const { lang, table } = s, letter = side[0], isDealt = Boolean(table.cards[`${letter}1`]);
  const wins = table.phase === "settled" && winnerOf(table.last) === side;
  const total = isDealt ? asSeen(s).table[side] ?? "–" : "–";
  const points = isDealt ? asLanded(s).table[side] : null; // who listens is told as soon as it lies there
  const label = points === null ? t(lang, "no_total", t(lang, side)) : t(lang, "total_of", t(lang, side), points);
  const cards = [card(s, `${letter}1`, size), card(s, `${letter}2`, size)], third = thirdCard(s, side, size);
  return html`<section class="hand ${letter} ${wins ? "win" : ""}" data-key="${side}" data-hand="${side}"
      aria-label="${label}">
    <div class="lab"><b class="tot ${total === "–" ? "none" : ""}" data-total="${side}">${total}</b><span
      class="${letter}-ink side-name">${t("en", side)}</span><span
      class="cjk ${letter}-ink seal" lang="${hanTag(lang)}">${seal(SEALS[side], lang)}</span></div>
    <div class="cards">${letter === "p" ? [third, ...cards] : [...cards, third]}</div></section>`;
}

/** @param {Seen} s */
function drawn(s, slot, size) {
  const place = s.slid[slot], seen = place === undefined ? "" : html`data-after="${place}"`;
  const inside = isCovered(s, slot) ? faceDown(s, slot, size) : faceUp(s, slot, size);
  return html`<span class="in" data-key="card" ${seen}>${inside}</span>`;
}

/** @param {Seen} s */
function faceUp(s, slot, size) {
  const { lang, table } = s, under = isLanding(s, slot) ? html`<pb-back class="under" data-key="under"
    size="${size}" aria-hidden="true"></pb-back>` : "";
  return html`<span class="leaf" data-key="leaf"><pb-card class="up" data-key="up" code="${table.cards[slot]}"
    size="${size}" lang="${TAGS[lang]}"></pb-card>${under}</span>`;
}

// Until the patron turns it; who listens is told at once.
/** @param {Seen} s */
function faceDown({ lang, table: { cards } }, slot, size) {
  const label = t(lang, "turn_card", cardName(cards[slot], TAGS[lang]));
  return html`<button type="button" class="cover" data-act="turn" data-turns="${slot}" aria-label="${label}"><pb-peel
    code="${cards[slot]}" size="${size}" lang="${TAGS[lang]}"></pb-peel></button>`;
}

/** @param {Seen} s */
function card(s, slot, size) {
  const isDealt = Boolean(s.table.cards[slot]);
  return html`<span class="slot ${isDealt ? "full" : ""}" data-key="${slot}"
    data-slot="${slot}">${isDealt ? drawn(s, slot, size) : ""}</span>`;
}

/** @param {Seen} s */
function thirdCard(s, side, size) {
  const slot = `${side[0]}3`, seen = asSeen(s), { cards, next } = seen.table;
  const isDealt = Boolean(cards[slot]), isNext = next?.slot === slot;
  const word = isDealt ? "" : wordOfThird(seen, side, isNext);
  const inside = isDealt ? drawn(s, slot, size) : html`<small data-key="${word}">${t(s.lang, word)}</small>`;
  const classes = `${isDealt ? "full" : ""} ${isNext ? "live" : ""} ${word === "stands" ? "none" : ""}`;
  return html`<span class="slot third ${classes}" data-key="${slot}" data-slot="${slot}">${inside}</span>`;
}

// In the place of a third card that is not there, or not yet.
/** @param {Seen} s */
function wordOfThird({ table: { cards, next, phase } }, side, isNext) {
  const isOver = phase === "settled" || (next && !next.slot);
  const isPassed = side === "player" && (next?.slot === "b3" || cards.b3);
  if (isOver || isPassed) return "stands";
  return cards.b2 && !isNext ? "waits" : "third";
}

// Between the hands. What says something else is another element: words that change do not move others about.

/** @param {Seen} s */
export function callout(s) {
  const { lang, table } = s;
  if (["closed", "dealing"].includes(table.phase)) return reason(s);
  if (table.phase === "settled" && winnerOf(table.last)) return result(s);
  if (table.phase === "stopped" || table.phase === "void") return stopped(lang, table);
  if (table.last) return lastly(lang, table.last);
  return html`<div class="lastly" data-key="last"><span class="eyebrow">${t(lang, "first_round")}</span></div>`;
}

function stopped(lang, { phase, round, stop }) {
  const title = phase === "void" ? t(lang, "void_title", round) : t(lang, "paused");
  const why = stop ? capital(said(lang, stop.title)) : "", rule = clauseChip(lang, stop?.clause, true);
  return html`<div class="callout warned" data-key="stop"><b>${title}</b><p>${why}</p>${rule}</div>`;
}

// The round before this one.
function lastly(lang, last) {
  const winner = winnerOf(last);
  const title = last.round === null ? t(lang, "last_plain") : t(lang, "last_round", last.round);
  const shown = winner
    ? html`<div class="big ${winner[0]}-ink">${winnerSaid(lang, winner)}</div>`
    : html`<div class="big">${t(lang, "was_void")}</div>`;
  const [high, low] = winner === "banker" ? [last.banker, last.player] : [last.player, last.banker];
  const score = last.player === null ? "" : html`<div class="score">${high} – ${low}</div>`;
  return html`<div class="lastly" data-key="last ${last.round}"><span
    class="eyebrow">${title}</span>${shown}${score}</div>`;
}

function winnerSaid(lang, winner) {
  if (isChinese(lang)) return t(lang, winner === "tie" ? "tie_title" : `${winner}_wins`);
  return html`${t(lang, winner)} <span class="cjk" lang="zh-Hant">${seal(SEALS[winner])}</span>`;
}

// Why a card is drawn, or why no more are.
/** @param {Seen} s */
function reason(s) {
  const { lang, table } = asLanded(s), why = table.next ?? table.why;
  if (anyCovered(s)) return toTurn(lang);
  const isAnnounced = table.phase === "closed" || !why;
  if (isAnnounced) return announcedClosed(lang, table);
  const side = why.slot[0] === "p" ? "player" : "banker", third = why.slot.endsWith("3");
  const title = !why.slot ? t(lang, "no_more_cards") : t(lang, third ? `draws_${side}` : `deal_${side}`);
  const text = asSentence(lang, why), rule = clauseChip(lang, why.clause, true);
  return html`<div class="callout" data-key="why ${why.slot} ${why.text.en}"><b>${title}</b><p>${text}</p>${
    rule}</div>`;
}

const announcedClosed = (lang, { announce_close: en }) =>
  html`<div class="callout" data-key="closed">${both(lang, en, t(lang, "closed_zh"))}</div>`;
const toTurn = (lang) => html`<div class="callout" data-key="turn"><b>${t(lang, "turn_title")}</b><p>${
  t(lang, "turn_says")}</p></div>`;

const asSentence = (lang, { text }) => sentences(lang, said(lang, text));

const CLAUSES_MOST = 4, CLAUSES_YOURS = 3;

/** @param {Seen} s */
function result(s) {
  const { lang, table } = s, lines = s.mine?.lines ?? [], notes = table.notes ?? [];
  const winner = winnerOf(table.last), letter = winner[0];
  const title = winner === "tie" ? t(lang, "tie_title") : t(lang, `${winner}_wins`);
  const last = table.cards.b3 ? table.why : table.next ?? table.why; // after banker's third card nothing is decided
  const why = last && !lines.length ? asSentence(lang, last) : ""; // who wagered is told what was paid, and why
  const pairs = table.last ? pairsOf(lang, table.last) : [];
  const more = [...pairs, ...notes.map((note) => asSentence(lang, note))].join(" ");
  const clauses = new Set([last, ...lines, ...notes].map((one) => one?.clause).filter(Boolean));
  const cites = [...clauses].slice(0, lines.length ? CLAUSES_YOURS : CLAUSES_MOST);
  const bonus = lines.filter((line) => line.bonus_cents);
  return html`<div class="callout ${letter} ${lines.length ? "yours" : ""}" data-key="result ${lines.length}"><b
      class="${letter}-ink big-word">${title}</b><p>${scoreOf(lang, winner, table)} ${more} ${why}</p>
    ${lines.length ? inMoney(s, lines) : ""}${bonus.map((line) => bonusLine(s, line))}
    <span class="clauses">${cites.map((one) => clauseChip(lang, one))}</span></div>`;
}

// What each wager got, and why, in the words of its line; then what the round came to. Gold is for who is ahead.
/** @param {Seen} s @param {NamedLine[]} lines */
function inMoney(s, lines) {
  const net = netCents(lines), size = celebration(lines);
  const row = ({ text, cents }) => html`<li><span>${text}</span> <b>${signedDollars(cents)}</b></li>`;
  return html`<ul class="got">${wagersTold(s).map(row)}</ul><p class="net-round ${size ? `gold cheer-${size}` : ""}"
    data-net="${net}">${t(s.lang, "net_short")} <b>${signedDollars(net)}</b></p>`;
}

function scoreOf(lang, winner, { player, banker }) {
  if (winner === "tie") return t(lang, "score_tie", player);
  return t(lang, "score", Math.max(player, banker), Math.min(player, banker));
}

/** @param {Language} lang @param {LastView} last */
function pairsOf(lang, { result: letters }) {
  const pairs = [["p", "player_pair"], ["b", "banker_pair"]].filter(([letter]) => letters.includes(letter));
  return pairs.map(([, key]) => t(lang, key));
}

/** @param {Seen} s */
function bonusLine(s, { bet, bonus_cents, bonus_clause }) {
  const title = bet === "tie" ? t(s.lang, "is_tie") : said(s.lang, betOf(s, bet).title);
  const text = t(s.lang, "bonus_line", dollars(bonus_cents), title);
  return html`<p class="bonus gold">${text} ${clauseChip(s.lang, bonus_clause)}</p>`;
}

/** @param {Seen} s */
export const betOf = (s, id) =>
  s.table.bets.find((bet) => bet.bet === id) ?? { bet: id, title: alike(id), limits: {} };

// Spots

const SIDES = { player: "p", banker: "b", tie: "t", "": "x" };
const OUTCOMES = { wins: "win", loses: "lose", pushes: "push", void: "push" };
const SIGNS = { wins: "✓", loses: "✕", pushes: "=", void: "=" };

/** @param {Seen} s */
export function spots(s) {
  const rows = feltRows(s.table.bets, s.shape), order = inOrder(rows);
  const many = `${density(rows)}${isCrowded(rows) ? " crowded" : ""}`;
  const spotsOf = (bets) => bets.map((bet) => spot(s, bet, order.indexOf(bet) + 1));
  const sides = rows.side.map((bets) => spotRow("side-row", bets[0].bet, spotsOf(bets)));
  const main = rows.main.length ? spotRow("main-row", "main", spotsOf(rows.main)) : "";
  return html`<section class="spots ${many}" data-rows="${rows.side.length}" aria-label="${t(s.lang, "bets")}"><div
    class="sides" data-key="sides">${sides}</div>${main}</section>`;
}

const spotRow = (kind, key, all) =>
  html`<div class="spot-row ${kind}" data-cols="${all.length}" data-key="${key}">${all}</div>`;

/** @param {Seen} s */
function spot(s, bet, number) {
  const { lang } = s, line = lineOn(s, bet.bet), sent = isPending(s, bet.bet);
  const shut = bet.limits.closed && !line, open = canBet(s) && !bet.limits.closed;
  const cents = line ? line.stake_cents : stakeOn(s, bet.bet), mark = bet.main ? SEALS[bet.hand] : null;
  const label = labelOf(s, bet, cents, sent, line), outcome = line ? outcomeOf(s, line) : "";
  const look = `${outcome} ${open ? "" : "locked"} ${shut ? "shut" : ""}`;
  return html`<button type="button" class="spot ${SIDES[bet.hand] ?? "x"} ${look}"
    data-key="${bet.bet}" data-act="spot" data-bet="${bet.bet}"
    ${line ? outcomeData(line) : ""} data-stake="${cents}" ${flag("data-sent", sent)}
    aria-disabled="${open ? "false" : "true"}" aria-label="${label}" title="${label}"
    ${number <= 9 ? html`aria-keyshortcuts="${number}"` : ""}>
    ${mark ? html`<span class="wm" aria-hidden="true">${seal(mark, lang)}</span>` : ""}<span
      class="name">${both(lang, bet.title.en, bet.title.zh)}</span>
    ${pays(bet, lang, placesPaid(s, line))}${line ? tag(s, line) : ""}${shut ? shutTag(lang) : ""}
    ${cents ? chipsOn(s, bet, cents, sent, line) : ""}${payout(s, bet, line)}${refusedHere(s, bet)}</button>`;
}

// Why not, beside the spot that was touched. The tray says it aloud, with its clause.
/** @param {Seen} s */
function refusedHere({ lang, refused }, bet) {
  if (!refused || !(refused.bets ?? [refused.bet]).includes(bet.bet)) return "";
  const words = refused.key ? SHORT[refused.key]?.(lang, refused) : said(lang, refused.reason);
  return words ? html`<span class="why-not" data-key="why-not" aria-hidden="true">${words}</span>` : "";
}

/** @type {Record<string, (lang: Language, refused: Refusal) => string>} */
const SHORT = {
  doubleOver: (lang, { cents = 0 }) => t(lang, "max_here", dollars(cents)),
  spot_closed: (lang) => t(lang, "shut"), left_out: (lang) => t(lang, "shut"),
};

// Gold, and what shines, is for who is ahead in the round: a spot that won beside greater losses is quiet.
/** @param {Seen} s @param {NamedLine} line */
const outcomeOf = (s, line) =>
  (line.outcome === "wins" && !celebration(s.mine?.lines ?? []) ? "paid" : OUTCOMES[line.outcome]);

const shutTag = (lang) => html`<span class="tag shut" data-key="shut"><pb-icon name="lock"
  size="14"></pb-icon> ${t(lang, "shut")}</span>`;

const outcomeData = (line) =>
  html`data-outcome="${line.outcome}" data-paid="${paidCents(line)}" data-clause-of="${line.clause}"`;

const STACKS = { wide: { main: 60, side: 46 }, phone: { main: 36, side: 28 } };

/** @param {Seen} s */
function chipsOn(s, bet, cents, sent, line) {
  const values = s.chips.join(" ");
  const size = STACKS[s.shape][bet.main ? "main" : "side"], lost = line?.outcome === "loses";
  return html`<span class="ch" data-key="${line ? "paid" : "chips"}"><span class="drop" data-key="${cents}"><pb-stack
    cents="${cents}" values="${values}" size="${size}" ${flag("dim", lost)}></pb-stack></span><span
    class="amt ${sent ? "pending" : ""} ${lost ? "lost" : ""}">${dollars(cents)}</span></span>`;
}

// What a spot has won comes beside its stake and goes to the patron, after the chips that lose have left.
/** @param {Seen} s */
function payout(s, bet, line) {
  const cents = line?.outcome === "wins" ? wonCents(line) : 0, size = STACKS[s.shape][bet.main ? "main" : "side"];
  return cents && !s.still ? html`<span class="payout" data-key="payout" data-payout="${cents}"><pb-stack
    cents="${cents}" values="${s.chips.join(" ")}" size="${size}"></pb-stack></span>` : "";
}

/** Which lines of its spot paid a wager. @param {Seen} s @param {NamedLine} [line] @returns {number[]} */
const placesPaid = ({ table }, line) => (line?.outcome === "wins" && table.paying?.[line.bet]) || [];

/** @param {number[]} paid */
function pays(bet, lang, paid) {
  const asks = capital(asked(bet, lang)), shared = asks ? html`<span class="asks">${asks}</span>` : "";
  return html`<span class="pay">${shared}${payLines(bet, lang).map((line) => payLine(line, paid))}</span>`;
}

const paySaid = ({ when, pays: odds }) => html`${when ? html`<span class="when">${when}</span> ` : ""}<b>${odds}</b>`;
// What a name means is seen where there is room for it; the label always says it.
const payLine = (line, paid) => html`<span class="line ${line.bonus ? "bonus" : ""} ${
  paid.includes(line.place) ? "held" : ""}">${line.bonus ? "+ " : ""}${
  paySaid(line)}${line.means && !line.bonus ? html`<small class="means">${line.means}</small>` : ""}</span>`;

/** @param {Seen} s @param {NamedLine} line */
function tag(s, line) {
  const { lang, shape } = s, { outcome } = line;
  /** @type {Record<string, string[]>} */
  const said = {
    wins: ["win", dollars(wonCents(line))],
    loses: ["lose", dollars(line.stake_cents)],
    pushes: shape === "phone" ? ["push_short", dollars(line.returned_cents)] : ["push"],
    void: ["returned", dollars(line.returned_cents)],
  };
  const [word, ...figures] = said[outcome];
  return html`<span class="tag ${outcomeOf(s, line)}" data-key="tag"><span
    aria-hidden="true">${SIGNS[outcome]}</span> ${t(lang, word, ...figures)}</span>`;
}

/** @param {Seen} s */
function labelOf(s, bet, cents, sent, line) {
  const { lang } = s, parts = [said(lang, bet.title)];
  if (line) {
    parts.push(outcomeSaid(lang, line));
    if (placesPaid(s, line).length) parts.push(paidBy(s, line));
    if (line.bonus_cents) parts.push(t(lang, "l_bonus", dollars(line.bonus_cents), cited(lang, line.bonus_clause)));
  } else parts.push(cents ? t(lang, sent ? "l_sent" : "l_bet", dollars(cents)) : t(lang, "l_none"));
  parts.push([asked(bet, lang), ...payLines(bet, lang).map((one) => oddsSaid(lang, one))].filter(Boolean).join("; "));
  const { min_cents: least, max_cents: most, closed } = bet.limits;
  parts.push(closed ? t(lang, "shut") : t(lang, "l_limits", dollars(least), dollars(most)));
  return parts.join(t(lang, "comma"));
}

function outcomeSaid(lang, line) {
  const [key, amount] = {
    wins: ["l_win", wonCents(line)],
    loses: ["l_lose", line.stake_cents],
    pushes: ["l_push", line.returned_cents],
    void: ["l_void", line.returned_cents],
  }[line.outcome];
  return t(lang, key, dollars(amount), cited(lang, line.clause));
}

function oddsSaid(lang, { bonus, when, means, pays: odds }) {
  const condition = when && means ? t(lang, "l_means", when, means) : when;
  return `${bonus ? `${t(lang, "plus_also")} ` : ""}${condition ? `${condition} ` : ""}${odds}`;
}

/** @param {Seen} s */
export function stakedCents({ mine }) {
  if (mine?.lines.length) return sum(mine.lines.map((line) => line.stake_cents));
  return sum(Object.values(mine?.wagers ?? {}));
}
