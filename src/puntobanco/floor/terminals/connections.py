"""Those who watch a table: one connection each, found by session, cut off when it does not read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from puntobanco.settings import DEFAULTS

MAX_QUEUE = DEFAULTS.messages_waiting
"""Messages that wait for a terminal; one that does not read them is cut off."""


def _nobody() -> None:
    """Nobody takes the messages yet."""


class Watching:
    """One connection at one table. Messages are bytes, made once for all who see the same; None is
    the last.
    """

    __slots__ = (
        "close",
        "flying",
        "is_cut",
        "is_over",
        "is_told",
        "key",
        "most",
        "queue",
        "session",
        "table",
        "wake",
    )

    def __init__(self, table: str, session: str, most: int = MAX_QUEUE, *, key: str = "") -> None:
        """At most `most` messages wait; `key` is the enrolled terminal's, as the house knows it."""
        self.table, self.session, self.most, self.key = table, session, most, key
        self.queue = deque[bytes | None]()
        # called when something was put; takes what it can, and never waits
        self.wake: Callable[[], None] = _nobody
        self.flying = 0  # commands that wait for their answers
        self.is_cut = False
        self.is_told = True  # something was put since the last beat
        self.is_over = False  # nothing that it sends is heard any more, even if it never reads why
        self.close = (
            4408,
            "too slow, or asked too much",
        )  # how the connection ends, where we end it

    def end(self, why: bytes) -> None:
        self.is_over = True
        self.put(why)
        self.put(None)

    def put(self, message: bytes | None) -> None:
        if self.is_cut:
            return
        if len(self.queue) >= self.most:
            self.is_cut = True
            self.queue.clear()
            message = None
        self.queue.append(message)
        self.is_told = True
        self.wake()


class Room:
    """Everybody who watches one table."""

    __slots__ = ("_all", "_by_session")

    def __init__(self) -> None:
        self._all = set[Watching]()
        self._by_session = dict[str, list[Watching]]()  # one patron may have several pages open

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Watching]:
        return iter(list(self._all))  # one that is told may leave

    def of(self, session: str) -> list[Watching]:
        return self._by_session.get(session, [])

    def add(self, terminal: Watching) -> None:
        self._all.add(terminal)
        self._by_session.setdefault(terminal.session, []).append(terminal)

    def discard(self, terminal: Watching) -> None:
        if terminal in self._all:
            self._all.remove(terminal)
            left = [
                other for other in self._by_session.pop(terminal.session) if other is not terminal
            ]
            if left:
                self._by_session[terminal.session] = left
