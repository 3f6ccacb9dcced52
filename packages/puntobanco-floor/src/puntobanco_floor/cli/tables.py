"""`init`, `floor` and `table`: a floor set up, stopped and started, and its tables."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, get_args

import click
import msgspec

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import F, file_option, json_option, read_text
from puntobanco.game_files import find_game
from puntobanco.rules.definition import digest
from puntobanco_floor.cli.floor_options import (
    cause_options,
    database_option,
    day_starts_option,
    zone_option,
)
from puntobanco_floor.cli.offline_admin import (
    Desk,
    desk,
    minute,
    number_argument,
    show_list,
    show_once,
    verify_bounds,
    verify_name,
)
from puntobanco_floor.domain.commands import stated
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import Cut, clock_text
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.environment import DEALT_CLOCK
from puntobanco_floor.service.administration import TableRow, row_of
from puntobanco_floor.service.passwords import new_password
from puntobanco_floor.service.table_games import find_playable
from puntobanco_floor.store.engines import shown


@click.command
@database_option
@file_option("--keys", "Where the key ring goes; by default beside the database.")
@file_option("--heads", "Where the file of heads goes; by default beside the database.")
@click.option(
    "--name", "house", required=True, help="The name of the house, as reports and vouchers have it."
)
@click.option(
    "--administrator", default="admin", show_default=True, help="The first administrator's login."
)
@click.option(
    "--password-file",
    metavar="FILE",
    help='Its password until the first login, "-" for standard input; by default you are asked.',
)
@click.option(
    "--second-administrator",
    default="admin2",
    show_default=True,
    help="The second administrator's login: another person.",
)
@click.option(
    "--second-password-file",
    metavar="FILE",
    help='Its password, "-" for standard input; by default you are asked.',
)
@zone_option
@day_starts_option
def init(
    database: str,
    keys: Path | None,
    heads: Path | None,
    house: str,
    administrator: str,
    password_file: str | None,
    second_administrator: str,
    second_password_file: str | None,
    zone: str,
    day_starts: int,
) -> None:
    """Set up a floor: database, key ring, and two administrators, who choose passwords of their
    own at their first login.
    """
    name = house.strip()
    with Desk(database, keys, heads, new=True) as found:
        if found.house.is_open:
            raise Refusal(
                f"this floor was set up before, as {found.house.name}; begin another one in an "
                "empty folder, or name its database: --database other.db"
            )
        password, made = _password(administrator, password_file)
        other, other_made = _password(second_administrator, second_password_file)
        verify_name(administrator)
        verify_name(second_administrator)
        day = Cut(zone, day_starts)
        second = (second_administrator, other)
        opening = found.admin.open_house(name, administrator, password, second=second, day=day)
        asyncio.run(opening)
    console.line(f"{name} is set up in {shown(database)}")
    if made:
        show_once(f"password of {administrator}", password)
    if other_made:
        show_once(f"password of {second_administrator}", other)
    console.line(
        "both choose passwords of their own: at the first login, or by puntobanco staff enrol"
    )
    console.line("next: puntobanco table add 1 six-star")
    console.line("      puntobanco terminal add T1 --table 1")
    console.line(
        "      puntobanco serve --tls-cert cert.pem --tls-key key.pem   (or --proxy behind "
        "one that has TLS)"
    )


def _password(name: str, path: str | None) -> tuple[str, bool]:
    """The password, and whether it was made here."""
    if path:
        return read_text(path).strip("\r\n"), False
    # the other password may have been read from standard input, to its end
    if not sys.stdin.closed and sys.stdin.isatty():
        typed = click.prompt(f"Password of {name}", hide_input=True, confirmation_prompt=True)
        return typed, False
    return new_password(), True


@click.group
def floor() -> None:
    """The whole floor: stop, start, its gaming day."""


@floor.command("stop")
@cause_options
@desk
async def floor_stop(found: Desk, cause: str, note: str) -> None:
    """No new round anywhere; those in play end by rule."""
    await found.do(FLOOR, h.StopFloor(by=found.by, reason=stated(cause, note)))
    console.line("no table opens a new round")


@floor.command("start")
@desk
async def floor_start(found: Desk) -> None:
    """The floor goes on."""
    await found.do(FLOOR, h.StartFloor(by=found.by))
    console.line("the floor goes on")


@floor.command("gaming-day")
@click.option("--zone", required=True, help="Such as Asia/Singapore.")
@day_starts_option
@desk
async def floor_gaming_day(found: Desk, zone: str, day_starts: int) -> None:
    """When a day starts, and by whose clocks; it holds from the end of this day on."""
    command = h.SetGamingDay(by=found.by, zone=zone, day_starts=day_starts)
    await found.do(FLOOR, verify_bounds(command))
    last = found.house.calendar.cuts[-1]
    starts = f"{clock_text(day_starts)} in {zone}"
    console.line(f"from {minute(last.since)} on, a day starts at {starts}")


# Tables

SECONDS = {
    "betting": "Seconds for betting.",
    "guard": 'Seconds from "No more bets" to the first card.',
    "card": "Seconds between cards that the server deals.",
    "pause": "Seconds between rounds that the server deals.",
    "squeeze": "Seconds for patrons to squeeze, from the fourth card on; 0 to 20.",
}
"""The times of a table's clock."""

