// What is asked in a sheet, and the secret that is shown once. Pure.
import { html } from "../base/dom.js";
import { saidHere } from "../base/words.js";
import { cardsForm } from "../forms/cards.js";
import { causeFields, check, field, reasonField } from "../forms/fields.js";
import { clockForm, limitsForm } from "../forms/limits.js";
import { LATER } from "../forms/scheduled.js";
import { openForm, starting } from "../forms/tables.js";
import { zoneName } from "../base/money.js";
import { roleName } from "../base/staffbar.js";
import { gameOf, rowOf } from "./reduce.js";
import { isInPlay, numberOf, ROLE_SAYS, standsAt, t } from "./words.js";

/** @import { Words } from "../base/words.js" */
/** @import { Html } from "../base/dom.js" */
/** @import { GameChoice, TableRow } from "server" */
/** @import { Secret, Sheet, State } from "./reduce.js" */
/** @typedef {{ title: Html | string, go: string, body: Html, wide?: boolean, warned?: boolean }} Drawn */

const p = (/** @type {string} */ text) => html`<p class="muted">${text}</p>`;
const inJournal = (/** @type {Sheet} */ it) => reasonField(it, t("Reason"), t("It is written in the journal."));

const nameField = (/** @type {Sheet} */ it, /** @type {string} */ hint) => field({
  name: "name", label: t("Name"), value: it.values.name ?? "", wrong: it.wrong?.name, max: 32, hint,
});
const roleField = (/** @type {Sheet} */ it, /** @type {string | undefined} */ role) => field({
  name: "role", label: t("Role"), value: it.values.role ?? role, wrong: it.wrong?.role,
  options: Object.entries(ROLE_SAYS).map(([id, says]) => [id, `${roleName(id)}${t(": ")}${t(says)}`]),
});
/** @type {(state: State, it: Sheet, table?: string) => Html} */
const tableField = (state, it, table) => field({
  name: "table", label: t("Stands at"), value: it.values.table ?? (table ? numberOf(table) : 0),
  wrong: it.wrong?.table, hint: t("At its table it plays nowhere else."),
  options: [[0, t("anywhere")], ...(state.house?.tables ?? []).map(({ table: at }) => [numberOf(at), standsAt(at)])],
});
const patronField = (/** @type {Sheet} */ it) => field({
  name: "patron", label: t("Patron"), value: it.values.patron ?? "", wrong: it.wrong?.patron, max: 64,
  hint: t("As the card says it, or the id (p-…)."),
});
const untilField = (/** @type {Sheet} */ it) => field({
  name: "until", label: t("Until"), type: "datetime-local", value: it.values.until ?? "", wrong: it.wrong?.until,
  hint: t("Empty: for good. By the clocks of the house, {0}.", zoneName()),
});
const sureField = (/** @type {Sheet} */ it) => html`${check({
  name: "sure", label: t("I have checked that the exclusion may end"), on: it.values.sure,
})}${it.wrong?.sure ? html`<p class="error">${it.wrong.sure}</p>` : null}`;

// A sheet about a table is asked for from its row, and only where its game is known.
const rowAt = (/** @type {State} */ state, /** @type {Sheet} */ it) =>
  /** @type {TableRow} */ (rowOf(state, it.name ?? ""));
const gameAt = (/** @type {State} */ state, /** @type {Sheet} */ it) =>
  /** @type {GameChoice} */ (gameOf(state, rowAt(state, it).game));
const roleOf = (/** @type {State} */ state, /** @type {string | undefined} */ name) =>
  state.house?.staff?.find((person) => person.name === name)?.role;
const placeOf = (/** @type {State} */ state, /** @type {string | undefined} */ name) =>
  state.house?.terminals?.find((device) => device.name === name)?.table;
const closing = (/** @type {TableRow} */ row) => (isInPlay(row)
  ? t("Everybody at the table is told now. The round in play ends by rule and is paid; then the table closes by "
    + "itself.")
  : t("The table closes now. Nobody loses credits: they can be cashed out at a closed table."));

