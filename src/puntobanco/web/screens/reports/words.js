// What the reports say, in both languages; sentences of the journal stay in English, as they were written.
import { words } from "../base/words.js";

/** @import { Language } from "../base/words.js" */

// Kinds of significant events, as the journal's headings call them.
/** @type {Record<string, string>} */
const HEADINGS = {
  "abandoned shoe": "棄用牌靴", adjustment: "補付", "burned cards": "銷牌", "cards of a table": "賭枱用牌", "clock of a table": "賭枱計時",
  correction: "更正", drawer: "抽屜", erasure: "刪除資料", exclusion: "禁制", "failed login": "登入失敗", "gaming day": "營業日",
  "hand pay": "人手派彩", house: "場館", incident: "事故", irregularity: "不正常情況", keys: "密鑰", "large buy-in": "大額買入",
  "large wager": "大額投注", "large win": "大額贏款", limits: "限額", override: "越權處理", program: "程式", "program error": "程式錯誤",
  recovery: "復原", reopening: "重開", "review answered": "覆核已答", "review asked": "要求覆核", "scheduled change": "預定更改",
  "shoe count": "牌靴點算", staff: "職員", "staff load": "職員加款", stop: "停止", table: "賭枱", terminal: "終端機", time: "時間",
  void: "作廢", witnesses: "見證人",
};

