"""Simplified Chinese, made of the Traditional text by the same map that the screens have.

>>> simplified("賭枱 3 已關閉")
'赌桌 3 已关闭'
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_MAP = Path(__file__).parent / "web/screens/base/hans.js"
_PAIRS = re.compile(r"PAIRS =((?:\s*\+?\s*\"[^\"]*\")+);")
_WORDS = re.compile(r'\["([^"]+)", "([^"]+)"\]')


@cache
def table() -> dict[str, str]:
    """What becomes of each word and each character; a word goes before its characters."""
    text = _MAP.read_text("utf-8")
    rows = _PAIRS.search(text)
    assert rows, f"{_MAP} has no pairs"
    letters = "".join(re.findall(r'"([^"]*)"', rows[1]))
    pairs = zip(letters[::2], letters[1::2], strict=True)
    return dict(_WORDS.findall(text)) | dict(pairs)


@cache
def _known() -> re.Pattern[str]:
    return re.compile("|".join(table()))


def simplified(text: str) -> str:
    """The text with every Traditional word and character replaced; what is none stays."""
    return _known().sub(lambda found: table()[found[0]], text)
