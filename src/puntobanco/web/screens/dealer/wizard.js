// The irregularity wizard: choose a ground of this game's rulebook, then put in order, void or go on, each by two people.
import { html } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { said } from "../base/words.js";
import { cardName } from "../kit/cards.js";
import { keys } from "./keypad.js";
import { clause, refusal } from "./prompt.js";
import { isReady, isTrying, may, proposalsOf } from "./reduce.js";
import { waiting } from "./waiting.js";
import { t } from "./words.js";

const CHOICES = { reconstruct: "do_reconstruct", "void-round": "do_void", resume: "do_resume" };

export function wizard(state) {
  const { sheet, view } = state;
  if (!view || !sheet) return null;
  if (sheet.name === "irregularity") return frame(state, 0, declaring(state));
  return sheet.name === "stopped" && view.table.phase === "stopped" ? frame(state, proposalsOf(view).length ? 2 : 1, deciding(state)) : null;
}

function frame(state, step, { body, foot }) {
  const { lang, view } = state, stopped = view.table.phase === "stopped", playing = ["betting", "closed", "dealing"].includes(view.table.phase);
  const names = ["step_ground", "step_decide", "step_second", "step_done"];
  return html`<div class="sheet" data-key="wizard" ${state.second ? html`inert` : null}><div class="wiz" role="dialog" aria-modal="true" aria-labelledby="wiz-title">
    <div class="top"><h2 id="wiz-title" tabindex="-1">${t(lang, "irr_title", view.table.round)}</h2>${state.link === "lost" ? html`<span class="pill danger" role="status">${t(lang, "no_server")}</span>` : stopped || playing ? html`<span class="pill warn">${t(lang, stopped ? "paused_all" : "will_pause")}</span>` : null}
      <ol class="stp">${names.map((name, i) => html`<li class="${i < step ? "done" : i === step ? "on" : ""}" ${i === step ? html`aria-current="step"` : null}>${i < step ? "✓" : i + 1} ${t(lang, name)}</li>`)}</ol></div>
    ${body}<div class="end">${refusal(state)}<div class="row">${foot}</div></div></div></div>`;
}

// Step 1: the ground

function declaring(state) {
  const { lang, view, sheet } = state, outside = view.grounds.filter((g) => g.ground === "malfunction");
  const inside = view.grounds.filter((g) => g.ground !== "malfunction"), chosen = view.grounds.find((g) => g.ground === sheet.ground);
  const command = { stop: "declare", incident: "record", reopen: "reopen" }[chosen?.follows] ?? "declare";
  return {
    body: html`<div class="wb"><div class="gl" role="radiogroup" aria-label="${t(lang, "grounds_in", said(lang, view.table, "title"))}">
        <span class="eyebrow">${t(lang, "grounds_in", said(lang, view.table, "title"))}</span>${inside.map((g) => ground(lang, g, sheet.ground))}
        <span class="eyebrow">${t(lang, "outside")}</span>${outside.map((g) => ground(lang, g, sheet.ground))}</div>
      <div class="rc">${strip(state, view.dealt, { still: true })}
        ${chosen ? html`<div class="opt sel"><h3>${said(lang, chosen, "title")} ${clause(lang, chosen.clause)}</h3>
          <p>${t(lang, `follows_${chosen.follows}`)}</p></div>` : html`<p class="muted">${t(lang, "pick_ground")}</p>`}
        <label class="field">${t(lang, "what_happened")}<textarea name="detail" rows="3" maxlength="400"></textarea></label></div></div>`,
    foot: html`<button type="button" class="btn" data-act="close">${t(lang, "cancel")}</button><span class="grow"></span>
      <button type="button" class="btn primary" data-act="declare" ${chosen && isReady(state) ? null : html`disabled`}>${t(lang, command)}</button>`,
  };
}

function ground(lang, g, chosen) {
  const text = g.refused ? t(lang, "not_now", g.refused.replace(`${g.ground} `, "")) : t(lang, g.follows === "incident" ? "kept_only" : g.reconstructable ? "rec_or_void" : "void_only");
  return html`<button type="button" role="radio" class="g ${g.ground === chosen ? "sel" : ""} ${g.refused ? "no" : ""}" data-key="g-${g.ground}" data-act="ground" data-ground="${g.ground}"
    aria-checked="${g.ground === chosen ? "true" : "false"}" ${g.refused ? html`aria-disabled="true"` : null}><span class="clause">${g.clause}</span>
    <span><b>${said(lang, g, "title")}</b><small>${text}</small></span></button>`;
}

// Steps 2 and 3: the decision, and who approves it

function deciding(state) {
  const { lang, view, sheet } = state, [proposal] = proposalsOf(view), stop = view.table.stop;
  const offered = view.next.map((action) => action.command), choice = offered.includes(sheet.choice) ? sheet.choice : "";
  const trying = isTrying(state), off = !isReady(state) || !may(state.me, "void-round");
  const bad = choice === "reconstruct" && (!sheet.preview || sheet.preview.refused);
  return {
    body: html`<div class="wb"><div class="gl"><span class="eyebrow">${t(lang, "step_ground")}</span>
        <div class="g sel"><span class="clause">${stop?.clause}</span><span><b>${stop ? said(lang, stop, "title") : ""}</b></span></div>
        <span class="eyebrow">${t(lang, "step_decide")}</span>
        ${proposal ? waiting(state, proposal) : html`<div class="choices" role="radiogroup" aria-label="${t(lang, "choose_one")}">${offered.map((command) => option(state, command, choice, off))}</div>`}</div>
      <div class="rc">${strip(state, trying ? sheet.order : [...view.dealt, ...view.surplus], { still: !trying || Boolean(proposal) || off, tried: trying })}
        ${trying ? preview(state) : null}
        ${trying && !proposal ? (sheet.adding ? keys({ deck: view.deck, lang, act: "key" }) : html`<p class="muted">${t(lang, "order_hint")}</p>`) : null}
        ${facts(state)}</div></div>`,
    foot: html`<span class="muted grow">${proposal ? t(lang, "waits_two") : choice ? "" : t(lang, "choose_one")}</span>
      ${proposal ? null : html`<button type="button" class="btn primary" data-act="propose" data-command="${choice}" ${choice && !off && !bad ? null : html`disabled`}>${t(lang, "ask_second")}</button>`}`,
  };
}

