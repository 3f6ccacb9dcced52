"""The page for who runs a witness: its commands are taken as printed, and its claims are those of the code."""

import re
import shlex
from pathlib import Path

import click
import pytest

from puntobanco_floor.cli.witness import PORT, witness
from puntobanco_proof.witness.identity import KEYS, MEMORY

PAGE = (Path(__file__).parents[2] / "docs/how-to/run-a-witness.md").read_text("utf-8")
COMMANDS = re.findall(r"puntobanco witness (\w+ --[^`\n]+)", PAGE)


def test_there_are_commands() -> None:
    assert {command.split()[0] for command in COMMANDS} == {"init", "show", "serve"}


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_is_understood(command: str) -> None:
    name, *words = shlex.split(command)
    known = witness.commands[name]
    with known.make_context(name, words, resilient_parsing=False) as context:
        assert isinstance(context, click.Context)


def test_files_and_port_are_those_of_the_program() -> None:
    assert f"`{KEYS}`" in PAGE
    assert f"`{MEMORY}`" in PAGE
    assert f"port {PORT}" in PAGE


def test_every_status_that_it_answers_is_there() -> None:
    code = Path(__file__).parents[2] / "src/puntobanco_proof/witness/decisions.py"
    raised = set(re.findall(r"(?:WitnessRefuses|LogContradicts)\((\d{3})", code.read_text("utf-8")))
    assert raised <= set(re.findall(r"\b(\d{3})\b", PAGE))
    assert {"403", "404", "409", "422", "503"} <= raised
