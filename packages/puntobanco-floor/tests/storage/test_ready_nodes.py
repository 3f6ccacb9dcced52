"""Nodes that know of each other: one that blocks what others write leaves the balancer, and the last ready one never does."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service import readiness
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.readiness import Readiness
from puntobanco_floor.store.nodes import ReadyNodes
from tests.storage.servers import database
from tests.support.patience import wait_until
from tests.web.test_operations import Stub


@pytest.fixture
def nodes(postgres: str) -> Iterator[list[ReadyNodes]]:
    with ExitStack() as stack:
        url = stack.enter_context(database(postgres))
        yield [stack.enter_context(closing(ReadyNodes(url))) for _ in range(3)]


def test_of_nodes_that_would_all_leave_one_stays(nodes: list[ReadyNodes]) -> None:
    assert all(node.is_needed(would_leave=False) for node in nodes)
    assert [node.is_needed(would_leave=True) for node in nodes] == [False, False, True]
    assert [node.is_needed(would_leave=True) for node in nodes] == [False, False, True], "and again"
    nodes[2].leave()  # for another reason, such as a stop
    assert [node.is_needed(would_leave=True) for node in nodes[:2]] == [True, False]


def test_a_node_that_died_does_not_count(nodes: list[ReadyNodes]) -> None:
    first, second, _ = nodes
    assert second.is_needed(would_leave=False)
    assert not first.is_needed(would_leave=True)
    second.close()  # its session ends, as when its process is gone; the server hears of it soon
    wait_until(lambda: first.is_needed(would_leave=True))


def test_one_whose_session_was_cut_takes_its_lock_again(nodes: list[ReadyNodes]) -> None:
    first, second, third = nodes
    assert first.is_needed(would_leave=False)
    assert first._connection is not None
    pid = first._connection.connection.driver_connection.info.backend_pid  # type: ignore[union-attr]
    third.is_needed(would_leave=False)
    assert third._connection is not None
    third._connection.exec_driver_sql(f"SELECT pg_terminate_backend({pid}, 5000)")
    third.leave()
    assert first.is_needed(would_leave=False)
    assert first.is_needed(would_leave=False)
    assert not second.is_needed(would_leave=True)


def test_on_sqlite_and_without_an_answer_a_node_is_always_needed() -> None:
    for url in ("floor.db", "postgresql://nobody@127.0.0.1:1/none"):
        assert ReadyNodes(url).is_needed(would_leave=True)


def test_a_node_that_blocks_what_others_write_is_ready_only_if_no_other_is(
    nodes: list[ReadyNodes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "KEPT_S", 0.0)
    standing = {"table:1": 45, "table:2": 0}
    stub: Any = Stub(standing)
    floor = Floor(stub, KeyRing.fresh())
    floor.follower.is_behind = lambda *_: False  # type: ignore[method-assign]
    own, other, _ = nodes
    ready = Readiness(stub, floor.follower, floor.shutdown, nodes=own)

    async def day() -> None:
        assert other.is_needed(would_leave=False)
        stub.blocked = {"table:1": "is not the entry that the file of heads knows"}
        assert (await ready.look()).ready, "it may stand still everywhere"
        standing["table:1"] = 46  # another node has written there
        found = await ready.look()
        assert not found.ready
        assert found.following == (
            "table:1 is blocked here, and other nodes write it; run puntobanco audit --table table:1"
        )
        other.leave()
        assert (await ready.look()).ready, "the last ready node stays"
        assert other.is_needed(would_leave=False)
        assert not (await ready.look()).ready
        stub.blocked = {}
        assert (await ready.look()).ready

    asyncio.run(day())
