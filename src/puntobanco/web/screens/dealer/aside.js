// The right column: what the dealer may press, the shoe, the stakes of the round.
import { html } from "../base/dom.js";
import { count, dollars } from "../base/money.js";
import { said } from "../base/words.js";
import { actionOf, isReady, may, proposalsOf } from "./reduce.js";
import { t } from "./words.js";

export const aside = (state) => html`<aside class="rcol" data-key="aside">${controls(state)}${state.view ? html`${shoe(state)}${stakes(state)}` : null}</aside>`;

function controls(state) {
  const { lang, view } = state, next = actionOf(state)?.command, ready = isReady(state);
  const waits = view ? proposalsOf(view).length > 0 : false;
  const on = (command) => ready && next === command && !waits && may(state.me, command);
  const between = ready && ["waiting", "settled", "void"].includes(view.table.phase);
  const acts = may(state.me, "declare-irregularity");
  return html`<div class="ctl" data-key="ctl">
    ${press("open", "do", "open-bets", t(lang, "do_open"), on("open-bets"))}
    ${press("shut", "do", "close-bets", html`${t(lang, "do_close")}<kbd>␣</kbd>`, on("close-bets"))}
    ${press("shoe", "shoe", "", html`<pb-icon name="shoe" size="20"></pb-icon>${t(lang, "do_new_shoe")}`, between && acts)}
    <button type="button" class="btn danger" data-key="irr" data-act="irregularity" ${ready && acts && view.table.phase !== "stopped" && view.table.phase !== "down" ? null : html`disabled`}><pb-icon name="warn" size="20"></pb-icon>${t(lang, "irregularity")}</button>
  </div>`;
}

const press = (key, act, command, text, on) => html`<button type="button" class="btn" data-key="${key}" data-act="${act}" data-command="${command}" ${on ? null : html`disabled`}>${text}</button>`;

function shoe({ lang, view }) {
  const on = view.shoe;
  if (!on) return html`<section class="panel shoe" data-key="shoe"><b>${t(lang, "no_shoe")}</b></section>`;
  const part = Math.max(0, Math.min(100, (100 * on.cards_left) / Math.max(1, on.cards)));
  const cut = (100 * on.cut) / Math.max(1, on.cards);
  return html`<section class="panel shoe" data-key="shoe">
    <div class="row between"><b>${t(lang, "shoe_no", on.number)}</b><span class="muted sm">${t(lang, "decks_of", on.decks, view.decks.cards_each, on.burn)}</span></div>
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="4"></rect><rect class="left" width="${part.toFixed(2)}" height="4"></rect><rect class="cut" x="${cut.toFixed(2)}" width=".6" height="4"></rect></svg>
    <div class="row between sm"><span><b class="n">${count(on.cards_left)}</b> ${t(lang, "left_of", count(on.cards))}</span><span class="muted">${t(lang, "cut_at", on.cut)}</span></div>
  </section>`;
}

const HAN = { player: ["p-ink", "閒"], banker: ["b-ink", "莊"], tie: ["t-ink", "和"] };

function stakes({ lang, view }) {
  const { table } = view, open = table.phase === "betting", played = table.phase !== "waiting" && table.phase !== "down";
  const titles = new Map(table.bets.map((bet) => [bet.bet, bet]));
  const sum = (field) => view.stakes.reduce((all, row) => all + row[field], 0);
  const pill = !played ? t(lang, "seated", view.seated) : t(lang, open ? "open_of" : "closed_of", view.betting, view.seated);
  return html`<section class="panel wagers" data-key="wagers">
    <header><h2>${t(lang, "wagers", table.round)}</h2><span class="grow"></span><span class="pill ${open ? "ok" : ""}">${pill}</span></header>
    <table class="t tw"><thead><tr><th scope="col">${t(lang, "spot")}</th><th scope="col" class="r">${t(lang, "bets")}</th><th scope="col" class="r">${t(lang, "largest")}</th><th scope="col" class="r">${t(lang, "total")}</th></tr></thead>
      <tbody>${view.stakes.map((row) => stake(lang, row, titles.get(row.bet)))}</tbody>
      <tfoot><tr><th scope="row">${t(lang, "all_spots")}</th><td class="r">${sum("wagers")}</td><td></td><td class="r">${dollars(sum("total_cents"))}</td></tr></tfoot></table>
    <p class="foot muted">${apart(lang, view)} ${t(lang, "late")} <span class="clause">${table.late_clause}</span></p></section>`;
}

function stake(lang, row, bet) {
  const [ink, han] = (bet?.main && HAN[bet.hand]) || ["", ""];
  return html`<tr data-key="s-${row.bet}"><th scope="row">${han ? html`<span class="${ink} cjk" lang="zh-Hant">${han}</span> ` : null}${lang === "zh" && han ? null : bet ? said(lang, bet, "title") : row.bet}</th>
    <td class="r">${row.wagers || "–"}</td><td class="r muted">${row.wagers ? dollars(row.largest_cents) : ""}</td><td class="r"><b>${row.wagers ? dollars(row.total_cents) : "–"}</b></td></tr>`;
}

function apart(lang, view) {
  const of = (bet) => view.stakes.find((row) => row.bet === bet)?.total_cents ?? 0;
  const limit = view.differential_cents === null ? "" : t(lang, "apart_limit", dollars(view.differential_cents));
  return html`${t(lang, "apart", dollars(Math.abs(of("player") - of("banker"))))}${limit}${lang === "zh" ? "。" : "."}`;
}
