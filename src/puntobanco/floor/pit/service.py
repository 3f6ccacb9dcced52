"""The pit's room: the watch in a thread of its own, since exact odds are no work for the loop that
serves terminals.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import ParamSpec

from puntobanco.floor.cage import PaymentWaiting
from puntobanco.floor.pit.alerts import Watch, is_watched
from puntobanco.floor.pit.board import ALERTS_SHOWN, Board, pit_table
from puntobanco.floor.world import NowMs
from puntobanco.house.gaming_day import Calendar, date_of
from puntobanco.house.state import HouseState
from puntobanco.journal import Entry
from puntobanco.names import number_of
from puntobanco.storage.batch import Stream
from puntobanco.storage.reader import reading
from puntobanco.table.state import TableState

P = ParamSpec("P")
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

    def begin(self, states: Mapping[str, TableState]) -> None:
        """Take up the day so far, to where these tables stand."""
        if self._database:
            self._do(self._take_up, dict(states))

    def show(self, state: TableState, entries: Sequence[Entry]) -> None:
        """What was written at a table, and its state after it."""
        watched = [entry for entry in entries if is_watched(entry)]
        if watched:
            self._do(self.watch.saw, state, watched)

    def board(
        self,
        house: HouseState,
        streams: Sequence[Stream[TableState]],
        connected: Mapping[str, int],
        payments: Sequence[PaymentWaiting] = (),
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
            stopped=house.stopped,
            day=date_of(house.calendar.day_at(now)).isoformat(),
            tables=tables,
            payments=list(payments),
            alerts=list(islice(reversed(alerts.copy()), ALERTS_SHOWN)),
            alerts_in_all=len(alerts),
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

    def _do(self, work: Callable[P, object], *args: P.args, **named: P.kwargs) -> None:
        self._thread.submit(_logged, partial(work, *args, **named))


def _logged(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:
        _log.exception("the pit's watch failed")


def _number(stream: Stream[TableState]) -> int:
    return number_of(stream.name)
