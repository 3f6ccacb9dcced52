"""A game as data: nothing is lost, the digest is of the structure alone, and what is no game is refused with its place."""

import copy
import dataclasses
import json
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from puntobanco import (
    GAMES,
    Bet,
    Game,
    Odds,
    Pays,
    Pushes,
    Words,
    banker,
    cards_dealt,
    count,
    player,
    same,
    tie,
)
from puntobanco.base.refusal import Refusal
from puntobanco.game_files import load_game
from puntobanco.rules import game_schema
from puntobanco.rules.cards import FIVE_ELEMENTS, STANDARD
from puntobanco.rules.definition import define, digest, first_difference, game_of, structure
from puntobanco.rules.game import MAX_DEPTH, Announcements, Basics, Dollars
from puntobanco.rules.game_schema import KINDS
from puntobanco.rules.irregularities import Ground, Irregularity
from puntobanco.rules.predicates import Compare, Named, Not
from puntobanco.rules.readings import PAIR_IS_RANK
from puntobanco.rules.refusals import BadGame
from puntobanco.rules.tableau import DrawClauses, Tableau
from puntobanco.rules.terms import Number, Scaled, Slot, Term

DIGESTS = {
    "six-star": "a3f8bd21cbe7d561bb8f176c4f642d181d7de78d923175146827ec5edb922d05",
    "fortune-six": "44e12d1d600d3aeb8075be867c64f8bf95ddcd357de16661457d2b73b2c8e17f",
    "super-six-plus": "b6085a9ef765c19cff81fcd1ba623435324dad59a490be173b76eca3ee24b4a3",
    "sands-elements": "246adfef98779f0b59daed84c89041543615581c916ad6fc33be152981ff3100",
    "rapid": "e6fa04f685693abfed2c0a8fc6c59020ae50128802e0123d9df95b227f7d3d80",
}
"""Journals name these: one that changes makes every table of that game stop after an upgrade."""

RAPID, SIX_STAR = GAMES["rapid"], GAMES["six-star"]
LUCKY = load_game(Path(__file__).parents[4] / "examples" / "lucky_rapid.py")


def _everything() -> Game:
    """A game that uses every kind, with every field at another value than its default somewhere."""
    lucky = (banker.wins & ~player.pair).named(
        Words("Lucky win", "幸運"), clause="H1", means=Words("Banker, unpaired", "莊無對")
    )
    either = (player.first.suit(1) | (player.first.points + banker.first.points * 2 - 1)(3)).named(
        "Either"
    )
    flags = (
        "before_next_round",
        "reconstructable",
        "initial_deal_only",
        "card_called_for",
        "spoils_shoe",
    )
    ground = Ground(
        id="spilled",
        title=Words("a drink", "飲品"),
        instead="wipe",
        regardless=Words("of whose it was", "不論誰屬"),
        **dict.fromkeys(flags, True),
    )
    names = (
        "decks",
        "suits",
        "point_values",
        "point_total",
        "wagers",
        "announce_totals",
        "winner",
        "tie",
        "late_wager",
        "late_withdrawal",
        "shuffler",
        "no_jokers",
    )
    return Game(
        id="everything",
        title=Words("Everything", "一切"),
        rulebook="",
        version="3",
        effective="2026-11-15",
        deck=dataclasses.replace(FIVE_ELEMENTS, suits=range(4, 7)),
        decks=range(4, 9),
        tableau=Tableau(
            naturals=frozenset({9}),
            player_draws=frozenset(range(5)),
            banker_draws_alone=frozenset(range(6)),
            banker_draws=(frozenset({0, 1}),) * 10,
            clauses=DrawClauses(natural="H1", player="H2", banker_alone="H3", banker="H4"),
        ),
        announcements=Announcements(
            open="Go", close="Stop", by="terminal", open_clause="H1", close_clause="H2"
        ),
        basics=Basics(deal=("H1", "H2"), **dict.fromkeys(names, "H9")),
        bets=(
            Bet(
                "player",
                Words("Player"),
                clause="H5",
                spot_clause="H6",
                push=Pushes(tie, "H7"),
                pays=(Pays(player.wins, Odds(1, 1), "H8"),),
            ),
            Bet(
                "tie",
                Words("Tie", "和"),
                pays=(Pays(tie, Odds(8, 1)),),
                bonus=(Pays(either, Dollars(300), "H8"),),
            ),
            Bet(
                "lucky",
                Words("Lucky", "好運"),
                pays=(
                    Pays(lucky & cards_dealt(4, ...), Odds(7, 2), "H8"),
                    Pays(same(player.first.rank, banker.first.rank), Odds(2, 1)),
                    Pays(count(player.wins, player.pair, tie)(2, ...), Odds(2, 1)),
                ),
            ),
        ),
        irregularities=(Irregularity(ground, "H9"),),
        readings=(PAIR_IS_RANK,),
        house_rules={f"H{n}": f"rule {n}" for n in (1, 10, 2, 3, 4, 5, 6, 7, 8, 9)},
    )


