// Sheets over the table: void and reconnecting, rules, past rounds, credits in and out, limits of one's own.
import { html } from "../base/dom.js";
import { dollars, moment, money } from "../base/money.js";
import { said, TAGS } from "../base/words.js";
import { grouped, voucher } from "../base/voucher.js";
import { acceptedCents, lineOf, paidCents, sum } from "./reduce.js";
import { reference, terminalName, winnerOf, resultLine } from "./status.js";
import { betOf, clauseChip, flag } from "./view-felt.js";
import { canCash, refusal, sessionLine } from "./view-parts.js";
import { t } from "./words.js";

// What must be read before anything else: `over` the felt only, so that the meters stay in sight.
export function notice(s) {
  if (!s.table) return "";
  if (s.link === "over") return warned("over", "warn", t(s.lang, "over_title"), html`<p class="l">${t(s.lang, "over_text", s.refused ? s.refused.reason ?? t(s.lang, s.refused.key) : "")}</p>`);
  if (s.link !== "open" && s.tries > 0) return lost(s);
  return s.voided ? isVoid(s) : "";
}

const warned = (key, icon, title, body) => html`<div class="sheet over" data-key="notice-${key}" data-sheet="${key}"><div class="notice warned" role="alertdialog" aria-labelledby="notice-title"><h2 id="notice-title" tabindex="-1"><pb-icon name="${icon}" size="34"></pb-icon>${title}</h2>${body}</div></div>`;
const amount = (label, cents, tone = "") => html`<div class="refund ${tone}"><span>${label}</span><b>${money(cents)}</b></div>`;

function isVoid(s) {
  const { lang, voided } = s, lines = voided.lines;
  return warned("void", "warn", t(lang, "void_title", voided.round), html`<p class="l">${t(lang, "void_text", said(lang, voided, "title") ?? voided.ground)} ${clauseChip(lang, voided.clause, true)}</p>
    ${amount(t(lang, "all_returned"), sum(lines.map((line) => line.returned_cents)), "good")}
    <p class="muted small">${lines.map((line) => `${said(lang, betOf(s, line.bet), "title")} ${dollars(line.stake_cents)}`).join(" · ")}. ${t(lang, "void_credits", money(voided.balance_cents), reference(s, voided.round))}</p>
    <div class="btns"><button type="button" class="btn" data-act="rules" data-clause="${voided.clause}">${t(lang, "read_rules")}</button><button type="button" class="btn primary wide" data-act="continue" data-focus>${t(lang, "cont")}</button></div>`);
}

function lost(s) {
  const { lang } = s, waiting = Object.values(s.pending);
  const list = waiting.map((command) => `${said(lang, betOf(s, command.bet), "title")} ${command.delta_cents < 0 ? "−" : "+"}${dollars(Math.abs(command.delta_cents))}`).join(" · ");
  return warned("lost", "wifi", t(lang, "lost_title"), html`<p class="l">${t(lang, "lost_text")}</p>${amount(t(lang, "accepted_before"), acceptedCents(s))}
    ${waiting.length ? html`<p class="small pend"><b>${t(lang, "pending_before")}:</b> ${list}. ${t(lang, "pending_text")}</p>` : ""}<p class="muted small">${t(lang, "trying", s.tries, terminalName(s))}</p>`);
}

// Sheets that are opened

export function sheet(s) {
  const make = s.sheet && SHEETS[s.sheet.name];
  return make && s.table ? make(s, s.lang, s.sheet) : "";
}

const opened = (s, name, title, body, { wide = false, buttons = null } = {}) => html`<div class="sheet" data-key="sheet-${name}" data-sheet="${name}"><div class="notice ${wide ? "wide" : ""}" role="dialog" aria-modal="true" aria-labelledby="sheet-title">
  <header class="bar"><h2 id="sheet-title" tabindex="-1">${title}</h2><button type="button" class="btn round" data-act="close" aria-label="${t(s.lang, "close")}"><pb-icon name="clear" size="22"></pb-icon></button></header>
  ${body}${s.sheet.wrong ? html`<p class="wrong" role="alert" data-key="wrong"><pb-icon name="warn" size="18"></pb-icon><span>${refusal(s, s.sheet.wrong)}</span></p>` : ""}${buttons ? html`<div class="btns">${buttons}</div>` : ""}</div></div>`;

