"""What a live table refuses, each kind by its name.

Refusal
├── NotNow              a command that this phase does not allow
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
├── AwaitsPayment       a session from before a recovery: two people pay it
├── TableHalted         bets that cannot open: the table was stopped
├── BadLimits           limits that cannot be a table's
├── ShoeRefused         a shoe that cannot be put on, counted or ended
├── ShoeMustBeChanged   bets cannot open from this shoe
├── TooEarly            a card before the guard time is over
├── VoucherRefused      a voucher that cannot be redeemed
├── SecondPersonNeeded  an approval by the person who asked
├── UnknownProposal     an approval of something nobody proposed
├── UnknownKey          a node's key that cannot be retired
├── ReviewRefused       a review that cannot be asked for, or not answered so
├── UnknownReview       an answer to a review that is not open
├── CorrectionRefused   a correction that the cards do not allow
└── BadCommand          a command whose values make no sense
"""

from puntobanco.refusals import (  # noqa: F401 - what all machines refuse, a table too
    NotNow,
    SecondPersonNeeded,
    UnknownKey,
    UnknownProposal,
    VoucherRefused,
)
from puntobanco.rules.refusals import Refusal
from puntobanco.rules.text import Words


class BetsAreClosed(Refusal):
    """A wager or raise while bets are not open."""

    in_short = Words("Bets are closed", "已截止投注")


class WithdrawalTooLate(Refusal):
    """A wager taken back after bets closed."""

    in_short = Words("Bets are closed; the wager plays", "已截止投注，該注照計")


class SpotClosed(Refusal):
    """A wager or raise on a bet that this table has closed, while others are open."""

    in_short = Words("Closed at this table", "本賭枱已關閉此項")


class WrongRound(Refusal):
    """A wager for another round."""

    in_short = Words("That round is over", "該局已過")


class NotSeated(Refusal):
    """A session without a seat here."""

    in_short = Words("No seat yet", "尚未入座")


class AlreadySeated(Refusal):
    """A session that is seated already."""

    in_short = Words("Seated already", "已經入座")


class InPlay(Refusal):
    """Credits cannot leave while wagers are in play."""

    in_short = Words("Wagers are in play", "投注進行中")


class NotEnoughCredits(Refusal):
    """A stake above the session's credits."""

    in_short = Words("Not enough credits", "餘額不足")


class LimitRefused(Refusal):
    """A stake outside the table's limits."""

    in_short = Words("Outside the limits", "注額不合限額")


class PatronLimitReached(Refusal):
    """A wager beyond the patron's own limits, or of a session that takes no more."""

    in_short = Words("Your own limit is reached", "已達你自訂的限額")


class HandPayNeeded(Refusal):
    """Credits too many for a voucher."""

    in_short = Words("Paid by hand; call the staff", "由職員人手支付；請通知職員")


class AwaitsPayment(Refusal):
    """A session from before a recovery: it plays no more, and two people pay its credits."""

    in_short = Words("Paid at the cage first", "請先到帳房領取餘額款項")


class TableHalted(Refusal):
    """A table that was stopped opens no round."""

    in_short = Words("The table is stopped", "賭枱已暫停")


class BadLimits(Refusal):
    """Limits that cannot be a table's."""

    in_short = Words("Such limits cannot be", "限額不正確")


class ShoeRefused(Refusal):
    """A shoe that cannot be put on, counted or ended."""

    in_short = Words("The shoe does not allow it", "牌靴不容許")


class ShoeMustBeChanged(Refusal):
    """Bets cannot open from this shoe."""

    in_short = Words("The shoe must be changed", "須更換牌靴")


class TooEarly(Refusal):
    """A card before its time."""

    in_short = Words("Too early", "時間未到")


class ReviewRefused(Refusal):
    """A review that cannot be asked for, or not answered so."""

    in_short = Words("No review of this round", "未能覆核")


class UnknownReview(Refusal):
    """No review of that number is open."""

    in_short = Words("No such review", "沒有此項覆核")


class CorrectionRefused(Refusal):
    """A correction that the cards do not allow."""

    in_short = Words("It cannot be so corrected", "不可如此更正")


class BadCommand(Refusal):
    """A command whose values make no sense."""

    in_short = Words("It makes no sense", "指令不正確")
