"""A designer's game on a served floor: put there by one command, and then nobody needs the file any more."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from puntobanco import GAMES
from puntobanco.base.words import Words
from puntobanco.game_files import load_game
from puntobanco.rules.definition import define, digest, game_of
from puntobanco.rules.game import Game
from puntobanco.rules.refusals import BadGame
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.client import Terminal
from puntobanco_floor.service.table_games import Playable, verify_checked
from puntobanco_floor.service.terminals.wire import Answered
from tests.storage.servers import server
from tests.support.forked import command_line
from tests.support.http import Addressed
from tests.support.patience import wait_until
from tests.support.served import Served, api, open_shift, staff_tokens
from tests.support.staffing import login_real, second_person, staffed
from tests.web.test_house import QUICK, command, enrolled, init_house
from tools.topology import Topology, topology

EXAMPLE = Path(__file__).parents[4] / "examples" / "lucky_rapid.py"
LUCKY = load_game(EXAMPLE)
OWN_BET = "big-banker"
AT_DEMO = len(GAMES) + 2
"""Where a demonstration opens a game of one's own: after a table of each game, and the dealer's."""


def own_file(folder: Path) -> Path:
    return Path(shutil.copy(EXAMPLE, folder / "my_game.py"))


async def a_round(terminal: Terminal) -> int:
    """A wager on the designer's own bet, settled: the number of its round."""
    placed: Answered | None = None
    while placed is None or not placed.ok:  # it may come in the last moment of a betting time
        await terminal.betting()
        placed = await terminal.place(OWN_BET, 1_000)
        if not placed.ok:
            assert placed.code in ("bets-are-closed", "not-now"), placed
            await asyncio.sleep(0.2)
    assert terminal.table is not None
    number = terminal.table.round
    await terminal.until(
        lambda: terminal.mine and any(line.bet == OWN_BET for line in terminal.mine.lines)
    )
    return number


def lists_lucky(node: Addressed) -> bool:
    return any(table["game"] == LUCKY.id for table in api(node, "GET", "/api/tables")[1])


def played(floor: Addressed, table: int, **options: Any) -> int:
    async def play() -> int:
        async with Terminal(floor.address, table=table, **options) as terminal:
            await terminal.seat()
            return await asyncio.wait_for(a_round(terminal), 60)

    return asyncio.run(play())


def is_sound(database: Path, stream: str, round_: int, folder: Path) -> None:
    """The journal by audit, the round by its pack alone; neither has the file."""
    report = audit(database)
    assert (report.fault, report.warnings) == (None, [])
    pack = folder / f"pack-{round_}"
    command(database, "dispute", "--round", f"{stream}:{round_}", "--to", str(pack))
    done = command_line("dispute", "--verify", str(pack), "--json")
    verdict = json.loads(done.stdout)
    assert verdict["sound"]
    assert (
        f"the table was opened with lucky-rapid, definition {digest(LUCKY)[:12]}, which is in the pack"
        in verdict["proved"]
    )
    assert "1 settlements, every line by the rules" in verdict["proved"]
    assert (pack / "game-source.txt").read_text("utf-8") == EXAMPLE.read_text("utf-8")


# A demonstration


def test_a_demonstration_opens_a_table_of_a_game_of_ones_own(tmp_path: Path) -> None:
    """`serve --demo --game my_game.py`, and the same again opens no second table; then the file is gone, and a restart and
    another table need none.
    """
    file = own_file(tmp_path)
    floor = Served(tmp_path, "--demo", "--game", str(file))
    try:
        floor.stop()
        floor.start()
        file.unlink()
        tables = [t["table"] for t in api(floor, "GET", "/api/tables")[1] if t["game"] == LUCKY.id]
        assert tables == [f"table:{AT_DEMO}"]
        played(floor, AT_DEMO)
        root = staff_tokens(floor, "ada")["ada"]
        games = [row["game"] for row in api(floor, "GET", "/api/admin/games", root)[1]]
        assert games == [*GAMES, LUCKY.id]
        assert [
            row["game"] for row in api(floor, "GET", "/api/odds/games", root)[1]["games"]
        ] == games
        status, row = api(
            floor,
            "POST",
            "/api/admin/tables",
            root,
            {"number": 20, "game": LUCKY.id, "physical": True},
        )
        assert (status, row["game"]) == (201, LUCKY.id)
        floor.stop()
        floor.options = ("--demo",)
        floor.start()
        number = played(floor, AT_DEMO)
    finally:
        floor.stop()
    is_sound(floor.database, f"table:{AT_DEMO}", number, tmp_path)


