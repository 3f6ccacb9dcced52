// Attention: what waits for somebody is counted in the tab's title, and a new one is heard.
import { play } from "./tones.js";

const CALL = [[784, 0], [988, 0.18], [784, 0.36]];

/** "(2) Pit", or without a count where nothing waits. @param {string} page @param {number} waits */
export const titled = (page, waits) => `${waits ? `(${waits}) ` : ""}${page} · puntobanco`;

/** Whether something new waits; at first nobody is called. @param {number | null} before @param {number} waits */
export const isNew = (before, waits) => before !== null && waits > before;

/** @param {{ page: string, before: number | null, waits: number }} what */
export function attend({ page, before, waits }) {
  document.title = titled(page, waits);
  if (isNew(before, waits)) play(CALL);
}
