"""Finding a time among entries, and balances as they stood: the same by looking at every entry."""

from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.ledger import post
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.batch import Request, transfers_of
from puntobanco_floor.store.reader import reading
from tests.storage.conftest import Place

TABLE = "table:1"


def test_a_time_is_found_by_halving_and_balances_as_they_stood_after_each_entry(
    place: Place,
) -> None:
    store = place.open()
    asked: list[Command] = [
        c.OpenTable(by="pit", game="rapid"),
        c.SeatSession(by="a", session="a"),
        c.BuyIn(by="cage", session="a", cents=50_000),
        c.NewShoe(by="pit"),
        c.OpenBets(by="d"),
        c.PlaceWager(by="a", round=1, session="a", bet="tie", stake_cents=1_000),
        c.CloseBets(by="d"),
        *[c.DealCard(by="d")] * 6,
        c.Settle(by="d"),
        c.EndShoe(by="pit"),
        c.NewShoe(by="pit"),
        c.BuyIn(by="cage", session="a", cents=700),
        c.CashOut(by="a", session="a"),
    ]
    for n, command in enumerate(asked):
        store.ask(
            Request(stream=TABLE, id=str(n), command=command)
        )  # a fifth and a sixth card may be refused
    with reading(place.url) as reader:
        entries = [read_entry(data) for _, data in reader.entries(TABLE)]
        times = [entry.at for entry in entries]
        for at in {0, *times, *(at + 1 for at in times), max(times) + 10_000}:
            assert reader.first_at(TABLE, at) == 1 + sum(time < at for time in times)
        assert reader.first_at("table:9", 5) == 1
        held = dict[str, int]()
        assert reader.balances_at(TABLE, 0) == {}
        for entry in entries:
            post(held, transfers_of(entry))
            assert reader.balances_at(TABLE, entry.seq) == {
                account: cents for account, cents in held.items() if cents
            }
        assert reader.balances_at(TABLE, len(entries)) == reader.balances(TABLE)
        assert reader.moved(TABLE, after=5, upto=5) == {}
        assert reader.snapshot_places(TABLE, upto=len(entries))
