#!/usr/bin/env python3
"""Verify a receipt of a puntobanco floor: python verify.py receipt.json --policy policy.txt

This single file needs only Python 3.11 and `cryptography`. It shares no code with the program that
it checks. The policy (C2SP tlog-policy) names the log and the witnesses that you trust: get it from
a witness or a regulator, not from the house. A policy inside the receipt is only a claim of the
house. The program prints one line per check and exits with

0  the receipt is proven under your policy
1  refused: something in the receipt is false
2  nothing is false, but something is unproven: you gave no policy, or there is no proof yet

A line marked !! is a ruling to review: a void that the table's rules do not allow. The receipt
proves that the house recorded the void, so the exit status stays the same.

docs/reference/receipts.md of the project specifies the format of receipts.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "puntobanco receipt 1"
PROOF = "c2sp.org/tlog-proof@v1"
MAX_BYTES = 4 << 20
MAX_NUMBER = 2**53 - 1
HOLDS, REFUSED, UNPROVEN = 0, 1, 2
MARKS = {"ok": "ok", "no": "NO", "open": "??", "say": "--", "look": "!!"}

Json = Any


class Wrong(Exception):
    """A failed check: its name and an explanation."""

    def __init__(self, check: str, text: str) -> None:
        super().__init__(text)
        self.check = check


class Line(NamedTuple):
    mark: str  # ok, no, open, say, look
    check: str
    text: str


@dataclass
class Verdict:
    """The result: one line per check, and the facts in the disclosed entries."""

    lines: list[Line] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        marks = {line.mark for line in self.lines}
        if "no" in marks:
            return REFUSED
        return UNPROVEN if "open" in marks else HOLDS

    def add(self, mark: str, check: str, text: str) -> None:
        self.lines.append(Line(mark, check, text))


def verify(data: bytes, policy: str | None = None) -> Verdict:
    """Verify a receipt; `policy` is the text of the user's own policy."""
    verdict = Verdict()
    try:
        _verify(data, policy, verdict)
    except Wrong as wrong:
        verdict.add("no", wrong.check, str(wrong))
    except (TypeError, KeyError, ValueError, IndexError, AttributeError, RecursionError):
        verdict.add("no", "parts", "an entry holds what no entry holds")
    if verdict.code == REFUSED:
        verdict.facts = []
    return verdict


def _verify(data: bytes, policy: str | None, verdict: Verdict) -> None:
    receipt = read_receipt(data)
    verdict.add("ok", "file", f"a receipt of {len(data)} bytes, in the one form that it can have")
    entries = [read_entry(entry, receipt["what"]) for entry in receipt["entries"]]
    _check_order(entries)
    shown = sum(len(entry.parts) for entry in entries)
    verdict.add(
        "ok", "parts", f"every part that is shown is in its entry: {shown} in {len(entries)}"
    )
    check_subject(receipt["what"], entries)
    verdict.add("ok", "subject", f"all of them are about {describe_subject(receipt['what'])}")
    trusted = _choose_policy(policy, receipt["claim"], verdict)
    check_log(entries, trusted, verdict, own=policy is not None)
    check_signed_heads([entry for entry in entries if not entry.proof], verdict)
    left = dict[int, int]()
    if receipt["what"]["kind"] == "shoe":
        check_shoe(
            entries, receipt["what"]["table"], trusted, verdict, left, own=policy is not None
        )
    check_voids([event for entry in entries for event in entry.events], left, verdict)
    verdict.add("say", "missing", "that no other entry was left out: nobody proves that")
    verdict.facts = [fact for entry in entries for fact in list_facts(entry)]


# The file: canonical JSON with a checksum, so a changed byte is found

TEXT, WHOLE = "text", "whole number"
PART = {"part": TEXT, "place": WHOLE, "proof": [TEXT], "salt": TEXT}
SIGNED = {
    "admission": TEXT,
    "certificate": TEXT,
    "chain": [TEXT],
    "head": TEXT,
    "root": TEXT,
    "signature": TEXT,
}
ENTRY = {"header": TEXT, "leaf_salt": TEXT, "parts": [PART], "proof": TEXT, "signed": [SIGNED]}
WHAT = {
    "bet": TEXT,
    "kind": TEXT,
    "round": WHOLE,
    "session": TEXT,
    "shoe": WHOLE,
    "table": TEXT,
    "voucher": TEXT,
}
CLAIM = {"house": TEXT, "policy": TEXT, "says": TEXT}
RECEIPT = {"claim": CLAIM, "entries": [ENTRY], "format": TEXT, "sum": TEXT, "what": WHAT}
SAYS = ("demonstration", "unwitnessed", "witnessed")


def read_receipt(data: bytes) -> Json:
    if len(data) > MAX_BYTES:
        raise Wrong("file", f"it is longer than {MAX_BYTES} bytes")
    try:
        found = json.loads(data.decode())
        again = canonical(found)
    except (ValueError, RecursionError):
        raise Wrong("file", "it is no JSON") from None
    if again != data:
        raise Wrong("file", "it is not written in the one form that a receipt has")
    if not _has_shape(found, RECEIPT) or found["format"] != FORMAT:
        raise Wrong("file", f"it is no {FORMAT}")
    if hashlib.sha256(canonical({**found, "sum": ""})).hexdigest() != found["sum"]:
        raise Wrong("file", "its sum is wrong: it was changed, or lost something on the way")
    if not found["entries"] or found["claim"]["says"] not in SAYS:
        raise Wrong("file", f"it is no {FORMAT}")
    return found


