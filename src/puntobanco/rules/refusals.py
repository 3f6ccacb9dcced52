"""Refusals: what a person can get wrong, in one line, with the clause where a rulebook decides.

Refusal
├── UnknownCard         a code that names no card
├── CardRefused         a card that cannot be dealt now
├── StakeRefused        a stake that cannot be taken
├── UnknownBet          a bet this game does not offer
├── DecksRefused        a number of decks the rulebook does not allow
├── RoundNotComplete    settlement asked for too early
├── UnknownGround       an irregularity this rulebook does not name
├── GroundDoesNotApply  a ground whose conditions are not met
├── BadGame             a definition that cannot be a game
├── BadResults          text that is not a sequence of results
└── UnknownGame         neither a game's id nor a file that defines one
"""

import re


class Refusal(Exception):
    """Something a person asked for and cannot have; `reason` is written for that person.

    `reason_zh` says the same in Chinese, where dealers read it; empty where nobody has said it yet.
    """

    code = "refusal"
    """The kind of refusal, for programs and tables of tests: `bets-are-closed`."""

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    def __init__(self, reason: str, *, clause: str | None = None, reason_zh: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.reason_zh = reason_zh
        self.clause = clause

    def __str__(self) -> str:
        if self.clause:
            return f"{self.reason} [{self.clause}]"
        return self.reason


class UnknownCard(Refusal):
    """A code that names no card."""


class CardRefused(Refusal):
    """A card that cannot be dealt now."""


class StakeRefused(Refusal):
    """A stake that cannot be taken."""


class UnknownBet(Refusal):
    """A bet this game does not offer."""


class DecksRefused(Refusal):
    """A number of decks the rulebook does not allow."""


class RoundNotComplete(Refusal):
    """Settlement asked for before the last card."""


class UnknownGround(Refusal):
    """An irregularity this game's rulebook does not name."""


class GroundDoesNotApply(Refusal):
    """A ground whose conditions are not met."""


class BadGame(Refusal):
    """A definition that cannot be a game."""


class BadResults(Refusal):
    """Text that is not a sequence of results."""


class UnknownGame(Refusal):
    """Neither a game's id nor a file that defines one."""
