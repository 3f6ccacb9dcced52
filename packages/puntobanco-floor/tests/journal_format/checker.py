"""Independent checker of journal format 2, written from docs/reference/journal-format.md alone.

It imports nothing of puntobanco. `python packages/puntobanco-floor/tests/journal_format/checker.py` checks the worked example
on the page and every test vector, and prints each case that does not give the expected result.
"""

import json
import re
import sys
from collections.abc import Mapping
from hashlib import sha256, shake_128
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

REFERENCE = Path(__file__).parents[4] / "docs" / "reference"
PAGE = REFERENCE / "journal-format.md"
VECTORS = sorted((REFERENCE / "vectors" / "journal-format-2").glob("*.json"))
HEADER: dict[str, type] = dict.fromkeys(("at", "epoch", "seq", "size", "v"), int)
HEADER |= dict.fromkeys(("prev", "root", "rules", "stream"), str)
ORIGIN = dict.fromkeys(("by", "command", "id"), str)
HEAD = dict.fromkeys(("hash", "key", "signature", "stream"), str) | {"epoch": int, "seq": int}
ADMITTED = ("certificate", "event", "key", "public", "root")
LINES = {"RoundSettled": "lines", "RoundVoided": "lines", "RoundReopened": "recoveries"}

Object = dict[str, Any]


class Fault(Exception):
    """The first fault; its text is a verdict of the page."""


def require(holds: object, verdict: str) -> None:
    if not holds:
        raise Fault(verdict)


# Canonical JSON


def encode(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def refuse(text: str) -> None:
    raise ValueError(text)


def decode(data: bytes) -> Any:
    try:
        value = json.loads(data.decode(), parse_float=refuse, parse_constant=refuse)
        again = encode(value)
    except (ValueError, RecursionError):
        raise Fault("unreadable") from None
    require(again == data, "not-canonical")
    return value


def require_fields(value: Any, fields: Mapping[str, type]) -> None:
    require(isinstance(value, dict) and value.keys() == fields.keys(), "unreadable")
    require(all(type(value[name]) is kind for name, kind in fields.items()), "unreadable")


def is_hex(text: object, length: int) -> bool:
    return isinstance(text, str) and bool(re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text))


# Entries and parts


class Entry(NamedTuple):
    header: Object
    events: list[Object]
    hash: str
    salts: list[bytes]
    leaves: list[bytes]


def merkle_root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha256(b"\1" + merkle_root(leaves[:half]) + merkle_root(leaves[half:])).digest()


def read_entry(data: bytes) -> Entry:
    line = decode(data)
    require(isinstance(line, list) and len(line) >= 3 and isinstance(line[1], str), "unreadable")
    header, salt, *parts = line
    require_fields(header, HEADER)
    require(is_hex(salt, 16), "bad-salt")
    drawn = shake_128(bytes.fromhex(salt)).digest(16 * len(parts))
    salts = [drawn[16 * place : 16 * place + 16] for place in range(len(parts))]
    pairs = zip(salts, map(encode, parts), strict=True)
    leaves = [sha256(b"\0" + own + part).digest() for own, part in pairs]
    root = merkle_root(leaves).hex()
    require((header["root"], header["size"]) == (root, len(parts)), "wrong-parts")
    require_fields(parts[0], ORIGIN)
    events, field = list[Object](), None
    for part in parts[1:]:
        if isinstance(part, list):
            require(field, "unreadable")
            continue
        require(isinstance(part, dict) and isinstance(part.get("event"), str), "unreadable")
        field = LINES.get(part["event"])
        require(field is None or part.get(field) == [], "not-canonical")
        events.append(part)
    return Entry(header, events, sha256(encode(header)).hexdigest(), salts, leaves)


def verify_part(header: bytes, part: bytes, place: int, salt: str, proof: list[str]) -> None:
    fields = decode(header)
    require_fields(fields, HEADER)
    require(is_hex(salt, 16) and all(is_hex(each, 32) for each in proof), "wrong-proof")
    require(0 <= place < fields["size"], "wrong-proof")
    size, left = fields["size"], [bytes.fromhex(each) for each in proof]
    found = sha256(b"\0" + bytes.fromhex(salt) + part).digest()
    while size > 1:
        if place % 2 or place + 1 < size:
            require(left, "wrong-proof")
            other = left.pop(0)
            found = sha256(b"\1" + (other + found if place % 2 else found + other)).digest()
        place, size = place // 2, (size + 1) // 2
    require(not left and found.hex() == fields["root"], "wrong-proof")


