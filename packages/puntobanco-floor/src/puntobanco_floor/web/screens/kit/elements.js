// The kit as custom elements: importing this module is enough. Each draws itself from its attributes, at once and anew
// when one changes. No shadow DOM, so that a screen's style sheet reaches the drawing.
import { now } from "../base/clock.js";
import { barcode, qr } from "./barcode.js";
import { card, SMALL_BELOW } from "./cards.js";
import { chip, stack } from "./chips.js";
import { icon, logo } from "./icons.js";
import { arc, ring, ringInk, ringLabel, secondsLeft } from "./ring.js";
import { road } from "./roads.js";

const TICK_MS = 100;
const quiet = matchMedia("(prefers-reduced-motion: reduce)");

// Zero specificity: any rule of a screen goes before these.
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :where(pb-card, pb-back, pb-chip, pb-stack, pb-icon, pb-logo, pb-ring, pb-road, pb-qr, pb-barcode) {
    display: inline-block; line-height: 0; flex: none;
  }
  :where(
    pb-card, pb-back, pb-chip, pb-stack, pb-icon, pb-logo, pb-ring, pb-road, pb-qr, pb-barcode
  )[hidden] { display: none; }
  :where(pb-icon) { vertical-align: -0.2em; }
  :where(
    pb-card svg, pb-back svg, pb-chip svg, pb-stack svg, pb-icon svg, pb-logo svg, pb-ring svg, pb-road svg, pb-qr svg,
    pb-barcode svg
  ) { display: block; }
  :where(pb-stack svg.dim) { filter: grayscale(0.9) brightness(0.55); }
