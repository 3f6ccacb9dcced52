"""Vouchers against the entries that issued them: the table of vouchers alone pays nothing.

Whoever can write the database can make a row of that table, raise its cents, or take its redemption
away. So a voucher is believed only with its issuing entry, and that only with the head that a node
has signed over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeGuard

import puntobanco.events as e
from puntobanco.journal import Decode, Fault, Head, Row, chained, header_of
from puntobanco.machine import Voucher

REDEEMED_KEPT = 100_000
"""Vouchers that a node remembers as redeemed; the oldest go first."""


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
    first, _ = header_of(rows[0][1], stream=stream, seq=seq)
    chain = list(chained(rows, stream, seq=seq - 1, head=first.prev, decode=decode))
    end, hash_ = chain[-1]
    if (end.seq, hash_, end.epoch) != (head.seq, head.hash, head.epoch):
        raise Fault("is not what the signed head holds", stream=stream, seq=seq)
    said = [(x.voucher, x.cents, x.expires_at) for x in chain[0][0].events if _is_made(x)]
    if (voucher, kept.cents, kept.expires_at) not in said:
        raise Fault("has not issued this voucher", stream=stream, seq=seq)
    return first.epoch


def _is_made(event: e.Event) -> TypeGuard[e.VoucherMade]:
    return isinstance(event, e.VoucherMade)


class Redeemed:
    """What this node has seen redeemed: a row that is set back is not paid again while it runs."""

    def __init__(self) -> None:
        self._seen = dict[str, None]()

    def __contains__(self, voucher: str) -> bool:
        return voucher in self._seen

    def see(self, events: Sequence[e.Event]) -> None:
        for event in events:
            if event.traits.beside and isinstance(event, e.VoucherTaken):
                self._seen[event.voucher] = None
        while len(self._seen) > REDEEMED_KEPT:
            del self._seen[next(iter(self._seen))]

    def voucher(self, name: str, kept: Kept, epoch: int) -> Voucher:
        is_redeemed = kept.is_redeemed or name in self
        return Voucher(kept.cents, kept.expires_at, is_redeemed, epoch)
