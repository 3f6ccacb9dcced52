"""Tables beside the journal: where they differ from the fold of a stream, and how they are put
right. A row that has no place there is kept first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import msgspec
from sqlalchemy import Connection, Table, bindparam, delete, insert, select, update

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.ledger import Transfer
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.store import schema
from puntobanco_floor.store.batch import (
    Answer,
    Stream,
    accepted,
    read_answer,
    snapshot,
    transfers_of,
    write_answer,
)
from puntobanco_floor.store.reader import Reader, VoucherRow
from puntobanco_proof.entry.format import Fault, hash_of
from puntobanco_proof.entry.heads import Head

TableRow: TypeAlias = Mapping[str, object]
Cells: TypeAlias = dict[str, object]


class Fold(msgspec.Struct):
    """What the entries of a stream say of the tables beside them."""

    transfers: dict[tuple[int, int], Transfer] = {}  # by entry and place
    answers: dict[tuple[str, str], Answer] = {}  # by who asked and the command's id
    issued: dict[str, tuple[int, int, int]] = {}  # cents, expires_at, seq
    redeemed: dict[str, int] = {}
    heads: dict[int, Head] = {}  # that count
    snapshots: dict[int, tuple[str, bytes]] = {}  # the hash that was sealed, and what is made now

    def see(self, entry: Entry, before: Stream[State]) -> None:
        seq = entry.seq
        for n, transfer in enumerate(transfers_of(entry)):
            self.transfers[seq, n] = transfer
        if entry.id:
            answer = accepted(entry.id, seq, entry.at, entry.events)
            self.answers[entry.by, entry.id] = answer
        for event in entry.events:
            if isinstance(event, e.VoucherMade):
                self.issued[event.voucher] = (event.cents, event.expires_at, seq)
            elif isinstance(event, e.VoucherTaken):
                self.redeemed[event.voucher] = seq
            elif isinstance(event, e.PeriodSealed):
                made = snapshot(before.machine, before.state, before.balances, before.head)
                self.snapshots[seq - 1] = (event.snapshot, made)


class Stray(NamedTuple):
    """A row that has no place; it is kept by its bytes, under an entry and a place there."""

    table: Table
    row: TableRow
    data: bytes
    seq: int
    n: int = 0


class Differences(msgspec.Struct):
    """What is to be done to one stream's rows."""

    stray: list[Stray] = []
    missing: list[tuple[Table, Cells]] = []
    vouchers: list[tuple[str, Cells]] = []  # and what becomes of their columns
    stands: bool = True  # whether balances, and where the stream stands, are as the fold has them

    @property
    def is_none(self) -> bool:
        return self.stands and not [*self.stray, *self.missing, *self.vouchers]


def differences(reader: Reader, stream: Stream[State], fold: Fold) -> Differences:
    """Between the tables and the fold; entries after it are among them."""
    found = Differences()
    connection, name, seq = reader.connection, stream.name, stream.state.seq
    for later, data in reader.entries(name, after=seq):
        own: Cells = {"stream": name, "seq": later}
        found.stray.append(Stray(schema.entries, own, data, later))
    _transfers(connection, name, fold, found)
    _heads(connection, name, fold, found)
    _snapshots(connection, name, fold, found)
    _answers(connection, name, fold, found)
    _vouchers(reader, name, fold, found)
    standing = reader.streams().get(name)
    is_there = standing is not None and standing[:2] == (seq, stream.head)
    found.stands = is_there and reader.balances(name) == stream.balances
    return found


def _transfers(connection: Connection, name: str, fold: Fold, found: Differences) -> None:
    missing = dict(fold.transfers)
    for row in _rows(connection, schema.transfers, name):
        seq, n = _number(row["seq"]), _number(row["n"])
        debit, credit, cents = row["debit"], row["credit"], row["cents"]
        if (debit, credit, cents) == missing.get((seq, n)):
            del missing[seq, n]
            continue
        data = f"{debit} {credit} {cents}".encode()
        found.stray.append(Stray(schema.transfers, row, data, seq, n))
    names = schema.transfers.c.keys()
    for (seq, n), transfer in missing.items():
        cells = dict(zip(names, (name, seq, n, *transfer), strict=True))
        found.missing.append((schema.transfers, cells))


