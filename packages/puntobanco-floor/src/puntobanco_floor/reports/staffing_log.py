"""The staffing log: who dealt, supervised, counted and paid, where, from when to when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.stream_names import CAGE, is_table
from puntobanco_floor.store.reader import Reader
from puntobanco_proof.entry.record import Record

SPELL_MS = 30 * 60_000
"""Who does nothing for so long was away: what comes after is another spell."""


COUNTS = ("count-shift", "confirm-count")
"""Commands: what follows from them depends on what was counted."""


class Spell(Record):
    """Somebody's work of one kind at one place, without a longer pause."""

    person: str
    role: Role
    place: str  # a table, a cage window, or the floor
    work: str
    since: int
    until: int
    acts: int  # entries that the person has signed for


def staffing(reader: Reader, staff: Mapping[str, Role], *, start: int, end: int) -> list[Spell]:
    """List the work from `start` until before `end`; a login without commands is work, too."""
    found = list[Spell]()
    for stream in reader.streams():
        first = reader.first_at(stream, start)
        last = reader.first_at(stream, end) - 1
        entries = reader.decoded(stream, after=first - 1, upto=last)
        found += spells(entries, staff)
    return sorted(found, key=lambda spell: (spell.since, spell.person, spell.place))


def spells(entries: Iterable[Entry], staff: Mapping[str, Role]) -> Iterator[Spell]:
    """Of one stream."""
    open_ = dict[tuple[str, str], Spell]()
    for entry in entries:
        role = staff.get(entry.by)
        if role is None:
            continue
        work = work_of(entry, role)
        before = open_.get((entry.by, work))
        if before is not None and entry.at - before.until <= SPELL_MS:
            longer = replace(before, until=entry.at, acts=before.acts + 1)
            open_[entry.by, work] = longer
            continue
        if before is not None:
            yield before
        person, place, at = entry.by, entry.stream, entry.at
        open_[person, work] = Spell(
            person=person, role=role, place=place, work=work, since=at, until=at, acts=1
        )
    yield from open_.values()


def work_of(entry: Entry, role: Role) -> str:
    """Name the work that an entry shows. A decision is supervision in any role."""
    traits = [event.traits for event in entry.events]
    groups = {each.group for each in traits}
    if entry.stream.startswith(CAGE):
        return "counted" if entry.command in COUNTS else "paid and took cash"
    if not is_table(entry.stream):
        return "logged in" if entry.command == "note-login" else "administered"
    if "money" in groups:
        return "paid and took cash"
    if "decisions" in groups or role != "dealer":
        return "supervised"
    return "dealt"
