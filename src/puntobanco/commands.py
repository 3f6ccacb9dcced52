"""What every command is: who asks, and the kinds of values that commands are made of."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from puntobanco.events import Record

MAX_CENTS = 10**13
"""A hundred billion dollars: what one command may move."""

Id = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@-]*$(?!\n)")
]
Cents = Annotated[int, Meta(gt=0, le=MAX_CENTS)]
Allowance = Annotated[int, Meta(ge=0, le=MAX_CENTS)]
Note = Annotated[str, Meta(max_length=400)]

About: TypeAlias = Literal["round", "shoe", "money"]
"""What a proposal is about: one about a round or a shoe lapses with it, one about money never does.
"""


def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Command(Record, tag_field="command", tag=_kebab):
    """Something that is asked for, in the imperative. `by` is who asks."""

    about: ClassVar[About] = "round"

    by: Id

    @classmethod
    def name(cls) -> str:
        return str(cls.__struct_config__.tag)


class Cash(Command, kw_only=True):
    """Cash that changes hands: it counts in the drawer of this shift at this cage window, which the
    floor fills in.
    """

    about: ClassVar[About] = "money"

    # 0: no cage window, as where a demonstration gives credits
    window: Annotated[int, Meta(ge=0, le=1_000)] = 0
    shift: Annotated[int, Meta(ge=0)] = 0
