"""Messages and bodies that nobody should send, and what must come of each."""

import json
import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from puntobanco.base.characters import LINES_FIELDS
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.web.socket import MESSAGES_AT_ONCE
from tests.web.raw import CLOSE, MORE, PING, TEXT, frame

Sent = tuple[bytes, str]
"""A payload, and what must come of it: `bad`, `welcome`, `one` of any kind, or the id of a command."""


def place(id_: str, round_: object, bet: object, cents: object, **more: object) -> bytes:
    return json.dumps(
        {"t": "place", "id": id_, "round": round_, "bet": bet, "stake_cents": cents, **more}
    ).encode()


class Rubbish:
    """By one session, under one seed."""

    def __init__(self, n: int, *, others: str, plays: bool) -> None:
        self.chance, self.others, self.plays = random.Random(n), others, plays
        self.name, self.number = f"w{n}", 0
        self.first = dict[str, bytes]()  # by id, the body that came first
        self.recent = deque[str](maxlen=200)

    def _id(self) -> str:
        self.number += 1
        return f"{self.name}-{self.number}"

    def command(self) -> Sent:
        """Well formed; whether it is accepted is the table's to say. Those without a seat are refused always, and so
        is a bet that nobody could read.
        """
        chance, id_ = self.chance, self._id()
        bet = chance.choice(
            ("banker", "player", "tie", "banker", "player", "", "\u0000", "龍", "x" * 64)
        )
        cents = chance.choice((1_000, 1_000, 1_000, 2_000, 1, 10**13))
        round_ = (
            1
            if chance.random() < 0.8
            else chance.choice((0, -1, 2, 2**31, -(2**63), 2**64, 10**30))
        )
        body: dict[str, Any] = {"id": id_, "round": round_, "bet": bet}
        match chance.randrange(4):
            case 0 | 1:
                body |= {"t": "place", "stake_cents": cents}
            case 2:
                body |= {"t": "raise", "by_cents": cents}
            case 3:
                body |= {"t": "withdraw"} | chance.choice(
                    ({}, {}, {"by_cents": None}, {"by_cents": cents})
                )
        return json.dumps(body).encode(), "bad" if bet == "\u0000" else id_

    def replay(self) -> Sent:
        if not self.recent:
            return self.command()
        id_ = self.chance.choice(self.recent)
        return self.first[id_], id_

    def other_body(self) -> Sent:
        """An id that was used, with another content."""
        _, id_ = self.replay()
        return place(id_, 1, "banker", 7_000 + self.chance.randrange(1_000)), id_

    def malformed(self) -> Sent:
        data, _ = self.command()
        return self.chance.choice(
            (
                b"",
                b"{",
                b"]",
                b"nul",
                b"\x00",
                b'"',
                data[:-1],
                data + b"}",
                data * 2,
                b"\xef\xbb\xbf" + data,
            )
        ), "bad"

    def wrong_type(self) -> Sent:
        value: object = self.chance.choice(
            (None, True, "1000", 1.5, [], {}, -1, 0, 10**13 + 1, -(10**40), "x" * 65, 1e308)
        )
        field = self.chance.choice(("id", "round", "bet", "stake_cents"))
        body = {
            "t": "place",
            "id": self._id(),
            "round": 1,
            "bet": "banker",
            "stake_cents": 1_000,
        } | {field: value}
        fits = {
            "id": value == "1000",
            "round": type(value) is int,
            "bet": value == "1000",
            "stake_cents": False,
        }
        if fits[field]:
            return self.wrong_type()
        return json.dumps(body).encode(), "bad"

    def huge_number(self) -> Sent:
        text = self.chance.choice(
            (
                "1" + "0" * 3_000,
                "-" + "9" * 3_000,
                "1e999",
                "-1e999",
                "NaN",
                "Infinity",
                "0x10",
                "00",
            )
        )
        return b'{"t":"place","id":"%b","round":1,"bet":"banker","stake_cents":%b}' % (
            self._id().encode(),
            text.encode(),
        ), "bad"

    def deep(self) -> Sent:
        n = self.chance.randrange(1, 600)
        data = self.chance.choice(
            (
                b"[" * n,
                b"[" * n + b"]" * n,
                b'{"t":' * n + b"1" + b"}" * n,
                b'{"t":"sync","x":' + b"[" * n,
            )
        )
        return data, "bad"

    def unknown_tag(self) -> Sent:
        tags = (
            "",
            "Place",
            "welcome",
            "answered",
            "bye",
            "mine",
            "events",
            "settle",
            "open-bets",
            "buy-in",
            "\u0000",
            5,
            None,
        )
        data, _ = self.command()
        return json.dumps(json.loads(data) | {"t": self.chance.choice(tags)}).encode(), "bad"

    def foreign_field(self) -> Sent:
        """Somebody else's session, or the staff's name, beside a command."""
        field = self.chance.choice(
            ("session", "by", "stream", "table", "command", "seq", "ok", "t2")
        )
        return place(
            self._id(),
            1,
            "banker",
            1_000,
            **{field: self.chance.choice((self.others, "sam", "table:1", 1))},
        ), "bad"

    def bad_id(self) -> Sent:
        return place(
            self.chance.choice(("", "x" * 65, "a\u0000", "\n", "a\n", "龍", "\ud800")),
            1,
            "banker",
            1_000,
        ), "bad"

    def long(self) -> Sent:
        """As long as a message may be."""
        data, _ = self.command()
        return data.ljust(wire.MAX_BYTES - 1, b" ") + b"x", "bad"

    def sync(self) -> Sent:
        return self.chance.choice((b'{"t":"sync"}', b' {"t" : "sync"}\n')), "welcome"

    def mutated(self) -> Sent:
        """Only by those who have no seat: whatever it becomes, it cannot be accepted."""
        data = bytearray(place(f"{self.name}-spoilt-{self.number}", 1, "banker", 1_000))
        for _ in range(self.chance.randrange(1, 4)):
            data[self.chance.randrange(len(data))] = self.chance.randrange(128)
        return bytes(data), "one"

    def kinds(self) -> list[Callable[[], Sent]]:
        rubbish = [
            self.malformed,
            self.wrong_type,
            self.huge_number,
            self.deep,
            self.unknown_tag,
            self.foreign_field,
            self.bad_id,
            self.long,
            self.sync,
        ]
        return [
            *rubbish,
            self.command,
            self.command,
            self.command,
            self.replay,
            self.replay,
            self.other_body,
            *([] if self.plays else [self.mutated, self.mutated]),
        ]

    def ending(self) -> tuple[str, list[bytes]]:
        """What ends a connection, as frames; the first name says what must be seen of it."""
        chance = self.chance
        match chance.choice(
            ("flood", "oversized", "too-long", "not-text", "broken", "abort", "half", "close")
        ):
            case "flood":
                return "told", [
                    frame(TEXT, self.malformed()[0])
                    for _ in range(MESSAGES_AT_ONCE + chance.randrange(100))
                ]
            case "oversized":
                return "told", [
                    frame(TEXT, b"x" * chance.randrange(wire.MAX_BYTES + 1, 4 * wire.MAX_BYTES))
                ]
            case "too-long":
                return "1009", [
                    frame(TEXT, b"x" * (4 * wire.MAX_BYTES + 1 + chance.randrange(60_000)))
                ]
            case "not-text":
                return "1007", [
                    frame(
                        TEXT,
                        chance.choice((b"\xff", b'{"t":"\xc3\x28"}', b"\xed\xa0\x80", b"\xf0\x9f")),
                    )
                ]
            case "broken":
                return "1002", [
                    chance.choice(
                        (
                            frame(3, b"x"),
                            frame(TEXT, b"x", reserved=4),
                            frame(TEXT, b"x", masked=False),
                            frame(MORE, b"x"),
                            frame(PING, b"x" * 200),
                            frame(PING, b"x", last=False),
                            frame(TEXT, b"a", last=False) + frame(TEXT, b"b"),
                            frame(CLOSE, b"x"),
                        )
                    )
                ]
            case "abort":
                return "gone", []
            case "half":
                return "gone", [
                    chance.choice(
                        (
                            b"\x81",
                            b"\x81\xfe",
                            b"\x81\xfe\xff",
                            b"\x81\xff" + b"\x7f" * 8,
                            frame(TEXT, b"half", last=False),
                            frame(TEXT, b"x" * 300)[:-9],
                        )
                    )
                ]
            case _:
                return "gone", [frame(CLOSE, chance.choice((b"", b"\x03\xe8", b"\x0f\xa0bye")))]


