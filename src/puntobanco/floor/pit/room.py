"""The pit's room: the watch in a thread of its own, since exact odds are no work for the loop that serves terminals."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec

from puntobanco.floor.pit.board import Board, pit_table
from puntobanco.floor.pit.watch import Watch, is_watched
from puntobanco.house.state import DAY_MS, HouseState
from puntobanco.journal import Entry, read_entry
from puntobanco.storage.reader import reading
from puntobanco.table.state import TableState

P = ParamSpec("P")
_log = logging.getLogger("puntobanco.pit")


class Pit:
    def __init__(self, database: str) -> None:
        """`database` is where the day so far is read from; none for a floor without one."""
        self.watch, self._database = Watch(), database
        self._thread = ThreadPoolExecutor(1, "puntobanco-pit")

    def begin(self, upto: Mapping[str, int]) -> None:
        """Take up the day so far, to these entries."""
        if self._database:
            self._do(self._take_up, upto)

    def show(self, state: TableState, entries: Sequence[Entry]) -> None:
        """What was written at a table, and its state after it."""
        watched = [entry for entry in entries if is_watched(entry)]
        if watched:
            self._do(self.watch.saw, state, watched)

    def board(self, house: HouseState, states: Sequence[TableState], connected: Mapping[str, int]) -> Board:
        now = int(time.time() * 1000)
        tables = [pit_table(s, self.watch, connected=connected.get(s.stream, 0), now=now) for s in states]
        alerts = list(reversed(self.watch.alerts))
        return Board(house=house.name, demo=house.demo, at=now, stopped=house.stopped, tables=tables, alerts=alerts)

    def _take_up(self, upto: Mapping[str, int]) -> None:
        midnight = int(time.time() * 1000) // DAY_MS * DAY_MS
        with reading(self._database) as reader:
            for name, last in upto.items():
                rows = reader.entries(name, after=reader.first_at(name, midnight) - 1, upto=last)
                self.watch.took_up(name, (read_entry(data, stream=name, seq=seq) for seq, data in rows))

    def _do(self, work: Callable[P, object], *args: P.args, **named: P.kwargs) -> None:
        self._thread.submit(_logged, partial(work, *args, **named))


def _logged(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:
        _log.exception("the pit's watch failed")
