"""Names of streams, sessions and patrons: `table:3`, `cage:1`, `T-07:0c4f5e6a`, `p-7f3k9m2q`."""

from __future__ import annotations

import re

from puntobanco.base.words import Words
from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.refusals import BadNumber

FLOOR = "floor"
"""The stream of the house."""

TABLE = "table:"
CAGE = "cage:"
MOST = 9_999_999

PATRON = "p-"
PATRON_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Without those that look like others."""

PATRON_LENGTH = 8
_PATRON_ID = re.compile(f"{PATRON}[{PATRON_LETTERS}]{{{PATRON_LENGTH}}}")
_GUEST = re.compile("g[0-9a-f]{16}")


_PLACES = {
    TABLE: Words("table {}", "賭枱 {}"),
    CAGE: Words("cage window {}", "{} 號帳房窗口"),
}
_HOUSE = Words("the house", "本場")


_BETS = {bet.id: bet.title for game in GAMES.values() for bet in game.bets}


def bet_words(bet: str) -> Words:
    """A bet as people call it, where only its id is at hand: an event has no game.

    >>> bet_words("element-bonus").en, bet_words("lucky-red").en
    ('Element Bonus', 'Lucky Red')
    """
    return _BETS.get(bet) or Words(bet.replace("-", " ").title())


def place_words(stream: str) -> Words:
    """A stream as people call it; what is no stream is not told.

    >>> place_words("table:3").en, place_words("cage:1").en, place_words("floor").en
    ('table 3', 'cage window 1', 'the house')
    """
    if stream == FLOOR:
        return _HOUSE
    kind, colon, number = stream.partition(":")
    said = _PLACES.get(kind + colon)
    if said is None or not number.isdigit():
        return Words(stream)
    return said.format(number)


def table_name(number: int) -> str:
    if not 1 <= number <= MOST:
        raise BadNumber("tables have numbers from 1 to 9,999,999")
    return f"{TABLE}{number}"


def is_table(stream: str) -> bool:
    return stream.startswith(TABLE)


def number_of(stream: str) -> int:
    """
    >>> number_of("table:12"), number_of("cage:1"), number_of("floor")
    (12, 1, 0)
    """
    return int(stream.partition(":")[2] or 0)


def in_order(stream: str) -> tuple[int, int]:
    """A key to sort by: tables by number, then windows, then the house.

    >>> sorted(["floor", "table:10", "cage:1", "table:2"], key=in_order)
    ['table:2', 'table:10', 'cage:1', 'floor']
    """
    kind = stream.partition(":")[0]
    rank = {"table": 0, "cage": 1}.get(kind, 2)
    return rank, number_of(stream)


def terminal_of(session: str) -> str:
    """The enrolled terminal where a session is; nothing for a guest.

    >>> terminal_of("T-07:0c4f5e6a7b8d"), terminal_of("g1234567890abcdef")
    ('T-07', '')
    """
    terminal, colon, _ = session.partition(":")
    return terminal if colon else ""


def is_session(name: str) -> bool:
    """Whether a name is a session's, at a terminal or a guest's: no card has a colon.

    >>> is_session("T-07:0c4f5e6a7b8d"), is_session("g1234567890abcdef"), is_session("ann")
    (True, True, False)
    """
    return ":" in name or _GUEST.fullmatch(name) is not None


def is_patron_id(name: str) -> bool:
    """Whether it is what the journal calls a patron by: random, and no card's.

    >>> is_patron_id("p-7f3k9m2q"), is_patron_id("4711-0815")
    (True, False)
    """
    return _PATRON_ID.fullmatch(name) is not None
