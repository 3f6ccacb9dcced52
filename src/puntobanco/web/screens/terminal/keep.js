// What outlives a page: language, sound, squeezing on this device; chip, last wagers, void that was read, hand pay,
// answers to reviews that were read in this tab.
import { language } from "../base/words.js";

/** @import { State } from "./reduce.js" */

/** @type {("sound" | "squeeze")[]} */
const ON_DEVICE = ["sound", "squeeze"]; // on or off
/** @type {("chip" | "last" | "read" | "heard" | "held" | "handed")[]} */
const IN_TAB = ["chip", "last", "read", "heard", "held", "handed"];

/** @param {() => Storage} storage @param {string} key */
function read(storage, key) {
  try { return JSON.parse(storage().getItem(key) ?? "{}") ?? {}; } catch { return {}; } // none, or not allowed
}

/** @param {() => Storage} storage @param {string} key @param {unknown} value */
function write(storage, key, value) {
  try { storage().setItem(key, JSON.stringify(value)); } catch { /* it lasts as long as the page */ }
}

/** What is left of before, for the state to begin with. @param {number} number @returns {Partial<State>} */
export function kept(number) {
  const tab = read(() => sessionStorage, `terminal ${number}`);
  const isOn = (/** @type {string} */ name) => read(() => localStorage, name).on === true;
  const device = Object.fromEntries(ON_DEVICE.map((name) => [name, isOn(name)]));
  return { lang: language(), ...device, ...picked(tab, IN_TAB.filter((name) => name in tab)) };
}

/** @param {Record<string, any>} from @param {string[]} names */
const picked = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));

/** @param {number} number @param {State} before @param {State} state */
export function keep(number, before, state) {
  for (const name of ON_DEVICE) {
    if (before[name] !== state[name]) write(() => localStorage, name, { on: state[name] });
  }
  const changed = IN_TAB.some((name) => before[name] !== state[name]);
  if (changed) write(() => sessionStorage, `terminal ${number}`, picked(state, IN_TAB));
}
