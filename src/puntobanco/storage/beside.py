"""Tables beside the journal: where they differ from the fold of a stream, and how they are put
right. A row that has no place there is kept first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection, Table, bindparam, delete, insert, select, update

import puntobanco.events as e
from puntobanco.journal import Entry, Fault, Head, canonical, hash_of
from puntobanco.machine import State
from puntobanco.storage import schema
from puntobanco.storage.batch import Answer, Stream, read_answer, snapshot, transfers_of
from puntobanco.storage.reader import Reader, VoucherRow
from puntobanco.table.state import TableState

Row: TypeAlias = Mapping[str, object]


@dataclass
class Fold:
    """What the entries of a stream say of the tables beside them."""

    transfers: dict[tuple[int, int], tuple[str, str, int]] = field(default_factory=dict)
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    issued: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # cents, expires_at, seq
    redeemed: dict[str, int] = field(default_factory=dict)
    heads: dict[int, Head] = field(default_factory=dict)  # that count
    snapshots: dict[int, tuple[str, bytes]] = field(default_factory=dict)

    def see(self, entry: Entry, before: Stream[State]) -> None:
        seq = entry.seq
        for n, transfer in enumerate(transfers_of(entry)):
            self.transfers[seq, n] = transfer
        if entry.id:
            first = entry.events[0]
            proposal = first.proposal if isinstance(first, e.Proposed) else 0
            answer = Answer(id=entry.id, ok=True, seq=seq, at=entry.at, proposal=proposal)
            self.answers[entry.by, entry.id] = answer
        for event in entry.events:
            if isinstance(event, e.VoucherMade):
                self.issued[event.voucher] = (event.cents, event.expires_at, seq)
            elif isinstance(event, e.VoucherTaken):
                self.redeemed[event.voucher] = seq
            elif isinstance(event, e.PeriodSealed):
                made = snapshot(before.machine, before.state, before.balances, before.head)
                self.snapshots[seq - 1] = (event.snapshot, made)


@dataclass
class Differences:
    """What is to be done to one stream's rows."""

    stray: list[tuple[Table, int, int, bytes, Row]] = field(default_factory=list)
    """Table, entry, place there, bytes to keep, and the row, which leaves."""

    missing: list[tuple[Table, Row]] = field(default_factory=list)
    vouchers: list[tuple[str, Row]] = field(default_factory=list)  # what becomes of their columns
    stands: bool = True  # whether balances, and where the stream stands, are as the fold has them

    def __bool__(self) -> bool:
        return bool(self.stray or self.missing or self.vouchers) or not self.stands


def differences(reader: Reader, stream: Stream[State], fold: Fold) -> Differences:
    """Between the tables and the fold; entries after it are among them."""
    found = Differences()
    connection, name = reader.connection, stream.name
    after = schema.entries.c.seq > stream.state.seq
    for row in _rows(connection, schema.entries, name, after):
        found.stray.append((schema.entries, _number(row["seq"]), 0, _bytes(row["data"]), row))
    _transfers(connection, name, fold, found)
    _heads(connection, name, fold, found)
    _snapshots(connection, name, fold, found)
    _answers(connection, name, fold, found)
    _vouchers(reader, name, fold, found)
    stands = reader.streams().get(name, (0, "", 0))[:2]
    found.stands = stands == (stream.state.seq, stream.head)
    found.stands &= reader.balances(name) == stream.balances
    return found


def _transfers(connection: Connection, name: str, fold: Fold, found: Differences) -> None:
    missing = dict(fold.transfers)
    for row in _rows(connection, schema.transfers, name):
        seq, n = _number(row["seq"]), _number(row["n"])
        said = row["debit"], row["credit"], row["cents"]
        if said == missing.get((seq, n)):
            del missing[seq, n]
            continue
        data = f"{row['debit']} {row['credit']} {row['cents']}".encode()
        found.stray.append((schema.transfers, seq, n, data, row))
    for (seq, n), (debit, credit, cents) in missing.items():
        place: dict[str, object] = {"stream": name, "seq": seq, "n": n}
        moved = {"debit": debit, "credit": credit, "cents": cents}
        found.missing.append((schema.transfers, place | moved))


def _heads(connection: Connection, name: str, fold: Fold, found: Differences) -> None:
    missing = {seq: msgspec.structs.asdict(head) for seq, head in fold.heads.items()}
    for row in _rows(connection, schema.heads, name):
        seq = _number(row["seq"])
        if row == missing.get(seq):
            del missing[seq]
            continue
        data = f"{row['epoch']} {row['hash']} {row['key']} {row['signature']}".encode()
        found.stray.append((schema.heads, seq, 0, data, row))
    found.missing += [(schema.heads, row) for row in missing.values()]


def _snapshots(connection: Connection, name: str, fold: Fold, found: Differences) -> None:
    missing = dict(fold.snapshots)
    for row in _rows(connection, schema.snapshots, name):
        seq, data = _number(row["seq"]), _bytes(row["data"])
        sealed, _ = missing.get(seq, ("", b""))
        # by its hash: one of an older kind is still the one that was sealed
        if row["hash"] == hash_of(data) == sealed:
            del missing[seq]
            continue
        found.stray.append((schema.snapshots, seq, 0, data, row))
    for seq, (sealed, made) in missing.items():
        if hash_of(made) == sealed:
            row = {"stream": name, "seq": seq, "hash": sealed, "data": made}
            found.missing.append((schema.snapshots, row))


