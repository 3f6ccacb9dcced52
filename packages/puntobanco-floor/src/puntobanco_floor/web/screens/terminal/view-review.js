// A review of a past round, as its patron sees it: asked for, waiting, answered with a decision and its clause. Pure.
import { html } from "../base/dom.js";
import { moment, money } from "../base/money.js";
import { said } from "../base/words.js";
import { clauseChip, flag } from "./view-felt.js";
import { t } from "./words.js";

/** @import { AdjustmentView, ComplaintView, Recall, ReviewView } from "server" */
/** @import { Html } from "../base/dom.js" */
/** @import { Language } from "../base/words.js" */
/** @import { Seen, Sheet, State } from "./reduce.js" */

const MAX_NOTE = 200;

/** Those of a round, in the order in which they were asked. @param {State} s @param {number} round */
const reviewsOf = ({ mine }, round) => (mine?.reviews ?? []).filter((one) => one.round === round);

/** The oldest answer that was not read here yet. @param {State} s */
export const answerOf = ({ mine, heard }) =>
  mine?.reviews.find((one) => one.decision && !heard.includes(one.review)) ?? null;

/** @param {Language} lang @param {ReviewView} one */
export const answerWords = (lang, { review, round }) => t(lang, "review_strip", review, round);

/** @param {Language} lang @param {ReviewView} one */
export const readAnswer = (lang, { review, round }) => html`<button type="button" class="btn slim"
  data-act="answer-read" data-review="${review}" data-round="${round}">${t(lang, "review_read")}</button>`;

/**
 * What became of reviews of the round on show, and the way to ask for one, with what was wrong with it.
 * @param {Seen} s @param {Recall} replay @param {Sheet} own @param {Html | string} wrong
 */
export function reviews(s, replay, own, wrong) {
  const asked = reviewsOf(s, replay.round), waits = asked.some((one) => !one.decision);
  const may = s.mine.seated && replay.complaints.length > 0 && !waits;
  const paid = (s.mine.adjustments ?? []).filter((one) => one.round === replay.round);
  if (!asked.length && !paid.length && !may) return "";
  return html`<section class="reviews" data-key="reviews">${asked.map((one) => told(s.lang, one))}${
    paid.map((one, place) => paidFor(s.lang, one, place))}${
    may ? asking(s, replay, own, wrong) : ""}</section>`;
}

/** @param {Language} lang @param {ReviewView} one */
function told(lang, one) {
  const about = html`<span class="muted">${said(lang, one.complaint)} · ${moment(one.at)}</span>`;
  if (!one.decision) {
    return html`<p class="review" data-key="review-${one.review}" data-review="waits"><b>${
      t(lang, "review_waits", one.review)}</b> ${about}</p>`;
  }
  return html`<div class="review" data-key="review-${one.review}" data-review="answered"><p><b>${
    t(lang, "review_done", one.review, said(lang, one.decision))}</b> ${clauseChip(lang, one.clause, true)} ${
    about}</p><p class="note">${t(lang, "review_quote", one.note)}</p></div>`;
}

/** What the house has paid for the round, and why. */
/** @param {Language} lang @param {AdjustmentView} one @param {number} place */
const paidFor = (lang, one, place) => html`<div class="review" data-key="paid-${place}" data-review="paid"><p><b>${
  t(lang, "review_paid", money(one.cents))}</b> ${one.clause ? clauseChip(lang, one.clause, true)
  : html`<span class="muted">${t(lang, "review_directed", one.direction)}</span>`}</p><p
  class="note">${t(lang, "review_quote", one.note)}</p></div>`;

/** @param {Seen} s @param {Recall} replay @param {Sheet} own @param {Html | string} wrong */
function asking(s, replay, own, wrong) {
  if (own.asking) return form(s, replay.complaints, wrong);
  return html`<button type="button" class="btn" data-act="review" data-key="ask"><pb-icon name="flag"
    size="20"></pb-icon>${t(s.lang, "review_ask")}</button>`;
}

/** @param {Seen} s @param {ComplaintView[]} complaints @param {Html | string} wrong */
function form({ lang, busy }, complaints, wrong) {
  const off = flag("disabled", busy), only = complaints.length === 1;
  return html`<form data-act="send-review" data-key="form" class="ask-review"><fieldset><legend>${
    t(lang, "review_what")}</legend><div class="choices">${
    complaints.map((one) => choice(lang, one, only))}</div></fieldset>
    <label class="field">${t(lang, "review_note", MAX_NOTE)}<input name="note" autocomplete="off"
      maxlength="${MAX_NOTE}"></label>
    <p class="muted small">${t(lang, "review_text")}</p>${wrong}
    <div class="btns"><button type="button" class="btn" data-act="review-cancel">${t(lang, "cancel")}</button><button
      type="submit" class="btn primary wide" ${off}>${t(lang, "review_send")}</button></div></form>`;
}

/** @param {Language} lang @param {ComplaintView} one @param {boolean} only */
const choice = (lang, one, only) => html`<label class="choice" data-key="${one.code}"><input type="radio"
  name="complaint" value="${one.code}" ${flag("checked", only)}><span>${said(lang, one.text)}</span></label>`;
