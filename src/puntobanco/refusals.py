"""What more than one machine refuses: a table, the house and a cage window share these kinds."""

from puntobanco.rules.refusals import Refusal
from puntobanco.rules.text import Words


class NotNow(Refusal):
    """A command that this phase does not allow."""

    in_short = Words("Not now", "現時不可")


class CauseRefused(Refusal):
    """A stop without a cause that staff may state, or without the note that it needs."""

    in_short = Words("Say why", "請說明原因")


class SecondPersonNeeded(Refusal):
    """An approval by the person who asked."""

    in_short = Words("Somebody else is needed", "須由另一人處理")


class UnknownProposal(Refusal):
    """Nothing of that number waits for approval."""

    in_short = Words("Nothing of that number waits", "沒有等候中的此項提案")


class UnknownKey(Refusal):
    """A node's key that cannot be retired, or that is retired."""


class VoucherRefused(Refusal):
    """A voucher that cannot be redeemed."""

    in_short = Words("The voucher is not good", "票券不獲接受")