def _answers(connection: Connection, name: str, fold: Fold, found: Differences) -> None:
    """A digest of what was asked is nowhere else: where it is lost, the command cannot be asked
    again, and is refused rather than done twice.
    """
    missing, bodies = dict(fold.answers), dict[tuple[str, str], bytes]()
    for n, row in enumerate(_rows(connection, schema.answers, name)):
        key = str(row["asked_by"]), str(row["command_id"])
        data, right = _bytes(row["answer"]), fold.answers.get(key)
        answer = _read(data)
        if answer is not None and right is not None and answer.ok and answer.seq == right.seq:
            del missing[key]
            continue
        if answer is not None and right is None and not answer.ok:
            continue  # a refusal, which has no entry
        bodies[key] = _bytes(row["body"])
        found.stray.append((schema.answers, answer.seq if answer else 0, n, data, row))
    for (by, id_), answer in missing.items():
        row = {
            "stream": name,
            "asked_by": by,
            "command_id": id_,
            "body": bodies.get((by, id_), b""),
        }
        found.missing.append((schema.answers, row | {"answer": canonical(answer), "at": answer.at}))


def _vouchers(reader: Reader, name: str, fold: Fold, found: Differences) -> None:
    kept = reader.vouchers()
    again = set[str]()  # would be open again, unless another stream has paid them
    for n, (voucher, row) in enumerate(kept.items()):
        is_ours = row.issued_stream == name
        is_paid = row.redeemed_seq is not None and row.redeemed_stream != name
        # one that was paid elsewhere stays: that payment stands
        if is_ours and not (is_paid or voucher in fold.issued or voucher in fold.redeemed):
            gone: Row = {"voucher": voucher}
            found.stray.append((schema.vouchers, row.issued_seq, n, voucher.encode(), gone))
            continue
        right = _voucher(voucher, row, name, fold)
        if right != row:
            found.vouchers.append((voucher, right._asdict()))
            if right.redeemed_seq is None:
                again.add(voucher)
    for voucher in fold.issued.keys() - kept.keys():
        row = _voucher(voucher, VoucherRow(0, 0, name, 0, None, None), name, fold)
        found.missing.append((schema.vouchers, {"voucher": voucher, **row._asdict()}))
        if row.redeemed_seq is None:
            again.add(voucher)
    paid = dict(_paid_elsewhere(reader, name, again)) if again else {}
    found.vouchers += [(voucher, row) for voucher, row in paid.items()]


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


def _paid_elsewhere(reader: Reader, name: str, vouchers: set[str]) -> Iterator[tuple[str, Row]]:
    """Which of these another stream has redeemed. Its entries are looked at as they stand: a
    voucher stays paid until those that say so are set aside.
    """
    names = [voucher.encode() for voucher in vouchers]
    for other in reader.written() - {name}:
        for seq, data in reader.entries(other):
            if not any(voucher in data for voucher in names):
                continue
            try:
                entry = reader.definitions.read(data, stream=other, seq=seq)
            except Fault:
                continue
            for event in entry.events:
                if isinstance(event, e.VoucherTaken) and event.voucher in vouchers:
                    yield event.voucher, {"redeemed_stream": other, "redeemed_seq": seq}


# What is written


def put_right(connection: Connection, stream: Stream[State], found: Differences, who: str) -> None:
    """What stands beside the journal, as the fold has it; what leaves is kept first."""
    name, at = stream.name, int(time.time() * 1000)
    kept = [
        {
            "stream": name,
            "at": at,
            "place": table.name,
            "seq": seq,
            "n": n,
            "data": data,
            "who": who,
        }
        for table, seq, n, data, _ in found.stray
    ]
    if kept:
        connection.execute(insert(schema.set_aside), kept)
    for table, rows in _by_table((table, row) for table, *_, row in found.stray):
        names = [column.name for column in table.primary_key]
        own = [table.c[each] == bindparam(f"own_{each}") for each in names]
        keys = [{f"own_{each}": row[each] for each in names} for row in rows]
        connection.execute(delete(table).where(*own), keys)
    for table, rows in _by_table(found.missing):
        connection.execute(insert(table), [dict(row) for row in rows])
    for voucher, row in found.vouchers:
        one = schema.vouchers.c.voucher == voucher
        connection.execute(update(schema.vouchers).where(one).values(**row))
    stand(connection, stream)


def _by_table(rows: Iterable[tuple[Table, Row]]) -> list[tuple[Table, list[Row]]]:
    """Together, since one statement for many rows holds the lock for less time."""
    found = dict[Table, list[Row]]()
    for table, row in rows:
        found.setdefault(table, []).append(row)
    return list(found.items())


def stand(connection: Connection, stream: Stream[State]) -> None:
    """Balances, and where the stream stands; one without an entry is no stream."""
    name, state = stream.name, stream.state
    connection.execute(delete(schema.balances).where(schema.balances.c.stream == name))
    balances = [
        {"stream": name, "account": account, "cents": cents}
        for account, cents in stream.balances.items()
    ]
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
    shoe, round_ = state.shoe.number, state.rounds
    return [f"{state.stream}/shoe/{shoe}", f"{state.stream}/round/{round_}"]


def _rows(connection: Connection, table: Table, stream: str, *more: object) -> Iterator[Row]:
    wanted = select(table).where(table.c.stream == stream, *more)  # type: ignore[arg-type]
    for row in connection.execute(wanted).mappings():
        yield dict(row)


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
