// The sheet of a review that a patron asked for: the round as it was played, its evidence, and the answer. Pure.
import { field } from "../forms/fields.js";
import { html } from "../base/dom.js";
import { time } from "../base/money.js";
import { may } from "../base/staffbar.js";
import { aboutReview, facts, reviewAskedBy } from "./lists.js";
import { reviewOf } from "./reduce.js";
import { shortTitle } from "./words.js";

/** @import { Choice, PitReview, PitTable, ReviewCase } from "server" */
/** @import { Seen, Sheet } from "./reduce.js" */

/**
 * The round as the journal tells it, its evidence, and the answer; nothing where it was answered meanwhile.
 * @param {Seen} state @param {Sheet} it
 */
export function answering(state, it) {
  const found = reviewOf(state.board, it);
  if (!found) return null;
  const { table, review } = found, title = html`Review ${review.review}, round ${review.round}`;
  const head = html`<p class="muted"><b>${aboutReview(table, review)}</b><br>${shortTitle(table.title)}.
    ${reviewAskedBy(review)}</p>
    ${review.note ? html`<p>“${review.note}”</p>` : null}`;
  if (!it.case) return { title, wide: true, cancel: "Close", body: html`${head}${READING}` };
  const evidence = html`${head}${facts(it.case.facts, table.number)}${records(it.case)}${pack(table, review)}`;
  const why = whyNot(state, review);
  if (why) return { title, wide: true, cancel: "Close", body: html`${evidence}<p class="own">${why}</p>` };
  return { title, wide: true, go: `Answer as ${state.me?.name ?? ""}`, body: html`${evidence}${form(it, it.case)}` };
}

/**
 * Asked at the desk, for somebody who may have left.
 * @param {Sheet} it @param {PitTable} table
 */
export function asking({ values, wrong, complaints }, table) {
  const title = html`Ask for a review, table ${table.number}`;
  if (!complaints) return { title, body: html`<p class="muted">Asking what may be asked …</p>` };
  const options = [CHOOSE, ...complaints.map(decided)];
  return {
    title, go: "Ask for the review", body: html`<p class="muted">For a patron at the desk, who may have left.
      You are named as who asked, and somebody else answers.</p>${field({
      name: "round", label: "Round", value: values.round ?? "", mode: "numeric", wrong: wrong?.round,
    })}${field({
      name: "session", label: "Session", value: values.session ?? "", max: 64, wrong: wrong?.session,
      hint: "As the audit page names it in the records of the round.",
    })}${field({
      name: "complaint", label: "What about", options, value: values.complaint ?? "", wrong: wrong?.complaint,
    })}${field({
      name: "note", label: "Note", type: "area", value: values.note ?? "", max: 200, wrong: wrong?.note,
      hint: "In the patron's own words.",
    })}`,
  };
}

const READING = html`<p class="muted">Reading the journal …</p>`;

/** Why this login cannot answer it. @param {Seen} state @param {PitReview} review */
function whyNot({ me }, { barred }) {
  if (!may(me, "answer-review")) return "A supervisor answers it.";
  const isBarred = barred.includes(me?.name ?? "");
  return isBarred ? "You dealt this round, ruled on it or asked: somebody else must answer." : "";
}

/** @param {ReviewCase} found */
const records = ({ records: list }) => html`<details class="records"><summary>The round in ${list.length}
  records of the journal</summary><ol>${list.map((one) => html`<li><time>${time(one.at)}</time>
  <span class="dim">${one.by}</span> ${one.says}</li>`)}</ol></details>`;

/** @param {PitTable} table @param {PitReview} review */
const pack = ({ number }, { round }) => html`<p><a class="btn sm" download
  href="/api/staff/audit/tables/${number}/rounds/${round}/pack"><pb-icon name="dl" size="18"></pb-icon>Evidence
  of round ${round}, signed</a></p>`;

const CHOOSE = ["", "Choose …"];
/** @param {Choice} choice */
const decided = ({ code, text }) => [code, text];
/** @param {Choice} choice */
const cited = ({ code, text }) => [code, `${code}: ${text}`];

/** @param {Sheet} it @param {ReviewCase} found */
function form({ values, wrong }, { decisions, clauses }) {
  return html`${field({
    name: "decision", label: "Decision", options: [CHOOSE, ...decisions.map(decided)], value: values.decision ?? "",
    wrong: wrong?.decision,
    hint: "An answer moves no money: a reopening, a correction or a hand pay does, and the note names it.",
  })}${field({
    name: "clause", label: "Clause", options: [CHOOSE, ...clauses.map(cited)], value: values.clause ?? "",
    wrong: wrong?.clause,
  })}${field({
    name: "note", label: "Note to the patron", type: "area", value: values.note ?? "", wrong: wrong?.note,
    hint: "The patron reads it on the terminal, in the words in which it is written.",
  })}`;
}
