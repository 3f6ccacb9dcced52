"""Every pay line of every bet of every game, won, lost and pushed; the near misses; and the money's laws."""

import dataclasses
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco import GAMES, Game, Refusal, Wager, settle, void
from puntobanco.base.money import MAX_STAKE_CENTS
from puntobanco.base.refusal import StakeRefused
from puntobanco.rules.cards import codes
from puntobanco.rules.refusals import RoundNotComplete, UnknownBet
from tests.support import oracle
from tests.support.claims import proves, reads
from tests.support.deals import complete, dealt, rounds

# A row is a round: its cards, then for each bet the net of a stake of 100 and the clauses cited; "=" marks a push.
PAY_TABLE = {
    "six-star": """
9f 2g Tf 4e       | player 120 4.1      | banker -100 3.10   | tie -100 3.10.1 | fortune-six -100 1.1.5
5f 2g 4f Te       | player 120 4.1      | player-pair -100 3.8.1
9f 2g Tg 4e       | player 100 4.1      | banker-pair -100 3.8.2
2g 9f 4e Tf       | banker 120 4.1      | player -100 3.10
2g 9f 4e Tw       | banker 100 4.1      | player -100 3.10
2f 2g 3g 4w 9e    | banker 50 4.1       | fortune-six 1200 4.1 | player -100 3.10 | tie -100 3.10.1
3w Lg 2e Lf 9a 6f | banker 50 4.1       | fortune-six 2000 4.1 | banker-pair 1100 4.1 | player-pair -100 3.8.1
2f 2g 3g 4w Aw    | player =3.10.1      | banker =3.10.1     | tie 800 4.1 | fortune-six -100 1.1.5
9f 9f Tf Tf       | player =3.10.1      | banker =3.10.1     | tie 3800 4.1 4.3 | element-bonus 5000 4.2
Sf Lg Lw Fe Fa Sf | player =3.10.1      | banker =3.10.1     | tie 30800 4.1 4.3 | element-bonus -100 1.1.3
Sf Lf Lf Ff Ff Sf | tie 30800 4.1 4.3   | element-bonus 500000 4.2
Sg Sg 9g 8g       | element-bonus 5000 4.2 | player 100 4.1
2w Tw 3w 7w 5w    | element-bonus 50000 4.2 | banker 100 4.1 | tie -100 3.10.1 | player-pair -100 3.8.1
Te Te 2e 3e 2e 3e | element-bonus 500000 4.2 | banker 50 4.1 | fortune-six 2000 4.1
9g 2e 9a 2w       | player-pair 1100 4.1 | banker-pair 1100 4.1
""",
    "fortune-six": """
9h 2d Th 4c       | player 100 4.1      | banker -100 3.10   | tie -100 3.10.1 | fortune-six -100 1.1.1
2d 9h 4c Th       | banker 100 4.1      | player -100 3.10   | player-pair -100 3.8.1 | banker-pair -100 3.8.2
2s 2h 3h 4c 9d    | banker 50 4.1       | fortune-six 1200 4.1
3c Qd 2h Qs 9s 6h | banker 50 4.1       | fortune-six 2000 4.1 | banker-pair 1100 4.1
2s 2h 3h 4c Ac    | player =3.10.1      | banker =3.10.1     | tie 800 4.1 | fortune-six -100 1.1.1
9h 2d 9c 2s       | player-pair 1100 4.1 | banker-pair 1100 4.1
""",
    "super-six-plus": """
9h 2d Th 4c       | player 100 4.1.1    | banker -100 3.9    | tie -100 1:tie | super-six-plus -100 1:super-six-plus
2d 9h 4c Th       | banker 100 4.1.1    | player -100 3.9    | player-pair -100 3.4 | banker-pair -100 3.4
2s 2h 3h 4c 9d    | banker 50 4.1.1     | super-six-plus 1200 4.1.1
3c Qd 2h Qs 9s 6h | banker 50 4.1.1     | super-six-plus 2000 4.1.1 | banker-pair 1100 4.1.1
2s 2h 3h 4c Ac    | player =3.10        | banker =3.10       | tie 800 4.1.1 | super-six-plus -100 1:super-six-plus
9h 2d 9c 2s       | player-pair 1100 4.1.1 | banker-pair 1100 4.1.1
""",
    "sands-elements": """
9f 2g Tf 4e       | player 100 4.1      | banker -100 3.10   | tie -100 3.10.1 | fortune-six -100 1.1.1
2g 9f 4e Tf       | banker 100 4.1      | player -100 3.10   | player-pair -100 3.8.1 | banker-pair -100 3.8.2
2f 2g 3g 4w 9e    | banker 50 4.1       | fortune-six 1200 4.1
3w Lg 2e Lf 9a 6f | banker 50 4.1       | fortune-six 2000 4.1 | banker-pair 1100 4.1
9f 9f Tf Tf       | player =3.10.1      | banker =3.10.1     | tie 800 4.1 | fortune-six -100 1.1.1
9g 2e 9a 2w       | player-pair 1100 4.1 | banker-pair 1100 4.1
""",
    "rapid": """
9h 2d Th 4c       | player 100 4.1      | banker -100 3.10   | tie -100 3.10.1
2d 9h 4c Th       | banker 100 4.1      | player -100 3.10   | player-pair -100 3.8.1 | banker-pair -100 3.8.2
2s 2h 3h 4c 9d    | banker 50 4.1
3c Qd 2h Qs 9s 6h | banker 50 4.1       | banker-pair 1100 4.1
2s 2h 3h 4c Ac    | player =3.10.1      | banker =3.10.1     | tie 800 4.1
9h 2d 9c 2s       | player-pair 1100 4.1 | banker-pair 1100 4.1
""",
}
ROWS = [
    (game, *line.split("|", 1))
    for game, text in PAY_TABLE.items()
    for line in text.strip().splitlines()
]


