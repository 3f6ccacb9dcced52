"""The pay table as it lies on the felt: spots, what each pays in few words, and whose bet it is."""

from __future__ import annotations

import re
from functools import lru_cache

from puntobanco.events import BetLimits, Limits, Record
from puntobanco.rules.cards import Deck
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.hands import banker, player, tie
from puntobanco.rules.predicates import And, Named, Predicate, all_of, all_reads, decided, names
from puntobanco.rules.round import Round
from puntobanco.rules.text import Words
from puntobanco.rules.words import in_deck

MAIN = ("player", "tie", "banker")
"""The bets that every table of this game has, in the order in which they lie."""


class PayView(Record):
    """One line: when it holds, in few words or none, and what it pays."""

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
    views = []
    for bet in game.bets:
        view = BetView(
            bet=bet.id,
            title=bet.title.en,
            title_zh=bet.title.zh,
            hand=hand_of(bet),
            main=bet.id in MAIN,
            lines=_lines(bet, game.deck),
            limits=limits.bets[bet.id],
            step_cents=bet.step_cents,
        )
        views.append(view)
    return tuple(views)


@lru_cache(maxsize=1024)
def hand_of(bet: Bet) -> str:
    """The hand whose cards alone decide it."""
    if bet.id in MAIN:
        return bet.id
    hands = {read.slot.name[0] for line in bet.pays for read in all_reads(line.when)}
    if len(hands) != 1:
        return ""
    return "player" if hands == {"P"} else "banker"


@lru_cache(maxsize=1024)
def _lines(bet: Bet, deck: Deck) -> tuple[PayView, ...]:
    """What all lines of a bet ask for is not said on each, nor what its title says; a name stands
    for what it names.
    """
    common = set.intersection(*(set(_parts(line.when)) for line in bet.pays))
    common |= _TITLES.get(bet.id, set())
    found = []
    for line in (*bet.pays, *bet.bonus):
        own = [part for part in _parts(line.when) if part not in common]
        when = in_deck(all_of(*own), deck) if own else Words("")
        pays = line.pays.words
        view = PayView(
            when=_bare(when.en),
            when_zh=_bare(when.zh),
            pays=pays.en,
            pays_zh=pays.zh,
            clause=line.clause,
            bonus=line in bet.bonus,
        )
        found.append(view)
    return tuple(found)


def _bare(text: str) -> str:
    """Without the clauses of the names in it: the line has one of its own."""
    return re.sub(r" \[[^]]*\]", "", text)


_TITLES: dict[str, set[Predicate]] = {
    "player": {player.wins},
    "banker": {banker.wins},
    "tie": {tie},
}


def _parts(predicate: Predicate) -> tuple[Predicate, ...]:
    return predicate.parts if isinstance(predicate, And) else (predicate,)


def notes(game: Game, play: Round) -> tuple[NoteView, ...]:
    """The names a rulebook defines, such as Flaming 9's, that hold for a complete round."""
    known = play.known
    defined = dict.fromkeys(name for bet in game.bets for name in _defined(bet))
    found = []
    for name in defined:
        if decided(name.part, known):
            found.append(NoteView(en=name.text.en, zh=name.text.zh, clause=name.clause or ""))
    return tuple(found)


@lru_cache(maxsize=1024)
def _defined(bet: Bet) -> tuple[Named, ...]:
    """Names with a clause of their own."""
    lines = (*bet.pays, *bet.bonus)
    return tuple(name for line in lines for name in names(line.when) if name.clause)
