"""The journal: one way to write an entry, a chain that no byte leaves unnoticed, heads that only their key can sign."""

import hashlib
import json
import os
import re
from collections.abc import Iterator

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules.causes import Cause
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import Entry, chained, read_entry
from puntobanco_floor.domain.entry import parts_of, write_entry
from puntobanco_floor.store.batch import Stream
from puntobanco_proof.entry.format import (
    NOTHING,
    VERSION,
    Fault,
    Origin,
    canonical,
    derive_part_salt,
    hash_entry,
    hash_parts,
)
from puntobanco_proof.entry.heads import Head, read_head, sign_head, verify_signature
from puntobanco_proof.tree import merkle
from tests.fixtures.versions import read_entries

FIXTURE = read_entries()
"""The entries of the newest fixture, as another run of the program wrote them: an event of every kind (tests/fixtures)."""
STREAM = "table:1"
LINES = FIXTURE[STREAM]
LAST = hash_entry(LINES[-1])

Rows = list[tuple[int, bytes]]


def rows(lines: list[bytes]) -> Rows:
    return list(enumerate(lines, start=1))


def head_of(found: Rows, *, after: int = 0) -> str:
    """The hash of the last entry of a journal that holds; from after an entry, when that one is known to."""
    before = hash_entry(LINES[after - 1]) if after else NOTHING
    return [before, *(head for _, head in chained(found, STREAM, seq=after, head=before))][-1]


def fault(found: Rows) -> str:
    with pytest.raises(Fault) as raised:
        head_of(found)
    assert "\n" not in raised.value.reason
    return raised.value.reason


# Bytes


@pytest.mark.parametrize("name", FIXTURE)
def test_every_stream_of_the_fixture_holds_and_replays_to_the_cent(name: str) -> None:
    stream = Stream.empty(name, OURS.machine_of(name))
    for entry, head in chained(rows(FIXTURE[name]), name):
        stream.follow(entry, head)
    assert (stream.state.seq, stream.head) == (len(FIXTURE[name]), hash_entry(FIXTURE[name][-1]))
    assert sum(stream.balances.values()) == 0


@pytest.mark.parametrize(
    "line", LINES, ids=[f"{n} {json.loads(line)[2]['command']}" for n, line in rows(LINES)]
)
def test_every_entry_of_it_is_read_without_loss(line: bytes) -> None:
    """Written again it says the same, besides the defaults of fields that were added since."""
    again = write_entry(read_entry(line)).data
    assert says_all_of(json.loads(again)[2:], json.loads(line)[2:])


def says_all_of(new: object, old: object) -> bool:
    if isinstance(new, dict) and isinstance(old, dict):
        return new.keys() >= old.keys() and all(says_all_of(new[key], old[key]) for key in old)
    if isinstance(new, list) and isinstance(old, list):
        return len(new) >= len(old) and all(map(says_all_of, new, old))
    return type(new) is type(old) and new == old


def test_canonical_bytes_are_those_of_any_other_json_encoder() -> None:
    """JSON that any other program writes the same way: sorted keys, no spaces, UTF-8 as it is."""
    for line in LINES:
        plain = json.loads(line)
        assert (
            json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
            == line
        )
        header, salt, *parts = plain
        assert list(header) == [
            "at",
            "epoch",
            "prev",
            "root",
            "rules",
            "seq",
            "size",
            "stream",
            "v",
        ]
        assert list(parts[0]) == ["by", "command", "id"]
        assert header["v"] == VERSION == 2
        assert len(bytes.fromhex(salt)) == 16
        assert parts
        assert all(type(leaf) is not float for leaf in leaves(plain))


def leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    else:
        yield value


def test_the_hash_before_an_entry_is_that_of_the_header_before() -> None:
    before = NOTHING
    for line in LINES:
        header = json.loads(line)[0]
        assert header["prev"] == before
        before = hashlib.sha256(as_json(header)).hexdigest()
    assert before == LAST


def test_the_root_is_that_of_the_parts_by_a_program_that_knows_only_the_page() -> None:
    """RFC 6962 by recursion, as its text has it; each leaf with a salt of its own."""
    for line in LINES:
        header, salt, *parts = json.loads(line)
        leaves = list[bytes]()
        salts = hashlib.shake_128(bytes.fromhex(salt)).digest(16 * len(parts))
        for n, part in enumerate(parts):
            own = salts[16 * n : 16 * n + 16]
            leaves.append(hashlib.sha256(b"\0" + own + as_json(part)).digest())
        assert by_recursion(leaves).hex() == header["root"]


