"""Committed entries go to the parts that they concern, in the order of the parts."""

from collections.abc import Callable, Sequence
from pathlib import Path

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.follower import Interest, Interests
from puntobanco_floor.store.open_store import open_store

WAGER = e.WagerPlaced(round=1, session="s1", bet="banker", stake_cents=500)
SEATED = e.SessionSeated(session="s1", patron="ann", since=1)
ENDED = e.SessionEnded(session="s1")


def entry(stream: str, seq: int, *events: e.Event) -> Entry:
    return Entry(
        stream=stream,
        epoch=1,
        id="",
        salt="",
        seq=seq,
        at=1,
        by="ann",
        command="any",
        rules="",
        prev="0" * 64,
        events=events,
    )


class Parts:
    """What each part heard, in order."""

    def __init__(self) -> None:
        self.heard = list[tuple[str, list[int]]]()
        self.asked = list[type[e.Event]]()
        self.interests = Interests(
            Interest(self._part("log")),
            Interest(self._part("ended"), "table:", self._ends),
            Interest(self._part("tables"), "table:"),
            Interest(self._part("carried"), wants=lambda kind: kind.traits.carried),
        )

    def _ends(self, kind: type[e.Event]) -> bool:
        self.asked.append(kind)
        return kind is e.SessionEnded

    def _part(self, name: str) -> Callable[[str, Sequence[Entry]], None]:
        def hear(_: str, entries: Sequence[Entry]) -> None:
            self.heard.append((name, [each.seq for each in entries]))

        return hear

    def tell(self, stream: str, *entries: Entry) -> list[tuple[str, list[int]]]:
        self.heard.clear()
        self.interests.tell(stream, entries)
        return list(self.heard)


def test_each_part_hears_of_the_entries_that_concern_it_in_the_order_of_the_parts() -> None:
    table = "table:1"
    told = Parts().tell(
        table,
        entry(table, 1, WAGER),
        entry(table, 2, SEATED, ENDED),
        entry(table, 3, WAGER, SEATED),
    )
    assert told == [("log", [1, 2, 3]), ("ended", [2]), ("tables", [1, 2, 3]), ("carried", [2, 3])]


def test_a_wager_reaches_only_the_parts_that_hear_of_wagers() -> None:
    parts = Parts()
    assert parts.tell("table:1", entry("table:1", 1, WAGER)) == [("log", [1]), ("tables", [1])]


def test_one_kind_in_two_sorts_of_streams_concerns_other_parts() -> None:
    parts, sealed = Parts(), e.PeriodSealed(period=1, snapshot="0" * 64)
    assert parts.tell("table:1", entry("table:1", 1, sealed)) == [("log", [1]), ("tables", [1])]
    assert parts.tell("cage:1", entry("cage:1", 1, sealed)) == [("log", [1])]
    assert parts.tell("floor", entry("floor", 1, sealed)) == [("log", [1])]


def test_a_part_is_asked_once_for_each_kind() -> None:
    parts = Parts()
    for n in range(3):
        parts.tell(f"table:{n}", entry(f"table:{n}", 1, WAGER, SEATED))
    assert parts.asked == [e.WagerPlaced, e.SessionSeated]


EVERY = frozenset(kind.__name__ for kind in e.EVENTS)


def test_the_floor_hands_each_kind_to_its_parts_in_this_order(tmp_path: Path) -> None:
    """The list by hand: a part that is dropped, moved or told less is seen."""
    store = open_store(str(tmp_path / "floor.db"), clock=False)
    try:
        interests = Floor(store, KeyRing.at(tmp_path / "floor.db.keys"))._interests()._interests
    finally:
        store.close()
    told = [
        (part.streams, frozenset(kind.__name__ for kind in e.EVENTS if part.wants(kind)))
        for part in interests
    ]
    carried = frozenset(kind.__name__ for kind in e.EVENTS if kind.traits.carried)
    pit = told[5][1]
    assert told == [
        ("", EVERY),  # the keeper of the transparency log
        ("floor", frozenset({"TerminalChanged"})),
        ("table:", frozenset({"SessionEnded"})),
        ("table:", frozenset({"ShoeStarted", "ShoeMixed", "ShoeEnded"})),
        ("table:", EVERY),  # terminals
        ("table:", pit),
        ("cage:", EVERY),
        ("", EVERY),  # views of the staff
        ("", carried),
    ]
    assert {"WagerPlaced", "WagerRaised", "RoundSettled", "RoundVoided", "ShoeEnded"} <= pit
    assert {"CreditsBought", "VoucherIssued"} <= pit
    assert "BetsOpened" not in pit
    assert {"MoveReserved", "HouseStopped"} & carried