def _heads(connection: Connection, name: str, fold: Fold, found: Differences) -> None:
    missing = {seq: msgspec.structs.asdict(head) for seq, head in fold.heads.items()}
    for row in _rows(connection, schema.heads, name):
        seq = _number(row["seq"])
        if row == missing.get(seq):
            del missing[seq]
            continue
        data = f"{row['epoch']} {row['hash']} {row['key']} {row['signature']}"
        found.stray.append(_stray(schema.heads, row, data.encode()))
    for cells in missing.values():
        found.missing.append((schema.heads, cells))


def _snapshots(connection: Connection, name: str, fold: Fold, found: Differences) -> None:
    missing = dict(fold.snapshots)
    for row in _rows(connection, schema.snapshots, name):
        seq, data = _number(row["seq"]), _bytes(row["data"])
        sealed, _ = missing.get(seq, ("", b""))
        # by its hash: one of an older kind is still the one that was sealed
        if row["hash"] == hash_of(data) == sealed:
            del missing[seq]
            continue
        found.stray.append(_stray(schema.snapshots, row, data))
    for seq, (sealed, made) in missing.items():
        if hash_of(made) == sealed:
            cells: Cells = {"stream": name, "seq": seq, "hash": sealed, "data": made}
            found.missing.append((schema.snapshots, cells))


def _answers(connection: Connection, name: str, fold: Fold, found: Differences) -> None:
    """A digest of what was asked is nowhere else: where it is lost, the command cannot be asked
    again, and is refused rather than done twice.
    """
    missing = dict(fold.answers)
    bodies = dict[tuple[str, str], bytes]()
    for n, row in enumerate(_rows(connection, schema.answers, name)):
        key = str(row["asked_by"]), str(row["command_id"])
        data = _bytes(row["answer"])
        answer, right = _read(data), fold.answers.get(key)
        if answer is not None and _agree(answer, right):
            missing.pop(key, None)
            continue
        bodies[key] = _bytes(row["body"])
        seq = answer.seq if answer else 0
        found.stray.append(Stray(schema.answers, row, data, seq, n))
    for key, answer in missing.items():
        by, id_ = key
        cells: Cells = {"stream": name, "asked_by": by, "command_id": id_}
        cells["body"] = bodies.get(key, b"")
        cells["answer"] = write_answer(answer)
        cells["at"] = answer.at
        found.missing.append((schema.answers, cells))


def _agree(answer: Answer, right: Answer | None) -> bool:
    """A refusal has no entry, and what was done has its own."""
    if right is None:
        return not answer.ok
    return answer.ok and answer.seq == right.seq


def _vouchers(reader: Reader, name: str, fold: Fold, found: Differences) -> None:
    kept = reader.vouchers()
    again = set[str]()  # would be open again, unless another stream has paid them
    for n, (voucher, row) in enumerate(kept.items()):
        if _is_nobodys(voucher, row, name, fold):
            own: Cells = {"voucher": voucher}
            found.stray.append(Stray(schema.vouchers, own, voucher.encode(), row.issued_seq, n))
            continue
        right = _voucher(voucher, row, name, fold)
        if right == row:
            continue
        found.vouchers.append((voucher, right._asdict()))
        if right.redeemed_seq is None:
            again.add(voucher)
    for voucher in fold.issued.keys() - kept.keys():
        bare = VoucherRow(0, 0, name, 0, None, None)
        right = _voucher(voucher, bare, name, fold)
        cells: Cells = {"voucher": voucher, **right._asdict()}
        found.missing.append((schema.vouchers, cells))
        if right.redeemed_seq is None:
            again.add(voucher)
    if again:
        found.vouchers += _paid_elsewhere(reader, name, again)


def _is_nobodys(voucher: str, row: VoucherRow, name: str, fold: Fold) -> bool:
    """Whether no entry of this stream issued a voucher that is said to be its own. One that was
    paid elsewhere stays: that payment stands.
    """
    if row.issued_stream != name or voucher in fold.issued or voucher in fold.redeemed:
        return False
    return row.redeemed_seq is None or row.redeemed_stream == name


def _voucher(voucher: str, row: VoucherRow, name: str, fold: Fold) -> VoucherRow:
    """A row of the table as this stream has it; what other streams say of it stays."""
    if voucher in fold.issued:
        cents, expires_at, seq = fold.issued[voucher]
        row = row._replace(cents=cents, expires_at=expires_at, issued_stream=name, issued_seq=seq)
    if voucher in fold.redeemed:
        return row._replace(redeemed_stream=name, redeemed_seq=fold.redeemed[voucher])
    if row.redeemed_stream == name:
        return row._replace(redeemed_stream=None, redeemed_seq=None)
    return row


