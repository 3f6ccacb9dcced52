"""`new-game`: every file it writes is sound, has odds, settles, opens a table, and is never written over another."""

from pathlib import Path

import pytest

from puntobanco import GAMES, Game, Wager, deal, find_game, settle
from puntobanco.cli.games import STARTERS
from puntobanco.odds.par import par_sheet
from puntobanco.rules.definition import define, game_of
from puntobanco.rules.rules_page import rules_page
from tests.test_cli import Runner, run

__all__ = ["run"]

SETTLED = {
    "added": {
        # Player wins on nine with three cards, and on two
        "2s Th 2d 7c 5h": {"lucky-nine": 12_000, "player": 1_000},
        "9s Th Td 7c": {"lucky-nine": 4_000},
        "8s Th Td 7c": {"lucky-nine": -1_000},
    },
    "replaced": {
        "2s 9h 5d Tc": {"banker": 950, "player": -1_000},
        "9s 9h Td Tc": {"banker": 0, "tie": 8_000},
    },
    "push": {
        "9s Th Td 2c": {"clear-win": 4_000},
        "9s 4h Td Ac": {"clear-win": 2_000},
        "9s 9h Td Tc": {"clear-win": 0},
        "2s 9h 5d Tc": {"clear-win": -1_000},
    },
    "bonus": {
        "9s 9h Td Tc": {"high-tie": 13_000 + 5_000},
        "8s 8h Td Tc": {"high-tie": 13_000},
        "2s 9h 5d Tc": {"high-tie": -1_000},
    },
    "whole": {
        # Banker wins on seven with three cards: neither won nor lost
        "Ts 2h 6d Tc 5h": {"banker": 0, "player": -1_000},
        "2s 9h 5d Tc": {"banker": 1_000, "either-pair": -1_000},
        "9s 9h Td Tc": {"banker": 0, "tie": 8_000},
        "Ts 9h Td Tc": {"either-pair": 5_000},
    },
}
"""By starter and cards, what a stake of $10 comes to in cents."""


@pytest.fixture(params=STARTERS)
def start(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def written(run: Runner, tmp_path: Path, start: str) -> Path:
    path = tmp_path / "lucky_table.py"
    ran = run("new-game", str(path), "--start", start)
    assert ran.status == 0
    assert ran.out.splitlines()[-1] == f"next: puntobanco check {path}"
    return path


@pytest.fixture
def game(written: Path) -> Game:
    return find_game(written)


@pytest.mark.long
def test_check_finds_it_sound_and_says_what_it_proved(run: Runner, written: Path) -> None:
    ran = run("check", str(written))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[-1].startswith("lucky-table: sound; ")
    assert "warning" not in ran.out
    assert "proved: no bet favours the patron" in ran.out


def test_its_name_is_in_it_and_nothing_of_the_one_it_was_made_from(
    written: Path, game: Game
) -> None:
    text = written.read_text("utf-8")
    assert (game.id, game.title.en) == ("lucky-table", "Lucky Table")
    assert "my_game" not in text
    assert "my-game" not in text
    assert "My Game" not in text
    assert f"puntobanco check {written}" in text
    assert text.count("\n# ") + text.count("  # ") >= 2  # it explains itself


def test_every_bet_of_it_has_an_edge_that_a_casino_would_offer(game: Game) -> None:
    for odds in par_sheet(game).bets:
        assert 0 < odds.edge < 0.16, odds


def test_it_settles_as_its_rules_say(game: Game, start: str) -> None:
    for cards, nets in SETTLED[start].items():
        wagers = [Wager("ann", bet, 1_000) for bet in nets]
        lines = settle(game, deal(game, cards), wagers)
        came = {line.wager.bet: line.net_cents for line in lines}
        assert came == nets, cards


def test_it_is_data_for_a_table_and_reads_back_as_the_same_game(game: Game) -> None:
    assert game_of(define(game)) == game


def test_its_own_rules_are_on_the_rules_page(game: Game) -> None:
    told = {row.clause for section in rules_page(game) for row in section.rows}
    assert set(game.house_rules) <= told


def test_a_table_of_it_is_opened_on_a_floor(run: Runner, written: Path, tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "floor.db"))
    password = tmp_path / "password"
    password.write_text("a password that is long enough")
    given = ("--password-file", str(password), "--second-password-file", str(password))
    assert run("init", "--name", "Marina", *given, *database).status == 0
    ran = run("table", "add", "1", str(written), *database)
    assert (ran.status, ran.err) == (0, "")
    assert "table 1 is open: Lucky Table, dealt by the server" in ran.out


def test_a_file_that_is_there_is_left_as_it_is(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("precious")
    assert "is there already; name another file" in run.refused("new-game", str(path))
    assert path.read_text() == "precious"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("mine", "a game is a Python file: name it mine.py"),
        ("mine.txt", "a game is a Python file: name it mine.py"),
        ("rapid.py", "'rapid' gives none of its own"),
        ("7.py", "'7' gives none of its own"),
        ("___.py", "'___' gives none of its own"),
        ("no/such/folder/mine.py", "no such file or directory"),
    ],
)
def test_a_name_that_is_none_for_a_game_is_refused(
    run: Runner, tmp_path: Path, name: str, reason: str
) -> None:
    assert reason in run.refused("new-game", str(tmp_path / name))
    assert list(tmp_path.iterdir()) == []


def test_the_starters_are_the_files_there_are() -> None:
    folder = Path(__file__).parents[3] / "packages/puntobanco/src/puntobanco/cli/starters"
    assert {path.stem for path in folder.glob("[a-z]*.py")} == set(STARTERS)
    assert not {"my-game", *STARTERS} & set(GAMES)
