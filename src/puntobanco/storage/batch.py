"""A batch: the commands that wait for one stream, decided in order. Pure: it says what to write,
and writes nothing.

Both stores do the same around it: catch up with the stream, read the answers already given and the
vouchers named, call `run`, write what it says in one transaction, and only then answer.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

import puntobanco.events as e
from puntobanco.cage.commands import AnyCageCommand
from puntobanco.cage.state import CageState
from puntobanco.catalog import rules_id
from puntobanco.commands import Cash
from puntobanco.events import Record
from puntobanco.house.commands import AnyHouseCommand
from puntobanco.house.state import HouseState
from puntobanco.journal import NOTHING, Entry, Head, canonical, hash_of
from puntobanco.ledger import Transfer, is_balanced, post
from puntobanco.proposals import NONE
from puntobanco.rules.game import Game
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.errors import CommandReused, NotStored
from puntobanco.storage.machines import TABLE, machine_of
from puntobanco.table import commands as c
from puntobanco.table.clock import CLOCK
from puntobanco.table.context import Funds, Voucher
from puntobanco.table.phases import ALLOWED
from puntobanco.table.shoes import cards_of
from puntobanco.table.state import TableState
from puntobanco.table.stops import MALFUNCTION, MALFUNCTION_CLAUSE
from puntobanco.vault import Order, VaultFault, new_order

MAX_DUE = 32
"""Steps of the clock in one batch."""

STORE = "store"
THE_CLOCK = -1
CARDS_OF_A_ROUND = 6
_log = logging.getLogger("puntobanco.storage")


class Request(Record):
    """A command with the id that its sender gave it: sent again, it has one effect and one
    answer.
    """

    stream: str
    id: str
    command: c.AnyCommand | AnyHouseCommand | AnyCageCommand

    @property
    def key(self) -> tuple[str, str]:
        return self.command.by, self.id

    @property
    def body(self) -> bytes:
        """A hash of what is asked. The drawer of cash is no part of it: the floor fills it in, anew
        at each asking.
        """
        command = self.command
        if isinstance(command, Cash):
            command = replace(command, window=0, shift=0)
        return hashlib.blake2b(canonical(command), digest_size=16).digest()


class Answer(Record):
    """What became of a request; for a refusal, why and under which clause."""

    id: str
    ok: bool
    seq: int  # the entry, or where the stream stood
    at: int
    code: str = ""
    reason: str = ""
    clause: str = ""
    proposal: int = 0  # where a second person is needed


@dataclass
class Stream:
    """A stream as the store holds it in memory: where it stands, its state and its balances."""

    name: str
    state: TableState
    balances: dict[str, int] = field(default_factory=dict)
    head: str = NOTHING
    orders: dict[str, Order] = field(default_factory=dict)  # of the shoe on the table, unsealed

    @classmethod
    def empty(cls, name: str) -> Stream:
        return cls(name, machine_of(name).empty(stream=name))

    @classmethod
    def from_plain(cls, name: str, plain: Mapping[str, Any]) -> Stream:
        """As a snapshot has it."""
        return cls(
            name, machine_of(name).load(plain["state"]), dict(plain["balances"]), plain["head"]
        )

    @property
    def house(self) -> HouseState:
        """The state of the stream `floor`, which is not a table's."""
        state: object = self.state
        assert isinstance(state, HouseState), f"{self.name} is a table"
        return state

    @property
    def cage(self) -> CageState:
        """The state of a cage window."""
        state: object = self.state
        assert isinstance(state, CageState), f"{self.name} is no cage"
        return state

    @property
    def due_at(self) -> int | None:
        """When the clock owes something."""
        owed = machine_of(self.name).due(self.state)
        return owed.at if owed else None

    def follow(self, entry: Entry, head: str) -> None:
        """Take in an entry that was written elsewhere."""
        self.state = machine_of(self.name).follow(self.state, entry)
        self.post(entry)
        self.head = head

    def post(self, entry: Entry) -> None:
        """The money of an entry, where its state comes from elsewhere."""
        for event in entry.events:
            moved = event.transfers()
            post(self.balances, moved)
            for account in {account for transfer in moved for account in transfer[:2]}:
                if not self.balances[account]:
                    del self.balances[account]


