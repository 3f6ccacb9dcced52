"""Archives: one sealed period of a stream in a file that can be checked and replayed alone.

Lines of JSON: a header; the snapshot that the period starts from (none for the first); the entries,
byte for byte as they stand in the journal; the signed heads. The first entry of a later period
holds the hash of the snapshot it starts from, and the last entry the hash of the one it ends with.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.entries import Chain, chained
from puntobanco_floor.domain.machine import Machine, S
from puntobanco_floor.store.batch import Stream, read_snapshot
from puntobanco_floor.store.reader import Reader
from puntobanco_proof.entry.format import NOTHING, Fault, Row, canonical
from puntobanco_proof.entry.heads import Head, read_head
from puntobanco_proof.entry.record import Record

FORMAT = "puntobanco-archive-2"

UNREADABLE = (msgspec.MsgspecError, KeyError, TypeError, ValueError, AssertionError, Refusal)
"""What a damaged snapshot may raise on the way to a stream."""


class Header(Record):
    format: str
    stream: str
    period: int
    first: int
    last: int
    prev: str  # the hash before the first entry
    heads: int


@dataclass
class Archive:
    header: Header
    start: bytes | None
    rows: list[Row]
    heads: list[Head]

    def entries(self, definitions: Definitions = OURS) -> Chain:
        """The entries, their chain checked."""
        h = self.header
        return chained(self.rows, h.stream, seq=h.first - 1, head=h.prev, decode=definitions.decode)

    def begin(self, machine: Machine[S]) -> Stream[S]:
        """The stream as it stood before the first entry."""
        h = self.header
        if self.start is None:
            if h.first != 1:
                raise self._fault("the snapshot that the period starts from is missing")
            return Stream.empty(h.stream, machine)
        try:
            stream = Stream.restored(h.stream, machine, read_snapshot(self.start))
        except UNREADABLE as error:
            raise self._fault(f"the snapshot cannot be read: {error}") from None
        if (stream.state.seq, stream.head) != (h.first - 1, h.prev):
            raise self._fault("the snapshot is of another place")
        return stream

    def _fault(self, reason: str) -> Fault:
        return Fault(reason, stream=self.header.stream, seq=self.header.first)

    def bytes(self) -> bytes:
        lines = [canonical(self.header), self.start or b"null"]
        lines += [data for _, data in self.rows]
        lines += [canonical(head) for head in self.heads]
        return b"".join(line + b"\n" for line in lines)


def read_period(reader: Reader, stream: str, period: int) -> Archive:
    """Read a sealed period, from the snapshot before it to the entry that seals it."""
    snapshots = sorted(reader.snapshots(stream).items())
    if not 1 <= period <= len(snapshots):
        sealed = f"1 to {len(snapshots)} are" if snapshots else "none is"
        raise Fault(f"{stream} has no sealed period {period}; {sealed}")
    after, start, prev = 0, None, NOTHING
    if period > 1:
        after, (_, start) = snapshots[period - 2]
        prev = read_snapshot(start).head
    # the entry after the snapshot seals the period: it holds the snapshot's hash
    last = snapshots[period - 1][0] + 1
    rows = list(reader.entries(stream, after=after, upto=last))
    signed = sorted(reader.heads(stream, after=after).items())
    heads = [head for seq, head in signed if seq <= last]
    header = Header(
        format=FORMAT,
        stream=stream,
        period=period,
        first=after + 1,
        last=last,
        prev=prev,
        heads=len(heads),
    )
    return Archive(header, start, rows, heads)


def read_archive(path: Path) -> Archive:
    try:
        lines = path.read_bytes().split(b"\n")
        header = msgspec.json.decode(lines[0], type=Header)
    except OSError as error:
        raise Fault(f"cannot read {path}: {(error.strerror or '').lower()}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Fault(f"{path} is no archive") from None
    if header.format != FORMAT:
        raise Fault(f"{path} is an archive of another version: {header.format}")
    body = lines[2:-1]
    count = header.last - header.first + 1
    whole = count + header.heads
    if len(body) != whole:
        raise Fault(f"{path} is not whole: {len(body)} lines of {whole}")
    start = None if lines[1] == b"null" else lines[1]
    rows = list(enumerate(body[:count], header.first))
    heads = [read_head(line, n) for n, line in enumerate(body[count:], 1)]
    return Archive(header, start, rows, heads)
