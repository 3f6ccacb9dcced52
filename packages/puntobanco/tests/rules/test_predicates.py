"""Predicates: laws that hold for every tree, built-in or random."""

import pickle
import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco import (
    GAMES,
    Game,
    Measure,
    Predicate,
    Round,
    all_of,
    any_of,
    banker,
    cards_dealt,
    count,
    decided,
    different,
    every_card,
    fold,
    one_suit,
    player,
    same,
    say,
    tie,
)
from puntobanco.rules.cards import DIAMONDS, FIRE, HEARTS, KING
from puntobanco.rules.predicates import (
    ALWAYS,
    NEVER,
    AtLeast,
    Not,
    classes,
    decider,
    leaves,
    reads_of,
)
from puntobanco.rules.terms import NO_CARD, Slot
from tests.support.claims import reads
from tests.support.deals import complete, dealt, rounds

HANDS = (player, banker)
VIEWS = [view for hand in HANDS for view in (hand.first, hand.second, hand.third)]
MEASURES: list[Measure] = [
    *(m for hand in HANDS for m in (hand.points, hand.initial_points, hand.cards, hand.margin)),
    *(m for view in VIEWS for m in (view.rank, view.suit, view.points)),
    cards_dealt,
    player.first.points + banker.third.points,
    (player.points - banker.points) * 2 + 1,
    (player.third.rank + 3) % 5,
]
BUILT_IN = [
    tie, one_suit, player.wins, banker.wins, player.natural, banker.natural, player.pair, banker.pair,
    same(player.first.suit, player.second.suit), different(*(view.rank for view in VIEWS)),
    player.one_of_each(10, 11, 12), player.third.dealt, banker.third.dealt,
]  # fmt: skip


def loose(value: object) -> Any:
    """What a designer without a type checker may write."""
    return value


def leaf_strategy() -> st.SearchStrategy[Predicate]:
    numbers = st.integers(-3, 13)
    asked = st.one_of(
        st.builds(lambda m, n: m(n), st.sampled_from(MEASURES), numbers),
        st.builds(lambda m, n: m(n, ...), st.sampled_from(MEASURES), numbers),
        st.builds(lambda m, n: m(..., n), st.sampled_from(MEASURES), numbers),
        st.builds(lambda m, a, b: m(a, b), st.sampled_from(MEASURES), numbers, numbers),
        st.builds(
            lambda m, a, b: m(a, ..., a + b), st.sampled_from(MEASURES), numbers, st.integers(0, 5)
        ),
    )
    return st.one_of(st.sampled_from(BUILT_IN), asked, st.sampled_from([ALWAYS, NEVER]))


def tree_strategy(leaf: st.SearchStrategy[Predicate], most: int) -> st.SearchStrategy[Predicate]:
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds(lambda a, b: a & b, inner, inner),
            st.builds(lambda a, b: a | b, inner, inner),
            st.builds(lambda a: ~a, inner),
            st.builds(
                lambda n, parts: count(*parts)(n),
                st.integers(0, 3),
                st.lists(inner, min_size=1, max_size=3),
            ),
            st.builds(
                lambda n, parts: count(*parts)(n, ...),
                st.integers(0, 3),
                st.lists(inner, min_size=1, max_size=3),
            ),
            st.builds(lambda a: a.named("something", clause="1.2"), inner),
        ),
        max_leaves=most,
    )


trees = tree_strategy(leaf_strategy(), 8)


def prefixes(round_: Round) -> list[Round]:
    """The round as it grew, from no card to all."""
    grown = [Round(round_.tableau, round_.deal_clauses, round_.shoe)]
    for card in round_.cards:
        grown.append(grown[-1].deal(card))
    return grown


def holds(predicate: Predicate, round_: Round) -> bool:
    """The compiled answer."""
    return decider([[predicate]])(*round_.slots) == (0,)


