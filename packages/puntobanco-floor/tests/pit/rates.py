"""Print how many innocents are flagged and how many counters are found: `python -m tests.pit.rates GAME...`.

Each process deals shoes of its own; a patron plays ten of them and stakes on every watched bet.
"""

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from puntobanco.rules.games import GAMES
from puntobanco_floor.service.pit.advantage import FALSE_ACCUSATIONS, watched_bets
from tests.pit.dealt_shoes import COUNTERS, INNOCENTS, DealtShoes, Found, search

DEALT = 120  # shoes, by each process
PATRONS = 10  # that play the same ten
PATTERNS = INNOCENTS | COUNTERS


class Task(NamedTuple):
    game: str
    tables: int
    seed: int


class Rates(NamedTuple):
    """Of one pattern: patrons, and by bet who is flagged by the new alarm and by the old one."""

    new: NDArray[np.bool_]
    old: NDArray[np.bool_]

    @classmethod
    def of(cls, found: Found) -> Self:
        return cls(found.chances <= FALSE_ACCUSATIONS, found.old)

    def line(self, game: str, bets: Sequence[str], pattern: str) -> str:
        by_bet = [
            f"{bet} {old:.1%} / {new:.1%}"
            for bet, old, new in zip(
                bets, self.old.mean(axis=0), self.new.mean(axis=0), strict=True
            )
        ]
        n, flagged = len(self.new), int(self.new.any(axis=1).sum())
        return f"{game:15} {pattern:26} {n:5,} patrons, {flagged:5,} flagged; old / new: {', '.join(by_bet)}"


def rates_of(task: Task) -> dict[str, Rates]:
    game = GAMES[task.game]
    dealt = DealtShoes(game, watched_bets(game), DEALT, task.seed)
    found = dict[str, Rates]()
    for i, (pattern, patron) in enumerate(PATTERNS.items()):
        # two counters at the same shoes stake the same
        tables, patrons = (task.tables, PATRONS) if pattern in INNOCENTS else (task.tables * 4, 1)
        found[pattern] = Rates.of(search(dealt, patron, tables, patrons, 1_000 * task.seed + i))
    return found


def joined(parts: list[dict[str, Rates]]) -> dict[str, Rates]:
    return {
        pattern: Rates(*map(np.concatenate, zip(*(part[pattern] for part in parts), strict=True)))
        for pattern in PATTERNS
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--tables", type=int, default=4, help="of ten patrons, for each process")
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.processes) as pool:
        for game in asked.games:
            tasks = [Task(game, asked.tables, seed) for seed in range(1, asked.processes + 1)]
            found = joined(list(pool.map(rates_of, tasks)))
            bets = watched_bets(GAMES[game])
            for pattern, rates in found.items():
                print(rates.line(game, bets, pattern), flush=True)
            flagged = np.concatenate([found[pattern].new.any(axis=1) for pattern in INNOCENTS])
            print(f"{game}: {flagged.sum():,} of {len(flagged):,} innocents flagged\n")


if __name__ == "__main__":
    main()
