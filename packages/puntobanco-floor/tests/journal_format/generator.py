"""Generator of the test vectors and of the worked example of docs/reference/journal-format.md.

The vectors are frozen: they define format 2 as much as the page does. This program only adds cases.
It stops if a case that a file already holds would come out differently. Unlike the checker it uses
puntobanco to write entries, heads and certificates; invalid entries are put together by hand.

    python -m tests.journal_format.generator            # add new cases to the files
    python -m tests.journal_format.generator example    # print the worked example
"""

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.entry import Entry, write_entry
from puntobanco_floor.journal.signing import Admission
from puntobanco_proof.entry.format import (
    NOTHING,
    canonical,
    derive_part_salt,
    disclose_parts,
    hash_parts,
)
from puntobanco_proof.entry.heads import Head, sign_head
from puntobanco_proof.tree import merkle
from tests.journal_format.checker import REFERENCE

FOLDER = REFERENCE / "vectors" / "journal-format-2"
FORMAT = "puntobanco journal format 2 test vectors"
AT = 1_772_096_400_000
Case = dict[str, Any]


class Key:
    """A fixed Ed25519 key; its 32 secret bytes count up from `first`."""

    def __init__(self, first: int) -> None:
        self.private = Ed25519PrivateKey.from_private_bytes(bytes(range(first, first + 32)))
        self.public = self.private.public_key().public_bytes_raw().hex()
        self.id = self.public[:16]


NODE, OTHER_NODE = Key(0), Key(64)
ROOT, NEW_ROOT, STRANGER = Key(32), Key(96), Key(128)
ROOT_ID, NEW_ROOT_ID = "a1b2c3d4", "e5f60718"
ROOTS, BOTH_ROOTS = {ROOT_ID: ROOT.public}, {ROOT_ID: ROOT.public, NEW_ROOT_ID: NEW_ROOT.public}


