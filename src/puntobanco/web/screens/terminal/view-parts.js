// What stands around the felt: the header, the roads and limits, the tray and the meters.
import { html } from "../base/dom.js";
import { dollars, elapsed, money, signed, time } from "../base/money.js";
import { said } from "../base/words.js";
import { canRebet, hasDown } from "./ask.js";
import { limitRows } from "./layout.js";
import { acceptedCents, canBet, paidCents, sum, wonCents } from "./reduce.js";
import { SEALS, statusOf, terminalName } from "./status.js";
import { clauseChip, flag, stakedCents } from "./view-felt.js";
import { REFUSALS_ZH, t } from "./words.js";

const other = { en: "zh", zh: "en" };

// The header

export function game(s) {
  const { lang, table } = s;
  const place = table ? [t(lang, "table_no", table.number), s.shape === "phone" ? shoeAndRound(s) : said(other[lang], table, "title")].filter(Boolean).join(" · ") : "";
  return html`<div class="game"><a class="home" href="/" aria-label="${t(lang, "all_tables")}"><pb-logo size="36"></pb-logo></a>
    <div class="what"><h1 class="title">${table ? said(lang, table, "title") : "puntobanco"}</h1><small>${table?.demo ? html`<span class="demo" title="${t(lang, "demo_says")}">${t(lang, "demo_mark")}</span> ` : ""}${place}</small></div></div>`;
}

const shoeAndRound = ({ lang, table }) => `${table.shoe === null ? t(lang, "no_shoe") : t(lang, "shoe_no", table.shoe)} · ${t(lang, "round_no", table.round)}`;

// One live region. What is seen ticks and is not read out; what is read out is said once.
export function status(s) {
  const { sign, title, sub, say } = statusOf(s);
  return html`<div class="status" data-status="${s.link === "open" ? s.table?.phase : s.link}"><span class="sign" data-key="sign-${sign}">${signOf(s, sign)}</span>
    <div class="said" aria-hidden="true"><strong class="now" data-key="${title}">${title}</strong><small>${sub.filter(Boolean).map((part, i) => html`${i ? " · " : ""}<span>${part}</span>`)}</small></div>
    <p class="sr" role="status" aria-live="${["dealing", "settled"].includes(s.table?.phase) ? "polite" : "assertive"}">${say ?? `${title}. ${sub[0]}`}</p></div>`;
}

function signOf(s, sign) {
  if (sign === "ring") return html`<pb-ring ends="${s.table.closes_at}" total="${s.table.betting_ms || 0}" size="60" aria-hidden="true"></pb-ring>`;
  if (SEALS[sign]) return html`<span class="lk seal-${sign[0]} cjk" aria-hidden="true">${SEALS[sign]}</span>`;
  return html`<span class="lk" aria-hidden="true"><pb-icon name="${sign}" size="27"></pb-icon></span>`;
}

export const clock = (s) => html`<div class="clock"><b>${s.now ? time(s.now) : ""}</b><span data-key="${s.table ? shoeAndRound(s) : ""}">${s.table ? shoeAndRound(s) : ""}</span></div>`;

export const sound = (s) => html`<button type="button" class="btn round" data-act="sound" aria-pressed="${String(s.sound)}" aria-label="${t(s.lang, s.sound ? "sound_on" : "sound_off")}" title="${t(s.lang, s.sound ? "sound_on" : "sound_off")}">${bell(s.sound)}</button>`;
const bell = (on) => html`<svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M4 9v6h4l5 4V5L8 9z"/>${on ? html`<path d="M16.500 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11"/>` : html`<path d="m17 9.500 5 5m0-5-5 5"/>`}</svg>`;

export const languages = (s) => html`<div class="seg" role="group" aria-label="${t(s.lang, "language")}"><button type="button" data-act="language" data-lang="en" lang="en" aria-pressed="${String(s.lang === "en")}">EN</button><button type="button" class="cjk" data-act="language" data-lang="zh" lang="zh-Hant" aria-pressed="${String(s.lang === "zh")}">中文</button></div>`;
export const otherLanguage = (s) => html`<button type="button" class="btn lang ${s.lang === "en" ? "cjk" : ""}" data-act="language" data-lang="${other[s.lang]}" lang="${s.lang === "en" ? "zh-Hant" : "en"}">${s.lang === "en" ? "中文" : "EN"}</button>`;