const SHEETS = {
  menu: (s, lang) => opened(s, "menu", t(lang, "menu"), html`${sessionLine(s)}<div class="menu">${[["rules", "rules", "rules"], ["history", "hist", "history"], ["buy", "buy", "buy"], ["cash", "cash", "cash"], ["limits", "shield", "your_limits"], ["panel", "list", "panel"]].map(([act, icon, key]) => html`<button type="button" class="btn" data-act="${act}" ${flag("disabled", act === "cash" && !canCash(s))}><pb-icon name="${icon}" size="22"></pb-icon>${t(lang, key)}</button>`)}
    <button type="button" class="btn" data-act="sound" aria-pressed="${String(s.sound)}"><pb-icon name="info" size="22"></pb-icon>${t(lang, s.sound ? "sound_on" : "sound_off")}</button><a class="btn" href="/"><pb-icon name="table" size="22"></pb-icon>${t(lang, "all_tables")}</a></div>`),
  panel: (s, lang, own) => opened(s, "panel", t(lang, "panel"), own.body),
  rules: (s, lang) => opened(s, "rules", s.rules ? said(lang, s.rules, "title") : t(lang, "rules"), s.rules ? rules(s) : html`<p class="l">${t(lang, "loading")}</p>`, { wide: true }),
  history: (s, lang, own) => opened(s, "history", html`<span class="pill warn">${t(lang, "replay")}</span> ${own.replay ? t(lang, "replay_of", own.replay.round) : ""}`, own.replay ? replay(s, own.replay) : html`<p class="l">${own.wrong ? "" : t(lang, s.busy ? "loading" : "no_rounds")}</p>`, {
    wide: true, buttons: html`<button type="button" class="btn" data-act="replay" data-step="-1" ${flag("disabled", !own.replay || own.replay.round <= 1)}><pb-icon name="left" size="20"></pb-icon>${t(lang, "prev")}</button><button type="button" class="btn" data-act="replay" data-step="1" ${flag("disabled", !own.replay || own.replay.round >= lastOver(s))}>${t(lang, "next")}<pb-icon name="chev" size="20"></pb-icon></button>`,
  }),
  buy: (s, lang, own) => opened(s, "buy", t(lang, "buy"), buy(s, own)),
  cash: (s, lang) => opened(s, "cash", t(lang, "cash_ask", money(s.mine.balance_cents)), html`<p class="l">${t(lang, "cash_text")}</p>`, { buttons: html`<button type="button" class="btn" data-act="close">${t(lang, "cancel")}</button><button type="button" class="btn primary wide" data-act="cash-out" ${flag("disabled", s.busy || !canCash(s))} data-focus><pb-icon name="print" size="20"></pb-icon>${t(lang, "cash_yes")}</button>` }),
  paper: (s, lang, own) => html`<div class="sheet" data-key="sheet-paper" data-sheet="paper"><div class="notice wide paper" role="dialog" aria-modal="true" aria-labelledby="sheet-title"><h2 id="sheet-title" tabindex="-1">${t(lang, "voucher")} <b data-paper="cents">${money(own.paper.cents)}</b></h2>
    <div class="slip">${voucher({ ...own.paper, place: s.table.table, session: s.mine?.session ?? "" })}</div>${s.shape === "phone" ? html`<pb-qr class="qr" rows="${own.paper.qr.join("|")}" size="190" label="${t(lang, "qr_label")}"></pb-qr>` : ""}<p class="number mono" data-paper="number">${grouped(own.paper.number)}</p><p class="muted small">${own.paper.demo ? html`<span class="demo">${t(lang, "paper_demo")}</span> ` : ""}<span data-paper="house">${own.paper.house}</span> · ${t(lang, "paper_keep")}</p>
    <div class="btns"><button type="button" class="btn" data-act="print"><pb-icon name="print" size="20"></pb-icon>${t(lang, "print")}</button><button type="button" class="btn primary wide" data-act="have-it" data-focus>${t(lang, "have_it")}</button></div></div></div>`,
  limits: (s, lang, own) => opened(s, "limits", t(lang, "own_title"), limits(s, own)),
};

const lastOver = ({ table }) => table.round - (["betting", "closed", "dealing", "stopped"].includes(table.phase) ? 1 : 0);

// Rules: each clause is a place that a chip leads to.
export const clauseId = (clause) => `clause-${String(clause).replace(/[^A-Za-z0-9]+/g, "-")}`;

function rules(s) {
  const { lang, rules: page, sheet: own } = s, word = (pair) => (lang === "zh" && pair[1] ? pair[1] : pair[0]), seen = new Set();
  const row = ({ cells, clause }) => {
    const first = !seen.has(clause), here = own.clause === clause;
    seen.add(clause);
    return html`<tr ${first ? html`id="${clauseId(clause)}"` : ""} class="${here ? "here" : ""}">${cells.map((cell) => html`<td>${word(cell)}</td>`)}<td class="r"><span class="clause">${clause}</span></td></tr>`;
  };
  const policy = html`<section class="policy ${own.clause === "malfunction" ? "here" : ""}" id="clause-malfunction"><h3>${t(lang, "malfunction")}</h3><p>${word(page.malfunction)}</p></section>`;
  return html`<div class="rules" tabindex="0" role="region" aria-label="${t(lang, "rules")}"><p class="muted">${said(lang, page, "heading")}</p>${page.sections.map((section) => html`<section><h3>${said(lang, section, "title")}</h3><table class="t"><thead><tr>${section.columns.map((column) => html`<th scope="col">${word(column)}</th>`)}<th scope="col" class="r">${t(lang, "clause_col")}</th></tr></thead><tbody>${section.rows.map(row)}</tbody></table></section>`)}${policy}</div>`;
}

