// A card face down whose corner follows a finger or the mouse; `turn` is told when it is lifted far enough.
import { listen } from "../base/dom.js";
import { peel } from "../kit/cards.js";
import { lifted, TURNS_AT } from "./squeeze.js";

const TAP_PX = 8; // a finger that moves less has tapped
const quiet = matchMedia("(prefers-reduced-motion: reduce)");

class PeelElement extends HTMLElement {
  static observedAttributes = ["code", "size"];

  connectedCallback() { this.lift(0); }
  attributeChangedCallback() { if (this.isConnected) this.lift(0); }

  /** @param {number} by */
  lift(by) {
    const [code, size, lang] = ["code", "size", "lang"].map((name) => this.getAttribute(name) ?? "");
    this.innerHTML = peel(code, Number(size), by, { lang });
  }
}
customElements.define("pb-peel", PeelElement);

const peelOf = (/** @type {HTMLElement} */ cover) => /** @type {PeelElement} */ (cover.querySelector("pb-peel"));

/** @param {HTMLElement} root @param {(slot: string) => void} turn */
export function squeezes(root, turn) {
  /** @type {{ cover: HTMLElement, x: number, y: number } | null} */
  let held = null; // while a finger is on a card
  let dragged = false;
  const drop = () => {
    if (held?.cover.isConnected) peelOf(held.cover).lift(0);
    held = null;
  };
  listen(root, "pointerdown", (target, event) => {
    const cover = target.closest(".cover");
    dragged = false;
    if (!cover || event.button || quiet.matches) return;
    drop();
    cover.setPointerCapture(event.pointerId);
    held = { cover, x: event.clientX, y: event.clientY };
  });
  root.addEventListener("pointermove", (event) => {
    if (!held?.cover.isConnected) return;
    const { cover, x, y } = held, dx = event.clientX - x, dy = event.clientY - y;
    dragged ||= Math.hypot(dx, dy) > TAP_PX;
    const { width, height } = cover.getBoundingClientRect(), onItsSide = Boolean(cover.closest(".third"));
    const by = lifted({ dx, dy, width, height, onItsSide });
    peelOf(cover).lift(by);
    if (by < TURNS_AT) return;
    turn(cover.dataset.turns ?? "");
    drop();
  });
  for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, drop);
  // A finger that lets go before the card turns has not tapped it.
  root.addEventListener("click", (event) => {
    const cover = /** @type {Element} */ (event.target).closest(".cover");
    if (dragged && event.detail && cover) event.stopPropagation(); // a key has no detail
    dragged = false;
  }, { capture: true });
}
