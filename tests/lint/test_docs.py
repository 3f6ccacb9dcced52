"""The documentation cannot go stale: generated pages are fresh, links lead somewhere, drawn trees are complete."""

import ast
import re
from collections.abc import Iterator

from tools.pages import pages

from puntobanco.cli import LATER, cli
from tests.support.documents import BY_HAND, DOCUMENTS, ROOT, name_of


def test_generated_pages_are_fresh() -> None:
    made = dict(pages())
    stale = [path for path, text in made.items() if (ROOT / path).read_text("utf-8") != text]
    assert not stale, f"run make docs and read the difference: {', '.join(stale)}"
    by_hand = {name_of(path) for path in BY_HAND} & set(made)
    in_part = {"docs/reference/receipts.md"}
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
    missing = [name for name in (*cli.commands, *LATER) if f"`{name}`" not in text]
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
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text("utf-8")
        if "── " not in text:
            continue
        tree = ast.parse(text)
        shown, there = drawn(tree), list(refusals(tree))
        trees += bool(shown)
        if shown and shown != there:
            wrong.append(f"{name_of(path)} draws {', '.join(shown)}; it has {', '.join(there)}")
    assert not wrong, "\n".join(wrong)
    assert trees >= 3, "the rules, the table and the store draw theirs"


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
    for path in [*DOCUMENTS, *(ROOT / "src").rglob("*.py")]:
        text = path.read_text("utf-8")
        copied += [f"{name_of(path)}: {phrase}" for phrase in phrases if phrase in text]
    assert not copied, "\n".join(copied)
