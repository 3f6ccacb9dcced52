"""Node, in which the screens' own modules are tested: wanted here, demanded in continuous integration."""

import os
import shutil

import pytest

needs_node = pytest.mark.skipif(
    shutil.which("node") is None and "CI" not in os.environ,
    reason="no Node here; the browser tests run the same modules",
)
