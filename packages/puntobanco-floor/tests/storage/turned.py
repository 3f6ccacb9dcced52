"""The SQLite store without its writer thread: a test turns the writer, so that each write comes when the test says."""

import threading

from puntobanco_floor.store.sqlite import SqliteStore


class TurnedStore(SqliteStore):
    """`turn` writes all that waits and all that the clock owes."""

    def _start_writer(self) -> None:
        """The thread that `close` waits for is over already."""
        self._writer = threading.Thread(target=lambda: None)
        self._writer.start()

    @property
    def has_work(self) -> bool:
        return bool(self._waiting or self._owed())

    def turn(self) -> None:
        while self.has_work:
            self._batch()