// A past round, marked as one.
function replay(s, r) {
  const { lang } = s, lines = r.lines.map(lineOf), isVoid = r.result === "VOID";
  const last = { last: { result: r.result }, player: r.player, banker: r.banker };
  const title = (bet) => said(lang, betOf(s, bet), "title");
  const draw = (c) => html`<tr><td><span class="row"><pb-card code="${c.card}" size="34" lang="${TAGS[lang]}"></pb-card><span class="${c.slot[0]}-ink">${t(lang, c.slot[0] === "p" ? "player" : "banker")}</span></span></td><td>${lang === "zh" && c.why_zh ? c.why_zh : c.why}</td><td class="r">${clauseChip(lang, c.clause)}</td></tr>`;
  const paid = (x) => html`<tr><td>${title(x.bet)}</td><td class="r num">${money(x.stake_cents)}</td><td class="o-${x.outcome}">${t(lang, `o_${x.outcome}`)}</td><td class="r num">${money(paidCents(x))}</td><td class="r">${clauseChip(lang, x.clause)}</td></tr>`;
  return html`<div class="replay" data-round="${r.round}"><p class="l"><b class="${isVoid ? "warn" : `${winnerOf(last.last)?.[0]}-ink`}">${isVoid ? t(lang, "void_replay") : resultLine(lang, last)}</b> ${isVoid ? clauseChip(lang, r.clause, true) : ""} <span class="muted">${moment(r.at)}</span></p>
    <dl class="funds">${[["before", r.before_cents], ["wagered", r.wagered_cents], ["paid_back", r.paid_cents], ["after", r.after_cents]].map(([key, cents]) => html`<div><dt>${t(lang, key)}</dt><dd data-fund="${key}">${money(cents)}</dd></div>`)}</dl>
    <div class="cols"><table class="t"><thead><tr><th scope="col">${t(lang, "card_col")}</th><th scope="col">${t(lang, "why_col")}</th><th scope="col" class="r">${t(lang, "clause_col")}</th></tr></thead><tbody>${r.cards.map(draw)}</tbody></table>
    ${lines.length ? html`<table class="t"><thead><tr><th scope="col">${t(lang, "bet_col")}</th><th scope="col" class="r">${t(lang, "stake_col")}</th><th scope="col">${t(lang, "result_col")}</th><th scope="col" class="r">${t(lang, "paid_col")}</th><th scope="col" class="r">${t(lang, "clause_col")}</th></tr></thead><tbody>${lines.map(paid)}</tbody></table>` : html`<p class="muted">${t(lang, "no_wagers")}</p>`}</div></div>`;
}

function buy(s, own) {
  const { lang, table, mine } = s;
  const play = table.demo ? html`<section class="way"><h3>${t(lang, "buy_demo")}</h3><p>${t(lang, "buy_demo_text_plain")}</p><button type="button" class="btn primary" data-act="seat" ${flag("disabled", s.busy || (mine.seated && mine.balance_cents > 0))}>${t(lang, "take_credits")}</button>${mine.seated && mine.balance_cents > 0 ? html` <span class="muted">${t(lang, "have_credits")} ${money(mine.balance_cents)}</span>` : ""}</section>` : "";
  return html`${play}<section class="way"><h3>${t(lang, "voucher")}</h3><form data-act="redeem" class="line-form"><label class="field grow">${t(lang, "voucher_no")}<input name="number" inputmode="numeric" autocomplete="off" maxlength="24" required></label><button class="btn" ${flag("disabled", s.busy)}>${t(lang, "redeem")}</button></form>${own.done ? html`<p class="ok" role="status">${t(lang, "redeemed")} ${money(mine.balance_cents)}</p>` : ""}</section>
    ${table.demo ? "" : html`<section class="way"><p>${t(lang, "attendant", mine.session)}</p>${mine.seated ? "" : html`<button type="button" class="btn" data-act="seat">${t(lang, "seat")}</button>`}</section>`}`;
}

function limits(s) {
  const { lang, own } = s;
  const says = (loss, minutes) => [loss === null ? t(lang, "no_loss") : t(lang, "loss_of", money(loss)), minutes === null ? t(lang, "no_minutes") : t(lang, "minutes_of", minutes)];
  return html`${own ? html`<p class="l" data-own>${t(lang, "own_now", ...says(own.loss_cents, own.minutes))} ${own.wider ? t(lang, "own_wider", moment(own.wider_at), ...says(own.wider.loss_cents, own.wider.minutes)) : ""}</p>` : ""}
    <form data-act="set-limits" class="line-form"><label class="field grow">${t(lang, "own_loss")}<input name="loss" inputmode="decimal" autocomplete="off" maxlength="12"></label><label class="field grow">${t(lang, "own_minutes")}<input name="minutes" inputmode="numeric" autocomplete="off" maxlength="4"></label><button class="btn primary" ${flag("disabled", s.busy)}>${t(lang, "own_set")}</button></form><p class="muted small">${t(lang, "own_text")}</p>`;
}
