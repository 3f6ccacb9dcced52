"""`init`, `table`, `staff`, `terminal`, `patron`, `floor`, `vouchers`: the floor administered at
the command line.

It works on the database itself, whether a floor is served from it or not; who may read the key ring
may do it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, get_args

import click
import msgspec

import puntobanco.events as e
from puntobanco import reports
from puntobanco.catalog import find_game
from puntobanco.cli import show
from puntobanco.cli.desk import Desk, F, desk, once, shown, utc
from puntobanco.cli.options import echo_json, json_option, read_text
from puntobanco.floor import admin
from puntobanco.floor.admin import must
from puntobanco.floor.passwords import new_password
from puntobanco.floor.playable import find_playable
from puntobanco.floor.roles import ROLES
from puntobanco.house import commands as h
from puntobanco.names import FLOOR
from puntobanco.rules.definition import digest
from puntobanco.rules.money import format_cents
from puntobanco.rules.refusals import Refusal
from puntobanco.table import commands as c
from puntobanco.table.limits import default_limits

# A new floor


@click.command(help="Set up a floor: database, key ring, and the first administrator.")
@click.option(
    "--database",
    default="floor.db",
    show_default=True,
    metavar="URL",
    help="SQLite, or postgresql://...",
)
@click.option(
    "--keys", metavar="FILE", help="Where the key ring goes; by default beside the database."
)
@click.option(
    "--heads", metavar="FILE", help="Where the file of heads goes; by default beside the database."
)
@click.option(
    "--name", "house", required=True, help="The name of the house, as reports and vouchers have it."
)
@click.option(
    "--administrator", default="admin", show_default=True, help="The first administrator's login."
)
@click.option(
    "--password-file",
    metavar="FILE",
    help='Its password, "-" for standard input; by default you are asked.',
)
def init(
    database: str,
    keys: str | None,
    heads: str | None,
    house: str,
    administrator: str,
    password_file: str | None,
) -> None:
    found = Desk(database, keys, heads, new=True)
    try:
        if found.house.is_open:
            raise Refusal(f"this floor was set up before, as {found.house.name}")
        password, made = _password(password_file)
        _verify_name(administrator)
        asyncio.run(found.admin.open_house(house.strip(), administrator, password))
    finally:
        found.store.close()
    show.line(f"{house.strip()} is set up in {database}")
    if made:
        once(f"password of {administrator}", password)
    show.line("next: puntobanco table add 1 six-star")
    show.line("      puntobanco terminal add T1 --table 1")
    show.line(
        "      puntobanco serve --tls-cert cert.pem --tls-key key.pem   (or --proxy behind "
        "one that has TLS)"
    )


def _password(path: str | None) -> tuple[str, bool]:
    """The password, and whether it was made here."""
    if path:
        return read_text(path).strip("\r\n"), False
    if sys.stdin.isatty():
        return click.prompt(
            "Password of the administrator", hide_input=True, confirmation_prompt=True
        ), False
    return new_password(), True


def _verify_name(name: str) -> None:
    try:
        msgspec.convert(name, h.Name)
    except msgspec.ValidationError:
        raise Refusal(
            f"{name!r:.60} is no name: letters, digits, and . _ - after the first, 32 at most"
        ) from None


# Tables


@click.group(help="The tables of a floor: add, list, change, stop, start, disable.")
def table() -> None:
    pass


CLOSERS = ("dealer", "clock")


class BurnRule(click.ParamType[Any]):
    """A number of cards, or the rule of the first card."""

    name = "cards|first-card"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "first-card" or isinstance(value, int):
            return value
        if str(value).isdecimal() and int(value) <= c.MAX_BURN:
            return int(value)
        return self.fail(
            f"{value!r:.40} is no burn: give 0 to {c.MAX_BURN}, or first-card", param, ctx
        )


def set_up_options(function: F) -> F:
    for option in reversed(
        (
            click.option("--betting", type=click.FloatRange(0, 3600), help="Seconds for betting."),
            click.option(
                "--guard",
                type=click.FloatRange(0, 3600),
                help='Seconds from "No more bets" to the first card.',
            ),
            click.option(
                "--card",
                type=click.FloatRange(0, 3600),
                help="Seconds between cards that the server deals.",
            ),
            click.option(
                "--pause",
                type=click.FloatRange(0, 3600),
                help="Seconds between rounds that the server deals.",
            ),
            click.option(
                "--closes",
                type=click.Choice(CLOSERS),
                help="Who closes a dealer's bets when the time is up.",
            ),
            click.option(
                "--source",
                type=click.Choice(get_args(e.Source)),
                help="A shoe, or a shuffler without end.",
            ),
            click.option(
                "--decks",
                type=click.IntRange(0, 100),
                help="Decks of a shoe; 0 for the game's own number.",
            ),
            click.option("--cut", type=click.IntRange(0, 1000), help="Cards behind the cut card."),
            click.option(
                "--burn",
                type=BurnRule(),
                help="Cards burned unseen; or first-card: as many as its points.",
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
                "--limits",
                metavar="FILE",
                help="Limits as JSON, as `table list --json` prints them.",
            ),
        )
    ):
        function = option(function)
    return function


_MS = {"betting": "betting_ms", "guard": "guard_ms", "card": "card_ms", "pause": "pause_ms"}


def _clock(clock: e.Clock, options: dict[str, Any]) -> e.Clock:
    """The clock with what was given changed."""
    given = {
        _MS[name]: round(options[name] * 1000) for name in _MS if options.get(name) is not None
    }
    if options.get("closes") is not None:
        given["closes_by_clock"] = options["closes"] == "clock"
    return msgspec.structs.replace(clock, **given)


def _cards(cards: e.Cards, options: dict[str, Any]) -> e.Cards:
    """The cards with what was given changed."""
    names = ("source", "decks", "cut", "burn", "count_shoes", "road_rounds")
    return msgspec.structs.replace(
        cards, **{n: options[n] for n in names if options.get(n) is not None}
    )


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
    return {bet for bet, own in bets.items() if own.closed}.union(close).difference(open_)


DEALT = e.Clock(
    betting_ms=15_000, guard_ms=1_000, card_ms=900, pause_ms=4_000, automatic=True, new_shoes=True
)


@table.command(
    "add",
    help="Open table NUMBER for a GAME, by id or as a game.py of your own, which is read this "
    "once: dealt by the "
    "server on a clock, or run by a dealer.",
)
@click.argument("number", type=click.IntRange(1, 1_000_000))
@click.argument("game")
@click.option(
    "--dealer", is_flag=True, help="A dealer runs it with cards of paper; the first shoe is put on."
)
@set_up_options
@desk
async def table_add(
    found: Desk, number: int, game: str, dealer: bool, limits: str | None, **options: Any
) -> None:
    opened = find_playable(game, found.tables().values())
    clock, cards = _clock(e.Clock() if dealer else DEALT, options), _cards(e.Cards(), options)
    await found.admin.add_table(
        number, opened, limits=_limits(limits), clock=clock, cards=cards, physical=dealer
    )
    how = "run by a dealer" if dealer else "dealt by the server"
    show.line(
        f"table {number} is open: {opened.game.title.en}, {how}, definition "
        f"{digest(opened.game)[:12]}"
    )


@table.command("list", help="All tables.")
@json_option
@desk
def table_list(found: Desk, as_json: bool) -> None:
    shown(
        map(admin.row_of, found.tables().values()),
        as_json,
        {
            "table": lambda row: row.table,
            "game": lambda row: row.game,
            "state": lambda row: row.phase,
            "round": lambda row: f"{row.round:,}",
            "sessions": lambda row: f"{row.sessions:,}",
            "run by": lambda row: "server" if row.clock.automatic else "dealer",
            "stopped": lambda row: row.halted,
        },
    )


@table.command(
    "change", help="Change clock, cards or limits of a table, in the pause after the round in play."
)
@click.argument("number", type=click.IntRange(1, 1_000_000))
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
    state, new_limits = found.table(number), _limits(limits)
    clock, cards = _clock(state.clock, options), _cards(state.cards, options)
    new_clock, new_cards = (
        clock if clock != state.clock else None,
        cards if cards != state.cards else None,
    )
    closed = _closed(new_limits or state.limits, close, open_) if close or open_ else None
    if new_limits is None and new_clock is None and new_cards is None and closed is None:
        raise Refusal(
            "nothing to change: give a time such as --betting 20, --close-bet BET, or --limits FILE"
        )
    await found.between_rounds(
        lambda: found.admin.change_table(
            state, limits=new_limits, clock=new_clock, cards=new_cards, closed=closed
        )
    )
    show.line(f"table {number} is changed")


@table.command("stop", help="No new round at a table; the one in play ends by rule.")
@click.argument("number", type=click.IntRange(1, 1_000_000))
@click.option("--reason", required=True, help="Why; patrons at the table read it.")
@desk
async def table_stop(found: Desk, number: int, reason: str) -> None:
    state = found.table(number)
    await must(found.admin.ask(state.stream, c.HaltTable(by=found.admin.by, reason=reason)))
    show.line(f"table {number} opens no new round")


@table.command("start", help="Rounds open again at a table that was stopped.")
@click.argument("number", type=click.IntRange(1, 1_000_000))
@desk
async def table_start(found: Desk, number: int) -> None:
    await must(found.admin.ask(found.table(number).stream, c.RestartTable(by=found.admin.by)))
    show.line(f"table {number} goes on")


@table.command("disable", help="Close a table, after the round in play.")
@click.argument("number", type=click.IntRange(1, 1_000_000))
@click.option("--reason", required=True, help="Why; patrons at the table read it.")
@desk
async def table_disable(found: Desk, number: int, reason: str) -> None:
    state = found.table(number)
    closed = await found.admin.disable_table(state, reason)
    how = "is closed" if closed else "closes when the round in play is over"
    show.line(f"table {number} {how}; credits can still be cashed out there")


@table.command("limits", help="The limits that a GAME has by default, as JSON for --limits.")
@click.argument("game")
def table_limits(game: str) -> None:
    echo_json(msgspec.to_builtins(default_limits(find_game(game))))


# People


@click.group(help="The staff of a floor: add, list, change, disable, enable.")
def staff() -> None:
    pass


@staff.command("add", help="Somebody new; the password is printed this once.")
@click.argument("name")
@click.argument("role", type=click.Choice(ROLES))
@desk
async def staff_add(found: Desk, name: str, role: Any) -> None:
    _verify_name(name)
    once(f"password of {name}", await found.admin.add_staff(name, role))


@staff.command("list", help="The staff.")
@json_option
@desk
def staff_list(found: Desk, as_json: bool) -> None:
    shown(
        admin.staff_of(found.house),
        as_json,
        {
            "name": lambda row: row.name,
            "role": lambda row: row.role,
            "state": lambda row: (
                f"disabled: {row.disabled}" if row.disabled else "locked" if row.locked else ""
            ),
        },
    )


@staff.command("change", help="Another role, or a new password, which also unlocks.")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES))
@click.option("--new-password", is_flag=True, help="Make one and print it this once.")
@desk
async def staff_change(found: Desk, name: str, role: Any, new_password: bool) -> None:
    if role is None and not new_password:
        raise Refusal("nothing to change: give --role or --new-password")
    made = await found.admin.change_staff(name, role=role, new=new_password)
    if made:
        once(f"password of {name}", made)
    show.line(f"{name} is changed")


@staff.command("disable", help="Somebody may no longer log in; logins that are open end.")
@click.argument("name")
@click.option("--reason", required=True)
@desk
async def staff_disable(found: Desk, name: str, reason: str) -> None:
    await found.admin.change_staff(name, disable=reason)
    show.line(f"{name} is disabled")


@staff.command("enable", help="Somebody may log in again.")
@click.argument("name")
@desk
async def staff_enable(found: Desk, name: str) -> None:
    await found.admin.change_staff(name, enable=True)
    show.line(f"{name} is enabled")


# Terminals


@click.group(help="The terminals of a floor: add, list, change, disable.")
def terminal() -> None:
    pass


@terminal.command(
    "add", help="A new terminal; the code that enrols its device is printed this once."
)
@click.argument("name")
@click.option(
    "--table", "number", type=click.IntRange(1, 1_000_000), help="The table it stands at; else any."
)
@desk
async def terminal_add(found: Desk, name: str, number: int | None) -> None:
    _verify_name(name)
    once(f"code of {name}, good for an hour", await found.admin.add_terminal(name, number))
    show.line("enter it on the device at /enrol")


@terminal.command("list", help="The terminals.")
@json_option
@desk
def terminal_list(found: Desk, as_json: bool) -> None:
    def state(row: admin.TerminalView) -> str:
        if row.disabled:
            return f"disabled: {row.disabled}"
        return "enrolled" if row.enrolled else "a code waits" if row.code_waits else "not enrolled"

    shown(
        admin.terminals_of(found.house, int(time.time() * 1000)),
        as_json,
        {"name": lambda row: row.name, "table": lambda row: row.table or "any", "state": state},
    )


@terminal.command(
    "change", help="Move a terminal, or enrol it anew: a new code revokes the old key."
)
@click.argument("name")
@click.option(
    "--table",
    "number",
    type=click.IntRange(0, 1_000_000),
    help="The table it stands at; 0 for any.",
)
@click.option("--new-code", is_flag=True, help="Make one and print it this once.")
@desk
async def terminal_change(found: Desk, name: str, number: int | None, new_code: bool) -> None:
    if number is None and not new_code:
        raise Refusal("nothing to change: give --table or --new-code")
    made = await found.admin.change_terminal(name, table=number, new_code=new_code)
    if made:
        once(f"code of {name}, good for an hour", made)
    show.line(f"{name} is changed")


@terminal.command("disable", help="Revoke a terminal; its connection is cut, its credits stay.")
@click.argument("name")
@click.option("--reason", required=True)
@desk
async def terminal_disable(found: Desk, name: str, reason: str) -> None:
    await found.admin.change_terminal(name, disable=reason)
    show.line(f"{name} is disabled")


# Patrons and the whole floor


@click.group(help="Patrons who may not play: exclude, readmit, list.")
def patron() -> None:
    pass


@patron.command(
    "exclude",
    help="Stop a patron everywhere; wagers in play are settled, credits can be cashed out.",
)
@click.argument("name")
@click.option("--reason", required=True)
@click.option("--until", type=click.DateTime(), help="In UTC; by default until readmitted.")
@desk
async def patron_exclude(found: Desk, name: str, reason: str, until: datetime | None) -> None:
    ends = int(until.replace(tzinfo=UTC).timestamp() * 1000) if until else None
    command = msgspec.convert(
        {
            "command": "exclude-patron",
            "by": found.admin.by,
            "patron": name,
            "reason": reason,
            "until": ends,
        },
        h.ExcludePatron,
    )
    await must(found.admin.ask(FLOOR, command))
    show.line(f"{name} may not play")


@patron.command("readmit", help="A patron may play again.")
@click.argument("name")
@desk
async def patron_readmit(found: Desk, name: str) -> None:
    await must(found.admin.ask(FLOOR, h.ReadmitPatron(by=found.admin.by, patron=name)))
    show.line(f"{name} may play")


@patron.command("list", help="Patrons who may not play.")
@json_option
@desk
def patron_list(found: Desk, as_json: bool) -> None:
    shown(
        admin.exclusions_of(found.house),
        as_json,
        {
            "patron": lambda row: row.patron,
            "reason": lambda row: row.reason,
            "until": lambda row: utc(row.until) if row.until else "",
        },
    )


@click.group(help="The whole floor: stop, start.")
def floor() -> None:
    pass


@floor.command("stop", help="No new round anywhere; those in play end by rule.")
@click.option("--reason", required=True, help="Why; patrons read it.")
@desk
async def floor_stop(found: Desk, reason: str) -> None:
    await must(found.admin.ask(FLOOR, h.StopFloor(by=found.admin.by, reason=reason)))
    show.line("no table opens a new round")


@floor.command("start", help="The floor goes on.")
@desk
async def floor_start(found: Desk) -> None:
    await must(found.admin.ask(FLOOR, h.StartFloor(by=found.admin.by)))
    show.line("the floor goes on")


@click.command(help="What the house owes on vouchers, tied out to the ledger.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@json_option
@desk
def vouchers(found: Desk, as_csv: bool, as_json: bool) -> int:
    house = found.house
    report = reports.liability(
        found.database, house=house.name, demo=house.demo, now=int(time.time() * 1000)
    )
    if as_csv:
        click.echo(reports.as_csv(report), nl=False)
    elif as_json:
        echo_json(msgspec.to_builtins(report))
    else:
        if report.demo:
            show.line(show.Styled("DEMO", "bold red"), ": play credits only, worth nothing")
        show.line(f"{report.title}, {report.house}, {utc(report.at)}")
        rows = [
            (
                r.table,
                f"{r.open:,}",
                format_cents(r.open_cents),
                f"{r.expired:,}",
                format_cents(r.expired_cents),
            )
            for r in report.rows
        ]
        total = (
            "total",
            "",
            format_cents(report.open_cents),
            "",
            format_cents(report.expired_cents),
        )
        show.table(
            ("table", "open", "amount", "expired", "amount"), [*rows, total], right=(1, 2, 3, 4)
        )
        if report.note:
            show.line(report.note)
        show.line(
            f"ledger {format_cents(report.ledger_cents)}: "
            f"{'ties out' if report.ties_out else 'DOES NOT TIE OUT'}"
        )
    return 0 if report.ties_out else 1
