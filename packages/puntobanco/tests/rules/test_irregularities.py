import pytest

from puntobanco import GAMES, Evidence, Game, Ruling, Wager, parse_cards, rule_on, settle, void
from puntobanco.rules.cards import codes
from puntobanco.rules.irregularities import GROUNDS, OF_THE_HOUSE, Stage, title_of
from puntobanco.rules.refusals import GroundDoesNotApply, UnknownGround
from tests.support.claims import proves, reads
from tests.support.deals import dealt

NAMED = {
    "six-star": {
        "foreign-card": "5.1",
        "wrong-card-count": "5.2",
        "cards-drawn-together": "5.3",
        "order-altered": "5.4",
        "insufficient-cards": "5.5",
    },
    "super-six-plus": {
        "foreign-card": "5.1.1",
        "wrong-deck-count": "5.1.2",
        "wrong-card-count": "5.1.3",
        "insufficient-cards": "5.1.4",
    },
}
for other in ("fortune-six", "sands-elements", "rapid"):
    NAMED[other] = NAMED["six-star"]


def ruled(
    game: Game,
    ground: str,
    stage: Stage = "initial-deal",
    *,
    cards: str = "",
    order: str | None = None,
    next_round_open: bool = False,
    cards_left: int | None = 0,
) -> Ruling:
    corrected = None if order is None else parse_cards(order, game.deck)
    evidence = Evidence(
        round=dealt(game, cards),
        stage=stage,
        corrected=corrected,
        next_round_open=next_round_open,
        cards_left=cards_left,
    )
    return rule_on(game, ground, evidence)


def first_two(game: Game) -> str:
    return "9f 2g" if game.deck.id == "five-elements" else "9h 2d"


@proves(mbs="5.1 5.2 5.3 5.4 5.5", super_six_plus="5.1 5.1.1 5.1.2 5.1.3 5.1.4")
def test_each_rulebook_names_exactly_these_grounds(game: Game) -> None:
    assert {i.ground.id: i.clause for i in game.irregularities} == NAMED[game.id]


@proves(mbs="5.1 5.1.1 5.1.2 5.2 5.3 5.4 5.5", super_six_plus="5.1.1 5.1.2 5.1.3 5.1.4 1:void")
def test_every_ground_voids_a_round_in_its_initial_deal_when_the_order_is_lost(game: Game) -> None:
    for ground, clause in NAMED[game.id].items():
        ruling = ruled(game, ground, cards=first_two(game))
        assert (ruling.follows, ruling.clause) == ("void", clause)
        assert "every wager is returned, earlier results stand" in ruling.why.en
        lines = void(game, [Wager("ann", bet.id, 1_000) for bet in game.bets], clause=ruling.clause)
        assert sum(line.net_cents for line in lines) == 0


def test_a_ground_the_rulebook_does_not_name_is_refused_with_those_it_does(game: Game) -> None:
    for ground in {g.id for g in GROUNDS} - set(NAMED[game.id]) | {"bad-mood", ""}:
        with pytest.raises(UnknownGround) as refused:
            ruled(game, ground)
        for named, clause in NAMED[game.id].items():
            assert f"{named} [{clause}]" in str(refused.value)


@proves(mbs="5.2", super_six_plus="5.1.3 1:reconstruction")
@reads(22, 23)
def test_a_third_card_dealt_by_mistake_is_put_back_and_the_rest_dealt_by_rule(game: Game) -> None:
    """Player has 6 and stands, but a card was drawn to it; in true order that card is banker's."""
    cards, order = (
        ("6f 5g Tf Te", "6f 5g Tf Te 3a 9w")
        if game.deck.id == "five-elements"
        else ("6s 5h Ts Tc", "6s 5h Ts Tc 3d 9h")
    )
    ruling = ruled(game, "wrong-card-count", "third-card", cards=cards, order=order)
    assert ruling.follows == "reconstruct"
    assert ruling.round is not None
    assert ruling.round.is_complete
    assert codes(ruling.round.cards) == order[:14]
    assert codes(ruling.surplus) == order[15:]
    assert (ruling.round.player_points, ruling.round.banker_points) == (6, 8)
    [line] = settle(game, ruling.round, [Wager("ann", "banker", 1_000)])
    assert line.outcome == "wins"