def one(game: str, cards: str, bet: str, stake_cents: int = 10_000) -> int:
    """The net of one wager, in cents."""
    [line] = settle(GAMES[game], dealt(game, cards), [Wager("ann", bet, stake_cents)])
    return line.net_cents


@proves(
    mbs="3.5 3.10.1 4.1",
    dealer_tables="2.2 2.2.1 2.2.2 2.2.3 2.2.4 2.2.5 3.11",
    six_star="1.1.3 1.1.4 1.1.5 1.1.13 1.1.14 2.2.6 3.10.1.1 3.10.1.2 3.12 4.2 4.3",
    fortune_six="1.1.1 1.1.8",
    sands_elements="1.1.1 1.1.8",
    super_six_plus="1:non-commission 1:original-bet 1:super-six-plus 1:tie 3.3 3.10 4.1.1",
)
@pytest.mark.parametrize(("game_id", "cards", "expected"), ROWS)
def test_pay_tables(game_id: str, cards: str, expected: str) -> None:
    for claim in expected.split("|"):
        bet, net, *clauses = claim.replace("=", "push ").split()
        [line] = settle(GAMES[game_id], dealt(game_id, cards), [Wager("ann", bet, 10_000)])
        if net == "push":
            assert (line.outcome, line.net_cents, line.returned_cents) == ("pushes", 0, 10_000)
        else:
            assert line.outcome == ("wins" if int(net) > 0 else "loses")
            assert line.net_cents == int(net) * 100
            assert line.returned_cents == (10_000 if int(net) > 0 else 0)
        assert [line.clause, *([line.bonus_clause] if line.bonus_clause else [])] == clauses


def test_the_pay_tables_above_reach_every_line_push_and_loss(game: Game) -> None:
    reached = set()
    for game_id, cards, expected in ROWS:
        if game_id == game.id:
            ways = game.decide(*dealt(game_id, cards).slots)
            claimed = {claim.replace("=", " ").split()[0] for claim in expected.split("|")}
            reached |= {
                (bet.id, way)
                for bet, way in zip(game.bets, ways, strict=False)
                if bet.id in claimed
            }
            reached |= {
                (f"{bet} bonus", ways[i])
                for bet, (_, i) in game.answers_at.items()
                if i and bet in claimed
            }
    for bet in game.bets:
        every = range(len(bet.pays) + bool(bet.push) + 1)
        assert {way for name, way in reached if name == bet.id} == set(every)
        if bet.bonus:
            assert {way for name, way in reached if name == f"{bet.id} bonus"} == set(
                range(len(bet.bonus) + 1)
            )


