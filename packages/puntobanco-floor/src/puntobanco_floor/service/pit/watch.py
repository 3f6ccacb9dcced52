"""The watch: fed with every entry as the floor follows it, it keeps the day's figures and raises
alerts; and its thread, since exact odds are no work for the loop that serves terminals.

It is for staff alone. An edge is worked out only when a round is settled or void, never of one open
for bets.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.odds.par import par_sheet
from puntobanco.rules.cards import codes, parse_cards
from puntobanco.rules.game import Game
from puntobanco.rules.round import Round
from puntobanco.rules.shoe import Shoe
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.house.gaming_day import Calendar
from puntobanco_floor.domain.house.state import WRONG_TRIES
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.reports.figures import Figures, Shuffles
from puntobanco_floor.service.pit.advantage import PastShoes, ShoePlays, Suspects
from puntobanco_floor.service.pit.alert_facts import Fact, said, total_words, who_words
from puntobanco_floor.service.pit.fairness import BetReturn, Returns
from puntobanco_floor.service.pit.protection import Protection, protection
from puntobanco_floor.store.batch import Stream
from puntobanco_floor.store.reader import reading
from puntobanco_proof.entry.record import Record

LARGE_WIN_CENTS = 1_000_000
LARGE_WAGER_CENTS = 500_000
LATE_ATTEMPTS = 3
MAX_ALERTS = 1_000
MAX_LATE = 200_000
MAX_SUSPECTS = 200_000
"""Patrons and bets whose stakes are compared; those not seen for longest are forgotten."""
MAX_SOURCES = 10_000

Work = Callable[[], None]
_log = logging.getLogger("puntobanco.pit")

_LATE = Words("{}: {} wagers refused after the close", "{}：截止後 {} 次投注被拒")
_WAGERS = Words("{} wagers", "{} 次投注")
_COMMAND_LINE = Words("the command line", "命令列")
_LOGINS = Words("{} logins of staff were refused from {}", "職員登入被拒 {} 次，來自{}")
_TRIES = Words("{} tries", "{} 次嘗試")
_UNFAIR = Words("{} does not come as often as fair cards have it", "{}出現的次數與公平發牌不符")
_WON = Words("{0} won {1} on {2}", "{0} 在{2}贏得 {1}")
_PUT = Words("{0} put {1} on {2}", "{0} 在{2}投注 {1}")
_NOT_STORED = Words(
    "Nothing is recorded at this node: {}; check the disk of the database",
    "本節點未能記錄：{}；請檢查資料庫磁碟",
)
_FOLLOWS = Words(
    "{}: more is staked on {} when the shoe favours the patron", "{}：牌靴對客人有利時，{}注額較大"
)


class Alert(Record):
    number: int  # from 1, in the order in which they were raised
    at: int
    # one of "large-win", "large-wager", "return", "spread", "late", "logins", "log", "shoes" and
    # "store"
    kind: str
    table: str  # empty where it is about the house
    round: int
    session: str
    text: Words
    facts: tuple[Fact, ...]  # the evidence


class Edge(Record):
    """A patron's edge on a bet of a closed round, per dollar; the bonus at the least wager."""

    bet: str
    title: Words
    edge: float
    with_bonus: float


class DayFigures(Record):
    """A table's day so far, from the journal."""

    drop_cents: int
    win_cents: int
    hold: float | None  # win over drop
    rounds: int
    voids: int
    voided_cents: int
    staked_cents: int


