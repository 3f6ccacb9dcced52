// What the pit calls things, in English and Traditional Chinese: states of tables, kinds of alerts, percentages. Pure.
import { either, isChinese, pageLanguage, texts } from "../base/words.js";
import { titleParts } from "../kit/names.js";

/** @import { Alert, PitStop, PitTable, Words as Bilingual } from "server" */

export const WORDS = [
  ["{0} rules", "{0} 規則"],
  ["house rules", "本場規則"],
  ["Closed", "已關閉"],
  ["Not responding", "沒有回應"],
  ["Closing", "正在關閉"],
  ["Stopped", "已暫停"],
  ["Between rounds", "局間"],
  ["Betting", "投注中"],
  ["No more bets", "截止投注"],
  ["Dealing", "派牌中"],
  ["Settled", "已結算"],
  ["Void, stakes returned", "作廢，注額已退回"],
  ["Paused, clause {0}", "暫停，條款 {0}"],
  ["Paused", "暫停"],
  ["Dealing, {0} card", "派牌中，{0} 張"],
  ["Dealing, {0} cards", "派牌中，{0} 張"],
  ["Large win", "大額派彩"],
  ["Large wager", "大額投注"],
  ["Return", "回報異常"],
  ["Follows the edge", "按優勢投注"],
  ["Late wagers", "逾時投注"],
  ["Logins refused", "登入被拒"],
  ["Transparency log", "公開記錄簿"],
  ["Table {0}", "賭枱 {0}"],
  ["On this page", "本頁"],
  ["Approvals", "待核准"],
  ["Alerts", "警報"],
  ["The pit cannot be shown: {0}.", "無法顯示賭區：{0}。"],
  ["What you see is of {0}.", "所示為 {0} 的情況。"],
  ["Not connected.", "未連接。"],
  ["Nothing can be decided here until the connection is back; tables play on.", "恢復連接前不能在此作出決定；賭枱照常進行。"],
  ["The floor is stopped:", "全場已暫停："],
  [".", "。"],
  ["Rounds in play end by rule; no new one opens.", "進行中的牌局按規則完成；不開新局。"],
  ["Nothing is recorded at this node:", "本節點未能記錄："],
  ["Check the disk of the database.", "請檢查資料庫磁碟。"],
  ["Database", "資料庫"],
  ["The transparency log is stopped at this node:", "本節點的公開記錄簿已停止："],
  ["No new card is taken:", "不接受新會員卡："],
  ["{0}: it is not yet known whether commands were recorded, since {1}. Screens ask again; do not repeat them.",
    "{0}：自 {1} 起，暫未知悉指令是否已記錄。畫面會再次查詢；請勿重複操作。"],
  [
    "no card leads any more to {0} of the patrons who are excluded or have limits. An administrator runs:",
    "{0} 位禁止參與或設有限額的客人已無會員卡可循。請管理員執行：",
  ],
  ["Nothing to see.", "沒有內容。"],
  ["Asking for the tables …", "正在讀取賭枱…"],
  ["No table was opened yet.", "尚未開啟賭枱。"],
  ["Tables, alerts and approvals", "賭枱、警報及待核准"],
  ["has an alert", "有警報"],
  ["shoe {0}", "第 {0} 靴"],
  ["round {0}", "第 {0} 局"],
  ["Never opened", "從未開啟"],
  ["waits for a decision", "等候決定"],
  ["{0} to decide", "{0} 項待決定"],
  ["terminals connected of seats", "已連接終端機／座位"],
  ["terminals", "終端機"],
  ["{0} · last seen {1}", "{0} · 最後回應 {1}"],
  ["closes after this round: {0}", "本局後關閉：{0}"],
  ["Drop", "投入額"],
  ["Win", "贏額"],
  ["Hold", "贏率"],
  ["{0} void round today", "今日作廢 {0} 局"],
  ["{0} void rounds today", "今日作廢 {0} 局"],
  ["Open a table", "開啟賭枱"],
  ["Open another table", "開啟另一張賭枱"],
  ["Stop floor", "全場暫停"],
  ["Pit", "賭區"],
  ["Pit total", "賭區合計"],
  ["{0} table", "{0} 張賭枱"],
  ["{0} tables", "{0} 張賭枱"],
  ["{0} of {1} terminals", "終端機 {0}／{1}"],
  ["{0} void", "作廢 {0} 局"],
  ["favoured the player: house edge {0}", "曾對客人有利：賭場優勢 {0}"],
  ["closed", "已關閉"],
  ["; ", "；"],
  ["Review {0}, round {1}", "覆核 {0}，第 {1} 局"],
  ["Close", "關閉"],
  ["Answer as {0}", "以 {0} 身分答覆"],
  ["Ask for a review, table {0}", "要求覆核，賭枱 {0}"],
  ["Asking what may be asked …", "正在讀取覆核事由…"],
  ["Ask for the review", "要求覆核"],
  [
    "For a patron at the desk, who may have left. You are named as who asked, and somebody else answers.",
    "代櫃檯前的客人提出，客人可能已離開。你會列為提出者，由另一人答覆。",
  ],
  ["Round", "局"],
  ["Session", "時段"],
  ["As the audit page names it in the records of the round.", "按審計頁該局記錄所示。"],
  ["What about", "事由"],
  ["Note", "備註"],
  ["In the patron's own words.", "按客人原話。"],
  ["Reading the journal …", "正在讀取記錄…"],
  ["A supervisor answers it.", "由主任答覆。"],
  ["You dealt this round, ruled on it or asked: somebody else must answer.", "你曾派該局、作出裁決或提出覆核：須由另一人答覆。"],
  ["The round in {0} records of the journal", "該局共 {0} 項記錄"],
  ["Evidence of round {0}, signed", "第 {0} 局證據，已簽署"],
  ["Choose …", "請選擇…"],
  ["Decision", "裁決"],
  [
    "An answer moves no money: what it awards is paid after it, by two people.",
    "答覆本身不涉款項；裁定的款項其後由兩人支付。",
  ],
  ["Clause", "條款"],
  ["Note to the patron", "給客人的說明"],
  ["The patron reads it on the terminal, in the words in which it is written.", "客人在終端機上按原文閱讀。"],
  ["Mark all seen", "全部標為已閱"],
  ["No alerts today", "今日沒有警報"],
  [", {0} entries behind for {1} s", "，落後 {0} 項已 {1} 秒"],
  ["witnessed to {0}", "見證至 {0}"],
  ["no witness is named: nobody but the house vouches for its log", "未指定見證人：除本場外，無人為其記錄簿作證"],
  ["Log: {0} leaves{1}; {2}", "記錄簿：{0} 項{1}；{2}"],
  ["{0}, newest first", "{0}，由新至舊"],
  ["{0}, newest first; {1} of {2}", "{0}，由新至舊；{1}／{2}"],
  ["{0}, round {1}", "{0}，第 {1} 局"],
  ["The house", "本場"],
  ["{0}: {1}", "{0}：{1}"],
  ["(new)", "（新）"],
  ["When", "時間"],
  ["Edges of that round", "該局優勢"],
  ["House edge for the cards unseen as round {0} began: {1}", "第 {0} 局開始時未見牌的賭場優勢：{1}"],
  ["Waiting for your approval", "等候你核准"],
  ["Waiting for a supervisor", "等候主任核准"],
  ["Nothing waits for a second person", "沒有等候第二人的事項"],
  ["Seen", "已閱"],
  ["Proposed by {0}, {1}.", "由 {0} 於 {1} 提出。"],
  ["Proposed by {0}.", "由 {0} 提出。"],
  ["Cage window {0}: sell a voucher of {1}", "{0} 號帳房窗口：售出票券 {1}"],
  ["Cage window {0}: pay a voucher of {1}", "{0} 號帳房窗口：兌付票券 {1}"],
  ["A supervisor decides on it.", "由主任決定。"],
  ["You proposed this: somebody else must approve it.", "由你提出：須由另一人核准。"],
  ["Open", "查看"],
  ["Withdraw", "撤回"],
  ["Refuse", "否決"],
  ["Approve …", "核准…"],
  ["It cannot be approved now: {0}.", "現時不能核准：{0}。"],
  [", ", "，"],
  ["Reviews that patrons ask for", "客人要求的覆核"],
  ["Table {0}, round {1}: review {2}, {3}", "賭枱 {0}，第 {1} 局：覆核 {2}，{3}"],
  ["Asked by {0}, {1}.", "由 {0} 於 {1} 提出。"],
  ["Staff only", "只限職員"],
  ["Edges", "優勢"],
  ["Returns", "回報"],
  ["Game protection", "遊戲保障"],
  ["What to show", "顯示內容"],
  ["Select a table.", "請選擇賭枱。"],
  [" ({0} burned unseen)", "（暗棄 {0} 張）"],
  ["before round {0}, the last that is over{1}", "第 {0} 局（最近完成的一局）之前{1}"],
  ["Exact house edge for the {0} unseen cards {1}.", "{1}，未見的 {0} 張牌的精確賭場優勢。"],
  ["White mark: fresh {0}-deck shoe. Never sent to a terminal or display.", "白線：{0} 副的新牌靴。不會傳送至終端機或大螢幕。"],
  ["House edge of each wager", "各項投注的賭場優勢"],
  ["Wager", "投注"],
  ["Fresh", "新靴"],
  ["Then", "當時"],
  ["Change", "變化"],
  ["0 to 30%", "0 至 30%"],
  ["Bets are open: edges and unseen cards are shown when they are closed.", "投注進行中：截止後顯示優勢及未見的牌。"],
  ["A new shoe is on the table, and no round of it has ended yet.", "已換上新牌靴，尚未有牌局完成。"],
  ["The shoe was taken away: there is nothing to hold against a fresh one.", "牌靴已撤走：沒有可與新靴比較的資料。"],
  [
    "No round has ended since the watch began: there is nothing to hold against the fresh shoe yet.",
    "開始監察後尚未有牌局完成：暫無可與新靴比較的資料。",
  ],
  ["fell by over one point", "下降超過一個百分點"],
  ["favours the player", "對客人有利"],
  ["closed at this table", "本賭枱已關閉"],
  [", closed", "，已關閉"],
  [", at {0}", "，注額 {0}"],
  ["Unseen cards by element", "未見牌按五行"],
  ["Unseen cards by suit", "未見牌按花色"],
  ["Unseen cards by point value", "未見牌按點數"],
  ["line: expected", "橫線：預期"],
  [": ", "："],
  ["No round was settled today since the watch began.", "今日開始監察後尚未有牌局結算。"],
  ["What came of {0} rounds today, against fair cards.", "今日 {0} 局的結果與公平發牌比較。"],
  [
    "Evidence is how many times likelier the results are by another cause; at {0} it is an alarm, which "
      + "fair cards raise on one day in a thousand.",
    "「證據」為結果由其他原因造成的可能性倍數；達 {0} 倍即為警報，公平發牌下每千日約出現一次。",
  ],
  ["Returns of each wager today", "今日各項投注的回報"],
  ["Won", "贏"],
  ["Fair", "公平值"],
  ["Paid back", "派回"],
  ["Exact", "精確值"],
  ["Evidence", "證據"],
  ["over 1e9", "超過十億"],
  ["No stake lies on the table.", "賭枱上沒有注額。"],
  ["No round is in play: nothing is at risk.", "沒有進行中的牌局：沒有風險。"],
  ["Worst case, round {0}", "最壞情況，第 {0} 局"],
  ["Stake", "注額"],
  ["Payout", "派彩"],
  ["At most {0} in all, of {1} that this table may risk.", "合計最多 {0}；本賭枱可承擔 {1}。"],
  [", bonus for {0}", "，{0} 人獲獎金"],
  ["{0} favoured the player before round {1}.", "{0}在第 {1} 局之前對客人有利。"],
  ["{0}: returns are not those of fair cards.", "{0}：回報與公平發牌不符。"],
  [
    "Alarm rule: any wager below 0% edge, returns unlike fair cards, or stakes that follow the edge.",
    "警報準則：任何投注的優勢低於 0%、回報與公平發牌不符，或注額追隨優勢變化。",
  ],
  ["No alarm now.", "現時沒有警報。"],
  ["It is closed.", "已關閉。"],
  ["They are closed.", "均已關閉。"],
  ["It cannot be closed alone: stop the table.", "不能單獨關閉：請暫停賭枱。"],
  ["Close side bets from the next round, or stop the table.", "由下一局起關閉副注，或暫停賭枱。"],
  ["Ask for a review", "要求覆核"],
  ["closed {0}", "於 {0} 關閉"],
  ["Open table", "開啟賭枱"],
  ["Keep open", "保持開啟"],
  ["Start table", "恢復賭枱"],
  ["Stop table", "暫停賭枱"],
  ["Close now", "立即關閉"],
  ["Close table", "關閉賭枱"],
  ["Close side bets", "關閉副注"],
  ["Limits", "限額"],
  ["Cancel", "取消"],
  ["Asking …", "請稍候…"],
  ["Table {0}, {1}", "賭枱 {0}（{1}）"],
  ["Stop {0}", "暫停{0}"],
  ["Stop the table", "暫停賭枱"],
  ["No new round opens until it is started again.", "恢復之前不開新局。"],
  ["Close {0}", "關閉{0}"],
  ["Close after this round", "本局後關閉"],
  [
    "Everybody at the table is told now. Round {0} ends by rule and is paid; then the table closes.",
    "現即通知賭枱各人。第 {0} 局按規則完成並派彩，之後關閉賭枱。",
  ],
  [
    "The table closes now. Nobody loses credits: they can be cashed out at a closed table.",
    "現即關閉賭枱。客人不會損失餘額：賭枱關閉後仍可兌現。",
  ],
  ["Stop the whole floor", "全場暫停"],
  ["Stop every table", "暫停所有賭枱"],
  ["No table opens a new round until the floor is started again.", "恢復全場之前，所有賭枱不開新局。"],
  ["Start the floor", "恢復全場"],
  [
    "It was stopped: {0}. Tables that were stopped with it open rounds again; those stopped one by one "
      + "stay as they are.",
    "已暫停：{0}。隨全場暫停的賭枱將重新開局；個別暫停的賭枱維持不變。",
  ],
  ["Limits of {0}", "{0}限額"],
  ["Change the limits", "更改限額"],
  ["Asking for the limits …", "正在讀取限額…"],
  ["Side bets of {0}", "{0}副注"],
  ["Go on", "繼續"],
  [
    "A closed bet takes no wagers; its spot is grey and says so. Player and Banker stay open.",
    "已關閉的注區不接受投注，並以灰色顯示。閒及莊維持開放。",
  ],
  ["Change side bets of {0}", "更改{0}副注"],
  ["Round {0} is in play and ends as it began; this holds from the next one.", "第 {0} 局正在進行，按原狀完成；由下一局起生效。"],
  ["This holds from the next round.", "由下一局起生效。"],
  ["Open the table", "開啟賭枱"],
  ["Asking for the games …", "正在讀取遊戲…"],
  ["Open again", "重新開放"],
  ["open {0}", "開放{0}"],
  ["Round {0} in play ends by rule, and is paid.", "進行中的第 {0} 局按規則完成並派彩。"],
  ["No round is in play.", "沒有進行中的牌局。"],
  ["{0} round in play ends by rule, and is paid.", "進行中的 {0} 局按規則完成並派彩。"],
  ["{0} rounds in play end by rule, and are paid.", "進行中的 {0} 局按規則完成並派彩。"],
  ["Decided", "已有決定"],
  ["Somebody has decided on this meanwhile, or it is no longer possible.", "已有人作出決定，或已不能處理。"],
  ["Taken in cash", "收取現金"],
  ["Paid in cash", "支付現金"],
  ["Needs two", "須兩人核准"],
  ["Issued at", "發出地點"],
  ["The cashier gives the cash back.", "出納將現金退回。"],
  ["The voucher stays good. The cashier gives it back.", "票券仍然有效。出納將票券退回。"],
  ["Refuse this?", "確定否決？"],
  ["Withdraw this?", "確定撤回？"],
  ["Withdraw …", "撤回…"],
  ["Refuse …", "否決…"],
  ["Look again", "再次核對"],
  ["Approve as {0}", "以 {0} 身分核准"],
  ["unknown", "不詳"],
  ["Why it is refused", "否決原因"],
  ["Written in the journal; the proposer sees it.", "會寫入記錄；提出者可閱讀。"],
  ["Approved", "已核准"],
  ["Refused", "已否決"],
  ["Withdrawn", "已撤回"],
  ["Approved: the cashier goes on", "已核准：出納繼續處理"],
  ["Choose.", "請選擇。"],
  ["Review {0} is answered", "覆核 {0} 已答覆"],
  ["A review of round {0} is asked for", "已要求覆核第 {0} 局"],
  ["Table {0} is stopped", "賭枱 {0} 已暫停"],
  ["Table {0} is started", "賭枱 {0} 已恢復"],
  ["The floor is stopped", "全場已暫停"],
  ["The floor is started", "全場已恢復"],
  ["Nothing would change.", "沒有更改。"],
  ["Table {0} is open", "賭枱 {0} 已開啟"],
  ["Table {0} closes", "賭枱 {0} 即將關閉"],
  ["Table {0} is closed", "賭枱 {0} 已關閉"],
  ["This table was never opened.", "此賭枱從未開啟。"],
  ["Alert: {0}", "警報：{0}"],
  ["A patron asks for a review", "有客人要求覆核"],
  ["Answered reviews, not paid", "已答覆而未補付的覆核"],
  ["To {0}, as credits.", "存入 {0} 的餘額。"],
  ["To {0}, who has left: a cashier pays cash against the receipt.", "{0} 已離開：由出納憑收據支付現金。"],
  ["Pay …", "補付…"],
  ["Pay an award", "補付款項"],
  ["Pay review {0}, round {1}", "補付覆核 {0}，第 {1} 局"],
  ["Pay what a ruling awards, table {0}", "支付裁決補付款項，賭枱 {0}"],
  [
    "For a patron who is seated, or has left: then a cashier pays cash against the receipt.",
    "適用於在座或已離開的客人；已離開者由出納憑收據支付現金。",
  ],
  ["Of the round's rules, such as 3.10; or nothing, where the inspector directs it.", "該局規則的條款，例如 3.10；如由督察指示則留空。"],
  ["Ask for the payment", "提出補付"],
  ["Amount in dollars", "金額（元）"],
  ["It counts in no drop, win or hold. A second person approves it.", "不計入投入額、淨贏及留存率。須由第二人核准。"],
  ["Inspector's direction", "督察指示"],
  ["The review was referred: give its reference.", "覆核已轉交督察：請填寫指示編號。"],
  ["Its reference, where the inspector directs the payment; else the clause is cited.", "如由督察指示付款，請填寫編號；否則引用條款。"],
  ["Dollars and cents, more than zero.", "請輸入大於零的金額。"],
  ["Say which.", "請填寫。"],
  ["A clause or a direction, one of the two.", "條款或指示，兩者取其一。"],
  ["The payment waits for a second person", "補付等候第二人核准"],
  ["A new proposal waits for approval", "有新提案等候核准"],
  // What evidence is called, as the server names it
  ["Raised by", "加注"], ["Most at this table", "本賭枱上限"], ["Winnings", "贏額"], ["Bonus", "獎金"],
  ["Result", "結果"], ["Turned away", "被拒"], ["Address", "地址"], ["Last tried", "最後嘗試"], ["Shoes today", "今日牌靴"],
  ["Mixed by witnesses", "由見證人混洗"], ["Abandoned", "已棄用"], ["By the house alone", "只由本場洗牌"],
  ["Stopped for", "暫停事由"], ["Reason given", "所述原因"], ["Ground", "事由"], ["Unseen", "未見"], ["Cards seen", "已見的牌"],
  ["In the dealer's words", "荷官所述"], ["Wagers returned", "退回投注"], ["What follows", "其後"], ["Settled as", "原結算結果"],
  ["Paid out", "已派彩"], ["Taken back", "收回"], ["No longer there", "無法收回"], ["Place", "位置"], ["From", "由"],
  ["To", "改為"], ["Result before", "原結果"], ["Left in the shoe then", "其後牌靴餘牌"], ["As they lay", "原來次序"],
  ["In their true order", "真正次序"], ["So far", "至今"], ["Played", "已玩"], ["Stakes", "注額合計"],
  ["Expected gain", "預期收益"], ["Staked above the smallest wager", "高於最小注的部分"],
  ["Expected gain of that", "該部分的預期收益"], ["By chance", "純屬巧合的機會"],
  ["Came", "出現"], ["Fair cards", "公平發牌"], ["Likelier by another cause", "其他原因的可能性"],
  ["Alarm at", "警報界線"], ["Wagers", "投注"], ["Credits before", "之前餘額"], ["Credits after", "之後餘額"],
  ["Dealt by", "派牌者"], ["Ruled on by", "裁決者"], ["Computed anew", "重新計算"], ["Settled anew", "重新結算"],
  ["Corrected", "已更正"], ["Cards on the table", "賭枱上的牌"], ["Not needed, burned", "無須使用，已棄置"],
  ["Credits", "餘額"], ["Cash taken", "收取現金"], ["Set apart", "已預留"],
  ["Amount", "金額"], ["Paid", "支付方式"], ["Review", "覆核"], ["Paid for this round before", "此局先前已補付"],
  ["It was recorded.", "已記錄。"],
];
export const t = texts(WORDS);

