"""Read-only access to a database without a store: for audits, replays, exports, backups."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, Result, Row, Select, case, func, select

from puntobanco.journal import Fault, Head
from puntobanco.ledger import VOUCHERS
from puntobanco.storage.errors import BadDatabase
from puntobanco.storage.locate import connected
from puntobanco.storage.migrate import version_of, versions
from puntobanco.storage.schema import (
    answers,
    balances,
    entries,
    heads,
    snapshots,
    streams,
    transfers,
    vouchers,
)
from puntobanco.table.state import SNAPSHOT

Found: TypeAlias = Row[*tuple[Any, ...]]
Wanted: TypeAlias = Select[*tuple[Any, ...]]

AT_ONCE = 1_000
"""Rows that a long result fetches at once; a journal may be larger than memory."""

Voucher: TypeAlias = tuple[int, int, str, int, str | None, int | None]
"""Cents, expiry, where it was issued, where it was redeemed."""

_VOUCHERS = select(
    vouchers.c.cents,
    vouchers.c.expires_at,
    vouchers.c.issued_stream,
    vouchers.c.issued_seq,
    vouchers.c.redeemed_stream,
    vouchers.c.redeemed_seq,
)
_HEADS = select(heads.c.seq, heads.c.hash, heads.c.key, heads.c.signature)


class _Stamp(msgspec.Struct):
    """The one field of an entry that finding a time needs."""

    at: int


_stamp = msgspec.json.Decoder(_Stamp).decode


class Reader:
    """One consistent view of a database; everything in it is read inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        version = version_of(connection)
        if version is None:
            raise BadDatabase("this database holds no tables of puntobanco")
        if version not in versions():
            raise BadDatabase(
                f"the database is of version {version}, newer than this program; use the "
                "newer program"
            )

    def _rows(self, wanted: Wanted) -> Result[*tuple[Any, ...]]:
        return self.connection.execute(wanted)

    def _streamed(self, wanted: Wanted) -> Iterator[Found]:
        """A long result, part by part; closed at once where its reader has had enough."""
        with self.connection.execution_options(yield_per=AT_ONCE).execute(wanted) as rows:
            yield from rows

    # Journal

    def streams(self) -> dict[str, tuple[int, str, int]]:
        """Where each stream stands: number, hash and time of its last entry."""
        t = streams.c
        rows = self._rows(select(t.stream, t.seq, t.hash, t.at).order_by(t.stream))
        return {stream: (seq, hash_, at) for stream, seq, hash_, at in rows}

    def written(self) -> set[str]:
        """The streams that have entries, whatever the heads say."""
        wanted = select(entries.c.stream).distinct()
        return set(self.connection.scalars(wanted))

    def entries(
        self, stream: str, *, after: int = 0, upto: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        t = entries.c
        wanted = select(t.seq, t.data).where(t.stream == stream, t.seq > after).order_by(t.seq)
        if upto is not None:
            wanted = wanted.where(t.seq <= upto)
        for seq, data in self._streamed(wanted):
            yield seq, _bytes(data)

    def answer(self, stream: str, by: str, id_: str) -> tuple[bytes, bytes] | None:
        """By idempotency key: the hash of what was asked with this id before, and the answer."""
        t = answers.c
        asked = (t.stream == stream, t.asked_by == by, t.command_id == id_)
        row = self._rows(select(t.body, t.answer).where(*asked)).first()
        return None if row is None else (_bytes(row[0]), _bytes(row[1]))

    def first_at(self, stream: str, at: int) -> int:
        """The number of the first entry that is not earlier than `at`; one past the last where all
        are earlier.

        Binary search: entries are numbered without gaps and their times never run backwards, so
        that two dozen looks at the primary key find a day among ten million entries.
        """
        t = entries.c
        last = self.connection.scalar(select(func.max(t.seq)).where(t.stream == stream)) or 0

        def time_of(seq: int) -> int:
            wanted = select(t.data).where(t.stream == stream, t.seq == seq)
            data = self.connection.scalar(wanted)
            try:
                return _stamp(_bytes(data)).at
            except msgspec.MsgspecError as error:
                raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from None

        numbers = range(1, last + 1)
        return 1 + bisect_left(numbers, at, key=time_of)

    def heads(self, stream: str) -> dict[int, Head]:
        rows = self._rows(_HEADS.where(heads.c.stream == stream))
        return {head.seq: head for head in (_head(stream, row) for row in rows)}

    def last_head(self, stream: str) -> Head | None:
        """The last head that was signed."""
        t = heads.c
        last_first = _HEADS.where(t.stream == stream).order_by(t.seq.desc())
        row = self._rows(last_first.limit(1)).first()
        return None if row is None else _head(stream, row)

    # Ledger

    def transfers(self, stream: str) -> Iterator[tuple[int, int, str, str, int]]:
        t = transfers.c
        wanted = select(t.seq, t.n, t.debit, t.credit, t.cents).where(t.stream == stream)
        for row in self._streamed(wanted.order_by(t.seq, t.n)):
            yield tuple(row)

    def balances(self, stream: str) -> dict[str, int]:
        t = balances.c
        rows = self._rows(select(t.account, t.cents).where(t.stream == stream))
        return {account: cents for account, cents in rows}  # noqa: C416 - a row is no pair to the type checker

    def moved(self, stream: str, *, after: int, upto: int) -> dict[str, int]:
        """What the table of transfers did to each account between two entries; accounts that end as
        they were too.
        """
        t = transfers.c
        found = dict[str, int]()
        if upto <= after:
            return found
        between = (t.stream == stream, t.seq > after, t.seq <= upto)
        for column, sign in ((t.debit, -1), (t.credit, 1)):
            wanted = select(column, func.sum(t.cents)).where(*between).group_by(column)
            for account, cents in self._rows(wanted):
                found[account] = found.get(account, 0) + sign * int(cents)
        return found

    def balances_at(self, stream: str, seq: int) -> dict[str, int]:
        """Balances as they stood after an entry: those of the snapshot before it, and what moved
        since.
        """
        start = self.last_snapshot(stream, upto=seq)
        found = dict[str, int]()
        if start:
            found |= self.snapshot(stream, start)["balances"]
        for account, cents in self.moved(stream, after=start, upto=seq).items():
            found[account] = found.get(account, 0) + cents
        return {account: cents for account, cents in found.items() if cents}

    # Snapshots

    def last_snapshot(self, stream: str, *, upto: int = 2**53) -> int:
        """The number of the last entry up to `upto` that has a snapshot; 0 where none has."""
        t = snapshots.c
        wanted = select(func.max(t.seq)).where(t.stream == stream, t.seq <= upto)
        return self.connection.scalar(wanted) or 0

    def snapshot_places(self, stream: str, *, upto: int) -> list[int]:
        """The numbers of the entries up to `upto` that have a snapshot, in order."""
        t = snapshots.c
        wanted = select(t.seq).where(t.stream == stream, t.seq <= upto).order_by(t.seq)
        return list(self.connection.scalars(wanted))

    def snapshot(self, stream: str, seq: int) -> dict[str, Any]:
        t = snapshots.c
        data = self.connection.scalar(select(t.data).where(t.stream == stream, t.seq == seq))
        plain: dict[str, Any] = msgspec.json.decode(_bytes(data))
        return plain

    def snapshots(self, stream: str) -> dict[int, tuple[str, bytes]]:
        t = snapshots.c
        rows = self._rows(select(t.seq, t.hash, t.data).where(t.stream == stream))
        return {seq: (hash_, _bytes(data)) for seq, hash_, data in rows}

    def snapshot_before(self, stream: str, round_: int) -> tuple[int, dict[str, Any]] | None:
        """The last snapshot before a round, by binary search: number of its entry, and what it
        holds.
        """
        places = self.snapshot_places(stream, upto=2**53)
        found = None
        low, high = 0, len(places)
        while low < high:
            middle = (low + high) // 2
            plain = self.snapshot(stream, places[middle])
            state = plain["state"]
            if state["rounds"] < round_:
                low = middle + 1
                # an older kind is not read by this program
                if state["snapshot"] == SNAPSHOT:
                    found = places[middle], plain
            else:
                high = middle
        return found

    # Vouchers

    def vouchers(self) -> dict[str, Voucher]:
        """Every voucher by its number."""
        return {row[0]: tuple(row[1:]) for row in self._rows(select(vouchers))}

    def voucher(self, number: str) -> Voucher | None:
        """One of them, by what the books know it by."""
        row = self._rows(_VOUCHERS.where(vouchers.c.voucher == number)).first()
        return None if row is None else tuple(row)

    def voucher_rows(self) -> Iterator[Voucher]:
        """Every voucher, in no order."""
        for row in self._streamed(_VOUCHERS):
            yield tuple(row)

    def open_vouchers(self, now: int) -> list[tuple[str, int, int, int, int]]:
        """By the stream that issued them, those not redeemed: how many and how much, and of these
        the expired.
        """
        t = vouchers.c
        late = case((t.expires_at <= now, 1), else_=0)
        good = 1 - late
        sums = [func.sum(each) for each in (good, good * t.cents, late, late * t.cents)]
        wanted = select(t.issued_stream, *sums).where(t.redeemed_seq.is_(None))
        rows = self._rows(wanted.group_by(t.issued_stream).order_by(t.issued_stream))
        return [(stream, *map(int, figures)) for stream, *figures in rows]

    def owed_on_vouchers(self) -> int:
        """What the ledger has in the accounts of vouchers, all streams together."""
        t = balances.c
        owed = self.connection.scalar(select(func.sum(t.cents)).where(t.account == VOUCHERS))
        return int(owed or 0)


@contextmanager
def reading(url: str) -> Iterator[Reader]:
    with connected(url, read_only=True) as connection:
        yield Reader(connection)


def _head(stream: str, row: Found) -> Head:
    seq, hash_, key, signature = row
    return Head(stream=stream, seq=seq, hash=hash_, key=key, signature=signature)


def _bytes(value: object) -> bytes:
    """A database that was tampered with may hold a text, a number or nothing where bytes belong."""
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
