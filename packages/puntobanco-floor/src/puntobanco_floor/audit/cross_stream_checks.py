"""Checks across streams: vouchers against their table, and moves between the two tables of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import puntobanco_floor.domain.events as e
from puntobanco_floor.audit.audit_since import Since
from puntobanco_floor.store.reader import Reader, VoucherRow
from puntobanco_proof.entry.format import Fault


class AuditedVouchers:
    """What the journals say of vouchers: issued once, redeemed at most once, for the same money."""

    def __init__(self) -> None:
        self.issued = dict[str, tuple[int, int, str, int]]()
        self.redeemed = dict[str, tuple[int, str, int]]()
        self.aside = list[tuple[str, range]]()  # entries that were set aside

    def see(self, event: e.Event, stream: str, seq: int) -> None:
        if isinstance(event, e.VoucherMade):
            if event.voucher in self.issued:
                raise Fault(f"voucher {event.voucher} is issued twice", stream=stream, seq=seq)
            self.issued[event.voucher] = (event.cents, event.expires_at, stream, seq)
        elif isinstance(event, e.EntriesSetAside):
            self.aside.append((stream, range(event.first, event.last + 1)))
        elif isinstance(event, e.VoucherTaken):
            if event.voucher in self.redeemed:
                raise Fault(f"voucher {event.voucher} is redeemed twice", stream=stream, seq=seq)
            self.redeemed[event.voucher] = (event.cents, stream, seq)

    def check(self, reader: Reader, warnings: list[str], since: Since | None = None) -> None:
        kept = reader.vouchers()
        if since is not None:
            self._know_before(kept, since)
        for voucher in self.redeemed.keys() - self.issued.keys():
            row = kept.get(voucher)
            if row is not None and any(
                row.issued_stream == stream and row.issued_seq in numbers
                for stream, numbers in self.aside
            ):
                self.issued[voucher] = row[:4]
                warnings.append(
                    f"voucher {voucher} was paid, and the entry that issued it is set aside"
                )
        for voucher, (cents, stream, seq) in self.redeemed.items():
            if voucher not in self.issued:
                raise Fault(f"voucher {voucher} was never issued", stream=stream, seq=seq)
            if self.issued[voucher][0] != cents:
                raise Fault(
                    f"voucher {voucher} is redeemed for other money than it was issued for",
                    stream=stream,
                    seq=seq,
                )
        for voucher in kept.keys() | self.issued.keys():
            issued = self.issued.get(voucher, ())
            _, *redeemed = self.redeemed.get(voucher, (None, None, None))
            if kept.get(voucher) != (*issued, *redeemed):
                raise Fault(f"the table of vouchers and the journal differ about voucher {voucher}")

    def _know_before(self, kept: Mapping[str, VoucherRow], since: Since) -> None:
        """Take what happened before the audit's start from the table, and prove what counts."""
        for voucher, row in kept.items():
            if voucher not in self.issued and since.is_before(row.issued_stream, row.issued_seq):
                if voucher in self.redeemed:
                    since.issued(voucher, row)
                self.issued[voucher] = row[:4]
            where = row.redeemed_stream, row.redeemed_seq
            if voucher not in self.redeemed and since.is_before(*where):
                self.redeemed[voucher] = (row.cents, str(where[0]), int(where[1] or 0))


class _Left(NamedTuple):
    """A reservation: what left, whose, from where and to where."""

    session: str
    cents: int
    in_cents: int
    since: int
    stream: str
    to: str
    seq: int


class AuditedMoves:
    """Moves in the journals of all tables: reserved once, decided once, for the same money."""

    def __init__(self) -> None:
        self.left = dict[str, _Left]()
        self.decided = dict[str, tuple[e.MoveDecided, str, int]]()
        self.closed = dict[str, tuple[e.MoveClosed, str, int]]()
        self.aside = set[str]()  # streams of which entries were set aside
        self._before = set[str]()  # moves that were decided before the audit's start

    def know_before(self, since: Since) -> None:
        """Take the moves that were on the way when the audit's entries begin."""
        self.aside |= since.set_aside()
        for stream, seq, event in since.moves():
            self.see(event, stream, seq)
            if isinstance(event, e.MoveDecided):
                self._before.add(event.move)

    def see(self, event: e.Event, stream: str, seq: int) -> None:
        if isinstance(event, e.MoveReserved):
            self._once(self.left, event.move, "reserved", stream, seq)
            self.left[event.move] = _Left(
                event.session, event.cents, event.in_cents, event.since, stream, event.to, seq
            )
        elif isinstance(event, e.MoveDecided):
            self._once(self.decided, event.move, "decided", stream, seq)
            self.decided[event.move] = event, stream, seq
        elif isinstance(event, e.MoveClosed):
            self._once(self.closed, event.move, "closed", stream, seq)
            self.closed[event.move] = event, stream, seq
        elif isinstance(event, e.EntriesSetAside):
            self.aside.add(stream)

    @staticmethod
    def _once(known: Collection[str], move: str, what: str, stream: str, seq: int) -> None:
        if move in known:
            raise Fault(f"move {move} is {what} twice", stream=stream, seq=seq)

    def check(self, moving_cents: int, warnings: list[str]) -> int:
        """How many there were. `moving_cents` is what the ledgers of all tables have on the way."""
        for move, (decided, stream, seq) in self.decided.items():
            left = self.left.get(move)
            if left is None and move in self._before:
                continue  # closed before, too
            if left is None:
                what = f"move {move} came from nowhere"
                self._missing(what, decided.came_from, stream, seq, warnings)
            elif not _is_same(decided, stream, left):
                raise Fault(f"move {move} is not what was reserved", stream=stream, seq=seq)
        for move, (closed, stream, seq) in self.closed.items():
            if move not in self.decided:
                what = f"move {move} was closed undecided"
                self._missing(what, closed.to, stream, seq, warnings)
            elif isinstance(closed, e.MoveSettled) != self._has_arrived(move):
                why = f"move {move} is closed here otherwise than {closed.to} has decided"
                raise Fault(why, stream=stream, seq=seq)
        on_the_way = 0
        for move, left in self.left.items():
            # refused, it is still on the way until it is returned
            if move not in self.closed and not self._has_arrived(move):
                on_the_way += left.cents
        if on_the_way != moving_cents and not self.aside:
            raise Fault(f"{on_the_way} cents are on the way, the ledgers have {moving_cents}")
        return len(self.left)

    def _has_arrived(self, move: str) -> bool:
        return move in self.decided and isinstance(self.decided[move][0], e.MoveArrived)

    def _missing(self, what: str, other: str, stream: str, seq: int, warnings: list[str]) -> None:
        """The other table's part: a fault, but where entries of that table were set aside."""
        if other not in self.aside:
            raise Fault(what, stream=stream, seq=seq)
        warnings.append(f"{stream} entry {seq}: {what}; entries of {other} are set aside")


def _is_same(event: e.MoveDecided, stream: str, left: _Left) -> bool:
    if (event.session, event.came_from, stream) != (left.session, left.stream, left.to):
        return False
    if isinstance(event, e.MoveRefused):
        return True
    return (event.cents, event.in_cents, event.since) == (left.cents, left.in_cents, left.since)
