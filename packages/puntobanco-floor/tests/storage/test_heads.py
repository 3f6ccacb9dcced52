"""The file of heads is a node's memory: what it lacks is filed at the start, and that it was lost is said."""

import logging
from pathlib import Path

import pytest
from sqlalchemy import text

from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.engines import connected
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.entry.heads import read_heads
from tests.storage.conftest import Place
from tests.storage.test_contract import TABLE, Asker

LOST = "is new or was lost: this node cannot tell whether the database is behind what was played"


def node(place: Place) -> Store:
    """The same node, started again."""
    heads = place.folder / "1.heads"
    store = open_store(place.url, keys=place.keys, heads=heads, clock=False, notify=False)
    place.stores.callback(store.close)
    return store


def known(place: Place) -> int:
    """The last entry that the node's file of heads knows."""
    lines = (place.folder / "1.heads").read_bytes().splitlines(keepends=True)
    return max((head.seq for head in read_heads(lines)), default=0)


def played(place: Place) -> int:
    table = Asker(place.open())
    table.open_table()
    table.seat("ann", "bob")
    last = table.store.table(TABLE).state.seq
    place.stores.close()
    return last


def test_a_lost_file_is_said_and_known_again_from_what_nodes_have_signed(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    last = played(place)
    (place.folder / "1.heads").unlink()
    with caplog.at_level(logging.WARNING, "puntobanco.storage"):
        node(place).close()
    [said] = [record.getMessage() for record in caplog.records if LOST in record.getMessage()]
    assert "puntobanco audit --heads FILE" in said
    assert known(place) == last
    caplog.clear()
    node(place).close()
    assert LOST not in caplog.text


def test_a_file_that_is_behind_is_brought_up_so_that_a_cut_tail_is_missed(place: Place) -> None:
    last = played(place)
    path = place.folder / "1.heads"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-2]))
    node(place).close()
    assert known(place) == last
    cut(place, last)
    with pytest.raises(Fault, match=f"this node has seen entry {last}"):
        node(place).table(TABLE)


def cut(place: Place, last: int) -> None:
    """The last commit of the table taken out by who may drop triggers."""
    with connected(place.url) as db:
        for name in ("entries", "heads", "transfers"):
            if is_postgres(place.url):
                db.execute(text(f"DROP TRIGGER IF EXISTS {name}_append_only ON {name}"))
                db.execute(text(f"DROP TRIGGER IF EXISTS {name}_set_aside ON {name}"))
            else:
                db.execute(text(f"DROP TRIGGER IF EXISTS {name}_no_delete"))
            db.execute(text(f"DELETE FROM {name} WHERE stream = '{TABLE}' AND seq = {last}"))


def test_a_new_floor_has_lost_nothing(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    table = Asker(place.open())
    table.do(c.OpenTable(by="pit", game="rapid"))
    assert LOST not in caplog.text


def test_nodes_with_their_own_files_of_heads_have_their_own_keys(tmp_path: Path) -> None:
    ring = tmp_path / "floor.keys"
    ids = set[str]()
    for name in ("heads.a", "heads.b", "1.heads", "2.heads"):
        with open_store(str(tmp_path / "floor.db"), keys=ring, heads=tmp_path / name) as store:
            ids.add(store.node.id)
    assert len(ids) == 4
    assert (tmp_path / "1.node").exists(), "as it was called before"
