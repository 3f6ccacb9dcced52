"""What the dealer's screen is told: the next act with the words to say, stakes, a card in question, a round re-dealt."""

from puntobanco.floor.dealer import DealerView, dealer_view, redealt
from puntobanco.table.state import TableState
from tests.table.notation import Table
from tests.table.test_clauses import BEGUN, CLOSED, PLAYER_WINS, WAGERED, at, begun

GAME = "fortune-six"


def seen(table: Table) -> DealerView:
    view = dealer_view(table.state, table.now, demo=False)
    assert view is not None
    return view


def test_the_words_to_say_are_the_rulebooks_own_then_both_totals_then_the_result() -> None:
    table = begun(GAME)
    said = list[tuple[str, str, str]]()

    def note() -> None:
        [action] = seen(table).next
        said.append((action.command, action.say, action.slot))

    note()
    at(GAME, WAGERED, table)
    note()
    at(GAME, "close -> BetsClosed", table)
    for card in ("6s", "5h", "Td"):
        note()
        at(GAME, f"card {card} -> CardDealt", table)
    note()
    at(GAME, "card Tc -> CardDealt, TotalsAnnounced", table)
    note()
    at(GAME, "card 3d -> CardDealt", table)
    note()
    words = table.state.playing.announcements
    assert said == [
        ("open-bets", words.open, ""),
        ("close-bets", words.close, ""),
        ("enter-card", "", "p1"),
        ("enter-card", "", "b1"),
        ("enter-card", "", "p2"),
        ("enter-card", "", "b2"),
        ("enter-card", "Player 6, Banker 5", "b3"),
        ("settle", "Banker wins, 8 over 6", ""),
    ]
    view = seen(table)
    assert (view.complete, view.winner, view.dealt) == (True, "banker", ["6s", "5h", "Td", "Tc", "3d"])
    [settle] = view.next
    assert (settle.say_zh, settle.say_clause) == ("莊贏，8點對6點", table.state.playing.basics.winner)


def test_stakes_are_live_while_bets_are_open_and_stand_when_they_are_closed() -> None:
    table = begun(GAME, WAGERED)
    at(GAME, "wager ben banker 50.00 -> WagerPlaced", table)
    rows = {row.bet: (row.wagers, row.largest_cents, row.total_cents) for row in seen(table).stakes}
    assert [row.bet for row in seen(table).stakes] == [bet.id for bet in table.state.playing.bets]
    assert (rows["banker"], rows["player"], rows["tie"]) == ((2, 10_000, 15_000), (1, 10_000, 10_000), (0, 0, 0))
    assert (seen(table).seated, seen(table).betting) == (2, 2)
    at(GAME, "withdraw ben banker -> WagerWithdrawn\nwithdraw ben player -> WagerWithdrawn", table)
    assert (seen(table).seated, seen(table).betting) == (2, 1)
    before = seen(table).stakes
    at(GAME, "close -> BetsClosed\ncard 6s -> CardDealt", table)
    assert seen(table).stakes == before


def test_a_card_in_question_comes_with_the_reason() -> None:
    table = begun(GAME, CLOSED)
    at(GAME, "card 9f -> CardQuestioned 9f", table)
    assert seen(table).questioned == "9f"
    assert seen(table).questioned_why == "9f belongs to the five-element deck; this game plays 52-card cards"


def test_a_new_shoe_may_have_the_decks_that_the_rulebook_allows() -> None:
    table = at(GAME, BEGUN)
    decks, shoe = seen(table).decks, seen(table).shoe
    game = table.state.playing
    assert (decks.least, decks.most, decks.usual) == (game.decks[0], game.decks[-1], 8)
    assert shoe is not None
    assert (shoe.cards, shoe.cards_left, shoe.burn, shoe.cut) == (416, 416, 0, 14)


def test_cards_left_go_down_with_every_card() -> None:
    table = begun(GAME, CLOSED, "card 9s -> CardDealt", "card 2h -> CardDealt")
    shoe = seen(table).shoe
    assert shoe is not None
    assert shoe.cards_left == 414
    at(GAME, "card Td -> CardDealt\ncard 4h -> CardDealt, TotalsAnnounced\nsettle -> RoundSettled", table)
    shoe = seen(table).shoe
    assert shoe is not None
    assert shoe.cards_left == 412


STOPPED = """
card 6s                               -> CardDealt p1
card 5h                               -> CardDealt b1
card Td                               -> CardDealt p2
card Tc                               -> CardDealt b2, TotalsAnnounced 6 5
declare wrong-card-count              -> IrregularityDeclared 1 wrong-card-count [{count}]
"""


