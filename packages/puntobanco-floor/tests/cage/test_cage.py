"""A cage window: shifts, cash for vouchers and back, what takes two people, and the count."""

from pathlib import Path

import msgspec
import pytest

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.cage.state import HAND_PAY_CENTS, LARGE_BUY_IN_CENTS, CageState
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.machine import Voucher
from puntobanco_floor.domain.refusals import NotAtTheWindow, NotOfTheCage
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.batch import Answer, Batch, Request, Stream, vouchers_named
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.entry.format import Fault, canonical
from tests.support.node_key import NODE

NOW, DAY_MS = 1_700_000_000_000, 86_400_000
CAGE = "cage:1"


class Window:
    def __init__(self) -> None:
        self.stream, self.vouchers, self.now, self.sent = (
            Stream.empty(CAGE, OURS.cage),
            dict[str, Voucher](),
            NOW,
            0,
        )

    @property
    def state(self) -> CageState:
        return self.stream.state

    def ask(self, command: Command) -> Answer:
        self.sent += 1
        request = Request(stream=CAGE, id=str(self.sent), command=command)
        named = vouchers_named(self.stream, [request])  # a store hands in these, and no others
        known = {voucher: self.vouchers[voucher] for voucher in named if voucher in self.vouchers}
        batch = Batch(self.stream, self.now, node=NODE, load=_no_cards, vouchers=known)
        [reply] = batch.run([request], {}).replies
        assert isinstance(reply, Answer)
        batch.settle_in()
        self.vouchers |= known
        self.read = [entry for entry in batch.out.read if entry.command != "admit-key"]
        plain = msgspec.json.decode(canonical(OURS.cage.dump(self.state)))
        assert OURS.cage.load(plain) == self.state
        assert sum(self.stream.balances.values()) == 0
        return reply

    def ok(self, *commands: Command) -> None:
        for command in commands:
            answer = self.ask(command)
            assert answer.ok, answer.reason

    def refused(self, command: Command, kind: type[Refusal] | str) -> None:
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
    window.ok(g.ConfirmCount(by="sam", counted_cents=505_000))
    assert window.state.shift is None
    assert window.state.periods == 1, "a shift is a period"


def test_two_counts_that_differ_are_written_down_and_both_count_again(window: Window) -> None:
    window.ok(
        g.CountShift(by="carl", counted_cents=499_900),
        g.ConfirmCount(by="sam", counted_cents=500_000),
    )
    [differed] = window.read[-1].events
    assert differed == e.CountsDiffered(
        shift=1, first_cents=499_900, second_cents=500_000, by="sam"
    )
    assert (window.state.count, window.state.closed, window.state.differed) == (None, None, True)
    window.refused(
        g.ConfirmCount(by="sam", counted_cents=499_900), NotAtTheWindow
    )  # the first counts again, too
    window.ok(
        g.CountShift(by="carl", counted_cents=500_000),
        g.ConfirmCount(by="sam", counted_cents=500_000),
    )


def test_no_answer_tells_a_figure_before_both_have_counted(window: Window) -> None:
    window.ok(sell("v1", 20_000))
    counts: list[Command] = [
        g.CountShift(by="carl", counted_cents=519_300),
        g.ConfirmCount(by="sam", counted_cents=518_700),
        g.CountShift(by="carl", counted_cents=519_300),
    ]
    for command in counts:
        answer = canonical(window.ask(command)).decode()
        for figure in ("5193", "5187", "5200", "5,193", "5,187", "5,200"):
            assert figure not in answer


def test_money_that_is_missing_is_written_down(window: Window) -> None:
    window.ok(sell("v1", 20_000), g.CountShift(by="carl", counted_cents=515_000))
    window.ok(g.ConfirmCount(by="sam", counted_cents=515_000))
    closed = e.ShiftClosed(
        shift=1,
        cashier="carl",
        first="carl",
        by="sam",
        since=NOW,
        float_cents=500_000,
        in_cents=20_000,
        out_cents=0,
        counted_cents=515_000,
        expected_cents=520_000,
        difference_cents=-5_000,
    )
    assert window.read[0].events == (closed,)
    assert window.state.closed == closed, "both have counted: now it is told"


