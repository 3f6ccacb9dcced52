"""Documents are executed: printed output is real, the library's example and doctests run."""

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.documents import DOCUMENTS, PLAYED
from tools.modules import our_modules
from tools.tree import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def console_blocks() -> list[tuple[str, str, str]]:
    found = []
    for path in DOCUMENTS:
        if path in PLAYED:
            continue
        for block in re.findall(r"```console\n(.*?)```", path.read_text("utf-8"), re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((path.name, command, output))
    return found


@pytest.mark.parametrize(("document", "command", "output"), console_blocks())
def test_printed_output_is_what_the_command_prints(
    document: str, command: str, output: str
) -> None:
    bin_ = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": bin_},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.rstrip("\n") == output.rstrip("\n"), f"{document}: {command}"
    assert "```" not in output


def test_the_library_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
    exec(code, {})
    assert capsys.readouterr().out == "ann banker wins 5000 4.1\nben fortune-six wins 6000 4.1\n"


def test_doctests() -> None:
    failed = [n for n in our_modules() if doctest.testmod(importlib.import_module(n)).failed]
    assert failed == []
