"""What every command is: who asks, what is true of its kind, and the values it is made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, ClassVar

from msgspec import Meta

from puntobanco.base.words import Words
from puntobanco.rules.causes import OTHER, Cause
from puntobanco_floor.domain.event import About, Role
from puntobanco_floor.domain.refusals import CauseRefused
from puntobanco_floor.domain.stream_events import Proposed
from puntobanco_proof.entry.record import Record

MAX_CENTS = 10**13
"""A hundred billion dollars: what one command may move."""

Id = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@-]*$(?!\n)")
]
Cents = Annotated[int, Meta(gt=0, le=MAX_CENTS)]
Allowance = Annotated[int, Meta(ge=0, le=MAX_CENTS)]
MAX_NOTE = 400
Note = Annotated[str, Meta(max_length=MAX_NOTE)]
Reason = Annotated[str, Meta(min_length=1, max_length=400)]
Anything = Annotated[object, Meta(extra_json_schema={"description": "any value"})]

NOBODY: frozenset[Role] = frozenset()
"""No role of the staff: a terminal, the clock or the floor gives the command."""

DEALERS: frozenset[Role] = frozenset({"dealer", "supervisor"})
SUPERVISORS: frozenset[Role] = frozenset({"supervisor"})
MANAGERS: frozenset[Role] = frozenset({"supervisor", "administrator"})
CASHIERS: frozenset[Role] = frozenset({"cashier"})
DECIDERS: frozenset[Role] = frozenset({"supervisor", "cashier"})
ADMINISTRATORS: frozenset[Role] = frozenset({"administrator"})


@dataclass(frozen=True, kw_only=True)
class CommandTraits:
    """The definition of a kind of command: everything that more than one module asks about it."""

    title: Words  # "void the round", as screens and documents name it
    about: About = "round"  # what a proposal of it lapses with
    phases: frozenset[str] | None = None  # of a table, where it is allowed; None: in all of them
    by: frozenset[Role] = NOBODY  # the roles that may give it
    # Given what is asked, the command and the events that would follow: the proposal, where a
    # second person is needed; None where one person is enough.
    second: Callable[..., Proposed | None] | None = None
    cards: bool = False  # it needs the cards of a virtual shoe
    stakes: bool = False  # it begins a round or stakes more: refused where the log is behind
    causes: tuple[str, ...] = ()  # what people choose its `reason` from


def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Command(Record, tag_field="command", tag=_kebab):
    """Something that is asked for, in the imperative. `by` is who asks."""

    traits: ClassVar[CommandTraits]

    by: Id

    @classmethod
    @cache  # of the class: asked for at every entry
    def name(cls) -> str:
        return str(cls.__struct_config__.tag)


class Cash(Command, kw_only=True):
    """Cash in the drawer of this shift at this cage window; the floor fills both in."""

    # 0: no cage window, as where a demonstration gives credits
    window: Annotated[int, Meta(ge=0, le=1_000)] = 0
    shift: Annotated[int, Meta(ge=0)] = 0


def stated(code: str, note: str = "") -> Cause:
    """A cause that somebody has chosen, with the note, which patrons are not told."""
    note = note.strip()
    if len(note) > MAX_NOTE:
        raise CauseRefused(f"a note has at most {MAX_NOTE} characters")
    if code == OTHER and not note:
        raise CauseRefused(Words("write another reason in the note", "請在備註說明其他原因"))
    return Cause(code, (note,) if note else ())


def verify_stated(command: Command) -> None:
    """Refuse a reason that people may not give; the floor and the clock have their own."""
    causes = command.traits.causes
    if not causes:
        return
    reason: object = getattr(command, "reason", "")
    if not reason:  # none, where the kind asks for none
        return
    if not isinstance(reason, Cause) or reason.code not in causes:
        raise CauseRefused(f"give one of these causes: {', '.join(causes)}")
    if reason != stated(reason.code, reason.note):
        raise CauseRefused("a cause has one note at most, a text without spaces around it")
