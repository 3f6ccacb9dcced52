// From text to the page: `html` escapes what it is given, `patch` changes only what differs.

export class Html {
  /** @param {string} text */
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** @param {unknown} value */
export const escaped = (value) => String(value).replace(/[&<>"']/g, (c) => ESCAPES[c]);

/** Markup of our own making, such as a drawing. @param {string} text */
export const raw = (text) => new Html(text);

/**
 * A template: what is put in is escaped, but for templates.
 * @type {(parts: TemplateStringsArray, ...values: unknown[]) => Html}
 */
export function html(parts, ...values) {
  let text = parts[0];
  values.forEach((value, i) => { text += shown(value) + parts[i + 1]; });
  return new Html(text);
}

/** @returns {string} */
function shown(/** @type {unknown} */ value) {
  if (value === null || value === undefined || value === false || value === true) return "";
  if (Array.isArray(value)) return value.map(shown).join("");
  if (typeof value === "function") return shown(value()); // words, in the language that the page now has
  return value instanceof Html ? value.text : escaped(value);
}

/** @type {WeakMap<Element, string>} */
const patched = new WeakMap(); // what each root shows: the same again costs nothing

/**
 * The children of `root` become what `markup` says. A node is kept where its tag and its key agree, so that focus, a
 * finger on a button and a running animation survive. What a custom element draws inside itself is its own.
 * @param {Element} root
 * @param {Html | string} markup
 */
export function patch(root, markup) {
  const text = String(markup);
  if (patched.get(root) === text) return;
  patched.set(root, text);
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
  for (const next of Array.from(wanted.childNodes)) { // a copy: what is taken over leaves the list
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
  for (const { name } of Array.from(old.attributes)) { // a copy: the list is live
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

/**
 * What is pressed or sent: a button or a form, with the data that its markup gave it.
 * @typedef {HTMLFormElement & HTMLButtonElement & { dataset: Record<string, string> }} Acting
 */

/**
 * One listener for all `[data-act=name]` inside `root`; one that is disabled does nothing, a form acts when it is sent.
 * @param {Element} root
 * @param {Record<string, (element: Acting, event: Event) => unknown>} table
 */
export function acts(root, table) {
  listen(root, "click", (target, event) => {
    const found = target.closest("[data-act]");
    if (!found || found.nodeName === "FORM" || !root.contains(found) || isOff(found)) return;
    const act = table[found.dataset.act];
    if (act) act(found, event);
  });
  listen(root, "submit", (target, event) => {
    const form = target.closest("form[data-act]");
    if (!form || !table[form.dataset.act]) return;
    event.preventDefault();
    table[form.dataset.act](form, event);
  });
}

/**
 * A listener that is given the element itself: of a field its `value` can be read.
 * @param {EventTarget} root
 * @param {string} kind
 * @param {(target: any, event: any) => void} heard
 */
export function listen(root, kind, heard) {
  root.addEventListener(kind, (event) => heard(event.target, event));
}

/** Once what is drawn now has been painted. @param {() => void} then */
export const painted = (then) => requestAnimationFrame(() => setTimeout(then));

/** An element of the page that is always there. @param {string} id */
export const byId = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** What is typed in a field of a form. @param {HTMLFormElement} form @param {string} name */
export const fieldOf = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
