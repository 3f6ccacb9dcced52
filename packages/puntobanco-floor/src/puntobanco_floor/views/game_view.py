"""A game as terminals show it: the pay table on the felt, what a round's cards are called and pay,
the rules page.
"""

from __future__ import annotations

import re
from functools import lru_cache

from puntobanco.base.words import Words, join
from puntobanco.rules.cards import Deck
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.hands import banker, player, tie
from puntobanco.rules.predicates import And, Named, Predicate, all_of, all_reads, decided, names
from puntobanco.rules.round import Round
from puntobanco.rules.rules_page import Section, heading, in_deck, rules_page
from puntobanco_floor.domain.events import BetLimits, Limits
from puntobanco_proof.entry.record import Record

MAIN = ("player", "tie", "banker")
"""The bets that every table of this game has, in the order in which they lie."""


class PayView(Record):
    """One line: when it holds, in few words or none, and what it pays."""

    when: Words | None
    means: Words | None  # of the names in it, where a rulebook has them
    pays: Words
    clause: str
    bonus: bool  # fixed dollars beside the odds


class BetView(Record):
    bet: str
    title: Words
    hand: str  # "player", "banker", "tie"; empty for a bet on both
    main: bool
    asks: Words | None  # what every line asks for and the title does not say; or nothing
    lines: tuple[PayView, ...]
    limits: BetLimits
    step_cents: int  # stakes are a multiple of this


class NoteView(Record):
    """What the rulebook calls cards like these."""

    text: Words
    clause: str


def felt(game: Game, limits: Limits) -> tuple[BetView, ...]:
    views = []
    for bet in game.bets:
        asks = _asked(bet, game.deck)
        view = BetView(
            bet=bet.id,
            title=bet.title,
            hand=hand_of(bet),
            main=bet.id in MAIN,
            asks=asks,
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
def _asked(bet: Bet, deck: Deck) -> Words | None:
    """The condition that all lines share, in words; the title of a main bet says it already."""
    shared = _shared(bet)
    title = _TITLES.get(bet.id, set())
    first = _parts(bet.pays[0].when)
    return _said([part for part in first if part in shared and part not in title], deck)


@lru_cache(maxsize=1024)
def _lines(bet: Bet, deck: Deck) -> tuple[PayView, ...]:
    """What all lines of a bet ask for is not said on each, nor what its title says; a name stands
    for what it names.
    """
    common = _shared(bet) | _TITLES.get(bet.id, set())
    found = []
    for line in (*bet.pays, *bet.bonus):
        own = [part for part in _parts(line.when) if part not in common]
        when = _said(own, deck)
        means = _meant(own)
        view = PayView(
            when=when,
            means=means or None,
            pays=line.pays.words,
            clause=line.clause,
            bonus=line in bet.bonus,
        )
        found.append(view)
    return tuple(found)


def _shared(bet: Bet) -> set[Predicate]:
    return set.intersection(*(set(_parts(line.when)) for line in bet.pays))


def _said(parts: list[Predicate], deck: Deck) -> Words | None:
    if not parts:
        return None
    text = in_deck(all_of(*parts), deck)
    return Words(_bare(text.en), _bare(text.zh))


def _meant(parts: list[Predicate]) -> Words:
    """What a rulebook's names mean, each once."""
    found = dict[Words, None]()
    for part in parts:
        if isinstance(part, Named) and part.means:
            found[part.means] = None
    return join(found, en="; ", zh="；")


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
            found.append(NoteView(text=name.text, clause=name.clause or ""))
    return tuple(found)


def paying(game: Game, play: Round) -> dict[str, tuple[int, ...]]:
    """Of a complete round: for each bet that wins the lines that pay it, by their places among
    those of its spot; the one with odds first, then a bonus.
    """
    ways = game.decide(*play.slots)
    found = dict[str, tuple[int, ...]]()
    for bet in game.bets:
        at, bonus_at = game.answers_at[bet.id]
        odds = ways[at]
        if odds >= len(bet.pays):
            continue
        bonus = ways[bonus_at] if bonus_at else len(bet.bonus)
        beside = (len(bet.pays) + bonus,) if bonus < len(bet.bonus) else ()
        found[bet.id] = (odds, *beside)
    return found


@lru_cache(maxsize=1024)
def _defined(bet: Bet) -> tuple[Named, ...]:
    """Names with a clause of their own."""
    lines = (*bet.pays, *bet.bonus)
    return tuple(name for line in lines for name in names(line.when) if name.clause)


# The rules page


class RulesRow(Record):
    cells: tuple[Words, ...]
    clause: str


class RulesSection(Record):
    title: Words
    columns: tuple[Words, ...]
    rows: tuple[RulesRow, ...]


class RulesView(Record):
    game: str
    title: Words
    heading: Words
    sections: tuple[RulesSection, ...]
    voucher_days: int  # how long a voucher is good


@lru_cache(256)
def rules_view(game: Game, *, voucher_days: int) -> RulesView:
    sections = tuple(_section(section) for section in rules_page(game) if section.rows)
    return RulesView(
        game=game.id,
        title=game.title,
        heading=heading(game),
        sections=sections,
        voucher_days=voucher_days,
    )


def _section(section: Section) -> RulesSection:
    rows = list[RulesRow]()
    for row in section.rows:
        cells = tuple(row.cells)
        rows.append(RulesRow(cells=cells, clause=row.clause))
    return RulesSection(title=section.title, columns=tuple(section.columns), rows=tuple(rows))
