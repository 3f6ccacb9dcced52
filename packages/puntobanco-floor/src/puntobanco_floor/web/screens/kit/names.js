// Names as the public screens write them: a game's short name, the rulebook behind it, and what a round came to.
import { either } from "../base/words.js";

/** @import { Words as Bilingual } from "server" */

const KIND = /\s*\bNon?[- ]Commission Baccarat\b(?:\s+with)?\s*/i;
const KIND_ZH = "免佣百家樂";
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A title in its two parts: "6 Star No Commission Baccarat" is "6 Star", and the kind of game.

A title of another form is whole, and one without Chinese has no `zh`. */
/** @param {Bilingual} words */
export function titleParts({ en: title, zh: chinese }) {
  const zh = chinese === title ? "" : chinese;
  const kind = KIND.exec(title)?.[0].trim().replace(/\s+with$/i, "") ?? "";
  const name = title.replace(KIND, " ").trim();
  const han = zh.replace(KIND_ZH, "").trim();
  const split = Boolean(kind && name);
  const kindZh = han && han !== zh ? KIND_ZH : "";
  return { name: split ? name : title, kind: split ? kind : "", zh: han || zh, kind_zh: kindZh };
}

/**
 * The rule set and its date: "MBS rules, 17 Mar 2017". It names the source of the rules, not who runs the table.
 * @param {string} rules @param {string} [lang]
 */
export function rulesLine(rules, lang = "en") {
  const found = /^([a-z]+)-.*?-(\d{4})-(\d\d)-(\d\d)(?: \S+)?$/.exec(rules);
  if (!found) return rules.startsWith("house") ? either(lang, "House rules", "自訂規則") : rules;
  const [, house, year, month, day] = found;
  const name = house.toUpperCase();
  const chinese = `${name} 規則，${year}年${Number(month)}月${Number(day)}日`;
  return either(lang, `${name} rules, ${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`, chinese);
}

/** A result's winner: "B", "P" or "T"; null where there is none, or the round was void. @param {string} result */
export const winnerOf = (result) => (result && "BPT".includes(result[0]) ? result[0] : null);

const WON = { B: ["Banker wins", "莊贏"], P: ["Player wins", "閒贏"], T: ["Tie", "和局"] };

/** "Banker wins, 6 over 4", "Tie at 6"; without the points where they are not known. */
export function outcome({ result, player, banker }, lang = "en") {
  const winner = winnerOf(result);
  if (!winner) return either(lang, "Void", "此局作廢");
  const [en, zh] = WON[winner];
  if (player === null || banker === null) return either(lang, en, zh);
  if (winner === "T") return either(lang, `${en} at ${player}`, `${zh}，各 ${player} 點`);
  const [high, low] = winner === "P" ? [player, banker] : [banker, player];
  return either(lang, `${en}, ${high} over ${low}`, `${zh}，${high} 點對 ${low} 點`);
}
