"""The version of the program, as reports, records and the wheels name it.

Between releases it is the next version with `.dev0`; `tools/release.py` takes that off, here and in
the pyproject of each distribution.
"""

import hashlib
from functools import cache
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
    """SHA-256 over the Python files of this library, by path: which code made a report."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for path in sorted((root / "puntobanco").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
