"""Streams audited one after the other, or side by side in processes; the results are the same.

Streams depend on each other by vouchers and moves alone, which the caller compares afterwards. A
process reads from a view of its own, a little later than the caller's: it checks what came
meanwhile, and counts it nowhere.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from typing import TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from puntobanco.base.progress import Advance
from puntobanco_floor.audit.stream_checks import Found, audit_stream
from puntobanco_floor.journal.key_ring import Roots
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store.errors import BadDatabase
from puntobanco_floor.store.reader import Reader, StreamRow, reading
from puntobanco_proof.entry.heads import Head

Streams: TypeAlias = Mapping[str, StreamRow]
FiledHeads: TypeAlias = Mapping[str, list[Head]]
Results: TypeAlias = Generator[tuple[str, Found]]

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
