"""`completion`: shell completion for bash, zsh and fish."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a completion script: eval "$(puntobanco completion bash)"."""
    kind = get_completion_class(shell)
    assert kind is not None, "click knows these three shells"
    program = ctx.find_root().command
    script = kind(program, {}, "puntobanco", "_PUNTOBANCO_COMPLETE")
    click.echo(script.source())
