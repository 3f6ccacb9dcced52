"""Section 5 of the five rulebooks at a live table, and the readings that the table decides.

Scripts are written with 52-card codes; `at` turns them into five-element cards where the game plays those, and puts in
the clauses of the game, which `BOOK` names by hand.
"""

import re

import pytest

from puntobanco import GAMES, Game
from puntobanco.base.refusal import Refusal
from puntobanco.rules.clauses import CLAUSES
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.definitions import TABLE as MACHINE
from puntobanco_floor.domain.entries import Entry, read_entry
from puntobanco_floor.domain.ledger import post
from puntobanco_floor.domain.machine import Funds
from puntobanco_floor.domain.proposals import MAX_A_PERSON
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.sealed_shoes import revealed
from tests.support.claims import MBS, proves, reads
from tests.table.notation import Table, deal_out, play, played

_MBS = {
    "opens": "Place your bets, please",
    "closes": "No more bets",
    "totals": "3.9",
    "foreign": "5.1",
    "count": "5.2",
    "together": "5.3",
    "altered": "5.4",
    "short": "5.5",
    "late": "5.6",
    "taken_back": "5.7",
}
_SSP = {
    "opens": "Place Your Bets",
    "closes": "No More Bets",
    "totals": "reading 41",
    "foreign": "5.1.1",
    "deck_count": "5.1.2",
    "count": "5.1.3",
    "short": "5.1.4",
    "late": "3.2",
    "taken_back": "reading 21",
}
BOOK = {
    "six-star": _MBS | {"other": "9s", "another": "8s"},  # cards of the other deck
    "fortune-six": _MBS | {"other": "9f", "another": "8f"},
    "super-six-plus": _SSP | {"other": "9f", "another": "8f"},
    "sands-elements": _MBS | {"other": "9s", "another": "8s"},
    "rapid": _MBS | {"other": "9f", "another": "8f", "late": "3.2", "taken_back": "reading 21"},
}
_FACES = str.maketrans("JQKshdc", "SLFfgew")
of_mbs = pytest.mark.parametrize("game_id", [name.replace("_", "-") for name in MBS])


def at(game: Game | str, script: str, table: Table | None = None, **more: object) -> Table:
    """Play a script in a game's own cards and clauses; `more` are other words to put in."""
    return play(worded(game, script, **more), table)


def worded(game: Game | str, script: str, **more: object) -> str:
    game = GAMES[game] if isinstance(game, str) else game
    if game.deck.id == "five-elements":
        script = re.sub(r"\b[A2-9TJQK][shdc]\b", lambda found: found[0].translate(_FACES), script)
    return script.format(game=game.id, **BOOK[game.id], **more)


BEGUN = """
open-table {game} load=50.00          -> TableOpened {game}
shoe physical cut=14                  -> ShoeStarted 1 physical shoe 8
seat ann                              -> SessionSeated ann
seat ben                              -> SessionSeated ben
buy ann 500.00                        -> CreditsBought ann 500.00
buy ben 500.00                        -> CreditsBought ben 500.00
"""
WAGERED = """
open                                  -> BetsOpened "{opens}"
wager ann banker 100.00               -> WagerPlaced ann banker 100.00
wager ben player 100.00               -> WagerPlaced ben player 100.00
"""
CLOSED = (
    WAGERED
    + """
close                                 -> BetsClosed "{closes}"
"""
)
PLAYER_WINS = (
    CLOSED
    + """
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced 9 6 [{totals}]
settle                                -> RoundSettled P 9 6
"""
)
BANKER_WINS = (
    CLOSED
    + """
card 6s                               -> CardDealt p1
card 5h                               -> CardDealt b1
card Td                               -> CardDealt p2
card Tc                               -> CardDealt b2, TotalsAnnounced 6 5 [{totals}]
card 3d                               -> CardDealt b3
settle                                -> RoundSettled B 6 8
"""
)


def begun(game: Game | str, *scripts: str) -> Table:
    return played(worded(game, "\n".join((BEGUN, *scripts))))


# Late wagers: 5.6 and 5.7 at dealer's tables, 3.2 and reading 21 at terminals


@proves(dealer_tables="5.6 3.2", rapid="3.2", super_six_plus="3.2")
@reads(19, 20)
def test_a_late_wager_is_refused(game: Game) -> None:
    at(
        game,
        """
wager ben tie 50.00                   -> refused bets-are-closed [{late}] because "Bets are closed"
card 9s                               -> CardDealt p1
wager ben tie 50.00                   -> refused bets-are-closed [{late}]
credits ben 400.00
""",
        begun(game, CLOSED),
    )


@proves(dealer_tables="5.6", rapid="3.2", super_six_plus="3.2")
@reads(20)
def test_of_a_late_raise_only_the_raise_is_refused_and_the_first_stake_plays(game: Game) -> None:
    at(
        game,
        """
raise ben player 50.00                -> WagerRaised ben player 150.00
close                                 -> BetsClosed
raise ben player 50.00                -> refused bets-are-closed [{late}] because "your wager stands as it was"
credits ben 350.00
card 9s                               -> CardDealt p1
raise ben player 50.00                -> refused bets-are-closed [{late}]
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced
settle                                -> RoundSettled P
line ben player wins 300.00
credits ben 650.00
""",
        begun(game, WAGERED),
    )


@proves(dealer_tables="5.7")
@reads(21)
def test_a_wager_taken_back_too_late_plays(game: Game) -> None:
    at(
        game,
        """
withdraw ann banker                   -> refused withdrawal-too-late [{taken_back}] because "your wager plays"
withdraw ann banker 50.00             -> refused withdrawal-too-late [{taken_back}]
leave ann                             -> refused in-play        # nor does a terminal that is switched off
card 9s                               -> CardDealt p1
withdraw ann banker                   -> refused withdrawal-too-late [{taken_back}]
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced
settle                                -> RoundSettled P
line ann banker loses 0.00
credits ann 400.00
""",
        begun(game, CLOSED),
    )


@reads(19)
def test_a_wager_counts_if_it_comes_before_the_close(game: Game) -> None:
    at(
        game,
        """
open-table {game} betting=15sec closes=clock -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
wager ann tie 50.00                   -> refused bets-are-closed [3.1] because "wait for"
open                                  -> BetsOpened 1
due close-bets 15sec
wager ann tie 50.00 round=2           -> refused wrong-round
wait 14999ms                          -> nothing
wager ann tie 50.00                   -> WagerPlaced
wait 1ms                              -> BetsClosed "{closes}"
raise ann tie 50.00                   -> refused bets-are-closed [{late}]
due nothing
""",
    )


