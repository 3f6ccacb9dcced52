"""How a table's cards are set up: shuffler, decks, cut, burn, set id and count; who closes bets; the last hand."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from puntobanco import GAMES, Game
from puntobanco.rules.cards import parse_card, points_of
from puntobanco.rules.definition import define
from puntobanco.rules.game import HOUSE
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import ShoeState
from tests.support.claims import proves, reads
from tests.table.notation import Table, deal_out, play

ITSELF = "betting=9sec pause=5sec automatic=yes shoes=yes"
NATURAL = """
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced
settle                                -> RoundSettled P
"""


def shoe_on(table: Table) -> ShoeState:
    assert table.state.shoe is not None
    return table.state.shoe


# What a new shoe is


@proves(super_six_plus="1:electronic-card-shuffler 1:card-shoe 3.4")
@reads(30)
def test_a_table_can_be_set_to_a_shuffler_and_the_clock_uses_it() -> None:
    play(f"""
open-table super-six-plus {ITSELF} source=continuous decks=6  -> TableOpened
due new-shoe 5sec
wait 5sec                             -> ShoeStarted 1 virtual continuous 6, BetsOpened 1
cards-left 312
""")


@proves(super_six_plus="1:electronic-card-shuffler")
@pytest.mark.parametrize("game_id", [id_ for id_ in GAMES if id_ != "super-six-plus"])
def test_a_game_whose_rules_have_no_shuffler_is_dealt_from_a_shoe(game_id: str) -> None:
    play(f"""
open-table {game_id} source=continuous    -> refused shoe-refused because "no electronic shuffler"
open-table {game_id}                      -> TableOpened
cards source=continuous                   -> refused shoe-refused because "no electronic shuffler"
shoe virtual continuous                   -> refused shoe-refused because "no electronic shuffler"
""")


def test_a_designer_s_game_has_a_shuffler_where_its_rules_say_so() -> None:
    rapid, cards, table = GAMES["rapid"], e.Cards(source="continuous"), Table()
    own = replace(rapid, id="shuffled", rulebook="", basics=replace(rapid.basics, shuffler=HOUSE))
    opened = table.do(c.OpenTable(by="pit", game=own.id, definition=define(own), cards=cards))[1]
    assert opened is not None
    assert opened.ok, opened.reason
    play("shoe -> ShoeStarted 1 virtual continuous", table)


@reads(30)
def test_the_roads_of_a_shuffler_start_afresh_after_as_many_rounds_as_the_house_says() -> None:
    play(f"""
open-table super-six-plus source=continuous dealing=physical roads=2  -> TableOpened
shoe                                  -> ShoeStarted 1 physical continuous
{NATURAL}{NATURAL}
roads P P
open                                  -> refused shoe-must-be-changed because "roads start afresh after 2 rounds"
end-shoe                              -> ShoeEnded, PeriodSealed
shoe                                  -> ShoeStarted 2 physical continuous
roads none
open                                  -> BetsOpened 3
""")


def test_where_the_server_deals_the_clock_starts_the_roads_of_a_shuffler_afresh() -> None:
    table = play(f"open-table super-six-plus {ITSELF} source=continuous roads=2 -> TableOpened")
    told = list[e.Event]()
    while table.state.rounds < 3:
        table.now += 5_000
        told += table.do(None)[0]
    table.verify()
    shoes = [event.shoe for event in told if isinstance(event, e.ShoeStarted)]
    assert shoes == [1, 2]
    assert not any(isinstance(event, e.LastHandCalled) for event in told), (
        "a shuffler has no last hand"
    )


@reads(29)
def test_what_a_shoe_is_changes_between_rounds_and_holds_from_the_next_shoe_on(game: Game) -> None:
    play(f"""
open-table {game.id} dealing=physical decks=4 cut=20 burn=3  -> TableOpened
shoe                                  -> ShoeStarted 1 physical shoe 4 burn 3
cards-left {4 * len(game.deck) - 3}
cards decks=6 burn=5                  -> CardsChanged
cards-left {4 * len(game.deck) - 3}
open                                  -> BetsOpened
cards decks=3                         -> refused decks-refused [{game.basics.decks}]
cards decks=8 burn=5                  -> ChangeScheduled cards
declare malfunction                   -> IrregularityDeclared
void by=sup                           -> Proposed
approve 1 by=pit                      -> ProposalApproved, RoundVoided
end-shoe                              -> CardsChanged asked dealer, ShoeEnded, PeriodSealed
shoe                                  -> ShoeStarted 2 virtual shoe 8 burn 5
""")


@reads(28, 29)
@pytest.mark.parametrize(
    "wrong", ["decks=3", "cut=-1", "cut=1000", "burn=51", "burn=-1", "roads=0", "roads=1001"]
)
def test_a_set_up_that_leaves_no_round_is_refused(game: Game, wrong: str) -> None:
    code = "decks-refused" if wrong == "decks=3" else "shoe-refused"
    clause = f" [{game.basics.decks}]" if wrong == "decks=3" else ""
    play(f"""
