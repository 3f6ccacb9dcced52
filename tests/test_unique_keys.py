"""A key that stands twice in one object is refused, however it is written; nothing else is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.floor.terminals import wire
from puntobanco.unique_keys import DuplicateKey, verify_unique_keys

TWICE = (
    '{"t":"place","id":"a","round":1,"bet":"tie","stake_cents":100,"stake_cents":900}',
    '{"t":"place","id":"a","round":1,"bet":"tie","stake_cents":100,"round":1}',
    '{"t":"place","t":"place","id":"a","round":1,"bet":"tie","stake_cents":100}',
    '{"t":"place","id":"a","id":"b","round":1,"bet":"tie","stake_cents":100}',
    # a field that may be absent makes no room for another that stands twice
    '{"t":"withdraw","id":"a","round":1,"round":1,"bet":"tie"}',
    '{"t":"withdraw","id":"a","round":1,"bet":"tie","by_cents":null,"by_cents":5}',
    # nor do quotes that are written as escapes, nor a key that is
    '{"t":"place","id":"a\\u0022\\u0022","round":1,"round":1,"bet":"tie","stake_cents":100}',
    '{"t":"place","id":"a","round":1,"\\u0072ound":1,"bet":"tie","stake_cents":100}',
    '{"t":"sync","t":"sync"}',
)
ONCE = (
    '{"t":"place","id":"a","round":1,"bet":"tie","stake_cents":100}',
    ' { "t" : "raise", "id" : "\\"", "round" : 1, "bet" : "t:\\u0022", "by_cents" : 5 } ',
    '{"t":"withdraw","id":"a","round":1,"bet":"tie"}',
    '{"t":"withdraw","id":"a","round":1,"bet":"tie","by_cents":null}',
    '{"t":"withdraw","id":"a","round":1,"bet":"tie","by_cents":5}',
    '{"t":"sync"}',
)


@pytest.mark.parametrize("data", TWICE)
def test_a_message_that_names_a_key_twice_is_refused(data: str) -> None:
    with pytest.raises(DuplicateKey, match="stands twice in one object"):
        wire.read_from_terminal(data)


@pytest.mark.parametrize("data", ONCE)
def test_a_message_that_names_each_key_once_is_read(data: str) -> None:
    wire.read_from_terminal(data)


def test_a_key_may_stand_in_two_objects_and_not_twice_deep_within_one() -> None:
    verify_unique_keys('{"a":{"b":1},"c":[{"b":1},{"b":2}]}')
    for data in ('{"a":[{"b":{"c":1,"c":1}}]}', b'[0,{"b":1,"b":1}]'):
        with pytest.raises(DuplicateKey):
            verify_unique_keys(data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_what_json_writes_is_never_refused(value: Any) -> None:
    verify_unique_keys(json.dumps(value))


def test_numbers_may_be_as_long_as_they_like() -> None:
    verify_unique_keys('{"a":' + "9" * 10_000 + "}")
