"""On a machine with an NVIDIA GPU: the same counts as the processor, speed, and long runs with
their verdicts.

python benchmarks/gpu.py check             # every game against the processor python
benchmarks/gpu.py speed ROUNDS      # rounds a second, best of five python benchmarks/gpu.py long
ROUNDS GAME [CUT]   # one run as JSON, judged unless there is a cut card
"""

import json
import sys
import time
from functools import reduce
from operator import add

from puntobanco import GAMES
from puntobanco.odds.par import par_sheet
from puntobanco.sim.gpu import job_on_gpu
from puntobanco.sim.gpu import play as on_gpu
from puntobanco.sim.run import Tally, job_for, play, shoes_for
from puntobanco.sim.verdict import judge

DECKS, SEED = 8, 7


def dealt(game_id: str, rounds: int, cut: int | None = None) -> tuple[Tally, float]:
    game = GAMES[game_id]
    job = job_for(game, DECKS, SEED, cut_card=cut)
    start = time.perf_counter()
    tally = reduce(add, on_gpu(job_on_gpu(game, job), shoes_for(rounds, job)))
    return tally, time.perf_counter() - start


def check() -> None:
    for game_id, game in GAMES.items():
        for cut in (None, 14):
            job = job_for(game, DECKS, SEED, cut_card=cut)
            shoes = shoes_for(2_000_000, job)
            print(
                game_id,
                "cut",
                cut,
                "same as the processor:",
                dealt(game_id, 2_000_000, cut)[0].same(play(job, 0, shoes)),
            )


def speed(rounds: int) -> None:
    for game_id in ("fortune-six", "six-star"):
        dealt(game_id, 1_000_000)
        best = min(dealt(game_id, rounds)[1] for _ in range(5))
        print(
            f"{game_id}: {rounds / best:.3e} rounds/s, {rounds:.0e} rounds in {best:.2f} "
            "s, best of 5"
        )


def long(rounds: int, game_id: str, cut: int | None) -> None:
    dealt(game_id, 1_000_000, cut)
    tally, seconds = dealt(game_id, rounds, cut)
    sheet = par_sheet(GAMES[game_id], DECKS)
    verdict = judge(tally, sheet)
    lines = [
        {
            "bet": x.bet,
            "clause": x.clause,
            "pays": x.pays,
            "count": x.count,
            "expected": x.expected,
            "z": x.z,
        }
        for x in verdict.lines
    ]
    chi = [
        {"bet": c.bet, "statistic": c.statistic, "degrees": c.degrees, "p": c.p}
        for c in verdict.chi_squares
    ]
    answer = {
        "game": game_id,
        "decks": DECKS,
        "seed": SEED,
        "shoes": tally.shoes,
        "rounds": tally.rounds,
        "engine": "gpu",
        "seconds": seconds,
        "cut_card": cut,
        "lines": lines,
        "chi_square": chi,
        "passed": None if cut else verdict.passed,
        "counts": {n: tally.ways(n) for g in tally.groups.bets for n in g},
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["check"]:
            check()
        case ["speed", rounds]:
            speed(int(float(rounds)))
        case ["long", rounds, game_id, *cut]:
            long(int(float(rounds)), game_id, int(cut[0]) if cut else None)
        case _:
            print(__doc__)
