"""`read-cards`: a card reader's cards come to a dealer's table once each, in order, also through lost answers."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.served import Served, api, asked, passwords_of, staff_tokens
from tests.web.losing_proxy import LosingProxy

DRIVER = """
def read(source):
    yield from source.split(",")

def broken(source):
    raise OSError("the device is gone")
    yield
"""


@pytest.fixture(scope="module")
def tokens(served: Served) -> dict[str, str]:
    """Logged in once, because logins have a rate."""
    return staff_tokens(served, "ada", "dora")


@dataclass(frozen=True)
class Table:
    """A dealer's table whose bets are closed: cards are to be dealt."""

    served: Served
    dora: str

    def cards(self) -> list[str]:
        path = f"/api/staff/tables/{self.served.table}"
        return list(api(self.served, "GET", path, self.dora)[1]["dealt"])


@pytest.fixture
def table(served: Served, tokens: dict[str, str]) -> Table:
    served.table += 1
    body = {"number": served.table, "game": "fortune-six", "physical": True}
    assert api(served, "POST", "/api/admin/tables", tokens["ada"], body)[0] == 201
    for step in ("open-bets", "close-bets"):
        status, answer = asked(served, tokens["dora"], f"{step}-{served.table}", step)
        assert (status, answer["ok"]) == (200, True), answer
    return Table(served, tokens["dora"])


@pytest.fixture
def drivers(tmp_path: Path) -> Path:
    """A distribution with two card readers, and one that cannot be loaded."""
    folder = tmp_path / "site"
    info = folder / "shoe_driver-1.dist-info"
    info.mkdir(parents=True)
    (folder / "shoe_driver.py").write_text(DRIVER)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shoe-driver\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[puntobanco.card_readers]\n"
        "shoe = shoe_driver:read\nbroken = shoe_driver:broken\ngone = no_such_driver:read\n"
    )
    return folder


def read_cards(
    at: Table, *words: str, typed: str = "", url: str = "", path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    secret = at.served.folder / "dora.txt"
    secret.write_text(passwords_of(at.served)["dora"])
    given = [
        "read-cards",
        str(at.served.table),
        "--url",
        url or at.served.address,
        "--name",
        "dora",
    ]
    program = "import sys; sys.path[:0] = sys.argv.pop(1).split(); from puntobanco.cli import main; main()"
    return subprocess.run(
        [
            sys.executable,
            "-c",
            program,
            str(path or ""),
            *given,
            "--password-file",
            str(secret),
            *words,
        ],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_line_is_a_card_at_the_table(table: Table) -> None:
    done = read_cards(table, typed="9s\n\n2h\n8d\n4c\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "9s entered\n2h entered\n8d entered\n4c entered\n"
    assert table.cards() == ["9s", "2h", "8d", "4c"]


def test_an_installed_driver_is_found_by_its_name(table: Table, drivers: Path) -> None:
    words = ("--reader", "shoe", "--source", "9s,2h")
    assert read_cards(table, *words, path=drivers).returncode == 0
    assert table.cards() == ["9s", "2h"]


@pytest.mark.parametrize(
    ("words", "typed", "said"),
    [
        (
            (),
            "9s\nXx\n2h\n",
            "puntobanco: the reader gave 'Xx': 'Xx' is no card; write rank then suit",
        ),
        (("--reader", "laser"), "", "puntobanco: no card reader 'laser' is installed; there are: "),
        (
            ("--reader", "gone"),
            "",
            "puntobanco: the card reader gone cannot be loaded: No module named",
        ),
        (("--reader", "broken"), "", "puntobanco: cannot go on reading cards: the device is gone"),
        (("--source", "/dev/no-such-shoe"), "", "puntobanco: "),
    ],
)
def test_what_cannot_be_read_is_one_line_and_the_cards_before_it_stay(
    table: Table, drivers: Path, words: tuple[str, ...], typed: str, said: str
) -> None:
    done = read_cards(table, *words, typed=typed, path=drivers)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1
    assert table.cards() == (["9s"] if typed else [])


def test_a_card_that_the_table_refuses_ends_it_before_the_next(table: Table) -> None:
    done = read_cards(table, typed="9s\n2h\n8d\n4c\nKd\n5d\n")
    assert done.returncode == 2
    assert done.stderr.startswith("puntobanco: Kd was not entered: ")
    assert len(table.cards()) == 4
    assert "5d" not in done.stdout


def test_a_wrong_password_is_one_line(table: Table, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("not this one")
    done = read_cards(table, "--password-file", str(wrong), typed="9s\n")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert table.cards() == []


def test_a_lost_reply_enters_no_card_twice(table: Table) -> None:
    """The floor entered the card and its answer was lost: the same id is sent again."""
    path = f"/api/staff/tables/{table.served.table}/commands"
    lost = list[str]()

    def lose_each_once(method: str, asked_path: str) -> bool:
        is_card = method == "POST" and asked_path == path
        if is_card and len(lost) % 2 == 0:
            lost.append("lost")
            return True
        lost.extend(["answered"] if is_card else [])
        return False

    with LosingProxy(table.served.port) as proxy:
        proxy.lose = lose_each_once
        done = read_cards(table, url=proxy.address, typed="9s\n2h\n8d\n")
        sent = [each["id"] for each in proxy.posts(path)]
    assert done.returncode == 0, done.stderr
    assert table.cards() == ["9s", "2h", "8d"]
    assert len(sent) == 6
    assert len(set(sent)) == 3
