"""Money gauges of /metrics agree with the ledger of all streams after sales at the cage, moves, cash-outs and payments."""

import re
from pathlib import Path

from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import chained
from puntobanco_floor.domain.ledger import VOUCHERS
from puntobanco_floor.store.batch import Stream
from puntobanco_floor.store.reader import reading
from tests.support.served import api, cage, open_shift, staff_tokens
from tests.web.test_operations import Operated

ACCOUNT_OF = {"puntobanco_vouchers_outstanding_cents": VOUCHERS}
"""Every gauge of money, and the account that it shows."""


def ledger(path: Path, account: str) -> int:
    """An account over all streams, by replay of the journal."""
    total = 0
    with reading(str(path)) as reader:
        for name in reader.streams():
            stream = Stream.empty(name, OURS.machine_of(name))
            for entry, head in chained(reader.entries(name), name):
                stream.follow(entry, head)
            total += stream.balances.get(account, 0)
    return total


def test_money_gauges_agree_with_the_ledger_after_every_step(tmp_path: Path) -> None:
    served = Operated(tmp_path)
    try:
        carl = staff_tokens(served)["carl"]
        guest = api(served, "POST", "/api/guest")[1]["token"]
        numbers = list[str]()

        def owed() -> int:
            found = served.metrics()
            gauges = {name for name in found if re.match(r"\w+_cents(\{|$)", name)}
            assert gauges == set(ACCOUNT_OF), "every gauge of money is tested here"
            for name, account in ACCOUNT_OF.items():
                assert found[name] == ledger(served.database, account)
            return int(found["puntobanco_vouchers_outstanding_cents"])

        def at_table(path: str, **body: object) -> dict[str, object]:
            status, answer = api(served, "POST", f"/api/tables/{path}", guest, body)
            assert status == 200, answer
            assert isinstance(answer, dict)
            return answer

        assert owed() == 0
        open_shift(served, carl, 1, 1_000_000)
        for n, cents in enumerate((4_000, 7_000)):
            status, paper = cage(served, carl, "sell", f"sell-{n}", cents=cents)
            assert status == 200, paper
            numbers.append(paper["number"])
        assert owed() == 11_000, "sold at the cage: the tables know nothing of it"
        at_table("1/seat")
        at_table("1/redeem", number=numbers[0])
        assert owed() == 7_000, "redeemed at a table, whose own account is now below zero"
        at_table("1/move", id="move", to=2)
        assert owed() == 7_000
        out = at_table("2/cash-out", id="out")
        assert owed() == 7_000 + 100_000 + 4_000
        assert cage(served, carl, "pay", "pay-1", number=numbers[1])[0] == 200
        assert owed() == 104_000
        assert out["cents"] == 104_000
    finally:
        served.stop()
