// What became of proposals: which of them are news to whoever looks, and in which words. Pure.
import { either, isChinese, words } from "./words.js";

/** @import { Decided } from "server" */
/** @import { Language } from "./words.js" */
/** @typedef {Omit<Decided, "about"> & { place?: string }} Decision */

/** What a decision is known by: the proposal's number, and its place where there are several. @param {Decision} one */
export const decidedKey = ({ place, proposal }) => (place ? `${place} ${proposal}` : proposal);

/**
 * Decisions that are new; at first (`before` is null) those on this person's proposals that are not among `read`.
 * @template {Decision} D
 * @param {D[] | null} before
 * @param {D[]} after
 * @param {{ name?: string, read?: (string | number)[] }} reader
 */
export function news(before, after, { name, read = [] }) {
  const known = new Set(before ? before.map(decidedKey) : read);
  const isNew = (/** @type {Decision} */ one) => !known.has(decidedKey(one)) && (before || one.asked_by === name);
  return after.filter((one) => isNew(one) && decider(one) !== name);
}

// A proposal that lapsed was decided by nobody.
/** @param {Decision} one */
const decider = ({ outcome, by, asked_by: asker }) => (outcome === "withdrawn" ? asker : by);

const t = words({
  approved: ["{0} approved: {1}.", "{0} 核准：{1}。"],
  rejected: ["{0} rejected: {1}.", "{0} 否決：{1}。"],
  withdrawn: ["{0} withdrew: {1}.", "{0} 撤回：{1}。"],
  lapsed: ["Lapsed: {1}.", "已失效：{1}。"],
  reason: ["The reason: {0}", "原因：{0}"],
  "void-round": ["void the round", "該局作廢"], reconstruct: ["put the cards in order", "還原次序"],
  resume: ["go on with the round", "繼續該局"], reopen: ["reopen the round", "重開該局"],
  "correct-card": ["correct a card", "更正牌張"], "burn-cards": ["burn cards", "棄牌"],
  "buy-in": ["a large buy-in", "大額買入"], "cash-out": ["a hand pay", "人手支付"],
  "load-credits": ["a load of credits", "存入餘額"], adjust: ["pay what a ruling awards", "支付裁決補付款項"],
  "sell-voucher": ["sell a large voucher", "售出大額票券"], "pay-voucher": ["pay a voucher", "兌付票券"],
  "add-staff": ["a new account", "新增職員"], "change-staff": ["change an account", "更改職員"],
  "allow-game": ["allow a game", "核准遊戲"],
  "readmit-patron": ["readmit a patron", "恢復客人參與"],
});

// Why it lapsed, in the journal's words.
/** @type {Record<string, string[]>} */
const LAPSED = {
  settled: ["The round was settled.", "該局已結算。"], void: ["The round is void.", "該局已作廢。"],
  resumed: ["The round went on.", "該局已繼續。"], reconstructed: ["The cards were put in order.", "次序已還原。"],
  reopened: ["The round was reopened.", "該局已重開。"], closed: ["The table was closed.", "賭枱已關閉。"],
  corrected: ["The card was corrected.", "該牌已更正。"], shoe: ["The shoe ended.", "該靴已結束。"],
};

/** "sue rejected: void the round. The reason: …" @param {Language} lang @param {Decision} one */
export function decidedWords(lang, one) {
  const what = t(lang, one.outcome, decider(one), t(lang, one.command));
  const gap = isChinese(lang) ? "" : " ";
  const [en, zh] = LAPSED[one.reason] ?? [one.reason, one.reason];
  if (one.outcome === "lapsed") return `${what}${gap}${either(lang, en, zh)}`;
  return one.reason ? `${what}${gap}${t(lang, "reason", one.reason)}` : what;
}
