"""Events of the program itself: what a node runs, whether it is what was accepted, when it ended,
what failed in it.
"""

from __future__ import annotations

from typing import ClassVar

from puntobanco.base.words import Words
from puntobanco_floor.domain.event import Event
from puntobanco_floor.domain.house.program_faults import fault_words
from puntobanco_floor.domain.traits import EventTraits


class ProgramChecked(Event):
    """A node has compared its files: at its start, every 24 hours, or when somebody asked."""

    traits: ClassVar = EventTraits(group="house", heading="program")
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

    traits: ClassVar = EventTraits(group="house", heading="program")
    words: ClassVar = Words("node {node} stops", "節點 {node} 停止")
    node: str


class FaultNoted(Event):
    """An error of the program, by its place in the source; one of a place each hour."""

    traits: ClassVar = EventTraits(group="house", heading="program error")
    words: ClassVar = Words(
        "node {node}: {what} at {place}; its log says more",
        "節點 {node}：{place} 發生 {what}；詳見日誌",
    )
    node: str
    place: str  # module and line
    what: str  # the kind of exception


class OpenedUnwitnessed(Event):
    """A node that names witnesses was opened by two people while it could reach none of them:
    nobody else has said that its log is whole.
    """

    traits: ClassVar = EventTraits(group="house", heading="witnesses", anchors=True)
    words: ClassVar = Words(
        "node {node} opened without its witnesses: {reason}", "節點 {node} 在無見證下開放：{reason}"
    )
    node: str
    reason: str
    size: int  # of the log then
    proposed_by: str
    approved_by: str


class ProgramAccepted(Event):
    """This program may be served: by its first start, later by two people."""

    traits: ClassVar = EventTraits(group="house", heading="program")
    words: ClassVar = Words("program {version} accepted", "已接受程式 {version}")
    version: str
    program: str
    files: int
    proposed_by: str = ""
    approved_by: str = ""
