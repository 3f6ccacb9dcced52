"""A batch: the commands that wait for one stream, decided in order. Pure: it says what to write,
and writes nothing.

Both stores do the same around it: catch up with the stream, read the vouchers named and, where a
command may have come before, the answers given; call `run`, write what it says in one transaction,
and only then answer.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias

import msgspec
from immutables import Map
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.rules.causes import NO_WORDS, Cause
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.commands import Cash, Command
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.entry import Entry, written
from puntobanco_floor.domain.ledger import Carried, Transfer, is_balanced, post
from puntobanco_floor.domain.machine import (
    NO_MIXERS,
    Fresh,
    Funds,
    Held,
    Machine,
    Mixers,
    S,
    State,
    Voucher,
    begun_in,
)
from puntobanco_floor.domain.node_keys import Admitted
from puntobanco_floor.domain.proposals import Approve
from puntobanco_floor.domain.refusals import LogBehind, NotNow
from puntobanco_floor.domain.snapshots import SNAPSHOT, Plain, as_version
from puntobanco_floor.domain.stream_rules import RetireKey
from puntobanco_floor.journal.refusals import VaultFault
from puntobanco_floor.journal.sealed_shoes import new_order
from puntobanco_floor.journal.signing import NodeKey
from puntobanco_floor.store.errors import AskedBefore, CommandReused, NotStored
from puntobanco_proof.entry.format import (
    NOTHING,
    Fault,
    canonical,
    generate_salts,
    hash_bytes,
    read_origin,
)
from puntobanco_proof.entry.heads import Head
from puntobanco_proof.entry.record import Record
from puntobanco_proof.mix import shuffle_by_seed

MAX_DUE = 32
"""Steps of the clock in one batch."""

REFUSED_KEPT_MS = 900_000
"""How long the answer to a refused command is kept: as long as a terminal may send it again. After
that the command is decided anew, and still done once at most.
"""

STORE = "store"
THE_CLOCK = -1
_log = logging.getLogger("puntobanco.storage")
_body = hashlib.blake2b(digest_size=16)  # a copy of it is faster than a new hash


class Request(Record):
    """A command and its sender's id: sent again, it has one effect and one answer."""

    stream: str
    id: str
    command: Command

    @property
    def key(self) -> tuple[str, str]:
        return self.command.by, self.id

    @property
    def body(self) -> bytes:
        """Hash what is asked, but not the drawer of cash: the floor fills that in each time."""
        command = self.command
        if isinstance(command, Cash):
            command = replace(command, window=0, shift=0)
        hashed = _body.copy()
        hashed.update(canonical(command))
        return hashed.digest()


class Answer(Record):
    """What became of a request; for a refusal, why and under which clause."""

    id: str
    ok: bool
    seq: int  # the entry, or where the stream stood
    at: int
    code: str = ""
    reason: Words | None = None
    clause: str = ""
    proposal: int = 0  # where a second person is needed
    head: Head | None = None  # of the commit that it is in, signed by the node

    @property
    def words(self) -> Words:
        """Of a refusal, the reason."""
        return self.reason or NO_WORDS


class Done(Record):
    """The answer to a command that was done, as it is kept: all else has its default."""

    at: int
    id: str
    ok: bool
    seq: int


class KeptAnswer(Record):
    """Any other answer as the store keeps it, with a field for each language of its reason."""

    id: str
    ok: bool
    seq: int
    at: int
    code: str = ""
    reason: str = ""
    clause: str = ""
    proposal: int = 0
    head: Head | None = None
    reason_zh: str = ""


class Snapshot(msgspec.Struct, frozen=True):
    state: Plain
    balances: dict[str, int]
    head: str


Reply: TypeAlias = Answer | Refusal
"""An answer, or why nothing was stored."""

Given: TypeAlias = Mapping[tuple[str, str], tuple[bytes, Reply]]
"""Answers that were stored before: who asked and the command's id, the body's hash and the answer.
"""


