"""Commands of the house: what is asked of the stream `floor`. Secrets come as hashes only."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from puntobanco.commands import Allowance, Command, Id, Note
from puntobanco.events import Role

MAX_MS = 2**53
Name = Annotated[
    str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$(?!\n)")
]
TableName = Annotated[str, Meta(max_length=32, pattern=r"^(table:[1-9][0-9]{0,6})?$(?!\n)")]
Hash = Annotated[str, Meta(min_length=32, max_length=200)]
Reason = Annotated[str, Meta(min_length=1, max_length=400)]
Minutes = Annotated[int, Meta(ge=1, le=1_440)]


class OpenHouse(Command):
    """Once: the house and its first administrator."""

    house: Annotated[str, Meta(min_length=1, max_length=100)]
    administrator: Name
    verifier: Hash
    demo: bool = False


class AddStaff(Command):
    person: Name
    role: Role
    verifier: Hash


class ChangeStaff(Command):
    """What is not given stays. A reason disables, `enable` takes it back; both that and a new
    password unlock.
    """

    person: Name
    role: Role | None = None
    verifier: Hash | None = None
    disable: Note = ""
    enable: bool = False


class NoteLogin(Command):
    person: Name
    ok: bool


class AddTerminal(Command):
    terminal: Name
    code: Hash
    expires_at: Annotated[int, Meta(gt=0, le=MAX_MS)]
    table: TableName = ""


class EnrolTerminal(Command):
    """By the device: its code is used up, and the key takes its place."""

    code: Hash
    key: Hash


class ChangeTerminal(Command):
    """A new code or a reason to disable it revokes the key."""

    terminal: Name
    table: TableName | None = None
    code: Hash | None = None
    expires_at: Annotated[int, Meta(gt=0, le=MAX_MS)] = MAX_MS
    disable: Note = ""


class ExcludePatron(Command):
    patron: Id
    reason: Reason
    until: Annotated[int, Meta(gt=0, le=MAX_MS)] | None = None


class ReadmitPatron(Command):
    patron: Id


class LimitPatron(Command):
    """By the patron: what a day may cost, in money and time. Narrower holds at once, wider
    waits.
    """

    patron: Id
    loss_cents: Allowance | None = None
    minutes: Minutes | None = None


class WidenLimits(Command):
    """By the clock: the wait is over."""

    patron: Id


class EndVisit(Command):
    """By the floor: a session of a patron with limits has ended."""

    patron: Id
    session: Id
    net_cents: int
    played_ms: Annotated[int, Meta(ge=0)]


class StopFloor(Command):
    reason: Reason


class StartFloor(Command):
    pass


class EndDay(Command):
    """By the clock, at midnight UTC."""


class TakeWindow(Command):
    """By a cashier who opens a shift. The house decides it, so that nobody has two windows, at
    whatever node.
    """

    window: Annotated[int, Meta(ge=1, le=1_000)]
    shift: Annotated[int, Meta(ge=1)]


class LeaveWindow(Command):
    """By the floor: this shift there was closed, or never opened; a later one is not touched."""

    window: Annotated[int, Meta(ge=1, le=1_000)]
    shift: Annotated[int, Meta(ge=1)]


AnyHouseCommand: TypeAlias = (
    OpenHouse
    | AddStaff
    | ChangeStaff
    | NoteLogin
    | AddTerminal
    | EnrolTerminal
    | ChangeTerminal
    | ExcludePatron
    | ReadmitPatron
    | LimitPatron
    | WidenLimits
    | EndVisit
    | StopFloor
    | StartFloor
    | EndDay
    | TakeWindow
    | LeaveWindow
)

HOUSE_COMMANDS: tuple[type[Command], ...] = AnyHouseCommand.__args__
