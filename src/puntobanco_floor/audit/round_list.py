"""Past rounds as a list: newest first, a page at a time, with what a session staked and got."""

from __future__ import annotations

import puntobanco_floor.domain.events as e
from puntobanco.base.record import Record
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.store.reader import reading

ROUNDS_MOST = 20
"""Rounds of one page."""

ENTRIES_MOST = 5_000
"""Entries that one page looks through, however few rounds it finds there."""

_KINDS = (b"RoundSettled", b"RoundVoided")


class RoundRow(Record):
    """A round, and of its wagers those of the session that asks."""

    round: int
    at: int
    result: str  # as the roads write it, or VOID
    staked_cents: int
    back_cents: int  # stakes that came back and winnings


class RoundPage(Record):
    rounds: list[RoundRow]
    before: int | None  # the entry from which the next page goes back; none: there are no more


def round_page(
    database: str, table: str, session: str, *, before: int, mine: bool, since: int = 0
) -> RoundPage:
    """From the database, apart from the tables that play; back to `since`, when the session began.

    A round that was settled anew is listed as it was settled last.
    """
    found = dict[int, RoundRow]()
    seq = before
    with reading(database) as reader:
        for seq, data in reader.entries_before(table, before, most=ENTRIES_MOST):
            # most entries are wagers, and are passed over unread
            if not any(kind in data for kind in _KINDS):
                continue
            entry = reader.definitions.read(data, stream=table, seq=seq)
            if entry.at < since:
                return RoundPage(rounds=list(found.values()), before=None)
            for row in _rows(entry, session):
                if row.staked_cents or not mine:
                    found.setdefault(row.round, row)
            if len(found) == ROUNDS_MOST:
                break
    return RoundPage(rounds=list(found.values()), before=seq if seq > 1 else None)


def _rows(entry: Entry, session: str) -> list[RoundRow]:
    ends = [event for event in entry.events if isinstance(event, e.Outcome)]
    return [_row(end, entry.at, session) for end in ends]


def _row(end: e.RoundSettled | e.RoundVoided, at: int, session: str) -> RoundRow:
    lines = [line for line in end.lines if line.session == session]
    return RoundRow(
        round=end.round,
        at=at,
        result=end.result,
        staked_cents=sum(line.stake_cents for line in lines),
        back_cents=sum(line.paid_cents for line in lines),
    )