open-table {game.id} {wrong}          -> refused {code}{clause}
open-table {game.id}                  -> TableOpened
cards {wrong}                         -> refused {code}{clause}
""")


@reads(29)
def test_the_clock_burns_as_the_table_is_set(game: Game) -> None:
    table = play(f"""
open-table {game.id} {ITSELF} decks=4 burn=7  -> TableOpened
wait 5sec                             -> ShoeStarted 1 virtual shoe 4 burn 7, BetsOpened
cards-left {4 * len(game.deck) - 7}
""")
    assert shoe_on(table).drawn == 7


def test_a_clock_puts_no_shoe_of_a_dealer_s_on(game: Game) -> None:
    play(f"""
open-table {game.id} {ITSELF} dealing=physical  -> TableOpened
due nothing
shoe                                  -> ShoeStarted 1 physical
due nothing
end-shoe                              -> ShoeEnded, PeriodSealed
due nothing
""")


# The first card


@reads(29)
@pytest.mark.parametrize(("first", "burned"), [("9s", 9), ("Ah", 1), ("Td", 10), ("Kc", 10)])
def test_as_many_cards_are_burned_as_the_first_card_has_points(first: str, burned: int) -> None:
    table = play(f"""
open-table fortune-six dealing=physical decks=4 burn=first-card  -> TableOpened
shoe                                  -> refused shoe-refused because "turn the first card"
shoe first=9f                         -> refused card-refused
shoe first=Zz                         -> refused unknown-card
shoe burn=2 first={first}             -> refused shoe-refused because "no first card is turned"
shoe first={first}                    -> ShoeStarted 1 physical {first} burn {burned}
cards-left {208 - 1 - burned}
""")
    left = shoe_on(table).left
    assert (len(left), left.count(parse_card(first))) == (207, 3), (
        "the card that was turned is known to be out"
    )


@reads(29)
def test_a_fifth_card_of_a_kind_cannot_come_when_the_first_was_burned_face_up() -> None:
    play("""
open-table fortune-six dealing=physical decks=4 burn=first-card  -> TableOpened
shoe first=9s                         -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 9s                               -> CardDealt
card 9s                               -> CardDealt
card 9s                               -> CardQuestioned 9s
""")


@reads(29)
def test_a_virtual_shoe_turns_its_own_first_card_and_deals_what_follows(game: Game) -> None:
    table = play(f"""
open-table {game.id} decks=4 burn=first-card   -> TableOpened
shoe first=9s                         -> refused shoe-refused because "by itself"
shoe                                  -> ShoeStarted 1 virtual
open                                  -> BetsOpened
close                                 -> BetsClosed
deal-out
settle                                -> RoundSettled
end-shoe                              -> ShoeEnded, PeriodSealed
""")
    parts = [part for _, data in table.rows for part in msgspec.json.decode(data)[2:]]
    events = [part for part in parts if "event" in part]
    started, settled, ended = (
        next(event for event in events if event["event"] == name)
        for name in ("ShoeStarted", "RoundSettled", "ShoeEnded")
    )
    order, first = ended["order"].split(), started["first_card"]
    burned = points_of(parse_card(first)) or 10
    assert (order[0], started["burn"]) == (first, burned)
    dealt = [event["card"] for event in events if event["event"] == "CardDealt"]
    assert order[1 + burned :][: len(dealt)] == dealt
    assert sorted(settled["cards"].split()) == sorted(dealt)


# Set id and count


@proves(super_six_plus="5.1.2")
@reads(26)
def test_a_dealer_s_shoe_can_need_a_set_id_and_a_count_before_it_is_played(game: Game) -> None:
    cards = 4 * len(game.deck)
    clause = "5.1.2" if game.id == "super-six-plus" else "reading 26"
    table = play(f"""
open-table {game.id} dealing=physical decks=4 count=yes  -> TableOpened
shoe                                  -> refused shoe-refused because "set id of the cards and a count"
shoe set=B-7                          -> refused shoe-refused
shoe counted={cards}                  -> refused shoe-refused
shoe set=B-7 counted={cards - 1}      -> ShoeStarted 1 B-7, ShoeCounted 1 {cards - 1} of {cards} B-7, IncidentRecorded wrong-deck-count spoils the shoe [{clause}]
open                                  -> refused shoe-must-be-changed because "cards missing from the set"
due nothing
end-shoe                              -> ShoeEnded, PeriodSealed
shoe set=B-8 counted={cards}          -> ShoeStarted 2 B-8, ShoeCounted 2 {cards} of {cards} B-8
open                                  -> BetsOpened 1
""")
    assert (shoe_on(table).set_id, shoe_on(table).counted) == ("B-8", cards)


def test_a_count_is_kept_with_the_shoe_and_its_set(game: Game) -> None:
    cards = 4 * len(game.deck)
    table = play(f"""
open-table {game.id} dealing=physical decks=4  -> TableOpened
shoe set=B-7                          -> ShoeStarted 1 B-7
count {cards}                         -> ShoeCounted 1 {cards} of {cards} B-7
""")
    assert shoe_on(table).counted == cards


def test_a_virtual_shoe_has_no_set_and_no_count(game: Game) -> None:
    play(f"""
