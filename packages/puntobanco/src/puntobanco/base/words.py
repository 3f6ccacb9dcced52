"""Words: a text in English and in Traditional Chinese."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True)  # with slots, msgspec takes almost twice as long to write it
class Words:
    """A text in each language; without Chinese, both are the English one. A message carries it
    as one field, `{"en": ..., "zh": ...}`.

    >>> Words("Banker", "莊").zh, Words("Lucky Red").zh
    ('莊', 'Lucky Red')
    """

    en: str
    zh: str = ""

    def __post_init__(self) -> None:
        if not (isinstance(self.en, str) and isinstance(self.zh, str)):
            raise TypeError(f"Words takes texts, not {self.en!r:.40} and {self.zh!r:.40}")
        if not self.zh:
            object.__setattr__(self, "zh", self.en)

    def __bool__(self) -> bool:
        """Return whether it says anything: `words or None` is an optional text of a message."""
        return bool(self.en)

    def in_(self, language: Language) -> str:
        """The text in a language."""
        return self.zh if language == "zh" else self.en

    def format(self, *arguments: Words | str | int) -> Words:
        """Fill the `{}` of each language with the arguments in that language."""
        english = [a.en if isinstance(a, Words) else a for a in arguments]
        chinese = [a.zh if isinstance(a, Words) else a for a in arguments]
        return Words(self.en.format(*english), self.zh.format(*chinese))


def words(text: Words | str) -> Words:
    if isinstance(text, Words):
        return text
    return Words(text)


def join(parts: Iterable[Words], *, en: str, zh: str) -> Words:
    parts = tuple(parts)
    return Words(en.join(p.en for p in parts), zh.join(p.zh for p in parts))
