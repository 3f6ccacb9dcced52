"""The law of codes: what the program itself says stands in the journal as a code, never as a sentence."""

import re
from collections.abc import Collection

import puntobanco_floor.domain.events as e
from puntobanco.rules.causes import WORDS, Cause

CODE = re.compile("[a-z0-9-]+")
BY_PEOPLE = {"reason", "detail", "disabled", "house", "note", "direction"}
BY_THE_RULEBOOK = {"announcement", "clause", "rules"}
CARDS = {"cards", "dealt", "order", "surplus", "reveal"}
OF_A_DESIGNER = {"source"}
WITH_SPACES = BY_THE_RULEBOOK | CARDS | OF_A_DESIGNER


def verify_no_sentence(event: e.Event, typed: Collection[str]) -> None:
    """Every text of the event is a word, a code with its words, or something that a person typed."""
    for name in event.__struct_fields__:
        value: object = getattr(event, name)
        where = f"{type(event).__name__}.{name}: {value!r}"
        if isinstance(value, Cause):
            assert CODE.fullmatch(value.code), where
            assert value.words.en != value.code, f"{where} has no words"
        elif name == "why":
            assert value in WORDS, f"{where} has no words"
        elif not isinstance(value, str) or name in WITH_SPACES:
            continue
        elif name in BY_PEOPLE:
            assert not value or value in typed, f"{where} was typed by nobody"
        else:
            assert " " not in value, where
