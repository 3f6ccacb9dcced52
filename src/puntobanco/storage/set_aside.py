"""The way out of a stopped stream: what comes after the last entry that a node has signed is set
aside by two people, and kept; the stream goes on from there.

One transaction moves the rows, puts the tables beside the journal back to what the fold comes to,
and writes the entry that says so.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection, Table, delete, insert, select, update

from puntobanco.definitions import OURS, Definitions
from puntobanco.house.state import HouseState
from puntobanco.journal import Fault, Head, read_heads
from puntobanco.keys import KeyRing
from puntobanco.machine import State
from puntobanco.names import FLOOR
from puntobanco.recovery import SetEntriesAside
from puntobanco.rules.causes import Cause
from puntobanco.rules.refusals import Refusal
from puntobanco.signing import NodeKey, Trust
from puntobanco.storage import schema
from puntobanco.storage.batch import Answer, Batch, Request, Stream, read_answer
from puntobanco.storage.errors import NotStored
from puntobanco.storage.locate import connected, files_of, migrate
from puntobanco.storage.reader import Reader
from puntobanco.storage.recovery import TwoPeople
from puntobanco.storage.store import HeadsFile
from puntobanco.table.state import TableState
from puntobanco.vault import Order, Sealed, VaultFault, unseal

Kept: TypeAlias = tuple[str, int, int, bytes]
"""A row that is set aside: its table, its entry, its place there, its bytes."""


class NothingFails(Refusal):
    """A stream that holds to its last entry."""


@dataclass(frozen=True)
class Sound:
    """The sound part of a stream."""

    stream: Stream[State]
    head: Head | None  # the last that a node has signed of it
    last: int  # the last entry that stands there, sound or not
    lost: bool  # whether nodes have signed some of what comes after it


@dataclass(frozen=True)
class SetAside:
    """What was done."""

    first: int
    last: int
    epoch: int  # that was begun with it; 0 where nothing that a node has signed was lost


def house_of(url: str, keys: Path, heads: Path) -> HouseState:
    """The sound part of the house's stream: who its staff are, also where the stream is stopped."""
    trust = Trust(KeyRing.load(keys).public())
    with connected(url, read_only=True) as connection:
        found = _sound(Reader(connection), FLOOR, trust, _filed(heads))
    state = found.stream.state
    assert isinstance(state, HouseState), "the house's stream has its state"
    return state


def set_aside(
    url: str,
    name: str,
    people: TwoPeople,
    reason: str,
    *,
    keys: Path | None = None,
    heads: Path | None = None,
    definitions: Definitions = OURS,
) -> SetAside:
    keys, heads = files_of(url, keys=keys, heads=heads)
    migrate(url)
    ring = KeyRing.load(keys)
    node = NodeKey.at(heads.with_suffix(".node"), ring)
    filed = _filed(heads)
    # before anything is locked: a long stream takes its time, and other tables play on
    with connected(url, read_only=True) as connection:
        reader = Reader(connection, definitions)
        if name not in reader.streams():
            raise Refusal(f"there is no stream {name}")
        sound = _sound(reader, name, Trust(ring.public()), filed)
        epoch = _epoch(reader, sound, filed)
        stream = sound.stream
        first = stream.state.seq + 1
        if sound.last < first:
            _verify_fails(reader, sound)
    with connected(url) as connection:
        # on PostgreSQL nodes wait for this row, as for each other; SQLite has one writer at all
        lock = select(schema.streams.c.seq).where(schema.streams.c.stream == name)
        connection.execute(lock.with_for_update())
        reader = Reader(connection, definitions)
        last = max((seq for seq, _ in reader.entries(name, after=first - 1)), default=first - 1)
        if last != sound.last:
            raise NotStored(f"{name} was written to meanwhile; run it again")
        if sound.last < first:
            _put_right(connection, stream, sound.head)
            return SetAside(first, sound.last, 0)
        rows = [data for _, data in reader.entries(name, after=first - 1)]
        command = SetEntriesAside(
            by=people.first,
            second=people.second,
            reason=reason,
            last=sound.last,
            digest=hashlib.sha256(b"".join(rows)).hexdigest(),
            epoch=epoch,
        )
        _move(connection, stream, f"{people.first} and {people.second}")
        _put_right(connection, stream, sound.head)
        signed = _write(connection, stream, command, node, ring)
    file = HeadsFile(heads)
    with closing(file):
        file.mend()
        file.append(signed, sync=True)
    return SetAside(first, sound.last, epoch)


# What holds


def _filed(heads: Path) -> list[Head]:
    """The signed heads of the node's own file."""
    if not heads.exists():
        return []
    with heads.open("rb") as lines:
        return [head for head in read_heads(lines) if head.signature]


