// The irregularity wizard: choose a ground of this game's rulebook, then put in order, void or go on,
// each by two people.
import { html } from "../base/dom.js";
import { dollars } from "../base/money.js";
import { clauseChip, clauseMark } from "../base/rules.js";
import { said } from "../base/words.js";
import { may } from "../base/staffbar.js";
import { cardName } from "../kit/cards.js";
import { canBurn } from "./burning.js";
import { keys } from "./keypad.js";
import { clause, refusal } from "./prompt.js";
import { picking } from "./sheets.js";
import { isReady, isTrying, proposalsOf } from "./reduce.js";
import { told, waiting } from "./waiting.js";
import { t } from "./words.js";

/** @import { DealerView, Redealt } from "server" */
/** @import { Seen, Sheet } from "./reduce.js" */

const CHOICES = {
  reconstruct: "do_reconstruct", "void-round": "do_void", resume: "do_resume", "correct-card": "do_correct",
};
const MISREAD = "misread-card";

/** @param {Seen} state */
export function wizard(state) {
  const { sheet, view } = state;
  if (!view || !sheet) return null;
  if (sheet.name === "irregularity") return frame(state, 0, declaring(state));
  if (sheet.name !== "stopped" || view.table.phase !== "stopped") return null;
  return frame(state, proposalsOf(view).length ? 2 : 1, deciding(state));
}

const STEPS = ["step_ground", "step_decide", "step_second", "step_done"];

/** @param {Seen} state */
function frame(state, step, { body, foot }) {
  const { lang, view } = state;
  return html`<div class="sheet" data-key="wizard" ${state.second ? html`inert` : null}>
    <div class="wiz" role="dialog" aria-modal="true" aria-labelledby="wiz-title">
    <div class="top"><h2 id="wiz-title" tabindex="-1">${t(lang, "irr_title", view.table.round)}</h2>${paused(state)}
      <ol class="stp">${STEPS.map((name, i) => stepped(lang, name, i, step))}</ol></div>
    ${body}<div class="end">${refusal(state)}<div class="row">${foot}</div></div></div></div>`;
}

// What happens at the terminals, or that the server is away.
/** @param {Seen} state */
function paused({ lang, view: { table }, link }) {
  if (link === "lost") return html`<span class="pill danger" role="status">${t(lang, "no_server")}</span>`;
  if (table.phase === "stopped") return html`<span class="pill warn">${t(lang, "paused_all")}</span>`;
  const playing = ["betting", "closed", "dealing"].includes(table.phase);
  return playing ? html`<span class="pill warn">${t(lang, "will_pause")}</span>` : null;
}

function stepped(lang, name, i, step) {
  const kind = i < step ? "done" : i === step ? "on" : "", current = i === step ? html`aria-current="step"` : null;
  return html`<li class="${kind}" ${current}>${i < step ? "✓" : i + 1} ${t(lang, name)}</li>`;
}

// Step 1: the ground

/** @param {Seen} state */
function declaring(state) {
  const { lang, view, sheet } = state, chosen = view.grounds.find((g) => g.ground === sheet?.ground);
  const command = { stop: "declare", incident: "record", reopen: "reopen" }[chosen?.follows] ?? "declare";
  const off = chosen && isReady(state) ? null : html`disabled`;
  return {
    body: html`<div class="wb">${grounds(state)}
      <div class="rc">${strip(state, view.dealt, { still: true })}
        ${chosen ? following(state, chosen) : html`<p class="muted">${t(lang, "pick_ground")}</p>`}
        ${chosen?.needs_count ? counting(lang) : null}
        <label class="field" data-key="detail">${t(lang, "what_happened")}<textarea name="detail" rows="3"
          maxlength="400"></textarea></label></div></div>`,
    foot: html`<button type="button" class="btn"
        data-act="close">${t(lang, "cancel")}</button><span class="grow"></span>
      <button type="button" class="btn primary" data-act="declare" ${off}>${t(lang, command)}</button>`,
  };
}

// By the book the shoe holds cards; whoever looks into it knows better.
const counting = (lang) => html`<div class="row" data-key="count"><label class="field">${t(lang, "cards_counted")}<input
    name="cards_left" type="number" min="0" max="1400" inputmode="numeric"></label>
  <button type="button" class="btn" data-act="empty">${t(lang, "shoe_empty")}</button></div>`;

