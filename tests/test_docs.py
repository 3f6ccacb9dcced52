"""Documentation that cannot go stale: generated pages are fresh, printed output is real, links lead somewhere."""

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools.modules import our_modules
from tools.pages import pages

from puntobanco.base.refusal import Refusal
from puntobanco.cli import LATER, cli
from tests.documents import BY_HAND, DOCUMENTS, PLAYED, ROOT, name_of

README = (ROOT / "README.md").read_text("utf-8")


def test_generated_pages_are_fresh() -> None:
    made = dict(pages())
    stale = [path for path, text in made.items() if (ROOT / path).read_text("utf-8") != text]
    assert not stale, "run make docs and read the difference"
    by_hand = {name_of(path) for path in BY_HAND} & set(made)
    in_part = {"docs/reference/receipts.md", "docs/reference/compatibility.md"}
    assert by_hand == in_part, "name it in tests/documents.py"


def console_blocks() -> list[tuple[str, str, str]]:
    found = []
    for path in DOCUMENTS:
        if path in PLAYED:
            continue
        for block in re.findall(r"```console\n(.*?)```", path.read_text("utf-8"), re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((path.name, command, output))
    return found


@pytest.mark.parametrize(("document", "command", "output"), console_blocks())
def test_printed_output_is_what_the_command_prints(
    document: str, command: str, output: str
) -> None:
    bin_ = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": bin_},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.rstrip("\n") == output.rstrip("\n"), f"{document}: {command}"
    assert "```" not in output


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_every_command_is_in_the_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert all(f"`{name}`" in text for name in (*cli.commands, *LATER))


def test_the_documented_example_is_the_example() -> None:
    text = (ROOT / "docs/how-to/write-a-game.md").read_text("utf-8")
    assert f"```python\n{(ROOT / 'examples/lucky_rapid.py').read_text('utf-8')}```" in text


def test_the_library_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
    exec(code, {})
    assert capsys.readouterr().out == "ann banker wins 5000 4.1\nben fortune-six wins 6000 4.1\n"


def test_doctests() -> None:
    failed = [n for n in our_modules() if doctest.testmod(importlib.import_module(n)).failed]
    assert failed == []


def test_every_refusal_is_in_the_tree_drawn_in_its_docstring() -> None:
    from puntobanco.rules import refusals  # noqa: PLC0415

    drawn = re.findall(r"[├└]── (\w+)", str(refusals.__doc__))
    assert drawn == [
        kind.__name__ for kind in Refusal.__subclasses__() if kind.__module__ == refusals.__name__
    ]


def test_no_document_copies_a_rulebook() -> None:
    """The rulebooks themselves are not here, so look for the phrases that only they use."""
    phrases = (
        "shall be void",
        "shall begin when",
        "in accordance with rule",
        "as the case may be",
        "refused and/or",
    )
    for path in [*DOCUMENTS, *(ROOT / "src").rglob("*.py")]:
        text = path.read_text("utf-8")
        assert not any(phrase in text for phrase in phrases), path
