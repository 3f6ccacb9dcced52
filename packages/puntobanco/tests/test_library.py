"""The library: what it shows of itself, its calls, its tables, and rounds from the compiled engine."""

import ast
import inspect
import os
import pydoc
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import arro3.core
import numpy as np
import pytest
from numpy.typing import NDArray

import puntobanco
from puntobanco import GAMES, GameLike, Refusal, Round, Shoe, Wager
from puntobanco.base.refusal import ExtraNeeded
from puntobanco.data_table import DataTable, labels
from puntobanco.odds.solve import probability
from puntobanco.rules.cards import CARDS, Card, code, parse_card
from puntobanco.rules.terms import NO_CARD
from puntobanco.scoreboards import parse_results, result_of
from puntobanco.sim.rounds import MAX_TABLE_ROUNDS, SLOT_COLUMNS
from puntobanco.sim.run import job_for
from puntobanco.sim.run import play as counted
from tests.sim.replay import shoe_rounds

EXAMPLE = Path(__file__).parents[3] / "examples/lucky_rapid.py"
# each takes seconds to compile
RECORDED: tuple[str, ...] = ("rapid", "six-star")
if os.environ.get("PUNTOBANCO_SLOW"):
    RECORDED = (*GAMES, str(EXAMPLE))
PUBLIC = [name for name in puntobanco.__all__ if name != "__version__"]


def python(code: str) -> str:
    run = [sys.executable, "-c", code]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


# What it shows of itself


def test_dir_and_help_list_the_public_names() -> None:
    assert dir(puntobanco) == sorted(puntobanco.__all__)
    page = pydoc.plain(pydoc.render_doc(puntobanco))
    missing = [name for name in PUBLIC if not re.search(rf"\b{name}\b", page)]
    assert not missing


def test_importing_loads_neither_numpy_nor_the_rules() -> None:
    heavy = (
        "sorted(set(sys.modules) & {'numpy', 'numba', 'puntobanco.rules', 'puntobanco.library'})"
    )
    assert python(f"import sys, puntobanco; dir(puntobanco); print({heavy})") == "[]\n"
    light = "import sys, puntobanco as pb; pb.settle, pb.find_game('rapid'); print('numpy' in sys.modules)"
    assert python(light) == "False\n"


def test_a_name_is_the_same_whatever_was_imported_before() -> None:
    """No module beside the package has the name of a public function and hides it."""
    code = (
        "import pkgutil, puntobanco\n"
        "modules = {m.name for m in pkgutil.iter_modules(puntobanco.__path__)}\n"
        "print(sorted(modules & set(puntobanco.__all__)))"
    )
    assert python(code) == "[]\n"


def members(kind: type) -> Iterator[tuple[str, object]]:
    for name, member in vars(kind).items():
        is_code = inspect.isroutine(member) or isinstance(member, property)
        is_code = (
            is_code or hasattr(member, "func") or isinstance(member, classmethod | staticmethod)
        )
        if is_code and not name.startswith("_"):
            yield f"{kind.__name__}.{name}", member


def test_every_public_function_class_and_method_has_a_docstring() -> None:
    bare = list[str]()
    for name in PUBLIC:
        value = getattr(puntobanco, name)
        if inspect.isclass(value):
            kinds = [k for k in value.__mro__ if k.__module__.startswith("puntobanco")]
            found = [m for kind in kinds for m in members(kind)]
            bare += [of for of, member in found if not inspect.getdoc(member)]
        if inspect.isclass(value) or inspect.isfunction(value):
            # a dataclass without one has its signature there
            text = inspect.getdoc(value) or ""
            bare += [name] if not text or text.startswith(f"{name}(") else []
    assert not bare


