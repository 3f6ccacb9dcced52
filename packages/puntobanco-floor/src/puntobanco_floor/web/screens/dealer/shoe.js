// A new shoe as its form says it, and as the server takes it. Pure.
import { codeIn } from "./keys.js";

/**
 * Texts by field -> what is asked besides the command. The server's own shoes have no set, no count, no card shown.
 * @param {Record<string, string | undefined>} form
 */
export function shoeAsked({ dealing, decks, source, cut, burn, first_card: first, set_id: set, counted }) {
  /** @type {Record<string, unknown>} */
  const asked = { dealing, decks: Number(decks), cut: Number(cut) };
  if (source !== undefined) asked.source = source;
  if (burn !== undefined) asked.burn = Number(burn);
  if (dealing !== "physical") return asked;
  if (first?.trim()) asked.first_card = codeIn(first) || first.trim().slice(0, 8); // what is no card the server refuses
  if (set?.trim()) asked.set_id = set.trim();
  if (counted) asked.counted = Number(counted);
  return asked;
}
