// Sheets and forms on the page: a dialog is opened as soon as it is drawn, and what is typed is read when it is sent.

/** Open the dialog that was drawn; Esc asks to cancel, and the state decides. */
export function sheets(root, cancel) {
  const found = root.querySelector("dialog");
  if (!found || found.open) return;
  found.showModal();
  found.querySelector("input:not([type=checkbox]), select, textarea")?.focus();
  found.addEventListener("cancel", (event) => {
    event.preventDefault();
    cancel();
  });
}

/** What a form holds: texts by name, and true for a box that is ticked. */
function held(form) {
  const values = {};
  for (const element of form.elements) {
    if (element.name) values[element.name] = element.type === "checkbox" ? element.checked : element.value;
  }
  return values;
}

/** `form[data-form=kind]` is sent; a `[data-change=name]` in one is changed. */
export function onForms(root, { submit, change = () => {} }) {
  root.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-form]");
    if (!form) return;
    event.preventDefault();
    submit(form.dataset.form, held(form), form);
  });
  root.addEventListener("change", (event) => {
    const found = event.target.closest("[data-change]");
    if (found?.form) change(found.dataset.change, held(found.form), found);
  });
}
