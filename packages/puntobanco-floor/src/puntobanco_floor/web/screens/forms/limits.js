// A table's limits and clock as forms: drawn from a game and what holds now; the server says what cannot hold. Pure.
import { html } from "../base/dom.js";
import { cents, dollars } from "../base/money.js";
import { saidHere } from "../base/words.js";
import { check, field } from "./fields.js";
import { t } from "./words.js";

/** @import { BetLimits, Clock, GameChoice, Limits } from "server" */
/** @import { Refused } from "../base/api.js" */
/** @import { Values, Wrong } from "./fields.js" */

/** Dollars as they are typed: 1250 -> "12.50", 1000 -> "10". @param {number | null | undefined} n */
export const typed = (n) => (n === null || n === undefined ? "" : n % 100 ? (n / 100).toFixed(2) : String(n / 100));

/** What the form holds at first: texts by field. @param {GameChoice} game @param {Limits} limits */
export function limitValues(game, limits) {
  /** @type {Values} */
  const values = {
    patron_max: typed(limits.patron_max_cents), exposure_max: typed(limits.exposure_max_cents),
    differential: typed(limits.differential_cents),
    staff_load: typed(limits.staff_load_cents), hand_pay: typed(limits.hand_pay_cents),
    large_buy_in: typed(limits.large_buy_in_cents), seats: String(limits.seats ?? 0),
  };
  for (const { bet } of game.bets) {
    const own = limits.bets[bet];
    for (const part of Object.keys(PARTS)) values[`${part}.${bet}`] = typed(own[`${part}_cents`]);
    values[`closed.${bet}`] = Boolean(own.closed);
  }
  return values;
}

/**
 * What is typed, as the server takes it: {limits}, or {wrong} where it is no amount. Whether they can hold the server
 * says, by field.
 * @param {GameChoice} game
 * @param {Values} values
 * @returns {{ limits: object, wrong?: undefined } | { limits?: undefined, wrong: Wrong }}
 */
export function readLimits(game, values) {
  /** @type {Wrong} */
  const wrong = {};
  /** @type {Record<string, Partial<BetLimits>>} */
  const bets = {};
  const amount = (/** @type {string} */ name) => {
    const found = cents((values[name] ?? "").trim());
    if (found === null) wrong[name] = t("An amount in dollars, such as 10 or 2.50.");
    return found ?? 0;
  };
  const seats = () => {
    const text = (values.seats ?? "0").trim() || "0";
    if (!/^\d{1,6}$/.test(text)) wrong.seats = "A number of seats, such as 11.";
    return Number(text);
  };
  for (const { bet } of game.bets) {
    const [min_cents, max_cents, step_cents] = ["min", "max", "step"].map((part) => amount(`${part}.${bet}`));
    bets[bet] = { min_cents, max_cents, step_cents, ...(values[`closed.${bet}`] ? { closed: true } : {}) };
  }
  const limits = {
    bets, patron_max_cents: amount("patron_max"), exposure_max_cents: amount("exposure_max"),
    differential_cents: (values.differential ?? "").trim() ? amount("differential") : null,
    staff_load_cents: amount("staff_load"), hand_pay_cents: amount("hand_pay"),
    large_buy_in_cents: amount("large_buy_in"), seats: seats(),
  };
  return Object.keys(wrong).length ? { wrong } : { limits };
}

// "bets.tie.step_cents" -> "step.tie", "patron_max_cents" -> "patron_max", "betting_ms" -> "betting"
const fieldOf = (/** @type {string} */ name) =>
  name.replace(/^bets\.(.+)\.(\w+?)(?:_cents)?$/, "$2.$1").replace(/_(?:cents|ms)$/, "");

