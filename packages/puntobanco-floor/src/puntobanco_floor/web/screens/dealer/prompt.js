// The one thing to do next, its clause, the words to say; and the cards on the table.
import { html } from "../base/dom.js";
import { cited, clauseChip } from "../base/rules.js";
import { capital, han, hanTag, isChinese, said } from "../base/words.js";
import { may } from "../base/staffbar.js";
import { cardName } from "../kit/cards.js";
import { actionOf, canFix, isReady, proposalsOf } from "./reduce.js";
import { t } from "./words.js";

/** @import { Html } from "../base/dom.js" */
/** @import { Seen } from "./reduce.js" */

const BUTTONS = {
  "open-bets": "do_open", "close-bets": "do_close", settle: "do_settle", "deal-card": "do_deal",
  "new-shoe": "do_new_shoe", "end-shoe": "do_end_shoe", "restart-table": "do_restart",
};
const TITLES = {
  "new-shoe": "put_shoe", "end-shoe": "change_shoe", "restart-table": "table_stopped", "open-table": "table_closed",
};

/** A clause's chip, in words; without the server it only says which. @param {Seen} state */
export const clause = ({ lang, link }, text) =>
  clauseChip(lang, text, { text: t(lang, "clause", cited(lang, text ?? "")), off: link !== "open" });

/** The last refusal, where a sheet lies over the table. @param {Seen} state */
export const refusal = (state) =>
  html`<p class="refusal" role="alert">${state.notice?.text ? refused(state) : null}</p>`;

/** @param {Seen} state */
const refused = (state) => html`<pb-icon name="warn" size="20"></pb-icon> ${said(state.lang, state.notice?.text)}
  ${clause(state, state.notice?.clause)}`;

/** @param {Seen} state */
export function prompt(state) {
  const { lang, view } = state;
  if (state.link === "lost") return box("lost", t(lang, "stop_dealing"), t(lang, "server_lost"));
  if (!view) return box("table", t(lang, "connecting"), "");
  const action = actionOf(state);
  if (view.table.phase === "stopped") return stopped(state);
  if (!action) return box("table", t(lang, "connecting"), "");
  const waits = proposalsOf(view).length > 0;
  const side = action.slot ? (action.slot[0] === "p" ? "player" : "banker") : "table";
  return box(side, title(state, action), line(state, action), {
    steps: steps(state),
    button: button(state, action, waits),
    waits: waits ? t(lang, "waits_two") : "",
    eyebrow: t(lang, "next_action"),
  });
}

/** @param {Seen} state */
function stopped(state) {
  const { lang, view: { table } } = state;
  const ground = said(lang, table.stop?.title);
  return box("stopped", t(lang, "round_stopped", table.round), ground, { steps: steps(state) });
}

// Why it is the next thing to do, its clause, and what to say with it.
/** @param {Seen} state */
function line(state, action) {
  const { lang } = state, { command } = action, why = whyOf(state, action);
  const announced = action.say && command !== "enter-card" && command !== "deal-card";
  const ofBets = announced && ["open-bets", "close-bets"].includes(command) && action.why.en === `"${action.say.en}"`;
  const reason = ofBets ? phaseSaid(state) : capital(said(lang, why.why));
  return html`${reason} ${clause(state, announced && command !== "settle" ? action.say_clause : why.clause)}
    ${action.say && !announced ? toSay(state, action) : null}
    ${command === "open-table" ? t(lang, "opens_where") : null}`;
}

/** @param {Seen} state */
function whyOf({ view: { table } }, action) {
  if (action.command !== "settle" || !table.next) return action;
  return { why: table.next.text, clause: table.next.clause };
}

/** @param {Seen} state */
function toSay(state, action) {
  const { lang } = state, text = html`${called(lang, "say", action)} ${clause(state, action.say_clause)}`;
  return html`<span class="say"><pb-icon name="flag" size="18"></pb-icon> ${text}</span>`;
}

// What is called out is the rulebook's own English, also in the middle of Chinese; its Chinese stands before it.
function called(lang, key, { say: { en, zh } }) {
  const [before, after] = t(lang, key, "|").split("|");
  const own = isChinese(lang) && zh !== en ? `${han(lang, zh)} ` : "";
  return html`${before}${own}<span lang="en">${en}</span>${after}`;
}

/** @param {Seen} state */
function title(state, action) {
  const { lang, view } = state;
  if (action.slot) {
    const key = action.slot[0] === "p" ? "card_to_player" : "card_to_banker";
    return t(lang, key, view.dealt.length + 1, t(lang, `nth_${action.slot[1]}`));
  }
  if (action.say) return called(lang, "announce", action);
  return t(lang, TITLES[action.command] ?? action.command);
}

