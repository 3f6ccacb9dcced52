"""Refusals in words: what a patron is told when something cannot be had, in both languages.

Amounts come from `dollars`, tables from `stream_names.place_words`. A terminal shows the bet beside
the sentence, so that "here" is the spot that was touched.
"""

from __future__ import annotations

from puntobanco.base.words import Words

# Stakes

AT_MOST = Words("Max {} here", "此處上限 {}")
AT_LEAST = Words("Min {} here", "此處下限 {}")
IN_STEPS = Words("In steps of {} here", "此處每級 {}")
HAS_A_WAGER = Words("You have a wager here already; raise it", "此處已有你的投注；請加注")
HAS_NO_WAGER = Words("You have no wager here", "此處沒有你的投注")
ONLY_SO_MUCH = Words("Only {} lies here", "此處只有 {}")
CANNOT_STAY = Words(
    "{} cannot stay here: at least {}, in steps of {}; take back all of it",
    "此處不可只留 {}：最少 {}，每級 {}；請全部撤回",
)
SPOT_CLOSED = Words("Closed at this table; other bets are open", "本賭枱已關閉此項，其他投注照常")
PATRON_MOST = Words(
    "Your wagers in a round come to at most {} here", "本賭枱每位客人每局投注總額最多 {}"
)
TABLE_MOST = Words(
    "All wagers here together can win at most {} in a round; wager less",
    "本賭枱每局全部投注可贏總額最多 {}；請減少投注",
)
APART = Words(
    "All wagers on Player and Banker lie at most {} apart here", "本賭枱閒與莊的投注總額相差最多 {}"
)

# When

BETS_CLOSED = Words("Bets are closed", "已截止投注")
TIME_IS_UP = Words("Bets are closed: the time is up", "已截止投注：時間已到")
RAISE_TOO_LATE = Words("Bets are closed; your wager stands as it was", "已截止投注，原注照計")
WITHDRAWAL_TOO_LATE = Words("Bets are closed; your wager plays", "已截止投注，該注照計")
BETS_NOT_OPEN = Words("Bets are not open: {}", "現時不可投注：{}")
WAIT_FOR = Words('Bets are not open: {}; wait for "{}"', "現時不可投注：{}；請等候「{}」")
OTHER_ROUND = Words("Round {} is open, not round {}", "現時為第 {} 局，不是第 {} 局")
OPEN_ALREADY = Words("The table is open, with {}; close it first", "賭枱已開啟（{}）；請先關閉")
NOT_NOW = Words("Cannot {} now: {}", "現時不可{}：{}")

# Credits

NOT_ENOUGH = Words("You have {}; {} is needed", "你的餘額為 {}，需要 {}")
CANNOT_BE_PAID = Words("The credits are {}; {} cannot be paid", "餘額為 {}，不能支付 {}")
ONE_PAYMENT = Words(
    "One payment is at most {}; pay a part of the credits", "每次最多支付 {}；請分次支付"
)
NO_CREDITS = Words("There are no credits to cash out", "沒有餘額可以兌現")
NO_CREDITS_BUT_HELD = Words(
    "There are no credits to cash out; a hand pay of {} waits for the staff",
    "沒有餘額可以兌現；{} 的人手支付正等候職員處理",
)
CASH_OUT_FIRST = Words("There are credits here; cash out first", "尚有餘額；請先兌現")
HAND_PAY_WAITS = Words("A hand pay of {} waits for the staff", "{} 的人手支付正等候職員處理")
WAGERS_IN_PLAY = Words(
    "Wagers are in play; cash out when the round is over", "投注進行中；請於本局結束後兌現"
)
HAND_PAY_NEEDED = Words(
    "{} is paid by hand: the staff pay what is over {}; please call them",
    "{} 須人手支付：超過 {} 由職員支付；請通知職員",
)
LIMIT_LEFT = Words("Only {} left of your limit today", "你今日的自訂輸額上限只餘 {}")
TIME_OVER = Words(
    "The time you set yourself is over; credits can be cashed out", "你自訂的時間已到；餘額可以兌現"
)
STOPPED = Words("No more wagers: {}; credits can be cashed out", "不再接受投注：{}；餘額可以兌現")
AWAITS_PAYMENT = Words(
    "The system was recovered: two people pay these credits at the cage, then play goes on",
    "系統已復原：餘額由兩名職員在帳房支付，其後可再參與",
)
PAID_FIRST = Words(
    "The system was recovered: your credits at {} are paid at the cage first",
    "系統已復原：請先到帳房領取你在{}的餘額款項",
)

# Seats

NOT_SEATED = Words("There is no seat at this table yet", "尚未在本賭枱入座")
ALREADY_SEATED = Words("There is a seat at this table already", "已在本賭枱入座")
NO_SEAT_FREE = Words("No seat is free at this table", "本賭枱沒有空位")
EXCLUDED = Words("You may not play here; the staff can say more", "不可在此投注；請向職員查詢")
SEATED_ELSEWHERE = Words(
    "You have set yourself limits and sit at {}; cash out there first",
    "你已自訂限額並在{}入座；請先在該處兌現",
)
OTHER_SESSION = Words(
    "Somebody else plays at terminal {}; that is cashed out first",
    "終端機 {} 另有客人使用；須先兌現",
)
STANDS_AT = Words("Terminal {} stands at {}", "終端機 {} 屬於{}")
EXCLUSIONS_UNCONFIRMED = Words(
    "The system was recovered: nobody is seated before two of the staff confirm the exclusions",
    "系統已復原：兩名職員確認禁止參與名單後方可入座",
)
NO_TABLE = Words("There is no {}", "沒有{}")
NO_ROUND = Words("Round {} was not played at {}", "{1}沒有第 {0} 局")
ROUND_NOT_OVER = Words(
    "Round {} is still played; ask again when it is over", "第 {} 局尚未結束；請稍後再試"
)

