"""Options of the command line made from the settings, so that every setting has one."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import Field
from pathlib import Path
from typing import Any

import click

from puntobanco import settings
from puntobanco.settings import FIELDS


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Call it with the settings: of the file, the environment and the command line. Other options
    go along.
    """

    def called(config: str | None, **options: Any) -> None:
        given = {name: value for name, value in options.items() if name in FIELDS}
        others = {name: value for name, value in options.items() if name not in FIELDS}
        file = config or os.environ.get(f"{settings.PREFIX}CONFIG")
        read = {
            name: value if isinstance(value, bool) else settings.parsed(name, value)
            for name, value in given.items()
            if value is not None
        }
        command(
            settings.read(file=Path(file) if file else None, environment=os.environ, given=read),
            **others,
        )

    wrapped: Callable[..., None] = called
    for spec in reversed(FIELDS.values()):
        wrapped = _option(spec)(wrapped)
    return click.option(
        "--config",
        metavar="FILE",
        help="Settings as TOML; the environment and options win over it.",
    )(wrapped)


def _option(spec: Field[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    name, said, default = f"--{spec.name.replace('_', '-')}", spec.metadata, spec.default
    if default is False:
        return click.option(name, spec.name, is_flag=True, default=None, help=said["help"])
    shown = (
        "on" if default is True else f"{default:g}" if isinstance(default, float) else str(default)
    )
    bounds = settings.bounds_of(spec) if said["least"] is not None else ""
    notes = "; ".join(note for note in (f"default: {shown}" if shown else "", bounds) if note)
    help_ = f"{said['help']}  [{notes}]" if notes else said["help"]
    if default is True or said["choices"]:
        return click.option(
            name, spec.name, type=click.Choice(said["choices"] or ("on", "off")), help=help_
        )
    return click.option(
        name, spec.name, metavar=said["metavar"] or type(default).__name__.upper(), help=help_
    )
