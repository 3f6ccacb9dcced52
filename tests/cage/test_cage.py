"""A cage window: shifts, cash for vouchers and back, what takes two people, and the count."""

from pathlib import Path

import msgspec
import pytest

import puntobanco.events as e
from puntobanco.cage import commands as g
from puntobanco.cage.decide import CountsDiffer, NotAtTheWindow, NotOfTheCage
from puntobanco.cage.evolve import evolve
from puntobanco.cage.state import HAND_PAY_CENTS, CageState, dump, load
from puntobanco.journal import Fault, canonical
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.audit import audit
from puntobanco.storage.batch import Answer, Batch, Request, Stream
from puntobanco.storage.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table.asked import Voucher
from puntobanco.vault import Order

NOW, DAY_MS = 1_700_000_000_000, 86_400_000
CAGE = "cage:1"


class Window:
    def __init__(self) -> None:
        self.stream, self.vouchers, self.now, self.sent = Stream.empty(CAGE), dict[str, Voucher](), NOW, 0

    @property
    def state(self) -> CageState:
        return self.stream.cage

    def ask(self, command: g.AnyCageCommand) -> Answer:
        self.sent += 1
        batch = Batch(self.stream, self.now, load=_no_cards, vouchers=self.vouchers)
        [reply] = batch.run([Request(stream=CAGE, id=str(self.sent), command=command)], {}).replies
        assert isinstance(reply, Answer)
        batch.settle_in()
        assert load(msgspec.json.decode(canonical(dump(self.state)))) == self.state
        assert sum(self.stream.balances.values()) == 0
        return reply

    def ok(self, *commands: g.AnyCageCommand) -> None:
        for command in commands:
            answer = self.ask(command)
            assert answer.ok, answer.reason

    def refused(self, command: g.AnyCageCommand, kind: type[Refusal] | str) -> None:
        before, answer = self.state, self.ask(command)
        code = kind if isinstance(kind, str) else kind("").code
        assert (answer.ok, answer.code) == (False, code)
        assert self.state == before

    @property
    def cash(self) -> int:
        return self.stream.balances.get("cage", 0)


def _no_cards(_: str) -> Order:
    raise AssertionError("a cage has no cards")


@pytest.fixture
def window() -> Window:
    found = Window()
    found.ok(g.OpenShift(by="carl", float_cents=500_000))
    return found


def sell(voucher: str, cents: int, by: str = "carl") -> g.SellVoucher:
    return g.SellVoucher(by=by, voucher=voucher, cents=cents, valid_ms=30 * DAY_MS)


def test_cash_becomes_a_voucher_and_cash_again_and_the_drawer_comes_out(window: Window) -> None:
    window.ok(sell("v1", 20_000), sell("v2", 5_000), g.PayVoucher(by="carl", voucher="v1"))
    assert (window.cash, window.stream.balances["vouchers"]) == (-5_000, 5_000)
    window.refused(g.PayVoucher(by="carl", voucher="v1"), "voucher-refused")
    window.refused(g.PayVoucher(by="carl", voucher="nothing"), "voucher-refused")
    window.refused(sell("v2", 1), "voucher-refused")
    window.ok(g.CountShift(by="carl", counted_cents=505_000))
    window.refused(sell("v3", 1_000), NotAtTheWindow)
    window.refused(g.ConfirmCount(by="carl", counted_cents=505_000), "second-person-needed")
    window.refused(g.ConfirmCount(by="sam", counted_cents=504_000), CountsDiffer)
    window.ok(g.ConfirmCount(by="sam", counted_cents=505_000))
    assert window.state.shift is None
    assert window.state.periods == 1, "a shift is a period"


def test_money_that_is_missing_is_written_down(window: Window) -> None:
    window.ok(sell("v1", 20_000), g.CountShift(by="carl", counted_cents=515_000))
    batch = Batch(window.stream, window.now, load=_no_cards, vouchers=window.vouchers)
    out = batch.run([Request(stream=CAGE, id="x", command=g.ConfirmCount(by="sam", counted_cents=515_000))], {})
    [closed] = out.read[0].events
    assert closed == e.ShiftClosed(
        shift=1, cashier="carl", counted_cents=515_000, expected_cents=520_000, difference_cents=-5_000
    )


def test_cash_taken_at_tables_counts_in_the_drawer(window: Window) -> None:
    window.ok(g.CountShift(by="carl", counted_cents=530_000, elsewhere_cents=30_000))
    window.ok(g.CountShift(by="carl", counted_cents=540_000, elsewhere_cents=40_000))  # counted again
    window.ok(g.ConfirmCount(by="sam", counted_cents=540_000))


