"""Events of proposals: commands that wait for a second person, at a table or a cage window."""

from __future__ import annotations

from typing import ClassVar

from puntobanco.events.event import Event, Figure
from puntobanco.ledger import HELD, Transfer, account_of
from puntobanco.rules.money import format_cents
from puntobanco.rules.text import Words
from puntobanco.traits import About, EventTraits


class Proposed(Event):
    """A command that waits for a second person; the cents that it would pay of a session's credits
    are set apart.
    """

    traits: ClassVar = EventTraits(group="decisions")
    proposal: int
    about: About
    at: int
    command: dict[str, object]
    session: str = ""
    held_cents: int = 0

    def says(self) -> Words:
        command, cents = self.command["command"], format_cents(self.held_cents)
        held = Words(f", {cents} set apart", f"，預留 {cents}") if self.held_cents else Words("")
        return Words(
            f"proposal {self.proposal}: {command}{held.en}",
            f"提案 {self.proposal}：{command}{held.zh}",
        )

    def sessions(self) -> set[str]:
        """The command may name one too, where nothing is set apart."""
        named = {self.session, str(self.command.get("session", ""))}
        return named - {""}

    def transfers(self) -> tuple[Transfer, ...]:
        if not self.held_cents:
            return ()
        return (Transfer(account_of(self.session), HELD, self.held_cents),)

    def figures(self) -> tuple[Figure, ...]:
        if not self.held_cents:
            return ()
        return (Figure("held_cents", self.held_cents, self.session),)


class ProposalApproved(Event):
    traits: ClassVar = EventTraits(group="decisions")
    proposal: int
    by: str

    def says(self) -> Words:
        return Words(
            f"proposal {self.proposal} approved by {self.by}",
            f"提案 {self.proposal} 由 {self.by} 核准",
        )


class ProposalRejected(Event):
    """What was set apart goes back to the session's credits."""

    traits: ClassVar = EventTraits(group="decisions", heading="override")
    proposal: int
    by: str
    reason: str
    session: str = ""
    returned_cents: int = 0

    def says(self) -> Words:
        return Words(
            f"proposal {self.proposal} rejected by {self.by} {self.reason}".rstrip(),
            f"提案 {self.proposal} 由 {self.by} 否決 {self.reason}".rstrip(),
        )

    def transfers(self) -> tuple[Transfer, ...]:
        return _given_back(self.session, self.returned_cents)

    def figures(self) -> tuple[Figure, ...]:
        return _not_held(self.session, self.returned_cents)


class ProposalWithdrawn(Event):
    """By who asked; what was set apart goes back."""

    traits: ClassVar = EventTraits(group="decisions", heading="override")
    proposal: int
    session: str = ""
    returned_cents: int = 0

    def says(self) -> Words:
        return Words(f"proposal {self.proposal} withdrawn", f"提案 {self.proposal} 已撤回")

    def transfers(self) -> tuple[Transfer, ...]:
        return _given_back(self.session, self.returned_cents)

    def figures(self) -> tuple[Figure, ...]:
        return _not_held(self.session, self.returned_cents)


class ProposalLapsed(Event):
    """It was about a round that is over, or goes on otherwise; `why` says what ended it."""

    traits: ClassVar = EventTraits(group="decisions", heading="override")
    proposal: int
    why: str

    def says(self) -> Words:
        return Words(
            f"proposal {self.proposal} lapsed: {self.why}",
            f"提案 {self.proposal} 失效：{self.why}",
        )


ProposalAnswered = ProposalApproved | ProposalRejected
"""Somebody else than who asked has decided."""


def _given_back(session: str, cents: int) -> tuple[Transfer, ...]:
    return (Transfer(HELD, account_of(session), cents),) if cents else ()


def _not_held(session: str, cents: int) -> tuple[Figure, ...]:
    return (Figure("held_cents", -cents, session),) if cents else ()
