from pathlib import Path

import pytest

from puntobanco import GAMES, Round, Wager, parse_cards, settle
from puntobanco.game_files import MAX_FILE_BYTES, find_game
from puntobanco.rules.refusals import UnknownGame
from puntobanco.rules.validation import findings

EXAMPLE = Path(__file__).parents[3] / "examples/lucky_rapid.py"


def test_a_game_is_found_by_id() -> None:
    assert all(find_game(id_) is game for id_, game in GAMES.items())


def test_bets_nobody_here_thought_of_settle_from_a_file_of_their_own() -> None:
    game = find_game(str(EXAMPLE))
    assert [b.id for b in game.bets[5:]] == ["both-natural", "big-banker", "suited-player"]
    assert [f for f in findings(game) if f.kind == "error"] == []
    table = [
        ("9h 8d Th Tc", {"both-natural": 1_800, "big-banker": -100, "suited-player": 300}),
        ("9h 9d Ts Tc", {"both-natural": 3_000, "big-banker": -100, "suited-player": -100}),
        ("Ts 9d 5h Tc", {"both-natural": -100, "big-banker": 300, "suited-player": -100}),
        ("Ts 9d 6h Tc", {"both-natural": -100, "big-banker": -100, "suited-player": -100}),
    ]
    for cards, nets in table:
        round_ = Round.start(game, 8).deal_all(parse_cards(cards, game.deck))
        lines = settle(game, round_, [Wager("ann", bet, 100) for bet in nets])
        assert {line.wager.bet: line.net_cents for line in lines} == nets


@pytest.mark.parametrize("name", ["", "sixstar", "SIX-STAR", "six_star"])
def test_an_unknown_game_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(
        UnknownGame,
        match="the games are six-star, fortune-six, super-six-plus, sands-elements, rapid",
    ):
        find_game(name)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("x = 1", "defines no game; give it one Game"),
        ("from puntobanco import GAMES\ng = GAMES['rapid']", "defines no game"),
        (
            "from puntobanco import GAMES\na = GAMES['rapid'].with_bets(id='a', title='A')\n"
            "b = GAMES['rapid'].with_bets(id='b', title='B')",
            "defines 2 games; .* name the one you mean GAME",
        ),
        ("def (", "line 1: SyntaxError"),
        ("x = 1\ny = nonsense", "line 2: NameError: name 'nonsense'"),
        (
            "from puntobanco import tie\nif tie: pass",
            "line 2: a predicate is neither true nor false",
        ),
        ("from puntobanco import Bet\nBet('X', 'X', pays=())", "line 2: 'X' cannot be a bet's id"),
        ("import no_such_module_here", "line 1: ModuleNotFoundError"),
        ("raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("import sys\nsys.exit(0)", "line 2: SystemExit: 0"),
        (
            "class E(BaseException):\n    def __str__(self): raise self\nraise E",
            "E: it cannot be printed",
        ),
        ("raise SyntaxError", "SyntaxError"),
        (
            "from puntobanco import *\nBet('x', Words('X'), pays=(Pays(tie, Odds(1, 1)),), push=tie)",
            r"write push=Pushes\(condition\)",
        ),
        ("from puntobanco import *\nPays(tie, Odds(1, 1), None)", "a clause is a text"),
        (
            "from puntobanco import *\nBet('x', 5, pays=(Pays(tie, Odds(1, 1)),))",
            "a title is a text",
        ),
        ("from puntobanco import *\nplayer.points % 0", "a divisor of 1 or more"),
        ("from puntobanco import *\nplayer.points * 1.5", "multiply by a whole number"),
        (
            "from puntobanco import *\nfrom dataclasses import replace\nreplace(GAMES['rapid'], deck='standard')",
            "deck is a Deck",
        ),
        (
            "from puntobanco import *\nfrom dataclasses import replace\nreplace(GAMES['rapid'], readings=('x',))",
            "no Reading",
        ),
    ],
)
def test_a_file_that_is_no_game_is_refused_with_the_line(
    tmp_path: Path, source: str, reason: str
) -> None:
    path = tmp_path / "game.py"
    path.write_text(source)
    with pytest.raises(UnknownGame, match=reason) as refused:
        find_game(str(path))
    assert "\n" not in str(refused.value)


def test_a_game_file_may_define_dataclasses(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom puntobanco import GAMES\n"
        "@dataclass\nclass Own:\n    n: int = 1\n"
        "g = GAMES['rapid'].with_bets(id='mine', title='Mine')\n"
    )
    assert find_game(str(tmp_path / "game.py")).id == "mine"


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="no such file"):
        find_game(str(tmp_path / "none.py"))
    with pytest.raises(UnknownGame, match="is a directory"):
        find_game(str(tmp_path) + "/")
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnknownGame, match="not a text file"):
        find_game(str(tmp_path / "binary.py"))
    (tmp_path / "nul.py").write_bytes(b"x = 1\x00")
    with pytest.raises(UnknownGame, match="Error"):
        find_game(str(tmp_path / "nul.py"))
    (tmp_path / "large.py").write_text("#" * (MAX_FILE_BYTES + 1))
    with pytest.raises(UnknownGame, match="too large"):
        find_game(str(tmp_path / "large.py"))


def test_a_designer_may_keep_terms_in_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "shared_terms_for_test.py").write_text("from puntobanco import tie\nlevel = tie\n")
    (tmp_path / "game.py").write_text(
        "from shared_terms_for_test import level\nfrom puntobanco import GAMES, Bet, Pays, Odds\n"
        "g = GAMES['rapid'].with_bets(Bet('level', 'Level', pays=(Pays(level, Odds(7, 1)),)), id='mine', title='Mine')\n"
    )
    assert find_game(str(tmp_path / "game.py")).bet("level").title.en == "Level"