CARDS = ("source", "decks", "cut", "burn", "count_shoes", "road_rounds")
"""What `table add` and `table change` say of a table's cards."""

COLUMNS = ("table", "game", "state", "round", "sessions", "run by", "stopped", "after this round")


class BurnRule(click.ParamType[int | str]):
    """A number of cards, or the rule of the first card."""

    name = "cards|first-card"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        if value == "first-card":
            return "first-card"
        if str(value).isdecimal() and int(value) <= c.MAX_BURN:
            return int(value)
        return self.fail(
            f"{value!r:.40} is no burn: give 0 to {c.MAX_BURN}, or first-card", param, ctx
        )


SET_UP = (
    *(
        click.option(f"--{name}", type=click.FloatRange(0, 3600), help=help_)
        for name, help_ in SECONDS.items()
    ),
    click.option(
        "--closes",
        type=click.Choice(["dealer", "clock"]),
        help="Who closes a dealer's bets when the time is up.",
    ),
    click.option(
        "--source",
        type=click.Choice(get_args(e.Source)),
        help="A shoe, or a shuffler without end.",
    ),
    click.option(
        "--decks", type=click.IntRange(0, 100), help="Decks of a shoe; 0 for the game's own number."
    ),
    click.option("--cut", type=click.IntRange(0, 1000), help="Cards behind the cut card."),
    click.option(
        "--burn", type=BurnRule(), help="Cards burned unseen; or first-card: as many as its points."
    ),
    click.option(
        "--count-shoes/--no-count-shoes",
        default=None,
        help="A dealer's shoe needs set id and count.",
    ),
    click.option(
        "--road-rounds",
        type=click.IntRange(1, 1000),
        help="Rounds of a shuffler until roads restart.",
    ),
    click.option(
        "--limits", metavar="FILE", help="Limits as JSON, as `table list --json` prints them."
    ),
)
"""Options of a table's clock, cards and limits, in the order of --help."""


def set_up_options(function: F) -> F:
    for option in reversed(SET_UP):
        function = option(function)
    return function


def _given(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: options[name] for name in names if options[name] is not None}


def _clock(clock: e.Clock, options: dict[str, Any]) -> e.Clock:
    """The clock with what was given changed."""
    changes = dict[str, Any]()
    for name, seconds in _given(options, SECONDS).items():
        changes[f"{name}_ms"] = round(seconds * 1000)
    closes = options["closes"]
    if closes is not None:
        changes["closes_by_clock"] = closes == "clock"
    return msgspec.structs.replace(clock, **changes)


def _cards(cards: e.Cards, options: dict[str, Any]) -> e.Cards:
    """The cards with what was given changed."""
    return msgspec.structs.replace(cards, **_given(options, CARDS))


def _limits(path: str | None) -> e.Limits | None:
    if path is None:
        return None
    try:
        return msgspec.json.decode(read_text(path), type=e.Limits)
    except msgspec.MsgspecError as error:
        raise Refusal(f"{path} holds no limits: {error}") from None


def _closed(limits: e.Limits | None, close: Collection[str], open_: Collection[str]) -> set[str]:
    """The bets that are closed then."""
    bets = limits.bets if limits else {}
    unknown = sorted({*close, *open_} - set(bets))
    if unknown:
        raise Refusal(f"{', '.join(unknown)} is no bet of this table; it has {', '.join(bets)}")
    closed = {bet for bet, own in bets.items() if own.closed}
    return closed.union(close).difference(open_)


@click.group
def table() -> None:
    """The tables of a floor: add, list, change, withdraw, stop, start, disable."""


