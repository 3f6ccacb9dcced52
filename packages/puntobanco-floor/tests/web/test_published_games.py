"""A published game on a floor: opened by its id, kept in the journal like a file; whatever its module does, the node goes on."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from puntobanco import GAMES
from puntobanco.rules.refusals import BadGame, UnknownGame
from puntobanco_floor.service.published_games import PublishedGames
from puntobanco_floor.service.table_games import find_playable, from_file
from tests.published import EXAMPLE, on_path, publish
from tests.support.served import Served, api
from tests.support.staffing import login_real, second_person
from tests.web.test_house import QUICK, command, init_house

LUCKY = from_file(EXAMPLE)
UNSOUND = """
from puntobanco import GAMES, Bet, Odds, Pays, tie
GAME = GAMES["rapid"].with_bets(
    Bet("never", "Never", pays=(Pays(tie & ~tie, Odds(8, 1), "4.1"),)), id="own", title="Own"
)
"""
ENDS = {
    "raise SystemExit(3)": "own-baccarat 1: game 'own', own_game:GAME: SystemExit: 3",
    "import os; os._exit(3)": "own: loading its module ended with status 3, no game",
    "import os; os.write(1, b'[]'); os._exit(0)": "own: loading its module ended with status 0",
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "site").mkdir()
    with on_path(tmp_path / "site") as folder:
        yield folder


# By an operator


def test_a_table_has_the_definition_and_the_text_of_the_module(site: Path) -> None:
    publish(site)
    assert find_playable("lucky-rapid", ()) == LUCKY
    with pytest.raises(UnknownGame, match="there is no game 'lucky' here"):
        find_playable("lucky", ())


def test_a_published_game_that_is_unsound_opens_no_table(site: Path) -> None:
    publish(site, "own = own_game:GAME", text=UNSOUND)
    with pytest.raises(BadGame, match=r"^own: never: .*`puntobanco check own` says all") as refused:
        find_playable("own", ())
    assert "\n" not in str(refused.value)


# On a running node


@pytest.mark.parametrize(("text", "said"), ENDS.items())
def test_a_module_that_ends_its_process_is_one_line_and_other_games_are_read(
    site: Path, caplog: pytest.LogCaptureFixture, text: str, said: str
) -> None:
    publish(site, "own = own_game:GAME", text=text, name="own-baccarat", version="1")
    publish(site)

    async def read() -> None:
        games = PublishedGames()
        assert [one.definition for one in await games.read_all()] == [LUCKY.definition]
        with pytest.raises(BadGame) as refused:
            await games.find("own")
        assert str(refused.value).startswith(said)
        assert await games.find("other") is None

    with caplog.at_level(logging.WARNING):
        asyncio.run(read())
    lines = [one.message for one in caplog.records]
    assert len(lines) == 2, "a game that failed is read again when it is asked for again"
    assert all(line.startswith(f"a published game was left out: {said}") for line in lines)


def test_a_module_that_never_ends_is_ended(site: Path) -> None:
    publish(site, "own = own_game:GAME", text="while True: pass")
    with pytest.raises(BadGame, match="own: its module was not loaded within 1 seconds"):
        asyncio.run(PublishedGames(most_s=1).find("own"))


def test_a_newer_version_is_read_while_the_node_runs(site: Path) -> None:
    games = PublishedGames()
    assert asyncio.run(games.read_all()) == []
    module = publish(site)
    assert [one.game.title.en for one in asyncio.run(games.read_all())] == ["Lucky Rapid Baccarat"]
    module.write_text(EXAMPLE.read_text("utf-8").replace("Lucky Rapid Baccarat", "Luckier"))
    site.joinpath("lucky_rapid_baccarat-1.0.dist-info").rename(site / "gone")
    publish(site, text=module.read_text("utf-8"), version="1.1")
    assert [one.game.title.en for one in asyncio.run(games.read_all())] == ["Luckier"]


def test_administration_lists_and_opens_it_after_two_people_allowed_it(
    site: Path, tmp_path: Path
) -> None:
    publish(site)
    publish(site, "own = own_game:GAME", text="import os; os._exit(3)", name="own", version="1")
    init_house(tmp_path / "floor.db")
    command(tmp_path / "floor.db", "table", "add", "1", "rapid", *QUICK)
    floor = Served(tmp_path, "--host", "127.0.0.1")
    try:
        root = login_real(floor, "admin", "long enough words")
        listed = api(floor, "GET", "/api/admin/games", root)[1]
        assert [row["game"] for row in listed] == [*GAMES, "lucky-rapid"]
        opened = {"number": 7, "game": "lucky-rapid", "physical": True}
        status, answer = api(floor, "POST", "/api/admin/tables", root, opened)
        assert (status, answer["code"]) == (409, "second-person-needed"), answer
        [waits] = api(floor, "GET", "/api/admin/house", root)[1]["proposals"]
        agree = f"/api/admin/proposals/{waits['number']}/agree"
        assert api(floor, "POST", agree, second_person(floor))[0] == 200
        status, row = api(floor, "POST", "/api/admin/tables", root, opened)
        assert (status, row["game"]) == (201, "lucky-rapid")
        status, answer = api(
            floor, "POST", "/api/admin/tables", root, {**opened, "number": 8, "game": "own"}
        )
        said = "own: loading its module ended with status 3, no game"
        assert (status, answer["reason"]["en"]) == (409, said)
        assert api(floor, "GET", "/api/tables/7")[0] == 200
    finally:
        floor.stop()
    assert "Traceback" not in (tmp_path / "log").read_text()
