"""A past round as it is sent to its patron: a replay, with funds before and after."""

from __future__ import annotations

from msgspec import field

from puntobanco.base.record import Record
from puntobanco_floor.domain.events import Line
from puntobanco_floor.views.table_view import CorrectedView, ShuffleView, StopView


class Draw(Record):
    slot: str
    card: str
    why: str
    why_zh: str
    clause: str


class ComplaintView(Record):
    """Something that a review may be asked for."""

    code: str
    text: str
    text_zh: str


class Recall(Record):
    """A past round, as the journal has it; of wagers only those of the session that asks."""

    replay: bool
    table: str
    round: int
    game: str
    rules: str
    at: int
    result: str  # as the roads write it, or VOID
    clause: str  # of a void
    player: int
    banker: int
    cards: list[Draw]  # as they lay in the end
    corrected: list[CorrectedView]  # of these, what had been entered otherwise
    reconstructed: StopView | None  # why they were put in order
    reopened: StopView | None  # why the round was settled anew
    lines: list[Line]
    wagered_cents: int
    paid_cents: int
    before_cents: int  # before the wagers of this round
    after_cents: int
    demo: bool
    complaints: list[ComplaintView]  # what the session may ask a review of this round for
    shoe: int = 0
    shuffle: ShuffleView | None = None  # of its shoe: the commitment, and who mixed it
    order: str = ""  # of its shoe as committed to, once it is revealed
    nonce: str = ""
    # by bet, which lines of its spot paid
    paying: dict[str, tuple[int, ...]] = field(default_factory=dict)