const sentence = (/** @type {string} */ text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** What the server finds wrong with limits and clocks, beside the fields of the forms. @param {Refused} error */
export function wrongBy(error) {
  const found = Object.entries(error.fields ?? {}).map(([name, why]) => [fieldOf(name), sentence(why)]);
  return found.length ? Object.fromEntries(found) : null;
}

/** @param {GameChoice} game @param {{ values: Values, wrong?: Wrong | null }} sheet */
export function limitsForm(game, { values, wrong }) {
  const cell = (part, bet, title) => {
    const name = `${part}.${bet}`, bad = wrong?.[name], id = `w-${part}-${bet}`;
    return html`<td><input class="in" name="${name}" value="${values[name]}" inputmode="decimal" autocomplete="off"
      aria-label="${title}${t(", ")}${t(PARTS[part])}"
      ${bad ? html`aria-invalid="true" aria-describedby="${id}"` : null}>${bad ? html`<small class="wrong"
        id="${id}">${bad}</small>` : null}</td>`;
  };
  const row = ({ bet, title: words, step_cents: unit, closable }) => {
    const title = saidHere(words);
    return html`<tr data-key="bet-${bet}">
    <th scope="row">${title}${unit > 1 ? inSteps(unit) : null}</th>
    ${cell("min", bet, title)}${cell("max", bet, title)}${cell("step", bet, title)}
    <td class="shut">${closable ? tick(bet, title, values) : ALWAYS_OPEN()}</td></tr>`;
  };
  const wide = (/** @type {string[]} */ [name, label, hint]) =>
    field({ name, label: t(label), hint: t(hint), value: values[name], wrong: wrong?.[name], mode: "decimal" });
  return html`<table class="t limits"><thead><tr><th scope="col">${t("Wager, in dollars")}</th><th scope="col">${
    t("Minimum")}</th>
        <th scope="col">${t("Maximum")}</th><th scope="col">${t("Step")}</th><th scope="col">${
          t("Closed")}</th></tr></thead>
      <tbody>${game.bets.map(row)}</tbody></table>
    <div class="grid">${WIDE.map(wide)}</div>`;
}

const tick = (bet, title, values) => html`<input type="checkbox" name="closed.${bet}"
  aria-label="${t("{0}, closed", title)}" ${values[`closed.${bet}`] ? html`checked` : null}>`;
const ALWAYS_OPEN = () => html`<span class="dim" title="${t("stop the table instead")}">${t("never")}</span>`;

const inSteps = (unit) => html`<small class="dim">${t("pays whole cents in steps of {0}", dollars(unit))}</small>`;

/** @type {Record<string, string>} */
const PARTS = { min: "minimum", max: "maximum", step: "step" };
const WIDE = [
  ["patron_max", "One patron in a round, at most", "All wagers and sessions together."],
  ["exposure_max", "The table may risk in a round", "Wagers beyond it are refused."],
  ["differential", "Player and Banker may lie apart", "Empty: no such limit."],
  ["hand_pay", "Pay by hand above", "By two people, never as a voucher. 0: no such limit."],
  ["large_buy_in", "Large buy-in above", "A buy-in above this needs a second person. 0: no such limit."],
  ["staff_load", "Load by one person up to", "A larger load needs a second person."],
  ["seats", "Seats", "Sessions at the table at once. 0: no such limit."],
];

// The clock: seconds as they are typed.

const SECONDS = /^\d{1,4}(\.\d{1,3})?$/;
const seconds = (ms) => String(ms / 1000);

/** @param {Clock} clock @returns {Values} */
export const clockValues = (clock) => ({
  betting: seconds(clock.betting_ms), guard: seconds(clock.guard_ms),
  card: seconds(clock.card_ms), pause: seconds(clock.pause_ms), squeeze: seconds(clock.squeeze_ms),
  automatic: clock.automatic, new_shoes: clock.new_shoes, closes_by_clock: clock.closes_by_clock,
});

/**
 * What is typed, as the server takes it: {clock}, or {wrong} where it is no time.
 * @param {Values} values
 * @returns {{ clock: Clock, wrong?: undefined } | { clock?: undefined, wrong: Wrong }}
 */
export function readClock(values) {
  /** @type {Wrong} */
  const wrong = {};
  const ms = (/** @type {string} */ name) => {
    const text = (values[name] ?? "").trim();
    if (!SECONDS.test(text)) wrong[name] = t("Seconds, such as 15 or 0.9.");
    return Math.round(Number(text) * 1000);
  };
  const clock = {
    betting_ms: ms("betting"), guard_ms: ms("guard"), card_ms: ms("card"), pause_ms: ms("pause"),
    squeeze_ms: ms("squeeze"),
    automatic: Boolean(values.automatic), new_shoes: Boolean(values.new_shoes),
    closes_by_clock: Boolean(values.closes_by_clock),
  };
  return Object.keys(wrong).length ? { wrong } : { clock };
}

/** @param {{ values: Values, wrong?: Wrong | null }} sheet */
export function clockForm({ values, wrong }) {
  const of = (name, label, hint = "") =>
    field({ name, label, hint, value: values[name], wrong: wrong?.[name], mode: "decimal" });
  return html`<div class="grid">${of("betting", t("Betting, seconds"), t("0: a person closes the bets."))}
    ${of("guard", t("Before the first card, seconds"))}
    ${of("card", t("Between cards, seconds"))}${of("pause", t("Between rounds, seconds"))}
    ${of("squeeze", t("To squeeze cards, seconds"), t("From the fourth card on; 0: no pause. At most 20."))}</div>
    ${check({ name: "automatic", label: t("The server deals, settles and opens by itself"), on: values.automatic })}
    ${check({ name: "new_shoes", label: t("The server changes the shoe by itself"), on: values.new_shoes })}
    ${check({
      name: "closes_by_clock", label: t("The clock closes a dealer’s bets too"), on: values.closes_by_clock,
      hint: t("Else the time there is a guide, and the dealer’s button closes them."),
    })}`;
}
