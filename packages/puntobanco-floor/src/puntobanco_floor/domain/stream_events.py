"""Events of the journal itself, in any stream."""

from __future__ import annotations

from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.event import About, ByTwo, Event, EventTraits, Figure, Figures
from puntobanco_floor.domain.ledger import HELD, Transfer, Transfers, account_of


class PeriodSealed(Event):
    """The end of a period: the hash of state and balances that the next one starts from."""

    traits = EventTraits(group="table")
    words = Words(
        "period {period} is sealed, snapshot {snapshot:.12}",
        "第 {period} 期封存，快照 {snapshot:.12}",
    )
    period: int
    snapshot: str


class ClockStepped(Event):
    """The wall clock was moved; table time runs on."""

    traits = EventTraits(group="house", heading="time")
    wall_ms: int
    table_ms: int

    def says(self) -> Words:
        step = f"{self.wall_ms - self.table_ms:+}"
        return Words(
            f"the wall clock was set by {step} ms against table time",
            f"時鐘較賭枱時間調整 {step} 毫秒",
        )


class KeyAdmitted(Event):
    """Commits signed with this key of a node count from here on; the root key certifies it."""

    traits = EventTraits(group="house", heading="keys", anchors=True)
    words = Words("node key {key} is admitted", "接納節點密鑰 {key}")
    key: str
    public: str
    root: str  # id of the root key, which signed the other fields and the stream
    certificate: str


class KeyRetired(Event):
    """From here on no signature with this key counts; those before stay good."""

    traits = EventTraits(group="house", heading="keys", anchors=True)
    words = Words("node key {key} is retired", "停用節點密鑰 {key}")
    key: str


class EpochBegun(Event):
    """After a recovery: writes since the recovered copy are lost. Shoes are retired, and people
    confirm what is owed.
    """

    traits = EventTraits(group="house", heading="recovery", anchors=True, ends=("shoe", "shoe"))
    epoch: int
    reason: str
    proposed_by: str
    approved_by: str
    # leaves of the transparency log whose entries the database has not; in the house's stream
    lost_leaves: int = 0

    def says(self) -> Words:
        said = Words("epoch {} begins after a recovery: {}", "復原後第 {} 紀元開始：{}")
        begun = said.format(self.epoch, self.reason)
        if not self.lost_leaves:
            return begun
        lost = Words("{}; {} leaves of the log have no entry", "{}；{} 個公開日誌葉節點已無記錄")
        english = lost.en.format(begun.en, self.lost_leaves)
        return Words(english, lost.zh.format(begun.zh, self.lost_leaves))


class EntriesSetAside(ByTwo):
    """Entries that no node had signed were taken out of the stream by two people; they are kept."""

    traits = EventTraits(group="house", heading="recovery", anchors=True)
    words = Words(
        "entries {first} to {last} are set aside: {reason}", "擱置第 {first} 至 {last} 筆：{reason}"
    )
    first: int
    last: int
    digest: str  # SHA-256 over their bytes, one after the other
    reason: str


class VouchersConfirmed(ByTwo):
    """Two people have looked at the list: old vouchers are good again, except the doubted."""

    traits = EventTraits(group="money", heading="recovery")
    doubted: tuple[str, ...]

    def says(self) -> Words:
        said = Words(
            "vouchers from before the recovery are confirmed, but for {}",
            "確認復原前的票券，{} 張除外",
        )
        return said.format(len(self.doubted))


# Proposals: commands that wait for a second person


class Proposed(Event):
    """A command waits for a second person; the cents that it would pay are set apart."""

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
