// The three stars of the element deck, 壽 祿 福, and the characters of the elements: drawn, so that no font is needed.

// Characters as strokes in a box of 100 x 100.
/** @type {Record<string, string>} */
const STROKES = {
  火: "M50 8v30q-4 32-38 52M50 38q6 32 38 52M24 34q2 14-8 24M78 32q-4 12-14 20",
  金: "M50 8q-14 22-42 36M50 8q14 22 42 36M32 44h36M20 62h60M50 44v44M30 70l7 12M70 70l-7 12M12 90h76",
  土: "M22 40h56M50 12v74M10 88h80",
  木: "M10 34h80M50 8v84M50 34q-10 28-40 44M50 34q10 28 40 44",
  水: "M50 8v72q0 10-14 8M12 36h26q-4 26-30 42M84 24q-10 12-26 22M56 36q12 30 36 42",
  壽: "M14 13h72M50 4v18M22 23h56M10 33h80M24 43h46q7 0 7 7v4M12 55h52M88 49v12H12" +
    "M12 71h26v21H12zM50 71h40M74 63v26q0 6-10 5M54 80l7 8",
  祿: "M26 5l7 9M10 22h34q-8 18-34 34M28 40v54M36 48l10 9" +
    "M66 5L56 19h31l-6 15M60 27h22M50 35h44M72 35v51q0 8-10 6M66 54L52 44M66 62L50 80M76 50l14-8M76 58l16 24",
  福: "M26 5l7 9M10 22h34q-8 18-34 34M28 40v54M36 48l10 9M52 10h42M58 20h30v16H58zM54 48h38v42H54zM54 69h38M73 48v42",
};

/** One of them, in a square at a place. @param {string} han @param {number} x @param {number} y @param {number} size */
export function glyph(han, x, y, size, ink = "currentColor", width = 9) {
  return (
    `<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 100 100"><path fill="none" stroke="${ink}" ` +
    `stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" d="${STROKES[han]}"/></svg>`
  );
}

const GOLD = "#dba93a", DEEP = "#a87717", PAPER = "#fffdf6";
const LINES = 'stroke-width="3" stroke-linejoin="round" stroke-linecap="round"';

// Peaches on their branch, the hat of an official, a bat that brings a coin: each above the seal, and turned below.
/** @type {Record<string, (ink: string) => string>} */
const MOTIFS = {
  S: (ink) =>
    `<g stroke="${ink}" ${LINES}>` +
    `<path fill="#fbe3cf" d="M104 62c22-10 32 18 10 36-6 5-9 7-11 10-2-3-6-5-11-10-22-18-9-46 12-36z"/>` +
    `<path fill="#fbe3cf" d="M149 50c20-9 29 16 9 33-5 4-8 6-10 9-2-3-5-5-10-9-20-17-8-42 11-33z"/>` +
    `<path fill="none" d="M104 64c6 9 6 20 2 30M149 52c5 8 5 18 2 27M84 40c22-10 46-10 70 4M104 62q2-16 8-27M149 50q0-6-6-11"/>` +
    `<path fill="${ink}" d="M98 38c-8-12-20-13-28-6 6 10 18 12 28 6zM122 35c2-10 12-12 20-8-2 8-10 13-20 8z"/></g>`,
  L: (ink) =>
    `<g stroke="${ink}" ${LINES}>` +
    `<path fill="${GOLD}" d="M100 88c-10-9-22-10-27-4s4 13 27 10zM150 88c10-9 22-10 27-4s-4 13-27 10z"/>` +
    `<path fill="${ink}" d="M100 82q-2-16 10-19 1-17 15-21 14 4 15 21 12 3 10 19z"/>` +
    `<path fill="none" stroke="${PAPER}" stroke-width="2.400" d="M111 64q14-5 28 0"/>` +
    `<path fill="${ink}" d="M97 82h56v12q-28 10-56 0z"/>` +
    `<path fill="none" stroke="${GOLD}" d="M98 84q27 9 54 0"/>` +
    `<circle cx="125" cy="74" r="6.500" fill="${GOLD}" stroke="none"/>` +
    `<circle cx="125" cy="74" r="2.400" fill="${ink}" stroke="none"/>` +
    `<path fill="none" d="M104 40q-1-7 6-7 3-8 15-8t15 8q7 0 6 7"/></g>`,
  F: (ink) =>
    `<g stroke="${ink}" ${LINES}>` +
    `<path fill="${ink}" d="M116 58C106 40 90 38 73 42c6 5 8 12 6 21 7-3 12-1 15 6 7-4 13-2 16 5 5-3 9-1 11 4h8c2-5 6-7 11-4 ` +
    `3-7 9-9 16-5 3-7 8-9 15-6-2-9 0-16 6-21-17-4-33-2-43 16z"/>` +
    `<path fill="none" stroke="${PAPER}" stroke-width="2.200" d="M83 49q17 0 27 16M94 69q-1-12-6-18M167 49q-17 0-27 16M156 69q1-12 6-18"/>` +
    `<path fill="${ink}" d="M114 56l-3-17 9 8h10l9-8-3 17q0 24-11 30-11-6-11-30z"/>` +
    `<circle cx="120.500" cy="58" r="3" fill="${GOLD}" stroke="none"/>` +
    `<circle cx="129.500" cy="58" r="3" fill="${GOLD}" stroke="none"/>` +
    `<path fill="none" d="M125 86v7"/><circle cx="125" cy="103" r="10" fill="${GOLD}"/>` +
    `<path fill="${PAPER}" stroke="none" d="M121 99h8v8h-8z"/></g>`,
};
const FRET = "M78 44V36H86V44H92M172 44V36H164V44H158"; // in the corners, as on a chest

/** A star between the indices. @param {string} rank @param {string} han @param {string} ink */
export function star(rank, han, ink) {
  const half =
    `<path fill="none" stroke="${GOLD}" stroke-width="2.500" d="${FRET}"/>` +
    `<g transform="translate(0 2)">${MOTIFS[rank](ink)}</g>`;
  return (
    `<rect x="64" y="22" width="122" height="306" rx="8" fill="${ink}" fill-opacity=".08"/>` +
    `<rect x="70" y="28" width="110" height="294" rx="5" fill="none" stroke="${GOLD}" stroke-width="2"/>` +
    `<g>${half}</g><g transform="rotate(180 125 175)">${half}</g>` +
    `<circle cx="125" cy="175" r="54" fill="${ink}"/>` +
    `<circle cx="125" cy="175" r="54" fill="none" stroke="${DEEP}" stroke-width="5"/>` +
    `<circle cx="125" cy="175" r="54" fill="none" stroke="${GOLD}" stroke-width="2.500"/>` +
    `${glyph(han, 91, 141, 68, PAPER, 7.5)}` +
    `<rect x="64" y="22" width="122" height="306" rx="8" fill="none" stroke="${ink}" stroke-width="2.500"/>`
  );
}
