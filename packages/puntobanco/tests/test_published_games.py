"""Games that a designer's distribution publishes by an entry point: wherever a command takes a game it takes their id."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from puntobanco import GAMES, find_game, game_files
from puntobanco.rules.definition import digest
from puntobanco.rules.refusals import UnknownGame
from tests.published import EXAMPLE, build, on_path, publish
from tests.test_cli import Runner, run
from tools.tree import ROOT

__all__ = ["run"]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    with on_path(tmp_path) as folder:
        yield folder


def test_the_distribution_of_the_page_is_built_and_found(tmp_path: Path, run: Runner) -> None:
    page = (ROOT / "docs/how-to/write-a-game.md").read_text("utf-8")
    [project] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "pyproject.toml").write_text(project, "utf-8")
    (tmp_path / "lucky_rapid.py").write_bytes(EXAMPLE.read_bytes())
    with zipfile.ZipFile(build(tmp_path)) as wheel:
        wheel.extractall(tmp_path / "site")
    with on_path(tmp_path / "site"):
        assert find_game("lucky-rapid") == find_game(EXAMPLE)
        assert "lucky-rapid" in run("games").out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rules lucky-rapid", "Lucky Rapid Baccarat"),
        ("check lucky-rapid", "lucky-rapid: sound; 8 bets"),
        ("define lucky-rapid --digest", digest(find_game(EXAMPLE))),
        ("deal lucky-rapid --seed 1", "Player"),
        ("settle lucky-rapid --cards 9h,8d,Th,Tc --bet both-natural=10", "net 180.00"),
        ("irregularity lucky-rapid", "foreign-card"),
        ("odds lucky-rapid --bet big-banker", "8.4207 %"),
        ("simulate lucky-rapid --rounds 1e5", "suited-player"),
    ],
)
def test_every_command_takes_the_id_of_a_published_game(
    site: Path, run: Runner, line: str, said: str
) -> None:
    publish(site)
    ran = run(*line.split())
    assert ran.status == 0, ran.err
    assert said in ran.out


def test_published_games_are_listed_after_ours(site: Path, run: Runner) -> None:
    publish(site)
    assert [game["id"] for game in run("games", "--json").json] == [*GAMES, "lucky-rapid"]
    assert "Lucky Rapid Baccarat" in run("games").out


FAULTS = {
    "no such module": ("own = own_game:GAME", None, "ModuleNotFoundError: No module named"),
    "an error in it": ("own = own_game:GAME", "x = nonsense", "name 'nonsense' is not defined"),
    "it ends the process": ("own = own_game:GAME", "raise SystemExit(3)", "SystemExit: 3"),
    "no such name": ("own = own_game:GAME", "", "has no attribute 'GAME'"),
    "not a game": (
        "own = own_game:GAME",
        "GAME = 5",
        "this is no Game; name the one in the module",
    ),
    "another id": (
        "own = own_game:GAME",
        "from puntobanco import GAMES\nGAME = GAMES['rapid']",
        "its id is rapid; publish it as rapid",
    ),
}
"""An entry point and its module, and what is said."""


@pytest.mark.parametrize(("entry", "text", "said"), FAULTS.values(), ids=list(FAULTS))
def test_a_fault_is_one_line_that_names_the_distribution(
    site: Path, run: Runner, entry: str, text: str | None, said: str
) -> None:
    module = publish(site, entry, text=text or "", name="own-baccarat", version="2.1")
    if text is None:
        module.unlink()
    ran = run("rules", "own")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("puntobanco: own-baccarat 2.1: game 'own', own_game:GAME: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1
    listed = run("games", "--json")
    assert (listed.status, listed.err) == (0, ran.err)
    assert [game["id"] for game in listed.json] == list(GAMES)


def test_no_id_of_ours_can_be_replaced(site: Path, run: Runner) -> None:
    publish(site, "rapid = own_game:GAME", text="raise RuntimeError('never loaded')")
    assert find_game("rapid") is GAMES["rapid"]
    assert run("games").err == (
        "puntobanco: lucky-rapid-baccarat 1.0: game 'rapid' is built in; give it an id of its own\n"
    )


def test_two_distributions_with_one_id_are_both_named(site: Path) -> None:
    publish(site)
    publish(site, name="luckier", version="3")
    with pytest.raises(UnknownGame, match=r"published more than once; uninstall") as refused:
        find_game("lucky-rapid")
    assert "lucky-rapid-baccarat 1.0" in str(refused.value)
    assert "luckier 3" in str(refused.value)


def test_an_unknown_id_lists_published_games_too(site: Path) -> None:
    publish(site)
    with pytest.raises(UnknownGame, match=r"the games are six-star, .*, rapid, lucky-rapid, or"):
        find_game("luckyrapid")


def test_our_ids_and_files_are_found_without_a_look_at_what_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def looked(**_: object) -> None:
        raise AssertionError("it took time")

    monkeypatch.setattr(game_files, "entry_points", looked)
    assert [find_game(id_).id for id_ in GAMES] == list(GAMES)
    assert find_game(str(EXAMPLE)).id == "lucky-rapid"
    with pytest.raises(AssertionError, match="it took time"):
        find_game("lucky-rapid")