@settings(max_examples=300)
@given(rounds(), trees)
def test_what_is_decided_on_a_prefix_never_contradicts_the_final_answer(
    dealt_: tuple[Game, Round], tree: Predicate
) -> None:
    _, round_ = dealt_
    final = decided(tree, round_.known)
    assert final is not None, "a complete round decides everything"
    answers = [decided(tree, prefix.known) for prefix in prefixes(round_)]
    assert set(answers) <= {None, final}
    first = answers.index(final)
    assert all(answer is final for answer in answers[first:]), "once decided, decided for good"


@settings(max_examples=300)
@given(rounds(), trees)
def test_compiling_and_folding_agree(dealt_: tuple[Game, Round], tree: Predicate) -> None:
    _, round_ = dealt_
    assert holds(tree, round_) is decided(tree, round_.known)


@settings(max_examples=200)
@given(rounds(), trees)
def test_a_folded_tree_means_the_same(dealt_: tuple[Game, Round], tree: Predicate) -> None:
    _, round_ = dealt_
    for prefix in prefixes(round_):
        rest = fold(tree, prefix.known)
        assert decided(rest, round_.known) is decided(tree, round_.known)
        known = set(prefix.known)
        assert not any(reads_of(leaf) & known for leaf in leaves(rest)), (
            "nothing known is left to read"
        )


@settings(max_examples=100)
@given(rounds(), trees, st.integers(0, 3), st.data())
def test_cards_of_one_class_cannot_be_told_apart(
    dealt_: tuple[Game, Round], tree: Predicate, slot: int, data: st.DataObject
) -> None:
    game, round_ = dealt_
    groups = classes([tree], (Slot(slot),), game.deck.cards, also=("points",))
    assert sorted(card for group in groups for card in group) == list(game.deck.cards)
    group = next(g for g in groups if round_.slots[slot] in g)
    swapped = list(round_.slots)
    swapped[slot] = data.draw(st.sampled_from(group))
    decide = decider([[tree]])
    assert decide(*round_.slots) == decide(*swapped)


def test_a_leaf_on_one_slot_makes_two_classes_not_five() -> None:
    cards = GAMES["six-star"].deck.cards
    assert len(classes([player.first.suit(FIRE)], (Slot.P1,), cards)) == 2
    assert len(classes([same(player.first.suit, player.second.suit)], (Slot.P1,), cards)) == 5
    assert len(classes([tie], (Slot.P1,), cards)) == 10
    assert len(classes([tie & player.pair], (Slot.P1,), cards)) == 13
    assert len(classes([tie], (Slot.B3,), (*cards, NO_CARD))) == 10


@pytest.mark.parametrize(
    ("cards", "predicate", "answer"),
    [
        ("9f 2g", one_suit, False),  # two elements: decided at the second card
        ("9f 2f", one_suit, None),
        ("9f 2g Tf", player.pair, False),  # decided at player's second card
        ("9f 2g 9g", player.pair, True),
        ("2f 2g 3g 4w", banker.cards(3), None),
        ("2f 2g 3g 3w", cards_dealt(4), False),  # player draws: at least five cards
        ("2f 2g 3g 3w", cards_dealt(5), None),
        ("2f 2g 3g 4w 6w", banker.cards(3), True),  # banker will draw, whatever the card
        ("2f 2g 3g 4w 9w", banker.cards(3), False),
        ("6f 7g Tf Te", player.wins, False),
        ("6f 5g Tf Te", player.third.rank(5), False),  # a card that cannot come any more
        ("6f 5g Tf Te", banker.wins, None),
    ],
)
def test_decided_as_soon_as_it_can_be_nothing_else(
    cards: str, predicate: Predicate, answer: bool | None
) -> None:
    assert decided(predicate, dealt("six-star", cards).known) is answer


def test_a_third_card_that_is_not_dealt_is_worth_nothing_and_equals_nothing() -> None:
    natural = dealt("rapid", "9h 2d Kh 4c")
    for predicate in (
        player.third.points(0),
        player.third.points(..., 9),
        player.third.rank(..., 3),
        player.third.suit(0, ...),
        same(player.third.rank, banker.third.rank),
        different(player.third.rank, banker.third.rank),
        (player.third.points + banker.third.points)(0),
    ):
        assert holds(predicate, natural) is False