export const t = words({
  reports: ["Reports", "報表"], report_kind: ["Report", "報表種類"],
  daily: ["Day", "日報"], month: ["Month", "月報"], year: ["Year", "年報"], life: ["Since the beginning", "開業至今"],
  liability: ["Vouchers owed", "未兌票券"],
  title_daily: ["Daily report", "日報"], title_month: ["Month to date", "本月至今"], title_year: ["Year to date", "本年至今"],
  title_life: ["Life to date", "開業至今"], title_liability: ["Voucher liability", "票券負債"],
  day_of: ["Gaming day", "營業日"], day_before: ["The day before", "前一日"], day_after: ["The day after", "後一日"],
  print: ["Print", "列印"], save: ["Save as {0}", "存為 {0}"],
  reading: ["One moment: the journal is being counted.", "請稍候：正在統計日誌。"],
  no_answer: ["The server does not answer.", "伺服器沒有回應。"],
  interval: ["Interval", "期間"], from_to: ["{0} to {1}", "{0} 至 {1}"], the_beginning: ["the beginning", "開業"],
  starts_at: ["starts at {0}", "於 {0} 開始"], made: ["Made", "製表時間"], program: ["Program", "程式"],
  house: ["House", "場館"],
  times: ["Times are of {0}.", "時間以 {0} 為準。"],
  tie_out: ["Tie-out", "對帳"], ties: ["Ties out to the ledger to the cent", "與分類帳分毫不差"],
  ties_n: [", {0} comparisons", "，比對 {0} 項"], of_table: ["{0}, {1}", "{0}，{1}"], ties_not: ["DOES NOT TIE OUT", "對帳不符"],
  none: ["No activity", "沒有記錄"], demo_says: ["DEMO: play credits, worth nothing", "示範：試玩餘額，並無價值"],
  rounds: ["Rounds", "局數"], wagered: ["Wagered", "投注額"], won: ["Won by patrons", "客人所得"], drop: ["Drop", "投入額"],
  win: ["Win", "場館淨贏"], hold: ["Hold", "留存率"], owed: ["Vouchers out", "未兌票券"],
  drawers_off: ["Drawers over or short", "抽屜長短"],
  kept_chart: ["What the house kept of wagers, against theory", "場館所留投注額百分比，與理論值對照"],
  kept_bets: ["The same by bet", "按投注項目"], actual: ["actual", "實際"], theory: ["theory", "理論"],
  chart_row: ["{0}: {1} actual, {2} in theory", "{0}：實際 {1}，理論 {2}"],
  few: ["Over few rounds chance is larger than the edge: far from theory is no fault by itself.",
    "局數少時，運氣大於優勢：偏離理論值本身並非差錯。"],
  drop_chart: ["Drop and win by period", "各期投入額與淨贏"], drop_row: ["{0}: drop {1}, win {2}", "{0}：投入 {1}，淨贏 {2}"],
  games: ["Game performance", "遊戲表現"], voids: ["Voids and reopenings", "作廢及重開"],
  interrupted: ["Interrupted games", "未完局"],
  adjustments: ["Adjustments", "補付"],
  bets: ["Bets", "投注項目"], drops: ["Drop, win and hold", "投入、淨贏及留存率"], meters: ["Meters", "計數器"],
  vouchers: ["Vouchers", "票券"], drawers: ["Cage drawers", "帳房抽屜"], shoes: ["Shoes", "牌靴"],
  events: ["Significant events", "重要事項"], exceptions: ["To look into", "須跟進"], tieouts: ["Tie-out", "對帳"],
  c_table: ["table", "賭枱"], c_game: ["game", "遊戲"], c_decks: ["decks", "副數"], c_rounds: ["rounds", "局數"],
  c_wagered: ["wagered", "投注額"], c_won: ["won", "派彩"], c_bonus: ["bonus", "獎金"], c_win: ["win", "淨贏"],
  c_theory: ["returned, theory", "理論返還"], c_actual: ["returned, actual", "實際返還"], c_void: ["void", "作廢"],
  c_voided: ["voided wagers", "作廢投注"], c_reopened: ["reopened", "重開"], c_unrecovered: ["unrecovered", "未追回"],
  c_round: ["round", "局"], c_in_play: ["funds in play", "在局款額"], c_bet: ["bet", "投注項目"], c_wagers: ["wagers", "注數"],
  c_period: ["period", "期間"], c_bought: ["bought", "買入"], c_loaded: ["loaded", "職員加款"],
  c_redeemed: ["redeemed", "兌入"],
  c_drop: ["drop", "投入"], c_out: ["out", "兌出"], c_hold: ["hold", "留存率"], c_terminal: ["terminal", "終端機"],
  c_games: ["games", "局數"], c_cash_in: ["cash in", "現金投入"], c_vouchers_in: ["vouchers in", "票券兌入"],
  c_loads: ["staff loads", "職員加款"], c_vouchers_out: ["vouchers out", "票券發出"], c_cash_outs: ["cash-outs", "兌現"],
  c_adjustments: ["adjustments", "補付"], c_as_credits: ["as credits", "存入餘額"], c_in_cash: ["in cash", "現金支付"],
  c_total: ["total", "合計"],
  c_hand_pays: ["hand pays", "人手派彩"], c_issued: ["issued", "發出"], c_amount: ["amount", "金額"],
  c_expired: ["expired", "過期"],
  c_left: ["out at the end", "期末未兌"], c_window: ["window", "窗口"], c_shift: ["shift", "更次"],
  c_cashier: ["cashier", "出納"],
  c_second: ["counted with", "會點人"], c_since: ["opened", "開更"], c_closed: ["closed", "收更"], c_float: ["float", "底金"],
  c_in: ["in", "收入"], c_paid: ["out", "支出"], c_expected: ["expected", "應有"], c_counted: ["counted", "點算"],
  c_difference: ["difference", "差額"], c_shoes: ["shoes", "牌靴"], c_mixed: ["mixed by witnesses", "見證洗牌"],
  c_abandoned: ["abandoned", "棄用"], c_alone: ["house alone", "場館自洗"], c_share: ["mixed", "見證比例"],
  c_time: ["time", "時間"], c_stream: ["where", "地點"], c_entry: ["record", "記錄"], c_who: ["who", "何人"],
  c_kind: ["kind", "類別"],
  c_what: ["what", "事項"], c_account: ["account", "帳目"], c_report: ["report", "報表"], c_ledger: ["ledger", "分類帳"],
  c_open: ["open", "未兌"], total: ["Total", "合計"],
  ...Object.fromEntries(Object.entries(HEADINGS).map(([en, zh]) => [`kind ${en}`, [en, zh]])),
  floor: ["House", "場館"], window_no: ["Window {0}", "窗口 {0}"],
});

/** A kind of event; one that is new stays as it is written. @param {Language} lang */
export const kindName = (lang, /** @type {string} */ kind) => (HEADINGS[kind] ? t(lang, `kind ${kind}`) : kind);
