// What was put right in a round, in words: cards that had been entered otherwise, cards put in their true order. Pure.
import { either } from "../base/words.js";
import { cardName } from "./cards.js";

const SIDES = { p: ["Player", "閒"], b: ["Banker", "莊"] };
const NTH = { 1: ["first", "第一張牌"], 2: ["second", "第二張牌"], 3: ["third", "第三張牌"] };

/** "Player's first card", "閒第一張牌" @param {string} slot @param {string} lang */
export function placeName(slot, lang) {
  const [side, nth] = [SIDES[slot[0]], NTH[slot[1]]];
  return either(lang, `${side[0]}’s ${nth[0]} card`, `${side[1]}${nth[1]}`);
}

/** A sentence for each, in the order of the cards; none where nothing was put right. */
export function correctionsTold({ corrected, reconstructed }, lang) {
  const told = (corrected ?? []).map((one) => cardTold(one, lang));
  return reconstructed ? [orderTold(reconstructed, lang), ...told] : told;
}

function cardTold({ slot, before, after }, lang) {
  const place = placeName(slot, lang), [is, was] = [cardName(after, lang), cardName(before, lang)];
  const english = `Corrected: ${place} is the ${is}; it had been entered as the ${was}.`;
  return either(lang, english, `更正：${place}為${is}，先前輸入為${was}。`);
}

function orderTold({ title: { en, zh } }, lang) {
  return either(lang, `The cards were put in their true order: ${en}.`, `牌張已按原定次序還原：${zh}。`);
}