@reads(19)
def test_at_the_deadline_bets_are_closed_even_before_the_close_is_called(game: Game) -> None:
    """As the machine sees it, between the deadline and the event of the close."""
    table = at(
        game,
        """
open-table {game} betting=15sec closes=clock -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened 1
wager ann tie 50.00                   -> WagerPlaced
""",
    )
    wager = {"by": "ann", "round": 1, "session": "ann"}
    late: dict[c.Command, str] = {
        c.PlaceWager(bet="player", stake_cents=5_000, **wager): "bets-are-closed",  # type: ignore[arg-type]
        c.RaiseWager(bet="tie", by_cents=5_000, **wager): "bets-are-closed",  # type: ignore[arg-type]
        c.WithdrawWager(bet="tie", **wager): "withdrawal-too-late",  # type: ignore[arg-type]
    }
    funds, deadline = Funds(table.stream.balances), table.now + 15_000
    for command, code in late.items():
        assert MACHINE.decide(table.state, funds, command, deadline - 1)
        with pytest.raises(Refusal) as refused:
            MACHINE.decide(table.state, funds, command, deadline)
        clause = BOOK[game.id]["taken_back" if code == "withdrawal-too-late" else "late"]
        assert (refused.value.code, refused.value.clause) == (code, clause)


# 5.1: a foreign card


@proves(mbs="5.1 5.1.1 5.1.2", super_six_plus="5.1 5.1.1")
@reads(22, 33)
def test_a_foreign_card_voids_the_round_and_earlier_results_stand(game: Game) -> None:
    at(
        game,
        """
last 1 P 9 6
card 6s                               -> CardDealt p1
card {other}                          -> CardQuestioned {other}
phase dealing
card {other}                          -> IrregularityDeclared 2 foreign-card [{foreign}]
phase stopped
settle                                -> refused not-now
card 5h                               -> refused not-now
reconstruct 6s 5h                     -> refused ground-does-not-apply [{foreign}] because "no order to reconstruct"
counted 1 0
void by=sup                           -> Proposed 1 void-round
approve 1 by=pit                      -> ProposalApproved 1, RoundVoided 2 foreign-card [{foreign}]
counted 1 1
last 2 VOID
line ann banker void 100.00 [{foreign}]
line ben player void 100.00 [{foreign}]
credits ann 400.00
credits ben 600.00
roads P
open                                  -> refused shoe-must-be-changed because "a card that does not belong to the set"
end-shoe                              -> ShoeEnded, PeriodSealed
shoe physical                         -> ShoeStarted 2
counted 0 0
last 2 VOID
open                                  -> BetsOpened 3
""",
        begun(game, PLAYER_WINS, CLOSED),
    )


def test_a_card_that_cannot_be_is_asked_for_again(game: Game) -> None:
    """Another card settles the matter; another that cannot be is a new question."""
    at(
        game,
        """
card {other}                          -> CardQuestioned {other}
card joker                            -> CardQuestioned joker
card {another}                        -> CardQuestioned {another}
card 6s                               -> CardDealt p1
card {another}                        -> CardQuestioned {another}
card {other}                          -> CardQuestioned {other}
card 5h                               -> CardDealt b1
""",
        begun(game, CLOSED),
    )


FIFTH_NINE = """
open-table {game}                     -> TableOpened
shoe physical decks=4                 -> ShoeStarted            # four nines of each suit
open                                  -> BetsOpened 1
close                                 -> BetsClosed
card 9s                               -> CardDealt p1
card 9s                               -> CardDealt b1
card 9s                               -> CardDealt p2
card 2h                               -> CardDealt b2, TotalsAnnounced 8 1
settle                                -> RoundSettled Pp
open                                  -> BetsOpened 2
close                                 -> BetsClosed
card 9s                               -> CardDealt p1
card 9s                               -> CardQuestioned 9s
"""


def test_a_card_too_many_of_its_kind_is_good_once_the_one_misread_is_corrected(game: Game) -> None:
    at(
        game,
        """
correct p1 9c                         -> CardCorrected p1 9s 9c
card 9s                               -> CardDealt b1 9s
phase dealing
""",
        at(game, FIFTH_NINE),
    )


@proves(mbs="5.1", super_six_plus="5.1.1")
def test_a_card_too_many_of_its_kind_that_is_entered_again_is_foreign(game: Game) -> None:
    at(
        game,
        """
card 9s                               -> IrregularityDeclared 2 foreign-card [{foreign}]
phase stopped
roads Pp
""",
        at(game, FIFTH_NINE),
    )


@proves(mbs="5.1 5.1.1", super_six_plus="5.1.1")
@reads(42)
@pytest.mark.parametrize("stage", [WAGERED, CLOSED, CLOSED + "\ncard 6s -> CardDealt p1"])
def test_a_dealer_declares_a_foreign_card_by_sight(game: Game, stage: str) -> None:
    at(
        game,
        """
declare foreign-card "a blue back"    -> IrregularityDeclared 1 foreign-card [{foreign}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [{foreign}]
credits ann 500.00
credits ben 500.00
""",
        begun(game, stage),
    )


@proves(mbs="5.1.2", super_six_plus="5.1")
@reads(25, 42)
def test_a_foreign_card_between_rounds_voids_nothing_and_the_shoe_is_changed(game: Game) -> None:
    at(
        game,
        """
declare foreign-card                  -> IncidentRecorded foreign-card spoils the shoe [{foreign}]
phase settled
roads P
credits ben 600.00
reopen foreign-card by=sup            -> refused not-now [{foreign}] because "earlier results stand"
open                                  -> refused shoe-must-be-changed
end-shoe                              -> ShoeEnded, PeriodSealed
shoe physical                         -> ShoeStarted 2
open                                  -> BetsOpened 2
""",
        begun(game, PLAYER_WINS),
    )


def test_a_false_alarm_goes_on_where_it_stopped(game: Game) -> None:
    at(
        game,
        """
card 9s                               -> CardDealt p1
declare foreign-card                  -> IrregularityDeclared
resume by=sup                         -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundResumed
phase dealing
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced
settle                                -> RoundSettled
open                                  -> BetsOpened 2           # and the shoe is good
""",
        begun(game, CLOSED),
    )


def test_a_round_stopped_while_bets_are_open_says_so_and_reopens_them(game: Game) -> None:
    """Nobody has called the close: wagers and withdrawals wait, and none of them is late."""
    at(
        game,
        """
declare foreign-card                  -> IrregularityDeclared
wager ann tie 50.00                   -> refused bets-are-closed [3.1] because "stopped for a decision"
withdraw ann banker                   -> refused not-now because "stopped for a decision"
reconstruct 6s 5h by=sup              -> refused not-now because "no card was dealt"
resume by=sup                         -> Proposed
approve 1 by=pit                      -> ProposalApproved, RoundResumed
phase betting
withdraw ann banker                   -> WagerWithdrawn ann banker 0.00
""",
        begun(game, WAGERED),
    )


