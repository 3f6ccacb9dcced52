// What outlives a page: language, sound, squeezing on this device; chip, last wagers, void that was read, hand pay in
// this tab.
import { language } from "../base/words.js";

const ON_DEVICE = ["sound", "squeeze"]; // on or off
const IN_TAB = ["chip", "last", "read", "held", "handed"];

function read(storage, key) {
  try { return JSON.parse(storage().getItem(key)) ?? {}; } catch { return {}; } // none, or not allowed
}

function write(storage, key, value) {
  try { storage().setItem(key, JSON.stringify(value)); } catch { /* it lasts as long as the page */ }
}

export function kept(number) {
  const tab = read(() => sessionStorage, `terminal ${number}`);
  const isOn = (name) => read(() => localStorage, name).on === true;
  const device = Object.fromEntries(ON_DEVICE.map((name) => [name, isOn(name)]));
  return { lang: language(), ...device, ...picked(tab, IN_TAB.filter((name) => name in tab)) };
}

const picked = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));

export function keep(number, before, state) {
  for (const name of ON_DEVICE) {
    if (before[name] !== state[name]) write(() => localStorage, name, { on: state[name] });
  }
  const changed = IN_TAB.some((name) => before[name] !== state[name]);
  if (changed) write(() => sessionStorage, `terminal ${number}`, picked(state, IN_TAB));
}
