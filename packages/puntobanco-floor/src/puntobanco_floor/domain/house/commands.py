"""Commands of the house: what is asked of the stream `floor`. Secrets come as hashes only."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from puntobanco.base.words import Words
from puntobanco.rules.causes import TABLE_CAUSES, Cause
from puntobanco_floor.domain import proposals
from puntobanco_floor.domain.commands import (
    ADMINISTRATORS,
    MANAGERS,
    Allowance,
    Anything,
    Command,
    CommandTraits,
    Id,
    Note,
)
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.machine import Asked, Events
from puntobanco_floor.domain.proposals import ProposalNumber

MAX_MS = 2**53
Name = Annotated[
    str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$(?!\n)")
]
TableName = Annotated[str, Meta(max_length=32, pattern=r"^(table:[1-9][0-9]{0,6})?$(?!\n)")]
Hash = Annotated[str, Meta(min_length=32, max_length=200)]
Reason = Annotated[str, Meta(min_length=1, max_length=400)]
Minutes = Annotated[int, Meta(ge=1, le=1_440)]
Zone = Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z][A-Za-z0-9_+/-]*$(?!\n)")]
Version = Annotated[str, Meta(max_length=64)]
Digest = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$(?!\\n)")]
DayStarts = Annotated[int, Meta(ge=0, lt=1_440)]
"""Minutes after midnight."""


def by_two(asked: Asked[HouseState], command: Command, found: Events) -> proposals.Needed:
    """A proposal of the house is filed as one about money: it never lapses."""
    return proposals.always(asked, command, found) if asked.state.by_two else None


def role_or_code_by_two(
    asked: Asked[HouseState], command: ChangeStaff, found: Events
) -> proposals.Needed:
    """To disable is one person's, at once."""
    if command.role is None and not command.code:
        return None
    return by_two(asked, command, found)


class OpenHouse(Command):
    """Once: the house and its first administrators. With two of them it decides by two people."""

    traits = CommandTraits(title=Words("set up the house", "設立本場"))

    house: Annotated[str, Meta(min_length=1, max_length=100)]
    administrator: Name
    verifier: Hash
    demo: bool = False
    zone: Zone = "UTC"
    day_starts: DayStarts = 0
    second: Name | None = None
    second_verifier: Hash | None = None


class AddStaff(Command):
    """With a code the owner enrols; two people give out a part of it each. Only a house of one
    administrator gives a verifier, of a password that somebody else has made.
    """

    traits = CommandTraits(
        title=Words("add a member of the staff", "新增職員"),
        about="money",
        by=ADMINISTRATORS,
        second=by_two,
    )

    person: Name
    role: Role
    verifier: Hash | None = None
    code: Hash | None = None
    second_code: Hash | None = None
    expires_at: Annotated[int, Meta(gt=0, le=MAX_MS)] = MAX_MS  # of the code


class ChangeStaff(Command):
    """Fields that are not given stay. `disable` is a reason, `enable` takes it back. A new code
    makes password and second factor void: the owner enrols again.
    """

    traits = CommandTraits(
        title=Words("change a member of the staff", "更改職員"),
        about="money",
        by=ADMINISTRATORS,
        second=role_or_code_by_two,
    )

    person: Name
    role: Role | None = None
    verifier: Hash | None = None
    disable: Note = ""
    enable: bool = False
    code: Hash | None = None
    second_code: Hash | None = None
    expires_at: Annotated[int, Meta(gt=0, le=MAX_MS)] = MAX_MS


class EnrolStaff(Command):
    """By the owner, who has shown the code, or the password of this verifier."""

    traits = CommandTraits(title=Words("enrol as a member of the staff", "職員登記"))

    person: Name
    verifier: Hash
    codes: Annotated[tuple[Hash, ...], Meta(max_length=2)] = ()
    before: Hash | None = None
    factor: Annotated[str, Meta(max_length=100)] = ""
    pin: Hash | None = None
    step: Annotated[int, Meta(ge=0)] = 0


class ChangeCredentials(Command):
    """By the owner, who has shown the current password. Fields that are not given stay."""

    traits = CommandTraits(title=Words("change one's own password or PIN", "更改本人密碼"))

    person: Name
    before: Hash
    verifier: Hash | None = None
    pin: Hash | None = None


class Agree(Command):
    """By somebody else than who asked. The other part of a code is made for who agrees."""

    traits = CommandTraits(
        title=Words("approve a proposal of the house", "核准本場提案"), by=MANAGERS
    )

    proposal: ProposalNumber
    code: Hash | None = None


class TurnDown(Command):
    """By who asked, or by somebody else, who gives a reason."""

    traits = CommandTraits(
        title=Words("turn down a proposal of the house", "否決本場提案"), by=MANAGERS
    )

    proposal: ProposalNumber
    reason: Note = ""


class NoteLogin(Command):
    traits = CommandTraits(title=Words("note a login", "記錄登入"))

    person: Name
    ok: bool
    source: Annotated[str, Meta(max_length=64)] = ""
    step: Annotated[int, Meta(ge=0)] = 0


class AddTerminal(Command):
    traits = CommandTraits(title=Words("add a terminal", "新增終端機"), by=ADMINISTRATORS)

    terminal: Name
    code: Hash
    expires_at: Annotated[int, Meta(gt=0, le=MAX_MS)]
    table: TableName = ""


class EnrolTerminal(Command):
    """By the device: its code is used up, and the key takes its place."""

    traits = CommandTraits(title=Words("enrol a terminal", "登記終端機"))

    code: Hash
    key: Hash


