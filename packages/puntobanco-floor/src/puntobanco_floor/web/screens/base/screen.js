// The main loop of every page: a message makes a state, a state makes the page, at most once a frame.
import { patch } from "./dom.js";
import { loadFonts } from "./fonts.js";
import { hasHan } from "./han.js";

/** @import { Html } from "./dom.js" */

/**
 * `after(before, state)` is called for each message that changed the state, `drawn(state)` each time the page was
 * drawn.
 * @template State, Message
 * @param {{
 *   root: HTMLElement, first: State, reduce: (state: State, message: Message) => State, view: (state: State) => Html,
 *   after?: (before: State, state: State) => void, drawn?: (state: State) => void,
 * }} page
 */
export function run({ root, first, reduce, view, after = () => {}, drawn = () => {} }) {
  let state = first, frame = 0;

  /** Now: for what looks at the page itself; else the next frame does it. */
  function draw() {
    globalThis.cancelAnimationFrame?.(frame); // what waits for it is drawn now
    frame = 0;
    patch(root, view(state));
    drawn(state);
    loadFonts();
  }

  globalThis.addEventListener?.("languagechange", () => { frame ||= requestAnimationFrame(draw); });

  /** @param {Message} message */
  function tell(message) {
    const before = state;
    state = reduce(state, message);
    if (state === before) return;
    frame ||= requestAnimationFrame(draw); // many messages in a frame are drawn once
    after(before, state);
  }

  hasHan(); // which marks the page
  return { tell, draw, get state() { return state; } };
}
