"""`audit`: everything recomputed from the journal of a database, or of an archived period."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from puntobanco.cli import show
from puntobanco.cli.options import (
    DATABASE,
    file_option,
    json_option,
    optional_database_option,
    stream_option,
)
from puntobanco.cli.output import echo_json
from puntobanco.journal import Fault
from puntobanco.keys import roots_in
from puntobanco.rules.money import format_cents
from puntobanco.signing import Trust
from puntobanco.storage.archive import read_archive
from puntobanco.storage.audit import Report, audit_archive
from puntobanco.storage.audit import audit as run_audit

archive_option = click.option(
    "--archive", metavar="FILE", help="Check an archived period instead, alone."
)
heads_option = click.option(
    "--heads",
    multiple=True,
    type=Path,
    metavar="FILE",
    help="A file of heads, one a node; by default the one beside.",
)


@click.command
@optional_database_option
@archive_option
@stream_option
@heads_option
@file_option(
    "--keys", "The key ring, or what `keys show --public` wrote; by default the ring beside."
)
@json_option
def audit(
    database: str | None,
    archive: str | None,
    table: str | None,
    heads: Sequence[Path],
    keys: Path | None,
    as_json: bool,
) -> int:
    """Recompute everything from the journal: chain, signatures, commitments, settlements, every
    cent.
    """
    source = database_of(database, archive)
    if archive is not None:
        report = _of_archive(Path(archive), keys)
    else:
        report = run_audit(source, heads=heads, keys=keys, table=table)
    if as_json:
        echo_json(asdict(report) | {"sound": report.sound})
    else:
        _show(report)
    return 0 if report.sound else 1


def database_of(database: str | None, archive: str | None) -> str:
    """The one that is named, or the usual one; refuses one beside an archive."""
    if database is not None and archive is not None:
        raise click.UsageError("name a --database or an --archive, not both")
    return database or DATABASE


def _of_archive(path: Path, keys: Path | None) -> Report:
    trust = Trust.of(roots_in(keys)) if keys else None
    try:
        return audit_archive(read_archive(path), trust=trust)
    except Fault as fault:
        return Report(fault=fault.reason)


def _show(report: Report) -> None:
    figures: dict[str, int | str] = {
        "streams": report.streams,
        "entries": report.entries,
        "rounds settled": report.rounds,
        "rounds void": report.voids,
        "rounds reopened": report.reopened,
        "wagers settled": report.wagers,
        "staked": format_cents(report.staked_cents),
        "shoes ended": report.shoes,
        "signatures checked": report.signatures,
    }
    rows = list[tuple[str, str]]()
    for name, figure in figures.items():
        rows.append((name, figure if isinstance(figure, str) else f"{figure:,}"))
    show.table(("looked at", "number"), rows, right=(1,))
    show.line()
    if report.fault:
        show.line(show.Styled("FAULT", "bold red"), f": {report.fault}")
    else:
        sound = show.Styled("sound", "bold green")
        show.line(sound, ": the journal, the ledger and the rules agree")
    for what in report.warnings:
        show.line(show.Styled("warning", "yellow"), f": {what}")
    for what in report.unproven:
        show.line(f"not proven: {what}")
