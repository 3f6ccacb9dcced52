"""The pit's board: all tables as they stand, the day's figures, returns, edges, alerts, what waits
for a decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType

import msgspec

from puntobanco.base.words import Words
from puntobanco.rules.causes import words_of
from puntobanco.rules.game import MAIN_BETS
from puntobanco.rules.irregularities import title_of
from puntobanco_floor.audit.refusals import NoSuchRound
from puntobanco_floor.audit.round_replay import story
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.events import ScheduledChange
from puntobanco_floor.domain.house.gaming_day import date_of
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.proposals import Decided
from puntobanco_floor.domain.stream_names import number_of, place_words
from puntobanco_floor.domain.table.clock import due
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.service.cage_windows import PaymentWaiting
from puntobanco_floor.service.patron_reviews import PitAward, PitReview, pit_awards, pit_reviews
from puntobanco_floor.service.pit.approvals import Waiting, waiting
from puntobanco_floor.service.pit.fairness import BetReturn
from puntobanco_floor.service.pit.protection import (
    Protection,
    WorstCase,
    is_withheld,
    shown,
    worst_cases,
)
from puntobanco_floor.service.pit.watch import Alert, DayFigures, Edge, Watch, edges
from puntobanco_floor.store.batch import Stream
from puntobanco_floor.store.reader import reading
from puntobanco_floor.transparency.keeper import LogStatus
from puntobanco_floor.views.road_grids import Cell, roads_view
from puntobanco_floor.views.table_view import dealt_by, shuffled
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.entry.record import Record

ALERTS_SHOWN = 60
SILENT_MS = 10_000
"""A table that its clock owes a step for so long is not heard of any more."""


NO_DOUBT = MappingProxyType(dict[str, int]())


class PitStop(Record):
    """Why the round is stopped."""

    ground: str
    title: Words
    clause: str


class PitBet(Record):
    """A bet of the table, and whether it takes wagers."""

    bet: str
    title: Words
    closed: bool
    closable: bool  # whether it can be closed while others are open


class PitTable(Record):
    table: str
    number: int
    game: str
    title: Words | None  # none: never opened
    rules: str
    deck: str
    decks: int
    dealt_by: str  # "server" or "dealer"
    phase: str
    is_in_play: bool
    halted: Words | None
    closing: bool  # it closes when the round in play is over
    scheduled: tuple[ScheduledChange, ...]  # made when the round in play is over
    stop: PitStop | None
    silent: bool
    last_seen: int  # when the journal last heard of it
    shoe: int
    shuffled: Words | None  # who has a part in the shoe's order
    round: int
    cards: int  # on the table
    closes_at: int | None
    betting_ms: int
    sessions: int
    connected: int
    seats: int
    in_play_cents: int
    waiting: list[Waiting]  # proposals that wait for a second person
    decided: list[Decided]  # what became of the last ones; newest last
    reviews: list[PitReview]  # that patrons have asked for, and that wait for an answer
    awards: list[PitAward]  # answered reviews that an adjustment may pay
    cards_left: int | None
    big: tuple[Cell, ...]  # the big road
    figures: DayFigures
    returns: list[BetReturn]
    bets: list[PitBet]
    protection: Protection | None  # of the last round that is over; none while bets are open
    worst: list[WorstCase]  # of the round in play
    exposure_cents: int
    exposure_max_cents: int


class Board(Record):
    house: str
    demo: bool
    stopped: Words | None
    day: str  # the gaming day that the figures are of, as 2026-11-15
    tables: list[PitTable]
    payments: list[PaymentWaiting]  # at the cage, for who sees it
    alerts: list[Alert]  # the newest first, and not more than can be read
    alerts_in_all: int
    # patrons excluded or with limits to whom no card leads any more: no new card is taken
    unreachable: int = 0
    log: LogStatus | None = None  # the transparency log, as this node knows it
    failing: str = ""  # why this node stores nothing
    # streams of which this node does not know whether commands were recorded, and since when
    in_doubt: dict[str, int] = msgspec.field(default_factory=dict)


class RoundEdges(Record):
    """What every bet was worth when a round began that is over."""

    table: str
    round: int
    edges: list[Edge]


def build_board(
    watch: Watch,
    house: HouseState,
    streams: Sequence[Stream[TableState]],
    connected: Mapping[str, int],
    payments: Sequence[PaymentWaiting] = (),
    unreachable: int = 0,
    log: LogStatus | None = None,
    in_doubt: Mapping[str, int] = NO_DOUBT,
    *,
    now: int,
) -> Board:
    """Build the view of the whole pit; `connected` counts the terminals heard at each table."""
    standing = Counter(device.table for device in house.terminals.values() if not device.disabled)
    tables = [
        pit_table(
            stream,
            watch,
            connected=connected.get(stream.name, 0),
            terminals=standing[stream.name],
            now=now,
        )
        for stream in sorted(streams, key=lambda stream: number_of(stream.name))
    ]
    alerts = watch.alerts
    return Board(
        house=house.name,
        demo=house.demo,
        stopped=words_of(house.stopped) or None,
        day=date_of(house.calendar.day_at(now)).isoformat(),
        tables=tables,
        payments=list(payments),
        alerts=list(islice(reversed(alerts.copy()), ALERTS_SHOWN)),
        alerts_in_all=len(alerts),
        unreachable=unreachable,
        log=log,
        failing=watch.failing,
        in_doubt=dict(in_doubt),
    )


def pit_table(
    stream: Stream[TableState], watch: Watch, *, connected: int, terminals: int, now: int
) -> PitTable:
    """`terminals` stand at the table, of which `connected` are heard."""
    state = stream.state
    round_ = state.round
    game = state.game
    shoe = state.shoe
    cards = 0
    stakes = 0
    exposure = 0
    if round_ and state.is_in_play:
        cards = len(round_.play.cards)
        stakes = sum(round_.stakes.values())
        exposure = round_.exposure_cents
    decks = state.cards.decks or (game.default_decks if game else 0)
    if shoe:
        decks = shoe.decks
    owed = due(state)
    return PitTable(
        table=state.stream,
        number=number_of(state.stream),
        game=game.id if game else "",
        title=game.title if game else None,
        deck=game.deck.id if game else "",
        rules=game.edition if game else "",
        decks=decks,
        dealt_by=dealt_by(shoe),
        phase=state.phase,
        is_in_play=state.is_in_play,
        halted=words_of(state.halted) or None,
        closing=state.closing,
        scheduled=state.scheduled,
        stop=_stop(state),
        silent=owed is not None and now - owed.at > SILENT_MS,
        last_seen=state.at,
        shoe=shoe.number if shoe else 0,
        shuffled=shuffled(state),
        round=state.rounds,
        cards=cards,
        closes_at=round_.closes_at if round_ and state.phase == "betting" else None,
        betting_ms=state.clock.betting_ms,
        sessions=len(state.sessions),
        connected=connected,
        seats=max(connected, terminals, len(state.sessions)),
        in_play_cents=stakes,
        waiting=waiting(state, stream.balances, now, stream.machine),
        decided=list(state.proposals.decided),
        reviews=pit_reviews(state),
        awards=pit_awards(state),
        cards_left=shoe.cards_left if shoe else None,
        big=roads_view(state.results).big,
        figures=watch.figures(state.stream, now),
        returns=watch.returns(state.stream),
        bets=_bets(state),
        protection=shown(watch.protection(state.stream), state),
        worst=worst_cases(state),
        exposure_cents=exposure,
        exposure_max_cents=state.limits.exposure_max_cents if state.limits else 0,
    )


def _bets(state: TableState) -> list[PitBet]:
    game = state.game
    limits = state.limits
    if game is None or limits is None:
        return []
    return [
        PitBet(
            bet=bet.id,
            title=bet.title,
            closed=limits.bets[bet.id].closed,
            closable=bet.id not in MAIN_BETS,
        )
        for bet in game.bets
    ]


def _stop(state: TableState) -> PitStop | None:
    stop = None
    if state.round and state.phase == "stopped":
        stop = state.round.stop
    if stop:
        title = title_of(stop.ground)
        return PitStop(ground=stop.ground, title=title, clause=stop.clause)
    return None


def round_edges(database: str, playing: TableState, number: int) -> RoundEdges:
    """Return the edges of a round that is over; of the shoe in play not while bets are open."""
    table = playing.stream
    try:
        with reading(database) as reader:
            found = story(reader, table, number)
    except Fault:
        raise NoSuchRound(say.NO_ROUND.format(number, place_words(table))) from None
    over = found.after.rounds > number or not found.after.is_in_play
    shoe = found.before.shoe
    if not over or shoe is None:
        raise NoSuchRound(f"round {number} is still played; its edges are told when it is over")
    if is_withheld(shoe.number, playing):
        raise NoSuchRound("edges of the shoe in play are told while no bets are open")
    return RoundEdges(table=table, round=number, edges=edges(found.game, shoe.left))
