// Fingers and keys: a spot held is cleared, keys stand for spots and buttons, a sheet has the focus while it is open.
import { listen } from "../base/dom.js";

const HOLD_MS = 600, DRIFT_PX = 12;
/** @type {Record<string, string>} */
const KEYS = { z: "undo", x: "clear", r: "rebet", d: "double" };
/** @type {Record<string, number>} */
const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * @param {HTMLElement} root
 * @param {{
 *   hold: (bet: string) => void, chip: (cents: number) => void, language: () => void, escape: () => void,
 *   busy: () => boolean,
 * }} does
 */
export function hands(root, { hold, chip, language, escape, busy }) {
  let timer = 0, held = false, from = [0, 0];
  const stop = () => { clearTimeout(timer); timer = 0; };
  const drift = (/** @type {PointerEvent} */ { clientX, clientY }) => Math.hypot(clientX - from[0], clientY - from[1]);
  listen(root, "pointerdown", (target, event) => {
    const spot = target.closest("[data-bet]");
    held = false;
    stop();
    if (!spot || event.button) return;
    from = [event.clientX, event.clientY];
    timer = setTimeout(() => { held = true; hold(spot.dataset.bet); }, HOLD_MS);
  });
  root.addEventListener("pointermove", (event) => { if (timer && drift(event) > DRIFT_PX) stop(); });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) root.addEventListener(end, stop);
  root.addEventListener("click", (event) => {
    if (held && spotOf(event)) event.stopPropagation(); // the finger that held it down is lifted
    held = false;
  }, { capture: true });
  root.addEventListener("contextmenu", (event) => { if (spotOf(event)) event.preventDefault(); });

  listen(document, "keydown", (target, event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return escape();
    if (busy() || target.closest("input, select, textarea")) return;
    const radio = target.closest('[role="radio"]'), step = ARROWS[event.key];
    const spot = target.closest("[data-bet]"), act = KEYS[event.key.toLowerCase()];
    if (radio && step) {
      const next = neighbour(radio, step);
      event.preventDefault();
      chip(Number(next.dataset.cents));
      next.focus();
    } else if (spot && (event.key === "Delete" || event.key === "Backspace")) hold(spot.dataset.bet);
    else if (/^[1-9]$/.test(event.key)) press(root, `[data-bet][aria-keyshortcuts="${event.key}"]`);
    else if (act) press(root, `.acts [data-act="${act}"]:not([disabled])`);
    else if (event.key.toLowerCase() === "l") language();
  });
}

/** @param {Event} event */
const spotOf = (event) => /** @type {Element} */ (event.target).closest("[data-bet]");

/** @param {HTMLElement} root @param {string} selector */
const press = (root, selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector))?.click();

/** The next one in its row, round and round. @param {HTMLElement} radio @param {number} step */
function neighbour(radio, step) {
  const all = /** @type {HTMLElement[]} */ ([...(radio.parentElement?.children ?? [])]);
  return all[(all.indexOf(radio) + step + all.length) % all.length];
}

/** @type {HTMLElement | null} */
let before = null;
let shown = "";

/** A sheet that opens takes the focus, one that closes gives it back to where it was. @param {HTMLElement} root */
export function focusSheets(root) {
  const sheets = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-sheet]")]);
  const top = sheets[sheets.length - 1], name = top?.dataset.sheet ?? "";
  if (name === shown) return;
  if (!shown) before = /** @type {HTMLElement | null} */ (document.activeElement);
  shown = name;
  /** @type {HTMLElement | null | undefined} */
  const first = top?.querySelector("[data-focus]:not([disabled])") ?? top?.querySelector("h2");
  if (top) first?.focus({ preventScroll: true });
  else if (before?.isConnected) before.focus({ preventScroll: true });
}