@proves(rapid="1.1.8")
@reads(11)
@pytest.mark.parametrize(
    ("game_id", "side"), [("fortune-six", "fortune-six"), ("super-six-plus", "super-six-plus")]
)
def test_a_tie_at_six_is_no_banker_six(game_id: str, side: str) -> None:
    for cards in ("2s 2h 3h 4c Ac", "6s 6h Ts Th"):
        assert one(game_id, cards, side) == -10_000
        assert one(game_id, cards, "banker") == 0
        assert one("rapid", cards, "tie") == 80_000


@reads(12)
def test_banker_pays_half_on_a_six_of_two_or_three_cards(game: Game) -> None:
    two, three = (
        ("2f 2g 3g 4w 9e", "3w Lg 2e Lf 9a 6f")
        if game.deck.id == "five-elements"
        else ("2s 2h 3h 4c 9d", "3c Qd 2h Qs 9s 6h")
    )
    assert one(game.id, two, "banker") == one(game.id, three, "banker") == 5_000


@reads(4)
@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("9f 2g Tf 4e", 12_000),  # nine and ten, both Fire
        ("4f 2g 5f 4e", 12_000),  # four and five, both Fire
        ("9f 2g Tw 4e", 10_000),  # one Fire card
        ("9w 2g Tw 4e", 10_000),  # no Fire card
        ("2f 2g 3f 5e 4f", 10_000),  # nine of three Fire cards: 2+3 draws 4; banker 7
        ("8f 2g Tf 4e", 10_000),  # a natural eight of Fire
        ("9f 9g Tf Te", 0),  # flaming, but the hands tie
    ],
)
def test_flaming_nines_are_two_fire_cards_that_win(cards: str, net: int) -> None:
    assert one("six-star", cards, "player") == net


@reads(4)
def test_flaming_nines_that_lose_are_impossible_and_a_losing_bet_gets_nothing() -> None:
    assert one("six-star", "9f 2g Tf 4e", "banker") == -10_000


@reads(3, 5)
@proves(six_star="3.10.1.1 1.1.14")
def test_both_hands_flaming_pay_tie_bonus_and_element_bonus_at_once() -> None:
    game, bets = (
        GAMES["six-star"],
        ("player", "banker", "tie", "element-bonus", "fortune-six", "player-pair"),
    )
    lines = settle(game, dealt(game, "9f 9f Tf Tf"), [Wager("ann", bet, 10_000) for bet in bets])
    assert [line.net_cents for line in lines] == [0, 0, 380_000, 500_000, -10_000, -10_000]
    tie = lines[2]
    assert (tie.winnings_cents, tie.bonus_cents, tie.returned_cents) == (80_000, 300_000, 10_000)
    assert (tie.clause, tie.bonus_clause) == ("4.1", "4.3")


@reads(5)
@pytest.mark.parametrize("cards", ["9f 9f Tf Tw", "9f 9w Tf Tf", "4f 9g 5f Tg"])
def test_one_flaming_hand_in_a_tie_at_nine_earns_no_bonus(cards: str) -> None:
    assert one("six-star", cards, "tie") == 80_000


@reads(6)
@proves(six_star="1.1.1 1.1.12 3.10.1.2")
@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("Sf Lg Lw Fe Fa Sf", 3_080_000),  # S L F and L F S
        ("Fa Fa Sa Sa La La", 3_080_000),  # any order
        ("Sf Sf Lf Lf Tf Ff", 80_000),  # two stars and a ten in one hand
        ("Sf Sf Sf Lf Lf Ff", 80_000),  # two Sau in one hand
        ("Sf Sf Lf Lf Sf Ff", 80_000),  # the third repeats the first
        ("Tf Tf Tf Tf Tf Tf", 80_000),  # nothing but tens
    ],
)
def test_six_stars_are_one_of_each_in_each_hand(cards: str, net: int) -> None:
    assert one("six-star", cards, "tie") == net


@reads(7)
@proves(six_star="3.12 4.2")
@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("9g 9g Tg Tg", 500_000),  # four, a tie
        ("2w Tw 3w 7w 5w", 5_000_000),  # five, banker stands
        ("6w Tw Tw 5w 2w", 5_000_000),  # five, player stands, banker draws
        ("Te Te 2e 3e 2e 3e", 50_000_000),  # six
        ("Te Te 2e 3e 2e 3a", -10_000),  # five of six
        ("Te Te 2e 3e 2a 3e", -10_000),  # five of six, player's third
        ("Ta Te 2e 3e 2e 3e", -10_000),  # five of six, the first card
        ("9g 9g Tg Ta", -10_000),  # three of four
    ],
)
def test_element_bonus_looks_at_every_card_of_both_finished_hands(cards: str, net: int) -> None:
    assert one("six-star", cards, "element-bonus") == net


