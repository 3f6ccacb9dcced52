// Cards that left the shoe without entering a round: which they were, how many nobody saw; a second person agrees.
import { html } from "../base/dom.js";
import { may } from "../base/staffbar.js";
import { cardName } from "../kit/cards.js";
import { keys } from "./keypad.js";
import { refusal } from "./prompt.js";
import { isReady } from "./reduce.js";
import { t } from "./words.js";

/** @import { Seen } from "./reduce.js" */

const UNSEEN_MOST = 50;
const PHASES = ["waiting", "closed", "dealing", "stopped", "settled", "void"];

/**
 * Whether cards can be counted out of the shoe now: a dealer’s own, no shuffler, and no bets open.
 * @param {Seen} state
 */
export function canBurn(state) {
  if (!isReady(state) || !may(state.me, "burn-cards")) return false;
  const { shoe, table } = state.view;
  return shoe?.dealing === "physical" && shoe.source === "shoe" && PHASES.includes(table.phase);
}

/** @param {Seen} state */
export function burning(state) {
  const { lang, view } = state, cards = state.sheet?.cards ?? [], off = canBurn(state) ? null : html`disabled`;
  return html`<div class="sheet" data-key="burn" ${state.second ? html`inert` : null}>
    <div class="notice fix" role="dialog" aria-modal="true" aria-labelledby="burn-title">
    <form data-act="burn"><h2 id="burn-title" tabindex="-1">${t(lang, "burn_title")}</h2>
    <p class="muted">${t(lang, "burn_hint")}</p>
    <div class="laidrow">${cards.map((code, i) => gone(lang, code, i))}</div>
    ${keys({ deck: view.deck, lang, act: "key" })}
    <div class="fields"><label class="field">${t(lang, "burn_unseen")}<input name="unseen" type="number" min="0"
        max="${UNSEEN_MOST}" value="0" required></label>
      <label class="field">${t(lang, "what_happened")}<textarea name="detail" rows="2"
        maxlength="400"></textarea></label></div>
    <p class="warn"><pb-icon name="shield" size="18"></pb-icon> ${t(lang, "burn_two")}</p>
    ${refusal(state)}
    <div class="btns"><button type="button" class="btn" data-act="close">${t(lang, "cancel")}</button>
      <button type="submit" class="btn primary" ${off}>${t(lang, "ask_second")}</button></div>
    </form></div></div>`;
}

// One that was added by mistake goes by a touch.
const gone = (lang, code, i) => html`<button type="button" class="pick" data-key="b-${i}" data-act="unburn"
  data-at="${i}" aria-label="${t(lang, "burn_not", cardName(code, lang))}"><pb-card code="${code}"
  size="62"></pb-card></button>`;