# 5.2 and 5.1.3: a wrong number of cards


@proves(mbs="5.2", super_six_plus="5.1.3 1:reconstruction")
@reads(22, 23)
def test_a_wrong_number_of_cards_is_reconstructed_and_the_card_left_over_is_burned(
    game: Game,
) -> None:
    """Player stands on 6, and two cards were drawn: the first is banker's, the second was seen and nobody's."""
    at(
        game,
        """
card 6s                               -> CardDealt p1
card 5h                               -> CardDealt b1
card Td                               -> CardDealt p2
card Tc                               -> CardDealt b2, TotalsAnnounced 6 5
declare wrong-card-count              -> IrregularityDeclared 1 wrong-card-count [{count}]
settle                                -> refused not-now
reconstruct 6s 5h Td by=sup           -> refused ground-does-not-apply [{count}] because "the order given lacks T"
reconstruct 6s 5h Td Tc 3d {other}    -> refused card-refused   # what is left over came from this shoe too
reconstruct 6s 5h Td Tc 3d 9h by=sup  -> Proposed 1 reconstruct
approve 1 by=sup                      -> refused second-person-needed
approve 1 by=pit                      -> ProposalApproved 1, RoundReconstructed 6s 5h Td Tc 3d 9h over 9h [{count}]
settle                                -> RoundSettled B 6 8
line ann banker wins 200.00
credits ann 600.00
cards-left {left}
""",
        begun(game, CLOSED),
        left=8 * len(game.deck) - 6,
    )


@reads(23)
def test_a_correction_after_a_reconstruction_minds_the_cards_left_over(game: Game) -> None:
    """They come next if the table now draws; and four decks hold four nines of a suit, those left over among them."""
    at(
        game,
        """
open-table {game}                     -> TableOpened
shoe physical decks=4                 -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
declare wrong-card-count              -> IrregularityDeclared
reconstruct 9s 2h Td 4h 9h 9h 9h 9h 9h by=sup  -> refused card-refused
reconstruct 9s 2h Td 4h 9h 9h 9h 9h by=sup     -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReconstructed over 9h 9h 9h 9h, TotalsAnnounced 9 6
correct p1 2s                         -> refused correction-refused [reading 45] because "would have drawn otherwise"
correct p1 9h                         -> refused card-refused
correct p1 8h                         -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, CardCorrected, TotalsAnnounced 8 6
settle                                -> RoundSettled P 8 6
cards-left {left}
""",
        left=4 * len(game.deck) - 8,
    )


@proves(mbs="5.2", super_six_plus="5.1.3")
@reads(22, 34)
def test_a_wrong_number_of_cards_beyond_reconstruction_is_void_for_every_wager(game: Game) -> None:
    at(
        game,
        """
wager ann tie 20.00                   -> WagerPlaced
wager ann player-pair 20.00           -> WagerPlaced
wager ben banker 30.00                -> WagerPlaced
close                                 -> BetsClosed
card 6s                               -> CardDealt p1
declare wrong-card-count              -> IrregularityDeclared [{count}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided 1 wrong-card-count [{count}]
line ann banker void 100.00 [{count}]
line ann tie void 20.00 [{count}]
line ann player-pair void 20.00 [{count}]
line ben banker void 30.00 [{count}]
line ben player void 100.00 [{count}]
credits ann 500.00
credits ben 500.00
account bank 0.00
open                                  -> BetsOpened 2           # the shoe is good
""",
        begun(game, WAGERED),
    )


@proves(mbs="5.2", super_six_plus="5.1.3")
@reads(24)
def test_a_wrong_number_of_cards_counts_until_bets_open_again(game: Game) -> None:
    at(
        game,
        """
declare wrong-card-count              -> refused not-now [{count}] because "reopen it"
open                                  -> BetsOpened 2
declare wrong-card-count              -> refused ground-does-not-apply [{count}] because "the result stands"
reopen wrong-card-count by=sup        -> refused not-now [{count}] because "earlier results stand"
phase betting
roads P
credits ben 600.00
""",
        begun(game, PLAYER_WINS),
    )


def test_bets_do_not_open_over_a_reopening_that_waits_for_the_second_person(game: Game) -> None:
    at(
        game,
        """
reopen wrong-card-count by=sup        -> Proposed 1 reopen
open                                  -> refused not-now because "proposal 1"
reject 1 by=pit                       -> ProposalRejected 1
open                                  -> BetsOpened 2
""",
        begun(game, PLAYER_WINS),
    )


# Reopened after settlement


def test_a_round_that_is_reopened_is_not_the_last_one_and_its_natural_not_counted(
    game: Game,
) -> None:
    at(
        game,
        """
counted 1 0
last 1 P 9 6
reopen wrong-card-count by=sup        -> Proposed 1 reopen
approve 1 by=pit                      -> ProposalApproved, RoundReopened
counted 0 0
last none
""",
        begun(game, PLAYER_WINS),
    )


@proves(mbs="5.2", super_six_plus="5.1.3")
@reads(22, 39)
def test_a_round_reopened_after_it_was_paid_is_paid_back_and_settled_anew(game: Game) -> None:
    """Compensating entries: what banker's win had moved moves back, and what player's win moves comes after it."""
    table = at(
        game,
        """
reopen wrong-card-count by=sup        -> Proposed 1 reopen
approve 1 by=sup                      -> refused second-person-needed
approve 1 by=pit                      -> ProposalApproved, RoundReopened 1 wrong-card-count [{count}]
credits ann 400.00
credits ben 400.00
account wagers 200.00
account bank 0.00
roads none
cash-out ann                          -> refused in-play
reconstruct 5h 6s Tc Td 3d by=sup     -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundReconstructed over none, TotalsAnnounced 5 6 [{totals}]
settle                                -> RoundSettled P 8 6
credits ann 400.00
credits ben 600.00
account unrecovered 0.00
roads P
open                                  -> BetsOpened 2
""",
        begun(game, BANKER_WINS),
    )
    kinds = [entry.command for entry in entries(table)]
    assert kinds[-5:] == ["approve", "reconstruct", "approve", "settle", "open-bets"], (
        "nothing is rewritten"
    )


@reads(39)
def test_what_was_cashed_out_is_unrecovered_and_no_balance_turns_negative(game: Game) -> None:
    at(
        game,
        """
cash-out ann                          -> CashedOut ann 600.00, SessionEnded ann
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
credits ann 0.00
owed ann 200.00
account unrecovered -200.00
account wagers 200.00
account bank 0.00
reconstruct 5h 6s Tc Td 3d by=sup     -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundReconstructed, TotalsAnnounced
settle                                -> RoundSettled P 8 6
credits ben 600.00
owed ann 200.00
account unrecovered -200.00
account bank 0.00
account cage -400.00
""",
        begun(game, BANKER_WINS),
    )


