"""The version of the program, as reports, records and the wheel name it.

Between releases it is the next version with `.dev0`; `tools/release.py` takes that off.
"""

import hashlib
from functools import cache
from pathlib import Path

__version__ = "0.3.0.dev0"

PACKAGES = ("puntobanco", "puntobanco_proof", "puntobanco_floor")
"""What this repository installs."""


@cache
def source_hash() -> str:
    """SHA-256 over our packages' Python files, by path: which code made a report."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for path in sorted(path for name in PACKAGES for path in (root / name).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