// Amber lines under the header
export function strips(s) {
  const { lang, table, mine } = s;
  const said_ = [table?.halted && t(lang, "halted_strip", table.halted), mine?.stopped && t(lang, "stopped_strip", mine.stopped)].filter(Boolean);
  return said_.length ? html`<div class="strip" role="alert" data-key="strip"><pb-icon name="warn" size="20"></pb-icon><span>${said_.join(" ")}</span></div>` : "";
}

// The side

export const road = (s, columns, cell) => html`<pb-road kind="big" cells="${JSON.stringify(s.table.roads.big)}" columns="${columns}" cell="${cell}" last></pb-road>`;
export const roundsSaid = ({ lang, table }) => t(lang, table.counts.rounds === 1 ? "rounds_1" : "rounds", table.counts.rounds);
export const counts = ({ lang, table }) => html`<div class="cnt" role="group" aria-label="${t(lang, "counts")}">${["banker", "player", "tie"].map((side) => html`<span class="${side[0]}-ink" title="${t(lang, side)}"><i class="cjk" lang="zh-Hant">${SEALS[side]}</i> <b data-key="${table.counts[side]}" data-count="${side}">${table.counts[side]}</b></span>`)}</div>`;

const NAMED_MOST = 3;
export function limits({ lang, table }) {
  const named = (bets) => bets.slice(0, NAMED_MOST).map((bet) => said(lang, bet, "title")).join(t(lang, "joined")) + (bets.length > NAMED_MOST ? ` ${t(lang, "more_spots", bets.length - NAMED_MOST)}` : "");
  return html`<table class="lims"><tbody>${limitRows(table.bets).map((row) => html`<tr><th scope="row">${named(row.bets)}</th><td>${dollars(row.min_cents)} – ${dollars(row.max_cents)}</td></tr>`)}</tbody></table>`;
}

export function doors(s) {
  const { lang } = s, noCash = !canCash(s);
  return html`<div class="sb"><button type="button" class="btn" data-act="rules"><pb-icon name="rules"></pb-icon>${t(lang, "rules")}</button><button type="button" class="btn" data-act="history"><pb-icon name="hist"></pb-icon>${t(lang, "history")}</button>
    <button type="button" class="btn" data-act="buy" ${flag("disabled", s.link !== "open")}><pb-icon name="buy"></pb-icon>${t(lang, "buy")}</button><button type="button" class="btn" data-act="cash" ${flag("disabled", noCash)} ${acceptedCents(s) ? html`title="${t(lang, "cash_off")}"` : ""}><pb-icon name="cash"></pb-icon>${t(lang, "cash")}</button></div>`;
}
export const canCash = (s) => s.link === "open" && Boolean(s.mine?.seated) && !acceptedCents(s) && s.mine.balance_cents > 0 && !Object.keys(s.pending).length;

// The tray

export function tray(s, size) {
  const { lang, mine, table } = s;
  if (s.link === "open" && !mine.seated && table.phase !== "down") return inviting(s, t(lang, table.demo ? "seat_demo" : "seat_says"), html`<button type="button" class="btn primary" data-act="seat">${t(lang, "seat")}</button>`);
  if (s.link === "open" && mine.seated && !mine.balance_cents && !acceptedCents(s) && !mine.lines.length && !Object.keys(s.pending).length) return inviting(s, t(lang, "broke_says"), html`<button type="button" class="btn primary" data-act="buy"><pb-icon name="buy"></pb-icon>${t(lang, "buy")}</button>`);
  const off = !canBet(s);
  const chip = (cents) => html`<button type="button" class="cbtn ${off ? "off" : ""}" role="radio" data-act="chip" data-cents="${cents}" data-key="${cents}" aria-checked="${String(cents === s.chip)}" tabindex="${cents === s.chip ? 0 : -1}" aria-label="${t(lang, "chip_of", dollars(cents))}"><pb-chip cents="${cents}" size="${size}"></pb-chip></button>`;
  return html`<section class="tray" aria-label="${t(lang, "controls")}" data-key="tray"><div class="chips" role="radiogroup" aria-label="${t(lang, "chips")}">${s.chips.map(chip)}</div>${hint(s)}${actions(s)}</section>`;
}

const inviting = (s, text, button) => html`<section class="tray inviting" data-key="inviting"><p>${text}</p>${s.refused ? hint(s) : ""}${button}</section>`;