const MINUS = "−";

/** 0.0117 -> "1.17%"; the minus is a real one. @param {number} part @param {number} [digits] */
export const percent = (part, digits = 2) => {
  const text = Math.abs(part * 100).toFixed(digits);
  return `${part < 0 && Number(text) !== 0 ? MINUS : ""}${text}%`;
};

/** @param {number} part @param {number} [digits] */
export const points = (part, digits = 2) => {
  const text = Math.abs(part * 100).toFixed(digits);
  return Number(text) === 0 ? text : `${part < 0 ? MINUS : "+"}${text}`;
};

/** The game in so few words that they fit on a card: "6 Star", "Super Six Plus". */
/** @param {{ title: Bilingual | null }} table */
export function shortTitle({ title }) {
  if (!title) return "";
  const { name, zh } = titleParts(title);
  return either(pageLanguage(), name, zh || name);
}

/** @type {Record<string, string>} */
const BOOKS = { mbs: "MBS", rws: "RWS" };
/** @param {string} rules */
export const rulesOf = (rules) => (BOOKS[rules.slice(0, 3)] ? t("{0} rules", BOOKS[rules.slice(0, 3)])
  : t("house rules"));

/** @param {PitTable} table */
export const sizeOf = (table) => `${table.decks}×${table.deck === "five-elements" ? 65 : 52}`;

