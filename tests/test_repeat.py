"""`tests.repeat`: a flaky test is listed and passes, a test that fails twice fails the run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repeat import MAX_REPEATED, write_report
from tools.tree import ROOT

EVERY_SECOND_TIME = """
from pathlib import Path

def test_of_chance():
    marker = Path(__file__).with_name("failed-before")
    if marker.exists():
        marker.unlink()
        return
    marker.touch()
    assert False, "not this time"
"""
ALWAYS = """
def test_that_is_wrong():
    assert 1 + 1 == 3, "never"
"""
PASSES = """
def test_that_is_right():
    assert 1 + 1 == 2
"""


def run(folder: Path, *sources: str, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Run these tests as `.ci/run` does; return the exit status, the output and the report."""
    for number, source in enumerate(sources):
        (folder / f"test_planted_{number}.py").write_text(source, "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    report = folder / "report"
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    ended = subprocess.run(
        [sys.executable, "-m", "tests.repeat", str(report), *options],
        cwd=folder,
        env={**inherited, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    text = report.read_text("utf-8") if report.exists() else ""
    return ended.returncode, ended.stdout, text


@pytest.mark.parametrize("options", [(), ("--numprocesses", "2")], ids=["one", "parallel"])
def test_a_test_that_fails_every_second_time_is_listed_and_passes(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    status, output, report = run(tmp_path, EVERY_SECOND_TIME, PASSES, options=options)
    assert status == 0, output
    lines = report.splitlines()
    assert lines[:2] == [
        "FLAKY: 1 test failed once and passed when repeated alone:",
        "  test_planted_0.py::test_of_chance",
    ]
    assert "not this time" in report, "the first traceback says what to repair"
    assert "FAILED:" not in report


def test_a_test_that_fails_twice_fails_the_run_and_its_traceback_comes_last(tmp_path: Path) -> None:
    status, _, report = run(tmp_path, EVERY_SECOND_TIME, ALWAYS, PASSES)
    assert status == 1
    flaky, failed = report.split("FAILED:")
    assert "test_of_chance" in flaky
    assert "test_that_is_wrong" not in flaky
    assert "test_planted_1.py::test_that_is_wrong" in failed
    assert "AssertionError: never" in failed


def test_a_run_that_passes_reports_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, PASSES)[::2] == (0, "")


def test_a_file_that_cannot_be_imported_fails_the_run(tmp_path: Path) -> None:
    status, output, report = run(tmp_path, "import nothing_of_that_name", PASSES)
    assert status != 0, output
    assert "No module named 'nothing_of_that_name'" in report


def test_many_failures_are_not_repeated(tmp_path: Path) -> None:
    many = "".join(f"def test_{n}(): assert False\n" for n in range(MAX_REPEATED + 1))
    status, output, report = run(tmp_path, many)
    assert status == 1
    assert f"more than {MAX_REPEATED}: none is repeated" in output
    assert "FLAKY:" not in report


def test_no_test_at_all_is_a_failure(tmp_path: Path) -> None:
    assert run(tmp_path)[0] == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_report_without_failures_is_empty() -> None:
    assert write_report({}, {}) == ""
