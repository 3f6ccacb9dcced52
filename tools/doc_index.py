"""The index of the documents, docs/README.md: every page under its kind, by title and first sentence."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

KINDS = {
    "tutorials": "Tutorials: learn by doing, a quarter of an hour each; the tests run them as printed",
    "how-to": "How-to guides: one task, step by step",
    "reference": "Reference: look it up; most of it is generated from the code",
    "explanation": "Explanation: how it works, and why it is so",
}
"""By what a reader wants (Diátaxis): each page is in the folder of its kind."""

HEAD = """# Documentation

New here? Start with a tutorial. The [glossary](reference/glossary.md) explains the words of the trade; the
[README](../README.md) leads to the four doors.
"""
GAMES = "reference/games"


def page(docs: Path, made: Mapping[str, str]) -> str:
    """Of the pages in the folder and of those that are about to be `made`, by path below it."""
    texts = {path.relative_to(docs).as_posix(): _text(path) for path in docs.rglob("*.md")}
    texts |= {path.relative_to(docs).as_posix(): _text(path) for path in docs.rglob("*.ipynb")}
    texts |= made
    parts = [HEAD]
    for kind, title in KINDS.items():
        names = sorted(name for name in texts if name.startswith(f"{kind}/"))
        parts.append(f"\n## {title}\n")
        parts += [_row(name, texts[name]) for name in names if not name.startswith(GAMES)]
        games = [name for name in names if name.startswith(GAMES)]
        if games:
            parts.append(f"- The rules pages: {', '.join(_game_links(games, made))}.\n")
    return "".join(parts)


def _text(path: Path) -> str:
    """Of a notebook the first cell, which says what it is."""
    text = path.read_text("utf-8")
    return "".join(json.loads(text)["cells"][0]["source"]) if path.suffix == ".ipynb" else text


def _row(name: str, text: str) -> str:
    return f"- [{_title(text)}]({name}): {_first_sentence(text)}\n"


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


def _first_sentence(text: str) -> str:
    """Of the first paragraph: a page begins by saying what it is."""
    paragraph = text.partition("\n")[2].strip().partition("\n\n")[0]
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(paragraph.split()))
    sentence = re.match(r".+?\.(?= |$)", plain)
    assert sentence is not None, f"a page that does not begin with a sentence: {plain[:60]}"
    return sentence[0]


def _game_links(names: list[str], made: Mapping[str, str]) -> Iterator[str]:
    for name in names:
        if not name.endswith(".zh.md"):
            chinese = name.replace(".md", ".zh.md")
            yield f"[{_title(made[name])}]({name}) ([中文]({chinese}))"
