"""What the dealer's screen is told: the next act with the words to say, stakes, a card in question, a round re-dealt."""

import re

from puntobanco import Game
from puntobanco.base.words import Words
from puntobanco.rules.irregularities import GROUNDS, OF_THE_HOUSE
from puntobanco_floor.audit.journal_pages import row_of
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.reports.figures import Thresholds, find_significant
from puntobanco_floor.service.pit.approvals import waiting
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import public_events
from puntobanco_floor.views.dealer_view import DealerView, GroundView, dealer_view, redealt
from puntobanco_floor.views.table_view import CorrectedView, TableView, changes, table_view
from tests.support.claims import reads
from tests.support.english import english
from tests.table.notation import Table
from tests.table.test_clauses import BEGUN, CLOSED, PLAYER_WINS, WAGERED, at, begun
from tests.table.test_server_dealt import every_dealing, every_phase, in_dealing, lose_cards

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
        said.append((action.command, english(action.say), action.slot))

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
    assert (view.complete, view.winner, view.dealt) == (
        True,
        "banker",
        ["6s", "5h", "Td", "Tc", "3d"],
    )
    [settle] = view.next
    assert settle.say == Words("Banker wins, 8 over 6", "莊贏，8點對6點")
    assert settle.say_clause == table.state.playing.basics.winner


def test_stakes_are_live_while_bets_are_open_and_stand_when_they_are_closed() -> None:
    table = begun(GAME, WAGERED)
    at(GAME, "wager ben banker 50.00 -> WagerPlaced", table)
    rows = {row.bet: (row.wagers, row.largest_cents, row.total_cents) for row in seen(table).stakes}
    assert [row.bet for row in seen(table).stakes] == [bet.id for bet in table.state.playing.bets]
    assert (rows["banker"], rows["player"], rows["tie"]) == (
        (2, 10_000, 15_000),
        (1, 10_000, 10_000),
        (0, 0, 0),
    )
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
    assert (
        english(seen(table).questioned_why)
        == "9f belongs to the five-element deck; this game plays 52-card cards"
    )


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
    at(
        GAME,
        "card Td -> CardDealt\ncard 4h -> CardDealt, TotalsAnnounced\nsettle -> RoundSettled",
        table,
    )
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
    assert (found.refused, bool(found.clause)) == (None, True)
    short = redealt(table.state, "5h 6s Tc Td")
    assert (short.player, short.banker, short.winner, english(short.why)) == (
        5,
        6,
        "",
        "Player has 5 and draws",
    )
    assert "lacks" in english(redealt(table.state, "6s 5h Td").refused)
    assert "no card" in english(redealt(table.state, "6s 5h Td Tc xx").refused)
    assert table.state is before
    at(GAME, "resume by=sup -> Proposed\napprove 1 by=pit -> ProposalApproved, RoundResumed", table)
    assert "nothing to put in order" in english(redealt(table.state, "6s 5h Td Tc").refused)


def test_what_cannot_be_put_in_order_is_not_offered() -> None:
    table = begun(GAME, WAGERED, "declare malfunction -> IrregularityDeclared")
    assert [action.command for action in seen(table).next] == ["void-round", "resume"]
    table = begun(GAME, CLOSED, STOPPED)
    assert [action.command for action in seen(table).next] == [
        "reconstruct",
        "void-round",
        "resume",
    ]


@reads(49)
@every_dealing
def test_where_the_server_deals_the_console_offers_what_the_table_takes(
    game: Game, dealing: str
) -> None:
    """In every phase: of all grounds a malfunction alone, and no void that would be refused."""
    for table in every_phase(game, dealing):
        view = dealer_view(table.state, table.now, demo=False)
        if view is None or table.state.phase in ("down", "stopped"):
            continue
        offered = {each.ground for each in view.grounds if not each.refused}
        assert offered == {"malfunction"}, table.state.phase
        assert all(each.refused.zh for each in view.grounds if each.refused)
    for cards in (0, 3):
        table = in_dealing(game, cards, dealing)
        at(game, "declare malfunction -> IrregularityDeclared", table)
        assert [action.command for action in seen(table).next] == ["resume"]
        table = in_dealing(game, cards, dealing)
        lose_cards(table)
        at(game, "wait 2sec -> IrregularityDeclared malfunction", table)
        assert [action.command for action in seen(table).next] == ["resume", "void-round"]
        at(game, "void by=sup -> Proposed 1", table)


