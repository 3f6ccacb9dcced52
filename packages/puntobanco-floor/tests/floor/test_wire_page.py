"""The follower on the page of the wire follows: it ends in the view of the floor."""

import json
import re
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest

from tests.floor.played_tables import stories

PAGE = (Path(__file__).parents[4] / "docs" / "reference" / "wire.md").read_text()


class Follows(Protocol):
    """What the text on the page defines."""

    table: dict[str, Any]
    mine: dict[str, Any]

    def follow(self, message: dict[str, Any]) -> bool: ...


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
