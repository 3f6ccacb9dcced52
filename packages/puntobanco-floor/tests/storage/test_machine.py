"""Random commands to two stores on one database, in step with the same decisions made in memory.

After every command: the store has written what the pure batch says, byte for byte; the fold of the journal is the
store's state; a bookkeeper who shares no code with the ledger has the same balances; debits are credits.
"""

import os
import random
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count, repeat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import FieldInfo, fields, replace

from puntobanco import GAMES, Refusal, Round, Wager, settle
from puntobanco.rules.cards import code, parse_card
from puntobanco.rules.causes import Cause
from puntobanco.rules.irregularities import GROUNDS
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.commands import MAX_CENTS, Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import Entry, chained
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.ledger import MOVING, is_patron
from puntobanco_floor.domain.machine import CLOCK, State, Voucher
from puntobanco_floor.domain.stream_rules import (
    BeginEpoch,
    CertifyKey,
    ConfirmVouchers,
    RetireKey,
    SetEntriesAside,
)
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import due, needs_shoe
from puntobanco_floor.domain.table.limits import closing, default_limits
from puntobanco_floor.domain.table.state import Moving, TableState, dump, load
from puntobanco_floor.domain.table.stops import MALFUNCTION, MISREAD_CARD
from puntobanco_floor.journal.refusals import VaultFault
from puntobanco_floor.journal.sealed_shoes import NONCE_BYTES, revealed
from puntobanco_floor.journal.signing import NodeKey, Trust
from puntobanco_floor.service.cross_stream_rules import of_moves
from puntobanco_floor.store import batch
from puntobanco_floor.store.batch import (
    Answer,
    Batch,
    Reply,
    Request,
    Stream,
    ToWrite,
    read_answer,
    state_hash,
)
from puntobanco_floor.store.errors import CommandReused
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import connect
from puntobanco_floor.store.table_clock import TableTime
from puntobanco_proof.entry.format import NOTHING, SALT_BYTES, canonical
from puntobanco_proof.entry.heads import Head, read_heads
from puntobanco_proof.mix import shuffle
from tests.support import oracle
from tests.support.claims import reads
from tests.support.patience import PATIENCE_S
from tests.support.values import values_of

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"

# The tables play different decks: a shuffle is told by its deck, whichever thread asks for it.
TABLES = {
    "table:1": ("fortune-six", "super-six-plus", "super-six-plus", "rapid"),
    "table:2": ("six-star", "sands-elements"),
}
STAFF = ("amy", "ben", "cat")
PATRONS = {"s1": "ann", "s2": "ann", "s3": "", "s4": "bob"}  # ann has two sessions
SESSIONS = tuple(PATRONS)
START_MS = 1_700_000_000_000
TICK_MS = 125  # an eighth of a second is exact in a float of seconds

SEEN = Counter[str]()


class Hand:
    """A clock that is moved by hand."""

    ms = START_MS

    def __call__(self) -> float:
        return self.ms / 1000


class Shuffles:
    """Real shuffles from a seed, so that a failure can be repeated; store and memory each draw the same orders."""

    def __init__(self, seed: int) -> None:
        self.seed, self.home, self.drawn = seed, threading.get_ident(), Counter[tuple[bool, int]]()

    def new_order(self, cards: Sequence[int], *, take: int | None = None) -> Order:
        whose = (threading.get_ident() == self.home, cards[0])
        self.drawn[whose] += 1
        rng = random.Random(f"{self.seed} {cards[0]} {self.drawn[whose]}")
        return Order(
            cards=shuffle(cards, take=take, below=rng.randrange), nonce=rng.randbytes(NONCE_BYTES)
        )


PLAY = tuple(
    kind
    for kind in OURS.table.decides
    if kind
    not in (
        CertifyKey,
        RetireKey,
        BeginEpoch,
        SetEntriesAside,
        ConfirmVouchers,
        c.MixShoe,
        c.ReserveMove,  # they have a rule of their own: the audit holds both tables to each other
        c.ArriveMove,
        c.SettleMove,
        c.ReturnMove,
        c.AbandonShoe,
    )
)
"""The commands of a table that plays; how it comes back from a recovery is told in test_epochs, how its shoes are mixed
in test_mixed_shoes.
"""


class Memory:
    """What a store should do, without a database."""

    def __init__(self, node: NodeKey) -> None:
        self.node = node
        self.streams = {name: Stream.empty(name, OURS.table) for name in TABLES}
        self.given = {name: dict[tuple[str, str], tuple[bytes, Reply]]() for name in TABLES}
        self.vouchers = dict[str, Voucher]()
        self.data = {name: list[bytes]() for name in TABLES}

    def ask(self, request: Request, now: int) -> Answer | Refusal:
        written = self.run(request.stream, [request], now)
        for _, by, id_, body, data, *_ in written.answers:
            self.given[request.stream][by, id_] = (body, read_answer(data))
        while (waiting := due(self.streams[request.stream].state)) and waiting.at <= now:
            assert self.run(request.stream, [], now).entries, (
                "the clock's commands are never refused"
            )
        [reply] = written.replies
        return reply

    def run(self, table: str, requests: Sequence[Request], now: int) -> ToWrite:
        decided = Batch(
            self.streams[table], now, node=self.node, load=_nowhere, vouchers=self.vouchers
        )
        written = decided.run(requests, self.given[table])
        decided.settle_in()
        self.vouchers |= decided.vouchers
        self.data[table] += [data for _, _, data in written.entries]
        return written


def unsigned(answer: Answer) -> Answer:
    """As memory has it, which signs nothing."""
    assert (answer.head is not None) == answer.ok
    return replace(answer, head=None)


def _nowhere(place: str) -> Order:
    raise VaultFault(Cause("sealed-cards-missing", (place,)))


