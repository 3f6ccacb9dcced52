"""The page on running a witness: the program takes its commands as printed, and its claims are those of the code."""

import re
import shlex
from pathlib import Path

import click

from puntobanco_proof.cli import PORT, witness
from puntobanco_proof.witness.identity import KEYS, MEMORY

PAGE = (Path(__file__).parents[2] / "docs/how-to/run-a-witness.md").read_text("utf-8")
COMMANDS = re.findall(r"puntobanco witness (\w+ --[^`\n]+)", PAGE)


def test_there_are_commands() -> None:
    assert {command.split()[0] for command in COMMANDS} == {"init", "show", "serve"}


def fault_of(command: str) -> str:
    name, *words = shlex.split(command)
    try:
        with witness.commands[name].make_context(name, words, resilient_parsing=False):
            return ""
    except click.UsageError as error:
        return error.format_message()


def test_each_command_is_understood() -> None:
    wrong = [f"{command}: {fault}" for command in COMMANDS if (fault := fault_of(command))]
    assert not wrong, "\n".join(wrong)
    assert fault_of("serve --no-such-option")


def test_files_and_port_are_those_of_the_program() -> None:
    assert f"`{KEYS}`" in PAGE
    assert f"`{MEMORY}`" in PAGE
    assert f"port {PORT}" in PAGE


def test_every_status_that_it_answers_is_there() -> None:
    code = (
        Path(__file__).parents[2]
        / "packages/puntobanco-proof/src/puntobanco_proof/witness/decisions.py"
    )
    raised = set(
        re.findall(r"(?:WitnessRefuses|LogContradicts)\(\s*(\d{3})", code.read_text("utf-8"))
    )
    assert raised <= set(re.findall(r"\b(\d{3})\b", PAGE))
    assert {"403", "404", "409", "422", "503"} <= raised
