// Whether this device can write Chinese, with a font of its own or the floor's: a character is drawn and measured
// beside one that no font has. Where it cannot, screens show letters and offer no Chinese.

const SIZE = 32, SAMPLE = "莊", NOBODYS = "\u0378"; // the second is no character of any script
const FAMILIES = '"Noto Sans CJK TC","Noto Sans TC","PingFang TC","Microsoft JhengHei","puntobanco Han",sans-serif';

/** @typedef {Pick<CanvasRenderingContext2D, "font" | "clearRect" | "fillText" | "getImageData" | "measureText">} Pen */

/**
 * A character of a Chinese font is as wide as it is high, and no box for what is missing.
 * @param {Pen} pen
 */
export function writesHan(pen, sample = SAMPLE) {
  pen.font = `${SIZE}px ${FAMILIES}`;
  if (Math.abs(pen.measureText(sample).width - SIZE) > 1) return false;
  const [drawn, box] = [sample, NOBODYS].map((text) => {
    pen.clearRect(0, 0, 2 * SIZE, 2 * SIZE);
    pen.fillText(text, 0, SIZE);
    return pen.getImageData(0, 0, 2 * SIZE, 2 * SIZE).data;
  });
  return drawn.some((value, at) => value !== box[at]);
}

/** Looks, and marks the page for its style sheets. Without a page, as in tests, everything can be written. */
export function lookForHan() {
  const canvas = globalThis.document?.createElement("canvas");
  const pen = canvas?.getContext("2d", { willReadFrequently: true });
  if (!pen || !canvas) return true;
  canvas.width = canvas.height = 2 * SIZE;
  const found = writesHan(pen);
  if (found) delete document.documentElement.dataset.han;
  else document.documentElement.dataset.han = "none";
  return found;
}

/** @type {boolean | undefined} */
let known;

/** As it was when the page began. */
export const hasHan = () => (known ??= lookForHan());