class Bookkeeper:
    """Reads the journal with a pencil: balances, wagers, settlements and commitments from the events alone."""

    def __init__(self) -> None:
        self.accounts = Counter[str]()
        self.held, self.approved = dict[int, tuple[str, int]](), ("", 0)
        self.game = GAMES["rapid"]
        self.seats, self.patron_of = dict[str, str](), dict[str, str]()
        self.wagers, self.closed = dict[tuple[str, str], int](), set[str]()
        self.owed = Counter[str]()
        self.shoe: e.ShoeStarted | None = None
        self.dealt, self.committed = list[str](), ""

    @property
    def balances(self) -> dict[str, int]:
        return {account: cents for account, cents in self.accounts.items() if cents}

    def move(self, from_: str, to: str, cents: int) -> None:
        self.accounts[from_] -= cents
        self.accounts[to] += cents

    def read(self, entry: Entry) -> None:
        for happened in entry.events:
            self.take(happened)
            assert sum(self.accounts.values()) == 0
        assert (
            min(
                (cents for account, cents in self.accounts.items() if is_patron(account)), default=0
            )
            >= 0
        )

    def take(self, happened: e.Event) -> None:
        match happened:
            case e.TableOpened(game=game, limits=limits):
                self.game = GAMES[game]
                self.closed = {bet for bet, own in limits.bets.items() if own.closed}
            case e.LimitsChanged(limits=limits):
                self.closed = {bet for bet, own in limits.bets.items() if own.closed}
            case e.SessionSeated(session=session, patron=patron):
                self.seats[session] = patron
            case e.SessionEnded(session=session):
                assert not self.accounts[f"session:{session}"], "nobody leaves credits behind"
                del self.seats[session]
            case (
                e.CreditsBought(session=session, cents=cents)
                | e.CreditsLoaded(session=session, cents=cents)
            ):
                self.move("cage", f"session:{session}", cents)
            case e.CreditsAdjusted(session=session, cents=cents, window=window):
                assert bool(window) != (session in self.seats), "cash is for who has left"
                self.move("adjustments", "cage" if window else f"session:{session}", cents)
            case e.CashedOut(session=session, cents=cents):
                if happened.approved_by:  # exactly what was set apart for it
                    assert self.approved == (session, cents)
                    self.move("held", "cage", cents)
                else:
                    self.move(f"session:{session}", "cage", cents)
            case e.Proposed(proposal=number, session=session, held_cents=cents):
                self.held[number] = session, cents
                self.move(f"session:{session}", "held", cents)
            case e.ProposalApproved(proposal=number):
                self.approved = self.held.pop(number)
            case e.ProposalRejected(proposal=number) | e.ProposalWithdrawn(proposal=number):
                session, cents = self.held.pop(number)
                self.move("held", f"session:{session}", cents)
            case e.ProposalLapsed(proposal=number):
                assert self.held.pop(number) == ("", 0), "money does not lapse"
            case e.VoucherRedeemed(session=session, cents=cents):
                self.move("vouchers", f"session:{session}", cents)
            case e.VoucherIssued(session=session, cents=cents):
                self.move(f"session:{session}", "vouchers", cents)
            case e.MoveReserved(session=session, cents=cents):
                self.move(f"session:{session}", "moving", cents)
            case (
                e.MoveArrived(session=session, cents=cents)
                | e.MoveReturned(session=session, cents=cents)
            ):
                self.move("moving", f"session:{session}", cents)
            case e.WagerPlaced(session=session, bet=bet, stake_cents=cents):
                assert (session, bet) not in self.wagers
                assert bet not in self.closed
                self.patron_of[session] = self.seats[session]
                self.stake(session, bet, cents)
            case e.WagerRaised(session=session, bet=bet, by_cents=cents, stake_cents=now):
                self.stake(session, bet, cents)
                assert self.wagers[session, bet] == now
            case e.WagerWithdrawn(session=session, bet=bet, by_cents=cents, stake_cents=now):
                self.stake(session, bet, -cents)
                assert self.wagers.get((session, bet), 0) == now
            case e.RoundSettled():
                self.settled(happened)
            case e.RoundVoided():
                self.voided(happened)
            case e.RoundReopened():
                self.reopened(happened)
            case _:
                self.cards(happened)

    def stake(self, session: str, bet: str, cents: int) -> None:
        self.move(f"session:{session}", "wagers", cents)
        self.wagers[session, bet] = self.wagers.get((session, bet), 0) + cents
        if not self.wagers[session, bet]:
            del self.wagers[session, bet]

    def settled(self, happened: e.RoundSettled) -> None:
        """By the rules, and by the rules that were written by hand."""
        cards = happened.cards.split()
        play = Round.start(self.game, self.game.decks[-1]).deal_all(map(parse_card, cards))
        keys = sorted(self.wagers)
        wagers = [
            Wager(self.patron_of[session], bet, self.wagers[session, bet]) for session, bet in keys
        ]
        lines = settle(self.game, play, wagers)
        said = [msgspec.structs.astuple(line)[:9] for line in happened.lines]
        assert said == [
            (
                session,
                bet,
                x.wager.stake_cents,
                x.outcome,
                x.winnings_cents,
                x.returned_cents,
                x.bonus_cents,
                x.clause,
                x.bonus_clause or "",
            )
            for (session, bet), x in zip(keys, lines, strict=True)
        ]
        nets, bonus = oracle.nets(self.game.id, cards), 100 * oracle.tie_bonus_dollars(cards)
        paid = set[str]()
        for line in happened.lines:
            assert (
                line.returned_cents + line.winnings_cents - line.stake_cents
                == line.stake_cents * nets[line.bet]
            )
            first = line.bet == "tie" and self.patron_of[line.session] not in paid
            assert line.bonus_cents == (bonus if self.game.id == "six-star" and first else 0)
            paid |= {self.patron_of[line.session]} if line.bet == "tie" else set()
        self.pay(happened.lines)
        self.round_ended(happened)
        SEEN["bonus paid"] += any(line.bonus_cents for line in happened.lines)

    def voided(self, happened: e.RoundVoided) -> None:
        assert {(x.session, x.bet): x.returned_cents for x in happened.lines} == self.wagers
        assert not any(line.winnings_cents or line.bonus_cents for line in happened.lines)
        self.pay(happened.lines)
        self.round_ended(happened)

    def pay(self, lines: Sequence[e.Line]) -> None:
        """Stakes come out of `wagers`; what a session owes from a reopening is kept back first."""
        for line in lines:
            self.accounts["wagers"] -= line.stake_cents
            self.accounts["bank"] += line.stake_cents - line.returned_cents - line.winnings_cents
            self.accounts["bonus"] -= line.bonus_cents
            kept = min(self.owed[line.session], line.paid_cents)
            assert line.set_off_cents == kept
            self.owed[line.session] -= kept
            self.accounts["unrecovered"] += kept
            self.accounts[f"session:{line.session}"] += line.paid_cents - kept
            SEEN["set off"] += kept > 0
        assert self.accounts["wagers"] == 0

    def reopened(self, happened: e.RoundReopened) -> None:
        for taken in happened.recoveries:
            line, patron = taken.line, f"session:{taken.line.session}"
            assert taken.recovered_cents + taken.unrecovered_cents == line.paid_cents
            assert taken.recovered_cents <= line.paid_cents - line.set_off_cents, (
                "no more than the session was given"
            )
            self.accounts[patron] -= taken.recovered_cents
            self.accounts["unrecovered"] -= taken.unrecovered_cents
            self.accounts["wagers"] += line.stake_cents
            self.accounts["bank"] -= line.stake_cents - line.returned_cents - line.winnings_cents
            self.accounts["bonus"] += line.bonus_cents
            self.owed[line.session] += taken.unrecovered_cents
            if taken.unrecovered_cents > line.set_off_cents:
                assert self.accounts[patron] == 0, "only what is not there stays unrecovered"
                SEEN["unrecovered"] += 1
        assert self.accounts["wagers"] == sum(self.wagers.values())

    def cards(self, happened: e.Event) -> None:
        """A virtual shoe commits when it is put on the table; a continuous one when bets open."""
        match happened:
            case e.ShoeStarted(dealing=dealing, source=source, commitment=commitment):
                self.shoe, self.dealt, self.committed = happened, [], commitment
                assert bool(commitment) == (dealing == "virtual" and source == "shoe")
            case e.BetsOpened(commitment=commitment):
                assert self.shoe is not None
                assert bool(commitment) == (
                    self.shoe.dealing == "virtual" and self.shoe.source == "continuous"
                )
                self.wagers, self.patron_of, self.owed = {}, {}, Counter()
                if commitment:
                    self.dealt, self.committed = [], commitment
            case e.CardDealt(card=card):
                self.dealt.append(card)
            case e.ShoeEnded(order=order, nonce=nonce):
                assert self.shoe is not None
                if self.shoe.commitment:
                    turned = [self.shoe.first_card] if self.shoe.first_card else []
                    unseen = order.split()[len(turned) :][: self.shoe.burn]
                    self.dealt = [*turned, *unseen, *self.dealt]
                    self.revealed(order, nonce)

    def round_ended(self, happened: e.RoundSettled | e.RoundVoided) -> None:
        if self.committed and self.shoe and not self.shoe.commitment:
            self.revealed(happened.reveal, happened.nonce)

    def revealed(self, text: str, nonce: str) -> None:
        """What was dealt is what was committed to before the first wager."""
        assert revealed(text, nonce).commitment == self.committed
        assert text.split()[: len(self.dealt)] == self.dealt
        self.committed = ""


