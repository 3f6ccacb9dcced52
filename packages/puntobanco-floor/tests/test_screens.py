"""The pure modules of the screens, tested in Node."""

import re
import subprocess

from tests.support.node import needs_node
from tools.tree import ROOT


@needs_node
def test_the_pure_modules_in_node() -> None:
    done = subprocess.run(
        ["node", "--test", "packages/puntobanco-floor/tests/screens"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    ran = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert ran, done.stdout[-400:]
    assert int(ran[1]) > 50