@reads(39)
def test_what_a_session_owes_is_set_off_when_it_is_paid_again(game: Game) -> None:
    at(
        game,
        """
cash-out ann                          -> CashedOut ann 600.00, SessionEnded ann
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
void by=sup                           -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundVoided [{count}]
line ann banker void 100.00
credits ann 0.00
credits ben 500.00
owed ann 100.00
account unrecovered -100.00
account bank 0.00
roads none
""",
        begun(game, BANKER_WINS),
    )


@reads(39)
def test_what_a_session_still_has_is_taken_back_first(game: Game) -> None:
    at(
        game,
        """
cash-out ann                          -> CashedOut ann 600.00, SessionEnded ann
seat ann                              -> SessionSeated ann
buy ann 50.00                         -> CreditsBought
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
credits ann 0.00
owed ann 150.00
account unrecovered -150.00
resume by=sup                         -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundResumed
settle                                -> RoundSettled B 6 8
credits ann 50.00
owed ann 0.00
account unrecovered 0.00
account bank 0.00
""",
        begun(game, BANKER_WINS),
    )


@reads(39)
def test_a_round_may_be_reopened_twice(game: Game) -> None:
    """What was set off the first time is owed again."""
    at(
        game,
        """
cash-out ann                          -> CashedOut ann 600.00, SessionEnded ann
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
resume by=sup                         -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundResumed
settle                                -> RoundSettled B 6 8
owed ann 0.00
account unrecovered 0.00
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
reopen wrong-card-count by=sup        -> Proposed 3
approve 3 by=pit                      -> ProposalApproved, RoundReopened
credits ann 500.00                    # what was set off she never had
owed ann 200.00
account unrecovered -200.00
account wagers 200.00
void by=sup                           -> Proposed 4
approve 4 by=pit                      -> ProposalApproved, RoundVoided
owed ann 100.00
account unrecovered -100.00
credits ben 500.00
reopen wrong-card-count by=sup        -> refused not-now
""",
        begun(game, BANKER_WINS),
    )


@reads(39)
def test_what_is_owed_stays_owed_through_a_second_reopening(game: Game) -> None:
    """Ann loses what was dealt anew: her line has nothing to take back, and what she owes is not forgotten."""
    at(
        game,
        """
cash-out ann                          -> CashedOut ann 600.00, SessionEnded ann
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
reconstruct 5h 6s Tc Td 3d by=sup     -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundReconstructed, TotalsAnnounced
settle                                -> RoundSettled P 8 6
reopen wrong-card-count by=sup        -> Proposed 3
approve 3 by=pit                      -> ProposalApproved, RoundReopened
owed ann 200.00
credits ben 400.00
void by=sup                           -> Proposed 4
approve 4 by=pit                      -> ProposalApproved, RoundVoided
owed ann 100.00
credits ben 500.00
account unrecovered -100.00
account bank 0.00
""",
        begun(game, BANKER_WINS),
    )


@reads(39)
def test_several_lines_are_taken_back_from_what_the_session_has_once(game: Game) -> None:
    at(
        game,
        """
open                                  -> BetsOpened
wager ann player 100.00               -> WagerPlaced
wager ann player-pair 10.00           -> WagerPlaced
close                                 -> BetsClosed
card 4s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card 4d                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced 8 6
settle                                -> RoundSettled Pp 8 6
cash-out ann                          -> CashedOut ann 710.00, SessionEnded
seat ann                              -> SessionSeated
buy ann 250.00                        -> CreditsBought
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
credits ann 0.00
owed ann 70.00
account unrecovered -70.00
account wagers 110.00
account bank 0.00
""",
        begun(game),
    )


@reads(39)
def test_a_patron_who_lost_and_left_is_paid_when_the_round_turns_out_won(game: Game) -> None:
    at(
        game,
        """
cash-out ben                          -> CashedOut ben 400.00, SessionEnded ben
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
reconstruct 5h 6s Tc Td 3d by=sup     -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundReconstructed, TotalsAnnounced
settle                                -> RoundSettled P 8 6
credits ben 200.00
cash-out ben                          -> refused not-seated
seat ben                              -> SessionSeated ben
cash-out ben                          -> CashedOut ben 200.00, SessionEnded ben
""",
        begun(game, BANKER_WINS),
    )


@reads(23, 39)
def test_a_card_left_over_stays_out_of_the_shoe_when_the_round_is_reopened(game: Game) -> None:
    at(
        game,
        """
declare wrong-card-count              -> refused not-now [{count}]
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
reconstruct 6s 5h Td Tc 3d 9h by=sup  -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundReconstructed over 9h
correct p1 2s by=sup                  -> refused correction-refused [reading 45] because "would have drawn otherwise"
settle                                -> RoundSettled B
cards-left {left}
reopen wrong-card-count by=sup        -> Proposed 3
approve 3 by=pit                      -> ProposalApproved, RoundReopened
reconstruct 6s 5h Td Tc 3d by=sup     -> refused correction-refused because "lacks 9"
void by=sup                           -> Proposed 4
approve 4 by=pit                      -> ProposalApproved, RoundVoided
cards-left {left}
""",
        begun(game, BANKER_WINS),
        left=8 * len(game.deck) - 6,
    )


def test_a_reopened_round_takes_no_card_from_another_shoe(game: Game) -> None:
    """Nor does the clock of that shoe deal to it, settle it or open over it."""
    at(
        game,
        """
end-shoe                              -> ShoeEnded, PeriodSealed
shoe virtual                          -> ShoeStarted 2 virtual
clock betting=9sec card=1sec pause=5sec automatic=yes  -> ClockChanged
due open-bets 5sec
reopen wrong-card-count by=sup        -> Proposed 1
due nothing
approve 1 by=pit                      -> ProposalApproved, RoundReopened
reconstruct 2h 4h Td 9s by=sup        -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundReconstructed, TotalsAnnounced 2 3
due nothing
deal                                  -> refused shoe-refused because "off the table"
card 3d                               -> refused shoe-refused because "off the table"
declare wrong-card-count              -> IrregularityDeclared
reconstruct 2h 4h Td 9s 7h 8h by=sup  -> Proposed 3
approve 3 by=pit                      -> ProposalApproved, RoundReconstructed over none
due nothing
settle                                -> RoundSettled P 9 1
due open-bets 5sec
roads none
cards-left {left}
""",
        begun(game, PLAYER_WINS),
        left=8 * len(game.deck),
    )


def test_what_the_server_dealt_is_not_reopened(game: Game) -> None:
    at(
        game,
        """
open-table {game}                     -> TableOpened
shoe virtual                          -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
deal-out
correct p1 9s                         -> refused shoe-refused [reading 49]
settle                                -> RoundSettled
reopen wrong-card-count by=sup        -> refused not-now [reading 49] because "by its commitment"
""",
    )