function option(state, command, choice, off) {
  const { lang, view } = state, staked = view.stakes.reduce((all, row) => all + row.total_cents, 0);
  const text = { reconstruct: t(lang, "rec_text"), "void-round": t(lang, "void_text", dollars(staked), view.betting), resume: t(lang, "resume_text") }[command];
  return html`<button type="button" role="radio" class="opt ${command === choice ? "sel" : ""}" data-key="c-${command}" data-act="choose" data-command="${command}"
    aria-checked="${command === choice ? "true" : "false"}" ${off ? html`disabled` : null}><span class="h3">${command === choice ? "● " : ""}${t(lang, CHOICES[command])}</span><span class="p">${text}</span></button>`;
}

const facts = ({ lang, view }) => (view.stakes.some((row) => row.wagers) ? html`<p class="muted">${t(lang, "wagers", view.table.round)}: ${view.stakes.filter((row) => row.wagers)
  .map((row) => `${said(lang, view.table.bets.find((bet) => bet.bet === row.bet) ?? { title: row.bet }, "title")} ${dollars(row.total_cents)}`).join(" · ")}</p>` : null);

/** The cards in a row; they can be moved by finger, by buttons and by arrow keys unless `still`. */
function strip(state, cards, { still, tried = false }) {
  const { lang, view, sheet } = state, own = [...view.dealt, ...view.surplus];
  const names = !tried ? placesOf({ cards: view.table.cards, surplus: view.surplus }, lang) : sheet.preview && !sheet.preview.refused ? placesOf(sheet.preview, lang) : null;
  if (!cards.length) return html`<p class="muted">${t(lang, "no_cards")}</p>`;
  return html`<div><span class="eyebrow">${t(lang, tried ? "order_head" : "dealt_head")}</span>
    <ol class="ord ${still ? "still" : ""}" data-key="ord">${cards.map((code, i) => html`<li data-key="o-${i}" data-at="${i}">
      ${still ? html`<pb-card code="${code}" size="62"></pb-card>` : html`<button type="button" class="pick ${sheet.picked === i ? "sel" : ""}" data-act="pick" data-at="${i}" aria-label="${i + 1}: ${cardName(code, lang)}" aria-pressed="${sheet.picked === i ? "true" : "false"}"><pb-card code="${code}" size="62"></pb-card></button>`}
      <span class="${names && !names[i]?.slot ? "warn" : ""}">${i + 1} ${names ? names[i]?.text : ""}</span></li>`)}</ol>
    ${still ? null : html`<div class="row mv"><button type="button" class="btn" data-act="earlier" aria-label="${t(lang, "earlier")}" ${sheet.picked > 0 ? null : html`disabled`}>◀</button>
      <button type="button" class="btn" data-act="later" aria-label="${t(lang, "later")}" ${sheet.picked >= 0 && sheet.picked < cards.length - 1 ? null : html`disabled`}>▶</button>
      <button type="button" class="btn" data-act="take-out" ${canTakeOut(cards, sheet.picked, own) ? null : html`disabled`}>${t(lang, "take_out")}</button>
      <button type="button" class="btn" data-act="adding" aria-expanded="${sheet.adding ? "true" : "false"}"><pb-icon name="${sheet.adding ? "minus" : "plus"}" size="18"></pb-icon>${t(lang, sheet.adding ? "hide_keys" : "add_card")}</button></div>`}</div>`;
}

// Only what was added here can go: every card that was dealt is part of the true order.
export const canTakeOut = (cards, at, own) => at >= 0 && at < cards.length && cards.filter((c) => c === cards[at]).length > own.filter((c) => c === cards[at]).length;

function placesOf(found, lang) {
  const slots = ["p1", "b1", "p2", "b2", "p3", "b3"].filter((slot) => found.cards[slot]);
  return [...slots.map((slot) => ({ slot, text: t(lang, slot[0] === "p" ? "player" : "banker") })), ...found.surplus.map(() => ({ slot: "", text: t(lang, "surplus") }))];
}

function preview({ lang, sheet }) {
  const found = sheet.preview;
  if (!found) return html`<p class="muted">${t(lang, "trying")}</p>`;
  if (found.refused) return html`<p class="refusal" role="status"><pb-icon name="warn" size="20"></pb-icon> ${found.refused} ${clause(lang, found.clause)}</p>`;
  const winner = { player: "player_wins", banker: "banker_wins", tie: "is_tie" }[found.winner];
  return html`<div class="opt sel" role="status"><h3>${winner ? t(lang, "would_be", found.player, found.banker, t(lang, winner)) : t(lang, "would_go_on", found.player, found.banker)}</h3>
    <p>${said(lang, found, "why")} ${clause(lang, found.clause)} ${found.surplus.length ? t(lang, "would_left", found.surplus.map((c) => cardName(c, lang)).join(", ")) : ""}</p></div>`;
}
