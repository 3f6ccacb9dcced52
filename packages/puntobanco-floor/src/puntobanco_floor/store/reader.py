"""Read-only access to a database without a store: for audits, replays, exports, backups."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple, TypeAlias, TypeVar, cast

import msgspec
from immutables import Map
from sqlalchemy import (
    Connection,
    CursorResult,
    Select,
    Table,
    Text,
    and_,
    case,
    column,
    func,
    select,
    values,
)

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.entries import Chain, Entry, chained
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.node_keys import Admitted, keys_after
from puntobanco_floor.domain.snapshots import SNAPSHOT
from puntobanco_floor.store.batch import (
    Reply,
    Snapshot,
    Stream,
    answered_by,
    from_snapshot,
    kept_answer,
    read_answer,
    read_snapshot,
)
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.errors import BadDatabase
from puntobanco_floor.store.schema import (
    answers,
    balances,
    entries,
    heads,
    snapshots,
    streams,
    transfers,
    vouchers,
)
from puntobanco_floor.store.schema_upgrade import version_of, versions
from puntobanco_proof.entry.format import NOTHING, Row, hash_entry, read_header
from puntobanco_proof.entry.heads import Head

Wanted: TypeAlias = Select[*tuple[object, ...]]
R = TypeVar("R")

AT_ONCE = 1_000
"""Rows that a long result fetches at once; a journal may be larger than memory."""


class StreamRow(NamedTuple):
    seq: int  # of the last entry
    hash: str
    at: int


class TransferRow(NamedTuple):
    seq: int
    n: int  # its place in the entry
    debit: str
    credit: str
    cents: int


class VoucherRow(NamedTuple):
    cents: int
    expires_at: int
    issued_stream: str
    issued_seq: int
    redeemed_stream: str | None
    redeemed_seq: int | None


def _columns(table: Table, *names: str) -> Wanted:
    return select(*(table.c[name] for name in names))


def _of(stream: str, table: Table, *names: str) -> Wanted:
    return _columns(table, *names).where(table.c.stream == stream)


_VOUCHERS = _columns(
    vouchers,
    "cents",
    "expires_at",
    "issued_stream",
    "issued_seq",
    "redeemed_stream",
    "redeemed_seq",
)


_HEAD = ("stream", "epoch", "seq", "hash", "key", "signature")


class Reader:
    """One consistent view of a database; everything in it is read inside one transaction."""

    def __init__(self, connection: Connection, definitions: Definitions = OURS) -> None:
        self.connection, self.definitions = connection, definitions
        self._open: set[CursorResult[*tuple[object, ...]]] = set()
        version = version_of(connection)
        if version is None:
            raise BadDatabase("this database holds no tables of puntobanco")
        if version not in versions():
            raise BadDatabase(
                f"the database is of version {version}, newer than this program; use the "
                "newer program"
            )

    def _rows(self, wanted: Wanted, row: type[R]) -> list[R]:  # noqa: ARG002 - for its type
        """The database has no types for a row: `row` says what the columns wanted are."""
        return cast("list[R]", self.connection.execute(wanted).all())

    def _streamed(self, wanted: Wanted, row: type[R]) -> Iterator[R]:  # noqa: ARG002 - as `_rows`
        """A long result, part by part; closed at once where its reader has had enough."""
        # of this statement alone: the connection may write afterwards
        with self.connection.execute(wanted, execution_options={"yield_per": AT_ONCE}) as rows:
            self._open.add(rows)
            try:
                yield from cast("Iterator[R]", rows)
            finally:
                self._open.discard(rows)

    def close(self) -> None:
        """Close results that a caller left half read: a driver complains about open cursors."""
        for rows in list(self._open):
            rows.close()

    # Journal

    def streams(self) -> dict[str, StreamRow]:
        """Where each stream stands, as its row says."""
        wanted = _columns(streams, "stream", "seq", "hash", "at")
        rows = self._rows(wanted.order_by(streams.c.stream), tuple[str, int, str, int])
        return {stream: StreamRow(seq, hash_, at) for stream, seq, hash_, at in rows}

    def verify_format(self) -> None:
        """Refuse a journal of the provisional format, in which every entry was an object."""
        firsts = [data for name in self.written() for _, data in self.entries(name, upto=1)]
        if firsts and all(data.startswith(b"{") for data in firsts):
            raise Refusal(
                "this floor was written in the journal's provisional format 1, which this program "
                "does not read; put its files aside, and a new floor is made"
            )

    def due_at(self, stream: str) -> int | None:
        """When the clock owes a stream something, as its row says."""
        for (due_at,) in self._rows(_of(stream, streams, "due_at"), tuple[int | None]):
            return due_at
        return None

    def written(self) -> set[str]:
        """The streams that have entries, whatever the heads say."""
        wanted = select(entries.c.stream).distinct()
        return set(self.connection.scalars(wanted))

    def signed(self) -> set[str]:
        """The streams that have heads, signed or not."""
        return set(self.connection.scalars(select(heads.c.stream).distinct()))

    def entries(self, stream: str, *, after: int = 0, upto: int | None = None) -> Iterator[Row]:
        t = entries.c
        wanted = _of(stream, entries, "seq", "data").where(t.seq > after).order_by(t.seq)
        if upto is not None:
            wanted = wanted.where(t.seq <= upto)
        for seq, data in self._streamed(wanted, tuple[int, object]):
            yield seq, as_bytes(data)

    def entries_before(self, stream: str, before: int, *, most: int) -> Iterator[Row]:
        """The last entries before one, from the newest back; at most so many."""
        t = entries.c
        wanted = _of(stream, entries, "seq", "data").where(t.seq < before, t.seq >= before - most)
        for seq, data in self._streamed(wanted.order_by(t.seq.desc()), tuple[int, object]):
            yield seq, as_bytes(data)

    def some_entries(self, stream: str, *, after: int, upto: int) -> Sequence[Row]:
        """All at once, as the driver gives them: for whoever takes many thousands a second."""
        t = entries.c
        wanted = _of(stream, entries, "seq", "data").where(t.seq > after, t.seq <= upto)
        with self.connection.execute(wanted.order_by(t.seq)) as result:
            rows = result.cursor.fetchall()
        if all(type(data) is bytes for _, data in rows):
            return rows
        return [(seq, as_bytes(data)) for seq, data in rows]

    def decoded(self, stream: str, *, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Entries by themselves; whether each follows from the one before, `chain` checks."""
        for seq, data in self.entries(stream, after=after, upto=upto):
            yield self.definitions.read(data, stream=stream, seq=seq)

    def chain(
        self, stream: str, *, after: int = 0, upto: int | None = None, head: str = NOTHING
    ) -> Chain:
        """Entries with their hashes, each checked against the one before."""
        rows = self.entries(stream, after=after, upto=upto)
        return chained(rows, stream, seq=after, head=head, decode=self.definitions.decode)

    def chain_between(self, stream: str, first: int, last: int) -> Chain:
        """Entries with their hashes, checked from the hash of the entry before the first."""
        if first <= last:
            head = self.hash_at(stream, first - 1)
            yield from self.chain(stream, after=first - 1, upto=last, head=head)

    def hash_at(self, stream: str, seq: int) -> str:
        """The hash of an entry; `NOTHING` before the first, and where it is missing."""
        rows = list(self.entries(stream, after=seq - 1, upto=seq))
        return hash_entry(rows[0][1]) if rows else NOTHING

    def answer(self, stream: str, by: str, id_: str) -> tuple[bytes, Reply] | None:
        """By idempotency key: the hash of what was asked with this id before, and the answer."""
        t = answers.c
        wanted = _of(stream, answers, "body", "answer")
        one = wanted.where(t.asked_by == by, t.command_id == id_)
        for body, answer in self._rows(one, tuple[object, object]):
            kept = as_bytes(answer)
            seq = answered_by(kept)
            entry = dict(self.entries(stream, after=seq - 1, upto=seq)).get(seq)
            return as_bytes(body), kept_answer(by, id_, kept, entry, self.head_of(stream, seq))
        return None

    def answers(self, stream: str, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
        """What was answered to these commands: who asked, and the id."""
        t = answers.c
        wanted = _of(stream, answers, "asked_by", "command_id", "answer")
        # a join: for a tuple IN (...) SQLite reads every answer of the stream
        listed = values(column("by", Text), column("id", Text)).data(keys).cte("asked")
        some = wanted.join(listed, and_(t.asked_by == listed.c.by, t.command_id == listed.c.id))
        rows = self._rows(some, tuple[str, str, object])
        return {(by, id_): as_bytes(data) for by, id_, data in rows}

    def answers_kept(self, stream: str, *, after: int = 0) -> int:
        """How many commands the table of answers says were done, by entries after this one."""
        wanted = _of(stream, answers, "answer")
        rows = self._streamed(wanted, tuple[object])
        found = (read_answer(as_bytes(data)) for (data,) in rows)
        return sum(answer.ok and (not after or answer.seq > after) for answer in found)

    def first_at(self, stream: str, at: int) -> int:
        """The number of the first entry that is not earlier than `at`; one past the last where all
        are earlier.

        Binary search: entries are numbered without gaps and their times never run backwards, so
        that two dozen looks at the primary key find a day among ten million entries.
        """
        wanted = _of(stream, entries, "data")

        def time_of(seq: int) -> int:
            data = self.connection.scalar(wanted.where(entries.c.seq == seq))
            return read_header(as_bytes(data), stream=stream, seq=seq)[0].at

        last = self._last(stream, entries)
        return 1 + bisect_left(range(1, last + 1), at, key=time_of)

    def _last(self, stream: str, table: Table, upto: int = 2**53) -> int:
        """The number of the last row up to `upto` that a stream has in a table; 0 where none is."""
        t = table.c
        wanted = select(func.max(t.seq)).where(t.stream == stream, t.seq <= upto)
        return self.connection.scalar(wanted) or 0

    def heads(self, stream: str, *, after: int = 0) -> dict[int, Head]:
        wanted = _of(stream, heads, *_HEAD)
        rows = self._rows(wanted.where(heads.c.seq > after), tuple[str, int, int, str, str, str])
        return {row[2]: Head(*row) for row in rows}

    def head_of(self, stream: str, seq: int) -> Head | None:
        """The first signed head that holds an entry."""
        wanted = _of(stream, heads, *_HEAD).where(heads.c.seq >= seq).order_by(heads.c.seq)
        for row in self._rows(wanted.limit(1), tuple[str, int, int, str, str, str]):
            return Head(*row)
        return None

    def head_upto(self, stream: str, *, after: int, upto: int) -> Head | None:
        """The last signed head between these entries; the first after them where there is none."""
        last = self._last(stream, heads, upto)
        return self.head_of(stream, last if last > after else after + 1)

    def last_head(self, stream: str) -> Head | None:
        last = self._last(stream, heads)
        return self.heads(stream, after=last - 1).get(last)

    def epoch(self) -> int:
        """The latest that a head names; whether a node signed it is not looked at."""
        return self.connection.scalar(select(func.max(heads.c.epoch))) or 1

    # Ledger

    def transfers(self, stream: str, *, after: int = 0) -> Iterator[TransferRow]:
        t = transfers.c
        wanted = _of(stream, transfers, "seq", "n", "debit", "credit", "cents")
        if after:
            wanted = wanted.where(t.seq > after)
        for row in self._streamed(wanted.order_by(t.seq, t.n), TransferRow):
            yield TransferRow(*row)  # a row of the driver is no tuple

    def balances(self, stream: str) -> dict[str, int]:
        rows = self._rows(_of(stream, balances, "account", "cents"), tuple[str, int])
        return dict(rows)

    def total(self, account: str) -> int:
        wanted = select(func.sum(balances.c.cents)).where(balances.c.account == account)
        return int(self.connection.scalar(wanted) or 0)

    def moved(self, stream: str, *, after: int, upto: int) -> dict[str, int]:
        """Sum up transfers by account between two entries; accounts that end as they were too."""
        t = transfers.c
        found = dict[str, int]()
        if upto <= after:
            return found
        between = (t.stream == stream, t.seq > after, t.seq <= upto)
        for side, sign in ((t.debit, -1), (t.credit, 1)):
            wanted = select(side, func.sum(t.cents)).where(*between).group_by(side)
            for account, cents in self._rows(wanted, tuple[str, int]):
                found[account] = found.get(account, 0) + sign * int(cents)
        return found

    def balances_at(self, stream: str, seq: int) -> dict[str, int]:
        """Balances after an entry: those of the snapshot before it, and what moved since."""
        start = self.last_snapshot(stream, upto=seq)
        found = dict[str, int]()
        if start:
            found |= self.snapshot(stream, start).balances
        for account, cents in self.moved(stream, after=start, upto=seq).items():
            found[account] = found.get(account, 0) + cents
        return {account: cents for account, cents in found.items() if cents}

    # Snapshots

    def last_snapshot(self, stream: str, *, upto: int = 2**53) -> int:
        """The number of the last entry up to `upto` that has a snapshot; 0 where none has."""
        return self._last(stream, snapshots, upto)

    def snapshot_places(self, stream: str, *, upto: int) -> list[int]:
        """The numbers of the entries up to `upto` that have a snapshot, in order."""
        seq = snapshots.c.seq
        wanted = _of(stream, snapshots, "seq").where(seq <= upto).order_by(seq)
        return list(self.connection.scalars(wanted))

    def snapshot(self, stream: str, seq: int) -> Snapshot:
        return read_snapshot(self.snapshot_data(stream, seq))

    def snapshot_data(self, stream: str, seq: int) -> bytes:
        wanted = _of(stream, snapshots, "data").where(snapshots.c.seq == seq)
        return as_bytes(self.connection.scalar(wanted))

    def restored(self, stream: str, seq: int) -> Stream[State] | None:
        """The stream as a sealed snapshot has it; None where it must be read from the start."""
        [(_, sealing)] = self.entries(stream, after=seq, upto=seq + 1)
        machine, data = self.definitions.machine_of(stream), self.snapshot_data(stream, seq)
        return from_snapshot(stream, machine, seq, data, sealing)

    def keys_at(self, stream: str, seq: int) -> Map[str, Admitted] | None:
        """The nodes' keys as a snapshot has them; None where it is of a kind that has none."""
        if not seq:
            return Map()
        rows = self.snapshot(stream, seq).state.get("keys")
        return None if rows is None else Map(msgspec.convert(rows, list[tuple[str, Admitted]]))

    def admitted_keys(self, stream: str) -> Map[str, Admitted]:
        """All keys that the stream ever admitted; its last snapshot has the older ones."""
        start = self.last_snapshot(stream)
        keys = self.keys_at(stream, start)
        if keys is None:  # a snapshot of another version: from the beginning then
            start, keys = 0, Map()
        for entry in self.decoded(stream, after=start):
            keys = keys_after(keys, entry)
        return keys

    def snapshots(self, stream: str, *, after: int = 0) -> dict[int, tuple[str, bytes]]:
        wanted = _of(stream, snapshots, "seq", "hash", "data")
        if after:
            wanted = wanted.where(snapshots.c.seq > after)
        rows = self._rows(wanted, tuple[int, str, object])
        return {seq: (hash_, as_bytes(data)) for seq, hash_, data in rows}

    def snapshot_before(self, stream: str, round_: int) -> tuple[int, Snapshot] | None:
        """Find the last snapshot before a round; return its entry's number and what it holds."""
        places = self.snapshot_places(stream, upto=2**53)

        def count_rounds(seq: int) -> int:
            return msgspec.convert(self.snapshot(stream, seq).state["rounds"], int)

        before = bisect_left(places, round_, key=count_rounds)
        if not before:
            return None
        last = places[before - 1]
        kept = self.snapshot(stream, last)
        # an older kind is not read by this program, and those before it are no newer
        return (last, kept) if kept.state["snapshot"] == SNAPSHOT else None

    # Vouchers

    def vouchers(self) -> dict[str, VoucherRow]:
        wanted = _VOUCHERS.add_columns(vouchers.c.voucher).order_by(vouchers.c.voucher)
        rows = self._rows(wanted, tuple[int, int, str, int, str | None, int | None, str])
        return {row[6]: VoucherRow(*row[:6]) for row in rows}

    def voucher(self, number: str) -> VoucherRow | None:
        """One of them, by what the books know it by."""
        for row in self._rows(_VOUCHERS.where(vouchers.c.voucher == number), VoucherRow):
            return VoucherRow(*row)
        return None

    def voucher_rows(self) -> Iterator[VoucherRow]:
        """Every voucher, in no order."""
        for row in self._streamed(_VOUCHERS, VoucherRow):
            yield VoucherRow(*row)

    def open_vouchers(self, now: int) -> list[tuple[str, int, int, int, int]]:
        """Count and sum up open vouchers by their stream, good ones and expired ones."""
        t = vouchers.c
        late = case((t.expires_at <= now, 1), else_=0)
        good = 1 - late
        sums = [func.sum(each) for each in (good, good * t.cents, late, late * t.cents)]
        wanted = select(t.issued_stream, *sums).where(t.redeemed_seq.is_(None))
        by_stream = wanted.group_by(t.issued_stream).order_by(t.issued_stream)
        rows = self._rows(by_stream, tuple[str, int, int, int, int])
        return [(stream, int(a), int(b), int(c), int(d)) for stream, a, b, c, d in rows]


@contextmanager
def reading(url: str, definitions: Definitions = OURS) -> Iterator[Reader]:
    with (
        connected(url, read_only=True) as connection,
        closing(Reader(connection, definitions)) as reader,
    ):
        yield reader


def as_bytes(value: object) -> bytes:
    """A database that was tampered with may hold a text, a number or nothing where bytes belong."""
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
