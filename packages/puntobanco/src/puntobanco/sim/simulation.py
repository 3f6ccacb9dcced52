"""A simulation as one value: what was dealt, every line's count, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from puntobanco.data_table import DataTable, Tidy, make_table
from puntobanco.game_files import GameLike, find_game
from puntobanco.odds.par import ParSheet, partial_sheet
from puntobanco.rules.game import Game
from puntobanco.rules.notebook import html_table
from puntobanco.sim.run import Tally, default_workers, job_for, read_rounds, run, shoes_for
from puntobanco.sim.verdict import Verdict, judge


@dataclass(frozen=True, eq=False)
class Simulation(Tidy):
    """Whole shoes that were dealt and counted, beside the exact odds."""

    game: Game
    decks: int
    seed: int
    tally: Tally

    def __repr__(self) -> str:
        dealt = f"{self.rounds:,} rounds, {self.decks} decks, seed {self.seed}"
        return f"<Simulation {self.game.id}: {dealt}, {self._result}>"

    def _repr_html_(self) -> str:
        rows = []
        for line in self.verdict.lines:
            counts = (f"{line.count:,}", f"{line.expected:,.1f}", f"{line.z:+.3f}")
            rows.append((line.bet, line.pays, *counts))
        for each in self.verdict.estimates:
            rows.append((each.bet, each.pays, f"{each.count:,}", "no exact odds", ""))
        caption = f"{self.game.title.en}, {self.rounds:,} rounds, seed {self.seed}: {self._result}"
        return html_table(caption, ("bet", "pays", "count", "expected", "z"), rows)

    @property
    def _result(self) -> str:
        return "as the exact odds say" if self.passed else "NOT as the exact odds say"

    @property
    def rounds(self) -> int:
        """How many rounds were dealt: at least as many as were asked for, in whole shoes."""
        return self.tally.rounds

    @cached_property
    def sheet(self) -> ParSheet:
        """The exact odds of the same decks, of the bets that have them."""
        return partial_sheet(self.game, self.decks)

    @cached_property
    def verdict(self) -> Verdict:
        """Every line's count beside what the exact odds expect."""
        return judge(self.tally, self.sheet)

    @property
    def passed(self) -> bool:
        """Whether no test is so unlikely that a fair run would show it once in a thousand runs."""
        return self.verdict.passed

    def estimates(self) -> DataTable:
        """A row for each line, push, loss and bonus of the bets without exact odds: its count, the
        share of rounds, and the standard error of that.
        """
        numbers = {"count": int, "share": float, "error": float}
        return make_table(self.verdict.estimates, bet=str, pays=str, clause=str, **numbers)

    def edges(self) -> DataTable:
        """A row for each bet without exact odds: its house edge, bonus apart, and its error."""
        return make_table(self.verdict.edges, bet=str, edge=float, error=float)

    def table(self) -> DataTable:
        """A row for each line, push, loss and bonus with exact odds: its count, and what was
        expected.
        """
        numbers = {"count": int, "expected": float, "probability": float, "z": float}
        return make_table(self.verdict.lines, bet=str, pays=str, clause=str, **numbers)


def simulate(
    game: GameLike, rounds: float, *, seed: int = 1, decks: int | None = None
) -> Simulation:
    """Deal whole shoes on every processor, at least so many rounds, and judge every line against
    the exact odds. It needs the extra `fast`.
    """
    game = find_game(game)
    decks = game.default_decks if decks is None else decks
    wanted = read_rounds(rounds)
    job = job_for(game, decks, seed)
    progress = run(job, shoes_for(wanted, job), workers=default_workers())
    return Simulation(game, decks, seed, progress.tally)
