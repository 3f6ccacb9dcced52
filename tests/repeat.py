"""Run pytest and repeat each failed test once, alone: python -m tests.repeat REPORT [pytest options].

A test that fails in the full run and passes alone is flaky: the report lists it under a line that
starts with `FLAKY:`, and the run succeeds. A test that fails twice fails the run. The report is a
file, so that `.ci/run` can print it last, where a reader of a shortened log still finds it.
"""

import subprocess
import sys
from pathlib import Path

import pytest

MAX_REPEATED = 25
"""If more tests fail, the change is broken and not the test: nothing is repeated."""

TIMEOUT_S = 900.0
"""For one test alone."""


class Failures:
    """A pytest plugin that keeps the traceback of each failed test by its id."""

    def __init__(self) -> None:
        self.tracebacks = dict[str, str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._keep(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._keep(report)

    def _keep(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        before = self.tracebacks.get(report.nodeid, "")  # a test and its teardown can both fail
        self.tracebacks[report.nodeid] = f"{before}{report.longreprtext}\n"


def run_alone(test: str) -> tuple[bool, str]:
    """Run one test in a process of its own; return whether it passed, and the output."""
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", test]
    try:
        ended = subprocess.run(
            command, timeout=TIMEOUT_S, check=False, capture_output=True, text=True
        )
    except subprocess.TimeoutExpired:
        return False, f"{test} did not end within {TIMEOUT_S:g} s\n"
    return ended.returncode == 0, ended.stdout + ended.stderr


def write_report(flaky: dict[str, str], failed: dict[str, str]) -> str:
    """Describe flaky tests first and failures last, each with its traceback."""
    lines = list[str]()
    if flaky:
        lines.append(f"FLAKY: {_tests(len(flaky))} failed once and passed when repeated alone:")
        lines += [f"  {test}" for test in flaky]
        lines += [f"\n--- first failure of {test}\n{text}" for test, text in flaky.items()]
    if failed:
        lines.append(f"FAILED: {_tests(len(failed))}:")
        lines += [f"  {test}" for test in failed]
        lines += [f"\n--- {test}\n{text}" for test, text in failed.items()]
    return "".join(f"{line}\n" for line in lines)


def _tests(count: int) -> str:
    return "1 test" if count == 1 else f"{count} tests"


def repeat(first: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Run each failed test alone; return the flaky ones and those that failed again."""
    flaky, failed = dict[str, str](), dict[str, str]()
    for test, traceback in first.items():
        print(f"repeating {test}", flush=True)
        passed, output = run_alone(test)
        if passed:
            flaky[test] = traceback
        else:
            failed[test] = output
    return flaky, failed


def main(report: str, *options: str) -> int:
    failures = Failures()
    status = pytest.main(list(options), plugins=[failures])
    flaky, failed = dict[str, str](), failures.tracebacks
    if len(failed) > MAX_REPEATED:
        print(f"{len(failed)} tests failed, more than {MAX_REPEATED}: none is repeated")
    elif status == pytest.ExitCode.TESTS_FAILED and failed:
        flaky, failed = repeat(failed)
        status = pytest.ExitCode.TESTS_FAILED if failed else pytest.ExitCode.OK
    with Path(report).open("a", encoding="utf-8") as file:
        file.write(write_report(flaky, failed))
    if flaky or failed:
        print(
            f"{len(flaky)} flaky, {len(failed)} failed: the end of the log lists them", flush=True
        )
    return int(status)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
