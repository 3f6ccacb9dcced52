"""`read-cards`: a card reader's cards come to a dealer's table once each, in order, also through lost answers."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from puntobanco_floor.cli import read_cards as reading
from puntobanco_floor.cli.read_cards import Dealer, NotKnown
from puntobanco_floor.client import FloorRefused
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


class Lost:
    """A floor that answers as it is told, one answer after the other; the last one stays."""

    def __init__(self, *answers: object) -> None:
        self.answers, self.ids = list(answers), list[str]()

    def __call__(self, _method: str, address: str, _token: str = "", body: Any = None) -> Any:
        if address.endswith("/login"):
            return {"token": "t"}
        self.ids.append(body["id"])
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


IN_DOUBT = FloorRefused("in doubt", code="in-doubt", status=503)
REFUSED = {"ok": False, "reason": {"en": "no", "zh": "不"}, "clause": "", "code": "no-more-cards"}


@pytest.mark.parametrize(
    ("answers", "raised"),
    [
        ([{"ok": True}], None),
        ([IN_DOUBT, {"ok": True}], None),
        ([ConnectionResetError("gone"), FloorRefused("idle", status=401), {"ok": True}], None),
        ([REFUSED], FloorRefused),
        ([ConnectionResetError("gone"), REFUSED], FloorRefused),
        ([FloorRefused("not yours", status=403)], FloorRefused),
        ([IN_DOUBT], NotKnown),
        ([ConnectionResetError("gone")], NotKnown),
        ([ConnectionResetError("gone"), FloorRefused("not yours", status=403)], NotKnown),
        ([IN_DOUBT, FloorRefused("idle", status=401)], NotKnown),
    ],
)
def test_a_card_was_entered_or_was_not_or_it_is_not_known(
    monkeypatch: pytest.MonkeyPatch, answers: list[object], raised: type[Exception] | None
) -> None:
    """Said to be not entered, a card would be keyed by hand, and be in the round twice."""
    floor = Lost(*answers)
    monkeypatch.setattr(reading, "asked", floor)
    monkeypatch.setattr(reading, "AGAIN_S", 0.0)
    dealer = Dealer("http://floor.example", "dora", "secret", 3)
    if raised is None:
        dealer.enter("9s")
    else:
        with pytest.raises(raised) as said:
            dealer.enter("9s", tries_s=0.05)
        is_open = "it is not known whether 9s was entered" in str(said.value)
        assert is_open is (raised is NotKnown)
    assert len(set(floor.ids)) == 1, "one card has one id"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--url", "floor"), "--url takes an address such as http://127.0.0.1:8000, not 'floor'"),
        (("--password-file", "EMPTY"), ""),
        ((), "standard input brings the cards, so give the password by --password-file"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    empty = tmp_path / "EMPTY"
    empty.write_text("")
    given = [str(empty) if word == "EMPTY" else word for word in words]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "puntobanco",
            "read-cards",
            "3",
            "--name",
            "dora",
            "--url",
            "http://127.0.0.1:9",
            *given,
        ],
        input="9s\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "fault in this program" not in done.stderr
    assert said in done.stderr