# A real floor


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`table add 1 my_game.py`, and the file is gone before anybody serves it."""
    folder = tmp_path_factory.mktemp("real")
    database, file = folder / "floor.db", own_file(folder)
    init_house(database)
    said = command(database, "table", "add", "1", str(file), *QUICK)
    assert said == (
        f"table 1 is open: Lucky Rapid Baccarat, dealt by the server, definition {digest(LUCKY)[:12]}\n"
    )
    command(database, "table", "add", "2", "rapid", *QUICK)
    file.unlink()
    found = Served(folder, "--host", "127.0.0.1")
    yield found
    found.stop()


@pytest.fixture
def root(real: Served) -> str:
    """For each test anew: on SQLite a login ends with its server, and one of them is killed."""
    return login_real(real, "admin", "long enough words")


def halted(real: Served, table: int) -> str:
    told = api(real, "GET", f"/api/tables/{table}")[1]["halted"]
    return str(told["en"]) if told else ""


def test_a_real_floor_plays_lists_stops_and_restarts_without_the_file(
    real: Served, root: str
) -> None:
    key = enrolled(real, root, "T1", 1)
    cash = staffed(real, root, "carl", "cashier")
    open_shift(real, cash, 1)

    async def funded() -> int:
        async with Terminal(real.address, table=1, key=key) as terminal:
            seat = await terminal.seat()
            body = {
                "id": "buy",
                "command": {"command": "buy-in", "session": seat.session, "cents": 50_000},
            }
            assert api(real, "POST", "/api/staff/tables/1/commands", cash, body)[1]["ok"]
            await terminal.until(lambda: terminal.mine and terminal.mine.balance_cents == 50_000)
            return await asyncio.wait_for(a_round(terminal), 60)

    first = asyncio.run(funded())
    rows = json.loads(command(real.database, "table", "list", "--json"))
    assert {row["table"]: row["game"] for row in rows} == {"table:1": LUCKY.id, "table:2": "rapid"}
    command(real.database, "table", "change", "1", "--close-bet", "both-natural")
    command(real.database, "floor", "stop", "--cause", "safety", "--note", "a drill")
    wait_until(lambda: halted(real, 1) == halted(real, 2) == "for everybody's safety")
    command(real.database, "floor", "start")
    wait_until(lambda: halted(real, 1) == halted(real, 2) == "")
    real.kill()
    real.start()
    assert played(real, 1, key=key) > first
    is_sound(real.database, "table:1", first, real.folder)


def test_another_table_of_it_is_opened_by_its_id(real: Served) -> None:
    """The file is gone; the floor has the game."""
    command(real.database, "table", "add", "3", LUCKY.id, "--dealer")
    rows = json.loads(command(real.database, "table", "list", "--json"))
    assert [row["game"] for row in rows if row["table"] == "table:3"] == [LUCKY.id]


def never() -> Game:
    """A game with a line that can never pay."""
    tie = next(bet for bet in LUCKY.bets if bet.id == "tie")
    line = replace(tie.pays[0], when=tie.pays[0].when & ~tie.pays[0].when)
    wrong = replace(tie, id="never", title=Words("Never"), pays=(line,), push=None)
    return replace(LUCKY, id="never", title=Words("Never"), bets=(*LUCKY.bets, wrong))


def test_a_check_that_takes_too_long_is_ended_and_names_the_bet() -> None:
    found = Playable(replace(LUCKY, id="slow"), define(replace(LUCKY, id="slow")))
    with pytest.raises(BadGame, match=r"slow: .* was not checked within 0.01 seconds; make"):
        asyncio.run(verify_checked(found, most_s=0.01))
    asyncio.run(verify_checked(found))


def test_http_takes_a_definition_and_never_a_file(real: Served, root: str) -> None:
    shown = command_line("define", str(EXAMPLE))
    definition = json.loads(shown.stdout)
    assert definition == define(LUCKY)
    definition["id"] = "lucky-too"
    opened = {
        "number": 7,
        "game": "lucky-too",
        "physical": True,
        "definition": definition,
        "source": "# by hand\n",
    }
    status, answer = api(real, "POST", "/api/admin/tables", root, opened)
    assert (status, answer["code"]) == (409, "second-person-needed"), answer
    assert api(real, "GET", "/api/tables/7")[0] == 404
    [waits] = api(real, "GET", "/api/admin/house", root)[1]["proposals"]
    assert (waits["command"], waits["game"]) == ("allow-game", "lucky-too")
    assert waits["digest"] == digest(game_of(definition))
    assert any("Big Banker" in line["text"]["en"] for line in waits["pays"])
    agree = f"/api/admin/proposals/{waits['number']}/agree"
    assert api(real, "POST", agree, root)[1]["code"] == "second-person-needed", "the same person"
    assert api(real, "POST", agree, second_person(real))[0] == 200
    status, row = api(real, "POST", "/api/admin/tables", root, opened)
    assert (status, row.get("game")) == (201, "lucky-too"), row
    again = {**opened, "number": 9}
    assert api(real, "POST", "/api/admin/tables", root, again)[0] == 201, "the floor knows it"
    other = json.loads(json.dumps(definition))
    other["title"][0] = "Other words"
    status, answer = api(
        real, "POST", "/api/admin/tables", root, {**again, "number": 10, "definition": other}
    )
    assert (status, answer["code"]) == (409, "second-person-needed"), "words are approved too"
    definition["bets"][0]["pays"][0]["pays"]["win"] = 0
    refused = {
        "bets[player].pays[0].pays: odds are two whole numbers": {"definition": definition},
        "there is no game": {"game": str(EXAMPLE), "definition": None},
        "it is of version 9": {"definition": {"definition": 9}},
        "the definition is of another game, Other words": {"game": LUCKY.id, "definition": other},
        "can never pay": {"definition": define(never()), "game": "never"},
    }
    for said, change in refused.items():
        status, answer = api(
            real, "POST", "/api/admin/tables", root, {**opened, "number": 8, **change}
        )
        assert status == 409, answer
        assert said in answer["reason"]["en"]


@pytest.mark.parametrize("command", ["open-table", "allow-game"])
def test_a_definition_does_not_come_with_a_command_where_nothing_checks_it(
    real: Served, root: str, command: str
) -> None:
    at = {"open-table": "/api/staff/tables/1/commands", "allow-game": "/api/staff/house/commands"}
    body = {"command": command, "game": "never", "definition": define(never())}
    status, answer = api(real, "POST", at[command], root, {"id": command, "command": body})
    assert status == 400, answer
    assert "POST /api/admin/tables" in answer["reason"]["en"]


def test_a_real_floor_takes_no_file_when_it_is_served(tmp_path: Path) -> None:
    done = command_line("serve", "--database", str(tmp_path / "f.db"), "--game", str(EXAMPLE))
    assert done.returncode == 2
    assert done.stderr == (
        "puntobanco: --game is for --demo; on a real floor open a table of it: puntobanco table add NUMBER game.py\n"
    )


# Several nodes


@pytest.fixture(scope="module")
def nodes() -> Iterator[Topology]:
    with server() as postgres, topology(postgres) as found:
        yield found


def test_a_second_node_and_a_restart_play_it_without_the_file(
    nodes: Topology, tmp_path: Path
) -> None:
    file, keys = own_file(tmp_path), nodes.nodes[0].folder / "floor.keys"
    heads = tmp_path / "desk.heads"
    at = ("--database", nodes.url, "--keys", str(keys))
    added = command_line("table", "add", "9", str(file), *QUICK, *at, "--heads", str(heads))
    assert added.returncode == 0, added.stderr
    file.unlink()
    for node in nodes.nodes:
        wait_until(partial(lists_lucky, node))
        played(node, 9)
    first = nodes.nodes[0]
    first.end()
    first.start()
    number = played(first, 9)
    found = audit(nodes.url, keys=keys, heads=[*nodes.nodes[0].folder.glob("*.heads"), heads])
    assert (found.fault, found.warnings) == (None, [])
    pack = str(tmp_path / "pack")
    made = command_line("dispute", *at, "--round", f"table:9:{number}", "--to", pack)
    assert made.returncode == 0, made.stderr
    assert json.loads(command_line("dispute", "--verify", pack, "--json").stdout)["sound"]
