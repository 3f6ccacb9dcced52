// Sheets over the table: a card to correct, the shoe, a second person's name and password.
import { html } from "../base/dom.js";
import { may } from "../base/staffbar.js";
import { cardName } from "../kit/cards.js";
import { burning } from "./burning.js";
import { keys } from "./keypad.js";
import { refusal } from "./prompt.js";
import { isReady } from "./reduce.js";
import { account, proposed } from "./waiting.js";
import { t } from "./words.js";

/** @import { Language } from "../base/words.js" */
/** @import { Second, Seen } from "./reduce.js" */

/** @param {Seen} state */
export function sheet(state) {
  const { sheet: open, view } = state;
  if (!view || !open) return null;
  return SHEETS[open.name]?.(state) ?? null;
}

const SHEETS = {
  correct: (state) => correcting(state), shoe: (state) => shoeing(state), count: (state) => counting(state),
  burn: burning,
};

/** @param {Seen} state */
function correcting(state) {
  const { lang, view } = state, { slot = "", card = "" } = state.sheet ?? {}, laid = Object.entries(view.table.cards);
  const before = view.table.cards[slot];
  const arrow = html`<span class="arrow" aria-hidden="true">→</span>`;
  const text = card && before ? t(lang, "fix_do", cardName(before, lang), cardName(card, lang)) : t(lang, "fix_title");
  const off = slot && card && card !== before && isReady(state) ? null : html`disabled`;
  return html`<div class="sheet" data-key="correct" ${state.second ? html`inert` : null}>
    <div class="notice fix" role="dialog" aria-modal="true" aria-labelledby="fix-title">
    <h2 id="fix-title" tabindex="-1">${t(lang, "fix_title")}</h2>
    <p class="muted">${t(lang, slot ? "fix_to" : "fix_which")}</p>
    <div class="laidrow" role="radiogroup" aria-label="${t(lang, "fix_which")}">${laid.map(picking(lang, slot))}
      ${card ? html`${arrow}<pb-card code="${card}" size="62"></pb-card>` : null}</div>
    ${slot ? keys({ deck: view.deck, lang, act: "key", chosen: card }) : null}
    ${view.complete ? shielded(t(lang, "fix_two")) : null}
    ${refusal(state)}
    <div class="btns"><button type="button" class="btn" data-act="close">${t(lang, "cancel")}</button>
      <button type="button" class="btn primary" data-act="correct" ${off}>
        ${text}</button></div></div></div>`;
}

/** A card on the table to choose, for a correction. @param {Language} lang @param {string} slot */
export const picking = (lang, slot) => ([at, code]) => {
  const hand = t(lang, at[0] === "p" ? "player" : "banker"), chosen = at === slot;
  const name = html`<span class="${at[0]}-ink">${hand}</span>`;
  return html`<button type="button" role="radio" class="pick ${chosen ? "sel" : ""}" data-key="f-${at}"
    data-act="fix" data-slot="${at}" aria-checked="${chosen ? "true" : "false"}"
    aria-label="${hand}: ${cardName(code, lang)}"><pb-card code="${code}" size="62"></pb-card>${name}</button>`;
};

const shielded = (text) => html`<p class="warn"><pb-icon name="shield" size="18"></pb-icon> ${text}</p>`;

/** @param {Seen} state */
function shoeing(state) {
  const { lang, view, me } = state, on = view.shoe, off = isReady(state) ? null : html`disabled`;
  return html`<div class="sheet" data-key="shoe" ${state.second ? html`inert` : null}>
    <div class="notice" role="dialog" aria-modal="true" aria-labelledby="shoe-title">
    <form data-act="${on ? "change-shoe" : "new-shoe"}">
    <h2 id="shoe-title" tabindex="-1"><pb-icon name="shoe" size="28"></pb-icon>${t(lang, "shoe_title")}</h2>
    ${on ? html`<p>${t(lang, "shoe_on", on.number, on.cards_left)}</p>` : null}${shoeFields(lang, view)}
    ${may(me, "new-shoe") ? null : shielded(t(lang, "as_supervisor"))}
    ${refusal(state)}
    <div class="btns"><button type="button" class="btn" data-act="close">${t(lang, "cancel")}</button>
      ${on ? endOnly(lang, off) : null}
      <button type="submit" class="btn primary" ${off}>${t(lang, on ? "do_change_shoe" : "do_new_shoe")}</button></div>
    </form></div></div>`;
}