CLOCKS = (
    e.Clock(),
    e.Clock(betting_ms=4 * TICK_MS),
    e.Clock(betting_ms=4 * TICK_MS, closes_by_clock=True),
    e.Clock(betting_ms=4 * TICK_MS, pause_ms=4 * TICK_MS, automatic=True),  # all cards at once
    e.Clock(
        betting_ms=4 * TICK_MS,
        guard_ms=TICK_MS,
        card_ms=TICK_MS,
        pause_ms=2 * TICK_MS,
        automatic=True,
        squeeze_ms=2 * TICK_MS,
    ),
    e.Clock(betting_ms=2 * TICK_MS, pause_ms=2 * TICK_MS, automatic=True, new_shoes=True),
    e.Clock(automatic=True),  # refused: it needs a betting time
)
CARDS = (
    e.Cards(),
    e.Cards(decks=4, cut=190),
    e.Cards(decks=4, burn="first-card"),
    e.Cards(dealing="physical", decks=4, burn="first-card", count_shoes=True),
    e.Cards(
        decks=4, source="continuous", road_rounds=3
    ),  # refused where the rulebook has no shuffler
    e.Cards(decks=99),
)

# What a field of a random command may be: good and bad, as the state suggests.
FIELDS: dict[str, Callable[[TableState, int], Sequence[object]]] = {
    "by": lambda *_: STAFF,
    "game": lambda state, _: (*TABLES[state.stream], "whist"),
    "limits": lambda state, _: some_limits(state),
    "clock": lambda *_: CLOCKS,
    "kind": lambda *_: ("limits", "clock", "cards"),
    "reason": lambda *_: ("", "as asked, 如所求"),
    "dealing": lambda *_: (None, "virtual", "physical"),
    "source": lambda *_: (None, "shoe", "continuous"),
    "first_card": lambda state, _: ("", "", *some_cards(state)),
    "set_id": lambda *_: ("", "B-7"),
    "counted": lambda *_: (None, 208, 260),
    "definition": lambda *_: (None, None, {}, {"definition": 2}),
    "decks": lambda *_: (None, 4, 6, 99),
    "cut": lambda *_: (None, 0, 14, 190, 1_000),
    "burn": lambda *_: (None, 0, 1, 10, "first-card"),
    "cards": lambda state, _: (
        state.shoe.decks * len(state.playing.deck) if state.shoe else 0,
        207,
        "",
        "9s",
        "9f",
        *CARDS,
    ),
    "unseen": lambda *_: (0, 1, 50),
    "session": lambda *_: (*SESSIONS, "ghost"),
    "patron": lambda *_: ("", "ann"),
    "cents": lambda *_: (1, 5_000, 1_000_000, MAX_CENTS),
    "voucher": lambda *_: ("v1", "v2", "v3"),
    "valid_ms": lambda *_: (None, 1, 60_000),
    "expires_at": lambda _, now: (2**53, now + 1_000, now, 1),
    "round": lambda state, _: (
        state.rounds,
        state.rounds,
        state.rounds,
        state.rounds - 1,
        state.rounds + 1,
    ),
    "bet": lambda *_: (
        "player",
        "banker",
        "tie",
        "player-pair",
        "fortune-six",
        "element-bonus",
        "insurance",
    ),
    "stake_cents": lambda *_: (1_000, 1_100, 5_000, 1_050, 1, 500_000, MAX_CENTS),
    "by_cents": lambda *_: (1_000, 100, 1, None, MAX_CENTS),
    "card": lambda state, _: (*some_cards(state), "??"),
    "slot": lambda *_: ("p1", "b2", "p3", "B3", "x"),
    "ground": lambda *_: (
        *(ground.id for ground in GROUNDS),
        MALFUNCTION,
        MISREAD_CARD,
        "bad-mood",
    ),
    "detail": lambda *_: ("", "seen by the camera"),
    "cards_left": lambda *_: (None, 0, 3),
    "order": lambda state, _: ("", *(" ".join(some_cards(state)[:n]) for n in (4, 6, 9))),
    "proposal": lambda state, _: (*sorted(state.proposals.waiting), 99),
    "complaint": lambda *_: tuple(e.COMPLAINTS),
    "decision": lambda *_: tuple(e.DECISIONS),
    "clause": lambda *_: ("house", "3.10", "99"),
    "direction": lambda *_: ("", "letter 7 of the inspector"),
    "review": lambda state, _: (state.reviewed, state.reviewed, 1, 99),
    "note": lambda *_: ("", "as asked, 如所求", "two\nlines"),
    "rules": lambda state, _: (state.rules,),
    "dealt_by": lambda *_: ((), ("amy",)),
    "ruled_by": lambda *_: ((), ("cat",)),
    "window": lambda *_: (0, 1),
    "shift": lambda *_: (0, 1),
    "by_floor": lambda *_: (True, False),
    "closes": lambda *_: (True, False, False),
    "by_hand": lambda *_: (False, True),
    "loss_cents": lambda *_: (None, 0, 3_000, MAX_CENTS),
    "play_ms": lambda *_: (None, 0, 5_000, MAX_CENTS),
}


