"""What Prometheus reads of a floor. No secrets, no patrons: tables, counts and times."""

from __future__ import annotations

import platform
import time
from contextlib import suppress
from pathlib import Path

from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco_floor.domain.ledger import VOUCHERS
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.metrics import Text
from puntobanco_floor.store.reader import reading
from puntobanco_floor.transparency.keeper import LogStatus
from puntobanco_floor.web.context import Web

_PAGE_BYTES = 4_096


def vouchers_owed_cents(web: Web) -> int | None:
    """Return what all streams owe on vouchers, tables and cage windows alike; None while the
    database does not answer. One stream alone may be below zero: it redeems what others issued.
    """
    try:
        with reading(web.floor.database) as reader:
            return reader.total(VOUCHERS)
    except Refusal:
        return None


def metrics_text(web: Web, owed_cents: int | None) -> str:
    """`owed_cents` is owed on vouchers; a figure that is not known is left out."""
    text = Text()
    work = web.floor.work
    stored = web.floor.store.work
    now = web.now_ms()
    streams = sorted(web.floor.follower.streams.items())
    text.add(
        "gauge",
        "puntobanco_build_info",
        "Which program this is.",
        [({"version": __version__, "python": platform.python_version()}, 1)],
    )
    text.one(
        "gauge",
        "puntobanco_stopping",
        "1 when it was told to stop.",
        web.floor.shutdown.is_draining,
    )
    text.by(
        "gauge",
        "puntobanco_terminals",
        "Terminals connected to this node.",
        "table",
        {name: len(web.floor.rooms[name]) for name, _ in streams},
    )
    text.by(
        "gauge",
        "puntobanco_table_idle_seconds",
        "Since the table's last entry.",
        "table",
        {name: max(0, now - stream.state.at) / 1000 for name, stream in streams},
    )
    text.by(
        "gauge",
        "puntobanco_sessions",
        "Sessions seated, on all nodes.",
        "table",
        {name: len(stream.state.sessions) for name, stream in streams},
    )
    if owed_cents is not None:
        text.one(
            "gauge",
            "puntobanco_vouchers_outstanding_cents",
            "Owed on vouchers by the whole house, expired ones too.",
            owed_cents,
        )
    blocked = {*web.floor.store.blocked, *web.floor.follower.blocked}
    known = {FLOOR, *(name for name, _ in streams), *blocked}
    text.by(
        "gauge",
        "puntobanco_stream_blocked",
        "1 where this node does not believe the journal of a stream and writes nothing there.",
        "stream",
        {name: name in blocked for name in sorted(known)},
    )
    text.one(
        "counter",
        "puntobanco_connections_total",
        "Connections of terminals; a reconnect is one more.",
        work.connections,
    )
    text.by(
        "counter", "puntobanco_cut_off_total", "Terminals that were cut off.", "why", work.cut_off
    )
    text.one(
        "counter", "puntobanco_messages_in_total", "Messages from terminals.", work.messages_in
    )
    text.one(
        "counter", "puntobanco_messages_out_total", "Messages to terminals.", work.messages_out
    )
    text.by(
        "counter",
        "puntobanco_wagers_total",
        "Wagers asked for, raised or withdrawn.",
        "outcome",
        work.wagers,
    )
    text.histogram(
        "puntobanco_answer_seconds", "From a terminal's command to its answer.", work.answer_s
    )
    text.by("counter", "puntobanco_logins_total", "Logins of staff.", "outcome", work.logins)
    text.histogram("puntobanco_batch_commands", "Commands in one transaction.", stored.batch_size)
    text.histogram("puntobanco_commit_seconds", "Commits of the store.", stored.commit_s)
    text.one(
        "counter",
        "puntobanco_entries_total",
        "Entries that this node wrote to the journal.",
        stored.entries,
    )
    _add_log(text, web.floor.log.status)
    text.one("gauge", "process_resident_memory_bytes", "Memory of this process.", _memory())
    text.one(
        "counter",
        "process_cpu_seconds_total",
        "Processor time of this process.",
        round(time.process_time(), 3),
    )
    return str(text)


def _add_log(text: Text, log: LogStatus) -> None:
    text.one("gauge", "puntobanco_log_leaves", "Leaves of the transparency log.", log.size)
    text.one("gauge", "puntobanco_log_behind_entries", "Entries not in the log yet.", log.behind)
    text.one(
        "gauge",
        "puntobanco_log_behind_seconds",
        "Since the oldest entry that is not in the log.",
        log.behind_s,
    )
    text.one(
        "gauge",
        "puntobanco_log_published_leaves",
        "Leaves in the publication folder.",
        log.published,
    )
    text.one(
        "gauge",
        "puntobanco_log_witnessed_leaves",
        "Leaves that enough witnesses saw.",
        log.witnessed,
    )
    text.one(
        "gauge", "puntobanco_log_fault", "1 where this node must not be open.", bool(log.fault)
    )
    away = sum(bool(why) for why in log.witnesses.values())
    text.by(
        "gauge",
        "puntobanco_witnesses",
        "Witnesses that the policy names.",
        "state",
        {"answers": len(log.witnesses) - away, "away": away},
    )


def _memory() -> int:
    """Now, where the system says so; else the most there was."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE_BYTES
    with suppress(ImportError):
        import resource  # noqa: PLC0415

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return 0
