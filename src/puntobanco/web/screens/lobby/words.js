// The lobby's texts, in English and Chinese.
import { words } from "../base/words.js";

export const t = words({
  title: ["Choose a table", "選擇賭枱"],
  tables: ["{0} tables", "{0} 張賭枱"],
  one_table: ["1 table", "1 張賭枱"],
  connecting: ["Connecting to the floor", "正在連接"],
  none: ["No table is set up yet.", "尚未設置賭枱。"],
  stale: ["Not current since {0}: connecting again", "自 {0} 起未更新，正在重新連接"],
  stale_never: ["The floor does not answer: trying again", "未能連接，正在重試"],
  house_stopped: ["No round opens on this floor: {0}", "全場暫停開局：{0}"],
  not_enrolled: [
    "This screen is not enrolled. You can look at the tables, not play.",
    "此螢幕尚未登記，只可觀看，不可下注。",
  ],
  how_to_enrol: [
    "An administrator makes a code for this terminal. Enter it here once.",
    "請向管理員索取終端機代碼，在此輸入一次即可。",
  ],
  enrol: ["Enter the code", "輸入代碼"],
  terminal: ["Terminal {0}", "終端機 {0}"],
  sit: ["Sit down", "入座"],
  look: ["Look", "觀看"],
  sit_at: ["{0}, table {1}: {2}", "{0}，賭枱 {1}：{2}"],
  display: ["Overhead display of table {0}", "賭枱 {0} 大螢幕"],
  seated: ["{0} seated", "已入座 {0} 人"],
  round: ["round {0}", "第 {0} 局"],
  limits: ["Limits of the main wagers:", "主要投注限額："],
  closed_bets: ["closed: {0}", "停止投注：{0}"],
  dealer: ["dealt by hand", "荷官派牌"],
  before: ["Before you play", "投注之前"],
  past: [
    "Roads show past results. They do not tell what comes next. " +
      "Rules, pays and a loss limit of your own: at every table, without credit.",
    "路單只顯示過往結果，不能預測下一局。每張賭枱均可免費查閱規則與賠率，並自訂輸錢上限。",
  ],
  odds: ["Odds of every wager", "各項投注機率"],
  play_credits: ["play credits, worth nothing", "僅供試玩，沒有價值"],
  open: ["{0}", "請下注 · {0}"],
  closed: ["{0}", "停止下注 · {0}"],
  void: ["Round {0} void, wagers returned", "第 {0} 局作廢，退回投注"],
  stopped: ["Paused for a decision", "暫停，等待裁決"],
  shoe_change: ["Shoe change", "換牌靴"],
  waiting: ["Waiting for the next round", "等待下一局"],
  halted: ["No new rounds", "暫不開局"],
  down: ["Table closed", "賭枱關閉"],
});