def test_only_whose_shift_it_is_works_the_window(window: Window) -> None:
    window.refused(sell("v1", 1_000, by="cora"), NotAtTheWindow)
    window.refused(g.OpenShift(by="cora", float_cents=0), NotAtTheWindow)
    window.refused(g.CountShift(by="cora", counted_cents=0), NotAtTheWindow)
    window.refused(g.ConfirmCount(by="sam", counted_cents=0), NotAtTheWindow)
    Window().refused(sell("v1", 1_000), NotAtTheWindow)


@pytest.mark.parametrize("expired", [True, False])
def test_a_large_or_an_expired_voucher_takes_two_people(window: Window, expired: bool) -> None:
    cents = 1_000 if expired else HAND_PAY_CENTS + 1
    window.ok(sell("v1", cents))
    window.now += 31 * DAY_MS if expired else 0
    window.ok(g.PayVoucher(by="carl", voucher="v1"))
    assert window.cash == -cents, "nothing is paid yet"
    window.refused(g.PayVoucher(by="carl", voucher="v1"), "voucher-refused")
    window.refused(g.ApprovePayment(by="carl", payment=1, voucher="v1"), "second-person-needed")
    window.refused(g.ApprovePayment(by="sam", payment=9, voucher="v1"), "unknown-proposal")
    window.refused(g.CountShift(by="carl", counted_cents=0), NotAtTheWindow)
    window.ok(g.ApprovePayment(by="sam", payment=1, voucher="v1"))
    assert window.cash == 0
    window.refused(g.PayVoucher(by="carl", voucher="v1"), "voucher-refused")


def test_a_payment_that_is_rejected_can_be_asked_for_again(window: Window) -> None:
    window.ok(sell("v1", HAND_PAY_CENTS + 1), g.PayVoucher(by="carl", voucher="v1"))
    window.ok(g.RejectPayment(by="sam", payment=1))
    window.refused(g.RejectPayment(by="sam", payment=1), "unknown-proposal")
    window.ok(g.PayVoucher(by="carl", voucher="v1"), g.ApprovePayment(by="sam", payment=2, voucher="v1"))


def test_a_window_pays_alone_up_to_its_limit(window: Window) -> None:
    window.ok(sell("v1", HAND_PAY_CENTS), g.PayVoucher(by="carl", voucher="v1"))
    assert window.cash == 0


def test_commands_of_tables_are_refused(window: Window) -> None:
    window.refused(c.OpenBets(by="carl"), NotOfTheCage)  # type: ignore[arg-type]


IMPOSSIBLE: list[e.Event] = [
    e.ShiftOpened(shift=7, cashier="x", float_cents=0, since=0),
    e.VoucherPaid(voucher="v", cents=1, payment=3),
    e.PaymentProposed(payment=5, voucher="v", by="x", why=""),
    e.PaymentRejected(payment=5),
    e.ShiftClosed(shift=1, cashier="carl", counted_cents=0, expected_cents=0, difference_cents=0),
    e.PeriodSealed(period=9, snapshot=""),
    e.BetsClosed(round=1, announcement=""),
]


@pytest.mark.parametrize("event", IMPOSSIBLE, ids=lambda event: type(event).__name__)
def test_an_event_that_cannot_follow_is_a_fault(window: Window, event: e.Event) -> None:
    with pytest.raises(Fault):
        evolve(window.state, event)
    with pytest.raises(Fault):
        evolve(CageState(stream=CAGE), e.VoucherSold(voucher="v", cents=1, expires_at=1))


def test_a_voucher_goes_from_a_table_to_the_cage_and_back_and_the_audit_is_sound(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "floor.db") as store:
        steps: list[tuple[str, c.AnyCommand | g.AnyCageCommand]] = [
            ("table:1", c.OpenTable(by="pit", game="rapid")),
            (CAGE, g.OpenShift(by="carl", float_cents=0)),
            (CAGE, sell("v1", 9_000)),
            ("table:1", c.SeatSession(by="ann", session="ann")),
            ("table:1", c.RedeemVoucher(by="ann", session="ann", voucher="v1")),
            ("table:1", c.IssueVoucher(by="ann", session="ann", voucher="v2")),
            (CAGE, g.PayVoucher(by="carl", voucher="v2")),
            (CAGE, sell("v3", HAND_PAY_CENTS + 1)),
            (CAGE, g.PayVoucher(by="carl", voucher="v3")),
            (CAGE, g.ApprovePayment(by="sam", payment=1, voucher="v3")),
            (CAGE, g.CountShift(by="carl", counted_cents=0)),
            (CAGE, g.ConfirmCount(by="sam", counted_cents=0)),
        ]
        for n, (stream, command) in enumerate(steps):
            assert store.ask(Request(stream=stream, id=str(n), command=command)).ok, command
    report = audit(tmp_path / "floor.db")
    assert report.sound, report.fault
