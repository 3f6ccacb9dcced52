"""Vouchers against the entries that issued them: the table of vouchers alone pays nothing.

Whoever can write the database can make a row of that table, raise its cents, or take its redemption
away. So a voucher is believed only with its issuing entry, and that only with the head that a node
has signed over it; and as not redeemed only if no stream's state has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.entries import Decode, chained
from puntobanco_floor.domain.machine import Voucher
from puntobanco_proof.entry.format import Fault, Row, read_header
from puntobanco_proof.entry.heads import Head

if TYPE_CHECKING:
    from immutables import Map


class Kept(NamedTuple):
    """A voucher as the table has it."""

    cents: int
    expires_at: int
    stream: str  # of the entry that issued it
    seq: int
    is_redeemed: bool


def verify_issued(
    voucher: str, kept: Kept, rows: Sequence[Row], head: Head | None, decode: Decode
) -> int:
    """The epoch in which the first of these entries issued this voucher; raises a fault unless it
    did, and they lead to the head. Whether the head's signature counts, the caller checks.
    """
    stream, seq = kept.stream, kept.seq
    if head is None or not rows:
        raise Fault("no node has signed this", stream=stream, seq=seq)
    first, _ = read_header(rows[0][1], stream=stream, seq=seq)
    chain = list(chained(rows, stream, seq=seq - 1, head=first.prev, decode=decode))
    end, hash_ = chain[-1]
    if (end.seq, hash_, end.epoch) != (head.seq, head.hash, head.epoch):
        raise Fault("is not what the signed head holds", stream=stream, seq=seq)
    made = [event for event in chain[0][0].events if isinstance(event, e.VoucherMade)]
    said = [(each.voucher, each.cents, each.expires_at) for each in made]
    if (voucher, kept.cents, kept.expires_at) not in said:
        raise Fault("has not issued this voucher", stream=stream, seq=seq)
    return first.epoch


class Redeemed(NamedTuple):
    """Redeemed vouchers by the states of streams: absence is proved if all could be read."""

    by_stream: tuple[Map[str, int], ...]
    is_whole: bool

    def voucher(self, number: str, kept: Kept, epoch: int) -> Voucher:
        is_redeemed = kept.is_redeemed or any(number in each for each in self.by_stream)
        return Voucher(kept.cents, kept.expires_at, is_redeemed, epoch, self.is_whole)


NONE_REDEEMED = Redeemed((), is_whole=True)
"""Where no command is about a voucher."""
