"""What the transparency log costs: wagers a second with its keeper and without, by turns, on both
stores; how far the log is behind at full load. `python -m benchmarks.log`.
"""

import asyncio
import itertools
import statistics
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import live
from benchmarks.timing import sized
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.settings import Settings
from puntobanco_floor.store.store import Store
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_floor.transparency.publication import Publication

WAGERS, TIMES = sized(60_000, 100), sized(3)
SWITCH_S = 0.0005
LOOK_S = 0.05


class Behind:
    """The longest that the log was behind, while somebody looks."""

    def __init__(self, keeper: LogKeeper) -> None:
        self.most_s, self._keeper = 0.0, keeper
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        while not self._done.wait(LOOK_S):
            self.most_s = max(self.most_s, self._keeper.status.behind_s)

    def stop(self) -> None:
        self._done.set()
        self._thread.join()


@contextmanager
def kept(store: Store, folder: Path) -> Iterator[Behind]:
    """A keeper beside the store, as a node runs it."""
    keeper = LogKeeper(
        store.log, Publication(folder / "published"), Settings(), keys=store.ring_path
    )
    keeper.open()
    keeper.step()
    store.watchers.append(keeper.saw)
    keeper.start()
    behind = Behind(keeper)
    try:
        yield behind
    finally:
        behind.stop()
        keeper.stop()


def sqlite(*, is_kept: bool) -> tuple[float, float]:
    """Wagers a second, and how far the log was behind."""
    bets = [bet.id for bet in live.GAME.bets[:5]]
    sessions = WAGERS // len(bets)
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = live.opened(folder, sessions)
        wagers = list[Command]()
        for bet in bets:
            wagers += [live.place(1, f"s{i}", bet) for i in range(sessions)]
        if not is_kept:
            took, most_s = table.all(wagers), 0.0
        else:
            with kept(table.store, Path(folder)) as behind:
                took = table.all(wagers)
                most_s = behind.most_s
        table.store.close()
    return WAGERS / took, most_s


def postgres(*, is_kept: bool) -> tuple[float, float]:
    from benchmarks import postgres as own  # noqa: PLC0415
    from puntobanco_floor.store.postgres import PostgresStore  # noqa: PLC0415
    from puntobanco_floor.store.schema_upgrade import migrate  # noqa: PLC0415
    from tests.storage.servers import database, server  # noqa: PLC0415

    own.WAGERS = WAGERS // 2
    with server() as address, database(address) as url, tempfile.TemporaryDirectory() as name:
        migrate(url)
        folder, ids = Path(name), map(str, itertools.count())
        with PostgresStore(url, keys=folder / "keys", heads=folder / "heads") as store:
            own.opened(store, "table:1", ids)
            work = own.clients(store, "table:1", own.wagers(), live.CLIENTS, ids)
            if not is_kept:
                took, most_s = asyncio.run(work), 0.0
            else:
                with kept(store, folder) as behind:
                    took = asyncio.run(work)
                    most_s = behind.most_s
    return own.WAGERS / took, most_s


def ratio(measure: Callable[..., tuple[float, float]], times: int = 1) -> tuple[float, float]:
    """Of the medians with and without, and the most seconds that the log was behind."""
    rates: dict[bool, list[float]] = {False: [], True: []}
    most_s = 0.0
    for _ in range(times):
        for is_kept in (False, True):
            rate, behind_s = measure(is_kept=is_kept)
            rates[is_kept].append(rate)
            most_s = max(most_s, behind_s)
    print({kept: [round(rate) for rate in some] for kept, some in rates.items()}, file=sys.stderr)
    return statistics.median(rates[True]) / statistics.median(rates[False]), most_s


def main() -> None:
    sys.setswitchinterval(SWITCH_S)  # as the server sets it
    for measure in (sqlite, postgres):
        part, most_s = ratio(measure, TIMES)
        print(f"{measure.__name__:10} {part:6.3f} of the wagers without; {most_s:4.1f} s behind")


if __name__ == "__main__":
    main()
