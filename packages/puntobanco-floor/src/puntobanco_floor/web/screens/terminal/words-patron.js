// Words of what a patron opens: roads, limits and what is left of them, the reality check, past rounds, how to play.
import { words } from "../base/words.js";

export const w = words({
  roads: ["Roads of this shoe", "本靴路單"],
  bead: ["Bead", "珠盤"], big: ["Big", "大路"], eye: ["Eye", "大眼"], small: ["Small", "小路"], pig: ["Pig", "曱甴"],
  past: ["Past results say nothing of the next.", "過往結果，不能預測下一局。"],
  counts: ["Results of this shoe", "本靴結果"],
  player_pair: ["Player Pair", "閒對"], banker_pair: ["Banker Pair", "莊對"], natural: ["Naturals", "例牌"],
  banker_six: ["Banker wins on six", "莊六點贏"],
  open_roads: ["All roads of this shoe", "本靴全部路單"],
  asks: ["Ask marks: what would be drawn, no forecast", "問路：只示路單走勢，並非預測"],
  ask_if: ["If {0}", "若{0}"],

  limit_loss: ["Loss limit today", "今日輸額上限"], limit_time: ["Time limit today", "今日時間上限"],
  used_of: ["{0} of {1} used, {2} left", "已用 {0}（上限 {1}），尚餘 {2}"],
  minutes: ["{0} min", "{0} 分鐘"], usual: ["Usual amounts", "常用數值"],
  keypad: ["Number keys", "數字鍵"], key_C: ["Clear", "清除"], key_back: ["Delete", "刪除"],
  reached_loss: [
    "You have reached the loss limit that you set for today. Nothing more can be bet; your credits are yours.",
    "你已達到今日自訂的輸額上限，不可再投注；餘額仍屬於你。",
  ],
  reached_time: [
    "The time that you set for today is over. Nothing more can be bet; your credits are yours.",
    "你今日自訂的時間已到，不可再投注；餘額仍屬於你。",
  ],

  check_title: ["You have played for {0}", "你已玩 {0}"], check_net: ["Net since buy-in", "買入後淨額"],
  check_credits: ["Credits", "餘額"], check_time: ["Time now", "現在時間"],
  check_text: ["Take a moment. Go on only if you want to.", "請稍作停頓，決定是否繼續。"],
  hours_minutes: ["{0} h {1} min", "{0} 小時 {1} 分鐘"],
  leave: ["Leave", "離開"], go_on: ["Continue", "繼續"],

  my_rounds: ["My rounds", "我的牌局"], all_rounds: ["All rounds", "全部牌局"], older: ["Older", "較早"],
  which: ["Which rounds", "選擇牌局"], to_list: ["All past rounds", "返回列表"],
  round_col: ["Round", "局"], time_col: ["Time", "時間"], result_col: ["Result", "結果"],
  staked_col: ["Staked", "投注"], back_col: ["Back", "取回"], net_col: ["Net", "淨額"],
  none_mine: ["You have had no wager here yet.", "你在此尚未投注。"],
  none_here: ["None among the latest rounds; there may be older ones.", "最近的牌局中沒有；可查看較早者。"],
  none_all: ["No round has been played here yet.", "本賭枱尚未有牌局。"],
  void: ["Void", "作廢"], open_round: ["Round {0}, open it", "第 {0} 局，開啟"],

  how: ["How to play", "玩法"], how_of: ["How to play, in five pictures", "五圖看懂玩法"],
  how_1: ["Choose a chip and tap a spot. Hold a spot to take the wager back.", "選擇籌碼，點按注區投注；長按注區可撤回。"],
  how_2: [
    "Player and Banker are two hands, not people. Each gets two cards; anybody may bet on either.",
    "閒與莊是兩手牌，並非兩個人。各派兩張；任何人均可投注任何一方。",
  ],
  how_3: ["An ace counts 1, ten and pictures 0. Of the sum the last figure counts.", "A 作 1 點，10 及公仔牌作 0 點；總和只計個位。"],
  how_3e: [
    "An ace counts 1; Sau, Luk and Fuk count 0. Of the sum the last figure counts.",
    "A 作 1 點，壽、祿、福作 0 點；總和只計個位。",
  ],
  how_4: [
    "A third card comes by a fixed table of play. Nobody decides it.", "第三張牌按固定的補牌規則派發，無人可以選擇。",
  ],
  how_5: ["The hand nearer to nine wins.", "較接近九點的一方勝出。"],
  makes: ["{0} + {1} = {2}, counts {3}", "{0} + {1} = {2}，計 {3} 點"],
  wins_with: ["wins", "勝"],

  hint_1: ["Choose a chip, then tap a spot.", "先選籌碼，再點按注區。"],
  hint_2: ["Hold a spot to take its wager back.", "長按注區可撤回該注。"],
  hint_3: ["New here? Rules has How to play in five pictures.", "初次遊玩？「規則」內有五圖玩法。"],
  hint_of: ["{0} of {1}", "{0}／{1}"], hint_next: ["Got it", "知道了"],
});
