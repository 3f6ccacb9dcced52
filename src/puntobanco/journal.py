"""The journal: canonical bytes, a chain of hashes, heads that nodes sign.

An entry is one accepted command: who, when, under which rules, and the events that followed. Its
bytes are one line of JSON, `[header,salt,part,part,...]`. The first part is who gave which command;
each other one is an event, or one patron's line of the event before it, so that one patron's line
can be shown without the others. The header holds the Merkle root of the parts; the hash of an entry
is the SHA-256 of its header's bytes, and the next entry holds it. The specification, with test
vectors, is docs/reference/journal-format.md.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from puntobanco import merkle
from puntobanco.events import EVENTS, Event, Record
from puntobanco.rules.refusals import Refusal

VERSION = 2
NOTHING = "0" * 64
"""The hash before the first entry."""

SALT_BYTES = 16
DRAWN = 64
"""So many salts at a time."""


class Entry(Record):
    stream: str
    epoch: int  # from 1; another one after every recovery
    seq: int  # from 1
    at: int  # milliseconds; never less than the entry before
    by: str
    command: str  # the command's name
    id: str  # that its sender gave it; nothing for what the clock or the store did
    rules: str  # the rulebook and its version, as the table plays it
    prev: str
    salt: str  # random: what is hashed cannot be guessed from its hash
    events: tuple[Event, ...]
    v: int = VERSION


class Header(Record):
    """What of an entry is hashed; the parts are in it by their root. It names nobody, so that it
    can be shown to anybody.
    """

    stream: str
    epoch: int
    seq: int
    at: int
    rules: str
    prev: str
    root: str
    size: int  # how many parts: a root alone does not say it
    v: int = VERSION


class WrittenHeader(Record):
    """A header with its fields in the order in which they are written: nothing is left to sort."""

    at: int
    epoch: int
    prev: str
    root: str
    rules: str
    seq: int
    size: int
    stream: str
    v: int


class Origin(Record):
    """Who gave which command: the first part of an entry, since it may name a patron. Its fields
    stand in the order in which they are written.
    """

    by: str
    command: str
    id: str


class Head(Record):
    """Where a stream stands after a commit, signed by the node that wrote it."""

    stream: str
    epoch: int
    seq: int
    hash: str
    key: str = ""  # id of the node's key
    signature: str = ""


class Fault(Refusal):
    """A journal that does not hold: what is wrong, and where. `advice` is what to do, where that is
    something else than to look at the entries and set them aside.
    """

    remedy = "Run `puntobanco audit`, keep a backup as evidence, and follow the operations page."

    def __init__(self, reason: str, *, stream: str = "", seq: int = 0, advice: str = "") -> None:
        self.stream, self.seq, self.advice = stream, seq, advice
        where = f"{stream} entry {seq}" if seq else stream
        said = f"{where}: {reason}" if where else reason
        super().__init__(f"{said}; {advice}" if advice else said)


BEGIN_EPOCH = "after a recovery run `puntobanco epoch begin`"
"""What to do where a database is behind what was seen of it."""

NOT_CANONICAL = "is not written in canonical bytes"
NOT_ITS_PARTS = "its parts are not those that its header names"

NEWER = (
    "a newer program may have written it: bring this node to the newest release that any node has, "
    "and only where it fails there too run `puntobanco audit` and `puntobanco journal set-aside`"
)
"""What to do with an entry that is whole, and holds what this program does not know."""


# Copies are made of these, on the way of every wager: OpenSSL looks a new hash up by its name
_nothing, _leaf, _shake = hashlib.sha256(), hashlib.sha256(merkle.LEAF), hashlib.shake_128()
_encode = msgspec.json.Encoder(order="sorted").encode
_encode_ordered = msgspec.json.Encoder().encode  # what stands in order: half the time
_head = msgspec.json.Decoder(Head).decode
_header = msgspec.json.Decoder(Header).decode
_written_header = msgspec.json.Decoder(WrittenHeader).decode
_origin = msgspec.json.Decoder(Origin).decode
_salt = msgspec.json.Decoder(str).decode
_raw = msgspec.json.Decoder(list[msgspec.Raw]).decode

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError)

Row: TypeAlias = tuple[int, bytes]
"""An entry as it is stored: its number and its bytes."""

Chain: TypeAlias = Iterator[tuple[Entry, str]]
"""Entries with their hashes, each checked against the one before."""


class Written(NamedTuple):
    """An entry as bytes, and its hash."""

    data: bytes
    hash: str


class Read(NamedTuple):
    """Bytes as an entry, and its hash."""

    entry: Entry
    hash: str


Decode: TypeAlias = Callable[[bytes], Read]


def canonical(value: Record | dict[str, object]) -> bytes:
    """The one way to write a value: UTF-8 JSON, keys sorted, no spaces.

    >>> canonical(Head(stream="table:1", epoch=1, seq=1, hash="ab"))
    b'{"epoch":1,"hash":"ab","key":"","seq":1,"signature":"","stream":"table:1"}'
    """
    return _encode(value)


def hash_of(data: bytes) -> str:
    hashed = _nothing.copy()
    hashed.update(data)
    return hashed.hexdigest()


# Parts


def parts_of(events: Iterable[Event]) -> list[bytes]:
    """What an entry is hashed from besides its origin: each event, and each patron's line of one by
    itself.
    """
    parts: list[bytes] = []
    for event in events:
        apart = event.traits.apart
        if not apart:
            parts.append(_encode(event))
            continue
        parts.append(_encode(msgspec.structs.replace(event, **{apart: ()})))
        parts += map(_encode, getattr(event, apart))
    return parts


def leaves_of(salt: str, parts: Sequence[bytes]) -> list[bytes]:
    """The leaves of an entry's tree: each part is salted by itself, so that one can be shown and
    the others stay unknown.
    """
    salts = _salts(salt, len(parts))
    leaves, place = [], 0
    for part in parts:  # on the way of every wager: without a call for each part
        leaf = _leaf.copy()
        leaf.update(salts[place : place + SALT_BYTES] + part)
        leaves.append(leaf.digest())
        place += SALT_BYTES
    return leaves


def salt_of(salt: str, place: int) -> str:
    """Of one part, from the entry's."""
    return _salts(salt, place + 1)[-SALT_BYTES:].hex()


