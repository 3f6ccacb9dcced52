"""Speed of exact odds: best of five, beside the figures of peers."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from benchmarks.timing import best, sized
from puntobanco import GAMES, Game, Shoe
from puntobanco.odds.par import par_sheet, ways_of
from puntobanco.odds.solve import weights
from puntobanco.rules.cards import parse_cards


def fresh(game_id: str, cache: str) -> float:
    """A par sheet in a new process, after import; best of three with this cache folder, or each
    with a new one.
    """
    code = (
        "import time; from puntobanco import GAMES; from puntobanco.odds.par import "
        "par_sheet; t = time.perf_counter();"
        f"par_sheet(GAMES['{game_id}'], 8); print(time.perf_counter() - t)"
    )
    times = []
    for _ in range(sized(3)):
        environment = {**os.environ, "PUNTOBANCO_CACHE": cache or tempfile.mkdtemp()}
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        times.append(float(run.stdout))
    return min(times)


def edges(game: Game, shoe: Shoe) -> Callable[[], object]:
    """All bets of a game for this shoe, as whole numbers of deals."""
    asked = tuple(dict.fromkeys(p for bet in game.bets for way in ways_of(bet) for _, p in way))
    return lambda: weights(asked, shoe)


def sheet(game: Game, shoe: Shoe) -> Callable[[], object]:
    return lambda: par_sheet(game, shoe)


TARGETS = {
    "fortune-six": "under 0.25 ms; macaujack/baccarat 0.26-0.32 ms, in floats",
    "six-star": "under 20 ms",
}
SEEN = {"fortune-six": "9h 2d Tc 4s Kd", "six-star": "9f 2g Tf 4e Sa"}


def main() -> None:
    def report(what: str, seconds: float, target: str) -> None:
        print(f"{what:<66}{seconds * 1000:>10.2f} ms   {target}")

    for game_id in ("six-star", "fortune-six")[: sized(2)]:
        report(
            f"{game_id}: whole par sheet in a new process, no plans kept",
            fresh(game_id, ""),
            "under 3 s",
        )
        report(
            f"{game_id}: whole par sheet in a new process",
            fresh(game_id, tempfile.mkdtemp()),
            "under 1 s",
        )
    for game_id, target in TARGETS.items():
        game = GAMES[game_id]
        shoe = game.shoe(8).without(parse_cards(SEEN[game_id], game.deck))
        what = f"{game_id}: exact weights of all {len(game.bets)} bets, a remaining shoe"
        report(what, best(edges(game, shoe), 200), target)
        report(
            f"{game_id}: whole par sheet with fractions, a remaining shoe",
            best(sheet(game, shoe), 50),
            "",
        )
    start = time.perf_counter()
    asked = [(game, decks) for game in GAMES.values() for decks in game.decks]
    sheets = [par_sheet(*each) for each in asked[: sized(len(asked))]]
    report(
        f"all {len(sheets)} par sheets, one core",
        time.perf_counter() - start,
        "--all under 15 s on two",
    )


if __name__ == "__main__":
    main()
