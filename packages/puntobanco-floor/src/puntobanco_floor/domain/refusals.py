"""What tables, the house and cage windows refuse: each kind with its code, what to do about it, and
the sentences in which a patron is told.

An amount comes from `dollars`, a table from `stream_names.place_words`. A terminal shows the bet
beside the sentence, so that "here" is the spot that was touched.
"""

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words


class NotNow(Refusal):
    """A command that this phase does not allow."""

    in_short = Words("Not now", "現時不可")
    remedy = "Wait until the phase allows it, or do what the message says is due first."


OPEN_ALREADY = Words("The table is open, with {}; close it first", "賭枱已開啟（{}）；請先關閉")
NOT_NOW = Words("Cannot {} now: {}", "現時不可{}：{}")
NO_SEAT_FREE = Words("No seat is free at this table", "本賭枱沒有空位")


class LogBehind(Refusal):
    """A wager, or a round to be opened, where the log is behind what was seen of it, or another."""

    in_short = Words("Betting is stopped; ask staff", "投注暫停；請向職員查詢")
    remedy = "See the pit's alerts and the node's log for what was seen: entries may be lost."


class CauseRefused(Refusal):
    """A stop without a cause that staff may state, or without the note that it needs."""

    in_short = Words("Say why", "請說明原因")
    remedy = "Give one of the causes of the house; for another reason, write a note too."


class SecondPersonNeeded(Refusal):
    """An approval by the person who asked."""

    in_short = Words("Somebody else is needed", "須由另一人處理")
    remedy = "Ask another member of the staff whose role may approve it."


class UnknownProposal(Refusal):
    """Nothing of that number waits for approval."""

    in_short = Words("Nothing of that number waits", "沒有等候中的此項提案")
    remedy = "Look at the list of what waits; it may have been decided, withdrawn or lapsed."


class UnknownKey(Refusal):
    """A node's key that cannot be retired, or that is retired."""

    remedy = "Run `puntobanco keys show` and take the id of a key that counts."


class VoucherRefused(Refusal):
    """A voucher that cannot be redeemed."""

    in_short = Words("The voucher is not good", "票券不獲接受")
    remedy = "Check the number and the date; the cage can look the voucher up."


NO_VOUCHER = Words("There is no such voucher", "沒有此票券")
REDEEMED_BEFORE = Words("This voucher was redeemed before", "此票券已兌換")
VOUCHER_EXPIRED = Words("This voucher has expired; the cage can help", "此票券已過期；請到帳房查詢")
VOUCHER_EXISTS = Words("A voucher of that number exists already", "已有此號碼的票券")
VOUCHER_TOO_SHORT = Words("A voucher expires later than now", "票券的到期時間必須在現在之後")


class NotAtTheWindow(Refusal):
    """A command of somebody whose shift it is not, or while there is none."""

    remedy = "Open a shift at this window, or go to the window of your shift."


class NotOfTheCage(Refusal):
    """A command that a cage does not know."""

    remedy = "Send it to the table or the house."


class BadNumber(Refusal):
    """A table that nobody can have."""

    in_short = Words("No number of a table", "賭枱號碼不正確")
    remedy = "Write the number of a table, such as 3."


class NotConfirmed(Refusal):
    """What is from before a recovery, and nobody has confirmed since; or a voucher that a stream
    which fails may have redeemed.
    """

    in_short = Words("Not confirmed since a recovery", "復原後有待職員確認")
    remedy = "Let two of the staff confirm it: `puntobanco epoch`, or the cage."


EXCLUSIONS_UNCONFIRMED = Words(
    "The system was recovered: nobody is seated before two of the staff confirm the exclusions",
    "系統已復原：兩名職員確認禁止參與名單後方可入座",
)
VOUCHER_UNCONFIRMED = Words(
    "This voucher cannot be confirmed now; two people pay it at the cage",
    "暫未能核實此票券；由兩名職員在帳房支付",
)


# Of the house


class NotSetUp(Refusal):
    """A floor that was not set up yet."""

    in_short = Words("The floor is not set up", "本場尚未設立")
    remedy = "Run `puntobanco init`."


