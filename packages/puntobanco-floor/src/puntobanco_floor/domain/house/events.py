"""Events of the house: staff, terminals, patrons, cage windows; what has no table."""

from __future__ import annotations

from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause, words_of
from puntobanco_floor.domain.event import ByTwo, Event, EventTraits, MayBeByTwo, Role
from puntobanco_floor.domain.house.gaming_day import clock_text, date_of
from puntobanco_floor.domain.house.program_faults import fault_words
from puntobanco_floor.domain.stream_names import place_words


class HouseOpened(Event):
    traits = EventTraits(group="house", heading="house")
    words = Words("set up as {house}", "設立為 {house}")
    house: str
    demo: bool
    zone: str = "UTC"  # whose clocks its days go by
    day_starts: int = 0  # minutes after midnight
    day: int = 0  # the first one: days since 1970
    two_administrators: bool = False  # from the first: staff and exclusions are changed by two


class StaffAdded(MayBeByTwo):
    traits = EventTraits(group="house", heading="staff", secret=("verifier", "codes"))
    words = Words("{person} added as {role}", "新增 {person}：{role}")
    person: str
    role: Role
    verifier: str  # of the password; useless without the key ring. None before the owner enrols
    codes: tuple[str, ...] = ()  # hashes of the parts of the code that enrols the owner, once
    expires_at: int = 0  # of the code


class StaffChanged(MayBeByTwo):
    """With a code, the owner enrols again: password, PIN and second factor from before are void."""

    traits = EventTraits(group="house", heading="staff", secret=("verifier", "codes"))
    person: str
    role: Role
    verifier: str
    disabled: str  # why, or nothing
    codes: tuple[str, ...] = ()
    expires_at: int = 0

    def says(self) -> Words:
        why = Words("")
        if self.disabled:
            why = Words(", disabled: {}", "，已停用：{}").format(self.disabled)
        if self.codes:
            why = Words("{}, enrols anew with a new code", "{}，須以新代碼重新登記").format(why)
        return Words("{} is {}{}", "{}：{}{}").format(self.person, self.role, why)


class StaffEnrolled(Event):
    """The owner chose a password and the second factor of the role. The code is used up."""

    traits = EventTraits(group="house", heading="staff", secret=("verifier", "factor", "pin"))
    words = Words("{person} has enrolled", "{person} 已登記")
    person: str
    verifier: str
    factor: str = ""  # which key of the ring and which random text its secret is derived from
    pin: str = ""  # verifier of the PIN
    step: int = 0  # the last time step whose one-time code was used


class CredentialsChanged(Event):
    """By the owner: another password or PIN."""

    traits = EventTraits(group="house", heading="staff", secret=("verifier", "pin"))
    words = Words("{person} changes the password or PIN", "{person} 更改密碼或個人密碼")
    person: str
    verifier: str
    pin: str = ""


class StaffConfirmed(Event):
    """After a recovery: somebody else confirms that this person is on the staff."""

    traits = EventTraits(group="house", heading="recovery")
    words = Words("{person} is confirmed by {by}", "{by} 確認 {person}")
    person: str
    by: str


class LoginNoted(Event):
    traits = EventTraits(group="house", heading="failed login")
    person: str
    ok: bool
    source: str = ""  # the address that it came from; none at the command line
    step: int = 0  # the time step of the one-time code, which is good once

    def says(self) -> Words:
        wrong = Words("{} gives a wrong password", "{} 密碼錯誤")
        said = Words("{} logs in", "{} 登入") if self.ok else wrong
        if self.source:
            said = Words(f"{said.en} from {{}}", f"{said.zh}，來自 {{}}")
        return said.format(self.person, self.source)

    def reported(self) -> str:
        if self.ok:
            return ""
        return f"{self.person} from {self.source}" if self.source else self.person


class TerminalAdded(Event):
    traits = EventTraits(group="house", heading="terminal", secret=("code",))
    words = Words("{terminal} added", "新增終端機 {terminal}")
    terminal: str
    table: str  # where it stands; empty: anywhere
    code: str  # hash of the code that enrols it, once
    expires_at: int