# Signatures


def verify(signature: str, data: bytes, public: str, verdict: str) -> None:
    require(is_hex(signature, 64) and is_hex(public, 32), verdict)
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
    try:
        key.verify(bytes.fromhex(signature), data)
    except InvalidSignature:
        raise Fault(verdict) from None


def verify_certificate(stream: str, event: Object, root: str) -> bytes:
    require(all(isinstance(event.get(name), str) for name in ADMITTED), "unreadable")
    signed = encode({name: event[name] for name in ("key", "public", "root")} | {"stream": stream})
    verify(event["certificate"], signed, root, "bad-certificate")
    return signed


def read_head(line: bytes) -> Object:
    try:
        head: Object = decode(line)
        require_fields(head, HEAD)
    except Fault:
        raise Fault("unreadable-head") from None
    return head


def verify_head(head: Object, public: str) -> bytes:
    signed = encode(head | {"signature": ""})
    verify(head["signature"], signed, public, "bad-signature")
    return signed


# Streams


def follow_keys(keys: dict[str, Object], event: Object, seq: int) -> None:
    if event["event"] not in ("KeyAdmitted", "KeyRetired"):
        return
    require(isinstance(event.get("key"), str), "unreadable")
    known = keys.get(event["key"])
    if event["event"] == "KeyAdmitted":
        require(all(isinstance(event.get(name), str) for name in ADMITTED), "unreadable")
        is_same = known is None or ("until" not in known and known["public"] == event["public"])
        require(is_same, "key-admitted-before")
        keys[event["key"]] = event | {"since": known["since"] if known else seq}
    else:
        require(known is not None and "until" not in known, "key-not-admitted")
        keys[event["key"]] |= {"until": seq}


def verify_stream(
    stream: str,
    entries: list[bytes],
    heads: list[bytes],
    roots: dict[str, str],
    replaced: list[str],
) -> str:
    """Verify a whole stream and return the hash of its last entry."""
    signed = [read_head(line) for line in heads]
    keys, prev, at, epoch = dict[str, Object](), "0" * 64, 0, 1
    for seq, data in enumerate(entries, 1):
        header, events, hash_, *_ = read_entry(data)
        require(header["v"] == 2, "wrong-version")
        require((header["stream"], header["seq"]) == (stream, seq), "wrong-place")
        require(header["prev"] == prev, "wrong-prev")
        require(header["at"] >= at, "earlier-time")
        require(events, "no-event")
        require(header["epoch"] >= epoch, "earlier-epoch")
        prev, at, epoch = hash_, header["at"], header["epoch"]
        for event in events:
            follow_keys(keys, event, seq)
        for head in signed:
            if head["seq"] != seq:
                continue
            require((head["hash"], head["epoch"]) == (hash_, epoch), "wrong-head")
            key = keys.get(head["key"], {"since": seq + 1})
            require(key["since"] <= seq < key.get("until", seq + 1), "key-does-not-count")
            require(key["root"] in roots, "unknown-root")
            verify_certificate(head["stream"], key, roots[key["root"]])
            verify_head(head, key["public"])
    last = [head["key"] for head in signed if head["seq"] == len(entries)]
    require(all(1 <= head["seq"] <= len(entries) for head in signed), "stray-head")
    require(last, "unsigned-tail")
    require(all(keys[key]["root"] not in replaced for key in last), "replaced-root")
    return prev


def verify_period(snapshot: bytes, sealing: bytes) -> str:
    """Verify a snapshot by the entry that seals it; return the hash of that entry."""
    entry = read_entry(sealing)
    sealed = [each["snapshot"] for each in entry.events if each["event"] == "PeriodSealed"]
    require(sealed == [sha256(snapshot).hexdigest()], "wrong-snapshot")
    require(decode(snapshot).get("head") == entry.header["prev"], "wrong-snapshot")
    return entry.hash


# Test vectors


def check(kind: str, given: Object) -> Object:
    """Return the verdict on a test vector, with the other values that its file states."""
    try:
        return {"verdict": "valid"} | compute(kind, {name: to_bytes(given[name]) for name in given})
    except Fault as fault:
        return {"verdict": str(fault)}