open-table {game.id} count=yes        -> TableOpened
shoe set=B-7                          -> refused shoe-refused because "its commitment proves its cards"
shoe counted=416                      -> refused shoe-refused because "its commitment proves its cards"
shoe                                  -> ShoeStarted 1 virtual
""")


# Who closes bets (reading 19)

BY_DEALER = """
open-table {game} betting=15sec {closes}  -> TableOpened
shoe {dealing}                        -> ShoeStarted
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened 1
"""


@reads(19)
def test_at_a_dealer_s_table_the_time_is_a_guide_and_the_dealer_closes(game: Game) -> None:
    table = play(BY_DEALER.format(game=game.id, closes="", dealing="physical"))
    assert table.state.round is not None
    assert (table.state.round.closes_at, table.state.round.deadline) == (table.now + 15_000, None)
    play(
        f"""
due nothing
wait 20sec                            -> nothing
wager ann tie 50.00                   -> WagerPlaced
raise ann tie 10.00                   -> WagerRaised
withdraw ann tie                      -> WagerWithdrawn
wager ann tie 50.00                   -> WagerPlaced
close                                 -> BetsClosed "{game.announcements.close}"
raise ann tie 10.00                   -> refused bets-are-closed [{game.basics.late_wager}]
""",
        table,
    )


@reads(19)
@pytest.mark.parametrize(("closes", "dealing"), [("closes=clock", "physical"), ("", "virtual")])
def test_the_clock_closes_where_the_table_is_set_so_and_where_the_server_deals(
    game: Game, closes: str, dealing: str
) -> None:
    table = play(BY_DEALER.format(game=game.id, closes=closes, dealing=dealing))
    play("due close-bets 15sec\nwait 15sec -> BetsClosed", table)


# The last hand (reading 28)


@reads(28)
def test_the_last_hand_is_called_once_when_the_cut_card_comes_out(game: Game) -> None:
    """Of 208 or 260 cards the cut card lies behind the sixth: the second round meets it with its second card."""
    cards = 4 * len(game.deck)
    hit, rest = (
        NATURAL.replace("b1", "b1, LastHandCalled 2 of 1 [reading 28]"),
        "open -> refused shoe-must-be-changed",
    )
    table = play(f"""
open-table {game.id} dealing=physical decks=4 cut={cards - 6}  -> TableOpened
shoe                                  -> ShoeStarted
{_in_deck(game, NATURAL)}{_in_deck(game, hit)}{rest}
""")
    assert table.state.round is not None
    assert table.state.round.last_hand
    told = e.LastHandCalled(round=2, shoe=1, clause="reading 28").says().en
    assert told == "the last hand of shoe 1 is called: the cut card is out [reading 28]"


@reads(28)
def test_a_reconstruction_that_takes_the_cut_card_calls_the_last_hand(game: Game) -> None:
    """Eight cards are out in two rounds, and two more had left the shoe: with them the cut card is out."""
    cards = 4 * len(game.deck)
    play(
        _in_deck(
            game,
            f"""
open-table {game.id} dealing=physical decks=4 cut={cards - 10}  -> TableOpened
shoe                                  -> ShoeStarted
{NATURAL}
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced
declare wrong-card-count              -> IrregularityDeclared
reconstruct 9s 2h Td 4h 8c 8c by=sup  -> Proposed
approve 1 by=pit                      -> ProposalApproved, RoundReconstructed over, LastHandCalled 2 of 1
settle                                -> RoundSettled
""",
        )
    )


@reads(28)
def test_where_the_server_deals_the_last_hand_is_called_before_every_change_of_shoe(
    game: Game,
) -> None:
    deep = 4 * len(game.deck) - 30
    table = play(f"open-table {game.id} {ITSELF} decks=4 cut={deep} -> TableOpened")
    told = list[e.Event]()
    while table.state.shoes < 3:
        table.now += 5_000
        told += table.do(None)[0]
    table.verify()
    called = [event.shoe for event in told if isinstance(event, e.LastHandCalled)]
    ended = [event.shoe for event in told if isinstance(event, e.ShoeEnded)]
    assert called[:2] == ended == [1, 2]


def test_without_a_cut_card_the_last_hand_is_called_when_the_cards_may_not_do_for_another(
    game: Game,
) -> None:
    table = play(f"open-table {game.id} decks=4 cut=0 -> TableOpened\nshoe -> ShoeStarted")
    while not (table.state.round and table.state.round.last_hand):
        table.do(c.OpenBets(by="dealer"))
        table.do(c.CloseBets(by="dealer"))
        deal_out(table)
        table.do(c.Settle(by="dealer"))
    assert shoe_on(table).cards_left < 6
    play("open -> refused shoe-must-be-changed", table)


def _in_deck(game: Game, script: str) -> str:
    """In this game's suits."""
    if game.deck.id != "five-elements":
        return script
    for card, own in {"9s": "9f", "2h": "2g", "Td": "Te", "4h": "4g", "8c": "8w"}.items():
        script = script.replace(card, own)
    return script
