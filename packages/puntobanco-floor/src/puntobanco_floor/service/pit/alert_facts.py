"""Facts: what staff look at before they decide, each with its name, ready to be drawn."""

from __future__ import annotations

from puntobanco.base.words import Words, words
from puntobanco_proof.entry.record import Record


class Fact(Record):
    """One line of evidence, as words, money or cards, and the clause of a rulebook."""

    name: str
    text: Words | None = None
    cents: int | None = None
    cards: str = ""
    clause: str = ""
    bet: Words | None = None  # its title, where the fact is of a wager


def said(
    name: str, text: Words | str, *, cents: int | None = None, cards: str = "", clause: str = ""
) -> Fact:
    """Return a fact in words; of numbers and names, which are the same in both languages, too."""
    return Fact(name=name, text=words(text), cents=cents, cards=cards, clause=clause)


_TIE = Words("Tie, {} all", "和局，各 {} 點")
_PLAYER = Words("Player wins, {} over {}", "閒贏，{} 點對 {} 點")
_BANKER = Words("Banker wins, {} over {}", "莊贏，{} 點對 {} 點")


def total_words(player: int, banker: int) -> Words:
    """
    >>> total_words(4, 6).en, total_words(7, 7).zh
    ('Banker wins, 6 over 4', '和局，各 7 點')
    """
    if player == banker:
        return _TIE.format(player)
    if player > banker:
        return _PLAYER.format(player, banker)
    return _BANKER.format(banker, player)


_GUEST = Words("guest {}", "訪客 {}")


def who_words(session: str) -> Words:
    """The same in both languages."""
    name = who(session)
    if name.startswith("guest "):
        return _GUEST.format(name.removeprefix("guest "))
    return Words(name)


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