# Bodies of requests

Schema = Mapping[str, Any]

SPOILT_NUMBERS = (
    b'"1000"',
    b'"1e3"',
    b"1e3",
    b"1000.0",
    b"true",
    b"-1000000000000000000000",
    b"1" + b"0" * 3_000,
    b"NaN",
    b"1e999",
    b"[]",
    b"01",
)
LINES = b'"a\\r\\nb"'
SPOILT_TEXTS = (
    b"5",
    b"true",
    b"{}",
    b'"a\\u0000b"',
    LINES,
    b'"\\u001b[2Ja"',
    b'"\\u009ba"',
    '"\u202eevil"'.encode(),
    '"a\u200bb"'.encode(),
    '"\u061ca"'.encode(),
    b'"\\ud800"',
    b'"\xff"',
    b'"\xed\xa0\x80"',
)
LONG = 1_300_000
"""Characters; longer than any body may be."""

SECRET = ("before", "password", "shown")
"""Passwords hide what they like."""


def bad_bodies(described: Schema, body: Schema) -> Iterator[bytes]:
    """From a body as the document describes it: each field spoilt in turn, then the whole."""
    fields = {
        name: json.dumps(_fitting(described, schema)).encode()
        for name, schema in body["properties"].items()
        if name in body.get("required", ())
    }
    for name, schema in body["properties"].items():
        kinds = set(_kinds(described, schema))
        spoilt: tuple[bytes, ...] = ()
        if kinds & {"integer", "number"}:
            spoilt = SPOILT_NUMBERS
        elif "string" in kinds:
            spoilt = tuple(text for text in SPOILT_TEXTS if name not in SECRET or text[:1] != b'"')
            spoilt = tuple(text for text in spoilt if name not in LINES_FIELDS or text != LINES)
        elif "boolean" in kinds:
            spoilt = (b'"true"', b"1", b"0", b"[]")
        elif kinds & {"array", "object"}:
            spoilt = (b'"x"', b"5", b"true")
        for value in spoilt:
            yield _written(fields | {name: value})
        yield _written(fields | {name: b"null" if "null" not in kinds else b"[[]]"})
        yield _written(fields, (name, b"1"), (name, b"1"))
    whole = _written(fields)
    yield from (
        b"[]",
        b'"x"',
        b"5",
        whole + b"{}",
        b"\xef\xbb\xbf" + whole,
        whole.decode().encode("utf-16"),
    )
    yield _written(fields, ("nobody_asked", b"1"))
    yield _written(fields, ("a\u202e", b"1"))
    yield _written(fields, ("more", b"[" * 5_000 + b"]" * 5_000))
    yield _written(fields, ("more", b"{" + b'"a":{' * 500 + b"}" * 501))
    yield _written(fields, ("more", b'"' + b"x" * LONG + b'"'))
    yield whole[:-1]


