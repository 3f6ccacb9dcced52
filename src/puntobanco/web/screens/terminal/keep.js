// What outlives a page: language and sound on this device; chip, last wagers and the void that was read in this tab.
import { language } from "../base/words.js";

const IN_TAB = ["chip", "last", "read"];

function read(storage, key) {
  try { return JSON.parse(storage().getItem(key)) ?? {}; } catch { return {}; } // none, or not allowed
}

function write(storage, key, value) {
  try { storage().setItem(key, JSON.stringify(value)); } catch { /* it lasts as long as the page */ }
}

export function kept(number) {
  const tab = read(() => sessionStorage, `terminal ${number}`);
  const sound = read(() => localStorage, "sound").on === true;
  return { lang: language(), sound, ...picked(tab, IN_TAB.filter((name) => name in tab)) };
}

const picked = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));

export function keep(number, before, state) {
  if (before.sound !== state.sound) write(() => localStorage, "sound", { on: state.sound });
  const changed = IN_TAB.some((name) => before[name] !== state[name]);
  if (changed) write(() => sessionStorage, `terminal ${number}`, picked(state, IN_TAB));
}
