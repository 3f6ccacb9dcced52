"""What stores have in common: commands in, answers out, watchers told, heads in a file."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

from puntobanco.base.private_files import open_private
from puntobanco.base.refusal import Refusal
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.cage.state import CageState
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.entries import Entry, chained
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.machine import NO_MIXERS, Machine, S, State, Voucher
from puntobanco_floor.domain.node_keys import Admitted
from puntobanco_floor.domain.stream_names import CAGE, FLOOR
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.journal.key_files import PURPOSES, Purpose
from puntobanco_floor.journal.key_ring import REPLACED_MS, KeyRing
from puntobanco_floor.journal.refusals import VaultFault
from puntobanco_floor.journal.sealed_shoes import Sealed, seal, unseal
from puntobanco_floor.journal.signing import NodeKey, PublicKeys, Trust
from puntobanco_floor.metrics import StoreWork
from puntobanco_floor.store.batch import Answer, Reply, Request, Stream
from puntobanco_floor.store.errors import first_line
from puntobanco_floor.store.log_tables import TransparencyLog
from puntobanco_floor.store.vouchers import Kept, Redeemed, verify_issued
from puntobanco_proof.entry.format import Fault, Row, canonical
from puntobanco_proof.entry.heads import BEGIN_EPOCH, Head, read_heads

if TYPE_CHECKING:
    from immutables import Map

MAX_BATCH = 256
MAX_WAITING = 100_000
RETRY_MS = 1_000
"""When a step of the clock could not be done or written, it is tried again after this long."""
SAY_AGAIN_S = 1.0
"""An error that comes back with every command is logged this often at most."""

Watcher = Callable[[str, Sequence[Entry]], object]
log = logging.getLogger("puntobanco.storage")


class Store(ABC):
    """Many streams, and one truth about each."""

    def __init__(
        self,
        keys: Path,
        heads: Path,
        definitions: Definitions = OURS,
        *,
        recovering: bool = False,
    ) -> None:
        """One that is `recovering` opens streams that are behind what this node has seen, so that
        an epoch can be begun there; nobody plays on it.
        """
        self.ring_path, self.ring = keys, KeyRing.at(keys)
        self.node = NodeKey.at(node_file(heads), self.ring)
        self.trust = Trust(self.ring.public(), self._roots, self._replaced_roots)
        self.definitions, self.recovering = definitions, recovering
        self.watchers = list[Watcher]()
        self.clock_ahead_ms = 0  # how far a clock was set forward that is not followed
        self.blocked = dict[str, str]()  # streams that fail verification and stand still, and why
        # streams whose last COMMIT has no reply yet, and since when (ms, by this machine's clock)
        self.in_doubt = dict[str, int]()
        # told of a stream's name when it stops and when it goes on, and when a doubt begins or ends
        self.block_watchers = list[Callable[[str], object]]()
        self.work = StoreWork()
        self.mixers = NO_MIXERS  # of shoes that start from now on; the log's keeper says whose
        self.failing = ""  # why the last write failed; nothing once another one succeeds
        self.on_failing: Callable[[], object] = lambda: None  # told when that changes
        self._is_damaged = False  # then no later write makes it good
        self._said_at = dict[str, float]()  # stream, or nothing -> when it was last logged
        # called, on a thread of the store, with the reason why it can write no more
        self.on_stopped: Callable[[str], object] = lambda _: None
        self.behind = ""  # why no round begins and no wager is taken; the log's keeper says it
        # called, on a thread of the store, when a connection is new: it may lead elsewhere
        self.on_connection: Callable[[], object] = lambda: None

    database: str  # its address

    @cached_property
    def log(self) -> TransparencyLog:
        """The transparency log over its streams, by connections of its own."""
        return TransparencyLog(
            self.database,
            self.ring,
            self.trust,
            definitions=self.definitions,
            seen=lambda: self.seen,
        )

    _heads: HeadsFile
    _streams: dict[str, Stream[State]]
    _lost: tuple[type[Exception], ...]  # what the database raises that is gone, or fails

    def _roots(self) -> PublicKeys:
        self.ring.look()
        return self.ring.public()

    def _replaced_roots(self) -> Collection[str]:
        return self.ring.replaced_roots(for_ms=REPLACED_MS)

    def submit(self, request: Request) -> Future[Answer]:
        """Ask; the future is done when the answer is on disk."""
        future = Future[Answer]()
        self._put(request, future)
        return future

    def ask(self, request: Request) -> Answer:
        """Ask, and wait. A refusal by rule is an answer; a command that was not stored raises."""
        return self.submit(request).result()

    async def asked(self, request: Request) -> Answer:
        """Ask, inside an event loop. Answers of one batch wake the loop once."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.ask_then(request, partial(_finish, future))
        return await future

    def ask_then(self, request: Request, then: Callable[[Reply], object]) -> None:
        """Ask, inside an event loop; `then` gets the answer, or why nothing was stored."""
        self._put(request, Then(asyncio.get_running_loop(), then))

    @abstractmethod
    def wait_for_commits(self, name: str) -> None:
        """Return once no COMMIT of this stream can still be under way; raise `InDoubt` where that
        takes too long. After it a plain read of an answer tells the outcome.
        """

    @abstractmethod
    def _put(self, request: Request, future: Waiter) -> None: ...

    def read(self, name: str, machine: Machine[S]) -> Stream[S]:
        """A stream as the journal has it now, read apart from the writer."""
        with self._rows_of(name):
            return self._read_apart(name, machine)

    @abstractmethod
    def _read_apart(self, name: str, machine: Machine[S]) -> Stream[S]: ...

    @contextmanager
    def _rows_of(self, stream: str) -> Iterator[None]:
        """Whoever holds the database can put anything into a row, and it can do anything to what
        reads it. That is a fault of this stream, which stops; the others go on.
        """
        try:
            yield
        except Refusal:
            raise
        except self._lost:
            raise
        except Exception as error:
            said = f"the database holds what cannot be read: {type(error).__name__} {error}"
            raise Fault(said, stream=stream) from error

    def stream(self, name: str) -> Stream[State]:
        return self.read(name, self.definitions.machine_of(name))

    def table(self, name: str) -> Stream[TableState]:
        return self.read(name, self.definitions.table)

    def house(self) -> Stream[HouseState]:
        return self.read(FLOOR, self.definitions.house)

    def window(self, number: int) -> Stream[CageState]:
        return self.read(f"{CAGE}{number}", self.definitions.cage)

    def held_copy(self, name: str) -> tuple[State, dict[str, int]] | None:
        """A stream's state as the writer holds it, if it does, and a copy of its balances. For
        watchers while they are told, on the writer's thread: the state's number says whether it is
        the one after what they hear.
        """
        stream = self._streams.get(name)
        return None if stream is None else (stream.state, stream.balances.copy())

    @property
    def heads_file(self) -> Path:
        """Where this node keeps what it has seen, outside the database."""
        return self._heads.path

    @property
    def seen(self) -> Mapping[str, Head]:
        """The furthest head of each stream that this node knows, whatever the database has."""
        return self._heads.last

    @property
    def seen_epoch(self) -> int:
        """The latest epoch in which this node knows of an entry, whatever the database has."""
        epochs = [1]
        for head in self._heads.last.values():
            # without an entry a restore asks for this epoch, and the one before was the last
            epochs.append(head.epoch if head.seq else head.epoch - 1)
        return max(epochs)

    def names(self) -> list[str]:
        return sorted(self.standing())

    @abstractmethod
    def standing(self) -> dict[str, int]:
        """The last entry of each stream, as the database has it now."""

    @abstractmethod
    def entries(self, stream: str, *, after: int = 0) -> Iterator[Row]: ...

    def decoded(self, stream: str, *, after: int = 0) -> Iterator[Entry]:
        for seq, data in self.entries(stream, after=after):
            yield self._entry(stream, seq, data)

    def _entry(self, stream: str, seq: int, data: bytes) -> Entry:
        return self.definitions.read(data, stream=stream, seq=seq)

    def rotate_keys(self, purposes: Collection[Purpose] = PURPOSES) -> None:
        """Make new keys; seal undealt cards again. The old keys still read what they wrote."""
        with KeyRing.changed(self.ring_path) as ring:
            ring.rotate(purposes)
        # now it is on disk: nothing may be sealed with a key that could be lost
        self.ring.look()
        if "sealing" in purposes:
            self._seal_all_again()

    @abstractmethod
    def _seal_all_again(self) -> None:
        """With the new keys, in one transaction."""

    @abstractmethod
    def close(self) -> None:
        """What waits is still answered."""

    def _close_files(self) -> None:
        """What is open beside the connections of the writer."""
        self._heads.close()
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _follow(self, stream: Stream[S], rows: Iterable[Row]) -> list[Entry]:
        """Take in the entries after the stream's end; raise a fault where they do not hold."""
        new, since = list[Entry](), stream.state
        for entry, head in chained(
            rows,
            stream.name,
            seq=since.seq,
            head=stream.head,
            at=since.at,
            epoch=since.epoch if since.seq else 1,
            decode=self.definitions.decode,
        ):
            stream.follow(entry, head)
            new.append(entry)
        return new

    def _believed(
        self,
        voucher: str,
        kept: Kept,
        rows: Sequence[Row],
        head: Head | None,
        keys: Map[str, Admitted],
        redeemed: Redeemed,
    ) -> Voucher | None:
        """A voucher whose issuing entry a node has signed; `rows` lead from that entry to `head`,
        `keys` are its stream's. None where it is not so: then there is no such voucher.
        """
        try:
            epoch = verify_issued(voucher, kept, rows, head, self.definitions.decode)
            if head is not None:
                self.trust.verify(head, keys)
        except Fault as fault:
            log.error(
                "voucher %s refused, the journal does not hold what the table of vouchers says: "
                "%s; run puntobanco audit",
                voucher,
                fault,
            )
            return None
        return redeemed.voucher(voucher, kept, epoch)

    def _not_proved(self, name: str, fault: Fault) -> None:
        log.error(
            "vouchers are paid by two people at the cage, since what stream %s has redeemed is not "
            "known: %s; run puntobanco audit --table %s",
            name,
            fault,
            name,
        )

    def _unsealed(self, place: str, sealed: Sealed | None) -> Order:
        """The undealt cards of a place; raises a fault of the vault where they cannot be had."""
        if sealed is None:
            raise VaultFault(Cause("sealed-cards-missing", (place,)))
        if sealed.key not in self.ring.sealing:  # another process may have rotated the keys
            self.ring.look()
        return unseal(sealed, self.ring, place=place)

    def _sealed_again(self, place: str, sealed: Sealed) -> Sealed | None:
        try:
            order = unseal(sealed, self.ring, place=place)
        except VaultFault as fault:  # lost before, and no more lost now
            log.error("cards of %s not sealed with the new key: %s", place, fault)
            return None
        return seal(order, self.ring, place=place)

    def _verified(self, stream: Stream[S], head: Head | None) -> None:
        """Raise a fault unless a node signed the stream's end; `head` is the database's last."""
        state = stream.state
        end = Head(stream=stream.name, epoch=state.epoch, seq=state.seq, hash=stream.head)
        self.trust.verify_end(end, state.keys, head, self._heads.last.get(stream.name))

    def _may_write(self, stream: Stream[S]) -> None:
        """Raises a fault where this node's key is retired: nobody would believe what it signs."""
        key = stream.state.keys.get(self.node.id)
        if key is not None and key.until:
            raise Fault(
                f"this node's key {self.node.id} is retired",
                stream=stream.name,
                seq=key.until,
                advice="remove its .node file, which lies beside the file of heads, and start the "
                "node again",
            )

    def _remembered(self, stream: Stream[S], seen: Head, found: str | None) -> None:
        """Raises a fault where the stream is behind what this node has seen of it, or has another
        past: `found` is the hash of the entry that stands there now. An epoch that two people began
        after a recovery is a new start.
        """
        state = stream.state
        if seen.epoch < state.epoch or self.recovering:
            return
        if (seen.epoch, seen.seq) == (state.epoch, 0):
            return  # a restore asked for this epoch, and it was begun
        if not seen.seq:
            raise Fault(
                "was restored from a backup",
                stream=stream.name,
                advice="run `puntobanco epoch begin`",
            )
        if seen.epoch > state.epoch or seen.seq > state.seq:
            raise behind(stream.name, state.seq, seen.seq)
        if found != seen.hash:
            raise Fault(
                "is not the entry that the file of heads knows", stream=stream.name, seq=seen.seq
            )

    def _unfiled(self, standing: Mapping[str, int]) -> list[str]:
        """The streams of which the file of heads knows less than the database has. A file that
        knows nothing at all cannot miss what was cut off, and that is said.
        """
        known = self._heads.last
        if standing and not known:
            log.warning(
                "file of heads %s is new or was lost: this node cannot tell whether the database "
                "is behind what was played; unless the node is new, compare with the files of "
                "other nodes or witnesses: puntobanco audit --heads FILE",
                self._heads.path,
            )
        return [
            name for name, seq in standing.items() if name not in known or known[name].seq < seq
        ]

    def _not_filed(self, name: str, fault: Fault) -> None:
        log.error("heads of %s not filed: %s; run puntobanco audit", name, fault)

    def corrected(self, wall_ms: int) -> int:
        """The wall clock of this machine, unless the store does not follow it."""
        return wall_ms

    def _look_at_clock(self, ahead_ms: int) -> bool:
        """Whether the clock may decide; it is said once when that changes."""
        if bool(ahead_ms) != bool(self.clock_ahead_ms):
            if ahead_ms:
                log.error(
                    "clock set forward by %d s and not followed: no round is opened, closed or "
                    "dealt by the clock; set the clock right, or restart this node if it is right",
                    ahead_ms // 1000,
                )
            else:
                log.info("clock is right again: it decides again")
            self.clock_ahead_ms = ahead_ms
            self._tell_blocked(FLOOR)
        self.clock_ahead_ms = ahead_ms
        return not ahead_ms

    def _may_say(self, what: str) -> bool:
        """Whether an error that returns with every command may be logged again."""
        now = monotonic()
        if now < self._said_at.get(what, -SAY_AGAIN_S) + SAY_AGAIN_S:
            return False
        self._said_at[what] = now
        return True

    def _write_failed(self, reason: str, *, is_damaged: bool = False) -> None:
        """Note that nothing was stored, and log it unless that was done a moment ago."""
        if self._may_say(""):
            log.error("nothing stored: %s; check the disk and the database, retried", reason)
        self._is_damaged |= is_damaged
        self._set_failing(reason)

    def _write_succeeded(self) -> None:
        if self.failing and not self._is_damaged:
            log.info("writes are stored again")
            self._set_failing("")

    def _set_failing(self, reason: str) -> None:
        if reason != self.failing:
            self.failing = reason
            self.on_failing()

    def _stopped(self, name: str, fault: Fault) -> None:
        is_new = self.blocked.get(name) != fault.reason
        if not (is_new or self._may_say(name)):
            return
        self._said_at[name] = monotonic()
        if fault.advice:
            log.error("stream %s blocked: %s", name, fault)
        else:
            log.error(
                "stream %s blocked: %s; run puntobanco audit --table %s, then puntobanco journal "
                "set-aside %s",
                name,
                fault,
                name,
                name,
            )
        self.blocked[name] = fault.reason
        if is_new:
            self._tell_blocked(name)

    def _goes_on(self, name: str) -> None:
        if self.blocked.pop(name, None) is not None:
            log.info("stream %s goes on", name)
            self._tell_blocked(name)

    def _set_doubt(self, name: str, *, is_in_doubt: bool) -> None:
        """Keep whether a commit of this stream is in doubt, and tell when that changes."""
        if is_in_doubt == (name in self.in_doubt):
            return
        if is_in_doubt:
            self.in_doubt[name] = int(time.time() * 1000)
        else:
            del self.in_doubt[name]
            log.info("stream %s: no commit is in doubt any more", name)
        self._tell_blocked(name)

    def _tell_blocked(self, name: str) -> None:
        for watch in self.block_watchers:
            try:
                watch(name)
            except Exception:
                log.exception("stream %s: a watcher of blocked streams failed", name)

    def _tell(self, stream: str, entries: Sequence[Entry]) -> None:
        for watch in self.watchers:
            try:
                watch(stream, entries)
            except Exception:
                log.exception("stream %s: a watcher failed; the entries are stored", stream)