class AlreadyThere(Refusal):
    """A name that is taken, or something that is so already."""

    in_short = Words("It is so already", "已經如此")
    remedy = "Take another name, or change what is there."


class Unknown(Refusal):
    """Somebody or something that this floor does not know."""

    in_short = Words("Not known here", "沒有此項記錄")
    remedy = "Look it up in the list: `puntobanco staff list`, `terminal list`, `table list`."


class Locked(Refusal):
    """Somebody who is disabled, or has tried too often."""

    in_short = Words("Locked", "已被鎖定")
    remedy = "Wait, or let an administrator enable the account or give a new code."


class OwnPassword(Refusal):
    """A password that somebody else would make: its owner does, with a code."""

    in_short = Words("Its owner chooses the password", "密碼由本人設定")
    remedy = "Give its owner a new code: `puntobanco staff change NAME --new-code`."


class NotEnrolled(Refusal):
    """Somebody who has not chosen a password, or has no second factor yet."""

    in_short = Words("Choose your own password first", "請先設定本人密碼")
    remedy = "Enrol first: at /staff, or with `puntobanco staff enrol NAME`."


NOT_ENROLLED_STAFF = Words(
    "Choose a password of your own first, and a second factor where your role has one",
    "請先設定本人密碼；職級如需第二重驗證，請一併設定",
)


class LastAdministrator(Refusal):
    """A change that would leave nobody to administer the floor."""

    remedy = "Add another administrator first."


class EnrolmentRefused(Refusal):
    """A code that enrols nothing: wrong, used, or too old."""

    in_short = Words("The code is not good", "登記碼不正確、已使用或已過期")
    remedy = "Ask for a new code; a code works once, and not for long."


WRONG_CODE = Words(
    "That code enrols no terminal: it is wrong, used, or too old; ask for a new one",
    "登記碼不正確、已使用或已過期；請索取新碼",
)
WRONG_STAFF_CODE = Words(
    "That code or password enrols nobody: it is wrong, used, or too old; ask for a new code",
    "登記碼或密碼不正確、已使用或已過期；請索取新碼",
)


class Excluded(Refusal):
    """A patron who may not play."""

    in_short = Words("Not to play here", "不可在此投注；請向職員查詢")
    remedy = "Ask the staff; two people can end an exclusion."


EXCLUDED = Words("You may not play here; the staff can say more", "不可在此投注；請向職員查詢")


class StillNeeded(Refusal):
    """A card that cannot be erased: its patron is excluded, has limits, or sits somewhere."""

    remedy = "End the exclusion or the limits, and let the patron cash out, then erase."


class WindowRefused(Refusal):
    """A cage window that is somebody else's, or a second one for the same cashier."""

    remedy = "Take a free window, or let the cashier who has it end the shift."


class NotOfTheHouse(Refusal):
    """A command of a table, sent to the house."""

    remedy = "Send it to the table or the cage window that it is meant for."


class NoSuchZone(Refusal):
    """A time zone that nobody knows."""

    remedy = "Take a name such as Asia/Singapore; without a system's list install tzdata."


# Of a table


class BetsAreClosed(Refusal):
    """A wager or raise while bets are not open."""

    in_short = Words("Bets are closed", "已截止投注")
    remedy = "Wait for the next round."


BETS_CLOSED = Words("Bets are closed", "已截止投注")
TIME_IS_UP = Words("Bets are closed: the time is up", "已截止投注：時間已到")
RAISE_TOO_LATE = Words("Bets are closed; your wager stands as it was", "已截止投注，原注照計")
BETS_NOT_OPEN = Words("Bets are not open: {}", "現時不可投注：{}")
WAIT_FOR = Words('Bets are not open: {}; wait for "{}"', "現時不可投注：{}；請等候「{}」")


class WithdrawalTooLate(Refusal):
    """A wager taken back after bets closed."""

    in_short = Words("Bets are closed; the wager plays", "已截止投注，該注照計")
    remedy = "Nothing: the wager plays, and is settled with the round."


WITHDRAWAL_TOO_LATE = Words("Bets are closed; your wager plays", "已截止投注，該注照計")


class SpotClosed(Refusal):
    """A wager or raise on a bet that this table has closed, while others are open."""

    in_short = Words("Closed at this table", "本賭枱已關閉此項")
    remedy = "Take another bet, or another table."


