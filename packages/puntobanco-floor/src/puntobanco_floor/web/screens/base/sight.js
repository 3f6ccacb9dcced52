// Larger text and high contrast, as patrons set them: kept on the device as the language is, told to the page's root.
import { html } from "./dom.js";
import { keep, kept } from "./kept.js";
import { words } from "./words.js";

/** @import { Language } from "./words.js" */
/** @typedef {{ larger: boolean, contrast: boolean }} Sight */

const t = words({
  larger: ["Larger text", "放大文字"],
  contrast: ["High contrast", "高對比"],
});

/** @type {(keyof Sight)[]} */
const SWITCHES = ["larger", "contrast"];

/** Whether a text names one of the two. @returns {name is keyof Sight} */
export const isSight = (/** @type {unknown} */ name) => SWITCHES.includes(/** @type {keyof Sight} */ (name));

/** What was set on this device. @returns {Sight} */
export function keptSight() {
  const isOn = (/** @type {string} */ name) => kept(name, { on: false }).on === true;
  return { larger: isOn("larger"), contrast: isOn("contrast") };
}

/** @param {Sight} sight */
export function keepSight(sight) {
  for (const name of SWITCHES) keep(name, { on: sight[name] });
}

/** The style sheet of all patrons' screens does the rest. @param {Sight} sight */
export function showSight(sight) {
  for (const name of SWITCHES) document.documentElement.toggleAttribute(`data-${name}`, sight[name]);
}

const SIGNS = { larger: "A", contrast: "◐" };

/** A switch for each. @param {Language} lang @param {Sight} sight */
export const sightSwitches = (lang, sight) => SWITCHES.map((name) => html`<button type="button"
  class="btn sight" data-act="sight" data-sight="${name}" data-key="${name}" aria-pressed="${String(sight[name])}"><span
  class="sign-of" aria-hidden="true">${SIGNS[name]}</span><span class="word">${t(lang, name)}</span></button>`);
