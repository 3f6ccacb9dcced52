"""The version of the program, as reports, records and the wheels name it.

Between releases it is the next version with `.dev0`; `tools/release.py` takes that off, here and in
the pyproject of each distribution.
"""

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

__version__ = "0.3.0.dev0"

DISTRIBUTIONS = {
    "puntobanco": "puntobanco",
    "puntobanco-proof": "puntobanco_proof",
    "puntobanco-floor": "puntobanco_floor",
}
"""The distributions of this version, and the package that each installs."""


@cache
def source_hash() -> str:
    """SHA-256 over the Python files of our installed packages: which code made a report."""
    digest = hashlib.sha256()
    for name in sorted(DISTRIBUTIONS.values()):
        found = find_spec(name)
        folders = found.submodule_search_locations if found else None
        for folder in map(Path, folders or ()):
            for path in sorted(folder.rglob("*.py")):
                below = path.relative_to(folder.parent).as_posix()
                digest.update(below.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
