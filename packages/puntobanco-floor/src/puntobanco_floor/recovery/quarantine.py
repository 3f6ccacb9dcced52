"""The way out of a stopped stream: what comes after the last entry that a node has signed is set
aside by two people, and kept; the stream goes on from there.

One transaction moves the rows, puts the tables beside the journal back to what the fold comes to,
and writes the entry that says so. A row that has no place there is kept first.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec
from immutables import Map
from sqlalchemy import Connection, Table, bindparam, delete, insert, select, update

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import KeyAdmitted
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.ledger import Transfer
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.node_keys import Admitted, admitted
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.stream_rules import BeginEpoch, SetEntriesAside
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.refusals import VaultFault
from puntobanco_floor.journal.sealed_shoes import Sealed, unseal
from puntobanco_floor.journal.signing import NodeKey, Trust
from puntobanco_floor.recovery.epochs import TwoPeople
from puntobanco_floor.store import schema
from puntobanco_floor.store.batch import (
    Answer,
    Batch,
    Request,
    Stream,
    accepted,
    read_answer,
    snapshot,
    transfers_of,
    write_answer,
)
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.errors import NothingFails, NotStored
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.reader import Reader, VoucherRow, as_bytes
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.store import HeadsFile, node_file
from puntobanco_proof.entry.format import Fault, hash_bytes, read_header
from puntobanco_proof.entry.heads import Head, read_heads

TableRow: TypeAlias = Mapping[str, object]
Cells: TypeAlias = dict[str, object]

SIGNATURE_DIGITS = 128
"""Of Ed25519, in hex."""


# Tables beside the journal: where they differ from the fold of a stream


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
        found.stray.append(Stray(schema.heads, row, data.encode(), seq))
    for cells in missing.values():
        found.missing.append((schema.heads, cells))


def _snapshots(connection: Connection, name: str, fold: Fold, found: Differences) -> None:
    missing = dict(fold.snapshots)
    for row in _rows(connection, schema.snapshots, name):
        seq, data = _number(row["seq"]), as_bytes(row["data"])
        sealed, _ = missing.get(seq, ("", b""))
        # by its hash: one of an older kind is still the one that was sealed
        if row["hash"] == hash_bytes(data) == sealed:
            del missing[seq]
            continue
        found.stray.append(Stray(schema.snapshots, row, data, seq))
    for seq, (sealed, made) in missing.items():
        if hash_bytes(made) == sealed:
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
        data = as_bytes(row["answer"])
        answer, right = _read(data), fold.answers.get(key)
        if answer is not None and _agree(answer, right):
            missing.pop(key, None)
            continue
        bodies[key] = as_bytes(row["body"])
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
    """Whether no entry issued this stream's voucher. One that was paid elsewhere stays."""
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


# What is put right


def put_right(connection: Connection, stream: Stream[State], found: Differences, who: str) -> None:
    """What stands beside the journal, as the fold has it; what leaves is kept first."""
    at = int(time.time() * 1000)
    by: Cells = {"stream": stream.name, "at": at, "who": who}
    kept = list[Cells]()
    for table, _, data, seq, n in found.stray:
        kept.append(by | {"place": table.name, "seq": seq, "n": n, "data": data})
    if kept:
        connection.execute(insert(schema.set_aside), kept)
    # together, since one statement for many rows holds the lock for less time
    for table, strays in groupby(found.stray, attrgetter("table")):
        key = list(table.primary_key)
        own = [column == bindparam(f"own_{column.name}") for column in key]
        removed = delete(table).where(*own)
        found_by = [{f"own_{each.name}": stray.row[each.name] for each in key} for stray in strays]
        connection.execute(removed, found_by)
    for table, missing in groupby(found.missing, itemgetter(0)):
        connection.execute(insert(table), [cells for _, cells in missing])
    for voucher, cells in found.vouchers:
        changed = update(schema.vouchers).values(**cells)
        connection.execute(changed.where(schema.vouchers.c.voucher == voucher))
    stand(connection, stream)


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
    places = list[str]()
    if isinstance(state, TableState) and state.shoe is not None:
        places.append(state.cards_place)
    gone = sealed.stream == name, sealed.place.not_in(places)
    connection.execute(delete(schema.sealed).where(*gone))


def _rows(connection: Connection, table: Table, stream: str) -> Iterator[TableRow]:
    wanted = select(table).where(table.c.stream == stream)
    for row in connection.execute(wanted).mappings():
        yield dict(row)