def _paid_elsewhere(reader: Reader, name: str, vouchers: set[str]) -> Iterator[tuple[str, Cells]]:
    """Which of these another stream has redeemed. Its entries are looked at as they stand: a
    voucher stays paid until those that say so are set aside.
    """
    numbers = [voucher.encode() for voucher in vouchers]
    for other in reader.written() - {name}:
        for seq, data in reader.entries(other):
            # by their bytes first: few entries of a floor are about these
            if not any(number in data for number in numbers):
                continue
            for event in _events(reader, other, seq, data):
                if isinstance(event, e.VoucherTaken) and event.voucher in vouchers:
                    yield event.voucher, {"redeemed_stream": other, "redeemed_seq": seq}


def _events(reader: Reader, stream: str, seq: int, data: bytes) -> Sequence[e.Event]:
    try:
        return reader.definitions.read(data, stream=stream, seq=seq).events
    except Fault:
        return ()


# What is written


def put_right(connection: Connection, stream: Stream[State], found: Differences, who: str) -> None:
    """What stands beside the journal, as the fold has it; what leaves is kept first."""
    at = int(time.time() * 1000)
    by: Cells = {"stream": stream.name, "at": at, "who": who}
    kept = list[Cells]()
    for table, _, data, seq, n in found.stray:
        kept.append(by | {"place": table.name, "seq": seq, "n": n, "data": data})
    if kept:
        connection.execute(insert(schema.set_aside), kept)
    for table, rows in _by_table((stray.table, stray.row) for stray in found.stray):
        key = list(table.primary_key)
        own = [column == bindparam(f"own_{column.name}") for column in key]
        removed = delete(table).where(*own)
        found_by = [{f"own_{column.name}": row[column.name] for column in key} for row in rows]
        connection.execute(removed, found_by)
    for table, rows in _by_table(found.missing):
        connection.execute(insert(table), rows)
    for voucher, cells in found.vouchers:
        changed = update(schema.vouchers).values(**cells)
        connection.execute(changed.where(schema.vouchers.c.voucher == voucher))
    stand(connection, stream)


def _by_table(rows: Iterable[tuple[Table, TableRow]]) -> Iterable[tuple[Table, list[TableRow]]]:
    """Together, since one statement for many rows holds the lock for less time."""
    found = dict[Table, list[TableRow]]()
    for table, row in rows:
        found.setdefault(table, []).append(row)
    return found.items()


def stand(connection: Connection, stream: Stream[State]) -> None:
    """Balances, and where the stream stands; one without an entry is no stream."""
    name, state = stream.name, stream.state
    connection.execute(delete(schema.balances).where(schema.balances.c.stream == name))
    balances = list[Cells]()
    for account, cents in stream.balances.items():
        balances.append({"stream": name, "account": account, "cents": cents})
    if balances:
        connection.execute(insert(schema.balances), balances)
    own = schema.streams.c.stream == name
    if state.seq:
        now = {"seq": state.seq, "hash": stream.head, "at": state.at}
        connection.execute(update(schema.streams).where(own).values(**now))
    else:
        connection.execute(delete(schema.streams).where(own))
    # a shoe of an entry that is gone would be in the way of the next one of its number
    sealed = schema.sealed.c
    gone = sealed.stream == name, sealed.place.not_in(_places(state))
    connection.execute(delete(schema.sealed).where(*gone))


def _places(state: State) -> list[str]:
    if not isinstance(state, TableState) or state.shoe is None:
        return []
    return [state.cards_place]


def _rows(connection: Connection, table: Table, stream: str) -> Iterator[TableRow]:
    wanted = select(table).where(table.c.stream == stream)
    for row in connection.execute(wanted).mappings():
        yield dict(row)


def _stray(table: Table, row: TableRow, data: bytes) -> Stray:
    return Stray(table, row, data, _number(row["seq"]))


def _read(data: bytes) -> Answer | None:
    try:
        return read_answer(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _bytes(value: object) -> bytes:
    """A database that was tampered with may hold a text, a number or nothing where bytes belong."""
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()


def _number(value: object) -> int:
    assert isinstance(value, int), "as the schema has it"
    return value
