// What stands around the felt: the header, the roads and limits, the tray and the meters.
import { html } from "../base/dom.js";
import { dollars, elapsed, money, signed, time } from "../base/money.js";
import { hanTag, isChinese, said, sentences, TAGS } from "../base/words.js";
import { correctionsTold } from "../kit/corrections.js";
import { seal } from "../kit/seals.js";
import { canRebet, hasDown } from "./ask.js";
import { hintNow } from "./guide.js";
import { limitRows } from "./layout.js";
import { limitReached } from "./limits.js";
import { netCents } from "./outcome.js";
import { isSeen, acceptedCents, canBet, paidCents, sum } from "./reduce.js";
import { SEALS, secondsLeft, statusOf, terminalName } from "./status.js";
import { clauseChip, flag, stakedCents } from "./view-felt.js";
import { reachedTray } from "./view-limits.js";
import { answerOf, answerWords, readAnswer } from "./view-review.js";
import { t } from "./words.js";

/** @import { Html } from "../base/dom.js" */
/** @import { Language } from "../base/words.js" */
/** @import { Seen, State } from "./reduce.js" */

/** @type {Record<Language, Language>} */
/** @type {Record<Language, Language>} */
const other = { en: "zh", zh: "en", "zh-Hans": "en" };

// The header

/** @param {State} s */
export function game(s) {
  const { lang, table } = s, title = table ? said(lang, table.title) : "puntobanco";
  return html`<div class="game"><a class="home" href="/" aria-label="${t(lang, "all_tables")}"><pb-logo
      size="36"></pb-logo></a>
    <div class="what"><h1 class="title">${title}</h1><small>${isSeen(s) ? placeOf(s) : ""}</small></div></div>`;
}

/** @param {Language} lang */
const demoMark = (lang) => html`<span class="demo" title="${t(lang, "demo_says")}">${t(lang, "demo_mark")}</span> `;

/** @param {Seen} s */
function placeOf(s) {
  const { lang, table } = s, hasOther = table.title.zh !== table.title.en;
  const otherTitle = hasOther ? said(other[lang], table.title) : "";
  const [more, tag] = s.shape === "phone" ? [shoeAndRound(s), TAGS[lang]] : [otherTitle, TAGS[other[lang]]];
  const aside = more ? html`<span class="more-of" lang="${tag}"> · ${more}</span>` : "";
  return html`${table.demo ? demoMark(lang) : ""}${t(lang, "table_no", table.number)}${aside}`;
}

/** @param {Seen} s */
function shoeAndRound({ lang, table }) {
  const shoe = table.shoe === null ? t(lang, "no_shoe") : t(lang, "shoe_no", table.shoe);
  return `${shoe} · ${t(lang, "round_no", table.round)}`;
}

// By the shoe's number: who has a part in its order.
/** @param {Seen} s */
const shuffledBy = ({ lang, table: { shuffle } }) => (shuffle ? said(lang, shuffle.text) : "");

// One live region. What is seen ticks and is not read out; what is read out is said once.
/** @param {State} s */
export function status(s) {
  const { sign, title, aside, sub, say } = statusOf(s), phase = s.table?.phase ?? "";
  const live = ["dealing", "settled"].includes(phase) ? "polite" : "assertive";
  const tag = TAGS[other[s.lang]]; // the dot goes where the words go, on a device that cannot write them
  const beside = aside ? html`<span lang="${tag}">${aside}</span><span lang="${tag}"> · </span>` : "";
  const more = html`${beside}${sub.filter(Boolean).map((part) => html`<span>${part}</span>`)}`;
  return html`<div class="status" data-status="${s.link === "open" ? phase : s.link}"><span class="sign"
      data-key="sign-${sign}">${signOf(s, sign)}</span>
    <div class="said" aria-hidden="true"><strong class="now"
      data-key="${title}">${title}</strong><small>${more}</small></div>
    <p class="sr" role="status" aria-live="${live}">${say ?? sentences(s.lang, title, sub[0])}</p></div>`;
}

/** @param {State} s @param {string} sign */
function signOf(s, sign) {
  if (sign === "ring" && isSeen(s)) return ring(s);
  if (SEALS[sign]) return html`<span class="lk seal-${sign[0]} cjk" aria-hidden="true">${
    seal(SEALS[sign], s.lang)}</span>`;
  return html`<span class="lk" aria-hidden="true"><pb-icon name="${sign}" size="27"></pb-icon></span>`;
}

