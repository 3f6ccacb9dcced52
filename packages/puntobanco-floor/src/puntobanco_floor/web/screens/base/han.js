// Whether this device can write Chinese, with a font of its own or the floor's: a character is measured beside
// one that no font has. Where it cannot, screens show letters and offer no Chinese.

const SIZE = 32, SAMPLE = "莊", NOBODYS = "\u0378"; // the second is no character of any script
const FAMILIES = '"Noto Sans CJK TC","Noto Sans TC","PingFang TC","Microsoft JhengHei","puntobanco Han",sans-serif';

/** @typedef {Pick<CanvasRenderingContext2D, "font" | "measureText">} Pen */

/** How far its ink reaches, from where it is written. @param {TextMetrics} drawn */
const inkOf = (drawn) => [
  drawn.actualBoundingBoxLeft, drawn.actualBoundingBoxRight, drawn.actualBoundingBoxAscent,
  drawn.actualBoundingBoxDescent,
].join();

/**
 * A character of a Chinese font is as wide as it is high, and reaches elsewhere than the box for what is missing.
 * @param {Pen} pen
 */
export function writesHan(pen, sample = SAMPLE) {
  pen.font = `${SIZE}px ${FAMILIES}`;
  const found = pen.measureText(sample);
  return Math.abs(found.width - SIZE) <= 1 && inkOf(found) !== inkOf(pen.measureText(NOBODYS));
}

/** Looks, and marks the page for its style sheets. Without a page, as in tests, everything can be written. */
export function lookForHan() {
  const pen = globalThis.document?.createElement("canvas").getContext("2d");
  if (!pen) return true;
  const found = writesHan(pen);
  if (found) delete document.documentElement.dataset.han;
  else document.documentElement.dataset.han = "none";
  return found;
}

/** @type {boolean | undefined} */
let known;

/** As it was when the page began. */
export const hasHan = () => (known ??= lookForHan());
