"""Journal format 2: the page, the test vectors, the independent checker and the program agree."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from immutables import Map

from puntobanco_floor.audit import archive
from puntobanco_floor.audit.floor_audit import audit_archive
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.entries import chained, read_entry
from puntobanco_floor.domain.node_keys import Admitted, keys_after
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store.batch import is_sealed_by
from puntobanco_proof.entry.format import (
    NOTHING,
    Fault,
    Header,
    Part,
    canonical,
    hash_bytes,
    hash_entry,
    verify_part,
)
from puntobanco_proof.entry.heads import Head, read_head, read_heads, verify_signature
from tests.fixtures.versions import VERSIONS, read_entries
from tests.journal_format import checker, generator
from tools.tree import ROOT

PAGE = checker.PAGE.read_text("utf-8")
FILES = {path.stem: json.loads(path.read_text("utf-8")) for path in checker.VECTORS}
CASES = [(kind, case) for kind, file in FILES.items() for case in file["cases"]]
VALID = [(kind, case) for kind, case in CASES if case["expected"]["verdict"] == "valid"]

Case = dict[str, Any]


def name_case(value: object) -> str:
    return value["name"] if isinstance(value, dict) else str(value)


each_case = pytest.mark.parametrize(("kind", "case"), CASES, ids=name_case)
each_valid_case = pytest.mark.parametrize(("kind", "case"), VALID, ids=name_case)


# The checker


@each_case
def test_the_checker_gives_the_expected_result(kind: str, case: Case) -> None:
    assert checker.check(kind, case["given"]) == case["expected"]


def test_every_file_states_its_format_and_every_case_has_a_name_of_its_own() -> None:
    assert FILES.keys() == generator.FILES.keys()
    for kind, file in FILES.items():
        assert (file["format"], file["kind"]) == (generator.FORMAT, kind)
        assert file["description"]
        names = [case["name"] for case in file["cases"]]
        assert len(names) == len(set(names))


def test_the_worked_example_is_recomputed_from_the_page() -> None:
    stated = checker.read_example(PAGE)
    assert len(stated) > 50
    assert checker.compute_example(stated) == stated


@pytest.mark.parametrize("name", checker.read_example(PAGE))
def test_a_changed_value_of_the_worked_example_is_found(name: str) -> None:
    stated = checker.read_example(PAGE)
    last = stated[name].rstrip(']}"')[-1:]
    at = stated[name].rindex(last)
    stated[name] = stated[name][:at] + ("0" if last != "0" else "1") + stated[name][at + 1 :]
    try:
        found = checker.compute_example(stated)
    except checker.Fault:
        return
    assert found != stated


def test_the_checker_imports_nothing_of_puntobanco() -> None:
    tree = ast.parse(
        (ROOT / "packages/puntobanco-floor/tests/journal_format/checker.py").read_text()
    )
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "."]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - set(sys.stdlib_module_names) == {"cryptography"}


def test_the_checker_runs_alone() -> None:
    code = (
        "import runpy, sys; sys.modules['puntobanco'] = None; sys.argv = sys.argv[1:];"
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    path = ROOT / "packages/puntobanco-floor/tests/journal_format/checker.py"
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (
        0,
        f"{len(CASES)} test vectors, 0 wrong\n",
        "",
    )


# One flipped byte


FLIPS = (0x01, 0x02, 0x20, 0x80)
"""Another digit or letter, the other case (many readers of hexadecimal accept both), a byte that is not ASCII."""

STEP = 11
"""Of the streams besides the first, every so many bytes are flipped: each entry is read again for each."""


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every text of a vector with the way to it; numbers are changed elsewhere."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))


def with_value(given: Case, path: tuple[Any, ...], value: object) -> Case:
    """Copy a vector with another value at a place; only the containers on the way are copied."""
    changed: Any = dict(given)
    inner = changed
    for key in path[:-1]:
        inner[key] = inner[key].copy()
        inner = inner[key]
    inner[path[-1]] = value
    return dict(changed)


def flip(given: Case, step: int) -> Iterator[tuple[str, Case]]:
    """Copies of a vector, each with one byte flipped."""
    for path, text in leaves(given):
        if path[0] == "replaced":
            continue  # a setting of the verifier, no part of the journal
        data = bytes.fromhex(text) if path[-1] == "hex" else text.encode()
        # a reader ignores an unfinished line and empty lines at the end of a heads file
        end = len(data[: data.rfind(b"}\n") + 2]) if path[0] == "file" else len(data)
        for place in range(0, end, step):
            for way in FLIPS:
                other = data[:place] + bytes([data[place] ^ way]) + data[place + 1 :]
                where = f"{path} byte {place} ^ {way:#x}"
                if path[-1] in ("text", "hex"):
                    yield where, with_value(given, path[:-1], {"hex": other.hex()})
                elif way < 0x80:
                    yield where, with_value(given, path, other.decode())


@each_valid_case
def test_every_flipped_byte_of_a_vector_is_found(kind: str, case: Case) -> None:
    """By a fault, or by a result that differs from the stated one: such as the hash of a stream's end."""
    is_long = kind == "streams" and case is not FILES["streams"]["cases"][0]
    for where, changed in flip(case["given"], STEP if is_long else 1):
        assert checker.check(kind, changed) != case["expected"], where