// The figure is the sentence's own: the two never differ.
/** @param {Seen} s */
const ring = (s) => html`<pb-ring ends="${s.table.closes_at}" total="${s.table.betting_ms || 0}"
  seconds="${secondsLeft(s)}" size="60" aria-hidden="true"${s.table.dealer_closes ? html` calm` : null}></pb-ring>`;

/** @param {State} s */
export function clock(s) {
  const where = isSeen(s) ? shoeAndRound(s) : "";
  const shuffled = isSeen(s) ? shuffledBy(s) : "";
  return html`<div class="clock"><b>${s.clock ? time(s.clock) : ""}</b><span data-key="${where}">${where}</span>${
    shuffled ? html`<small class="shuffled" data-key="shuffled" title="${shuffled}">${shuffled}</small>` : ""}</div>`;
}

/** @param {State} s */
export function sound(s) {
  const label = t(s.lang, "sound");
  return html`<button type="button" class="btn round" data-act="sound" aria-pressed="${String(s.sound)}"
    aria-label="${label}" title="${t(s.lang, s.sound ? "sound_on" : "sound_off")}">${bell(s.sound)}</button>`;
}

const WAVES = html`<path d="M16.500 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11"/>`;
const CROSS = html`<path d="m17 9.500 5 5m0-5-5 5"/>`;
export const bell = (on) => html`<svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor"
  stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path
  d="M4 9v6h4l5 4V5L8 9z"/>${on ? WAVES : CROSS}</svg>`;

const IN_PLAY = ["betting", "closed", "dealing", "stopped"];
const haltedKey = ({ closing, phase }) =>
  (!closing ? "halted_strip" : IN_PLAY.includes(phase) ? "closing_strip" : "closing_now_strip");

// Amber lines under the header
/** @param {State} s */
export function strips(s) {
  const { lang, table, mine, handed } = s;
  const halted = table?.halted && t(lang, haltedKey(table), said(lang, table.halted));
  const stopped = mine?.stopped && t(lang, "stopped_strip", said(lang, mine.stopped));
  const last = table?.last_hand && t(lang, "last_hand_strip");
  const told = table ? correctionsTold(table, lang) : [];
  const paid = [handed && handedWords(lang, handed), heldWords(s), movingWords(s)];
  const urgent = [...told, ...paid, last, halted, stopped].filter(Boolean), answer = answerOf(s);
  const text = [...urgent, answer && answerWords(lang, answer)].filter(Boolean).join(" ");
  if (!text) return "";
  const [icon, role] = urgent.length ? ["warn", "alert"] : ["info", "status"];
  return html`<div class="strip ${urgent.length ? "" : "quiet"}" role="${role}" data-key="strip"><pb-icon name="${icon}"
    size="20"></pb-icon><span>${text}</span>${handed ? readIt(lang) : answer ? readAnswer(lang, answer) : ""}</div>`;
}

/** What the patron waits for; nothing where no hand pay waits. @param {State} s */
export const heldWords = ({ lang, mine }) => (mine?.held_cents ? t(lang, "held_strip", money(mine.held_cents)) : "");

/** @param {State} s */
const movingWords = ({ lang, mine }) =>
  (mine?.moving_to ? t(lang, "moving_strip", money(mine.moving_cents), mine.moving_to.split(":")[1]) : "");

/** @param {Language} lang @param {NonNullable<State["handed"]>} handed */
const handedWords = (lang, { cents, what, round }) => t(lang, `handed_${what}`, money(cents), round ?? "");

const readIt = (lang) => html`<button type="button" class="btn slim"
  data-act="handed-read">${t(lang, "cont")}</button>`;

// The side

/** @param {Seen} s */
export const road = (s, columns, cell) => html`<pb-road kind="big" cells="${JSON.stringify(s.table.roads.big)}"
  columns="${columns}" cell="${cell}" last></pb-road>`;

/** @param {Seen} s */
export const counts = ({ lang, table }) => html`<div class="cnt" role="group"
  aria-label="${t(lang, "counts")}">${["banker", "player", "tie"].map((side) => count(lang, side, table))}</div>`;

