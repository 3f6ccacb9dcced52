"""Golden shoes: the text has not changed, and the rules written by hand agree with every line of it."""

from fractions import Fraction
from pathlib import Path

import pytest

from tests.support import oracle
from tests.support.golden_shoes import SHOES, shoe_text

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", SHOES)
def test_the_shoe_plays_as_written(name: str) -> None:
    assert (GOLDEN / f"{name}.txt").read_text("utf-8") == shoe_text(*SHOES[name])


@pytest.mark.parametrize("name", SHOES)
def test_the_rules_written_by_hand_agree_with_every_line(name: str) -> None:
    game_id, _ = SHOES[name]
    rounds = [
        line
        for line in (GOLDEN / f"{name}.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    ]
    assert len(rounds) > 35
    for line in rounds:
        cards = line[9:28].split()
        player, banker, result, _clause, *rest = line[28:].split()
        hands = oracle.deal(cards)
        assert [int(player), int(banker)] == [oracle.points(hand) for hand in hands[:2]]
        assert hands[2] == len(cards)
        assert result == ("tie" if player == banker else "player" if player > banker else "banker")
        won = dict(item.split() for item in " ".join(rest).split(", ") if item)
        bonus = 100 * oracle.tie_bonus_dollars(cards) if game_id == "six-star" else 0
        expected = oracle.nets(game_id, cards)
        assert set(won) == {bet for bet, net in expected.items() if net >= 0}
        for bet, net in won.items():
            exact = expected[bet] * 100 + Fraction(bonus, 100 * (bet == "tie") or 1) * (
                bet == "tie"
            )
            assert (0 if net == "=" else int(net)) == exact


def test_there_are_two_shoes_a_game() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == sorted(SHOES)
    assert len(SHOES) == 10
