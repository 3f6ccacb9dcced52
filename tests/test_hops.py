"""The files that a wager passes through: a number that may only shrink."""

import subprocess
import sys

from tools.tree import ROOT

WAGER = 35
"""Python files from a terminal's message to both answers; the target is 35."""


def test_a_wager_passes_through_few_files() -> None:
    traced = [sys.executable, "-m", "tools.hops"]
    said = subprocess.run(traced, cwd=ROOT, capture_output=True, text=True, check=False)
    files = {name: int(n) for name, n, *_ in map(str.split, said.stdout.splitlines())}
    assert list(files) == ["wager", "card", "login", "report", "audit"], said.stderr
    assert files["wager"] <= WAGER, "python -m tools.hops --list wager"