def test_the_flips_reach_every_byte() -> None:
    for kind, case in VALID:
        if kind in ("entries", "certificates", "heads"):
            texts = [text for _, text in leaves(case["given"])]
            assert sum(1 for _ in flip(case["given"], 1)) >= 3 * sum(map(len, texts))


def test_every_other_place_of_a_part_is_found() -> None:
    for case in (case for kind, case in VALID if kind == "parts"):
        given = case["given"]
        for place in {*range(-1, 7)} - {given["place"]}:
            assert checker.check("parts", given | {"place": place})["verdict"] == "wrong-proof"


def test_every_entry_and_head_left_out_of_a_stream_is_found() -> None:
    for case in FILES["streams"]["cases"]:
        given, expected = case["given"], case["expected"]
        if expected["verdict"] != "valid":
            continue
        for place in range(len(given["entries"])):
            changed = deepcopy(given)
            del changed["entries"][place]
            assert checker.check("streams", changed)["verdict"] != "valid"
        last = with_value(given, ("heads",), given["heads"][:-1])
        assert checker.check("streams", last)["verdict"] == "unsigned-tail"


# The program agrees


MESSAGES = {
    "unreadable": "cannot be read",
    "not-canonical": "is not written in canonical bytes",
    "bad-salt": "is not written in canonical bytes|cannot be read: non-hexadecimal number",
    "wrong-parts": "its parts are not those that its header names",
    "wrong-version": r"is of version \d+; this program reads version 2",
    "wrong-place": "says that it is",
    "wrong-prev": "does not follow from the entry before it",
    "earlier-time": "is earlier than the entry before it",
    "no-event": "holds no event",
    "earlier-epoch": "is of an earlier epoch than the entry before it",
    "wrong-proof": r"part -?\d+ is not in it|where \d+ bytes belong",
    "unreadable-head": "of the file of heads cannot be read",
    "wrong-head": "is not the entry whose head was signed",
    "key-does-not-count": "which does not count there",
    "key-admitted-before": "was admitted before",
    "key-not-admitted": "is none that could be retired",
    "unknown-root": "is not certified by a root key of this floor that this ring has",
    "bad-certificate": "is not certified by a root key of this floor for this stream",
    "bad-signature": "the signature of the head is not its key's",
    "stray-head": "a head is signed that has no entry",
    "unsigned-tail": "no node has signed what comes after entry",
    "replaced-root": "which was replaced",
    "wrong-snapshot": "the snapshot is not sealed by this entry",
}
"""How the program words each verdict of the page."""

MORE_LENIENT = {
    ("canonical-json", "a fraction"): "",
    ("canonical-json", "an exponent"): "is not written in canonical bytes",
    ("periods", "a snapshot of another place"): "",
}
"""Vectors on which the program alone is more lenient than the page, with its message.

It reads fractions in the two fields whose values it does not know (`Proposed.command` and
`TableOpened.definition`); it never writes any. It recomputes a snapshot from the entries before it,
which a vector does not have. Remove a row when the program becomes stricter.
"""


def to_bytes(value: Any) -> bytes:
    return bytes(checker.to_bytes(value))


def public_key(text: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))


def read_json(given: Case) -> str:
    """Read JSON as the value of a field that may hold anything, in an entry with the right root."""
    proposed = canonical(e.Proposed(proposal=1, about="money", at=1, command={"x": 0}))
    part = proposed.replace(b'{"x":0}', b'{"x":%b}' % to_bytes(given["json"]))
    read_entry(generator.build([generator.origin(), part]))
    return ""


def read_one(given: Case) -> str:
    data = to_bytes(given["entry"])
    entry = read_entry(data)
    [(_, hash_)] = chained(
        [(entry.seq, data)], entry.stream, seq=entry.seq - 1, head=entry.prev, epoch=entry.epoch
    )
    assert hash_ == hash_entry(data)
    return hash_


def read_part(given: Case) -> str:
    header = to_bytes(given["header"])
    part = Part(
        part=msgspec.Raw(to_bytes(given["part"])),
        place=given["place"],
        proof=given["proof"],
        salt=given["salt"],
    )
    verify_part(part, msgspec.json.decode(header, type=Header))
    return hash_bytes(header)


def verify_one_head(given: Case) -> str:
    verify_signature(read_head(to_bytes(given["head"]), 1), public_key(given["public"]))
    return ""


def read_file(given: Case) -> str:
    list(read_heads(to_bytes(given["file"]).splitlines(keepends=True)))
    return ""