SPOT_CLOSED = Words("Closed at this table; other bets are open", "本賭枱已關閉此項，其他投注照常")


class WrongRound(Refusal):
    """A wager for another round."""

    in_short = Words("That round is over", "該局已過")
    remedy = "Look at the table again and place the wager in the round that is open."


OTHER_ROUND = Words("Round {} is open, not round {}", "現時為第 {} 局，不是第 {} 局")


class NotSeated(Refusal):
    """A session without a seat here."""

    in_short = Words("No seat yet", "尚未入座")
    remedy = "Take a seat at this table first."


NOT_SEATED = Words("There is no seat at this table yet", "尚未在本賭枱入座")


class AlreadySeated(Refusal):
    """A session that is seated already."""

    in_short = Words("Seated already", "已經入座")
    remedy = "Nothing: the session has its seat."


ALREADY_SEATED = Words("There is a seat at this table already", "已在本賭枱入座")


class InPlay(Refusal):
    """Credits cannot leave while wagers are in play."""

    in_short = Words("Wagers are in play", "投注進行中")
    remedy = "Wait until the round is settled."


CASH_OUT_FIRST = Words("There are credits here; cash out first", "尚有餘額；請先兌現")
HAND_PAY_WAITS = Words("A hand pay of {} waits for the staff", "{} 的人手支付正等候職員處理")
WAGERS_IN_PLAY = Words(
    "Wagers are in play; cash out when the round is over", "投注進行中；請於本局結束後兌現"
)


class NotEnoughCredits(Refusal):
    """A stake above the session's credits."""

    in_short = Words("Not enough credits", "餘額不足")
    remedy = "Stake less, or buy in."


NOT_ENOUGH = Words("You have {}; {} is needed", "你的餘額為 {}，需要 {}")
CANNOT_BE_PAID = Words("The credits are {}; {} cannot be paid", "餘額為 {}，不能支付 {}")
NO_CREDITS = Words("There are no credits to cash out", "沒有餘額可以兌現")
NO_CREDITS_BUT_HELD = Words(
    "There are no credits to cash out; a hand pay of {} waits for the staff",
    "沒有餘額可以兌現；{} 的人手支付正等候職員處理",
)
NOTHING_TO_MOVE = Words(
    "There are no credits to take along; leave, and sit down there",
    "沒有餘額可帶走；請先離座再入座",
)


class LimitRefused(Refusal):
    """A stake outside the table's limits."""

    in_short = Words("Outside the limits", "注額不合限額")
    remedy = "Stake within the limits that the message and the felt show."


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


class PatronLimitReached(Refusal):
    """A wager beyond the patron's own limits, or of a session that takes no more."""

    in_short = Words("Your own limit is reached", "已達你自訂的限額")
    remedy = "Cash out; wider limits hold a day after they are asked for."


LIMIT_LEFT = Words("Only {} left of your limit today", "你今日的自訂輸額上限只餘 {}")
TIME_OVER = Words(
    "The time you set yourself is over; credits can be cashed out", "你自訂的時間已到；餘額可以兌現"
)
STOPPED = Words("No more wagers: {}; credits can be cashed out", "不再接受投注：{}；餘額可以兌現")


class HandPayNeeded(Refusal):
    """Credits too many for a voucher."""

    in_short = Words("Paid by hand; call the staff", "由職員人手支付；請通知職員")
    remedy = "Call the staff: two of them pay by hand."


HAND_PAY_NEEDED = Words(
    "{} is paid by hand: the staff pay what is over {}; please call them",
    "{} 須人手支付：超過 {} 由職員支付；請通知職員",
)


class OnTheWay(Refusal):
    """Credits that are on the way to another table."""

    in_short = Words("Your credits are on the way", "餘額正在轉移")
    remedy = "Wait a moment: they arrive there, or come back."


ON_THE_WAY = Words("{} is on the way to {}", "{} 正在轉往{}")


class MoveRefused(Refusal):
    """A move that nobody reserved, or that is decided."""

    in_short = Words("No move to another table", "未能轉往另一賭枱")
    remedy = "Look where your credits are, and move from there."