class TerminalEnrolled(Event):
    traits = EventTraits(group="house", heading="terminal", secret=("key",))
    words = Words("{terminal} enrolled", "終端機 {terminal} 已登記")
    terminal: str
    key: str  # hash of the key that the device keeps


class TerminalChanged(Event):
    traits = EventTraits(group="house", heading="terminal", secret=("code", "key"))
    terminal: str
    table: str
    code: str
    expires_at: int
    key: str
    disabled: str

    def says(self) -> Words:
        if self.disabled:
            said = Words("{} disabled: {}", "終端機 {} 已停用：{}")
            return said.format(self.terminal, self.disabled)
        table = place_words(self.table) if self.table else Words("any table", "任何賭枱")
        return Words("{} at {}", "終端機 {} 位於 {}").format(self.terminal, table)


class GameAllowed(MayBeByTwo):
    """Tables may be opened with this definition, also where it comes over HTTP."""

    traits = EventTraits(group="house", heading="game")
    words = Words(
        "game {game} allowed, definition {digest:.12}", "核准遊戲 {game}，定義 {digest:.12}"
    )
    game: str
    digest: str  # of what is dealt, decided and paid
    definition: str  # SHA-256 of all of it, its words too


class PatronExcluded(Event):
    traits = EventTraits(group="house", heading="exclusion", carried=True)
    words = Words("{patron} excluded: {reason}", "{patron} 禁止參與：{reason}")
    patron: str
    reason: str
    until: int | None


class PatronReadmitted(MayBeByTwo):
    traits = EventTraits(group="house", heading="exclusion", carried=True)
    words = Words("{patron} readmitted", "{patron} 恢復參與")
    patron: str


class ExclusionsConfirmed(ByTwo):
    """After a recovery: two people say that the list of exclusions is complete."""

    traits = EventTraits(group="house", heading="recovery")
    words = Words(
        "the exclusions of {patrons} patrons are complete", "禁止參與名單完整，共 {patrons} 人"
    )
    patrons: int


class PatronErased(MayBeByTwo):
    """No card leads to this id any more. Two people gave up an exclusion or limits with it."""

    traits = EventTraits(group="house", heading="erasure", carried=True)
    words = Words("the card of {patron} erased: {reason}", "已刪除 {patron} 的會員卡：{reason}")
    patron: str
    reason: str


class CardsBound(Event):
    """From here on a patron's card counts only if its row has a MAC."""

    traits = EventTraits(group="house")
    words = Words(
        "cards are bound to their patrons, {cards} of them from before",
        "會員卡已與客人綁定，其中 {cards} 張為舊卡",
    )
    cards: int


class PatronLimited(Event):
    """The patron's own limits a day from now on, and those asked for that are wider, which wait."""

    traits = EventTraits(group="house", carried=True)
    words = Words("{patron} has other limits of the patron's own", "{patron} 更改自訂限額")
    patron: str
    loss_cents: int | None
    minutes: int | None
    wider: tuple[int | None, int | None] | None = None  # loss and minutes
    wider_at: int = 0


class VisitEnded(Event):
    """What a session with limits lost and how long it played: it counts for the rest of the day."""

    traits = EventTraits(group="house", carried=True)
    words = Words(
        "{patron} leaves {session}, {net_cents} net", "{patron} 離開 {session}，淨額 {net_cents}"
    )
    patron: str
    session: str
    net_cents: int
    played_ms: int


class FloorStopped(Event):
    traits = EventTraits(group="house", heading="stop", carried=True)
    reason: str  # in words, as older journals have it
    cause: Cause | None = None

    def says(self) -> Words:
        said = Words("the floor stopped: {}", "全場暫停：{}")
        return said.format(words_of(self.cause or self.reason))


class FloorStarted(Event):
    traits = EventTraits(group="house", heading="stop", carried=True)
    words = Words("the floor goes on", "全場繼續")


class DayEnded(Event):
    traits = EventTraits(group="house", anchors=True, seals=True)
    day: int  # the gaming day that begins: days since 1970

    def says(self) -> Words:
        said = Words("the day is over; {} begins", "當日結束；{} 開始")
        return said.format(_date(self.day))


