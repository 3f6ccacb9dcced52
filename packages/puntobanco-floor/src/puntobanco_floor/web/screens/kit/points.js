// What a hand counts, of the cards that are seen.

const worth = (/** @type {string} */ code) => (code[0] === "A" ? 1 : Number(code[0]) || 0);

/** @param {Record<string, string>} cards @param {string} hand */
export function points(cards, hand) {
  const codes = ["1", "2", "3"].map((n) => cards[hand + n]).filter(Boolean);
  return codes.reduce((total, code) => total + worth(code), 0) % 10;
}

/**
 * Both totals without the cards that lie face down or have yet to land; none for a hand of which nothing is seen.
 * @param {Record<string, string>} cards @param {(slot: string) => boolean} isHidden
 */
export function totalsSeen(cards, isHidden) {
  const seen = Object.fromEntries(Object.entries(cards).filter(([slot]) => !isHidden(slot)));
  const total = (/** @type {string} */ hand) =>
    (Object.keys(seen).some((slot) => slot[0] === hand) ? points(seen, hand) : null);
  return { player: total("p"), banker: total("b") };
}