def some_values(field: FieldInfo, state: TableState, now: int) -> Sequence[object]:
    """A field that is not listed has values of its type."""
    if field.name in FIELDS:
        return FIELDS[field.name](state, now)
    return values_of(field.type)


def some_limits(state: TableState) -> tuple[e.Limits, ...]:
    usual = default_limits(state.game or GAMES[TABLES[state.stream][0]])
    return (
        usual,
        replace(usual, staff_load_cents=10_000, differential_cents=5_000),
        replace(usual, hand_pay_cents=2_000, large_buy_in_cents=50_000),
        replace(usual, patron_max_cents=6_000, exposure_max_cents=200_000),
        replace(usual, exposure_max_cents=0),
        closing(usual, {"tie", "player-pair"}),
        closing(usual, {"player"}),  # refused: it stays open
    )


def some_cards(state: TableState) -> tuple[str, ...]:
    """A few cards that make ties, pairs, bonuses, and soon run out."""
    standard = TABLES[state.stream][0] == "fortune-six"
    return tuple(
        ("9h Th 9h Th 2s 3d 4c Kd 9f" if standard else "9f Tf 9f Tf 2g 3e 4w Sa 9h").split()
    )


class LiveTables(RuleBasedStateMachine):
    @initialize(seed=st.integers(0, 2**32 - 1))
    def start(self, seed: int) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "floor.db"
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(batch, "new_order", Shuffles(seed).new_order)
        # memory writes the same bytes as the stores
        self.patch.setattr(batch, "generate_salts", lambda: repeat("00" * SALT_BYTES))
        self.clock, self.ids = Hand(), count(1)
        self.stores = [self.opened(), self.opened()]
        self.reader = connect(self.path, read_only=True)
        self.heads = self.stores[0].heads_path.open("rb")
        self.trust = Trust(self.stores[0].ring.public())
        self.memory, self.sent = Memory(self.stores[0].node), list[tuple[Request, Answer]]()
        self.folds = {name: Stream.empty(name, OURS.table) for name in TABLES}
        self.books = {name: Bookkeeper() for name in TABLES}
        self.hashes = dict[tuple[str, int], str]()
        self.unread, self.last_filed = list[Head](), dict.fromkeys(TABLES, NOTHING)
        self.kept = dict.fromkeys(TABLES, "")
        self.holds, self.starts = True, 1
        for table in TABLES:
            self.go_on(table, random.Random(seed), 2 * (seed % 4 > 0))

    def opened(self) -> SqliteStore:
        store = SqliteStore(self.path, time=TableTime(wall=self.clock, steady=self.clock))
        store._db.execute("PRAGMA synchronous = OFF")  # nobody pulls the plug in this test
        return store

    def teardown(self) -> None:
        if not hasattr(self, "heads"):
            return
        try:
            for name in TABLES if self.holds else ():
                again = Stream.empty(name, OURS.table)
                for entry, head in chained(self.stores[0].entries(name), name):
                    again.follow(entry, head)
                assert state_hash(again) == state_hash(self.folds[name])
        finally:
            for store in self.stores:
                store.close()
            self.reader.close()
            self.heads.close()
            self.patch.undo()
        if self.holds:
            report = audit(self.path)
            assert report.sound, report.fault
        shutil.rmtree(self.folder)

    # Asking, and everything that must hold afterwards

    def state(self, table: str) -> TableState:
        return self.folds[table].state

    def seated(self, table: str) -> list[str]:
        """Sorted: the map's own order changes with each process, and the die would find others there."""
        return sorted(self.state(table).sessions)

    def send(self, table: str, command: Command, *, store: int = 0) -> Answer:
        request = Request(table, f"c{next(self.ids)}", command)
        answer = self.ask(request, self.stores[store])
        self.sent.append((request, answer))
        SEEN[f"{command.name()} {'taken' if answer.ok else 'refused'}"] += 1
        return answer

    def ask(self, request: Request, store: SqliteStore) -> Answer:
        self.holds = False
        answer = store.ask(request)
        assert unsigned(answer) == self.memory.ask(request, self.clock.ms)
        assert answer.code != "fault", answer.reason  # what is decided can always follow
        self.follow(request.stream, store)
        self.check(request.stream, store)
        return answer

    def follow(self, table: str, store: SqliteStore) -> None:
        """Read what is new in the journal, as somebody who knows nothing else."""
        self.wait_for_the_clock(table, store)
        fold = self.folds[table]
        before = fold.state
        rows = self.reader.execute(
            "SELECT seq, data FROM entries WHERE stream = ? AND seq > ? ORDER BY seq",
            (table, before.seq),
        ).fetchall()
        for (_, data), own in zip(rows, self.memory.data[table][before.seq :], strict=True):
            assert data == own
        for entry, head in chained(rows, table, seq=before.seq, head=fold.head, at=before.at):
            fold.follow(entry, head)
            self.books[table].read(entry)
            self.hashes[table, entry.seq] = head
            for happened in entry.events:
                self.note(happened, fold.state, entry.by)

    def wait_for_the_clock(self, table: str, store: SqliteStore) -> None:
        """What a command has made due at once, the writer does at once, but after its answer."""
        deadline, head = time.monotonic() + PATIENCE_S, self.memory.streams[table].head
        while self.filed(table) != head or self.held(table, head, store).head != head:
            assert time.monotonic() < deadline, "the store does not do what is due"
            time.sleep(0.0005)

    def held(self, table: str, head: str, store: SqliteStore) -> Stream[State]:
        """The stream in the memory of a store that stands there: where what is due was done by the
        other store's writer, which looks every second, the one that was asked catches up later.
        """
        both = [one._streams[table] for one in (store, *self.stores) if table in one._streams]
        return next((stream for stream in both if stream.head == head), both[0])

    def written(self, table: str) -> tuple[int, str]:
        row: tuple[int, str] | None
        row = self.reader.execute(
            "SELECT seq, hash FROM streams WHERE stream = ?", (table,)
        ).fetchone()
        return row or (0, NOTHING)

    def note(self, happened: e.Event, state: TableState, by: str) -> None:
        name = type(happened).__name__
        SEEN[name] += 1
        if isinstance(happened, e.RoundSettled):
            SEEN["wagers settled"] += len(happened.lines)
            SEEN["settled by the clock"] += by == CLOCK
            if state.shoe is not None:
                SEEN[f"settled {state.shoe.dealing} {state.shoe.source}"] += 1

    def check(self, table: str, store: SqliteStore) -> None:
        """After every command, for the table it was sent to."""
        fold = self.folds[table]
        same = state_hash(fold)
        assert state_hash(self.memory.streams[table]) == same
        assert state_hash(self.held(table, fold.head, store)) == same
        assert self.written(table) == (fold.state.seq, fold.head)
        assert sum(fold.balances.values()) == 0
        assert all(cents >= 0 for account, cents in fold.balances.items() if is_patron(account))
        assert fold.balances == self.books[table].balances
        rows = self.reader.execute("SELECT account, cents FROM balances WHERE stream = ?", (table,))
        assert fold.balances == dict(rows)
        self.check_heads(table)
        self.check_shoe(fold.state)
        self.holds = True

    @invariant()
    def what_is_kept_is_what_happened(self) -> None:
        """After every rule, for each table that it changed: snapshots, and the table of transfers."""
        for table, fold in self.folds.items():
            if self.kept[table] == fold.head:
                continue
            self.kept[table] = fold.head
            assert state_hash(self.stores[fold.state.seq % 2].stream(table)) == state_hash(fold)
            assert load(msgspec.json.decode(canonical(dump(fold.state)))) == fold.state
            moved = self.reader.execute(
                "SELECT account, sum(cents) FROM (SELECT credit AS account, cents FROM transfers WHERE stream = :s "
                "UNION ALL SELECT debit, -cents FROM transfers WHERE stream = :s) GROUP BY account HAVING sum(cents) <> 0",
                {"s": table},
            )
            assert fold.balances == dict(moved)

    def filed(self, table: str) -> str:
        """The last head in the file of heads; every line of it names an entry as it is."""
        lines = self.heads.readlines()
        if lines and not lines[-1].endswith(
            b"\n"
        ):  # the clock of a store is writing it: it is read next time
            self.heads.seek(-len(lines.pop()), os.SEEK_CUR)
        for head in read_heads(lines):
            self.unread.append(head)
            self.last_filed[head.stream] = head.hash
        return self.last_filed[table]

    def check_heads(self, table: str) -> None:
        for head in [head for head in self.unread if head.stream == table]:
            assert head.hash == self.hashes[table, head.seq]
            self.trust.verify(head, self.folds[table].state.keys)
            self.unread.remove(head)

    def check_shoe(self, state: TableState) -> None:
        """Every card of a virtual shoe is in it, on the table, discarded or burned."""
        shoe, round_ = state.shoe, state.round
        if shoe is None or shoe.dealing != "virtual" or shoe.source != "shoe":
            return
        on_table = (
            len(round_.play.cards)
            if round_ and round_.shoe == shoe.number and state.is_in_play
            else 0
        )
        assert (
            shoe.drawn
            == shoe.burn + shoe.decks * len(state.playing.deck) - len(shoe.left) + on_table
        )

    # What a good crew does next

    def next_command(self, table: str, rng: random.Random) -> Command:
        state, by = self.state(table), rng.choice(STAFF)
        if state.phase == "down":
            clock = rng.choice((e.Clock(), e.Clock(), *CLOCKS[1:6]))
            game = rng.choice(TABLES[table])
            usable = [
                cards
                for cards in CARDS[:5]
                if cards.source == "shoe" or GAMES[game].basics.shuffler
            ]
            limits = rng.choice((None, some_limits(state)[2]))
            return c.OpenTable(
                by=by, game=game, clock=clock, cards=rng.choice(usable), limits=limits
            )
        waiting = sorted(state.proposals.waiting)
        if waiting and rng.random() < 0.9:
            number = waiting[-1]
            other = rng.choice(
                [staff for staff in STAFF if staff != state.proposals.waiting[number].by]
            )
            if rng.random() < 0.9:
                return c.Approve(by=other, proposal=number)
            return c.Reject(by=other, proposal=number, reason="look again")
        if state.phase == "betting":
            return c.CloseBets(by=by)
        if state.phase in ("closed", "dealing"):
            return self.next_card(state, by, rng)
        if state.phase == "stopped":
            return self.decision(state, by, rng)
        shoe = state.shoe
        if shoe is None:
            return self.next_shoe(state, by, rng)
        if needs_shoe(state):
            return c.EndShoe(by=by)
        if shoe.dealing == "physical" and shoe.source == "shoe" and rng.random() < 0.03:
            return c.BurnCards(by=by, unseen=1, detail="it fell down")
        if shoe.dealing == "physical" and rng.random() < 0.05:
            return c.CountShoe(by=by, cards=len(state.playing.shoe(shoe.decks)))
        return c.RestartTable(by=by) if state.halted else c.OpenBets(by=by)

    def next_shoe(self, state: TableState, by: str, rng: random.Random) -> c.NewShoe:
        dealing = rng.choice(("physical", "physical", "virtual"))
        sources = ("shoe", "shoe", "continuous") if state.playing.basics.shuffler else ("shoe",)
        shoe = c.NewShoe(
            by=by,
            dealing=dealing,  # type: ignore[arg-type]
            decks=4,
            cut=rng.choice((14, 185)),
            source=rng.choice(sources),  # type: ignore[arg-type]
            burn=rng.choice((0, 3, "first-card")),
        )
        if dealing == "virtual":
            return shoe
        counted = rng.choice((0, 0, 0, -1)) + len(state.playing.shoe(4))
        first = (
            rng.choice(some_cards(state)[:8])
            if (shoe.burn, shoe.source) == ("first-card", "shoe")
            else ""
        )
        return replace(shoe, set_id="B-7", counted=counted, first_card=first)

    def next_card(self, state: TableState, by: str, rng: random.Random) -> Command:
        round_, shoe = state.round, state.shoe
        assert round_ is not None
        if round_.dealing == "virtual":
            return c.Settle(by=by) if round_.play.is_complete else c.DealCard(by=by)
        deck = [code(card) for card in state.playing.deck.cards]
        if rng.random() < 0.06 and round_.play.cards:
            return c.CorrectCard(
                by=by, slot=rng.choice(("p1", "b1", "p2", "b2")), card=rng.choice(deck)
            )
        if round_.play.is_complete or shoe is None:
            return c.Settle(by=by)
        if round_.questioned and rng.random() < 0.5:
            return c.EnterCard(by=by, card=round_.questioned)
        # a tie of two nines, all of one suit: the bonus of six-star
        if state.rounds % 2 == 1 and rng.random() < 0.9:
            return c.EnterCard(by=by, card=some_cards(state)[len(round_.play.cards) // 2])
        return c.EnterCard(
            by=by, card=rng.choice(deck if rng.random() < 0.5 else some_cards(state))
        )

    def decision(self, state: TableState, by: str, rng: random.Random) -> Command:
        round_ = state.round
        assert round_ is not None
        assert round_.stop is not None
        if round_.stop.ground == MISREAD_CARD and rng.random() < 0.6:
            deck = [code(card) for card in state.playing.deck.cards]
            return c.CorrectCard(
                by=by, slot=rng.choice(("p1", "b1", "p2", "b2")), card=rng.choice(deck)
            )
        in_order = any(
            ground.id == round_.stop.ground and ground.reconstructable for ground in GROUNDS
        )
        if in_order and rng.random() < 0.6:
            cards, deck = (
                [code(card) for card in round_.play.cards],
                [code(card) for card in state.playing.deck.cards],
            )
            rng.shuffle(cards)
            return c.Reconstruct(
                by=by, order=" ".join([*cards, *rng.choices(deck, k=rng.randrange(5))])
            )
        return rng.choice((c.VoidRound(by=by), c.Resume(by=by)))

    def go_on(
        self, table: str, rng: random.Random, steps: int, *, until: Sequence[str] = ()
    ) -> bool:
        for _ in range(steps):
            if self.state(table).phase in until:
                break
            answer = self.send(table, self.next_command(table, rng), store=rng.randrange(2))
            if answer.code == "too-early":
                self.time_passes(1)
        return self.state(table).phase in until

    # The rules

    tables, seeds = st.sampled_from(list(TABLES)), st.integers(0, 2**32 - 1)

    @rule(table=tables, seed=seeds, times=st.integers(1, 8))
    def anything(self, table: str, seed: int, times: int) -> None:
        rng = random.Random(seed)
        self.ask_for(table, rng, rng.choices(PLAY, k=times))

    def ask_for(self, table: str, rng: random.Random, kinds: Sequence[type[Command]]) -> None:
        for kind in kinds:
            values = {
                f.name: rng.choice(some_values(f, self.state(table), self.clock.ms))
                for f in fields(kind)
            }
            with suppress(
                msgspec.ValidationError
            ):  # nothing that cannot be read gets as far as a store
                asked: Any = kind(**values)  # type: ignore[arg-type]
                read = msgspec.json.decode(canonical(asked), type=OURS.table.any_command)
                self.send(table, read, store=rng.randrange(2))

    @rule(table=tables, seed=seeds, steps=st.integers(1, 12))
    def the_crew_goes_on(self, table: str, seed: int, steps: int) -> None:
        self.go_on(table, random.Random(seed), steps)

    @rule(
        table=tables,
        seed=seeds,
        patrons=st.integers(1, 6),
        stop_at=st.sampled_from(("closed", "settled", "settled")),
    )
    def patrons_wager(self, table: str, seed: int, patrons: int, stop_at: str) -> None:
        rng = random.Random(seed)
        if not self.go_on(table, rng, 12, until=("betting",)):
            return
        for _ in range(patrons):
            session = rng.choice(SESSIONS)
            if session not in self.state(table).sessions:
                self.send(table, c.SeatSession(by="amy", session=session, patron=PATRONS[session]))
                self.send(
                    table, c.BuyIn(by="amy", session=session, cents=rng.choice((5_000, 100_000)))
                )
            stake, bet = (
                1_000 * rng.randint(1, 4),
                rng.choice(["tie", "tie", *(b.id for b in self.state(table).playing.bets)]),
            )
            command: Command = c.PlaceWager(
                by=session,
                round=self.state(table).rounds,
                session=session,
                bet=bet,
                stake_cents=stake,
            )
            if bet in self.state(table).wagers_of(session):
                command = rng.choice(
                    (
                        c.RaiseWager(
                            by=session,
                            round=self.state(table).rounds,
                            session=session,
                            bet=bet,
                            by_cents=stake,
                        ),
                        c.WithdrawWager(
                            by=session,
                            round=self.state(table).rounds,
                            session=session,
                            bet=bet,
                            by_cents=rng.choice((None, 1_000)),
                        ),
                    )
                )
            self.send(table, command, store=rng.randrange(2))
        self.go_on(table, rng, 12, until=(stop_at, "stopped", "void"))

    @rule(
        table=tables,
        seed=seeds,
        ground=st.sampled_from(
            ("wrong-card-count", *(ground.id for ground in GROUNDS), MALFUNCTION, MISREAD_CARD)
        ),
    )
    def something_goes_wrong(self, table: str, seed: int, ground: str) -> None:
        rng = random.Random(seed)
        self.go_on(table, rng, rng.randint(0, 6), until=("dealing",))
        self.send(
            table,
            c.DeclareIrregularity(by="ben", ground=ground, cards_left=rng.choice((None, 0))),
            store=seed % 2,
        )
        self.go_on(table, rng, rng.randint(0, 8), until=("settled", "void"))

    @rule(table=tables, seed=seeds, times=st.integers(1, 3))
    def a_settled_round_is_reopened(self, table: str, seed: int, times: int) -> None:
        """After some have taken their money away, and some of these have come back with a little."""
        rng = random.Random(seed)
        if self.state(table).phase != "settled":
            self.patrons_wager(table, seed, 8, "settled")
        for _ in range(times):
            for session in rng.sample(SESSIONS, rng.randint(0, 3)):
                store = rng.randrange(2)
                self.send(
                    table,
                    rng.choice(
                        (
                            c.CashOut(by=session, session=session),
                            c.IssueVoucher(
                                by=session, session=session, voucher=f"v{rng.randrange(50)}"
                            ),
                        )
                    ),
                    store=store,
                )
                self.send(
                    table,
                    c.SeatSession(by="amy", session=session, patron=PATRONS[session]),
                    store=store,
                )
                self.send(
                    table,
                    c.BuyIn(by="amy", session=session, cents=rng.randint(1, 3_000)),
                    store=store,
                )
            self.send(
                table,
                c.Reopen(by="amy", ground=rng.choice(("wrong-card-count", MISREAD_CARD))),
                store=rng.randrange(2),
            )
            self.go_on(table, rng, 2, until=("stopped",))
            self.go_on(table, rng, rng.randint(0, 8), until=("settled", "void"))

    @rule(seed=seeds, table=tables)
    def a_voucher_goes_to_the_other_table(self, seed: int, table: str) -> None:
        [other] = TABLES.keys() - {table}
        session, voucher = (
            random.Random(seed).choice([*self.seated(table), "s1"]),
            f"v{seed % 50}",
        )
        self.send(table, c.BuyIn(by="amy", session=session, cents=700), store=seed % 2)
        self.send(
            table, c.IssueVoucher(by=session, session=session, voucher=voucher), store=seed % 2
        )
        self.send(
            other,
            c.SeatSession(by="cat", session=session, patron=PATRONS.get(session, "")),
            store=seed // 2 % 2,
        )
        for to in (other, table):
            self.send(
                to,
                c.RedeemVoucher(by=session, session=session, voucher=voucher),
                store=seed // 4 % 2,
            )

    @rule(seed=seeds, table=tables)
    def credits_are_sent_to_the_other_table(self, seed: int, table: str) -> None:
        [other] = TABLES.keys() - {table}
        session = random.Random(seed).choice([*self.seated(table), "s1"])
        move = f"move-{next(self.ids)}"
        reserved = c.ReserveMove(by=session, session=session, move=move, to=other)
        self.send(table, reserved, store=seed % 2)

    @rule(seed=seeds)
    def whoever_follows_drives_moves_on(self, seed: int) -> None:
        """Some of what is on the way, one step or more, each asked once or twice, by either node."""
        rng = random.Random(seed)
        house, states = HouseState(stream="floor"), {name: self.state(name) for name in TABLES}
        for name, state in states.items():
            for _, moving in sorted(state.moving.items()):
                decided = states[moving.to].moves.get(moving.move)
                stream, seq = (moving.to, decided.entry) if decided else (name, moving.entry)
                entry = next(self.stores[0].decoded(stream, after=seq - 1))
                for request in of_moves(entry, house, states):
                    for _ in range(rng.randint(0, 2)):
                        answer = self.ask(request, self.stores[rng.randrange(2)])
                        assert answer.ok
                        SEEN[request.command.name()] += 1
        total = sum(fold.balances.get(MOVING, 0) for fold in self.folds.values())
        undecided = [
            moving.cents
            for name in TABLES
            for moving in self.state(name).moving.values()
            if not self.has_arrived(moving)
        ]
        assert total == sum(undecided)

    def has_arrived(self, moving: Moving) -> bool:
        decided = self.state(moving.to).moves.get(moving.move)
        if decided is None:
            return False
        entry = next(self.stores[0].decoded(moving.to, after=decided.entry - 1))
        return any(isinstance(event, e.MoveArrived) for event in entry.events)

    @rule(seed=seeds, table=tables)
    def somebody_sits_down_and_leaves(self, seed: int, table: str) -> None:
        for command in (c.SeatSession(by="cat", session="s9"), c.LeaveSeat(by="s9", session="s9")):
            self.send(table, command, store=seed % 2)

    @rule(seed=seeds, table=tables)
    def the_pit_changes_its_mind(self, seed: int, table: str) -> None:
        rng = random.Random(seed)
        self.send(
            table,
            c.ChangeLimits(by="ben", limits=rng.choice(some_limits(self.state(table)))),
            store=seed % 2,
        )
        self.send(table, c.ChangeClock(by="ben", clock=rng.choice(CLOCKS)), store=seed % 2)
        if rng.random() < 0.3:
            self.send(table, c.CloseTable(by="ben", reason="the day is over"), store=seed % 2)

    @rule(seed=seeds, table=tables)
    def the_floor_stops_and_limits(self, seed: int, table: str) -> None:
        rng, session = random.Random(seed), random.Random(seed).choice(SESSIONS)
        commands: list[Command] = rng.sample(
            [
                c.HaltTable(
                    by="ben",
                    reason="a drill",
                    by_floor=rng.random() < 0.5,
                    closes=rng.random() < 0.3,
                ),
                c.RestartTable(by="ben"),
                c.LimitSession(
                    by="floor",
                    session=session,
                    loss_cents=rng.choice((None, 0, 3_000)),
                    play_ms=rng.choice((None, 5_000)),
                ),
                c.StopSession(by="ben", session=session, reason="excluded"),
                c.RestartSession(by="ben", session=session),
            ],
            3,
        )
        for command in commands:
            self.send(table, command, store=rng.randrange(2))

    @rule(seed=seeds, table=tables, cents=st.sampled_from((1_000, 20_000)))
    def staff_load_credits(self, seed: int, table: str, cents: int) -> None:
        answer = self.send(
            table,
            c.LoadCredits(by="ben", session="s3", cents=cents, reason="a prize"),
            store=seed % 2,
        )
        if answer.proposal:
            self.send(
                table, c.Approve(by="ben", proposal=answer.proposal)
            )  # refused: the same person
            self.send(table, c.Approve(by="cat", proposal=answer.proposal), store=seed // 2 % 2)

    @rule(seed=seeds, table=tables)
    def a_ruling_is_paid(self, seed: int, table: str) -> None:
        """For a session that is seated, or has left: as credits or in cash."""
        rng = random.Random(seed)
        state = self.state(table)
        adjust = c.Adjust(
            by="ben",
            session=rng.choice([*self.seated(table), "gone"]),
            round=max(1, state.rounds - 1),
            cents=rng.choice((1, 2_500)),
            note="as asked, 如所求",
            direction=rng.choice(("letter 7 of the inspector", "letter 8")),
        )
        answer = self.send(table, adjust, store=seed % 2)
        if answer.proposal:
            self.go_on(table, rng, rng.randint(0, 3))
            self.send(table, c.Approve(by="cat", proposal=answer.proposal, window=1, shift=1))

    @rule(seed=seeds, table=tables)
    def a_hand_pay_waits(self, seed: int, table: str) -> None:
        """It is asked for, much may happen, and somebody decides: what is approved is what was asked for."""
        rng = random.Random(seed)
        session = rng.choice([*self.seated(table), "s1"])
        self.send(
            table,
            c.CashOut(by="amy", session=session, cents=rng.choice((None, None, 2_500))),
            store=seed % 2,
        )
        self.go_on(table, rng, rng.randint(0, 12))
        for number in sorted(self.state(table).proposals.of("money")):
            decided: Command = rng.choice(
                (
                    c.Approve(by="cat", proposal=number, window=1, shift=1),
                    c.Reject(by="cat", proposal=number, reason="no papers"),
                    c.WithdrawProposal(by="amy", proposal=number),
                )
            )
            self.send(table, decided, store=rng.randrange(2))

    @rule(ticks=st.integers(1, 15))
    def time_passes(self, ticks: int) -> None:
        """Less than would be noticed as a step of the clock; then each table is asked something, so that nothing stays due."""
        self.clock.ms += ticks * TICK_MS
        for table in TABLES:
            self.send(table, c.Reject(by="amy", proposal=999), store=ticks % 2)

    @precondition(lambda self: self.sent)
    @rule(which=st.integers(0, 2**16), store=st.integers(0, 1))
    def a_request_is_sent_again(self, which: int, store: int) -> None:
        request, answer = self.sent[which % len(self.sent)]
        before = self.state(request.stream)
        assert self.ask(request, self.stores[store]) == answer
        assert self.state(request.stream) == before

    @precondition(lambda self: self.sent)
    @rule(which=st.integers(0, 2**16), store=st.integers(0, 1))
    def an_id_is_used_for_something_else(self, which: int, store: int) -> None:
        request, _ = self.sent[which % len(self.sent)]
        other = c.SeatSession(by=request.command.by, session="intruder")
        with pytest.raises(CommandReused, match="was sent before with another content"):
            self.stores[store].ask(Request(request.stream, request.id, other))
        assert "intruder" not in self.stores[store].table(request.stream).state.sessions
        self.check(request.stream, self.stores[store])

    @rule(seed=seeds, table=tables)
    def many_ask_at_once(self, seed: int, table: str) -> None:
        """One transaction or several: each gets the answer that it would get alone."""
        rng, store = random.Random(seed), self.stores[seed % 2]
        commands = [
            c.BuyIn(by="amy", session=rng.choice(SESSIONS), cents=cents)
            for cents in range(100, 108)
        ]
        requests = [Request(table, f"m{next(self.ids)}", command) for command in commands]
        futures = [store.submit(request) for request in requests]
        for request, future in zip(requests, futures, strict=True):
            answer = future.result()
            assert unsigned(answer) == self.memory.ask(request, self.clock.ms)
            self.sent.append((request, answer))
        self.follow(table, store)
        self.check(table, store)

    @precondition(lambda self: len(self.sent) > 40 * self.starts)
    @rule(which=st.integers(0, 1))
    def a_store_starts_anew(self, which: int) -> None:
        self.starts += 1
        self.stores[which].close()
        self.stores[which] = self.opened()
        self.kept = dict.fromkeys(TABLES, "")  # what it reads is looked at again

    def any_of_these(self, rng: random.Random) -> None:
        """A rule by a plain die, with a day's worth of arguments."""
        table, seed, few = rng.choice(list(TABLES)), rng.randrange(2**32), rng.randrange(8)
        rng.choice(
            (
                lambda: self.anything(table, seed, 2 * few),
                lambda: self.the_crew_goes_on(table, seed, few),
                lambda: self.patrons_wager(table, seed, few, "settled"),
                lambda: self.something_goes_wrong(table, seed, rng.choice(GROUNDS).id),
                lambda: self.a_settled_round_is_reopened(table, seed, few % 3 + 1),
                lambda: self.a_voucher_goes_to_the_other_table(seed, table),
                lambda: self.credits_are_sent_to_the_other_table(seed, table),
                lambda: self.whoever_follows_drives_moves_on(seed),
                lambda: self.somebody_sits_down_and_leaves(seed, table),
                lambda: self.the_pit_changes_its_mind(seed, table),
                lambda: self.staff_load_credits(seed, table, 1_000 * few + 1),
                lambda: self.a_hand_pay_waits(seed, table),
                lambda: self.a_ruling_is_paid(seed, table),
                lambda: self.time_passes(few + 1),
                lambda: self.many_ask_at_once(seed, table),
            )
        )()


@reads(1, 32, 39)
def test_whatever_is_asked_money_journal_and_answers_hold() -> None:
    SEEN.clear()
    run_state_machine_as_test(
        LiveTables, settings=settings(max_examples=200 if SLOW else 12, stateful_step_count=25)
    )
    assert SEEN["RoundSettled"] > 0, (
        "the long days below meet every kind of event; chance alone need not"
    )


STORIES = (
    "settled physical shoe",
    "settled physical continuous",
    "settled virtual shoe",
    "settled virtual continuous",
    "settled by the clock",
    "wagers settled",
    "bonus paid",
    "unrecovered",
    "set off",
)


ELSEWHERE = (
    e.ShoeMixed,
    e.ClockStepped,  # in the house's stream
    e.KeyRetired,
    e.EpochBegun,
    e.EntriesSetAside,
    e.VouchersConfirmed,
)
HAPPENS = (
    *(kind.__name__ for kind in OURS.table.evolves if kind not in ELSEWHERE),
    *(f"{kind.name()} {answer}" for kind in PLAY for answer in ("taken", "refused")),
    *STORIES,
)


RULES, MORE, MOST_DAYS, LOOK_EVERY = 150, 12, 40, 15
"""Rules of a day, commands of a missing kind after each, and after how many all that is kept is looked at, which the test
above does after each. A new day has other tables: in an old one a bet may be closed for hours, and its journal is long.
"""


def is_seen(kind: type[Command]) -> bool:
    return all(SEEN[f"{kind.name()} {answer}"] for answer in ("taken", "refused"))


def all_has_happened() -> bool:
    return all(SEEN[what] for what in HAPPENS)


def test_long_days_have_every_event_and_every_command_taken_and_refused() -> None:
    """The same rules by a die, and what was not yet taken or refused again and again, until all of it has happened."""
    SEEN.clear()
    for number in range(93, 93 + MOST_DAYS):  # a die that soon has all of it
        a_long_day(random.Random(number), seed=number)
        if all_has_happened():
            return
    pytest.fail(f"never happened: {[what for what in HAPPENS if not SEEN[what]]}")


def a_long_day(rng: random.Random, seed: int) -> None:
    day = LiveTables()
    day.start(seed=seed)
    try:
        for n in range(RULES):
            day.any_of_these(rng)
            if missing := [kind for kind in PLAY if not is_seen(kind)]:
                day.ask_for(rng.choice(list(TABLES)), rng, rng.choices(missing, k=MORE))
            is_over = all_has_happened()
            if is_over or n % LOOK_EVERY == 0:
                day.what_is_kept_is_what_happened()
            if is_over:
                return
    finally:
        day.teardown()


def test_every_field_of_every_command_can_be_drawn() -> None:
    state = TableState(stream="table:1")
    every = {field.name: field for kind in PLAY for field in fields(kind)}
    assert set(every) >= set(FIELDS)
    assert all(some_values(field, state, START_MS) for field in every.values())
