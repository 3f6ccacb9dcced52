// The felt: both hands, what is said between them, and the spots.
import { html, raw } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { said, TAGS } from "../base/words.js";
import { density, feltRows, inOrder } from "./layout.js";
import { inARow, payLines } from "./pays.js";
import { canBet, isPending, lineOn, paidCents, stakeOn, sum, wonCents } from "./reduce.js";
import { resultLine, SEALS, winnerOf } from "./status.js";
import { t } from "./words.js";

export const flag = (name, on) => (on ? raw(name) : "");
export const clauseChip = (lang, clause, worded = false) =>
  clause ? html`<button type="button" class="clause" data-act="clause" data-clause="${clause}">${worded && /^\d/.test(clause) ? t(lang, "rule", clause) : clause}</button>` : "";

// A title in the chosen language, the other one beside it.
export const both = (lang, en, zh) =>
  lang === "zh" ? html`<b lang="zh-Hant" class="cjk">${zh}</b> <span class="other" lang="en">${en}</span>` : html`<b>${en}</b> <span class="other cjk" lang="zh-Hant">${zh}</span>`;

// Hands

export function hand(s, side, size) {
  const { lang, table } = s, letter = side[0], points = table[side], dealt = Boolean(table.cards[`${letter}1`]);
  const wins = table.phase === "settled" && winnerOf(table.last) === side;
  const label = t(lang, side), total = dealt && points !== null ? points : "–";
  const cards = [card(s, `${letter}1`, size), card(s, `${letter}2`, size)], third = thirdCard(s, side, size);
  return html`<section class="hand ${letter} ${wins ? "win" : ""}" data-key="${side}" data-hand="${side}" aria-label="${dealt ? t(lang, "total_of", label, total) : t(lang, "no_total", label)}">
    <div class="lab"><b class="tot ${total === "–" ? "none" : ""}" data-total="${side}">${total}</b><span class="${letter}-ink side-name">${t("en", side)}</span><span class="cjk ${letter}-ink seal" lang="zh-Hant">${SEALS[side]}</span></div>
    <div class="cards">${letter === "p" ? [third, ...cards] : [...cards, third]}</div></section>`;
}

const drawn = (s, slot, size) => html`<span class="in" data-key="card"><pb-card code="${s.table.cards[slot]}" size="${size}" lang="${TAGS[s.lang]}"></pb-card></span>`;
const card = (s, slot, size) => html`<span class="slot ${s.table.cards[slot] ? "full" : ""}" data-key="${slot}" data-slot="${slot}">${s.table.cards[slot] ? drawn(s, slot, size) : ""}</span>`;

function thirdCard(s, side, size) {
  const slot = `${side[0]}3`, { cards, next, phase } = s.table;
  const over = phase === "settled" || (next && !next.slot) || (side === "player" && (next?.slot === "b3" || cards.b3));
  const word = cards[slot] ? "" : over ? "stands" : cards.b2 && next?.slot !== slot ? "waits" : "third";
  return html`<span class="slot third ${cards[slot] ? "full" : ""} ${next?.slot === slot ? "live" : ""} ${word === "stands" ? "none" : ""}" data-key="${slot}" data-slot="${slot}">${cards[slot] ? drawn(s, slot, size) : html`<small data-key="${word}">${t(s.lang, word)}</small>`}</span>`;
}

// Between the hands. What says something else is another element: words that change do not move others about.

export function callout(s) {
  const { lang, table } = s;
  if (["closed", "dealing"].includes(table.phase)) return reason(s);
  if (table.phase === "settled" && winnerOf(table.last)) return result(s);
  if (table.phase === "stopped" || table.phase === "void") {
    return html`<div class="callout warned" data-key="stop"><b>${table.phase === "void" ? t(lang, "void_title", table.round) : t(lang, "paused")}</b><p>${table.stop ? said(lang, table.stop, "title") : ""}</p>${clauseChip(lang, table.stop?.clause, true)}</div>`;
  }
  const last = table.last, winner = winnerOf(last);
  if (!last) return html`<div class="lastly" data-key="last"><span class="eyebrow">${t(lang, "first_round")}</span></div>`;
  const shown = winner ? html`<div class="big ${winner[0]}-ink">${lang === "zh" ? t(lang, winner === "tie" ? "tie_title" : `${winner}_wins`) : html`${t(lang, winner)} <span class="cjk" lang="zh-Hant">${SEALS[winner]}</span>`}</div>` : html`<div class="big">${t(lang, "was_void")}</div>`;
  const [high, low] = winner === "banker" ? [last.banker, last.player] : [last.player, last.banker];
  return html`<div class="lastly" data-key="last ${last.round}"><span class="eyebrow">${last.round === null ? t(lang, "last_plain") : t(lang, "last_round", last.round)}</span>${shown}${last.player === null ? "" : html`<div class="score">${high} – ${low}</div>`}</div>`;
}

