// Suits and pictures of both decks: names, inks and drawings, in boxes of their own.

export const PAPER = "#fffdf6";

const fire = (ink, gap) =>
  `<path fill="${ink}" d="M53 3c4 22 31 33 31 61 0 20-14 33-34 33S16 84 16 64c0-15 9-24 16-36 2 11 6 16 12 17-3-16-1-31 9-42z"/>` +
  `<path fill="${gap}" d="M51 52c4 11 14 15 14 27 0 9-6 14-15 14s-15-5-15-14c0-11 12-15 16-27z"/>`;
const gold = (ink, gap) =>
  `<path fill="${ink}" d="M3 38c9 5 18 5 27 1 4-20 36-20 40 0 9 4 18 4 27-1 0 30-18 46-47 46S3 68 3 38z"/>` +
  `<path fill="none" stroke="${gap}" stroke-width="6" stroke-linecap="round" d="M31 50c11 7 27 7 38 0"/>`;
const earth = (ink, gap) =>
  `<path fill="${ink}" stroke="${ink}" stroke-width="6" stroke-linejoin="round" d="M6 84 37 22l17 33 10-15 30 44z"/>` +
  `<path fill="none" stroke="${gap}" stroke-width="6" stroke-linejoin="round" stroke-linecap="round" ` +
  `d="M27 46l10 9 10-9"/>`;
const wood = (ink, gap) =>
  `<path fill="${ink}" d="M50 2c38 22 44 58 4 83v13h-8V85C6 60 12 24 50 2z"/>` +
  `<path fill="none" stroke="${gap}" stroke-width="5" stroke-linecap="round" ` +
  `d="M50 26v56M50 50l15-14M50 50 35 36M50 68l17-15M50 68 33 53"/>`;
const wave = (ink, y) =>
  `<path fill="none" stroke="${ink}" stroke-width="14" stroke-linecap="round" ` +
  `d="M9 ${y}c10-15 18-15 28 0s18 15 28 0 17-13 26-2"/>`;
const water = (ink) => [22, 50, 78].map((y) => wave(ink, y)).join("");
const spades = (ink) =>
  `<path fill="${ink}" d="M50 3c10 20 43 33 43 58 0 21-26 26-37 9 1 12 5 20 13 27H31c8-7 12-15 13-27-11 17-37 12-37-9C7 36 40 23 50 3z"/>`;
const hearts = (ink) =>
  `<path fill="${ink}" d="M50 96C34 74 5 58 5 33 5 5 40 1 50 27 60 1 95 5 95 33c0 25-29 41-45 63z"/>`;
const diamonds = (ink) =>
  `<path fill="${ink}" d="M50 2c10 18 22 33 36 48-14 15-26 30-36 48-10-18-22-33-36-48C28 35 40 20 50 2z"/>`;
const clubs = (ink) =>
  `<path fill="${ink}" d="M50 3a22 22 0 0 1 18 35 22 22 0 1 1-12 33c1 11 5 19 12 26H32c7-7 11-15 12-26a22 22 0 1 1-12-33A22 22 0 0 1 50 3z"/>`;

// Inks hold 4.5 to 1 on card white; an element also prints its character.
export const SUITS = {
  s: { en: "Spades", zh: "黑桃", ink: "#15181d", draw: spades },
  h: { en: "Hearts", zh: "紅心", ink: "#c01f2e", draw: hearts },
  d: { en: "Diamonds", zh: "方塊", ink: "#c01f2e", draw: diamonds },
  c: { en: "Clubs", zh: "梅花", ink: "#15181d", draw: clubs },
  f: { en: "Fire", zh: "火", ink: "#c62f1b", draw: fire, element: true },
  g: { en: "Gold", zh: "金", ink: "#966a00", draw: gold, element: true },
  e: { en: "Earth", zh: "土", ink: "#6f3f22", draw: earth, element: true },
  w: { en: "Wood", zh: "木", ink: "#1b7a3e", draw: wood, element: true },
  a: { en: "Water", zh: "水", ink: "#1760b8", draw: water, element: true },
};

// Pictures and their names; the three stars have a character that is their seal. `courts.js` and `stars.js` draw them.
/** @type {Record<string, { en: string, zh: string, seal?: string }>} */
export const PICTURES = {
  S: { en: "Sau", zh: "壽", seal: "壽" }, L: { en: "Luk", zh: "祿", seal: "祿" }, F: { en: "Fuk", zh: "福", seal: "福" },
  J: { en: "Jack", zh: "J" }, Q: { en: "Queen", zh: "Q" }, K: { en: "King", zh: "K" },
};

/**
 * A suit alone, for a key or a label: `suitIcon("f", 24)`. On a dark ground pass a lighter ink.
 * @param {string} suit @param {number} size
 */
export function suitIcon(suit, size, { ink = SUITS[suit].ink, gap = PAPER } = {}) {
  const drawn = SUITS[suit].draw(ink, gap);
  return `<svg width="${size}" height="${size}" viewBox="0 0 100 100" aria-hidden="true">${drawn}</svg>`;
}

/** The same at a place inside a card. @param {string} suit @param {number} x @param {number} y @param {number} size */
export function pip(suit, x, y, size) {
  const { ink, draw } = SUITS[suit];
  return `<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 100 100">${draw(ink, PAPER)}</svg>`;
}
