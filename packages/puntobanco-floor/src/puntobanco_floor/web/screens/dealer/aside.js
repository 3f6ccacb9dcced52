// The right column: what the dealer may press, the shoe, the stakes of the round.
import { html } from "../base/dom.js";
import { count, dollars } from "../base/money.js";
import { clauseChip } from "../base/rules.js";
import { han as inScript, hanTag, isChinese, said } from "../base/words.js";
import { may } from "../base/staffbar.js";
import { cardName } from "../kit/cards.js";
import { canBurn } from "./burning.js";
import { actionOf, isReady, proposalsOf } from "./reduce.js";
import { t } from "./words.js";

/** @import { Seen } from "./reduce.js" */

/** @param {Seen} state */
export function aside(state) {
  const table = state.view ? html`${shoe(state)}${stakes(state)}` : null;
  return html`<aside class="rcol" data-key="aside">${controls(state)}${table}</aside>`;
}

/** @param {Seen} state */
function controls(state) {
  const { lang, view } = state, next = actionOf(state)?.command, ready = isReady(state);
  const waits = view ? proposalsOf(view).length > 0 : false;
  const on = (command) => ready && next === command && !waits && may(state.me, command);
  const between = ready && ["waiting", "settled", "void"].includes(view.table.phase);
  const acts = may(state.me, "declare-irregularity");
  const shoe = html`<pb-icon name="shoe" size="20"></pb-icon>${t(lang, "do_new_shoe")}`;
  const counts = ready && acts && view.shoe?.dealing === "physical" && !["stopped", "down"].includes(view.table.phase);
  const stops = ready && acts && !["stopped", "down"].includes(view.table.phase);
  return html`<div class="ctl" data-key="ctl">
    ${press("open", "do", "open-bets", t(lang, "do_open"), on("open-bets"))}
    ${press("shut", "do", "close-bets", html`${t(lang, "do_close")}<kbd>␣</kbd>`, on("close-bets"))}
    ${press("shoe", "shoe", "", shoe, between && acts)}
    ${press("count", "count", "", t(lang, "do_count"), counts)}
    <button type="button" class="btn danger" data-key="irr" data-act="irregularity"
      ${stops ? null : html`disabled`}><pb-icon name="warn" size="20"></pb-icon>${t(lang, "irregularity")}</button>
  </div>`;
}

const press = (key, act, command, text, on) => html`<button type="button" class="btn" data-key="${key}"
  data-act="${act}" data-command="${command}" ${on ? null : html`disabled`}>${text}</button>`;

/** @param {Seen} state */
function shoe(state) {
  const { lang, view } = state, on = view.shoe;
  if (!on) return html`<section class="panel shoe" data-key="shoe"><b>${t(lang, "no_shoe")}</b></section>`;
  const decks = t(lang, "decks_of", on.decks, view.decks.cards_each, on.burn);
  const first = on.first_card ? html`<span>${t(lang, "first_was", cardName(on.first_card, lang))}</span>` : null;
  const set = on.set_id ? html`<span>${t(lang, "set_no", on.set_id)}</span>` : null;
  const counted = on.counted === null ? null : html`<span>${t(lang, "was_counted", count(on.counted))}</span>`;
  const cut = on.source === "continuous" ? t(lang, "shuffler") : t(lang, "cut_at", on.cut);
  const left = html`<b class="n">${count(on.cards_left)}</b> ${t(lang, "left_of", count(on.cards))}`;
  return html`<section class="panel shoe" data-key="shoe">
    <div class="row between"><b>${t(lang, "shoe_no", on.number)}</b><span class="muted sm">${decks}</span></div>
    ${bar(on)}
    <div class="row between sm"><span>${left}</span><span class="muted">${cut}</span></div>
    ${set || counted || first ? html`<div class="row between sm muted">${set}${counted}${first}</div>` : null}
    ${press("burn", "burning", "", t(lang, "do_burn"), canBurn(state))}
  </section>`;
}

// How much of the shoe is left, and where its cut card stands.
function bar({ cards, cards_left: left, cut }) {
  const part = Math.max(0, Math.min(100, (100 * left) / Math.max(1, cards)));
  const at = (100 * cut) / Math.max(1, cards);
  return html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="all" width="100" height="4"></rect>
      <rect class="left" width="${part.toFixed(2)}" height="4"></rect>
      <rect class="cut" x="${at.toFixed(2)}" width=".6" height="4"></rect></svg>`;
}

const HAN = { player: ["p-ink", "閒"], banker: ["b-ink", "莊"], tie: ["t-ink", "和"] };

/** @param {Seen} state */
function stakes({ lang, link, view }) {
  const { table } = view, open = table.phase === "betting";
  const titles = new Map(table.bets.map((bet) => [bet.bet, bet]));
  const sum = (field) => view.stakes.reduce((all, row) => all + row[field], 0);
  const heads = ["bets", "largest", "total"].map((key) => html`<th scope="col" class="r">${t(lang, key)}</th>`);
  const pill = html`<span class="pill ${open ? "ok" : ""}">${seats(lang, view)}</span>`;
  return html`<section class="panel wagers" data-key="wagers">
    <header><h2>${t(lang, "wagers", table.round)}</h2><span class="grow"></span>${pill}</header>
    <table class="t tw"><thead><tr><th scope="col">${t(lang, "spot")}</th>${heads}</tr></thead>
      <tbody>${view.stakes.map((row) => stake(lang, row, titles.get(row.bet)))}</tbody>
      <tfoot><tr><th scope="row">${t(lang, "all_spots")}</th><td class="r">${sum("wagers")}</td><td></td>
        <td class="r">${dollars(sum("total_cents"))}</td></tr></tfoot></table>
    <p class="foot muted">${apart(lang, view)} ${t(lang, "late")}
      ${clauseChip(lang, table.late_clause, { off: link !== "open" })}</p>
  </section>`;
}

function seats(lang, { table: { phase }, seated, betting }) {
  if (phase === "waiting" || phase === "down") return t(lang, "seated", seated);
  return t(lang, phase === "betting" ? "open_of" : "closed_of", betting, seated);
}

function stake(lang, row, bet) {
  const [ink, han] = (bet?.main && HAN[bet.hand]) || ["", ""];
  const mark = han ? html`<span class="${ink} cjk" lang="${hanTag(lang)}">${inScript(lang, han)}</span> ` : null;
  const name = bet ? said(lang, bet.title) : row.bet;
  const none = bet?.limits.closed ? t(lang, "spot_closed") : "–";
  const [largest, total] = row.wagers ? [dollars(row.largest_cents), dollars(row.total_cents)] : ["", none];
  return html`<tr data-key="s-${row.bet}"><th scope="row">${mark}${isChinese(lang) && han ? null : name}</th>
    <td class="r">${row.wagers || "–"}</td><td class="r muted">${largest}</td><td class="r"><b>${total}</b></td></tr>`;
}

function apart(lang, view) {
  const of = (bet) => view.stakes.find((row) => row.bet === bet)?.total_cents ?? 0;
  const limit = view.differential_cents === null ? "" : t(lang, "apart_limit", dollars(view.differential_cents));
  return html`${t(lang, "apart", dollars(Math.abs(of("player") - of("banker"))))}${limit}${
    isChinese(lang) ? "。" : "."}`;
}
