// The audit's words in English and Traditional Chinese: kinds of records, accounts, places of cards.
import { terminalOf } from "../base/voucher.js";
import { isChinese, pageLanguage, saidHere, texts } from "../base/words.js";
import { cardName, isCard } from "../kit/cards.js";

/** @import { Words as Bilingual } from "server" */

export const WORDS = [
  ["All", "全部"],
  ["Wagers", "投注"],
  ["Cards", "牌張"],
  ["Decisions", "決定"],
  ["Money", "款項"],
  ["Table", "賭枱"],
  ["House", "本場"],
  ["Guest {0}", "訪客 {0}"],
  ["Table {0}", "賭枱 {0}"],
  ["Cage window {0}", "{0} 號帳房窗口"],
  ["The house", "本場"],
  ["Credits, {0}", "餘額，{0}"],
  ["Wagers in play", "進行中的投注"],
  ["Bonuses", "獎金"],
  ["Cash at the cage", "帳房現金"],
  ["Vouchers", "票券"],
  ["Not recovered", "未復原"], ["Adjustments", "補付"],
  ["Player", "閒"],
  ["Banker", "莊"],
  ["{0} {1}, {2}", "{0} {1}，{2}"],
  ["{0} s", "{0} 秒"],
  ["none", "無"],
  ["One moment: the journal is being read.", "請稍候：正在讀取記錄。"],
  ["Verification", "驗證"],
  ["Audit", "審計"],
  ["reading what is known", "正在讀取"],
  ["Not verified since the server started", "伺服器啟動後未經驗證"],
  [
    "chain, signatures, every state, every settlement and every cent can be recomputed from the journal",
    "鏈接、簽署、每個狀態、每次結算及每一分錢均可由記錄重新計算",
  ],
  ["Recomputing everything", "正在全部重新計算"],
  ["{0} of {1} records, {2}", "{0}／{1} 項記錄，{2}"],
  ["Records recomputed", "已重新計算的記錄"],
  ["Broken at {0}, record {1}", "於{0}第 {1} 項記錄中斷"],
  ["Broken", "記錄中斷"],
  ["Journal verified, no breaks", "記錄已驗證，沒有中斷"],
  ["Verify again", "再次驗證"],
  ["Verify now", "立即驗證"],
  ["Verifying…", "驗證中…"],
  ["chain says", "鏈接所示"],
  ["bytes are", "實際內容"],
  ["Show the record", "顯示該記錄"],
  ["recomputed {0}, {1}; {2} records since", "於 {0} 重新計算，{1}；其後 {2} 項記錄"],
  ["recomputed {0}, {1}", "於 {0} 重新計算，{1}"],
  ["{0} records", "{0} 項記錄"],
  ["{0} streams, {1} signatures", "{0} 組，{1} 個簽署"],
  ["ledger out of balance", "帳目差額"],
  ["Replay equal", "重演一致"],
  ["{0} settled rounds, {1} void", "已結算 {0} 局，作廢 {1} 局"],
  ["What cannot be proved before something else has happened", "須待其他事項發生後方可證明"],
  ["{0} open", "{0} 項待證"], ["{0} rulings to look at", "{0} 項裁決待查看"],
  ["Voids that this program would refuse; the journal holds", "本程式會拒絕的作廢；記錄簿仍然成立"],
  ["Export CSV", "匯出 CSV"],
  ["{0}, one line a record, with its hash", "{0}，每項記錄一行，連雜湊值"],
  ["The whole stream", "全部記錄"],
  ["From round", "由第幾局"],
  ["to", "至"],
  ["These rounds", "匯出這些局"],
  ["Journal", "記錄"],
  ["Stream", "記錄組"],
  ["times of {0}", "時間按 {0}"],
  ["Records", "記錄"],
  [", ", "，"],
  ["What is listed", "列出內容"],
  ["Round", "局"],
  ["settled", "已結算"],
  ["void", "作廢"],
  ["betting", "投注中"],
  ["closed", "截止投注"],
  ["dealing", "派牌中"],
  ["stopped", "暫停"],
  ["Shoe {0}, round {1}", "第 {0} 靴，第 {1} 局"],
  ["Round {0}", "第 {0} 局"],
  ["Kinds of records", "記錄種類"],
  ["Filter: words, a clause, a name", "篩選：文字、條款或名稱"],
  ["Filter, /", "篩選，/"],
  ["One moment.", "請稍候。"],
  ["No record of this kind.", "沒有此類記錄。"],
  ["Older", "較舊"],
  ["{0} of {1} records, newest first", "{0}／{1} 項記錄，由新至舊"],
  ["the beginning", "最初"],
  ["; {0} wagers folded", "；{0} 項投注已合併"],
  ["records {0} to {1}{2}", "第 {0} 至 {1} 項記錄{2}"],
  ["settlement", "結算"],
  ["wagers returned", "退回投注"],
  ["settlement taken back", "撤銷結算"],
  ["Lines of the settlement", "結算明細"],
  ["{0} more lines; the CSV has them.", "另有 {0} 行，見 CSV 檔。"],
  ["No wagers in this round.", "該局沒有投注。"],
  ["Settlement", "結算"],
  ["Not settled yet.", "尚未結算。"],
  ["Choose a record of a round.", "請選擇一局的記錄。"],
  ["credits {0} before, {1} after", "餘額：之前 {0}，之後 {1}"],
  ["Session", "時段"],
  ["{0} lines, {1} sessions", "{0} 行，{1} 個時段"],
  ["no wagers", "沒有投注"],
  ["Wager", "投注"],
  ["Stake", "注額"],
  ["Clause", "條款"],
  ["Pays", "賠率"],
  ["Win", "贏額"],
  ["Paid", "派彩"],
  ["Agrees", "相符"],
  ["Total", "合計"],
  ["agrees with the rules", "與規則相符"],
  ["does not agree with the rules", "與規則不符"],
  ["wins", "贏"],
  ["loses", "輸"],
  ["pushes", "退回本金"],
  ["returned", "退回"],
  ["sum {0}", "合計 {0}"],
  ["Ledger postings", "帳目分錄"],
  ["record {0}", "第 {0} 項記錄"],
  ["No money moves in this record.", "此記錄沒有款項轉移。"],
  ["Postings", "分錄"],
  ["Record {0}", "記錄 {0}"],
  ["The record as it is written", "記錄原文"],
  ["Choose a record.", "請選擇記錄。"],
  ["Copy record", "複製記錄"],
  ["hash agrees", "雜湊值相符"],
  ["hash does not agree", "雜湊值不符"],
  ["Dispute pack, round {0}", "爭議資料，第 {0} 局"],
  ["but it is", "實為"],
  ["the chain says", "鏈接所示"],
  ["previous", "上一項"],
  ["this", "本項"],
  ["by", "由"],
  ["command", "指令"],
  ["body", "內容"],
  ["Hashes of secrets are withheld; the hash above is of the whole record.", "機密內容的雜湊值不予顯示；以上為整項記錄的雜湊值。"],
  ["Replay", "重演"],
  ["rebuilt from the journal alone", "只由記錄重建"],
  ["record {0} of {1}", "第 {0}／{1} 項記錄"],
  ["Checks", "核對"],
  [
    "The journal does not hold at record {0}, so that its round is not told again. The record as it lies "
      + "there now is on the right.",
    "記錄在第 {0} 項不成立，因此不重演該局。右方為該項記錄現時的內容。",
  ],
  ["This stream has no rounds.", "此記錄組沒有牌局。"],
  ["card {0}", "第 {0} 張"],
  ["Card {0}: {1}", "第 {0} 張：{1}"],
  [", Banker {0}", "，莊 {0}"],
  ["Player {0}{1}", "閒 {0}{1}"],
  ["By {0}, {1}.", "由 {0}，{1}。"],
  ["The dimmed cards were not needed, and are burned.", "變暗的牌無須使用，已棄置。"],
  ["Corrected", "已更正"],
  [", record {0}: {1}", "，第 {0} 項記錄：{1}"],
  ["As it lay", "原來次序"],
  ["As it should be", "應有次序"],
  ["{0} asked for {1}, {2} approved, {3}, record {4}", "{0} 要求{1}，{2} 核准，{3}，第 {4} 項記錄"],
  ["{0} asked for {1}, {2} turned it down, {3}, record {4}", "{0} 要求{1}，{2} 否決，{3}，第 {4} 項記錄"],
  ["The checks follow when the round is settled.", "該局結算後顯示核對結果。"],
  ["Check", "核對"],
  ["Expected", "應為"],
  ["Recorded", "記錄"],
  ["agrees", "相符"],
  ["does not agree", "不符"],
  ["Previous record", "上一項記錄"],
  ["Pause", "暫停"],
  ["Play", "播放"],
  ["Next record", "下一項記錄"],
  ["Record", "記錄"],
  ["The server does not answer.", "伺服器沒有回應。"],
];
export const t = texts(WORDS);