def test_the_drawer_of_a_cashier_who_is_gone_is_counted_by_two_others(window: Window) -> None:
    window.ok(g.CountShift(by="sam", counted_cents=500_000))
    window.refused(g.ConfirmCount(by="sam", counted_cents=500_000), "second-person-needed")
    window.refused(g.CountShift(by="cora", counted_cents=1), NotAtTheWindow)
    window.ok(g.ConfirmCount(by="sue", counted_cents=500_000))
    assert window.state.closed is not None
    assert (window.state.closed.cashier, window.state.closed.first, window.state.closed.by) == (
        "carl",
        "sam",
        "sue",
    )


def noted(cents: int, entry: int, shift: int = 1) -> g.NoteCash:
    return g.NoteCash(by="floor", shift=shift, table="table:1", entry=entry, cents=cents)


def test_cash_of_tables_counts_in_the_drawer_that_it_names(window: Window) -> None:
    window.ok(noted(30_000, 7), noted(-10_000, 9))
    assert window.state.shift is not None
    assert (window.state.shift.in_cents, window.state.shift.out_cents) == (30_000, 10_000)
    window.ok(
        g.CountShift(by="carl", counted_cents=520_000), noted(500, 11)
    )  # on its way as the count began
    window.ok(g.ConfirmCount(by="sam", counted_cents=520_000))
    assert window.state.closed is not None
    assert window.state.closed.difference_cents == -500


def test_cash_that_comes_after_its_shift_was_closed_is_written_down_as_late(window: Window) -> None:
    window.ok(
        g.CountShift(by="carl", counted_cents=500_000),
        g.ConfirmCount(by="sam", counted_cents=500_000),
    )
    window.ok(g.OpenShift(by="cora", float_cents=0), noted(900, 20))
    [late] = window.read[-1].events
    assert late == e.CashNoted(shift=1, table="table:1", entry=20, cents=900, late=True)
    assert window.state.shift is not None
    assert window.state.shift.expected_cents == 0, "it is not the next cashier's"


def test_only_whose_shift_it_is_works_the_window(window: Window) -> None:
    window.refused(sell("v1", 1_000, by="cora"), NotAtTheWindow)
    window.refused(g.OpenShift(by="cora", float_cents=0), NotAtTheWindow)
    window.refused(g.ConfirmCount(by="sam", counted_cents=0), NotAtTheWindow)
    Window().refused(sell("v1", 1_000), NotAtTheWindow)


def large(window: Window, voucher: str) -> None:
    """A voucher over what a window takes or pays alone, sold by two people."""
    window.ok(sell(voucher, LARGE_BUY_IN_CENTS + 1))
    [proposed] = window.read[-1].events
    assert isinstance(proposed, e.Proposed)
    window.ok(g.Approve(by="sam", proposal=proposed.proposal))


def test_much_cash_for_a_voucher_takes_two_people(window: Window) -> None:
    window.ok(sell("v0", LARGE_BUY_IN_CENTS))
    window.ok(sell("v1", LARGE_BUY_IN_CENTS + 1))
    assert "v1" not in window.vouchers
    window.refused(g.Approve(by="carl", proposal=1), "second-person-needed")
    window.ok(g.Approve(by="sam", proposal=1))
    assert window.vouchers["v1"].cents == LARGE_BUY_IN_CENTS + 1
    assert window.read[-1].events[1] == e.VoucherSold(
        voucher="v1",
        cents=LARGE_BUY_IN_CENTS + 1,
        expires_at=NOW + 30 * DAY_MS,
        proposed_by="carl",
        approved_by="sam",
    )


@pytest.mark.parametrize("expired", [True, False])
def test_a_large_or_an_expired_voucher_takes_two_people(window: Window, expired: bool) -> None:
    cents = 1_000 if expired else HAND_PAY_CENTS + 1
    if expired:
        window.ok(sell("v1", cents))
    else:
        large(window, "v1")
    window.now += 31 * DAY_MS if expired else 0
    window.ok(g.PayVoucher(by="carl", voucher="v1"))
    number = window.state.proposals.numbered
    assert window.cash == -cents, "nothing is paid yet"
    window.refused(g.PayVoucher(by="carl", voucher="v1"), "voucher-refused")
    window.refused(g.Approve(by="carl", proposal=number), "second-person-needed")
    window.refused(g.Approve(by="sam", proposal=9), "unknown-proposal")
    window.refused(g.CountShift(by="carl", counted_cents=0), NotAtTheWindow)
    window.ok(g.Approve(by="sam", proposal=number))
    assert window.cash == 0
    window.refused(g.PayVoucher(by="carl", voucher="v1"), "voucher-refused")


