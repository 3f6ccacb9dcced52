"""Why the floor itself refuses, before any table or the house is asked."""

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words


class NoSuchTable(Refusal):
    """A table that this floor does not have."""

    in_short = Words("No such table", "沒有此賭枱")
    remedy = "Take a number from `puntobanco table list` or the lobby."


class WrongFloor(Refusal):
    """A floor that was set up otherwise than it is to be served."""

    remedy = (
        "Serve a demonstration with --demo and a real floor without it; each has a database "
        "of its own."
    )


class SeatedElsewhere(Refusal):
    """A seat that is in the way: of a patron with limits, who has one, or of another session at the
    same terminal.
    """

    in_short = Words("Seated elsewhere", "你已在另一賭枱入座")
    remedy = "Leave the other table, or cash out there, first."


class SessionOver(Refusal):
    """A seat by the ticket of a session that has ended."""

    in_short = Words("This session is over", "本節已結束")
    remedy = "Begin another session."


class CardNeeded(Refusal):
    """A seat without a member's card, where nobody plays without one."""

    in_short = Words("A member's card is needed", "須憑會員卡參與")
    remedy = "Put in a member's card."


class NotMoved(Refusal):
    """A move that another table does not take: the patron stays where he is, with his credits."""

    in_short = Words("You stay at your table", "你留在原賭枱")
    remedy = "Choose another table, or stay."
