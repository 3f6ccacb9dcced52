"""Shoes that were not mixed: counted by the day, an alarm above the named rate, in the pit and in reports."""

import msgspec
import pytest

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.reports.figures import UNMIXED_LEAST, UNMIXED_RATE, Shuffles
from puntobanco_floor.service.pit.watch import Watch, is_watched, may_be_watched

STARTED = e.ShoeStarted(
    shoe=1, source="shoe", dealing="virtual", decks=8, cut=14, burn=0, commitment="ab" * 32
)
NAMED = msgspec.structs.replace(STARTED, mix=("wit",), mix_keys=("",), log="log")
MIXED = e.ShoeMixed(shoe=1, signatures={}, seed="")
ABANDONED = e.ShoeEnded(shoe=1, abandoned=True)


def counted(*events: e.Event) -> Shuffles:
    found = Shuffles()
    for event in events:
        found.saw(event)
    return found


def test_each_shoe_is_counted_once_by_who_had_a_part_in_its_order() -> None:
    found = counted(NAMED, MIXED, e.ShoeEnded(shoe=1), NAMED, ABANDONED, STARTED)
    assert (found.shoes, found.mixed, found.abandoned, found.alone) == (3, 1, 1, 1)


@pytest.mark.parametrize("other", [{"dealing": "physical"}, {"source": "continuous"}])
def test_a_dealers_shoe_and_a_continuous_one_are_not_among_them(other: dict[str, str]) -> None:
    assert counted(msgspec.structs.replace(STARTED, **other)).shoes == 0


def test_the_alarm_is_at_the_rate_and_one_past_it() -> None:
    mixed = [NAMED, MIXED] * (UNMIXED_LEAST * UNMIXED_RATE.denominator - UNMIXED_LEAST)
    at_the_rate = counted(*mixed, *[STARTED] * UNMIXED_LEAST)
    assert at_the_rate.unmixed == UNMIXED_RATE * at_the_rate.shoes
    assert not at_the_rate.are_too_many()
    at_the_rate.saw(STARTED)
    assert at_the_rate.are_too_many()


def test_fewer_than_the_least_are_no_alarm() -> None:
    assert not counted(NAMED, *[ABANDONED] * (UNMIXED_LEAST - 1)).are_too_many()
    assert counted(NAMED, *[ABANDONED] * UNMIXED_LEAST).are_too_many()


def test_a_floor_without_witnesses_has_no_alarm_and_one_with_them_has() -> None:
    alone = counted(*[STARTED] * 50)
    assert not alone.are_too_many()
    assert alone.are_too_many(has_witnesses=True)


def test_the_pit_is_told_once_and_again_when_there_are_twice_as_many() -> None:
    watch = Watch()
    watch.has_witnesses = True
    state = TableState(stream="table:1")
    for seq in range(1, 14):
        entry = Entry(
            stream="table:1",
            seq=seq,
            at=1_000,
            by="clock",
            command="new-shoe",
            id="",
            rules="",
            prev="",
            salt="",
            events=(STARTED,),
            epoch=1,
        )
        assert is_watched(entry)
        assert any(may_be_watched(type(event)) for event in entry.events)
        watch.saw(state, [entry])
    assert [alert.kind for alert in watch.alerts] == ["shoes"] * 3  # at 3, 6 and 12
    assert "shuffled by the house alone 3, of 3" in watch.alerts[0].text.en


def test_an_abandoned_shoe_is_a_significant_event() -> None:
    assert "abandoned" in ABANDONED.reported()
    assert not e.ShoeEnded(shoe=1).reported()