def test_a_payment_that_is_rejected_or_withdrawn_can_be_asked_for_again(window: Window) -> None:
    large(window, "v1")
    window.ok(
        g.PayVoucher(by="carl", voucher="v1"), g.Reject(by="sam", proposal=2, reason="no papers")
    )
    window.refused(g.Reject(by="sam", proposal=2), "unknown-proposal")
    refused = window.state.proposals.decided[-1]
    assert (refused.asked_by, refused.by, refused.reason) == ("carl", "sam", "no papers")
    window.ok(g.PayVoucher(by="carl", voucher="v1"), g.WithdrawProposal(by="carl", proposal=3))
    window.ok(g.PayVoucher(by="carl", voucher="v1"), g.Approve(by="sam", proposal=4))


def test_a_window_pays_alone_up_to_its_limit(window: Window) -> None:
    window.ok(sell("v1", HAND_PAY_CENTS), g.PayVoucher(by="carl", voucher="v1"))
    assert window.cash == 0


def test_commands_of_tables_are_refused(window: Window) -> None:
    window.refused(c.OpenBets(by="carl"), NotOfTheCage)


IMPOSSIBLE: list[e.Event] = [
    e.ShiftOpened(shift=7, cashier="x", float_cents=0, since=0),
    e.ProposalApproved(proposal=3, by="x"),
    e.Proposed(proposal=5, about="money", at=0, command={"by": "x"}),
    e.CashNoted(shift=9, table="table:1", entry=1, cents=1),
    e.CashNoted(shift=1, table="table:1", entry=1, cents=1, late=True),
    e.ShiftCounted(shift=2, counted_cents=0, by="carl"),
    e.CountsDiffered(shift=1, first_cents=1, second_cents=2, by="sam"),
    e.ShiftClosed(
        shift=1,
        cashier="carl",
        first="carl",
        by="sam",
        since=NOW,
        float_cents=0,
        in_cents=0,
        out_cents=0,
        counted_cents=0,
        expected_cents=0,
        difference_cents=0,
    ),
    e.PeriodSealed(period=9, snapshot=""),
    e.BetsClosed(round=1, announcement=""),
]


@pytest.mark.parametrize("event", IMPOSSIBLE, ids=lambda event: type(event).__name__)
def test_an_event_that_cannot_follow_is_a_fault(window: Window, event: e.Event) -> None:
    with pytest.raises(Fault):
        OURS.cage.evolve(window.state, event)
    with pytest.raises(Fault):
        OURS.cage.evolve(CageState(stream=CAGE), e.VoucherSold(voucher="v", cents=1, expires_at=1))


def test_a_voucher_goes_from_a_table_to_the_cage_and_back_and_the_audit_is_sound(
    tmp_path: Path,
) -> None:
    with SqliteStore(tmp_path / "floor.db") as store:
        steps: list[tuple[str, Command]] = [
            ("table:1", c.OpenTable(by="pit", game="rapid")),
            (CAGE, g.OpenShift(by="carl", float_cents=0)),
            (CAGE, sell("v1", 9_000)),
            ("table:1", c.SeatSession(by="ann", session="ann")),
            ("table:1", c.RedeemVoucher(by="ann", session="ann", voucher="v1")),
            ("table:1", c.IssueVoucher(by="ann", session="ann", voucher="v2")),
            (CAGE, g.PayVoucher(by="carl", voucher="v2")),
            (CAGE, sell("v3", HAND_PAY_CENTS + 1)),
            (CAGE, g.Approve(by="sam", proposal=1)),
            (CAGE, g.PayVoucher(by="carl", voucher="v3")),
            (CAGE, g.Approve(by="sam", proposal=2)),
            (CAGE, g.CountShift(by="carl", counted_cents=0)),
            (CAGE, g.ConfirmCount(by="sam", counted_cents=0)),
        ]
        for n, (stream, command) in enumerate(steps):
            assert store.ask(Request(stream=stream, id=str(n), command=command)).ok, command
    report = audit(tmp_path / "floor.db")
    assert report.sound, report.fault