class Carried(MutableMapping[str, int]):
    """Balances as they stand inside a batch; what lies beneath changes only when the batch is
    stored.
    """

    def __init__(self, base: Mapping[str, int]) -> None:
        self.base, self.changed = base, dict[str, int]()

    def get(self, account: str, default: int = 0) -> int:  # type: ignore[override]
        found = self.changed.get(account)
        return self.base.get(account, default) if found is None else found

    def __getitem__(self, account: str) -> int:
        return self.get(account)

    def __setitem__(self, account: str, cents: int) -> None:
        self.changed[account] = cents

    def __delitem__(self, account: str) -> None:
        raise TypeError(f"the balance of {account} is never taken away")

    def __iter__(self) -> Iterator[str]:
        return iter(self.base.keys() | self.changed.keys())

    def __len__(self) -> int:
        return len(self.base.keys() | self.changed.keys())


@dataclass
class Written:
    """What a batch wants written, and what it answers."""

    entries: list[tuple[str, int, bytes]] = field(default_factory=list)
    read: list[Entry] = field(default_factory=list)  # the same entries, for those who watch
    transfers: list[tuple[str, int, int, str, str, int]] = field(default_factory=list)
    answers: list[tuple[str, str, str, bytes, bytes, int]] = field(default_factory=list)
    replies: list[Answer | Refusal] = field(default_factory=list)  # in the order of the requests
    issued: list[tuple[str, int, int, int]] = field(
        default_factory=list
    )  # voucher, cents, expires_at, seq
    redeemed: list[tuple[str, int]] = field(default_factory=list)  # voucher, seq
    sealed: list[tuple[str, Order]] = field(default_factory=list)  # place, order
    opened: list[str] = field(default_factory=list)  # places whose order is revealed
    snapshots: list[tuple[int, str, bytes]] = field(default_factory=list)  # seq, hash, data
    signs: list[tuple[int, str]] = field(default_factory=list)  # seq, hash