def canonical(value: Json) -> bytes:
    """Encode canonical JSON: keys sorted, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def _has_shape(value: Json, shape: Json) -> bool:
    if shape is TEXT:
        return isinstance(value, str)
    if shape is WHOLE:
        return type(value) is int and 0 <= value <= MAX_NUMBER
    if isinstance(shape, list):
        return isinstance(value, list) and all(_has_shape(each, shape[0]) for each in value)
    if not isinstance(value, dict) or value.keys() != shape.keys():
        return False
    return all(_has_shape(value[key], its) for key, its in shape.items())


def decode_hex(text: str, length: int, check: str) -> bytes:
    """Decode canonical hexadecimal: lowercase, of `length` bytes."""
    if not re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text):
        raise Wrong(check, f"{length} bytes are not written as bytes are")
    return bytes.fromhex(text)


def decode_base64(text: str) -> bytes | None:
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return found if base64.b64encode(found).decode() == text else None


# Entries: each disclosed part leads to the root in the header, and the header to the hash


@dataclass
class Entry:
    header: Json
    hash: bytes
    parts: list[Json]  # an event is an object, a line of an event is an array
    leaf_salt: bytes
    proof: str
    signed: Json
    origin: str = ""  # name of the log that includes the entry

    @property
    def events(self) -> Iterator[dict[str, Json]]:
        return (part for part in self.parts if isinstance(part, dict))

    @property
    def seq(self) -> int:
        return int(self.header["seq"])


HEADER = {
    "at": WHOLE,
    "epoch": WHOLE,
    "prev": TEXT,
    "root": TEXT,
    "rules": TEXT,
    "seq": WHOLE,
    "size": WHOLE,
    "stream": TEXT,
    "v": WHOLE,
}
JOURNAL = 2
"""The version of the journal format."""

HASH_BYTES, SALT_BYTES = 32, 16


def read_entry(entry: Json, what: Json) -> Entry:
    header = read_header(entry["header"], what["table"])
    root = decode_hex(header["root"], HASH_BYTES, "parts")
    places = [part["place"] for part in entry["parts"]]
    # part 0 names the person who gave the command; no receipt may disclose it
    if not places or places != sorted(set(places)) or places[0] < 1:
        raise Wrong("parts", "parts are shown out of order")
    for part in entry["parts"]:
        leaf = _hash_leaf(decode_hex(part["salt"], SALT_BYTES, "parts") + part["part"].encode())
        beside = [decode_hex(each, HASH_BYTES, "parts") for each in part["proof"]]
        if follow_proof(leaf, part["place"], header["size"], beside) != root:
            raise Wrong("parts", f"a part is not in entry {header['seq']}")
    return Entry(
        header=header,
        hash=hashlib.sha256(entry["header"].encode()).digest(),
        parts=[_read_part(part["part"]) for part in entry["parts"]],
        leaf_salt=decode_hex(entry["leaf_salt"], HASH_BYTES, "log") if entry["proof"] else b"",
        proof=entry["proof"],
        signed=_read_signed_head(entry),
    )


def read_header(text: str, table: str) -> Json:
    header = _parse_json(text)
    if not _has_shape(header, HEADER) or header["v"] != JOURNAL:
        raise Wrong("parts", "a header is none of a journal's entry")
    if header["stream"] != table:
        raise Wrong("subject", f"an entry is not of {table}")
    return header


def _parse_json(text: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read_part(text: str) -> Json:
    found = _parse_json(text)
    if isinstance(found, list) or (isinstance(found, dict) and "event" in found):
        return found
    raise Wrong("parts", "a part is neither an event nor a line of one")


def _read_signed_head(entry: Json) -> Json:
    """Return the signed head of an entry that has no log proof; refuse both or neither."""
    if entry["proof"] and not entry["signed"]:
        return None
    if not entry["proof"] and len(entry["signed"]) == 1 and not entry["leaf_salt"]:
        return entry["signed"][0]
    raise Wrong("parts", "an entry has neither a proof nor a signed head, or both")


def _check_order(entries: list[Entry]) -> None:
    numbers = [entry.seq for entry in entries]
    if numbers != sorted(set(numbers)):
        raise Wrong("parts", "entries are shown out of order")


def _hash_leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def _hash_node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def follow_proof(found: bytes, place: int, size: int, beside: Sequence[bytes]) -> bytes | None:
    """Compute the root (RFC 6962) from a leaf and its sibling hashes; None if they do not fit."""
    if place >= size:
        return None
    left = list(beside)
    last = size - 1
    while last:
        if place & 1 or place < last:
            if not left:
                return None
            other = left.pop(0)
            found = _hash_node(other, found) if place & 1 else _hash_node(found, other)
        place >>= 1
        last >>= 1
    return None if left else found


# The subject

USES = {
    "wager": ("bet", "round", "session"),
    "round": ("round", "session"),
    "voucher": ("session", "voucher"),
    "session": ("session",),
    "shoe": ("shoe",),
}
WAGERED = ("WagerPlaced", "WagerRaised", "WagerWithdrawn")
NEEDS = {
    "wager": WAGERED,
    "round": ("BetsOpened",),
    "voucher": ("VoucherIssued",),
    "session": ("SessionSeated",),
    "shoe": ("ShoeStarted",),
}


def check_subject(what: Json, entries: list[Entry]) -> None:
    """Refuse parts that are not about the subject of the receipt."""
    kind = what["kind"]
    if kind not in USES:
        raise Wrong("subject", "it is about nothing that a receipt can be about")
    for name in ("bet", "round", "session", "shoe", "voucher"):
        if name not in USES[kind] and what[name]:
            raise Wrong("subject", f"a receipt of a {kind} names no {name}")
    for entry in entries:
        for place, part in enumerate(entry.parts):
            is_own = (
                _is_line_of_subject(part, what)
                if isinstance(part, list)
                else _is_about_subject(part, what)
            )
            if not is_own or (isinstance(part, list) and not place):
                raise Wrong("subject", f"entry {entry.seq} shows what is not about it")
    kinds = {event["event"] for entry in entries for event in entry.events}
    if not kinds & set(NEEDS[kind]):
        raise Wrong("subject", f"no entry that is shown makes it a receipt of a {kind}")
    if what["session"] and not any(_names_session(part, what) for x in entries for part in x.parts):
        raise Wrong("subject", "no part that is shown names the session")


def _is_about_subject(event: dict[str, Json], what: Json) -> bool:
    """Whether the fields of an event agree with the subject of the receipt."""
    used = USES[what["kind"]]
    if what["kind"] in ("wager", "round") and "round" not in event:
        return False
    if what["kind"] in ("voucher", "session") and "session" not in event:
        return False
    names = [*used, "session"]
    return all(event[name] == what[name] for name in names if name in event)


def _unwrap_line(part: list[Json]) -> list[Json]:
    """Return the line itself, also from a line that was taken back."""
    return part[0] if part and isinstance(part[0], list) else part


def _is_line_of_subject(part: list[Json], what: Json) -> bool:
    line = _unwrap_line(part)
    if what["kind"] not in ("wager", "round") or len(line) < LINE_FIELDS or not what["session"]:
        return False
    return bool(line[0] == what["session"] and what["bet"] in ("", line[1]))


def _names_session(part: Json, what: Json) -> bool:
    if isinstance(part, list):
        return True
    return bool(part.get("session") == what["session"])


def describe_subject(what: Json) -> str:
    kind, table = what["kind"], what["table"]
    if kind == "wager":
        return f"the wager on {what['bet']} in round {what['round']} at {table}"
    if kind == "round":
        return f"round {what['round']} at {table}"
    if kind == "voucher":
        return f"a voucher issued at {table}"
    if kind == "session":
        return f"session {what['session']} at {table}"
    return f"shoe {what['shoe']} at {table}"


# Policies (C2SP tlog-policy): logs, witnesses and the quorum

LOG_KEY, WITNESS_KEY = 1, 4
KEY_BYTES = 33


class Key(NamedTuple):
    name: str
    id: bytes
    public: bytes


@dataclass
class Policy:
    logs: list[Key] = field(default_factory=list)  # a log that rotates its key has two for a while
    witnesses: dict[str, Key] = field(default_factory=dict)  # by their names in the policy
    groups: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    mixers: dict[str, int] = field(default_factory=dict)  # moduli of the mix keys
    quorum: str = ""

    def is_met(self, names: set[str], group: str = "") -> bool:
        group = group or self.quorum
        if group == "none":
            return True
        if group in self.witnesses:
            return group in names
        least, members = self.groups[group]
        return sum(self.is_met(names, member) for member in members) >= least


class BadPolicy(Exception):
    """A policy that cannot be read; the message names the line."""


def read_policy(text: str) -> Policy:
    policy = Policy()
    for number, line in enumerate(text.split("\n"), 1):
        words = line.replace("\t", " ").split(" ")
        words = [word for word in words if word]
        try:
            if words:
                _add_policy_line(policy, words)
        except (ValueError, IndexError, KeyError):
            is_mix = words[0] == "#"
            why = "has no proven key for the mix" if is_mix else "is none"
            raise BadPolicy(f"line {number} of the policy {why}") from None
    if not policy.quorum or not policy.logs:
        raise BadPolicy("the policy names no quorum or no log")
    return policy


def _add_policy_line(policy: Policy, words: list[str]) -> None:
    if words[0].startswith("#"):
        if words[:2] == ["#", "mix"] and len(words) == 4:
            policy.mixers[words[2]] = read_mix_key(words[3])
        return
    kind, *rest = words
    names = {*policy.witnesses, *policy.groups, "none"}
    if kind == "log" and len(rest) in (1, 2):
        policy.logs.append(read_vkey(rest[0], LOG_KEY))
    elif kind == "witness" and len(rest) in (2, 3) and rest[0] not in names:
        policy.witnesses[rest[0]] = read_vkey(rest[1], WITNESS_KEY)
    elif kind == "group" and len(rest) > 2 and rest[0] not in names:
        members = rest[2:]
        if not set(members) <= names - {"none"} or len(set(members)) < len(members):
            raise ValueError
        policy.groups[rest[0]] = _parse_threshold(rest[1], len(members)), members
    elif kind == "quorum" and len(rest) == 1 and rest[0] in names and not policy.quorum:
        policy.quorum = rest[0]
    else:
        raise ValueError


def _parse_threshold(word: str, members: int) -> int:
    least = {"all": members, "any": 1}.get(word) or int(word)
    if not 1 <= least <= members:
        raise ValueError
    return least


def _require(found: bytes | None) -> bytes:
    if found is None:
        raise ValueError
    return found


def read_vkey(text: str, kind: int) -> Key:
    """Read a C2SP signed-note verifier key: name+id+key."""
    name, id_, encoded = text.split("+", 2)
    raw = _require(decode_base64(encoded))
    own = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if len(raw) != KEY_BYTES or raw[0] != kind or own.hex() != id_ or not name:
        raise ValueError
    return Key(name, own, raw[1:])


def _choose_policy(policy: str | None, claim: Json, verdict: Verdict) -> Policy | None:
    """Return the user's policy, or else the policy that the house claims, which proves nothing."""
    house = claim["house"]
    verdict.add("say", "claim", f"the house, {house}, says of itself: {claim['says']}")
    if policy is not None:
        try:
            found = read_policy(policy)
        except BadPolicy as bad:
            verdict.add("open", "policy", f"your policy cannot be read: {bad}")
            return None
        verdict.add("ok", "policy", _describe_policy("your policy", found))
        return found
    verdict.add("open", "policy", "no policy of yours: whose signatures these are is not known")
    if not claim["policy"]:
        return None
    try:
        claimed = read_policy(claim["policy"])
    except BadPolicy:
        raise Wrong("claim", "the policy that the house claims cannot be read") from None
    verdict.add(
        "say", "claim", _describe_policy("the house's own policy, which proves nothing,", claimed)
    )
    return claimed


