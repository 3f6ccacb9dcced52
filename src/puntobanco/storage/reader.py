"""Reading a database as it lies there, apart from any store: for audits, replays, exports and
backups.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection, case, func, select

from puntobanco.definitions import OURS, Definitions
from puntobanco.journal import NOTHING, Entry, Fault, Head, chained
from puntobanco.ledger import VOUCHERS
from puntobanco.machine import SNAPSHOT
from puntobanco.storage import schema
from puntobanco.storage.batch import Snapshot
from puntobanco.storage.errors import BadDatabase
from puntobanco.storage.locate import connected
from puntobanco.storage.migrate import version_of, versions
from puntobanco.storage.snapshots import read_snapshot


class _Stamp(msgspec.Struct):
    """The one field of an entry that finding a time needs."""

    at: int


_stamp = msgspec.json.Decoder(_Stamp).decode

TransferRow: TypeAlias = tuple[int, int, str, str, int]
"""Entry, place in it, the accounts debited and credited, cents."""

VoucherRow: TypeAlias = tuple[int, int, str, int, str | None, int | None]
"""Cents, expiry, stream and entry where it was issued, and where it was redeemed."""

_v = schema.vouchers.c
_VOUCHER = select(
    _v.cents, _v.expires_at, _v.issued_stream, _v.issued_seq, _v.redeemed_stream, _v.redeemed_seq
)


class Reader:
    """One consistent view of a database; everything in it is read inside one transaction."""

    def __init__(self, connection: Connection, definitions: Definitions = OURS) -> None:
        self.connection, self.definitions = connection, definitions
        version = version_of(connection)
        if version is None:
            raise BadDatabase("this database holds no tables of puntobanco")
        if version not in versions():
            raise BadDatabase(
                f"the database is of version {version}, newer than this program; use the "
                "newer program"
            )

    def streams(self) -> dict[str, tuple[int, str, int]]:
        """Where each stream stands: number, hash and time of its last entry."""
        t = schema.streams.c
        rows = self.connection.execute(select(t.stream, t.seq, t.hash, t.at).order_by(t.stream))
        return {stream: (seq, hash_, at) for stream, seq, hash_, at in rows}

    def written(self) -> set[str]:
        """The streams that have entries, whatever the heads say."""
        return set(self.connection.scalars(select(schema.entries.c.stream).distinct()))

    def entries(
        self, stream: str, *, after: int = 0, upto: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        t = schema.entries.c
        wanted = select(t.seq, t.data).where(t.stream == stream, t.seq > after).order_by(t.seq)
        if upto is not None:
            wanted = wanted.where(t.seq <= upto)
        streamed = self.connection.execution_options(yield_per=1_000)
        with streamed.execute(wanted) as rows:  # closed also where a reader has enough
            for seq, data in rows:
                yield seq, _bytes(data)

    def chain(
        self, stream: str, *, after: int = 0, head: str = NOTHING
    ) -> Iterator[tuple[Entry, str]]:
        """Entries with their hashes, each checked against the one before."""
        rows, decode = self.entries(stream, after=after), self.definitions.decode
        return chained(rows, stream, seq=after, head=head, decode=decode)

    def answer(self, stream: str, by: str, id_: str) -> tuple[bytes, bytes] | None:
        """The hash of what was asked with this id before, and the answer; none where nothing
        was.
        """
        t = schema.answers.c
        wanted = select(t.body, t.answer).where(
            t.stream == stream, t.asked_by == by, t.command_id == id_
        )
        row = self.connection.execute(wanted).first()
        return None if row is None else (_bytes(row[0]), _bytes(row[1]))

    def first_at(self, stream: str, at: int) -> int:
        """The number of the first entry that is not earlier than `at`; one past the last where all
        are earlier.

        Entries are numbered without gaps and their times never run backwards: two dozen looks at
        the primary key find a day among ten million entries.
        """
        t = schema.entries.c
        last = self.connection.scalar(select(func.max(t.seq)).where(t.stream == stream)) or 0
        low, high = 1, last + 1
        while low < high:
            middle = (low + high) // 2
            data = self.connection.scalar(select(t.data).where(t.stream == stream, t.seq == middle))
            try:
                stamp = _stamp(_bytes(data))
            except msgspec.MsgspecError as error:
                raise Fault(f"cannot be read: {error}", stream=stream, seq=middle) from None
            if stamp.at < at:
                low = middle + 1
            else:
                high = middle
        return low

    def moved(self, stream: str, *, after: int, upto: int) -> dict[str, int]:
        """What the table of transfers did to each account between two entries; accounts that end as
        they were too.
        """
        t, found = schema.transfers.c, dict[str, int]()
        if upto <= after:
            return found
        for column, sign in ((t.debit, -1), (t.credit, 1)):
            wanted = select(column, func.sum(t.cents)).where(
                t.stream == stream, t.seq > after, t.seq <= upto
            )
            for account, cents in self.connection.execute(wanted.group_by(column)):
                found[account] = found.get(account, 0) + sign * int(cents)
        return found

    def balances_at(self, stream: str, seq: int) -> dict[str, int]:
        """Balances as they stood after an entry: those of the snapshot before it, and what moved
        since.
        """
        t, after, found = schema.snapshots.c, 0, dict[str, int]()
        wanted = (
            select(t.seq, t.data)
            .where(t.stream == stream, t.seq <= seq)
            .order_by(t.seq.desc())
            .limit(1)
        )
        for kept, data in self.connection.execute(wanted):
            after, found = kept, read_snapshot(_bytes(data)).balances
        for account, cents in self.moved(stream, after=after, upto=seq).items():
            found[account] = found.get(account, 0) + cents
        return {account: cents for account, cents in found.items() if cents}

    def snapshot_places(self, stream: str, *, upto: int) -> list[int]:
        """The numbers of the entries up to `upto` that have a snapshot, in order."""
        t = schema.snapshots.c
        wanted = select(t.seq).where(t.stream == stream, t.seq <= upto).order_by(t.seq)
        return list(self.connection.scalars(wanted))

    def snapshot(self, stream: str, seq: int) -> Snapshot:
        t = schema.snapshots.c
        data = self.connection.scalar(select(t.data).where(t.stream == stream, t.seq == seq))
        return read_snapshot(_bytes(data))

    def transfers(self, stream: str) -> Iterator[TransferRow]:
        t = schema.transfers.c
        wanted = (
            select(t.seq, t.n, t.debit, t.credit, t.cents)
            .where(t.stream == stream)
            .order_by(t.seq, t.n)
        )
        for row in self.connection.execution_options(yield_per=1_000).execute(wanted):
            yield row[0], row[1], row[2], row[3], row[4]

    def balances(self, stream: str) -> dict[str, int]:
        t = schema.balances.c
        rows = self.connection.execute(select(t.account, t.cents).where(t.stream == stream))
        return {account: cents for account, cents in rows}  # noqa: C416 - a row is no pair to the type checker

    def heads(self, stream: str) -> dict[int, Head]:
        t = schema.heads.c
        rows = self.connection.execute(
            select(t.seq, t.hash, t.key, t.signature).where(t.stream == stream)
        )
        return {
            seq: Head(stream=stream, seq=seq, hash=h, key=key, signature=s)
            for seq, h, key, s in rows
        }

    def snapshots(self, stream: str) -> dict[int, tuple[str, bytes]]:
        t = schema.snapshots.c
        rows = self.connection.execute(select(t.seq, t.hash, t.data).where(t.stream == stream))
        return {seq: (hash_, _bytes(data)) for seq, hash_, data in rows}

    def snapshot_before(self, stream: str, round_: int) -> tuple[int, Snapshot] | None:
        """The last snapshot before a round, by halving: number of its entry, and what it holds."""
        places, found = self.snapshot_places(stream, upto=2**53), None
        low, high = 0, len(places)
        while low < high:
            middle = (low + high) // 2
            kept = self.snapshot(stream, places[middle])
            if msgspec.convert(kept.state["rounds"], int) < round_:
                low = middle + 1
                # an older kind is not read by this program
                if kept.state["snapshot"] == SNAPSHOT:
                    found = places[middle], kept
            else:
                high = middle
        return found

    def vouchers(self) -> dict[str, VoucherRow]:
        return {row[0]: tuple(row[1:]) for row in self.connection.execute(select(schema.vouchers))}

    def voucher(self, number: str) -> VoucherRow | None:
        """One of them, by what the books know it by."""
        row = self.connection.execute(_VOUCHER.where(_v.voucher == number)).first()
        return None if row is None else tuple(row)

    def voucher_rows(self) -> Iterator[VoucherRow]:
        """Every voucher in no order."""
        rows = self.connection.execution_options(yield_per=1_000).execute(_VOUCHER)
        yield from (tuple(row) for row in rows)

    def open_vouchers(self, now: int) -> list[tuple[str, int, int, int, int]]:
        """By the stream that issued them, those not redeemed: how many and how much, and of these
        the expired.
        """
        t = schema.vouchers.c
        late = case((t.expires_at <= now, 1), else_=0)
        wanted = (
            select(
                t.issued_stream,
                func.sum(1 - late),
                func.sum((1 - late) * t.cents),
                func.sum(late),
                func.sum(late * t.cents),
            )
            .where(t.redeemed_seq.is_(None))
            .group_by(t.issued_stream)
            .order_by(t.issued_stream)
        )
        return [
            (s, int(a), int(b), int(c), int(d)) for s, a, b, c, d in self.connection.execute(wanted)
        ]

    def owed_on_vouchers(self) -> int:
        """What the ledger has in the accounts of vouchers, all streams together."""
        t = schema.balances.c
        return int(
            self.connection.scalar(select(func.sum(t.cents)).where(t.account == VOUCHERS)) or 0
        )


@contextmanager
def reading(url: str, definitions: Definitions = OURS) -> Iterator[Reader]:
    with connected(url, read_only=True) as connection:
        yield Reader(connection, definitions)


def _bytes(value: object) -> bytes:
    """A database that was tampered with may hold a text, a number or nothing where bytes belong."""
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