`);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

/** An element that holds one drawing; `draw` makes it from the attributes. */
class Drawing extends HTMLElement {
  /** What is drawn now. @type {string | undefined} */
  drawn;

  /** The drawing, from the attributes. @returns {string} */
  draw() { return ""; }

  connectedCallback() {
    this.render();
  }

  /** @param {string} _name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(_name, before, after) {
    if (this.isConnected && before !== after) this.render();
  }

  render() {
    const drawn = this.draw();
    if (drawn === this.drawn && this.firstChild) return;
    this.drawn = drawn;
    this.innerHTML = drawn;
  }

  /** @template {number | null} T @param {string} name @param {T} otherwise @returns {number | T} */
  number(name, otherwise) {
    const value = Number.parseFloat(this.getAttribute(name) ?? "");
    return Number.isFinite(value) ? value : otherwise;
  }

  get language() {
    return this.closest("[lang]")?.getAttribute("lang") ?? "en";
  }
}

class CardElement extends Drawing {
  static observedAttributes = ["code", "size", "lang", "dim", "small"];

  draw() {
    const [code, size, lang] = [this.getAttribute("code") ?? "", this.number("size", 95), this.language];
    const small = this.hasAttribute("small") || this.narrow ? { small: true } : {};
    return card(code, size, { lang, dim: this.hasAttribute("dim"), ...small });
  }

  /** Whether a style sheet shows it narrower than it asks for: then it is drawn as narrow cards are. */
  narrow = false;

  render() {
    super.render();
    if (!unmeasured.size) queueMicrotask(measure);
    unmeasured.add(this);
  }

  /** @param {number} width */
  shownAt(width) {
    const isNarrow = width > 0 && width < SMALL_BELOW;
    if (isNarrow === this.narrow) return;
    this.narrow = isNarrow;
    super.render();
  }
}

/** @type {Set<CardElement>} */
const unmeasured = new Set();

// All at once, when the page is drawn: a browser lays it out for each width that is asked for between two changes.
function measure() {
  const cards = [...unmeasured], widths = cards.map((card) => card.offsetWidth);
  unmeasured.clear();
  cards.forEach((card, at) => card.shownAt(widths[at]));
}

/** The other side of a card, for as long as it is being turned: nobody reads it. */
class BackElement extends Drawing {
  static observedAttributes = ["size"];

  draw() {
    return card("", this.number("size", 95), { lang: this.language });
  }
}

class ChipElement extends Drawing {
  static observedAttributes = ["cents", "size"];

  draw() {
    return chip(this.number("cents", 0), this.number("size", 72));
  }
}

class StackElement extends Drawing {
  static observedAttributes = ["cents", "size", "dim", "values"];

  draw() {
    const values = (this.getAttribute("values") ?? "").split(" ").filter(Boolean).map(Number);
    return stack(this.number("cents", 0), this.number("size", 54), { dim: this.hasAttribute("dim"), values });
  }
}

class IconElement extends Drawing {
  static observedAttributes = ["name", "size"];

  draw() {
    return icon(this.getAttribute("name") ?? "", this.number("size", 20));
  }
}

class LogoElement extends Drawing {
  static observedAttributes = ["size"];

  draw() {
    return logo(this.number("size", 30));
  }
}

class RoadElement extends Drawing {
  static observedAttributes = ["kind", "cells", "columns", "cell", "last", "lang"];

  draw() {
    return road(this.getAttribute("kind"), JSON.parse(this.getAttribute("cells") || "[]"), {
      columns: this.number("columns", 24),
      cell: this.number("cell", 16),
      last: this.hasAttribute("last"),
      lang: this.language,
    });
  }
}

/** Counts by itself on the server's clock; only the arc and the figure are touched between renders. */
class RingElement extends Drawing {
  static observedAttributes = ["ends", "total", "size", "lang", "calm", "seconds"];

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (name === "seconds" && this.firstChild) this.tick(); // at once, with the words beside it
    else super.attributeChangedCallback(name, before, after);
  }

  get left() {
    const ends = this.number("ends", null);
    return ends === null ? null : Math.max(0, ends - now());
  }

  draw() {
    this.said = null;
    const how = {
      lang: this.language, still: quiet.matches, calm: this.hasAttribute("calm"), seconds: this.number("seconds", null),
    };
    return ring(this.left, this.number("total", 0), this.number("size", 60), how);
  }

  tick() {
    const left = this.left;
    if (left === null) return;
    const [svg, line, figure] = [this.firstElementChild, this.querySelector(".arc"), this.querySelector("text")];
    if (!svg || !line || !figure) return;
    line.setAttribute("stroke-dasharray", arc(left, this.number("total", 0), quiet.matches));
    const seconds = this.number("seconds", null) ?? secondsLeft(left); // a page that says them too says which
    if (seconds === this.said) return;
    this.said = seconds;
    line.setAttribute("stroke", ringInk(left, this.hasAttribute("calm")));
    line.setAttribute("stroke-linecap", left > 0 ? "round" : "butt");
    figure.textContent = String(seconds);
    figure.setAttribute("font-size", seconds > 99 ? "32" : "40");
    svg.setAttribute("aria-label", ringLabel(seconds, this.language));
  }
}

class QrElement extends Drawing {
  static observedAttributes = ["rows", "size", "label"];

  draw() {
    return qr(this.getAttribute("rows") ?? "", this.number("size", 200), this.getAttribute("label") ?? "QR code");
  }
}

class BarcodeElement extends Drawing {
  static observedAttributes = ["digits", "width", "height"];

  draw() {
    return barcode(this.getAttribute("digits") ?? "", this.number("width", 320), this.number("height", 72));
  }
}

const ELEMENTS = {
  "pb-card": CardElement,
  "pb-back": BackElement,
  "pb-chip": ChipElement,
  "pb-stack": StackElement,
  "pb-icon": IconElement,
  "pb-logo": LogoElement,
  "pb-road": RoadElement,
  "pb-ring": RingElement,
  "pb-qr": QrElement,
  "pb-barcode": BarcodeElement,
};
for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);

// A page that changes its language says so on <html>: names of cards and roads follow.
function renameAll() {
  for (const element of document.querySelectorAll("pb-card, pb-road, pb-ring")) {
    /** @type {Drawing} */ (element).render();
  }
}
new MutationObserver(renameAll).observe(document.documentElement, { attributes: true, attributeFilter: ["lang"] });