def _sound(reader: Reader, name: str, trust: Trust, filed: Sequence[Head]) -> Sound:
    """Twice through the entries: where the last good signature is, and then so far."""
    signed = [*reader.heads(name).values(), *(head for head in filed if head.stream == name)]
    by_seq = dict[int, list[Head]]()
    for head in signed:
        by_seq.setdefault(head.seq, []).append(head)
    machine = reader.definitions.machine_of(name)
    tried, good = Stream.empty(name, machine), None
    try:
        for entry, hash_ in reader.chain(name):
            tried.follow(entry, hash_)
            for head in by_seq.get(entry.seq, ()):
                if head.hash == hash_ and _counts(trust, head, tried.state):
                    good = head
    except (Fault, AssertionError):
        pass  # what comes from here on fails
    stream = Stream.empty(name, machine)
    if good is not None:
        for entry, hash_ in reader.chain(name, upto=good.seq):
            stream.follow(entry, hash_)
    state, own = stream.state, set(filed)
    lost = False
    for head in signed:
        is_later = (head.epoch, head.seq) > (state.epoch, state.seq)
        lost |= is_later and (head in own or _counts(trust, head, state))
    last = max((seq for seq, _ in reader.entries(name, after=state.seq)), default=state.seq)
    return Sound(stream, good, last, lost)


def _counts(trust: Trust, head: Head, state: State) -> bool:
    try:
        trust.verify(head, state.keys)
    except Fault:
        return False
    return True


def _epoch(reader: Reader, sound: Sound, filed: Sequence[Head]) -> int:
    """The epoch that begins with it: where nodes have signed some of it, patrons may have seen it.
    Vouchers that were paid by it must wait for two people everywhere before they are open again.
    """
    if not sound.lost:
        return 0
    name, state = sound.stream.name, sound.stream.state
    floor = reader.epoch()
    if name == FLOOR:
        return max([floor, *(head.epoch for head in filed)]) + 1
    house = reader.last_head(FLOOR)
    if house is None or house.epoch <= state.epoch:
        raise Refusal(
            f"nodes have signed entries of {name} after {state.seq}: stop the nodes, run "
            "`puntobanco epoch begin`, then this again"
        )
    return house.epoch


def _verify_fails(reader: Reader, sound: Sound) -> None:
    """Refuses where there is nothing to put right."""
    stream = sound.stream
    if sound.lost:
        raise Refusal(
            f"entries of {stream.name} after {stream.state.seq} are missing: restore a backup that "
            "has them, or run `puntobanco epoch begin`"
        )
    seq, hash_, _ = reader.streams()[stream.name]
    stands = (seq, hash_) == (stream.state.seq, stream.head)
    if stands and reader.last_head(stream.name) == sound.head:
        raise NothingFails(f"{stream.name} holds to its last entry, {seq}: nothing is set aside")


# What is moved


def _move(connection: Connection, stream: Stream[State], who: str) -> None:
    """Rows of the entries that fail, and of what followed from them; each is kept first."""
    name, after = stream.name, stream.state.seq
    at = int(time.time() * 1000)
    kept = [
        *_rows(connection, schema.entries, name, after, _data),
        *_rows(connection, schema.snapshots, name, after, _data),
        *_rows(connection, schema.heads, name, after, _head),
        *_rows(connection, schema.transfers, name, after, _transfer),
    ]
    answers = [row for row in _all(connection, schema.answers, name) if _answered(row) > after]
    kept += [("answers", _answered(row), n, _bytes(row["answer"])) for n, row in enumerate(answers)]
    issued = schema.vouchers.c.issued_stream == name, schema.vouchers.c.issued_seq > after
    # one that was paid elsewhere stays: that payment stands
    unpaid = (*issued, schema.vouchers.c.redeemed_seq.is_(None))
    vouchers = connection.execute(select(schema.vouchers).where(*unpaid)).mappings().all()
    kept += [
        ("vouchers", int(row["issued_seq"]), n, str(row["voucher"]).encode())
        for n, row in enumerate(vouchers)
    ]
    rows = [
        {"stream": name, "at": at, "place": place, "seq": seq, "n": n, "data": data, "who": who}
        for place, seq, n, data in kept
    ]
    if rows:
        connection.execute(insert(schema.set_aside), rows)
    for table in (schema.entries, schema.snapshots, schema.heads, schema.transfers):
        own = table.c.stream == name, table.c.seq > after
        connection.execute(delete(table).where(*own))
    t = schema.answers.c
    for row in answers:
        one = t.stream == name, t.asked_by == row["asked_by"], t.command_id == row["command_id"]
        connection.execute(delete(schema.answers).where(*one))
    connection.execute(delete(schema.vouchers).where(*unpaid))
    redeemed = schema.vouchers.c.redeemed_stream == name, schema.vouchers.c.redeemed_seq > after
    connection.execute(
        update(schema.vouchers).where(*redeemed).values(redeemed_stream=None, redeemed_seq=None)
    )


