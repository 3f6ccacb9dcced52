// A table's limits and clock as forms: drawn from a game and what holds now, checked as the server checks them. Pure.
import { html } from "../base/dom.js";
import { cents, dollars } from "../base/money.js";
import { check, field } from "./fields.js";

/** @import { Clock, GameChoice, Limits } from "server" */
/** @import { Values, Wrong } from "./fields.js" */

const MOST_STAKE_CENTS = 100_000_000_000, MOST_LIMIT_CENTS = 10 ** 15, MOST_SECONDS = 3600;

/** Dollars as they are typed: 1250 -> "12.50", 1000 -> "10". @param {number | null | undefined} n */
export const typed = (n) => (n === null || n === undefined ? "" : n % 100 ? (n / 100).toFixed(2) : String(n / 100));

/** What the form holds at first: texts by field. @param {GameChoice} game @param {Limits} limits */
export function limitValues(game, limits) {
  /** @type {Values} */
  const values = {
    patron_max: typed(limits.patron_max_cents), exposure_max: typed(limits.exposure_max_cents),
    differential: typed(limits.differential_cents),
    staff_load: typed(limits.staff_load_cents), hand_pay: typed(limits.hand_pay_cents),
    large_buy_in: typed(limits.large_buy_in_cents),
  };
  for (const { bet } of game.bets) {
    const own = limits.bets[bet];
    for (const part of Object.keys(PARTS)) values[`${part}.${bet}`] = typed(own[`${part}_cents`]);
    values[`closed.${bet}`] = Boolean(own.closed);
  }
  return values;
}

/** What is typed, as the server takes it: {limits} or {wrong: {field: words}}. */
export function readLimits(game, values) {
  const wrong = {}, bets = {};
  const amount = (name, least, most, { empty = false } = {}) => {
    const text = (values[name] ?? "").trim();
    if (empty && !text) return null;
    const found = cents(text);
    if (found === null) wrong[name] = "An amount in dollars, such as 10 or 2.50.";
    else if (found < least || found > most) wrong[name] = `${dollars(least)} to ${dollars(most)}.`;
    return found;
  };
  for (const { bet, step_cents: unit } of game.bets) {
    const [min, max, step] = ["min", "max", "step"].map((part) => amount(`${part}.${bet}`, 1, MOST_STAKE_CENTS));
    if (step !== null && step % unit) {
      wrong[`step.${bet}`] ??= `A multiple of ${dollars(unit)}, so that every line pays whole cents.`;
    }
    if (min !== null && max !== null && min > max) wrong[`min.${bet}`] ??= "No more than the maximum.";
    for (const [part, value] of [["min", min], ["max", max]]) {
      const isOff = step && value !== null && value % step;
      if (isOff) wrong[`${part}.${bet}`] ??= `A multiple of the step of ${dollars(step)}.`;
    }
    const closed = Boolean(values[`closed.${bet}`]);
    bets[bet] = { min_cents: min, max_cents: max, step_cents: step, ...(closed ? { closed } : {}) };
  }
  const limits = {
    bets,
    patron_max_cents: amount("patron_max", 1, MOST_LIMIT_CENTS),
    exposure_max_cents: amount("exposure_max", 1, MOST_LIMIT_CENTS),
    differential_cents: amount("differential", 1, MOST_LIMIT_CENTS, { empty: true }),
    staff_load_cents: amount("staff_load", 0, MOST_LIMIT_CENTS),
    hand_pay_cents: amount("hand_pay", 0, MOST_LIMIT_CENTS),
    large_buy_in_cents: amount("large_buy_in", 0, MOST_LIMIT_CENTS),
  };
  return Object.keys(wrong).length ? { wrong } : { limits };
}