/** @type {Record<string, (state: State, it: Sheet) => Drawn>} */
const SHEETS = {
  "open-table": (state, it) => ({
    title: t("Open a table"), wide: true, go: t("Open the table"), body: openForm({ ...it, games: state.games ?? [] }),
  }),
  limits: (state, it) => ({
    title: t("Limits of table {0}", numberOf(it.name)), wide: true, go: t("Change the limits"),
    body: html`${p(LATER())}${limitsForm(gameAt(state, it), it)}`,
  }),
  clock: (state, it) => ({
    title: t("Clock of table {0}", numberOf(it.name)), wide: true, go: t("Change the clock"),
    body: html`${p(`${LATER()} ${t("0 means that a person decides.")}`)}${clockForm(it)}`,
  }),
  cards: (state, it) => ({
    title: t("Cards of table {0}", numberOf(it.name)), wide: true, go: t("Change the cards"),
    body: html`${p(`${LATER()} ${t("It holds from the next shoe on.")}`)}${cardsForm(gameAt(state, it), it)}`,
  }),
  "stop-table": (state, it) => ({
    title: t("Stop table {0}", numberOf(it.name)), go: t("Stop the table"), warned: true,
    body: html`${p(t("No new round opens until it is started again. A round in play ends by rule, and is paid."))}
      ${causeFields(it, state.causes)}`,
  }),
  "start-table": (state, it) => starting(rowAt(state, it), t("table {0}", numberOf(it.name))),
  "disable-table": (state, it) => ({
    title: t("Close table {0}", numberOf(it.name)), go: t("Close the table"), warned: true,
    body: html`${p(closing(rowAt(state, it)))}${causeFields(it, state.causes)}`,
  }),
  "stop-floor": (state, it) => ({
    title: t("Stop the whole floor"), go: t("Stop every table"), warned: true,
    body: html`${p(t("No table opens a new round until the floor is started again. Rounds in play end by rule, and "
      + "are paid."))}${causeFields(it, state.causes)}`,
  }),
  "start-floor": (state) => ({
    title: t("Start the floor"), go: t("Start the floor"),
    body: p(t("It was stopped: {0}. Tables stopped one by one stay as they are.",
      saidHere(state.house?.stopped))),
  }),
  "add-staff": (_, it) => ({
    title: t("Add somebody"), go: t("Add, and show the code"),
    body: html`${nameField(it, t("Letters, digits, dot, hyphen and underscore. It signs in the journal, and never "
      + "changes."))}${roleField(it, "dealer")}`,
  }),
  "new-enrolment": (_, it) => ({
    title: t("A new code for {0}", it.name), go: t("Make a new code"), warned: true,
    body: p(t("For who has lost a password or a telephone. Both are worth nothing from then on, and an open login "
      + "ends; the owner enrols anew.")),
  }),
  agree: (_, it) => ({
    title: t("Approve proposal {0}", it.name), go: t("Approve"),
    body: p(t("You are the second person. Where it is about an account you get the other part of the code.")),
  }),
  "turn-down": (_, it) => ({
    title: t("Turn down proposal {0}", it.name), go: t("Turn it down"), warned: true, body: html`${inJournal(it)}`,
  }),
  "change-role": (state, it) => ({
    title: t("The role of {0}", it.name), go: t("Change the role"), body: html`${
      roleField(it, roleOf(state, it.name))}`,
  }),
  "disable-staff": (_, it) => ({
    title: t("Disable {0}", it.name), go: t("Disable {0}", it.name), warned: true,
    body: html`${p(t("A login that is open ends at once. What was signed stays in the journal."))}${inJournal(it)}`,
  }),
  "enable-staff": (_, it) => ({
    title: t("Enable {0}", it.name), go: t("Enable {0}", it.name), body: p(t("The same password is good again.")),
  }),
  "confirm-staff": (_, it) => ({
    title: t("Confirm {0}", it.name), go: t("Confirm {0}", it.name),
    body: p(t("The system was recovered. Confirm who is on the staff with this role today; then the login works "
      + "again.")),
  }),
  "add-terminal": (state, it) => ({
    title: t("Add a terminal"), go: t("Add, and show the code"),
    body: html`${nameField(it, t("As it is written on the device, such as T-07."))}${tableField(state, it, "")}`,
  }),
  "move-terminal": (state, it) => ({
    title: t("Move {0}", it.name), go: t("Move it"), body: tableField(state, it, placeOf(state, it.name)),
  }),
  "new-code": (_, it) => ({
    title: t("A new code for {0}", it.name), go: t("Make a new code"), warned: true,
    body: p(t("The device that has its key now is cut off. Credits at the terminal stay. The code enrols one device, "
      + "once, within the hour.")),
  }),
  "disable-terminal": (_, it) => ({
    title: t("Disable {0}", it.name), go: t("Disable {0}", it.name), warned: true,
    body: html`${p(t("It is cut off at once. Credits at it stay, and can be paid by hand. A new code takes it back."))}
      ${inJournal(it)}`,
  }),
  exclude: (_, it) => ({
    title: t("Exclude a patron"), go: t("Exclude"), warned: true,
    body: html`${p(t("The patron can take no seat and place no wager anywhere, from now on. Wagers in play are "
      + "settled."))}
      ${patronField(it)}
      ${reasonField(it, t("Reason"), t("For staff; patrons are not told."))}${untilField(it)}`,
  }),
  readmit: (_, it) => ({
    title: t("End the exclusion of {0}", it.name), go: t("End the exclusion"), warned: true,
    body: html`${p(t("The patron may play again at once."))}${sureField(it)}`,
  }),
};

