// What waits for a second person, with the facts, and what became of it; Approve and Reject for one who may.
import { decidedKey, decidedWords } from "../base/decided.js";
import { html } from "../base/dom.js";
import { isChinese, said } from "../base/words.js";
import { may } from "../base/staffbar.js";
import { cardName } from "../kit/cards.js";
import { isReady, mayApprove } from "./reduce.js";
import { t } from "./words.js";

/** @import { Seen } from "./reduce.js" */

/** @param {Seen} state */
export function waiting(state, proposal) {
  const { lang, me, view } = state, can = mayApprove(me, proposal), { proposal: number, by } = proposal;
  const off = isReady(state) ? null : html`disabled`;
  const told = html`${t(lang, "proposed_by", by)}${isChinese(lang) ? "。" : ". "}${
    can ? "" : t(lang, "needs_other", by)}`;
  return html`<section class="await" data-key="p-${number}" aria-label="${t(lang, "waits_two")}">
    <h3><pb-icon name="shield" size="22"></pb-icon> ${t(lang, "waits_two")}</h3>
    <p><b>${proposed(lang, proposal, view)}</b></p>${account(lang, proposal, view)}<p class="muted">${told}</p>
    <div class="row">${can ? answers(lang, number, off) : asking(lang, number, off)}
      ${me?.name === by && may(me, "withdraw-proposal") ? withdrawing(lang, number, off) : null}</div></section>`;
}

const answers = (lang, number, off) => html`<button type="button" class="btn primary" data-act="approve"
    data-proposal="${number}" ${off}>${t(lang, "approve")}</button>
  <button type="button" class="btn" data-act="reject" data-proposal="${number}" ${off}>${t(lang, "reject")}</button>`;

const asking = (lang, number, off) => html`<button type="button" class="btn" data-act="second"
  data-proposal="${number}" ${off}><pb-icon name="user" size="20"></pb-icon>${t(lang, "second_here")}</button>`;

const withdrawing = (lang, number, off) => html`<button type="button" class="btn" data-act="withdraw"
  data-proposal="${number}" ${off}><pb-icon name="undo" size="20"></pb-icon>${t(lang, "withdraw")}</button>`;

const TOLD_MOST = 3;

/** By whom and why something was turned down, or that it lapsed; until it is put away. @param {Seen} state */
export function told({ lang, decided }) {
  if (!decided.length) return null;
  const lines = decided.slice(-TOLD_MOST).map((one) => html`<span class="told-line"
    data-key="d-${decidedKey(one)}">${decidedWords(lang, one)}</span>`);
  return html`<p class="note warned told" role="alert" data-key="told"><pb-icon name="shield" size="20"></pb-icon>
    <span>${lines}</span><span class="grow"></span>
    <button type="button" class="btn" data-act="decided-seen">${t(lang, "dismiss")}</button></p>`;
}

/** What happened, as whoever asked for it wrote it down; nothing where nothing was written. */
export function account(lang, { command }, view) {
  const text = command.detail || said(lang, view.detail);
  return text ? html`<p class="account"><span class="muted">${t(lang, "in_words")}</span> “${text}”</p>` : null;
}

/** What a proposal would do. */
export function proposed(lang, { command }, view) {
  const grounds = new Map(view.grounds.map((g) => [g.ground, said(lang, g.title)]));
  switch (command.command) {
    case "void-round": return t(lang, "p_void");
    case "resume": return t(lang, "p_resume");
    case "reconstruct": return t(lang, "p_rec", command.order);
    case "reopen": return t(lang, "p_reopen", grounds.get(command.ground) ?? command.ground);
    case "burn-cards": return burned(lang, command);
    default: return corrected(lang, view.table.cards[command.slot] ?? "", command.card);
  }
}

const burned = (lang, { cards = "", unseen = 0 }) =>
  t(lang, "p_burn", cards ? cards.split(" ").map((code) => cardName(code, lang)).join(", ") : "–", unseen);

const corrected = (lang, from, to) => t(lang, "p_correct", cardName(from, lang), cardName(to, lang));