Row: TypeAlias = Mapping[str, object]


def _all(connection: Connection, table: Table, stream: str) -> list[Row]:
    found = connection.execute(select(table).where(table.c.stream == stream))
    return [dict(row) for row in found.mappings()]


def _rows(
    connection: Connection, table: Table, stream: str, after: int, data: Callable[[Row], bytes]
) -> Iterator[Kept]:
    wanted = select(table).where(table.c.stream == stream, table.c.seq > after)
    for row in connection.execute(wanted).mappings():
        found: Row = dict(row)
        yield table.name, _number(found["seq"]), _number(found.get("n", 0)), data(found)


def _data(row: Row) -> bytes:
    return _bytes(row["data"])


def _head(row: Row) -> bytes:
    return f"{row['epoch']} {row['hash']} {row['key']} {row['signature']}".encode()


def _transfer(row: Row) -> bytes:
    return f"{row['debit']} {row['credit']} {row['cents']}".encode()


def _answered(row: Row) -> int:
    """The entry that an answer names; of a refusal none was made."""
    answer = read_answer(_bytes(row["answer"]))
    return answer.seq if answer.ok else 0


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes | memoryview), "as the schema has it"
    return bytes(value)


def _number(value: object) -> int:
    assert isinstance(value, int), "as the schema has it"
    return value


def _put_right(connection: Connection, stream: Stream[State], head: Head | None) -> None:
    """What stands beside the journal, as the fold has it."""
    name, state = stream.name, stream.state
    connection.execute(delete(schema.balances).where(schema.balances.c.stream == name))
    balances = [
        {"stream": name, "account": account, "cents": cents}
        for account, cents in stream.balances.items()
    ]
    if balances:
        connection.execute(insert(schema.balances), balances)
    t = schema.heads.c
    if head is not None:
        there = select(t.seq).where(t.stream == name, t.seq == head.seq)
        if connection.scalar(there) is None:  # taken out of the database, and in the file
            connection.execute(insert(schema.heads), msgspec.structs.asdict(head))
    connection.execute(
        update(schema.streams)
        .where(schema.streams.c.stream == name)
        .values(seq=state.seq, hash=stream.head, at=state.at)
    )
    # a shoe of an entry that is gone would be in the way of the next one of its number
    own = schema.sealed.c.stream == name
    places = schema.sealed.c.place.not_in(_places(state))
    connection.execute(delete(schema.sealed).where(own, places))


def _places(state: State) -> list[str]:
    if not isinstance(state, TableState) or state.shoe is None:
        return []
    shoe, round_ = state.shoe.number, state.rounds
    return [f"{state.stream}/shoe/{shoe}", f"{state.stream}/round/{round_}"]


# What is written


def _write(
    connection: Connection,
    stream: Stream[State],
    command: SetEntriesAside,
    node: NodeKey,
    ring: KeyRing,
) -> list[Head]:
    """The entry that says so, as a node would write it; its signed heads."""

    def load(place: str) -> Order:
        t = schema.sealed.c
        wanted = select(t.key, t.nonce, t.data).where(t.stream == stream.name, t.place == place)
        for row in connection.execute(wanted):
            key, nonce, data = row
            return unseal(Sealed(key=key, nonce=bytes(nonce), data=bytes(data)), ring, place=place)
        raise VaultFault(Cause("sealed-cards-missing", (place,)))

    name = stream.name
    batch = Batch(stream, int(time.time() * 1000), node=node, load=load, clock=False)
    request = Request(stream=name, id=secrets.token_hex(8), command=command)
    out = batch.run([request], {})
    [reply] = out.replies
    if not (isinstance(reply, Answer) and reply.ok):
        raise NotStored(f"{name} refused: {reply.reason}")
    signed = batch.sign()
    _insert(connection, schema.answers, out.answers)
    _insert(connection, schema.entries, out.entries)
    _insert(connection, schema.transfers, out.transfers)
    connection.execute(insert(schema.heads), [msgspec.structs.asdict(head) for head in signed])
    batch.settle_in()
    _put_right(connection, stream, None)
    due = update(schema.streams).where(schema.streams.c.stream == name)
    connection.execute(due.values(due_at=batch.due_at))
    return signed


def _insert(connection: Connection, table: Table, rows: Sequence[tuple[object, ...]]) -> None:
    names = [column.name for column in table.columns]
    if rows:
        connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])
