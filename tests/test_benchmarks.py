"""Every benchmark runs, at a thousandth of its size: one that no longer fits the program measures nothing, and nobody sees it."""

import os
import re
import subprocess
import sys

import pytest

from tests.support.patience import PATIENCE_S
from tools.tree import ROOT

MODULES = {
    path.stem: path.read_text("utf-8")
    for path in sorted((ROOT / "benchmarks").glob("*.py"))
    if 'if __name__ == "__main__":' in path.read_text("utf-8")
}
ARGUMENTS = {
    "compare": ["HEAD", "HEAD", "--times", "1", "--only", "settle"],
    "measures": ["settle"],
}
"""What those need that are not run by their name alone."""


BY_BROWSER = {name for name, text in MODULES.items() if "playwright" in text}


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(MODULES.keys() - BY_BROWSER))
def test_a_benchmark_runs_at_a_thousandth_of_its_size(name: str) -> None:
    run(name)


@pytest.mark.browser
@pytest.mark.parametrize("name", sorted(BY_BROWSER))
def test_a_benchmark_with_a_browser_runs_too(name: str) -> None:
    run(name)


def run(name: str) -> None:
    if name == "compare" and not (ROOT / ".git").exists():
        pytest.skip("there are no commits here")
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *ARGUMENTS.get(name, [])],
        cwd=ROOT,
        env={**os.environ, "BENCH_SCALE": "0.001"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 3,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout, "it says what it measured"


def test_what_is_measured_by_default_and_what_is_compared_are_benchmarks() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert set(re.findall(r"-m benchmarks\.(\w+)", makefile)) <= MODULES.keys()
    assert ARGUMENTS.keys() <= MODULES.keys()
