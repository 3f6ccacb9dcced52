"""`staffing`: who worked where, and when."""

from __future__ import annotations

import click

from puntobanco.cli import console
from puntobanco.cli.options import json_option
from puntobanco_floor.cli.offline_admin import Desk, desk, show_list
from puntobanco_floor.domain.house.gaming_day import date_of
from puntobanco_floor.domain.stream_names import place_words
from puntobanco_floor.environment import wall_ms
from puntobanco_floor.reports.interval import interval, parse_day
from puntobanco_floor.reports.staffing_log import Spell
from puntobanco_floor.reports.staffing_log import staffing as staffing_of
from puntobanco_floor.store.reader import reading

COLUMNS = ("from", "to", "who", "role", "where", "what", "entries")


@click.command
@click.option("--day", metavar="DAY", help="A gaming day, as 2026-11-15; by default today.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@json_option
@desk
def staffing(found: Desk, day: str | None, as_csv: bool, as_json: bool) -> None:
    """The staffing log of a gaming day: who dealt, supervised, counted, where and when."""
    calendar = found.house.calendar
    wanted = parse_day(day) if day else date_of(calendar.day_at(wall_ms()))
    span = interval("daily", wanted, calendar)
    staff = {name: person.role for name, person in found.house.staff.items()}
    with reading(found.database) as reader:
        spells = staffing_of(reader, staff, start=span.start, end=span.end)
    if as_csv:
        click.echo(console.csv_text(COLUMNS, map(_cells, spells)), nl=False)
    else:
        show_list(COLUMNS, spells, _cells, as_json=as_json)


def _cells(spell: Spell) -> tuple[str, ...]:
    place = place_words(spell.place).en
    since = console.utc(spell.since)
    until = console.utc(spell.until)
    return since, until, spell.person, spell.role, place, spell.work, f"{spell.acts}"
