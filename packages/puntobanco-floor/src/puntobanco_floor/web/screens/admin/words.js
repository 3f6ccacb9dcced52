// What the administration calls things, in English and Traditional Chinese. Pure.
import { saidHere, texts } from "../base/words.js";

/** @import { TableRow } from "server" */

export const WORDS = [
  ["Tables", "賭枱"],
  ["Staff", "職員"],
  ["Terminals", "終端機"],
  ["Exclusions", "禁止參與"],
  ["Settings", "設定"],
  ["deals, declares irregularities", "派牌及申報異常情況"],
  ["runs the pit, approves as the second person", "管理賭區，以第二人身分核准"],
  ["sells and pays at the cage", "在帳房售出及支付"],
  ["looks at everything, changes nothing", "可查閱全部，不可更改"],
  ["tables, staff, terminals, exclusions", "賭枱、職員、終端機、禁止參與"],
  ["Table {0}", "賭枱 {0}"],
  ["anywhere", "任何賭枱"],
  ["Closed", "已關閉"],
  ["Between rounds", "局間"],
  ["Betting", "投注中"],
  ["No more bets", "截止投注"],
  ["Dealing", "派牌中"],
  ["Paused", "暫停"],
  ["Settled", "已結算"],
  ["Void", "作廢"],
  ["Closes after this round: {0}", "本局後關閉：{0}"],
  ["Closing: {0}", "正在關閉：{0}"],
  ["Stopped: {0}", "已暫停：{0}"],
  ["by hand", "人手"],
  ["bets {0} s", "投注 {0} 秒"],
  ["pause {0} s", "局間 {0} 秒"],
  ["server", "伺服器"],
  ["dealer", "荷官"],
  ["none", "無"],
  ["true", "是"],
  ["false", "否"],
  ["Not shown: {0}.", "無法顯示：{0}。"],
  ["Asking for the house …", "正在讀取本場資料…"],
  ["Not connected.", "未連接。"],
  ["What you see may be old; nothing can be changed until the connection is back.", "所示資料可能已過時；恢復連接前不能更改。"],
  ["The floor is stopped:", "全場已暫停："],
  [".", "。"],
  ["What to administer", "管理項目"],
  ["Stop the floor", "全場暫停"],
  [", ", "，"],
  ["Acts", "操作"],
  ["No table was opened yet.", "尚未開啟賭枱。"],
  ["Table", "賭枱"],
  ["State", "狀態"],
  ["Round", "局"],
  ["Seated", "入座"],
  ["Main wagers", "主要投注"],
  ["Clock", "計時"],
  ["{0} to {1}", "{0} 至 {1}"],
  ["table {0}", "賭枱 {0}"],
  ["Open", "開啟"],
  ["Keep open", "保持開啟"],
  ["Start", "恢復"],
  ["Stop", "暫停"],
  ["Close after", "本局後關閉"],
  ["Close", "關閉"],
  ["Limits", "限額"],
  ["Cards", "新靴設定"],
  ["Open a table", "開啟賭枱"],
  ["Add somebody", "新增職員"],
  ["everybody chooses a password of one's own", "各人自行設定密碼"],
  ["Find staff", "搜尋職員"],
  ["Name", "名稱"],
  ["Role", "職級"],
  ["Proposal", "提案"],
  ["Asked by", "提出者"],
  ["Waits for a second person", "等候第二人核准"],
  ["proposal {0}", "提案 {0}"],
  ["Approve", "核准"],
  ["Withdraw", "撤回"],
  ["Turn down", "否決"],
  ["add staff", "新增職員"],
  ["change staff", "更改職員"],
  ["readmit patron", "恢復客人參與"],
  ["allow game", "核准遊戲"],
  ["definition {0}", "定義 {0}"],
  ["you", "你"],
  ["New code", "新代碼"],
  ["Enable", "啟用"],
  ["Disable", "停用"],
  ["Confirm", "確認"],
  ["Disabled", "已停用"],
  ["To enrol", "待登記"],
  ["with the code", "憑代碼"],
  ["May log in", "可登入"],
  ["wrong passwords in a row", "連續輸入錯誤密碼"],
  ["To be confirmed", "待確認"],
  ["since the recovery", "系統復原後"],
  ["Add a terminal", "新增終端機"],
  ["a code enrols one device, once, within the hour", "每個代碼於一小時內登記一部裝置，只可使用一次"],
  ["Find terminals", "搜尋終端機"],
  ["Terminal", "終端機"],
  ["Stands at", "位置"],
  ["No terminal of that name.", "沒有該名稱的終端機。"],
  [
    "No terminal was added yet. Add one, and type its code at /enrol on the device.",
    "尚未新增終端機。新增後，在裝置的 /enrol 頁輸入代碼。",
  ],
  ["Enrol anew", "重新登記"],
  ["Move", "移動"],
  ["Enrolled", "已登記"],
  ["Waits for its code", "等候輸入代碼"],
  ["Not enrolled", "未登記"],
  ["its code is used up or too old", "代碼已用或過期"],
  ["patrons who may not play here", "不可在本場參與的客人"],
  ["Exclude a patron", "禁止客人參與"],
  ["Patron", "客人"],
  ["Reason", "原因"],
  ["Until", "期限"],
  ["Nobody is excluded", "沒有禁止參與的客人"],
  ["End", "結束"],
  ["End the exclusion of {0}", "結束 {0} 的禁止參與"],
  ["for good", "永久"],
  ["Setting", "設定"],
  ["Value", "現值"],
  ["Usually", "預設"],
  ["May be", "可設範圍"],
  ["What it does", "作用"],
  ["of this node; they change with the configuration file and a restart", "屬本節點；須更改設定檔並重新啟動"],
  ["Asking for the settings …", "正在讀取設定…"],
  ["It is written in the journal.", "會寫入記錄。"],
  [": ", "："],
  ["At its table it plays nowhere else.", "固定於該賭枱，不可在其他賭枱使用。"],
  ["As the card says it, or the id (p-…).", "按會員卡所示，或客人編號。"],
  ["Empty: for good. By the clocks of the house, {0}.", "留空：永久。按本場時間（{0}）。"],
  ["I have checked that the exclusion may end", "本人已核實可結束禁止參與"],
  [
    "Everybody at the table is told now. The round in play ends by rule and is paid; then the table closes by itself.",
    "現即通知賭枱各人。進行中的牌局按規則完成並派彩，之後賭枱自動關閉。",
  ],
  [
    "The table closes now. Nobody loses credits: they can be cashed out at a closed table.",
    "現即關閉賭枱。客人不會損失餘額：賭枱關閉後仍可兌現。",
  ],
  ["Open the table", "開啟賭枱"],
  ["Limits of table {0}", "賭枱 {0} 限額"],
  ["Change the limits", "更改限額"],
  ["Clock of table {0}", "賭枱 {0} 計時"],
  ["Change the clock", "更改計時"],
  ["0 means that a person decides.", "0 表示由人手決定。"],
  ["Cards of table {0}", "賭枱 {0} 新靴設定"],
  ["Change the cards", "更改新靴設定"],
  ["It holds from the next shoe on.", "由下一靴起生效。"],
  ["Stop table {0}", "暫停賭枱 {0}"],
  ["Stop the table", "暫停賭枱"],
  [
    "No new round opens until it is started again. A round in play ends by rule, and is paid.",
    "恢復之前不開新局。進行中的牌局按規則完成並派彩。",
  ],
  ["Close table {0}", "關閉賭枱 {0}"],
  ["Close the table", "關閉賭枱"],
  ["Stop the whole floor", "全場暫停"],
  ["Stop every table", "暫停所有賭枱"],
  [
    "No table opens a new round until the floor is started again. Rounds in play end by rule, and are paid.",
    "恢復全場之前，所有賭枱不開新局。進行中的牌局按規則完成並派彩。",
  ],
  ["Start the floor", "恢復全場"],
  ["It was stopped: {0}. Tables stopped one by one stay as they are.", "已暫停：{0}。個別暫停的賭枱維持不變。"],
  ["Add, and show the code", "新增並顯示代碼"],
  [
    "Letters, digits, dot, hyphen and underscore. It signs in the journal, and never changes.",
    "可用字母、數字、句點、連字號及底線。用於記錄簽署，不可更改。",
  ],
  ["A new code for {0}", "{0} 的新代碼"],
  ["Make a new code", "產生新代碼"],
  [
    "For who has lost a password or a telephone. Both are worth nothing from then on, and an open login "
      + "ends; the owner enrols anew.",
    "供遺失密碼或電話者使用。兩者隨即失效，已登入者會登出；本人須重新登記。",
  ],
  ["Approve proposal {0}", "核准提案 {0}"],
  [
    "You are the second person. Where it is about an account you get the other part of the code.",
    "你是第二人。如涉及帳戶，你會取得代碼的另一部分。",
  ],
  ["Turn down proposal {0}", "否決提案 {0}"],
  ["Turn it down", "否決"],
  ["The role of {0}", "{0} 的職級"],
  ["Change the role", "更改職級"],
  ["Disable {0}", "停用 {0}"],
  ["A login that is open ends at once. What was signed stays in the journal.", "已登入者即時登出。已簽署的記錄保留。"],
  ["Enable {0}", "啟用 {0}"],
  ["The same password is good again.", "原有密碼恢復有效。"],
  ["Confirm {0}", "確認 {0}"],
  [
    "The system was recovered. Confirm who is on the staff with this role today; then the login works again.",
    "系統已復原。請確認現任此職級的職員；確認後可再次登入。",
  ],
  ["As it is written on the device, such as T-07.", "按裝置上所示，例如 T-07。"],
  ["Move {0}", "移動 {0}"],
  ["Move it", "移動"],
  [
    "The device that has its key now is cut off. Credits at the terminal stay. The code enrols one "
      + "device, once, within the hour.",
    "現持有密鑰的裝置會中斷連接。終端機的餘額保留。代碼於一小時內登記一部裝置，只可使用一次。",
  ],
  [
    "It is cut off at once. Credits at it stay, and can be paid by hand. A new code takes it back.",
    "即時中斷連接。餘額保留，可人手支付。以新代碼可恢復使用。",
  ],
  ["Exclude", "禁止參與"],
  [
    "The patron can take no seat and place no wager anywhere, from now on. Wagers in play are settled.",
    "客人由現在起不可在任何賭枱入座或投注。進行中的投注照常結算。",
  ],
  ["For staff; patrons are not told.", "供職員參考；不告知客人。"],
  ["End the exclusion", "結束禁止參與"],
  ["The patron may play again at once.", "客人可即時恢復參與。"],
  ["Cancel", "取消"],
  ["Asking …", "請稍候…"],
  ["Copied", "已複製"],
  ["Copy", "複製"],
  ["Code for {0}", "{0} 的代碼"],
  ["The code", "代碼"],
  ["It is shown this once. Nobody can look it up later; if it is lost, make a new one.", "只顯示這一次，其後無法查閱；如遺失，請產生新代碼。"],
  ["I have it: put it away", "已取得：收起"],
  ["On the device, open:", "在裝置上開啟："],
  ["Type the code, within the hour. It works once.", "於一小時內輸入代碼，只可使用一次。"],
  ["The device keeps a key of its own, and shows its table.", "裝置會保存專屬密鑰，並顯示其賭枱。"],
  ["Give it to {0} in person. Where two people decide, each has a part of it.", "親手交予 {0}。如由兩人決定，各持一部分。"],
  ["{0} types it here and chooses a password that nobody else knows:", "{0} 在此輸入並自行設定他人不知的密碼："],
  ["It waits for a second person, as proposal {0}", "等候第二人核准，提案 {0}"],
  ["Table {0} is open", "賭枱 {0} 已開啟"],
  ["The table is stopped", "賭枱已暫停"],
  ["The table is started", "賭枱已恢復"],
  ["Table {0} closes", "賭枱 {0} 即將關閉"],
  ["The floor is stopped", "全場已暫停"],
  ["The floor is started", "全場已恢復"],
  ["{0} is added", "已新增 {0}"],
  ["A new code is made", "已產生新代碼"],
  ["Proposal {0} is approved", "提案 {0} 已核准"],
  ["Proposal {0} is turned down", "提案 {0} 已否決"],
  ["{0} is {1} now", "{0} 現為{1}"],
  ["{0} is disabled", "{0} 已停用"],
  ["{0} is enabled", "{0} 已啟用"],
  ["{0} is confirmed", "{0} 已確認"],
  ["{0} is moved", "{0} 已移動"],
  ["{0} is excluded", "{0} 已禁止參與"],
  ["Tick the box first.", "請先勾選。"],
  ["{0} may play again", "{0} 可恢復參與"],
  ["A moment that is still to come.", "須為將來的時間。"],
  ["limits, clock and cards change between rounds", "限額、計時及新靴設定在局間更改"],
  ["It was recorded.", "已記錄。"],
];
export const t = texts(WORDS);

