"""A week on three tables and at a cage, scripted: voids, reopenings, loads, hand pays, vouchers, stops; a driven clock."""

import itertools
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from puntobanco import GAMES
from puntobanco.rules.cards import code
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.table_clock import TableTime

FIRST = datetime(2026, 2, 26, tzinfo=UTC)
"""A Thursday, so that the week goes over the end of a month."""
DAYS = [(FIRST + timedelta(days=n)).date() for n in range(7)]
HASH = "0123456789abcdef" * 4
DAY_MS = 86_400_000
VIRTUAL, HAND, QUICK, CAGE = "table:1", "table:2", "table:3", "cage:1"


class Week:
    """A store whose clock is moved by hand; a refusal fails the test."""

    def __init__(self, path: Path) -> None:
        self.path, self.wall_ms = path, int(FIRST.timestamp() * 1000)
        self.store = self._opened()
        self.ids, self.chance, self.rounds = (
            map(str, itertools.count(1)),
            random.Random(5),
            dict[str, int](),
        )

    def _opened(self) -> SqliteStore:
        clock = TableTime(wall=lambda: self.wall_ms / 1000, steady=lambda: self.wall_ms / 1000)
        store = SqliteStore(self.path, clock=False, time=clock)
        store._db.execute("PRAGMA synchronous = OFF")
        return store

    def restarted(self, *, set_back_ms: int = 0) -> None:
        """The store closed and opened again; meanwhile somebody may set the wall clock back."""
        self.store.close()
        self.wall_ms -= set_back_ms
        self.store = self._opened()

    def at(self, day: int, hour: int, minute: int = 0) -> None:
        self.wall_ms = int(
            (FIRST + timedelta(days=day, hours=hour, minutes=minute)).timestamp() * 1000
        )

    def do(self, stream: str, command: Command) -> Answer:
        self.wall_ms += 250
        answer = self.store.ask(Request(stream=stream, id=next(self.ids), command=command))
        assert answer.ok, answer
        return answer

    def by_two(self, stream: str, command: Command) -> None:
        asked = self.do(stream, command)
        self.do(stream, c.Approve(by="sue", proposal=asked.proposal))

    def sit(self, stream: str, session: str, cents: int = 0) -> None:
        self.do(stream, c.SeatSession(by=session, session=session))
        if cents:
            self.cash(
                stream, c.BuyIn(by="carl", session=session, cents=cents, window=1, shift=1), cents
            )

    def cash(
        self, stream: str, command: c.BuyIn | c.LoadCredits | c.CashOut | c.Adjust, cents: int
    ) -> None:
        """Cash at a table, approved where it is much, and noted in carl's drawer as the floor does it."""
        moved = self.do(stream, command)
        if moved.proposal:
            moved = self.do(stream, c.Approve(by="sue", proposal=moved.proposal, window=1, shift=1))
        self.do(CAGE, g.NoteCash(by="floor", shift=1, table=stream, entry=moved.seq, cents=cents))

    def open(self, stream: str, wagers: str = "") -> int:
        """Bets opened, and wagers as `T1:a banker 20, ann tie 10`."""
        self.do(stream, c.OpenBets(by="dora"))
        number = self.rounds[stream] = self.rounds.get(stream, 0) + 1
        for wager in filter(None, wagers.split(",")):
            session, bet, stake = wager.split()
            self.do(
                stream,
                c.PlaceWager(
                    by=session, round=number, session=session, bet=bet, stake_cents=100 * int(stake)
                ),
            )
        return number

    def deal(self, stream: str, cards: str = "", *, settle: bool = True) -> None:
        """These cards, or such as come; a virtual shoe deals its own."""
        state = self.store.table(stream).state
        assert state.game is not None
        assert state.round is not None
        if state.phase == "betting":
            self.do(stream, c.CloseBets(by="dora"))
        given = iter(cards.split())
        while not (round_ := self.store.table(stream).state.round).play.is_complete:  # type: ignore[union-attr]
            if round_ is not None and round_.dealing == "virtual":
                self.do(stream, c.DealCard(by="dora"))
            else:
                card = next(given, None) or code(self.chance.choice(state.game.deck.cards))
                self.do(stream, c.EnterCard(by="dora", card=card))
        if settle:
            self.do(stream, c.Settle(by="dora"))

    def play(self, stream: str, rounds: int, sessions: tuple[str, ...]) -> None:
        """Rounds with wagers of everybody, some raised and some withdrawn."""
        game = self.store.table(stream).state.playing
        for _ in range(rounds):
            number = self.open(stream)
            for session in sessions:
                bet = self.chance.choice(game.bets).id
                self.do(
                    stream,
                    c.PlaceWager(
                        by=session, round=number, session=session, bet=bet, stake_cents=2_000
                    ),
                )
                if self.chance.random() < 0.3:
                    self.do(
                        stream,
                        c.RaiseWager(
                            by=session, round=number, session=session, bet=bet, by_cents=2_000
                        ),
                    )
                elif self.chance.random() < 0.2:
                    self.do(
                        stream, c.WithdrawWager(by=session, round=number, session=session, bet=bet)
                    )
            self.deal(stream)

    def midnight(self, day: int) -> None:
        self.at(day, 0)
        self.do("floor", h.EndDay(by="clock"))


