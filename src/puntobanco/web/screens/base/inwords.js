// An amount of money in English words, as a voucher and a receipt print it.

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
  const text = `${counted(Math.floor(cents / 100), "dollar", "dollars")} and ${counted(cents % 100, "cent", "cents")}`;
  return text[0].toUpperCase() + text.slice(1);
}
