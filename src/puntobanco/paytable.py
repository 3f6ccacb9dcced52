"""A game as it lies on the felt: its spots, what each pays in few words, and which hand a side bet
belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from puntobanco.events import BetLimits, Limits, Record
from puntobanco.rules.cards import Deck
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.hands import banker, player, tie
from puntobanco.rules.predicates import (
    And,
    Named,
    Not,
    Or,
    Predicate,
    all_of,
    decided,
    leaves,
    reads_of,
)
from puntobanco.rules.round import Round
from puntobanco.rules.words import in_deck

MAIN = ("player", "tie", "banker")
"""The bets that every table of this game has, in the order in which they lie."""


class PayView(Record):
    """One line: when it holds, in few words for a spot (none where nothing need be said), and what
    it pays.
    """

    when: str
    when_zh: str
    pays: str
    pays_zh: str
    clause: str
    bonus: bool  # fixed dollars beside the odds


class BetView(Record):
    bet: str
    title: str
    title_zh: str
    hand: str  # "player", "banker", "tie"; empty for a bet on both
    main: bool
    lines: tuple[PayView, ...]
    limits: BetLimits
    step_cents: int  # stakes are a multiple of this


class NoteView(Record):
    """What the rulebook calls cards like these."""

    en: str
    zh: str
    clause: str


def felt(game: Game, limits: Limits) -> tuple[BetView, ...]:
    return tuple(
        BetView(
            bet=bet.id,
            title=bet.title.en,
            title_zh=bet.title.zh,
            hand=hand_of(bet),
            main=bet.id in MAIN,
            lines=_lines(bet, game.deck),
            limits=limits.bets[bet.id],
            step_cents=bet.step_cents,
        )
        for bet in game.bets
    )


@lru_cache(maxsize=1024)
def hand_of(bet: Bet) -> str:
    """The hand whose cards alone decide it."""
    if bet.id in MAIN:
        return bet.id
    read = {
        r.slot.name[0] for line in bet.pays for leaf in leaves(line.when) for r in reads_of(leaf)
    }
    return {"P": "player", "B": "banker"}[read.pop()] if len(read) == 1 else ""


@lru_cache(maxsize=1024)
def _lines(bet: Bet, deck: Deck) -> tuple[PayView, ...]:
    """What all lines of a bet ask for is not said on each, nor what its title says; a name stands
    for what it names.
    """
    common = set.intersection(*(_parts(line.when) for line in bet.pays)) | _TITLES.get(
        bet.id, set()
    )
    found = list[PayView]()
    for line in (*bet.pays, *bet.bonus):
        own = [part for part in _ordered(line.when) if part not in common]
        when = in_deck(all_of(*own), deck) if own else None
        found.append(
            PayView(
                when=_bare(when.en) if when else "",
                when_zh=_bare(when.zh) if when else "",
                pays=line.pays.words.en,
                pays_zh=line.pays.words.zh,
                clause=line.clause,
                bonus=line in bet.bonus,
            )
        )
    return tuple(found)


def _bare(text: str) -> str:
    """Without the clauses of the names in it: the line has one of its own."""
    return re.sub(r" \[[^]]*\]", "", text)


_TITLES: dict[str, set[Predicate]] = {
    "player": {player.wins},
    "banker": {banker.wins},
    "tie": {tie},
}


def _ordered(predicate: Predicate) -> tuple[Predicate, ...]:
    if isinstance(predicate, Named):
        return (predicate,)
    return predicate.parts if isinstance(predicate, And) else (predicate,)


def _parts(predicate: Predicate) -> set[Predicate]:
    return set(_ordered(predicate))


def notes(game: Game, play: Round) -> tuple[NoteView, ...]:
    """The names that a rulebook defines, of those that hold for a complete round: 6 Stars, Flaming
    9's.
    """
    known = play.known
    names = dict.fromkeys(name for bet in game.bets for name in _names(bet))
    return tuple(
        NoteView(en=name.text.en, zh=name.text.zh, clause=name.clause or "")
        for name in names
        if decided(name.part, known)
    )


@lru_cache(maxsize=1024)
def _names(bet: Bet) -> tuple[Named, ...]:
    return tuple(name for line in (*bet.pays, *bet.bonus) for name in _defined(line.when))


def _defined(predicate: Predicate) -> Iterator[Named]:
    """Names with a clause of their own."""
    match predicate:
        case Named(part):
            if predicate.clause:
                yield predicate
            yield from _defined(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _defined(part)
        case Not(part):
            yield from _defined(part)
        case _:
            pass