def test_a_ground_says_what_follows_from_it_now() -> None:
    def follows(table: Table) -> dict[str, tuple[str, str]]:
        return {ground.ground: (ground.command, ground.follows) for ground in seen(table).grounds}

    declare = "declare-irregularity"
    table = begun(GAME, CLOSED)
    assert follows(table)["foreign-card"] == (declare, "stop")
    assert follows(table)["insufficient-cards"] == (declare, "stop")
    table = begun(GAME, PLAYER_WINS)
    assert follows(table)["wrong-card-count"] == ("reopen", "reopen")
    assert follows(table)["foreign-card"] == (declare, "incident")
    assert follows(table)["malfunction"] == (declare, "incident")
    assert follows(table)["misread-card"] == ("reopen", "reopen")
    assert follows(begun(GAME))["wrong-card-count"] == (declare, "")


def ground(table: Table, name: str) -> GroundView:
    [found] = [each for each in seen(table).grounds if each.ground == name]
    return found


@reads(28)
def test_too_few_cards_can_be_declared_by_a_count_wherever_a_card_is_called_for(game: Game) -> None:
    """By the book the shoe is full; the dealer looks into it. A count is asked for, and nothing is greyed out."""
    for script in (CLOSED, CLOSED + "card 9s -> CardDealt"):
        found = ground(begun(game, script), "insufficient-cards")
        assert (found.refused, found.follows, found.needs_count) == (None, "stop", True)
    for table in (begun(game), begun(game, WAGERED), begun(game, PLAYER_WINS)):
        found = ground(table, "insufficient-cards")
        assert found.refused
        assert (found.follows, found.needs_count) == ("", False)


def test_an_empty_shoe_by_the_book_needs_no_count() -> None:
    burned = "\n".join(
        f"burn unseen={n} -> Proposed {i}\napprove {i} by=pit -> ProposalApproved, CardsBurned"
        for i, n in enumerate([50] * 8 + [15], start=1)
    )
    table = begun(
        GAME, "end-shoe -> ShoeEnded, PeriodSealed\nshoe physical cut=0 -> ShoeStarted", CLOSED
    )
    at(GAME, f"card 9s -> CardDealt\n{burned}", table)
    found = ground(table, "insufficient-cards")
    assert (found.refused, found.needs_count, found.follows) == (None, False, "stop")


def test_every_reason_not_now_is_said_in_chinese_too(game: Game) -> None:
    """And without the id of a ground, which no dealer knows."""
    ids = {g.id for g in GROUNDS} | {i.ground.id for i in OF_THE_HOUSE}
    later = (
        CLOSED
        + """
card 2s                               -> CardDealt p1
card 5h                               -> CardDealt b1
card Td                               -> CardDealt p2
card Tc                               -> CardDealt b2, TotalsAnnounced 2 5
card 4d                               -> CardDealt p3
"""
    )
    virtual = (
        BEGUN.replace("physical", "virtual") + "open -> BetsOpened\nclose -> BetsClosed\ndeal-out"
    )
    tables = [
        begun(game, *scripts) for scripts in ((), (WAGERED,), (CLOSED,), (later,), (PLAYER_WINS,))
    ]
    for table in (*tables, at(game, virtual), at(game, virtual + "\nsettle -> RoundSettled")):
        for each in seen(table).grounds:
            chinese = each.refused.zh if each.refused else "可以"
            assert not any(name in chinese for name in ids), chinese
            assert re.search("[\u4e00-\u9fff]", chinese), each.refused


def test_a_shoe_that_cannot_be_played_on_says_why_in_words() -> None:
    table = begun(GAME, PLAYER_WINS, "declare foreign-card -> IncidentRecorded")
    [action] = seen(table).next
    assert action.why == Words(
        "the shoe cannot be played on with: a card that does not belong to the set",
        "牌靴不可再用：發現外來牌",
    )


def test_a_joker_in_question_comes_with_the_reason_in_both_languages() -> None:
    table = begun(GAME, CLOSED, "card joker -> CardQuestioned joker")
    view = seen(table)
    assert view.questioned_why == Words("joker is a card of no deck", "joker 不屬任何一副牌")


