"""The audit of the log: leaves made again from the journal, tiles, checkpoints, witnesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from sqlalchemy import select

from puntobanco.base.progress import Advance, Begin, counted, silent
from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.audit_since import Since
from puntobanco_floor.audit.stream_checks import Report
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.recovery.log_recovery import journalled
from puntobanco_floor.store import schema
from puntobanco_floor.store.errors import LogFault
from puntobanco_floor.store.log_tables import LogView, Range, verifiers_of
from puntobanco_floor.store.reader import Reader
from puntobanco_floor.store.signed_chain import first_after_epoch
from puntobanco_floor.transparency.publication import Publication, verify_goes_on, verify_published
from puntobanco_proof.entry.format import Fault, hash_entry, read_header
from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.checkpoints import Checkpoint, open_checkpoint
from puntobanco_proof.tree.faults import BadLogText
from puntobanco_proof.tree.leaves import build_leaf, derive_salt
from puntobanco_proof.tree.notes import Verifier
from puntobanco_proof.tree.policies import Policy
from puntobanco_proof.tree.tiles import ENTRIES, WIDTH, Tile, split_bundle, split_tile

CHECKPOINTS = 1_000
"""That are looked at, from the newest on; the newest goes on from all others."""


@dataclass(frozen=True)
class Others:
    """What others have of the log. `notes` are checkpoints that somebody has kept, by whose they
    are; `seen` those that witnesses said they have seen last; `away` are witnesses that could not
    be asked, and why.
    """

    policy: Policy | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    seen: Mapping[str, str] = field(default_factory=dict)
    away: Mapping[str, str] = field(default_factory=dict)
    folder: Publication | None = None


def audit_log(
    reader: Reader,
    ring: KeyRing | None,
    others: Others,
    published: Checkpoint | LogFault | None,
    begin: Begin = silent,
    since: Since | None = None,
) -> Report:
    """Raise a fault at the first check that fails; `published` was read before `reader` opened."""
    report, view = Report(), LogView(reader.connection)
    origin, size = view.standing()
    if not origin:
        if others.notes or others.policy:
            raise Fault("the database has no log, and a witness was named")
        return report
    try:
        leaves = _Leaves(view, size, begin("leaves of the log", size))
        _verify_leaves(reader, leaves, ring, report, since)
        first = since.checkpoint.size if since else 0
        _tree(view, size, first, begin("hashes of the log", size - first))
        _unlogged(reader, view, report)
        verifiers = verifiers_of(ring, origin) if ring else ()
        _checkpoints(view, verifiers, others.policy, report)
        if isinstance(published, LogFault):
            raise published
        if others.folder is not None:
            verify_published(view, published, others.folder.folder)
        _witnesses(view, verifiers, others, report)
    except (LogFault, BadLogText) as fault:
        raise Fault(f"log {origin}: {fault.reason}") from None
    return report


# Leaves


class _Leaves:
    """The leaves of the log in their order; tiles that are passed over are not read."""

    def __init__(self, view: LogView, size: int, advance: Advance) -> None:
        self.view, self.size, self._advance, self._at = view, size, advance, 0
        self._index, self._tile = -1, list[bytes]()

    def next(self) -> bytes | None:
        if self._at >= self.size:
            return None
        index, place = divmod(self._at, WIDTH)
        if index != self._index:
            tile = Tile(ENTRIES, index, min(WIDTH, self.size - index * WIDTH))
            self._index, self._tile = index, split_bundle(tile, self.view.tile(tile))
            self._advance(tile.width)
        self._at += 1
        return self._tile[place]

    def skip_to(self, place: int) -> int:
        """How many leaves come before this place."""
        count = place - self._at
        if count < 0:
            raise Fault("two entries have one place in the log")
        if place > self.size:
            raise Fault("the log has fewer leaves than entries have places in it")
        self._at = place
        return count


def _verify_leaves(
    reader: Reader,
    found: _Leaves,
    ring: KeyRing | None,
    report: Report,
    since: Since | None,
) -> None:
    keys = {key.id: key.key for key in ring.of("leaves")} if ring else {}
    lost, gone = 0, 0
    for logged in found.view.ranges():
        each = logged
        lost += found.skip_to(each.place)
        if ring is None:
            found.skip_to(each.place + each.size)
            continue
        if since is not None:
            each = since.after_start(each)
            found.skip_to(each.place)
        if each.key not in keys:
            raise Fault(f"key {each.key} of the log's leaves is not in this key ring")
        for seq, own in _own(reader, each, keys[each.key]):
            is_logged = found.next() == own
            report.leaves += is_logged
            gone += not is_logged
            if not is_logged and not _is_left(reader, each, seq):
                raise Fault("is not the one that the log has", stream=each.stream, seq=seq)
    lost += found.skip_to(found.size)
    said = journalled(reader)
    if lost != said:
        raise Fault(f"{lost} leaves of the log have no entry, and the journal says {said}")
    if lost:
        report.unproven.append(f"{lost} leaves of the log are of entries that a recovery has lost")
    if gone:
        report.unproven.append(
            f"{gone} leaves of the log are of entries that were gone or changed when two people "
            "began an epoch in their stream"
        )
    if ring is None:
        report.unproven.append("no key ring was given: leaves of the log were not made anew")


def _entries(view: LogView, size: int, first: int = 0) -> Iterator[bytes]:
    """The leaves of the log in their order, from that tile on."""
    for index in range(first, -(-size // WIDTH)):
        tile = Tile(ENTRIES, index, min(WIDTH, size - index * WIDTH))
        yield from split_bundle(tile, view.tile(tile))


def _own(reader: Reader, logged: Range, key: bytes) -> Iterator[tuple[int, bytes | None]]:
    """Yield the leaves of a range, from entries in the journal or set aside; None if neither."""
    stream, epoch = logged.stream, logged.epoch
    rows = dict(reader.entries(stream, after=logged.first - 1, upto=logged.last))
    for seq in range(logged.first, logged.last + 1):
        hash_ = _hash(rows.get(seq), stream, seq, epoch) or _set_aside(reader, stream, seq, epoch)
        yield seq, build_leaf(derive_salt(key, stream, seq, epoch), hash_) if hash_ else None


def _hash(data: bytes | None, stream: str, seq: int, epoch: int) -> str | None:
    """Hash an entry, if it is of that epoch."""
    if data is None:
        return None
    try:
        header, _ = read_header(data, stream=stream, seq=seq)
    except Fault:
        return None
    return hash_entry(data) if header.epoch == epoch else None


def _is_left(reader: Reader, logged: Range, seq: int) -> bool:
    """Whether two people have begun a later epoch at this entry, or before it."""
    last = reader.last_head(logged.stream)
    upto = last.seq if last else 0
    return first_after_epoch(reader, logged.stream, upto, logged.epoch) <= min(seq, upto)


def _set_aside(reader: Reader, stream: str, seq: int, epoch: int) -> str | None:
    t = schema.set_aside.c
    kept = select(t.data).where(t.stream == stream, t.place == "entries", t.seq == seq)
    for data in reader.connection.scalars(kept):
        hash_ = _hash(bytes(data), stream, seq, epoch)
        if hash_ is not None:
            return hash_
    return None


# The tree over them


def _tree(view: LogView, size: int, old: int, advance: Advance) -> None:
    """Every tile that has changed since the log had `old` leaves, from the leaves up."""
    first = old // WIDTH
    leaves = counted(_entries(view, size, first), advance)
    level = 0
    row: Iterator[bytes] = (merkle.hash_leaf(each) for each in leaves)
    while True:
        roots, width = list[bytes](), 0
        for index, held in enumerate(_in_tiles(row), first):
            tile = Tile(level, index, len(held))
            if split_tile(tile, view.tile(tile)) != held:
                raise Fault(f"tile {index} of level {level} is not that of the log's leaves")
            width = len(held)
            if width == WIDTH:
                roots.append(merkle.compute_root(held))
        if not roots:
            return
        level, above = level + 1, first // WIDTH
        # the beginning of a tile that was there before: the kept checkpoint's root is over it
        kept = list[bytes]()
        if first % WIDTH:
            tile = Tile(level, above, first % WIDTH)
            kept += split_tile(tile, view.tile(tile))
        first, row = above, iter([*kept, *roots])


def _in_tiles(hashes: Iterator[bytes]) -> Iterator[list[bytes]]:
    while held := list(islice(hashes, WIDTH)):
        yield held


def _unlogged(reader: Reader, view: LogView, report: Report) -> None:
    waiting = 0
    for name, row in reader.streams().items():
        last = view.last(name)
        waiting += max(0, row.seq - (last.last if last else 0))
    if waiting:
        report.unproven.append(f"{waiting} entries are not in the log yet")


# What others have seen


def _checkpoints(
    view: LogView, verifiers: Sequence[Verifier], policy: Policy | None, report: Report
) -> None:
    """Each is signed by the log, and a cosignature beside it is by who it says."""
    if not verifiers:
        return
    cosigners = policy.verifiers if policy else ()
    for note in view.newest(CHECKPOINTS):
        checkpoint = open_checkpoint(note, verifiers, cosigners).checkpoint
        verify_goes_on(view, checkpoint, "its own checkpoint")
        report.checkpoints += 1


def _witnesses(
    view: LogView, verifiers: Sequence[Verifier], others: Others, report: Report
) -> None:
    policy = others.policy
    logs = [log.verifier for log in policy.logs] if policy else []
    cosigners = policy.verifiers if policy else ()
    sizes = dict.fromkeys(others.seen, 0)  # of the log, as each witness has seen it
    for who, note in [*others.notes.items(), *others.seen.items()]:
        try:
            opened = open_checkpoint(note, logs or verifiers, cosigners)
        except Refusal as refusal:
            raise Fault(f"the checkpoint of {who} cannot be used: {refusal.reason}") from None
        verify_goes_on(view, opened.checkpoint, who)
        names = policy.find_names(opened.times) if policy else frozenset[str]()
        for name in {who, *names} if who in others.seen else names:
            sizes[name] = max(sizes.get(name, 0), opened.checkpoint.size)
    report.witnesses = len(sizes)
    for name, why in others.away.items():
        report.unproven.append(f"witness {name} was not asked: {why}")
    if policy is None:
        report.unproven.append(
            "no witness was asked: who has every key could have rewritten journal and log together"
        )
        return
    if not policy.is_witnessed(sizes):
        who = ", ".join(sorted(sizes)) or "nobody"
        report.unproven.append(f"the policy wants more witnesses; seen by: {who}")
        return
    _, size = view.standing()
    unseen = size - _seen_by_enough(policy, sizes)
    if unseen > 0:
        report.unproven.append(
            f"the last {unseen} leaves of the log were not seen by enough witnesses: who has every "
            "key may still rewrite them"
        )


def _seen_by_enough(policy: Policy, sizes: Mapping[str, int]) -> int:
    """The largest size that the policy's quorum has seen."""
    found = 0
    for size in sizes.values():
        if policy.is_witnessed(name for name, seen in sizes.items() if seen >= size):
            found = max(found, size)
    return found
