// What a spot pays, in the few words that fit on it. Pure.

// The hand that every condition of a bet speaks of needs no words, nor what all of them end with.
const PREFIX = { en: /^(Player|Banker) has /, zh: /^(閒|莊)有?/ };
const BOTH = { en: [/^Player has (.+) and Banker has \1$/, "both $1"], zh: [/^閒(.+)且莊\1$/, "雙方$1"] };
const ENDS = { en: [/ are dealt$/, ""], zh: [/^該局共派/, ""] };

const text = (line, field, lang) => (lang === "zh" && line[`${field}_zh`]) || line[field];

export function payLines(bet, lang) {
  const whens = bet.lines.map((line) => text(line, "when", lang).replace(...BOTH[lang]).replace(...ENDS[lang]));
  const hands = new Set(whens.filter(Boolean).map((when) => PREFIX[lang].exec(when)?.[1] ?? ""));
  const bare = hands.size === 1 ? (when) => when.replace(PREFIX[lang], "") : (when) => when;
  const lines = bet.lines.map((line, i) => ({
    when: bare(whens[i]), pays: grouped(text(line, "pays", lang)), bonus: line.bonus, clause: line.clause,
  }));
  const plain = lines.filter((line) => !line.bonus);
  return [
    ...plain.filter((line) => !line.when), ...plain.filter((line) => line.when), ...lines.filter((line) => line.bonus),
  ];
}

const grouped = (words) => words.replace(/\d{4,}/g, (n) => n.replace(/\B(?=(\d{3})+$)/g, ","));

// Three or more odds "to 1" in a row of figures: only the last says so.
const TO_ONE = { en: /^(\S+) to 1$/, zh: /^1 賠 (\S+)$/ };

export function inARow(lines, lang) {
  if (lines.length < 3 || !lines.every((line) => line.when && TO_ONE[lang].test(line.pays))) return lines;
  const unit = (line) => /^\d+(.*)$/.exec(line.when)?.[1] ?? line.when;
  const same = lines.every((line) => unit(line) === unit(lines[0]));
  const short = (line, i) => (same && i > 0 ? parseInt(line.when, 10) : line.when);
  const figure = (line, i) => ({ ...line, when: short(line, i), pays: TO_ONE[lang].exec(line.pays)[1] });
  return lines.map((line, i) => (i < lines.length - 1 ? figure(line, i) : line));
}