const endOnly = (lang, off) => html`<button type="button" class="btn" data-act="end-shoe"
  ${off}>${t(lang, "do_end_shoe")}</button>`;

/** What is asked of a new shoe: as the table is set, and what only who brings it knows. */
function shoeFields(lang, { decks: { least, most, usual, cards_each: each, shuffler }, cards: set }) {
  const counts = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  const decks = counts.map((n) => html`<option value="${n}"
    ${n === usual ? html`selected` : null}>${n} (${t(lang, "in_all", n * each)})</option>`);
  const dealing = html`<option value="physical" selected>${t(lang, "by_dealer")}</option>
    <option value="virtual">${t(lang, "by_server")}</option>`;
  const needed = set.count_shoes ? html`required` : null;
  return html`
      <div class="fields"><label class="field">${t(lang, "decks")}<select name="decks">${decks}</select></label>
      <label class="field">${t(lang, "dealing")}<select name="dealing">${dealing}</select></label>
      ${shuffler ? sourceField(lang, set.source) : null}
      <label class="field">${t(lang, "cut")}<input name="cut" type="number" min="0" max="1000" value="${set.cut}"
        required></label>
      ${set.burn === "first-card" ? firstCard(lang) : burnField(lang, set.burn)}
      <label class="field">${t(lang, "set_id")}<input name="set_id" maxlength="64" autocomplete="off"
        spellcheck="false" ${needed}></label>
      <label class="field">${t(lang, "counted")}<input name="counted" type="number" min="0" max="10000"
        inputmode="numeric" ${needed}></label></div>
      <p class="muted">${t(lang, set.count_shoes ? "set_needed" : "count_asked")}</p>`;
}

function sourceField(lang, source) {
  const option = (value, key) => html`<option value="${value}"
    ${value === source ? html`selected` : null}>${t(lang, key)}</option>`;
  return html`<label class="field">${t(lang, "source")}<select name="source">${option("shoe", "a_shoe")}${
    option("continuous", "shuffler")}</select></label>`;
}

const burnField = (lang, burn) => html`<label class="field">${t(lang, "burn")}<input name="burn" type="number" min="0"
  max="50" value="${burn}" required></label>`;

const firstCard = (lang) => html`<label class="field">${t(lang, "first_card")}<input name="first_card" maxlength="40"
  autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="9s"></label>`;

/** @param {Seen} state */
function counting(state) {
  const { lang, view: { shoe } } = state, off = shoe && isReady(state) ? null : html`disabled`;
  return html`<div class="sheet" data-key="count" ${state.second ? html`inert` : null}>
    <div class="notice" role="dialog" aria-modal="true" aria-labelledby="count-title"><form data-act="count-shoe">
    <h2 id="count-title" tabindex="-1"><pb-icon name="cards" size="28"></pb-icon>${t(lang, "count_title")}</h2>
    <p>${t(lang, "count_says", shoe?.cards ?? 0)}</p>
    <div class="fields"><label class="field">${t(lang, "counted")}<input name="cards" type="number" min="0" max="10000"
      inputmode="numeric" required></label></div>
    <p class="muted">${t(lang, "count_differs")}</p>
    ${refusal(state)}
    <div class="btns"><button type="button" class="btn" data-act="close">${t(lang, "cancel")}</button>
      <button type="submit" class="btn primary" ${off}>${t(lang, "do_count")}</button></div>
    </form></div></div>`;
}

/**
 * A second person at this console: a PIN or a password of their own, for this alone, beside what they confirm and what
 * was written about it. Enter approves, and rejects nothing.
 * @param {Seen} state
 */
