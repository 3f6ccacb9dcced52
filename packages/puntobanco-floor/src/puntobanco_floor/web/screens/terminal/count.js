// A figure that counts up to how far ahead the patron is. It lies over the meter, which says all of it at once.
import { signed } from "../base/money.js";

const UP_MS = 600;
const quiet = matchMedia("(prefers-reduced-motion: reduce)");

// Quick at first, slower towards the end; what is shown, `part` of the way to `cents`.
const shownAt = (/** @type {number} */ cents, /** @type {number} */ part) => Math.round(cents * (1 - (1 - part) ** 3));

class CountElement extends HTMLElement {
  /** When it began to count. @type {number | undefined} */
  from;

  connectedCallback() {
    if (quiet.matches || this.from !== undefined) return;
    this.from = performance.now();
    this.textContent = signed(0);
    requestAnimationFrame((at) => this.step(at));
  }

  /** @param {number} at */
  step(at) {
    const part = Math.max(0, (at - (this.from ?? at)) / UP_MS), isOver = part >= 1 || !this.isConnected;
    this.textContent = isOver ? "" : signed(shownAt(Number(this.getAttribute("cents")), part));
    if (!isOver) requestAnimationFrame((next) => this.step(next));
  }
}

customElements.define("pb-count", CountElement);
