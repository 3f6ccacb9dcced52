// The terminal's words in English and Traditional Chinese.
import { words } from "../base/words.js";

export const t = words({
  all_tables: ["All tables", "所有賭枱"], sound_on: ["Sound on", "聲音已開"], sound_off: ["Sound off", "聲音已關"],
  table_no: ["Table {0}", "桌台 {0}"], shoe_no: ["Shoe {0}", "第 {0} 靴"], round_no: ["Round {0}", "第 {0} 局"],
  no_shoe: ["No shoe", "沒有牌靴"], demo_mark: ["DEMO", "DEMO 示範"],
  demo_says: ["Demonstration: play credits, worth nothing", "示範：遊戲點數，並無價值"],

  // The status
  place_zh: ["請下注", "請下注"], closed_zh: ["停止下注", "停止下注"],
  closes_in: ["betting closes in {0} seconds", "尚餘 {0} 秒"], closes_in_1: ["betting closes in 1 second", "尚餘 1 秒"],
  no_clock: ["the dealer closes betting", "由荷官截止投注"],
  cards_follow: ["the cards follow", "即將派牌"], card_drawn: ["card {0} is being drawn", "正在派第 {0} 張牌"],
  all_dealt: ["all cards are dealt", "派牌完畢"],
  wins_over: ["{0} wins, {1} over {2}", "{0}贏，{1} 比 {2}"], tie_at: ["Tie, {0} and {0}", "和局，{0} 比 {0}"],
  next_in: ["next round opens in {0} s", "{0} 秒後開新局"], next_soon: ["the next round follows", "下一局即將開始"],
  void_title: ["Round {0} is void", "第 {0} 局作廢"], void_sub: ["all wagers returned", "退回全部投注"],
  paused: ["Play is paused", "牌局暫停"], paused_sub: ["The supervisor is checking round {0}", "主管正在檢查第 {0} 局"],
  waiting: ["The next round is about to begin", "下一局即將開始"], waiting_sub: ["Bets are not open yet", "尚未開始投注"],
  down: ["The table is closed", "本桌已關閉"], down_sub: ["Credits can be cashed out", "點數可以兌現"],
  shoe_change: ["The shoe is being changed", "正在換牌靴"],
  shoe_change_sub: ["Betting opens with the new shoe", "新牌靴就緒後開始投注"],
  connecting: ["Connecting to the table", "正在連接賭枱"], connecting_sub: ["One moment, please", "請稍候"],
  reconnecting: ["Reconnecting to the table", "正在重新連接賭枱"],
  reconnecting_sub: ["Accepted wagers are safe and will be settled", "已接受的投注有效，並會照常結算"],
  enrol: ["Enrol this terminal", "登記本終端機"],
  over: ["This terminal is not connected", "本終端機未連接"], over_sub: ["Please call an attendant", "請通知服務員"],

  // The hands
  third: ["third card", "第三張牌"], waits: ["waits", "等候"], stands: ["no card", "不補牌"],
  last_round: ["Last round, {0}", "上一局，第 {0} 局"], last_plain: ["Last round", "上一局"],
  first_round: ["First round of this shoe", "本靴首局"], was_void: ["Void", "作廢"],
  draws_player: ["Player draws a third card", "閒補第三張牌"], draws_banker: ["Banker draws a third card", "莊補第三張牌"],
  no_more_cards: ["No more cards", "不再補牌"], deal_player: ["A card for Player", "派予閒"],
  deal_banker: ["A card for Banker", "派予莊"],
  score: ["{0} over {1}.", "{0} 比 {1}。"], score_tie: ["{0} and {0}.", "雙方 {0} 點。"],
  bonus_line: ["+ {0} {1} Bonus", "+ {0} {1}獎金"],
  pays_with: ["{0} {1}", "{0}{1}"], tie_title: ["Tie", "和局"], player_pair: ["Player Pair.", "閒對。"],
  banker_pair: ["Banker Pair.", "莊對。"],
  total_of: ["{0} {1} points", "{0} {1} 點"], no_total: ["{0}, no cards", "{0}，未派牌"],

  // The spots
  win: ["Win +{0}", "贏 +{0}"], lose: ["Lose {0}", "輸 {0}"], push: ["Push, returned", "平手，退回"],
  returned: ["Returned {0}", "退回 {0}"],
  push_short: ["Push", "平手"],
  l_none: ["no bet", "未下注"], l_bet: ["{0} placed", "已下注 {0}"], l_sent: ["{0} sent, not yet accepted", "已送出 {0}，尚未接受"],
  l_pays: ["pays {0}", "{0}"], l_limits: ["{0} to {1}", "{0} 至 {1}"], plus_also: ["plus", "另加"],
  l_win: ["wins {0}, rule {1}", "贏 {0}，規則 {1}"], l_lose: ["loses {0}, rule {1}", "輸 {0}，規則 {1}"],
  l_push: ["push, {0} returned, rule {1}", "平手，退回 {0}，規則 {1}"],
  l_void: ["{0} returned, rule {1}", "退回 {0}，規則 {1}"], l_bonus: ["bonus {0}, rule {1}", "獎金 {0}，規則 {1}"],
  bets: ["Bets", "投注"], hands: ["Hands", "牌"],

  // The side panel
  big_road: ["Big road", "大路"], rounds: ["{0} rounds", "{0} 局"], rounds_1: ["1 round", "1 局"],
  counts: ["Results of this shoe", "本靴結果"],
  limits: ["Limits", "限額"], per_spot: ["per spot, this table", "本桌每注"], joined: [", ", "、"],
  more_spots: ["and {0} more", "及其他 {0} 項"],
  rules: ["Rules", "規則"], history: ["History", "記錄"], buy: ["Buy credits", "購買點數"], cash: ["Cash out", "兌現"],
  menu: ["Menu", "選單"],
  menu_label: ["Menu: rules, history, buy credits, cash out, limits", "選單：規則、記錄、購買點數、兌現、限額"],
  your_limits: ["Your limits", "自訂限額"], panel: ["Roads and limits", "路單與限額"],

  // The tray
  chips: ["Chip value", "籌碼面值"], chip_of: ["{0} chip", "{0} 籌碼"], chosen: ["{0} chip", "已選 {0} 籌碼"],
  tip: ["Tap a spot to add it. Hold a spot to clear it.", "點按注區下注，長按清除。"],
  tip_closed: ["Bets are closed. No wager may be placed, increased or withdrawn.", "已停止投注，不可下注、加注或撤注。"],
  tip_wait: ["Betting opens with the next round.", "下一局開始後可投注。"],
  tip_settled: ["Paid. Betting opens with the next round.", "已派彩。下一局開始後可投注。"],
  controls: ["Chips and bet controls", "籌碼及投注操作"],
  undo: ["Undo", "撤銷"], clear: ["Clear", "清除"], rebet: ["Rebet", "重複上局"], double: ["Double", "加倍"],
  seat: ["Take a seat", "入座"],
  seat_says: ["Sit down to bet. Watching and reading the rules are free.", "入座後可投注；旁觀及閱讀規則不限。"],
  seat_demo: ["Sit down with play credits, worth nothing.", "入座即獲遊戲點數，並無價值。"],
  broke_says: ["No credits are left. Spots and rules stay readable.", "點數已用完；注區及規則仍可閱讀。"],

  // The meters
  credits: ["Credits", "點數"], total_bet: ["Total bet", "總注額"], last_win: ["Last win", "上次贏額"],
  win_round: ["Win this round", "本局贏額"], win_short: ["Win", "本局贏額"],
  paid: ["Paid to credits", "派回點數"], returned_meter: ["Returned", "退回"], session: ["Session {0}", "已玩 {0}"],
  net: ["net since buy-in", "購點後淨額"],
  terminal: ["Terminal {0}", "終端機 {0}"], guest_terminal: ["Guest", "訪客"], connected: ["connected", "已連線"],
  lost: ["reconnecting", "重新連線中"],
  policy: ["malfunction policy in Rules", "故障處理規定見「規則」"], meters: ["Your credits", "你的點數"],

  // Refusals of the terminal's own
  doubleOver: ["Nothing was doubled: {0} takes at most {1}.", "未加倍：{0}上限為 {1}。"],
  noCreditsFor: ["{0} are needed, which is more than your credits.", "需要 {0}，點數不足。"],
  nothing_doubled: ["Nothing was doubled: {0}.", "未加倍：{0}。"],
  at_spot: ["{0}: {1}", "{0}：{1}"], no_answer: ["The server does not answer; please try again.", "伺服器沒有回應，請再試。"],

  // Sheets
  close: ["Close", "關閉"], cont: ["Continue", "繼續"], read_rules: ["Read the rules", "閱讀規則"], cancel: ["Cancel", "取消"],
  void_text: ["The round is void: {0}. Earlier results stand.", "本局作廢：{0}。先前各局結果有效。"],
  all_returned: ["All wagers returned", "退回全部投注"],
  void_credits: ["Credits are {0}. Nothing is added to the roads. Reference {1}.", "點數為 {0}。路單不作記錄。參考編號 {1}。"],
  lost_title: ["Reconnecting", "重新連接中"],
  lost_text: [
    "The terminal has lost the table. The wagers the table accepted stay in play and are settled by the "
      + "server, whether or not this screen is connected.",
    "終端機與賭枱失去連接。賭枱已接受的投注仍然有效，不論本螢幕是否連接，均由伺服器結算。",
  ],
  accepted_before: ["Accepted before the break", "斷線前已接受"], pending_before: ["Sent and not answered", "已送出，未有回覆"],
  pending_text: ["They are sent again by themselves and count once.", "會自動重送，只計一次。"],
  trying: [
    "Trying again, attempt {0}. If this continues, ask an attendant and quote {1}.",
    "正在重試，第 {0} 次。如持續，請通知服務員並說明 {1}。",
  ],
  over_title: ["Not connected", "未連接"],
  over_text: [
    "The floor has ended this terminal's connection: {0}. Accepted wagers are settled all the same.",
    "場方已終止本終端機的連接：{0}。已接受的投注照常結算。",
  ],
  malfunction: ["Malfunction", "故障處理"], loading: ["Loading…", "載入中…"], rule: ["Rule {0}", "規則 {0}"],
  clause_col: ["Clause", "條款"],

  replay: ["REPLAY", "REPLAY 重播"], replay_of: ["Round {0}", "第 {0} 局"], prev: ["Previous", "上一局"],
  next: ["Next", "下一局"], latest: ["Latest", "最近一局"],
  before: ["Credits before", "局前點數"], wagered: ["Wagered", "投注"], paid_back: ["Paid", "派彩"],
  after: ["Credits after", "局後點數"],
  no_wagers: ["You had no wager in this round.", "你在本局沒有投注。"],
  no_rounds: ["No round has been played here yet.", "本桌尚未有牌局。"],
  card_col: ["Card", "牌"], why_col: ["Why", "原因"], bet_col: ["Bet", "投注"], stake_col: ["Stake", "注額"],
  result_col: ["Result", "結果"], paid_col: ["Paid", "派彩"],
  o_wins: ["Win", "贏"], o_loses: ["Lose", "輸"], o_pushes: ["Push", "平手"], o_void: ["Returned", "退回"],
  void_replay: ["Void: all wagers returned", "作廢：退回全部投注"],

  buy_demo: ["Play credits", "遊戲點數"],
  buy_demo_text: [
    "This is a demonstration: {0} of play credits, worth nothing, when yours are used up.",
    "此為示範：點數用完後可獲 {0} 遊戲點數，並無價值。",
  ],
  buy_demo_text_plain: [
    "This is a demonstration: play credits, worth nothing, when yours are used up.",
    "此為示範：點數用完後可獲遊戲點數，並無價值。",
  ],
  take_credits: ["Take play credits", "領取遊戲點數"], have_credits: ["You have credits.", "你尚有點數。"],
  voucher: ["Voucher", "兌現券"], voucher_no: ["Voucher number, 18 digits", "兌現券號碼，18 位數字"], redeem: ["Redeem", "兌換"],
  attendant: ["Cash: call an attendant or go to the cage, and quote {0}.", "現金：請通知服務員或往帳房，並說明 {0}。"],
  redeemed: ["The credits are yours.", "點數已加入。"],
  cash_ask: ["Cash out {0}?", "兌現 {0}？"],
  cash_text: [
    "All credits leave as a voucher, and your seat is free. The voucher is good at the cage and at any terminal.",
    "全部點數會轉為兌現券，並讓出座位。兌現券可於帳房或任何終端機使用。",
  ],
  cash_yes: ["Print the voucher", "列印兌現券"], cash_off: ["not while a wager is in play", "投注進行中不可兌現"],
  paper_title: ["CASH-OUT VOUCHER", "CASH-OUT VOUCHER 兌現券"],
  paper_demo: ["DEMO VOUCHER: WORTH NOTHING", "DEMO 示範券：並無價值"], until: ["Good until {0}", "有效期至 {0}"],
  bearer: ["for whoever holds it; redeem once, at the cage or any terminal", "憑券兌換；可於帳房或任何終端機兌換一次"],
  print: ["Print", "列印"], have_it: ["I have it", "已取券"],
  paper_keep: ["The number is shown until you say that you have it.", "按「已取券」前，號碼會一直顯示。"],
  qr_label: ["QR code of the number", "號碼的 QR 碼"],

  own_title: ["Your own limits, a day", "自訂每日限額"],
  own_loss: ["Lose at most a day, in dollars", "每日最多輸（元）"],
  own_minutes: ["Play at most, minutes a day", "每日最多玩（分鐘）"], own_set: ["Set limits", "設定"],
  own_now: ["Now: {0}, {1}.", "現時：{0}，{1}。"], own_wider: ["From {0}: {1}, {2}.", "由 {0} 起：{1}，{2}。"],
  loss_of: ["lose at most {0}", "最多輸 {0}"], no_loss: ["no loss limit", "不設輸額上限"],
  minutes_of: ["play at most {0} minutes", "最多玩 {0} 分鐘"], no_minutes: ["no time limit", "不設時間上限"],
  own_text: [
    "Narrower limits hold at once; wider ones, or none, a day later. An empty field is no limit.",
    "收緊的限額即時生效；放寬或取消則於一日後生效。留空即不設限額。",
  ],
  own_bad: [
    "Write dollars and cents, such as 100 or 2.50, and whole minutes.",
    "請輸入金額（例如 100 或 2.50）及整數分鐘。",
  ],

  by_hand: ["Card entered by hand", "該牌由人手輸入"],
  halted_strip: ["No new round: {0}.", "暫停開局：{0}。"],
  stopped_strip: ["No more wagers: {0}. Credits can be cashed out.", "不再接受投注：{0}。點數可以兌現。"],
  you_win: ["You win {0}.", "你贏 {0}。"], you_push: ["Your wagers are returned.", "退回投注。"],
  you_lose: ["You lose {0}.", "你輸 {0}。"],
  dollars_said: ["{0} dollars", "{0} 元"], dollars_cents_said: ["{0} dollars and {1} cents", "{0} 元 {1} 分"],
});

