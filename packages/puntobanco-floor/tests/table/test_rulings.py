"""Rulings off the usual path: a shoe that is retired, grounds that come too early, cards misread, cards that are gone.

The names I1 to I12, J3 and J6 are those of the audit that found these cases.
"""

import pytest

from puntobanco import GAMES, Game
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.table.stops import MISREAD_CARD
from tests.support.claims import proves, reads
from tests.table.notation import Table
from tests.table.test_clauses import BANKER_WINS, CLOSED, PLAYER_WINS, WAGERED, at, begun, of_mbs

# I1, I2: a shoe whose order is lost


@proves(mbs="5.4")
@reads(43)
@of_mbs
def test_a_shoe_whose_order_was_altered_between_rounds_is_retired_at_once(game_id: str) -> None:
    at(
        game_id,
        """
declare order-altered "it fell"       -> IncidentRecorded order-altered spoils the shoe [{altered}]
phase settled
roads P
credits ben 600.00
open                                  -> refused shoe-must-be-changed because "the order of the shoe was altered"
end-shoe                              -> ShoeEnded, PeriodSealed
shoe physical                         -> ShoeStarted 2
open                                  -> BetsOpened 2
""",
        begun(game_id, PLAYER_WINS),
    )


@proves(mbs="5.4")
@reads(43)
@pytest.mark.parametrize("seen", ["", "card 6s -> CardDealt p1"])
@of_mbs
def test_a_shoe_whose_order_was_altered_in_play_is_retired_with_the_void(
    game_id: str, seen: str
) -> None:
    """Whether or not a card was exposed."""
    at(
        game_id,
        """
declare order-altered                 -> IrregularityDeclared order-altered [{altered}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [{altered}]
credits ann 500.00
open                                  -> refused shoe-must-be-changed
end-shoe                              -> ShoeEnded, PeriodSealed
shoe physical                         -> ShoeStarted 2
open                                  -> BetsOpened 2
""",
        begun(game_id, CLOSED, seen),
    )


@proves(mbs="5.4")
@reads(22, 43)
@of_mbs
def test_a_shoe_whose_order_could_be_reconstructed_is_played_on(game_id: str) -> None:
    at(
        game_id,
        """
card 6s                               -> CardDealt p1
declare order-altered                 -> IrregularityDeclared
reconstruct 6s 5h 9d Td by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReconstructed, TotalsAnnounced 5 5
card 4h                               -> CardDealt p3
card Ks                               -> CardDealt b3
settle                                -> RoundSettled P 9 5
open                                  -> BetsOpened 2
""",
        begun(game_id, CLOSED),
    )


# I3, I4, I12, J6: a ground before there is a card that it could be about


@proves(mbs="5.2", super_six_plus="5.1.3")
@reads(24, 44)
def test_no_wrong_number_of_cards_before_a_card_of_the_round(game: Game) -> None:
    """I3; and the bets stay as they are."""
    at(
        game,
        """
declare wrong-card-count              -> refused ground-does-not-apply [{count}] because "none is dealt"
phase closed
card 6s                               -> CardDealt p1
declare wrong-card-count              -> IrregularityDeclared wrong-card-count [{count}]
""",
        begun(game, CLOSED),
    )


@proves(mbs="5.2", super_six_plus="5.1.3")
@reads(24, 44)
def test_an_error_of_the_round_before_never_voids_the_round_after(game: Game) -> None:
    """I12: round 1 was dealt wrongly, round 2 is closed and has no card yet."""
    at(
        game,
        """
declare wrong-card-count              -> refused ground-does-not-apply [{count}] because "after the next round opened"
reopen wrong-card-count by=sup        -> refused not-now [{count}] because "earlier results stand"
roads P
""",
        begun(game, PLAYER_WINS, CLOSED),
    )


@proves(mbs="5.3")
@reads(44)
@of_mbs
def test_cards_are_not_drawn_together_while_bets_are_open(game_id: str) -> None:
    """I4; once bets are closed a card is called for, and the first two may come out together."""
    at(
        game_id,
        """
declare cards-drawn-together          -> refused ground-does-not-apply [{together}] because "bets are open"
phase betting
close                                 -> BetsClosed
declare cards-drawn-together          -> IrregularityDeclared cards-drawn-together [{together}]
""",
        begun(game_id, WAGERED),
    )


