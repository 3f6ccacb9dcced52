"""The library's wheel, unpacked, and beside it NumPy and Click: all that somebody has who installs nothing else."""

import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from tests.support.installed import place
from tools.tree import ROOT

LIBRARY = ROOT / "packages/puntobanco"


def build_library(folder: Path) -> Path:
    return build_wheel(LIBRARY, folder)


def build_wheel(project: Path, folder: Path) -> Path:
    """Build the wheel of a project with what builds a release; nothing is fetched."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    done = subprocess.run(
        [*build, "--directory", str(folder)],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-400:]
    [wheel] = folder.glob("*.whl")
    return wheel


def unpack_library(folder: Path) -> Path:
    site = folder / "site"
    with zipfile.ZipFile(build_library(folder / "wheel")) as wheel:
        wheel.extractall(site)
    return site


def link_requirements(folder: Path) -> Path:
    """NumPy and Click, which need nothing themselves."""
    for name in ("numpy", "click"):
        place(distribution(name), folder)
    return folder
