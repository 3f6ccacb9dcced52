"""What stops play: the pit stops a table or a session, and a patron keeps to limits of his own."""

import msgspec

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.entries import chained
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import dump, load
from puntobanco_proof.entry.format import canonical
from tests.table.notation import play

OPEN = """
open-table fortune-six                -> TableOpened
shoe physical                         -> ShoeStarted
"""


def test_a_table_that_is_stopped_ends_its_round_by_rule_and_opens_no_other() -> None:
    play(f"""
{OPEN}
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann banker 100.00               -> WagerPlaced
halt fire-drill by=pit                -> TableHalted
halt again by=pit                     -> refused not-now
raise ann banker 50.00                -> WagerRaised
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
open                                  -> refused table-halted
restart by=pit                        -> TableRestarted
restart by=pit                        -> refused not-now
open                                  -> BetsOpened
""")


def test_the_clock_of_a_stopped_table_settles_what_is_in_play_and_then_owes_nothing() -> None:
    play("""
open-table fortune-six betting=15sec guard=1sec card=1sec pause=3sec automatic=yes shoes=yes -> TableOpened
wait 3sec                             -> ShoeStarted, BetsOpened
halt fire-drill by=pit                -> TableHalted
due close-bets 15sec
wait 15sec                            -> BetsClosed
due deal-card 1sec
""")


CARDS = """
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
"""


def test_a_table_that_is_to_close_ends_its_round_by_rule_and_is_closed_by_the_clock() -> None:
    """A dealer's table too, which has no clock of its own; the result can be read for a while."""
    table = play(f"""
{OPEN}
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann banker 100.00               -> WagerPlaced
halt end-of-shift closes=yes by=pit   -> TableHalted
halt again closes=yes by=pit          -> refused not-now because "closes already: end-of-shift"
halt again by=pit                     -> refused not-now
raise ann banker 50.00                -> WagerRaised
close                                 -> BetsClosed
{CARDS}
open                                  -> refused table-halted
due close-table 5sec
wait 5sec                             -> ShoeEnded, TableClosed, PeriodSealed
cash-out ann                          -> CashedOut, SessionEnded
""")
    assert (table.state.phase, table.state.halted, table.state.closing) == ("down", "", False)
    closed = [
        entry for entry, _ in chained(table.rows, "table:1") if entry.command == "close-table"
    ]
    assert [(entry.by, getattr(entry.events[-1], "reason", "")) for entry in closed] == [
        ("clock", "end-of-shift")
    ]


def test_a_table_that_is_to_close_can_be_kept_open() -> None:
    play(f"""
{OPEN}
open                                  -> BetsOpened
halt end-of-shift closes=yes by=pit   -> TableHalted
restart by=pit                        -> TableRestarted
close                                 -> BetsClosed
{CARDS}
due nothing
open                                  -> BetsOpened
""")


def test_a_table_that_is_stopped_may_be_closed_after_its_round_all_the_same() -> None:
    """Stopped with the floor, it does not start again with it."""
    table = play(f"""
{OPEN}
open                                  -> BetsOpened
halt fire-drill by_floor=yes by=floor -> TableHalted
halt end-of-shift closes=yes by=pit   -> TableHalted
""")
    assert (table.state.halted, table.state.halted_by_floor) == ("end-of-shift", False)


def test_a_decision_that_is_due_comes_before_the_closing() -> None:
    """A round that is reopened is played on; a proposal about it is decided first."""
    play(f"""
{OPEN}
open                                  -> BetsOpened
close                                 -> BetsClosed
halt end-of-shift closes=yes by=pit   -> TableHalted
{CARDS}
reopen wrong-card-count by=sup        -> Proposed 1
wait 60sec                            -> nothing
approve 1 by=pit                      -> ProposalApproved, RoundReopened
wait 60sec                            -> nothing
void by=sup                           -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundVoided
wait 5sec                             -> ShoeEnded, TableClosed, PeriodSealed
""")


def test_a_shoe_that_ends_while_the_table_closes_is_sealed_with_that() -> None:
    table = play(f"""
{OPEN}
open                                  -> BetsOpened
halt end-of-shift closes=yes by=pit   -> TableHalted
close                                 -> BetsClosed
{CARDS}
end-shoe                              -> ShoeEnded, PeriodSealed
""")
    assert load(msgspec.json.decode(canonical(dump(table.state)))).closing


