"""A floor and its clone, one witness: the clone learns that it is a fork, and pays no voucher by itself."""

import shutil
from pathlib import Path

from puntobanco_floor.store.sqlite import SqliteStore
from tests.floor.test_log_keeper import Node
from tests.floor.witnesses import TestWitness
from tests.storage.test_vouchers import paid, redeemed, two_tables
from tests.support.patience import wait_until


def open_node(node: Node) -> None:
    """Open the node as a floor does: what its log finds goes to its store."""
    node.keeper._on_change = lambda: setattr(node.store, "behind", node.keeper.fault)
    node.keeper.open()
    node.keeper.start()


def clone(node: Node, folder: Path) -> Node:
    """Database, keys, heads and publication folder, as somebody who holds all of them copies them."""
    folder.mkdir()
    node.store.close()
    for part in ("", ".keys", ".heads", ".node"):
        shutil.copy(f"{node.path}{part}", folder / f"floor.db{part}")
    shutil.copytree(node.folder, folder / "published")
    node.store = SqliteStore(node.path, clock=False)
    node.keeper = node.new_keeper()
    return Node(folder, *node.witnesses.values())


def test_a_clone_finds_that_it_is_a_fork_and_redeems_no_voucher(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    one = Node(tmp_path / "one", TestWitness("ann.example"))
    two_tables(one.store)
    one.keeper.open()
    one.keeper.step()
    one.keeper.compare()
    common = one.keeper.status.size
    two = clone(one, tmp_path / "two")
    try:
        for node in (one, two):
            open_node(node)
        one.play("here")
        one.keeper.wake()
        wait_until(lambda: one.keeper.status.witnessed > common, "the witness of what only one has")
        two.play("elsewhere")
        two.keeper.wake()
        wait_until(lambda: two.store.behind, "the clone learning that it is a fork")
        assert "another log" in two.store.behind
        assert redeemed(two.store, "w").code == "not-confirmed"
        assert paid(two.store, "w").proposal, "two people decide"
        assert redeemed(one.store, "w").ok, "the floor that the witness has seen pays it"
        assert one.store.behind == ""
    finally:
        for node in (one, two):
            node.keeper.stop()
            node.store.close()
