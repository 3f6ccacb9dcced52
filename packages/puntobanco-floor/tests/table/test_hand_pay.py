"""Money that waits for a second person: set apart when it is asked for, never lost, paid to the cent in every phase."""

import pytest

import puntobanco_floor.domain.events as e
from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from tests.support.claims import reads
from tests.table.notation import play

ROUND = """
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9h                               -> CardDealt
card 2s                               -> CardDealt
card Th                               -> CardDealt
card 4s                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
"""
WINNER = """
open-table fortune-six handpay=300.00 buyin=0.00 -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
buy ann 16000.00                      -> CreditsBought
cash-out ann by=carl                  -> Proposed 1
credits ann 0.00
account held 16000.00
"""
PAID = """
approve 1 by=sam                      -> ProposalApproved 1, CashedOut, SessionEnded
account held 0.00
account cage 0.00
"""


@reads(47)
def test_a_hand_pay_outlives_the_rounds_that_are_played_meanwhile() -> None:
    play(WINNER + ROUND * 3 + PAID)


@reads(47)
@pytest.mark.parametrize(
    "meanwhile",
    [
        "declare foreign-card -> IrregularityDeclared\nvoid by=dora -> Proposed 2\n"
        "approve 2 by=sam -> ProposalApproved, RoundVoided",
        "declare foreign-card -> IrregularityDeclared\nresume by=dora -> Proposed 2\n"
        "approve 2 by=sam -> ProposalApproved, RoundResumed",
    ],
    ids=["void", "resumed"],
)
def test_it_outlives_a_round_that_is_void_or_goes_on(meanwhile: str) -> None:
    play(WINNER + "open -> BetsOpened\nclose -> BetsClosed\n" + meanwhile + PAID)


def test_it_outlives_a_reopening() -> None:
    play(f"""
{WINNER}
{ROUND}
reopen wrong-card-count by=dora       -> Proposed 2
approve 2 by=sam                      -> ProposalApproved, RoundReopened
{PAID}
""")


@reads(47)
def test_it_is_paid_at_a_closed_table_and_after_it_was_opened_again() -> None:
    closed = f"{WINNER}\nclose-table -> ShoeEnded, TableClosed, PeriodSealed\n"
    play(closed + PAID)
    play(closed + "open-table rapid -> TableOpened\n" + PAID)


def test_it_can_be_asked_for_and_decided_while_the_table_is_closed() -> None:
    play("""
open-table fortune-six handpay=300.00 buyin=0.00 -> TableOpened
seat ann                              -> SessionSeated
buy ann 30000.00                      -> CreditsBought
close-table                           -> TableClosed, PeriodSealed
voucher ann v1                        -> refused hand-pay-needed
cash-out ann by=carl                  -> Proposed 1
reject 1 papers by=sam                -> ProposalRejected 1
credits ann 30000.00
cash-out ann by=carl                  -> Proposed 2
approve 2 by=sam                      -> ProposalApproved, CashedOut, SessionEnded
account cage 0.00
""")


def test_what_is_approved_is_what_was_asked_for_whatever_was_bought_and_lost_since() -> None:
    play(f"""
{WINNER}
buy ann 50000.00                      -> CreditsBought
open                                  -> BetsOpened
wager ann banker 100.00               -> WagerPlaced
approve 1 by=sam                      -> ProposalApproved 1, CashedOut
account cage -50000.00
account held 0.00
credits ann 49900.00
leave ann                             -> refused in-play
""")


def test_rejected_or_withdrawn_it_is_back_in_the_credits() -> None:
    play(f"""
{WINNER}
reject 1 "no papers" by=sam           -> ProposalRejected 1
credits ann 16000.00
account held 0.00
reject 1 by=sam                       -> refused unknown-proposal because "was rejected by sam already"
cash-out ann by=carl                  -> Proposed 2
take-back 2 by=sam                    -> refused not-now because "carl alone withdraws it"
take-back 2 by=carl                   -> ProposalWithdrawn 2
credits ann 16000.00
take-back 2 by=carl                   -> refused unknown-proposal
""")


def test_who_asked_neither_approves_nor_rejects() -> None:
    play(f"""
{WINNER}
approve 1 by=carl                     -> refused second-person-needed
reject 1 by=carl                      -> refused second-person-needed because "withdraw it"
""")


def test_a_session_does_not_end_while_a_hand_pay_of_it_waits() -> None:
    play(f"""
{WINNER}
leave ann                             -> refused in-play because "hand pay of $16,000"
cash-out ann by=carl                  -> refused not-enough-credits because "hand pay of $16,000 waits"
buy ann 20.00                         -> CreditsBought
voucher ann v1                        -> VoucherIssued
close-table                           -> ShoeEnded, TableClosed, PeriodSealed
approve 1 by=sam                      -> ProposalApproved, CashedOut, SessionEnded
account cage -20.00
""")


def test_two_hand_pays_of_one_session_are_two_and_the_last_ends_it() -> None:
    play(f"""
{WINNER}
buy ann 400.00                        -> CreditsBought
cash-out ann by=carl                  -> Proposed 2
account held 16400.00
approve 2 by=sam                      -> ProposalApproved, CashedOut
approve 1 by=sam                      -> ProposalApproved, CashedOut, SessionEnded
""")


