"""`audit` and `replay`: everything recomputed from the journal, and one past round of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import click
import msgspec

from puntobanco.base.money import format_cents
from puntobanco.base.progress import Begin
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import file_option, json_option, optional_path, read_text
from puntobanco.rules.cards import parse_card
from puntobanco.sim.run import default_workers
from puntobanco_floor.audit.archive import read_archive
from puntobanco_floor.audit.floor_audit import Report, audit_archive
from puntobanco_floor.audit.floor_audit import audit as run_audit
from puntobanco_floor.audit.log_checks import Others
from puntobanco_floor.audit.round_replay import Story, archived_story, story
from puntobanco_floor.cli.floor_options import (
    database_option,
    names_a_database,
    round_of,
    stream_option,
)
from puntobanco_floor.domain import events as e
from puntobanco_floor.journal.key_ring import roots_in
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store.log_tables import LogView
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.reader import reading
from puntobanco_floor.transparency.publication import Publication, folder_of
from puntobanco_floor.transparency.witness_link import last_seen
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.tree.policies import read_policy

MAX_JOBS = 64
NOTHING_CHANGED = "no fault was found so far, and nothing was changed"


@click.command
@database_option
@click.option("--archive", metavar="FILE", help="Check an archived period instead, alone.")
@stream_option
@click.option(
    "--heads",
    multiple=True,
    type=Path,
    metavar="FILE",
    help="A file of heads, one a node; by default the one beside.",
)
@file_option(
    "--keys", "The key ring, or what `keys show --public` wrote; by default the ring beside."
)
@file_option("--witness", "A policy: the log is held to what its witnesses have seen.")
@click.option(
    "--checkpoint",
    "checkpoints",
    multiple=True,
    type=Path,
    metavar="FILE",
    help="A checkpoint that somebody has kept, instead of asking a witness; may be repeated.",
)
@click.option(
    "--log",
    "folder",
    type=optional_path,
    metavar="FOLDER",
    help="A publication folder that the log is held to; by default the one beside.",
)
@file_option(
    "--since",
    "A checkpoint that you kept outside the floor: prove that the log has only grown, and check "
    "again only what came after it.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, MAX_JOBS),
    help="Processes that audit streams side by side; by default one for each processor.",
)
@json_option
def audit(
    database: str,
    archive: str | None,
    table: str | None,
    heads: Sequence[Path],
    keys: Path | None,
    witness: Path | None,
    checkpoints: Sequence[Path],
    folder: Path | None,
    since: Path | None,
    jobs: int | None,
    as_json: bool,
) -> int:
    """Recompute everything from the journal: chain, signatures, commitments, settlements, every
    cent.
    """
    verify_one_source(archive)
    if since is not None and (archive or table):
        raise click.UsageError("--since is for the whole database: leave out --archive and --table")
    if archive is not None:
        with console.stages(left=NOTHING_CHANGED) as begin:
            report = _of_archive(Path(archive), keys, begin)
    else:
        published = folder or folder_of(files_of(database)[1])
        others = replace(
            seen_by_others(database, witness, checkpoints), folder=Publication(published)
        )
        with console.stages(left=NOTHING_CHANGED) as begin:
            report = run_audit(
                database,
                heads=heads,
                keys=keys,
                table=table,
                others=others,
                since=(read_text(str(since)), str(since)) if since else None,
                jobs=jobs or default_workers(),
                begin=begin,
            )
    if as_json:
        console.echo_json(asdict(report) | {"sound": report.sound})
    else:
        _show(report)
    return 0 if report.sound else 1


def seen_by_others(source: str, policy: Path | None, checkpoints: Sequence[Path]) -> Others:
    """What witnesses say they have seen last, and checkpoints from files."""
    notes = {str(path): read_text(str(path)) for path in checkpoints}
    if policy is None:
        return Others(notes=notes)
    read = read_policy(read_text(str(policy)))
    with reading(source) as reader:
        origin, _ = LogView(reader.connection).standing()
    seen, away = dict[str, str](), dict[str, str]()
    for witness in read.witnesses:
        try:
            note = last_seen(witness, origin)
        except Refusal as refusal:
            away[witness.name] = refusal.reason
            continue
        if note:
            seen[witness.name] = note
        else:
            away[witness.name] = "it has seen nothing of this log"
    return Others(policy=read, notes=notes, seen=seen, away=away)


def verify_one_source(archive: str | None) -> None:
    """Refuse a database that is named beside an archive."""
    if archive is not None and names_a_database():
        raise click.UsageError("name a --database or an --archive, not both")


def _of_archive(path: Path, keys: Path | None, begin: Begin) -> Report:
    trust = Trust.of(roots_in(keys)) if keys else None
    try:
        return audit_archive(read_archive(path), trust=trust, begin=begin)
    except Fault as fault:
        return Report(fault=fault.reason)


def _show(report: Report) -> None:
    figures: dict[str, int | str] = {
        "streams": report.streams,
        "entries": report.entries,
        "rounds settled": report.rounds,
        "rounds void": report.voids,
        "rounds reopened": report.reopened,
        "rulings to look at": len(report.rulings),
        "wagers settled": report.wagers,
        "staked": format_cents(report.staked_cents),
        "moves between tables": report.moves,
        "shoes ended": report.shoes,
        "shoes mixed": report.mixed,
        "shoes abandoned": report.abandoned,
        "signatures checked": report.signatures,
        "leaves of the log": report.leaves,
        "checkpoints": report.checkpoints,
        "witnesses": report.witnesses,
    }
    rows = list[tuple[str, str]]()
    for name, figure in figures.items():
        rows.append((name, figure if isinstance(figure, str) else f"{figure:,}"))
    console.table(("looked at", "number"), rows, right=(1,))
    console.line()
    if report.fault:
        console.line(console.Styled("FAULT", "bold red"), f": {report.fault}")
    else:
        sound = console.Styled("sound", "bold green")
        console.line(sound, ": the journal, the ledger and the rules agree")
    for what in report.warnings:
        console.line(console.Styled("warning", "yellow"), f": {what}")
    for what in report.unproven:
        console.line(f"not proven: {what}")
    if report.rulings:
        console.line()
        console.line(f"rulings to look at: {len(report.rulings)}; they do not change the verdict")
    for ruling in report.rulings:
        console.line(f"  {ruling}")


# Replay

LINE_COLUMNS = ("session", "bet", "stake", "outcome", "winnings", "returned", "bonus", "clause")


@click.command
@database_option
@click.option("--archive", metavar="FILE", help="Read an archived period instead.")
@click.option(
    "--round", "round_", required=True, metavar="TABLE:NUMBER", help="Such as table:1:812."
)
@json_option
def replay(database: str, archive: str | None, round_: str, as_json: bool) -> None:
    """Show a past round: card by card, each wager, each line with its clause."""
    stream, number = round_of(round_)
    verify_one_source(archive)
    if archive is not None:
        held = read_archive(Path(archive))
        if held.header.stream != stream:
            raise Refusal(f"{archive} holds {held.header.stream}, not {stream}")
        told = archived_story(held, number)
    else:
        with console.stages() as begin, reading(database) as reader:
            told = story(reader, stream, number, begin)
    if as_json:
        console.echo_json(_story_json(told))
    else:
        _show_story(told)


def _story_json(told: Story) -> dict[str, object]:
    return {
        "stream": told.stream,
        "round": told.number,
        "game": told.game.id,
        "rules": told.rules,
        "entries": msgspec.to_builtins(told.entries),
    }


def _show_story(told: Story) -> None:
    title = told.game.title.en
    console.heading(f"{told.stream} round {told.number}: {title}")
    console.line(f"rules {told.rules}")
    rows = list[tuple[str, ...]]()
    for entry, event in told.events:
        at, what = console.utc(entry.at), event.says().en + event.by_two()
        rows.append((str(entry.seq), at, entry.by, what))
    console.table(("entry", "time, UTC", "who", "what"), rows, fold=(3,))
    for entry, event in told.events:
        if isinstance(event, e.Outcome):
            console.line()
            what = "settlement" if event.settles else "void"
            console.heading(f"{what}, entry {entry.seq}")
            if event.settles:
                cards = [parse_card(code) for code in event.cards.split()]
                console.line("cards ", *console.cards(cards))
            if event.lines:
                console.table(LINE_COLUMNS, map(_line_cells, event.lines), right=(2, 4, 5, 6))
            else:
                console.line("no wagers")


def _line_cells(line: e.Line) -> tuple[str, ...]:
    stake = format_cents(line.stake_cents)
    winnings = format_cents(line.winnings_cents)
    returned = format_cents(line.returned_cents)
    bonus = format_cents(line.bonus_cents)
    clause = f"{line.clause} {line.bonus_clause}".rstrip()
    return line.session, line.bet, stake, line.outcome, winnings, returned, bonus, clause
