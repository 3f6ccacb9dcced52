"""Events of proposals: commands that wait for a second person, at a table or a cage window."""

from __future__ import annotations

from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.event import Event, Figure, Figures
from puntobanco_floor.domain.ledger import HELD, Transfer, Transfers, account_of
from puntobanco_floor.domain.traits import About, EventTraits


class Proposed(Event):
    """A command that waits for a second person; the cents that it would pay of a session's credits
    are set apart.
    """

    traits = EventTraits(group="decisions")
    proposal: int
    about: About
    at: int
    command: dict[str, object]
    session: str = ""
    held_cents: int = 0

    def says(self) -> Words:
        said = Words("proposal {}: {}", "提案 {}：{}")
        if self.held_cents:
            said = Words("proposal {}: {}, {} set apart", "提案 {}：{}，預留 {}")
        command = str(self.command["command"]).replace("-", " ")
        return said.format(self.proposal, command, dollars(self.held_cents))

    def sessions(self) -> set[str]:
        """The command may name one too, where nothing is set apart."""
        named = {self.session, str(self.command.get("session", ""))}
        return named - {""}

    def transfers(self) -> Transfers:
        if not self.held_cents:
            return ()
        return (Transfer(account_of(self.session), HELD, self.held_cents),)

    def figures(self) -> Figures:
        if not self.held_cents:
            return ()
        return (Figure("held_cents", self.held_cents, self.session),)


class ProposalApproved(Event):
    traits = EventTraits(group="decisions")
    words = Words("proposal {proposal} approved by {by}", "提案 {proposal} 由 {by} 核准")
    proposal: int
    by: str


class ProposalRejected(Event):
    """What was set apart goes back to the session's credits."""

    traits = EventTraits(group="decisions", heading="override")
    proposal: int
    by: str
    reason: str
    session: str = ""
    returned_cents: int = 0

    def says(self) -> Words:
        said = Words("proposal {} rejected by {}{}", "提案 {} 由 {} 否決{}")
        return said.format(self.proposal, self.by, f" {self.reason}".rstrip())

    def transfers(self) -> Transfers:
        return _given_back(self.session, self.returned_cents)

    def figures(self) -> Figures:
        return _not_held(self.session, self.returned_cents)


class ProposalWithdrawn(Event):
    """By who asked; what was set apart goes back."""

    traits = EventTraits(group="decisions", heading="override")
    words = Words("proposal {proposal} withdrawn", "提案 {proposal} 已撤回")
    proposal: int
    session: str = ""
    returned_cents: int = 0

    def transfers(self) -> Transfers:
        return _given_back(self.session, self.returned_cents)

    def figures(self) -> Figures:
        return _not_held(self.session, self.returned_cents)


class ProposalLapsed(Event):
    """It was about a round that is over, or goes on otherwise; `why` says what ended it."""

    traits = EventTraits(group="decisions", heading="override")
    proposal: int
    why: str  # a code, as the kind of event has it that ended it

    def says(self) -> Words:
        said = Words("proposal {} lapsed: {}", "提案 {} 失效：{}")
        return said.format(self.proposal, Cause(self.why).words)


ProposalAnswered = ProposalApproved | ProposalRejected
"""Somebody else than who asked has decided."""


def _given_back(session: str, cents: int) -> Transfers:
    return (Transfer(HELD, account_of(session), cents),) if cents else ()


def _not_held(session: str, cents: int) -> Figures:
    return (Figure("held_cents", -cents, session),) if cents else ()
