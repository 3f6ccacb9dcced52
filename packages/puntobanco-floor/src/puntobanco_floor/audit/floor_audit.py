"""The audit: everything recomputed from the journal alone, and what cannot be proved said plainly.

The chain of hashes, the signatures, the file of heads; every state from the one before; every
settlement by the rules; every commitment of a virtual shoe against the cards dealt; every cent
against the tables of transfers, balances and vouchers; every answer; every snapshot. The first
fault ends it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from pathlib import Path
from typing import TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from sqlalchemy import inspect
from sqlalchemy.exc import SQLAlchemyError

from puntobanco.base.progress import Advance, Begin, silent
from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.archive import Archive
from puntobanco_floor.audit.audit_since import Since
from puntobanco_floor.audit.cross_stream_checks import AuditedMoves, AuditedVouchers
from puntobanco_floor.audit.log_checks import Others, audit_log
from puntobanco_floor.audit.stream_checks import (
    AuditedStream,
    Found,
    Report,
    audit_stream,
    unreadable,
)
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.journal.key_files import PublicFile, read_file
from puntobanco_floor.journal.key_ring import KeyRing, Roots, roots_in
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store import schema
from puntobanco_floor.store.engines import RESTORE, find_damage
from puntobanco_floor.store.errors import BadDatabase, LogFault, first_line
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.patron_ids import unreachable
from puntobanco_floor.store.reader import Reader, StreamRow, reading
from puntobanco_floor.transparency.publication import read_published
from puntobanco_proof.entry.format import Fault, hash_bytes
from puntobanco_proof.entry.heads import Head, read_heads, verify_streams_exist
from puntobanco_proof.tree.checkpoints import Checkpoint

__all__ = ["Report", "audit", "audit_archive", "audit_reader"]

Streams: TypeAlias = Mapping[str, StreamRow]
FiledHeads: TypeAlias = Mapping[str, list[Head]]
Results: TypeAlias = Generator[tuple[str, Found]]
Audited: TypeAlias = Callable[[Streams, FiledHeads], Results]
"""Audits streams, and gives what each comes to, in their order."""

MANY = 20_000
"""Entries from which an audit is worth the start of further processes."""

NO_OTHERS = Others()


def audit(
    where: Path | str,
    *,
    heads: Sequence[Path] = (),
    keys: Path | None = None,
    table: str | None = None,
    report: Report | None = None,
    definitions: Definitions = OURS,
    others: Others = NO_OTHERS,
    since: tuple[str, str] | None = None,
    jobs: int = 1,
    begin: Begin = silent,
) -> Report:
    """A database with its key ring and its files of heads: one for each node that wrote. Those
    beside it are found. `others` is what others have seen of its log.

    `since` is a checkpoint that the auditor kept, and the name of its file: what the log had then
    is not checked again, and the report lists it.

    A long journal is audited by `jobs` processes, a stream by one of them; the result is the same.
    `begin` is told of its stages.
    """
    url = str(where)
    own_keys, own_heads = files_of(url)
    if keys is None and own_keys.exists():
        keys = own_keys
    files = list(heads)
    if not files and own_heads.exists():
        files = [own_heads]
    # before the database: nodes that play on write there first, and are ahead of what was read
    filed, published = _heads(files), read_published(others.folder)
    with reading(url, definitions) as reader:
        reader.verify_format()
        # after the view is taken: a node signs with a new key only once the ring has it
        roots = roots_in(keys) if keys else None
        trust = Trust.of(roots) if roots else None
        known = _since(reader, keys, since) if since else None
        if isinstance(known, Fault):
            failed = report or Report()
            failed.fail(known)
            return failed
        starts = known.starts if known else {}

        def audited(streams: Streams, own: FiledHeads) -> Results:
            entries = sum(row.seq - starts.get(name, 0) for name, row in streams.items())
            advance = begin("entries", entries)
            if min(jobs, len(streams)) > 1 and entries >= MANY and definitions is OURS:
                return audit_processes(url, streams, own, roots, starts, jobs, advance)
            return audit_streams(reader, streams, own, trust, starts, advance)

        found = audit_reader(
            reader,
            heads=filed,
            trust=trust,
            table=table,
            report=report,
            audited=audited,
            since=known,
        )
        if found.sound and table is None:
            _log(reader, keys, others, published, found, begin, known)
        if known is not None:
            found.unproven += known.describe()
    return found


def _since(reader: Reader, keys: Path | None, since: tuple[str, str]) -> Since | Fault:
    ring = _ring(keys)
    if ring is None:
        raise Refusal("--since needs the key ring: leaves of the log cannot be made without it")
    try:
        return Since.open(reader, ring, *since)
    except Fault as fault:
        return fault
    except Refusal as refusal:
        return Fault(f"the log cannot be held to the checkpoint {since[1]}: {refusal.reason}")
    except SQLAlchemyError:
        raise
    except Exception as error:  # whatever a value does that does not belong there
        return unreadable(error)


def _ring(keys: Path | None) -> KeyRing | None:
    """The key ring; None where there are public keys alone."""
    is_ring = keys is not None and not isinstance(read_file(keys), PublicFile)
    return KeyRing.load(keys) if keys is not None and is_ring else None


def _log(
    reader: Reader,
    keys: Path | None,
    others: Others,
    published: Checkpoint | LogFault | None,
    report: Report,
    begin: Begin,
    since: Since | None,
) -> None:
    """The transparency log, where the database is of a version that has one."""
    if not inspect(reader.connection).has_table(schema.log.name):
        return
    try:
        report.add(audit_log(reader, _ring(keys), others, published, begin, since))
    except Fault as fault:
        report.fail(fault)


def audit_archive(
    archive: Archive,
    *,
    trust: Trust | None = None,
    definitions: Definitions = OURS,
    begin: Begin = silent,
) -> Report:
    """One sealed period, alone: the same checks, from the snapshot it starts with."""
    found, header = Found(), archive.header
    report = found.report
    report.streams = 1
    report.unproven.append(
        "an archive is one period: what came before and after it was not looked at"
    )
    if trust is None:
        report.unproven.append("no key ring was given: signatures were not checked")
    try:
        start = archive.begin(definitions.machine_of(header.stream))
        snapshots = dict[int, tuple[str, bytes]]()
        if archive.start:
            snapshots[header.first - 1] = hash_bytes(archive.start), archive.start
        signed = {head.seq: head for head in archive.heads}
        stream = AuditedStream(
            start,
            signed,
            snapshots,
            [],
            trust,
            found,
            cut=header.last,
            advance=begin("entries", len(archive.rows)),
            is_archive=True,
        )
        stream.check(archive.rows, decode=definitions.decode)
        vouchers, moves = AuditedVouchers(), AuditedMoves()
        for event, seq in found.noted:
            vouchers.see(event, header.stream, seq)
            moves.see(event, header.stream, seq)
        if stream.stream.state.seq != header.last:
            raise stream.fault(f"the archive ends before entry {header.last}", header.last)
    except Fault as fault:
        report.fault = fault.reason
    return report


def _heads(paths: Sequence[Path]) -> list[Head] | Fault | None:
    """All heads of all files; the fault of a file that cannot be read; None without any file."""
    found = list[Head]()
    for path in paths:
        try:
            with path.open("rb") as lines:
                found += read_heads(lines)
        except OSError as error:
            return Fault(f"cannot read the file of heads {path}: {first_line(error).lower()}")
        except Fault as fault:
            return fault
    return found if paths else None


def audit_reader(
    reader: Reader,
    *,
    heads: list[Head] | Fault | None,
    trust: Trust | None,
    table: str | None = None,
    report: Report | None = None,
    audited: Audited | None = None,
    since: Since | None = None,
) -> Report:
    report = report or Report()
    audited = audited or (lambda streams, own: audit_streams(reader, streams, own, trust, {}))
    try:
        if isinstance(heads, Fault):
            raise heads
        damage = find_damage(reader.connection)
        if damage:
            raise Fault(f"the database file is damaged: {damage}; {RESTORE}")
        _all(reader, heads, table, report, audited, since)
    except Fault as fault:
        report.fail(fault)
    except (SQLAlchemyError, BadDatabase):
        raise
    except Exception as error:  # whatever a value does that does not belong there
        report.fail(unreadable(error))
    if heads is None:
        report.unproven.append(
            "no file of heads was given: a tail cut off together with its head would not be seen"
        )
    if trust is None:
        report.unproven.append("no key ring was given: signatures were not checked")
    return report


def _all(
    reader: Reader,
    heads: list[Head] | None,
    table: str | None,
    report: Report,
    audited: Audited,
    since: Since | None,
) -> None:
    standing, written = reader.streams(), reader.written()
    for name in sorted(written - set(standing)):
        raise Fault("has entries and no head", stream=name, seq=0)
    if table is not None and table not in standing:
        raise Fault(f"there is no stream {table}; there are {', '.join(standing) or 'none'}")
    for name in sorted(reader.signed() - set(standing)):
        raise Fault("has signed heads and no entries", stream=name, seq=0)
    wanted = {name: row for name, row in standing.items() if table in (None, name)}
    vouchers, moves, moving_cents, epoch = AuditedVouchers(), AuditedMoves(), 0, 1
    house: HouseState | None = None
    if since is not None:
        moves.know_before(since)
    filed = dict[str, list[Head]]()
    for head in heads or ():
        filed.setdefault(head.stream, []).append(head)
    with closing(audited(wanted, filed)) as results:
        for name, found in results:
            report.add(found.report)
            for event, seq in found.noted:
                vouchers.see(event, name, seq)
                moves.see(event, name, seq)
            if found.fault is not None:
                raise found.fault
            moving_cents += found.moving_cents
            epoch = max(epoch, found.epoch)
            house = found.house or house
    if table is None:
        verify_streams_exist(heads or (), standing, epoch)
        vouchers.check(reader, report.warnings, since)
        report.moves = moves.check(moving_cents, report.warnings)
        if house is not None:
            _verify_cards(reader, house)
    else:
        report.unproven.append(
            "only one stream was looked at: vouchers and moves between tables were not checked"
        )


def _verify_cards(reader: Reader, house: HouseState) -> None:
    """Verify that a row leads to each protected patron; the self-test also tells if it is right."""
    lost = unreachable(reader.connection, house, None)
    if lost:
        raise Fault(
            f"no row of the table of patrons leads to {lost[0]}, who is excluded or has limits",
            stream=house.stream,
            advice=f"of such there are {len(lost)}: run `puntobanco patron mend --from BACKUP`",
        )


# Streams, one after the other, or side by side in processes with the same results: they depend on
# each other by vouchers and moves alone, which `_all` compares. A process reads from a view of its
# own, a little later than the caller's: it checks what came meanwhile, and counts it nowhere.

TOLD_S = 0.2
"""How often the caller hears how far the processes are."""


def audit_streams(
    reader: Reader,
    streams: Streams,
    filed: FiledHeads,
    trust: Trust | None,
    starts: Mapping[str, int],
    advance: Advance = lambda _: None,
) -> Results:
    """Audit them here, one after the other; `starts` are the entries that are proved already."""
    for name, row in streams.items():
        own, start = filed.get(name, []), starts.get(name, 0)
        yield name, audit_stream(reader, name, row, own, trust, advance, start)


def audit_processes(
    url: str,
    streams: Streams,
    filed: FiledHeads,
    roots: Roots | None,
    starts: Mapping[str, int],
    jobs: int,
    advance: Advance,
) -> Results:
    """Audit them in at most `jobs` processes; results come in the order of the streams."""
    context = get_context("spawn")
    progress = _Progress(context)
    public = {id_: key.public_bytes_raw() for id_, key in roots.keys.items()} if roots else None
    worker = url, public, roots.replaced if roots else frozenset[str](), progress
    pool = ProcessPoolExecutor(
        min(jobs, len(streams)), mp_context=context, initializer=_start, initargs=worker
    )
    try:
        futures = dict[str, Future[Found]]()
        with _without_interrupts():
            # the longest first, lest it be left to one process at the end
            for name, row in sorted(streams.items(), key=lambda item: -item[1].seq):
                own, start = filed.get(name, []), starts.get(name, 0)
                futures[name] = pool.submit(_audit, name, row, own, start)
        for name in streams:
            while not futures[name].done():
                wait([futures[name]], TOLD_S)
                advance(progress.take())
            yield name, futures[name].result()
    except BrokenProcessPool:
        raise BadDatabase(
            "a process of the audit was killed, perhaps for want of memory; run it with --jobs 1"
        ) from None
    finally:
        progress.stop.set()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: the caller stops, and tells them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Progress:
    """What processes and their caller share: entries that were checked, and whether to stop."""

    def __init__(self, context: SpawnContext) -> None:
        self.stop = context.Event()
        self._checked = context.Value("q", 0)

    def add(self, count: int) -> None:
        if self.stop.is_set():
            os._exit(0)  # it has only read, and nobody waits for what it would say
        with self._checked.get_lock():
            self._checked.value += count

    def take(self) -> int:
        """The entries since the last call."""
        with self._checked.get_lock():
            count = int(self._checked.value)
            self._checked.value = 0
        return count


class _Worker:
    """What a process was started with."""

    url: str
    trust: Trust | None
    progress: _Progress


def _start(
    url: str, public: Mapping[str, bytes] | None, replaced: frozenset[str], progress: _Progress
) -> None:
    _Worker.url, _Worker.progress, _Worker.trust = url, progress, None
    if public is not None:
        keys = {id_: Ed25519PublicKey.from_public_bytes(raw) for id_, raw in public.items()}
        _Worker.trust = Trust.of(Roots(keys, replaced))


def _audit(name: str, row: StreamRow, filed: list[Head], start: int) -> Found:
    advance = _Worker.progress.add
    with reading(_Worker.url) as reader:
        return audit_stream(reader, name, row, filed, _Worker.trust, advance, start)
