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
from itertools import chain

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
        *("serve", "init", "table", "floor", "staff", "terminal", "patron", "read-cards", "fonts"),
        *("report", "staffing", "vouchers", "audit", "replay", "dispute", "export"),
        *("archive", "backup", "restore", "copy", "migrate", "epoch", "journal", "keys"),
        *("selftest", "accept", "check-program"),
    ),
}
"""Commands of our other distributions, to say which of them to install."""


def find_commands() -> dict[str, list[str]]:
    """List the installed commands by distribution, ours first."""
    declared = entry_points(group=GROUP).names
    found = {"puntobanco": list(COMMANDS)}
    for distribution, names in ELSEWHERE.items():
        found[distribution] = [name for name in names if name in declared]
    ours = {name for names in found.values() for name in names}
    found["others"] = sorted(declared - ours)
    return {distribution: names for distribution, names in found.items() if names}


def load_command(name: str) -> click.Command | None:
    """Load a command of another distribution. One of ours comes from ours alone: an installed
    package cannot replace `audit`.
    """
    owner = next((owner for owner, names in ELSEWHERE.items() if name in names), "")
    found = [
        each
        for each in entry_points(group=GROUP, name=name)
        if not owner or (each.dist and each.dist.name == owner)
    ]
    if owner and not found:
        raise ExtraNeeded(f"{name} is a command of {owner}; {add(owner)}")
    if not found:
        return None
    if len(found) > 1:
        raise Refusal(f"{len(found)} distributions have a command {name}: uninstall all but one")
    try:
        command: click.Command = found[0].load()
    except Exception as error:
        if owner:
            raise
        named = found[0].dist.name if found[0].dist else found[0].value
        raise Refusal(f"{name} of {named} cannot be loaded: {error}") from error
    return command


class Commands(click.Group):
    """Import a command when it is used, from this distribution or from another's entry point."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [name for names in find_commands().values() for name in names]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands of each distribution under its name."""
        for distribution, names in find_commands().items():
            rows = list[tuple[str, str]]()
            for name in names:
                try:
                    command = self.get_command(ctx, name)
                except Refusal as refusal:
                    rows.append((name, refusal.reason))
                else:
                    rows.append((name, command.get_short_help_str() if command else ""))
            with formatter.section(f"Commands of {distribution}"):
                formatter.write_dl(rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name in COMMANDS:
            module = import_module(COMMANDS[cmd_name])
            own: click.Command = getattr(module, cmd_name.replace("-", "_"))
            return own
        return load_command(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command where the one that was typed does not exist."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:  # Click suggests only commands that are loaded already
            known = [*self.list_commands(ctx), *chain.from_iterable(ELSEWHERE.values())]
            nearest = get_close_matches(args[0], known, n=1)
            meant = f" Did you mean {nearest[0]!r}?" if nearest else ""
            raise click.UsageError(f"No such command {args[0]!r}.{meant}", ctx) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=PROGRAM)
def cli() -> None:
    """No-commission baccarat: rules, settlement, irregularities, odds; and the floor that plays it.

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