def behind(stream: str, ends_at: int, seen: int) -> Fault:
    return Fault(
        f"the database ends at entry {ends_at}, and this node has seen entry {seen}",
        stream=stream,
        seq=seen,
        advice=BEGIN_EPOCH,
    )


class Since(NamedTuple):
    """What the database has of a stream after an entry."""

    after: int
    rows: list[Row]
    head: Head | None  # the last that a node signed
    seen: Head | None  # the last that this node knows of
    there: str | None  # the hash of the entry that stands at its place


class Then(NamedTuple):
    """A function to call in an event loop with the answer; cheaper than a future."""

    loop: asyncio.AbstractEventLoop
    call: Callable[[Reply], object]


def node_file(heads: Path) -> Path:
    """Where a node's key lies, beside its file of heads. Only `.heads` gives way to `.node`: nodes
    with the files `heads.a` and `heads.b` have two keys.
    """
    return heads.with_name(heads.name.removesuffix(".heads") + ".node")


class HeadsFile:
    """Where the streams stand, in a file outside the database; a cut tail is found by it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = open_private(path, os.O_WRONLY | os.O_APPEND)
        self.is_whole = False  # until it is mended, and again when a write has failed
        self._mend_at = 0
        self.last = dict[str, Head]()  # the furthest of each stream that this node knows
        with path.open("rb") as lines:
            for head in read_heads(lines):
                self.know(head)

    def know(self, head: Head) -> None:
        known = self.last.get(head.stream)
        if known is None or (head.epoch, head.seq) >= (known.epoch, known.seq):
            self.last[head.stream] = head

    def append(self, heads: Sequence[Head], *, sync: bool = False) -> None:
        """Where streams stand now. With `sync` they are on disk when this returns."""
        for head in heads:
            self.know(head)
        data = b"".join(canonical(head) + b"\n" for head in heads)
        self.is_whole = False
        if os.write(self._file, data) != len(data):
            raise OSError("only a part was written")
        if sync:
            os.fsync(self._file)
        self.is_whole = True

    def file(self, heads: Sequence[Head], *, now_ms: int, sync: bool = False) -> None:
        """File heads after a commit, which holds in any case: an error is mended later."""
        try:
            if self.is_whole:
                self.append(heads, sync=sync)
                return
            for head in heads:
                self.know(head)
            if now_ms >= self._mend_at:
                self.mend()
        except OSError as error:
            self._mend_at = now_ms + RETRY_MS
            log.error("heads file not written: %s; check the disk, retried", first_line(error))

    def mend(self) -> None:
        """Cut off half a line at the end, and add heads that the file does not have."""
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._file, whole)
        known = set(data[:whole].split(b"\n"))
        missing = [head for head in self.last.values() if canonical(head) not in known]
        self.append(missing, sync=True)

    def close(self) -> None:
        os.close(self._file)


Waiter: TypeAlias = Future[Answer] | Then
"""Who waits for an answer: a thread or a coroutine, or a function."""


def deliver(taken: Sequence[tuple[Request, Waiter]], replies: Sequence[Reply]) -> None:
    """Each asker gets one answer; the functions of one event loop together."""
    by_loop = dict[asyncio.AbstractEventLoop, list[tuple[Then, Reply]]]()
    for (_, waiter), reply in zip(taken, replies, strict=True):
        if isinstance(waiter, Then):
            by_loop.setdefault(waiter.loop, []).append((waiter, reply))
        elif waiter.set_running_or_notify_cancel():  # nobody waits for one that was cancelled
            _finish(waiter, reply)
    for loop, pairs in by_loop.items():
        with suppress(RuntimeError):  # a loop that is closed has nobody left to tell
            loop.call_soon_threadsafe(_call_all, pairs)


def _call_all(pairs: Sequence[tuple[Then, Reply]]) -> None:
    for then, reply in pairs:
        try:
            then.call(reply)
        except Exception:  # the others of the batch are answered all the same
            log.exception("callback for an answer failed; the command is stored")


def _finish(future: Future[Answer] | asyncio.Future[Answer], reply: Reply) -> None:
    if future.done():  # its coroutine was cancelled
        return
    if isinstance(reply, Answer):
        future.set_result(reply)
    else:
        future.set_exception(reply)