const count = (lang, side, { counts: of }) => html`<span class="${side[0]}-ink" title="${t(lang, side)}"><i
  class="cjk" lang="${hanTag(lang)}">${seal(SEALS[side], lang)}</i> <b data-key="${of[side]}"
  data-count="${side}">${of[side]}</b></span>`;

const NAMED_MOST = 3;
/** @param {Seen} s */
export const limits = ({ lang, table }) =>
  html`<table class="lims"><tbody>${limitRows(table.bets).map((row) => limitRow(lang, row))}</tbody></table>`;

function limitRow(lang, { bets, min_cents, max_cents, closed }) {
  const between = closed ? t(lang, "shut") : `${dollars(min_cents)} – ${dollars(max_cents)}`;
  return html`<tr><th scope="row">${named(lang, bets)}</th><td>${between}</td></tr>`;
}

function named(lang, bets) {
  const names = bets.slice(0, NAMED_MOST).map((bet) => said(lang, bet.title)).join(t(lang, "joined"));
  return bets.length > NAMED_MOST ? `${names} ${t(lang, "more_spots", bets.length - NAMED_MOST)}` : names;
}

/** @param {Seen} s */
export function doors(s) {
  const { lang } = s, noBuy = flag("disabled", s.link !== "open"), noCash = flag("disabled", !canAskCash(s));
  return html`<div class="sb"><button
      type="button" class="btn" data-act="rules"><pb-icon name="rules"></pb-icon>${t(lang, "rules")}</button><button
      type="button" class="btn" data-act="history"><pb-icon name="hist"></pb-icon>${t(lang, "history")}</button>
    <button type="button" class="btn" data-act="buy" ${noBuy}><pb-icon
      name="buy"></pb-icon>${t(lang, "buy")}</button><button
      type="button" class="btn" data-act="cash" ${noCash}><pb-icon
      name="cash"></pb-icon><span>${t(lang, "cash")}${whyNoCash(s)}</span></button></div>`;
}

/** Why cashing out waits, in the button itself; nothing where it is possible. @param {Seen} s */
export function whyNoCash(s) {
  const isInPlay = Boolean(s.mine?.seated) && (acceptedCents(s) > 0 || hasPending(s));
  return isInPlay ? html`<small class="why">${t(s.lang, "cash_off")}</small>` : "";
}

/** @param {Seen} s */
export function canCash(s) {
  const isSeated = s.link === "open" && Boolean(s.mine?.seated), isInPlay = acceptedCents(s) || hasPending(s);
  return isSeated && !isInPlay && s.mine.balance_cents > 0;
}

/** Whether the cash-out sheet has something to say: credits to cash, or a hand pay that waits. @param {Seen} s */
export const canAskCash = (s) => canCash(s) || (s.link === "open" && Boolean(s.mine?.held_cents));

/** @param {Seen} s */
const hasPending = (s) => Object.keys(s.pending).length > 0;

// The tray

/** @param {Seen} s */
export function tray(s, size) {
  const { lang, mine, table } = s;
  if (s.link === "open" && !mine.seated && table.phase !== "down") return inviting(s, ...toSit(s));
  if (s.link === "open" && isBroke(s)) return inviting(s, ...toBuy(s));
  const reached = limitReached(s);
  if (s.link === "open" && reached) return reachedTray(s, reached, canAskCash(s));
  const chips = s.chips.map((cents) => chip(s, cents, size));
  return html`<section class="tray" aria-label="${t(lang, "controls")}" data-key="tray"><div class="chips"
    role="radiogroup" aria-label="${t(lang, "chips")}">${chips}</div>${hintBelow(s)}${actions(s)}</section>`;
}

/** @param {Seen} s */
function chip(s, cents, size) {
  const isChosen = cents === s.chip;
  return html`<button type="button" class="cbtn ${canBet(s) ? "" : "off"}" role="radio" data-act="chip"
    data-cents="${cents}" data-key="${cents}" aria-checked="${String(isChosen)}" tabindex="${isChosen ? 0 : -1}"
    aria-label="${t(s.lang, "chip_of", dollars(cents))}"><pb-chip cents="${cents}" size="${size}"></pb-chip></button>`;
}

/** @param {Seen} s */
function isBroke(s) {
  const { mine } = s, isInPlay = acceptedCents(s) || mine.lines.length || hasPending(s);
  return mine.seated && !mine.balance_cents && !isInPlay;
}