@proves(mbs="5.3 5.4")
def test_a_known_order_is_reconstructed_not_voided(game: Game) -> None:
    order = "9f 2g" if game.deck.id == "five-elements" else "9h 2d"
    for ground in ("cards-drawn-together", "order-altered"):
        if ground in NAMED[game.id]:
            ruling = ruled(game, ground, order=order)
            assert ruling.round is not None
            assert (ruling.follows, ruling.round.next.hand, ruling.surplus) == (
                "reconstruct",
                "player",
                (),
            )


@reads(24)
@proves(mbs="5.2", super_six_plus="5.1.3")
def test_a_wrong_number_of_cards_counts_until_the_next_round_opens(game: Game) -> None:
    natural = "9f 2g Tf 4e" if game.deck.id == "five-elements" else "9h 2d Th 4c"
    assert ruled(game, "wrong-card-count", "settled", cards=natural).follows == "void"
    with pytest.raises(
        GroundDoesNotApply, match="after the next round opened; the result stands"
    ) as refused:
        ruled(game, "wrong-card-count", "settled", next_round_open=True)
    assert refused.value.clause == NAMED[game.id]["wrong-card-count"]


@reads(27)
@proves(mbs="5.3 5.4")
def test_cards_drawn_together_count_in_the_initial_deal_only() -> None:
    for game_id in ("six-star", "fortune-six", "sands-elements", "rapid"):
        with pytest.raises(
            GroundDoesNotApply,
            match=r"only during the initial deal of four cards; .* the order of the shoe was altered \[5.4\] \[5.3\]",
        ):
            ruled(GAMES[game_id], "cards-drawn-together", "third-card")
        assert ruled(GAMES[game_id], "order-altered", "third-card").follows == "void"


@reads(28)
@proves(mbs="5.5", super_six_plus="5.1.4")
def test_too_few_cards_void_only_while_a_card_is_called_for(game: Game) -> None:
    natural = "9f 2g Tf 4e" if game.deck.id == "five-elements" else "9h 2d Th 4c"
    with pytest.raises(GroundDoesNotApply, match="while a card is called for"):
        ruled(game, "insufficient-cards", "third-card", cards=natural)
    with pytest.raises(GroundDoesNotApply, match="this round is complete"):
        ruled(game, "insufficient-cards", "settled")
    for left in (None, 1):
        with pytest.raises(GroundDoesNotApply, match="is missing; the shoe holds"):
            ruled(game, "insufficient-cards", cards=natural[:8], cards_left=left)
    assert ruled(game, "insufficient-cards", "initial-deal", cards=natural[:8]).follows == "void"


@reads(44)
@proves(mbs="5.2 5.3 5.5", super_six_plus="5.1.3 5.1.4")
def test_no_ground_about_cards_before_a_card_is_dealt_or_called_for(game: Game) -> None:
    """The rest may come at any time: a foreign card is foreign while bets are open too."""
    too_early = {"wrong-card-count", "cards-drawn-together", "insufficient-cards"}
    for ground in NAMED[game.id]:
        if ground in too_early:
            with pytest.raises(GroundDoesNotApply, match=r"none is dealt|bets are open") as refused:
                ruled(game, ground, "betting")
            assert refused.value.words.zh
        else:
            assert ruled(game, ground, "betting").follows == "void"
    with pytest.raises(
        GroundDoesNotApply, match="it is about cards of this round, and none is dealt"
    ):
        ruled(game, "wrong-card-count")
    assert ruled(game, "insufficient-cards").follows == "void"


@reads(43)
def test_a_ground_that_spoils_the_shoe_says_so() -> None:
    assert {g.id for g in GROUNDS if g.spoils_shoe} == {
        "foreign-card",
        "wrong-deck-count",
        "order-altered",
    }