def test_every_public_constant_is_described_where_it_is_made() -> None:
    for name in PUBLIC:
        value = getattr(puntobanco, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            continue
        [home] = [h for h, names in puntobanco._HOMES.items() if name in names.split()]
        file = sys.modules[f"puntobanco.{home}"].__file__
        body = ast.parse(Path(str(file)).read_text("utf-8")).body
        at = [i for i, s in enumerate(body) if name in assigned(s)]
        after = body[at[-1] + 1]
        described = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        assert described, f"{name}: a line of text below it in {home}"


def assigned(statement: ast.stmt) -> set[str]:
    targets = list[ast.expr]()
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


# Short on one line, rich in a notebook


@pytest.mark.parametrize("game_id", GAMES)
def test_values_show_themselves_on_one_short_line(game_id: str) -> None:
    game = GAMES[game_id]
    round_ = next(puntobanco.play(game, rounds=1))
    shown = [
        game,
        *game.bets,
        round_,
        Round.start(game, 8),
        game.shoe(8),
        puntobanco.player,
        game.deck,
    ]
    shown += [*game.bets[0].pays, puntobanco.tie & puntobanco.banker.wins, puntobanco.cards_dealt]
    for value in (*shown, puntobanco.roads([round_])):
        text = repr(value)
        assert len(text) <= 160, text
        assert "\n" not in text


def test_a_card_is_a_number_that_prints_as_a_card() -> None:
    nine = parse_card("9h")
    assert f"{nine}{nine!r}" == "9♥9♥"
    assert nine == 21
    assert {nine: 1}[21] == 1  # type: ignore[index]
    assert repr(CARDS[0:2]) == "(A♠, 2♠)"
    assert repr(Card(117)) == "Card(117)"


def test_a_round_of_cards_holds_plain_numbers() -> None:
    """Journals and snapshots write numbers, and the engines read them fastest."""
    round_ = puntobanco.deal("rapid", "9s 2h 8d 4c")
    assert {type(card) for card in round_.slots} == {int}
    assert {type(card) for card in (*round_.cards, *round_.player)} == {Card}


def test_rounds_say_who_wins_or_who_draws() -> None:
    assert repr(puntobanco.deal("rapid", "9s 2h 8d 4c")) == (
        "<Round Player 9♠ 8♦ = 7, Banker 2♥ 4♣ = 6: player wins>"
    )
    assert repr(puntobanco.deal("rapid", "9s")) == (
        "<Round Player 9♠ = 9, Banker no card: the next card goes to banker>"
    )
    assert repr(puntobanco.deal("rapid", "9s 9h Td Tc")).endswith(": tie>")


def test_conditions_of_one_name_have_odds_of_their_own() -> None:
    """Plans are kept by the whole condition, of which people see the words alone."""
    shoe = GAMES["rapid"].shoe(8)
    pair = puntobanco.player.pair.named("Lucky")
    tie = puntobanco.tie.named("Lucky")
    assert repr(pair) == repr(tie) == "<condition: Lucky>"
    assert probability(pair, shoe) != probability(tie, shoe)


def test_par_sheets_and_simulations_show_their_figures() -> None:
    sheet = puntobanco.par_sheet("rapid")
    assert repr(sheet) == (
        "<ParSheet rapid, 8 decks: edge player 1.2351 %, banker 1.4581 %, tie 14.3596 %, "
        "player-pair 10.3614 %, banker-pair 10.3614 %>"
    )
    assert repr(sheet.bet("tie")) == "<BetOdds tie: edge 14.3596 %, wins 9.5156 %>"
    short = puntobanco.par_sheet("rapid", GAMES["rapid"].shoe(8).without([0]))
    assert "a shoe of 415 cards" in repr(short)
    run = puntobanco.simulate("rapid", 1e5, seed=3)
    assert repr(run) == (
        "<Simulation rapid: 100,031 rounds, 8 decks, seed 3, as the exact odds say>"
    )


def test_notebooks_show_tables_with_every_text_escaped() -> None:
    game = puntobanco.find_game(EXAMPLE)
    sheet = puntobanco.par_sheet(game)
    table = sheet.lines()
    run = puntobanco.simulate("rapid", 1_000)
    for value in (game, next(puntobanco.play(game, rounds=1)), sheet, table, run):
        page = value._repr_html_()
        assert page.startswith("<table><caption>")
        assert page.count("<table>") == page.count("</table>") == 1
    named = game.with_bets(id="x", title="<script>")
    assert "<script>" not in named._repr_html_()
    assert "and 1 rows more" in DataTable({"n": np.arange(11)})._repr_html_()
    assert "rows more" not in DataTable({"n": np.arange(10)})._repr_html_()


# A game in any form


FORMS: tuple[GameLike, ...] = (str(EXAMPLE), EXAMPLE, puntobanco.find_game(EXAMPLE))


@pytest.mark.parametrize("game", FORMS, ids=["text", "path", "game"])
def test_every_call_takes_an_id_a_game_or_a_path(game: GameLike) -> None:
    same = puntobanco.find_game(EXAMPLE)
    round_ = puntobanco.deal(game, "9s 2h 8d 4c")
    wagers = [Wager("ann", "player", 100)]
    assert puntobanco.settle(game, round_, wagers)[0].outcome == "wins"
    assert puntobanco.void(game, wagers, clause="H1")[0].returned_cents == 100
    assert puntobanco.par_sheet(game).game == same
    assert [r.winner for r in puntobanco.play(game, rounds=2)]


def test_what_is_compiled_takes_a_game_or_an_id_too() -> None:
    rapid = GAMES["rapid"]
    assert puntobanco.simulate("rapid", 100).tally.same(puntobanco.simulate(rapid, 100).tally)
    by_id, by_game = (puntobanco.rounds_table(each, rounds=9) for each in ("rapid", rapid))
    assert list(by_id.rows()) == list(by_game.rows())


def test_what_is_no_game_is_refused_in_one_line() -> None:
    with pytest.raises(Refusal, match="there is no game 'lucky'; the games are"):
        puntobanco.par_sheet("lucky")
    with pytest.raises(Refusal, match=r"cannot read nowhere\.py"):
        puntobanco.play(Path("nowhere.py"), rounds=1)


def test_decks_are_a_number_or_a_shoe_for_sheets_removals_and_deals() -> None:
    game = GAMES["rapid"]
    by_number = puntobanco.removals(game, 6)
    by_shoe = puntobanco.removals(game, game.shoe(6))
    assert [r.effects for r in by_number] == [r.effects for r in by_shoe]
    assert re.fullmatch(r"<Removal player: \S+ changes it most, by \S+>", repr(by_shoe[0]))
    assert puntobanco.par_sheet(game, decks=6).decks == 6
    one = Shoe.holding(game.deck, dict.fromkeys(game.deck.cards, 1))
    with pytest.raises(Refusal, match="shoe holds only 1"):
        puntobanco.deal(game, "9s 9s", one)
    with pytest.raises(Refusal, match="4 to 10 decks, not 3"):
        puntobanco.play(game, rounds=1, decks=3)


def test_the_edge_is_what_the_house_keeps() -> None:
    tie = puntobanco.par_sheet("rapid", 8).bet("tie")
    assert tie.edge == -tie.ev
    assert float(tie.edge) == pytest.approx(0.1435963)
    assert tie.deviation**2 == pytest.approx(float(tie.variance))


def test_roads_take_rounds_and_results_alike() -> None:
    rounds = list(puntobanco.play("rapid", rounds=70))
    results = [result_of(round_) for round_ in rounds]
    assert puntobanco.roads(rounds) == puntobanco.roads(results)
    assert len(puntobanco.roads(rounds).bead_plate) == 70


# Rounds


@pytest.mark.parametrize("game_id", [*GAMES, str(EXAMPLE)])
def test_play_deals_what_the_engines_deal(game_id: str) -> None:
    """Against rounds that are dealt card by card by the rules, shoe after shoe."""
    game = puntobanco.find_game(game_id)
    decks = game.decks[0]
    each = (decks * len(game.deck) - 14) // 6
    wanted = [r for n in range(3) for r in shoe_rounds(game, decks, 99, n, each, 0)]
    played = list(puntobanco.play(game, rounds=len(wanted), seed=99, decks=decks))
    assert [r.slots for r in played] == [r.slots for r in wanted]
    assert all(r.is_complete for r in played)
    assert played[0].shoe == played[each].shoe == game.shoe(decks)
    assert played[1].shoe == game.shoe(decks).without(played[0].cards)


def test_a_shoe_without_cards_is_as_good_as_one_made_by_hand() -> None:
    shoe = GAMES["rapid"].shoe(8).without(CARDS[:3])
    assert shoe == Shoe(shoe.deck, shoe.counts)
    assert hash(shoe) == hash(Shoe(shoe.deck, shoe.counts))
    assert len(shoe) == 413
    for card in (-1, 52, 116):
        with pytest.raises(Refusal):
            shoe.without([card])


@pytest.mark.parametrize("game_id", RECORDED)
def test_a_table_of_rounds_is_what_the_rules_say_round_by_round(game_id: str) -> None:
    game = puntobanco.find_game(game_id)
    decks = game.decks[0]
    table = puntobanco.rounds_table(game, rounds=500, seed=99, decks=decks)
    rows = list(table.rows())
    names = list(table.columns)
    played = puntobanco.play(game, rounds=500, seed=99, decks=decks)
    for row, round_ in zip(rows, played, strict=True):
        said = dict(zip(names, row, strict=True))
        codes = [said[name] for name in SLOT_COLUMNS]
        assert codes == [None if slot == NO_CARD else code(slot) for slot in round_.slots]
        points = (said["player_points"], said["banker_points"])
        assert points == (round_.player_points, round_.banker_points)
        assert said["winner"] == round_.winner
        result = result_of(round_)
        assert (said["player_pair"], said["banker_pair"]) == (
            result.player_pair,
            result.banker_pair,
        )
        for bet in game.bets:
            stake = 100 * bet.step_cents
            [line] = puntobanco.settle(game, round_, [Wager("ann", bet.id, stake)])
            name = bet.id.replace("-", "_")
            net = line.net_cents - line.bonus_cents
            assert said[f"net_{name}"] == pytest.approx(net / stake)
            assert said.get(f"bonus_{name}", 0) == line.bonus_cents / 100


def test_a_table_of_rounds_has_the_tallies_of_the_same_shoes() -> None:
    game = GAMES["six-star"]
    job = job_for(game, 8, 5)
    tally = counted(job, 0, 300)
    table = puntobanco.rounds_table(game, rounds=tally.rounds, seed=5, decks=8)
    assert table["shoe"].max() == 300
    assert table["round"].max() == job.rounds
    assert int((table["winner"] == "tie").sum()) == tally.ways("tie")[0]
    for bet in game.bets:
        lost = table[f"net_{bet.id.replace('-', '_')}"] == -1.0
        assert int(lost.sum()) == tally.ways(bet.id)[-1]


def test_rounds_are_bounded_and_whole() -> None:
    for rounds in (0, -1, 1.5, float("inf"), float("nan"), 1e15 + 1):
        with pytest.raises(Refusal, match="a whole number from 1 to"):
            puntobanco.play("rapid", rounds=rounds)
    with pytest.raises(Refusal, match="a table has 1 to 20,000,000 rounds"):
        puntobanco.rounds_table("rapid", rounds=MAX_TABLE_ROUNDS + 1)
    with pytest.raises(Refusal, match="4 to 10 decks, not 0"):
        puntobanco.simulate("rapid", 1, decks=0)
    for seed in (-1, 2**64):
        with pytest.raises(Refusal, match="a seed is"):
            puntobanco.play("rapid", rounds=1, seed=seed)
        with pytest.raises(Refusal, match="a seed is"):
            puntobanco.rounds_table("rapid", rounds=1, seed=seed)


# Tables


def test_arrow_holds_what_the_table_holds() -> None:
    table = puntobanco.rounds_table("rapid", rounds=200, seed=2)
    arrow = table.to_arrow()
    assert arrow.column_names == list(table.columns)
    for name in table.columns:
        values = [value for chunk in arrow.column(name).chunks for value in chunk.to_pylist()]
        assert values == table[name].tolist()
    assert None in table["player_3"].tolist()


def test_other_libraries_take_a_table_by_the_arrow_capsule() -> None:
    sheet = puntobanco.par_sheet("rapid")
    for value in (sheet, sheet.lines(), puntobanco.simulate("rapid", 1_000)):
        taken = arro3.core.Table.from_arrow(value)
        assert taken.num_rows == len(value.table())


def test_sheets_and_simulations_are_tidy() -> None:
    sheet = puntobanco.par_sheet("six-star")
    bets = sheet.table()
    assert bets["bet"].tolist() == [bet.id for bet in sheet.game.bets]
    assert bets["edge"].tolist() == [float(odds.edge) for odds in sheet.bets]
    assert np.allclose(bets["wins"] + bets["pushes"] + bets["loses"], 1)
    lines = sheet.lines()
    assert len(lines) == sum(len(odds.all_lines) for odds in sheet.bets)
    run = puntobanco.simulate("six-star", 1e4)
    table = run.table()
    player = table["bet"] == "player"
    assert int(table["count"][player].sum()) == run.rounds
    assert np.allclose(table["expected"], table["probability"] * run.rounds)


def test_a_package_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    table = DataTable({"bet": labels(["tie"])})
    for name in ("pandas", "polars", "arro3.core"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ExtraNeeded, match="pandas: pip install pandas"):
        table.to_pandas()
    with pytest.raises(ExtraNeeded, match="polars: pip install polars"):
        table.to_polars()
    with pytest.raises(ExtraNeeded, match="arro3; install the extra table: pip install"):
        table.to_arrow()


class Categorical:
    """As pandas makes one: a code for each row, -1 for no value."""

    @staticmethod
    def from_codes(codes: NDArray[np.int64], names: list[str]) -> list[str | None]:
        return [None if code < 0 else names[code] for code in codes]


def test_pandas_gets_numbers_as_they_are_and_text_as_categories(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """pandas is large: where it is not installed, its two calls are played."""
    pandas = SimpleNamespace(Categorical=Categorical, DataFrame=dict)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    table = puntobanco.rounds_table("rapid", rounds=50, seed=2)
    frame: object = table.to_pandas()
    assert isinstance(frame, dict)
    assert frame["player_3"] == table["player_3"].tolist()
    assert frame["player_points"] is table["player_points"]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLE.with_name("analysis.py")), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    game = GAMES["rapid"]
    assert lines[0] == repr(game)
    assert [line.split()[0] for line in lines[2 : 2 + len(game.bets)]] == [b.id for b in game.bets]
    assert lines[-1].startswith("<Round ")


def test_cards_and_results_are_taken_as_text() -> None:
    shoe = Shoe.fresh(GAMES["rapid"].deck, 8)
    assert puntobanco.deal("rapid", ["9h", "2d"]) == puntobanco.deal("rapid", "9h 2d")
    assert shoe.without("9h") == shoe.without([parse_card("9h")])
    assert puntobanco.roads("BBP") == puntobanco.roads(parse_results("BBP"))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: puntobanco.deal("rapid", None), "cards are codes"),  # type: ignore[arg-type]
        (lambda: puntobanco.deal("rapid", [None]), "a card is a code"),  # type: ignore[list-item]
        (lambda: puntobanco.deal("rapid", [999]), "a card is a code"),
        (lambda: puntobanco.simulate("rapid", "1e6"), "rounds are a whole"),  # type: ignore[arg-type]
        (lambda: puntobanco.simulate("rapid", True), "rounds are a whole"),
        (lambda: puntobanco.roads("BXP"), "result 2 cannot be read"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_in_one_line(
    call: Callable[[], object], said: str
) -> None:
    with pytest.raises(Refusal, match=said):
        call()
