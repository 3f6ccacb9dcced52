"""Rulings to look at: voids of server-dealt rounds that today's table refuses.

Older programs took them, so a replay accepts them. An audit lists them, and its verdict does not
change: the journal is what was recorded, and whether the ruling was right is for people to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import puntobanco_floor.domain.table.events as e
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause
from puntobanco.rules.irregularities import known_ground

if TYPE_CHECKING:
    from puntobanco_floor.domain.entry import Entry
    from puntobanco_floor.domain.table.state import TableState

IMPOSSIBLE = Words(
    "void on a ground that cannot exist at a server-dealt table",
    "作廢事由在伺服器派牌的賭枱不可能發生",
)
CARDS_LEFT = Words(
    "void for too few cards, and the server's shoe held {}",
    "以餘牌不足作廢，而伺服器牌靴尚餘 {} 張",
)
READABLE = Words(
    "void for a malfunction that people declared: look whether the server could read the cards",
    "因職員申報的故障作廢：請查核伺服器當時能否讀取牌序",
)


@dataclass(frozen=True)
class DoubtfulRuling:
    """A void to look at: where it is, on which ground, by whom, and why it is listed."""

    stream: str
    seq: int
    round: int
    ground: str
    clause: str
    proposed_by: str
    approved_by: str
    why: str

    def __str__(self) -> str:
        people = " and ".join(name for name in (self.proposed_by, self.approved_by) if name)
        where = f"{self.stream} round {self.round}, entry {self.seq}"
        return f"{where}: {self.ground} [{self.clause}] by {people or 'the server'}; {self.why}"


def doubtful_rulings(entry: Entry, before: TableState) -> Iterator[DoubtfulRuling]:
    """Yield the voids of an entry that somebody should look at; `before` is the state it met."""
    if any(event.traits.heading == "recovery" for event in entry.events):
        return  # it voids the round in play: what was lost of it is not known
    for event in entry.events:
        if e.is_void(event) and (doubt := doubt_about(event, before)):
            yield DoubtfulRuling(
                stream=entry.stream,
                seq=entry.seq,
                round=event.round,
                ground=event.ground,
                clause=event.clause,
                proposed_by=event.proposed_by,
                approved_by=event.approved_by,
                why=doubt.en,
            )


def doubt_about(event: e.Outcome, before: TableState) -> Words | None:
    round_ = before.round
    if not e.is_void(event) or round_ is None or round_.dealing != "virtual":
        return None
    ground = known_ground(before.playing, event.ground)
    if ground is not None and ground.card_called_for:
        left = before.cards_left
        return CARDS_LEFT.format(left) if event.proposed_by or left else None
    if ground is not None and ground.needs_physical_cards:
        return IMPOSSIBLE
    # the server says by a cause that it cannot read the cards; a person, in words
    by_server = round_.stop is None or isinstance(round_.stop.detail, Cause)
    return READABLE if event.reveal or not by_server else None
