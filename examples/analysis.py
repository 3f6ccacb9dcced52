"""The library in a script: exact odds, a hundred thousand rounds as a table, and a few by hand.

python examples/analysis.py
"""

import numpy as np

import puntobanco as pb

GAME = "rapid"


def main() -> None:
    game = pb.find_game(GAME)
    print(game)
    sheet = pb.par_sheet(game)
    rounds = pb.rounds_table(game, rounds=1e5, seed=1)
    print(f"{'bet':<20}{'exact edge':>12}{'seen':>10}")
    for odds in sheet.bets:
        net = rounds[f"net_{odds.bet.id.replace('-', '_')}"]
        print(f"{odds.bet.id:<20}{float(odds.edge):>12.4%}{-net.mean():>10.4%}")

    # the longest run of one winner, ties left out as on the big road
    winners = rounds["winner"]
    decided = winners[winners != "tie"]
    changes = np.flatnonzero(decided[1:] != decided[:-1])
    print("longest run:", int(np.diff(changes).max()))

    # a few of the same rounds as values of the rules: why a card is drawn, what a wager comes to
    for round_ in pb.play(game, rounds=3, seed=1):
        [line] = pb.settle(game, round_, [pb.Wager("ann", "banker", 10_000)])
        print(round_, pb.format_cents(line.net_cents))


if __name__ == "__main__":
    main()