def _written(fields: Mapping[str, bytes], *more: tuple[str, bytes]) -> bytes:
    pairs = [*fields.items(), *more]
    return b"{%b}" % b",".join(json.dumps(name).encode() + b":" + value for name, value in pairs)


def _kinds(described: Schema, schema: Schema) -> Iterator[str]:
    """The types that a field may have."""
    schema = _resolved(described, schema)
    for each in schema.get("anyOf", ()):
        yield from _kinds(described, each)
    found = schema.get("type", "string" if "enum" in schema else "")
    yield from found if isinstance(found, list) else [found]


def _fitting(described: Schema, schema: Schema) -> Any:
    """A value that fits; that something comes of it is not wanted."""
    schema = _resolved(described, schema)
    if "enum" in schema:
        return schema["enum"][0]
    for each in schema.get("anyOf", ()):
        return _fitting(described, each)
    match schema.get("type"):
        case "integer" | "number":
            return max(schema.get("minimum", 1), 1)
        case "boolean":
            return False
        case "array":
            return [_fitting(described, schema["items"])] * schema.get("minItems", 0)
        case "object":
            return {}
    return "a" * max(schema.get("minLength", 1), 1)


def _resolved(described: Schema, schema: Schema) -> Schema:
    while "$ref" in schema:
        schema = described[schema["$ref"].rpartition("/")[2]]
    return schema