export const TABS = [
  ["tables", "Tables"], ["staff", "Staff"], ["terminals", "Terminals"], ["exclusions", "Exclusions"],
  ["settings", "Settings"],
];

/** @type {Record<string, string>} */
export const ROLE_SAYS = {
  dealer: "deals, declares irregularities", supervisor: "runs the pit, approves as the second person",
  cashier: "sells and pays at the cage", auditor: "looks at everything, changes nothing",
  administrator: "tables, staff, terminals, exclusions",
};

/** @param {string | undefined} stream */
export const numberOf = (stream) => Number(String(stream).split(":")[1]);

/** @param {string} stream */
export const standsAt = (stream) => (stream ? t("Table {0}", numberOf(stream)) : t("anywhere"));

/** @type {Record<string, string[]>} */
const PHASES = {
  down: ["", "Closed"], waiting: ["", "Between rounds"], betting: ["ok", "Betting"],
  closed: ["info", "No more bets"], dealing: ["info", "Dealing"],
  stopped: ["warn", "Paused"], settled: ["info", "Settled"], void: ["warn", "Void"],
};

/** @param {TableRow} row */
export function stateOf(row) {
  const [kind, text] = PHASES[row.phase] ?? ["", row.phase];
  if (row.closing) {
    const when = isInPlay(row) ? "Closes after this round: {0}" : "Closing: {0}";
    return { kind: "danger", text: t(when, saidHere(row.halted)) };
  }
  return row.halted && row.phase !== "down" ? { kind: "danger", text: t("Stopped: {0}", saidHere(row.halted)) }
    : { kind, text: t(text) };
}

/** @param {TableRow} row */
export const isInPlay = (row) => ["betting", "closed", "dealing", "stopped"].includes(row.phase);

/** @param {TableRow} row */
export function clockOf({ clock }) {
  if (!clock.betting_ms && !clock.automatic) return t("by hand");
  const bets = t("bets {0} s", clock.betting_ms / 1000), pause = t("pause {0} s", clock.pause_ms / 1000);
  return clock.automatic ? `${t("server")} · ${bets} · ${pause}` : `${t("dealer")} · ${bets}`;
}

/** @type {Record<string, string>} */
const SETTINGS = { "": "none", True: "true", False: "false" };
/** @param {string} value */
export const settingValue = (value) => (value in SETTINGS ? t(SETTINGS[value]) : value);
