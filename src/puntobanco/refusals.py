"""What more than one machine refuses: a table, the house and a cage window share these kinds."""

from puntobanco.rules.refusals import Refusal


class NotNow(Refusal):
    """A command that this phase does not allow."""


class SecondPersonNeeded(Refusal):
    """An approval by the person who asked."""


class UnknownProposal(Refusal):
    """Nothing of that number waits for approval."""


class UnknownKey(Refusal):
    """A node's key that cannot be retired, or that is retired."""


class VoucherRefused(Refusal):
    """A voucher that cannot be redeemed."""
