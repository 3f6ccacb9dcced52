"""What a definition claims, proved or refuted: clauses exist, every line can pay, lines exclude or
overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from puntobanco.rules.cards import Card, points_of
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.game import HOUSE, Bet, Game
from puntobanco.rules.money import MAX_STAKE_CENTS, format_cents
from puntobanco.rules.predicates import ALWAYS, NEVER, Predicate, classes, fold, fold_in, say
from puntobanco.rules.readings import READINGS
from puntobanco.rules.round import Round
from puntobanco.rules.shoe import Shoe
from puntobanco.rules.terms import NO_CARD, Slot

_CITED_READINGS = {f"reading {number}" for number in range(1, READINGS + 1)}
_ENOUGH = 6
"""With so many of each card no deal is short of one; what cannot happen then never can. What fewer
decks allow is for `odds.findings` to say, by exact chances.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """An error makes the definition wrong; a note is worth knowing."""

    kind: Literal["error", "note"]
    text: str


def findings(game: Game) -> Iterator[Finding]:
    """Errors and notes on a game's definition."""
    yield from _clauses(game)
    for bet in game.bets:
        yield from _lines(game, bet)
        if bet.step_cents > MAX_STAKE_CENTS:
            yield Finding(
                "error",
                f"{bet.id}: no stake up to {format_cents(MAX_STAKE_CENTS)} pays whole "
                "cents on every line",
            )
        elif bet.step_cents > 1:
            yield Finding(
                "note",
                f"{bet.id}: stakes go in steps of {format_cents(bet.step_cents)}, so that "
                "payouts are whole cents",
            )


def _clauses(game: Game) -> Iterator[Finding]:
    if game.rulebook and game.rulebook not in CLAUSES:
        yield Finding(
            "error", f"rulebook {game.rulebook!r} is not known; known are {', '.join(CLAUSES)}"
        )
        return
    known = {HOUSE, *game.house_rules, *CLAUSES.get(game.rulebook, ())}
    for clause, where in dict.fromkeys(game.cited()):
        if clause not in known | _CITED_READINGS:
            source = game.rulebook or "house_rules"
            yield Finding("error", f"{where} cites clause {clause!r}, which {source} does not have")


def _lines(game: Game, bet: Bet) -> Iterator[Finding]:
    whens = [line.when for line in bet.pays]
    push = [bet.push.when] if bet.push else []
    cases = combinations_of(game, (*whens, *push, *(line.when for line in bet.bonus)))
    n = len(whens)
    for i, when in enumerate(whens):
        if not any(case[i] for case in cases):
            yield Finding("error", f"{bet.id}: line {i + 1} ({say(when).en}) can never pay")
        elif not any(case[i] and not any(case[:i]) for case in cases):
            yield Finding(
                "error",
                f"{bet.id}: line {i + 1} ({say(when).en}) is always decided by an earlier line",
            )
    for i, j in combinations(range(n), 2):
        if any(case[i] and case[j] for case in cases):
            yield Finding(
                "note",
                f"{bet.id}: lines {i + 1} and {j + 1} can hold together; line {i + 1} decides",
            )
    if push:
        if not any(case[n] and not any(case[:n]) for case in cases):
            yield Finding("error", f"{bet.id}: the push ({say(push[0]).en}) can never happen")
        elif any(case[n] and any(case[:n]) for case in cases):
            yield Finding(
                "note", f"{bet.id}: a pay line and the push can hold together; the pay line decides"
            )
    for i, line in enumerate(bet.bonus, n + len(push)):
        if not any(case[i] and any(case[:n]) for case in cases):
            yield Finding("error", f"{bet.id}: the bonus for {say(line.when).en} can never be paid")
    if all(any(case[: n + len(push)]) for case in cases):
        yield Finding("note", f"{bet.id}: this bet can never lose")


def combinations_of(
    game: Game, predicates: Sequence[Predicate]
) -> Mapping[tuple[bool, ...], tuple[Card, ...]]:
    """Every combination of answers that a complete round can give to these predicates, each with
    cards that give it.

    A walk through the deal, slot by slot, over cards that the folded predicates tell apart. Two
    prefixes that leave the same trees and the same table ahead are one, so a few hundred states
    stand for all the rounds there are.

    >>> from puntobanco.rules.games import RAPID
    >>> from puntobanco.rules.hands import banker, tie
    >>> sorted(combinations_of(RAPID, (tie, banker.wins)))
    [(False, False), (False, True), (True, False)]
    """
    found = dict[tuple[bool, ...], tuple[Card, ...]]()
    seen = set[tuple[object, ...]]()

    def walk(round_: Round, open_: tuple[Predicate, ...]) -> None:
        slot = round_.next_slot
        for empty in _surely_empty(round_, slot):
            open_ = tuple(fold_in(p, empty, NO_CARD) for p in open_)
        if slot is None:
            assert all(p in (ALWAYS, NEVER) for p in open_), (
                "a complete round decides every predicate"
            )
            found.setdefault(tuple(p == ALWAYS for p in open_), round_.cards)
            return
        state = (slot, open_, *_ahead(round_))
        if state in seen:
            return
        seen.add(state)
        for group in classes(open_, (slot,), game.deck.cards, also=("points",)):
            card = min(
                group, key=round_.slots.count
            )  # spread, so that the example needs few copies
            walk(round_.deal(card), tuple(fold_in(p, slot, card) for p in open_))

    start = Round.start(game, Shoe.fresh(game.deck, _ENOUGH))
    walk(start, tuple(fold(p, start.known) for p in predicates))
    return found


def _surely_empty(round_: Round, upcoming: Slot | None) -> Iterator[Slot]:
    """Third-card slots that can no longer be dealt to."""
    if upcoming in (None, Slot.B3):
        yield from (s for s in (Slot.P3, Slot.B3) if round_.slots[s] == NO_CARD and s != upcoming)


def _ahead(round_: Round) -> tuple[int, int, int]:
    """What the table of play will look at: the points so far, and those of player's third card."""
    return (round_.player_points, round_.banker_points, points_of(round_.slots[Slot.P3]))
