"""Text that hides characters: refused at the command line, and shown escaped where an old journal has it."""

import json
from pathlib import Path

import pytest

from puntobanco.base.refusal import BadText
from puntobanco_floor.cli.offline_admin import Desk
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.settings import read
from puntobanco_floor.store.batch import Request
from tests.support.forked import command_line
from tests.support.staffing import second_file
from tests.web.test_house import command

FORGED = "late\r\np-7f3k9m2q  paid\x1b[2J\u202eevil\x9b\u200b"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    found = tmp_path / "floor.db"
    words = ("--password-file", "-", "--second-password-file", second_file(tmp_path))
    command(found, "init", "--name", "Marina", *words, stdin="long enough words\n")
    return found


@pytest.mark.parametrize(
    "hidden", ["\n", "\r", "\x1b", "\x7f", "\x9b", "\u061c", "\u200b", "\u202e", "\u2066"]
)
def test_a_reason_with_a_hidden_character_is_refused(database: Path, hidden: str) -> None:
    words = ("floor", "stop", "--cause", "safety", "--note", f"a{hidden}b")
    done = command_line(*words, "--database", str(database))
    assert done.returncode != 0
    assert f"has a hidden character, U+{ord(hidden):04X}" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_old_journal_forges_no_row(database: Path) -> None:
    """As it could come in before: replayed as it is, and printed in one line."""
    desk = Desk(str(database), None, None)
    forged = h.ExcludePatron(by="sam", patron="T1:a", reason=FORGED)
    assert desk.store.ask(Request(stream=FLOOR, id="old", command=forged)).ok
    desk.store.close()
    said = command(database, "patron", "list")
    assert len(said.splitlines()) == 2
    assert "late\\r\\np-7f3k9m2q  paid\\u001b[2J\\u202eevil\\u009b\\u200b" in said
    as_json = command(database, "patron", "list", "--json")
    assert as_json.isascii()
    assert json.loads(as_json)[0]["reason"] == FORGED
    for words in (("audit",), ("report", "daily"), ("report", "daily", "--format", "csv")):
        said = command(database, *words)
        assert not set(said) & set("\r\x1b\u202e\x9b\u200b"), words


def test_a_setting_hides_nothing() -> None:
    with pytest.raises(BadText, match="the setting log_origin has a hidden character, U\\+202E"):
        read(environment={"PUNTOBANCO_LOG_ORIGIN": "a\u202eb"})
