// Sheets over the table: void and reconnecting, rules, past rounds, credits in and out, limits of one's own.
import { html } from "../base/dom.js";
import { dollars, moment, money } from "../base/money.js";
import { sightSwitches } from "../base/sight.js";
import { said, sentences, TAGS } from "../base/words.js";
import { rulesPage, tableTerms } from "../base/rules.js";
import { grouped, voucher } from "../base/voucher.js";
import { correctionsTold } from "../kit/corrections.js";
import { paidByLine } from "./outcome.js";
import { howToPlay } from "./guide.js";
import { isSeen, acceptedCents, lineOf, paidCents, sum } from "./reduce.js";
import { realityCheck } from "./reality.js";
import { reference, terminalName, winnerOf, resultLine } from "./status.js";
import { betOf, clauseChip, flag } from "./view-felt.js";
import { bell, canAskCash, canCash, heldWords, refusal, sessionLine, squeezing, whyNoCash } from "./view-parts.js";
import { leaveButtons, leaveDoor, leaveText } from "./view-leave.js";
import { roundList } from "./view-history.js";
import { keysOf, limitsForm, typing } from "./view-limits.js";
import { receiptButton, receiptShown } from "./view-receipt.js";
import { reviews } from "./view-review.js";
import { t } from "./words.js";
import { w } from "./words-patron.js";

/** @import { Recall } from "server" */
/** @import { Html } from "../base/dom.js" */
/** @import { Language } from "../base/words.js" */
/** @import { NamedLine, Refusal, Seen, Sheet, State, Voided } from "./reduce.js" */

// What must be read before anything else: `over` the felt only, so that the meters stay in sight.
/** @param {Seen} s */
export function notice(s) {
  if (!s.table) return "";
  if (s.link === "over") return isOver(s);
  if (s.link !== "open" && s.tries > 0) return lost(s);
  return s.voided ? isVoid(s, s.voided) : "";
}

const warned = (key, icon, title, body) => html`<div class="sheet over" data-key="notice-${key}"
  data-sheet="${key}"><div class="notice warned" role="alertdialog" aria-labelledby="notice-title"><h2
  id="notice-title" tabindex="-1"><pb-icon name="${icon}" size="34"></pb-icon>${title}</h2>${body}</div></div>`;
const amount = (label, cents, tone = "") =>
  html`<div class="refund ${tone}"><span>${label}</span><b>${money(cents)}</b></div>`;
/** @param {Seen} s */
const titleOf = (s, bet) => said(s.lang, betOf(s, bet).title);

/** @param {Seen} s */
function isOver({ lang, refused }) {
  const why = refused ? said(lang, refused.reason) || t(lang, refused.key ?? "") : "";
  return warned("over", "warn", t(lang, "over_title"), html`<p class="l">${t(lang, "over_text", why)}</p>`);
}

/** @param {Seen} s @param {Voided} voided */
function isVoid(s, voided) {
  const { lang } = s, { lines, round, clause } = voided;
  const why = t(lang, "void_text", said(lang, voided.title) || voided.ground);
  const returned = sum(lines.map((line) => line.returned_cents));
  const staked = lines.map((line) => `${titleOf(s, line.bet)} ${dollars(line.stake_cents)}`).join(" · ");
  const credits = t(lang, "void_credits", money(voided.balance_cents), reference(s, round));
  const rule = clauseChip(lang, clause, true);
  return warned("void", "warn", t(lang, "void_title", round), html`<p class="l">${why} ${rule}</p>
    ${amount(t(lang, "all_returned"), returned, "good")}
    <p class="muted small">${sentences(lang, staked, credits)}</p>
    <div class="btns"><button type="button" class="btn" data-act="rules"
      data-clause="${clause}">${t(lang, "read_rules")}</button><button type="button"
      class="btn primary wide" data-act="continue" data-focus>${t(lang, "cont")}</button></div>`);
}

/** @param {Seen} s */
function lost(s) {
  const { lang } = s, pending = Object.values(s.pending).length ? pendingLine(s) : "";
  const accepted = amount(t(lang, "accepted_before"), acceptedCents(s));
  return warned("lost", "wifi", t(lang, "lost_title"), html`<p class="l">${t(lang, "lost_text")}</p>${accepted}
    ${pending}<p class="muted small">${t(lang, "trying", s.tries, terminalName(s))}</p>`);
}