def by_recursion(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    left, right = by_recursion(leaves[:half]), by_recursion(leaves[half:])
    return hashlib.sha256(b"\x01" + left + right).digest()


def as_json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def test_each_patron_s_line_is_a_part_and_can_be_shown_alone() -> None:
    settled = [line for line in LINES if b'"RoundSettled"' in line]
    shown = 0
    for line in settled:
        entry, (header, _, *parts) = read_entry(line), json.loads(line)
        [event] = [x for x in entry.events if isinstance(x, e.RoundSettled)]
        origin = Origin(by=entry.by, command=entry.command, id=entry.id)
        raws = [canonical(origin), *parts_of(entry.events)]
        leaves = hash_parts(entry.salt, raws)
        assert [part for part in parts if isinstance(part, list)] == [
            json.loads(msgspec.json.encode(each)) for each in event.lines
        ]
        for place, raw in enumerate(raws):
            if raw.startswith(b"["):
                own = merkle.hash_leaf(bytes.fromhex(derive_part_salt(entry.salt, place)) + raw)
                proof = merkle.build_proof(leaves, place)
                found = merkle.follow_proof(own, place, len(raws), proof)
                assert found is not None
                assert found.hex() == header["root"]
                shown += 1
    assert shown > 3


def test_an_entry_of_a_program_that_knew_fewer_fields_still_reads() -> None:
    """A field that comes later has a default; bytes that were canonical then are not written anew."""
    place = next(i for i, line in enumerate(LINES) if b"ShoeStarted" in line)
    header, salt, origin, part = json.loads(LINES[place])
    del part["commitment"]
    header["root"] = merkle.compute_root(hash_parts(salt, list(map(as_json, [origin, part])))).hex()
    older = as_json([header, salt, origin, part])
    entry = read_entry(older)
    assert entry == read_entry(LINES[place])
    [(_, head)] = chained([(place + 1, older)], STREAM, seq=place, head=header["prev"])
    assert head == hash_entry(older) != hash_entry(LINES[place])


def with_parts(*parts: object) -> bytes:
    """An entry whose parts are these, with the root that belongs to them."""
    root = merkle.compute_root(hash_parts(SAME[1], list(map(as_json, parts)))).hex()
    return as_json([{**SAME[0], "root": root, "size": len(parts)}, SAME[1], *parts])


def renamed(old: bytes, new: bytes) -> bytes:
    return with_parts(*(json.loads(as_json(part).replace(old, new)) for part in SAME[2:]))


FOURTH = next(line for line in LINES if b"ShoeStarted" in line)
SAME = json.loads(FOURTH)
NOT_CANONICAL = {
    "a space between": json.dumps(SAME, sort_keys=True).replace(", ", ",", 1).encode()
    and FOURTH.replace(b',"', b', "', 1),
    "keys in another order": as_json([0, *SAME[1:]]).replace(
        b"0", json.dumps(dict(reversed(SAME[0].items())), separators=(",", ":")).encode(), 1
    ),
    "a key twice": FOURTH.replace(b'"v":2', b'"v":2,"v":2'),
    "an escape": FOURTH.replace(b'"table:1"', b'"\\u0074able:1"'),
    "a space behind it": FOURTH + b" ",
}
NOT_READ = {
    "nothing": b"",
    "half of it": FOURTH[:100],
    "no text": b"\xff\xfe",
    "another value": b"7",
    "a list": b"[]",
    "a header alone": as_json(SAME[:1]),
    "no part": as_json(SAME[:2]),
    "a salt that is none": as_json([SAME[0], "salt", *SAME[2:]]),
    "a float": re.sub(rb'"seq":(\d+)', rb'"seq":\1.0', FOURTH),
    "an unknown field": FOURTH.replace(b'"v":2', b'"v":2,"w":1'),
    "an unknown event": renamed(b"ShoeStarted", b"ShoeStolen"),
    "no such field in the event": renamed(b'"burn"', b'"bury"'),
    "a line of an event that has none": with_parts(*SAME[2:], [1]),
    "too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("line", NOT_CANONICAL.values(), ids=NOT_CANONICAL)
def test_the_same_entry_in_other_bytes_is_a_fault(line: bytes) -> None:
    with pytest.raises(Fault, match=r"^table:1 entry 4: is not written in canonical bytes$"):
        read_entry(line, stream=STREAM, seq=4)


@pytest.mark.parametrize("line", NOT_READ.values(), ids=NOT_READ)
def test_what_is_no_entry_is_a_fault(line: bytes) -> None:
    with pytest.raises(Fault, match=r"^table:1 entry 4: cannot be read: ") as raised:
        read_entry(line, stream=STREAM, seq=4)
    assert (raised.value.stream, raised.value.seq) == (STREAM, 4)


# The chain


SMALL = LINES[:10]
OTHERS = (
    lambda byte: byte ^ 1,
    lambda byte: byte ^ 32,
    lambda byte: 0x20 if byte != 0x20 else 0x30,
)
"""Another digit or letter, the other case (hexadecimal reads both), a space."""

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
EDGE, STEP = 600, 1 if SLOW else 29
"""Of a long entry, one that holds a game's definition: all bytes at both ends, and every so many between."""


def places_in(line: bytes) -> list[int]:
    middle = range(EDGE, len(line) - EDGE, STEP)
    return sorted({*range(min(EDGE, len(line))), *middle, *range(len(line))[-EDGE:]})


@pytest.mark.parametrize(
    "number", [pytest.param(1, marks=pytest.mark.long), *range(2, len(SMALL) + 1)]
)
def test_a_changed_byte_is_found_wherever_it_is(number: int) -> None:
    """By the entry itself, by the next one, or, in the last, by the head that is kept apart."""
    right, line = hash_entry(SMALL[-1]), SMALL[number - 1]
    for place in places_in(line):
        for other in OTHERS:
            changed = line[:place] + bytes([other(line[place])]) + line[place + 1 :]
            try:
                found = head_of(
                    rows([*SMALL[: number - 1], changed, *SMALL[number:]])[number - 1 :],
                    after=number - 1,
                )
            except Fault:
                continue
            assert number == len(SMALL)
            assert found != right


def test_in_all_but_the_last_entry_the_chain_alone_finds_it() -> None:
    header, salt, origin, *parts = json.loads(LINES[1])
    origin["by"] = "ann"
    header["root"] = merkle.compute_root(
        hash_parts(salt, list(map(as_json, [origin, *parts])))
    ).hex()
    changed = as_json([header, salt, origin, *parts])
    assert read_entry(changed).by == "ann"
    assert (
        fault(rows([LINES[0], changed, LINES[2]]))
        == "table:1 entry 3: does not follow from the entry before it"
    )
    assert head_of(rows([LINES[0], changed])) != hash_entry(LINES[1])


def test_a_deletion_is_found() -> None:
    for gone in range(len(LINES) - 1):
        left = LINES[:gone] + LINES[gone + 1 :]
        assert "says that it is" in fault(rows(left))
        numbered = [row for row in rows(LINES) if row[0] != gone + 1]
        assert (
            fault(numbered) == f"table:1 entry {gone + 1}: is missing; the next one is {gone + 2}"
        )


def test_a_tail_cut_off_is_known_by_its_head_only() -> None:
    for length in range(len(LINES)):
        assert head_of(rows(LINES[:length])) != LAST


def test_a_swap_is_found() -> None:
    for i in range(len(SMALL)):
        for j in range(i):
            swapped = list(SMALL)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            assert fault(rows(swapped)).startswith(
                f"table:1 entry {j + 1}: says that it is table:1 entry {i + 1}"
            )


def test_an_entry_that_comes_twice_is_found() -> None:
    for i, line in enumerate(SMALL):
        assert "says that it is" in fault(rows([*SMALL[: i + 1], line, *SMALL[i + 1 :]]))
        assert "is missing; the next one is" in fault(rows(SMALL)[: i + 1] + rows(SMALL)[i:])


def rewritten(line: bytes, **values: object) -> bytes:
    header, *rest = json.loads(line)
    return as_json([{**header, **values}, *rest])


def test_parts_that_are_not_those_of_the_header_are_found() -> None:
    header, salt, origin, part = json.loads(LINES[2])
    for other in (
        [header, salt, origin, part, part],
        [header, "0" * 32, origin, part],
        [header, salt, origin, {}],
        [header, salt, part, origin],
        [{**header, "size": 3}, salt, origin, part],
    ):
        with pytest.raises(Fault, match="its parts are not those that its header names"):
            read_entry(as_json(other))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"stream": "table:2"}, "says that it is table:2 entry 3"),
        ({"seq": 4}, "says that it is table:1 entry 4"),
        ({"prev": NOTHING}, "does not follow from the entry before it"),
        ({"prev": hash_entry(LINES[1]).upper()}, "does not follow from the entry before it"),
        ({"at": json.loads(LINES[1])[0]["at"] - 1}, "is earlier than the entry before it"),
        ({"v": 1}, "is of version 1; this program reads version 2"),
        ({"epoch": 0}, "is of an earlier epoch than the entry before it"),
    ],
)
def test_an_entry_that_cannot_follow_says_why(values: dict[str, object], reason: str) -> None:
    assert fault(rows([*LINES[:2], rewritten(LINES[2], **values)])) == f"table:1 entry 3: {reason}"


