"""The page of the wire is true: its tables are the messages, and its follower follows; its figures are in `test_doc_figures`."""

import json
import re
import typing
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest

from puntobanco_floor.service.terminals import wire
from tests.floor.played_tables import stories

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "wire.md").read_text()
MESSAGES = (*typing.get_args(wire.FromTerminal), *typing.get_args(wire.ToTerminal))


class Follows(Protocol):
    """What the text on the page defines."""

    table: dict[str, Any]
    mine: dict[str, Any]

    def follow(self, message: dict[str, Any]) -> bool: ...


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_message_is_there_with_its_fields(kind: type[wire.Message]) -> None:
    fields = ", ".join(f"`{name}`" for name in kind.__struct_fields__)
    row = f"| `{kind.__struct_config__.tag}` | {fields} |".replace("|  |", "| |")
    assert row in PAGE


def test_no_other_message_is_there() -> None:
    rows = re.findall(r"^\| `(\w\w+)` \|", PAGE, re.MULTILINE)
    assert sorted(rows) == sorted(str(kind.__struct_config__.tag) for kind in MESSAGES)


def followers() -> Follows:
    """The one on the page, as somebody would copy it."""
    [text] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, Any] = {}
    exec(text, found)
    made: Follows = found["Follower"]()
    return made


@pytest.mark.parametrize("seed", range(1_000, 1_010))
def test_the_follower_on_the_page_ends_in_the_view_of_the_floor(seed: int) -> None:
    for story in stories(seed):
        follower = followers()
        for told in story.told:
            message = json.loads(msgspec.json.encode(told.message))
            assert follower.follow(message) == told.sync
        should = json.loads(msgspec.json.encode(story))
        of_the_journal = {"seq": story.table.seq, "at": story.table.at}
        assert {**follower.table, **of_the_journal} == should["table"]
        assert {**follower.mine, "seq": story.mine.seq} == should["mine"]