const WARNING = html`<pb-icon name="warn" size="18"></pb-icon>`;
const error = (/** @type {Words} */ text) => html`<p class="error" role="alert">${WARNING}<span>${text}</span></p>`;

/** @param {State} state @param {Sheet} it */
export function sheet(state, it) {
  const found = SHEETS[it.kind](state, it);
  const off = it.busy || state.link === "lost" ? html`disabled` : null;
  return html`<dialog class="notice ${found.warned ? "warned" : ""} ${found.wide ? "wide" : ""}"
      data-key="sheet-${it.kind}" aria-labelledby="sheet-title"><form data-form="${it.kind}" novalidate>
    <h2 id="sheet-title">${found.title}</h2>${found.body}
    ${it.error ? error(it.error) : null}
    <div class="btns"><button type="button" class="btn sm" data-act="cancel">${t("Cancel")}</button>
    <button type="submit" class="btn sm ${found.warned ? "danger" : "primary"}"
      ${off}>${it.busy ? t("Asking …") : found.go}</button></div></form></dialog>`;
}

/** A code: shown this once, with a button to copy it and a warning. @param {Secret} it */
export function secret(it) {
  const terminal = it.what === "code";
  const [icon, copy] = it.copied ? ["check", t("Copied")] : ["cards", t("Copy")];
  return html`<dialog class="notice warned" data-key="secret" aria-labelledby="sheet-title">
    <h2 id="sheet-title">${t("Code for {0}", it.name)}</h2>
    <p class="secret"><output class="mono" id="secret"
        aria-label="${t("The code")}">${it.secret}</output>
      <button type="button" class="btn sm" data-act="copy"><pb-icon name="${icon}"
        size="16"></pb-icon>${copy}</button></p>
    <p class="error warned">${WARNING}<span>${
      t("It is shown this once. Nobody can look it up later; if it is lost, make a new one.")}</span></p>
    ${terminal ? codeSteps(it) : ownerSteps(it)}
    <div class="btns"><button type="button" class="btn sm primary"
      data-act="put-away">${t("I have it: put it away")}</button></div></dialog>`;
}

/** @param {Secret} it */
const codeSteps = ({ where }) => html`<ol class="steps"><li>${t("On the device, open:")} <b class="mono">${
  where}</b></li>
  <li>${t("Type the code, within the hour. It works once.")}</li>
  <li>${t("The device keeps a key of its own, and shows its table.")}</li></ol>`;

/** @param {Secret} it */
const ownerSteps = ({ name, where }) => html`<ol class="steps"><li>${
  t("Give it to {0} in person. Where two people decide, each has a part of it.", name)}</li>
  <li>${t("{0} types it here and chooses a password that nobody else knows:", name)} <b class="mono">${
    where}</b></li></ol>`;
