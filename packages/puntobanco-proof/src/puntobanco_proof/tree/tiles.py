"""Tiles: the hashes of a log's tree in files of 256, as C2SP's tlog-tiles names and grows them.

A tile of level 0 holds the hashes of 256 leaves, one of level 1 the roots of 256 tiles of level 0,
and so on. The last tile of a level may be partial; it grows until it is full, and what it held is
the beginning of what it holds. Entry bundles, with the leaves themselves, are named alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.faults import HASH_BYTES, MOST_SIZE, BadTile, shown
from puntobanco_proof.tree.log_tree import Hashes

HEIGHT = 8
WIDTH = 1 << HEIGHT
ENTRIES = -1
"""The level of an entry bundle, whose path says `entries` instead of a number."""

MOST_LEVEL = 63
LENGTH_BYTES = 2
MOST_ENTRY_BYTES = (1 << 8 * LENGTH_BYTES) - 1
KEPT = 64
"""Tiles that are kept while proofs are made from them."""

_PATH = re.compile(
    r"tile/(?P<level>entries|0|[1-9][0-9]?)/"
    r"(?P<index>(?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """Which tile, and how many hashes it has: 1 to 256."""

    level: int
    index: int
    width: int = WIDTH


Read: TypeAlias = Callable[[Tile], bytes]
"""What a tile holds; more than its width may come back, since a tile grows in place."""


# Paths


def path(tile: Tile) -> str:
    """
    >>> path(Tile(0, 1067, 8))
    'tile/0/x001/067.p/8'
    >>> path(Tile(ENTRIES, 3))
    'tile/entries/003'
    """
    level = "entries" if tile.level == ENTRIES else str(tile.level)
    partial = "" if tile.width == WIDTH else f".p/{tile.width}"
    return f"tile/{level}/{_digits(tile.index)}{partial}"


def _digits(index: int) -> str:
    last = f"{index % 1000:03}"
    parts = [last]
    while index >= 1000:
        index //= 1000
        parts.insert(0, f"x{index % 1000:03}")
    return "/".join(parts)


def read_path(text: str) -> Tile:
    found = _PATH.fullmatch(text)
    if not found:
        raise BadTile(f"{shown(text)} is not the path of a tile")
    level = ENTRIES if found["level"] == "entries" else int(found["level"])
    index = int(found["index"].replace("x", "").replace("/", ""))
    tile = Tile(level, index, int(found["width"] or WIDTH))
    is_partial = found["width"] is not None
    # written again it is the same: no zeros in front, no partial tile of full width
    is_known = level <= MOST_LEVEL and tile.width <= WIDTH - is_partial
    if not is_known or path(tile) != text:
        raise BadTile(f"{shown(text)} is not the path of a tile")
    return tile


def changed(old: int, new: int, *, level: int = 0) -> Iterator[Tile]:
    """The tiles that a log of `new` leaves has and one of `old` leaves had not, or narrower."""
    while new and level <= MOST_LEVEL:
        for index in range(old // WIDTH, -(-new // WIDTH)):
            width = min(WIDTH, new - index * WIDTH)
            if index * WIDTH + width > old:
                yield Tile(level, index, width)
        if level == ENTRIES:
            return
        old, new, level = old // WIDTH, new // WIDTH, level + 1


# Hashes


def hashes_from(read: Read, size: int) -> Hashes:
    """The hashes of a log of `size` leaves, from its tiles."""
    kept = lru_cache(KEPT)(read)

    def hash_of(level: int, index: int) -> bytes:
        tile_level, height = divmod(level, HEIGHT)
        first = index << height
        in_level = size >> HEIGHT * tile_level
        of = first // WIDTH
        tile = Tile(tile_level, of, min(WIDTH, in_level - of * WIDTH))
        place = first % WIDTH
        assert place + (1 << height) <= tile.width, f"no complete subtree {level}, {index}"
        found = hashes_in(tile, kept(tile))
        return merkle.root(found[place : place + (1 << height)])

    return hash_of


def hashes_in(tile: Tile, data: bytes) -> list[bytes]:
    """The hashes of a tile, no more than its width."""
    whole = len(data) % HASH_BYTES == 0
    if not whole or not tile.width * HASH_BYTES <= len(data) <= WIDTH * HASH_BYTES:
        raise BadTile(f"{path(tile)} has {len(data)} bytes; it has {tile.width * HASH_BYTES}")
    starts = range(0, tile.width * HASH_BYTES, HASH_BYTES)
    return [data[start : start + HASH_BYTES] for start in starts]


def grown(size: int, leaves: Sequence[bytes], read: Read) -> dict[Tile, bytes]:
    """Return the tiles that are new or wider with these leaves; `read` gives partial tiles."""
    assert size + len(leaves) <= MOST_SIZE
    tiles = dict[Tile, bytes]()
    level, begin, added = 0, size, list(leaves)
    while added:
        index, width = divmod(begin, WIDTH)
        last = Tile(level, index, width)
        row = (hashes_in(last, read(last)) if width else []) + added
        roots = list[bytes]()
        for place in range(0, len(row), WIDTH):
            held = row[place : place + WIDTH]
            tiles[Tile(level, index + place // WIDTH, len(held))] = b"".join(held)
            if len(held) == WIDTH:
                roots.append(merkle.root(held))
        level, begin, added = level + 1, index, roots
    return tiles


# Entry bundles


def bundled(size: int, entries: Sequence[bytes], read: Read) -> dict[Tile, bytes]:
    """The bundles that are new or longer when these entries come after `size` others."""
    bundles = dict[Tile, bytes]()
    index, width = divmod(size, WIDTH)
    last = Tile(ENTRIES, index, width)
    row = (entries_in(last, read(last)) if width else []) + list(entries)
    for place in range(0, len(row), WIDTH):
        held = row[place : place + WIDTH]
        bundles[Tile(ENTRIES, index + place // WIDTH, len(held))] = _sized(held)
    return bundles


def entries_in(tile: Tile, data: bytes) -> list[bytes]:
    """The entries of a bundle, no more than its width."""
    entries = list[bytes]()
    place = 0
    while place < len(data):
        begin = place + LENGTH_BYTES
        place = begin + int.from_bytes(data[place:begin])
        entries.append(data[begin:place])
    if place != len(data) or not tile.width <= len(entries) <= WIDTH:
        raise BadTile(f"{path(tile)} does not hold {tile.width} whole entries")
    return entries[: tile.width]


def _sized(entries: Sequence[bytes]) -> bytes:
    """Each behind its length."""
    lengths = set(map(len, entries))
    assert max(lengths) <= MOST_ENTRY_BYTES
    if len(lengths) == 1:  # as those of our logs
        [length] = lengths
        return length.to_bytes(LENGTH_BYTES).join([b"", *entries])
    return b"".join(len(entry).to_bytes(LENGTH_BYTES) + entry for entry in entries)
