"""The floor: a node's parts, put together once. The code that starts and stops a node and the web's
handlers hold a `Floor`; every other part receives the parts it needs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import SessionEnded, ShoeChange, TerminalChanged
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import DAY_MS, Calendar
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.stream_names import CAGE, FLOOR, TABLE
from puntobanco_floor.environment import World
from puntobanco_floor.integrity.self_check import SelfCheck
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.metrics import FloorWork
from puntobanco_floor.service.cage_windows import Windows
from puntobanco_floor.service.cross_stream import Moves, Propagator
from puntobanco_floor.service.dispatch import Commands, Wagers
from puntobanco_floor.service.follower import Follower, Interest, Interests
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.patron_lookup import Patrons
from puntobanco_floor.service.patron_reviews import Reviews
from puntobanco_floor.service.pit.watch import Pit, may_be_watched
from puntobanco_floor.service.seats import Seats
from puntobanco_floor.service.staff_logins import Enrolment, Logins
from puntobanco_floor.service.subscriptions import LiveViews
from puntobanco_floor.service.terminals.connections import Broadcast, Heartbeat, Rooms, Shutdown
from puntobanco_floor.service.tickets import EndedSessions, Tickets
from puntobanco_floor.service.view_builder import Screens
from puntobanco_floor.service.voucher_numbers import Vouchers
from puntobanco_floor.settings import DEFAULTS, Settings
from puntobanco_floor.store.login_sessions import login_rows
from puntobanco_floor.store.patron_ids import PatronTable
from puntobanco_floor.store.store import Store
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_floor.transparency.mixer import Mixer
from puntobanco_floor.transparency.publication import Publication, folder_of

_log = logging.getLogger("puntobanco.floor")


class Floor:
    """The composition root of a node."""

    def __init__(
        self,
        store: Store,
        ring: KeyRing,
        *,
        database: str = "",
        demo: bool = False,
        settings: Settings = DEFAULTS,
        config: Path | None = None,
        world: World | None = None,
    ) -> None:
        """`database` is read for past rounds and reports; `config` is the settings' file."""
        self.store = store
        self.ring = ring
        self.database = database
        self.demo = demo
        self.settings = settings
        self.world = world or World()
        wall_ms = self.world.now_ms

        def now_ms() -> int:
            # an exclusion is not over because a clock was set forward
            return store.corrected(wall_ms())

        valid_ms = settings.voucher_days * DAY_MS

        self.work = FloorWork()
        self.rooms = Rooms()
        self.shutdown = Shutdown(self.rooms)
        self.heartbeat = Heartbeat(now_ms)
        self.follower = Follower(store)
        self.tickets = Tickets(ring, self._house, now_ms)
        self.patrons = Patrons(PatronTable(database), ring, now_ms, self._house)
        passwords = Passwords(ring, self.world.hasher)
        vouchers = Vouchers(ring, database)
        self.cage = Windows(store, ring, vouchers, database, valid_ms=valid_ms)
        self.pit = Pit(database, now_ms, self.follower.streams, self._calendar)
        self.commands = Commands(store, self.follower, self.cage, ring, passwords, database, now_ms)
        self.logins = Logins(
            self._house,
            ring,
            passwords,
            self.commands.ask_house,
            now=lambda: now_ms() / 1000,
            rows=login_rows(database),
            settings=settings,
            work=self.work,
            on_refused=self._login_refused,
        )
        self.enrolment = Enrolment(self.logins, partial(self.follower.caught_up, FLOOR))
        publication = Publication(folder_of(store.heads_file, settings.publication))
        self.log = LogKeeper(
            store.log, publication, settings, keys=store.ring_path, on_change=self._log_changed
        )
        store.on_connection = self.log.connected
        store.on_failing = partial(self._soon, self._show_store)
        self.mixer = Mixer(store, self.log)
        self.pit.watch.has_witnesses = bool(self.mixer.witnesses)
        self.screens = Screens(
            self.follower,
            self.rooms,
            self.cage,
            self.pit.watch,
            self.patrons,
            now_ms,
            demo=demo,
            public_odds=settings.odds_lab == "public",
            asks=settings.ask_marks,
            log=self.log,
            in_doubt=store.in_doubt,
        )
        self.broadcast = Broadcast(
            self.follower,
            self.screens,
            self.rooms,
            self.tickets,
            self.heartbeat,
            self.work,
            now_ms,
            most_waiting=settings.messages_waiting,
        )
        self.views = LiveViews(self.screens, self.logins, self.heartbeat, now_ms)
        cards_only = settings.cards_only and not demo
        self.wagers = Wagers(store, self.follower, self.pit.watch, self.work, now_ms, cards_only)
        self.ended = EndedSessions(now_ms)
        self.moves = Moves(store, self.follower, now_ms)
        self.seats = Seats(
            store,
            self.follower,
            self.commands,
            self.moves,
            self.tickets,
            self.ended,
            self.patrons,
            now_ms,
            ring=ring,
            vouchers=vouchers,
            valid_ms=valid_ms,
            guest_credits_cents=settings.guest_credits_cents if demo else 0,
            cards_only=cards_only,
        )
        self.reviews = Reviews(self.commands, database, now_ms)
        self.propagator = Propagator(store, self.follower, self.cage, self.moves, now_ms)
        self.self_check = SelfCheck(
            store.node.id, self._house, self.commands.ask_house, now_ms, settings, config
        )
        self.follower.interests = self._interests()

    def _house(self) -> HouseState:
        return self.follower.house

    def _login_refused(self, person: str, source: str) -> None:
        """An alarm in the pit."""
        self.pit.watch.login_refused(person, source, self.world.now_ms())
        self.views.changed(FLOOR)

    def _calendar(self) -> Calendar:
        return self.follower.house.calendar

    async def start(self) -> None:
        """Follow the journal from now on."""
        self._loop = asyncio.get_running_loop()
        if not self.log.is_open:
            await asyncio.to_thread(self.log.open)
        self.mixer.look()
        names = await self.follower.start()
        for name in names:
            if name.startswith(CAGE):
                self.cage.saw(name)
        self.follower.verify_set_up(demo=self.demo)
        if self.database:
            await self._look_at_cards()
        await self.propagator.start()
        self.pit.begin()
        if not self.demo:
            await self.self_check.start()
        self.store.block_watchers.append(partial(self._soon, self.views.changed))
        self.log.start()
        for state in self.follower.states().values():
            self.mixer.follow(state)

    async def stop(self) -> None:
        """Say that it ends as it should."""
        if not self.demo:
            await self.self_check.stop()
        await self.mixer.stop()
        await asyncio.to_thread(self.log.stop)

    def _soon(self, show: Callable[..., None], *what: str) -> None:
        """From a thread of the store or the log: do it on the event loop."""
        with suppress(RuntimeError, AttributeError):  # not started, or stopped
            self._loop.call_soon_threadsafe(show, *what)

    def _log_changed(self) -> None:
        """From a thread of the log: whether rounds may begin, what the pit shows of it, alarms."""
        self.store.behind = self.log.fault
        self._soon(self._show_log)

    def _show_store(self) -> None:
        self.pit.watch.writes_failed(self.store.failing, self.world.now_ms())
        self.views.changed(FLOOR)

    def _show_log(self) -> None:
        self.mixer.look()
        if self.pit.watch.log_troubled(self.log.status.as_alerts(), self.world.now_ms()):
            self.views.changed(FLOOR)

    async def _look_at_cards(self) -> None:
        """Give old rows of the table of patrons their MACs, once: the journal records it."""
        if not self.follower.house.cards_bound:
            cards = await self.patrons.bind()
            answer = await self.commands.ask_house(h.BindCards(by=FLOOR, cards=cards))
            await self.follower.caught_up(FLOOR, answer.seq)
            _log.info("cards are bound to their patrons from now on, %d rows from before", cards)
        lost = await self.patrons.look()
        if lost:
            _log.error(
                "new cards refused: no row of the table patrons leads to %d patrons whom the "
                "house protects; run puntobanco patron mend --from BACKUP",
                len(lost),
            )

    def _note_ended(self, _: str, entries: Sequence[Entry]) -> None:
        for entry in entries:
            for event in entry.events:
                if isinstance(event, SessionEnded) and not event.moved_to:
                    self.ended.add(event.session)

    def _interests(self) -> Interests:
        """List the parts that hear of committed entries, in the order in which they hear."""
        streams = self.follower.streams
        return Interests(
            Interest(self.log.saw),
            Interest(
                self.broadcast.cut_revoked, FLOOR, lambda kind: issubclass(kind, TerminalChanged)
            ),
            Interest(self._note_ended, TABLE, lambda kind: issubclass(kind, SessionEnded)),
            Interest(
                lambda name, _: self.mixer.follow(streams[name].state),
                TABLE,
                lambda kind: issubclass(kind, ShoeChange),
            ),
            Interest(self.broadcast.tell, TABLE),
            Interest(self.pit.show, TABLE, may_be_watched),
            Interest(self.cage.saw, CAGE),
            Interest(self.views.changed),
            Interest(self.propagator.follow, wants=lambda kind: kind.traits.carried),
        )
