"""Events of a move: a session and its credits go from one table to another. The same id stands in
the entries of both: reserved, arrived and settled; or reserved, refused and returned.
"""

from __future__ import annotations

from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause, words_of
from puntobanco_floor.domain.event import Event, Figure, Figures
from puntobanco_floor.domain.ledger import MOVING, Transfer, Transfers, account_of
from puntobanco_floor.domain.stream_names import place_words
from puntobanco_floor.domain.traits import EventTraits


class MoveReserved(Event):
    """At the old table: the credits are on the way, with the visit that they belong to."""

    traits = EventTraits(group="money", carried=True)
    session: str
    move: str  # the id, in both streams
    to: str
    cents: int
    until: int  # it does not arrive later
    patron: str
    in_cents: int  # of the visit: what came in and has not left
    since: int
    loss_cents: int | None = None  # the patron's own limits
    play_ms: int | None = None

    def says(self) -> Words:
        said = Words("{} goes with {} to {}", "{} 攜 {} 前往{}")
        return said.format(self.session, dollars(self.cents), place_words(self.to))

    def transfers(self) -> Transfers:
        return (Transfer(account_of(self.session), MOVING, self.cents),)

    def figures(self) -> Figures:
        return (Figure("moved_out_cents", self.cents, self.session),)


class MoveArrived(Event):
    """At the new table, where the session is seated."""

    traits = EventTraits(group="money", carried=True)
    session: str
    move: str
    came_from: str
    cents: int
    until: int
    in_cents: int
    since: int

    def says(self) -> Words:
        said = Words("{0} brings {1} from {2}", "{0} 由{2}攜來 {1}")
        return said.format(self.session, dollars(self.cents), place_words(self.came_from))

    def transfers(self) -> Transfers:
        return (Transfer(MOVING, account_of(self.session), self.cents),)

    def figures(self) -> Figures:
        return (Figure("moved_in_cents", self.cents, self.session),)


class MoveRefused(Event):
    """At the new table: nothing arrives there, now or later."""

    traits = EventTraits(group="money", carried=True)
    session: str
    move: str
    came_from: str
    until: int
    reason: Cause

    def says(self) -> Words:
        said = Words("{} cannot come from {}: {}", "{} 未能由{}轉來：{}")
        return said.format(self.session, place_words(self.came_from), words_of(self.reason))


class MoveSettled(Event):
    """At the old table: the credits have arrived."""

    traits = EventTraits(group="money", carried=True)
    session: str
    move: str
    to: str
    cents: int
    stopped: str | Cause = ""  # the session was stopped here while they were on the way

    def says(self) -> Words:
        said = Words("{} has arrived with {} at {}", "{} 的 {} 已到達{}")
        return said.format(self.session, dollars(self.cents), place_words(self.to))


class MoveReturned(Event):
    """At the old table: they were refused at the other, and are credits here again."""

    traits = EventTraits(group="money", carried=True)
    session: str
    move: str
    to: str
    cents: int
    in_cents: int
    reason: Cause

    def says(self) -> Words:
        said = Words("{} has {} back: {}", "{} 的 {} 已退回：{}")
        return said.format(self.session, dollars(self.cents), words_of(self.reason))

    def transfers(self) -> Transfers:
        return (Transfer(MOVING, account_of(self.session), self.cents),)

    def figures(self) -> Figures:
        return (Figure("moved_out_cents", -self.cents, self.session),)


MoveDecided = MoveArrived | MoveRefused
"""What the new table says of a move, once."""

MoveClosed = MoveSettled | MoveReturned
"""What the old table says then."""

Moved = MoveReserved | MoveDecided | MoveClosed
"""Any step of a move."""
