"""The `puntobanco` command: one clear line and exit status 2 for what cannot be done, never a
traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper

import click

from puntobanco import __version__
from puntobanco.cli.completion import completion
from puntobanco.cli.deal import deal
from puntobanco.cli.games import check, define, games, rules
from puntobanco.cli.irregularity import irregularity
from puntobanco.cli.roads import roads
from puntobanco.cli.settle import settle
from puntobanco.rules.refusals import Refusal

PROGRAM = "puntobanco"


class Commands(click.Group):
    """The command's commands; those that need much are loaded when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *LATER]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in LATER:
            command: click.Command = getattr(import_module(LATER[cmd_name]), cmd_name)
            return command
        return super().get_command(ctx, cmd_name)


LATER = {
    "odds": "puntobanco.cli.odds",
    "simulate": "puntobanco.cli.simulate",
    "sessions": "puntobanco.cli.simulate",
    "serve": "puntobanco.cli.serve",
    "report": "puntobanco.cli.report",
    "dispute": "puntobanco.cli.dispute",
    "selftest": "puntobanco.cli.selftest",
    **dict.fromkeys(
        ("init", "table", "staff", "terminal", "patron", "floor", "vouchers"),
        "puntobanco.cli.admin",
    ),
    **dict.fromkeys(
        ("audit", "replay", "export", "archive", "backup", "restore", "copy"),
        "puntobanco.cli.journal",
    ),
}


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Five no-commission baccarat games: their rules, settlement, irregularities, odds and "
    "roads.\n\n"
    "Wherever a command takes a GAME it takes an id, such as six-star, or the path of your "
    "own game.py.",
)
@click.version_option(__version__, prog_name=PROGRAM)
def cli() -> None:
    pass


for command in (games, rules, deal, settle, irregularity, roads, check, define, completion):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None, *, world: object = None) -> None:
    """Run the command line and end the process with its status. `world` is what `serve` takes from
    outside: a test gives another clock.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a closed stream is None, a test's is its own
            stream.reconfigure(errors="replace")
    sys.exit(_run(arguments, world))


def _run(arguments: Sequence[str] | None, world: object) -> int:
    try:
        status = cli.main(arguments, prog_name=PROGRAM, standalone_mode=False, obj=world)
        if sys.stdout:
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        return 2
    except click.ClickException as error:
        return _refuse(error.format_message())
    except Refusal as refusal:
        return _refuse(str(refusal))
    except (KeyboardInterrupt, click.Abort):
        return 130
    except BrokenPipeError:  # the reader, such as head, has seen enough
        _discard_output()
        return 141
    except OSError as error:
        _discard_output()
        return _refuse(f"cannot write the output: {(error.strerror or str(error)).lower()}")
    except Exception as error:
        if os.environ.get("PUNTOBANCO_DEBUG"):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return _refuse(
            f"a fault in this program or in your game file: {what}; PUNTOBANCO_DEBUG=1 shows where"
        )
    return status if isinstance(status, int) else 0


def _discard_output() -> None:
    """What is still in the buffer cannot be written either; Python would complain of it at
    the end.
    """
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(reason: str) -> int:
    with suppress(OSError, ValueError):
        click.echo(f"{PROGRAM}: {' '.join(reason.split())}", err=True)
    return 2
