"""Intervals of reports, in gaming days: a day, the month, the year, the whole life up to it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Literal, NamedTuple, get_args

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.house.gaming_day import Calendar, date_of, number_of

Kind = Literal["daily", "month", "year", "life"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TITLES: dict[Kind, str] = {
    "daily": "Daily report",
    "month": "Month to date",
    "year": "Year to date",
    "life": "Life to date",
}


class BadDay(Refusal):
    """A day that no report can be of."""

    remedy = "Write the day as 2026-11-15, not in the future."


class Interval(NamedTuple):
    """From `start`, up to and not including `end`, in milliseconds."""

    kind: Kind
    start: int
    end: int


def interval(kind: Kind, day: date, calendar: Calendar) -> Interval:
    """
    >>> interval("month", date(1970, 2, 2), Calendar())
    Interval(kind='month', start=2678400000, end=2851200000)
    """
    end = calendar.start(number_of(day) + 1)
    if kind == "life":
        return Interval(kind, 0, end)
    first = {
        "daily": day,
        "month": day.replace(day=1),
        "year": day.replace(month=1, day=1),
    }[kind]
    return Interval(kind, calendar.start(number_of(first)), end)


def parse_day(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != text or not 1970 <= found.year < 9999:
        raise BadDay(f"{text!r:.40} is no day; write it as 2026-11-15")
    return found


def day_text(day: int) -> str:
    """Of a number of days since 1970."""
    return date_of(day).isoformat()


def moment(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms // 1000, UTC):%Y-%m-%d %H:%M:%S}"