def verify_admission(given: Case) -> str:
    """Verify a head that the admitted key signs: that is when the program looks at a certificate."""
    event = msgspec.json.decode(to_bytes(given["event"]), type=e.KeyAdmitted)
    key = Admitted(event.public, event.root, event.certificate, since=1)
    head = Head(stream=given["stream"], epoch=1, seq=1, hash=NOTHING, key=event.key)
    trust = Trust({event.root: public_key(given["root_public"])})
    try:
        trust.verify(head, Map({event.key: key}))
    except Fault as fault:
        if not re.search(MESSAGES["bad-signature"], fault.reason):
            raise
    return ""


def verify_sealed(given: Case) -> str:
    sealing = to_bytes(given["sealing"])
    if not is_sealed_by(to_bytes(given["snapshot"]), sealing):
        raise Fault("the snapshot is not sealed by this entry")
    return hash_entry(sealing)


def audit_stream(given: Case) -> str:
    """Audit the stream as an archive, replay included; then verify its end as a node does."""
    name, lines = given["stream"], [to_bytes(each) for each in given["entries"]]
    heads = [read_head(to_bytes(each), number) for number, each in enumerate(given["heads"], 1)]
    roots = {id_: public_key(public) for id_, public in given["roots"].items()}
    trust = Trust(roots, replaced=lambda: given["replaced"])
    rows = list(enumerate(lines, 1))
    header = archive.Header(archive.FORMAT, name, 1, 1, len(rows), NOTHING, len(heads))
    report = audit_archive(archive.Archive(header, None, rows, heads), trust=trust)
    if report.fault:
        raise Fault(report.fault)
    keys, end = Map[str, Admitted](), Head(stream=name, epoch=1, seq=0, hash=NOTHING)
    for entry, hash_ in chained(rows, name):
        keys = keys_after(keys, entry)
        end = Head(stream=name, epoch=entry.epoch, seq=entry.seq, hash=hash_)
    trust.verify_end(end, keys, heads[-1])
    return end.hash


PROGRAM: dict[str, Callable[[Case], str]] = {
    "canonical-json": read_json,
    "entries": read_one,
    "parts": read_part,
    "heads": verify_one_head,
    "heads-files": read_file,
    "certificates": verify_admission,
    "periods": verify_sealed,
    "streams": audit_stream,
}


@each_case
def test_the_program_gives_the_same_verdict(kind: str, case: Case) -> None:
    expected = case["expected"]
    message = ""
    try:
        hash_ = PROGRAM[kind](case["given"])
    except Fault as fault:
        message = fault.reason
    if (kind, case["name"]) in MORE_LENIENT:
        assert message == MORE_LENIENT[kind, case["name"]]
    elif expected["verdict"] == "valid":
        assert message == ""
        assert hash_ == expected.get("hash", "")
    else:
        assert re.search(MESSAGES[expected["verdict"]], message), message


LINE = [*msgspec.to_builtins(generator.LINES[0]), 7]
EMPTY = canonical(msgspec.structs.replace(generator.SETTLED, lines=()))


@pytest.mark.parametrize(
    "parts",
    [
        [b'{"event":"ShoeStolen"}'],
        [generator.NOTE.replace(b"{", b'{"added":1,')],
        [EMPTY, msgspec.json.encode(LINE)],
    ],
    ids=["kind", "member", "element of a line"],
)
def test_the_program_stops_at_what_a_later_version_added(parts: list[bytes]) -> None:
    """The checker, which does not act on events, accepts it: section 11."""
    data = generator.build([generator.origin(), *parts])
    assert checker.read_entry(data).hash == hash_entry(data)
    with pytest.raises(Fault, match=r"cannot be read: .*a newer program may have written it"):
        read_entry(data)


@pytest.mark.parametrize("kind", generator.FILES)
def test_the_checker_accepts_all_that_the_program_writes_now(kind: str) -> None:
    for case in generator.FILES[kind][0]():
        given, expected = msgspec.to_builtins(case["given"]), case["expected"]
        assert checker.check(kind, given) == expected, case["name"]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_checker_accepts_every_entry_of_the_fixture_floor(version: str) -> None:
    for stream, lines in read_entries(version).items():
        hashes = ["0" * 64]
        for seq, line in enumerate(lines, 1):
            header, _, hash_, *_ = checker.read_entry(line)
            assert (header["stream"], header["seq"], header["prev"]) == (stream, seq, hashes[-1])
            hashes.append(hash_)


# The page


def rows(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading."""
    _, _, below = PAGE.partition(f"## {heading}\n")
    table = re.findall(r"^\|(.*)\|$", below.partition("\n## ")[0], re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in table[2:]]


def test_the_page_lists_every_verdict_and_no_other() -> None:
    listed = [cell.strip("`") for cell, *_ in rows("12. Verdicts")]
    given = {case["expected"]["verdict"] for _, case in CASES} - {"valid"}
    assert set(listed) == given == set(MESSAGES)
    assert len(listed) == len(set(listed))


def test_the_page_lists_every_kind_that_has_lines() -> None:
    listed = {kind.strip("`"): field.strip("`") for kind, field, *_ in rows("5. Parts")}
    assert listed == {kind.__name__: kind.traits.apart for kind in e.EVENTS if kind.traits.apart}
    assert listed == checker.LINES
