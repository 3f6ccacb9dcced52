"""The pit's room: the watch in a thread of its own, since exact odds are no work for the loop that
serves terminals.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from types import MappingProxyType

from puntobanco.rules.causes import words_of
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.house.gaming_day import Calendar, date_of
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.stream_names import number_of
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.service.cage_windows import PaymentWaiting
from puntobanco_floor.service.pit.alerts import Watch, is_watched
from puntobanco_floor.service.pit.board import ALERTS_SHOWN, Board, pit_table
from puntobanco_floor.store.batch import Stream
from puntobanco_floor.store.reader import reading
from puntobanco_floor.transparency.keeper import LogStatus

Work = Callable[[], None]
NO_DOUBT = MappingProxyType(dict[str, int]())
_log = logging.getLogger("puntobanco.pit")


class Pit:
    def __init__(
        self, database: str, now_ms: NowMs, calendar: Callable[[], Calendar] = Calendar
    ) -> None:
        """`database` is where the day so far is read from; none for a floor without one."""
        self.watch = Watch(calendar)
        self._calendar = calendar
        self._database = database
        self._now_ms = now_ms
        self._thread = ThreadPoolExecutor(1, "puntobanco-pit")
        # three queues of one thread: an alert must not wait until the odds of every table are done,
        # and those not until every stake is compared
        self._at_once = deque[Work]()
        self._later = deque[Work]()
        self._last = deque[Work]()

    def begin(self, states: Mapping[str, TableState]) -> None:
        """Take up the day so far, to where these tables stand."""
        if self._database:
            self._do(self._at_once, partial(self._take_up, dict(states)))
            self._do(self._last, self._compare)

    def show(self, state: TableState, entries: Sequence[Entry]) -> None:
        """What was written at a table, and its state after it."""
        watched = [entry for entry in entries if is_watched(entry)]
        if watched:
            self._do(self._at_once, partial(self.watch.saw, state, watched))
            self._do(self._later, partial(self.watch.worked_out, state, watched))
            self._do(self._last, self._compare)

    def board(
        self,
        house: HouseState,
        streams: Sequence[Stream[TableState]],
        connected: Mapping[str, int],
        payments: Sequence[PaymentWaiting] = (),
        unreachable: int = 0,
        log: LogStatus | None = None,
        in_doubt: Mapping[str, int] = NO_DOUBT,
    ) -> Board:
        now = self._now_ms()
        standing = Counter(
            device.table for device in house.terminals.values() if not device.disabled
        )
        tables = [
            pit_table(
                stream,
                self.watch,
                connected=connected.get(stream.name, 0),
                terminals=standing[stream.name],
                now=now,
            )
            for stream in sorted(streams, key=_number)
        ]
        alerts = self.watch.alerts
        return Board(
            house=house.name,
            demo=house.demo,
            stopped=words_of(house.stopped).en,
            stopped_zh=words_of(house.stopped).zh,
            day=date_of(house.calendar.day_at(now)).isoformat(),
            tables=tables,
            payments=list(payments),
            alerts=list(islice(reversed(alerts.copy()), ALERTS_SHOWN)),
            alerts_in_all=len(alerts),
            unreachable=unreachable,
            log=log,
            failing=self.watch.failing,
            in_doubt=dict(in_doubt),
        )

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


def _number(stream: Stream[TableState]) -> int:
    return number_of(stream.name)
