// Barcodes as SVG text: Code 128 of digits, and the squares of a QR code that the server has made.

// Widths of bars and gaps of the 107 symbols.
const SYMBOLS = (
  "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 " +
  "123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 " +
  "232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 " +
  "313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 " +
  "111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 " +
  "111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 " +
  "114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112"
).split(" ");
const START_C = 105;
const TO_B = 100;
const STOP = 106;
const ZERO_IN_B = 16;
const QUIET = 10;

/**
 * The symbols of a number: start, pairs of digits, a last single digit in set B, check, stop.
 * @param {string} digits
 */
export function symbols(digits) {
  if (!/^\d+$/.test(digits)) throw new RangeError("a barcode here is made of digits");
  const values = [START_C];
  for (let i = 0; i + 1 < digits.length; i += 2) values.push(Number(digits.slice(i, i + 2)));
  if (digits.length % 2) values.push(TO_B, ZERO_IN_B + Number(digits.at(-1)));
  const check = values.reduce((sum, value, i) => sum + value * Math.max(1, i), 0) % 103;
  return [...values, check, STOP];
}

/**
 * Black on white with its quiet zones; stretches to the box it is given.
 * @param {string} digits @param {number} [width] @param {number} [height]
 */
export function barcode(digits, width = 320, height = 72) {
  let x = QUIET;
  let bars = "";
  for (const value of symbols(digits)) {
    [...SYMBOLS[value]].forEach((n, i) => {
      if (i % 2 === 0) bars += `M${x} 0h${n}v100h-${n}z`;
      x += Number(n);
    });
  }
  x += QUIET;
  return (
    `<svg class="barcode" width="${width}" height="${height}" viewBox="0 0 ${x} 100" preserveAspectRatio="none" ` +
    `role="img" aria-label="barcode ${digits}" shape-rendering="crispEdges">` +
    `<rect width="${x}" height="100" fill="#fff"/><path fill="#000" d="${bars}"/></svg>`
  );
}

const QR_QUIET = 4;

/** Rows of 0 and 1 apart by "|", drawn with the quiet zone of four squares. */
export function qr(rows, size = 200, label = "QR code") {
  const lines = String(rows).split("|");
  const isRow = (line) => line.length === lines.length && /^[01]+$/.test(line);
  if (!lines.every(isRow)) throw new RangeError("a QR code is a square of 0 and 1");
  const side = lines.length + 2 * QR_QUIET;
  let squares = "";
  lines.forEach((line, row) => {
    for (const { 0: run, index } of line.matchAll(/1+/g)) {
      squares += `M${index + QR_QUIET} ${row + QR_QUIET}h${run.length}v1h-${run.length}z`;
    }
  });
  return (
    `<svg class="qr" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" ` +
    `role="img" aria-label="${label}" shape-rendering="crispEdges">` +
    `<rect width="${side}" height="${side}" fill="#fff"/><path fill="#000" d="${squares}"/></svg>`
  );
}
