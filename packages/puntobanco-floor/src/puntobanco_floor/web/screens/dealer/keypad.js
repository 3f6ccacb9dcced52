// Card entry: a key for every card of the deck, the card that was keyed shown large, what the scanner said.
import { html, raw } from "../base/dom.js";
import { either } from "../base/words.js";
import { said } from "../base/words.js";
import { may } from "../base/staffbar.js";
import { cardName, isCard } from "../kit/cards.js";
import { PICTURES, SUITS, suitIcon } from "../kit/suits.js";
import { clause } from "./prompt.js";
import { canFix, isReady, proposalsOf } from "./reduce.js";
import { told, waiting } from "./waiting.js";
import { t } from "./words.js";

/** @import { Language } from "../base/words.js" */
/** @import { Seen } from "./reduce.js" */

const LIGHT = {
  s: "#f4f1e8", c: "#f4f1e8", h: "#ff938a", d: "#ff938a",
  f: "#ff8d78", g: "#e9c766", e: "#d9a27c", w: "#7ddba0", a: "#86b6ff",
};

const WARN = html`<pb-icon name="warn" size="20"></pb-icon>`;

/** The keys, a row for each suit. A key says `data-act="act"` and its card. */
export function keys({ deck, lang, act, off = false, chosen = "", rank = "" }) {
  const suits = [...new Set(deck.map((code) => code[1]))];
  return html`<div class="keys" data-key="keys-${act}">${suits.map((suit) => html`
    ${label(suit, lang)}
    ${deck.filter((code) => code[1] === suit).map((code) => key(code, { lang, act, off, chosen, rank }))}`)}</div>`;
}

function label(suit, lang) {
  const icon = raw(suitIcon(suit, 22, { ink: LIGHT[suit], gap: "#0a1411" }));
  return html`<div class="el ${suit}-light">${icon}<span>${either(lang, SUITS[suit].en, SUITS[suit].zh)}</span></div>`;
}

function key(code, { lang, act, off, chosen, rank }) {
  const [r, s] = code, seal = PICTURES[r]?.seal;
  const marked = code === chosen ? "sel" : rank && r === rank ? "hint" : "";
  const small = seal ? html`<small lang="zh-Hant">${seal}</small>` : null;
  return html`<button type="button" class="key ${s}-ink ${marked}" data-key="k-${code}" data-act="${act}"
    data-card="${code}" aria-label="${cardName(code, lang)}"
    ${off ? html`disabled` : null}>${r === "T" ? "10" : r}${small}</button>`;
}

/** The panel under the hands. @param {Seen} state */
export function entryPanel(state) {
  const { lang, view } = state, due = view?.next[0]?.command === "enter-card", lost = state.link !== "open";
  const off = !due || lost || Boolean(state.entry) || !may(state.me, "enter-card");
  return html`<section class="panel kp" data-key="entry" aria-label="${t(lang, "entry")}">
    <div class="hd" role="status">${head(state)}</div>
    ${view ? keys({ deck: view.deck, lang, act: "key", off, rank: state.rank }) : null}
    ${cover(state)}
  </section>`;
}

// What lies over the keys: a card that was keyed, a card in question, or what waits for a second person.
/** @param {Seen} state */
function cover(state) {
  const { view } = state;
  if (state.entry) return held(state);
  if (view?.questioned && state.rekey !== view.questioned && state.link === "open") return question(state);
  const [proposal] = view && view.table.phase !== "stopped" ? proposalsOf(view) : [];
  return proposal ? html`<div class="held asks" data-key="waits">${waiting(state, proposal)}</div>` : null;
}

// One line: what was refused, or where cards come from and how.
/** @param {Seen} state */
function head(state) {
  const { lang, view, notice } = state;
  if (notice) return noted(state);
  if (state.decided.length) return told(state);
  if (view?.questioned && state.rekey === view.questioned) return again(lang, view);
  const hint = html`<span class="muted hint">${t(lang, hintOf(state))}</span>`;
  const off = canFix(state) ? null : html`disabled`;
  return html`<b>${t(lang, "entry")}</b>${reader(state)}${hint}<span class="grow"></span>
    <button type="button" class="btn" data-act="fix" data-slot=""
      ${off}><pb-icon name="edit" size="18"></pb-icon>${t(lang, "correct_last")}</button>`;
}

