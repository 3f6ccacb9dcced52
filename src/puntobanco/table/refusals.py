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


class BetsAreClosed(Refusal):
    """A wager or raise while bets are not open."""


class WithdrawalTooLate(Refusal):
    """A wager taken back after bets closed."""


class SpotClosed(Refusal):
    """A wager or raise on a bet that this table has closed, while others are open."""


class WrongRound(Refusal):
    """A wager for another round."""


class NotSeated(Refusal):
    """A session without a seat here."""


class AlreadySeated(Refusal):
    """A session that is seated already."""


class InPlay(Refusal):
    """Credits cannot leave while wagers are in play."""


class NotEnoughCredits(Refusal):
    """A stake above the session's credits."""


class LimitRefused(Refusal):
    """A stake outside the table's limits."""


class PatronLimitReached(Refusal):
    """A wager beyond the patron's own limits, or of a session that takes no more."""


class HandPayNeeded(Refusal):
    """Credits too many for a voucher."""


class AwaitsPayment(Refusal):
    """A session from before a recovery: it plays no more, and two people pay its credits."""


class TableHalted(Refusal):
    """A table that was stopped opens no round."""


class BadLimits(Refusal):
    """Limits that cannot be a table's."""


class ShoeRefused(Refusal):
    """A shoe that cannot be put on, counted or ended."""


class ShoeMustBeChanged(Refusal):
    """Bets cannot open from this shoe."""


class TooEarly(Refusal):
    """A card before its time."""


class ReviewRefused(Refusal):
    """A review that cannot be asked for, or not answered so."""


class UnknownReview(Refusal):
    """No review of that number is open."""


class CorrectionRefused(Refusal):
    """A correction that the cards do not allow."""


class BadCommand(Refusal):
    """A command whose values make no sense."""
