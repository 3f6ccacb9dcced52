// What a spot pays, in the few words that fit on it. Pure.
import { han, isChinese } from "../base/words.js";

// The hand that every condition of a bet speaks of needs no words, nor what all of them end with.
const PREFIX = { en: /^(Player|Banker) (?:has )?/, zh: /^(閒|莊)有?/ };
const BOTH = { en: [/^Player has (.+) and Banker has \1$/, "both $1"], zh: [/^閒(.+)且莊\1$/, "雙方$1"] };
const ENDS = { en: [/ are dealt$/, ""], zh: [/^該局共派/, ""] };

const text = (words, lang) => words?.[lang] ?? "";

// Words are taken apart as they are written, and put into the script of the page afterwards.
const written = (lang) => (isChinese(lang) ? "zh" : "en");

export const payLines = (bet, lang) => linesOf(bet, written(lang)).map((line) => ({
  ...line, when: han(lang, line.when), pays: han(lang, line.pays), means: han(lang, line.means),
}));

function linesOf(bet, lang) {
  const whens = bet.lines.map((line) => text(line.when, lang).replace(...BOTH[lang]).replace(...ENDS[lang]));
  const hands = new Set(whens.filter(Boolean).map((when) => PREFIX[lang].exec(when)?.[1] ?? ""));
  const bare = hands.size === 1 ? (when) => when.replace(PREFIX[lang], "") : (when) => when;
  const lines = bet.lines.map((line, i) => ({
    when: bare(whens[i]), pays: text(line.pays, lang), means: text(line.means, lang), bonus: line.bonus,
    clause: line.clause, place: i,
  }));
  const plain = lines.filter((line) => !line.bonus);
  return [
    ...plain.filter((line) => !line.when), ...plain.filter((line) => line.when), ...lines.filter((line) => line.bonus),
  ];
}

/** What every line asks for, where the title does not say it. */
export const asked = (bet, lang) => han(lang, text(bet.asks, written(lang)));

// In a sentence that begins with the bet's title the hand of the bet needs no words either.
const ON = [/^wins on /, "on "];

/** "Banker pays 1 to 2 on six", "莊以六點勝出，1 賠 0.5" */
export const lineSaid = (lang, bet, line) => han(lang, lineIn(written(lang), bet, line));

function lineIn(lang, bet, line) {
  const title = text(bet.title, lang), when = text(line.when, lang), odds = text(line.pays, lang);
  const isOwn = PREFIX[lang].exec(when)?.[1] === OWN[lang][bet.hand];
  const bare = isOwn ? when.replace(PREFIX[lang], "") : when;
  if (lang === "zh") return when ? `${isOwn ? title : `${title}：`}${bare}，${odds}` : `${title} ${odds}`;
  const why = bare.replace(...ON);
  return `${title} pays ${odds}${why ? `${why === bare ? ":" : ""} ${why}` : ""}`;
}

const OWN = { en: { player: "Player", banker: "Banker" }, zh: { player: "閒", banker: "莊" } };
