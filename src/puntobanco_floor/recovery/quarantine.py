"""The way out of a stopped stream: what comes after the last entry that a node has signed is set
aside by two people, and kept; the stream goes on from there.

One transaction moves the rows, puts the tables beside the journal back to what the fold comes to,
and writes the entry that says so.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec
from immutables import Map
from sqlalchemy import Connection, Table, delete, insert, select, update

from puntobanco.base.refusal import Refusal
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.events import KeyAdmitted
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.node_keys import Admitted, admitted
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.stream_rules import BeginEpoch, SetEntriesAside
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.refusals import VaultFault
from puntobanco_floor.journal.sealed_shoes import Sealed, unseal
from puntobanco_floor.journal.signing import NodeKey, Trust
from puntobanco_floor.recovery.derived_tables import Fold, differences, put_right, stand
from puntobanco_floor.recovery.epochs import TwoPeople
from puntobanco_floor.store import schema
from puntobanco_floor.store.batch import Answer, Batch, Request, Stream
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.errors import NothingFails, NotStored
from puntobanco_floor.store.open_store import files_of, migrate
from puntobanco_floor.store.reader import Reader
from puntobanco_floor.store.store import HeadsFile, node_file
from puntobanco_proof.entry.format import Fault, header_of
from puntobanco_proof.entry.heads import Head, read_heads

SIGNATURE_DIGITS = 128
"""Of Ed25519, in hex."""


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
    definitions: Definitions = OURS,
) -> SetAside:
    """`forged_roots` are root keys that entries name and this floor never had, as the two people
    say.
    """
    keys, heads = files_of(url, keys=keys, heads=heads)
    filed = _heads_of_node(heads)
    migrate(url)
    ring = KeyRing.load(keys)
    node = NodeKey.at(node_file(heads), ring)
    trust = Trust.of(ring.roots())
    # before anything is locked: a long stream takes its time, and other tables play on
    with connected(url, read_only=True) as connection:
        reader = Reader(connection, definitions)
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
        reader = Reader(connection, definitions)
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
    """The signed heads of the node's own file. Without it nobody could tell entries that patrons
    have seen from others.
    """
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
            hashes[seq] = header_of(data)[1]
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
    """Refuses where this ring may be an old one: what nodes have signed under a newer root would
    pass for forged.
    """
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
        raise NotStored(f"{name} refused: {reply.reason}")
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
