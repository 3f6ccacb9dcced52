"""Everybody on the floor: terminals, dealers, staff. They look at a table, want something, and ask until answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from puntobanco.rules.cards import DECKS, Card, code, codes
from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import needs_shoe, undecided
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.domain.table.state import RoundState, TableState, slots_of
from puntobanco_floor.domain.table.stops import MALFUNCTION, MISREAD_CARD
from puntobanco_floor.store.batch import Answer
from tests.soak.clients import Client

if TYPE_CHECKING:
    from tests.soak.referee import Book
    from tests.soak.world import World

STAFF_LOAD_CENTS = 20_000
MAX_VOUCHERS_ABOUT = 20
LONG_SHOE = 8
"""Rounds after which staff change a shoe that need not be changed: a continuous one never need."""


class TableKind(NamedTuple):
    """What a table is opened with."""

    game: str
    is_virtual: bool
    source: str
    clock: Clock


def kinds(world: World, games: list[str]) -> list[TableKind]:
    """One table a game: two with virtual shoes, a shuffler where the rules have one, one or two with a dealer."""
    choice = world.chance.choice
    [shuffled] = [game for game in games if GAMES[game].basics.shuffler]
    games = [shuffled, *(game for game in games if game != shuffled)]

    def itself() -> Clock:
        return Clock(
            betting_ms=choice((20_000, 35_000, 60_000)),
            guard_ms=choice((0, 500, 2_000)),
            card_ms=choice((0, 0, 1_000)),
            pause_ms=choice((10_000, 20_000, 30_000)),
            automatic=True,
        )

    by_hand = Clock(betting_ms=choice((0, 15_000)), guard_ms=choice((0, 400)))
    last = choice((TableKind("", False, "shoe", by_hand), TableKind("", True, "shoe", itself())))
    found = [
        TableKind("", True, "continuous", itself()),
        TableKind("", True, "shoe", itself()),
        TableKind("", True, "shoe", itself()),
        TableKind(
            "", False, "shoe", Clock(betting_ms=20_000, guard_ms=1_000, closes_by_clock=True)
        ),
        last,
    ]
    return [kind._replace(game=game) for kind, game in zip(found, games, strict=True)]


class Terminal(Client):
    """A patron's screen: seats, buys in, wagers, races the close, cashes out, moves on; loses its connection."""

    table, session = "", ""
    sat = 0
    bought = 0
    round_played = 0

    def begin(self) -> None:
        self.world.after(self.chance.randint(3_000, 20_000), self._live)

    def _live(self) -> None:
        if not self.world.is_ending:
            self.world.after(self._act(), self._live)

    def _act(self) -> int:
        """Do something, or nothing; how long until the next look."""
        chance = self.chance
        if not self.is_online or self.waiting:
            return chance.randint(300, 2_000)
        if chance.random() < (0.03 if self.is_forgetful else 0.01):
            self._drop_out(chance.choice((500, 3_000, 40_000)))
            return 500
        if not self.session:
            self._sit_down()
            return 500
        book = self.world.view(self.table)
        state, credits_cents = book.state, book.credits.get(self.session, 0)
        if self.session not in state.sessions:
            self.session = ""
            return 500
        if (
            state.phase == "betting"
            and state.round
            and self.round_played != state.rounds
            and credits_cents >= 1_000
        ):
            return self._play(state, state.round)
        if not credits_cents and not (state.is_in_play and state.wagers_of(self.session)):
            self._buy()
            return 1_000
        if chance.random() < 0.02:
            self._leave(state)
        return chance.randint(1_000, 6_000)

    def _drop_out(self, ms: int) -> None:
        """The line is gone; a forgetful terminal starts again with nothing in mind, its numbers neither."""
        self.is_online = False
        self.world.after(ms, self._reconnect)
        if self.is_forgetful:
            self.forgotten += self.waiting.values()
            self.waiting.clear()
            self.last_id = 0

    def _reconnect(self) -> None:
        self.is_online = True

    def _sit_down(self) -> None:
        self.sat += 1
        table, session = self.chance.choice(list(self.world.kinds)), f"{self.name}.{self.sat}"

        def seated(answer: Answer | None) -> None:
            if answer is not None and answer.ok:
                self.table, self.session, self.round_played = table, session, 0

        patron = f"p{int(self.name[1:]) // 2}"  # two terminals may be one patron's
        self.ask(table, c.SeatSession(by=self.name, session=session, patron=patron), seated)

    def _buy(self) -> None:
        """A voucher from another table, the same that somebody else may try; else cash."""
        chance, pool = self.chance, self.world.pool
        if pool and chance.random() < 0.7:
            voucher = chance.choice(pool)

            def redeemed(_: Answer | None) -> None:
                # or it is tried once more, here or elsewhere
                if voucher in pool and chance.random() < 0.4:
                    pool.remove(voucher)

            self.ask(
                self.table,
                c.RedeemVoucher(by=self.name, session=self.session, voucher=voucher),
                redeemed,
            )
        elif chance.random() < 0.9:
            cents = chance.choice((20_000, 50_000, 123_456, 1_000_000))
            self.ask(self.table, c.BuyIn(by=self.name, session=self.session, cents=cents))
        else:
            self.ask(self.table, c.LeaveSeat(by=self.name, session=self.session), self._left)

    def _left(self, answer: Answer | None) -> None:
        if answer is not None and answer.ok:
            self.session = ""

    def _leave(self, state: TableState) -> None:
        if self.chance.random() < 0.3:
            self.ask(self.table, c.CashOut(by=self.name, session=self.session), self._left)
            return
        self.bought += 1
        voucher = f"{self.name}-v{self.bought}"
        expires = state.at + 120_000 if self.chance.random() < 0.1 else 2**53

        def issued(answer: Answer | None) -> None:
            self._left(answer)
            if answer is not None and answer.ok:
                self.world.pool.append(voucher)
                del self.world.pool[:-MAX_VOUCHERS_ABOUT]

        command = c.IssueVoucher(
            by=self.name, session=self.session, voucher=voucher, expires_at=expires
        )
        self.ask(self.table, command, issued)

    def _play(self, state: TableState, round_: RoundState) -> int:
        """One to three commands in this round, at once or as late as can be."""
        self.round_played = state.rounds
        chance, world = self.chance, self.world
        closes_at = round_.closes_at if round_.closes_at is not None else world.now + 8_000
        left = max(0, closes_at - world.now)
        races = chance.random() < 0.3
        wait = max(0, left + chance.randint(-40, 5)) if races else chance.randint(0, left // 2)
        for command in self._wagers(state):
            world.after(wait + chance.randint(0, 3), self._wager, self.table, self.session, command)
        return max(wait, left) + chance.randint(1_000, 5_000)

    def _wager(self, table: str, session: str, command: Command) -> None:
        if self.session == session and not self.world.is_ending:
            self.ask(table, command)

    def _wagers(self, state: TableState) -> list[Command]:
        chance, by, session = self.chance, self.name, self.session
        assert state.limits is not None
        bet = chance.choice([bet.id for bet in state.playing.bets])
        own, round_ = state.limits.bets[bet], state.rounds
        stake = own.min_cents + own.step_cents * chance.randint(0, 5)
        luck = chance.random()
        if luck < 0.02:
            stake += 1
        elif luck < 0.04:
            stake = own.max_cents + own.step_cents
        elif luck < 0.06:
            round_ -= 1
        found: list[Command] = [
            c.PlaceWager(by=by, round=round_, session=session, bet=bet, stake_cents=stake)
        ]
        if chance.random() < 0.25:
            by_cents = own.step_cents * chance.randint(1, 3)
            found.append(
                c.RaiseWager(by=by, round=round_, session=session, bet=bet, by_cents=by_cents)
            )
        if chance.random() < 0.15:
            part = chance.choice((None, own.step_cents))
            found.append(
                c.WithdrawWager(by=by, round=round_, session=session, bet=bet, by_cents=part)
            )
        return found


class Staff(Client):
    """Opens tables, changes shoes, proposes, approves and rejects; the other one does so too, at the same time."""

    def begin(self) -> None:
        self._called = set[str]()
        for stream in self.world.kinds:
            self._call(stream, self.chance.randint(0, 3_000))
        self.world.after(30_000, self._rounds)

    def notice(self, book: Book) -> None:
        if self._is_needed(book.state):
            self._call(book.stream, self.chance.randint(500, 5_000))

    def _is_needed(self, state: TableState) -> bool:
        if state.phase in ("down", "stopped") or state.proposals.waiting:
            return True
        if not self.world.kind_of(state.stream).is_virtual or state.is_in_play:
            return False
        return needs_shoe(state) or len(state.results) > LONG_SHOE

    def _call(self, stream: str, ms: int) -> None:
        if stream not in self._called and not self.world.is_ending:
            self._called.add(stream)
            self.world.after(ms, self._attend, stream)

    def _attend(self, stream: str) -> None:
        self._called.discard(stream)
        state = self.world.view(stream).state
        if not self._is_needed(state) or self.world.is_ending:
            return
        if not self.is_asking(stream):
            command = self._decision(state)
            if command is not None:
                self.ask(stream, command)
        self._call(stream, self.chance.randint(1_000, 6_000))

    def _decision(self, state: TableState) -> Command | None:
        chance, kind = self.chance, self.world.kind_of(state.stream)
        if state.phase == "down":
            limits = replace(default_limits(GAMES[kind.game]), staff_load_cents=STAFF_LOAD_CENTS)
            return c.OpenTable(by=self.name, game=kind.game, limits=limits, clock=kind.clock)
        if state.proposals.waiting:
            number = chance.choice(sorted(state.proposals.waiting))
            if state.proposals.waiting[number].by == self.name and chance.random() < 0.8:
                return None
            if chance.random() < 0.25:
                return c.Reject(by=self.name, proposal=number, reason="look again")
            return c.Approve(by=self.name, proposal=number)
        if state.phase == "stopped":
            assert state.round is not None
            return resolution(self.world, self.name, state.round)
        if state.shoe is not None:
            return c.EndShoe(by=self.name)
        return new_shoe(self.world, self.name, state.stream)

    def _rounds(self) -> None:
        """A walk over the floor: loads, clocks, limits, counts, a fault of the equipment, a table closed for lunch."""
        if self.world.is_ending:
            return
        stream = self.chance.choice(list(self.world.kinds))
        state = self.world.view(stream).state
        if state.game is not None and state.limits is not None and not self.is_asking(stream):
            self.ask(stream, self._something(state))
        self.world.after(self.chance.randint(20_000, 120_000), self._rounds)

    def _something(self, state: TableState) -> Command:
        chance, by, kind = self.chance, self.name, self.world.kind_of(state.stream)
        assert state.limits is not None
        match chance.choice(
            ("load", "load", "clock", "limits", "count", "malfunction", "malfunction", "close")
        ):
            case "load" if state.sessions:
                cents = chance.choice((5_000, STAFF_LOAD_CENTS + 1))
                return c.LoadCredits(
                    by=by, session=chance.choice(sorted(state.sessions)), cents=cents
                )
            case "clock":
                betting = chance.choice((15_000, 30_000, 60_000)) if kind.clock.betting_ms else 0
                return c.ChangeClock(by=by, clock=replace(kind.clock, betting_ms=betting))
            case "limits":
                apart = chance.choice((None, 50_000))
                return c.ChangeLimits(by=by, limits=replace(state.limits, differential_cents=apart))
            case "count":
                return c.CountShoe(by=by, cards=chance.choice((207, 208, 260)))
            case "close" if chance.random() < 0.2:
                return c.CloseTable(by=by, reason="lunch")
            case _:
                return c.DeclareIrregularity(by=by, ground=MALFUNCTION, detail="the screen is dark")


def new_shoe(world: World, by: str, stream: str) -> c.NewShoe:
    kind, chance = world.kind_of(stream), world.chance
    dealing = "virtual" if kind.is_virtual else "physical"
    cut, burn = chance.choice((14, 90, 120)), chance.choice((0, 0, 1, 10))
    return c.NewShoe(by=by, dealing=dealing, source=kind.source, decks=4, cut=cut, burn=burn)  # type: ignore[arg-type]


def resolution(world: World, by: str, round_: RoundState) -> Command:
    """What becomes of a stopped round; what cannot be is refused, and another way is tried."""
    chance, cards = world.chance, round_.play.cards
    if (
        cards
        and round_.stop is not None
        and round_.stop.ground == MISREAD_CARD
        and chance.random() < 0.6
    ):
        return _as_it_lies(world, by, round_)
    match chance.choice(("void", "resume", "reconstruct", "reconstruct")):
        case "void":
            return c.VoidRound(by=by)
        case "reconstruct" if cards and round_.dealing == "physical":
            order = list(cards)
            if chance.random() < 0.5:  # one was missed
                order.insert(chance.randint(0, len(order)), a_card(world, round_))
            return c.Reconstruct(by=by, order=codes(order))
        case _:
            return c.Resume(by=by)


def _as_it_lies(world: World, by: str, round_: RoundState) -> Command:
    """A misread card is another: corrected where it lies, or all of them dealt again."""
    chance, order = world.chance, list(round_.play.cards)
    place, true = chance.randrange(len(order)), a_card(world, round_)
    if chance.random() < 0.5:
        return c.CorrectCard(by=by, slot=chance.choice(list(slots_of(round_))), card=code(true))
    order[place] = true
    return c.Reconstruct(by=by, order=codes(order))


def a_card(world: World, round_: RoundState) -> Card:
    """From what the shoe still holds."""
    shoe = round_.play.shoe.without(round_.play.cards)
    return Card(world.chance.choices(shoe.deck.cards, weights=shoe.counts)[0])


class Dealer(Client):
    """Deals real cards and scans them; misdeals, misreads, and says so."""

    def __init__(self, world: World, name: str, table: str) -> None:
        super().__init__(world, name)
        self.table = table

    def begin(self) -> None:
        self.world.after(5_000, self._live)

    def _live(self) -> None:
        if self.world.is_ending:
            return
        if not self.waiting:
            command = self._next(self.world.view(self.table).state)
            if command is not None:
                self.ask(self.table, command)
        self.world.after(self.chance.randint(1_000, 4_500), self._live)

    def _next(self, state: TableState) -> Command | None:
        if undecided(state) is not None or state.phase in ("down", "stopped"):
            return None
        match state.phase:
            case "betting":
                return self._while_betting(state)
            case "closed" | "dealing":
                assert state.round is not None
                return self._card(state, state.round)
        return self._between(state)

    def _between(self, state: TableState) -> Command | None:
        by, luck = self.name, self.chance.random()
        if needs_shoe(state):
            return (
                c.EndShoe(by=by) if state.shoe is not None else new_shoe(self.world, by, self.table)
            )
        if luck < 0.02 and state.phase == "settled":
            ground = (
                "wrong-card-count"
                if luck < 0.01
                else MISREAD_CARD
                if luck < 0.015
                else self._ground(state)
            )
            return c.Reopen(by=by, ground=ground)
        if luck < 0.03:
            return c.BurnCards(by=by, unseen=self.chance.randrange(1, 4))
        return c.OpenBets(by=by) if luck < 0.4 else None

    def _while_betting(self, state: TableState) -> Command | None:
        assert state.round is not None
        luck = self.chance.random()
        if luck < 0.003:
            return c.DeclareIrregularity(by=self.name, ground=self._ground(state))
        return (
            c.CloseBets(by=self.name)
            if luck < (0.2 if state.round.deadline is None else 0.01)
            else None
        )

    def _card(self, state: TableState, round_: RoundState) -> Command:
        by, chance, luck = self.name, self.chance, self.chance.random()
        if round_.questioned and luck < 0.5:
            return c.EnterCard(by=by, card=round_.questioned)
        if luck < 0.01:
            return c.DeclareIrregularity(
                by=by, ground=self._ground(state), cards_left=chance.choice((None, 0))
            )
        if luck < 0.03 and round_.play.cards:
            slot = chance.choice(("p1", "b1", "p2", "b2", "p3", "b3"))
            return c.CorrectCard(by=by, slot=slot, card=code(a_card(self.world, round_)))
        if round_.play.is_complete:
            return c.Settle(by=by)
        if luck < 0.04:
            other = next(deck for deck in DECKS.values() if deck.id != state.playing.deck.id)
            return c.EnterCard(by=by, card=code(chance.choice(other.cards)))
        return c.EnterCard(by=by, card=code(a_card(self.world, round_)))

    def _ground(self, state: TableState) -> str:
        return self.chance.choice(
            [i.ground.id for i in state.playing.irregularities] + [MALFUNCTION, MISREAD_CARD]
        )
