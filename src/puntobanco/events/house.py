"""Events of the house: staff, terminals, patrons, cage windows; what has no table."""

from __future__ import annotations

from typing import ClassVar

from puntobanco.events.event import Event
from puntobanco.rules.money import format_cents
from puntobanco.rules.text import Words
from puntobanco.traits import EventTraits, Role


class HouseOpened(Event):
    traits: ClassVar = EventTraits(group="house", heading="house")
    house: str
    demo: bool

    def says(self) -> Words:
        return Words(f"set up as {self.house}", f"設立為 {self.house}")


class StaffAdded(Event):
    traits: ClassVar = EventTraits(group="house", heading="staff", secret=("verifier",))
    person: str
    role: Role
    verifier: str  # of the password; useless without the key ring

    def says(self) -> Words:
        return Words(f"{self.person} added as {self.role}", f"新增 {self.person}：{self.role}")


class StaffChanged(Event):
    traits: ClassVar = EventTraits(group="house", heading="staff", secret=("verifier",))
    person: str
    role: Role
    verifier: str
    disabled: str  # why, or nothing

    def says(self) -> Words:
        why = Words("")
        if self.disabled:
            why = Words(f", disabled: {self.disabled}", f"，已停用：{self.disabled}")
        return Words(f"{self.person} is {self.role}{why.en}", f"{self.person}：{self.role}{why.zh}")


class LoginNoted(Event):
    traits: ClassVar = EventTraits(group="house", heading="failed login")
    person: str
    ok: bool

    def says(self) -> Words:
        if self.ok:
            return Words(f"{self.person} logs in", f"{self.person} 登入")
        return Words(f"{self.person} gives a wrong password", f"{self.person} 密碼錯誤")

    def reported(self) -> str:
        return "" if self.ok else self.person


class TerminalAdded(Event):
    traits: ClassVar = EventTraits(group="house", heading="terminal", secret=("code",))
    terminal: str
    table: str  # where it stands; empty: anywhere
    code: str  # hash of the code that enrols it, once
    expires_at: int

    def says(self) -> Words:
        return Words(f"{self.terminal} added", f"新增終端機 {self.terminal}")


class TerminalEnrolled(Event):
    traits: ClassVar = EventTraits(group="house", heading="terminal", secret=("key",))
    terminal: str
    key: str  # hash of the key that the device keeps

    def says(self) -> Words:
        return Words(f"{self.terminal} enrolled", f"終端機 {self.terminal} 已登記")


class TerminalChanged(Event):
    traits: ClassVar = EventTraits(group="house", heading="terminal", secret=("code", "key"))
    terminal: str
    table: str
    code: str
    expires_at: int
    key: str
    disabled: str

    def says(self) -> Words:
        if self.disabled:
            how = Words(f"disabled: {self.disabled}", f"已停用：{self.disabled}")
        else:
            how = Words(f"at {self.table or 'any table'}", f"位於 {self.table or '任何賭枱'}")
        return Words(f"{self.terminal} {how.en}", f"終端機 {self.terminal} {how.zh}")


class PatronExcluded(Event):
    traits: ClassVar = EventTraits(group="house", heading="exclusion", carried=True)
    patron: str
    reason: str
    until: int | None

    def says(self) -> Words:
        return Words(
            f"{self.patron} excluded: {self.reason}", f"{self.patron} 禁止入場：{self.reason}"
        )


class PatronReadmitted(Event):
    traits: ClassVar = EventTraits(group="house", heading="exclusion", carried=True)
    patron: str

    def says(self) -> Words:
        return Words(f"{self.patron} readmitted", f"{self.patron} 准許再入場")


class PatronLimited(Event):
    """The patron's own limits a day from now on, and those asked for that are wider, which wait."""

    traits: ClassVar = EventTraits(group="house", carried=True)
    patron: str
    loss_cents: int | None
    minutes: int | None
    wider: tuple[int | None, int | None] | None = None  # loss and minutes
    wider_at: int = 0

    def says(self) -> Words:
        return Words(
            f"{self.patron} has other limits of the patron's own", f"{self.patron} 更改自設限額"
        )


class VisitEnded(Event):
    """What a session with limits has lost and how long it played; it counts for the rest of the
    day.
    """

    traits: ClassVar = EventTraits(group="house", carried=True)
    patron: str
    session: str
    net_cents: int
    played_ms: int

    def says(self) -> Words:
        net = format_cents(self.net_cents)
        return Words(
            f"{self.patron} leaves {self.session}, {net} net",
            f"{self.patron} 離開 {self.session}，淨額 {net}",
        )


class FloorStopped(Event):
    traits: ClassVar = EventTraits(group="house", heading="stop", carried=True)
    reason: str

    def says(self) -> Words:
        return Words(f"the floor stopped: {self.reason}", f"全場暫停：{self.reason}")


class FloorStarted(Event):
    traits: ClassVar = EventTraits(group="house", heading="stop", carried=True)

    def says(self) -> Words:
        return Words("the floor goes on", "全場繼續")


class DayEnded(Event):
    traits: ClassVar = EventTraits(group="house", signs=True, seals=True)
    day: int  # days since 1970

    def says(self) -> Words:
        return Words(f"day {self.day} is over", f"第 {self.day} 日結束")


class WindowTaken(Event):
    """A cage window is a cashier's for its next shift, and the cashier has no other."""

    traits: ClassVar = EventTraits(group="house")
    window: int
    cashier: str
    shift: int
    since: int

    def says(self) -> Words:
        return Words(
            f"{self.cashier} takes cage window {self.window} for shift {self.shift}",
            f"{self.cashier} 接手 {self.window} 號帳房窗口，第 {self.shift} 更",
        )


class WindowLeft(Event):
    traits: ClassVar = EventTraits(group="house")
    window: int
    shift: int

    def says(self) -> Words:
        return Words(
            f"cage window {self.window} is free, shift {self.shift} is over",
            f"{self.window} 號帳房窗口空出，第 {self.shift} 更結束",
        )
