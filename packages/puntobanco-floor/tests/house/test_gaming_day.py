"""Gaming days: as a zone's clocks cut them, over changes of the clocks and of the house's mind."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.decide import due
from puntobanco_floor.domain.house.gaming_day import DAY_MS, Calendar, Cut, number_of
from puntobanco_floor.domain.refusals import NoSuchZone
from puntobanco_floor.reports.collection import read_calendar
from puntobanco_floor.store.reader import reading
from tests.house.test_house import HASH, House
from tests.support.forked import command_line

HOUR_MS = 3_600_000
ZONES = (
    "UTC",
    "Europe/Berlin",
    "Asia/Singapore",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Etc/GMT+12",
)


def at(text: str) -> int:
    """A time in UTC."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1_000


def day(text: str) -> int:
    return number_of(date.fromisoformat(text))


@pytest.mark.parametrize(
    ("zone", "starts", "of", "start", "hours"),
    [
        ("UTC", 0, "2026-03-29", "2026-03-29T00:00", 24),
        ("Asia/Singapore", 6 * 60, "2026-03-29", "2026-03-28T22:00", 24),
        ("Europe/Berlin", 0, "2026-03-28", "2026-03-27T23:00", 24),
        ("Europe/Berlin", 0, "2026-03-29", "2026-03-28T23:00", 23),
        ("Europe/Berlin", 0, "2026-10-25", "2026-10-24T22:00", 25),
        ("Europe/Berlin", 6 * 60, "2026-03-28", "2026-03-28T05:00", 23),
        ("Europe/Berlin", 6 * 60, "2026-10-24", "2026-10-24T04:00", 25),
        # 02:30 is left out on that day, and comes twice on this one
        ("Europe/Berlin", 150, "2026-03-29", "2026-03-29T01:30", 23),
        ("Europe/Berlin", 150, "2026-10-25", "2026-10-25T00:30", 25),
        # whose clocks change by half an hour
        ("Australia/Lord_Howe", 6 * 60, "2026-04-04", "2026-04-03T19:00", 24.5),
        ("Australia/Lord_Howe", 6 * 60, "2026-10-03", "2026-10-02T19:30", 23.5),
    ],
)
def test_a_day_begins_by_the_clocks_of_its_zone(
    zone: str, starts: int, of: str, start: str, hours: float
) -> None:
    calendar = Calendar((Cut(zone, starts),))
    number = day(of)
    assert calendar.start(number) == at(start)
    assert calendar.span_at(at(start)) == (number, at(start), at(start) + hours * HOUR_MS)
    assert calendar.day_at(at(start) - 1) == number - 1


CUTS = st.tuples(st.sampled_from(ZONES), st.integers(0, 1_439))


@given(
    first=CUTS,
    changes=st.lists(st.tuples(CUTS, st.integers(1, 400)), max_size=4),
    ms=st.integers(at("2009-01-01T00:00"), at("2031-01-01T00:00")),
)
def test_every_moment_is_of_one_day_and_days_follow_each_other(
    first: tuple[str, int], changes: list[tuple[tuple[str, int], int]], ms: int
) -> None:
    calendar = Calendar((Cut(*first),))
    today = calendar.day_at(at("2010-06-01T00:00"))
    for (zone, starts), days in changes:
        today += days
        changed = calendar.changed(today, zone, starts)
        assert changed.day > today
        calendar = calendar.plus(changed)
        today = calendar.day_at(changed.since)
    found = calendar.span_at(ms)
    assert found.start <= ms < found.end
    assert found.end - found.start <= 3 * DAY_MS
    assert calendar.day_at(found.end - 1) == found.day
    assert calendar.day_at(found.end) > found.day
    for cut in calendar.cuts[1:]:
        assert calendar.day_at(cut.since) == cut.day
        assert calendar.day_at(cut.since - 1) < cut.day


def house_in(zone: str, starts: int, now: str) -> House:
    found = House()
    found.now = at(now)
    opened = h.OpenHouse(
        by="init",
        house="Marina",
        administrator="root",
        verifier=HASH,
        zone=zone,
        day_starts=starts,
    )
    found.do(opened)
    return found


def test_a_house_in_singapore_ends_its_day_at_six_in_the_morning_there() -> None:
    house = house_in("Asia/Singapore", 360, "2026-11-15T21:59")
    assert house.state.day == day("2026-11-15")
    owed = due(house.state)
    assert owed is not None
    assert owed.at == at("2026-11-15T22:00")
    house.do(h.LimitPatron(by="p7", patron="p7", minutes=60))
    visit = h.EndVisit(by="floor", patron="p7", session="s", net_cents=0, played_ms=50 * 60_000)
    house.do(visit)
    assert house.until(at("2026-11-15T22:00")) == ["end-day"]
    assert house.state.day == day("2026-11-16")
    assert house.state.bounds("p7").play_left_ms == 60 * 60_000, "limits are of a gaming day"