def test_another_stream_s_journal_does_not_pass_for_this_one() -> None:
    with pytest.raises(Fault, match="says that it is table:1 entry 1"):
        list(chained(rows(LINES), "table:2"))


def test_a_period_is_checked_alone_from_the_hash_before_it() -> None:
    for start in (1, 20, len(LINES) - 1):
        assert head_of(rows(LINES)[start:], after=start) == LAST
        with pytest.raises(Fault, match="does not follow"):
            list(chained(rows(LINES)[start:], STREAM, seq=start, head=NOTHING))


# Heads


BARE = Head(stream=STREAM, epoch=1, seq=len(LINES), hash=LAST, key="k1")


@pytest.fixture(scope="module")
def key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture(scope="module")
def head(key: Ed25519PrivateKey) -> Head:
    return sign_head(BARE, key.sign)


def test_a_head_is_signed_over_its_canonical_bytes(head: Head, key: Ed25519PrivateKey) -> None:
    assert read_head(canonical(head), 1) == head
    bare = b'{"epoch":1,"hash":"%s","key":"k1","seq":%d,"signature":"","stream":"table:1"}' % (
        LAST.encode(),
        len(LINES),
    )
    key.public_key().verify(bytes.fromhex(head.signature), bare)
    verify_signature(head, key.public_key())