def _describe_policy(whose: str, policy: Policy) -> str:
    logs = ", ".join(sorted({key.name for key in policy.logs}))
    witnesses = ", ".join(sorted(policy.witnesses)) or "none"
    return f"{whose} names the log {logs}, witnesses {witnesses}, quorum {policy.quorum}"


# Proofs (C2SP tlog-proof, tlog-checkpoint, tlog-cosignature)


class Checkpoint(NamedTuple):
    origin: str
    size: int
    root: bytes
    body: bytes
    signatures: tuple[tuple[str, bytes], ...]  # key name, and key id with signature


def check_log(entries: list[Entry], policy: Policy | None, verdict: Verdict, *, own: bool) -> None:
    """Check that the log includes each proven entry, and that the log and a quorum signed it."""
    proven = [entry for entry in entries if entry.proof]
    notes = dict[str, Checkpoint]()
    for entry in proven:
        note = _check_inclusion(entry, notes)
        entry.origin = note.origin
    if not proven:
        return
    origins = ", ".join(sorted({note.origin for note in notes.values()}))
    sizes = max(note.size for note in notes.values())
    text = f"each entry is in the log {origins}, of {sizes} then: {len(proven)}"
    verdict.add("ok", "log", text)
    if policy is None:
        return
    seen = [_check_signatures(note, policy) for note in notes.values()]
    names = sorted(set.intersection(*(set(times) for times in seen)))
    first = max(min(times.values(), default=0) for times in seen)
    mark = "ok" if own else "say"
    verdict.add(mark, "checkpoint", "the log's key signed for it")
    if not names:
        verdict.add("say", "witnesses", "unwitnessed: the house alone says so")
        return
    text = f"{', '.join(names)} saw it, at {format_time(first)}, and no other history of this log"
    verdict.add(mark, "witnesses", text)


