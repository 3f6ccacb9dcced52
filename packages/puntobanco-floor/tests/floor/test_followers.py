"""Whoever follows a table by its messages ends in the view that the floor would send whole: the Python client, and the browser's
code in Node, fed with the same stories (`played_tables`).
"""

import os
import random
import subprocess
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco_floor.client import Seen
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import happened
from puntobanco_floor.views.table_view import APART, TableView, table_view
from tests.floor.played_tables import AT_A_TABLE, Play, Story, stories
from tests.support.node import needs_node
from tools.tree import ROOT

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
STORIES = 100_000 if SLOW else 1_000
AT_ONCE = 1_000
ALWAYS = {"table", "number", "deck", "demo", *APART}
"""Of the view: what these tables keep, and what a message says of itself."""


def in_the_browser(told: list[Story]) -> list[Any]:
    """Those that end otherwise there: the seed, and what is wrong."""
    lines = b"".join(msgspec.json.encode(story) + b"\n" for story in told)
    done = subprocess.run(
        ["node", "packages/puntobanco-floor/tests/screens/followers.js"],
        cwd=ROOT,
        input=lines,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answer = msgspec.json.decode(done.stdout)
    assert answer["stories"] == len(told)
    found: list[Any] = answer["faults"]
    return found


@needs_node
@pytest.mark.parametrize("first", range(0, STORIES, AT_ONCE))
def test_client_and_browser_end_in_the_view_of_the_floor(first: int) -> None:
    seeds = range(first // AT_A_TABLE, (first + AT_ONCE) // AT_A_TABLE)
    told = [story for seed in seeds for story in stories(seed)]
    assert in_the_browser(told) == []
    if first:  # whether everything is told is asked of the stories that are always told
        return
    seen = Counter[str]()
    for each in (each for story in told for each in story.told):
        seen["gaps"] += each.sync
        if isinstance(each.message, wire.Events):
            seen.update(event["event"] for event in each.message.events)
            seen.update(list(each.message.set))
            seen.update(("results", "roads") if each.message.add else ())
    public = {kind.__name__ for kind in e.TABLE_EVENTS if kind.traits.public}
    assert public <= set(seen), "or it was played too seldom"
    changing = set(TableView.__struct_fields__) - ALWAYS
    assert min(seen[name] for name in changing) >= 5, "a field that is not told would not be missed"
    assert seen["gaps"] > AT_ONCE / 20


def test_a_node_that_has_read_a_table_anew_tells_a_gap() -> None:
    """Some events were never told: nothing may be put on top of what terminals have."""
    play = Play(random.Random(1))
    while table_view(play.state) is None:
        play.step()
    before = play.view()
    while play.state.version == before.v:
        play.step()
    message = happened(before, play.view(), [])
    assert (message.v, message.events, message.set) == (play.state.version, [], {})
    seen = Seen()
    seen.follow(replace(play.welcome(), table=before))
    assert seen.follow(message)
    assert not seen.follow(play.welcome())
    assert not seen.follow(message)


@needs_node
def test_a_view_that_is_wrong_in_one_field_is_found() -> None:
    """The comparison itself: it would not do to compare nothing."""
    story = next(stories(1))
    other = replace(story.table, halted="by nobody")
    [(seed, fault)] = in_the_browser([replace(story, table=other)])
    assert (seed, "table.halted" in fault) == (1, True)