@reads(4)
def test_flaming_nines_exclude_a_six_a_pair_and_six_stars() -> None:
    game, rng = GAMES["six-star"], random.Random(9)
    few = [game.deck.parse(c) for c in ("9f", "Tf", "4f", "5f", "Sf", "Lf", "Ff", "6f", "Sg")]
    flaming = game.bet("player").pays[0].when
    apart = (banker.points(6) & banker.wins, player.pair, game.bet("tie").bonus[1].when)
    decide = decider([[flaming & other] for other in apart])
    for _ in range(20_000):
        round_ = dealt(game, "", decks=10)
        while not round_.is_complete:
            round_ = round_.deal(rng.choice(few))
        assert decide(*round_.slots) == (1, 1, 1)


def test_predicates_are_values() -> None:
    assert banker.points(6) == banker.points(6)
    assert banker.points(6) != banker.points(7)
    assert len({tie & banker.pair, tie & banker.pair, banker.pair & tie}) == 2
    tree = ~(tie & one_suit)
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert hash(pickle.loads(pickle.dumps(tree))) == hash(tree)


def test_a_copy_of_a_hand_is_the_hand() -> None:
    again = pickle.loads(pickle.dumps(player))
    assert again.wins == player.wins
    assert (2 * player.points)(6) == (player.points * 2)(6)
    assert (
        say(((player.points - banker.points) % 3)(1)).en
        != say((player.points - banker.points % 3)(1)).en
    )


def test_joining_keeps_trees_flat_and_simple() -> None:
    assert tie & ALWAYS == tie
    assert tie & NEVER == NEVER
    assert tie | ALWAYS == ALWAYS
    assert tie & tie == tie
    assert all_of() == ALWAYS
    assert any_of() == NEVER
    assert (tie & banker.pair) & player.pair == all_of(tie, banker.pair, player.pair)


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: bool(tie),
        lambda: tie and banker.wins,
        lambda: tie or banker.wins,
        lambda: not tie,
        lambda: 1 if tie else 2,
        lambda: any([tie]),
    ],
)
def test_python_logic_on_a_predicate_raises_with_advice(misuse: object) -> None:
    with pytest.raises(TypeError, match=r"join with & \| ~"):
        misuse()  # type: ignore[operator]


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: tie & loose(banker.points),
        banker.points,
        lambda: banker.points(loose("6")),
        lambda: banker.points(loose(6.0)),
        lambda: banker.points(..., ...),
        lambda: same(player.first.rank),
        lambda: same(loose(player.first), player.second.rank),
        lambda: player.one_of_each(1, 1, 2),
        lambda: player.points + loose("1"),
        lambda: banker.points(True),
    ],
)
def test_misuse_of_the_vocabulary_raises_at_once(misuse: object) -> None:
    with pytest.raises(TypeError):
        misuse()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("predicate", "english", "chinese"),
    [
        (banker.wins & banker.points(6), "Banker wins and Banker has 6 points", "莊贏且莊6點"),
        (tie | player.natural, "the hands tie or Player has a natural", "和局或閒例牌"),
        (
            ~(tie | player.pair),
            "not (the hands tie or Player's first two cards are a pair)",
            "非（和局或閒首兩張牌成對）",
        ),
        (
            (tie | player.pair) & banker.pair,
            "(the hands tie or Player's first two cards are a pair) and Banker's first two cards are a pair",
            "（和局或閒首兩張牌成對）且莊首兩張牌成對",
        ),
        (tie.named("Egalité", clause="9.9"), "Egalité [9.9]", "Egalité [9.9]"),
        (banker.margin(4, ...), "Banker's lead is 4 or more", "莊領先4點或以上"),
        (player.points(..., 3), "Player has 3 or less points", "閒3點或以下"),
        (player.points(1, 5), "Player has 1 or 5 points", None),
        (player.points(4, ..., 7), "Player has 4 to 7 points", "閒4至7點"),
        (player.first.suit(FIRE), "the suit of Player's first card is Fire", "閒首張牌花色為火"),
        (
            player.first.rank(KING),
            "the rank of Player's first card is King/Fuk",
            "閒首張牌牌面為K/福",
        ),
        (player.third.points(0), "Player's third card is worth 0", "閒第三張牌為0點"),
        (ALWAYS, "always", "必然"),
        (NEVER, "never", "絕不"),
    ],
)
def test_words(predicate: Predicate, english: str, chinese: str | None) -> None:
    assert say(predicate).en == english
    assert chinese is None or say(predicate).zh == chinese