def _read(data: bytes) -> Answer | None:
    try:
        return read_answer(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _number(value: object) -> int:
    assert isinstance(value, int), "as the schema has it"
    return value


# Entries set aside


@dataclass(frozen=True)
class Sound:
    """The sound part of a stream."""

    stream: Stream[State]
    fold: Fold  # what the tables beside it should be
    last: int  # the last entry that stands there, sound or not
    lost: int  # the last epoch in which nodes have signed some of what comes after it; 0: none


@dataclass(frozen=True)
class SetAside:
    """What was done."""

    first: int
    last: int  # before the first where no entry is set aside
    epoch: int  # that was begun with it; 0 where nothing that a node has signed was lost


def house_of(url: str, keys: Path, heads: Path) -> HouseState:
    """The sound part of the house's stream: who its staff are, also where the stream is stopped."""
    trust = Trust.of(KeyRing.load(keys).roots())
    with connected(url, read_only=True) as connection:
        return _house(Reader(connection), trust, _heads_of_node(heads))


def set_aside(
    url: str,
    name: str,
    people: TwoPeople,
    reason: str,
    *,
    keys: Path | None = None,
    heads: Path | None = None,
    forged_roots: Collection[str] = (),
) -> SetAside:
    """`forged_roots`: root keys in entries that this floor never had, as the two people say."""
    keys, heads = files_of(url, keys=keys, heads=heads)
    filed = _heads_of_node(heads)
    migrate(url)
    ring = KeyRing.load(keys)
    node = NodeKey.at(node_file(heads), ring)
    trust = Trust.of(ring.roots())
    # before anything is locked: a long stream takes its time, and other tables play on
    with connected(url, read_only=True) as connection:
        reader = Reader(connection)
        standing = reader.streams().get(name)
        if standing is None:
            raise Refusal(f"there is no stream {name}")
        sound = _sound(reader, name, trust, filed)
        _verify_roots(reader, sound, {*trust.roots, *forged_roots})
        stream = _begun(reader, sound, trust, filed)
        epoch = _epoch(reader, sound, trust, filed)
        found = differences(reader, stream, sound.fold)
    first = stream.state.seq + 1
    if found.is_none and not epoch:
        raise NothingFails(f"{name} holds to its last entry, {first - 1}: nothing is set aside")
    with connected(url) as connection:
        # on PostgreSQL nodes wait for this row, as for each other; SQLite has one writer at all
        lock = select(schema.streams.c.seq).where(schema.streams.c.stream == name)
        connection.execute(lock.with_for_update())
        reader = Reader(connection)
        rows = list(reader.entries(name, after=first - 1))
        last = rows[-1][0] if rows else first - 1
        if last != sound.last or reader.streams().get(name) != standing:
            raise NotStored(f"{name} was written to meanwhile; run it again")
        put_right(connection, stream, found, f"{people.first} and {people.second}")
        command = _command(people, reason, stream, rows, epoch)
        if command is None:
            return SetAside(first, last, 0)
        signed = _write(connection, stream, command, node, ring)
    file = HeadsFile(heads)
    with closing(file):
        file.mend()
        file.append(signed, sync=True)
    return SetAside(first, last, epoch)


def _command(
    people: TwoPeople,
    reason: str,
    stream: Stream[State],
    rows: Sequence[tuple[int, bytes]],
    epoch: int,
) -> SetEntriesAside | BeginEpoch | None:
    """What the stream goes on with. Where entries are gone and none is left to set aside, a new
    epoch alone; where none was lost either, or nothing of the stream is left, nothing.
    """
    first, second = people
    if rows:
        last, _ = rows[-1]
        digest = hashlib.sha256()
        for _, data in rows:
            digest.update(data)
        return SetEntriesAside(
            by=first,
            second=second,
            reason=reason,
            last=last,
            digest=digest.hexdigest(),
            epoch=epoch,
        )
    if epoch and stream.state.seq:
        return BeginEpoch(by=first, second=second, reason=reason, epoch=epoch)
    return None


# What holds


def _heads_of_node(heads: Path) -> list[Head]:
    """Return the node's own signed heads: they tell which entries patrons have seen."""
    if not heads.exists():
        raise Refusal(
            f"there is no file of heads at {heads}: run this at a node, or name that node's file "
            "with --heads"
        )
    with heads.open("rb") as lines:
        return [head for head in read_heads(lines) if head.signature]


def _sound(reader: Reader, name: str, trust: Trust, filed: Sequence[Head]) -> Sound:
    """Twice through the entries: where the last good signature is, and then so far."""
    own = [head for head in filed if head.stream == name]
    seen = max(own, key=_place, default=None)
    signed = [*reader.heads(name).values(), *own]
    by_seq = dict[int, list[Head]]()
    for head in signed:
        by_seq.setdefault(head.seq, []).append(head)
    machine = reader.definitions.machine_of(name)
    tried, fold, end = Stream.empty(name, machine), Fold(), 0
    try:
        for entry, hash_ in reader.chain(name):
            tried.follow(entry, hash_)
            for head in by_seq.get(entry.seq, ()):
                is_this = (head.hash, head.epoch) == (hash_, entry.epoch)
                keys = tried.state.keys
                if is_this and _counts(trust, head, keys):
                    fold.heads.setdefault(entry.seq, head)
                    end = entry.seq if trust.is_current(head, keys, seen) else end
    except (Fault, AssertionError):
        pass  # what comes from here on fails
    stream = Stream.empty(name, machine)
    # a later one is by who has an old key ring
    fold.heads = {seq: head for seq, head in fold.heads.items() if seq <= end}
    for entry, hash_ in reader.chain(name, upto=end):
        fold.see(entry, stream)
        stream.follow(entry, hash_)
    state = stream.state
    last = max((seq for seq, _ in reader.entries(name, after=state.seq)), default=state.seq)
    later = [head for head in signed if _place(head) > (state.epoch, state.seq)]
    lost = _lost(reader, trust, state, later, set(filed)) if later else 0
    return Sound(stream, fold, last, lost)


def _place(head: Head) -> tuple[int, int]:
    return head.epoch, head.seq


def _counts(trust: Trust, head: Head, keys: Map[str, Admitted]) -> bool:
    try:
        trust.verify(head, keys)
    except Fault:
        return False
    return True


def _lost(
    reader: Reader, trust: Trust, state: State, later: Sequence[Head], own: Collection[Head]
) -> int:
    """The last epoch in which nodes have signed what comes after this state; 0 where none has. A
    head that fits an entry counts unless it is proved wrong: the entry that admits its key may be
    the one that was changed.
    """
    keys, hashes = state.keys, dict[int, str]()
    for seq, data in reader.entries(state.stream, after=state.seq):
        try:
            hashes[seq] = read_header(data)[1]
        except Fault:
            continue
    for seq, event in _admissions(reader, state):
        if event.key not in keys:
            keys = admitted(keys, event, seq)
    epochs = [0]
    for head in later:
        is_unknown = head.key not in keys and len(head.signature) == SIGNATURE_DIGITS
        may_be = is_unknown and hashes.get(head.seq) == head.hash
        is_proved = _counts(trust, head, keys) and trust.is_current(head, keys, None)
        if head in own or may_be or is_proved:
            epochs.append(head.epoch)
    return max(epochs)


def _admissions(reader: Reader, state: State) -> Iterator[tuple[int, KeyAdmitted]]:
    """Keys that are admitted by what comes after this state, as far as it can be read."""
    for seq, data in reader.entries(state.stream, after=state.seq):
        try:
            entry = reader.definitions.read(data, stream=state.stream, seq=seq)
        except Fault:
            continue
        for event in entry.events:
            if isinstance(event, KeyAdmitted):
                yield seq, event


def _verify_roots(reader: Reader, sound: Sound, known: Collection[str]) -> None:
    """Refuse an older ring: entries signed under a newer root would pass for forged."""
    for seq, event in _admissions(reader, sound.stream.state):
        if event.root not in known:
            raise Refusal(
                f"entry {seq} of {sound.stream.name} admits a key by the root key {event.root}, "
                "which this key ring has not: copy the newest ring of the nodes here; if none of "
                f"them has it the entry is forged: --forged-root {event.root}"
            )


def _house(reader: Reader, trust: Trust, filed: Sequence[Head]) -> HouseState:
    state = _sound(reader, FLOOR, trust, filed).stream.state
    assert isinstance(state, HouseState), "the house's stream has its state"
    return state


def _begun(reader: Reader, sound: Sound, trust: Trust, filed: Sequence[Head]) -> Stream[State]:
    """The sound part; one of which nothing is left begins anew, in the floor's epoch."""
    stream = sound.stream
    if stream.state.seq or stream.name == FLOOR:
        return stream
    return Stream.empty(stream.name, stream.machine, _house(reader, trust, filed).epoch)


def _epoch(reader: Reader, sound: Sound, trust: Trust, filed: Sequence[Head]) -> int:
    """The epoch that begins with it: where nodes have signed some of it, patrons may have seen it.
    Vouchers that were paid by it must wait for two people everywhere before they are open again.
    """
    if not sound.lost:
        return 0
    name, state = sound.stream.name, sound.stream.state
    if name == FLOOR:
        return max([reader.epoch(), *(head.epoch for head in filed)]) + 1
    epoch = _house(reader, trust, filed).epoch
    if epoch <= sound.lost:
        raise Refusal(
            f"nodes have signed entries of {name} after {state.seq}: restore a backup that has "
            f"them; or stop the nodes, run `puntobanco epoch begin --without {name}`, then this "
            "again"
        )
    return epoch


# What is written


def _write(
    connection: Connection,
    stream: Stream[State],
    command: SetEntriesAside | BeginEpoch,
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
        raise NotStored(f"{name} refused: {reply.words.en}")
    # a store writes these too; neither command has any
    assert not [*out.issued, *out.redeemed], "no voucher is touched"
    assert not [*out.sealed, *out.snapshots], "no shoe begins, and no period ends"
    signed = batch.sign()
    _insert(connection, schema.answers, out.answers)
    _insert(connection, schema.entries, out.entries)
    _insert(connection, schema.transfers, out.transfers)
    connection.execute(insert(schema.heads), [msgspec.structs.asdict(head) for head in signed])
    batch.settle_in()
    t = schema.sealed.c
    for place in out.opened:
        connection.execute(delete(schema.sealed).where(t.stream == name, t.place == place))
    stand(connection, stream)
    due = update(schema.streams).where(schema.streams.c.stream == name)
    connection.execute(due.values(due_at=batch.due_at))
    return signed


def _insert(connection: Connection, table: Table, rows: Sequence[tuple[object, ...]]) -> None:
    names = [column.name for column in table.columns]
    if rows:
        connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])
