// What a spot pays, in the few words that fit on it. Pure.

// The hand that every condition of a bet speaks of needs no words, nor what all of them end with.
const PREFIX = { en: /^(Player|Banker) (?:has )?/, zh: /^(閒|莊)有?/ };
const BOTH = { en: [/^Player has (.+) and Banker has \1$/, "both $1"], zh: [/^閒(.+)且莊\1$/, "雙方$1"] };
const ENDS = { en: [/ are dealt$/, ""], zh: [/^該局共派/, ""] };

const text = (line, field, lang) => (lang === "zh" && line[`${field}_zh`]) || line[field];

export function payLines(bet, lang) {
  const whens = bet.lines.map((line) => text(line, "when", lang).replace(...BOTH[lang]).replace(...ENDS[lang]));
  const hands = new Set(whens.filter(Boolean).map((when) => PREFIX[lang].exec(when)?.[1] ?? ""));
  const bare = hands.size === 1 ? (when) => when.replace(PREFIX[lang], "") : (when) => when;
  const lines = bet.lines.map((line, i) => ({
    when: bare(whens[i]), pays: text(line, "pays", lang), means: text(line, "means", lang), bonus: line.bonus,
    clause: line.clause,
  }));
  const plain = lines.filter((line) => !line.bonus);
  return [
    ...plain.filter((line) => !line.when), ...plain.filter((line) => line.when), ...lines.filter((line) => line.bonus),
  ];
}

/** What every line asks for, where the title does not say it. */
export const asked = (bet, lang) => text(bet, "asks", lang);