def test_another_gaming_day_holds_from_the_end_of_this_one_and_past_days_stay() -> None:
    house = house_in("UTC", 0, "2026-11-15T12:00")
    house.do(h.SetGamingDay(by="root", zone="Europe/Berlin", day_starts=540))
    [changed] = house.do(h.SetGamingDay(by="root", zone="Asia/Singapore", day_starts=360))
    since = at("2026-11-16T00:00")
    first = day("2026-11-16")
    assert changed == e.GamingDaySet(
        zone="Asia/Singapore", day_starts=360, day=first, since=since
    ), "the last word before the day's end"
    assert len(house.state.calendar.cuts) == 2
    assert house.until(since) == ["end-day"]
    assert house.state.day == first
    assert house.until(at("2026-11-16T22:00")) == ["end-day"]
    assert house.state.day == day("2026-11-17")
    calendar = house.state.calendar
    spans = [calendar.start(day(f"2026-11-{n}")) for n in (15, 16, 17, 18)]
    assert spans == [
        at("2026-11-15T00:00"),
        since,
        at("2026-11-16T22:00"),
        at("2026-11-17T22:00"),
    ]


def test_a_later_start_makes_one_day_longer_and_none_is_counted_twice() -> None:
    house = house_in("UTC", 0, "2026-11-15T12:00")
    house.do(h.SetGamingDay(by="root", zone="UTC", day_starts=360))
    assert house.until(at("2026-11-16T06:00")) == ["end-day"]
    assert house.state.day == day("2026-11-16")
    assert house.until(at("2026-11-17T06:00")) == ["end-day"]
    assert house.state.day == day("2026-11-17")


def test_days_that_nobody_served_end_together_by_the_new_cut() -> None:
    house = house_in("UTC", 0, "2026-11-15T12:00")
    house.do(h.SetGamingDay(by="root", zone="Asia/Singapore", day_starts=360))
    house.now = at("2026-11-20T22:30")
    assert house.do(h.EndDay(by="clock")) == (e.DayEnded(day=day("2026-11-21")),)


def test_a_change_after_days_that_nobody_served_holds_from_the_end_of_this_day() -> None:
    house = house_in("UTC", 0, "2026-11-15T12:00")
    house.now = at("2026-11-20T12:00")
    [changed] = house.do(h.SetGamingDay(by="root", zone="UTC", day_starts=60))
    assert isinstance(changed, e.GamingDaySet)
    assert changed.since == at("2026-11-21T00:00")
    assert house.do(h.EndDay(by="clock")) == (e.DayEnded(day=day("2026-11-20")),)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", "Europe"])
def test_a_zone_that_nobody_knows_is_refused(zone: str) -> None:
    with pytest.raises(NoSuchZone):
        house_in(zone, 0, "2026-11-15T12:00")
    house = house_in("UTC", 0, "2026-11-15T12:00")
    with pytest.raises(NoSuchZone):
        house.do(h.SetGamingDay(by="root", zone=zone))
    with pytest.raises(r.AlreadyThere):
        house.do(h.SetGamingDay(by="root", zone="UTC"))


def shell(*words: str, text: str = "") -> str:
    done = command_line(*words, stdin=text)
    return done.stdout + done.stderr


@pytest.mark.long
def test_the_gaming_day_at_the_command_line(tmp_path: Path) -> None:
    place = ["--database", str(tmp_path / "floor.db")]
    init = ["init", *place, "--name", "Marina", "--password-file", "-", "--zone", "Asia/Singapore"]
    for wrong in ("6:00", "24:00", "06:60"):
        assert "is no time of day" in shell(*init, "--day-starts", wrong)
    assert "is set up" in shell(*init, "--day-starts", "06:00", text="long enough words\n")
    change = ["floor", "gaming-day", *place]
    assert "already" in shell(*change, "--zone", "Asia/Singapore", "--day-starts", "06:00")
    assert "is no time zone" in shell(*change, "--zone", "Mars/Olympus")
    said = shell(*change, "--zone", "Europe/Berlin", "--day-starts", "05:30")
    assert re.search(r"from .* 22:00 UTC on, a day starts at 05:30 in Europe/Berlin", said)
    with reading(str(tmp_path / "floor.db")) as reader:
        cuts = read_calendar(reader).cuts
    assert [(cut.zone, cut.starts) for cut in cuts] == [
        ("Asia/Singapore", 360),
        ("Europe/Berlin", 330),
    ]
    assert "for a new house" in shell("serve", *place, "--zone", "Asia/Singapore")