def _check_inclusion(entry: Entry, notes: dict[str, Checkpoint]) -> Checkpoint:
    head, _, text = entry.proof.partition("\n\n")
    lines = head.split("\n")
    if len(lines) < 2 or lines[0] != PROOF or not lines[1].startswith("index "):
        raise Wrong("log", "a proof is none of a log")
    index = _parse_number(lines[1].removeprefix("index "), "log")
    beside = [decode_base64(line) for line in lines[2:]]
    if any(each is None or len(each) != HASH_BYTES for each in beside):
        raise Wrong("log", "a proof is none of a log")
    if text not in notes:
        notes[text] = read_checkpoint(text)
    note = notes[text]
    leaf = hashlib.sha256(entry.leaf_salt + entry.hash).digest()
    hashes = [each for each in beside if each is not None]
    if follow_proof(_hash_leaf(leaf), index, note.size, hashes) != note.root:
        raise Wrong("log", f"entry {entry.seq} is not in the log where its proof says")
    return note


def _parse_number(text: str, check: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,15}", text) or int(text) > MAX_NUMBER:
        raise Wrong(check, "a number is not written as numbers are")
    return int(text)


def read_checkpoint(text: str) -> Checkpoint:
    body, _, signed = text.partition("\n\n")
    lines = body.split("\n")
    if len(lines) != 3 or not lines[0] or not signed.endswith("\n"):
        raise Wrong("checkpoint", "a checkpoint is none")
    root = decode_base64(lines[2])
    if root is None or len(root) != HASH_BYTES:
        raise Wrong("checkpoint", "a checkpoint is none")
    signatures = list[tuple[str, bytes]]()
    for line in signed.removesuffix("\n").split("\n"):
        match = re.fullmatch(r"— ([^ +]+) ([A-Za-z0-9+/=]+)", line)
        raw = decode_base64(match[2]) if match else None
        if match is None or raw is None:
            raise Wrong("checkpoint", "a signature of a checkpoint is none")
        signatures.append((match[1], raw))
    size = _parse_number(lines[1], "checkpoint")
    return Checkpoint(lines[0], size, root, body.encode() + b"\n", tuple(signatures))


