// What waits for a second person, with the facts; Approve and Reject for one who may.
import { html } from "../base/dom.js";
import { said } from "../base/words.js";
import { cardName } from "../kit/cards.js";
import { isReady, mayApprove } from "./reduce.js";
import { t } from "./words.js";

export function waiting(state, proposal) {
  const { lang, me, view } = state, can = mayApprove(me, proposal), off = !isReady(state);
  return html`<section class="await" data-key="p-${proposal.proposal}" aria-label="${t(lang, "waits_two")}"><h3><pb-icon name="shield" size="22"></pb-icon> ${t(lang, "waits_two")}</h3>
    <p><b>${proposed(lang, proposal, view)}</b></p><p class="muted">${t(lang, "proposed_by", proposal.by)}${lang === "zh" ? "。" : ". "}${can ? "" : t(lang, "needs_other", proposal.by)}</p>
    <div class="row">${can ? html`<button type="button" class="btn primary" data-act="approve" data-proposal="${proposal.proposal}" ${off ? html`disabled` : null}>${t(lang, "approve")}</button>
      <button type="button" class="btn" data-act="reject" data-proposal="${proposal.proposal}" ${off ? html`disabled` : null}>${t(lang, "reject")}</button>`
    : html`<button type="button" class="btn" data-act="second" data-proposal="${proposal.proposal}" ${off ? html`disabled` : null}><pb-icon name="user" size="20"></pb-icon>${t(lang, "second_here")}</button>`}</div></section>`;
}

function proposed(lang, { command }, view) {
  const grounds = new Map(view.grounds.map((g) => [g.ground, said(lang, g, "title")]));
  switch (command.command) {
    case "void-round": return t(lang, "p_void");
    case "resume": return t(lang, "p_resume");
    case "reconstruct": return t(lang, "p_rec", command.order);
    case "reopen": return t(lang, "p_reopen", grounds.get(command.ground) ?? command.ground);
    default: return t(lang, "p_correct", cardName(view.table.cards[command.slot] ?? "", lang), cardName(command.card, lang));
  }
}
