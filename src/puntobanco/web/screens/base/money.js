// Money, times and numbers as people read them. Money is whole cents.

const MINUS = "\u2212";
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** 123456 -> $1,234.56 @param {number} cents */
export function money(cents) {
  const whole = Math.floor(Math.abs(cents) / 100);
  return `${cents < 0 ? MINUS : ""}$${grouped(whole)}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}

/** Whole dollars where there are no cents: $200, $12.50 @param {number} cents */
export const dollars = (cents) => (cents % 100 ? money(cents) : money(cents).slice(0, -3));

/** @param {number} cents */
export const signed = (cents) => (cents > 0 ? `+${money(cents)}` : money(cents));

/** @param {number} n */
export const count = (n) => grouped(n);

const two = (n) => String(n).padStart(2, "0");

/** 20:41:07 @param {number} ms */
export function time(ms) {
  const t = new Date(ms);
  return `${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`;
}

/** @param {number} ms */
export function day(ms) {
  const t = new Date(ms);
  return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())}`;
}

/** @param {number} ms */
export const moment = (ms) => `${day(ms)} ${time(ms)}`;

/** 0:47, in hours and minutes @param {number} ms */
export function elapsed(ms) {
  const minutes = Math.max(0, Math.floor(ms / 60000));
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
}

/** "1,234.5" -> 123450; null where it is no amount @param {string} text */
export function cents(text) {
  const found = /^\$?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(text).trim());
  return found ? Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] || "").padEnd(2, "0")) : null;
}