def test_a_round_re_dealt_in_another_order_says_what_would_follow_and_changes_nothing() -> None:
    table = begun(GAME, CLOSED, STOPPED)
    before: TableState = table.state
    found = redealt(table.state, "6s 5h Td Tc 3d 9h")
    assert (found.player, found.banker, found.winner, found.surplus) == (6, 8, "banker", ["9h"])
    assert found.cards == {"p1": "6s", "b1": "5h", "p2": "Td", "b2": "Tc", "b3": "3d"}
    assert (found.refused, bool(found.clause)) == ("", True)
    short = redealt(table.state, "5h 6s Tc Td")
    assert (short.player, short.banker, short.winner, short.why) == (5, 6, "", "Player has 5 and draws")
    assert "lacks" in redealt(table.state, "6s 5h Td").refused
    assert "no card" in redealt(table.state, "6s 5h Td Tc xx").refused
    assert table.state is before
    at(GAME, "resume by=sup -> Proposed\napprove 1 by=pit -> ProposalApproved, RoundResumed", table)
    assert "nothing to put in order" in redealt(table.state, "6s 5h Td Tc").refused


def test_what_cannot_be_put_in_order_is_not_offered() -> None:
    table = begun(GAME, WAGERED, "declare malfunction -> IrregularityDeclared")
    assert [action.command for action in seen(table).next] == ["void-round", "resume"]
    table = begun(GAME, CLOSED, STOPPED)
    assert [action.command for action in seen(table).next] == ["reconstruct", "void-round", "resume"]


def test_a_ground_says_what_follows_from_it_now() -> None:
    def follows(table: Table) -> dict[str, tuple[str, str]]:
        return {ground.ground: (ground.command, ground.follows) for ground in seen(table).grounds}

    declare = "declare-irregularity"
    table = begun(GAME, CLOSED)
    assert follows(table)["foreign-card"] == (declare, "stop")
    assert follows(table)["insufficient-cards"] == (declare, "")
    assert "the shoe holds 416" in next(g.refused for g in seen(table).grounds if g.ground == "insufficient-cards")
    table = begun(GAME, PLAYER_WINS)
    assert follows(table)["wrong-card-count"] == ("reopen", "reopen")
    assert follows(table)["foreign-card"] == (declare, "incident")
    assert follows(table)["malfunction"] == (declare, "incident")
    assert follows(begun(GAME))["wrong-card-count"] == (declare, "incident")


def test_the_last_hand_is_called_from_the_cut_card_on() -> None:
    table = at(GAME, """
open-table {game} dealing=physical decks=4 cut=201  -> TableOpened
shoe                                  -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
card 6s                               -> CardDealt
card 5h                               -> CardDealt
card Td                               -> CardDealt
card Tc                               -> CardDealt, TotalsAnnounced 6 5
card 3d                               -> CardDealt
settle                                -> RoundSettled
open                                  -> BetsOpened
close                                 -> BetsClosed
card 6s                               -> CardDealt
""")  # fmt: skip
    assert not seen(table).table.last_hand
    at(GAME, "card 5h -> CardDealt, LastHandCalled 2 of 1", table)
    [action] = seen(table).next
    assert (action.command, action.say, action.say_zh) == ("enter-card", "Last hand of this shoe", "本靴最後一局")
    assert action.say_clause == "reading 28"
    at(GAME, "card Td -> CardDealt\ncard Tc -> CardDealt, TotalsAnnounced", table)
    [action] = seen(table).next
    assert action.say == "Last hand of this shoe. Player 6, Banker 5"
    at(GAME, "card 3d -> CardDealt\nsettle -> RoundSettled", table)
    assert seen(table).table.last_hand
    assert [action.command for action in seen(table).next] == ["end-shoe"]


def test_the_dealer_is_told_how_many_cards_to_burn_before_the_first_bets() -> None:
    table = at(GAME, """
open-table {game} dealing=physical decks=4 burn=first-card  -> TableOpened
shoe first=9s set=B-7 counted=208     -> ShoeStarted, ShoeCounted
""")  # fmt: skip
    [action] = seen(table).next
    assert action.why == 'burn 9 cards unseen, then "Place your bets, please"'
    assert action.why_zh == '先暗棄 9 張牌，然後"Place your bets, please"'
    shoe = seen(table).shoe
    assert shoe is not None
    assert (shoe.first_card, shoe.burn, shoe.set_id, shoe.counted, shoe.cards_left) == ("9s", 9, "B-7", 208, 198)
    at(GAME, """
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
""", table)  # fmt: skip
    [action] = seen(table).next
    assert action.why == '"Place your bets, please"'


def test_the_roads_of_a_shuffler_end_with_its_set() -> None:
    table = at("super-six-plus", """
open-table {game} dealing=physical source=continuous roads=1  -> TableOpened
shoe                                  -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
""")  # fmt: skip
    [action] = seen(table).next
    assert (action.command, action.why, action.clause) == (
        "end-shoe", "the roads start afresh with a new set", "reading 30"
    )  # fmt: skip


def test_where_a_dealer_closes_everybody_is_told_that_the_time_is_a_guide() -> None:
    table = at(GAME, "open-table {game} betting=15sec -> TableOpened\nshoe physical -> ShoeStarted\nopen -> BetsOpened")
    told = seen(table).table
    assert (told.closes_at, told.dealer_closes) == (table.now + 15_000, True)