export const GROUPS = [
  ["", "All"], ["wagers", "Wagers"], ["cards", "Cards"], ["decisions", "Decisions"], ["money", "Money"],
  ["table", "Table"], ["house", "House"],
];

/** A kind with spaces, in capitals: FloorStopped -> FLOOR STOPPED @param {string} kind */
export const kindName = (kind) => kind.replace(/([a-z])([A-Z])/g, "$1 $2").toUpperCase();

const isGuest = (session) => /^g[0-9a-f]{16}$/.test(session);

/** @param {string} session */
export const sessionName = (session) =>
  terminalOf(session) || (isGuest(session) ? t("Guest {0}", session.slice(1, 5)) : session);

const HANDS = { p: "Player", b: "Banker" };
const named = (code) => (isCard(code) ? cardName(code) : code);

const SESSION = /\bg[0-9a-f]{16}\b|\b[\w.-]+:[0-9a-f]{12}\b/g;

/** The clause stands beside it already, and a session is known by its terminal. @param {string} says */
export const plain = (says) => says
  .replaceAll(/ \[[^\]]*\]/g, "")
  .replace(/^([pb])([123]) (\w\w):/, (_, side, n, code) => `${HANDS[side]} ${n}, ${named(code)}:`)
  .replaceAll(/\b(?<=(?:was|is|from|to) )\w\w\b/g, named)
  .replaceAll(SESSION, sessionName);

