"""The audit as a job: one at a time, in a thread, with its progress and the first bad entry."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

from puntobanco.base.progress import Advance, silent
from puntobanco_floor.audit.floor_audit import Report, audit
from puntobanco_floor.audit.journal_pages import prev_of
from puntobanco_floor.environment import NowMs
from puntobanco_floor.settings import Settings
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.reader import reading
from puntobanco_proof.entry.format import hash_entry
from puntobanco_proof.entry.record import Record, fill_record


class BadRecord(Record):
    """The first entry that does not hold: the hash that the chain has for it, and the one its bytes
    come to.
    """

    stream: str
    seq: int
    expected: str
    found: str


class Verification(Record):
    """`ran` is whether an audit has come to its end since the server started; green is `ran` and no
    fault.
    """

    running: bool
    ran: bool
    by: str
    began_at: int
    took_ms: int
    done: int
    total: int
    fault: str
    bad: BadRecord | None
    streams: int
    entries: int
    rounds: int
    voids: int
    reopened: int
    wagers: int
    shoes: int
    signatures: int
    unproven: list[str]
    rulings: list[str]  # to look at, each in a sentence; no fault


@dataclass
class _Run:
    """One audit, and how far it is."""

    by: str = ""
    began_at: int = 0
    took_ms: int = 0
    done: int = 0
    total: int = 0
    report: Report = field(default_factory=Report)
    bad: BadRecord | None = None


class Verifier:
    """Run one audit at a time, in a thread; a caller who asks while one runs sees how far it is."""

    def __init__(self, database: str, settings: Settings, now_ms: NowMs) -> None:
        self._database = database
        self._now_ms = now_ms
        self._keys, self._heads = Path(), Path()
        if database:
            keys = Path(settings.keys) if settings.keys else None
            heads = Path(settings.heads) if settings.heads else None
            self._keys, self._heads = files_of(database, keys=keys, heads=heads)
        self._lock = threading.Lock()
        self._running = False
        self._ran = False
        self._run = _Run()

    def run(self, by: str) -> Verification:
        """Begin, unless one runs already."""
        with self._lock:
            if not self._running:
                self._running = True
                self._run = _Run(by, self._now_ms())
                threading.Thread(target=self._work, daemon=True, name="audit").start()
        return self.view()

    def view(self) -> Verification:
        run, report = self._run, self._run.report
        return fill_record(
            Verification,
            report,
            running=self._running,
            ran=self._ran and not self._running,
            by=run.by,
            began_at=run.began_at,
            took_ms=self._now_ms() - run.began_at if self._running else run.took_ms,
            done=run.done,
            total=max(run.total, run.done),
            fault=report.fault or "",
            bad=run.bad,
            unproven=[*report.warnings, *report.unproven],
            rulings=[str(ruling) for ruling in report.rulings],
        )

    def _work(self) -> None:
        run, report = self._run, self._run.report
        try:
            audit(
                self._database,
                heads=[self._heads] if self._heads.exists() else [],
                keys=self._keys if self._keys.exists() else None,
                report=report,
                begin=self._begin,
            )
            run.bad = first_bad(self._database, report)
        except Exception as error:  # an audit that does not come to its end proves nothing
            report.fault = f"the audit did not come to its end: {error}"
        finally:
            with self._lock:
                run.took_ms = self._now_ms() - run.began_at
                self._running = False
                self._ran = True

    def _begin(self, what: str, total: int) -> Advance:
        """Show how many entries are checked; the log's leaves take little time beside them."""
        if what != "entries":
            return silent(what, total)
        self._run.total = total
        return self._advance

    def _advance(self, entries: int) -> None:
        self._run.done += entries


def first_bad(database: str, report: Report) -> BadRecord | None:
    """Find the entry that a fault is of: itself, or the one before it if its bytes changed."""
    stream = report.fault_stream
    seq = report.fault_seq
    if report.fault is None or not stream or not seq:
        return None
    with reading(database) as reader:
        around = dict(reader.entries(stream, after=seq - 2, upto=seq + 1))
        last, head, _ = reader.streams().get(stream, (0, "", 0))
    after = prev_of(around.get(seq + 1, b""))
    if seq not in around:
        return BadRecord(stream=stream, seq=seq, expected=after or head, found="")
    expected = head if seq == last else after
    found = hash_entry(around[seq])
    if expected == found and seq - 1 in around:
        prev = prev_of(around[seq])
        before = hash_entry(around[seq - 1])
        if prev != before:
            return BadRecord(stream=stream, seq=seq - 1, expected=prev, found=before)
    return BadRecord(stream=stream, seq=seq, expected=expected, found=found)
