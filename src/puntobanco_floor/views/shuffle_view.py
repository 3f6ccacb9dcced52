"""How a shoe got its order, as everybody sees it: commitment, mix and, when it is over, reveal."""

from __future__ import annotations

from puntobanco.base.record import Record
from puntobanco.base.words import Words
from puntobanco_floor.domain.table.clock import MIX_MS
from puntobanco_floor.domain.table.mixing import Mixing
from puntobanco_floor.domain.table.state import ShoeState, TableState


class ShuffleView(Record):
    """Of the shoe on the table. `text` says who has a part in its order."""

    text: str
    text_zh: str
    commitment: str = ""  # of a virtual shoe; a continuous one commits with each round
    mix: tuple[str, ...] = ()  # the witnesses that mix it; none: nobody but the house
    log: str = ""  # the origin of the log in which they saw its start
    signatures: dict[str, str] = {}  # noqa: RUF012 - msgspec copies it
    seed: str = ""
    abandoned_at: int | None = None  # while it waits for them: when the table waits no longer


class RevealView(Record):
    """Of the last shoe, where witnesses were to mix it: everything to check its order with."""

    shoe: int
    commitment: str
    mix: tuple[str, ...]
    log: str
    signatures: dict[str, str]
    seed: str
    order: str  # as it was committed to, from the first card to the last
    nonce: str
    abandoned: bool


NO_MIX = Mixing(log="", keys={})


def shuffle_view(state: TableState) -> ShuffleView | None:
    shoe = state.shoe
    if shoe is None:
        return None
    abandoned_at = state.changed_at + MIX_MS if shoe.waits_for_mix else None
    return shuffle_of(shoe, abandoned_at=abandoned_at)


def shuffle_of(shoe: ShoeState, *, abandoned_at: int | None = None) -> ShuffleView:
    mixing, said = shoe.mixing or NO_MIX, shoe.shuffle_words
    return ShuffleView(
        text=said.en,
        text_zh=said.zh,
        commitment=shoe.commitment,
        mix=mixing.names,
        log=mixing.log,
        signatures=mixing.signatures,
        seed=mixing.seed,
        abandoned_at=abandoned_at,
    )


def reveal_view(state: TableState) -> RevealView | None:
    last = state.last_shoe
    if last is None:
        return None
    mixing = last.mixing
    return RevealView(
        shoe=last.number,
        commitment=last.commitment,
        mix=mixing.names,
        log=mixing.log,
        signatures=mixing.signatures,
        seed=mixing.seed,
        order=last.order,
        nonce=last.nonce,
        abandoned=last.abandoned,
    )


def shuffled(state: TableState) -> Words:
    """Who has a part in the order of the shoe on the table; nothing where there is none."""
    return state.shoe.shuffle_words if state.shoe else Words("")