def to_bytes(value: Any) -> Any:
    """Replace `{"text": ...}` and `{"hex": ...}` by the bytes that they state."""
    if isinstance(value, list):
        return [to_bytes(each) for each in value]
    if isinstance(value, dict) and value.keys() <= {"text", "hex"}:
        return value["text"].encode() if "text" in value else bytes.fromhex(value["hex"])
    return value


def compute(kind: str, given: Object) -> Object:
    match kind:
        case "canonical-json":
            return {"sha256": sha256(encode(decode(given["json"]))).hexdigest()}
        case "entries":
            entry = read_entry(given["entry"])
            tree = {name: [x.hex() for x in getattr(entry, name)] for name in ("salts", "leaves")}
            return {"hash": entry.hash, "root": entry.header["root"]} | tree
        case "parts":
            verify_part(**given)
            return {"hash": sha256(given["header"]).hexdigest()}
        case "heads":
            return {"signed": verify_head(read_head(given["head"]), given["public"]).decode()}
        case "heads-files":
            heads = [read_head(line) for line in given["file"].split(b"\n")[:-1] if line]
            return {"heads": [encode(head).decode() for head in heads]}
        case "certificates":
            event = decode(given["event"])
            signed = verify_certificate(given["stream"], event, given["root_public"])
            return {"event": event["event"], "signed": signed.decode()}
        case "periods":
            return {"hash": verify_period(**given)}
        case _:
            return {"hash": verify_stream(**given)}


# The worked example


def read_example(page: str) -> dict[str, str]:
    """Return the values of the worked example: `name = value` in the blocks marked `example`."""
    blocks = re.findall(r"^```text example\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return dict(line.split(" = ", 1) for block in blocks for line in block.splitlines())


def compute_example(stated: dict[str, str]) -> dict[str, str]:
    """Compute the worked example from its keys, entries, heads and snapshot."""
    inputs = r"(entry|head) \d|snapshot|root id|.* private key"
    found = {name: stated[name] for name in stated if re.fullmatch(inputs, name)}
    for name in ("root", "node"):
        private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(stated[f"{name} private key"]))
        found[f"{name} public key"] = private.public_key().public_bytes_raw().hex()
    entries = [stated[f"entry {number}"].encode() for number in (1, 2, 3)]
    heads = [stated[f"head {number}"].encode() for number in (1, 3)]
    for number, data in enumerate(entries, 1):
        entry, (_, salt, *parts) = read_entry(data), decode(data)
        for place, part in enumerate(parts):
            found[f"entry {number} part {place}"] = encode(part).decode()
            found[f"entry {number} part salt {place}"] = entry.salts[place].hex()
            found[f"entry {number} leaf {place}"] = entry.leaves[place].hex()
        found[f"entry {number} salt"], found[f"entry {number} hash"] = salt, entry.hash
        found[f"entry {number} header"] = encode(entry.header).decode()
        found[f"entry {number} root"] = merkle_root(entry.leaves).hex()
    root, node = found["root public key"], found["node public key"]
    found["node id"] = node[:16]
    verify_stream("table:1", entries, heads, {stated["root id"]: root}, [])
    admitted = read_entry(entries[0]).events[0]
    found["certificate"] = admitted["certificate"]
    found["certificate signed bytes"] = verify_certificate("table:1", admitted, root).decode()
    for number, line in zip((1, 3), heads, strict=True):
        found[f"head {number} signed bytes"] = verify_head(read_head(line), node).decode()
        found[f"head {number} signature"] = read_head(line)["signature"]
    verify_period(stated["snapshot"].encode(), entries[2])
    return found | {"snapshot hash": sha256(stated["snapshot"].encode()).hexdigest()}


def main() -> int:
    stated, wrong, count = read_example(PAGE.read_text("utf-8")), list[str](), 0
    if compute_example(stated) != stated:
        wrong.append("the worked example on the page")
    for path in VECTORS:
        file = json.loads(path.read_text("utf-8"))
        for case in file["cases"]:
            found = check(file["kind"], case["given"])
            wrong += [f"{path.name}: {case['name']}: {found}"] * (found != case["expected"])
            count += 1
    print(*wrong, f"{count} test vectors, {len(wrong)} wrong", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