/** @param {Seen} state */
function grounds({ lang, view, sheet }) {
  const heading = t(lang, "grounds_in", said(lang, view.table.title));
  const isOutside = (g) => g.of_the_house, shown = (g) => ground(lang, g, sheet?.ground, isServerDealt(view));
  return html`<div class="gl" role="radiogroup" aria-label="${heading}">
        <span class="eyebrow">${heading}</span>${view.grounds.filter((g) => !isOutside(g)).map(shown)}
        <span class="eyebrow">${t(lang, "outside")}</span>${view.grounds.filter(isOutside).map(shown)}</div>`;
}

/** @param {Seen} state */
const following = (state, chosen) => html`<div class="opt sel">
  <h3>${said(state.lang, chosen.title)} ${clause(state, chosen.clause)}</h3>
  <p>${t(state.lang, followingWord(chosen, isServerDealt(state.view)))}</p></div>`;

/** Reading 49: a round that the server deals is resumed. @param {DealerView} view */
const isServerDealt = (view) => view.table.dealt_by === "server";

function followingWord({ ground: name, follows }, byServer) {
  if (follows !== "stop") return `follows_${follows}`;
  if (byServer) return "follows_server";
  return name === MISREAD ? "follows_misread" : "follows_stop";
}

function ground(lang, g, chosen, byServer) {
  const is = g.ground === chosen;
  return html`<button type="button" role="radio" class="g ${is ? "sel" : ""} ${g.refused ? "no" : ""}"
    data-key="g-${g.ground}" data-act="ground" data-ground="${g.ground}" aria-checked="${is ? "true" : "false"}"
    ${g.refused ? html`aria-disabled="true"` : null}>${clauseMark(g.clause, { lang })}
    <span><b>${said(lang, g.title)}</b><small>${groundText(lang, g, byServer)}</small></span></button>`;
}

function groundText(lang, g, byServer) {
  if (g.refused) return t(lang, "not_now", said(lang, g.refused));
  if (g.follows === "incident") return t(lang, "kept_only");
  if (byServer) return t(lang, "resume_only");
  if (g.ground === MISREAD) return t(lang, "correct_only");
  if (g.needs_count) return t(lang, "count_needed");
  return t(lang, g.reconstructable ? "rec_or_void" : "void_only");
}

// Steps 2 and 3: the decision, and who approves it

/** @param {Seen} state */
function deciding(state) {
  const { lang, view, sheet } = state, [proposal] = proposalsOf(view), trying = isTrying(state);
  const offered = view.next.map((action) => action.command);
  const choice = sheet?.choice && offered.includes(sheet.choice) ? sheet.choice : "";
  const off = !isReady(state) || !may(state.me, "void-round"), still = !trying || Boolean(proposal) || off;
  const cards = trying && sheet?.order ? sheet.order : [...view.dealt, ...view.surplus];
  return {
    body: html`<div class="wb"><div class="gl">${stopGround(state)}
        <span class="eyebrow">${t(lang, "step_decide")}</span>${told(state)}
        ${proposal ? waiting(state, proposal) : options(state, offered, choice, off)}</div>
      <div class="rc">${strip(state, cards, { still, tried: trying })}
        ${trying ? preview(state) : null}
        ${trying && !proposal ? adding(state) : null}
        ${choice === "correct-card" && !proposal ? correcting(state) : null}
        ${facts(state)}</div></div>`,
    foot: html`<span class="muted grow">${proposal ? t(lang, "waits_two") : choice ? "" : t(lang, "choose_one")}</span>
      ${proposal ? null : burnButton(lang, off || !canBurn(state))}
      ${proposal ? null : propose(lang, choice, off || isBad(choice, sheet ?? {}, view))}`,
  };
}

/** @param {Seen} state */
function stopGround(state) {
  const { lang, link, view: { table: { stop } } } = state, title = stop ? said(lang, stop.title) : "";
  const cited = clauseChip(lang, stop?.clause ?? "", { off: link !== "open" });
  const detail = said(lang, state.view.detail);
  return html`<span class="eyebrow">${t(lang, "step_ground")}</span>
        <div class="g sel">${cited}<span><b>${title}</b><small>${detail}</small></span></div>`;
}