def text(data: bytes) -> dict[str, str]:
    """Return bytes as a vector states them."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"hex": data.hex()}


def case(name: str, given: Case, verdict: str = "valid", **results: object) -> Case:
    return {"name": name, "given": given, "expected": {"verdict": verdict, **results}}


# Building blocks


def salt(number: int) -> str:
    return sha256(b"salt %d" % number).hexdigest()[:32]


def origin(by: str = "store", command: str = "note", id_: str = "") -> bytes:
    return canonical({"by": by, "command": command, "id": id_})


def build(parts: list[bytes], salt_: str = "", **header: object) -> bytes:
    """Put an entry together from its parts; `header` overrides what the header would state."""
    salt_ = salt_ or salt(len(parts))
    fields = {
        "at": AT,
        "epoch": 1,
        "prev": NOTHING,
        "rules": "",
        "seq": 1,
        "stream": "cage:1",
        "v": 2,
    }
    root = merkle.compute_root(hash_parts(salt_, parts)).hex()
    fields |= {"root": root, "size": len(parts)} | header
    return b"[%b,%b,%b]" % (canonical(fields), canonical_text(salt_), b",".join(parts))


def canonical_text(value: object) -> bytes:
    return msgspec.json.encode(value)


def note(wall_ms: int = AT + 5) -> e.ClockStepped:
    return e.ClockStepped(wall_ms=wall_ms, table_ms=AT)


NOTE = canonical(note())


def admit(
    key: Key, stream: str = "cage:1", root: Key = ROOT, root_id: str = ROOT_ID
) -> e.KeyAdmitted:
    admission = Admission(stream=stream, key=key.id, public=key.public, root=root_id)
    certificate = root.private.sign(canonical(admission)).hex()
    return e.KeyAdmitted(key=key.id, public=key.public, root=root_id, certificate=certificate)


def sign(key: Key, seq: int, hash_: str, *, epoch: int = 1, stream: str = "cage:1") -> bytes:
    head = Head(stream=stream, epoch=epoch, seq=seq, hash=hash_, key=key.id)
    return canonical(sign_head(head, key.private.sign))


LINES = (
    e.Line("s-ann", "banker", 10_000, "wins", 10_000, 10_000, 0, "4.1"),
    e.Line("s-ben", "player", 5_000, "loses", 0, 0, 0, "4.1"),
    e.Line("s-cho", "tie", 2_500, "loses", 0, 0, 0, "4.1"),
)
SETTLED = e.RoundSettled(round=7, result="B7", player=5, banker=7, cards="2f 3g 5e 2c", lines=LINES)


# Canonical JSON


CANONICAL = {
    "null, true and false": "[null,true,false]",
    "integers": "[0,-1,7,9007199254740993,9223372036854775807,-9223372036854775808]",
    "empty object, array and text": '[{},[],""]',
    "keys in the order of their code points": '{"":6,"10":9,"9":1,"B":4,"a":3,"aa":5,"b":2}',
    "a key above U+FFFF follows U+FFFF": '{"\uffff":1,"\U00010000":2}',
    "keys that look alike are two keys": '{"e\u0301":1,"\u00e9":2}',
    "short escapes": r'"\b\t\n\f\r\"\\"',
    "other control characters": r'"\u0000\u0001\u0007\u000b\u000e\u001b\u001f"',
    "a solidus and DEL are not escaped": '"a/b\x7fc"',
    "characters beyond ASCII are written as UTF-8": '"\u00e9 \u2028 \ufeff \uffff \u8ced \U0001f0a1"',
    "nested values": '{"a":[{"b":[]},[[1]]],"c":{"d":{"e":null}}}',
}
NOT_CANONICAL = {
    "a space after a comma": b"[1, 2]",
    "a space in front": b" 1",
    "a line feed at the end": b"1\n",
    "keys out of order": b'{"b":1,"a":2}',
    "keys in the order of UTF-16": '{"\U00010000":2,"\uffff":1}'.encode(),
    "a key twice": b'{"a":1,"a":1}',
    "minus zero": b"-0",
    "an escaped solidus": rb'"a\/b"',
    "an escaped letter": rb'"\u0061"',
    "an upper-case escape": rb'"\u001F"',
    "a long escape where a short one exists": rb'"\u000a"',
    "an escaped DEL": rb'"\u007f"',
    "an escaped letter beyond ASCII": rb'"\u00e9"',
    "an escaped surrogate pair": rb'"\ud83c\udca1"',
}
UNREADABLE = {
    "nothing": b"",
    "half a text": b'"abc',
    "a comma too many": b"[1,]",
    "a leading zero": b"01",
    "a plus sign": b"+1",
    "not a number": b"NaN",
    "a control character that is not escaped": b'"a\x01b"',
    "bytes that are not UTF-8": b'"\xff"',
    "an overlong UTF-8 sequence": b'"\xc0\x80"',
    "a surrogate in UTF-8": b'"\xed\xa0\x80"',
    "a lone escaped surrogate": rb'"\ud800"',
    "a byte order mark": b"\xef\xbb\xbf1",
    "two values": b"1 2",
    "a fraction": b"1.5",
    "an exponent": b"1e2",
}


def canonical_json() -> Iterator[Case]:
    for name, written in CANONICAL.items():
        data = written.encode()
        yield case(name, {"json": text(data)}, sha256=sha256(data).hexdigest())
    for name, data in NOT_CANONICAL.items():
        yield case(name, {"json": text(data)}, "not-canonical")
    for name, data in UNREADABLE.items():
        yield case(name, {"json": text(data)}, "unreadable")


# Entries


def entry(number: int, *events: e.Event, **fields: object) -> bytes:
    values: dict[str, object] = {
        "stream": "table:1",
        "epoch": 1,
        "seq": number,
        "at": AT + 1_000 * number,
        "by": "dana",
        "command": "note",
        "id": f"{number}",
        "rules": "six-star mbs-six-star-2017-03-17",
        "prev": sha256(b"entry %d" % (number - 1)).hexdigest(),
        "salt": salt(number),
        "events": events,
    }
    return write_entry(Entry(**(values | fields))).data  # type: ignore[arg-type]


def of_entry(data: bytes) -> Case:
    header, own_salt, *parts = map(bytes, msgspec.json.decode(data, type=list[msgspec.Raw]))
    raw_salt = msgspec.json.decode(own_salt, type=str)
    leaves = hash_parts(raw_salt, parts)
    return {
        "hash": sha256(header).hexdigest(),
        "root": merkle.compute_root(leaves).hex(),
        "salts": [derive_part_salt(raw_salt, place) for place in range(len(parts))],
        "leaves": [leaf.hex() for leaf in leaves],
    }


def valid_entries() -> Iterator[tuple[str, bytes]]:
    yield "one event: two parts", entry(2, note())
    yield "several events: five parts", entry(3, *(note(AT + n) for n in range(4)))
    yield "an event with three lines: five parts", entry(4, SETTLED, command="settle")
    void = e.RoundVoided(round=8, ground="exposed-card", clause="5.1", lines=LINES[:2])
    yield "an event with lines between two others: six parts", entry(5, note(), void, note())
    empty = msgspec.structs.replace(SETTLED, lines=())
    yield "an event that could have lines and has none", entry(6, empty)
    taken = tuple(e.Recovery(line, line.returned_cents, 0) for line in LINES[:1])
    reopened = e.RoundReopened(
        round=7,
        ground="misread-card",
        clause="5.2",
        recoveries=taken,
        proposed_by="sam",
        approved_by="sue",
    )
    yield "two events with lines of their own", entry(7, reopened, SETTLED)
    odd = 'a"b\\c/d\b\t\n\f\r\x00\x1f\x7f \u2028\u00e9\u8ced\U0001f0a1'
    proposed = e.Proposed(
        proposal=3,
        about="money",
        at=AT,
        command={"\uffff": 1, "\U00010000": 2, "note": odd, "none": None},
    )
    yield "escapes and characters beyond ASCII", entry(8, proposed, by=odd)
    plain = msgspec.json.decode(canonical(empty))
    del plain["reveal"], plain["nonce"]
    shorter = canonical_text(["s-ann", "banker", 10_000, "wins", 10_000, 10_000, 0, "4.1"])
    parts = [origin("dana", "settle", "9"), canonical(plain), shorter]
    yield "an earlier writer that knew fewer fields", build(parts, salt(9), seq=9, at=AT + 9_000)


def invalid_entries() -> Iterator[tuple[str, str, bytes]]:
    good = [origin(), NOTE]
    whole = build(good)
    yield "a space between two parts", "not-canonical", whole.replace(b'},{"event"', b'}, {"event"')
    yield "a line feed at the end", "not-canonical", whole + b"\n"
    spaced = build([origin(), NOTE.replace(b",", b", ", 1)])
    yield "a space in a part, under the root that fits it", "not-canonical", spaced
    swapped = whole.replace(b'"epoch":1,"prev"', b'"epoch":1,"epoch":1,"prev"')
    yield "a field of the header twice", "not-canonical", swapped
    yield (
        "the header's fields out of order",
        "not-canonical",
        whole.replace(b'{"at":%d,"epoch":1,' % AT, b'{"epoch":1,"at":%d,' % AT),
    )
    escaped = build([origin(by="a/b").replace(b"/", rb"\/"), NOTE])
    yield "an escape that is not needed", "not-canonical", escaped
    raw = msgspec.json.decode(canonical(msgspec.structs.replace(SETTLED, lines=())))
    inside = canonical(raw | {"lines": [msgspec.to_builtins(LINES[0])]})
    yield "a line inside its event", "not-canonical", build([origin(), inside])
    both = [origin(), inside, canonical_text(LINES[1])]
    yield "a line inside its event and one behind it", "not-canonical", build(both)
    yield "an upper-case salt", "bad-salt", build(good, salt(2).upper())
    yield "a salt of 15 bytes", "bad-salt", build(good, salt(2)[:30])
    yield "a salt that is not hexadecimal", "bad-salt", whole.replace(salt(2).encode(), b"z" * 32)
    yield "a salt that is a number", "unreadable", whole.replace(b'"%b"' % salt(2).encode(), b"7")
    yield "another salt", "wrong-parts", whole.replace(salt(2).encode(), salt(3).encode())
    yield "another root", "wrong-parts", build(good, root="ab" * 32)
    right = of_entry(whole)["root"]
    yield "the root in upper case", "wrong-parts", build(good, root=str(right).upper())
    yield "a size that is too large", "wrong-parts", build(good, size=3)
    yield "a size that is too small", "wrong-parts", build([*good, NOTE], size=2)
    yield (
        "a part that was changed",
        "wrong-parts",
        whole.replace(b'"wall_ms":%d' % (AT + 5), b'"wall_ms":%d' % (AT + 6)),
    )
    joined = whole.removesuffix(b"]") + b"," + NOTE + b"]"
    yield "a part that was added", "wrong-parts", joined
    parts = [origin(), NOTE, canonical(note(AT + 6))]
    first = build(parts)
    yield (
        "two parts in exchanged places",
        "wrong-parts",
        first.replace(b"%b,%b" % (parts[1], parts[2]), b"%b,%b" % (parts[2], parts[1])),
    )
    yield "nothing", "unreadable", b""
    yield "half of it", "unreadable", whole[:200]
    yield (
        "bytes that are not UTF-8",
        "unreadable",
        build([origin().replace(b"store", b"\xff"), NOTE]),
    )
    yield "an object", "unreadable", canonical({"v": 2})
    yield "a header alone", "unreadable", b"[" + whole[1 : whole.index(b"}") + 1] + b"]"
    bare: Case = {"root": "", "size": 0}
    yield "no part", "unreadable", build([origin()], **bare).replace(b"," + origin(), b"")
    yield "a field of the header too many", "unreadable", build(good, w=1)
    yield "a field of the header missing", "unreadable", whole.replace(b'"rules":"",', b"")
    yield "a number written as text", "unreadable", build(good, seq="1")
    yield "true for a number", "unreadable", build(good, seq=True)
    yield "a fraction in the header", "unreadable", whole.replace(b'"seq":1,', b'"seq":1.0,')
    yield (
        "a fraction in an event",
        "unreadable",
        build([origin(), NOTE.replace(b"%d" % (AT + 5), b"0.5")]),
    )
    yield (
        "an origin without a name",
        "unreadable",
        build([canonical({"command": "note", "id": ""}), NOTE]),
    )
    yield (
        "an origin with a field too many",
        "unreadable",
        build([canonical({"by": "", "command": "", "id": "", "x": 1}), NOTE]),
    )
    yield "events without an origin", "unreadable", build([NOTE, NOTE])
    yield (
        "a line behind an event that has none",
        "unreadable",
        build([*good, canonical_text(LINES[0])]),
    )
    yield (
        "a line in front of every event",
        "unreadable",
        build([origin(), canonical_text(LINES[0]), NOTE]),
    )
    yield "an event that is a text", "unreadable", build([origin(), b'"ClockStepped"'])
    yield (
        "an event that does not state its kind",
        "unreadable",
        build([origin(), canonical({"table_ms": AT, "wall_ms": AT})]),
    )


def entries() -> Iterator[Case]:
    for name, data in valid_entries():
        yield case(name, {"entry": text(data)}, **of_entry(data))
    for name, verdict, data in invalid_entries():
        yield case(name, {"entry": text(data)}, verdict)


# Parts shown alone


def parts() -> Iterator[Case]:
    data = entry(4, SETTLED, command="settle")
    header, shown = disclose_parts(data, range(5))
    hash_ = sha256(header).hexdigest()
    found = list[Case]()
    for part in shown:
        given: Case = {
            "header": text(header),
            "part": text(bytes(part.part)),
            "place": part.place,
            "salt": part.salt,
            "proof": part.proof,
        }
        found.append(given)
        yield case(f"part {part.place} of 5", given, hash=hash_)
    alone = build([origin()])
    header, [part] = disclose_parts(alone, [0])
    only: Case = {
        "header": text(header),
        "part": text(bytes(part.part)),
        "place": 0,
        "salt": part.salt,
        "proof": [],
    }
    yield case("the only part: an empty proof", only, hash=sha256(header).hexdigest())
    second, last = found[2], found[4]
    proof = [str(each) for each in shown[2].proof]
    other = canonical_text(msgspec.structs.replace(LINES[0], winnings_cents=99_000))
    wrong = "wrong-proof"
    yield case("a part that was changed", second | {"part": text(other)}, wrong)
    yield case("another place", second | {"place": 3}, wrong)
    yield case("a place past the end", last | {"place": 5}, wrong)
    yield case("a place in front of the first", second | {"place": -1}, wrong)
    yield case("another salt", second | {"salt": salt(1)}, wrong)
    yield case("an upper-case salt", second | {"salt": str(second["salt"]).upper()}, wrong)
    yield case("a salt of 15 bytes", second | {"salt": str(second["salt"])[:30]}, wrong)
    yield case("a proof that is too short", second | {"proof": proof[:-1]}, wrong)
    yield case("a proof that is too long", second | {"proof": [*proof, "00" * 32]}, wrong)
    yield case("hashes out of order", second | {"proof": proof[::-1]}, wrong)
    yield case("a hash in upper case", second | {"proof": [proof[0].upper(), *proof[1:]]}, wrong)
    yield case("the last part, with the proof of a full tree", last | {"proof": proof}, wrong)


# Heads and certificates


def heads() -> Iterator[Case]:
    hash_ = sha256(b"entry 7").hexdigest()
    good = sign(NODE, 7, hash_)
    plain = msgspec.json.decode(good)
    given: Case = {"head": text(good), "public": NODE.public}
    bare = canonical(plain | {"signature": ""}).decode()
    yield case("a signed head", given, signed=bare)

    def changed(**fields: object) -> Case:
        return given | {"head": text(canonical(plain | fields))}

    bad = "bad-signature"
    yield case("another key's signature", given | {"public": STRANGER.public}, bad)
    yield case("another entry", changed(seq=8), bad)
    yield case("another epoch", changed(epoch=2), bad)
    yield case("another hash", changed(hash="00" * 32), bad)
    yield case("another stream", changed(stream="cage:2"), bad)
    yield case("another key", changed(key=OTHER_NODE.id), bad)
    yield case("no signature", changed(signature=""), bad)
    yield case("an upper-case signature", changed(signature=plain["signature"].upper()), bad)
    yield case("a signature of 63 bytes", changed(signature=plain["signature"][:-2]), bad)
    over = NODE.private.sign(good).hex()
    yield case("a signature over a head that holds a signature", changed(signature=over), bad)
    yield case("a field too many", changed(at=1), "unreadable-head")
    yield case("a number as text", changed(seq="7"), "unreadable-head")
    yield case("half a line", given | {"head": text(good[:60])}, "unreadable-head")


def heads_files() -> Iterator[Case]:
    lines = [sign(NODE, seq, sha256(b"entry %d" % seq).hexdigest()) for seq in (3, 5, 6)]
    marker = canonical(Head(stream="cage:1", epoch=2, seq=0, hash=""))

    def file(data: bytes) -> Case:
        return {"file": text(data)}

    def states(*found: bytes) -> Case:
        return {"heads": [line.decode() for line in found]}

    whole = b"".join(line + b"\n" for line in lines)
    yield case("three heads", file(whole), **states(*lines))
    yield case("nothing", file(b""), **states())
    cut = file(whole + lines[0][:50])
    yield case("a last line that was cut off", cut, **states(*lines))
    yield case("a whole last line without its line feed", file(whole[:-1]), **states(*lines[:2]))
    yield case("empty lines", file(b"\n" + whole + b"\n"), **states(*lines))
    restored = file(whole + marker + b"\n")
    yield case("the marker of a restore", restored, **states(*lines, marker))
    yield case(
        "a broken line before the last", file(lines[0][:50] + b"\n" + whole), "unreadable-head"
    )
    yield case("a line that is not a head", file(b"{}\n" + whole), "unreadable-head")


def certificates() -> Iterator[Case]:
    good = admit(NODE)
    plain = msgspec.json.decode(canonical(good))
    admission = canonical(Admission(stream="cage:1", key=NODE.id, public=NODE.public, root=ROOT_ID))
    given: Case = {"stream": "cage:1", "event": text(canonical(good)), "root_public": ROOT.public}
    yield case("a certificate", given, event="KeyAdmitted", signed=admission.decode())

    def changed(**fields: object) -> Case:
        return given | {"event": text(canonical(plain | fields))}

    bad = "bad-certificate"
    yield case("for another stream", given | {"stream": "cage:2"}, bad)
    yield case("by another root key", given | {"root_public": NEW_ROOT.public}, bad)
    yield case("another public key", changed(public=STRANGER.public), bad)
    yield case("another key id", changed(key=STRANGER.id), bad)
    yield case("another root id", changed(root=NEW_ROOT_ID), bad)
    yield case("an upper-case certificate", changed(certificate=good.certificate.upper()), bad)
    yield case(
        "signed by the node itself", changed(certificate=NODE.private.sign(admission).hex()), bad
    )


# Periods


def snapshot_after(seq: int, head: str) -> bytes:
    state = {"epoch": 1, "seq": seq, "snapshot": 9}
    return canonical(
        {"balances": {"bank": -12_500, "session:s-ann": 12_500}, "head": head, "state": state}
    )


def periods() -> Iterator[Case]:
    before = sha256(b"entry 11").hexdigest()
    kept = snapshot_after(11, before)
    sealed = e.PeriodSealed(period=1, snapshot=sha256(kept).hexdigest())
    sealing = entry(12, sealed, command="seal-period", id="", by="store")
    given: Case = {"snapshot": text(kept), "sealing": text(sealing)}
    yield case("a sealed period", given, hash=of_entry(sealing)["hash"])
    changed = kept.replace(b"12500", b"12501")
    yield case("a snapshot that was changed", given | {"snapshot": text(changed)}, "wrong-snapshot")
    elsewhere = snapshot_after(11, NOTHING)
    moved = e.PeriodSealed(period=1, snapshot=sha256(elsewhere).hexdigest())
    other = entry(12, moved, command="seal-period", id="", by="store")
    away: Case = {"snapshot": text(elsewhere), "sealing": text(other)}
    yield case("a snapshot of another place", away, "wrong-snapshot")
    yield case(
        "an entry that seals nothing",
        given | {"sealing": text(entry(12, note()))},
        "wrong-snapshot",
    )


# Streams


class Writer:
    """A stream as a node writes it, `cage:1` unless another is named."""

    def __init__(self, stream: str = "cage:1") -> None:
        self.stream, self.lines, self.heads = stream, list[bytes](), list[bytes]()
        self.prev, self.at, self.epoch = NOTHING, AT, 1

    @property
    def seq(self) -> int:
        return len(self.lines)

    def write(self, *events: e.Event, by: Key | None = NODE, epoch: int = 0) -> "Writer":
        """Append an entry of these events, signed by a node unless it is the middle of a commit."""
        self.epoch = epoch or self.epoch
        parts = [origin(), *map(canonical, events)]
        return self.build(parts, by=by)

    def build(self, parts: list[bytes], *, by: Key | None = NODE, **header: object) -> "Writer":
        self.at += 250
        fields = {"at": self.at, "epoch": self.epoch, "prev": self.prev, "seq": self.seq + 1}
        data = build(parts, salt(self.seq + 1), **(fields | {"stream": self.stream} | header))
        self.lines.append(data)
        self.prev = str(of_entry(data)["hash"])
        if by is not None:
            self.sign(by)
        return self

    def sign(self, key: Key, **fields: object) -> "Writer":
        plain = {"seq": self.seq, "hash_": self.prev, "epoch": self.epoch, "stream": self.stream}
        self.heads.append(sign(key, **(plain | fields)))  # type: ignore[arg-type]
        return self

    def given(self, **fields: object) -> Case:
        entries, heads = [text(each) for each in self.lines], [text(each) for each in self.heads]
        found: Case = {"stream": self.stream, "entries": entries, "heads": heads}
        return found | {"roots": ROOTS, "replaced": []} | fields


def start_stream() -> Writer:
    return Writer().write(admit(NODE)).write(note(), by=None).write(note(), note())


def new_epoch(epoch: int = 2) -> e.EpochBegun:
    return e.EpochBegun(
        epoch=epoch, reason="the disk was lost", proposed_by="ada", approved_by="sam"
    )


def valid_streams() -> Iterator[tuple[str, Writer, Case]]:
    yield "three entries in two commits", start_stream(), {}
    recovered = start_stream().write(new_epoch(), epoch=2).write(note())
    yield "a recovery: epoch 2 goes on from entry 3", recovered, {}
    two = start_stream().write(admit(OTHER_NODE)).write(note(), by=OTHER_NODE)
    yield "a second node", two, {}
    retired = (
        start_stream().write(admit(OTHER_NODE)).write(e.KeyRetired(key=NODE.id), by=OTHER_NODE)
    )
    yield "a key that was retired by another node", retired.write(note(), by=OTHER_NODE), {}
    renewed = start_stream().write(admit(NODE, root=NEW_ROOT, root_id=NEW_ROOT_ID)).write(note())
    yield (
        "a key that a new root certifies again",
        renewed,
        {"roots": BOTH_ROOTS, "replaced": [ROOT_ID]},
    )


def invalid_streams() -> Iterator[tuple[str, str, Writer, Case]]:
    two = [origin(), NOTE]
    yield "another version", "wrong-version", start_stream().build(two, v=3), {}
    yield "another stream's entry", "wrong-place", start_stream().build(two, stream="cage:2"), {}
    yield "a number that was left out", "wrong-place", start_stream().build(two, seq=5), {}
    yield "a number that comes twice", "wrong-place", start_stream().build(two, seq=3), {}
    yield "another hash before", "wrong-prev", start_stream().build(two, prev="ab" * 32), {}
    last = start_stream()
    yield "the hash before in upper case", "wrong-prev", last.build(two, prev=last.prev.upper()), {}
    yield (
        "a first entry that names one before",
        "wrong-prev",
        Writer().build(two, prev="ab" * 32),
        {},
    )
    earlier = start_stream()
    yield "an earlier time", "earlier-time", earlier.build(two, at=earlier.at - 1), {}
    yield "no event", "no-event", start_stream().build([origin()]), {}
    lower = start_stream().write(new_epoch(), epoch=2)
    yield "an earlier epoch", "earlier-epoch", lower.build(two, epoch=1), {}
    yield (
        "epoch 0",
        "earlier-epoch",
        Writer().build([origin(), canonical(admit(NODE))], epoch=0),
        {},
    )
    swapped = start_stream()
    swapped.lines[1:] = swapped.lines[:0:-1]
    yield "two entries in exchanged places", "wrong-place", swapped, {}
    gone = start_stream()
    del gone.lines[1]
    yield "an entry that was removed", "wrong-place", gone, {}
    replaced = start_stream()
    replaced.lines[1] = replaced.lines[1].replace(b'"by":"store"', b'"by":"stare"')
    yield "a changed part in the middle", "wrong-parts", replaced, {}
    forged = start_stream()
    changed = [origin("carl"), NOTE]
    header = msgspec.json.decode(forged.lines[1])[0]
    kept = {name: header[name] for name in ("at", "epoch", "prev", "seq", "stream")}
    forged.lines[1] = build(changed, salt(2), **kept)
    yield "a changed entry in the middle, with the root that fits it", "wrong-prev", forged, {}
    # keys
    again = start_stream().write(e.KeyRetired(key=NODE.id), by=None).write(admit(NODE))
    yield "a retired key that is admitted again", "key-admitted-before", again, {}
    same = start_stream()
    forged_key = msgspec.structs.replace(admit(OTHER_NODE), key=NODE.id)
    yield "a key id with another public key", "key-admitted-before", same.write(forged_key), {}
    yield (
        "a key that was never admitted is retired",
        "key-not-admitted",
        start_stream().write(e.KeyRetired(key=OTHER_NODE.id)),
        {},
    )
    # heads
    yield (
        "a key that was not admitted",
        "key-does-not-count",
        start_stream().write(note(), by=STRANGER),
        {},
    )
    early = start_stream().write(note(), by=OTHER_NODE).write(admit(OTHER_NODE))
    yield "a key before it was admitted", "key-does-not-count", early, {}
    own_end = start_stream().write(e.KeyRetired(key=NODE.id))
    yield "a key that signs its own end", "key-does-not-count", own_end, {}
    late = start_stream().write(admit(OTHER_NODE)).write(e.KeyRetired(key=OTHER_NODE.id))
    yield "a retired key", "key-does-not-count", late.write(note(), by=OTHER_NODE), {}
    yield (
        "a root that is not known",
        "unknown-root",
        start_stream(),
        {"roots": {NEW_ROOT_ID: NEW_ROOT.public}},
    )
    unproven = Writer().write(admit(NODE, root=STRANGER))
    yield "a certificate by another key", "bad-certificate", unproven, {}
    moved = Writer().write(admit(NODE, "cage:2"))
    yield "a certificate for another stream", "bad-certificate", moved, {}
    other = start_stream().write(note(), by=None).sign(NODE, hash_="ab" * 32)
    yield "a head with another hash", "wrong-head", other, {}
    future = start_stream().write(note(), by=None).sign(NODE, epoch=2)
    yield "a head with another epoch", "wrong-head", future, {}
    spoiled = start_stream()
    plain = msgspec.json.decode(spoiled.heads[-1])
    plain["signature"] = "00" + plain["signature"][2:]
    spoiled.heads[-1] = canonical(plain)
    yield "a changed signature", "bad-signature", spoiled, {}
    cut = start_stream()
    del cut.lines[-1]
    yield "an end that was cut off", "stray-head", cut, {}
    yield "an end that is not signed", "unsigned-tail", start_stream().write(note(), by=None), {}
    yield (
        "an end under a root that was replaced",
        "replaced-root",
        start_stream(),
        {"replaced": [ROOT_ID]},
    )
    broken = start_stream()
    broken.heads[0] = broken.heads[0][:40]
    yield "a head that cannot be read", "unreadable-head", broken, {}


def streams() -> Iterator[Case]:
    for name, writer, fields in valid_streams():
        yield case(name, writer.given(**fields), hash=writer.prev)
    for name, verdict, writer, fields in invalid_streams():
        yield case(name, writer.given(**fields), verdict)


# Files


FILES = {
    "canonical-json": (
        canonical_json,
        "Canonical JSON, section 3: bytes, and whether a reader accepts them.",
    ),
    "entries": (entries, "Single entries, sections 4 to 6, whatever their place in a stream."),
    "parts": (parts, "One part of an entry, shown with its salt and proof, section 6."),
    "heads": (heads, "Single heads with the public key of the node, section 8."),
    "heads-files": (heads_files, "Heads files, section 8: which heads a reader finds in them."),
    "certificates": (
        certificates,
        "Certificates of node keys with the public root key, section 9.",
    ),
    "periods": (periods, "Snapshots and the entries that seal them, section 10."),
    "streams": (streams, "Whole streams with their heads and root keys, sections 7 to 9."),
}


def make(kind: str) -> dict[str, object]:
    cases, description = FILES[kind]
    return {"format": FORMAT, "kind": kind, "description": description, "cases": list(cases())}


def add_cases() -> None:
    for kind in FILES:
        path, made = FOLDER / f"{kind}.json", make(kind)
        if path.exists():
            frozen = {each["name"]: each for each in json.loads(path.read_text("utf-8"))["cases"]}
            now = {each["name"]: each for each in made["cases"]}  # type: ignore[attr-defined]
            changed = [name for name, each in frozen.items() if now.get(name) != each]
            if changed:
                sys.exit(f"{path.name}: {changed} would change; test vectors are frozen")
        path.write_text(json.dumps(made, indent=1, ensure_ascii=True) + "\n", "utf-8")


def print_example() -> None:
    writer = Writer("table:1")
    writer.build([origin("store", "admit-key"), canonical(admit(NODE, "table:1"))])
    settled = [canonical(msgspec.structs.replace(SETTLED, lines=())), *map(canonical_text, LINES)]
    rules = "six-star mbs-six-star-2017-03-17"
    writer.build([origin("dana", "settle", "41"), *settled], by=None, rules=rules)
    kept = snapshot_after(2, writer.prev)
    sealed = canonical(e.PeriodSealed(period=1, snapshot=sha256(kept).hexdigest()))
    writer.build([origin("store", "seal-period"), sealed], rules=rules)
    admitted = admit(NODE, "table:1")
    admission = Admission(stream="table:1", key=NODE.id, public=NODE.public, root=ROOT_ID)

    def block(rows: dict[str, str]) -> None:
        print(
            "```text example",
            *(f"{name} = {value}" for name, value in rows.items()),
            "```",
            sep="\n",
        )

    block(
        {
            "root private key": bytes(range(32, 64)).hex(),
            "root public key": ROOT.public,
            "root id": ROOT_ID,
            "node private key": bytes(range(32)).hex(),
            "node public key": NODE.public,
            "node id": NODE.id,
            "certificate signed bytes": canonical(admission).decode(),
            "certificate": admitted.certificate,
        }
    )
    heads = dict(zip((1, 3), writer.heads, strict=True))
    for number, data in enumerate(writer.lines, 1):
        if number == 3:
            block({"snapshot": kept.decode(), "snapshot hash": sha256(kept).hexdigest()})
        rows = {f"entry {number}": data.decode()}
        header, own_salt, *raws = map(bytes, msgspec.json.decode(data, type=list[msgspec.Raw]))
        found = of_entry(data)
        rows[f"entry {number} salt"] = own_salt.decode()[1:-1]
        for name, values in (
            ("part", [raw.decode() for raw in raws]),
            ("part salt", found["salts"]),
            ("leaf", found["leaves"]),
        ):
            for place, value in enumerate(values):
                rows[f"entry {number} {name} {place}"] = value
        rows[f"entry {number} root"] = str(found["root"])
        rows[f"entry {number} header"] = header.decode()
        rows[f"entry {number} hash"] = str(found["hash"])
        block(rows)
        if number in heads:
            plain = msgspec.json.decode(heads[number])
            block(
                {
                    f"head {number} signed bytes": canonical(plain | {"signature": ""}).decode(),
                    f"head {number} signature": plain["signature"],
                    f"head {number}": heads[number].decode(),
                }
            )


if __name__ == "__main__":
    if sys.argv[1:] == ["example"]:
        print_example()
    else:
        add_cases()
