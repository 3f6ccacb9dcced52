"""The verifiers: `verify.py` and `verify.html`, one file each, of their own code.

They check what this package makes, and share nothing with it. Floors and witnesses serve them; the
SHA-256 of each is published in docs/reference/receipts.md.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

FILES = {"verify.html": "text/html", "verify.py": "text/x-python"}
"""Each with its media type; they are UTF-8."""


def verifier(name: str) -> bytes:
    """One of them, byte for byte as it is published."""
    return Path(__file__).with_name(name).read_bytes()


def published() -> dict[str, str]:
    """The SHA-256 of each, by its name."""
    return {name: hashlib.sha256(verifier(name)).hexdigest() for name in FILES}
