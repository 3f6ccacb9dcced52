// A card face down that follows a finger or the mouse from any edge; `turn` is told when it is lifted far enough.
import { listen } from "../base/dom.js";
import { peel } from "../kit/peel.js";
import { foldOf, onCard, TURNS_AT } from "./squeeze.js";

/** @import { Fold, Point } from "../kit/peel.js" */

const TAP_PX = 8; // a finger that moves less has tapped
const quiet = matchMedia("(prefers-reduced-motion: reduce)");

class PeelElement extends HTMLElement {
  static observedAttributes = ["code", "size"];

  connectedCallback() { this.lift(null); }
  attributeChangedCallback() { if (this.isConnected) this.lift(null); }

  /** @param {Fold | null} fold */
  lift(fold) {
    const [code, size, lang] = ["code", "size", "lang"].map((name) => this.getAttribute(name) ?? "");
    this.innerHTML = peel(code, Number(size), fold, { lang });
  }
}
customElements.define("pb-peel", PeelElement);

const peelOf = (/** @type {HTMLElement} */ cover) => /** @type {PeelElement} */ (cover.querySelector("pb-peel"));

const isOnItsSide = (/** @type {HTMLElement} */ cover) => Boolean(cover.closest(".third"));

/** Where on the card a finger came down. @param {HTMLElement} cover @param {PointerEvent} event @returns {Point} */
function taken(cover, { clientX, clientY }) {
  const { left, top, width, height } = cover.getBoundingClientRect();
  return onCard([(clientX - left) / width, (clientY - top) / height], isOnItsSide(cover));
}

/** Where that point is now; a card that is held is larger. @param {HTMLElement} cover @param {Point} from */
function pulled(cover, from, /** @type {number} */ dx, /** @type {number} */ dy) {
  const { width, height } = cover.getBoundingClientRect();
  const [x, y] = onCard([dx / width, dy / height], isOnItsSide(cover)), zero = onCard([0, 0], isOnItsSide(cover));
  return /** @type {Point} */ ([from[0] + x - zero[0], from[1] + y - zero[1]]);
}

/** @param {HTMLElement} root @param {(slot: string) => void} turn */
export function squeezes(root, turn) {
  /** @type {{ cover: HTMLElement, x: number, y: number, from: Point } | null} */
  let held = null; // while a finger is on a card
  let dragged = false;
  const drop = () => {
    if (held?.cover.isConnected) peelOf(held.cover).lift(null);
    held = null;
  };
  listen(root, "pointerdown", (target, event) => {
    const cover = target.closest(".cover");
    dragged = false;
    if (!cover || event.button || quiet.matches) return;
    drop();
    cover.setPointerCapture(event.pointerId);
    held = { cover, x: event.clientX, y: event.clientY, from: taken(cover, event) };
  });
  root.addEventListener("pointermove", (event) => {
    if (!held?.cover.isConnected) return;
    const { cover, x, y, from } = held, dx = event.clientX - x, dy = event.clientY - y;
    dragged ||= Math.hypot(dx, dy) > TAP_PX;
    const { fold, lifted } = foldOf(from, pulled(cover, from, dx, dy));
    peelOf(cover).lift(lifted ? fold : null);
    if (lifted < TURNS_AT) return;
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
