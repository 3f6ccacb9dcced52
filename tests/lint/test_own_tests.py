"""The tests of a distribution need no distribution above it: they can be collected where that is not installed."""

import subprocess
import sys

import pytest

from tools.tree import DISTRIBUTIONS, ROOT

COLLECT = """
import sys
for name in sys.argv.pop(1).split():
    sys.modules[name] = None  # an import of it fails as if it were not installed
import pytest
sys.exit(pytest.main(["-q", "--collect-only", *sys.argv[1:]]))
"""
ABOVE = {
    "puntobanco": "puntobanco_proof puntobanco_floor msgspec cryptography sqlalchemy",
    "puntobanco_proof": "puntobanco_floor sqlalchemy alembic immutables",
}


@pytest.mark.parametrize("package", ABOVE)
def test_its_tests_are_collected_without_what_is_above(package: str) -> None:
    folder = DISTRIBUTIONS[package] / "tests"
    done = subprocess.run(
        [sys.executable, "-c", COLLECT, ABOVE[package], str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