def test_what_the_program_declares_itself_is_told_in_both_languages() -> None:
    table = begun(GAME, CLOSED, "card joker -> CardQuestioned joker")
    at(GAME, "card joker -> IrregularityDeclared foreign-card", table)
    view = seen(table)
    assert view.questioned_why is None
    assert view.detail == Words(
        "joker was entered twice: joker is a card of no deck",
        "joker 輸入了兩次：joker 不屬任何一副牌",
    )
    at(GAME, "void by=sup -> Proposed 1", table)
    assert facts(table)["In the dealer's words"] == english(view.detail)


def test_a_card_is_told_to_everybody_with_why_in_both_languages() -> None:
    table = begun(GAME, CLOSED, "card 9h -> CardDealt")
    before = begun(GAME, CLOSED)
    fields, _ = changes(patron(before), patron(table))
    assert fields["why"].text == Words("Player's first card", "閒第一張牌")


REOPENED = """
reopen misread-card "it was a six" by=sup  -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
"""


@reads(45)
def test_a_misread_card_is_corrected_reconstructed_or_a_false_alarm_and_never_void() -> None:
    table = begun(GAME, PLAYER_WINS, REOPENED)
    assert [action.command for action in seen(table).next] == [
        "correct-card",
        "reconstruct",
        "resume",
    ]
    assert seen(table).detail == Words("it was a six")
    found = redealt(table.state, "2s 2h Td 4h")
    assert (found.refused, found.player, found.banker, found.winner) == (None, 2, 6, "")
    house = {each.ground for each in seen(table).grounds if each.of_the_house}
    assert house == {"malfunction", "misread-card"}


def test_cards_left_are_right_while_a_round_is_open_again() -> None:
    """They had left the shoe when it was settled, and leave it once."""
    table = begun(GAME, PLAYER_WINS, REOPENED)
    shoe = seen(table).shoe
    assert shoe is not None
    assert shoe.cards_left == 412


# What patrons are told of a correction


def patron(table: Table) -> TableView:
    view = table_view(table.state)
    assert view is not None
    return view


def told_of(table: Table) -> list[str]:
    """The events of the last entry as everybody at the table hears them."""
    entry = read_entry(table.rows[-1][1])
    return [wire.write(event).decode() for event in public_events([entry])]


def test_a_corrected_card_is_told_and_stays_told_until_the_next_round() -> None:
    """Who comes back after the event sees it in the view."""
    table = begun(GAME, CLOSED, "card 9s -> CardDealt", "correct p1 8s -> CardCorrected")
    [event] = told_of(table)
    assert '"slot":"p1","before":"9s","after":"8s"' in event
    assert patron(table).corrected == [CorrectedView(slot="p1", before="9s", after="8s")]
    at(
        GAME,
        """
correct p1 7s                         -> CardCorrected
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
""",
        table,
    )
    assert patron(table).corrected == [CorrectedView(slot="p1", before="9s", after="7s")]
    at(GAME, "open -> BetsOpened", table)
    assert (patron(table).corrected, patron(table).reconstructed) == ([], None)


def test_a_reconstruction_is_told_with_its_ground() -> None:
    table = begun(GAME, CLOSED, STOPPED, "reconstruct 6s 5h Td Tc 3d by=sup -> Proposed")
    at(GAME, "approve 1 by=pit -> ProposalApproved, RoundReconstructed", table)
    told = patron(table).reconstructed
    assert told is not None
    assert (told.title.en, told.clause) == ("a hand was dealt the wrong number of cards", "5.2")


@reads(45)
def test_a_misread_card_is_told_to_patrons_under_its_own_name() -> None:
    table = begun(GAME, PLAYER_WINS, REOPENED)
    [event] = told_of(table)
    assert "it was a six" not in event  # what staff wrote for staff
    stop = patron(table).stop
    assert stop is not None
    assert (stop.ground, stop.title.en, stop.title.zh, stop.clause) == (
        "misread-card",
        "a card was entered otherwise than it lies",
        "輸入的牌與實際的牌不符",
        "reading 45",
    )


# What the second person sees, and what is kept


def facts(table: Table) -> dict[str, str]:
    [waits] = waiting(table.state, table.stream.balances, table.now)
    return {fact.name: english(fact.text) or fact.cards for fact in waits.facts}


