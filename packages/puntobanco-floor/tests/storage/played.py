"""Small tables played to the end, for tests of what is left of them."""

import itertools
import random
from pathlib import Path

from msgspec.structs import replace

from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.sqlite import SqliteStore
from tests.support.older_program import OLDER

TABLE = "table:1"


class Script:
    """Commands in order, each with an id of its own; a refusal fails the test unless it is expected."""

    def __init__(self, store: SqliteStore, stream: str = TABLE) -> None:
        self.store, self.stream = store, stream
        self.ids = map(str, itertools.count(1))

    def do(self, command: Command, *, refused: str = "") -> Answer:
        answer = self.store.ask(Request(stream=self.stream, id=next(self.ids), command=command))
        assert answer.code == refused, answer
        return answer

    def deal(self) -> None:
        """Cards of the virtual shoe until the round is complete, then settle."""
        while not self.round_is_complete():
            self.do(c.DealCard(by="dealer"))
        self.do(c.Settle(by="dealer"))

    def round_is_complete(self) -> bool:
        state = self.store.table(self.stream).state
        assert state.round is not None
        return state.round.play.is_complete


def played(path: Path, *, entries: int, game: str = "six-star") -> None:
    """A virtual shoe after another until so many entries are written; vouchers, voids, refusals; the last shoe is open.
    An older program has written it: today's table would refuse the voids.
    """
    chance = random.Random(7)
    with SqliteStore(path, definitions=OLDER) as store:
        store._db.execute("PRAGMA synchronous = OFF")  # the rows are what matters here
        script = Script(store)
        limits = replace(default_limits(GAMES[game]), hand_pay_cents=0, large_buy_in_cents=0)
        script.do(c.OpenTable(by="pit", game=game, limits=limits))
        for name in ("ann", "ben"):
            script.do(c.SeatSession(by=name, session=name))
            script.do(c.BuyIn(by="cage", session=name, cents=10_000_000))
        vouchers, round_ = itertools.count(1), 0
        while True:
            script.do(c.NewShoe(by="pit", decks=4))
            for _ in range(6):
                script.do(c.OpenBets(by="dealer"))
                round_ += 1
                for name in ("ann", "ben"):
                    bet = chance.choice(("player", "banker", "tie", "element-bonus"))
                    script.do(
                        c.PlaceWager(
                            by=name, round=round_, session=name, bet=bet, stake_cents=1_000
                        )
                    )
                script.do(c.CloseBets(by="dealer"))
                if round_ % 5 == 0:
                    script.do(c.DealCard(by="dealer"))
                    script.do(c.DeclareIrregularity(by="dealer", ground="malfunction"))
                    asked = script.do(c.VoidRound(by="dealer"))
                    script.do(c.Approve(by="pit", proposal=asked.proposal))
                else:
                    script.deal()
            number = f"v{next(vouchers)}"
            script.do(c.IssueVoucher(by="ben", session="ben", voucher=number))
            script.do(c.SeatSession(by="ben", session="ben"))
            script.do(c.RedeemVoucher(by="ben", session="ben", voucher=number))
            if store.table(TABLE).state.seq >= entries:
                return
            script.do(c.EndShoe(by="pit"))
