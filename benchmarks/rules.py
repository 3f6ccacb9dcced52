"""Speed of the rules: best of five, and as a ratio to an empty function call in the same run."""

import random
import subprocess
import sys

from benchmarks.timing import BEST_OF, best
from puntobanco import GAMES, Round, Wager, settle
from puntobanco.rules.cards import Card


def imported() -> float:
    code = (
        "import time; t = time.perf_counter(); import puntobanco; {}; "
        "print(time.perf_counter() - t)"
    )
    return min(float(_python(code.format("pass"))) for _ in range(BEST_OF))


def imported_and_used() -> float:
    code = (
        "import time; t = time.perf_counter(); import puntobanco; puntobanco.GAMES; "
        "print(time.perf_counter() - t)"
    )
    return min(float(_python(code)) for _ in range(BEST_OF))


def _python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


def main() -> None:
    empty = best(lambda: None, 200_000)
    print(f"{'what':<52}{'best of 5':>12}{'x empty call':>14}")

    def report(what: str, seconds: float, unit: str = "µs") -> None:
        scale = {"µs": 1e6, "ms": 1e3, "ns": 1e9}[unit]
        print(f"{what:<52}{seconds * scale:>9.1f} {unit}{seconds / empty:>14,.0f}")

    report("an empty function call", empty, "ns")
    report("import puntobanco", imported(), "ms")
    report("import puntobanco and load the five games", imported_and_used(), "ms")
    for game in GAMES.values():
        rng = random.Random(1)
        cards = [card for card in game.deck.cards for _ in range(8)]
        deals = [_needed(game.id, rng.sample(cards, 6)) for _ in range(64)]
        rounds = [Round.start(game, 8).deal_all(deal) for deal in deals]
        wagers = [Wager("ann", bet.id, 1_000) for bet in game.bets]
        start = Round.start(game, 8)

        def settled(game=game, rounds=rounds, wagers=wagers) -> None:  # type: ignore[no-untyped-def]
            for round_ in rounds:
                settle(game, round_, wagers)

        def dealt(game=game, start=start, deals=deals, wagers=wagers) -> None:  # type: ignore[no-untyped-def]
            for deal in deals:
                settle(game, start.deal_all(deal), wagers)

        report(f"{game.id}: settle a round, all {len(wagers)} bets", best(settled, 40) / len(deals))
        report(f"{game.id}: deal and settle a round, all bets", best(dealt, 40) / len(deals))


def _needed(game_id: str, cards: list[Card]) -> list[Card]:
    round_ = Round.start(GAMES[game_id], 8)
    for card in cards:
        if round_.is_complete:
            break
        round_ = round_.deal(card)
    return list(round_.cards)


if __name__ == "__main__":
    main()