def is_refused(head: Head, key: Ed25519PrivateKey) -> bool:
    with pytest.raises(Fault, match="the signature of the head is not its key's"):
        verify_signature(head, key.public_key())
    return True


def test_another_key_s_signature_is_refused(head: Head, key: Ed25519PrivateKey) -> None:
    other = Ed25519PrivateKey.generate()
    assert is_refused(head, other)
    assert is_refused(sign_head(BARE, other.sign), key)


@pytest.mark.parametrize(
    "change",
    [
        {"stream": "table:2"},
        {"epoch": 2},
        {"seq": 77},
        {"hash": NOTHING},
        {"hash": LAST.upper()},
        {"key": "k2"},
    ],
)
def test_a_head_that_was_changed_is_refused(
    head: Head, key: Ed25519PrivateKey, change: dict[str, object]
) -> None:
    assert is_refused(msgspec.structs.replace(head, **change), key)


def test_a_signature_that_was_changed_anywhere_is_refused(
    head: Head, key: Ed25519PrivateKey
) -> None:
    text = head.signature
    for i, digit in enumerate(text):
        for other in {f"{int(digit, 16) ^ 1:x}", digit.swapcase(), " "} - {digit}:
            assert is_refused(
                msgspec.structs.replace(head, signature=text[:i] + other + text[i + 1 :]), key
            )
    for other in ("", text[:-2], text + "00", text + text, "signed", text + " "):
        assert is_refused(msgspec.structs.replace(head, signature=other), key)


def test_a_line_that_is_no_head_names_its_number() -> None:
    for line in (
        b"",
        b"{}",
        b"\xff",
        b'{"hash":"ab","seq":"1","stream":"table:1"}',
        b"[" * 100_000,
    ):
        with pytest.raises(Fault, match=r"^line 7 of the file of heads cannot be read: "):
            read_head(line, 7)


# Any entry


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
CAUSES = st.builds(Cause, code=TEXTS, values=st.tuples(TEXTS, st.integers(-(2**63), 2**63 - 1)))


@given(
    st.builds(
        Entry,
        stream=TEXTS,
        epoch=st.integers(1, 9),
        id=TEXTS,
        salt=st.binary(min_size=16, max_size=16).map(bytes.hex),
        seq=st.integers(1, 2**63 - 1),
        at=st.integers(0, 2**63 - 1),
        by=TEXTS,
        command=TEXTS,
        rules=TEXTS,
        prev=TEXTS,
        events=st.lists(
            st.builds(e.SessionSeated, session=TEXTS, patron=TEXTS)
            | st.builds(
                e.IncidentRecorded, ground=TEXTS, clause=TEXTS, why=CAUSES, detail=TEXTS | CAUSES
            )
            | st.builds(
                e.Proposed,
                proposal=st.integers(0),
                about=st.sampled_from(["round", "money"]),
                at=st.integers(0),
                command=st.dictionaries(
                    TEXTS, TEXTS | st.integers() | st.none() | st.booleans(), max_size=3
                ),
            ),
            min_size=1,
            max_size=3,
        ).map(tuple),
    )
)
def test_whatever_an_entry_says_its_bytes_say_it_back(entry: Entry) -> None:
    data, hash_ = write_entry(entry)
    assert read_entry(data) == entry
    assert hash_entry(data) == hash_
    assert b"\n" not in data, "an entry is one line"


def test_a_fault_says_where_if_it_is_somewhere() -> None:
    assert Fault("is missing", stream="table:1", seq=7).reason == "table:1 entry 7: is missing"
    assert Fault("the file is empty").reason == "the file is empty"