/** @param {Seen} state */
function noted(state) {
  const { lang, notice } = state;
  if (!notice) return null;
  const args = (notice.args ?? []).map((a) => named(a, lang));
  const text = notice.key ? t(lang, notice.key, ...args) : said(lang, notice.text);
  const rest = notice.rest ? t(lang, "not_entered", notice.rest) : null;
  return html`<p class="note warned">${WARN}<span>${text} ${clause(state, notice.clause)} ${rest}</span>
    <span class="grow"></span>${notice.offer === "irregularity" ? offer(lang) : null}
    <button type="button" class="btn" data-act="dismiss">${t(lang, "dismiss")}</button></p>`;
}

const offer = (lang) => html`<button type="button" class="btn danger"
  data-act="irregularity">${t(lang, "irregularity")}</button>`;

function again(lang, view) {
  const wrong = t(lang, "cannot_be", named(view.questioned, lang));
  return html`<p class="note warned">${WARN}<span>${wrong}. ${t(lang, "rescan")}.</span></p>`;
}

/** @param {Seen} state */
function hintOf({ me, link, view }) {
  if (!view || link !== "open") return "connecting";
  if (!may(me, "open-bets")) return "look_only";
  if (view.shoe?.dealing === "virtual") return "entry_virtual";
  return { "enter-card": "entry_hint", settle: "entry_done" }[view.next[0]?.command] ?? "entry_off";
}

// A card by its name; what is the code of none, such as a joker's, as it was read.
const named = (/** @type {any} */ text, /** @type {Language} */ lang) => (isCard(text) ? cardName(text, lang) : text);

/** @param {Seen} state */
function reader({ lang, scan, rank, view }) {
  if (rank) return html`<span class="pill gold">${t(lang, "typed_rank", rank === "T" ? "10" : rank)}</span>`;
  if (scan && view && Object.values(view.table.cards).includes(scan.card)) {
    return html`<span class="pill ok"><i class="dot"></i>${t(lang, "scanned", cardName(scan.card, lang))}</span>`;
  }
  return html`<span class="pill"><pb-icon name="scan" size="14"></pb-icon>${t(lang, "reader")}</span>`;
}

/** @param {Seen} state */
function held({ lang, entry, view }) {
  if (!entry) return null;
  const slot = view.next[0]?.slot ?? "", where = slot ? t(lang, slot[0] === "p" ? "player" : "banker") : "";
  const name = cardName(entry.card, lang), to = t(lang, "hold_to", view.dealt.length + 1, where);
  return html`<div class="held" data-key="held" role="alertdialog" aria-label="${name}">
    <pb-card code="${entry.card}" size="150"></pb-card>
    <div class="about"><b class="big">${name}</b><span>${to}</span>
      <span class="count" data-key="count-${entry.at}"><i></i></span><span class="muted">${t(lang, "hold_hint")}</span>
      <span class="btns"><button type="button" class="btn" data-act="undo"
        data-key="undo"><pb-icon name="undo" size="20"></pb-icon>${t(lang, "undo")}</button>
      <button type="button" class="btn primary" data-act="confirm"
        data-key="confirm">${t(lang, "enter_now")}</button></span></div></div>`;
}

/** @param {Seen} state */
function question(state) {
  const { lang, view } = state, name = named(view.questioned, lang), wrong = t(lang, "cannot_be", name);
  const off = isReady(state) ? null : html`disabled`;
  return html`<div class="held asks" data-key="asks" role="alertdialog" aria-label="${wrong}">
    <pb-card code="${view.questioned}" size="120"></pb-card>
    <div class="about">
      <b class="big"><pb-icon name="warn" size="26"></pb-icon> ${wrong}</b>
      <span>${said(lang, view.questioned_why)}</span>
      <span class="muted">${t(lang, "rescan")}. ${t(lang, "rescan_hint")}</span>
      <span class="btns"><button type="button" class="btn" data-act="rescan" data-key="rescan"
        ${off}><pb-icon name="scan" size="20"></pb-icon>${t(lang, "rescan")}</button>
      <button type="button" class="btn" data-act="fix" data-slot="" data-key="earlier"
        ${canFix(state) ? null : html`disabled`}>${t(lang, "earlier_wrong")}</button>
      <button type="button" class="btn danger" data-act="insist" data-key="insist"
        ${off}>${t(lang, "insist", name)}</button></span></div></div>`;
}