# 5.3 and 5.4: cards drawn together, the order of the shoe altered


@proves(mbs="5.3")
@of_mbs
def test_cards_drawn_together_in_the_initial_deal_are_void_when_their_order_is_unknown(
    game_id: str,
) -> None:
    at(
        game_id,
        """
card 6s                               -> CardDealt p1
declare cards-drawn-together          -> IrregularityDeclared cards-drawn-together [{together}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [{together}]
credits ann 500.00
credits ben 500.00
""",
        begun(game_id, CLOSED),
    )


@proves(mbs="5.3 5.4 3.9")
@reads(22, 41)
@pytest.mark.parametrize("ground", ["cards-drawn-together", "order-altered"])
@of_mbs
def test_a_known_order_is_laid_out_again_with_its_totals_announced_before_any_third_card(
    game_id: str, ground: str
) -> None:
    at(
        game_id,
        """
card 6s                               -> CardDealt p1
declare {ground}                      -> IrregularityDeclared {ground}
reconstruct 6s 5h 5d Td by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReconstructed over none, TotalsAnnounced 1 5 [{totals}]
card 8h                               -> CardDealt p3
settle                                -> RoundSettled P 9 5
""",
        begun(game_id, CLOSED),
        ground=ground,
    )


@proves(mbs="5.3 5.4")
@reads(27)
@of_mbs
def test_cards_drawn_together_after_the_initial_deal_are_an_altered_order(game_id: str) -> None:
    at(
        game_id,
        """
card 2s                               -> CardDealt p1
card 5h                               -> CardDealt b1
card Td                               -> CardDealt p2
card Tc                               -> CardDealt b2, TotalsAnnounced 2 5
card 4d                               -> CardDealt p3
declare cards-drawn-together          -> refused ground-does-not-apply [{together}] because "declare that the order of the shoe was altered [5.4]"
declare order-altered                 -> IrregularityDeclared order-altered [{altered}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [{altered}]
credits ann 500.00
credits ben 500.00
""",
        begun(game_id, CLOSED),
    )


@proves(mbs="5.4")
@of_mbs
def test_an_altered_order_is_void_whether_or_not_a_card_was_seen(game_id: str) -> None:
    at(
        game_id,
        """
declare order-altered                 -> IrregularityDeclared order-altered [{altered}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [{altered}]
credits ann 500.00
declare order-altered                 -> IncidentRecorded order-altered spoils the shoe [{altered}]
""",
        begun(game_id, CLOSED),
    )


@proves(super_six_plus="5.1.3")
@reads(27)
def test_super_six_plus_has_neither_ground_and_rules_by_the_number_of_cards() -> None:
    at(
        "super-six-plus",
        """
card 2s                               -> CardDealt p1
declare cards-drawn-together          -> refused unknown-ground because "else rule on the wrong number of cards"
declare order-altered                 -> refused unknown-ground because "else rule on the wrong number of cards"
declare wrong-card-count              -> IrregularityDeclared [5.1.3]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [5.1.3]
""",
        begun("super-six-plus", CLOSED),
    )


# 5.5 and 5.1.4: too few cards


@proves(mbs="5.5", super_six_plus="5.1.4")
@reads(28)
def test_a_round_that_calls_for_a_card_the_shoe_does_not_have_is_void(game: Game) -> None:
    at(
        game,
        """
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
declare insufficient-cards            -> refused ground-does-not-apply [{short}] because "the shoe holds {left}"
declare insufficient-cards cards_left=1  -> refused ground-does-not-apply [{short}]
declare insufficient-cards cards_left=0  -> IrregularityDeclared insufficient-cards [{short}]
reconstruct 9s 2h by=sup              -> refused ground-does-not-apply [{short}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [{short}]
credits ann 500.00
credits ben 500.00
""",
        begun(game, CLOSED),
        left=8 * len(game.deck) - 2,
    )


@proves(mbs="5.5", super_six_plus="5.1.4")
@reads(28)
def test_a_natural_needs_no_card_more_and_an_empty_shoe_voids_nothing(game: Game) -> None:
    at(
        game,
        """
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced 9 6
declare insufficient-cards cards_left=0  -> refused ground-does-not-apply [{short}] because "this round is complete"
settle                                -> RoundSettled P 9 6
""",
        begun(game, CLOSED),
    )


@proves(mbs="5.5", super_six_plus="5.1.4")
def test_a_virtual_shoe_without_the_card_that_is_called_for_voids_by_itself(game: Game) -> None:
    """It cannot come to this by play, so the machine is handed a short order."""
    table = at(game, BEGUN.replace("physical", "virtual") + CLOSED + "deal -> CardDealt p1")
    [whole] = table.orders.values()
    short = Order(cards=whole.cards[:1], nonce=whole.nonce)
    declared, voided = MACHINE.decide(
        table.state, Funds(table.stream.balances), c.DealCard(by="clock"), table.now, order=short
    )
    assert isinstance(declared, e.IrregularityDeclared)
    assert isinstance(voided, e.RoundVoided)
    assert declared.clause == voided.clause == BOOK[game.id]["short"]
    stopped = MACHINE.evolve(table.state, declared)
    after, balances = MACHINE.evolve(stopped, voided), dict(table.stream.balances)
    post(balances, voided.transfers())
    assert (after.phase, balances["session:ann"], balances["session:ben"]) == (
        "void",
        50_000,
        50_000,
    )


@reads(28)
def test_bets_do_not_open_with_fewer_than_six_cards_left(game: Game) -> None:
    table = at(game, "open-table {game} -> TableOpened\nshoe virtual decks=4 cut=0 -> ShoeStarted")
    while True:
        assert table.state.shoe is not None
        left = table.state.shoe.cards_left
        _, answer = table.do(c.OpenBets(by="dealer"))
        assert answer is not None
        assert answer.ok == (left >= 6)
        if not answer.ok:
            break
        table.do(c.CloseBets(by="dealer"))
        deal_out(table)
        table.do(c.Settle(by="dealer"))
    assert answer.code == "shoe-must-be-changed"
    assert f"{left} cards are left and a round may take 6" in answer.words.en


@proves(super_six_plus="1:card-shoe 2.2")
@reads(28, 29)
def test_the_cut_card_ends_the_shoe_and_burned_cards_leave_it_unseen(game: Game) -> None:
    """Two rounds of four cards, and the cut card is out: 208 or 260 cards less 10 burned, 4 and 4."""
    cards = 4 * len(game.deck)
    natural = """
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced
settle                                -> RoundSettled
"""
    at(
        game,
        """
open-table {game}                     -> TableOpened
shoe physical decks=3                 -> refused decks-refused [{decks}]
shoe physical decks=4 cut={too_deep} burn=10  -> refused shoe-refused
shoe physical decks=4 cut={cut} burn=10       -> ShoeStarted
cards-left {left}
"""
        + natural
        + natural.replace("TotalsAnnounced", "TotalsAnnounced, LastHandCalled 2 of 1 [reading 28]")
        + """
open                                  -> refused shoe-must-be-changed because "the cut card is out"
""",
        decks=game.basics.decks,
        cut=cards - 18,
        too_deep=cards - 15,
        left=cards - 10,
    )