EVERYTHING = dataclasses.replace(_everything(), rulebook="some-book")
KNOWN = {**GAMES, LUCKY.id: LUCKY, EVERYTHING.id: EVERYTHING}


# Nothing is lost


@pytest.mark.parametrize("game", KNOWN.values(), ids=KNOWN)
def test_a_game_comes_back_from_its_definition_with_all_its_words(game: Game) -> None:
    plain = json.loads(json.dumps(define(game)))
    again = game_of(plain)
    assert again == game
    assert define(again) == define(game) == plain, (
        "leaves are equal whatever their words; definitions are not"
    )
    assert list(again.house_rules) == list(game.house_rules), (
        "the rules page has them in this order"
    )
    assert digest(again) == digest(game) == digest(plain)


def test_the_digests_of_the_five_games() -> None:
    assert {id_: digest(game) for id_, game in GAMES.items()} == DIGESTS


def test_every_field_of_every_class_is_declared_with_its_own_default() -> None:
    for name, kind in KINDS.items():
        declared = {field.name: field for field in kind.fields}
        if dataclasses.is_dataclass(kind.made_by):
            fields = {f.name: f for f in dataclasses.fields(kind.made_by) if f.init}
            defaults = {
                n: f.default_factory()
                if f.default_factory is not dataclasses.MISSING
                else f.default
                for n, f in fields.items()
            }
        else:  # a named tuple
            defaults = dict.fromkeys(kind.made_by._fields, dataclasses.MISSING)  # type: ignore[attr-defined]
        own = {n: f for n, f in declared.items() if not isinstance(f.form, game_schema.Fixed)}
        assert set(own) == set(defaults), f"{name}: a field is declared nowhere, or is no more"
        for field, default in defaults.items():
            form = own[field]
            if default is dataclasses.MISSING:
                assert form.default is game_schema.REQUIRED, f"{name}.{field}"
            elif default is None:
                assert form.default is None, f"{name}.{field}"
            else:
                assert form.form.write(default, game_schema.Place()) == form.default, (
                    f"{name}.{field}"
                )


# The digest is of the structure


Owner = tuple[dict[str, Any], Any]