@proves(mbs="5.5", super_six_plus="5.1.4")
@reads(28, 44)
def test_an_empty_shoe_voids_nothing_while_no_card_is_called_for(game: Game) -> None:
    """J6: between rounds and while bets are open; closed, the first card is called for."""
    at(
        game,
        """
declare insufficient-cards cards_left=0  -> refused ground-does-not-apply [{short}]
open                                  -> BetsOpened
declare insufficient-cards cards_left=0  -> refused ground-does-not-apply [{short}] because "bets are open"
close                                 -> BetsClosed
declare insufficient-cards cards_left=0  -> IrregularityDeclared insufficient-cards [{short}]
""",
        begun(game),
    )


@reads(44)
def test_without_a_round_there_is_no_card_to_be_wrong(game: Game) -> None:
    at(
        game,
        """
declare wrong-card-count              -> refused ground-does-not-apply [{count}]
declare misread-card                  -> refused ground-does-not-apply [reading 45]
phase waiting
""",
        begun(game),
    )


# I5: a card that was misread


MISREAD = """
reopen misread-card "a six upside down" by=sup  -> Proposed 1 reopen
approve 1 by=sup                      -> refused second-person-needed
approve 1 by=pit                      -> ProposalApproved, RoundReopened 1 misread-card [reading 45]
phase stopped
"""


@proves(mbs="3.10")
@reads(39, 45)
def test_a_card_found_misread_after_payment_is_corrected_by_two_and_settled_anew(
    game: Game,
) -> None:
    """I5: Player's nine was a six. No clause of section 5 is named anywhere."""
    table = at(
        game,
        MISREAD
        + """
credits ben 400.00
roads none
last none
correct p1 6s by=dealer               -> Proposed 2 correct-card
approve 2 by=dealer                   -> refused second-person-needed
approve 2 by=pit                      -> ProposalApproved, CardCorrected p1 9s 6s [reading 45], TotalsAnnounced 6 6
phase dealing
settle                                -> RoundSettled T 6 6
credits ann 500.00
credits ben 500.00
roads T
open                                  -> BetsOpened 2
""",
        begun(game, PLAYER_WINS),
    )
    assert MISREAD_CARD not in {i.ground.id for i in game.irregularities}
    told = (
        getattr(event, "clause", "") for _, data in table.rows for event in read_entry(data).events
    )
    assert "5.2" not in told


@reads(39, 45)
def test_what_was_cashed_out_before_a_misread_card_was_found_is_unrecovered(game: Game) -> None:
    at(
        game,
        """
cash-out ben                          -> CashedOut ben 600.00, SessionEnded
"""
        + MISREAD
        + """
owed ben 200.00
correct p1 6s                         -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, CardCorrected, TotalsAnnounced 6 6
settle                                -> RoundSettled T 6 6
owed ben 100.00
""",
        begun(game, PLAYER_WINS),
    )


@reads(22, 45)
def test_a_misread_card_that_would_have_called_for_another_is_reconstructed(game: Game) -> None:
    """I5b: Player's nine was a two, so that Player draws."""
    at(
        game,
        MISREAD
        + """
correct p1 2s                         -> refused correction-refused [reading 45] because "reconstruct"
reconstruct 9s 2h Td 4h by=sup        -> refused correction-refused because "as it was entered"
reconstruct 2s 2h Td by=sup           -> refused correction-refused because "4 cards lie"
reconstruct 2s 2h Td 4h by=sup        -> Proposed 2 reconstruct
approve 2 by=pit                      -> ProposalApproved, RoundReconstructed [reading 45], TotalsAnnounced 2 6
card 5d                               -> CardDealt p3
settle                                -> RoundSettled P 7 6
cards-left {left}
""",
        begun(game, PLAYER_WINS),
        left=8 * len(game.deck) - 5,
    )