/** @param {Seen} s @returns {[string, Html]} */
const toSit = ({ lang, table }) => [
  t(lang, table.demo ? "seat_demo" : "seat_says"),
  html`<button type="button" class="btn primary" data-act="seat">${t(lang, "seat")}</button>`,
];
/** @param {Seen} s @returns {[string, Html]} */
const toBuy = (s) => [
  heldWords(s) || t(s.lang, "broke_says"),
  html`<button type="button" class="btn primary" data-act="buy"><pb-icon
    name="buy"></pb-icon>${t(s.lang, "buy")}</button>`,
];

/** @param {Seen} s */
const inviting = (s, text, button) => html`<section class="tray inviting"
  data-key="inviting"><p>${text}</p>${s.refused ? hintBelow(s) : ""}${button}</section>`;

// A telephone says what was refused above the felt, where it covers no spot.
/** @param {Seen} s */
const hintBelow = (s) => (s.shape === "phone" ? hint({ ...s, refused: null }) : hint(s));

/** @param {Seen} s */
export function hint(s) {
  const { lang, table } = s;
  if (s.refused) return refusedHint(s);
  if (canBet(s)) return (s.shape === "wide" && hintNow(s)) || tip(lang, s.chip);
  if (["closed", "dealing", "stopped"].includes(table.phase)) return closedHint(lang, table);
  return html`<p class="hint" data-key="wait">${t(lang, waitTip(s))}</p>`;
}

// "Paid" is for who got something: a round that was lost, or watched, just goes on.
/** @param {Seen} s */
function waitTip({ table, mine }) {
  if (table.halted) return "tip_halted";
  const isPaid = table.phase === "settled" && sum((mine?.lines ?? []).map(paidCents)) > 0;
  return isPaid ? "tip_settled" : "tip_wait";
}

/** @param {Seen} s */
const refusedHint = (s) => html`<div class="hint refused" role="alert" data-key="refused"><pb-icon name="warn"
  size="18"></pb-icon><span>${refusal(s, s.refused)}</span></div>`;

const tip = (lang, cents) =>
  html`<p class="hint" data-key="tip"><b>${t(lang, "chosen", dollars(cents))}</b><br>${t(lang, "tip")}</p>`;

function closedHint(lang, { late_clause, withdraw_clause }) {
  const clauses = [...new Set([late_clause, withdraw_clause])].map((clause) => clauseChip(lang, clause));
  return html`<p class="hint" data-key="closed">${t(lang, "tip_closed")} ${clauses}</p>`;
}

// Why not, in the server's words, with the clause.
/** @param {Seen} s */
export function refusal(s, r) {
  const { lang } = s, title = r.bet ? (r.bets ?? [r.bet]).map((bet) => titleOf(s, bet)).join(t(lang, "joined")) : "";
  if (r.key) return ownRefusal(lang, r, title);
  const way = r.at ? html` <a class="btn slim" href="/tables/${r.at}">${t(lang, "to_table", r.at)}</a>` : "";
  return html`${refusedWhat(lang, r, title, said(lang, r.reason))} ${clauseChip(lang, r.clause)}${way}`;
}

/** @param {Seen} s */
const titleOf = ({ lang, table }, id) => said(lang, table.bets.find(({ bet }) => bet === id)?.title) || id;

// What the terminal refuses by itself.
function ownRefusal(lang, { key, cents }, title) {
  if (key === "doubleOver") return t(lang, key, title, dollars(cents));
  if (["spot_closed", "left_out"].includes(key)) return t(lang, key, title);
  return t(lang, key, cents === undefined ? "" : dollars(cents));
}

function refusedWhat(lang, r, title, reason) {
  if (r.double) return html`${t(lang, "nothing_doubled", title)} ${reason}`;
  return title ? html`<b>${title}</b>${isChinese(lang) ? "：" : ": "}${reason}` : reason;
}

/** @param {Seen} s */
function actions(s) {
  const { lang } = s, on = canBet(s), down = on && hasDown(s);
  const all = [
    action(lang, "undo", "undo", "Z", on && s.undo.length), action(lang, "clear", "clear", "X", down),
    action(lang, "rebet", "rebet", "R", on && canRebet(s)), action(lang, "double", "x2", "D", down),
  ];
  return html`<div class="acts">${all}</div>`;
}