@table.command("add")
@number_argument
@click.argument("game")
@click.option(
    "--dealer", is_flag=True, help="A dealer runs it with physical cards; the first shoe is put on."
)
@set_up_options
@desk
async def table_add(
    found: Desk, number: int, game: str, dealer: bool, limits: str | None, **options: Any
) -> None:
    """Open table NUMBER for a GAME, by id or as a game.py of your own, which is read this once:
    dealt by the server on a clock, or run by a dealer.
    """
    opened = find_playable(game, found.tables().values())
    clock = _clock(e.Clock() if dealer else DEALT_CLOCK, options)
    cards = _cards(e.Cards(), options)
    await found.admin.add_table(
        number, opened, limits=_limits(limits), clock=clock, cards=cards, physical=dealer
    )
    how = "run by a dealer" if dealer else "dealt by the server"
    title = opened.game.title.en
    definition = digest(opened.game)[:12]
    console.line(f"table {number} is open: {title}, {how}, definition {definition}")


@table.command("list")
@json_option
@desk
def table_list(found: Desk, as_json: bool) -> None:
    """All tables."""
    rows = map(row_of, found.tables().values())
    show_list(COLUMNS, rows, _cells, as_json=as_json)


def _cells(row: TableRow) -> tuple[str, ...]:
    rounds = f"{row.round:,}"
    halted = row.halted.en if row.halted else ""
    sessions = f"{row.sessions:,}"
    run_by = "server" if row.clock.automatic else "dealer"
    waits = "; ".join(f"{change.kind}, by {change.by}" for change in row.scheduled)
    return row.table, row.game, row.phase, rounds, sessions, run_by, halted, waits


@table.command("change")
@number_argument
@set_up_options
@click.option(
    "--close-bet",
    "close",
    multiple=True,
    metavar="BET",
    help="A bet that takes no wagers from now on.",
)
@click.option(
    "--open-bet", "open_", multiple=True, metavar="BET", help="A bet that takes wagers again."
)
@desk
async def table_change(
    found: Desk,
    number: int,
    limits: str | None,
    close: tuple[str, ...],
    open_: tuple[str, ...],
    **options: Any,
) -> None:
    """Change clock, cards or limits of a table; where a round is in play, when that is over."""
    state = found.table(number).next_round  # what was asked for before, in this round, stands
    changes = dict[str, Any]()
    new_limits = _limits(limits)
    if new_limits is not None:
        changes["limits"] = new_limits
    clock = _clock(state.clock, options)
    if clock != state.clock:
        changes["clock"] = clock
    cards = _cards(state.cards, options)
    if cards != state.cards:
        changes["cards"] = cards
    if close or open_:
        changes["closed"] = _closed(new_limits or state.limits, close, open_)
    if not changes:
        raise Refusal(
            "nothing to change: give a time such as --betting 20, --close-bet BET, or --limits FILE"
        )
    await found.admin.change_table(state, **changes)
    waits = [change.kind for change in found.table(number).scheduled]
    how = f"changes when the round in play is over: {', '.join(waits)}" if waits else "is changed"
    console.line(f"table {number} {how}")


@table.command("withdraw")
@number_argument
@click.argument("kind", type=click.Choice(get_args(e.ChangeKind)))
@desk
async def table_withdraw(found: Desk, number: int, kind: e.ChangeKind) -> None:
    """Take back a change of limits, clock or cards that waits for the end of a round."""
    state = found.table(number)
    await found.do(state.stream, c.WithdrawChange(by=found.by, kind=kind))
    console.line(f"table {number} keeps its {kind}")


@table.command("stop")
@number_argument
@cause_options
@desk
async def table_stop(found: Desk, number: int, cause: str, note: str) -> None:
    """No new round at a table; the one in play ends by rule."""
    state = found.table(number)
    command = c.HaltTable(by=found.by, reason=stated(cause, note))
    await found.do(state.stream, command)
    console.line(f"table {number} opens no new round")


@table.command("start")
@number_argument
@desk
async def table_start(found: Desk, number: int) -> None:
    """Rounds open again at a table that was stopped."""
    state = found.table(number)
    await found.do(state.stream, c.RestartTable(by=found.by))
    console.line(f"table {number} goes on")


@table.command("disable")
@number_argument
@cause_options
@desk
async def table_disable(found: Desk, number: int, cause: str, note: str) -> None:
    """Close a table, after the round in play."""
    state = found.table(number)
    closed = await found.admin.disable_table(state, stated(cause, note))
    how = "is closed" if closed else "closes when the round in play is over"
    console.line(f"table {number} {how}; credits can still be cashed out there")


@table.command("limits")
@click.argument("game")
def table_limits(game: str) -> None:
    """The limits that a GAME has by default, as JSON for --limits."""
    console.echo_json(msgspec.to_builtins(default_limits(find_game(game))))
