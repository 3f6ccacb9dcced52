"""The version of the program, as reports, records and the wheel name it.

Between releases it is the next version with `.dev0`; `tools/release.py` takes that off.
"""

import hashlib
from functools import cache
from pathlib import Path

__version__ = "0.3.0.dev0"


@cache
def source_hash() -> str:
    """SHA-256 over the package's Python files, by path: which code made a report."""
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
