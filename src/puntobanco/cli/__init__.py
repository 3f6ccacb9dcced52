"""The `puntobanco` command: a refusal is one clear line and exit status 2, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper

import click
from click.shell_completion import get_completion_class

from puntobanco import __version__
from puntobanco.base.extras import lacking
from puntobanco.base.refusal import Refusal

PROGRAM = "puntobanco"


COMMANDS = {
    "check": "puntobanco.cli.games",
    "completion": "puntobanco.cli",
    "deal": "puntobanco.cli.rounds",
    "define": "puntobanco.cli.games",
    "games": "puntobanco.cli.games",
    "irregularity": "puntobanco.cli.rounds",
    "new-game": "puntobanco.cli.games",
    "roads": "puntobanco.cli.roads",
    "rules": "puntobanco.cli.games",
    "settle": "puntobanco.cli.rounds",
    "odds": "puntobanco.cli.odds",
    "simulate": "puntobanco.cli.simulate",
    "sessions": "puntobanco.cli.simulate",
    "serve": "puntobanco_floor.cli.serve",
    "report": "puntobanco_floor.cli.report",
    "dispute": "puntobanco_floor.cli.dispute",
    "selftest": "puntobanco_floor.cli.program",
    "init": "puntobanco_floor.cli.tables",
    "table": "puntobanco_floor.cli.tables",
    "staff": "puntobanco_floor.cli.people",
    "terminal": "puntobanco_floor.cli.people",
    "patron": "puntobanco_floor.cli.people",
    "floor": "puntobanco_floor.cli.tables",
    "vouchers": "puntobanco_floor.cli.report",
    "keys": "puntobanco_floor.cli.keys",
    "audit": "puntobanco_floor.cli.audit",
    "replay": "puntobanco_floor.cli.audit",
    "export": "puntobanco_floor.cli.backup",
    "archive": "puntobanco_floor.cli.backup",
    "backup": "puntobanco_floor.cli.backup",
    "restore": "puntobanco_floor.cli.backup",
    "copy": "puntobanco_floor.cli.backup",
    "epoch": "puntobanco_floor.cli.recovery",
    "journal": "puntobanco_floor.cli.recovery",
    "migrate": "puntobanco_floor.cli.backup",
    "accept": "puntobanco_floor.cli.program",
    "verify": "puntobanco_floor.cli.program",
    "sbom": "puntobanco_floor.cli.program",
    "staffing": "puntobanco_floor.cli.report",
    "fonts": "puntobanco_floor.cli.fonts",
    "witness": "puntobanco_floor.cli.witness",
}
"""Every command in the order of --help, and the module that is imported when it is used."""


class Commands(click.Group):
    """Lazy loading: a command is imported when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(COMMANDS[cmd_name])
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command where the one that was typed does not exist."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:  # Click suggests only commands that are loaded already
            nearest = get_close_matches(args[0], self.list_commands(ctx), n=1)
            meant = f" Did you mean {nearest[0]!r}?" if nearest else ""
            raise click.UsageError(f"No such command {args[0]!r}.{meant}", ctx) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=PROGRAM)
def cli() -> None:
    """Five no-commission baccarat games: their rules, settlement, irregularities, odds and roads.

    Wherever a command takes a GAME it takes an id, such as six-star, or the path of your own
    game.py.
    """


@click.command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a completion script: eval "$(puntobanco completion bash)"."""
    kind = get_completion_class(shell)
    assert kind is not None, "click knows these three shells"
    script = kind(cli, {}, PROGRAM, "_PUNTOBANCO_COMPLETE")
    click.echo(script.source())


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
        if isinstance(error, ModuleNotFoundError):  # of ours: a game file's is a refusal before
            return _refuse(str(lacking(error)))
        said = f"{type(error).__name__}: {error}"
        what = " ".join(said.split())[:300]
        return _refuse(
            f"a fault in this program or in your game file: {what}; PUNTOBANCO_DEBUG=1 shows where"
        )
    return status if isinstance(status, int) else 0


def _discard_output() -> None:
    """Redirect to the null device: Python flushes the buffer at exit, and would fail again."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


def _refuse(reason: str) -> int:
    one_line = " ".join(reason.split())
    with suppress(OSError, ValueError):
        click.echo(f"{PROGRAM}: {one_line}", err=True)
    return 2