def test_a_session_that_is_stopped_keeps_its_wagers_and_can_leave_with_its_credits() -> None:
    play(f"""
{OPEN}
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann banker 100.00               -> WagerPlaced
stop ann excluded by=pit              -> SessionStopped
stop ann twice by=pit                 -> refused not-now
wager ann tie 50.00                   -> refused patron-limit-reached
raise ann banker 50.00                -> refused patron-limit-reached
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
cash-out ann                          -> CashedOut, SessionEnded
""")


def test_a_stopped_session_may_still_withdraw_and_may_be_let_in_again() -> None:
    play(f"""
{OPEN}
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann banker 100.00               -> WagerPlaced
stop ann tired by=pit                 -> SessionStopped
withdraw ann banker                   -> WagerWithdrawn
let ann by=pit                        -> SessionRestarted
let ann by=pit                        -> refused not-now
wager ann banker 100.00               -> WagerPlaced
""")


def test_a_loss_limit_counts_what_could_be_lost_with_everything_in_play() -> None:
    play(f"""
{OPEN}
seat ann loss=150.00                  -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann banker 100.00               -> WagerPlaced
raise ann banker 100.00               -> refused patron-limit-reached
raise ann banker 50.00                -> WagerRaised
wager ann player 50.00                -> refused patron-limit-reached
withdraw ann banker 50.00             -> WagerWithdrawn
limit ann loss=100.00 by=floor        -> SessionLimited
wager ann player 50.00                -> refused patron-limit-reached
limit ann by=floor                    -> SessionLimited
wager ann player 50.00                -> WagerPlaced
""")


def test_winnings_may_be_played_on_with_and_lost_money_stays_lost_after_another_buy_in() -> None:
    play(f"""
{OPEN}
seat ann loss=100.00                  -> SessionSeated
buy ann 100.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann player 100.00               -> WagerPlaced
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
line ann player wins 200.00
open                                  -> BetsOpened
wager ann banker 200.00               -> WagerPlaced
close                                 -> BetsClosed
card 9h                               -> CardDealt
card 2s                               -> CardDealt
card Th                               -> CardDealt
card 4s                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann banker 50.00                -> refused patron-limit-reached
""")


def test_the_time_a_patron_allows_himself_ends_wagers_and_nothing_else() -> None:
    table = play(f"""
{OPEN}
seat ann minutes=30                   -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wait 1799sec                          -> nothing
wager ann banker 100.00               -> WagerPlaced
wait 1sec                             -> nothing
wager ann tie 50.00                   -> refused patron-limit-reached
withdraw ann banker                   -> WagerWithdrawn
cash-out ann                          -> CashedOut, SessionEnded
""")
    assert load(dump(table.state)) == table.state


def test_the_end_of_a_session_says_what_it_came_to_and_how_long_it_was() -> None:
    table = play(f"""
{OPEN}
seat ann patron=p7                    -> SessionSeated
buy ann 500.00                        -> CreditsBought
load ann 20.00 by=sup                 -> Proposed
approve 1 by=pit                      -> ProposalApproved, CreditsLoaded
open                                  -> BetsOpened
wager ann banker 100.00               -> WagerPlaced
close                                 -> BetsClosed
card 9h                               -> CardDealt
card 2s                               -> CardDealt
card Th                               -> CardDealt
card 4s                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
wait 60sec                            -> nothing
""")
    events, _ = table.do(c.CashOut(by="ann", session="ann"))
    assert events[-1] == e.SessionEnded(
        session="ann", patron="p7", net_cents=-10_000, played_ms=60_000
    )


def test_more_than_the_limit_is_paid_by_hand_and_by_two_people() -> None:
    play("""
open-table fortune-six handpay=300.00 -> TableOpened
seat ann                              -> SessionSeated
buy ann 300.01                        -> CreditsBought
voucher ann v1                        -> refused hand-pay-needed
cash-out ann by=carl                  -> Proposed 1
approve 1 by=carl                     -> refused second-person-needed
approve 1 by=sam                      -> ProposalApproved, CashedOut, SessionEnded
seat ben                              -> SessionSeated
buy ben 300.00                        -> CreditsBought
voucher ben v1                        -> VoucherIssued, SessionEnded
""")
