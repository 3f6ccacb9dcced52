// The sheet of a review that a patron asked for: the round as it was played, its evidence, the answer; and the payment
// that follows from it. Pure.
import { field } from "../forms/fields.js";
import { html } from "../base/dom.js";
import { moment } from "../base/money.js";
import { may } from "../base/staffbar.js";
import { saidHere } from "../base/words.js";
import { aboutAward, aboutReview, clauseOf, facts, paidTo, reviewAskedBy } from "./lists.js";
import { awardOf, reviewOf } from "./reduce.js";
import { shortTitle, t } from "./words.js";

/** @import { Choice, PitAward, PitReview, PitTable, ReviewCase } from "server" */
/** @import { Seen, Sheet } from "./reduce.js" */

/**
 * The round as the journal tells it, its evidence, and the answer; nothing where it was answered meanwhile.
 * @param {Seen} state @param {Sheet} it
 */
export function answering(state, it) {
  const found = reviewOf(state.board, it);
  if (!found) return null;
  const { table, review } = found, title = t("Review {0}, round {1}", review.review, review.round);
  const head = html`<p class="muted"><b>${aboutReview(table, review)}</b><br>${shortTitle(table)}${t(".")}
    ${reviewAskedBy(review)}</p>
    ${review.note ? html`<p>“${review.note}”</p>` : null}`;
  if (!it.case) return { title, wide: true, cancel: t("Close"), body: html`${head}${READING()}` };
  const evidence = html`${head}${facts(it.case.facts, table.number)}${records(it.case)}${pack(table, review)}`;
  const why = whyNot(state, review);
  if (why) return { title, wide: true, cancel: t("Close"), body: html`${evidence}<p class="own">${why}</p>` };
  return { title, wide: true, go: t("Answer as {0}", state.me?.name ?? ""), body: html`${evidence}${
    form(it, it.case)}` };
}

/**
 * Asked at the desk, for somebody who may have left.
 * @param {Sheet} it @param {PitTable} table
 */
export function asking({ values, wrong, complaints }, table) {
  const title = t("Ask for a review, table {0}", table.number);
  if (!complaints) return { title, body: html`<p class="muted">${t("Asking what may be asked …")}</p>` };
  const options = [CHOOSE(), ...complaints.map(decided)];
  return {
    title, go: t("Ask for the review"), body: html`<p class="muted">${
      t("For a patron at the desk, who may have left. You are named as who asked, and somebody else answers.")}</p>${
        field({
      name: "round", label: t("Round"), value: values.round ?? "", mode: "numeric", wrong: wrong?.round,
    })}${field({
      name: "session", label: t("Session"), value: values.session ?? "", max: 64, wrong: wrong?.session,
      hint: t("As the audit page names it in the records of the round."),
    })}${field({
      name: "complaint", label: t("What about"), options, value: values.complaint ?? "", wrong: wrong?.complaint,
    })}${field({
      name: "note", label: t("Note"), type: "area", value: values.note ?? "", max: 200, wrong: wrong?.note,
      hint: t("In the patron's own words."),
    })}`,
  };
}

/**
 * Pay what a ruling awards: a review that was answered so, or a round alone; nothing where it was paid meanwhile.
 * @param {Seen} state @param {Sheet} it @param {PitTable} table
 */
export function paying(state, it, table) {
  const found = it.award === undefined ? null : awardOf(state.board, it);
  if (it.award !== undefined && !found) return null;
  const head = found ? html`<p class="muted"><b>${aboutAward(found.table, found.award)}</b>
    ${clauseOf(found.award, table.number)}<br>${paidTo(found.award)}</p>` : html`<p class="muted">${
    t("For a patron who is seated, or has left: then a cashier pays cash against the receipt.")}</p>${ofRound(it)}`;
  return {
    title: found ? t("Pay review {0}, round {1}", found.award.review, found.award.round)
      : t("Pay what a ruling awards, table {0}", table.number),
    wide: true, go: t("Ask for the payment"), body: html`${head}${payment(it, found?.award ?? null)}`,
  };
}

/** @param {Sheet} it */
const ofRound = ({ values, wrong }) => html`${field({
  name: "round", label: t("Round"), value: values.round ?? "", mode: "numeric", wrong: wrong?.round,
})}${field({
  name: "session", label: t("Session"), value: values.session ?? "", max: 64, wrong: wrong?.session,
  hint: t("As the audit page names it in the records of the round."),
})}${field({
  name: "clause", label: t("Clause"), value: values.clause ?? "", max: 64, wrong: wrong?.clause,
  hint: t("Of the round's rules, such as 3.10; or nothing, where the inspector directs it."),
})}`;

/** @param {Sheet} it @param {PitAward | null} award */
const payment = ({ values, wrong }, award) => html`${field({
  name: "amount", label: t("Amount in dollars"), value: values.amount ?? "", mode: "decimal", max: 13,
  wrong: wrong?.amount, hint: t("It counts in no drop, win or hold. A second person approves it."),
})}${field({
  name: "direction", label: t("Inspector's direction"), value: values.direction ?? "", max: 200,
  wrong: wrong?.direction,
  hint: award?.referred ? t("The review was referred: give its reference.")
    : t("Its reference, where the inspector directs the payment; else the clause is cited."),
})}${field({
  name: "note", label: t("Note to the patron"), type: "area", value: values.note ?? "", max: 200, wrong: wrong?.note,
  hint: t("The patron reads it on the terminal, in the words in which it is written."),
})}`;

const READING = () => html`<p class="muted">${t("Reading the journal …")}</p>`;

/** Why this login cannot answer it. @param {Seen} state @param {PitReview} review */
function whyNot({ me }, { barred }) {
  if (!may(me, "answer-review")) return t("A supervisor answers it.");
  const isBarred = barred.includes(me?.name ?? "");
  return isBarred ? t("You dealt this round, ruled on it or asked: somebody else must answer.") : "";
}

/** @param {ReviewCase} found */
const records = ({ records: list }) => html`<details class="records"><summary>${
  t("The round in {0} records of the journal", list.length)}</summary><ol>${list.map((one) => html`<li><time>${
    moment(one.at)}</time>
  <span class="dim">${one.by}</span> ${saidHere(one.says)}</li>`)}</ol></details>`;

/** @param {PitTable} table @param {PitReview} review */
const pack = ({ number }, { round }) => html`<p><a class="btn sm" download
  href="/api/staff/audit/tables/${number}/rounds/${round}/pack"><pb-icon name="dl" size="18"></pb-icon>${
  t("Evidence of round {0}, signed", round)}</a></p>`;

const CHOOSE = () => ["", t("Choose …")];
/** @param {Choice} choice */
const decided = (choice) => [choice.code, saidHere(choice.text)];
/** @param {Choice} choice */
const cited = (choice) => [choice.code, `${choice.code}: ${saidHere(choice.text)}`];

/** @param {Sheet} it @param {ReviewCase} found */
function form({ values, wrong }, { decisions, clauses }) {
  return html`${field({
    name: "decision", label: t("Decision"), options: [CHOOSE(), ...decisions.map(decided)],
      value: values.decision ?? "",
    wrong: wrong?.decision,
    hint: t("An answer moves no money: what it awards is paid after it, by two people."),
  })}${field({
    name: "clause", label: t("Clause"), options: [CHOOSE(), ...clauses.map(cited)], value: values.clause ?? "",
    wrong: wrong?.clause,
  })}${field({
    name: "note", label: t("Note to the patron"), type: "area", value: values.note ?? "", wrong: wrong?.note,
    hint: t("The patron reads it on the terminal, in the words in which it is written."),
  })}`;
}
