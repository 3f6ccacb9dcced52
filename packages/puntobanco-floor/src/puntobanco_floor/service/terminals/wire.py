"""The wire: messages between a terminal and the floor over a WebSocket. Small, typed, versioned.

A terminal gives each command an id of its own, an idempotency key, and may send it again: it has
one effect and always the same answer. Each table counts what everybody is told: its public version.
Events carry the version that they lead to, so that a gap is a gap; `sync` brings the whole view.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from puntobanco.base.words import Words
from puntobanco_floor.domain.table.commands import Cents
from puntobanco_floor.service.strict_json import decode, read, verify
from puntobanco_floor.settings import DEFAULTS
from puntobanco_floor.views.road_grids import Added
from puntobanco_floor.views.table_view import SessionView, TableView
from puntobanco_proof.entry.heads import Head
from puntobanco_proof.entry.record import Record

PROTOCOL = 4
MAX_BYTES = DEFAULTS.message_bytes

CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[ -~]+$(?!\n)")]
"""Printable ASCII: it is stored, and not every database takes every character."""


class Message(Record, tag_field="t", tag=str.lower):
    """One message."""


# From a terminal


class Place(Message):
    id: CommandId
    round: int
    bet: Annotated[str, Meta(max_length=64)]
    stake_cents: Cents


class Raise(Message):
    id: CommandId
    round: int
    bet: Annotated[str, Meta(max_length=64)]
    by_cents: Cents


class Withdraw(Message, omit_defaults=True):
    id: CommandId
    round: int
    bet: Annotated[str, Meta(max_length=64)]
    by_cents: Cents | None = None


class Sync(Message):
    """Send the whole view again."""


Wager: TypeAlias = Place | Raise | Withdraw
FromTerminal: TypeAlias = Wager | Sync


# To a terminal


class Welcome(Message):
    """The whole view: at the start, and when asked for. The public version is the table's `v`."""

    protocol: int
    now: int
    table: TableView
    session: SessionView


class Events(Message, omit_defaults=True):
    """What happened at the table, in order, and what that changes in the view.

    `v` is the public version after them, one more for each event: whoever does not have
    `v - len(events)` has missed something. `seq` and `at` are of the last entry they come from.
    """

    v: int
    seq: int
    at: int
    events: list[Any]
    set: dict[str, Any]
    add: Added | None = None


class Mine(Message):
    """The terminal's own credits and wagers have changed."""

    session: SessionView


class Answered(Message):
    """What became of a command; each gets exactly one answer. An accepted one is receipted: the
    head of its commit, signed by the node, stands for its entry and every one before.
    """

    id: str
    ok: bool
    code: str = ""
    reason: Words | None = None
    clause: str = ""
    head: Head | None = None


class Beat(Message):
    """Nothing has happened, and the floor is there; whoever hears nothing for 15 s has lost it."""

    at: int


class Watch(Message):
    """The views that a page wants from now on: `lobby`, `table:1`, `pit`, `dealer:3` and so on."""

    what: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=16)]


class View(Message):
    """A whole view, at the start and after every change."""

    what: str
    at: int
    view: Any


class NotSeen(Message, tag="refused"):
    """A view that is none, or not for who asks."""

    what: str
    reason: Words


class Bye(Message):
    """Why the floor ends the connection."""

    reason: Words


def bye(why: Words) -> bytes:
    return write(Bye(reason=why))


ToTerminal: TypeAlias = Welcome | Events | Mine | Answered | Beat | Bye

_watch = msgspec.json.Decoder(Watch)
_from_terminal: msgspec.json.Decoder[FromTerminal] = msgspec.json.Decoder(FromTerminal)
read_to_terminal = msgspec.json.Decoder(ToTerminal).decode
write = msgspec.json.Encoder().encode


_SHORTEST = (
    Place(id="", round=0, bet="", stake_cents=1),
    Raise(id="", round=0, bet="", by_cents=1),
    Withdraw(id="", round=0, bet=""),
    Sync(),
)
_QUOTES = {type(message): write(message).count(b'"') for message in _SHORTEST}
"""How many quotes a message has that names what it must name, each once."""


def read_from_terminal(data: str) -> FromTerminal:
    """A message, by the strict decoder."""
    message = decode(_from_terminal, data)
    # The hot path: a message that was read has at least these quotes, and more where a key stands
    # twice; with an escape in it they cannot be counted. What is printed plainly hides nothing.
    is_plain = data.count('"') == _QUOTES[type(message)] and "\\" not in data
    if not (is_plain and data.isascii() and data.isprintable()):
        verify(data)
    return message


def read_watch(data: str) -> Watch:
    return read(_watch, data)
