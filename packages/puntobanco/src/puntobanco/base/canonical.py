"""Canonical JSON: the one way to write a plain value as bytes."""

from __future__ import annotations

import json


def canonical(plain: object) -> bytes:
    """Return JSON in UTF-8 with sorted keys and no spaces.

    >>> canonical({"b": 1, "a": "閒"}).decode()
    '{"a":"閒","b":1}'
    """
    text = json.dumps(
        plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()