@reads(23, 45)
def test_a_misread_card_that_leaves_one_over_is_reconstructed(game: Game) -> None:
    """Player's six was a nine: nobody draws, and banker's third card is left over."""
    at(
        game,
        MISREAD
        + """
reconstruct 9s 5h Td Tc 3d by=sup     -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundReconstructed over 3d, TotalsAnnounced 9 5
settle                                -> RoundSettled P 9 5
cards-left {left}
""",
        begun(game, BANKER_WINS),
        left=8 * len(game.deck) - 5,
    )


@reads(45)
def test_a_misread_card_voids_nothing_and_may_be_a_false_alarm(game: Game) -> None:
    at(
        game,
        MISREAD
        + """
void by=sup                           -> refused not-now [reading 45] because "voids nothing"
resume by=sup                         -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundResumed
settle                                -> RoundSettled P 9 6
credits ben 600.00
""",
        begun(game, PLAYER_WINS),
    )


@reads(24, 45)
def test_a_misread_card_counts_until_bets_open_again_and_only_where_a_dealer_dealt(
    game: Game,
) -> None:
    at(
        game,
        """
open                                  -> BetsOpened 2
reopen misread-card by=sup            -> refused not-now [reading 45] because "earlier results stand"
declare misread-card                  -> refused ground-does-not-apply [reading 45]
close                                 -> BetsClosed
declare misread-card                  -> refused ground-does-not-apply [reading 45]
""",
        begun(game, PLAYER_WINS),
    )
    at(
        game,
        """
open-table {game}                     -> TableOpened
shoe virtual                          -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
deal-out
declare misread-card                  -> refused ground-does-not-apply [reading 45] because "the server dealt"
settle                                -> RoundSettled
reopen misread-card by=sup            -> refused not-now [reading 49] because "by its commitment"
""",
    )


@reads(45)
def test_no_other_ground_lets_a_card_be_corrected_while_the_round_is_stopped(game: Game) -> None:
    at(
        game,
        """
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
correct p1 6s                         -> refused not-now
""",
        begun(game, PLAYER_WINS),
    )