// Which card was misread, and what it really is.
/** @param {Seen} state */
function correcting({ lang, view: { table, deck }, sheet }) {
  const { slot = "", card = "" } = sheet ?? {};
  const arrow = html`<span class="arrow" aria-hidden="true">→</span><pb-card code="${card}" size="62"></pb-card>`;
  return html`<p class="muted">${t(lang, slot ? "fix_to" : "fix_which")}</p>
    <div class="laidrow" role="radiogroup" aria-label="${t(lang, "fix_which")}">
      ${Object.entries(table.cards).map(picking(lang, slot))}${card ? arrow : null}</div>
    ${slot ? keys({ deck, lang, act: "key", chosen: card }) : null}`;
}

const burnButton = (lang, off) => html`<button type="button" class="btn" data-act="burning"
  ${off ? html`disabled` : null}>${t(lang, "do_burn")}</button>`;

/** @param {Seen} state */
const adding = ({ lang, view, sheet }) => (sheet?.adding
  ? keys({ deck: view.deck, lang, act: "key" }) : html`<p class="muted">${t(lang, "order_hint")}</p>`);

// An order is proposed only once it is known what follows from it, a card only where it is another.
/** @param {string} choice @param {Partial<Sheet>} sheet @param {DealerView} view */
function isBad(choice, { preview: tried, slot, card }, { table }) {
  if (choice === "correct-card") return !slot || !card || table.cards[slot] === card;
  return choice === "reconstruct" && (!tried || Boolean(tried.refused));
}

const propose = (lang, choice, off) => html`<button type="button" class="btn primary" data-act="propose"
  data-command="${choice}" ${choice && !off ? null : html`disabled`}>${t(lang, "ask_second")}</button>`;

/** @param {Seen} state */
function options(state, offered, choice, off) {
  const all = offered.map((command) => option(state, command, command === choice, off));
  return html`<div class="choices" role="radiogroup" aria-label="${t(state.lang, "choose_one")}">${all}</div>`;
}

/** @param {Seen} state */
function option({ lang, view }, command, chosen, off) {
  const word = command === "resume" && isServerDealt(view) ? "do_go_on" : CHOICES[command];
  const title = html`<span class="h3">${chosen ? "● " : ""}${t(lang, word)}</span>`;
  const text = html`<span class="p">${optionText(lang, view, command)}</span>`;
  return html`<button type="button" role="radio" class="opt ${chosen ? "sel" : ""}" data-key="c-${command}"
    data-act="choose" data-command="${command}" aria-checked="${chosen ? "true" : "false"}"
    ${off ? html`disabled` : null}>${title}${text}</button>`;
}

function optionText(lang, view, command) {
  const staked = view.stakes.reduce((all, row) => all + row.total_cents, 0);
  switch (command) {
    case "reconstruct": return t(lang, "rec_text");
    case "void-round": return t(lang, "void_text", dollars(staked), view.betting);
    case "resume": return t(lang, isServerDealt(view) ? "go_on_text" : "resume_text");
    case "correct-card": return t(lang, "correct_text");
    default: return null;
  }
}

/** @param {Seen} state */
function facts({ lang, view }) {
  const rows = view.stakes.filter((row) => row.wagers);
  if (!rows.length) return null;
  const bet = (row) => view.table.bets.find((found) => found.bet === row.bet) ?? { title: row.bet };
  const each = rows.map((row) => `${said(lang, bet(row).title)} ${dollars(row.total_cents)}`);
  return html`<p class="muted">${t(lang, "wagers", view.table.round)}: ${each.join(" · ")}</p>`;
}