@proves(super_six_plus="1:electronic-card-shuffler 2.2 3.4")
@reads(30)
def test_a_continuous_shuffler_starts_every_round_from_the_full_set() -> None:
    """Four nines of a suit in one round, and again in the next; roads go on until the house changes the set."""
    nines = """
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt p1
card 9s                               -> CardDealt b1
card 9s                               -> CardDealt p2
card 9s                               -> CardDealt b2, TotalsAnnounced 8 8
settle                                -> RoundSettled Tbp 8 8
cards-left {cards}
"""
    game = GAMES["super-six-plus"]
    at(
        game,
        """
open-table {game}                     -> TableOpened
shoe physical continuous decks=4      -> ShoeStarted 1 physical continuous
"""
        + nines
        + nines
        + """
roads Tbp Tbp
end-shoe                              -> ShoeEnded, PeriodSealed
shoe physical continuous decks=4      -> ShoeStarted 2
roads none
""",
        cards=4 * len(game.deck),
    )


@proves(super_six_plus="1:electronic-card-shuffler")
@reads(30)
def test_a_continuous_virtual_shoe_commits_to_each_round_and_reveals_it() -> None:
    table = at(
        "super-six-plus",
        """
open-table {game}                     -> TableOpened
shoe virtual continuous               -> ShoeStarted 1 virtual continuous
open                                  -> BetsOpened
close                                 -> BetsClosed
deal-out
settle                                -> RoundSettled
open                                  -> BetsOpened
close                                 -> BetsClosed
deal                                  -> CardDealt p1
begin-epoch 2 pit disk-lost by=sup    -> IrregularityDeclared, RoundVoided, IncidentRecorded, EpochBegun
""",
    )
    events = [event for entry in entries(table) for event in entry.events]
    committed = [event.commitment for event in events if isinstance(event, e.BetsOpened)]
    ended = [event for event in events if isinstance(event, e.RoundSettled | e.RoundVoided)]
    assert [revealed(event.reveal, event.nonce).commitment for event in ended] == committed
    assert isinstance(ended[0], e.RoundSettled)
    assert ended[0].reveal.startswith(ended[0].cards)


# 5.1.2 of super-six-plus: cards missing or too many


@proves(super_six_plus="5.1.2 5.1")
@reads(26)
def test_a_set_that_is_short_or_over_voids_the_round_in_super_six_plus() -> None:
    for counted in (415, 417):
        at(
            "super-six-plus",
            """
count 416                             -> ShoeCounted 1 416 of 416
count {counted}                       -> ShoeCounted {counted} of 416, IrregularityDeclared 2 wrong-deck-count [5.1.2]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided 2 wrong-deck-count [5.1.2]
credits ann 400.00
credits ben 600.00
roads P                               # the round before stands
open                                  -> refused shoe-must-be-changed
""",
            begun("super-six-plus", PLAYER_WINS, CLOSED),
            counted=counted,
        )


@proves(super_six_plus="5.1.2 5.1")
@reads(26)
def test_a_set_found_short_after_the_round_voids_nothing() -> None:
    at(
        "super-six-plus",
        """
count 415                             -> ShoeCounted, IncidentRecorded wrong-deck-count spoils the shoe [5.1.2]
reopen wrong-deck-count by=sup        -> refused not-now [5.1.2]
roads P
credits ben 600.00
open                                  -> refused shoe-must-be-changed
""",
        begun("super-six-plus", PLAYER_WINS),
    )


@reads(26)
@of_mbs
def test_the_mbs_books_void_nothing_for_a_wrong_count_and_the_shoe_is_retired(game_id: str) -> None:
    at(
        game_id,
        """
declare wrong-deck-count              -> refused unknown-ground because "record an incident, retire the shoe"
count {counted}                       -> ShoeCounted, IncidentRecorded wrong-deck-count spoils the shoe [reading 26]
phase closed
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced
settle                                -> RoundSettled P         # the round in play goes on
credits ben 600.00
open                                  -> refused shoe-must-be-changed because "cards missing from the set"
""",
        begun(game_id, CLOSED),
        counted=8 * len(GAMES[game_id].deck) - 1,
    )


def test_a_virtual_shoe_is_not_counted(game: Game) -> None:
    at(
        game,
        """
open-table {game}                     -> TableOpened
count 1                               -> refused shoe-refused because "no shoe"
end-shoe                              -> refused shoe-refused because "no shoe"
open                                  -> refused shoe-refused because "no shoe"
shoe virtual                          -> ShoeStarted
shoe virtual                          -> refused shoe-refused because "end it first"
count 416                             -> refused shoe-refused [reading 49] because "its commitment proves its cards"
""",
    )


# Faults, voids and the end of a round


@reads(31)
def test_a_malfunction_stops_the_round_and_people_decide(game: Game) -> None:
    at(
        game,
        """
declare malfunction "power cut"       -> IrregularityDeclared malfunction [reading 31]
reconstruct 9s 2h by=sup              -> refused not-now because "resume the round or void it"
resume by=sup                         -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundResumed
card 9s                               -> CardDealt p1
declare malfunction                   -> IrregularityDeclared malfunction [reading 31]
void by=sup                           -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundVoided malfunction [reading 31]
credits ann 500.00
declare malfunction                   -> IncidentRecorded malfunction spoils nothing [reading 31]
reopen malfunction by=sup             -> refused not-now
open                                  -> BetsOpened 2
""",
        begun(game, CLOSED),
    )


@reads(32)
def test_a_round_is_over_when_every_wager_is_settled_at_once(game: Game) -> None:
    table = begun(game, PLAYER_WINS)
    [settled] = [event for event in entries(table)[-1].events if isinstance(event, e.RoundSettled)]
    assert [(line.session, line.bet) for line in settled.lines] == [
        ("ann", "banker"),
        ("ben", "player"),
    ]
    at(
        game,
        """
phase settled
account wagers 0.00
account bank 0.00
settle                                -> refused not-now
""",
        table,
    )


@reads(33)
def test_a_void_keeps_its_number_and_leaves_nothing_in_the_roads_nor_cards_in_the_shoe(
    game: Game,
) -> None:
    at(
        game,
        """
card 6s                               -> CardDealt p1
card 5h                               -> CardDealt b1
declare wrong-card-count              -> IrregularityDeclared 2
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided 2
roads P
cards-left {left}
{next_round}
roads P B
""".replace("{next_round}", BANKER_WINS.replace("BetsOpened", "BetsOpened 3")),
        begun(game, PLAYER_WINS, CLOSED),
        left=8 * len(game.deck) - 6,
    )


