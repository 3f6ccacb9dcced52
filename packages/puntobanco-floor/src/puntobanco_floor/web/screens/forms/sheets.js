// Sheets and forms on the page: a dialog is opened as soon as it is drawn, and what is typed is read when it is sent.
import { listen } from "../base/dom.js";

/** @import { Values } from "./fields.js" */

/** Open the dialog that was drawn; Esc asks to cancel, and the state decides.
 * @param {HTMLElement} root @param {() => void} cancel */
export function sheets(root, cancel) {
  const found = root.querySelector("dialog");
  if (!found || found.open) return;
  found.showModal();
  /** @type {HTMLElement | null} */
  const field = found.querySelector("input:not([type=checkbox]), select, textarea");
  field?.focus();
  found.addEventListener("cancel", (event) => {
    event.preventDefault();
    cancel();
  });
}

/** What a form holds: texts by name, and true for a box that is ticked. @param {HTMLFormElement} form */
function held(form) {
  /** @type {Values} */
  const values = {};
  for (const element of /** @type {Iterable<HTMLInputElement>} */ (form.elements)) {
    if (element.name) values[element.name] = element.type === "checkbox" ? element.checked : element.value;
  }
  return values;
}

/**
 * `form[data-form=kind]` is sent; a `[data-change=name]` in one is changed.
 * @param {HTMLElement} root
 * @param {{ submit: (kind: string, values: Values) => void, change?: (name: string, values: Values) => void }} handlers
 */
export function onForms(root, { submit, change = () => {} }) {
  listen(root, "submit", (target, event) => {
    const form = target.closest("form[data-form]");
    if (!form) return;
    event.preventDefault();
    submit(form.dataset.form, held(form));
  });
  listen(root, "change", (target) => {
    const found = target.closest("[data-change]");
    if (found?.form) change(found.dataset.change, held(found.form));
  });
}
