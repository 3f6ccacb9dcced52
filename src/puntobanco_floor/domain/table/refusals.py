"""What a live table refuses, each kind by its name.

Refusal
├── BetsAreClosed       a wager or raise before bets open, or after "No more bets"
├── WithdrawalTooLate   a wager taken back after "No more bets": it plays
├── SpotClosed          a wager or raise on a bet that this table has closed
├── WrongRound          a wager that names another round than the one that is open
├── NotSeated           a session that has no seat at this table
├── AlreadySeated       a session that has one
├── InPlay              credits that cannot leave while wagers are in play
├── NotEnoughCredits    a stake above the session's credits
├── LimitRefused        a stake outside the table's limits
├── PatronLimitReached  a stake past the patron's own limit, or a stopped session
├── HandPayNeeded       credits too many for a voucher: the staff pay by hand
├── OnTheWay            credits that are on the way to another table
├── MoveRefused         a move that nobody reserved, or that is decided
├── AwaitsPayment       a session from before a recovery: two people pay it
├── TableHalted         bets that cannot open: the table was stopped
├── BadLimits           limits that cannot be a table's
├── ShoeRefused         a shoe that cannot be put on, counted or ended
├── MixRefused          answers of witnesses that do not mix the shoe on the table
├── ShoeMustBeChanged   bets cannot open from this shoe
├── TooEarly            a card before the guard time is over
├── ReviewRefused       a review that cannot be asked for, or not answered so
├── UnknownReview       an answer to a review that is not open
├── AdjustmentRefused   an adjustment without its ground, too large, or paid before
├── CorrectionRefused   a correction that the cards do not allow
└── BadCommand          a command whose values make no sense

Kinds that house and cage share are in `domain/refusals.py`.
"""

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco_floor.domain.refusals import (  # noqa: F401 - what all machines refuse, a table too
    NotNow,
    SecondPersonNeeded,
    UnknownKey,
    UnknownProposal,
    VoucherRefused,
)


class BetsAreClosed(Refusal):
    """A wager or raise while bets are not open."""

    in_short = Words("Bets are closed", "已截止投注")
    remedy = "Wait for the next round."


class WithdrawalTooLate(Refusal):
    """A wager taken back after bets closed."""

    in_short = Words("Bets are closed; the wager plays", "已截止投注，該注照計")
    remedy = "Nothing: the wager plays, and is settled with the round."


class SpotClosed(Refusal):
    """A wager or raise on a bet that this table has closed, while others are open."""

    in_short = Words("Closed at this table", "本賭枱已關閉此項")
    remedy = "Take another bet, or another table."


class WrongRound(Refusal):
    """A wager for another round."""

    in_short = Words("That round is over", "該局已過")
    remedy = "Look at the table again and place the wager in the round that is open."


class NotSeated(Refusal):
    """A session without a seat here."""

    in_short = Words("No seat yet", "尚未入座")
    remedy = "Take a seat at this table first."


class AlreadySeated(Refusal):
    """A session that is seated already."""

    in_short = Words("Seated already", "已經入座")
    remedy = "Nothing: the session has its seat."


class InPlay(Refusal):
    """Credits cannot leave while wagers are in play."""

    in_short = Words("Wagers are in play", "投注進行中")
    remedy = "Wait until the round is settled."


class NotEnoughCredits(Refusal):
    """A stake above the session's credits."""

    in_short = Words("Not enough credits", "餘額不足")
    remedy = "Stake less, or buy in."


class LimitRefused(Refusal):
    """A stake outside the table's limits."""

    in_short = Words("Outside the limits", "注額不合限額")
    remedy = "Stake within the limits that the message and the felt show."


class PatronLimitReached(Refusal):
    """A wager beyond the patron's own limits, or of a session that takes no more."""

    in_short = Words("Your own limit is reached", "已達你自訂的限額")
    remedy = "Cash out; wider limits hold a day after they are asked for."


class HandPayNeeded(Refusal):
    """Credits too many for a voucher."""

    in_short = Words("Paid by hand; call the staff", "由職員人手支付；請通知職員")
    remedy = "Call the staff: two of them pay by hand."


class OnTheWay(Refusal):
    """Credits that are on the way to another table."""

    in_short = Words("Your credits are on the way", "餘額正在轉移")
    remedy = "Wait a moment: they arrive there, or come back."


class MoveRefused(Refusal):
    """A move that nobody reserved, or that is decided."""

    in_short = Words("No move to another table", "未能轉往另一賭枱")
    remedy = "Look where your credits are, and move from there."


class AwaitsPayment(Refusal):
    """A session from before a recovery: it plays no more, and two people pay its credits."""

    in_short = Words("Paid at the cage first", "請先到帳房領取餘額款項")
    remedy = "Go to the cage: two of the staff pay these credits."


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


class CorrectionRefused(Refusal):
    """A correction that the cards do not allow."""

    in_short = Words("It cannot be so corrected", "不可如此更正")
    remedy = "Check the card against the shoe; void or reconstruct the round if it cannot be so."


class BadCommand(Refusal):
    """A command whose values make no sense."""

    in_short = Words("It makes no sense", "指令不正確")
    remedy = "Correct the values; the HTTP reference has the fields of each command."
