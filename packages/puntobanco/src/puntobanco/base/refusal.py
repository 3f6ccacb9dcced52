"""Refusal: the base class of every error that a user can cause."""

from __future__ import annotations

import re
from typing import ClassVar

from puntobanco.base.citations import citation
from puntobanco.base.words import Words, words


class Refusal(Exception):
    """Something a person asked for and cannot have; its `words` are written for that person.

    Where they are English alone, which only the staff and designers are told, their Chinese is
    what `in_short` says of the whole kind.
    """

    code = "refusal"
    """The kind of refusal, for programs and tables of tests: `bets-are-closed`."""

    in_short: ClassVar = Words("It was refused", "不獲接受")
    """What is refused, in the fewest words. Each kind that a terminal or a dealer's console can
    meet has its own.
    """

    remedy: ClassVar = ""
    """What to do about it, in a sentence: `docs/reference/errors.md` has each kind with its own."""

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    def __init__(self, reason: Words | str, *, clause: str | None = None) -> None:
        said = words(reason)
        super().__init__(said.en)
        self.words = said if said.zh != said.en else Words(said.en, self.in_short.zh)
        self.clause = clause

    @property
    def reason(self) -> str:
        """The English without its clause, for logs and command lines."""
        return self.words.en

    def __str__(self) -> str:
        if self.clause:
            return f"{self.reason} [{citation(self.clause, 'en')}]"
        return self.reason


class StakeRefused(Refusal):
    """A stake that cannot be taken."""

    in_short = Words("The stake is refused", "注額不獲接受")
    remedy = "Change the stake to whole cents that this bet can pay out exactly."


class BadInput(Refusal):
    """A body or message that is not what is expected."""

    in_short = Words("This cannot be read", "無法讀取所送資料")
    remedy = "Send JSON as the OpenAPI document describes it; the field that is wrong is named."


class BadText(Refusal):
    """Text with a character that cannot be seen."""

    in_short = Words("The text has a hidden character", "文字含有隱藏字元")
    remedy = "Type the text again instead of pasting it, in one line."


class ExtraNeeded(Refusal):
    """What cannot be done without packages that are not installed."""

    remedy = "Run the line that it ends with, in the folder of your wheel or checkout."