const action = (lang, name, icon, key, enabled) => html`<button type="button" class="btn" data-act="${name}"
  ${flag("disabled", !enabled)} aria-keyshortcuts="${key}"><pb-icon name="${icon}"
  size="24"></pb-icon>${t(lang, name)}</button>`;

// The meters: the server's figures

/** @param {Seen} s */
export function meters(s) {
  const { lang, mine, table } = s, seated = Boolean(mine?.seated), lines = mine?.lines ?? [];
  const isOver = lines.length > 0, isVoid = isOver && table.phase === "void", isPaid = isOver && !isVoid;
  const net = netCents(lines), counting = net > 0 && !s.still ? countUp(table.round, net) : "";
  const netRound = t(lang, s.shape === "phone" ? "net_short" : "net_round");
  return [
    meter("credits", t(lang, "credits"), seated ? mine.balance_cents : null),
    meter("bet", t(lang, isVoid ? "returned_meter" : "total_bet"), stakedCents(s), isVoid ? "ok" : ""),
    isPaid ? netMeter(netRound, net, counting) : netMeter(t(lang, "last_net"), s.lastNet),
    isPaid ? meter("paid", t(lang, "paid"), sum(lines.map(paidCents))) : "",
  ];
}

/** @type {(key: string, name: string, cents: number | null, tone?: string, over?: Html | string) => Html} */
const meter = (key, name, cents, tone = "", over = "") => html`<div class="m" data-key="${key}"><span
  class="eyebrow">${name}</span><b class="${tone}"
  data-meter="${key}">${cents === null ? "–" : key === "win" ? signed(cents) : money(cents)}</b>${over}</div>`;
const countUp = (round, cents) =>
  html`<pb-count data-key="count ${round}" class="gold" cents="${cents}" aria-hidden="true"></pb-count>`;
// Gold for who is ahead, and for nobody else.
/** @type {(name: string, cents: number, counting?: Html | string) => Html} */
const netMeter = (name, cents, counting = "") => meter("win", name, cents, cents > 0 ? "gold" : "", counting);

/** @param {Seen} s */
export function sessionLine(s) {
  const { lang, mine } = s, isOpen = s.link === "open", name = t(lang, "terminal", terminalName(s));
  return html`<div class="sess">${s.shape === "phone" && isSeen(s) ? shuffledLine(s) : ""}<span
    data-meter-line="time">${mine?.since ? timeAndNet(s) : ""}</span><span>${name} · <span
    class="${isOpen ? "ok" : "warn"}">${t(lang, isOpen ? "connected" : "lost")}</span> · <button type="button"
    class="text" data-act="rules" data-clause="reading 31">${t(lang, "policy")}</button></span></div>`;
}

// A phone has no room for it beside the shoe's number.
/** @param {Seen} s */
const shuffledLine = (s) => (s.table.shuffle
  ? html`<span class="shuffled" data-key="shuffled">${t(s.lang, "shoe_no", s.table.shoe)}: ${
    shuffledBy(s)}</span>` : "");

/** @param {Seen} s */
function timeAndNet({ lang, now, mine: { since, net_cents } }) {
  const played = t(lang, "session", elapsed(now - (since ?? now)));
  return html`${played} · ${t(lang, "net")} <b class="net" data-key="net ${net_cents}"
    data-meter="net">${signed(net_cents)}</b>`;
}

/** @param {Seen} s */
export const limitsDoor = (s) => html`<button type="button" class="btn slim" data-act="limits"><pb-icon name="shield"
  size="18"></pb-icon>${t(s.lang, "your_limits")}</button>`;

/** A switch of its own: whether this patron turns the cards of the side that was backed. @param {State} s */
export const squeezing = ({ lang, squeeze }, look = "") => html`<button type="button" class="btn ${look}"
  data-act="squeeze" aria-pressed="${String(squeeze)}" title="${t(lang, "squeeze_says")}"${
  look ? html` aria-label="${t(lang, "squeeze")}"` : ""}><pb-icon name="hand" size="22"></pb-icon><span>${
  t(lang, look ? "squeeze" : squeeze ? "squeeze_on" : "squeeze_off")}</span></button>`;