/** @param {GameChoice} game @param {{ values: Values, wrong?: Wrong | null }} sheet */
export function limitsForm(game, { values, wrong }) {
  const cell = (part, bet, title) => {
    const name = `${part}.${bet}`, bad = wrong?.[name], id = `w-${part}-${bet}`;
    return html`<td><input class="in" name="${name}" value="${values[name]}" inputmode="decimal" autocomplete="off"
      aria-label="${title}, ${PARTS[part]}"
      ${bad ? html`aria-invalid="true" aria-describedby="${id}"` : null}>${bad ? html`<small class="wrong"
        id="${id}">${bad}</small>` : null}</td>`;
  };
  const row = ({ bet, title, step_cents: unit, closable }) => html`<tr data-key="bet-${bet}">
    <th scope="row">${title}${unit > 1 ? inSteps(unit) : null}</th>
    ${cell("min", bet, title)}${cell("max", bet, title)}${cell("step", bet, title)}
    <td class="shut">${closable ? tick(bet, title, values) : ALWAYS_OPEN}</td></tr>`;
  const wide = (/** @type {string[]} */ [name, label, hint]) =>
    field({ name, label, hint, value: values[name], wrong: wrong?.[name], mode: "decimal" });
  return html`<table class="t limits"><thead><tr><th scope="col">Wager, in dollars</th><th scope="col">Minimum</th>
        <th scope="col">Maximum</th><th scope="col">Step</th><th scope="col">Closed</th></tr></thead>
      <tbody>${game.bets.map(row)}</tbody></table>
    <div class="grid">${WIDE.map(wide)}</div>`;
}

const tick = (bet, title, values) => html`<input type="checkbox" name="closed.${bet}"
  aria-label="${title}, closed" ${values[`closed.${bet}`] ? html`checked` : null}>`;
const ALWAYS_OPEN = html`<span class="dim" title="stop the table instead">never</span>`;

const inSteps = (unit) => html`<small class="dim">pays whole cents in steps of ${dollars(unit)}</small>`;

/** @type {Record<string, string>} */
const PARTS = { min: "minimum", max: "maximum", step: "step" };
const WIDE = [
  ["patron_max", "One patron in a round, at most", "All wagers and sessions together."],
  ["exposure_max", "The table may risk in a round", "Wagers beyond it are refused."],
  ["differential", "Player and Banker may lie apart", "Empty: no such limit."],
  ["hand_pay", "Pay by hand above", "By two people, never as a voucher. 0: no such limit."],
  ["large_buy_in", "Large buy-in above", "A buy-in above this needs a second person. 0: no such limit."],
  ["staff_load", "Load by one person up to", "A larger load needs a second person."],
];

// The clock: seconds as they are typed.

const SECONDS = /^\d{1,4}(\.\d{1,3})?$/;
const seconds = (ms) => String(ms / 1000);

/** @param {Clock} clock @returns {Values} */
export const clockValues = (clock) => ({
  betting: seconds(clock.betting_ms), guard: seconds(clock.guard_ms),
  card: seconds(clock.card_ms), pause: seconds(clock.pause_ms),
  automatic: clock.automatic, new_shoes: clock.new_shoes, closes_by_clock: clock.closes_by_clock,
});

export function readClock(values) {
  const wrong = {}, byItself = "A table that runs by itself needs a";
  const [automatic, shoes, closes] = ["automatic", "new_shoes", "closes_by_clock"].map((name) => Boolean(values[name]));
  const clock = { automatic, new_shoes: shoes, closes_by_clock: closes };
  for (const name of ["betting", "guard", "card", "pause"]) {
    const text = (values[name] ?? "").trim();
    if (!SECONDS.test(text) || Number(text) > MOST_SECONDS) {
      wrong[name] = `Seconds, 0 to ${MOST_SECONDS.toLocaleString("en")}.`;
    }
    clock[`${name}_ms`] = Math.round(Number(text) * 1000);
  }
  if (clock.automatic && !wrong.betting && !clock.betting_ms) wrong.betting = `${byItself} betting time.`;
  if (clock.automatic && !wrong.pause && !clock.pause_ms) wrong.pause = `${byItself} pause in which people can act.`;
  return Object.keys(wrong).length ? { wrong } : { clock };
}

/** @param {{ values: Values, wrong?: Wrong | null }} sheet */
export function clockForm({ values, wrong }) {
  const of = (name, label, hint = "") =>
    field({ name, label, hint, value: values[name], wrong: wrong?.[name], mode: "decimal" });
  return html`<div class="grid">${of("betting", "Betting, seconds", "0: a person closes the bets.")}
    ${of("guard", "Before the first card, seconds")}
    ${of("card", "Between cards, seconds")}${of("pause", "Between rounds, seconds")}</div>
    ${check({ name: "automatic", label: "The server deals, settles and opens by itself", on: values.automatic })}
    ${check({ name: "new_shoes", label: "The server changes the shoe by itself", on: values.new_shoes })}
    ${check({
      name: "closes_by_clock", label: "The clock closes a dealer’s bets too", on: values.closes_by_clock,
      hint: "Else the time there is a guide, and the dealer’s button closes them.",
    })}`;
}
