"""Duplicate keys: JSON whose object names a key twice is refused.

Readers differ in which of the two they take: what was checked may not be what is done.
"""

from __future__ import annotations

import json


class DuplicateKey(ValueError):
    """A key that stands twice in one object."""


def verify_unique_keys(data: str | bytes) -> None:
    """Of JSON that has been read once already; numbers stay text here, however long they are."""
    json.loads(
        data,
        object_pairs_hook=_verify,
        parse_int=str,
        parse_float=str,
        parse_constant=str,
    )


def _verify(pairs: list[tuple[str, object]]) -> None:
    if len(dict(pairs)) == len(pairs):
        return
    seen = set[str]()
    for key, _ in pairs:
        if key in seen:
            raise DuplicateKey(f'"{key:.40}" stands twice in one object')
        seen.add(key)