class Batch:
    def __init__(
        self,
        stream: Stream,
        now: int,
        *,
        load: Callable[[str], Order],
        vouchers: dict[str, Voucher] | None = None,
        clock: bool = True,
    ) -> None:
        """Without `clock` what is due stays due: at a desk no round opens because somebody
        looked.
        """
        self.stream, self.load, self.clock = stream, load, clock
        self.machine = machine_of(stream.name)
        self.now = max(now, stream.state.at)
        self._known_vouchers = {} if vouchers is None else vouchers
        self._notes = list[tuple[e.Event, ...]]()
        self.signed = list[Head]()
        self.is_stuck = False  # what the clock owes cannot be done now
        self._start()

    def _start(self) -> None:
        """As the stream stands, nothing decided."""
        self.state, self.head = self.stream.state, self.stream.head
        self.balances = Carried(self.stream.balances)
        self.vouchers = dict(self._known_vouchers)
        self.orders = dict(self.stream.orders)
        self.out = Written()
        self.funds = Funds(self.balances, self.vouchers)

    def run(
        self, requests: Iterable[Request], given: Mapping[tuple[str, str], tuple[bytes, bytes]]
    ) -> Written:
        """First what is due by the clock, then the requests in order; `given` are answers stored
        before.

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
        given: Mapping[tuple[str, str], tuple[bytes, bytes]],
        struck: set[int],
    ) -> int | None:
        """The place of a request that failed by a fault of ours, or of the clock; None when all is
        decided.
        """
        if self.clock and THE_CLOCK not in struck:
            try:
                self._by_the_clock()
            except Exception:
                _log.exception("%s: a step of the clock failed", self.stream.name)
                self.is_stuck = True
                return THE_CLOCK
        answered = dict(given)
        for place, request in enumerate(requests):
            if place in struck:
                self.out.replies.append(NotStored("a fault in this program; nothing was taken"))
                continue
            key = request.key
            before = answered.get(key)
            try:
                body = request.body
                if before is not None:
                    self.out.replies.append(again(request, before))
                    continue
                answer = self._answer(request)
            except Refusal as refusal:
                answer = Answer(
                    id=request.id,
                    ok=False,
                    seq=self.state.seq,
                    at=self.now,
                    code=refusal.code,
                    reason=refusal.reason,
                    clause=refusal.clause or "",
                )
            except Exception:
                _log.exception("%s: %s failed", self.stream.name, request.command.name())
                return place
            data = canonical(answer)
            answered[key] = (body, data)
            self.out.answers.append((self.stream.name, *key, body, data, self.now))
            self.out.replies.append(answer)
        return None

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
        for account, cents in self.balances.changed.items():
            if cents:
                stream.balances[account] = cents
            else:
                stream.balances.pop(account, None)
        self._known_vouchers.update(self.vouchers)

    def _answer(self, request: Request) -> Answer:
        seq = self.state.seq + 1  # the seal of a period may follow
        [event, *_] = self._do(request.command)
        proposal = event.proposal if isinstance(event, e.Proposed) else 0
        return Answer(id=request.id, ok=True, seq=seq, at=self.now, proposal=proposal)

    def _by_the_clock(self) -> None:
        for _ in range(MAX_DUE):
            waiting = self.machine.due(self.state)
            if waiting is None or waiting.at > self.now:
                return
            try:
                self._do(waiting.command)
            except VaultFault as fault:  # the cards cannot be had: people decide (reading 31)
                self._malfunction(fault.reason[:400])
                return
            except Refusal as refusal:
                _log.error(
                    "%s: the clock's %s was refused: %s",
                    self.stream.name,
                    waiting.command.name(),
                    refusal,
                )
                self.is_stuck = True
                return

    def _malfunction(self, detail: str) -> None:
        """The round stops for a decision; between rounds the shoe is not played on with."""
        declared = c.DeclareIrregularity(by=CLOCK, ground=MALFUNCTION, detail=detail)
        if self.state.is_in_play:
            self._do(declared)
            return
        why = "the cards of the shoe cannot be had; earlier results stand"
        incident = e.IncidentRecorded(
            ground=MALFUNCTION, clause=MALFUNCTION_CLAUSE, why=why, detail=detail, spoils_shoe=True
        )
        self._write((incident,), CLOCK, declared.name())

    def _do(self, command: c.Command) -> tuple[e.Event, ...]:
        """Decide and take in: all of it or, when refused, nothing."""
        order, place, fresh = self._order_for(command)
        events = self.machine.decide(self.state, self.funds, command, self.now, order)
        if fresh and order is not None:
            self.orders = {place: order}
            self.out.sealed.append((place, order))
        self._write(events, command.by, command.name())
        if any(event.traits.seals for event in events):
            self._seal_period()
        return events

    def _write(self, events: tuple[e.Event, ...], by: str, command: str) -> None:
        before, state, moved = self.state, self.state, list[Transfer]()
        for event in events:
            state = self.machine.evolve(state, event)
            moved += event.transfers()
        state = self.machine.stamped(before, state, before.seq + 1, self.now)
        entry = Entry(
            stream=self.stream.name,
            seq=state.seq,
            at=self.now,
            by=by,
            command=command,
            rules=rules_id(state.game) if state.game else "",
            prev=self.head,
            events=events,
        )
        data = canonical(entry)
        post(self.balances, moved)
        self.state, self.head = state, hash_of(data)
        out, seq, name = self.out, state.seq, self.stream.name
        out.entries.append((name, seq, data))
        out.read.append(entry)
        out.transfers += [(name, seq, n, *transfer) for n, transfer in enumerate(moved)]
        for event in events:
            if event.traits.beside:
                self._note(event, seq)
        if any(event.traits.signs for event in events):
            out.signs.append((seq, self.head))

    def _note(self, event: e.Event, seq: int) -> None:
        """What an event means for tables beside the journal."""
        out = self.out
        if isinstance(event, e.VoucherMade):
            self.vouchers[event.voucher] = Voucher(event.cents, event.expires_at)
            out.issued.append((event.voucher, event.cents, event.expires_at, seq))
        elif isinstance(event, e.VoucherTaken):
            self.vouchers[event.voucher] = replace(self.vouchers[event.voucher], redeemed=True)
            out.redeemed.append((event.voucher, seq))
        elif isinstance(event, e.ShoeEnded) or event.revealed()[0]:
            out.opened += self.orders
            self.orders = {}

    def _seal_period(self) -> None:
        """Close the period: a snapshot of state and balances, and its hash in the journal."""
        assert is_balanced(self.balances), "every cent has a place"
        data = snapshot(self.state, self.balances, self.head)
        digest = hash_of(data)
        self.out.snapshots.append((self.state.seq, digest, data))
        self._write(
            (e.PeriodSealed(period=self.state.periods + 1, snapshot=digest),), STORE, "seal-period"
        )
        self.out.signs.append((self.state.seq, self.head))

    def _order_for(self, command: c.Command) -> tuple[Order | None, str, bool]:
        """The cards that a command needs, their place, and whether they are new: of a new shoe or
        round.
        """
        state, name = self.state, self.stream.name
        if (
            self.machine is not TABLE
            or type(command) not in _NEED_CARDS
            or state.phase not in ALLOWED[type(command)]
        ):
            return None, "", False
        if isinstance(command, c.NewShoe) and state.game and state.shoe is None:
            cards = cards_of(state, command)
            if cards.dealing != "virtual" or cards.source != "shoe":
                return None, "", False
            return (
                new_order(_cards(state.game, cards.decks)),
                f"{name}/shoe/{state.shoes + 1}",
                True,
            )
        shoe = state.shoe
        if shoe is None or shoe.dealing != "virtual":
            return None, "", False
        if shoe.source == "shoe":
            place, committed = f"{name}/shoe/{shoe.number}", shoe.commitment
        elif isinstance(command, c.OpenBets):
            order = new_order(_cards(state.playing, shoe.decks), take=CARDS_OF_A_ROUND)
            return order, f"{name}/round/{state.rounds + 1}", True
        else:
            place, committed = (
                f"{name}/round/{state.rounds}",
                state.round.commitment if state.round else "",
            )
        if place not in self.orders:
            try:
                self.orders = {place: self._committed(place, committed)}
            except VaultFault:
                if isinstance(command, c.DealCard) or (
                    isinstance(command, c.OpenBets) and not shoe.spoiled
                ):
                    raise
                return (
                    None,
                    place,
                    False,
                )  # what cannot be revealed is ended without, and an audit says so
        return self.orders[place], place, False

    def _committed(self, place: str, commitment: str) -> Order:
        order = self.load(place)
        if order.commitment != commitment:
            raise VaultFault(f"the sealed cards of {place} are not those committed to")
        return order


def _cards(game: Game, decks: int) -> list[int]:
    """Every card of so many fresh decks; refuses a number that the rulebook does not allow."""
    return [
        card
        for card, n in zip(game.deck.cards, game.shoe(decks).counts, strict=True)
        for _ in range(n)
    ]


_NEED_CARDS = frozenset(
    {c.NewShoe, c.OpenBets, c.DealCard, c.Settle, c.VoidRound, c.EndShoe, c.CloseTable, c.Approve}
)


def again(request: Request, before: tuple[bytes, bytes]) -> Answer | Refusal:
    """The answer that was given before to the same request; `before` is that one's body and its
    answer.
    """
    if before[0] != request.body:
        return CommandReused(
            f"command {request.id} was sent before with another content; give each command "
            "its own id"
        )
    return read_answer(before[1])


read_answer = msgspec.json.Decoder(Answer).decode


def vouchers_named(stream: Stream, requests: Iterable[Request]) -> list[str]:
    """The vouchers that the requests are about, an approval by the command that it approves; in
    their lock order.
    """
    named = set[str]()
    for request in requests:
        command = request.command
        voucher = getattr(command, "voucher", None)
        if isinstance(command, c.Approve):
            proposals = getattr(stream.state, "proposals", NONE)  # the house has none
            waiting = proposals.waiting.get(command.proposal)
            voucher = waiting.command.get("voucher") if waiting else None
        if voucher:
            named.add(str(voucher))
    return sorted(named)


def snapshot(state: TableState, balances: Mapping[str, int], head: str) -> bytes:
    kept = {account: cents for account in sorted(balances) if (cents := balances[account])}
    return canonical(
        {"state": machine_of(state.stream).dump(state), "balances": kept, "head": head}
    )


def state_hash(stream: Stream) -> str:
    """One hash for all that a stream is: equal after a restore, a copy or a replay."""
    return hash_of(snapshot(stream.state, stream.balances, stream.head))


def transfers_of(entry: Entry) -> list[Transfer]:
    return [t for event in entry.events for t in event.transfers()]