export function hint(s) {
  const { lang, table } = s;
  if (s.refused) return html`<div class="hint refused" role="alert" data-key="refused"><pb-icon name="warn" size="18"></pb-icon><span>${refusal(s, s.refused)}</span></div>`;
  if (canBet(s)) return html`<p class="hint" data-key="tip"><b>${t(lang, "chosen", dollars(s.chip))}</b><br>${t(lang, "tip")}</p>`;
  if (["closed", "dealing", "stopped"].includes(table.phase)) return html`<p class="hint" data-key="closed">${t(lang, "tip_closed")} ${[...new Set([table.late_clause, table.withdraw_clause])].map((clause) => clauseChip(lang, clause))}</p>`;
  return html`<p class="hint" data-key="wait">${t(lang, table.phase === "settled" ? "tip_settled" : "tip_wait")}</p>`;
}

// Why not, with the clause. In Chinese where there are words for it, the English beside them.
export function refusal(s, r) {
  const { lang } = s, title = r.bet ? said(lang, s.table.bets.find((bet) => bet.bet === r.bet) ?? { title: r.bet }, "title") : "";
  if (r.key) return r.key === "doubleOver" ? t(lang, r.key, title, dollars(r.cents)) : t(lang, r.key, r.cents === undefined ? "" : dollars(r.cents));
  const zh = lang === "zh" && REFUSALS_ZH[r.code], reason = zh ? html`${zh} <small lang="en">${r.reason}</small>` : r.reason;
  const whole = r.double ? html`${t(lang, "nothing_doubled", title)} ${reason}` : title ? html`<b>${title}</b>: ${reason}` : reason;
  return html`${whole} ${clauseChip(lang, r.clause)}`;
}

export function actions(s) {
  const { lang } = s, on = canBet(s), down = on && hasDown(s);
  const act = (name, icon, key, enabled) => html`<button type="button" class="btn" data-act="${name}" ${flag("disabled", !enabled)} aria-keyshortcuts="${key}"><pb-icon name="${icon}" size="24"></pb-icon>${t(lang, name)}</button>`;
  return html`<div class="acts">${act("undo", "undo", "Z", on && s.undo.length)}${act("clear", "clear", "X", down)}${act("rebet", "rebet", "R", on && canRebet(s))}${act("double", "x2", "D", down)}</div>`;
}

// The meters: the server's figures

export function meters(s) {
  const { lang, mine, table } = s, seated = Boolean(mine?.seated), lines = mine?.lines ?? [];
  const isOver = lines.length > 0, isVoid = isOver && table.phase === "void";
  const meter = (key, name, cents, tone = "", more = "") => html`<div class="m" data-key="${key}"><span class="eyebrow">${name}</span><b class="${tone}" data-meter="${key}">${cents === null ? "–" : money(cents)}</b>${more}</div>`;
  const won = sum(lines.map(wonCents));
  return [
    meter("credits", t(lang, "credits"), seated ? mine.balance_cents : null),
    meter("bet", t(lang, isVoid ? "returned_meter" : "total_bet"), stakedCents(s), isVoid ? "ok" : ""),
    isOver && !isVoid ? meter("win", t(lang, s.shape === "phone" ? "win_short" : "win_round"), won, won ? "gold" : "") : meter("win", t(lang, "last_win"), s.win, s.win ? "gold" : ""),
    isOver && !isVoid ? meter("paid", t(lang, "paid"), sum(lines.map(paidCents))) : "",
  ];
}

export function sessionLine(s) {
  const { lang, mine } = s;
  const since = mine?.since ? html`${t(lang, "session", elapsed(s.now - mine.since))} · ${t(lang, "net")} <b class="net" data-key="net ${mine.net_cents}" data-meter="net">${signed(mine.net_cents)}</b>` : "";
  return html`<div class="sess"><span data-meter-line="time">${since}</span><span>${t(lang, "terminal", terminalName(s))} · <span class="${s.link === "open" ? "ok" : "warn"}">${t(lang, s.link === "open" ? "connected" : "lost")}</span> · <button type="button" class="text" data-act="rules" data-clause="malfunction">${t(lang, "policy")}</button></span></div>`;
}
export const limitsDoor = (s) => html`<button type="button" class="btn slim" data-act="limits"><pb-icon name="shield" size="18"></pb-icon>${t(s.lang, "your_limits")}</button>`;