def rulings(w: Week) -> None:
    """Two awards for rounds of that day: one patron is seated, the other has left."""
    number = w.rounds[HAND]
    w.do(
        HAND,
        c.AskReview(by="T2:b", session="T2:b", round=number, complaint="wrong-payment"),
    )
    answer = c.AnswerReview(
        by="sam", review=1, decision="corrected", clause="house", note="a stake was misread"
    )
    w.do(HAND, answer)
    w.by_two(
        HAND,
        c.Adjust(by="sam", session="T2:b", round=number, cents=1_700, note="the rest", review=1),
    )
    left = c.Adjust(
        by="sam", session="ben", round=number, cents=2_300, note="so", direction="letter 7"
    )
    w.cash(HAND, left, -2_300)


def played(path: Path) -> None:
    """The second day has no virtual shoe in it, so that its report is the same each time. The sixth is empty."""
    w = Week(path)
    w.at(0, 9)
    w.do("floor", h.OpenHouse(by="init", house="Marina", administrator="ada", verifier=HASH))
    for person, role in (
        ("dora", "dealer"),
        ("sam", "supervisor"),
        ("sue", "supervisor"),
        ("carl", "cashier"),
    ):
        w.do("floor", h.AddStaff(by="ada", person=person, role=role, verifier=HASH))  # type: ignore[arg-type]
    for terminal in ("T1", "T2"):
        w.do(
            "floor",
            h.AddTerminal(
                by="ada",
                terminal=terminal,
                code=HASH[:-2] + terminal.lower().replace("t", "a"),
                expires_at=2**52,
            ),
        )
    w.do(CAGE, g.OpenShift(by="carl", float_cents=1_000_000))
    for stream, game in ((VIRTUAL, "six-star"), (HAND, "fortune-six"), (QUICK, "rapid")):
        limits = replace(default_limits(GAMES[game]), staff_load_cents=5_000)
        w.do(stream, c.OpenTable(by="ada", game=game, limits=limits))
    w.sit(QUICK, "early", 3_000)  # before the first shoe
    w.do(VIRTUAL, c.NewShoe(by="sam", decks=8))
    w.do(HAND, c.NewShoe(by="sam", decks=8, dealing="physical"))
    w.do(QUICK, c.NewShoe(by="sam", decks=6, dealing="physical"))
    w.sit(VIRTUAL, "T1:a", 500_000)
    w.sit(VIRTUAL, "amy", 200_000)
    w.sit(VIRTUAL, "ann", 300_000)
    w.sit(HAND, "T2:b", 400_000)
    w.sit(HAND, "ben", 200_000)
    w.play(VIRTUAL, 6, ("T1:a", "amy"))
    w.play(HAND, 5, ("T2:b", "ben"))
    w.do(VIRTUAL, c.IssueVoucher(by="ann", session="ann", voucher="v-late", valid_ms=2 * DAY_MS))
    w.midnight(1)

    w.at(1, 10)  # the second day: by hand only
    w.do("floor", h.NoteLogin(by="dora", person="dora", ok=False))
    w.do("floor", h.NoteLogin(by="dora", person="dora", ok=True))
    loaded = c.LoadCredits(
        by="carl", session="ben", cents=4_000, reason="goodwill", window=1, shift=1
    )
    w.cash(HAND, loaded, 4_000)
    stuck = c.LoadCredits(
        by="carl", session="T2:b", cents=90_000, reason="a bill that stuck", window=1, shift=1
    )
    w.cash(HAND, stuck, 90_000)
    w.open(HAND, "T2:b banker 4000,ben player 30")
    w.deal(HAND, "2s 3h 4d 6c")
    w.open(HAND, "T2:b player 40,ben tie 10")
    w.deal(HAND, "8s 9h Kd Kc", settle=False)
    w.by_two(HAND, c.CorrectCard(by="dora", slot="p1", card="9s"))
    w.do(HAND, c.Settle(by="dora"))
    w.open(HAND, "T2:b banker 50,ben banker 20")
    w.do(HAND, c.CloseBets(by="dora"))
    w.do(HAND, c.EnterCard(by="dora", card="2h"))
    w.do(HAND, c.DeclareIrregularity(by="dora", ground="malfunction", detail="the scanner died"))
    w.by_two(HAND, c.VoidRound(by="sam"))
    w.open(HAND, "T2:b player 60,ben player 20")
    w.deal(HAND, "9s 2h Kd 4c")
    bens = w.store.stream(HAND).balances["session:ben"]
    w.cash(HAND, c.CashOut(by="carl", session="ben", window=1, shift=1), -bens)
    w.by_two(HAND, c.Reopen(by="sam", ground="wrong-card-count"))
    w.by_two(HAND, c.Resume(by="sam"))
    w.do(HAND, c.Settle(by="dora"))
    rulings(w)
    w.at(1, 15)
    w.do(HAND, c.HaltTable(by="sam", reason="a spilt drink"))
    w.do(HAND, c.RestartTable(by="sam"))
    w.sit(QUICK, "T2:c")
    w.do(HAND, c.IssueVoucher(by="T2:b", session="T2:b", voucher="v-1", valid_ms=30 * DAY_MS))
    w.do(QUICK, c.RedeemVoucher(by="T2:c", session="T2:c", voucher="v-1"))
    w.open(QUICK, "T2:c banker 100,early tie 10")
    w.deal(QUICK, "2s 9h 3d Kc")
    w.do("floor", h.ExcludePatron(by="sam", patron="p9", reason="asked for it"))
    w.midnight(2)

    w.at(2, 8)
    w.do(QUICK, c.EndShoe(by="sam"))
    w.do(QUICK, c.NewShoe(by="sam", decks=8, dealing="physical"))  # another game in reports
    w.sit(QUICK, "gil", 100_000)
    w.play(QUICK, 8, ("T2:c", "gil"))
    w.do("floor", h.StopFloor(by="sam", reason="a drill"))
    w.do("floor", h.StartFloor(by="sam"))
    w.sit(HAND, "ben", 150_000)
    w.open(HAND, "ben banker 30")
    w.deal(HAND, "2s 9h 3d Kc")
    w.by_two(HAND, c.Reopen(by="sam", ground="wrong-card-count"))
    w.by_two(HAND, c.VoidRound(by="sam"))
    w.do(QUICK, c.IssueVoucher(by="gil", session="gil", voucher="v-2", valid_ms=30 * DAY_MS))
    w.sit(QUICK, "T1:h", 1_500_000)
    w.cash(QUICK, c.CashOut(by="carl", session="T1:h"), -1_500_000)  # a hand pay
    w.do(CAGE, g.SellVoucher(by="carl", voucher="v-3", cents=25_000, valid_ms=3 * DAY_MS))
    w.do(CAGE, g.SellVoucher(by="carl", voucher="v-short", cents=4_400, valid_ms=3_600_000))
    w.do(CAGE, g.PayVoucher(by="carl", voucher="v-2"))
    w.midnight(3)

    w.at(3, 20)  # two vouchers have expired: of one nobody asks, the other is paid by two people
    w.do(CAGE, g.PayVoucher(by="carl", voucher="v-short"))
    w.do(CAGE, g.Approve(by="sue", proposal=1))
    w.do(QUICK, c.RedeemVoucher(by="T2:c", session="T2:c", voucher="v-3"))
    w.do(
        CAGE, g.SellVoucher(by="carl", voucher="v-4", cents=3_300, valid_ms=30 * DAY_MS)
    )  # and nobody redeems it
    w.do(CAGE, g.CountShift(by="carl", counted_cents=700_000))
    w.do(CAGE, g.ConfirmCount(by="sue", counted_cents=700_000))
    w.at(3, 23, 58)  # a round goes over midnight, and over the end of the month
    w.open(HAND, "ben player 70")
    w.do(HAND, c.CloseBets(by="dora"))
    w.open(VIRTUAL, "T1:a banker 25")
    w.midnight(4)
    w.deal(HAND)
    w.deal(VIRTUAL)
    w.play(VIRTUAL, 4, ("T1:a",))
    w.do(VIRTUAL, c.EndShoe(by="sam"))
    w.do(VIRTUAL, c.CloseTable(by="ada", reason="a new game"))
    w.do(VIRTUAL, c.OpenTable(by="ada", game="sands-elements"))
    w.do(VIRTUAL, c.NewShoe(by="sam", decks=8))
    w.play(VIRTUAL, 3, ("T1:a",))

    w.at(6, 12)
    w.play(VIRTUAL, 5, ("T1:a",))
    w.play(HAND, 4, ("ben",))
    w.do(CAGE, g.OpenShift(by="carl", float_cents=900_000))
    cents = w.store.stream(VIRTUAL).balances["session:T1:a"]
    paid = w.do(VIRTUAL, c.CashOut(by="carl", session="T1:a", window=1, shift=2))
    w.do(CAGE, g.NoteCash(by="floor", shift=2, table=VIRTUAL, entry=paid.seq, cents=-cents))
    w.open(HAND, "ben tie 10")  # and is still open
    w.store.close()
