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

/** @type {Intl.DateTimeFormat | null} */
let clocks = null; // made when a time is first told: that takes a slow device a while
/** @type {string | undefined} */
let zone; // the house's; the device's own until that is known

/** By the clocks of the house from now on, wherever the device thinks it is. @param {string} [named] */
export function setZone(named) {
  zone = named;
  clocks = null;
}

/** The zone by which times are told: Asia/Singapore. */
export const zoneName = () => clocksHere().resolvedOptions().timeZone;

/** When the clocks of the house show what is typed, "2026-12-01T18:30". @param {string} typed */
export function atHouse(typed) {
  const wanted = Date.parse(`${typed}Z`);
  const shown = (/** @type {number} */ ms) => Date.parse(`${day(ms)}T${time(ms)}Z`);
  const near = wanted + (wanted - shown(wanted));
  return near + (wanted - shown(near)); // twice: the clocks may have been changed in between
}

/** @param {string} [timeZone] */
const clocksOf = (timeZone) => new Intl.DateTimeFormat("en-GB", {
  timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
  second: "2-digit",
});

function clocksHere() {
  try {
    clocks ??= clocksOf(zone);
  } catch {
    clocks = clocksOf(); // a browser that does not know the zone
  }
  return clocks;
}

/** The parts of a time as people write them: { year: "2026", month: "11", ... } @param {number} ms */
export const partsOf = (ms) =>
  Object.fromEntries(clocksHere().formatToParts(ms).map(({ type, value }) => [type, value]));

/** 20:41:07 @param {number} ms */
export function time(ms) {
  const { hour, minute, second } = partsOf(ms);
  return `${hour}:${minute}:${second}`;
}

/** @param {number} ms */
export function day(ms) {
  const { year, month, day: date } = partsOf(ms);
  return `${year}-${month}-${date}`;
}

/** The time alone where it is of today, with its date where it is not. @param {number} ms @param {number} [now] */
export const shortly = (ms, now = Date.now()) => (day(ms) === day(now) ? time(ms) : moment(ms)).slice(0, -3);

/** @param {number} ms */
export const moment = (ms) => `${day(ms)} ${time(ms)}`;

/** 0:47, in hours and minutes @param {number} ms */
export function elapsed(ms) {
  const minutes = Math.max(0, Math.floor(ms / 60000));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** "1,234.5" -> 123450; null where it is no amount @param {string} text */
export function cents(text) {
  const found = /^\$?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(text).trim());
  return found ? Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] || "").padEnd(2, "0")) : null;
}
