"""A definition's claims, proved or refuted: clauses exist, lines can pay, exclude or overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

from puntobanco.base.money import MAX_STAKE_CENTS, dollars
from puntobanco.rules.cards import Card, points_of
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.game import HOUSE, Bet, Game
from puntobanco.rules.predicates import (
    ALWAYS,
    NEVER,
    Predicate,
    classes,
    fold,
    fold_in,
    leaves,
    say,
)
from puntobanco.rules.readings import READINGS
from puntobanco.rules.round import Round
from puntobanco.rules.shoe import Shoe
from puntobanco.rules.terms import NO_CARD, Slot

_CITED_READINGS = {f"reading {number}" for number in range(1, READINGS + 1)}
ENOUGH_DECKS = 6
"""With so many of each card no deal is short of one; what cannot happen then never can. What fewer
decks allow is for `game_check` to say, by exact chances.
"""

MAX_FOLDS = 1_500_000
"""Comparisons that a walk folds, some seconds of work: a bet of the five games takes up to 900,000.
The lines of a bet that takes more are proved by exact odds alone.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """An error makes the definition wrong; a warning is rarely meant; a note is worth knowing."""

    kind: Literal["error", "warning", "note"]
    text: str


Cases: TypeAlias = dict[tuple[bool, ...], tuple[Card, ...]]
"""Answers to several predicates, each with cards that give them."""


class TooManyRounds(Exception):
    """More kinds of round than a walk goes through."""


def findings(game: Game) -> Iterator[Finding]:
    yield from _clauses(game)
    for bet in game.bets:
        yield from _lines(game, bet)
        if bet.step_cents > MAX_STAKE_CENTS:
            most = dollars(MAX_STAKE_CENTS)
            yield _error(bet, f"no stake up to {most} pays whole cents on every line")
        elif bet.step_cents > 1:
            step = dollars(bet.step_cents)
            yield _note(bet, f"stakes go in steps of {step}, so that payouts are whole cents")


NOT_WALKED = (
    "it tells too many kinds of round apart to walk through them; exact odds decide which "
    "of its lines can pay"
)


def _error(bet: Bet, text: str) -> Finding:
    return Finding("error", f"{bet.id}: {text}")


def _note(bet: Bet, text: str) -> Finding:
    return Finding("note", f"{bet.id}: {text}")


def _clauses(game: Game) -> Iterator[Finding]:
    if game.rulebook and game.rulebook not in CLAUSES:
        rulebooks = ", ".join(CLAUSES)
        text = f"rulebook {game.rulebook!r} is not known; known are {rulebooks}"
        yield Finding("error", text)
        return
    known = {HOUSE, *game.house_rules, *CLAUSES.get(game.rulebook, ()), *_CITED_READINGS}
    source = game.rulebook or "house_rules"
    for clause, where in dict.fromkeys(game.cited()):
        if clause not in known:
            what = f"{where} cites clause {clause!r}, which {source} does not have"
            yield Finding("error", f"{what}; write it into house_rules")


def _lines(game: Game, bet: Bet) -> Iterator[Finding]:
    deciding = bet.deciding
    try:
        cases = combinations_of(game, (*deciding, *(line.when for line in bet.bonus)))
    except TooManyRounds:
        yield _note(bet, NOT_WALKED)
        return
    lines = len(bet.pays)
    won = [case for case in cases if any(case[:lines])]
    for i, when in enumerate(deciding[:lines]):
        said = f"line {i + 1} ({say(when).en})"
        held = [case for case in cases if case[i]]
        if not held:
            yield _error(bet, f"{said} can never pay")
        elif all(any(case[:i]) for case in held):
            yield _error(
                bet, f"{said} is always decided by an earlier line; put the rarer line first"
            )
    for i, j in combinations(range(lines), 2):
        if any(case[i] and case[j] for case in cases):
            text = f"lines {i + 1} and {j + 1} can hold together; line {i + 1} decides"
            yield _note(bet, text)
    if bet.push:
        pushed = [case for case in cases if case[lines]]
        if all(any(case[:lines]) for case in pushed):
            yield _error(bet, f"the push ({say(bet.push.when).en}) can never happen")
        elif any(any(case[:lines]) for case in pushed):
            yield _note(bet, "a pay line and the push can hold together; the pay line decides")
    for i, line in enumerate(bet.bonus, len(deciding)):
        if not any(case[i] for case in won):
            yield _error(bet, f"the bonus for {say(line.when).en} can never be paid")
    if all(any(case[: len(deciding)]) for case in cases):
        yield _note(bet, "this bet can never lose")


def combinations_of(game: Game, predicates: Sequence[Predicate]) -> Cases:
    """Every combination of answers that a complete round can give to these predicates, each
    with cards that give it.

    A walk through the deal, slot by slot, over cards that the folded predicates tell apart. Two
    prefixes that leave the same trees and the same table ahead are one, so a few hundred states
    stand for all the rounds there are.

    >>> from puntobanco.rules.games import RAPID
    >>> from puntobanco.rules.hands import banker, tie
    >>> sorted(combinations_of(RAPID, (tie, banker.wins)))
    [(False, False), (False, True), (True, False)]
    """
    found: Cases = {}
    seen = set()
    folds = 0

    def walk(round_: Round, open_: tuple[Predicate, ...]) -> None:
        nonlocal folds
        slot = round_.next_slot
        for empty in _surely_empty(round_, slot):
            open_ = tuple(fold_in(p, empty, NO_CARD) for p in open_)
        if slot is None:
            is_decided = all(p in (ALWAYS, NEVER) for p in open_)
            assert is_decided, "a complete round decides every predicate"
            answers = tuple(p == ALWAYS for p in open_)
            found.setdefault(answers, round_.cards)
            return
        state = (slot, open_, *_ahead(round_))
        if state in seen:
            return
        seen.add(state)
        each = sum(1 for p in open_ for _ in leaves(p))
        for group in classes(open_, (slot,), game.deck.cards, also=("points",)):
            # spread, so that the example needs few copies of a card
            card = min(group, key=round_.slots.count)
            folds += each
            if folds > MAX_FOLDS:
                raise TooManyRounds
            walk(round_.deal(card), tuple(fold_in(p, slot, card) for p in open_))

    start = Round.start(game, Shoe.fresh(game.deck, ENOUGH_DECKS))
    walk(start, tuple(fold(p, start.known) for p in predicates))
    return found


def _surely_empty(round_: Round, upcoming: Slot | None) -> Iterator[Slot]:
    if upcoming in (None, Slot.B3):
        for slot in (Slot.P3, Slot.B3):
            if round_.slots[slot] == NO_CARD and slot != upcoming:
                yield slot


def _ahead(round_: Round) -> tuple[int, int, int]:
    """What the table of play will look at: the points so far, and those of player's third card."""
    return (round_.player_points, round_.banker_points, points_of(round_.slots[Slot.P3]))
