"""Options of the command line made from the settings, so that every setting has one."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import Field
from pathlib import Path
from typing import Any

import click

from puntobanco_floor import settings
from puntobanco_floor.cli.floor_options import verify_no_password
from puntobanco_floor.settings import FIELDS

_CONFIG = "puntobanco.config"


def config_file() -> Path | None:
    """The file that the settings of this command were read from, if any."""
    found: Path | None = click.get_current_context().meta.get(_CONFIG)
    return found


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Call it with the settings of the file, the environment and the command line; its other
    options are passed on.
    """

    def called(config: str | None, **options: Any) -> None:
        given = dict[str, Any]()
        others = dict[str, Any]()
        for name, value in options.items():
            if name not in FIELDS:
                others[name] = value
            elif isinstance(value, bool):
                given[name] = value
            elif value is not None:
                given[name] = settings.parsed(name, value)
        verify_no_password(given.get("database"))
        file = config or os.environ.get(f"{settings.PREFIX}CONFIG")
        path = Path(file) if file else None
        click.get_current_context().meta[_CONFIG] = path
        command(settings.read(file=path, environment=os.environ, given=given), **others)

    called.__doc__ = command.__doc__  # what --help says
    wrapped: Callable[..., None] = called
    for spec in reversed(FIELDS.values()):
        wrapped = _option(spec)(wrapped)
    return click.option(
        "--config",
        metavar="FILE",
        help="Settings as TOML; the environment and options win over it.",
    )(wrapped)


def _option(spec: Field[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    flag = f"--{spec.name.replace('_', '-')}"
    said = spec.metadata
    default = spec.default
    if default is False:
        return click.option(flag, spec.name, is_flag=True, default=None, help=said["help"])
    help_ = said["help"]
    notes = _notes(spec)
    if notes:
        help_ += f"  [{'; '.join(notes)}]"
    if default is True or said["choices"]:
        choices = click.Choice(said["choices"] or ("on", "off"))
        return click.option(flag, spec.name, type=choices, help=help_)
    metavar = said["metavar"] or type(default).__name__.upper()
    return click.option(flag, spec.name, metavar=metavar, help=help_)


def _notes(spec: Field[Any]) -> list[str]:
    """The default and the bounds, where there are any."""
    default = str(spec.default)
    if spec.default is True:
        default = "on"
    elif isinstance(spec.default, float):
        default = f"{spec.default:g}"
    notes = [f"default: {default}"] if default else []
    if spec.metadata["within"]:
        notes.append(settings.bounds_of(spec))
    return notes
