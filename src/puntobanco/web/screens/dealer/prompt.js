// The one thing to do next, its clause, the words to say; and the cards on the table.
import { html } from "../base/dom.js";
import { said } from "../base/words.js";
import { cardName } from "../kit/cards.js";
import { actionOf, isReady, may, proposalsOf } from "./reduce.js";
import { t } from "./words.js";

const BUTTONS = {
  "open-bets": "do_open", "close-bets": "do_close", settle: "do_settle", "deal-card": "do_deal", "new-shoe": "do_new_shoe",
  "end-shoe": "do_end_shoe", "restart-table": "do_restart",
};
const TITLES = { "new-shoe": "put_shoe", "end-shoe": "change_shoe", "restart-table": "table_stopped", "open-table": "table_closed" };

export const clause = (lang, text) => (text ? html`<span class="clause">${t(lang, "clause", text)}</span>` : null);

/** The last refusal, where a sheet lies over the table. */
export const refusal = ({ lang, notice }) => html`<p class="refusal" role="alert">${notice?.text ? html`<pb-icon name="warn" size="20"></pb-icon> ${notice.text} ${clause(lang, notice.clause)}` : null}</p>`;

export function prompt(state) {
  const { lang, view } = state;
  if (state.link === "lost") return box("lost", t(lang, "stop_dealing"), t(lang, "server_lost"));
  if (!view) return box("table", t(lang, "connecting"), "");
  const action = actionOf(state), table = view.table;
  const waits = proposalsOf(view).length > 0;
  if (table.phase === "stopped") return box("stopped", t(lang, "round_stopped", table.round), said(lang, table.stop ?? { title: "" }, "title"), { steps: steps(state) });
  if (!action) return box("table", t(lang, "connecting"), "");
  const why = action.command === "settle" && table.next ? { why: table.next.en, why_zh: table.next.zh, clause: table.next.clause } : action;
  const announced = action.say && action.command !== "enter-card" && action.command !== "deal-card";
  const reason = announced && ["open-bets", "close-bets"].includes(action.command) ? phaseSaid(state) : capital(said(lang, why, "why"));
  const line = html`${reason} ${clause(lang, announced && action.command !== "settle" ? action.say_clause : why.clause)}
    ${action.say && !announced ? html`<span class="say"><pb-icon name="flag" size="18"></pb-icon> ${t(lang, "say", both(lang, action))} ${clause(lang, action.say_clause)}</span>` : null}
    ${action.command === "open-table" ? t(lang, "opens_where") : null}`;
  const side = action.slot ? (action.slot[0] === "p" ? "player" : "banker") : "table";
  return box(side, title(state, action), line, { steps: steps(state), button: button(state, action, waits), waits: waits ? t(lang, "waits_two") : "", eyebrow: t(lang, "next_action") });
}

const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

// In Chinese the English literal stays beside it.
const both = (lang, action) => (lang === "zh" && action.say_zh !== action.say ? `${action.say_zh} ${action.say}` : action.say);

function title(state, action) {
  const { lang, view } = state;
  if (action.slot) {
    const key = action.slot[0] === "p" ? "card_to_player" : "card_to_banker";
    return t(lang, key, view.dealt.length + 1, t(lang, `nth_${action.slot[1]}`));
  }
  if (action.say) return t(lang, "announce", lang === "zh" && action.say_zh !== action.say ? action.say_zh : action.say);
  return t(lang, TITLES[action.command] ?? action.command);
}

function phaseSaid({ lang, view }) {
  const { round, phase } = view.table;
  return round ? html`${t(lang, "round", round)}: ${t(lang, `ph_${phase}`)}` : t(lang, "no_round");
}

function button(state, action, waits) {
  const { lang, me } = state, key = BUTTONS[action.command];
  if (!key) return null;
  const asked = !may(me, action.command) && me?.role === "dealer";
  const off = !isReady(state) || waits || !(may(me, action.command) || asked);
  return html`<button type="button" class="btn primary act" data-act="do" data-key="do" data-command="${action.command}" ${off ? html`disabled` : null}>
    ${state.sent && state.sent.command.command === action.command ? t(lang, "sending") : t(lang, key)}</button>`;
}

function steps({ lang, view }) {
  if (!["closed", "dealing", "stopped"].includes(view.table.phase) || view.next[0]?.command === "settle") return null;
  const done = view.dealt.length, due = view.next[0]?.slot ? done : -1;
  return html`<div class="steps" role="img" aria-label="${t(lang, "steps_said", done)}">
    ${[0, 1, 2, 3, 4, 5].map((i) => html`<span class="${i < done ? "d" : i === due ? "n" : ""}">${i + 1}</span>`)}</div>`;
}

const box = (kind, heading, line, { steps: row = null, button: act = null, waits = "", eyebrow = "" } = {}) => html`
  <section class="prompt ${kind}" data-key="prompt">
    <div class="words" role="status" aria-live="assertive"><span class="eyebrow">${eyebrow}</span><h1>${heading}</h1><p>${line}</p>
      ${waits ? html`<p class="waits"><pb-icon name="clock" size="18"></pb-icon> ${waits}</p>` : null}</div>
    ${row}${act}</section>`;

// The hands

export function hands(state) {
  return html`<section class="hands felt" data-key="hands">${hand(state, "player", "p")}${hand(state, "banker", "b")}</section>`;
}

function hand(state, name, letter) {
  const { lang, view } = state, table = view?.table;
  const points = table ? table[name] : null;
  return html`<div class="hand ${letter}"><div class="hl ${letter}-ink"><b>${points ?? "–"}</b>
    <span>${lang === "zh" ? null : t("en", name).toUpperCase()} <span class="cjk" lang="zh-Hant">${t("zh", name)}</span></span></div>
    <div class="cd">${["1", "2", "3"].map((n) => place(state, letter + n))}</div></div>`;
}

function place(state, slot) {
  const { lang, view } = state, code = view?.table.cards[slot];
  if (code) {
    const third = slot[1] === "3";
    const fixable = view.table.phase === "dealing" && view.shoe?.dealing === "physical" && isReady(state) && may(state.me, "correct-card");
    return html`<button type="button" class="laid ${third ? "third" : ""}" data-key="at-${slot}" data-act="fix" data-slot="${slot}"
      aria-label="${t(lang, "fix_card", cardName(code, lang))}" ${fixable ? null : html`disabled`}><pb-card code="${code}" size="80"></pb-card>${view.table.keyed?.includes(slot) ? html`<span class="keyed" title="${t(lang, "by_hand")}"><pb-icon name="hand" size="16"></pb-icon><span class="sr">${t(lang, "by_hand")}</span></span>` : null}</button>`;
  }
  if (!view || !["closed", "dealing"].includes(view.table.phase)) return html`<span class="slot none ${slot[1] === "3" ? "wide" : ""}" data-key="at-${slot}"></span>`;
  const due = view.next[0]?.slot === slot && state.link === "open";
  const text = due ? t(lang, "waiting_card", view.dealt.length + 1) : slot[1] === "3" ? t(lang, view.complete ? "stands" : "if_called") : "";
  return html`<span class="slot ${due ? "due" : ""} ${slot[1] === "3" ? "wide" : ""}" data-key="at-${slot}">${text}</span>`;
}
