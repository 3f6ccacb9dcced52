// The reality check: at an interval of the house, between rounds of the patron's own, time and net are told. Pure.
import { html } from "../base/dom.js";
import { money, signed, time } from "../base/money.js";
import { w } from "./words-patron.js";

/** @import { Language } from "../base/words.js" */
/** @import { Seen, State } from "./reduce.js" */

const MINUTE_MS = 60_000;

/** Whether it is time, and the patron has nothing in this round. @param {State} s */
export function isCheckDue(s) {
  const { mine, checked, everyMs } = s;
  if (!everyMs || s.link !== "open" || !mine?.seated || !mine.since || s.sheet || s.voided) return false;
  const isPlaying = Object.keys(mine.wagers).length || mine.lines.length || Object.keys(s.pending).length;
  const from = checked?.session === mine.session ? Math.max(checked.at, mine.since) : mine.since;
  return !isPlaying && s.now - from >= everyMs;
}

/** It has been read: the next one is an interval away. @param {State} s @returns {State} */
export const checkRead = (s) =>
  ({ ...s, sheet: null, checked: { session: s.mine?.session ?? "", at: s.now } });

/** @param {Language} lang @param {number} ms */
export function playedFor(lang, ms) {
  const minutes = Math.floor(Math.max(0, ms) / MINUTE_MS);
  if (minutes < 60) return w(lang, "minutes", minutes);
  return w(lang, "hours_minutes", Math.floor(minutes / 60), minutes % 60);
}

/** @param {Seen} s */
export function realityCheck({ lang, now, mine }) {
  const { since, net_cents, balance_cents } = mine, played = playedFor(lang, now - (since ?? now));
  const title = w(lang, "check_title", played);
  const row = (/** @type {string} */ key, /** @type {string} */ value) => html`<div><dt>${w(lang, key)}</dt><dd
    data-check="${key}">${value}</dd></div>`;
  return html`<div class="sheet" data-key="sheet-reality" data-sheet="reality"><div class="notice" role="dialog"
      aria-modal="true" aria-labelledby="sheet-title"><h2 id="sheet-title" tabindex="-1"><pb-icon name="clock"
      size="32"></pb-icon>${title}</h2>
    <dl class="check">${row("check_net", signed(net_cents))}${row("check_credits", money(balance_cents))}${
      row("check_time", time(now))}</dl><p class="l">${w(lang, "check_text")}</p>
    <div class="btns"><button type="button" class="btn wide" data-act="check-leave">${w(lang, "leave")}</button><button
      type="button" class="btn primary wide" data-act="check-read">${w(lang, "go_on")}</button></div></div></div>`;
}
