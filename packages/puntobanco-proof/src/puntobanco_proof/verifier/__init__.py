"""Receipt verifiers: `verify.py` and `verify.html`, each a single file.

They share no code with the rest of this package. Floors and witnesses serve them, and
docs/reference/receipts.md publishes the SHA-256 of each.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

FILES = {"verify.html": "text/html", "verify.py": "text/x-python"}
"""The media type of each verifier; both files are UTF-8."""


def read_verifier(name: str) -> bytes:
    """Return the exact bytes of a published verifier."""
    return Path(__file__).with_name(name).read_bytes()


def hash_verifiers() -> dict[str, str]:
    """Return the SHA-256 of each verifier by file name."""
    return {name: hashlib.sha256(read_verifier(name)).hexdigest() for name in FILES}