class ChangeTerminal(Command):
    """A new code or a reason to disable it revokes the key."""

    traits = CommandTraits(title=Words("change a terminal", "更改終端機"), by=ADMINISTRATORS)

    terminal: Name
    table: TableName | None = None
    code: Hash | None = None
    expires_at: Annotated[int, Meta(gt=0, le=MAX_MS)] = MAX_MS
    disable: Note = ""


class AllowGame(Command):
    """A game that came over HTTP, as its definition: tables may be opened with it."""

    traits = CommandTraits(
        title=Words("allow a game", "核准遊戲"), about="money", by=MANAGERS, second=by_two
    )

    game: Annotated[str, Meta(min_length=1, max_length=400)]
    definition: dict[str, Anything]


class ExcludePatron(Command):
    traits = CommandTraits(title=Words("exclude a patron", "禁止客人參與"), by=MANAGERS)

    patron: Id
    reason: Reason
    until: Annotated[int, Meta(gt=0, le=MAX_MS)] | None = None


class ReadmitPatron(Command):
    traits = CommandTraits(
        title=Words("readmit a patron", "恢復客人參與"), about="money", by=MANAGERS, second=by_two
    )

    patron: Id


class ErasePatron(Command):
    """By the command line, before it erases the row of the card. With `second`, two people give up
    what protects a patron to whom no card leads.
    """

    traits = CommandTraits(title=Words("erase a patron's card", "刪除客人會員卡"))

    patron: Id
    reason: Reason
    second: Id | None = None


class BindCards(Command):
    """By a node, at its first start with a program that knows MACs of patrons' cards."""

    traits = CommandTraits(title=Words("bind cards to their patrons", "綁定會員卡"))

    cards: Annotated[int, Meta(ge=0)]


class LimitPatron(Command):
    """By the patron: the most a day may cost, in money and time. Narrower limits hold at once."""

    traits = CommandTraits(title=Words("set a patron's own limits", "設定客人自訂限額"))

    patron: Id
    loss_cents: Allowance | None = None
    minutes: Minutes | None = None


class WidenLimits(Command):
    """By the clock: the wait is over."""

    traits = CommandTraits(
        title=Words("widen a patron's limits after the wait", "等候期滿放寬限額")
    )

    patron: Id


class EndVisit(Command):
    """By the floor: a session of a patron with limits has ended."""

    traits = CommandTraits(title=Words("count a visit", "計算到訪"))

    patron: Id
    session: Id
    net_cents: int
    played_ms: Annotated[int, Meta(ge=0)]


class StopFloor(Command):
    traits = CommandTraits(
        title=Words("stop the floor", "全場暫停"), by=MANAGERS, causes=TABLE_CAUSES
    )

    reason: Reason | Cause


class StartFloor(Command):
    traits = CommandTraits(title=Words("start the floor again", "全場恢復"), by=MANAGERS)


class SetGamingDay(Command):
    """It holds from the end of this day on."""

    traits = CommandTraits(title=Words("set the gaming day", "設定營業日"), by=ADMINISTRATORS)

    zone: Zone
    day_starts: DayStarts = 0


class EndDay(Command):
    """By the clock, when the gaming day is over."""

    traits = CommandTraits(title=Words("end the day", "結束當日"))


class TakeWindow(Command):
    """By a cashier who opens a shift. The house decides: no cashier has two windows."""

    traits = CommandTraits(title=Words("take a cage window", "接管帳房窗口"))

    window: Annotated[int, Meta(ge=1, le=1_000)]
    shift: Annotated[int, Meta(ge=1)]


class LeaveWindow(Command):
    """By the floor: this shift there was closed, or never opened; a later one is not touched."""

    traits = CommandTraits(title=Words("leave a cage window", "離開帳房窗口"))

    window: Annotated[int, Meta(ge=1, le=1_000)]
    shift: Annotated[int, Meta(ge=1)]


class CheckProgram(Command):
    """By a node: what it runs, compared file by file."""

    traits = CommandTraits(title=Words("note a check of the program", "記錄程式檢查"))

    node: Id
    version: Version
    program: Digest
    configuration: Digest
    files: Annotated[int, Meta(ge=0)] = 0
    fault: Note = ""
    started: bool = False


class StopNode(Command):
    traits = CommandTraits(title=Words("note that a node stops", "記錄節點停止"))

    node: Id


class NoteFault(Command):
    """By a node: an error of the program."""

    traits = CommandTraits(title=Words("note an error of the program", "記錄程式錯誤"))

    node: Id
    place: Reason
    what: Reason


class AcceptProgram(Command):
    """By two people at the command line: another program may be served from here on."""

    traits = CommandTraits(title=Words("accept the program", "接受程式"))

    version: Version
    program: Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)")]
    files: Annotated[int, Meta(ge=0)]
    second: Id


class OpenUnwitnessed(Command):
    """By two people at the command line: a node is opened whose witnesses cannot be reached."""

    traits = CommandTraits(title=Words("open without witnesses", "在無見證下開放"))

    node: Id
    reason: Reason
    size: Annotated[int, Meta(ge=0)]  # of the log
    second: Id


class ConfirmStaff(Command):
    """After a recovery, by somebody else who is confirmed: this person may log in again."""

    traits = CommandTraits(title=Words("confirm a member of the staff", "確認職員"), by=MANAGERS)

    person: Name


class ConfirmExclusions(Command):
    """After a recovery, by two people: the list of exclusions is complete."""

    traits = CommandTraits(title=Words("confirm the exclusions", "確認禁止參與名單"))

    second: Id
