"""What is counted of a shoe beside its results: wins of banker with a six, also where a round is taken back."""

from puntobanco import Game
from tests.table.test_clauses import BANKER_WINS, CLOSED, PLAYER_WINS, at, begun

BANKER_SIX = (
    CLOSED
    + """
card 2s                               -> CardDealt p1
card 6h                               -> CardDealt b1
card 3d                               -> CardDealt p2
card Tc                               -> CardDealt b2, TotalsAnnounced 5 6 [{totals}]
card Th                               -> CardDealt p3
settle                                -> RoundSettled B 5 6
"""
)


def test_a_win_of_banker_with_a_six_is_counted_until_the_next_shoe(game: Game) -> None:
    at(
        game,
        """
sixes 1
end-shoe                              -> ShoeEnded, PeriodSealed
sixes 1
shoe physical                         -> ShoeStarted 2
sixes 0
""",
        begun(game, BANKER_SIX),
    )


def test_neither_a_six_that_lost_nor_another_total_is_counted(game: Game) -> None:
    for script in (PLAYER_WINS, BANKER_WINS):  # player 9 over banker 6; banker 8
        at(game, "sixes 0", begun(game, script))


def test_a_round_that_is_reopened_takes_its_six_with_it(game: Game) -> None:
    at(
        game,
        """
sixes 1
reopen wrong-card-count by=sup        -> Proposed 1 reopen
approve 1 by=pit                      -> ProposalApproved, RoundReopened
sixes 0
""",
        begun(game, BANKER_SIX),
    )
