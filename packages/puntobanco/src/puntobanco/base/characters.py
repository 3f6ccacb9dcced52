"""Hidden characters: refused in texts that people write, escaped where texts are printed.

Control characters move a terminal's cursor and forge lines; bidirectional controls turn the reading
order round; zero-width characters let one name imitate another.
"""

from __future__ import annotations

import json
import re
import unicodedata

from puntobanco.base.refusal import BadInput, BadText
from puntobanco.base.words import Words

_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # C0, DEL and C1
    "\u00ad\u034f\u061c\u070f\u180b-\u180f\u200b-\u200f\u2060-\u206f\ufeff"  # of no width
    "\u2028-\u202e\ufff0-\ufffb\ufe00-\ufe0f"  # of lines and of direction, and variations
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # fillers
    "\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_OF_LINES = "\t\n\r"

MAX_DEPTH = 100
"""Objects and lists inside one another; the deepest that this program writes, a game's conditions,
stay far below.
"""

SECRET_FIELDS = frozenset({"before", "password", "shown"})
"""Passwords: nobody is shown them, and one that was chosen long ago must still open the door."""

LINES_FIELDS = frozenset({"source"})
"""A game's file: text of many lines."""


def verify_text(text: str, what: str, *, lines: bool = False) -> None:
    """Refuse a text with a hidden character; with `lines` it may have line breaks and
    tabs.

    >>> verify_text("大廳 Table 7", "the note")
    >>> verify_text("paid\\u202e", "the note")
    Traceback (most recent call last):
    puntobanco.base.refusal.BadText: the note has a hidden character, U+202E (right-to-left \
override), at place 5
    """
    if text.isascii() and text.isprintable():
        return
    for found in _HIDDEN.finditer(text):
        if lines and found[0] in _OF_LINES:
            continue
        name = unicodedata.name(found[0], "control character").lower()
        said = Words(
            "{0} has a hidden character, {1} ({2}), at place {3}",
            "{0}含有隱藏字元 {1}（{2}，第 {3} 個）",
        )
        code = f"U+{ord(found[0]):04X}"
        raise BadText(said.format(escaped(f"{what:.40}"), code, name, found.start() + 1))


def verify_texts(value: object, field: str = "", depth: int = 1) -> None:
    """Refuse a hidden character in any text of plain data, and data that is nested too deep."""
    if isinstance(value, str):
        if field not in SECRET_FIELDS:
            verify_text(value, field or "the text", lines=field in LINES_FIELDS)
        return
    if not isinstance(value, dict | list | tuple):
        return
    if depth > MAX_DEPTH:
        raise too_deep()
    if not isinstance(value, dict):
        for item in value:
            verify_texts(item, field, depth + 1)
        return
    for key, item in value.items():
        verify_text(key, "a field's name")
        verify_texts(item, key, depth + 1)


def too_deep() -> BadInput:
    return BadInput(f"that cannot be read: more than {MAX_DEPTH} levels deep")


def escaped(text: str) -> str:
    """The text with hidden characters as JSON writes them: for terminals and reports, of texts
    that came in before they were refused.

    >>> escaped("a\\u202eb\\x1b[2J")
    'a\\\\u202eb\\\\u001b[2J'
    """
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text)
