"""What more than one machine refuses: a table, the house and a cage window share these kinds."""

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words


class NotNow(Refusal):
    """A command that this phase does not allow."""

    in_short = Words("Not now", "現時不可")
    remedy = "Wait until the phase allows it, or do what the message says is due first."


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