PAIRS = {"six_star": "1.1.9", "fortune_six": "1.1.5", "sands_elements": "1.1.5", "rapid": "1.1.4"}


@proves(mbs="3.8.1 3.8.2", super_six_plus="1:pair", **PAIRS)
@reads(9)
def test_a_pair_is_one_rank_whatever_the_points_and_suits(game: Game) -> None:
    """All 13 x 13 ranks for both hands: ten and king no, king and king yes; Sau and Luk no."""
    suits = game.deck.suits
    for first in range(13):
        for second in range(13):
            p1, p2 = suits[0] * 13 + first, suits[1] * 13 + second
            other = (suits[2] * 13 + 8, suits[2] * 13 + 9)  # nine and ten: a natural, no third card
            for bet, cards in (
                ("player-pair", (p1, other[0], p2, other[1])),
                ("banker-pair", (other[0], p1, other[1], p2)),
            ):
                [line] = settle(game, dealt(game, codes(cards)), [Wager("ann", bet, 100)])
                assert line.outcome == ("wins" if first == second else "loses")


@proves(mbs="3.8 3.8.1 3.8.2", super_six_plus="1:pair", **PAIRS)
def test_the_opening_two_cards_alone_make_a_pair(game: Game) -> None:
    """Both hands draw; a third card that matches makes none, and one that does not takes none away."""
    two, three, four, nine, ten = (rank - 1 for rank in (2, 3, 4, 9, 10))

    def outcomes(*ranks: int) -> tuple[str, str]:
        cards = [game.deck.suits[i % 4] * 13 + rank for i, rank in enumerate(ranks)]
        lines = settle(
            game,
            dealt(game, codes(cards)),
            [Wager("ann", bet, 100) for bet in ("player-pair", "banker-pair")],
        )
        return lines[0].outcome, lines[1].outcome

    # In the order of the deal: player, banker, player, banker, player's third, banker's third.
    assert outcomes(two, two, nine, ten, nine, two) == ("loses", "loses"), "2-9-9 and 2-10-2"
    assert outcomes(two, ten, nine, two, two, ten) == ("loses", "loses"), "2-9-2 and 10-2-10"
    assert outcomes(two, ten, two, ten, nine, three) == ("wins", "wins"), "2-2-9 and 10-10-3"
    assert outcomes(two, three, two, ten, four, ten) == ("wins", "loses"), "2-2-4 and 3-10-10"


@reads(1)
@proves(six_star="1.1.14 4.3")
def test_two_tie_wagers_of_one_patron_get_one_bonus_and_two_patrons_two() -> None:
    game = GAMES["six-star"]
    wagers = [Wager("ann", "tie", 500), Wager("ann", "tie", 90_000), Wager("ben", "tie", 100)]
    lines = settle(game, dealt(game, "9f 9f Tf Tf"), wagers)
    assert [line.bonus_cents for line in lines] == [300_000, 0, 300_000]
    assert [line.winnings_cents for line in lines] == [4_000, 720_000, 800]


@reads(16)
@proves(mbs="3.5", super_six_plus="3.3")
def test_opposite_bets_and_lone_side_bets_are_taken(game: Game) -> None:
    rng = random.Random(7)
    wagers = [Wager("ann", "player", 1_000), Wager("ann", "banker", 1_000)]
    for _ in range(50):
        both = settle(game, complete(game, rng), wagers)
        assert {line.outcome for line in both} in ({"wins", "loses"}, {"pushes"})
        for bet in game.bets:
            assert len(settle(game, complete(game, rng), [Wager("ann", bet.id, 1_000)])) == 1


@reads(15)
@proves(super_six_plus="3.10 1:tie")
def test_tie_wagers_win_in_super_six_plus_as_its_pay_table_has_it() -> None:
    assert one("super-six-plus", "8h 8d Kh Kd", "tie") == 80_000


@reads(18)
def test_the_stake_comes_back_besides_the_winnings() -> None:
    [line] = settle(
        GAMES["six-star"], dealt("six-star", "9f 2g Tf 4e"), [Wager("ann", "player", 500)]
    )
    assert (line.winnings_cents, line.returned_cents, line.paid_cents, line.net_cents) == (
        600,
        500,
        1_100,
        600,
    )