def _salts(salt: str, count: int) -> bytes:
    """Of so many parts, one behind the other: who knows one does not know another."""
    stream = _shake.copy()
    stream.update(bytes.fromhex(salt))
    return stream.digest(SALT_BYTES * count)


def _is_salt(text: str) -> bool:
    """Whether it is written in the one way that there is."""
    return len(text) == 2 * SALT_BYTES and bytes.fromhex(text).hex() == text


def new_salts() -> Iterator[str]:
    """One for each entry, without end. Many are drawn at a time: each draw gives the interpreter's
    lock away.
    """
    while True:
        drawn = secrets.token_hex(SALT_BYTES * DRAWN)
        digits = 2 * SALT_BYTES
        for place in range(0, len(drawn), digits):
            yield drawn[place : place + digits]


# Bytes


def write_entry(entry: Entry) -> Written:
    return Written(*written(entry))


def written(entry: Entry) -> tuple[bytes, str]:
    """The same without names for the two, which cost more than a hash; for every wager."""
    parts = [_encode_ordered(Origin(entry.by, entry.command, entry.id)), *parts_of(entry.events)]
    root = merkle.root(leaves_of(entry.salt, parts)).hex()
    # by place: names cost more than the fields, on the way of every wager
    place = entry.rules, entry.seq, len(parts), entry.stream, entry.v
    header = _encode_ordered(WrittenHeader(entry.at, entry.epoch, entry.prev, root, *place))
    return _joined(header, entry.salt, parts), hash_of(header)


def _joined(header: bytes, salt: str, parts: Iterable[bytes]) -> bytes:
    return b"".join((b"[", header, b',"', salt.encode(), b'",', b",".join(parts), b"]"))


class Pieces(NamedTuple):
    """An entry taken apart, each piece as its bytes stand."""

    header: bytes
    salt: str
    parts: list[bytes]


def pieces_of(data: bytes) -> Pieces:
    """Of bytes that are known to be an entry."""
    header, salt, *parts = map(bytes, _raw(data))
    return Pieces(header, _salt(salt), parts)


def entry_of(
    header: Header | WrittenHeader, origin: Origin, salt: str, events: tuple[Event, ...]
) -> Entry:
    # by place: names cost more than the fields
    place = header.stream, header.epoch, header.seq, header.at
    asked = origin.by, origin.command, origin.id
    return Entry(*place, *asked, header.rules, header.prev, salt, events, header.v)


def header_of(data: bytes, *, stream: str = "", seq: int = 0) -> tuple[Header, str]:
    """The header of an entry, and the entry's hash; its parts are not looked at."""
    try:
        raw = bytes(_raw(data)[0])
        return _header(raw), hash_of(raw)
    except (*UNREADABLE, IndexError) as error:
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from None