def test_a_value_list_is_said_once() -> None:
    assert say(player.points(1, 5)).en == "Player has 1 or 5 points"
    assert say(~player.points(8, 9)) == say(Not(player.points(8, 9)))


def test_random_rounds_of_every_game_decide_every_line_of_every_bet(game: Game) -> None:
    rng = random.Random(4)
    for _ in range(200):
        round_ = complete(game, rng)
        ways = game.decide(*round_.slots)
        for bet, way in zip(game.bets, ways, strict=False):
            lines = [line.when for line in bet.pays] + ([bet.push.when] if bet.push else [])
            answers = [decided(when, round_.known) for when in lines]
            assert way == (answers.index(True) if True in answers else len(lines))


RED = [card.suit(HEARTS, DIAMONDS) for card in every_card]


@pytest.mark.parametrize("least", range(8))
def test_a_count_is_an_or_over_all_that_may_hold(least: int) -> None:
    several = [all_of(*some) for some in combinations(RED, least)]
    expanded = any_of(*several)
    decide = decider([[count(*RED)(least, ...)], [expanded], [count(*RED)(least)]])
    exactly = expanded & ~any_of(*(all_of(*some) for some in combinations(RED, least + 1)))
    other = decider([[exactly]])
    rng = random.Random(least)
    for _ in range(200):
        slots = complete(GAMES["rapid"], rng).slots
        holds, same_as_expanded, exact = decide(*slots)
        assert holds == same_as_expanded
        assert exact == other(*slots)[0]


def test_a_count_of_one_or_of_all_is_or_and_and() -> None:
    assert decided(count(*RED)(0, ...), {}) is True
    assert decided(count(*RED)(7, ...), {}) is False
    assert decided(count(*RED)(..., 6), {}) is True
    assert fold(count(tie, player.wins)(1, ...), {}) == fold(
        (tie | player.wins).named(say(count(tie, player.wins)(1, ...))), {}
    )


def test_a_card_that_is_not_dealt_does_not_count() -> None:
    three = count(*RED)(3)
    round_ = dealt("rapid", "9h 8c Td 7h")  # two naturals: four cards, three of them red
    assert decider([[three]])(*round_.slots) == (0,)
    [third] = [card.suit(HEARTS, DIAMONDS) for card in (player.third,)]
    assert decider([[count(third, ~third)(1)]])(*round_.slots) == (0,)


def test_what_is_counted_is_said_in_both_languages() -> None:
    asked = count(tie, player.pair, banker.pair)
    both = "the hands tie; Player's first two cards are a pair; Banker's first two cards are a pair"
    assert say(asked(2, ...)).en == f"2 or more of ({both})"
    assert say(asked(2)).zh == "（和局；閒首兩張牌成對；莊首兩張牌成對）之中有2項"
    assert say(AtLeast(2, (tie, player.pair, banker.pair))).en == f"at least 2 of ({both})"
    assert say(count(tie.named("a {} b"), player.pair)(2, ...)).en.startswith("2 or more of (a {}")


@pytest.mark.parametrize("wrong", [(), (3,), (tie, player.points), ("tie",)])
def test_only_conditions_are_counted(wrong: Any) -> None:
    with pytest.raises(TypeError, match="count conditions, such as"):
        count(*wrong)


def test_a_count_is_called_as_a_measure_is() -> None:
    with pytest.raises(TypeError, match="give whole numbers"):
        loose(count(tie))("two")
    with pytest.raises(TypeError, match="is not compared with < or >"):
        assert loose(count(tie)) >= 1