def occurrences(plain: dict[str, Any], kind: str, field: str) -> Iterator[dict[str, Any]]:
    """Every object of a kind in a definition that has the field."""

    def walk(name: str, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if name == kind and field in value:
            yield value
        for each in KINDS[name].fields:
            if each.name in value:
                yield from inside(each.form, value[each.name])

    def inside(form: game_schema.Form, value: Any) -> Iterator[dict[str, Any]]:
        if isinstance(form, game_schema.Many):
            for item in value:
                yield from inside(form.each, item)
        elif isinstance(form, game_schema.Part):
            yield from walk(value["is"] if len(form.kinds) > 1 else form.kinds[0], value)

    yield from walk("game", plain)


def changed(form: game_schema.Form, value: Any) -> Any:
    """Another value of the same form. A form that is not here has no test, and fails."""
    match form:
        case game_schema.Text():
            return f"{value} more"
        case game_schema.Whole():
            return value + 1
        case game_schema.Choice(values):
            return values[(values.index(value) + 1) % len(values)]
        case game_schema.SlotName():
            return next(slot.name.lower() for slot in Slot if slot.name.lower() != value)
        case game_schema.BothLanguages():
            return ["said otherwise", "另一說法"]
        case game_schema.Span():
            return [value[0], value[1] + 1]
        case game_schema.Totals():
            return sorted({*value} ^ {7})
        case game_schema.Fixed():
            return [value[0] + 1, *value[1:]]
        case (
            game_schema.Many(game_schema.Totals() as each)
            | game_schema.Many(game_schema.Text() as each)
            | game_schema.Many(game_schema.BothLanguages() as each)
        ):
            return [changed(each, value[0]), *value[1:]]
        case game_schema.Many(game_schema.Part(choices) as each) if (
            "not" in choices
        ):  # one part may say what another says; not its opposite
            return [changed(each, value[0]), *value[1:]]
        case game_schema.Many():
            return value[:-1]
        case game_schema.Pairs():
            return [[key, f"{text} more"] for key, text in value]
        case game_schema.Part(choices) if "not" in choices:
            return {"is": "not", "part": value}
        case game_schema.Part(choices) if "scaled" in choices:
            return {"is": "scaled", "factor": 2, "term": value}
        case game_schema.Part(choices) if "dollars" in choices:
            return (
                {"is": "dollars", "amount": 5}
                if value["is"] == "odds"
                else {"is": "odds", "win": 5, "risk": 1}
            )
        case game_schema.Part((kind,)):
            inner = next(f for f in KINDS[kind].fields if not f.is_text and f.name in value)
            return {**value, inner.name: changed(inner.form, value[inner.name])}
    raise AssertionError(f"how is {form} changed?")


FIELDS = [(kind, field) for kind, declared in KINDS.items() for field in declared.fields]
STRUCTURE = [(kind, field) for kind, field in FIELDS if not field.is_text and kind != "reading"]
TEXTS = [(kind, field) for kind, field in FIELDS if field.is_text or kind == "reading"]


def _changes(
    kind: str, field: game_schema.Field
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Before and after, for the first places where the field stands in each game."""
    for game in (EVERYTHING, SIX_STAR):
        whole = define(game)
        for n, _ in enumerate(islice(occurrences(whole, kind, field.name), 12)):
            after = copy.deepcopy(whole)
            value = list(occurrences(after, kind, field.name))[n]
            value[field.name] = changed(field.form, value[field.name])
            yield whole, after


def _name(case: tuple[str, game_schema.Field]) -> str:
    return f"{case[0]}.{case[1].name}"


@pytest.mark.parametrize("case", STRUCTURE, ids=_name)
def test_a_change_of_structure_changes_the_digest(case: tuple[str, game_schema.Field]) -> None:
    kind, field = case
    places = 0
    for whole, after in _changes(kind, field):
        assert digest(after) != digest(whole)
        found = first_difference(whole, after)
        assert found is not None
        assert found.place
        assert found.first != found.second
        places += 1
    assert places, "no game here has it at another value than its default"
    if field.default is not game_schema.REQUIRED:
        whole = define(EVERYTHING)
        del next(occurrences(whole, kind, field.name))[field.name]
        assert digest(whole) != digest(EVERYTHING), "at its default it is another game"


@pytest.mark.parametrize("case", TEXTS, ids=_name)
def test_rewording_leaves_the_digest_as_it_is(case: tuple[str, game_schema.Field]) -> None:
    places = 0
    for whole, after in _changes(*case):
        assert after != whole
        assert digest(after) == digest(whole)
        assert first_difference(whole, after) is None
        places += 1
    assert places, "no game here has it"


@pytest.mark.parametrize("game", KNOWN.values(), ids=KNOWN)
def test_a_game_whose_every_word_is_another_is_the_same_game(game: Game) -> None:
    whole = define(game)
    for kind, field in TEXTS:
        for value in list(occurrences(whole, kind, field.name)):
            if isinstance(field.form, game_schema.BothLanguages):
                value[field.name] = ["in other words", "換言之"]
    assert digest(whole) == digest(game)
    assert game_of(whole).decide(*[0] * 6) == game.decide(*[0] * 6)


def test_a_name_without_a_clause_is_no_part_of_the_structure() -> None:
    """Named, named otherwise, or not named: however it stands among others, it is one condition."""
    a, b, c = banker.points(6), player.pair, cards_dealt(4)

    def of(when: Any) -> str:
        return digest(
            RAPID.with_bets(
                Bet("own", Words("Own"), pays=(Pays(when, Odds(2, 1)),)), id="own", title="Own"
            )
        )

    bare = of(a & b & c)
    assert of((a & b & c).named("one")) == of((a & b & c).named("two")) == bare
    assert of(a & (b & c).named("inside")) == of((a & b).named("first") & c) == bare
    assert of(~(a | b).named("either")) == of(~(a | b))
    assert of(a.named("x") & a.named("y") & b) == of(a & b), "one condition under two names is one"
    assert (
        len(
            {
                bare,
                of((a & b & c).named("one", clause="H1")),
                of((a & b & c).named("one", clause="H2")),
            }
        )
        == 3
    )


def test_rules_swapped_under_one_name_are_two_games() -> None:
    """W1: the same file, the same words, and "Lucky win" means something else."""

    def lucky(condition: Any) -> Game:
        when = condition.named("Lucky win")
        bet = Bet("lucky", Words("Lucky"), clause="H1", pays=(Pays(when, Odds(40, 1), "H1"),))
        return RAPID.with_bets(
            bet, id="lucky", title="Lucky", house_rules={"H1": "A lucky win pays 40 to 1."}
        )

    one, other = lucky(banker.points(7)), lucky(banker.points(0))
    assert digest(one) != digest(other)
    found = first_difference(define(one), define(other))
    assert found == ("bets[lucky].pays[0].when.right.value", "7", "0")


def test_a_built_in_game_redefined_under_its_own_words_is_another() -> None:
    """B2: Flaming 9's are any natural nine."""
    player_bet = SIX_STAR.bet("player")
    [flaming] = [part for part in player_bet.pays[0].when.parts if isinstance(part, Named)]  # type: ignore[union-attr]
    any_nine = dataclasses.replace(flaming, part=player.initial_points(9))
    pays = (
        dataclasses.replace(player_bet.pays[0], when=player.wins & any_nine),
        player_bet.pays[1],
    )
    bets = (dataclasses.replace(player_bet, pays=pays), *SIX_STAR.bets[1:])
    assert digest(dataclasses.replace(SIX_STAR, bets=bets)) != digest(SIX_STAR)


def test_decks_of_one_name_and_other_cards_are_other_games() -> None:
    decks = [dataclasses.replace(STANDARD, suits=range(n)) for n in (2, 3, 4)]
    games = [dataclasses.replace(RAPID, deck=deck) for deck in decks]
    assert len({digest(game) for game in games}) == 3
    renamed = dataclasses.replace(STANDARD, id="paper", name=Words("paper"))
    assert digest(dataclasses.replace(RAPID, deck=renamed)) == digest(RAPID)


def test_differences_are_named_by_bet_and_by_number() -> None:
    fewer = dataclasses.replace(RAPID, bets=RAPID.bets[:-1])
    assert first_difference(define(RAPID), define(fewer))[:1] == ("bets[banker-pair]",)  # type: ignore[index]
    turned = dataclasses.replace(RAPID, bets=RAPID.bets[::-1])
    found = first_difference(define(RAPID), define(turned))
    assert found is not None
    assert found.place == "bets[0].id"
    assert first_difference(define(RAPID), define(RAPID)) is None


# What cannot be data, and what is no definition


class Odd(Compare):
    """Looks like a leaf and may mean anything."""


def _with(when: Any) -> Game:
    return RAPID.with_bets(
        Bet("own", Words("Own"), pays=(Pays(when, Odds(2, 1)),)), id="own", title="Own"
    )


def _deep(condition: Any, times: int) -> Any:
    for _ in range(times):
        condition = Not(condition)
    return condition


def _deep_term(times: int) -> Term:
    return Scaled(2, _deep_term(times - 1)) if times else Number(1)


LEAF = tie
NOT_DATA: dict[str, tuple[Callable[[], Game], str]] = {
    "a leaf of one's own": (
        lambda: _with(Odd(Number(1), "==", Number(1), Words("odd"))),
        "bets[own].pays[0].when: an Odd cannot be written as data; what can is Compare, And, Or, Not, Named",
    ),
    "a term that is none": (
        lambda: _with(Compare(lambda: 1, "==", Number(1), Words("odd"))),  # type: ignore[arg-type]
        "bets[own].pays[0].when.left: a function cannot be written as data; what can is Number, Read, Sum, Scaled, Mod",
    ),
    "a fraction": (
        lambda: _with(Compare(Scaled(0.5, Number(1)), "==", Number(1), Words("odd"))),  # type: ignore[arg-type]
        "bets[own].pays[0].when.left.factor: a whole number from -1,000,000,000 to 1,000,000,000 belongs here, not 0.5",
    ),
    "another comparison": (
        lambda: _with(Compare(Number(1), "is", Number(1), Words("odd"))),  # type: ignore[arg-type]
        'bets[own].pays[0].when.op: one of "==", "!=", "<", "<=", ">", ">=" belongs here, not "is"',
    ),
    "half a letter": (lambda: _with(tie.named("\ud800")), "bets[own].pays[0].when.text: a text that cannot be written"),
    "conditions too deep": (lambda: _with(_deep(LEAF, MAX_DEPTH)), "bet own: 60 conditions inside one another at most"),
    "terms too deep": (
        lambda: _with(Compare(_deep_term(game_schema.MAX_DEPTH), "==", Number(1), Words("deep"))),
        "more than 60 values inside each other",
    ),
    "too long a text": (lambda: _with(tie.named("x" * 10_001)), "a text of more than 10,000 characters"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_DATA)
def test_what_cannot_be_data_is_refused_with_its_place(name: str) -> None:
    make, said = NOT_DATA[name]
    with pytest.raises(BadGame) as refused:
        define(make())
    assert said in refused.value.reason
    assert "\n" not in refused.value.reason


def test_what_is_just_deep_or_large_enough_is_taken() -> None:
    deep = _with(_deep(LEAF, game_schema.MAX_DEPTH - 8))
    assert game_of(define(deep)) == deep
    long = _with(tie.named("x" * game_schema.MAX_TEXT))
    assert game_of(define(long)) == long


def _put(path: str, value: Any) -> Callable[[dict[str, Any]], object]:
    """Sets what stands at a path of keys and numbers."""

    def put(plain: dict[str, Any]) -> None:
        *way, last = path.split("/")
        inside: Any = plain
        for step in way:
            inside = inside[int(step) if isinstance(inside, list) else step]
        inside[int(last) if isinstance(inside, list) else last] = value

    return put


WHEN = "bets/0/pays/0/when"
BAD: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "of a newer program": (_put("definition", 2), "the definition: it is of version 2, and this program reads 1"),
    "without a version": (lambda p: p.pop("definition"), "the definition: it is of version null"),
    "with a field nobody knows": (_put("jackpot", 5), "jackpot: this program does not know it; a newer one may"),
    "a kind nobody knows": (_put(f"{WHEN}/is", "maximum"), 'bets[player].pays[0].when: "maximum" is no kind'),
    "a field of another kind": (_put(f"{WHEN}/parts", []), "bets[player].pays[0].when.parts: this program does not"),
    "nothing to deal": (lambda p: p.pop("deck"), "deck: is missing"),
    "other points": (_put("deck/points", [1] * 13), "deck.points: this program has [1, 2, 3, 4, 5, 6, 7, 8, 9, 0"),
    "too many suits": (_put("deck/suits", [0, 11]), "deck: a deck's suits are a range within range(0, 9)"),
    "decks the wrong way": (_put("decks", [8, 4]), "decks: the first and the last of a span belong here"),
    "no decks": (_put("decks", [0, 4]), "the definition: game rapid: decks is a range"),
    "too many decks": (_put("decks", [1, 10**9]), "decks are more than"),
    "a truth for a number": (_put("bets/0/pays/0/pays/win", True), "bets[player].pays[0].pays.win: a whole number"),
    "odds of nothing": (_put("bets/0/pays/0/pays/win", 0), "bets[player].pays[0].pays: odds are two whole numbers"),
    "totals out of order": (_put("tableau/naturals", [9, 8]), "tableau.naturals: totals in order belong here"),
    "a total that is none": (_put("tableau/naturals", [8, 12]), "tableau: a tableau is sets of totals 0-9"),
    "a default that is written": (_put("rulebook", ""), "rulebook: is not written as this program writes it"),
    "words twice the same": (_put("title", ["a", "a"]), "title: is not written as this program writes it"),
    "a bet twice": (lambda p: p["bets"].append(p["bets"][0]), "two bets named player"),
    "a slot that is none": (_put(f"{WHEN}/left/term/parts/0/slot", "p9"), "parts[0].slot: one of p1, b1"),
    "a remainder of nothing": (_put(f"{WHEN}/left/modulus", 0), "bets[player].pays[0].when.left.modulus: a whole"),
    "a list for an object": (_put("deck", []), "deck: an object belongs here, not []"),
    "a number for words": (_put("title", 5), "title: a text belongs here"),
    "a float": (_put("decks", [4.0, 8.0]), "decks: the first and the last of a span"),
    "what JSON has not": (_put("title", {1, 2}), "the definition: this cannot be written as JSON"),
    "an id that is none": (_put("id", "Rapid!"), "the definition: 'Rapid!' cannot be a game's id"),
    "too much": (_put("house_rules", [[f"H{n}", "x" * 9_000] for n in range(50)]), "400,000 bytes at most"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_definition_is_refused_with_its_place(name: str) -> None:
    spoil, said = BAD[name]
    plain = copy.deepcopy(define(RAPID))
    spoil(plain)
    with pytest.raises(Refusal) as refused:
        game_of(plain)
    assert said in refused.value.reason
    assert "\n" not in refused.value.reason


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_whatever_stands_in_a_definition_it_is_a_game_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    junk: list[Any] = [
        None,
        True,
        0,
        -1,
        10**30,
        0.5,
        "",
        "and",
        "\ud800",
        [],
        [[]],
        {},
        {"is": "and"},
        {"is": []},
        "x" * 20_000,
    ]
    for _ in range(60):
        plain = copy.deepcopy(define(rng.choice([RAPID, EVERYTHING])))
        for _ in range(rng.randint(1, 2)):
            spots = list(_spots(plain))
            owner, key = rng.choice(spots)
            if isinstance(owner, dict) and rng.random() < 0.2:
                owner.pop(key)
            else:
                owner[key] = copy.deepcopy(rng.choice([*junk, rng.choice(spots)[0]]))
        for read in (game_of, digest, structure):
            reason = _refused(read, plain)
            assert "\n" not in reason
            assert len(reason) < 600


def _refused(read: Callable[[Any], object], plain: Any) -> str:
    try:
        read(plain)
    except Refusal as refusal:
        return refusal.reason
    return ""


def _spots(plain: Any) -> Iterator[Owner]:
    items = (
        list(plain.items())
        if isinstance(plain, dict)
        else list(enumerate(plain))
        if isinstance(plain, list)
        else []
    )
    for key, value in items:
        yield plain, key
        yield from _spots(value)