@reads(45)
def test_a_ground_of_the_house_is_in_no_rulebook(game: Game) -> None:
    named = {i.ground.id for i in game.irregularities}
    assert {i.ground.id: i.clause for i in OF_THE_HOUSE} == {
        "malfunction": "reading 31",
        "misread-card": "reading 45",
    }
    assert named.isdisjoint(i.ground.id for i in OF_THE_HOUSE)
    assert all(
        title_of(i.ground.id) == i.ground.title for i in (*OF_THE_HOUSE, *game.irregularities)
    )


@reads(26, 27)
def test_where_a_rulebook_lacks_a_ground_the_refusal_says_what_to_do() -> None:
    with pytest.raises(
        UnknownGround, match="reconstruct the order, else rule on the wrong number of cards"
    ):
        ruled(GAMES["super-six-plus"], "cards-drawn-together")
    with pytest.raises(UnknownGround, match="record an incident, retire the shoe and escalate"):
        ruled(GAMES["rapid"], "wrong-deck-count")


@proves(super_six_plus="1:reconstruction")
@reads(22)
def test_reconstruction_keeps_every_card_that_was_dealt() -> None:
    with pytest.raises(GroundDoesNotApply, match="the order given lacks 9h Kh"):
        ruled(GAMES["rapid"], "wrong-card-count", cards="9h Kh", order="2c 3c 4c 5c")
    with pytest.raises(GroundDoesNotApply, match="lacks 9h"):
        ruled(GAMES["rapid"], "order-altered", cards="9h 9h", order="9h 2c")


def test_only_a_wrong_number_of_cards_has_the_deadline(game: Game) -> None:
    ruling = ruled(game, "foreign-card", "settled", next_round_open=True)
    assert (ruling.follows, ruling.clause) == ("incident", NAMED[game.id]["foreign-card"])
    assert "declare it on the round now open" in ruling.why.en


def test_the_initial_deal_ends_with_four_cards() -> None:
    assert ruled(GAMES["rapid"], "cards-drawn-together", cards="2s Ts 2d Td").follows == "void"
    with pytest.raises(GroundDoesNotApply, match="of four cards"):
        ruled(GAMES["rapid"], "cards-drawn-together", cards="2s Ts 2d Td 5h")


@reads(25, 26, 43)
@proves(mbs="5.1.2", super_six_plus="5.1")
def test_between_rounds_there_is_nothing_to_void(game: Game) -> None:
    for ground in NAMED[game.id]:
        if ground in ("foreign-card", "wrong-deck-count", "order-altered"):
            ruling = ruled(game, ground, "settled")
            assert ruling.follows == "incident"
            assert "earlier results stand" in ruling.why.en
            assert "the shoe is changed" in ruling.why.en


@pytest.mark.parametrize("ground", ["foreign-card", "insufficient-cards"])
def test_what_always_voids_cannot_be_reconstructed(game: Game, ground: str) -> None:
    with pytest.raises(GroundDoesNotApply, match="no order to reconstruct"):
        ruled(game, ground, order="9f 2g" if game.deck.id == "five-elements" else "9h 2d")


def test_the_requirements_are_those_of_the_clauses() -> None:
    required = {ground.id: [w.en for w in ground.requires] for ground in GROUNDS}
    assert required == {
        "foreign-card": ["a round is in play"],
        "wrong-deck-count": ["a round is in play"],
        "wrong-card-count": ["noticed before the next round opens"],
        "cards-drawn-together": ["during the initial deal"],
        "order-altered": ["a round is in play", "whether or not cards were seen"],
        "insufficient-cards": ["a card is called for and the shoe has none"],
    }


def test_what_follows_contradicts_nothing_that_is_required() -> None:
    """D10 of the rules audit: what cannot be reconstructed was said to be reconstructed."""
    for ground in GROUNDS:
        assert "reconstruct" not in " ".join(w.en for w in (ground.title, *ground.requires))
        assert "還原" not in "".join(w.zh for w in (ground.title, *ground.requires))
        assert ("if the order can be reconstructed" in ground.follows.en) == ground.reconstructable
        assert ("能還原牌序者" in ground.follows.zh) == ground.reconstructable
        assert ("the shoe is changed" in ground.follows.en) == ground.spoils_shoe
        assert "void" in ground.follows.en
        assert "作廢" in ground.follows.zh