@reads(17)
@pytest.mark.parametrize(
    ("game_id", "bet", "stake", "reason"),
    [
        (
            "rapid",
            "banker",
            1,
            "1 to 2 on $0.01 is not whole cents; stake a multiple of $0.02 on Banker",
        ),
        ("rapid", "banker", 10_001, "not whole cents"),
        (
            "six-star",
            "banker",
            2,
            "1.2 to 1 on $0.02 is not whole cents; stake a multiple of $0.10 on Banker",
        ),
        ("six-star", "banker", 5, "1 to 2 on $0.05 is not whole cents"),
        (
            "six-star",
            "player",
            1,
            "1.2 to 1 on $0.01 is not whole cents; stake a multiple of $0.05 on Player",
        ),
        ("rapid", "player", 0, "more than zero, not $0"),
        ("rapid", "player", -100, "more than zero, not −$1"),
        ("rapid", "player", MAX_STAKE_CENTS + 1, "at most $1,000,000,000"),
        ("rapid", "player", 10**40, "over 20 digits"),
        ("rapid", "player", 1.5, "whole number of cents, not 1.5"),
        ("rapid", "player", float("nan"), "whole number of cents, not nan"),
        ("rapid", "player", True, "whole number of cents"),
        ("rapid", "player", "100", "whole number of cents"),
    ],
)
def test_a_stake_that_cannot_be_taken_is_refused(
    game_id: str, bet: str, stake: int, reason: str
) -> None:
    with pytest.raises(StakeRefused) as refused:
        settle(
            GAMES[game_id],
            dealt(game_id, "9h 2d Th 4c" if game_id == "rapid" else "9f 2g Tf 4e"),
            [Wager("ann", bet, stake)],
        )
    assert reason in str(refused.value)


def test_the_largest_stake_is_taken_and_pays_exactly() -> None:
    assert (
        one("six-star", "Te Te 2e 3e 2e 3e", "element-bonus", MAX_STAKE_CENTS)
        == 5_000 * MAX_STAKE_CENTS
    )


@pytest.mark.parametrize("bet", ["", "Banker", "dragon", "fortune six", "element-bonus", None])
def test_an_unknown_bet_is_refused_with_those_there_are(bet: str) -> None:
    with pytest.raises(UnknownBet, match="it has player, banker, tie, player-pair, banker-pair"):
        settle(GAMES["rapid"], dealt("rapid", "9h 2d Th 4c"), [Wager("ann", bet, 100)])


def test_a_round_that_is_not_complete_is_not_settled() -> None:
    with pytest.raises(
        RoundNotComplete,
        match=r"4 cards are not a complete round: Player has 5 and draws.*player \[3.9.2\]",
    ):
        settle(GAMES["rapid"], dealt("rapid", "2h 2d 3h 2c"), [])


def test_one_bad_wager_refuses_the_whole_settlement_before_anything_is_paid() -> None:
    with pytest.raises(Refusal):
        settle(
            GAMES["rapid"],
            dealt("rapid", "9h 2d Th 4c"),
            [Wager("ann", "player", 100), Wager("ben", "banker", 1)],
        )


@proves(mbs="5.1.1 5.1.2", super_six_plus="5.1 1:void")
@reads(34)
def test_a_void_returns_every_wager_and_nothing_else(game: Game) -> None:
    wagers = [Wager(patron, bet.id, 1_000) for patron in ("ann", "ben") for bet in game.bets]
    lines = void(game, wagers, clause=game.irregularities[0].clause)
    assert all(
        (line.outcome, line.net_cents, line.paid_cents) == ("void", 0, 1_000) for line in lines
    )
    assert {line.clause for line in lines} == {game.irregularities[0].clause}


def test_every_bet_agrees_with_the_rules_written_by_hand(game: Game) -> None:
    rng = random.Random(52 * 65)
    bets = [bet.id for bet in game.bets]
    assert set(bets) == set(oracle.nets(game.id, codes(complete(game, rng).cards).split()))
    for _ in range(3_000):
        round_ = complete(game, rng, decks=4)
        cards = codes(round_.cards).split()
        lines = settle(game, round_, [Wager("ann", bet, 1_000) for bet in bets])
        expected = oracle.nets(game.id, cards)
        assert {
            line.wager.bet: Fraction(line.net_cents - line.bonus_cents, 1_000) for line in lines
        } == expected
        if game.id == "six-star":
            bonus = next(line.bonus_cents for line in lines if line.wager.bet == "tie")
            assert bonus == 100 * oracle.tie_bonus_dollars(cards)


