// The PIN with which somebody who is logged in confirms a decision: asked for in a dialog of its own, kept nowhere.

/** What was typed; nothing where it was put away. @param {string} why @returns {Promise<string>} */
export function askPin(why) {
  const dialog = document.createElement("dialog"), form = document.createElement("form");
  const label = document.createElement("label"), input = document.createElement("input");
  const go = document.createElement("button");
  dialog.className = "notice";
  form.method = "dialog";
  label.className = "field";
  label.textContent = "PIN";
  Object.assign(input, { type: "password", inputMode: "numeric", autocomplete: "off", maxLength: 12, required: true });
  Object.assign(go, { className: "btn primary", type: "submit", textContent: "Confirm" });
  const said = document.createElement("p");
  said.textContent = why;
  label.append(input);
  form.append(said, label, go);
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    let typed = "";
    form.addEventListener("submit", () => { typed = input.value; });
    dialog.addEventListener("close", () => { dialog.remove(); resolve(typed); });
  });
}