def read_origin(part: bytes) -> Origin:
    return _origin(part)


def origin_of(data: bytes, *, stream: str = "", seq: int = 0) -> Origin:
    """Who gave the command of an entry; its other parts are not looked at."""
    try:
        return _origin(pieces_of(data).parts[0])
    except (*UNREADABLE, IndexError) as error:
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from None


def entry_hash(data: bytes) -> str:
    """The hash that an entry's bytes come to, its root computed anew: a changed part changes it. Of
    bytes that are no entry, one that no entry has.
    """
    try:
        pieces = pieces_of(data)
        header = _header(pieces.header)
        root = merkle.root(leaves_of(pieces.salt, pieces.parts)).hex()
    except (*UNREADABLE, IndexError):
        return hash_of(data)
    if _joined(*pieces) != data or not _is_salt(pieces.salt):
        return hash_of(data)
    if (root, len(pieces.parts)) != (header.root, header.size):
        return hash_of(_encode(msgspec.structs.replace(header, root=root, size=len(pieces.parts))))
    return hash_of(pieces.header)


def decoder(kinds: Iterable[type[Event]]) -> Decode:
    """Reads entries that hold events of these kinds."""
    kinds = tuple(kinds)
    return _Decoder(kinds).read


class _Decoder:
    def __init__(self, kinds: Sequence[type[Event]]) -> None:
        union: type[Event] = kinds[0]
        for kind in kinds[1:]:
            union |= kind  # type: ignore[assignment]
        self._event = msgspec.json.Decoder(union).decode
        whole = tuple[WrittenHeader, str, Origin, union]  # type: ignore[valid-type]
        self._whole = msgspec.json.Decoder(whole).decode
        self._lines = dict[type[Event], Callable[[bytes], tuple[object, ...]]]()
        for kind in kinds:
            if kind.traits.apart:
                fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
                self._lines[kind] = msgspec.json.Decoder(fields[kind.traits.apart]).decode

    def read(self, data: bytes) -> Read:
        return self._of_one_event(data) or self._of_any(data)

    def _of_one_event(self, data: bytes) -> Read | None:
        """An entry of one event without lines, as nearly every one is, in canonical bytes: these
        are written anew for that, and are what is hashed. None where it is another, or none.
        """
        try:
            header, salt, origin, event = self._whole(data)
        except UNREADABLE:
            return None
        if event.traits.apart:
            return None
        parts = [_encode_ordered(origin), _encode(event)]
        header_raw = _encode_ordered(header)
        if _joined(header_raw, salt, parts) != data or not _is_salt(salt):
            return None
        if not _is_root_of(header, merkle.root(leaves_of(salt, parts)).hex(), 2):
            raise Fault(NOT_ITS_PARTS)
        return Read(entry_of(header, origin, salt, (event,)), hash_of(header_raw))

    def _of_any(self, data: bytes) -> Read:
        header_raw, salt, raws = pieces_of(data)
        header = _written_header(header_raw)
        root = merkle.root(leaves_of(salt, raws)).hex()
        if not _is_root_of(header, root, len(raws)):
            raise Fault(NOT_ITS_PARTS)
        origin = _origin(raws[0])
        events = tuple(self.events(raws[1:]))
        # written again, all of it: there is one way to write an entry
        parts = [_encode_ordered(origin), *parts_of(events)]
        again = _joined(_encode_ordered(header), salt, parts)
        if not _is_salt(salt) or not (again == data or _is_sorted(data)):
            raise Fault(NOT_CANONICAL)
        return Read(entry_of(header, origin, salt, events), hash_of(header_raw))

    def events(self, raws: Sequence[bytes]) -> Iterator[Event]:
        """An event, and behind it its lines, which are arrays."""
        place = 0
        while place < len(raws):
            event = self._event(raws[place])
            if event.traits.apart and getattr(event, event.traits.apart):
                raise Fault(NOT_CANONICAL)  # its lines belong in parts of their own
            place += 1
            end = place
            while end < len(raws) and raws[end].startswith(b"["):
                end += 1
            if end > place:
                lines = self._lines[type(event)](b"[" + b",".join(raws[place:end]) + b"]")
                event = msgspec.structs.replace(event, **{event.traits.apart: lines})
                place = end
            yield event


_known = _Decoder(EVENTS)
_ours: Decode = _known.read