/**
 * What a table is doing: a kind for its colour, and words.
 * @param {PitTable} table
 * @param {{ stopped?: Bilingual | null }} [floor]
 */
export function stateOf(table, { stopped = null } = {}) {
  if (table.phase === "down") return { kind: "", text: t("Closed"), grey: true };
  if (table.silent) return { kind: "danger", text: t("Not responding"), grey: true };
  if (table.phase === "stopped") return { kind: "warn", text: paused(table.stop) };
  if (table.closing && !table.is_in_play) return { kind: "danger", text: t("Closing") };
  if ((table.halted || stopped) && !table.is_in_play) return { kind: "danger", text: t("Stopped") };
  const [kind, text] = PHASES[table.phase] ?? ["", table.phase];
  return { kind, text: table.phase === "dealing" ? dealing(table.cards) : t(text) };
}

/** @type {Record<string, string[]>} */
const PHASES = {
  waiting: ["", "Between rounds"], betting: ["ok", "Betting"], closed: ["info", "No more bets"],
  dealing: ["info", "Dealing"], settled: ["info", "Settled"], void: ["warn", "Void, stakes returned"],
};
const paused = (/** @type {PitStop | null} */ stop) => (stop ? t("Paused, clause {0}", stop.clause) : t("Paused"));
/** @param {number} cards */
const dealing = (cards) => (cards ? t(cards === 1 ? "Dealing, {0} card" : "Dealing, {0} cards", cards) : t("Dealing"));

/** @type {Record<string, string[]>} */
export const ALERTS = {
  "large-win": ["warn", "Large win"], "large-wager": ["info", "Large wager"], return: ["danger", "Return"],
  spread: ["warn", "Follows the edge"], late: ["info", "Late wagers"], logins: ["danger", "Logins refused"],
  log: ["danger", "Transparency log"],
  store: ["danger", "Database"],
};

/** What an alert is known by, also after the server has started again. @param {Alert} alert */
export const alertKey = ({ at, table, kind, round, text }) => [at, table, kind, round, text.en].join(" ");

/** @param {string} stream */
export const tableName = (stream) => t("Table {0}", String(stream).split(":")[1]);

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The gaming day that the figures count, "2026-11-15" as the house has it. @param {string} day */
export function gamingDay(day) {
  const [year, month, date] = day.split("-").map(Number);
  if (isChinese(pageLanguage())) return `${year}年${month}月${date}日`;
  return `${date} ${MONTHS[month - 1]} ${year}`;
}
