"""A designer's installed distribution, as pip leaves it: a module, and metadata with an entry point."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[3] / "examples/lucky_rapid.py"


def publish(
    folder: Path,
    entry: str = "lucky-rapid = lucky_rapid:GAME",
    *,
    text: str | None = None,
    name: str = "lucky-rapid-baccarat",
    version: str = "1.0",
) -> Path:
    """Write the module that the entry point names; by default the example's game."""
    module = folder / f"{entry.partition('= ')[2].partition(':')[0]}.py"
    module.write_text(EXAMPLE.read_text("utf-8") if text is None else text, "utf-8")
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (metadata / "entry_points.txt").write_text(f"[puntobanco.games]\n{entry}\n")
    return module


def build(project: Path) -> Path:
    """Build the wheel of a designer's project; nothing is fetched."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(command, cwd=project, capture_output=True, check=True)
    [wheel] = (project / "dist").glob("*.whl")
    return wheel


@contextmanager
def on_path(folder: Path) -> Iterator[Path]:
    """Let this process and those that it starts find what is published there."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(folder)
        patched.setenv("PYTHONPATH", str(folder))
        yield folder
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
