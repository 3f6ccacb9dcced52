// From text to the page: `html` escapes what it is given, `patch` changes only what differs.

class Html {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const escaped = (value) => String(value).replace(/[&<>"']/g, (c) => ESCAPES[c]);

// Markup of our own making, such as a drawing.
export const raw = (text) => new Html(text);

export function html(parts, ...values) {
  let text = parts[0];
  values.forEach((value, i) => { text += shown(value) + parts[i + 1]; });
  return new Html(text);
}

function shown(value) {
  if (value === null || value === undefined || value === false || value === true) return "";
  if (Array.isArray(value)) return value.map(shown).join("");
  return value instanceof Html ? value.text : escaped(value);
}

// The children of `root` become what `markup` says. A node is kept where its tag and its key agree, so that focus, a
// finger on a button and a running animation survive. What a custom element draws inside itself is its own.
export function patch(root, markup) {
  const text = String(markup);
  if (root.patched === text) return;
  root.patched = text;
  const wanted = document.createElement("template");
  wanted.innerHTML = text;
  children(root, wanted.content);
}

const keyOf = (node) => (node.nodeType === 1 ? node.getAttribute("data-key") || node.id || "" : "");
const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function children(old, wanted) {
  const keyed = new Map();
  for (const node of old.childNodes) if (keyOf(node)) keyed.set(keyOf(node), node);
  let at = old.firstChild;
  for (const next of [...wanted.childNodes]) {
    const key = keyOf(next);
    let found = key ? keyed.get(key) : at;
    if (found && !key && keyOf(found)) found = null; // a keyed node waits for its own
    if (found && alike(found, next)) {
      if (found !== at) old.insertBefore(found, at);
      node(found, next);
      at = found.nextSibling;
    } else fresh(old.insertBefore(next, at));
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

// A field that is new on the page holds what the state says, as one that was there does.
function fresh(added) {
  if (added.nodeType !== 1) return;
  for (const field of [added, ...added.querySelectorAll("[data-set]")]) {
    if (field.hasAttribute("data-set")) field.value = field.getAttribute("data-set");
  }
}

function node(old, next) {
  if (old.nodeType !== 1) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!next.hasAttribute(name) && !isOwn(old, name)) old.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.nodeName === "INPUT" || old.nodeName === "TEXTAREA" || old.nodeName === "SELECT") {
    if (next.hasAttribute("data-set")) old.value = next.getAttribute("data-set"); // the state says what it holds
  }
  if (!old.nodeName.includes("-")) children(old, next);
}

// What people and modules set on an element that the markup does not speak of.
const isOwn = (element, name) => name === "style" || (name === "open" && opens(element));
const opens = (element) => element.nodeName === "DETAILS" || element.nodeName === "DIALOG";

const isOff = (element) => element.disabled || element.getAttribute("aria-disabled") === "true";

// One listener for all `[data-act=name]` inside `root`; one that is disabled does nothing, a form acts when it is sent.
export function acts(root, table) {
  root.addEventListener("click", (event) => {
    const found = event.target.closest("[data-act]");
    if (!found || found.nodeName === "FORM" || !root.contains(found) || isOff(found)) return;
    const act = table[found.dataset.act];
    if (act) act(found, event);
  });
  root.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-act]");
    if (!form || !table[form.dataset.act]) return;
    event.preventDefault();
    table[form.dataset.act](form, event);
  });
}