# Totals, corrections, and the guard before the first card


@proves(mbs="3.9")
@reads(41)
def test_totals_are_announced_after_the_fourth_card_and_before_any_third(game: Game) -> None:
    """Once, in the order of the journal, whatever is drawn after it."""
    for _ in range(12):
        table = at(
            game,
            """
open-table {game}                     -> TableOpened
shoe virtual                          -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
deal-out
settle                                -> RoundSettled
""",
        )
        dealt = [event for entry in entries(table) for event in entry.events]
        told = [event for event in dealt if isinstance(event, e.CardDealt | e.TotalsAnnounced)]
        assert isinstance(told[4], e.TotalsAnnounced)
        assert told[4].clause == BOOK[game.id]["totals"]
        assert sum(isinstance(event, e.TotalsAnnounced) for event in told) == 1


@reads(41)
def test_a_misread_card_is_corrected_and_the_totals_announced_anew(game: Game) -> None:
    at(
        game,
        """
correct p1 9s                         -> refused not-now        # no card lies there
card 2s                               -> CardDealt p1
correct p1 3s                         -> CardCorrected p1 2s 3s
correct p1 3s                         -> refused correction-refused
correct p2 3s                         -> refused correction-refused because "no card lies"
correct x9 3s                         -> refused correction-refused because "no card has that place"
correct p1 {other}                    -> refused card-refused
card 5h                               -> CardDealt b1
card Td                               -> CardDealt p2
card Tc                               -> CardDealt b2, TotalsAnnounced 3 5 [{totals}]
correct p1 4s                         -> CardCorrected p1 3s 4s, TotalsAnnounced 4 5 [{totals}]
correct b2 Td                         -> CardCorrected b2 Tc Td
card 9d                               -> CardDealt p3
settle                                -> RoundSettled B 3 5
""",
        begun(game, CLOSED),
    )


@reads(45)
def test_a_correction_that_changes_who_draws_is_refused(game: Game) -> None:
    """Player's two was a seven: it should have stood, and the card went to the wrong hand."""
    at(
        game,
        """
card 2s                               -> CardDealt p1
card 5h                               -> CardDealt b1
card Td                               -> CardDealt p2
card Tc                               -> CardDealt b2, TotalsAnnounced 2 5
card 4d                               -> CardDealt p3
correct p1 7s                         -> refused correction-refused [reading 45] because "declare it and reconstruct"
correct p3 9d                         -> CardCorrected p3 4d 9d
settle                                -> RoundSettled B 1 5
""",
        begun(game, CLOSED),
    )


def test_once_the_cards_are_complete_a_correction_takes_two_people(game: Game) -> None:
    at(
        game,
        """
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced 9 6
correct p1 8s                         -> Proposed 1 correct-card
settle                                -> refused not-now because "proposal 1"
approve 1                             -> refused second-person-needed
approve 1 by=pit                      -> ProposalApproved, CardCorrected p1 9s 8s, TotalsAnnounced 8 6
settle                                -> RoundSettled P 8 6
""",
        begun(game, CLOSED),
    )


def test_a_complete_round_takes_no_card_and_an_unfinished_one_is_not_settled(game: Game) -> None:
    at(
        game,
        """
card 2s                               -> CardDealt p1
card 5h                               -> CardDealt b1
deal                                  -> refused shoe-refused because "a dealer deals"
settle                                -> refused round-not-complete [{deal}]
card Td                               -> CardDealt p2
card 3h                               -> CardDealt b2, TotalsAnnounced 2 8
card 9h                               -> refused card-refused [{natural}]
phase dealing
settle                                -> RoundSettled B
""",
        begun(game, CLOSED),
        deal=game.basics.deal[0],
        natural=game.tableau.clauses.natural,
    )


@reads(19)
def test_a_guard_time_lies_between_the_close_and_the_first_card(game: Game) -> None:
    at(
        game,
        """
open-table {game} guard=3sec            -> TableOpened
shoe physical                         -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> refused too-early
wait 2999ms                           -> nothing
card 9s                               -> refused too-early
wait 1ms                              -> nothing
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1            # it guards the first card only
""",
    )


@reads(40)
def test_a_table_that_runs_by_itself_follows_the_clock(game: Game) -> None:
    """In all five games; where a rulebook knows a dealer only, this is house procedure."""
    table = at(
        game,
        """
open-table {game} automatic=yes       -> refused bad-command because "needs a betting time"
open-table {game} betting=3601sec       -> refused bad-command
open-table {game} betting=15sec guard=2sec card=1sec pause=5sec automatic=yes  -> TableOpened
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
due nothing                           # without a shoe a table waits for a person
shoe virtual                          -> ShoeStarted
card 9s                               -> refused not-now
due open-bets 5sec
wait 5sec                             -> BetsOpened 1 "{opens}"
wager ann player 100.00               -> WagerPlaced
due close-bets 15sec
wait 15sec                            -> BetsClosed "{closes}"
card 9s                               -> refused shoe-refused because "the server deals"
due deal-card 2sec
wait 2sec                             -> CardDealt p1
due deal-card 1sec
wait 1sec                             -> CardDealt b1
declare malfunction                   -> IrregularityDeclared
due nothing
resume by=sup                         -> Proposed
approve 1 by=pit                      -> ProposalApproved, RoundResumed
due deal-card 1sec
wait 1sec                             -> CardDealt p2
wait 1sec                             -> CardDealt b2, TotalsAnnounced
""",
    )
    while table.state.round and not table.state.round.play.is_complete:
        play("due deal-card 1sec\nwait 1sec -> CardDealt", table)
    at(
        game,
        """
due settle 1sec
wait 1sec                             -> RoundSettled 1
due open-bets 5sec
declare foreign-card                  -> refused ground-does-not-apply [reading 49]
due open-bets 5sec
""",
        table,
    )


