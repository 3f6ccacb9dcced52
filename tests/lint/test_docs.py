"""The documentation cannot go stale: generated pages are fresh, links lead somewhere, drawn trees are complete."""

import ast
import re
from collections.abc import Iterator

from puntobanco.cli import COMMANDS
from tests.support.documents import BY_HAND, DOCUMENTS, PLAYED, name_of
from tests.support.tutorials import steps
from tools.pages import pages
from tools.tree import ROOT, SOURCES, source_files


def test_generated_pages_are_fresh() -> None:
    made = dict(pages())
    stale = [path for path, text in made.items() if (ROOT / path).read_text("utf-8") != text]
    assert not stale, f"run make docs and read the difference: {', '.join(stale)}"
    by_hand = {name_of(path) for path in BY_HAND} & set(made)
    in_part = {"docs/reference/receipts.md", "docs/reference/compatibility.md"}
    assert by_hand == in_part, "name it in tests/support/documents.py"


def test_links_lead_somewhere() -> None:
    dead = [
        f"{name_of(path)} links to {target}"
        for path in DOCUMENTS
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8"))
        if not (path.parent / target).exists()
    ]
    assert not dead, "\n".join(dead)


def test_every_command_is_in_the_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    missing = [name for name in COMMANDS if f"`{name}`" not in text]
    assert not missing, ", ".join(missing)


def test_the_documented_example_is_the_example() -> None:
    text = (ROOT / "docs/how-to/write-a-game.md").read_text("utf-8")
    assert f"```python\n{(ROOT / 'examples/lucky_rapid.py').read_text('utf-8')}```" in text


# The tree of refusals that a module draws in its docstring


def drawn(tree: ast.Module) -> list[str]:
    return re.findall(r"[├└]── (\w+)", ast.get_docstring(tree) or "")


def refusals(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and "Refusal" in map(ast.unparse, node.bases):
            yield node.name


def test_every_refusal_is_in_the_tree_drawn_in_its_docstring() -> None:
    wrong, trees = list[str](), 0
    for path in source_files():
        text = path.read_text("utf-8")
        if "── " not in text:
            continue
        tree = ast.parse(text)
        shown, there = drawn(tree), list(refusals(tree))
        trees += bool(shown)
        if shown and shown != there:
            wrong.append(f"{name_of(path)} draws {', '.join(shown)}; it has {', '.join(there)}")
    assert not wrong, "\n".join(wrong)
    assert trees >= 2, "the rules and the store draw theirs"


def test_a_refusal_that_is_not_drawn_is_found() -> None:
    code = '"""Refusals.\n\nRefusal\n└── One  the first\n"""\nclass One(Refusal): ...\nclass Two(Refusal): ...\n'
    tree = ast.parse(code)
    assert (drawn(tree), list(refusals(tree))) == (["One"], ["One", "Two"])


def test_no_document_copies_a_rulebook() -> None:
    """The rulebooks themselves are not here, so look for the phrases that only they use."""
    phrases = (
        "shall be void",
        "shall begin when",
        "in accordance with rule",
        "as the case may be",
        "refused and/or",
    )
    copied = list[str]()
    for path in [*DOCUMENTS, *source_files()]:
        text = path.read_text("utf-8")
        copied += [f"{name_of(path)}: {phrase}" for phrase in phrases if phrase in text]
    assert not copied, "\n".join(copied)


# What pages tell a reader to type

UNPLAYED = re.compile(
    r"pip |python3 -m venv|\. venv|puntobanco serve --demo|make |puntobanco witness serve "
)


def test_a_played_page_has_nothing_to_type_outside_the_played_blocks() -> None:
    """In blocks that are not played there is nothing but how to install."""
    wrong = list[str]()
    for page in PLAYED:
        text = page.read_text("utf-8")
        shown = re.findall(r"^```(\w*).*?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        lines = [line for kind, block in shown if kind in ("", "sh") for line in block.splitlines()]
        wrong += [f"{name_of(page)}: {line}" for line in lines if not UNPLAYED.match(line)]
        wrong += [] if any(step.prints for step in steps(text)) else [f"{name_of(page)}: no output"]
    assert not wrong, "\n".join(wrong)


def test_no_text_says_to_install_the_package_by_its_name() -> None:
    """No one of us owns the name on an index: a stranger who takes it would be installed on a casino's machine."""
    by_name = re.compile(
        r"pip3? install (?:-\S+ |--\S+ )*['\"]?puntobanco(-proof|-floor)?(?![-\w*])", re.IGNORECASE
    )
    paths = [*DOCUMENTS, ROOT / "Containerfile", ROOT / "compose.yaml", ROOT / "Makefile"]
    for folder in (*SOURCES.values(), ROOT / "deploy", ROOT / "examples"):
        files = folder.rglob("*")
        paths += [path for path in files if path.suffix in (".py", ".js", ".html", ".md")]
    found = [name_of(path) for path in paths if by_name.search(path.read_text("utf-8"))]
    assert not found, "\n".join(found)
    assert by_name.search("pip install 'puntobanco[fast]'")
    assert by_name.search("pip install puntobanco-floor")
    assert not by_name.search("pip install puntobanco*.whl")
    assert not by_name.search("pip install ./puntobanco-0.3.0-py3-none-any.whl")