class Watch:
    """Every table of a floor."""

    def __init__(self, calendar: Callable[[], Calendar] = Calendar) -> None:
        """`calendar` is of the house as it now is: by default with days in UTC."""
        self._calendar = calendar
        self.alerts = deque[Alert](maxlen=MAX_ALERTS)
        self._log_troubles: tuple[str, ...] = ()
        self.failing = ""  # why this node stores nothing
        self._days = dict[str, tuple[int, Figures]]()  # of the gaming day of that number
        self._returns = dict[str, Returns]()
        self._plays = ShoePlays()
        self._suspects = Suspects(MAX_SUSPECTS)
        self._late = Counter[tuple[str, int, str]]()
        self._refused = Counter[str]()  # logins, by the address that they came from
        self._protection = dict[str, Protection]()
        self._raised = 0
        self.has_witnesses = False  # that mix the shoes of this floor
        self._shuffles = dict[int, Shuffles]()  # of the gaming day, all tables
        self._unmixed_said = 0  # how many there were when that was last an alert

    def saw(self, state: TableState, entries: Sequence[Entry]) -> None:
        """Count the day's figures and note large stakes and wins. Quick: no odds."""
        table = state.stream
        for entry in entries:
            figures = self._day(table, entry.at)
            for event in entry.events:
                _count(figures, event)
                if e.shuffled_by(event):
                    self._shuffled(event, entry.at)
                elif isinstance(event, e.Wagered) and _is_large(event):
                    self._large_wager(state, event, entry.at)
                elif isinstance(event, e.Outcome) and (play := _play(state, event)):
                    self._large_wins(state, play, event, entry.at)

    def worked_out(self, state: TableState, entries: Sequence[Entry]) -> None:
        """The same entries held against exact odds; the first of a game take seconds."""
        table = state.stream
        today, _ = self._days[table]
        for entry in entries:
            is_today = self._calendar().day_at(entry.at) == today
            for event in entry.events:
                if shoe := e.shoe_over(event):
                    self._plays.over(table, shoe, entry.at)
                elif isinstance(event, e.Outcome) and (play := _play(state, event)):
                    self._plays.settled(state, play, event, entry.at)
                    if is_today:
                        self._counted(state, play, event, entry.at)
        self.looked_at(state)

    def looked_at(self, state: TableState) -> None:
        """Keep the edges that a finished round had, once for each round."""
        known = self._protection.get(state.stream)
        round_ = state.round
        if known and round_ and (known.shoe, known.round) == (round_.shoe, round_.number):
            return
        found = protection(state)
        if found is not None:
            self._protection[state.stream] = found

    def took_up(self, state: TableState, entries: Iterable[Entry]) -> None:
        """Read today's entries from before the watch began, with their alerts and stakes."""
        past = PastShoes(self._plays, state)
        for entry in entries:
            if entry.seq == state.opened:
                # with another game, perhaps: what came before it does not count
                self._returns.pop(state.stream, None)
            for event in entry.events:
                _count(self._day(state.stream, entry.at), event)
                if e.shuffled_by(event):
                    self._shuffled(event, entry.at)
                if state.game is not None:
                    with suppress(Refusal):  # cards of another game
                        self._took_up(state, state.game, event, entry.at)
                    if entry.seq >= state.opened:
                        past.saw(event, entry.at)

    def _took_up(self, state: TableState, game: Game, event: e.Event, at: int) -> None:
        if isinstance(event, e.Outcome) and event.settles:
            cards = parse_cards(event.cards, game.deck)
            play = Round.start(game, _decks(state)).deal_all(cards)
            self._counted(state, play, event, at)
            self._large_wins(state, play, event, at)
        elif isinstance(event, e.Wagered) and _is_large(event):
            self._large_wager(state, event, at)

    def put_in_order(self) -> None:
        """Tables are taken up one after the other; their alerts stand by time."""
        found = sorted(self.alerts, key=lambda alert: alert.at)
        self.alerts.clear()
        self.alerts.extend(replace(alert, number=number) for number, alert in enumerate(found, 1))

    def was_late(self, table: str, round_: int, session: str, at: int) -> None:
        """A wager that came after the close; a few in one round are an alert."""
        key = (table, round_, session)
        self._late[key] += 1
        if self._late[key] == LATE_ATTEMPTS:
            text = _LATE.format(who_words(session), LATE_ATTEMPTS)
            refused = said("Turned away", _WAGERS.format(LATE_ATTEMPTS))
            self._alert(at, "late", table, round_, session, text, refused)
        if len(self._late) > MAX_LATE:
            self._late.clear()

    def login_refused(self, person: str, source: str, at: int) -> None:
        """A login that was refused; a few from one address are an alert, then twice as many."""
        self._refused[source] += 1
        tries = self._refused[source]
        is_doubled = tries % WRONG_TRIES == 0 and (tries // WRONG_TRIES).bit_count() == 1
        if is_doubled:
            where = Words(source) if source else _COMMAND_LINE
            text = _LOGINS.format(tries, where)
            facts = (
                said("Address", where),
                said("Last tried", person),
                said("Turned away", _TRIES.format(tries)),
            )
            self._alert(at, "logins", "", 0, "", text, *facts)
        if len(self._refused) > MAX_SOURCES:
            self._refused.clear()

    def _shuffled(self, event: e.Event, at: int) -> None:
        """Too many shoes of the day that were not mixed are an alert, then twice as many."""
        day = self._calendar().day_at(at)
        if day not in self._shuffles:
            self._shuffles, self._unmixed_said = {day: Shuffles()}, 0
        counted = self._shuffles[day]
        counted.saw(event)
        is_said = counted.unmixed < max(1, 2 * self._unmixed_said)
        if not is_said and counted.are_too_many(has_witnesses=self.has_witnesses):
            self._unmixed_said = counted.unmixed
            facts = (
                said("Shoes today", str(counted.shoes)),
                said("Mixed by witnesses", str(counted.mixed)),
                said("Abandoned", str(counted.abandoned)),
                said("By the house alone", str(counted.alone)),
            )
            self._alert(at, "shoes", "", 0, "", counted.says(), *facts)

    def log_troubled(self, said: Sequence[str], at: int) -> bool:
        """Raise an alert once for each trouble of the log; return whether anything changed."""
        before, self._log_troubles = self._log_troubles, tuple(said)
        for text in said:
            if text not in before:
                self._alert(at, "log", "", 0, "", Words(text))
        return before != self._log_troubles

    def writes_failed(self, reason: str, at: int) -> None:
        """Note why this node stores nothing; an alert when that begins."""
        before, self.failing = self.failing, reason
        if reason and not before:
            self._alert(at, "store", "", 0, "", _NOT_STORED.format(reason))

    def figures(self, table: str, now: int) -> DayFigures:
        sums = self._day(table, now)
        drop = sums.drop_cents
        return DayFigures(
            drop_cents=drop,
            win_cents=sums.win_cents,
            hold=sums.win_cents / drop if drop else None,
            rounds=sums.rounds,
            voids=sums.voids,
            voided_cents=sums.voided_cents,
            staked_cents=sums.wagered_cents,
        )

    def returns(self, table: str) -> list[BetReturn]:
        found = self._returns.get(table)
        return found.view() if found else []

    def protection(self, table: str) -> Protection | None:
        """Of the last round that is over."""
        return self._protection.get(table)

    def _day(self, table: str, at: int) -> Figures:
        """What the table took and paid since the gaming day began."""
        day = self._calendar().day_at(at)
        number, figures = self._days.get(table, (None, Figures()))
        if number != day:
            figures = Figures()
            self._days[table] = day, figures
            self._returns.pop(table, None)
        return figures

    def _counted(self, state: TableState, play: Round, event: e.Outcome, at: int) -> None:
        """What came of a round, held against what fair cards have."""
        table = state.stream
        game = state.playing
        decks = _decks(state)
        returns = self._returns.get(table)
        if returns is None or (returns.game, returns.decks) != (game, decks):
            returns = self._returns[table] = Returns(game, decks)
        for what in returns.saw(play):
            text = _UNFAIR.format(_titled(game, what))
            self._alert(at, "return", table, event.round, "", text, *returns.facts(what))
        for line in event.lines:
            returns.took(line.bet, line.stake_cents, line.paid_cents)

    def _large_wins(self, state: TableState, play: Round, event: e.Outcome, at: int) -> None:
        table = state.stream
        for line in event.lines:
            if line.won_cents >= LARGE_WIN_CENTS:
                won = dollars(line.won_cents)
                title = _titled(state.playing, line.bet)
                text = _WON.format(who_words(line.session), won, title)
                facts = _large_win(line, play)
                self._alert(at, "large-win", table, event.round, line.session, text, *facts)

    def _large_wager(self, state: TableState, event: e.Wagered, at: int) -> None:
        stake = dollars(event.stake_cents)
        title = _titled(state.playing, event.bet)
        text = _PUT.format(who_words(event.session), stake, title)
        facts = [Fact(name="Stake", cents=event.stake_cents)]
        if event.change_cents != event.stake_cents:
            facts.append(Fact(name="Raised by", cents=event.change_cents))
        if state.limits and (own := state.limits.bets.get(event.bet)):
            facts.append(Fact(name="Most at this table", cents=own.max_cents))
        self._alert(at, "large-wager", state.stream, event.round, event.session, text, *facts)

    def compares(self) -> bool:
        """Do one piece of the comparison of a shoe that is over; False when none waits."""
        if not self._plays.ended:
            return False
        ended = self._plays.ended.popleft()
        if ended.play.works_out():
            self._plays.ended.appendleft(ended)
            return True
        play = ended.play
        for patron, bet, evidence in self._suspects.saw(play):
            session = play.sessions[patron]
            text = _FOLLOWS.format(who_words(session), _titled(play.game, bet))
            facts = evidence.facts()
            self._alert(ended.at, "spread", ended.table, play.round, session, text, *facts)
        return True

    def _alert(
        self, at: int, kind: str, table: str, round_: int, session: str, text: Words, *facts: Fact
    ) -> None:
        self._raised += 1
        alert = Alert(
            number=self._raised,
            at=at,
            kind=kind,
            table=table,
            round=round_,
            session=session,
            text=text,
            facts=facts,
        )
        self.alerts.append(alert)


def _count(figures: Figures, event: e.Event) -> None:
    for name, amount, _ in event.figures():
        figures.count(name, amount)


def _is_large(event: e.Wagered) -> bool:
    """Whether a stake was put there, or raised, that is large now."""
    return event.change_cents > 0 and event.stake_cents >= LARGE_WAGER_CENTS


def _play(state: TableState, event: e.Outcome) -> Round | None:
    """The cards of a settlement, where the table still shows its round."""
    round_ = state.round
    if event.settles and round_ and round_.number == event.round:
        return round_.play
    return None


def _large_win(line: e.Line, play: Round) -> list[Fact]:
    facts = [
        Fact(name="Stake", cents=line.stake_cents),
        Fact(name="Winnings", cents=line.winnings_cents, clause=line.clause),
    ]
    if line.bonus_cents:
        facts.append(Fact(name="Bonus", cents=line.bonus_cents, clause=line.bonus_clause))
    result = total_words(play.player_points, play.banker_points)
    facts.append(said("Result", result, cards=codes(play.cards)))
    return facts


def _decks(state: TableState) -> int:
    if state.shoe:
        return state.shoe.decks
    return state.playing.default_decks


def _titled(game: Game, bet: str) -> Words:
    """The title of a bet; a rank has none, and stays."""
    return next((each.title for each in game.bets if each.id == bet), Words(bet))


def edges(game: Game, shoe: Shoe) -> list[Edge]:
    """Exact, for the cards that could still come when the round began."""
    found = list[Edge]()
    for odds in par_sheet(game, shoe).bets:
        bet = odds.bet
        with_bonus = float(odds.ev_at(Fraction(bet.step_cents, 100)))
        edge = Edge(
            bet=bet.id,
            title=bet.title,
            edge=float(odds.ev),
            with_bonus=with_bonus,
        )
        found.append(edge)
    return found


def may_be_watched(kind: type[e.Event]) -> bool:
    """Whether the watch learns anything from events of this kind, or from some of them."""
    return kind.traits.group == "money" or issubclass(kind, e.Wagered | e.Reckoning | e.ShoeChange)


def is_watched(entry: Entry) -> bool:
    """Whether the watch has anything to learn from it; most wagers are not worth the way."""
    first = entry.events[0]
    if isinstance(first, e.Wagered):
        return _is_large(first)
    return any(
        event.traits.group == "money"
        or isinstance(event, e.Reckoning)
        or bool(e.shoe_over(event) or e.shuffled_by(event))
        for event in entry.events
    )


class Pit:
    """The thread of the watch."""

    def __init__(
        self,
        database: str,
        now_ms: NowMs,
        streams: Mapping[str, Stream[TableState]],
        calendar: Callable[[], Calendar] = Calendar,
    ) -> None:
        """`database` has the day so far, if there is one; `streams` are the tables as followed."""
        self.watch = Watch(calendar)
        self._calendar = calendar
        self._database = database
        self._now_ms = now_ms
        self._streams = streams
        self._thread = ThreadPoolExecutor(1, "puntobanco-pit")
        # three queues of one thread: an alert must not wait until the odds of every table are done,
        # and those not until every stake is compared
        self._at_once = deque[Work]()
        self._later = deque[Work]()
        self._last = deque[Work]()

    def begin(self) -> None:
        """Read the day so far, up to the present state of the tables."""
        if self._database:
            states = {name: stream.state for name, stream in self._streams.items()}
            self._do(self._at_once, partial(self._take_up, states))
            self._do(self._last, self._compare)

    def show(self, table: str, entries: Sequence[Entry]) -> None:
        """Pass on new entries of a table, whose state has followed them."""
        watched = [entry for entry in entries if is_watched(entry)]
        if watched:
            state = self._streams[table].state
            self._do(self._at_once, partial(self.watch.saw, state, watched))
            self._do(self._later, partial(self.watch.worked_out, state, watched))
            self._do(self._last, self._compare)

    def _take_up(self, states: Mapping[str, TableState]) -> None:
        today = self._calendar().span_at(self._now_ms())
        with reading(self._database) as reader:
            for name, state in states.items():
                before = reader.first_at(name, today.start) - 1
                entries = reader.decoded(name, after=before, upto=state.seq)
                self.watch.took_up(state, entries)
                self.watch.looked_at(state)
        self.watch.put_in_order()

    def _compare(self) -> None:
        """One piece, then what has become more urgent."""
        if self.watch.compares():
            self._do(self._last, self._compare)

    def _do(self, queue: deque[Work], work: Work) -> None:
        queue.append(work)
        with suppress(RuntimeError):  # the program is ending
            self._thread.submit(self._next)

    def _next(self) -> None:
        """One piece of work for each that was queued, perhaps another: what is quick goes first."""
        queue = self._at_once or self._later or self._last
        work = queue.popleft()
        try:
            work()
        except Exception:
            _log.exception(
                "the pit's watch failed; its figures or edges may lack a round, until a restart"
            )