export function secondPerson(state) {
  const { lang, second } = state;
  if (!second) return null;
  const { error, wrong, rejecting, self } = second, says = error || (wrong ? t(lang, wrong) : "");
  const alert = says ? html`<pb-icon name="warn" size="20"></pb-icon> ${says}` : null;
  return html`<div class="sheet over" data-key="second">
    <div class="notice ${rejecting ? "warned" : ""}" role="dialog" aria-modal="true" aria-labelledby="second-title">
    <form data-act="as-second" autocomplete="off">
    <h2 id="second-title" tabindex="-1"><pb-icon name="user"
      size="28"></pb-icon>${t(lang, rejecting ? "reject_title" : "second_title")}</h2>
    ${confirmed(state, second)}
    <p class="muted">${t(lang, self ? "reject_hint" : second.byPin ? "second_pin_hint" : "second_hint")}</p>
    ${self ? null : credentials(lang, second)}
    ${rejecting ? whyRejected(lang) : null}
    <p class="refusal" role="alert">${alert}</p>
    <div class="btns"><button type="button" class="btn" data-act="no-second">${t(lang, "cancel")}</button>
      ${rejecting ? rejection(lang, second) : answers(lang, second)}</div></form></div></div>`;
}

// What is confirmed: the proposal as it waits, or what is to be done, and the account of whoever asked for it.
/** @param {Seen} state @param {Second} second */
function confirmed({ lang, view }, { proposal: number, commands }) {
  const found = view?.proposals.find((one) => one.proposal === number);
  const titles = (commands ?? []).map(({ command }) => t(lang, DOES[command] ?? command));
  const what = found ? proposed(lang, found, view) : titles.join(t(lang, "and_then"));
  return html`<p class="what"><b>${what}</b></p>${found ? account(lang, found, view) : null}`;
}

const DOES = { "end-shoe": "do_end_shoe", "new-shoe": "do_new_shoe", "restart-table": "do_restart" };

/** @param {Language} lang @param {Second} second */
const credentials = (lang, { byPin }) => html`<div class="fields" data-key="credentials"><label
  class="field">${t(lang, "name")}<input name="name" maxlength="64" required autocomplete="off"
    autocapitalize="none" spellcheck="false"></label>
  ${byPin ? pinField(lang) : passwordFields(lang)}</div>
  <p><button type="button" class="btn" data-act="second-by">${t(lang, byPin ? "by_password" : "by_pin")}</button></p>`;

const pinField = (lang) => html`<label class="field" data-key="pin">${t(lang, "pin")}<input name="pin" type="password"
  inputmode="numeric" maxlength="12" required autocomplete="off"></label>`;

const passwordFields = (lang) => html`<label
  class="field">${t(lang, "password")}<input name="password" type="password" maxlength="200" required
    autocomplete="off"></label>
  <label class="field">${t(lang, "one_time")}<input name="one_time" inputmode="numeric" maxlength="8"
    autocomplete="off"></label>`;

const whyRejected = (lang) => html`<label class="field why" data-key="why">${t(lang, "why_rejected")}<textarea
  name="reason" rows="2" maxlength="400"></textarea></label>`;

/** @param {Language} lang @param {Second} second */
function answers(lang, { proposal, busy }) {
  const off = busy ? html`disabled` : null;
  const reject = html`<button type="button" class="btn" data-act="reject-here"
    data-key="reject" ${off}>${t(lang, "reject")} …</button>`;
  return html`${proposal ? reject : null}
    <button type="submit" class="btn primary" data-key="approve" ${off}>${t(lang, "approve")}</button>`;
}

// No button that Enter would press.
/** @param {Language} lang @param {Second} second */
function rejection(lang, { self, busy }) {
  const off = busy ? html`disabled` : null;
  const back = html`<button type="button" class="btn" data-act="approve-here"
    data-key="back" ${off}>${t(lang, "rather_approve")}</button>`;
  return html`${self ? null : back}
    <button type="button" class="btn danger" data-act="reject-now" data-key="reject"
      ${off}>${t(lang, "reject")}</button>`;
}