@pytest.mark.long
def test_oracle_and_package_agree_on_rounds_rich_in_stars_and_fire() -> None:
    """Random rounds seldom reach Tie Bonus and Element Bonus; these decks of few cards do."""
    game, rng, reached = GAMES["six-star"], random.Random(6), set()
    few = [game.deck.parse(c) for c in ("Sf", "Lf", "Ff", "9f", "Tf", "4f", "5f", "Sg", "Lg")]
    for _ in range(20_000):
        round_ = dealt(game, "", decks=10)
        while not round_.is_complete:
            round_ = round_.deal(rng.choice(few))
        cards = codes(round_.cards).split()
        lines = settle(game, round_, [Wager("ann", bet.id, 1_000) for bet in game.bets])
        expected = oracle.nets(game.id, cards)
        assert {
            line.wager.bet: Fraction(line.net_cents - line.bonus_cents, 1_000) for line in lines
        } == expected
        assert lines[2].bonus_cents == 100 * oracle.tie_bonus_dollars(cards)
        reached.add(lines[2].bonus_cents)
    assert reached == {0, 300_000, 3_000_000}


@st.composite
def wagers_on(draw: st.DrawFn, game: Game) -> list[Wager]:
    bets = st.sampled_from(game.bets)
    patrons = st.sampled_from(["ann", "ben", "cho"])
    stakes = st.integers(1, 10**7)
    wager = st.builds(lambda p, b, n: Wager(p, b.id, n * b.step_cents), patrons, bets, stakes)
    return draw(st.lists(wager, max_size=12))


@given(st.data())
def test_settlement_never_creates_or_loses_a_cent(data: st.DataObject) -> None:
    game, round_ = data.draw(rounds())
    wagers = data.draw(wagers_on(game))
    lines = settle(game, round_, wagers)
    assert [line.wager for line in lines] == wagers
    for line in lines:
        bet, stake = game.bet(line.wager.bet), line.wager.stake_cents
        assert line.returned_cents == (0 if line.outcome == "loses" else stake)
        assert line.net_cents == line.winnings_cents + line.bonus_cents - (
            stake if line.outcome == "loses" else 0
        )
        if line.outcome == "wins":
            assert Fraction(line.winnings_cents, stake) in {
                Fraction(p.pays.win, p.pays.risk)  # type: ignore[union-attr]
                for p in bet.pays
            }
        else:
            assert line.winnings_cents == line.bonus_cents == 0
    house = sum(w.stake_cents for w in wagers) - sum(line.paid_cents for line in lines)
    assert house == -sum(line.net_cents for line in lines)
    bonuses = [line.wager.patron for line in lines if line.bonus_cents]
    assert len(bonuses) == len(set(bonuses))


@given(rounds(), st.randoms())
def test_the_order_of_wagers_changes_no_patrons_total(
    dealt_: tuple[Game, object], rng: random.Random
) -> None:
    game, round_ = dealt_
    wagers = [Wager(p, bet.id, 1_000) for p in ("ann", "ben") for bet in (*game.bets, *game.bets)]
    shuffled = rng.sample(wagers, len(wagers))

    def totals(order: list[Wager]) -> dict[str, int]:
        lines = settle(game, round_, order)  # type: ignore[arg-type]
        return {
            p: sum(line.net_cents for line in lines if line.wager.patron == p)
            for p in ("ann", "ben")
        }

    assert totals(wagers) == totals(shuffled)


def test_the_round_ends_with_a_line_for_every_wager(game: Game) -> None:
    round_ = complete(game, random.Random(1))
    wagers = [Wager("ann", bet.id, 1_000) for bet in game.bets]
    assert len(settle(game, round_, wagers)) == len(wagers)
    assert settle(game, round_, []) == []


def test_a_line_is_a_plain_value() -> None:
    [line] = settle(GAMES["rapid"], dealt("rapid", "9h 2d Th 4c"), [Wager("ann", "player", 100)])
    assert dataclasses.replace(line) == line