// What the table and the house refuse, by code. The English reason stands beside it, alone where no Chinese is known.
export const REFUSALS_ZH = {
  "bets-are-closed": "已停止投注", "withdrawal-too-late": "已停止投注，不可撤注，該注照計", "wrong-round": "該局已過", "not-seated": "尚未入座",
  "already-seated": "已經入座", "in-play": "投注進行中", "not-enough-credits": "點數不足", "limit-refused": "注額不合限額",
  "patron-limit-reached": "已達你自訂的限額", "hand-pay-needed": "金額較大，由職員人手支付，請通知服務員", "table-halted": "本桌已暫停",
  "not-now": "現時不可", "voucher-refused": "兌現券不獲接受", "bad-voucher": "兌現券號碼不正確",
  "bad-command": "指令不正確", "bad-message": "訊息不正確",
  "stake-refused": "注額不獲接受", "unknown-bet": "沒有此投注", "seated-elsewhere": "你已在另一桌入座",
  "no-such-table": "沒有此桌", "no-such-round": "沒有此局",
  excluded: "不可在此投注，請向職員查詢", locked: "已被鎖定", "enrolment-refused": "登記碼不正確、已使用或已過期，請索取新碼", unknown: "不明項目",
  "not-stored": "未能記錄，請再試", "too-early": "時間未到",
};