/** @param {Seen} s */
function pendingLine(s) {
  const { lang } = s, signed = (cents) => `${cents < 0 ? "−" : "+"}${dollars(Math.abs(cents))}`;
  const list = Object.values(s.pending).map(({ bet, delta_cents }) => `${titleOf(s, bet)} ${signed(delta_cents)}`);
  const title = t(lang, "pending_before"), more = t(lang, "pending_text");
  return html`<p class="small pend"><b>${title}</b> ${sentences(lang, list.join(" · "), more)}</p>`;
}

// Sheets that are opened

/** @param {State} s */
export function sheet(s) {
  const make = s.sheet && SHEETS[s.sheet.name];
  return make && s.sheet && isSeen(s) ? make(s, s.lang, s.sheet) : "";
}

/**
 * @param {Seen} s
 * @param {string} name
 * @param {Html | string} title
 * @param {Html | string | undefined} body
 * @param {{ wide?: boolean, buttons?: Html | string | null }} [more]
 */
const opened = (s, name, title, body, { wide = false, buttons = null } = {}) => html`<div class="sheet"
    data-key="sheet-${name}" data-sheet="${name}"><div class="notice ${wide ? "wide" : ""}" role="dialog"
    aria-modal="true" aria-labelledby="sheet-title">
  <header class="bar"><h2 id="sheet-title" tabindex="-1">${title}</h2><button type="button" class="btn round"
    data-act="close" aria-label="${t(s.lang, "close")}"><pb-icon name="clear" size="22"></pb-icon></button></header>
  ${body}${s.sheet?.wrong && !s.sheet.asking ? wrong(s, s.sheet.wrong) : ""}${
  buttons ? html`<div class="btns">${buttons}</div>` : ""}</div></div>`;

/** @param {Seen} s @param {Refusal} why */
const wrong = (s, why) => html`<p class="wrong" role="alert" data-key="wrong"><pb-icon name="warn"
  size="18"></pb-icon><span>${refusal(s, why)}</span></p>`;
const lead = (text) => html`<p class="l">${text}</p>`;

/** @type {Record<string, (s: Seen, lang: Language, own: Sheet) => Html>} */
const SHEETS = {
  menu: (s, lang) => opened(s, "menu", t(lang, "menu"), menu(s)),
  panel: (s, lang, own) => opened(s, "panel", t(lang, "panel"), own.body),
  rules(s, lang) {
    const title = s.rules ? said(lang, s.rules.title) : t(lang, "rules");
    return opened(s, "rules", title, s.rules ? rules(s) : lead(t(lang, "loading")), { wide: true });
  },
  history(s, lang, own) {
    if (!own.replay) return opened(s, "history", t(lang, "history"), roundList(s, own), { wide: true });
    const round = t(lang, "replay_of", own.replay.round);
    const title = html`<span class="pill warn">${t(lang, "replay")}</span> ${round}`;
    return opened(s, "history", title, replay(s, own.replay, own), { wide: true, buttons: steps(s, own.replay) });
  },
  how: (s, lang) => opened(s, "how", w(lang, "how_of"), howToPlay(s), { wide: true }),
  reality: realityCheck,
  buy: (s, lang, own) => opened(s, "buy", t(lang, "buy"), buy(s, own)),
  cash(s, lang) {
    const waits = heldWords(s), cents = s.mine.balance_cents;
    if (waits && !cents) return opened(s, "cash", t(lang, "cash"), html`${lead(waits)}${lead(t(lang, "held_text"))}`);
    const body = html`${waits ? lead(waits) : ""}${lead(t(lang, "cash_text"))}`;
    return opened(s, "cash", t(lang, "cash_ask", money(cents)), body, { buttons: cashButtons(s) });
  },
  leave: (s, lang) => opened(s, "leave", t(lang, "leave_title"), leaveText(s), { buttons: leaveButtons(s) }),
  paper,
  limits: (s, lang) => opened(s, "limits", t(lang, "own_title"), html`${limitsForm(s)}<section
    class="way ways">${sightSwitches(lang, s)}</section>`),
};

