"""Tiles: their paths, and that they are the same in whatever portions a log has grown."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.faults import BadTile
from puntobanco_proof.tree.log_tree import (
    compute_root,
    is_consistent,
    is_included,
    prove_consistency,
    prove_inclusion,
)
from puntobanco_proof.tree.tiles import (
    ENTRIES,
    MAX_ENTRY_BYTES,
    WIDTH,
    Tile,
    format_path,
    grow_bundles,
    grow_tiles,
    list_changed_tiles,
    open_tree,
    read_path,
    split_bundle,
    split_tile,
)
from tests.tlog.trees import entries, leaves

LEAVES = leaves(70_000)


class Kept:
    """Tiles as a log keeps them: by level and index, each as wide as it has become."""

    def __init__(self) -> None:
        self.size, self.data = 0, dict[tuple[int, int], bytes]()

    def read(self, tile: Tile) -> bytes:
        return self.data[tile.level, tile.index]

    def grow(self, count: int) -> dict[Tile, bytes]:
        added = grow_tiles(self.size, LEAVES[self.size : self.size + count], self.read)
        self.size += count
        self.data |= {(tile.level, tile.index): data for tile, data in added.items()}
        return added


def at_once(size: int) -> Kept:
    log = Kept()
    log.grow(size)
    return log


@pytest.fixture(scope="module")
def large() -> Kept:
    return at_once(70_000)


# Growing


def test_the_tiles_of_a_large_log_are_those_that_the_specification_counts(large: Kept) -> None:
    """273 full ones and one of 112 hashes at level 0; one full and one of 17 at level 1; one of 1 at level 2."""
    widths = [(level, len(data) // 32) for (level, _), data in sorted(large.data.items())]
    assert widths == [(0, 256)] * 273 + [(0, 112), (1, 256), (1, 17), (2, 1)]


def test_a_full_tile_stands_in_the_level_above() -> None:
    assert set(at_once(255).data) == {(0, 0)}
    log = at_once(256)
    assert log.data[1, 0] == merkle.compute_root(LEAVES[:256])
    assert set(log.data) == {(0, 0), (1, 0)}


@pytest.mark.parametrize("seed", range(8))
def test_portions_do_not_matter(seed: int, large: Kept) -> None:
    seeded = random.Random(seed)
    log = Kept()
    while log.size < 70_000:
        portion = seeded.choice([1, 2, 255, 256, 257, seeded.randint(1, 3000), 65_536])
        before = log.size
        added = log.grow(min(portion, 70_000 - before))
        assert sorted(added) == sorted(list_changed_tiles(before, log.size))
        assert all(len(data) == 32 * tile.width for tile, data in added.items())
    assert log.data == large.data


def test_one_leaf_at_a_time_is_the_same_too() -> None:
    log = Kept()
    for size in range(1, 600):
        log.grow(1)
        assert log.data == at_once(size).data


def test_roots_and_proofs_from_tiles(large: Kept) -> None:
    seeded = random.Random(21)
    for size in [1, 2, 255, 256, 257, 65_535, 65_536, 65_537, 70_000]:
        hashes = open_tree(large.read, size)  # tiles that have grown since serve older sizes
        whole = compute_root(size, hashes)
        assert whole == merkle.compute_root(LEAVES[:size])
        for index in {0, size - 1, *(seeded.randrange(size) for _ in range(20))}:
            proof = prove_inclusion(index, size, hashes)
            assert is_included(LEAVES[index], index, size, proof, whole)
        for old in {1, size, *(seeded.randint(1, size) for _ in range(20))}:
            shown = prove_consistency(old, size, hashes)
            assert is_consistent(old, merkle.compute_root(LEAVES[:old]), size, whole, shown)


def test_a_proof_reads_each_tile_once(large: Kept) -> None:
    read = list[Tile]()

    def reading(tile: Tile) -> bytes:
        read.append(tile)
        return large.read(tile)

    prove_inclusion(12_345, 70_000, open_tree(reading, 70_000))
    assert len(read) == len(set(read)) <= 5


def test_a_tile_that_is_too_short_or_broken_is_refused() -> None:
    tile = Tile(0, 0, 8)
    for length in (0, 7 * 32, 8 * 32 - 1, 8 * 32 + 1, 257 * 32):
        with pytest.raises(BadTile, match=r"tile/0/000.p/8 has \d+ bytes"):
            split_tile(tile, bytes(length))
    assert len(split_tile(tile, bytes(9 * 32))) == 8


# Entry bundles


@pytest.mark.parametrize("portion", [1, 7, 256, 300, 600])
def test_bundles_hold_what_the_tiles_hash(portion: int) -> None:
    kept = dict[int, bytes]()
    whole = entries(600)

    def read(tile: Tile) -> bytes:
        return kept[tile.index]

    for size in range(0, 600, portion):
        more = grow_bundles(size, whole[size : size + portion], read)
        assert sorted(more) == sorted(
            list_changed_tiles(size, min(size + portion, 600), level=ENTRIES)
        )
        kept.update({tile.index: data for tile, data in more.items()})
    widths = {0: WIDTH, 1: WIDTH, 2: 88}
    found = [
        entry
        for i, data in kept.items()
        for entry in split_bundle(Tile(ENTRIES, i, widths[i]), data)
    ]
    assert found == whole
    assert [merkle.hash_leaf(entry) for entry in found] == LEAVES[:600]


def test_a_bundle_as_bytes() -> None:
    [(tile, data)] = grow_bundles(0, [b"ab", b"", bytes(MAX_ENTRY_BYTES)], lambda _: b"").items()
    assert tile == Tile(ENTRIES, 0, 3)
    assert data == b"\x00\x02ab\x00\x00\xff\xff" + bytes(MAX_ENTRY_BYTES)
    for cut in (1, 3, len(data) - 1):
        with pytest.raises(BadTile, match="does not hold 3 complete entries"):
            split_bundle(tile, data[:cut])


# Paths


@pytest.mark.parametrize(
    ("tile", "text"),
    [
        (Tile(0, 0), "tile/0/000"),
        (Tile(0, 1_234_067), "tile/0/x001/x234/067"),
        (Tile(1, 5, 17), "tile/1/005.p/17"),
        (Tile(63, 1000, 255), "tile/63/x001/000.p/255"),
        (Tile(ENTRIES, 999, 1), "tile/entries/999.p/1"),
    ],
)
def test_paths(tile: Tile, text: str) -> None:
    assert format_path(tile) == text
    assert read_path(text) == tile


@given(st.builds(Tile, st.integers(-1, 63), st.integers(0, 10**18), st.integers(1, 256)))
def test_a_path_is_read_as_it_was_written(tile: Tile) -> None:
    assert read_path(format_path(tile)) == tile


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "tile",
            "tile/0",
            "tile/0/",
            "tile/0/0",
            "tile/0/0000",
            "tile/0/x000/001",
            "tile/0/001/",
        ),
        *("tile/00/001", "tile/64/001", "tile/-1/001", "tile/0/001.p/0", "tile/0/001.p/256"),
        *(
            "tile/0/001.p/08",
            "tile/0/001.p/",
            "tile/0/001.p",
            "tile/x/001",
            "/tile/0/001",
            "tile/0/../1",
        ),
        *("tile/0/x001/x2/003", "tile/0/001\n", "tile/0/" + "x001/" * 7 + "001", "tile/0/٠٠١"),
    ],
)
def test_other_paths_are_refused_in_a_line(text: str) -> None:
    with pytest.raises(BadTile) as caught:
        read_path(text)
    assert "\n" not in caught.value.reason
