"""What is true of a kind of command or event, written once, beside its type.

A trait is a fact that more than one part of the program needs: phases and roles, the second person,
what the public hears, what is signed, how it is said. Whoever needs one reads it from the kind; no
module lists kinds that it does not define. The traits of a command are in `commands.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from puntobanco.rules.text import Words

About: TypeAlias = Literal["round", "shoe", "money"]
"""What a proposal is about: one about a round or a shoe lapses with it, one about money never does.
"""

Group: TypeAlias = Literal["wagers", "cards", "decisions", "money", "table", "house"]
"""Where the audit page files an event."""

Role: TypeAlias = Literal["dealer", "supervisor", "cashier", "auditor", "administrator"]


@dataclass(frozen=True, kw_only=True)
class EventTraits:
    """Of a kind of event."""

    group: Group
    says: Callable[[Any], Words]  # the event in one line, for people
    public: bool = False  # everybody at the table hears it
    private: tuple[str, ...] = ()  # fields that the public does not hear
    secret: tuple[str, ...] = ()  # fields that no audit page shows
    signs: bool = False  # the head of its entry is signed
    seals: bool = False  # it ends a period of the journal
    carried: bool = False  # something follows from it in another stream
    ends: tuple[About, str] | None = None  # the proposals that lapse with it, and the word for why