/** @param {Seen} s */
const rules = ({ lang, table, rules: page, sheet: shown }) => html`<div class="rules" tabindex="0" role="region"
  aria-label="${t(lang, "rules")}"><button type="button" class="btn how-door" data-act="how"><pb-icon name="cards"
  size="20"></pb-icon>${w(lang, "how")}</button>${
  page ? html`${rulesPage(lang, page, shown?.clause)}${tableTerms(lang, table, page)}` : ""}</div>`;

const MENU = [ // act, icon, word
  ["rules", "rules", "rules"], ["history", "hist", "history"], ["buy", "buy", "buy"], ["cash", "cash", "cash"],
  ["limits", "shield", "your_limits"], ["panel", "list", "panel"], ["how", "cards", "how"],
];

/** @param {Seen} s */
function menu(s) {
  const { lang } = s, isOff = (/** @type {string} */ act) => act === "cash" && !canAskCash(s);
  const door = (/** @type {string[]} */ [act, icon, key]) => html`<button type="button" class="btn" data-act="${act}"
    ${flag("disabled", isOff(act))}><pb-icon name="${icon}" size="22"></pb-icon><span>${
      key === "how" ? w(lang, key) : t(lang, key)}${
      act === "cash" ? whyNoCash(s) : ""}</span></button>`;
  return html`${sessionLine(s)}<div class="menu">${MENU.map(door)}
    <button type="button" class="btn" data-act="sound" aria-pressed="${String(s.sound)}"
      aria-label="${t(lang, "sound")}">${bell(s.sound)}${
      t(lang, s.sound ? "sound_on" : "sound_off")}</button>${squeezing(s)}${sightSwitches(lang, s)}${leaveDoor(s)}<a
      class="btn" href="/"><pb-icon
      name="table" size="22"></pb-icon>${t(lang, "all_tables")}</a></div>`;
}

// To the round before the one that is shown, and to the one after it.
/** @param {Seen} s */
function steps(s, shown) {
  const { lang } = s, isFirst = !shown || shown.round <= 1, isLast = !shown || shown.round >= lastOver(s);
  return html`<button type="button" class="btn" data-act="history"><pb-icon name="list" size="20"></pb-icon>${
    w(lang, "to_list")}</button><button type="button" class="btn" data-act="replay" data-step="-1"
    ${flag("disabled", isFirst)}><pb-icon name="left" size="20"></pb-icon>${
    t(lang, "prev")}</button><button type="button" class="btn" data-act="replay" data-step="1"
    ${flag("disabled", isLast)}>${t(lang, "next")}<pb-icon name="chev" size="20"></pb-icon></button>`;
}

/** @param {Seen} s */
function lastOver({ table: { round, phase } }) {
  return ["betting", "closed", "dealing", "stopped"].includes(phase) ? round - 1 : round;
}

/** @param {Seen} s */
function cashButtons(s) {
  const { lang } = s, off = flag("disabled", s.busy || !canCash(s));
  return html`<button type="button" class="btn" data-act="close">${t(lang, "cancel")}</button><button type="button"
    class="btn primary wide" data-act="cash-out" ${off} data-focus><pb-icon name="print"
    size="20"></pb-icon>${t(lang, "cash_yes")}</button>`;
}

// The voucher, until somebody says that they have it.
/** @param {Seen} s @param {Language} lang @param {Sheet} sheet */
function paper(s, lang, sheet) {
  const { paper: own } = sheet;
  if (!own) return html``;
  const slip = voucher({ ...own, place: s.table.table, session: s.mine?.session ?? "" });
  return html`<div class="sheet" data-key="sheet-paper" data-sheet="paper"><div class="notice wide paper"
      role="dialog" aria-modal="true" aria-labelledby="sheet-title"><h2 id="sheet-title"
      tabindex="-1">${t(lang, "voucher")} <b data-paper="cents">${money(own.cents)}</b></h2>
    <div class="slip">${slip}</div>${s.shape === "phone" ? qr(lang, own) : ""}<p class="number mono"
      data-paper="number">${grouped(own.number)}</p><p class="muted small">${own.demo ? demoMark(lang) : ""}<span
      data-paper="house">${own.house}</span> · ${t(lang, "paper_keep")}</p>
    <div class="receipts">${receiptButton(s, "voucher", t(lang, "receipt_voucher"), { number: own.seq })}${
      receiptButton(s, "session", t(lang, "receipt_session"))}</div>${receiptShown(s, sheet)}${
      sheet.wrong ? wrong(s, sheet.wrong) : ""}
    <div class="btns"><button type="button" class="btn" data-act="print"><pb-icon name="print"
      size="20"></pb-icon>${t(lang, "print")}</button><button type="button" class="btn primary wide"
      data-act="have-it" data-focus>${t(lang, "have_it")}</button></div></div></div>`;
}

