"""What each screen is sent: views of tables, sessions, the lobby, the pit, the cage and the house,
made from the streams as this node has followed them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from puntobanco.base.words import Words
from puntobanco.rules.causes import told_of, words_of
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.events import Line, Role
from puntobanco_floor.domain.stream_names import place_words
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.service import administration
from puntobanco_floor.service.cage_windows import PaymentWaiting, Windows, WindowView, session_rows
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.service.patron_lookup import Patrons
from puntobanco_floor.service.pit.board import Board, build_board
from puntobanco_floor.service.pit.watch import Watch
from puntobanco_floor.service.refusals import NoSuchTable
from puntobanco_floor.service.roles import may_see
from puntobanco_floor.service.terminals.connections import Rooms
from puntobanco_floor.store.batch import Stream
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_floor.views.dealer_view import DealerView, dealer_view
from puntobanco_floor.views.road_grids import Cell, Counts
from puntobanco_floor.views.table_view import (
    LastView,
    SessionView,
    TableView,
    lines_by_session,
    session_view,
    table_view,
)
from puntobanco_proof.entry.record import Record

LinesBySession = Mapping[str, tuple[Line, ...]]


class LobbyTable(Record):
    """A table as the lobby shows it."""

    table: str
    number: int
    game: str
    title: Words
    rules: str
    deck: str
    decks: int | None
    phase: str
    round: int
    shoe: int | None
    betting_ms: int | None
    closes_at: int | None
    announce_open: str
    announce_close: str
    halted: Words | None
    closing: bool
    counts: Counts
    last: LastView | None
    big: tuple[Cell, ...]
    min_cents: int
    max_cents: int
    closed: list[Words]  # titles of the bets that take no wagers now
    seated: int
    dealt_by: str
    seats: int = 0  # at most; 0: as many as come


class Lobby(Record):
    house: str
    demo: bool
    stopped: Words | None  # why no round opens anywhere
    odds: bool  # whether everybody may see the odds lab
    tables: list[LobbyTable]


class HouseView(Record):
    """What an administrator sees; a list is none where the role may not see it."""

    house: str
    demo: bool
    stopped: Words | None
    tables: list[administration.TableRow]
    staff: list[administration.StaffView] | None
    terminals: list[administration.TerminalView] | None
    exclusions: list[administration.ExclusionView] | None
    proposals: list[administration.HouseProposal]  # what waits for a second person
    by_two: bool  # whether staff and exclusions are changed by two people


@dataclass(frozen=True)
class Screens:
    """One method a screen. They only read."""

    follower: Follower
    rooms: Rooms
    windows: Windows
    watch: Watch
    patrons: Patrons
    now_ms: NowMs
    demo: bool
    public_odds: bool
    log: LogKeeper
    # streams with a commit whose outcome is not known, and since when; the store's own
    in_doubt: Mapping[str, int]
    asks: bool = False  # whether tables show ask marks
    # by table: the lines of the last settlement, and the same by session
    _lines: dict[str, tuple[tuple[Line, ...], LinesBySession]] = field(default_factory=dict)

    def tables(self) -> list[TableView]:
        """Those that were opened, by name."""
        views = (self._table(stream) for _, stream in sorted(self.follower.streams.items()))
        return [view for view in views if view is not None]

    def table(self, table: str) -> TableView:
        view = self._table(self.follower.stream(table))
        if view is None:
            raise NoSuchTable(say.NO_TABLE.format(place_words(f"{table:.40}")))
        return view

    def _table(self, stream: Stream[TableState]) -> TableView | None:
        return table_view(stream.state, demo=self.demo, asks=self.asks)

    def session(self, table: str, session: str) -> SessionView:
        stream = self.follower.stream(table)
        lines = self._lines_of(stream).get(session, ())
        return session_view(stream, session, lines)

    def _lines_of(self, stream: Stream[TableState]) -> LinesBySession:
        """A cache: the lines of a settlement are sorted once, for ten thousand who ask."""
        state = stream.state
        lines: tuple[Line, ...] = ()
        if state.round is not None and state.phase in ("settled", "void"):
            lines = state.round.lines
        known = self._lines.get(stream.name)
        if known is None or known[0] is not lines:
            known = self._lines[stream.name] = lines, lines_by_session(lines)
        return known[1]

    def lobby(self) -> Lobby:
        house = self.follower.house
        streams = self.follower.streams
        tables = list[LobbyTable]()
        for view in self.tables():
            tables.append(_lobby_table(view, streams[view.table].state))
        stopped = told_of(house.stopped)
        return Lobby(
            house=house.name,
            demo=self.demo,
            stopped=stopped or None,
            odds=self.public_odds,
            tables=tables,
        )

    def dealer(self, table: str) -> DealerView:
        stream = self.follower.stream(table)
        view = dealer_view(stream.state, self.now_ms(), demo=self.demo, machine=stream.machine)
        if view is None:
            raise NoSuchTable(say.NO_TABLE.format(place_words(f"{table:.40}")))
        return view

    async def pit(self, role: Role) -> Board:
        """With the payments that wait at the cage, for roles that see it."""
        payments = list[PaymentWaiting]()
        if may_see(role, "cage"):
            payments = await self.windows.waiting(self.now_ms())
        return build_board(
            self.watch,
            self.follower.house,
            list(self.follower.streams.values()),
            {name: len(room) for name, room in self.rooms.items()},
            payments,
            len(self.patrons.unreachable),
            self.log.status,
            self.in_doubt,
            now=self.now_ms(),
        )

    async def cage(self, window: int) -> WindowView:
        streams = self.follower.streams
        rows = session_rows(streams, lambda table, session: bool(self.rooms[table].of(session)))
        return await self.windows.view(window, rows, streams, self.now_ms())

    def house(self, role: Role) -> HouseView:
        house = self.follower.house
        now = self.now_ms()
        return HouseView(
            house=house.name,
            demo=self.demo,
            stopped=words_of(house.stopped) or None,
            tables=self.rows(),
            staff=administration.staff_of(house) if may_see(role, "staff") else None,
            terminals=administration.terminals_of(house, now)
            if may_see(role, "terminals")
            else None,
            exclusions=administration.exclusions_of(house) if may_see(role, "exclusions") else None,
            proposals=administration.proposals_of(house, self.follower.states().values()),
            by_two=house.by_two,
        )

    def rows(self) -> list[administration.TableRow]:
        """The tables with their limits and clocks."""
        return [
            administration.row_of(stream.state)
            for _, stream in sorted(self.follower.streams.items())
        ]


def _lobby_table(view: TableView, state: TableState) -> LobbyTable:
    shared = [name for name in LobbyTable.__struct_fields__ if hasattr(view, name)]
    taken = [bet for bet in view.bets if not bet.limits.closed]
    main = [bet for bet in taken if bet.main]
    limits = [bet.limits for bet in main or taken]
    closed = [bet.title for bet in view.bets if bet.limits.closed]
    return LobbyTable(
        **{name: getattr(view, name) for name in shared},
        big=view.roads.big,
        min_cents=min(limit.min_cents for limit in limits),
        max_cents=max(limit.max_cents for limit in limits),
        closed=closed,
        seated=len(state.sessions),
        seats=state.limits.seats if state.limits else 0,
    )