NO_TABLE = Words("There is no {}", "沒有{}")
SAME_TABLE = Words("You sit at {} already", "你已在{}入座")
NO_SUCH_MOVE = Words("No such move is on the way here", "沒有此項轉移")
MOVE_DECIDED = Words("That move is decided already", "此項轉移已有結果")


class AwaitsPayment(Refusal):
    """A session from before a recovery: it plays no more, and two people pay its credits."""

    in_short = Words("Paid at the cage first", "請先到帳房領取餘額款項")
    remedy = "Go to the cage: two of the staff pay these credits."


AWAITS_PAYMENT = Words(
    "The system was recovered: two people pay these credits at the cage, then play goes on",
    "系統已復原：餘額由兩名職員在帳房支付，其後可再參與",
)
PAID_FIRST = Words(
    "The system was recovered: your credits at {} are paid at the cage first",
    "系統已復原：請先到帳房領取你在{}的餘額款項",
)


class TableHalted(Refusal):
    """A table that was stopped opens no round."""

    in_short = Words("The table is stopped", "賭枱已暫停")
    remedy = (
        "Read the cause at the pit or in `puntobanco table list`; start the table when it is over."
    )


class BadLimits(Refusal):
    """Limits that cannot be a table's."""

    in_short = Words("Such limits cannot be", "限額不正確")
    remedy = (
        "Mend the fields that the message names; minimum, maximum and step must pay whole cents."
    )


class ShoeRefused(Refusal):
    """A shoe that cannot be put on, counted or ended."""

    in_short = Words("The shoe does not allow it", "牌靴不容許")
    remedy = "Bring the shoe that the table is set for, counted where it must be."


class MixRefused(Refusal):
    """Answers of witnesses that do not mix the shoe on the table."""

    in_short = Words("The shoe is not mixed by that", "不能以此混洗牌靴")
    remedy = "Ask every witness that the shoe names, for this shoe, while the table waits."


class ShoeMustBeChanged(Refusal):
    """Bets cannot open from this shoe."""

    in_short = Words("The shoe must be changed", "須更換牌靴")
    remedy = "Bring a new shoe."


class TooEarly(Refusal):
    """A card before its time."""

    in_short = Words("Too early", "時間未到")
    remedy = "Wait a moment after bets close, then enter the card again."


class ReviewRefused(Refusal):
    """A review that cannot be asked for, or not answered so."""

    in_short = Words("No review of this round", "未能覆核")
    remedy = "Read the reason; the supervisor can explain the round without a review."


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


class UnknownReview(Refusal):
    """No review of that number is open."""

    in_short = Words("No such review", "沒有此項覆核")
    remedy = "Look at the list of open reviews; it may have been answered."


class AdjustmentRefused(Refusal):
    """An adjustment that has no ground, is too large, or was paid before."""

    in_short = Words("It is not paid so", "未能補付")
    remedy = (
        "Name a review that is not paid, or a round, with a clause or an inspector's direction."
    )


PATRON_HAS_LEFT = Words(
    "The patron has left this table: a cashier with an open shift approves it, and pays {} against "
    "the receipt",
    "客人已離開此賭枱：由當值帳房職員核准，憑收據支付 {}",
)
ADJUSTMENT_TOO_LARGE = Words(
    "An adjustment is at most {}, the most that this table may lose in a round",
    "補付款項不可超過 {}，即本賭枱每局的最高風險額",
)
ONE_GROUND = Words(
    "Give a clause of the round's rules or the inspector's direction, one of the two",
    "請填寫該局規則的條款或督察的指示，兩者取其一",
)
REVIEW_REFERRED = Words(
    "Review {} was referred to the inspector: give the inspector's direction",
    "覆核 {} 已轉交督察：請填寫督察的指示",
)
REVIEW_OF_OTHER_ROUND = Words(
    "Review {} is of round {} and session {}", "覆核 {} 屬於第 {} 局及使用時段 {}"
)
NO_SUCH_CLAUSE = Words("The rules of round {} have no clause {}", "第 {} 局的規則沒有條款 {}")
ROUND_PAID = Words(
    "Round {} was paid to this session on that ground already: ask for a review to pay more",
    "第 {} 局已按此理由補付：如須再付，請先要求覆核",
)
NAME_REVIEW = Words(
    "Round {} has an answered review that is not paid: pay review {}",
    "第 {} 局有已答覆而未補付的覆核：請補付覆核 {}",
)
REVIEW_PAID = Words("Review {} was paid already", "覆核 {} 已經補付")
REVIEW_NOT_PAYABLE = Words(
    "No review {} was answered in the patron's favour or referred here",
    "此處沒有裁定客人得直或已轉交督察的覆核 {}",
)
TOO_MANY_ADJUSTMENTS = Words(
    "This session has {} adjustments, the most of one", "此使用時段已有 {} 項補付，已達上限"
)
TOO_MANY_ADJUSTED = Words(
    "Adjustments of {} sessions are recorded at this table, the most of one",
    "本賭枱已記錄 {} 個使用時段的補付，已達上限",
)