/** The cards in a row; they can be moved by finger, by buttons and by arrow keys unless `still`. @param {Seen} state */
function strip(state, cards, { still, tried = false }) {
  const { lang } = state, names = namesOf(state, tried);
  if (!cards.length) return html`<p class="muted">${t(lang, "no_cards")}</p>`;
  const card = (code, i) => html`<li data-key="o-${i}" data-at="${i}">
      ${still ? html`<pb-card code="${code}" size="62"></pb-card>` : movable(state, code, i)}
      <span class="${names && !names[i]?.slot ? "warn" : ""}">${i + 1} ${names ? names[i]?.text : ""}</span></li>`;
  return html`<div><span class="eyebrow">${t(lang, tried ? "order_head" : "dealt_head")}</span>
    <ol class="ord ${still ? "still" : ""}" data-key="ord">${cards.map(card)}</ol>
    ${still ? null : moving(state, cards)}</div>`;
}

// Where each card lies, or would lie; null where that is not known.
/** @param {Seen} state */
function namesOf({ lang, view, sheet }, tried) {
  if (!tried) return placesOf({ cards: view.table.cards, surplus: view.surplus }, lang);
  return sheet?.preview && !sheet.preview.refused ? placesOf(sheet.preview, lang) : null;
}

/** @param {Seen} state */
function movable({ lang, sheet }, code, i) {
  const picked = sheet?.picked === i;
  return html`<button type="button" class="pick ${picked ? "sel" : ""}" data-act="pick" data-at="${i}"
    aria-label="${i + 1}: ${cardName(code, lang)}"
    aria-pressed="${picked ? "true" : "false"}"><pb-card code="${code}" size="62"></pb-card></button>`;
}

// The buttons under a strip that can be moved.
/** @param {Seen} state */
function moving({ lang, view, sheet }, cards) {
  const { picked = -1, adding: open = false } = sheet ?? {};
  const unless = (can) => (can ? null : html`disabled`);
  const isMisread = view.table.stop?.ground === MISREAD; // then one of those entered is not among the true cards
  const removable = canTakeOut(cards, picked, isMisread ? [] : [...view.dealt, ...view.surplus]);
  return html`<div class="row mv"><button type="button" class="btn" data-act="earlier"
        aria-label="${t(lang, "earlier")}" ${unless(picked > 0)}>◀</button>
      <button type="button" class="btn" data-act="later"
        aria-label="${t(lang, "later")}" ${unless(picked >= 0 && picked < cards.length - 1)}>▶</button>
      <button type="button" class="btn" data-act="take-out" ${unless(removable)}>${t(lang, "take_out")}</button>
      <button type="button" class="btn" data-act="adding"
        aria-expanded="${open ? "true" : "false"}"><pb-icon name="${open ? "minus" : "plus"}"
        size="18"></pb-icon>${t(lang, open ? "hide_keys" : "add_card")}</button></div>`;
}

// Only what was added here can go: every card that was dealt is part of the true order.
export function canTakeOut(cards, at, own) {
  const like = (some) => some.filter((card) => card === cards[at]).length;
  return at >= 0 && at < cards.length && like(cards) > like(own);
}

function placesOf(found, lang) {
  const slots = ["p1", "b1", "p2", "b2", "p3", "b3"].filter((slot) => found.cards[slot]);
  return [
    ...slots.map((slot) => ({ slot, text: t(lang, slot[0] === "p" ? "player" : "banker") })),
    ...found.surplus.map(() => ({ slot: "", text: t(lang, "surplus") })),
  ];
}

/** @param {Seen} state */
function preview(state) {
  const { lang } = state, found = state.sheet?.preview;
  if (!found) return html`<p class="muted">${t(lang, "trying")}</p>`;
  const cited = clause(state, found.clause), warn = html`<pb-icon name="warn" size="20"></pb-icon>`;
  if (found.refused) return html`<p class="refusal" role="status">${warn} ${said(lang, found.refused)} ${cited}</p>`;
  return html`<div class="opt sel" role="status"><h3>${outcome(lang, /** @type {Redealt} */ (found))}</h3>
    <p>${said(lang, found.why)} ${cited} ${leftOver(lang, found.surplus)}</p></div>`;
}

function outcome(lang, { winner, player, banker }) {
  const key = { player: "player_wins", banker: "banker_wins", tie: "is_tie" }[winner];
  return key ? t(lang, "would_be", player, banker, t(lang, key)) : t(lang, "would_go_on", player, banker);
}

function leftOver(lang, surplus) {
  return surplus.length ? t(lang, "would_left", surplus.map((card) => cardName(card, lang)).join(", ")) : "";
}