// Why a card is drawn, or why no more are.
function reason(s) {
  const { lang, table } = s, why = table.next ?? table.why;
  if (!why) return html`<div class="callout" data-key="closed"><b>${table.announce_close}</b></div>`;
  const side = why.slot[0] === "p" ? "player" : "banker", third = why.slot.endsWith("3");
  const title = !why.slot ? t(lang, "no_more_cards") : t(lang, third ? `draws_${side}` : `deal_${side}`);
  return html`<div class="callout" data-key="why ${why.slot} ${why.en}"><b>${title}</b><p>${lang === "zh" ? why.zh : sentence(why.en)}</p>${clauseChip(lang, why.clause, true)}</div>`;
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");

function result(s) {
  const { lang, table, mine } = s, winner = winnerOf(table.last), lines = mine?.lines ?? [];
  const title = winner === "tie" ? t(lang, "tie_title") : t(lang, `${winner}_wins`);
  const score = winner === "tie" ? t(lang, "score_tie", table.player) : t(lang, "score", Math.max(table.player, table.banker), Math.min(table.player, table.banker));
  const last = table.cards.b3 ? table.why : table.next ?? table.why; // after banker's third card nothing more is decided
  const why = last ? (lang === "zh" ? `${last.zh}。` : sentence(last.en)) : "";
  const pairs = [["p", "player_pair"], ["b", "banker_pair"]].filter(([letter]) => table.last.result.includes(letter)).map(([, key]) => t(lang, key));
  const notes = (table.notes ?? []).map((note) => (lang === "zh" ? `${note.zh}。` : sentence(note.en)));
  const clauses = [...new Set([last?.clause, ...lines.map((line) => line.clause), ...(table.notes ?? []).map((note) => note.clause)].filter(Boolean))].slice(0, 4);
  const bonus = lines.filter((line) => line.bonus_cents);
  return html`<div class="callout ${winner[0]}" data-key="result"><b class="${winner[0]}-ink big-word">${title}</b><p>${score} ${[...pairs, ...notes].join(" ")} ${why}</p>
    ${bonus.map((line) => html`<p class="bonus gold">${t(lang, "bonus_line", dollars(line.bonus_cents), said(lang, betOf(s, line.bet), "title"))} ${clauseChip(lang, line.bonus_clause)}</p>`)}
    <span class="clauses">${clauses.map((clause) => clauseChip(lang, clause))}</span></div>`;
}

export const betOf = (s, id) => s.table.bets.find((bet) => bet.bet === id) ?? { bet: id, title: id, title_zh: id, limits: {} };
export { resultLine };

// Spots

const SIDES = { player: "p", banker: "b", tie: "t", "": "x" };
const OUTCOMES = { wins: "win", loses: "lose", pushes: "push", void: "push" };
const SIGNS = { wins: "✓", loses: "✕", pushes: "=", void: "=" };

export function spots(s) {
  const rows = feltRows(s.table.bets, s.shape), order = inOrder(rows), many = density(rows);
  const row = (bets, main) => html`<div class="spot-row ${main ? "main-row" : "side-row"}" data-cols="${bets.length}" data-key="${main ? "main" : bets[0].bet}">${bets.map((bet) => spot(s, bet, order.indexOf(bet) + 1))}</div>`;
  return html`<section class="spots ${many}" data-rows="${rows.side.length}" aria-label="${t(s.lang, "bets")}"><div class="sides" data-key="sides">${rows.side.map((bets) => row(bets, false))}</div>${rows.main.length ? row(rows.main, true) : ""}</section>`;
}

function spot(s, bet, number) {
  const { lang } = s, line = lineOn(s, bet.bet), cents = line ? line.stake_cents : stakeOn(s, bet.bet), sent = isPending(s, bet.bet);
  const label = labelOf(s, bet, cents, sent, line), seal = bet.main ? SEALS[bet.hand] : null;
  const lost = line?.outcome === "loses";
  return html`<button type="button" class="spot ${SIDES[bet.hand] ?? "x"} ${line ? OUTCOMES[line.outcome] : ""} ${canBet(s) ? "" : "locked"}" data-key="${bet.bet}" data-act="spot" data-bet="${bet.bet}"
    ${line ? html`data-outcome="${line.outcome}" data-paid="${paidCents(line)}" data-clause-of="${line.clause}"` : ""} data-stake="${cents}" ${flag("data-sent", sent)} aria-disabled="${canBet(s) ? "false" : "true"}" aria-label="${label}" title="${label}" ${number <= 9 ? html`aria-keyshortcuts="${number}"` : ""}>
    ${seal ? html`<span class="wm" aria-hidden="true">${seal}</span>` : ""}<span class="name">${both(lang, bet.title, bet.title_zh)}</span>
    ${pays(bet, lang)}${line ? tag(s, line) : ""}
    ${cents ? html`<span class="ch" data-key="${line ? "paid" : "chips"}"><span class="drop" data-key="${cents}"><pb-stack cents="${cents}" size="${s.shape === "phone" ? (bet.main ? 36 : 28) : bet.main ? 60 : 46}" ${flag("dim", lost)}></pb-stack></span><span class="amt ${sent ? "pending" : ""} ${lost ? "lost" : ""}">${dollars(cents)}</span></span>` : ""}</button>`;
}

function pays(bet, lang) {
  const lines = payLines(bet, lang), row = inARow(lines, lang), said_ = (line) => html`${line.when ? `${line.when} ` : ""}<b>${line.pays}</b>`;
  if (row !== lines) return html`<span class="pay flow">${row.map((line, i) => html`<span class="nowrap">${said_(line)}${i < row.length - 1 ? " ·" : ""}</span> `)}</span>`;
  return html`<span class="pay">${lines.map((line) => html`<span class="line ${line.bonus ? "bonus" : ""}">${line.bonus ? "+ " : ""}${said_(line)}</span>`)}</span>`;
}

function tag({ lang, shape }, line) {
  const words = { wins: ["win", dollars(wonCents(line))], loses: ["lose", dollars(line.stake_cents)], pushes: [shape === "phone" ? "push_short" : "push"], void: ["returned", dollars(line.returned_cents)] }[line.outcome];
  return html`<span class="tag ${OUTCOMES[line.outcome]}" data-key="tag"><span aria-hidden="true">${SIGNS[line.outcome]}</span> ${t(lang, ...words)}${["wins", "loses"].includes(line.outcome) ? html` <small class="mono">${line.clause}</small>` : ""}</span>`;
}

function labelOf(s, bet, cents, sent, line) {
  const { lang } = s, parts = [said(lang, bet, "title")];
  if (line) {
    const amount = { wins: wonCents(line), loses: line.stake_cents, pushes: line.returned_cents, void: line.returned_cents }[line.outcome];
    parts.push(t(lang, { wins: "l_win", loses: "l_lose", pushes: "l_push", void: "l_void" }[line.outcome], dollars(amount), line.clause));
    if (line.bonus_cents) parts.push(t(lang, "l_bonus", dollars(line.bonus_cents), line.bonus_clause));
  } else parts.push(cents ? t(lang, sent ? "l_sent" : "l_bet", dollars(cents)) : t(lang, "l_none"));
  parts.push(payLines(bet, lang).map((one) => `${one.bonus ? `${t(lang, "plus_also")} ` : ""}${one.when ? `${one.when} ` : ""}${one.pays}`).join("; "));
  parts.push(t(lang, "l_limits", dollars(bet.limits.min_cents), dollars(bet.limits.max_cents)));
  return parts.join(", ");
}

export const stakedCents = (s) => sum(s.mine?.lines.length ? s.mine.lines.map((line) => line.stake_cents) : Object.values(s.mine?.wagers ?? {}));
