// The countdown ring: seconds left in figures and as an arc, as SVG text.
import { either } from "../base/words.js";

const RED_BELOW_S = 5;
const RADIUS = 44;
const AROUND = 2 * Math.PI * RADIUS;

/** Whole seconds as they are called: 0.2 s left is still 1. @param {number} leftMs */
export const secondsLeft = (leftMs) => Math.max(0, Math.ceil(leftMs / 1000));

/** The arc's dashes for what is left; `still` moves once a second, for readers who want no motion. */
export function arc(leftMs, totalMs, still = false) {
  const left = still ? secondsLeft(leftMs) * 1000 : Math.max(0, leftMs);
  const part = totalMs > 0 ? Math.min(1, left / totalMs) : 0;
  return `${(AROUND * part).toFixed(1)} ${AROUND.toFixed(1)}`;
}

/** Red at the end, unless nothing is missed when it ends. */
export const ringInk = (leftMs, calm = false) => (leftMs <= RED_BELOW_S * 1000 && !calm ? "#ff8478" : "#e6c274");

/** @param {number} seconds @param {string} [lang] */
export function ringLabel(seconds, lang = "en") {
  return either(lang, seconds === 1 ? "1 second" : `${seconds} seconds`, `${seconds} 秒`);
}

/**
 * `ring(14000, 25000, 60)`; null for what is left draws an empty ring. `seconds` are those that stand beside it.
 * @param {number | null} leftMs @param {number} totalMs @param {number} [size]
 * @param {{ lang?: string, still?: boolean, calm?: boolean, seconds?: number | null }} [how]
 */
export function ring(leftMs, totalMs, size = 60, { lang = "en", still = false, calm = false, seconds: said } = {}) {
  const known = leftMs !== null && Number.isFinite(leftMs);
  const seconds = known ? said ?? secondsLeft(leftMs) : 0;
  const spoken = known ? ` role="timer" aria-label="${ringLabel(seconds, lang)}"` : ' aria-hidden="true"';
  const ink = ringInk(known ? leftMs : Infinity, calm);
  const ends = known && leftMs > 0 ? "round" : "butt";
  const dashes = known ? arc(leftMs, totalMs, still) : "0 1000";
  return (
    `<svg class="ring" width="${size}" height="${size}" viewBox="0 0 100 100"${spoken}>` +
    `<circle cx="50" cy="50" r="${RADIUS}" fill="#050b09" fill-opacity=".55" stroke="#2b423a" stroke-width="8"/>` +
    `<circle class="arc" cx="50" cy="50" r="${RADIUS}" fill="none" stroke="${ink}" stroke-width="8" ` +
    `stroke-linecap="${ends}" stroke-dasharray="${dashes}" transform="rotate(-90 50 50)"/>` +
    `<text x="50" y="64" text-anchor="middle" font-size="${seconds > 99 ? 32 : 40}" font-weight="700" ` +
    `fill="#f4f1e8" font-family="Inter, Noto Sans, Arial, sans-serif">${known ? seconds : ""}</text></svg>`
  );
}
