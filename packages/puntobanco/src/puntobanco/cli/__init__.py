"""The `puntobanco` command: a refusal is one clear line and exit status 2, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from io import TextIOWrapper

import click
from click.shell_completion import get_completion_class

from puntobanco import __version__
from puntobanco.base.extras import add, lacking
from puntobanco.base.refusal import ExtraNeeded, Refusal

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
}
"""The library's own commands in the order of --help, and the module that is imported for each."""

GROUP = "puntobanco.commands"
"""The entry points in which other distributions declare their commands."""

ELSEWHERE = {
    "puntobanco-proof": ("verify", "witness"),
    "puntobanco-floor": (
        *("serve", "report", "dispute", "selftest", "init", "table", "staff", "terminal"),
        *("patron", "floor", "vouchers", "keys", "audit", "replay", "export", "archive"),
        *("backup", "restore", "copy", "epoch", "journal", "migrate", "accept"),
        *("check-program", "staffing", "read-cards", "fonts"),
    ),
}
"""Commands of our other distributions, to say which of them to install."""


class Commands(click.Group):
    """Import a command when it is used, from this distribution or from another's entry point."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(dict.fromkeys([*COMMANDS, *entry_points(group=GROUP).names]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name in COMMANDS:
            module = import_module(COMMANDS[cmd_name])
            own: click.Command = getattr(module, cmd_name.replace("-", "_"))
            return own
        for declared in entry_points(group=GROUP, name=cmd_name):
            command: click.Command = declared.load()
            return command
        for distribution, names in ELSEWHERE.items():
            if cmd_name in names:
                raise ExtraNeeded(f"{cmd_name} is a command of {distribution}; {add(distribution)}")
        return None

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