class CorrectionRefused(Refusal):
    """A correction that the cards do not allow."""

    in_short = Words("It cannot be so corrected", "不可如此更正")
    remedy = "Check the card against the shoe; void or reconstruct the round if it cannot be so."


class BadCommand(Refusal):
    """A command whose values make no sense."""

    in_short = Words("It makes no sense", "指令不正確")
    remedy = "Correct the values; the HTTP reference has the fields of each command."


ONE_PAYMENT = Words(
    "One payment is at most {}; pay a part of the credits", "每次最多支付 {}；請分次支付"
)


# Told by the node, its screens and its doors

SEATED_ELSEWHERE = Words(
    "You have set yourself limits and sit at {}; cash out there first",
    "你已自訂限額並在{}入座；請先在該處兌現",
)
OTHER_SESSION = Words(
    "Somebody else plays at terminal {}; that is cashed out first",
    "終端機 {} 另有客人使用；須先兌現",
)
STANDS_AT = Words("Terminal {} stands at {}", "終端機 {} 屬於{}")
NO_ROUND = Words("Round {} was not played at {}", "{1}沒有第 {0} 局")
ROUND_NOT_OVER = Words(
    "Round {} is still played; ask again when it is over", "第 {} 局尚未結束；請稍後再試"
)
STAYS = Words("You stay at {} with your credits: {}", "你留在{}，餘額不變：{}")
VOUCHER_DIGITS = Words("A voucher has {} digits", "票券號碼有 {} 位數字")
VOUCHER_MISREAD = Words(
    "That number cannot be a voucher's; look at it again", "票券號碼不正確；請再核對"
)
CARD_NEEDED = Words(
    "Nobody plays here without a member's card: put yours in, or ask a member of the staff",
    "此處須憑會員卡參與：請插入會員卡，或向職員查詢",
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
CARD_UNUSABLE = Words(
    "This card cannot be used now; the staff can help", "此卡暫時不能使用；請聯絡職員"
)


# Told to staff, behind what they asked for

PROPOSAL_OF_ANOTHER = Words(
    "proposal {0} is {1}'s: reject it, {1} alone withdraws it",
    "提案 {0} 由 {1} 提出：可予否決；只有 {1} 可以撤回",
)
NO_PROPOSAL = Words("no proposal {} waits for approval", "沒有等候核准的提案 {}")
OWN_PROPOSAL = Words(
    "{} asked for proposal {}: somebody else approves or rejects; withdraw it",
    "提案 {1} 由 {0} 提出：須由另一人核准或否決；或由本人撤回",
)
TOO_MANY_PROPOSALS = Words(
    "{} proposals of {} wait for a second person; withdraw some, or wait",
    "{1} 有 {0} 項提案正等候第二人核准；請撤回部分或等候",
)
PROPOSED_ALREADY = Words(
    "proposal {} asks for the same and waits for a second person",
    "提案 {} 要求相同，正等候第二人核准",
)
WOULD_HAVE_DRAWN = Words(
    "with {} there the table would have drawn otherwise: {}", "如該處為{}，補牌便會不同：{}"
)
DECLARE_FIRST = Words("declare it and reconstruct", "請申報並還原")
AS_THEY_LIE = Words("reconstruct with the cards as they lie", "請按實際的牌還原")
SAME_CARD = Words("{} is what lies there", "該處正是{}")
NO_CARD_THERE = Words("no card lies there", "該處沒有牌")
NO_SUCH_PLACE = Words("no card has that place", "沒有此牌位")
NOT_MISREAD = Words(
    "the server dealt this round: its cards are not misread", "此局由伺服器派牌：不會誤讀"
)
GUARD_TIME = Words("the first card comes {} ms after bets close", "截止投注後 {} 毫秒方派首張牌")
ROUND_COMPLETE = Words("the round is complete: {}", "本局牌已派齊：{}")
SHOE_IS_OFF = Words(
    "shoe {} of this round is off the table; reconstruct all of it, or void it",
    "此局所用的第 {} 靴已離開賭枱；請還原全部牌序或作廢該局",
)
SERVER_DEALS = Words(
    "the server deals from this shoe: no card is entered", "此靴由伺服器派牌：無須輸入牌張"
)
DEALER_DEALS = Words("a dealer deals from this shoe: enter the card", "此靴由荷官派牌：請輸入牌張")
ROUND_PROPOSAL_WAITS = Words(
    "proposal {} on this round waits for a second person", "有關此局的提案 {} 正等候第二人核准"
)
MIXED_BY_ALL = Words(
    "shoe {} is mixed by {}, by all of them and nobody else", "第 {} 靴由 {} 混洗，缺一不可"
)
VIRTUAL_IS_NOT_COUNTED = Words(
    "a virtual shoe cannot be counted; its commitment proves its cards",
    "虛擬牌靴無須點算；承諾即為證明",
)
MORE_THAN_LEFT = Words(
    "{} cards are left in the shoe; no more can have left it",
    "牌靴尚餘 {} 張；離靴的牌不可多於此數",
)
WHICH_CARDS_LEFT = Words(
    "say which cards left the shoe, or how many unseen ones", "請說明離靴的牌，或未見的張數"
)
SHUFFLER_TAKES_BACK = Words(
    "a shuffler takes every card back: nothing is burned from it", "洗牌機收回全部牌：無須棄牌"
)
NO_CARD_LEAVES = Words(
    "the server deals from this shoe: no card leaves it otherwise", "此靴由伺服器派牌：不會有牌離靴"
)
NO_SHOE = Words("no shoe is on the table; put one on first", "賭枱上沒有牌靴；請先放上牌靴")
MIX_NOT_LATE = Words(
    "only a shoe that has waited {} s to be mixed is abandoned", "牌靴等候混洗逾 {} 秒方會棄用"
)
NOT_WAITING_FOR_MIX = Words("shoe {} does not wait to be mixed", "第 {} 靴並非等待混洗")
TURN_FIRST_CARD = Words(
    "turn the first card and say which it is: as many as its points are burned, or ten",
    "請翻開首張牌並輸入：按其點數棄牌，零點棄十張",
)
NO_FIRST_CARD = Words(
    "no first card is turned at this table: so many cards are burned unseen",
    "本賭枱不翻首張牌：按張數暗棄",
)
SERVER_TURNS = Words(
    "the server turns the first card of a virtual shoe by itself", "虛擬牌靴的首張牌由伺服器翻開"
)
VIRTUAL_HAS_NO_SET = Words(
    "a virtual shoe has no set id and is not counted; its commitment proves its cards",
    "虛擬牌靴沒有牌組編號，亦無須點算；承諾即為證明",
)
SET_AND_COUNT = Words(
    "at this table the set id of the cards and a count of all of them are given",
    "本賭枱須填寫牌組編號及點算總張數",
)
SHOE_IS_ON = Words("shoe {} is on the table; end it first", "賭枱上為第 {} 靴；請先結束")
NOT_STOPPED = Words("the table is not stopped", "賭枱未有暫停")
STOPPED_ALREADY = Words("the table is stopped already: {}", "賭枱已暫停：{}")
CLOSES_ALREADY = Words("the table closes already: {}", "賭枱即將關閉：{}")
REOPENS_NOTHING = Words(
    "that reopens no settled round; earlier results stand", "不可據此重開已結算的局；先前結果有效"
)
HAND_PAY_FIRST = Words(
    "a hand pay of {} waits: decide it, then reopen",
    "{} 的人手支付正等候處理：請先決定，再重開該局",
)
ADJUSTMENT_WAS_PAID = Words(
    "an adjustment was paid for this round; its result stands", "此局已支付補付款項；結果有效"
)
SERVER_DEALT_RESULT = Words(
    "the server dealt this round by its commitment; its result stands",
    "此局由伺服器按其承諾派牌；結果有效",
)
SERVER_FINISHES = Words(
    "the server deals this round and finishes it with the cards it committed to: resume the round",
    "此局由伺服器派牌，並以其承諾的牌完成：請繼續該局",
)
MISREAD_VOIDS_NOTHING = Words(
    "a misread card voids nothing: correct it, or resume the round",
    "誤讀的牌不作廢該局：請更正或繼續該局",
)
ORDER_LACKS = Words(
    "the order given lacks {}, which an earlier reconstruction left over",
    "所列牌序欠 {}，即先前還原多出的牌",
)
AS_ENTERED = Words(
    "every card is given as it was entered: where none was misread, resume the round",
    "所列各牌與輸入相同：如無誤讀，請繼續該局",
)
FEWER_THAN_LIE = Words(
    "{} cards lie there; the order given has {}", "該處有 {} 張牌；所列牌序只有 {} 張"
)
NO_CARD_WAS_DEALT = Words(
    "bets were open and no card was dealt: resume the round or void it",
    "當時投注中，尚未派牌：請繼續或作廢該局",
)
NO_ORDER_TO_RECONSTRUCT = Words(
    "there is no order of cards to reconstruct: resume the round or void it",
    "沒有牌序可還原：請繼續或作廢該局",
)
SERVER_DEALT_THESE = Words(
    "only where a dealer enters cards; the server dealt these", "只限荷官輸入的牌；此局由伺服器派牌"
)
NO_CARDS_OF_ROUND = Words(
    "it is about cards of a round that lies there, and none does",
    "須涉及賭枱上該局的牌；賭枱上沒有",
)
REOPEN_INSTEAD = Words("round {} is settled: reopen it for that", "第 {} 局已結算：請據此重開該局")
SERVER_COUNTS_CARDS = Words(
    "the server deals here and counts the cards: it voids the round itself if it has none",
    "此處由伺服器派牌並計算餘牌：無牌可派時由伺服器作廢該局",
)
NOBODY_HANDLES_CARDS = Words(
    "the server deals here: nobody handles a card, so this cannot happen",
    "此處由伺服器派牌：無人接觸牌張，不可能發生此情況",
)
ROADS_START_AFRESH = Words(
    "the roads start afresh after {} rounds; change the set", "路單於 {} 局後重新開始；請更換牌組"
)
CUT_CARD_IS_OUT = Words("the cut card is out; change the shoe", "切牌已出；請更換牌靴")
TOO_FEW_CARDS = Words(
    "{} cards are left and a round may take {}; change the shoe",
    "尚餘 {} 張牌，每局可用 {} 張；請更換牌靴",
)
SHOE_WAITS_FOR_MIX = Words("shoe {} waits to be mixed by {}", "第 {} 靴正等候 {} 混洗")
SHOE_SPOILED = Words(
    "shoe {} cannot be played on with: {}; change it", "第 {} 靴不可再用：{}；請更換"
)
SHOE_PROPOSAL_WAITS = Words(
    "proposal {} on the cards of this shoe waits for a second person",
    "有關此靴的提案 {} 正等候第二人核准",
)
CHANGES_FIRST = Words("the {} change first; open bets again", "{}先行更改；請再開始投注")
TABLE_STOPPED = Words("the table is stopped: {}", "賭枱暫停：{}")
SESSION_NOT_STOPPED = Words("the session is not stopped", "該客人未被暫停投注")
SESSION_STOPPED = Words("the session is stopped already", "該客人已被暫停投注")
EARLIER_RESULTS_STAND = Words(
    "round {} is open: earlier results stand", "第 {} 局進行中：先前結果有效"
)
TABLE_CANNOT = Words("A table cannot {}", "賭枱不可{}")
