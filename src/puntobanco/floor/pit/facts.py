"""Facts: what staff look at before they decide, each with its name, ready to be drawn."""

from __future__ import annotations

from puntobanco.events import Record


class Fact(Record):
    """One line of evidence: in words, or as money, or as cards; with the clause where a rulebook
    says it.
    """

    name: str
    text: str = ""
    cents: int | None = None
    cards: str = ""
    clause: str = ""


def total_text(player: int, banker: int) -> str:
    """
    >>> total_text(4, 6), total_text(7, 7)
    ('Banker wins, 6 over 4', 'Tie, 7 all')
    """
    if player == banker:
        return f"Tie, {player} all"
    if player > banker:
        return f"Player wins, {player} over {banker}"
    return f"Banker wins, {banker} over {player}"


def who(session: str) -> str:
    """The terminal where a session is; a guest by the start of the name.

    >>> who("T-07:0c4f5e6a7b8d"), who("g1234567890abcdef"), who("ann")
    ('T-07', 'guest 1234', 'ann')
    """
    terminal, colon, _ = session.partition(":")
    if colon:
        return terminal
    is_guest = len(session) == 17 and session.startswith("g")
    if is_guest:
        return f"guest {session[1:5]}"
    return session
