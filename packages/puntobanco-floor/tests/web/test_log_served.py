"""The log of a served floor: what anybody reads of it, and how a floor opens whose witnesses are gone."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.store.reader import reading
from puntobanco_proof.tree import log_tree, merkle
from puntobanco_proof.tree.checkpoints import Checkpoint, open_checkpoint
from puntobanco_proof.tree.notes import COSIGNATURE, Signer
from puntobanco_proof.tree.policies import Witness, read_policy, require_all
from puntobanco_proof.tree.tiles import ENTRIES, Tile, format_path, open_tree, split_bundle
from tests.floor.test_recovery_commands import by, open_house
from tests.support.forked import Forked, command_line
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.ports import free_port
from tests.support.quick_server import quick_clock
from tests.support.served import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("log"))
    yield found
    found.stop()


def got(served: Served, where: str) -> tuple[bytes, str]:
    with urllib.request.urlopen(f"{served.address}/log/{where}", timeout=PATIENCE_S) as answer:
        return answer.read(), answer.headers["cache-control"]


def checkpoint(served: Served) -> Checkpoint:
    note, kept = got(served, "checkpoint")
    assert kept == "no-cache"
    policy = read_policy(got(served, "policy")[0].decode())
    logs = [log.verifier for log in policy.logs]
    return open_checkpoint(note.decode(), logs).checkpoint


def test_a_stranger_verifies_the_log_with_what_the_floor_serves(served: Served) -> None:
    wait_until(lambda: checkpoint(served).size > 0)
    found = checkpoint(served)

    def tile(wanted: Tile) -> bytes:
        data, kept = got(served, format_path(wanted))
        assert "immutable" in kept
        return data

    assert log_tree.compute_root(found.size, open_tree(tile, found.size)) == found.root
    width = min(256, found.size)
    first = Tile(ENTRIES, 0, width)
    leaves = split_bundle(first, tile(first))
    assert b"".join(map(merkle.hash_leaf, leaves)) == tile(Tile(0, 0, width))
    assert len(leaves) == width


def test_it_grows_while_tables_play(served: Served) -> None:
    before = checkpoint(served).size
    wait_until(lambda: checkpoint(served).size > before)


@pytest.mark.parametrize(
    "where",
    [
        "tile/0/999",
        "tile/9/000",
        "tile/0/000.p/256",
        "tile/0/0",
        "tile/a",
        "tile/0/../../x",
        "tile/0/x",
    ],
)
def test_what_is_not_there_is_not_found(served: Served, where: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        got(served, where)
    refused.value.close()
    assert refused.value.code == 404


def test_the_folder_beside_the_heads_has_the_same(served: Served) -> None:
    folder = served.folder / "floor.db.tlog"
    wait_until((folder / "checkpoint").exists)
    text = (folder / "checkpoint").read_text()
    assert text.splitlines()[0] == got(served, "checkpoint")[0].decode().splitlines()[0]


# A floor whose witness is gone


@pytest.fixture
def lonely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A real floor that names a witness which nobody runs."""
    monkeypatch.chdir(tmp_path)
    open_house(tmp_path)
    signer = Signer("gone.example", COSIGNATURE, bytes(32))
    gone = Witness("gone.example", signer.verifier, f"http://127.0.0.1:{free_port()}")
    (tmp_path / "policy").write_text(require_all([], [gone]).text)
    return tmp_path


def test_it_opens_by_two_people_only_and_the_journal_says_so(lonely: Path) -> None:
    options = ["--witness-policy", "policy", "--port", str(free_port())]
    refused = command_line("serve", "--database", "floor.db", *options)
    assert refused.returncode == 2
    assert "no witness of this floor can be reached" in refused.stderr
    assert refused.stderr.count("\n") == 1
    alone = command_line(
        "serve", "--database", "floor.db", *options, "--unwitnessed", "cut", *by("root", "cara")
    )
    assert alone.returncode == 2
    assert "cara is a cashier" in alone.stderr
    two = by("root", "sue")
    served = Served(lonely, "--witness-policy", "policy", "--unwitnessed", "the line is cut", *two)
    try:
        wait_until(lambda: checkpoint(served).size > 0)
    finally:
        served.stop()
    with reading("floor.db") as reader:
        events = [event for entry in reader.decoded(FLOOR) for event in entry.events]
    [opened] = [event for event in events if isinstance(event, e.OpenedUnwitnessed)]
    assert (opened.proposed_by, opened.approved_by) == ("root", "sue")
    assert opened.reason == "the line is cut"
    assert audit("floor.db").fault is None


# A floor and a witness, as people start them


def started(tmp_path: Path, vkey: str, port: int) -> Forked:
    options = ["--folder", str(tmp_path / "ann"), "--log", vkey, "--port", str(port)]
    return Forked(quick_clock(1_500, 300), "witness", "serve", *options, log=tmp_path / "ann.log")


def test_a_witness_cosigns_and_the_audit_asks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    open_house(tmp_path)
    origin, port = "casino.example/floor", free_port()
    vkey = command_line("keys", "log", "--database", "floor.db", "--origin", origin).stdout.strip()
    assert vkey.startswith(f"{origin}+")
    made = command_line("witness", "init", "--name", "ann.example/w", "--folder", "ann")
    assert made.returncode == 0, made.stderr
    url = f"http://127.0.0.1:{port}"
    lines = command_line("witness", "show", "--folder", "ann", "--url", url).stdout
    Path("policy").write_text(f"log {vkey}\n{lines}quorum ann.example/w\n")
    witness = started(tmp_path, vkey, port)
    try:
        _answers(url)
        served = Served(tmp_path, "--witness-policy", "policy")
        try:
            wait_until(lambda: got(served, "checkpoint")[0].count("\N{EM DASH}".encode()) == 2)
            wait_until(lambda: checkpoint(served).size > 1)
        finally:
            served.stop()
        asked = ("audit", "--database", "floor.db", "--witness", "policy")
        found = command_line(*asked, "--json")
        assert json.loads(found.stdout)["witnesses"] == 1, found.stdout
    finally:
        witness.terminate()
        witness.wait()
    away = json.loads(command_line(*asked, "--json").stdout)
    assert away["fault"] is None
    assert any("ann.example/w was not asked" in said for said in away["unproven"])


def _answers(url: str) -> None:
    def is_there() -> bool:
        try:
            with urllib.request.urlopen(f"{url}/status", timeout=1):
                return True
        except OSError:
            return False

    wait_until(is_there)
