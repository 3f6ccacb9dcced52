"""A table played through the store: one shoe, a few rounds, a void; then the command line.

python examples/live_table.py floor.db
puntobanco audit  --database floor.db
puntobanco replay --database floor.db --round table:1:2
"""

import itertools
import sys
from pathlib import Path

from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.sqlite import SqliteStore

TABLE = "table:1"


def play(path: Path) -> None:
    ids = map(str, itertools.count(1))

    with SqliteStore(path) as store:

        def do(command: Command) -> Answer:
            answer = store.ask(Request(stream=TABLE, id=next(ids), command=command))
            print(
                f"{command.name():<22}",
                "ok" if answer.ok else f"refused: {answer.words.en} [{answer.clause}]",
            )
            return answer

        do(c.OpenTable(by="pit", game="fortune-six"))
        do(c.NewShoe(by="pit", dealing="physical", decks=8))
        do(c.SeatSession(by="ann", session="ann"))
        do(c.BuyIn(by="cage", session="ann", cents=50_000))
        for number, cards in enumerate(("9s 2h 8d 4c", "Ts 2h Kd 4c 5s 6h"), 1):
            do(c.OpenBets(by="dealer"))
            do(
                c.PlaceWager(
                    by="ann", round=number, session="ann", bet="banker", stake_cents=10_000
                )
            )
            do(c.CloseBets(by="dealer"))
            do(
                c.RaiseWager(by="ann", round=number, session="ann", bet="banker", by_cents=5_000)
            )  # too late
            for card in cards.split():
                do(c.EnterCard(by="dealer", card=card))
            do(c.Settle(by="dealer"))
        do(c.OpenBets(by="dealer"))
        do(c.PlaceWager(by="ann", round=3, session="ann", bet="fortune-six", stake_cents=2_000))
        do(c.CloseBets(by="dealer"))
        do(
            c.DeclareIrregularity(
                by="dealer", ground="foreign-card", detail="a card with another back"
            )
        )
        asked = do(c.VoidRound(by="dealer"))
        do(c.Approve(by="supervisor", proposal=asked.proposal))
        do(c.CashOut(by="ann", session="ann"))
        do(c.EndShoe(by="pit"))
        do(c.CloseTable(by="pit"))


if __name__ == "__main__":
    play(Path(sys.argv[1] if len(sys.argv) > 1 else "floor.db"))
