"""What a body or a message may not be: a key twice, a number that only looks like one, a hidden character."""

import json
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.base.characters import MAX_DEPTH, escaped
from puntobanco.base.refusal import BadInput, BadText, Refusal
from puntobanco_floor.service.strict_json import MAX_TOLD, read, verify
from puntobanco_floor.service.terminals import wire

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
    with pytest.raises(BadInput, match="stands twice in one object"):
        wire.read_from_terminal(data)


@pytest.mark.parametrize("data", ONCE)
def test_a_message_that_names_each_key_once_is_read(data: str) -> None:
    wire.read_from_terminal(data)


def test_a_key_may_stand_in_two_objects_and_not_twice_deep_within_one() -> None:
    verify('{"a":{"b":1},"c":[{"b":1},{"b":2}]}')
    for data in ('{"a":[{"b":{"c":1,"c":1}}]}', b'[0,{"b":1,"b":1}]'):
        with pytest.raises(BadInput):
            verify(data)


TEXTS = st.text(st.characters(exclude_categories=("C", "Zl", "Zp", "M", "L"))) | st.just("龍 é")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXTS,
        lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
        max_leaves=20,
    )
)
def test_what_json_writes_is_never_refused(value: Any) -> None:
    verify(json.dumps(value))


def test_numbers_may_be_as_long_as_they_like() -> None:
    verify('{"a":' + "9" * 10_000 + "}")


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    cents: Annotated[int, msgspec.Meta(gt=0, le=10**13)] = 1
    note: Annotated[str, msgspec.Meta(max_length=400)] = ""
    password: str = ""
    source: str = ""
    more: dict[str, Any] = {}


DECODER = msgspec.json.Decoder(Asked)

WRONG = {
    b'{"cents":1e3}': "cents: expected a whole number, not a number with decimals",
    b'{"cents":1000.0}': "cents: expected a whole number",
    b'{"cents":"1000"}': "cents: expected a whole number, not a text",
    b'{"cents":true}': "cents: expected a whole number, not true or false",
    b'{"cents":null}': "cents: expected a whole number, not nothing",
    b'{"cents":[]}': "cents: expected a whole number, not a list",
    b'{"cents":0}': "cents: expected a whole number >= 1",
    b'{"cents":10000000000001}': "cents: expected a whole number <= 10000000000000",
    b'{"cents":' + b"9" * 5_000 + b"}": "cents: ",
    b'{"cents":1e999}': "cents: ",
    b'{"cents":NaN}': "it is no JSON",
    b'{"cents":Infinity}': "it is no JSON",
    b'{"cents":01}': "it is no JSON",
    b'{"more":{"a":NaN}}': "it is no JSON",
    b'{"dollars":1}': "unknown field",
    b'{"' + b"x" * 5_000 + b'":1}': "unknown field",
    b'{"note":"a","note":"b"}': '"note" stands twice',
    b'{"more":{"a":1,"a":2}}': '"a" stands twice',
    b'{"note":"\\ud800"}': "it is no JSON",
    b'{"note":"\xff"}': "it is not UTF-8",
    b'{"note":"\xed\xa0\x80"}': "it is not UTF-8",
    b'\xef\xbb\xbf{"cents":1}': "it is no JSON",
    '{"cents":1}'.encode("utf-16"): "it is no JSON",
    b'{"cents":1} {}': "it is no JSON",
    b'{"cents":1': "it is no JSON",
    b"[]": "expected an object, not a list",
    b"null": "expected an object, not nothing",
    b'{"more":' + b'{"a":' * 20_000 + b"1" + b"}" * 20_001: "levels deep",
    b'{"more":{"a":' + b"[" * 20_000 + b"]" * 20_000 + b"}}": "levels deep",
    b'{"note":"a\\u0000"}': "note has a hidden character, U+0000",
    b'{"note":"a\\u001b[2J"}': "U+001B",
    b'{"note":"a\\nb"}': "U+000A",
    '{"note":"\u202eevil"}'.encode(): "U+202E (right-to-left override), at place 1",
    '{"more":{"a":["\u200bx"]}}'.encode(): "a has a hidden character, U+200B",
    '{"more":{"a\u200b":1}}'.encode(): "U+200B",
    b'{"source":"a\\u0000b"}': "source has a hidden character",
}


@pytest.mark.parametrize("data", WRONG, ids=lambda data: ascii(data[:30]))
def test_what_is_wrong_is_refused_in_one_line_that_names_the_field(data: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        read(DECODER, data)
    assert isinstance(refused.value, BadInput | BadText)
    assert WRONG[data] in refused.value.reason
    assert len(refused.value.reason) <= MAX_TOLD + 40
    assert escaped(refused.value.reason) == refused.value.reason


def test_lines_are_for_a_file_and_a_password_is_what_it_is() -> None:
    asked = read(DECODER, '{"cents":1000,"note":"大廳 é","source":"a\\n\\tb","password":"\u200d"}')
    assert (asked.cents, asked.note, asked.source) == (1_000, "大廳 é", "a\n\tb")


def test_nesting_has_a_bound() -> None:
    def nested(levels: int) -> bytes:
        return b'{"more":' + b"{" + b'"a":{' * (levels - 2) + b"}" * levels

    read(DECODER, nested(MAX_DEPTH))
    with pytest.raises(BadInput, match="levels deep"):
        read(DECODER, nested(MAX_DEPTH + 1))


@pytest.mark.parametrize("bet", ["tie\u202e", "tie\\u0000", "t\u007fie", "t\u200bie"])
def test_a_terminal_sends_no_hidden_character_either(bet: str) -> None:
    data = '{"t":"place","id":"a","round":1,"bet":"%s","stake_cents":100}' % bet  # noqa: UP031
    with pytest.raises(BadText, match="bet has a hidden character"):
        wire.read_from_terminal(data)