const qr = (lang, own) =>
  html`<pb-qr class="qr" rows="${own.qr.join("|")}" size="190" label="${t(lang, "qr_label")}"></pb-qr>`;
const demoMark = (lang) => html`<span class="demo">${t(lang, "paper_demo")}</span> `;

// A past round, marked as one.
/** @param {Seen} s @param {Recall} r @param {Sheet} own */
function replay(s, r, own) {
  const { lang } = s, lines = r.lines.map(lineOf);
  return html`<div class="replay" data-round="${r.round}">${outcome(lang, r)}${putRight(lang, r)}${
    reviews(s, r, own, own.wrong ? wrong(s, own.wrong) : "")}
    <dl class="funds">${fundsOf(r).map(([key, cents]) => fund(lang, key, cents))}</dl>
    <div class="cols">${draws(lang, r.cards)}
    ${lines.length ? wagers(s, lines, r) : html`<p class="muted">${t(lang, "no_wagers")}</p>`}</div>${
    shoeOf(lang, r)}${receipts(s, r, own)}</div>`;
}

/** @param {Seen} s @param {Recall} r @param {Sheet} own */
function receipts(s, r, own) {
  const shoe = r.shoe ? receiptButton(s, "shoe", t(s.lang, "receipt_shoe"), { number: r.shoe }) : "";
  const round = receiptButton(s, "round", t(s.lang, "receipt"), { number: r.round });
  return html`<div class="receipts">${round}${shoe}</div>${receiptShown(s, own)}`;
}

// What proves the order of its shoe: the commitment, who mixed it, and the reveal once the shoe is over.
/** @param {Language} lang @param {Recall} r */
function shoeOf(lang, { shoe, shuffle, order, nonce }) {
  if (!shuffle) return "";
  const rows = [
    ["commitment", shuffle.commitment], ["seed", shuffle.seed], ["order", order], ["nonce", nonce],
  ].filter(([, value]) => value);
  return html`<details class="proof" data-key="proof"><summary>${t(lang, "shoe_no", shoe)}: ${
    said(lang, shuffle.text)}</summary>${rows.map(([key, value]) =>
    html`<p><b>${t(lang, `shoe_${key}`)}</b> <code>${value}</code></p>`)}${
    shuffle.commitment && !order ? html`<p class="muted">${t(lang, "shoe_sealed")}</p>` : ""}</details>`;
}

function outcome(lang, r) {
  const isVoid = r.result === "VOID", last = { result: r.result };
  const tone = isVoid ? "warn" : `${winnerOf(last)?.[0]}-ink`;
  const text = isVoid ? t(lang, "void_replay") : resultLine(lang, { last, player: r.player, banker: r.banker });
  const rule = isVoid ? clauseChip(lang, r.clause, true) : "";
  return html`<p class="l"><b class="${tone}">${text}</b> ${rule} <span class="muted">${moment(r.at)}</span></p>`;
}

// A round that was settled anew, and what was put right in it.
function putRight(lang, r) {
  const anew = r.reopened ? [t(lang, "settled_anew", said(lang, r.reopened.title))] : [];
  const told = [...anew, ...correctionsTold(r, lang)];
  return told.length ? html`<p class="warn" data-told="corrections">${told.join(" ")}</p>` : "";
}

const fundsOf = (r) => [
  ["before", r.before_cents], ["wagered", r.wagered_cents], ["paid_back", r.paid_cents], ["after", r.after_cents],
];
const fund = (lang, key, cents) =>
  html`<div><dt>${t(lang, key)}</dt><dd data-fund="${key}">${money(cents)}</dd></div>`;

