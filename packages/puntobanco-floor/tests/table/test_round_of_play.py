"""Section 1 and 3 of the five rulebooks at a live table: a patron's place, and a round from its call to its settlement."""

import pytest

from puntobanco import Game
from puntobanco_floor.domain import events as e
from tests.support.claims import proves, reads
from tests.table.test_clauses import (
    BANKER_WINS,
    BEGUN,
    BOOK,
    CLOSED,
    PLAYER_WINS,
    at,
    begun,
    entries,
    of_mbs,
)


@proves(rapid="1.1.5", super_six_plus="1:player-terminal 1:bet 1:player 1:house")
@pytest.mark.parametrize("game_id", ["rapid", "super-six-plus"])
def test_a_patron_buys_credits_wagers_them_and_cashes_out_what_is_left(game_id: str) -> None:
    """Every cent of it: 500.00 bought, 100.00 staked and won, 600.00 cashed out by ben; ann loses 100.00."""
    table = begun(game_id, PLAYER_WINS)
    at(
        game_id,
        """
credits ben 600.00
credits ann 400.00
cash-out ben                          -> CashedOut ben 600.00, SessionEnded ben
credits ben 0.00
cash-out ann                          -> CashedOut ann 400.00, SessionEnded ann
account wagers 0.00
""",
        table,
    )
    assert table.stream.balances.get("cage", 0) == 0, (
        "what was bought has been paid out again, to the cent"
    )


@proves(
    six_star="1.1.11",
    fortune_six="1.1.7",
    sands_elements="1.1.7",
    rapid="1.1.7",
    super_six_plus="1:round-of-play",
)
@reads(32)
def test_a_round_lasts_from_the_call_that_opens_it_until_every_wager_is_settled(game: Game) -> None:
    table = begun(game, BANKER_WINS)
    kinds = [type(event).__name__ for entry in entries(table) for event in entry.events]
    first, last = kinds.index("BetsOpened"), kinds.index("RoundSettled")
    assert kinds[first + 1 : last] == [
        "WagerPlaced",
        "WagerPlaced",
        "BetsClosed",
        "CardDealt",
        "CardDealt",
        "CardDealt",
        "CardDealt",
        "TotalsAnnounced",
        "CardDealt",
    ]
    [settled] = [
        event
        for entry in entries(table)
        for event in entry.events
        if isinstance(event, e.RoundSettled)
    ]
    assert (settled.result, settled.player, settled.banker) == ("B", 6, 8)
    won_and_lost = {line.session: (line.outcome, line.winnings_cents) for line in settled.lines}
    assert won_and_lost == {"ann": ("wins", 10_000), "ben": ("loses", 0)}
    at(
        game,
        """
open                                  -> BetsOpened 2 "{opens}"
open                                  -> refused not-now           # one round at a time
""",
        table,
    )


@proves(mbs="3.1", super_six_plus="3.1")
@reads(19)
def test_nothing_is_taken_before_the_call_that_opens_the_bets_nor_after_the_round(
    game: Game,
) -> None:
    table = at(game, BEGUN)
    at(
        game,
        """
wager ann banker 100.00 round=1       -> refused bets-are-closed [3.1]
credits ann 500.00
open                                  -> BetsOpened 1 "{opens}"
wager ann banker 100.00               -> WagerPlaced
""",
        table,
    )
    table = begun(game, PLAYER_WINS)
    at(
        game,
        """
wager ann banker 100.00 round=2       -> refused bets-are-closed [3.1]
open                                  -> BetsOpened 2 "{opens}"
wager ann banker 100.00 round=2       -> WagerPlaced
""",
        table,
    )


SEEN = ("", "9s", "9s 2h Td", "6s 5h Td Tc", "6s 5h Td Tc 3d")


@proves(mbs="5.4")
@of_mbs
@pytest.mark.parametrize("seen", SEEN, ids=lambda cards: f"{len(cards.split())} cards seen")
def test_an_altered_order_is_void_however_many_cards_were_seen(game_id: str, seen: str) -> None:
    cards = "".join(
        f"card {card} -> CardDealt{', TotalsAnnounced' * (n == 3)}\n"
        for n, card in enumerate(seen.split())
    )
    at(
        game_id,
        cards
        + """
declare order-altered                 -> IrregularityDeclared order-altered [{altered}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided order-altered [{altered}]
credits ann 500.00
credits ben 500.00
""",
        begun(game_id, CLOSED),
    )


@proves(mbs="2.1")
@of_mbs
def test_a_card_with_another_back_is_none_of_the_set(game_id: str) -> None:
    """Backs are seen by people: what they see is declared, and voids the round as a foreign card."""
    assert BOOK[game_id]["foreign"] == "5.1"
    at(
        game_id,
        """
card 9s                               -> CardDealt p1
declare foreign-card "another back"   -> IrregularityDeclared foreign-card [{foreign}]
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided foreign-card [{foreign}]
credits ann 500.00
open                                  -> refused shoe-must-be-changed
""",
        begun(game_id, CLOSED),
    )