class GamingDaySet(Event):
    """From the end of this day on, days are cut otherwise; those before it stay as they were."""

    traits = EventTraits(group="house", heading="gaming day")
    zone: str
    day_starts: int
    day: int  # the first day that is cut so,
    since: int  # and when it begins

    def says(self) -> Words:
        said = Words("from {} on a day starts at {} in {}", "由 {} 起，每日於 {} 開始（{}）")
        return said.format(_date(self.day), clock_text(self.day_starts), self.zone)


def _date(day: int) -> str:
    """Of a number of days since 1970; a forged one is said too."""
    try:
        return date_of(day).isoformat()
    except OverflowError:
        return f"day {day}"


class WindowTaken(Event):
    """A cage window is a cashier's for its next shift, and the cashier has no other."""

    traits = EventTraits(group="house")
    words = Words(
        "{cashier} takes cage window {window} for shift {shift}",
        "{cashier} 接手 {window} 號帳房窗口，第 {shift} 更",
    )
    window: int
    cashier: str
    shift: int
    since: int


class WindowLeft(Event):
    traits = EventTraits(group="house")
    words = Words(
        "cage window {window} is free, shift {shift} is over",
        "{window} 號帳房窗口空出，第 {shift} 更結束",
    )
    window: int
    shift: int


# Programs: what a node runs, whether it is what was accepted, when it ended, what failed in it


class ProgramChecked(Event):
    """A node has compared its files: at its start, every 24 hours, or when somebody asked."""

    traits = EventTraits(group="house", heading="program")
    node: str
    at: int
    version: str
    program: str  # digest of program and dependencies; none of a checkout
    configuration: str  # digest of the settings as they hold
    # what is not as it was accepted: a code and a file, `missing:puntobanco/base/cache.py`
    fault: str = ""
    started: bool = False
    unclean_since: int = 0  # when its last run was last heard of, where that ended without a word
    reconfigured: bool = False  # with other settings than at its last check

    def says(self) -> Words:
        said = Words("node {} checked", "節點 {} 已檢查")
        if self.started:
            said = Words("node {} starts", "節點 {} 啟動")
        parts = [said.format(self.node)]
        if self.unclean_since:
            parts.append(Words("its last run ended without a stop", "上次未正常停止"))
        if self.reconfigured:
            parts.append(Words("its settings have changed", "設定已更改"))
        if self.fault:
            changed = Words("its program is not as accepted: {}", "程式有變：{}")
            parts.append(changed.format(fault_words(self.fault)))
        english = ", ".join(each.en for each in parts)
        return Words(english, "，".join(each.zh for each in parts))

    def reported(self) -> str:
        is_quiet = not (self.started or self.reconfigured or self.fault)
        return "" if is_quiet else self.says().en


class NodeStopped(Event):
    """As it should: its terminals were told, and what it had was written."""

    traits = EventTraits(group="house", heading="program")
    words = Words("node {node} stops", "節點 {node} 停止")
    node: str


class FaultNoted(Event):
    """An error of the program, by its place in the source; one of a place each hour."""

    traits = EventTraits(group="house", heading="program error")
    words = Words(
        "node {node}: {what} at {place}; its log says more",
        "節點 {node}：{place} 發生 {what}；詳見日誌",
    )
    node: str
    place: str  # module and line
    what: str  # the kind of exception


class OpenedUnwitnessed(ByTwo):
    """Two people opened a node that could reach none of the witnesses that it names."""

    traits = EventTraits(group="house", heading="witnesses", anchors=True)
    words = Words(
        "node {node} opened without its witnesses: {reason}", "節點 {node} 在無見證下開放：{reason}"
    )
    node: str
    reason: str
    size: int  # of the log then


class ProgramAccepted(MayBeByTwo):
    """This program may be served: by its first start, later by two people."""

    traits = EventTraits(group="house", heading="program")
    words = Words("program {version} accepted", "已接受程式 {version}")
    version: str
    program: str
    files: int
