"""Answers as data and as files: JSON and CSV text, times in UTC, and writing a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from puntobanco.base.characters import escaped


def echo_json(value: object) -> None:
    click.echo(escaped(json.dumps(value, ensure_ascii=False)))


def json_text(value: object) -> str:
    """JSON for a file that people open, too."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def csv_text(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def utc(ms: int) -> str:
    """A time in UTC, to the millisecond."""
    moment = datetime.fromtimestamp(ms / 1000, UTC)
    return moment.isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")


def write(text: str | bytes, out: str | None) -> None:
    """To the file, or where none is named to standard output."""
    if out is not None:
        save(text, out)
        click.echo(f"wrote {out}", err=True)
        return
    if isinstance(text, bytes):
        raise click.UsageError("a PDF goes to a file: add --out par.pdf")
    click.echo(text, nl=not text.endswith("\n"))


def save(text: str | bytes, out: str) -> None:
    path = Path(out)
    data = text if isinstance(text, bytes) else text.encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise click.ClickException(f"cannot write {out}: {why(error)}") from None


def why(error: OSError) -> str:
    """The system's reason, as part of a sentence."""
    return (error.strerror or "output error").lower()