def test_part_of_the_credits_can_be_paid() -> None:
    play("""
open-table fortune-six handpay=300.00 -> TableOpened
seat ann                              -> SessionSeated
buy ann 300.00                        -> CreditsBought
cash-out ann 300.01 by=carl           -> refused not-enough-credits
cash-out ann 100.00 by=carl           -> CashedOut
credits ann 200.00
cash-out ann 200.00 by=carl           -> CashedOut, SessionEnded
""")


def test_a_large_sum_that_is_paid_in_parts_takes_two_people_all_the_same() -> None:
    play("""
open-table fortune-six handpay=300.00 -> TableOpened
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
cash-out ann 100.00 by=carl           -> Proposed 1
cash-out ann 300.00 by=carl           -> Proposed 2
approve 1 by=sam                      -> ProposalApproved, CashedOut
cash-out ann 50.00 by=carl            -> Proposed 3
credits ann 50.00
account held 350.00
""")


def test_a_round_is_not_reopened_over_money_that_waits() -> None:
    """What was won and set apart can still be taken back: whoever decides the hand pay first decides where from."""
    play("""
open-table fortune-six handpay=300.00 -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann player 500.00               -> WagerPlaced
close                                 -> BetsClosed
card 9h                               -> CardDealt
card 2s                               -> CardDealt
card Th                               -> CardDealt
card 4s                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
cash-out ann by=carl                  -> Proposed 1
reopen wrong-card-count by=dora       -> refused not-now because "decide it, then reopen"
reject 1 by=sam                       -> ProposalRejected
reopen wrong-card-count by=dora       -> Proposed 2
approve 2 by=sam                      -> ProposalApproved, RoundReopened
account unrecovered 0.00
""")


def test_a_net_result_counts_what_is_set_apart_as_taken_away() -> None:
    table = play(WINNER + "buy ann 40.00 -> CreditsBought")
    seat = table.state.sessions["ann"]
    assert seat.in_cents == 4_000, "16,000 came and are set apart to leave, 40 are there to be lost"


def test_a_buy_in_above_the_setting_takes_two_people() -> None:
    assert all(default_limits(game).large_buy_in_cents == 1_000_000 for game in GAMES.values())
    play("""
open-table rapid                      -> TableOpened
seat ann                              -> SessionSeated
buy ann 10000.00 by=carl              -> CreditsBought
buy ann 10000.01 by=carl              -> Proposed 1 buy-in
credits ann 10000.00
account held 0.00
approve 1 by=carl                     -> refused second-person-needed
approve 1 by=sam                      -> ProposalApproved, CreditsBought
credits ann 20000.01
buy ann 10000.01 by=carl              -> Proposed 2
close-table                           -> TableClosed, PeriodSealed
reject 2 by=sam                       -> ProposalRejected 2
credits ann 20000.01
""")


def test_what_was_proposed_on_a_round_lapses_with_it_and_everybody_is_told() -> None:
    table = play("""
open-table fortune-six                -> TableOpened
shoe physical                         -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
declare foreign-card                  -> IrregularityDeclared
void by=dora                          -> Proposed 1
resume by=dora                        -> Proposed 2
approve 2 by=sam                      -> ProposalApproved 2, RoundResumed, ProposalLapsed 1
""")
    lapsed = table.state.proposals.decided[-1]
    assert (lapsed.proposal, lapsed.asked_by, lapsed.outcome, lapsed.reason) == (
        1,
        "dora",
        "lapsed",
        "resumed",
    )


def test_who_was_refused_learns_by_whom_and_why() -> None:
    table = play(f"""
{WINNER}
reject 1 papers by=sam                -> ProposalRejected 1
""")
    [decided] = table.state.proposals.decided
    assert (decided.asked_by, decided.outcome, decided.by, decided.reason) == (
        "carl",
        "rejected",
        "sam",
        "papers",
    )


def test_cash_that_came_from_a_drawer_is_approved_from_a_drawer() -> None:
    """Else it would be in none, and two drawers would come out right while cash is missing."""
    table = play("""
open-table rapid handpay=300.00       -> TableOpened
seat ann                              -> SessionSeated
""")
    for command, events in (
        (c.BuyIn(by="carl", session="ann", cents=50_000, window=1, shift=4), [e.CreditsBought]),
        (c.CashOut(by="carl", session="ann", window=1, shift=4), [e.Proposed]),
    ):
        assert [type(event) for event in table.do(command)[0]] == events
    refused = table.do(c.Approve(by="sam", proposal=1))[1]
    assert refused is not None
    assert (refused.ok, refused.code) == (False, "not-now")
    paid = table.do(c.Approve(by="sam", proposal=1, window=2, shift=1))[0][1]
    assert isinstance(paid, e.CashedOut)
    assert (paid.window, paid.shift, paid.proposed_by, paid.approved_by) == (2, 1, "carl", "sam")
