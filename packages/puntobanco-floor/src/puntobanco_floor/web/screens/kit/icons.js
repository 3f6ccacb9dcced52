// Line icons in a box of 24 x 24, and the mark of the house, as SVG text.

const LINES = {
  back: '<path d="M20 12H5m6-6-6 6 6 6"/>',
  buy: '<rect x="3" y="6" width="18" height="12" rx="2"/><path d="M12 9v6M9 12h6"/>',
  cards: '<rect x="4" y="6" width="11" height="15" rx="2"/><path d="M8 3h10a2 2 0 0 1 2 2v12"/>',
  cash: '<path d="M4 4h16v10H4zM8 18h8M12 8v8m-3-3 3 3 3-3"/>',
  chart: '<path d="M4 4v16h16M8 16v-5M13 16V7M18 16v-8"/>',
  check: '<path d="m5 12 5 5 9-10"/>',
  chev: '<path d="m9 6 6 6-6 6"/>',
  clear: '<path d="M5 5l14 14M19 5 5 19"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.500 2"/>',
  dl: '<path d="M12 4v11m-4-4 4 4 4-4M5 20h14"/>',
  down: '<path d="m6 9 6 6 6-6"/>',
  edit: '<path d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4"/>',
  eye: '<path d="M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7z"/><circle cx="12" cy="12" r="3"/>',
  filter: '<path d="M3 5h18l-7 8v6l-4-2v-4z"/>',
  flag: '<path d="M5 21V4h12l-2 4 2 4H5"/>',
  globe: '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c6 6 6 12 0 18M12 3c-6 6-6 12 0 18"/>',
  hand: '<path d="M8 12V6a1.500 1.500 0 0 1 3 0v5-7a1.500 1.500 0 0 1 3 0v7-5a1.500 1.500 0 0 1 3 0v8c0 5-3 7-6 7-4 0-5-2-7-7-.500-2 1-3 2.500-1z"/>',
  hist: '<circle cx="12" cy="12" r="8"/><path d="M12 7v5l4 2"/>',
  info: '<circle cx="12" cy="12" r="9"/><path d="M12 11v6M12 7v.5"/>',
  key: '<circle cx="8" cy="15" r="4"/><path d="m11 12 9-9M16 7l3 3"/>',
  left: '<path d="m15 6-6 6 6 6"/>',
  list: '<path d="M4 6h.01M4 12h.01M4 18h.01M8 6h12M8 12h12M8 18h12"/>',
  lock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  minus: '<path d="M5 12h14"/>',
  more: '<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3.500"/>',
  off: '<path d="M3 3l18 18M3 9a14 14 0 0 1 4-2.600M21 9a14 14 0 0 0-9-3.400M6.500 13a9 9 0 0 1 4-2M10 17a4 4 0 0 1 4 0"/>',
  out: '<path d="M14 4H5v16h9M10 12h11m-4-4 4 4-4 4"/>',
  pause: '<path d="M8 5v14M16 5v14"/>',
  play: '<path d="M7 5v14l12-7z"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  power: '<path d="M12 3v9M7 6a8 8 0 1 0 10 0"/>',
  print: '<path d="M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z"/>',
  rebet: '<path d="M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5"/>',
  rules: '<path d="M5 4h11l3 3v13H5zM9 9h6M9 13h6M9 17h4"/>',
  scan: '<path d="M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M4 12h16"/>',
  search: '<circle cx="11" cy="11" r="6"/><path d="m16 16 5 5"/>',
  shield: '<path d="M12 3l8 3v6c0 5-3 8-8 9-5-1-8-4-8-9V6z"/><path d="m8.500 12 2.500 2.500 4.500-5"/>',
  shoe: '<path d="M3 18V9l11-4 7 4v9zM3 13h18M8 13v5"/>',
  stop: '<path d="M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16v.5"/>',
  table: '<path d="M3 8c0 8 4 12 9 12s9-4 9-12zM7 8v1M12 8v1M17 8v1"/>',
  undo: '<path d="M8 5 3 10l5 5M3 10h9a5 5 0 0 1 0 10H8"/>',
  up: '<path d="m6 15 6-6 6 6"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4 21c1-5 4-7 8-7s7 2 8 7"/>',
  warn: '<path d="M12 4 2.500 20h19zM12 10v5M12 17.500v.5"/>',
  wifi: '<path d="M3 9a14 14 0 0 1 18 0M6.500 13a9 9 0 0 1 11 0M10 17a4 4 0 0 1 4 0"/>',
  x2: '<path d="M4 8l7 8M11 8l-7 8M15 10a3 3 0 1 1 5 2l-5 5h6"/>',
};

const STROKES = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';

export const ICONS = Object.keys(LINES);

/** Silent for a reader: the words beside it speak. Colour is the text's. @param {string} name @param {number} [size] */
export function icon(name, size = 20) {
  const drawing = LINES[name];
  if (!drawing) throw new RangeError(`there is no icon ${name}; there are ${ICONS.join(", ")}`);
  return (
    `<svg class="icon" width="${size}" height="${size}" viewBox="0 0 24 24" ${STROKES} aria-hidden="true">` +
    `${drawing}</svg>`
  );
}

/** @param {number} [size] */
export function logo(size = 30) {
  return (
    `<svg class="logo" width="${size}" height="${size}" viewBox="0 0 40 40" aria-hidden="true">` +
    '<rect x="4" y="7" width="20" height="28" rx="4" fill="#1f57c4" transform="rotate(-9 14 21)"/>' +
    '<rect x="15" y="5" width="20" height="28" rx="4" fill="#b92b25" transform="rotate(9 25 19)"/>' +
    '<path d="M20 12l3 6 6.500.6-5 4.300 1.600 6.500L20 26l-6.100 3.400 1.600-6.500-5-4.300L17 18z" fill="#e6c274"/>' +
    "</svg>"
  );
}
