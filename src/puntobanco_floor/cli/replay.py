"""`replay`: a past round, entry by entry, from a database or an archived period."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from puntobanco.base.money import format_cents
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import json_option
from puntobanco.rules.cards import parse_card
from puntobanco_floor.audit.archive import read_archive
from puntobanco_floor.audit.round_replay import Story, archived_story, story
from puntobanco_floor.cli.audit import verify_one_source
from puntobanco_floor.cli.floor_options import database_option, round_of
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.store.reader import reading

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
        console.echo_json(_as_json(told))
    else:
        _show(told)


def _as_json(told: Story) -> dict[str, object]:
    return {
        "stream": told.stream,
        "round": told.number,
        "game": told.game.id,
        "rules": told.rules,
        "entries": msgspec.to_builtins(told.entries),
    }


def _show(told: Story) -> None:
    title = told.game.title.en
    console.heading(f"{told.stream} round {told.number}: {title}")
    console.line(f"rules {told.rules}")
    rows = list[tuple[str, ...]]()
    for entry, event in told.events:
        rows.append(
            (str(entry.seq), console.utc(entry.at), entry.by, event.says().en + event.by_two())
        )
    console.table(("entry", "time, UTC", "who", "what"), rows)
    for entry, event in told.events:
        if isinstance(event, e.Outcome):
            _show_end("settlement" if event.settles else "void", entry)
            if event.settles:
                cards = [parse_card(code) for code in event.cards.split()]
                console.line("cards ", *console.cards(cards))
            _show_lines(event.lines)


def _show_end(what: str, entry: Entry) -> None:
    console.line()
    console.heading(f"{what}, entry {entry.seq}")


def _show_lines(lines: Sequence[e.Line]) -> None:
    if lines:
        console.table(LINE_COLUMNS, map(_cells, lines), right=(2, 4, 5, 6))
    else:
        console.line("no wagers")


def _cells(line: e.Line) -> tuple[str, ...]:
    stake = format_cents(line.stake_cents)
    winnings = format_cents(line.winnings_cents)
    returned = format_cents(line.returned_cents)
    bonus = format_cents(line.bonus_cents)
    clause = f"{line.clause} {line.bonus_clause}".rstrip()
    return line.session, line.bet, stake, line.outcome, winnings, returned, bonus, clause