// Heads of a column, on the left or on the right.
const head = (text) => html`<th scope="col">${text}</th>`;
const headR = (text) => html`<th scope="col" class="r">${text}</th>`;
const listed = (heads, rows) =>
  html`<table class="t"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`;

function draws(lang, cards) {
  const heads = [head(t(lang, "card_col")), head(t(lang, "why_col")), headR(t(lang, "clause_col"))];
  return listed(heads, cards.map((one) => drawRow(lang, one)));
}

function drawRow(lang, { card, slot, why, clause }) {
  const letter = slot[0], side = letter === "p" ? "player" : "banker";
  return html`<tr><td><span class="row"><pb-card code="${card}" size="34" lang="${TAGS[lang]}"></pb-card><span
    class="${letter}-ink">${t(lang, side)}</span></span></td><td>${said(lang, why)}</td><td
    class="r">${clauseChip(lang, clause)}</td></tr>`;
}

/** @param {Seen} s @param {NamedLine[]} lines @param {Recall} r */
function wagers(s, lines, r) {
  const { lang } = s;
  const heads = [
    head(t(lang, "bet_col")), headR(t(lang, "stake_col")), head(t(lang, "result_col")),
    headR(t(lang, "paid_col")), headR(t(lang, "clause_col")),
  ];
  return listed(heads, lines.map((one) => wagerRow(s, one, r)));
}

// Which line of its spot paid; the felt of another game says nothing of it.
/** @param {Seen} s @param {NamedLine} one @param {Recall} r */
function whyPaid({ lang, table }, one, r) {
  const bet = r.game === table.game && table.bets.find(({ bet: id }) => id === one.bet);
  if (!bet || one.outcome !== "wins" || !r.paying?.[one.bet]) return "";
  return html`<small class="why">${paidByLine(lang, bet, r.paying[one.bet])}</small>`;
}

/** @param {Seen} s @param {NamedLine} one @param {Recall} r */
const wagerRow = (s, one, r) => html`<tr><td>${titleOf(s, one.bet)}</td><td
  class="r num">${money(one.stake_cents)}</td><td
  class="o-${one.outcome}">${t(s.lang, `o_${one.outcome}`)}${whyPaid(s, one, r)}</td><td
  class="r num">${money(paidCents(one))}</td><td class="r">${clauseChip(s.lang, one.clause)}${
  receiptButton(s, "wager", t(s.lang, "receipt"), { number: r.round, bet: one.bet, slim: true })}</td></tr>`;

// Credits in

/** @param {Seen} s */
const buy = (s, own) => html`${s.table.demo ? playCredits(s) : ""}${byVoucher(s, own)}
    ${s.table.demo ? "" : byAttendant(s)}`;

/** @param {Seen} s */
function playCredits({ lang, mine, busy }) {
  const has = mine.seated && mine.balance_cents > 0;
  const says = has ? html` <span class="muted">${t(lang, "have_credits")} ${money(mine.balance_cents)}</span>` : "";
  return html`<section class="way"><h3>${t(lang, "buy_demo")}</h3><p>${t(lang, "buy_demo_text_plain")}</p><button
    type="button" class="btn primary" data-act="seat"
    ${flag("disabled", busy || mine.seated)}>${t(lang, "take_credits")}</button>${says}</section>`;
}

/** @param {Seen} s */
function byVoucher(s, { done }) {
  const { lang, mine, busy } = s;
  const says = done ? html`<p class="ok" role="status">${t(lang, "redeemed")} ${money(mine.balance_cents)}</p>` : "";
  return html`<section class="way"><h3>${t(lang, "voucher")}</h3><form data-act="redeem" class="pad-form"><div><label
    class="field grow">${t(lang, "voucher_no")}<input name="number" data-pad inputmode="${typing(s, "numeric")}"
    autocomplete="off" maxlength="24" required></label><button type="submit" class="btn"
    ${flag("disabled", busy)}>${t(lang, "redeem")}</button></div>${keysOf(s)}</form>${says}</section>`;
}

/** @param {Seen} s */
function byAttendant({ lang, mine }) {
  const seat = html`<button type="button" class="btn" data-act="seat">${t(lang, "seat")}</button>`;
  return html`<section class="way"><p>${t(lang, "attendant", mine.session)}</p>${mine.seated ? "" : seat}</section>`;
}
