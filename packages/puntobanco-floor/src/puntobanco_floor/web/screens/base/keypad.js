// Number keys for a screen of glass: they type into a field of their form. A keyboard works as well.
import { html, listen } from "./dom.js";
import { words } from "./words.js";

/** @import { Language } from "./words.js" */

export const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "C", "0", "⌫"];
const TYPED_MOST = 12;
const t = words({ keys: ["Number keys", "數字鍵"], C: ["Clear", "清除"], "⌫": ["Delete", "刪除"] });

/** What a key makes of what is typed. @param {string} typed @param {string} key @param {number} [most] */
export function pressed(typed, key, most = TYPED_MOST) {
  if (key === "C") return "";
  return key === "⌫" ? typed.slice(0, -1) : `${typed}${key}`.slice(0, most);
}

/** The keys of a form whose fields are marked `data-pad`. @param {Language} lang */
export const keypad = (lang) => html`<div class="pin-pad keypad" role="group" aria-label="${t(lang, "keys")}">${
  KEYS.map((key) => html`<button type="button" class="btn" data-press="${key}"
  aria-label="${/\d/.test(key) ? key : t(lang, key)}">${key}</button>`)}</div>`;

/** Each form types into the field that had the focus last, else into its first. @param {HTMLElement} root */
export function keypads(root) {
  /** @type {WeakMap<Element, HTMLInputElement>} */
  const chosen = new WeakMap();
  listen(root, "focusin", (target) => { if (target.matches("[data-pad]")) chosen.set(target.form, target); });
  listen(root, "pointerdown", (target, event) => { // the field keeps the focus, and its mark
    if (target.closest("[data-press]")) event.preventDefault();
  });
  listen(root, "click", (target) => {
    const key = target.closest("[data-press]"), form = key?.closest("form");
    const last = form && chosen.get(form), field = last?.isConnected ? last : form?.querySelector("[data-pad]");
    if (!field) return;
    field.value = pressed(field.value, key.dataset.press, field.maxLength);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
