"""Two commits side by side, measured in turn: python -m benchmarks.compare OLD NEW [--times 5].

Each commit is checked out into a temporary folder and measured with its own benchmarks, by turns,
so that both meet the machine in the same mood. Every figure is a rate: more is better.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measures import MEASURES
from tests.storage.servers import GIVEN, server
from tools.tree import ROOT

FLOOR_RATIO = 0.95
"""With --strict, a median below this part of the old one is a failure."""

LONGEST_S = 300.0
"""Of one measurement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One measurement, so many times of each commit."""

    what: str
    old: Sequence[float]
    new: Sequence[float]

    @property
    def ratio(self) -> float:
        return statistics.median(self.new) / statistics.median(self.old)


@contextmanager
def checked_out(commit: str, folder: Path) -> Iterator[Path]:
    """A worktree of this commit; its files and git's note of it go afterwards."""
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(folder), commit], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def measured(name: str, checkout: Path, database: str) -> float:
    """This measurement in a process of its own, with the code of that checkout."""
    sources = [*checkout.glob("packages/*/src"), *checkout.glob("packages/*"), checkout / "src"]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, [*sources, checkout])),
        "PUNTOBANCO_CACHE": str(checkout.with_name(f"{checkout.name}-cache")),
        GIVEN: database,
    }
    # its own file, since modules move between commits; ours if the commit has no such measurement
    file = checkout / "benchmarks" / "measures.py"
    if f'    "{name}": (' not in file.read_text("utf-8"):
        file = ROOT / "benchmarks" / "measures.py"
    command = [sys.executable, "-P", str(file), name]  # -P: `benchmarks` is found by PYTHONPATH
    done = subprocess.run(
        command,
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{name} failed in {checkout.name}:\n{done.stderr}")
    answer = json.loads(done.stdout.splitlines()[-1])
    assert Path(answer["package"]).is_relative_to(checkout), answer  # not this venv's own
    return float(answer["figure"])


def compared(
    names: Sequence[str], old: Path, new: Path, database: str, times: int
) -> Iterator[Compared]:
    for name in names:
        figures: dict[Path, list[float]] = {old: [], new: []}
        for turn in range(times):
            # old new, new old, old new: a machine that gets slower all the time favours neither
            order = (old, new) if turn % 2 == 0 else (new, old)
            for checkout in order:
                figures[checkout].append(measured(name, checkout, database))
        yield Compared(what=MEASURES[name][1], old=figures[old], new=figures[new])


def shown(figures: Sequence[float]) -> str:
    """The median, and how far the others lie from it at most."""
    median = statistics.median(figures)
    spread = max(abs(figure - median) for figure in figures) / median
    return f"{median:>14,.0f} ±{spread:>4.0%}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", help="a commit")
    parser.add_argument("new", help="another commit")
    parser.add_argument("--times", type=int, default=5, help="of each (default 5)")
    parser.add_argument("--only", nargs="+", choices=list(MEASURES), help="these measurements")
    parser.add_argument(
        "--strict", action="store_true", help=f"status 1 if a ratio is below {FLOOR_RATIO}"
    )
    given = parser.parse_args(arguments)
    print(f"{'median and spread':<34}{given.old:>20}{given.new:>20}{'new/old':>9}", flush=True)
    worst = float("inf")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="compare-")))
        old = stack.enter_context(checked_out(given.old, folder / "old"))
        new = stack.enter_context(checked_out(given.new, folder / "new"))
        database = stack.enter_context(server())
        for row in compared(given.only or list(MEASURES), old, new, database, given.times):
            print(f"{row.what:<34}{shown(row.old)}{shown(row.new)}{row.ratio:>9.2f}", flush=True)
            worst = min(worst, row.ratio)
    return int(given.strict and worst < FLOOR_RATIO)


if __name__ == "__main__":
    sys.exit(main())