/** @param {Seen} state */
function phaseSaid({ lang, view }) {
  const { round, phase } = view.table;
  return round ? t(lang, "round_is", t(lang, "round", round), t(lang, `ph_${phase}`)) : t(lang, "no_round");
}

/** @param {Seen} state */
function button(state, action, waits) {
  const { lang, me } = state, key = BUTTONS[action.command];
  if (!key) return null;
  const asked = !may(me, action.command) && me?.role === "dealer";
  const off = !isReady(state) || waits || !(may(me, action.command) || asked);
  const sending = state.sent && state.sent.command.command === action.command;
  return html`<button type="button" class="btn primary act" data-act="do" data-key="do"
    data-command="${action.command}" ${off ? html`disabled` : null}>
    ${t(lang, sending ? "sending" : key)}</button>`;
}

/** @param {Seen} state */
function steps({ lang, view }) {
  if (!["closed", "dealing", "stopped"].includes(view.table.phase) || view.next[0]?.command === "settle") return null;
  const done = view.dealt.length, due = view.next[0]?.slot ? done : -1;
  const kind = (i) => (i < done ? "d" : i === due ? "n" : "");
  return html`<div class="steps" role="img" aria-label="${t(lang, "steps_said", done)}">
    ${[0, 1, 2, 3, 4, 5].map((i) => html`<span class="${kind(i)}">${i + 1}</span>`)}</div>`;
}

/**
 * @param {string} kind
 * @param {Html | string} heading
 * @param {Html | string} text
 * @param {{ steps?: Html | null, button?: Html | null, waits?: Html | string, eyebrow?: string }} [more]
 */
const box = (kind, heading, text, { steps: row = null, button: act = null, waits = "", eyebrow = "" } = {}) => html`
  <section class="prompt ${kind}" data-key="prompt">
    <div class="words" role="status" aria-live="assertive">
      <span class="eyebrow">${eyebrow}</span><h1>${heading}</h1><p>${text}</p>
      ${waits ? html`<p class="waits"><pb-icon name="clock" size="18"></pb-icon> ${waits}</p>` : null}</div>
    ${row}${act}</section>`;

// The hands

/** @param {Seen} state */
export function hands(state) {
  const [player, banker] = [hand(state, "player", "p"), hand(state, "banker", "b")];
  return html`<section class="hands felt" data-key="hands">${player}${banker}</section>`;
}

/** @param {Seen} state */
function hand(state, name, letter) {
  const { lang, view } = state, table = view?.table;
  const points = table ? table[name] : null;
  const english = isChinese(lang) ? null : t("en", name).toUpperCase();
  return html`<div class="hand ${letter}"><div class="hl ${letter}-ink"><b>${points ?? "–"}</b>
    <span>${english} <span class="cjk" lang="${hanTag(lang)}">${han(lang, t("zh", name))}</span></span></div>
    <div class="cd">${["1", "2", "3"].map((n) => place(state, letter + n))}</div></div>`;
}

/** @param {Seen} state */
function place(state, slot) {
  const { lang, view } = state, third = slot[1] === "3", wide = third ? "wide" : "";
  if (view?.table.cards[slot]) return laid(state, slot);
  if (!view || !["closed", "dealing"].includes(view.table.phase)) {
    return html`<span class="slot none ${wide}" data-key="at-${slot}"></span>`;
  }
  const due = view.next[0]?.slot === slot && state.link === "open";
  const isPassed = slot === "p3" && (view.next[0]?.slot === "b3" || Boolean(view.table.cards.b3)); // Player stood
  const called = third ? t(lang, view.complete || isPassed ? "stands" : "if_called") : "";
  const text = due ? t(lang, "waiting_card", view.dealt.length + 1) : called;
  return html`<span class="slot ${due ? "due" : ""} ${wide}" data-key="at-${slot}">${text}</span>`;
}

/** @param {Seen} state */
function laid(state, slot) {
  const { lang, view: { table } } = state, code = table.cards[slot], off = canFix(state) ? null : html`disabled`;
  const keyed = table.keyed?.includes(slot) ? keyedMark(lang) : null;
  return html`<button type="button" class="laid ${slot[1] === "3" ? "third" : ""}" data-key="at-${slot}"
    data-act="fix" data-slot="${slot}" aria-label="${t(lang, "fix_card", cardName(code, lang))}"
    ${off}><pb-card code="${code}" size="80"></pb-card>${keyed}</button>`;
}

function keyedMark(lang) {
  const text = t(lang, "by_hand"), icon = html`<pb-icon name="hand" size="16"></pb-icon>`;
  return html`<span class="keyed" title="${text}">${icon}<span class="sr">${text}</span></span>`;
}