@dataclass
class Stream(Generic[S]):
    """A stream as the store holds it in memory: where it stands, its state and its balances."""

    name: str
    machine: Machine[S]
    state: S
    balances: dict[str, int] = field(default_factory=dict)
    head: str = NOTHING
    orders: dict[str, Order] = field(default_factory=dict)  # of the shoe on the table, unsealed
    # commands that entries of this period have, by who asked and their ids. Hashes of them: a node
    # has many streams, and a period thousands of commands.
    done: set[int] = field(default_factory=set)
    looks_back: int = 0  # so many more batches read the answers given before, since some came again

    @classmethod
    def empty(cls, name: str, machine: Machine[S], epoch: int = 1) -> Stream[S]:
        return cls(name, machine, begun_in(epoch, machine.empty(stream=name)))

    @classmethod
    def restored(cls, name: str, machine: Machine[S], kept: Snapshot) -> Stream[S]:
        state, balances = machine.load(kept.state), dict(kept.balances)
        return cls(name, machine, state, balances, kept.head)

    def copy(self) -> Stream[S]:
        """To be followed apart from this one."""
        balances, done = self.balances.copy(), self.done.copy()
        return Stream(self.name, self.machine, self.state, balances, self.head, done=done)

    @property
    def due_at(self) -> int | None:
        owed = self.machine.due(self.state)
        return owed.at if owed else None

    def follow(self, entry: Entry, head: str) -> None:
        """Take in an entry that was written elsewhere."""
        self.state = self.machine.follow(self.state, entry)
        try:
            self.post(entry)
        except Exception as error:  # a forged entry moves what nobody has
            raise Fault(f"cannot follow: {error}", stream=self.name, seq=entry.seq) from error
        self.head = head
        self.remember(entry)

    def remember(self, entry: Entry) -> None:
        """The command of an entry, until the period is over."""
        if type(entry.events[0]) is e.PeriodSealed:
            self.done.clear()
        elif entry.id:
            self.done.add(hash((entry.by, entry.id)))

    def has_done(self, key: tuple[str, str]) -> bool:
        """Whether an entry of this period has this command, whatever the table of answers says."""
        return hash(key) in self.done

    def may_have_answered(self, requests: Sequence[Request]) -> bool:
        """Whether answers given before are read. Hardly a command comes twice: one that nobody
        remembers is found by the key of its answer when that is written (`AskedBefore`).
        """
        if self.looks_back:
            return bool(requests)
        return any(self.has_done(request.key) for request in requests)

    def note_answers(self, found: Given) -> Given:
        """After answers were read: for how long that goes on."""
        self.looks_back = LOOKS_BACK if found else max(0, self.looks_back - 1)
        return found

    def post(self, entry: Entry) -> None:
        """The money of an entry, where its state comes from elsewhere."""
        balances = self.balances
        for event in entry.events:
            moved = event.transfers()
            post(balances, moved)
            for debit, credit, _ in moved:
                for account in (debit, credit):
                    if balances.get(account) == 0:
                        del balances[account]


class ToWrite(msgspec.Struct):
    """What a batch wants written, and what it answers."""

    entries: list[tuple[str, int, bytes]] = []
    read: list[Entry] = []  # the same entries, for those who watch
    transfers: list[tuple[str, int, int, str, str, int]] = []
    answers: list[tuple[str, str, str, bytes, bytes, int, int | None]] = []
    forgotten: int = 0  # refused before this, and kept no longer; 0: none
    replies: list[Reply] = []  # in the order of the requests
    issued: list[tuple[str, int, int, int]] = []  # voucher, cents, expires_at, seq
    redeemed: list[tuple[str, int]] = []  # voucher, seq
    sealed: list[tuple[str, Order]] = []  # place, order
    opened: list[str] = []  # places whose order is revealed
    snapshots: list[tuple[int, str, bytes]] = []  # seq, hash, data
    seals: list[tuple[int, str]] = []  # seq, hash: where a period ends
    anchors: bool = False  # the file of heads is on disk before the answers


