// What a browser keeps for a screen; where it may keep nothing, it lasts as long as the page.

export function kept(key, otherwise) {
  try { return JSON.parse(localStorage.getItem(key)) ?? otherwise; } catch { return otherwise; }
}

export function keep(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* not allowed */ }
}
