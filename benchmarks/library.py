"""Speed of the library: rounds a second by each way to have them, on one core, in one run.

The bare loop and pybaccarat deal and find the winner, and check nothing; `play` gives rounds with
the shoe before each, the table also what every bet came to, the engine counts every line.
"""

import importlib
import random
import sys
import time
from collections.abc import Callable
from types import ModuleType

import puntobanco as pb
from benchmarks.timing import BEST_OF, sized
from puntobanco.sim.run import job_for
from puntobanco.sim.run import play as count_shoes

GAME, SEED, DECKS = "rapid", 7, 8
PLAIN, FAST, SHOES = sized(50_000), sized(1_000_000), sized(60_000)


def played() -> int:
    return sum(1 for _ in pb.play(GAME, rounds=PLAIN, seed=SEED, decks=DECKS))


def played_and_settled() -> int:
    game = pb.GAMES[GAME]
    wagers = [pb.Wager("ann", bet.id, 1_000) for bet in game.bets]
    for round_ in pb.play(game, rounds=PLAIN // 2, seed=SEED, decks=DECKS):
        pb.settle(game, round_, wagers)
    return PLAIN // 2


def tabled() -> int:
    return len(pb.rounds_table(GAME, rounds=FAST, seed=SEED, decks=DECKS))


def tabled_as_arrow() -> int:
    return pb.rounds_table(GAME, rounds=FAST, seed=SEED, decks=DECKS).to_arrow().num_rows


def counted() -> int:
    return count_shoes(job_for(pb.GAMES[GAME], DECKS, SEED), 0, SHOES).rounds


def bare_loop() -> int:
    """What somebody writes who needs a winner and nothing else."""
    rng = random.Random(SEED)
    points = [min(rank, 10) % 10 for rank in range(1, 14)] * 4 * DECKS
    draws = ((), (), (), (8,), (0, 1, 8, 9), (0, 1, 2, 3, 8, 9), (0, 1, 2, 3, 4, 5, 8, 9))
    wins = [0, 0, 0]
    rounds = 0
    while rounds < PLAIN:
        rng.shuffle(points)
        at = 0
        while at < len(points) - 14:
            player = (points[at] + points[at + 2]) % 10
            banker = (points[at + 1] + points[at + 3]) % 10
            at += 4
            if player < 8 and banker < 8:
                if player < 6:
                    third = points[at]
                    at += 1
                    player = (player + third) % 10
                    if banker < 7 and third not in draws[banker]:
                        banker = (banker + points[at]) % 10
                        at += 1
                elif banker < 6:
                    banker = (banker + points[at]) % 10
                    at += 1
            wins[(player > banker) - (player < banker)] += 1
            rounds += 1
    return rounds


def pybaccarat() -> Callable[[], int] | None:
    """The package of that name, where it can be imported; it was written for Windows' console."""
    console = ModuleType("msvcrt")
    console.getch = input  # type: ignore[attr-defined]
    sys.modules.setdefault("msvcrt", console)
    try:
        baccarat = importlib.import_module("pybaccarat.baccarat")
    except ImportError:
        return None

    def hands() -> int:
        shoe = baccarat.Shoe(DECKS)
        player, banker = baccarat.Hand(), baccarat.Hand()
        game = baccarat.Game(shoe, player, banker)
        rounds = 0
        while rounds < PLAIN:
            shoe.reset()
            shoe.shuffle()
            shoe.set_cut_card(-14)
            while not shoe.cut_card_seen():
                player.empty()
                banker.empty()
                game.play_hand()
                rounds += 1
        return rounds

    return hands


def main() -> None:
    other = pybaccarat()
    ways: dict[str, Callable[[], int]] = {
        "play: a Round each, with its shoe": played,
        "play and settle, all bets": played_and_settled,
        "rounds_table: cards, points, every bet's net": tabled,
        "rounds_table().to_arrow()": tabled_as_arrow,
        "engine: every line counted": counted,
        "a bare Python loop: the winner alone": bare_loop,
    }
    if other:
        ways["pybaccarat: the winner alone"] = other
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for work in (tabled, counted):
        work()  # what is compiled is compiled once
    for _ in range(BEST_OF):  # turn by turn, so that all meet the machine in the same mood
        for name, work in ways.items():
            start = time.perf_counter()
            rounds = work()
            rates[name].append(rounds / (time.perf_counter() - start))
    loop = max(rates["a bare Python loop: the winner alone"])
    heading = f"{GAME}, {DECKS} decks, one core"
    print(f"{heading:<48}{'rounds/s':>12}{'x bare loop':>14}")
    for name, found in rates.items():
        print(f"{name:<48}{max(found):>12,.0f}{max(found) / loop:>14.2f}")
    if not other:
        print("pybaccarat is not installed here: not measured")


if __name__ == "__main__":
    main()