def _check_signatures(note: Checkpoint, policy: Policy) -> dict[str, int]:
    """Return the time of each witness's cosignature; refuse if the policy is not met."""
    logs = [key for key in policy.logs if key.name == note.origin]
    if not logs:
        raise Wrong("checkpoint", f"the policy knows no log {note.origin}")
    own = [(key, raw) for key in logs for raw in _find_signatures(key, note)]
    if not own or not all(is_ed25519(key.public, raw, note.body) for key, raw in own):
        raise Wrong("checkpoint", "the log's key has not signed for it")
    times = dict[str, int]()
    for called, key in policy.witnesses.items():
        for raw in _find_signatures(key, note):
            times[called] = _check_cosignature(called, key, raw, note)
    if not policy.is_met(set(times)):
        raise Wrong("witnesses", "fewer witnesses have seen it than the policy asks for")
    return times


def _find_signatures(key: Key, note: Checkpoint) -> list[bytes]:
    """Return the signatures made by a key, matched by key name and id."""
    whose = key.name, key.id
    return [raw[4:] for name, raw in note.signatures if (name, raw[:4]) == whose]


TIME_BYTES = 8


def _check_cosignature(called: str, key: Key, signed: bytes, note: Checkpoint) -> int:
    time = int.from_bytes(signed[:TIME_BYTES], "big")
    message = b"cosignature/v1\ntime " + str(time).encode() + b"\n" + note.body
    if not is_ed25519(key.public, signed[TIME_BYTES:], message):
        raise Wrong("witnesses", f"a signature is not that of {called}")
    return time


