"""Tiles (C2SP tlog-tiles): files with 256 hashes of a log's tree, and entry bundles.

A tile of level 0 holds the hashes of 256 leaves, a tile of level 1 the roots of 256 tiles of level
0, and so on. The last tile of a level may be partial; later versions append to it until it is full.
Entry bundles hold the leaves themselves and have similar paths.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.faults import HASH_BYTES, MAX_SIZE, BadTile, quote_text
from puntobanco_proof.tree.log_tree import Hashes

HEIGHT = 8
WIDTH = 1 << HEIGHT
ENTRIES = -1
"""The level of an entry bundle; its path has `entries` in place of a number."""

MAX_LEVEL = 63
LENGTH_BYTES = 2
MAX_ENTRY_BYTES = (1 << 8 * LENGTH_BYTES) - 1
CACHED_TILES = 64
"""Tiles cached while proofs are built from them."""

_PATH = re.compile(
    r"tile/(?P<level>entries|0|[1-9][0-9]?)/"
    r"(?P<index>(?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """The coordinates of a tile; `width` is its number of hashes, 1 to 256."""

    level: int
    index: int
    width: int = WIDTH


Read: TypeAlias = Callable[[Tile], bytes]
"""Read a tile's bytes; they may exceed its width, because tiles grow in place."""


# Paths


def format_path(tile: Tile) -> str:
    """Format the path of a tile.

    >>> format_path(Tile(0, 1067, 8))
    'tile/0/x001/067.p/8'
    >>> format_path(Tile(ENTRIES, 3))
    'tile/entries/003'
    """
    level = "entries" if tile.level == ENTRIES else str(tile.level)
    partial = "" if tile.width == WIDTH else f".p/{tile.width}"
    return f"tile/{level}/{_format_index(tile.index)}{partial}"


def _format_index(index: int) -> str:
    last = f"{index % 1000:03}"
    parts = [last]
    while index >= 1000:
        index //= 1000
        parts.insert(0, f"x{index % 1000:03}")
    return "/".join(parts)


def read_path(text: str) -> Tile:
    found = _PATH.fullmatch(text)
    if not found:
        raise BadTile(f"{quote_text(text)} is not the path of a tile")
    level = ENTRIES if found["level"] == "entries" else int(found["level"])
    index = int(found["index"].replace("x", "").replace("/", ""))
    tile = Tile(level, index, int(found["width"] or WIDTH))
    is_partial = found["width"] is not None
    # reject other spellings: leading zeros, a partial tile of full width
    is_known = level <= MAX_LEVEL and tile.width <= WIDTH - is_partial
    if not is_known or format_path(tile) != text:
        raise BadTile(f"{quote_text(text)} is not the path of a tile")
    return tile


def list_changed_tiles(old: int, new: int, *, level: int = 0) -> Iterator[Tile]:
    """Yield the tiles that are new or wider when a log grows from `old` to `new` leaves."""
    while new and level <= MAX_LEVEL:
        for index in range(old // WIDTH, -(-new // WIDTH)):
            width = min(WIDTH, new - index * WIDTH)
            if index * WIDTH + width > old:
                yield Tile(level, index, width)
        if level == ENTRIES:
            return
        old, new, level = old // WIDTH, new // WIDTH, level + 1


# Hashes


def open_tree(read: Read, size: int) -> Hashes:
    """Return a lookup of subtree hashes in the tiles of a log of `size` leaves."""
    kept = lru_cache(CACHED_TILES)(read)

    def find_hash(level: int, index: int) -> bytes:
        tile_level, height = divmod(level, HEIGHT)
        first = index << height
        in_level = size >> HEIGHT * tile_level
        tile_index = first // WIDTH
        tile = Tile(tile_level, tile_index, min(WIDTH, in_level - tile_index * WIDTH))
        place = first % WIDTH
        assert place + (1 << height) <= tile.width, f"no complete subtree {level}, {index}"
        found = split_tile(tile, kept(tile))
        return merkle.compute_root(found[place : place + (1 << height)])

    return find_hash


def split_tile(tile: Tile, data: bytes) -> list[bytes]:
    """Split a tile into its hashes; ignore bytes beyond its width."""
    whole = len(data) % HASH_BYTES == 0
    if not whole or not tile.width * HASH_BYTES <= len(data) <= WIDTH * HASH_BYTES:
        raise BadTile(
            f"{format_path(tile)} has {len(data)} bytes; it needs {tile.width * HASH_BYTES}"
        )
    starts = range(0, tile.width * HASH_BYTES, HASH_BYTES)
    return [data[start : start + HASH_BYTES] for start in starts]


def grow_tiles(size: int, leaves: Sequence[bytes], read: Read) -> dict[Tile, bytes]:
    """Return the tiles that become new or wider with these leaves; `read` loads partial tiles."""
    assert size + len(leaves) <= MAX_SIZE
    tiles = dict[Tile, bytes]()
    level, begin, added = 0, size, list(leaves)
    while added:
        index, width = divmod(begin, WIDTH)
        last = Tile(level, index, width)
        row = (split_tile(last, read(last)) if width else []) + added
        roots = list[bytes]()
        for place in range(0, len(row), WIDTH):
            held = row[place : place + WIDTH]
            tiles[Tile(level, index + place // WIDTH, len(held))] = b"".join(held)
            if len(held) == WIDTH:
                roots.append(merkle.compute_root(held))
        level, begin, added = level + 1, index, roots
    return tiles


# Entry bundles


def grow_bundles(size: int, entries: Sequence[bytes], read: Read) -> dict[Tile, bytes]:
    """Return the bundles that become new or longer when these entries follow `size` others."""
    bundles = dict[Tile, bytes]()
    index, width = divmod(size, WIDTH)
    last = Tile(ENTRIES, index, width)
    row = (split_bundle(last, read(last)) if width else []) + list(entries)
    for place in range(0, len(row), WIDTH):
        held = row[place : place + WIDTH]
        bundles[Tile(ENTRIES, index + place // WIDTH, len(held))] = _join_entries(held)
    return bundles


def split_bundle(tile: Tile, data: bytes) -> list[bytes]:
    """Split a bundle into its entries; ignore entries beyond its width."""
    entries = list[bytes]()
    place = 0
    while place < len(data):
        begin = place + LENGTH_BYTES
        place = begin + int.from_bytes(data[place:begin])
        entries.append(data[begin:place])
    if place != len(data) or not tile.width <= len(entries) <= WIDTH:
        raise BadTile(f"{format_path(tile)} does not hold {tile.width} complete entries")
    return entries[: tile.width]


def _join_entries(entries: Sequence[bytes]) -> bytes:
    """Join entries, each prefixed with its length."""
    lengths = set(map(len, entries))
    assert max(lengths) <= MAX_ENTRY_BYTES
    if len(lengths) == 1:  # always true of our logs
        [length] = lengths
        return length.to_bytes(LENGTH_BYTES).join([b"", *entries])
    return b"".join(len(entry).to_bytes(LENGTH_BYTES) + entry for entry in entries)
