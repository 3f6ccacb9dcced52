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
  return { lang: language(), sound: read(() => localStorage, "sound").on === true, ...Object.fromEntries(IN_TAB.filter((name) => name in tab).map((name) => [name, tab[name]])) };
}

export function keep(number, before, state) {
  if (before.sound !== state.sound) write(() => localStorage, "sound", { on: state.sound });
  if (IN_TAB.some((name) => before[name] !== state[name])) write(() => sessionStorage, `terminal ${number}`, Object.fromEntries(IN_TAB.map((name) => [name, state[name]])));
}
