"""The follower's copies: what this node is behind with, and what it can no longer follow."""

from pathlib import Path

from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.entry.format import Fault


def test_a_blocked_table_holds_nobody_up_and_a_blocked_house_everybody(tmp_path: Path) -> None:
    """Patrons are not sent to a node that knows old exclusions, staff and terminals."""
    with SqliteStore(tmp_path / "floor.db") as store:
        follower = Follower(store)
        assert follower.is_behind("table:1", 1)
        for name in ("table:1", FLOOR):
            follower._block(name, Fault("spoiled"))
        assert not follower.is_behind("table:1", 1)
        assert follower.is_behind(FLOOR, 1)