/** What a record says, in the language of the page. @param {{ says: Bilingual }} row */
export const saysOf = (row) => (isChinese(pageLanguage())
  ? saidHere(row.says).replaceAll(/ \[[^\]]*\]/g, "").replaceAll(SESSION, sessionName) : plain(row.says.en));

/** @param {string} stream */
export const streamName = (stream) => {
  const [kind, number] = stream.split(":");
  return kind === "table" ? t("Table {0}", number) : kind === "cage" ? t("Cage window {0}", number) : t("The house");
};

const ACCOUNTS = {
  wagers: "Wagers in play", bank: "House", bonus: "Bonuses", cage: "Cash at the cage", vouchers: "Vouchers",
  unrecovered: "Not recovered", adjustments: "Adjustments",
};

/** @param {string} account */
export function accountName(account) {
  if (account.startsWith("session:")) return t("Credits, {0}", sessionName(account.slice(8)));
  return t(ACCOUNTS[account] ?? account);
}

/** @param {string} slot */
export const hand = (slot) => t(HANDS[slot[0]]);

const DEAL = ["p1", "b1", "p2", "b2", "p3", "b3"];

// The number of each card in the order of the deal: the banker's third is the fifth where the player stood.
export const places = (cards) =>
  Object.fromEntries(DEAL.filter((slot) => slot in cards).map((slot, i) => [slot, i + 1]));

// A correction names a place too, and is a decision.
export const isDealt = ({ row, slot }) => Boolean(slot) && row.group === "cards";

// A record in a line: a card in words, anything else as the journal says it.
export function told(record) {
  const { slot, cards, row } = record;
  const card = slot && cards[slot];
  if (!isDealt(record) || !card || !isCard(card)) return saysOf(row);
  return t("{0} {1}, {2}", places(cards)[slot], hand(slot), cardName(card, pageLanguage()));
}

/** @param {number} ms */
export const seconds = (ms) => t("{0} s", (ms / 1000).toFixed(1));
/** @param {string} hash */
export const short = (hash) => (hash ? `${hash.slice(0, 8)}…${hash.slice(-4)}` : t("none"));