@reads(22, 45)
def test_a_card_misread_before_payment_that_changes_who_draws_is_reconstructed_as_such(
    game: Game,
) -> None:
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
declare misread-card                  -> IrregularityDeclared misread-card [reading 45]
reconstruct 7s 5h Td Tc 4d by=sup     -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReconstructed over none, TotalsAnnounced 7 5
settle                                -> RoundSettled B 7 9
""",
        begun(game, CLOSED),
    )


# I6 to I10: as they were


@proves(mbs="5.1.1", super_six_plus="5.1.1")
def test_a_foreign_card_after_the_last_card_voids_the_round(game: Game) -> None:
    """I6"""
    at(
        game,
        """
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced 9 6
declare foreign-card                  -> IrregularityDeclared foreign-card [{foreign}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [{foreign}]
credits ann 500.00
credits ben 500.00
""",
        begun(game, CLOSED),
    )


@proves(super_six_plus="5.1.2")
def test_a_set_counted_short_while_bets_are_open_voids_and_the_shoe_is_retired() -> None:
    """I7"""
    at(
        "super-six-plus",
        """
count 415                             -> ShoeCounted, IrregularityDeclared wrong-deck-count [5.1.2]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [5.1.2]
open                                  -> refused shoe-must-be-changed
""",
        begun("super-six-plus", WAGERED),
    )


@reads(23)
def test_a_card_drawn_after_a_natural_is_left_over_and_burned(game: Game) -> None:
    """I9; I8 is `test_super_six_plus_has_neither_ground_and_rules_by_the_number_of_cards`."""
    at(
        game,
        """
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced 9 6
declare wrong-card-count              -> IrregularityDeclared
reconstruct 9s 2h Td 4h 8c by=sup     -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReconstructed over 8c
settle                                -> RoundSettled P 9 6
cards-left {left}
""",
        begun(game, CLOSED),
        left=8 * len(game.deck) - 5,
    )


@reads(1, 39)
def test_a_tie_bonus_goes_back_to_the_house_when_its_round_is_reopened_and_void() -> None:
    """I10"""
    at(
        "six-star",
        """
open-table six-star                   -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann tie 100.00                  -> WagerPlaced
close                                 -> BetsClosed
card 9f                               -> CardDealt
card 4f                               -> CardDealt
card Tf                               -> CardDealt
card 5f                               -> CardDealt, TotalsAnnounced 9 9
settle                                -> RoundSettled T 9 9
credits ann 4300.00
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
void by=sup                           -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundVoided
credits ann 500.00
account bonus 0.00
account bank 0.00
""",
    )


# I11, J3: what is left in the shoe


@proves(mbs="5.5", super_six_plus="5.1.4")
@reads(28, 29)
def test_burned_cards_are_not_counted_as_left(game: Game) -> None:
    """I11: four decks, ten burned, two dealt: 196 of 208."""
    at(
        game,
        """
open-table {game}                     -> TableOpened
shoe physical decks=4 burn=10         -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
declare insufficient-cards            -> refused ground-does-not-apply [{short}] because "the shoe holds {left}"
""",
        left=4 * len(game.deck) - 12,
    )


@proves(mbs="5.3")
@reads(48)
@pytest.mark.parametrize("first", ["void", "burn"])
@of_mbs
def test_cards_drawn_together_and_not_entered_are_counted_out_by_two_people(
    game_id: str, first: str
) -> None:
    """J3: one card entered and three more out: four are gone, whichever is done first."""
    burn = "burn unseen=3 -> Proposed burn-cards"
    void = "void by=sup -> Proposed void-round"
    done = {"burn": "CardsBurned 1 none unseen 3", "void": "RoundVoided"}
    then = "void" if first == "burn" else "burn"
    at(
        game_id,
        f"""
card 6s                               -> CardDealt p1
declare cards-drawn-together          -> IrregularityDeclared
{burn if first == "burn" else void}
approve 1 by=dealer                   -> refused second-person-needed
approve 1 by=pit                      -> ProposalApproved, {done[first]}
{void if first == "burn" else burn}
approve 2 by=pit                      -> ProposalApproved, {done[then]}
cards-left {8 * len(GAMES[game_id].deck) - 4}
open                                  -> BetsOpened 2
""".replace("approve 1 by=dealer", f"approve 1 by={'dealer' if first == 'burn' else 'sup'}"),
        begun(game_id, CLOSED),
    )


@reads(48)
def test_a_card_exposed_and_burned_cannot_come_again(game: Game) -> None:
    """Four nines of spades in four decks: three are out, one is burned in the deal, the next is questioned."""
    at(
        game,
        """
open-table {game}                     -> TableOpened
shoe physical decks=4                 -> ShoeStarted
open                                  -> BetsOpened 1
close                                 -> BetsClosed
card 9s                               -> CardDealt p1
card 9s                               -> CardDealt b1
card 9s                               -> CardDealt p2
burn cards=9s                         -> Proposed 1 burn-cards
approve 1 by=pit                      -> ProposalApproved, CardsBurned 1 9s
card 9s                               -> CardQuestioned 9s
card 2h                               -> CardDealt b2, TotalsAnnounced 8 1
settle                                -> RoundSettled
cards-left {left}
""",
        left=4 * len(game.deck) - 5,
    )


@reads(23, 48)
def test_a_card_burned_after_a_round_stays_out_when_the_round_is_reopened(game: Game) -> None:
    at(
        game,
        """
burn cards=8c unseen=1                -> Proposed 1
open                                  -> refused not-now because "proposal 1"
approve 1 by=pit                      -> ProposalApproved, CardsBurned 1 8c unseen 1
cards-left {left}
reopen wrong-card-count by=sup        -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundReopened
void by=sup                           -> Proposed 3
approve 3 by=pit                      -> ProposalApproved, RoundVoided
cards-left {left}
""",
        begun(game, PLAYER_WINS),
        left=8 * len(game.deck) - 6,
    )


@proves(mbs="5.5", super_six_plus="5.1.4")
@reads(28, 48)
def test_the_six_card_check_and_the_empty_shoe_count_what_was_burned(game: Game) -> None:
    """So many are burned that five are left; and in a round, that none is."""
    most = 4 * len(game.deck)
    burned = "\n".join(
        f"burn unseen=50 -> Proposed {n}\napprove {n} by=pit -> ProposalApproved, CardsBurned"
        for n in range(1, most // 50 + 1)
    )
    n, rest = most // 50 + 1, most % 50
    begin = "open-table {game} -> TableOpened\nshoe physical decks=4 cut=0 -> ShoeStarted"
    at(
        game,
        f"""
{begin}
{burned}
burn unseen={rest - 5}                -> Proposed {n}
approve {n} by=pit                    -> ProposalApproved, CardsBurned
cards-left 5
open                                  -> refused shoe-must-be-changed because "5 cards are left"
""",
    )
    at(
        game,
        f"""
{begin}
{burned}
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt
burn unseen={rest}                    -> refused shoe-refused because "{rest - 1} cards are left"
burn unseen={rest - 1}                -> Proposed {n}
approve {n} by=pit                    -> ProposalApproved, CardsBurned
declare insufficient-cards            -> IrregularityDeclared insufficient-cards [{{short}}]
""",
    )


@reads(48)
def test_cards_are_burned_from_a_dealer_s_shoe_only_and_never_more_than_it_can_hold(
    game: Game,
) -> None:
    at(
        game,
        """
burn unseen=1                         -> refused shoe-refused because "no shoe is on the table"
shoe physical decks=4                 -> ShoeStarted 1
burn                                  -> refused bad-command
burn cards=joker                      -> refused unknown-card
burn cards={other}                    -> refused card-refused
burn cards="9s 9s 9s 9s 9s"           -> refused card-refused
end-shoe                              -> ShoeEnded, PeriodSealed
shoe virtual                          -> ShoeStarted 2
burn unseen=1                         -> refused shoe-refused [reading 49]
""",
        at(game, "open-table {game} -> TableOpened"),
    )
    if game.basics.shuffler:
        at(
            game,
            """
open-table {game}                     -> TableOpened
shoe physical continuous              -> ShoeStarted 1
burn unseen=1                         -> refused shoe-refused
""",
        )


@reads(48)
def test_cards_that_wait_to_be_counted_out_outlive_the_round_and_lapse_with_their_shoe(
    game: Game,
) -> None:
    """They left the shoe whatever becomes of the round; of another shoe they never are."""
    at(
        game,
        """
open                                  -> BetsOpened 2
close                                 -> BetsClosed
burn cards=8c unseen=3                -> Proposed 1 burn-cards
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
open                                  -> refused not-now because "proposal 1"
end-shoe                              -> ShoeEnded, ProposalLapsed 1, PeriodSealed
shoe physical                         -> ShoeStarted 2
approve 1 by=pit                      -> refused unknown-proposal because "was lapsed already"
""",
        begun(game, PLAYER_WINS),
    )


# A card of no deck


@proves(mbs="5.1 5.1.1 2.1", super_six_plus="5.1.1")
@reads(42)
@pytest.mark.parametrize("code", ["joker", "JK", "1x"])
def test_a_joker_is_questioned_once_and_then_foreign(game: Game, code: str) -> None:
    at(
        game,
        f"""
card {code}                           -> CardQuestioned {code}
card 6s                               -> CardDealt p1
card {code}                           -> CardQuestioned {code}
card {code}                           -> IrregularityDeclared foreign-card [{{foreign}}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided [{{foreign}}]
open                                  -> refused shoe-must-be-changed because "a card that does not belong to the set"
""",
        begun(game, CLOSED),
    )


def _kept(table: Table) -> tuple[str, str]:
    assert table.state.round is not None
    return table.state.round.corrected, table.state.round.reconstructed


def test_the_state_remembers_what_was_corrected_until_the_next_round(game: Game) -> None:
    """So that a terminal that comes back is told."""
    table = at(
        game,
        """
card 9s                               -> CardDealt p1
correct p1 8s                         -> CardCorrected
correct p1 7s                         -> CardCorrected
card 2h                               -> CardDealt b1
""",
        begun(game, CLOSED),
    )
    nine = "9f" if game.deck.id == "five-elements" else "9s"
    assert _kept(table) == (f"p1:{nine}", "")
    at(
        game,
        """
declare wrong-card-count              -> IrregularityDeclared
reconstruct 2h 7s by=sup              -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReconstructed
""",
        table,
    )
    assert _kept(table) == ("", "wrong-card-count")