def is_ed25519(public: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


# Keys for the mix: RSA, 2048 bits, with a proof that a message has one signature at most

EXPONENT, MODULUS_BYTES, EXTRA_BYTES, PROOF_ROOTS, CACHED_KEYS = 65537, 256, 16, 8, 64
MIX_KEY = b"puntobanco mix key 1\n"
BEFORE_MODULUS = bytes.fromhex("30820122300d06092a864886f70d01010105000382010f003082010a0282010100")
AFTER_MODULUS = bytes.fromhex("0203010001")
"""The DER encoding (SubjectPublicKeyInfo) of such a key around its modulus."""

DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420")
"""The DigestInfo prefix of a signed SHA-256."""


@lru_cache(maxsize=CACHED_KEYS)
def read_mix_key(text: str) -> int:
    """Read a mix key, verify its proof and return the modulus.

    The proof is the roots of eight numbers hashed from the key. If any message had two signatures,
    at most one number in 65,537 would have a root.
    """
    data = _require(decode_base64(text))
    place = len(BEFORE_MODULUS)
    written = data[place : place + MODULUS_BYTES]
    der = BEFORE_MODULUS + written + AFTER_MODULUS
    roots = data[len(der) :]
    modulus = int.from_bytes(written, "big")
    if data != der + roots or modulus.bit_length() != 8 * MODULUS_BYTES:
        raise ValueError
    if len(roots) != PROOF_ROOTS * MODULUS_BYTES:
        raise ValueError
    for i in range(PROOF_ROOTS):
        root = int.from_bytes(roots[i * MODULUS_BYTES : (i + 1) * MODULUS_BYTES], "big")
        hashed = hashlib.shake_256(MIX_KEY + written + bytes([i]))
        value = int.from_bytes(hashed.digest(MODULUS_BYTES + EXTRA_BYTES), "big") % modulus
        if root >= modulus or pow(root, EXPONENT, modulus) != value:
            raise ValueError
        if math.gcd(value, modulus) != 1:
            raise ValueError
    return modulus


def is_rsa(modulus: int, signature: bytes, message: bytes) -> bool:
    """Whether this is the unique signature of a message (PKCS#1 v1.5, SHA-256).

    The proof of a key covers only numbers coprime to the modulus, so the padded message must be
    coprime.
    """
    digest = DIGEST_INFO + hashlib.sha256(message).digest()
    filled = b"\xff" * (MODULUS_BYTES - len(digest) - 3)
    padded = int.from_bytes(b"\0\1" + filled + b"\0" + digest, "big")
    number = int.from_bytes(signature, "big")
    if len(signature) != MODULUS_BYTES or number >= modulus or math.gcd(padded, modulus) != 1:
        return False
    return pow(number, EXPONENT, modulus) == padded


# Entries without a log proof yet: the head that a node signed, and the house's root key

HEAD = {
    "epoch": WHOLE,
    "hash": TEXT,
    "key": TEXT,
    "seq": WHOLE,
    "signature": TEXT,
    "stream": TEXT,
}
ADMISSION = {"key": TEXT, "public": TEXT, "root": TEXT, "stream": TEXT}
SIGNATURE_BYTES = 64


def check_signed_heads(entries: list[Entry], verdict: Verdict) -> None:
    """Check entries without a log proof: a node of the house must have signed them."""
    roots = set[str]()
    for entry in entries:
        roots.add(_check_signed_head(entry))
    if entries:
        whose = ", ".join(sorted(roots))
        text = f"recorded and signed by the house, root key {whose}: {len(entries)}"
        verdict.add("open", "recorded", f"{text}; the proof follows within a minute")


def _check_signed_head(entry: Entry) -> str:
    """Check a node's signed head and return the fingerprint of the root key that certified it."""
    signed = entry.signed
    hash_, seq = entry.hash.hex(), entry.seq
    for text in signed["chain"]:
        header = read_header(text, entry.header["stream"])
        if header["prev"] != hash_ or header["seq"] != seq + 1:
            raise Wrong("recorded", "its entry does not lead to the signed head")
        hash_, seq = hashlib.sha256(text.encode()).hexdigest(), seq + 1
    head, admission = _parse_json(signed["head"]), _parse_json(signed["admission"])
    if not _has_shape(head, HEAD) or not _has_shape(admission, ADMISSION):
        raise Wrong("recorded", "the signed head is none")
    stream = entry.header["stream"]
    if (head["stream"], head["seq"], head["hash"]) != (stream, seq, hash_):
        raise Wrong("recorded", "its entry does not lead to the signed head")
    if (admission["stream"], admission["key"]) != (stream, head["key"]):
        raise Wrong("recorded", "the key that signed is not admitted to this table")
    root = decode_hex(signed["root"], HASH_BYTES, "recorded")
    node = decode_hex(admission["public"], HASH_BYTES, "recorded")
    certificate = decode_hex(signed["certificate"], SIGNATURE_BYTES, "recorded")
    signature = decode_hex(signed["signature"], SIGNATURE_BYTES, "recorded")
    if not is_ed25519(root, certificate, signed["admission"].encode()):
        raise Wrong("recorded", "the house's root key does not stand behind the key that signed")
    if not is_ed25519(node, signature, signed["head"].encode()):
        raise Wrong("recorded", "the head is not signed by its key")
    return hashlib.sha256(root).hexdigest()[:16]


# A whole shoe: commitment, mix, order, and the cards of every round

SUITS, RANKS, ELEMENT_RANKS = "shdcfgewa", "A23456789TJQK", "A23456789TSLF"
STANDARD_SUITS, MAX_BURNED = 4, 10
MIX, MIX_SEED, COMMITMENT = (
    b"puntobanco mix 1\n",
    b"puntobanco mix seed 1\n",
    b"puntobanco shoe 1\0",
)


def check_shoe(
    entries: list[Entry],
    table: str,
    policy: Policy | None,
    verdict: Verdict,
    left: dict[int, int],
    *,
    own: bool,
) -> None:
    """Check a virtual shoe; fill `left` with the cards left in the shoe after each round."""
    events = [event for entry in entries for event in entry.events]
    started = _find_single(events, "ShoeStarted")
    mixed = _find_single(events, "ShoeMixed")
    ended = _find_single(events, "ShoeEnded")
    if started is None or not started.get("commitment"):
        verdict.add("say", "shoe", "its cards were not committed to: no virtual shoe")
        return
    names = list(started.get("mix") or ())
    seed = b""
    if not names:
        verdict.add("say", "mix", "shuffled by the house alone: no witness has mixed it")
    elif mixed is not None:
        origin = next(entry.origin for entry in entries if started in entry.parts)
        if origin not in ("", started["log"]):
            raise Wrong("mix", "it is not in the log in which its witnesses were to see it")
        mark, text = _check_mix(started, mixed, _build_mix_message(table, started), policy)
        verdict.add("say" if mark == "ok" and not own else mark, "mix", text)
        if policy and own:
            _report_missing_mixers(names, policy, verdict)
        seed = bytes.fromhex(mixed["seed"])
    if ended is None or not ended.get("order"):
        verdict.add("say", "reveal", "its cards are not revealed yet")
        return
    cards = _check_reveal(started, ended)
    verdict.add("ok", "reveal", f"the {len(cards)} cards revealed are those committed to")
    if names and mixed is None:
        if not ended.get("abandoned") or any("round" in event for event in events):
            raise Wrong("mix", "a shoe that was to be mixed was dealt without")
        verdict.add("say", "mix", "abandoned: it was to be mixed, and was not dealt")
        return
    _check_deal(shuffle(cards, seed) if seed else cards, mixed or started, events, verdict, left)


def _find_single(events: list[dict[str, Json]], kind: str) -> dict[str, Json] | None:
    found = [event for event in events if event["event"] == kind]
    if len(found) > 1:
        raise Wrong("shoe", f"a shoe has one {kind}")
    return found[0] if found else None


def _build_mix_message(table: str, started: Mapping[str, Json]) -> bytes:
    lines = (started["log"], table, str(started["shoe"]), started["commitment"])
    return MIX + "".join(f"{line}\n" for line in lines).encode()


def _check_mix(
    started: Mapping[str, Json], mixed: Mapping[str, Json], message: bytes, policy: Policy | None
) -> tuple[str, str]:
    """Check the mix; return a mark and an explanation."""
    names, answers = started["mix"], mixed["signatures"]
    if not isinstance(answers, dict) or names != sorted(set(names)) or names != sorted(answers):
        raise Wrong("mix", "it was not mixed by the witnesses that were named before")
    signatures = [decode_hex(answers[name], len(answers[name]) // 2, "mix") for name in names]
    hashed = bytes.fromhex(started["commitment"]) + b"".join(signatures)
    if hashlib.sha256(MIX_SEED + hashed).hexdigest() != mixed["seed"]:
        raise Wrong("mix", "the seed is not that of the witnesses' signatures")
    if (mixed["first_card"], mixed["burn"]) != _count_burned(started["burns"], mixed["first_card"]):
        raise Wrong("mix", "other cards were burned than it was said before")
    known = policy.mixers if policy else {}
    said = dict(zip(names, started["mix_keys"], strict=True))
    for name, signature in zip(names, signatures, strict=True):
        try:
            key = known[name] if name in known else read_mix_key(said[name])
        except ValueError:
            why = "is not proven to have one signature for a message"
            raise Wrong("mix", f"the key of {name} for the mix {why}") from None
        if not is_rsa(key, signature, message):
            raise Wrong("mix", f"the mix is not signed by {name}, or not by the one signature")
    unknown = [name for name in names if name not in known]
    if unknown:
        return "open", f"mixed; no policy of yours has the key for the mix of {', '.join(unknown)}"
    return "ok", f"mixed by {', '.join(names)}, whose signatures nobody can choose"


def _report_missing_mixers(names: list[str], policy: Policy, verdict: Verdict) -> None:
    """Report witnesses of the user's policy that did not mix; below the quorum is unproven."""
    known, mark = policy.mixers, "say" if policy.is_met(set(names)) else "open"
    if missing := [name for name in known if name not in names]:
        few = f"mixed by {len(known) - len(missing)} of the {len(known)} witnesses of your policy"
        verdict.add(mark, "mix", f"{few}, not by {', '.join(missing)}")


def _count_burned(burns: Json, first_card: str) -> tuple[str, int]:
    """Return the first card turned and the number of cards burned after it.

    By the rule "first-card" that number is the card's points, at most ten; else it is fixed.
    """
    if burns != "first-card":
        return "", burns
    points = _parse_card(first_card) % len(RANKS) + 1
    return first_card, min(points, MAX_BURNED)


def _check_reveal(started: Mapping[str, Json], ended: Mapping[str, Json]) -> bytes:
    cards = bytes(_parse_card(code) for code in str(ended["order"]).split(" "))
    nonce = decode_hex(str(ended["nonce"]), HASH_BYTES, "reveal")
    if hashlib.sha256(COMMITMENT + nonce + cards).hexdigest() != started["commitment"]:
        raise Wrong("reveal", "the cards revealed are not those committed to")
    counts = [cards.count(card) for card in sorted(set(cards))]
    is_whole = len(counts) % len(RANKS) == 0 and set(counts) == {started["decks"]}
    if not is_whole:
        raise Wrong("reveal", "the cards committed to are not whole decks")
    return cards


def _parse_card(code: str) -> int:
    if len(code) == 2 and code[1] in SUITS:
        suit = SUITS.index(code[1])
        ranks = RANKS if suit < STANDARD_SUITS else ELEMENT_RANKS
        if code[0] in ranks:
            return len(RANKS) * suit + ranks.index(code[0])
    raise Wrong("reveal", "a card is none")


WORD_BYTES = 4


def shuffle(cards: bytes, seed: bytes) -> bytes:
    """Shuffle with Fisher-Yates and SHAKE-256 of the seed.

    To avoid bias, skip words beyond the largest multiple of n.
    """
    order = list(cards)
    words = _generate_words(seed, 8 * len(order) + 64)
    for i in range(len(order)):
        n = len(order) - i
        most = (1 << 32) // n * n
        word = next(word for word in words if word < most)
        j = i + word % n
        order[i], order[j] = order[j], order[i]
    return bytes(order)


def _generate_words(seed: bytes, count: int) -> Iterator[int]:
    stream = hashlib.shake_256(seed).digest(WORD_BYTES * count)
    for place in range(0, len(stream), WORD_BYTES):
        yield int.from_bytes(stream[place : place + WORD_BYTES], "big")


def _check_deal(
    order: bytes,
    first: Mapping[str, Json],
    events: list[dict[str, Json]],
    verdict: Verdict,
    left: dict[int, int],
) -> None:
    """Check that the rounds were dealt from the order, card after card."""
    place = 0
    if first["first_card"]:
        if _parse_card(first["first_card"]) != order[0]:
            raise Wrong("cards", "the first card that was turned is not that of the order")
        place = 1
    place += first["burn"]
    rounds = dict[int, bytes]()
    for event in events:
        if event["event"] == "CardDealt":
            number = event["round"]
            rounds[number] = rounds.get(number, b"") + bytes([_parse_card(event["card"])])
        elif event["event"] == "RoundSettled":
            rounds[event["round"]] = bytes(map(_parse_card, event["cards"].split(" ")))
        elif event["event"] == "RoundVoided":
            rounds.setdefault(event["round"], b"")
    for number, cards in rounds.items():
        if order[place : place + len(cards)] != cards:
            raise Wrong("cards", f"the cards of round {number} are not those of the order")
        place += len(cards)
        left[number] = len(order) - place
    told = sum(1 for cards in rounds.values() if cards)
    text = f"the cards of {told} rounds are those of the order, one after the other"
    verdict.add("ok", "cards", text)


# Voids: at a server-dealt table no person handles a card, and only the server counts the rest

CARD_GROUNDS = (
    "foreign-card",
    "wrong-deck-count",
    "wrong-card-count",
    "cards-drawn-together",
    "order-altered",
    "misread-card",
)
TOO_FEW = "insufficient-cards"


def check_voids(events: list[dict[str, Json]], left: Mapping[int, int], verdict: Verdict) -> None:
    """Report the ground of each void, and mark grounds that are impossible."""
    started = next((event for event in events if event["event"] == "ShoeStarted"), None)
    dealing = started["dealing"] if started else ""
    committed = {x["round"] for x in events if x["event"] == "BetsOpened" and x.get("commitment")}
    for event in events:
        if event["event"] == "RoundVoided":
            number = event["round"]
            is_committed = number in committed
            mark, text = _judge_void(event, dealing, left.get(number), is_committed=is_committed)
            verdict.add(mark, "void", f"round {number}: {text}")


def _judge_void(
    event: Mapping[str, Json], dealing: str, left: int | None, *, is_committed: bool
) -> tuple[str, str]:
    """Judge a void; return a mark and an explanation.

    A round with its own commitment has six cards, which always suffice. `dealing` is empty if the
    receipt does not disclose it.
    """
    ground, cited = event["ground"], f"{event['ground']} [{event['clause']}]"
    is_server = is_committed or dealing == "virtual"
    is_about_cards = ground == TOO_FEW or ground in CARD_GROUNDS
    if ground == TOO_FEW and is_server and not is_committed:
        mark, text = _judge_too_few(event, left)
        return mark, f"{text}, {cited}"
    if is_about_cards and is_server:
        return "look", f"void on a ground that cannot exist at a server-dealt table, {cited}"
    if is_about_cards and not dealing:
        shows = "the receipt of the shoe shows who dealt"
        return "say", f"void, {cited}, which needs physical cards; {shows}"
    if is_server:
        return "say", f"void, {cited}; whether the server could read the cards, no receipt shows"
    return "say", f"void, {cited}"


def _judge_too_few(event: Mapping[str, Json], left: int | None) -> tuple[str, str]:
    """Judge a void for too few cards; `left` is known once the order is revealed."""
    text = "void for too few cards"
    if left:
        return "look", f"{text}, and {left} were left in the shoe"
    if left == 0:
        return "ok", f"{text}, and the shoe was empty"
    if event.get("proposed_by"):
        return "look", f"{text}, declared by people; only the server can know that"
    return "say", f"{text}; the order will show it"


# Facts: the disclosed entries in words

LINE_FIELDS = 8
EMPTY: tuple[Json, ...] = ("", None, [])


def list_facts(entry: Entry) -> Iterator[str]:
    where = f"entry {entry.seq}, {format_time(entry.header['at'] // 1000)}"
    for part in entry.parts:
        if isinstance(part, list):
            yield f"{where}: {_describe_line(part)}"
            continue
        names = [name for name in sorted(part) if name != "event" and part[name] not in EMPTY]
        said = [f"{name} {_format_value(name, part[name])}" for name in names]
        yield f"{where}: {part['event']}: {', '.join(said)}"


def _describe_line(part: list[Json]) -> str:
    line = _unwrap_line(part)
    bet, stake, outcome, won, back, bonus = line[1:7]
    taken = "taken back: " if line is not part else ""
    sums = f"won {format_money(won)}, returned {format_money(back)}, bonus {format_money(bonus)}"
    return f"{taken}{bet} {format_money(stake)} {outcome}: {sums}"


def _format_value(name: str, value: Json) -> str:
    if name.endswith("cents") and type(value) is int:
        return format_money(value)
    text = value if isinstance(value, str) else canonical(value).decode()
    return text if len(text) <= 80 else f"{text[:64]}..."


def format_money(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def format_time(seconds: int) -> str:
    if seconds >= 1 << 37:
        return "a time that cannot be"
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"


# The command line

SUMMARY = {
    HOLDS: "holds, under your policy",
    REFUSED: "REFUSED: do not believe it",
    UNPROVEN: "nothing is wrong in it, and not all of it is proven",
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Verify a receipt of a puntobanco floor.")
    parser.add_argument("receipt", type=Path)
    parser.add_argument("--policy", type=Path, help="the log and the witnesses that you trust")
    parser.add_argument("--json", action="store_true", help="lines and facts as JSON")
    options = parser.parse_args(arguments)
    try:
        data = options.receipt.read_bytes()
        policy = options.policy.read_text("utf-8") if options.policy else None
    except (OSError, UnicodeDecodeError) as error:
        print(f"verify.py: cannot read: {error}", file=sys.stderr)
        return UNPROVEN
    verdict = verify(data, policy)
    if options.json:
        found = {"code": verdict.code, "lines": verdict.lines, "facts": verdict.facts}
        print(json.dumps(found, ensure_ascii=False))
        return verdict.code
    for line in verdict.lines:
        print(f"{MARKS[line.mark]:3} {line.check:11} {line.text}")
    for fact in verdict.facts:
        print(f"    {fact}")
    print(SUMMARY[verdict.code])
    if rulings := sum(line.mark == "look" for line in verdict.lines):
        print(f"rulings to look at: {rulings}, marked {MARKS['look']}")
    return verdict.code


if __name__ == "__main__":
    sys.exit(main())
