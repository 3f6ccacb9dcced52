"""The third-card table as data: which hand draws next, and why, with the clause behind it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause
from puntobanco.rules.refusals import BadGame

HandName = Literal["player", "banker"]

_ANY = frozenset(range(10))


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is so, and the clause that says it."""

    cause: Cause
    clause: str

    @property
    def why(self) -> Words:
        return self.cause.words


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawClauses:
    """Where a rulebook states each part of the table."""

    natural: str = "house"
    player: str = "house"
    banker_alone: str = "house"  # banker's draw when player stood
    banker: str = "house"  # banker's draw after player's third card


@dataclass(frozen=True, slots=True, kw_only=True)
class Tableau:
    """Sets of point totals: on which a hand draws. Naturals come first and end the round."""

    naturals: frozenset[int]
    player_draws: frozenset[int]
    banker_draws_alone: frozenset[int]
    # by banker's total 0-9: the points of player's third card on which banker draws
    banker_draws: tuple[frozenset[int], ...]
    clauses: DrawClauses = DrawClauses()

    def __post_init__(self) -> None:
        sets = (self.naturals, self.player_draws, self.banker_draws_alone, *self.banker_draws)
        are_totals = all(isinstance(totals, frozenset) and totals <= _ANY for totals in sets)
        if len(self.banker_draws) != 10 or not are_totals:
            raise BadGame(
                "a tableau is sets of totals 0-9, as frozensets, and for banker ten of them"
            )

    def __repr__(self) -> str:
        naturals = ", ".join(map(str, sorted(self.naturals)))
        draws = ", ".join(map(str, sorted(self.player_draws)))
        return f"<Tableau: {naturals} are naturals, player draws on {draws}>"

    def cited(self, *, natural: str, player: str, banker_alone: str, banker: str) -> Tableau:
        """The same table, with the clauses of a rulebook that state it."""
        clauses = DrawClauses(
            natural=natural, player=player, banker_alone=banker_alone, banker=banker
        )
        return replace(self, clauses=clauses)

    def is_natural(self, player: int, banker: int) -> bool:
        """Whether one of these totals of two cards ends the round."""
        return player in self.naturals or banker in self.naturals

    def player_takes_third(self, player: int, banker: int) -> bool:
        """Whether player draws, both totals being of two cards."""
        return player in self.player_draws and not self.is_natural(player, banker)

    def banker_takes_third(self, player: int, banker: int, third: int | None) -> bool:
        """Whether banker draws; `third` is the points of player's third card, None if he stood."""
        if self.is_natural(player, banker):
            return False
        if third is None:
            return banker in self.banker_draws_alone
        return third in self.banker_draws[banker]

    def explain(
        self, player: int, banker: int, third: int | None
    ) -> tuple[HandName | None, tuple[Reason, ...]]:
        """After four cards, or player's third: which hand draws, None for neither, and why."""
        if self.is_natural(player, banker):
            return None, (Reason(self._natural(player, banker), self.clauses.natural),)
        if third is None and player in self.player_draws:
            draws = Cause("player-draws", (player,))
            return "player", (Reason(draws, self.clauses.player),)
        is_drawn = self.banker_takes_third(player, banker, third)
        hand: HandName | None = "banker" if is_drawn else None
        if third is None:
            stood = Cause("player-stands", (player,))
            alone = Cause("banker-draws-alone" if is_drawn else "banker-stands-alone", (banker,))
            then = Reason(alone, self.clauses.banker_alone)
            return hand, (Reason(stood, self.clauses.player), then)
        against = Cause("banker-draws" if is_drawn else "banker-stands", (banker, third))
        return hand, (Reason(against, self.clauses.banker),)

    def _natural(self, player: int, banker: int) -> Cause:
        if player not in self.naturals:
            return Cause("banker-natural", (banker,))
        if banker not in self.naturals:
            return Cause("player-natural", (player,))
        return Cause("both-natural", (player, banker))


PUNTO_BANCO = Tableau(
    naturals=frozenset({8, 9}),
    player_draws=frozenset(range(6)),
    banker_draws_alone=frozenset(range(6)),
    banker_draws=(
        _ANY,  # 0
        _ANY,  # 1
        _ANY,  # 2
        _ANY - {8},  # 3
        frozenset({2, 3, 4, 5, 6, 7}),  # 4
        frozenset({4, 5, 6, 7}),  # 5
        frozenset({6, 7}),  # 6
        frozenset(),  # 7
        frozenset(),  # 8, a natural
        frozenset(),  # 9, a natural
    ),
)
"""The one drawing table that all five rulebooks share; each cites it by its own clauses."""
