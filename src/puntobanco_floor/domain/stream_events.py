"""Events of the journal itself, in any stream."""

from __future__ import annotations

from puntobanco.base.words import Words
from puntobanco_floor.domain.event import Event
from puntobanco_floor.domain.traits import EventTraits


class PeriodSealed(Event):
    """The end of a period: the hash of state and balances, from which the next can be checked
    alone.
    """

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
    """From here on commits that a node signs with this key count; the floor's root key says whose
    it is.
    """

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
    """After a recovery: what was written since the recovered copy is lost, so shoes are retired and
    what is owed is confirmed by people.
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


class EntriesSetAside(Event):
    """Entries that no node had signed were taken out of the stream by two people; they are kept."""

    traits = EventTraits(group="house", heading="recovery", anchors=True)
    words = Words(
        "entries {first} to {last} are set aside: {reason}", "擱置第 {first} 至 {last} 筆：{reason}"
    )
    first: int
    last: int
    digest: str  # SHA-256 over their bytes, one after the other
    reason: str
    proposed_by: str
    approved_by: str


class VouchersConfirmed(Event):
    """Two people have looked at the list: vouchers from before a recovery are good again here, but
    for those that they doubt.
    """

    traits = EventTraits(group="money", heading="recovery")
    doubted: tuple[str, ...]
    proposed_by: str
    approved_by: str

    def says(self) -> Words:
        said = Words(
            "vouchers from before the recovery are confirmed, but for {}",
            "確認復原前的票券，{} 張除外",
        )
        return said.format(len(self.doubted))
