// The PIN with which somebody who is logged in confirms a decision: asked for in a dialog of its own, kept nowhere.
import { either } from "./words.js";

import { KEYS, pressed } from "./keypad.js";

const WORDS = {
  pin: ["PIN", "個人密碼"], go: ["Confirm", "確認"], back: ["Cancel", "取消"], C: ["Clear", "清除"], "⌫": ["Delete", "刪除"],
};

/** @param {string} name @param {Record<string, unknown>} [fields] @param {(Node | string)[]} [inside] @returns {any} */
function made(name, fields = {}, inside = []) {
  const found = Object.assign(document.createElement(name), fields);
  found.append(...inside);
  return found;
}

/**
 * What was typed, by keys or on glass; nothing where it was put away.
 * @param {string} why @returns {Promise<string>}
 */
export function askPin(why) {
  const { lang } = document.documentElement;
  const say = Object.fromEntries(Object.entries(WORDS).map(([key, [en, zh]]) => [key, either(lang, en, zh)]));
  const input = /** @type {HTMLInputElement} */ (made("input", {
    type: "password", inputMode: "numeric", autocomplete: "off", maxLength: 12, required: true,
  }));
  const pad = made("div", { className: "pin-pad" }, KEYS.map((key) => made("button", {
    type: "button", className: "btn", textContent: key, ariaLabel: say[key] ?? key,
    onclick: () => { input.value = pressed(input.value, key); },
  })));
  const back = made("button", { type: "button", className: "btn", textContent: say.back });
  const go = made("button", { type: "submit", className: "btn primary", textContent: say.go });
  const form = /** @type {HTMLFormElement} */ (made("form", { method: "dialog" }, [
    made("p", { textContent: why }), made("label", { className: "field" }, [say.pin, input]), pad,
    made("div", { className: "btns" }, [back, go]),
  ]));
  const dialog = /** @type {HTMLDialogElement} */ (made("dialog", { className: "notice pin" }, [form]));
  document.body.append(dialog);
  dialog.showModal();
  input.focus();
  return new Promise((resolve) => {
    let typed = "";
    form.addEventListener("submit", () => { typed = input.value; });
    back.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => { dialog.remove(); resolve(typed); });
  });
}
