// What a browser keeps for a screen; where it may keep nothing, it lasts as long as the page.

/**
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function kept(key, otherwise) {
  try { return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise; } catch { return otherwise; }
}

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* not allowed */ }
}

/** @param {string} key */
export function forget(key) {
  try { localStorage.removeItem(key); } catch { /* not allowed */ }
}
