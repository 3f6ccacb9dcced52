"""What is true of a kind of command or event, written once, beside its type.

A trait is a fact that more than one part of the program needs: phases and roles, the second person,
what the public hears, what is signed, how it is said. Whoever needs one reads it from the kind; no
module lists kinds that it does not define. The traits of a command are in `commands.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

About: TypeAlias = Literal["round", "shoe", "money"]
"""What a proposal is about: one about a round or a shoe lapses with it, one about money never does.
"""

Group: TypeAlias = Literal["wagers", "cards", "decisions", "money", "table", "house"]
"""Where the audit page files an event."""

Role: TypeAlias = Literal["dealer", "supervisor", "cashier", "auditor", "administrator"]


@dataclass(frozen=True, kw_only=True)
class EventTraits:
    """Of a kind of event. What depends on the single event is a method of the kind: `says`,
    `reported`, `transfers`, `figures`.
    """

    group: Group
    heading: str = ""  # of significant events in reports; an everyday event has none
    public: bool = False  # everybody at the table hears it, and the public version counts it
    private: tuple[str, ...] = ()  # fields that the public does not hear
    secret: tuple[str, ...] = ()  # fields that no audit page shows
    # the field whose members are parts of the entry, each one patron's: one can be shown alone
    apart: str = ""
    anchors: bool = False  # the file of heads is on disk before anybody is answered
    shown: bool = False  # witnesses see a checkpoint with it at once
    seals: bool = False  # it ends a period of the journal
    beside: bool = False  # rows beside the journal change with it: vouchers, sealed cards
    carried: bool = False  # something follows from it in another stream
    ends: tuple[About, str] | None = None  # the proposals that lapse with it, and a code for why
    phase: str = ""  # of the table after it, where that is always the same
