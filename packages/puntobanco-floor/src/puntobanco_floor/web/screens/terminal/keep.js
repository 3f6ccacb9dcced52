// What outlives a page: language, sound, squeezing, looks, hints on this device; chip, last wagers, void that was read,
// road, reality check, hand pay, answers to reviews that were read, wagers that are not decided in this tab.
import { browserLanguage, language } from "../base/words.js";

/** @import { State } from "./reduce.js" */

/** @type {("sound" | "squeeze" | "larger" | "contrast")[]} */
const ON_DEVICE = ["sound", "squeeze", "larger", "contrast"]; // on or off
/** @type {("chip" | "last" | "read" | "heard" | "held" | "handed" | "road" | "checked" | "pending")[]} */
const IN_TAB = ["chip", "last", "read", "heard", "held", "handed", "road", "checked", "pending"];

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
  const hinted = Number(read(() => localStorage, "hints").read) || 0;
  const languages = { lang: language(), home: browserLanguage() };
  return { ...languages, hinted, ...device, ...picked(tab, IN_TAB.filter((name) => name in tab)) };
}

/** @param {Record<string, any>} from @param {string[]} names */
const picked = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));

/** @param {number} number @param {State} before @param {State} state */
export function keep(number, before, state) {
  for (const name of ON_DEVICE) {
    if (before[name] !== state[name]) write(() => localStorage, name, { on: state[name] });
  }
  if (before.hinted !== state.hinted) write(() => localStorage, "hints", { read: state.hinted });
  const changed = IN_TAB.some((name) => before[name] !== state[name]);
  if (changed) write(() => sessionStorage, `terminal ${number}`, picked(state, IN_TAB));
}