def events_of(parts: Sequence[bytes]) -> tuple[Event, ...]:
    """The events of these parts, each with those of its lines that are among them."""
    return tuple(_known.events(parts))


def read_entry(data: bytes, *, stream: str = "", seq: int = 0, decode: Decode = _ours) -> Entry:
    return _read(data, stream, seq, decode).entry


def _read(data: bytes, stream: str, seq: int, decode: Decode) -> Read:
    try:
        return decode(data)
    except Fault as fault:
        raise Fault(fault.reason, stream=stream, seq=seq) from None
    except msgspec.ValidationError as error:  # JSON, but of a kind or with a field unknown here
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq, advice=NEWER) from error
    except Exception as error:  # whatever forged bytes do to a decoder
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from error


def _is_sorted(data: bytes) -> bool:
    """Whether the bytes are canonical but for fields that were added since, which have defaults: an
    earlier program wrote them.
    """
    return _encode(msgspec.json.decode(data)) == data


def _is_root_of(header: Header | WrittenHeader, root: str, size: int) -> bool:
    return (header.root, header.size) == (root, size)


def _is_linked(entry: Entry, head: str) -> bool:
    """Whether the entry names the hash of the one before."""
    return entry.prev == head


def chained(
    rows: Iterable[Row],
    stream: str,
    *,
    seq: int = 0,
    head: str = NOTHING,
    at: int = 0,
    epoch: int = 1,
    decode: Decode = _ours,
) -> Chain:
    """Entries with their hashes, each checked against the one before; from after `seq`, whose hash
    is `head`.
    """
    for numbered, data in rows:
        seq += 1
        if numbered != seq:
            raise Fault(f"is missing; the next one is {numbered}", stream=stream, seq=seq)
        entry, hash_ = _read(data, stream, seq, decode)
        if entry.v != VERSION:
            raise Fault(
                f"is of version {entry.v}; this program reads version {VERSION}",
                stream=stream,
                seq=seq,
            )
        if (entry.stream, entry.seq) != (stream, seq):
            raise Fault(f"says that it is {entry.stream} entry {entry.seq}", stream=stream, seq=seq)
        if not _is_linked(entry, head):
            raise Fault("does not follow from the entry before it", stream=stream, seq=seq)
        if entry.at < at:
            raise Fault("is earlier than the entry before it", stream=stream, seq=seq)
        if not entry.events:
            raise Fault("holds no event", stream=stream, seq=seq)
        if entry.epoch < epoch:
            raise Fault("is of an earlier epoch than the entry before it", stream=stream, seq=seq)
        head, at, epoch = hash_, entry.at, entry.epoch
        yield entry, head


# Signatures


Sign: TypeAlias = Callable[[bytes], bytes]


def signed(head: Head, sign: Sign) -> Head:
    """`head` names the key."""
    return msgspec.structs.replace(head, signature=sign(canonical(head)).hex())


def verify_signature(head: Head, key: Ed25519PublicKey) -> None:
    bare = msgspec.structs.replace(head, signature="")
    if not is_signature(head.signature, canonical(bare), key):
        raise Fault("the signature of the head is not its key's", stream=head.stream, seq=head.seq)


def is_signature(signature: str, data: bytes, key: Ed25519PublicKey) -> bool:
    try:
        raw = bytes.fromhex(signature)
        if raw.hex() != signature:  # one way to write it
            return False
        key.verify(raw, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def read_head(line: bytes, number: int) -> Head:
    """A line of the file of heads."""
    try:
        return _head(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Fault(f"line {number} of the file of heads cannot be read: {error}") from None


def read_heads(lines: Iterable[bytes]) -> Iterator[Head]:
    """The heads of a file, from its lines with their ends.

    A last line without its end is being written, or was cut by a crash and is mended at the next
    start: it is no head yet. Any other line that cannot be read is a fault.
    """
    for number, line in enumerate(lines, 1):
        is_whole = line.endswith(b"\n")
        if is_whole and len(line) > 1:
            yield read_head(line[:-1], number)


def verify_standing(heads: Iterable[Head], standing: Container[str], epoch: int) -> None:
    """Raises a fault where a stream of the file of heads is gone from the database; unless all of
    it is of an earlier epoch: then it was opened after the copy that was recovered.
    """
    for head in heads:
        if head.stream not in standing and head.epoch >= epoch:
            raise Fault(
                "is in the file of heads and not in the database",
                stream=head.stream,
                seq=head.seq,
                advice=BEGIN_EPOCH,
            )