def test_the_second_person_sees_the_dealers_account_of_what_happened() -> None:
    """Of a void, a resumption, a reopening, a correction and cards burned."""
    table = begun(GAME, CLOSED, 'declare foreign-card "a blue back"  -> IrregularityDeclared')
    at(GAME, "void by=sup -> Proposed 1", table)
    assert facts(table)["In the dealer's words"] == "a blue back"
    table = begun(GAME, PLAYER_WINS, REOPENED, "correct p1 6s -> Proposed 2")
    assert facts(table)["In the dealer's words"] == "it was a six"
    table = begun(GAME, PLAYER_WINS, 'burn cards=8c unseen=2 detail="fell down" -> Proposed 1')
    assert facts(table) == {
        "Cards seen": "8c",
        "Unseen": "2",
        "In the dealer's words": "fell down",
        "Left in the shoe then": "409",
    }


def test_a_reopening_a_correction_and_burned_cards_are_significant() -> None:
    table = begun(GAME, PLAYER_WINS, REOPENED, "correct p1 6s -> Proposed 2")
    at(
        GAME,
        """
approve 2 by=pit                      -> ProposalApproved, CardCorrected, TotalsAnnounced
settle                                -> RoundSettled
burn unseen=2                         -> Proposed 3
approve 3 by=pit                      -> ProposalApproved, CardsBurned
""",
        table,
    )
    entries = [read_entry(data) for _, data in table.rows]
    kept = [(x.kind, x.what) for entry in entries for x in find_significant(entry, Thresholds())]
    assert (
        "reopening",
        "round 1 [reading 45] a card was entered otherwise than it lies; asked by sup, approved by pit",
    ) in kept
    corrected = "round 1: p1 corrected from 9s to 6s [reading 45]; asked by dealer, approved by pit"
    assert ("correction", corrected) in kept
    assert ("burned cards", "shoe 1: 2 unseen burned; asked by dealer, approved by pit") in kept
    groups = {
        row_of(entry, data, None).kind: row_of(entry, data, None).group
        for entry, (_, data) in zip(entries, table.rows, strict=True)
    }
    assert groups["CardsBurned"] == "decisions"


def test_the_last_hand_is_called_from_the_cut_card_on() -> None:
    table = at(
        GAME,
        """
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
""",
    )
    assert not seen(table).table.last_hand
    at(GAME, "card 5h -> CardDealt, LastHandCalled 2 of 1", table)
    [action] = seen(table).next
    assert action.command == "enter-card"
    assert action.say == Words("Last hand of this shoe", "本靴最後一局")
    assert action.say_clause == "reading 28"
    at(GAME, "card Td -> CardDealt\ncard Tc -> CardDealt, TotalsAnnounced", table)
    [action] = seen(table).next
    assert english(action.say) == "Last hand of this shoe. Player 6, Banker 5"
    at(GAME, "card 3d -> CardDealt\nsettle -> RoundSettled", table)
    assert seen(table).table.last_hand
    assert [action.command for action in seen(table).next] == ["end-shoe"]


def test_the_dealer_is_told_how_many_cards_to_burn_before_the_first_bets() -> None:
    table = at(
        GAME,
        """
open-table {game} dealing=physical decks=4 burn=first-card  -> TableOpened
shoe first=9s set=B-7 counted=208     -> ShoeStarted, ShoeCounted
""",
    )
    [action] = seen(table).next
    assert action.why == Words(
        'burn 9 cards unseen, then "Place your bets, please"',
        "先暗棄 9 張牌，然後宣布「Place your bets, please」",
    )
    shoe = seen(table).shoe
    assert shoe is not None
    assert (shoe.first_card, shoe.burn, shoe.set_id, shoe.counted, shoe.cards_left) == (
        "9s",
        9,
        "B-7",
        208,
        198,
    )
    at(
        GAME,
        """
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
""",
        table,
    )
    [action] = seen(table).next
    assert action.why.en == '"Place your bets, please"'


def test_the_roads_of_a_shuffler_end_with_its_set() -> None:
    table = at(
        "super-six-plus",
        """
open-table {game} dealing=physical source=continuous roads=1  -> TableOpened
shoe                                  -> ShoeStarted
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
""",
    )
    [action] = seen(table).next
    assert (action.command, action.why.en, action.clause) == (
        "end-shoe",
        "the roads start afresh with a new set",
        "reading 30",
    )


def test_where_a_dealer_closes_everybody_is_told_that_the_time_is_a_guide() -> None:
    table = at(
        GAME,
        "open-table {game} betting=15sec -> TableOpened\nshoe physical -> ShoeStarted\nopen -> BetsOpened",
    )
    told = seen(table).table
    assert (told.closes_at, told.dealer_closes) == (table.now + 15_000, True)
