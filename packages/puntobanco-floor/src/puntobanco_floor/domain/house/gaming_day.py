"""The gaming day: how a house cuts time into days, by its time zone and the minute its day starts.

A day is a number, of days since 1970, as the calendar of the zone has it: a gaming day from 06:00
is the day on which it starts. Where clocks change, a day has 23 or 25 hours.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from puntobanco_floor.domain.refusals import NoSuchZone

MINUTE_MS = 60_000
DAY_MS = 86_400_000

_EPOCH = date(1970, 1, 1)
_ZERO = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


class Span(NamedTuple):
    """A day: from `start`, up to and not including `end`."""

    day: int
    start: int
    end: int


class Cut(msgspec.Struct, frozen=True):
    """How days are cut from one of them on."""

    zone: str = "UTC"
    starts: int = 0  # minutes after midnight
    day: int = 0  # the first one,
    since: int = 0  # and when it starts: where the day before it ended

    def start(self, day: int) -> int:
        """Return when a day starts by the clocks of the zone. A time that clocks skip is as much
        later; of a time that comes twice it is the first.
        """
        if self.zone == "UTC":  # without the database of time zones
            return day * DAY_MS + self.starts * MINUTE_MS
        midnight = datetime.combine(date_of(day), time(), zone_of(self.zone))
        return (midnight + timedelta(minutes=self.starts) - _ZERO) // _MS

    def day_at(self, ms: int) -> int:
        day = ms // DAY_MS  # no zone is a whole day away from it, but with `starts` it may be two
        while self.start(day) > ms:
            day -= 1
        while self.start(day + 1) <= ms:
            day += 1
        return day


class Calendar(msgspec.Struct, frozen=True):
    """The days of a house, past ones as they were cut then."""

    cuts: tuple[Cut, ...] = (Cut(),)  # the oldest first

    def start(self, day: int) -> int:
        found = self.cuts[0].start(day)
        for cut in self.cuts[1:]:
            if day < cut.day:
                return min(found, cut.since)
            found = cut.start(day) if day > cut.day else cut.since
        return found

    def day_at(self, ms: int) -> int:
        cut = self.cut_at(ms)
        return max(cut.day, cut.day_at(ms))

    def span_at(self, ms: int) -> Span:
        day = self.day_at(ms)
        return Span(day, self.start(day), self.start(day + 1))

    def cut_at(self, ms: int) -> Cut:
        found = self.cuts[0]
        for cut in self.cuts[1:]:
            if cut.since <= ms:
                found = cut
        return found

    def changed(self, today: int, zone: str, starts: int) -> Cut:
        """Return another way to cut, from the end of `today` on. Days are not counted back: the
        first one may be some hours longer or shorter than others.
        """
        begun = Calendar(tuple(cut for cut in self.cuts if cut.day <= today))
        since = begun.start(today + 1)
        day = Cut(zone, starts).day_at(since)
        return Cut(zone, starts, max(day, today + 1), since)

    def plus(self, cut: Cut) -> Calendar:
        """One that has not begun yet is replaced."""
        kept = tuple(each for each in self.cuts if each.since < cut.since)
        return Calendar((*kept, cut))


def zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)  # which keeps those that it has read
    except (KeyError, ValueError, OSError):
        raise NoSuchZone(f"{name!r:.60} is no time zone; write it as Asia/Singapore") from None


def date_of(day: int) -> date:
    return _EPOCH + timedelta(days=day)


def number_of(day: date) -> int:
    """
    >>> number_of(date(1970, 2, 1)), date_of(31)
    (31, datetime.date(1970, 2, 1))
    """
    return (day - _EPOCH).days


def clock_text(minutes: int) -> str:
    """
    >>> clock_text(375)
    '06:15'
    """
    return f"{minutes // 60:02}:{minutes % 60:02}"
