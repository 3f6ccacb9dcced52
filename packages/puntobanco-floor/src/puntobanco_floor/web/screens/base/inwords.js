// An amount of money in words, as a voucher and a receipt print it: in English, or in the numerals of Chinese cheques.
import { either, isChinese, pageLanguage } from "./words.js";

const SMALL = [
  "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
  "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/** @type {[number, string][]} */
const GROUPS = [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"], [1e3, "thousand"]];

/** @param {number} n */
function below100(n) {
  if (n < 20) return SMALL[n];
  return TENS[Math.floor(n / 10)] + (n % 10 ? `-${SMALL[n % 10]}` : "");
}

/** @param {number} n */
function below1000(n) {
  const rest = n % 100;
  if (n < 100) return below100(n);
  return `${SMALL[Math.floor(n / 100)]} hundred${rest ? ` ${below100(rest)}` : ""}`;
}

/** @param {number} n */
function number(n) {
  const parts = [];
  for (const [size, name] of GROUPS) {
    if (n >= size) parts.push(`${below1000(Math.floor(n / size))} ${name}`);
    n %= size;
  }
  if (n || !parts.length) parts.push(below1000(n));
  return parts.join(" ");
}

const counted = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`;

/**
 * 284500 -> "Two thousand eight hundred forty-five dollars and no cents". Whole cents, not below zero.
 * @param {number} cents
 */
export function inWords(cents) {
  if (!Number.isSafeInteger(cents) || cents < 0) throw new RangeError(`no amount in words: ${cents}`);
  if (isChinese(pageLanguage())) return either(pageLanguage(), "", inNumerals(cents));
  const text = `${counted(Math.floor(cents / 100), "dollar", "dollars")} and ${counted(cents % 100, "cent", "cents")}`;
  return text[0].toUpperCase() + text.slice(1);
}

const NUMERALS = "零壹貳叁肆伍陸柒捌玖";
const PLACES = ["", "拾", "佰", "仟"], MYRIADS = ["", "萬", "億", "兆"];

// A nought stands once for all places that are skipped, and none at the end: 10050 is 壹萬零伍拾.
/** @param {number} n */
function chinese(n) {
  if (!n) return NUMERALS[0];
  let text = "", skipped = false;
  const digits = String(n);
  [...digits].forEach((digit, i) => {
    const place = digits.length - 1 - i, myriad = Math.floor(place / 4);
    if (digit !== "0") text += (skipped && text ? NUMERALS[0] : "") + NUMERALS[Number(digit)] + PLACES[place % 4];
    skipped = digit === "0";
    const any = Number(digits.slice(Math.max(0, digits.length - 4 * (myriad + 1)), digits.length - 4 * myriad));
    if (place % 4 === 0 && any) text += MYRIADS[myriad];
  });
  return text;
}

/** 284550 -> 貳仟捌佰肆拾伍元伍角; whole dollars end with 正. @param {number} cents */
function inNumerals(cents) {
  const dollars = `${chinese(Math.floor(cents / 100))}元`, tenths = Math.floor((cents % 100) / 10), rest = cents % 10;
  if (!tenths && !rest) return `${dollars}正`;
  const ten = tenths ? `${NUMERALS[tenths]}角` : NUMERALS[0];
  return `${dollars}${ten}${rest ? `${NUMERALS[rest]}分` : ""}`;
}
