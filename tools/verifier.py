"""The verifier's page: the hashes in its content policy, and the SHA-256 by which it is published."""

import base64
import hashlib
import re
from pathlib import Path

from puntobanco_proof.verifier import FILES, verifier

ROOT = Path(__file__).parents[1]
PAGE = "src/puntobanco_proof/verifier/verify.html"
PUBLISHED = "\n## Published hashes\n"


def page() -> str:
    """verify.html with the hashes of its own script and style: nothing else in it runs."""
    text = (ROOT / PAGE).read_text("utf-8")
    for tag, name in (("script", "script-src"), ("style", "style-src")):
        [inside] = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        text = re.sub(f"{name} 'sha256-[^']*'", f"{name} 'sha256-{digest}'", text)
    return text


def receipts_page() -> str:
    """By hand, but for the hashes at its end."""
    above, _, _ = (ROOT / "docs/reference/receipts.md").read_text("utf-8").partition(PUBLISHED)
    rows = list[str]()
    for name in FILES:
        data = page().encode() if name == "verify.html" else verifier(name)
        rows.append(f"| `{name}` | `{hashlib.sha256(data).hexdigest()}` |\n")
    table = "| file | SHA-256 |\n|---|---|\n" + "".join(rows)
    return f"{above}{PUBLISHED}{HOW}\n{table}"


HOW = """What this release holds, byte for byte; floors and witnesses serve the same files at `/verify.html` and `/verify.py`. `make docs` writes
this part. Compare with `sha256sum verify.html verify.py`.
"""
