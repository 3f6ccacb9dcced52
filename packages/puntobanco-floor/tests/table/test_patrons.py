"""One patron with several sessions: one bonus, one maximum, whatever seats are left meanwhile."""

from tests.support.claims import reads
from tests.table.notation import Table, play

TWO_SESSIONS = """
open-table six-star patron=100.00     -> TableOpened
shoe physical                         -> ShoeStarted
seat ann patron=p7                    -> SessionSeated
seat ben patron=p7                    -> SessionSeated
buy ann 500.00                        -> CreditsBought
buy ben 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann tie 10.00                   -> WagerPlaced
wager ben tie 10.00                   -> WagerPlaced
"""

FLAMING_TIE = """
close                                 -> BetsClosed
card 9f                               -> CardDealt
card 9f                               -> CardDealt
card Tf                               -> CardDealt
card Tf                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled T 9 9
"""


def bonuses(table: Table) -> int:
    return -table.stream.balances.get("bonus", 0)


@reads(1)
def test_a_patron_with_two_sessions_has_one_tie_bonus() -> None:
    assert bonuses(play(TWO_SESSIONS + FLAMING_TIE)) == 300_000


@reads(1, 39)
def test_and_still_one_when_a_seat_was_left_before_the_round_is_reopened_and_settled_again() -> (
    None
):
    table = play(
        TWO_SESSIONS
        + FLAMING_TIE
        + """
cash-out ben                          -> CashedOut, SessionEnded
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
resume by=sup                         -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundResumed
settle                                -> RoundSettled T 9 9
"""
    )
    assert bonuses(table) == 300_000


def test_the_patrons_maximum_counts_both_sessions() -> None:
    play(
        TWO_SESSIONS
        + """
wager ann banker 70.00                -> WagerPlaced
wager ben banker 20.00                -> refused limit-refused
wager ben banker 10.00                -> WagerPlaced
"""
    )
