"""Others read what we write: Go's sumdb packages open our notes and tiles, verify our proofs, and make the same ones.

In the long suite alone: it needs Go, and the package golang-golang-x-mod-dev of Debian.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.checkpoints import (
    Checkpoint,
    cosign_checkpoint,
    open_checkpoint,
    sign_checkpoint,
)
from puntobanco_proof.tree.faults import encode_base64
from puntobanco_proof.tree.log_tree import compute_root, prove_consistency, prove_inclusion
from puntobanco_proof.tree.notes import add_signatures, read_vkey
from puntobanco_proof.tree.tiles import Tile, format_path, grow_tiles, open_tree
from tests.tlog.keys import LOG, ORIGIN, witness
from tests.tlog.trees import entries, flipped

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
pytestmark = pytest.mark.skipif(not SLOW, reason="needs Go; `make slow` runs it")

PROGRAM = Path(__file__).with_name("interop") / "main.go"
SIZES = (1, 2, 255, 256, 257, 1000, 70_000)
ANN = witness("ann.example/w")


def published(folder: Path, size: int) -> Checkpoint:
    """A log in files, as a floor publishes it, and proofs to verify."""
    leaves = entries(size)
    tiles = grow_tiles(0, [merkle.hash_leaf(one) for one in leaves], lambda _: b"")
    for tile, data in tiles.items():
        file = folder / format_path(tile)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

    def read(tile: Tile) -> bytes:
        return tiles[tile]

    hashes = open_tree(read, size)
    head = Checkpoint(ORIGIN, size, compute_root(size, hashes))
    note = add_signatures(
        sign_checkpoint(head, LOG), [cosign_checkpoint(head, ANN, time=1_763_348_400)]
    )
    (folder / "checkpoint").write_text(note, "utf-8")
    (folder / "keys").write_text(f"{LOG.verifier.text}\n{ANN.verifier.text}\n", "utf-8")
    indexes = sorted({0, size // 3, size // 2, size - 1})
    olds = sorted({1, size // 3 or 1, size // 2 or 1, size})
    small = {
        index: list(map(encode_base64, prove_inclusion(index, size, hashes))) for index in indexes
    }
    wanted = {
        "Leaves": [encode_base64(leaf) for leaf in leaves],
        "Record": [{"Index": index, "Proof": proof} for index, proof in small.items()],
        "Tree": [
            {
                "Old": old,
                "Root": encode_base64(
                    merkle.compute_root([merkle.hash_leaf(one) for one in leaves[:old]])
                ),
                "Proof": list(map(encode_base64, prove_consistency(old, size, hashes))),
            }
            for old in olds
        ],
    }
    (folder / "asked.json").write_text(json.dumps(wanted), "utf-8")
    return head


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert shutil.which("go"), "install Go: apt-get install golang-go golang-golang-x-mod-dev"
    built = tmp_path_factory.mktemp("go") / "interop"
    flags = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": ""}
    cache = {"GOCACHE": str(built.with_name("cache"))}
    command = ["go", "build", "-o", str(built), str(PROGRAM)]
    subprocess.run(command, check=True, env={**os.environ, **flags, **cache})
    return built


def asked(program: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, folder], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("size", SIZES)
def test_go_reads_notes_and_tiles_and_makes_the_same_proofs(
    program: Path, tmp_path: Path, size: int
) -> None:
    head = published(tmp_path, size)
    run = asked(program, tmp_path)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    assert (found["Text"], found["Size"]) == (head.text, size)
    assert found["Signed"] == [ORIGIN, "ann.example/w"]
    ours = json.loads((tmp_path / "asked.json").read_text("utf-8"))
    assert [proof or [] for proof in found["Records"]] == [one["Proof"] for one in ours["Record"]]
    assert [proof or [] for proof in found["Trees"]] == [one["Proof"] for one in ours["Tree"]]
    theirs = open_checkpoint(found["Note"], [read_vkey(found["Vkey"])])
    assert theirs.checkpoint == Checkpoint("go.example/log", size, head.root)
    print(
        f"\nGo: {size} leaves, {len(ours['Record'])} + {len(ours['Tree'])} proofs verified and made alike"
    )


@pytest.mark.parametrize("file", ["checkpoint", "tile/0/000", "tile/0/003.p/232", "tile/1/000.p/3"])
def test_go_refuses_what_is_changed(program: Path, tmp_path: Path, file: str) -> None:
    """Or the test above would prove nothing."""
    published(tmp_path, 1000)
    changed = tmp_path / file
    changed.write_bytes(flipped(changed.read_bytes(), 300))
    run = asked(program, tmp_path)
    assert run.returncode == 1
    print(f"\nGo: {file} changed: {run.stderr.strip()}")