# Moves

ON_THE_WAY = Words("{} is on the way to {}", "{} 正在轉往{}")
NOTHING_TO_MOVE = Words(
    "There are no credits to take along; leave, and sit down there",
    "沒有餘額可帶走；請先離座再入座",
)
SAME_TABLE = Words("You sit at {} already", "你已在{}入座")
NO_SUCH_MOVE = Words("No such move is on the way here", "沒有此項轉移")
MOVE_DECIDED = Words("That move is decided already", "此項轉移已有結果")
STAYS = Words("You stay at {} with your credits: {}", "你留在{}，餘額不變：{}")

# Vouchers

NO_VOUCHER = Words("There is no such voucher", "沒有此票券")
REDEEMED_BEFORE = Words("This voucher was redeemed before", "此票券已兌換")
VOUCHER_EXPIRED = Words("This voucher has expired; the cage can help", "此票券已過期；請到帳房查詢")
VOUCHER_UNCONFIRMED = Words(
    "This voucher cannot be confirmed now; two people pay it at the cage",
    "暫未能核實此票券；由兩名職員在帳房支付",
)
VOUCHER_EXISTS = Words("A voucher of that number exists already", "已有此號碼的票券")
VOUCHER_TOO_SHORT = Words("A voucher expires later than now", "票券的到期時間必須在現在之後")
VOUCHER_DIGITS = Words("A voucher has {} digits", "票券號碼有 {} 位數字")
VOUCHER_MISREAD = Words(
    "That number cannot be a voucher's; look at it again", "票券號碼不正確；請再核對"
)

# Terminals

WRONG_CODE = Words(
    "That code enrols no terminal: it is wrong, used, or too old; ask for a new one",
    "登記碼不正確、已使用或已過期；請索取新碼",
)
WRONG_STAFF_CODE = Words(
    "That code or password enrols nobody: it is wrong, used, or too old; ask for a new code",
    "登記碼或密碼不正確、已使用或已過期；請索取新碼",
)
CARD_NEEDED = Words(
    "Nobody plays here without a member's card: put yours in, or ask a member of the staff",
    "此處須憑會員卡參與：請插入會員卡，或向職員查詢",
)
NOT_ENROLLED_STAFF = Words(
    "Choose a password of your own first, and a second factor where your role has one",
    "請先設定本人密碼；職級如需第二重驗證，請一併設定",
)
NOT_ENROLLED = Words(
    "This device is not enrolled; an administrator has the code",
    "此機尚未登記；請向管理員索取登記碼",
)
SESSION_OVER = Words(
    "This session is over; put your slip away and begin another",
    "本節已結束；請收妥票據並重新開始",
)
NO_LONGER_ENROLLED = Words("This terminal is no longer enrolled", "本終端機的登記已取消")
NO_GUESTS = Words(
    "There are no guests here; a terminal is enrolled with a code",
    "此處不設訪客；終端機須以登記碼登記",
)
NO_SESSION = Words("There is no session, or it has ended", "沒有使用時段，或已結束")
TOO_MANY_TRIES = Words("Too many tries; wait a little", "次數太多；請稍候")
TOO_MANY_REQUESTS = Words("Too many requests; wait a little", "要求太多；請稍候")
TOO_MANY_MESSAGES = Words("Too many messages, or too large", "訊息太多或太長")
TOO_MANY_WATCH = Words("Too many watch already; connect again later", "觀看者太多；請稍後再連接")
RESTARTS = Words("The server restarts", "伺服器正在重新啟動")
LOG_IN = Words("Log in again", "請重新登入")
OF_ANOTHER_SITE = Words(
    "The request does not come from a page of this floor", "要求並非來自本場的頁面"
)
NOT_JSON = Words("Only JSON is read, and it says so", "要求的格式不正確")
NO_SUCH_HOST = Words("This floor has another name", "本場並非使用此名稱")
HEAD_TOO_LARGE = Words("The request is too large", "要求太長")
FAULT = Words("A fault in this program; nothing was taken", "程式故障；未有接受任何要求")

# Reviews and cards

REVIEW_TOO_LATE = Words("Round {} was played more than {} days ago", "第 {} 局已超過 {} 日")
REVIEW_NO_WAGER = Words("You had no wager in round {}", "你在第 {} 局沒有投注")
REVIEW_WAITS = Words("Review {} of round {} waits for its answer", "覆核 {}（第 {} 局）正等候答覆")
REVIEWS_WAIT = Words(
    "{} of your reviews wait for an answer; the supervisor can say more",
    "你有 {} 項覆核正等候答覆；可向主任查詢",
)
REVIEWS_WAIT_HERE = Words(
    "Too many reviews wait at this table; please tell the supervisor",
    "本賭枱等候答覆的覆核過多；請通知主任",
)
CARD_UNUSABLE = Words(
    "This card cannot be used now; the staff can help", "此卡暫時不能使用；請聯絡職員"
)
