"""The documents as the tests of them read them: by hand or generated, prose apart from code."""

import re
from pathlib import Path

from tools.tree import DISTRIBUTIONS, ROOT

DOCUMENTS = sorted(
    path
    for name in ("*.md", "packages/*/*.md", "docs/**/*.md", "tests/README.md")
    for path in ROOT.glob(name)
)
_GENERATED = (
    "docs/README.md",
    "docs/reference/api.md",
    "docs/reference/attacks.md",
    "docs/reference/commands.md",
    "docs/reference/configuration.md",
    "docs/reference/errors.md",
    "docs/reference/events.md",
    "docs/reference/games/",
    "docs/reference/glossary.md",
    "docs/reference/http.md",
    "docs/reference/rulebooks/traceability.md",
    "docs/reference/table-commands.md",
)
"""By `tools.pages`, from the code: they cannot say anything else."""

_FENCE = re.compile(r"^ *```(\w*)[^\n]*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


BY_HAND = [path for path in DOCUMENTS if not name_of(path).startswith(_GENERATED)]


READMES = {package: folder / "README.md" for package, folder in DISTRIBUTIONS.items()}
"""The page of each distribution."""

PLAYED = [path for path in DOCUMENTS if name_of(path).startswith(("README.md", "docs/tutorials/"))]
PLAYED += READMES.values()
"""Pages whose commands `test_tutorials.py` types into one shell, in their order."""


def written(path: Path) -> str:
    return path.read_text("utf-8")


def paragraphs(text: str) -> list[str]:
    """Prose: each paragraph, item or row of a table on one line; blocks of code are left out."""
    prose = _FENCE.sub("\n", text)
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-|#]|\d+\.) ?)", prose)
    return [" ".join(part.split()) for part in parts if part.strip()]


def blocks(text: str) -> list[str]:
    """Blocks of code that are no program and no output: what somebody types."""
    return [block for kind, block in _FENCE.findall(text) if kind in ("", "sh")]