class Batch(Generic[S]):
    """The commands that wait for one stream, decided in order; nothing is written."""

    def __init__(
        self,
        stream: Stream[S],
        now: int,
        *,
        node: NodeKey,
        load: Callable[[str], Order],
        vouchers: dict[str, Voucher] | None = None,
        clock: bool = True,
        mixers: Mixers = NO_MIXERS,
        is_behind: bool = False,
    ) -> None:
        """Without `clock` what is due stays due: at a desk no round opens because somebody
        looked. `mixers` would mix a shoe that starts now. Where the log `is_behind` what was seen
        of it, rounds end and none begins.
        """
        self.mixers, self.is_behind = mixers, is_behind
        self.stream, self.node, self.load, self.clock = stream, node, load, clock
        self.machine = stream.machine
        self.now = max(now, stream.state.at)
        self._known_vouchers = {} if vouchers is None else vouchers
        self._notes = list[tuple[e.Event, ...]]()
        self.signed = list[Head]()  # once it is written
        self.is_stuck = False  # what the clock owes cannot be done now
        self._salts = generate_salts()
        self._replaced_roots = node.replaced_roots
        self._admitting: Map[str, Admitted] | None = None  # keys among which this node's is good
        self._start()

    def _start(self) -> None:
        self.state, self.head = self.stream.state, self.stream.head
        self.balances = Carried(self.stream.balances)
        self.vouchers = dict(self._known_vouchers)
        self.orders = dict(self.stream.orders)
        self.out = ToWrite()
        self.funds = Funds(self.balances, self.vouchers)

    def run(self, requests: Iterable[Request], given: Given | None) -> ToWrite:
        """First what is due by the clock, then the requests in order; `given` were stored before,
        none where they were not read.

        A fault of this program strikes one command: all is decided again without it, and its
        neighbours go on.
        """
        requests, struck = list(requests), set[int]()
        while (at := self._run(requests, given, struck)) is not None:
            struck.add(at)
            self._start()
            for events in self._notes:
                self._write(events, STORE, "note")
        return self.out

    def _run(
        self,
        requests: list[Request],
        given: Given | None,
        struck: set[int],
    ) -> int | None:
        """Return the place of a request, or the clock, that a fault of ours struck; or None."""
        if self.clock and THE_CLOCK not in struck:
            try:
                self._by_the_clock()
            except Exception:
                _log.exception(
                    "stream %s: clock step failed, a fault of this program; retried",
                    self.stream.name,
                )
                self.is_stuck = True
                return THE_CLOCK
        answered = dict(given or {})
        for place, request in enumerate(requests):
            if place in struck:
                self.out.replies.append(NotStored("a fault in this program; nothing was taken"))
                continue
            key = request.key
            before = answered.get(key)
            try:
                body = request.body
                if self.stream.has_done(key) and not _is_done(before):
                    self.out.replies.append(self._lost_answer(request))
                    continue
                if before is not None:
                    self.out.replies.append(again(request, before))
                    continue
                seq, events = self._do(request.command, request.id)
                answer = accepted(request.id, seq, self.now, events)
            except Refusal as refusal:
                answer = self._refused(request, refusal)
            except Exception:
                if given is None:  # it may have been done, and answered, before
                    raise AskedBefore from None
                _log.exception(
                    "stream %s: command %s failed, a fault of this program; answered not-stored",
                    self.stream.name,
                    request.command.name(),
                )
                return place
            answered[key] = (body, answer)
            refused_at = None if answer.ok else self.now
            row = (self.stream.name, *key, body, write_answer(answer), self.now, refused_at)
            self.out.answers.append(row)
            if refused_at:  # by who adds one: a stream keeps what has come in that time
                self.out.forgotten = max(0, refused_at - REFUSED_KEPT_MS)
            self.out.replies.append(answer)
        return None

    def _lost_answer(self, request: Request) -> Reply:
        """Not done a second time, and not answered as refused: an entry has the command."""
        _log.error(
            "stream %s: command %s refused, since its answer is gone or changed and an entry has "
            "it; run puntobanco audit --table %s",
            self.stream.name,
            request.id,
            self.stream.name,
        )
        return NotStored(f"command {request.id} was done, and its answer is lost; ask staff")

    def _refused(self, request: Request, refusal: Refusal) -> Answer:
        return Answer(
            id=request.id,
            ok=False,
            seq=self.state.seq,
            at=self.now,
            code=refusal.code,
            reason=refusal.words,
            clause=refusal.clause or "",
        )

    def sign(self) -> list[Head]:
        """Sign where the stream stands once this is stored, and where a period ended, since that
        is archived alone. Every answer that has an entry here carries the first that covers it, as
        when it is given again; one that was given before has its own.
        """
        state, out = self.state, self.out
        places = dict(out.seals) | {state.seq: self.head}
        name = self.stream.name
        self.signed = [self.node.sign(name, state.epoch, *place) for place in places.items()]
        first, *later = self.signed
        for n, reply in enumerate(out.replies):
            if isinstance(reply, Answer) and reply.ok and reply.head is None:
                head = first
                if head.seq < reply.seq:
                    head = next(head for head in later if head.seq >= reply.seq)
                out.replies[n] = replace(reply, head=head)
        return self.signed

    @property
    def due_at(self) -> int | None:
        """When the clock owes the stream something, once this is stored."""
        owed = self.machine.due(self.state)
        return owed.at if owed else None

    def note(self, *events: e.Event) -> None:
        """Write down something that nobody asked for, before anything else."""
        self._notes.append(events)
        self._write(events, STORE, "note")

    def settle_in(self) -> None:
        """The batch is stored: what it carried is so."""
        stream = self.stream
        stream.state, stream.head, stream.orders = self.state, self.head, self.orders
        for entry in self.out.read:
            stream.remember(entry)
        stream.balances |= self.balances
        for account, cents in self.balances.items():
            if not cents:
                del stream.balances[account]
        self._known_vouchers.update(self.vouchers)

    def _by_the_clock(self) -> None:
        for _ in range(MAX_DUE):
            waiting = self.machine.due(self.state)
            if waiting is None or waiting.at > self.now:
                return
            try:
                self._do(waiting.command)
            except VaultFault as fault:
                self._malfunction(fault.cause)
                return
            except Refusal as refusal:
                _log.error(
                    "stream %s: clock command %s refused: %s; the table waits, retried",
                    self.stream.name,
                    waiting.command.name(),
                    refusal,
                )
                self.is_stuck = True
                return

    def _malfunction(self, cause: Cause) -> None:
        command, events = self.machine.malfunction(self.state, cause)
        self._write(events, command.by, command.name())

    def _do(self, command: Command, id_: str = "") -> tuple[int, tuple[e.Event, ...]]:
        """Decide and take in all or, if refused, nothing; return the entry's number and events."""
        if type(command) is RetireKey and command.key == self.node.id:
            # the commit that holds it must be signed, and its own key counts no more in it
            raise NotNow("this node signs with that key: ask another node, or give it a new key")
        if self.is_behind and command.traits.stakes:
            raise LogBehind(LogBehind.in_short)
        needed = self.machine.cards(self.state, command) if command.traits.cards else None
        order = None if needed is None else self._order(needed)
        events = self.machine.decide(self.state, self.funds, command, self.now, order, self.mixers)
        if isinstance(needed, Fresh) and order is not None:
            # only now: what is refused has shuffled for nothing
            self.orders = {needed.place: order}
            self.out.sealed.append((needed.place, order))
        seq = self._write(events, command.by, command.name(), id_)
        for event in events:
            if event.traits.seals:
                self._seal_period()
                break
        return seq, events

    def _write(self, events: tuple[e.Event, ...], by: str, command: str, id_: str = "") -> int:
        """One entry; before the first that this node writes to a stream its key is admitted, and
        again when the root key that certified it was replaced. In a recovery by the same entry: one
        before it would still be of the earlier epoch, in which other entries may have been signed
        at its place.
        """
        if self.state.keys is not self._admitting:
            known = self.state.keys.get(self.node.id)
            if known is None or known.root in self._replaced_roots:
                events = self._with_admission(events)
            else:
                self._admitting = self.state.keys
        self._append(events, by, command, id_)
        return self.state.seq

    def _with_admission(self, events: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
        """What is left to be written, once the node's key is admitted or will be by these."""
        admission = self.node.admitted(self.stream.name)
        if admission in events:  # somebody asked for just that
            return events
        if any(isinstance(event, e.EpochBegun | e.EntriesSetAside) for event in events):
            return (*events, admission)
        self._append((admission,), STORE, "admit-key")
        return events

    def _append(self, events: tuple[e.Event, ...], by: str, command: str, id_: str = "") -> None:
        out, before, state = self.out, self.state, self.state
        name = self.stream.name
        moved: list[Transfer] = []
        for event in events:
            state = self.machine.evolve(state, event)
            moved += event.transfers()
            out.anchors |= event.traits.anchors
        state = self.machine.stamped(before, state, before.seq + 1, self.now, events)
        entry = Entry(
            stream=name,
            epoch=state.epoch,
            seq=state.seq,
            at=self.now,
            by=by,
            command=command,
            id=id_,
            rules=state.rules,
            prev=self.head,
            salt=next(self._salts),
            events=events,
        )
        data, hash_ = written(entry)
        post(self.balances, moved)
        self.state, self.head = state, hash_
        seq = state.seq
        out.entries.append((name, seq, data))
        out.read.append(entry)
        for n, transfer in enumerate(moved):
            out.transfers.append((name, seq, n, *transfer))
        for event in events:
            if event.traits.beside:
                self._note(event, seq)

    def _note(self, event: e.Event, seq: int) -> None:
        """What an event means for tables beside the journal."""
        out = self.out
        if isinstance(event, e.VoucherMade):
            made = Voucher(event.cents, event.expires_at, epoch=self.state.epoch)
            self.vouchers[event.voucher] = made
            out.issued.append((event.voucher, event.cents, event.expires_at, seq))
        elif isinstance(event, e.VoucherTaken):
            before = self.vouchers[event.voucher]
            self.vouchers[event.voucher] = replace(before, redeemed=True)
            out.redeemed.append((event.voucher, seq))
        elif isinstance(event, e.ShoeEnded) or event.revealed()[0]:
            out.opened += self.orders
            self.orders = {}

    def _seal_period(self) -> None:
        """Close the period: a snapshot of state and balances, and its hash in the journal."""
        balances = self.balances.whole()
        assert is_balanced(balances), "every cent has a place"
        data = snapshot(self.machine, self.state, balances, self.head)
        digest = hash_bytes(data)
        self.out.snapshots.append((self.state.seq, digest, data))
        sealed = e.PeriodSealed(period=self.state.periods + 1, snapshot=digest)
        self._write((sealed,), STORE, "seal-period")
        self.out.seals.append((self.state.seq, self.head))

    def _order(self, needed: Fresh | Held) -> Order | None:
        """Return the cards that a command needs; None if it can be done without them."""
        if isinstance(needed, Fresh):
            return new_order(needed.cards, take=needed.take)
        if needed.place not in self.orders:
            try:
                self.orders = {needed.place: self._committed(needed)}
            except VaultFault:
                if needed.is_vital:
                    raise
                return None
        order = self.orders[needed.place]
        if needed.seed and not order.mixed:  # once: it follows from what the journal has
            order = replace(order, mixed=shuffle_by_seed(order.cards, bytes.fromhex(needed.seed)))
            self.orders = {needed.place: order}
        return order

    def _committed(self, held: Held) -> Order:
        order = self.load(held.place)
        if order.commitment != held.commitment:
            raise VaultFault(Cause("sealed-cards-not-committed", (held.place,)))
        return order


def accepted(id_: str, seq: int, at: int, events: tuple[e.Event, ...]) -> Answer:
    first = events[0]
    proposal = first.proposal if type(first) is e.Proposed else 0
    return Answer(id=id_, ok=True, seq=seq, at=at, proposal=proposal)


def _is_done(before: tuple[bytes, Reply] | None) -> bool:
    """Whether the answer that is kept says so, or could not be believed."""
    if before is None:
        return False
    _, reply = before
    return not isinstance(reply, Answer) or reply.ok


def again(request: Request, before: tuple[bytes, Reply]) -> Reply:
    """The answer that was given to the same request; `before` is that one's body and answer."""
    if before[0] != request.body:
        return CommandReused(
            f"command {request.id} was sent before with another content; give each command "
            "its own id"
        )
    return before[1]


_kept_answer = msgspec.json.Decoder(KeptAnswer).decode


def read_answer(data: bytes) -> Answer:
    kept = _kept_answer(data)
    reason = Words(kept.reason, kept.reason_zh) if kept.reason else None
    return Answer(
        id=kept.id,
        ok=kept.ok,
        seq=kept.seq,
        at=kept.at,
        code=kept.code,
        reason=reason,
        clause=kept.clause,
        proposal=kept.proposal,
        head=kept.head,
    )


def write_answer(answer: Answer) -> bytes:
    """As it is kept; the head of its commit is kept apart."""
    if answer.ok and not answer.proposal:
        return canonical(Done(answer.at, answer.id, answer.ok, answer.seq))
    reason = answer.words
    kept = KeptAnswer(
        id=answer.id,
        ok=answer.ok,
        seq=answer.seq,
        at=answer.at,
        code=answer.code,
        reason=reason.en,
        clause=answer.clause,
        proposal=answer.proposal,
        head=answer.head,
        reason_zh=reason.zh,
    )
    return canonical(kept)


def transfers_of(entry: Entry) -> list[Transfer]:
    return [t for event in entry.events for t in event.transfers()]


# Snapshots: read only if this program wrote their kind, and if the journal holds their hash


def snapshot(
    machine: Machine[S],
    state: S,
    balances: Mapping[str, int],
    head: str,
    version: int = SNAPSHOT,
) -> bytes:
    kept = {account: cents for account in sorted(balances) if (cents := balances[account])}
    plain = as_version(type(state), machine.dump(state), version)
    return canonical({"state": plain, "balances": kept, "head": head})


def state_hash(stream: Stream[S]) -> str:
    """One hash for all that a stream is: equal after a restore, a copy or a replay."""
    return hash_bytes(snapshot(stream.machine, stream.state, stream.balances, stream.head))


read_snapshot = msgspec.json.Decoder(Snapshot).decode


def is_sealed(sealed: e.PeriodSealed, data: bytes) -> bool:
    """Whether the journal has the hash of this snapshot."""
    return sealed.snapshot == hash_bytes(data)


def is_sealed_by(data: bytes, sealing: bytes) -> bool:
    """Whether this entry, the next one, has sealed the snapshot."""
    with suppress(Exception):  # whatever a forged one does to this program
        events = read_entry(sealing).events
        return any(isinstance(each, e.PeriodSealed) and is_sealed(each, data) for each in events)
    return False


def from_snapshot(
    name: str, machine: Machine[S], seq: int, data: bytes, sealing: bytes
) -> Stream[S] | None:
    """`sealing` is the next entry, which sealed the period. None: read from the first entry."""
    with suppress(Exception):  # whatever a forged one does to this program
        kept = read_snapshot(data)
        [sealed] = read_entry(sealing, stream=name, seq=seq + 1).events
        assert isinstance(sealed, e.PeriodSealed)
        assert is_sealed(sealed, data)
        assert (kept.state["snapshot"], kept.state["seq"]) == (SNAPSHOT, seq)
        return Stream.restored(name, machine, kept)
    return None


def restore(name: str, machine: Machine[S], row: Sequence[Any] | None) -> Stream[S]:
    """A stream at its last snapshot, if this program reads `row` and the journal has its hash."""
    return (row and from_snapshot(name, machine, *row)) or Stream.empty(name, machine)


# Vouchers that commands are about


def names_vouchers(requests: Sequence[Request]) -> bool:
    """Whether one of them may be about a voucher, by their kinds: of many wagers one is asked."""
    kinds = {type(request.command) for request in requests}
    return any(issubclass(kind, Approve) or hasattr(kind, "voucher") for kind in kinds)


def vouchers_named(stream: Stream[S], requests: Sequence[Request]) -> list[str]:
    """The vouchers that requests are about, or the commands that they approve, in lock order."""
    if not names_vouchers(requests):
        return []
    named = set[str]()
    for request in requests:
        command = request.command
        voucher: object = getattr(command, "voucher", None)
        if isinstance(command, Approve):
            waiting = stream.state.proposals.waiting.get(command.proposal)
            voucher = waiting.command.get("voucher") if waiting else None
        if voucher:
            named.add(str(voucher))
    return sorted(named)


# Answers given before: the journal decides, the table of answers alone nothing

LOOKS_BACK = 100
"""Who sends a refused command again and again makes one batch of so many be decided twice."""

MAX_SEQ = 2**53
"""More entries than any stream has, and a number that every database holds."""


def answered_by(kept: bytes) -> int:
    """The entry that a stored answer names; 0 where somebody made it unreadable."""
    try:
        seq = read_answer(kept).seq
    except (msgspec.MsgspecError, UnicodeDecodeError, TypeError):
        return 0
    return seq if abs(seq) < MAX_SEQ else 0


def kept_answer(by: str, id_: str, kept: bytes, entry: bytes | None, head: Head | None) -> Reply:
    """An answer that was stored before, with the head of its commit. `entry` is what the journal
    has at its number: the table of answers alone decides nothing.
    """
    other = NotStored(f"the answer kept for command {id_} is not what the journal has; ask staff")
    try:
        answer = read_answer(kept)
        written = None if entry is None else read_origin(entry)
    except (Fault, msgspec.MsgspecError, UnicodeDecodeError, TypeError):
        return other
    if not answer.ok:
        return answer
    if written is None or (written.by, written.id) != (by, id_):
        return other
    return replace(answer, head=head)


def look_back(streams: Mapping[str, Stream[State]], names: Iterable[str]) -> None:
    """Something came again in one of these: the next batch of each reads the answers."""
    for name in names:
        if name in streams:
            streams[name].looks_back = LOOKS_BACK