def test_a_table_that_runs_by_itself_may_change_its_shoe_and_never_a_dealer_s(game: Game) -> None:
    table = at(
        game,
        """
open-table {game} betting=9sec pause=5sec automatic=yes shoes=yes decks=3  -> refused decks-refused [{decks}]
open-table {game} betting=9sec pause=5sec automatic=yes shoes=yes decks=4 cut={too_deep}  -> refused shoe-refused
open-table {game} betting=9sec pause=5sec automatic=yes shoes=yes decks=4 cut=-1          -> refused shoe-refused
open-table {game} betting=9sec pause=5sec automatic=yes shoes=yes decks=4 cut={deep}      -> TableOpened
due new-shoe 5sec
shoe physical                         -> ShoeStarted 1 physical
due nothing
declare foreign-card                  -> IncidentRecorded spoils the shoe
due nothing
end-shoe                              -> ShoeEnded, PeriodSealed
due new-shoe 5sec
wait 5sec                             -> ShoeStarted 2 virtual shoe 4, BetsOpened 1
""",
        decks=game.basics.decks,
        deep=4 * len(game.deck) - 6,
        too_deep=4 * len(game.deck) - 5,
    )
    told = list[e.Event]()
    # the cut card is out after a round or two
    while table.state.shoes == 2 and table.state.rounds < 4:
        table.now += 5_000
        told += table.do(None)[0]
    ended = [type(event) for event in told].index(e.ShoeEnded)
    assert [type(event) for event in told[ended : ended + 3]] == [
        e.ShoeEnded,
        e.PeriodSealed,
        e.ShoeStarted,
    ]
    assert isinstance(told[ended - 1], e.RoundSettled)
    table.verify()


# The second person, and money


def test_the_second_person_is_another_person(game: Game) -> None:
    at(
        game,
        """
declare foreign-card                  -> IrregularityDeclared
approve 1 by=pit                      -> refused unknown-proposal
void by=sup                           -> Proposed 1
void by=sup                           -> refused not-now because "proposal 1 asks for the same"
resume by=pit                         -> Proposed 2
approve 1 by=sup                      -> refused second-person-needed
reject 2 by=sup                       -> ProposalRejected 2
approve 2 by=sup                      -> refused unknown-proposal
approve 1 by=pit                      -> ProposalApproved, RoundVoided
approve 1 by=pit                      -> refused unknown-proposal because "was approved by pit already"
""",
        begun(game, CLOSED),
    )


def test_a_decision_makes_the_other_proposals_on_the_round_moot(game: Game) -> None:
    at(
        game,
        """
declare foreign-card                  -> IrregularityDeclared
void by=sup                           -> Proposed 1
resume by=sup                         -> Proposed 2
load ann 60.00 by=sup                 -> Proposed 3
approve 2 by=pit                      -> ProposalApproved, RoundResumed, ProposalLapsed 1
approve 1 by=pit                      -> refused unknown-proposal because "was lapsed already"
approve 3 by=pit                      -> ProposalApproved, CreditsLoaded ann 60.00
""",
        begun(game, CLOSED),
    )


def test_so_many_proposals_may_wait_and_no_more() -> None:
    table = begun("rapid")
    for n in range(MAX_A_PERSON):
        table.do(c.LoadCredits(by="sup", session="ann", cents=100_000 + n))
    play(
        f"""
load ann 60.00 by=sup                 -> refused not-now because "withdraw some"
load ann 60.00 by=cora                -> Proposed {MAX_A_PERSON + 1}       # another person's are not blocked
open                                  -> BetsOpened
declare foreign-card                  -> IrregularityDeclared
void by=dora                          -> Proposed {MAX_A_PERSON + 2}
approve {MAX_A_PERSON + 2} by=pit     -> ProposalApproved, RoundVoided
reject 1 by=pit                       -> ProposalRejected
load ann 60.00 by=sup                 -> Proposed {MAX_A_PERSON + 3}
""",
        table,
    )


def test_a_staff_load_over_the_limit_takes_two_people(game: Game) -> None:
    at(
        game,
        """
load ann 50.00 by=sup                 -> CreditsLoaded ann 50.00
load ann 50.01 by=sup                 -> Proposed 1 load-credits
credits ann 550.00
approve 1 by=sup                      -> refused second-person-needed
approve 1 by=pit                      -> ProposalApproved, CreditsLoaded ann 50.01
credits ann 600.01
account cage -1100.01
load zoe 60.00 by=sup                 -> refused not-seated
""",
        begun(game),
    )


def test_credits_do_not_leave_while_wagers_are_in_play(game: Game) -> None:
    at(
        game,
        """
seat cat                              -> SessionSeated
buy cat 10.00                         -> CreditsBought
cash-out cat                          -> CashedOut, SessionEnded    # no wager, no reason to stay
cash-out ann                          -> refused in-play
voucher ann v1                        -> refused in-play
close                                 -> BetsClosed
cash-out ann                          -> refused in-play
card 9s                               -> CardDealt p1
declare foreign-card                  -> IrregularityDeclared
cash-out ann                          -> refused in-play
void by=sup                           -> Proposed
approve 1 by=pit                      -> ProposalApproved, RoundVoided
leave ann                             -> refused in-play because "cash out first"
cash-out ann                          -> CashedOut ann 500.00, SessionEnded ann
close-table                           -> ShoeEnded, TableClosed, PeriodSealed
voucher ben v1                        -> VoucherIssued ben 500.00, SessionEnded ben
phase down
""",
        begun(game, WAGERED),
    )


def test_a_voucher_is_redeemed_once_and_in_time(game: Game) -> None:
    at(
        game,
        """
voucher ann v1 expires_at=1           -> refused voucher-refused because "later than now"
voucher ann v1                        -> VoucherIssued ann 500.00, SessionEnded ann
account vouchers 500.00
seat ann                              -> SessionSeated
voucher ann v2                        -> refused not-enough-credits
redeem ann v9                         -> refused voucher-refused because "no such"
redeem ann v1                         -> VoucherRedeemed ann 500.00
redeem ann v1                         -> refused voucher-refused because "redeemed before"
account vouchers 0.00
voucher ben v1                        -> refused voucher-refused because "exists already"
voucher ben v2 expires_at=1700000001000  -> VoucherIssued ben 500.00, SessionEnded
wait 1sec                             -> nothing
redeem ann v2                         -> refused voucher-refused because "expired"
credits ann 500.00
""",
        begun(game),
    )


def test_a_session_has_one_seat(game: Game) -> None:
    at(
        game,
        """
seat ann                              -> refused already-seated
buy zoe 1.00                          -> refused not-seated
open                                  -> BetsOpened
wager zoe tie 50.00                   -> refused not-seated
wager ann ties 50.00                  -> refused unknown-bet
raise ann tie 50.00                   -> refused limit-refused because "no wager"
wager ann tie 50.00                   -> WagerPlaced
wager ann tie 50.00                   -> refused limit-refused because "raise it"
""",
        begun(game),
    )


# Whether all of it is here


def entries(table: Table) -> list[Entry]:
    return [read_entry(data) for _, data in table.rows]


def test_every_clause_of_section_5_has_a_script_here() -> None:
    claimed = {
        claim
        for value in list(globals().values())
        for mark in getattr(value, "pytestmark", ())
        if mark.name == "clause"
        for claim in mark.args
    }
    section = {
        f"{game.id} {clause}"
        for game in GAMES.values()
        for clause in CLAUSES[game.rulebook]
        if clause.split(".")[0] == "5"
    }
    assert section - claimed == set()
    assert len(section) == 3 * 9 + 7 + 5
