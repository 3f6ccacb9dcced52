"""A voucher is redeemed once, whatever the table of vouchers says: what streams have redeemed is in their states."""

import logging

import pytest
from sqlalchemy import text

from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.machine import TrustedVouchers, Voucher
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.store import Store
from tests.storage.conftest import Place
from tests.storage.test_contract import Asker

OTHER, WINDOW = "table:2", "cage:1"
HOUR_MS = 3_600_000


def two_tables(store: Store) -> None:
    """Voucher v of table 1 is redeemed at table 2, whose period is sealed then; w is open."""
    table, other = Asker(store), Asker(store, OTHER, "other")
    table.open_table()
    table.seat("ann", "bob")
    other.open_table()
    other.seat("eve")
    for name, voucher in (("ann", "v"), ("bob", "w")):
        table.do(c.IssueVoucher(by=name, session=name, voucher=voucher, valid_ms=HOUR_MS))
    other.do(c.RedeemVoucher(by="eve", session="eve", voucher="v"))
    other.do(c.EndShoe(by="pit"))
    table.seat("max")
    Asker(store, WINDOW, "cage").do(g.OpenShift(by="cara", float_cents=10_000_000))


def changed(place: Place, statement: str) -> None:
    with connected(place.url) as db:
        db.execute(text(statement))


def set_back(place: Place) -> None:
    changed(place, "UPDATE vouchers SET redeemed_stream = NULL, redeemed_seq = NULL")


def redeemed(store: Store, voucher: str) -> Answer:
    command = c.RedeemVoucher(by="max", session="max", voucher=voucher)
    return store.ask(Request(stream="table:1", id=f"again-{voucher}", command=command))


def paid(store: Store, voucher: str) -> Answer:
    command = g.PayVoucher(by="cara", voucher=voucher)
    return store.ask(Request(stream=WINDOW, id=f"pay-{voucher}", command=command))


def test_a_fresh_node_pays_no_voucher_again_that_another_stream_redeemed_in_a_sealed_period(
    place: Place,
) -> None:
    two_tables(place.open())
    place.stores.close()
    set_back(place)
    store = place.open()
    assert redeemed(store, "v").words.en == "This voucher was redeemed before"
    assert paid(store, "v").words.en == "This voucher was redeemed before"
    assert redeemed(store, "w").ok


def test_nor_does_a_node_that_runs_beside_the_one_that_paid(place: Place) -> None:
    """It may not have heard of the payment yet."""
    node, beside = place.open(), place.open()
    two_tables(node)
    assert redeemed(beside, "unknown").words.en == "There is no such voucher"
    other = Asker(node, OTHER, "later")
    other.do(c.RedeemVoucher(by="eve", session="eve", voucher="w"))
    set_back(place)
    for voucher in ("v", "w"):
        assert redeemed(beside, voucher).words.en == "This voucher was redeemed before"


def test_while_a_stream_fails_two_people_pay_vouchers_at_the_cage(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """What was redeemed there is not known, and one person could be misled."""
    two_tables(place.open())
    place.stores.close()
    changed(place, f"UPDATE streams SET seq = seq + 1 WHERE stream = '{OTHER}'")
    store = place.open()
    with caplog.at_level(logging.ERROR, "puntobanco.storage"):
        assert redeemed(store, "w").code == "not-confirmed"
        answer = paid(store, "w")
    assert answer.ok
    assert answer.proposal
    assert "what stream table:2 has redeemed is not known" in caplog.text


def test_a_node_that_knows_it_is_behind_or_forked_pays_no_voucher_alone(place: Place) -> None:
    """The other floor may have paid it: terminals refuse, and two people decide at the cage."""
    store = place.open()
    two_tables(store)
    store.behind = "witness alpha has seen another log"
    refused = redeemed(store, "w")
    assert refused.code == "not-confirmed"
    assert "two people pay it at the cage" in refused.words.en
    answer = paid(store, "w")
    assert answer.ok
    assert answer.proposal, "it waits for a second person"
    assert answer.seq
    store.behind = ""
    again = c.RedeemVoucher(by="max", session="max", voucher="w")
    assert store.ask(Request(stream="table:1", id="later", command=again)).ok


def test_a_voucher_that_had_expired_when_a_period_was_sealed_is_forgotten(store: Store) -> None:
    """Only two people pay one that has expired."""
    table = Asker(store)
    table.open_table()
    table.seat("ann", "bob", "eve")
    for name, valid_ms in (("ann", 1_000), ("bob", HOUR_MS)):
        issue = c.IssueVoucher(by=name, session=name, voucher=name, valid_ms=valid_ms)
        table.do(issue)
        table.do(c.RedeemVoucher(by="eve", session="eve", voucher=name))
    assert set(store.table("table:1").state.redeemed) == {"ann", "bob"}
    until = store.table("table:1").state.redeemed["ann"]
    while store.table("table:1").state.at < until:
        table.seat(f"late-{until}-{store.table('table:1').state.seq}")
    table.do(c.EndShoe(by="pit"))
    assert set(store.table("table:1").state.redeemed) == {"bob"}


def test_what_cannot_be_proved_is_not_trusted() -> None:
    assert TrustedVouchers().has("v", Voucher(1, 1))
    assert not TrustedVouchers().has("v", Voucher(1, 1, is_proved=False))
