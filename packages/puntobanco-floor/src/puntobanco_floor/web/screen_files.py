"""The files of the screens: one tree, whose hash is in the address of every file of it, so that a
browser keeps a file for good and asks for none of it again.

A page is written for the tree: its addresses have the hash, its script is sent with all the modules
that it imports in it, and its style sheets as one.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

SCREENS = Path(__file__).with_name("screens")
PREFIX = "/screens/"
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
NAMES = frozenset(
    path.relative_to(SCREENS).as_posix() for path in SCREENS.rglob("*") if path.suffix in KINDS
)
"""All that is served; what is not among it is not looked for."""

HASH_LENGTH = 16
_HASHED = re.compile(rf"([0-9a-f]{{{HASH_LENGTH}}})/(.+)")
_COMMENT = {
    ".js": re.compile(
        r"^[ \t]*(?://[^\n]*|/\*\*?(?:(?!\*/).)*\*/)[ \t]*$", re.MULTILINE | re.DOTALL
    ),
    ".css": re.compile(r"/\*.*?\*/", re.S),
}
"""What only programmers read. In scripts it has lines of its own: what is beside code stays. A line
of a text that begins as a comment would go, so `tests/lint/test_bundle.py` lets none be written.
"""
_SHEET = re.compile(r'<link rel="stylesheet" href="/screens/([^"]+)">\n')


@dataclass(frozen=True)
class File:
    """What is sent for a name, compressed once."""

    kind: str
    plain: bytes

    @cached_property
    def zipped(self) -> bytes:
        return gzip.compress(self.plain, mtime=0)

    @cached_property
    def tag(self) -> str:
        return f'"{hashlib.sha256(self.plain).hexdigest()[:24]}"'


@dataclass(frozen=True)
class Tree:
    """The files as they were at one time."""

    hash: str
    files: dict[str, File] = field(repr=False)


_latest = list[Tree]()


def present() -> Tree:
    """As they now are: a file that was changed makes another tree."""
    tree = _read(tuple((SCREENS / name).stat().st_mtime_ns for name in sorted(NAMES)))
    _latest[:] = [tree]
    return tree


def latest() -> Tree:
    """As a page last found them: a page asks for a few files, and looks at the disk once."""
    return _latest[0] if _latest else present()


@lru_cache(maxsize=1)
def _read(changed: tuple[int, ...]) -> Tree:  # noqa: ARG001 - read again when one was changed
    sent = {
        name: without_comments(name, (SCREENS / name).read_text("utf-8")) for name in sorted(NAMES)
    }
    pages = [name for name in sent if name.endswith(".html")]
    for page in pages:
        folder = page.removesuffix("index.html")
        script, sheet = f"{folder}main.js", f"{folder}index.css"
        sent[script] = joined(script, sent)
        sent[sheet] = "\n".join(sent[name] for name in _SHEET.findall(sent[page]))
        link = f'<link rel="stylesheet" href="{PREFIX}{sheet}">\n<title>'  # before one for paper
        sent[page] = _SHEET.sub("", sent[page]).replace("<title>", link)
    digest = hashlib.sha256()  # of what is sent: it changes with how that is made too
    for name, text in sent.items():
        digest.update(f"{name}\0{len(text)}\0{text}".encode())
    tree = digest.hexdigest()[:HASH_LENGTH]
    for page in pages:
        sent[page] = sent[page].replace(f'"{PREFIX}', f'"{PREFIX}{tree}/')
    return Tree(tree, {name: File(_kind(name), text.encode()) for name, text in sent.items()})


def without_comments(name: str, text: str) -> str:
    """A quarter of what a terminal loads; every line keeps its number."""
    comment = _COMMENT.get(Path(name).suffix)
    if comment is None:
        return text
    return comment.sub(lambda found: "\n" * found[0].count("\n"), text)


def _kind(name: str) -> str:
    return f"{KINDS[Path(name).suffix]}; charset=utf-8"


def split(path: str) -> tuple[str, str]:
    """The hash and the name in an address; of an address without a hash, the name.

    >>> split("0123456789abcdef/base/dom.js"), split("base/dom.js")
    (('0123456789abcdef', 'base/dom.js'), ('', 'base/dom.js'))
    """
    found = _HASHED.fullmatch(path)
    return (found[1], found[2]) if found else ("", path)


# Bundles: a browser reads one file much sooner than seventy, and the modules stay as they were
# written. Each module is a function that is called once and gives what it exports; modules come
# before those that import them. That does for what the screens use of JavaScript's modules: no
# cycles, one name an export, nothing exported that is assigned later. `tests/lint/test_bundle.py`
# holds them to it.

_IMPORT = re.compile(r'^import\s*(?:(\{[^}]*\}|\* as \w+)\s*from\s*)?"([^"]+)";', re.MULTILINE)
_EXPORTED = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) (\w+))", re.MULTILINE)
_LATER = re.compile(r'\bimport\("([^"]+)"\)')
_RENAMED = re.compile(r"(\w+) as (\w+)")


def imported(name: str, text: str) -> list[str]:
    """The modules that a module imports, by their names."""
    return [_beside(name, path) for _, path in _IMPORT.findall(text)]


def _beside(name: str, path: str) -> str:
    """The module that a path in this one leads to."""
    return normpath(join(dirname(name), path))


def exported(text: str) -> list[str]:
    """The names that a module exports: each by a statement of its own."""
    return _EXPORTED.findall(text)


def in_order(name: str, texts: Mapping[str, str]) -> list[str]:
    """A module after all that it imports, each once."""
    found = dict[str, None]()

    def visit(each: str) -> None:
        if each not in found:
            for other in imported(each, texts[each]):
                visit(other)
            found[each] = None

    visit(name)
    return list(found)


def joined(name: str, texts: Mapping[str, str]) -> str:
    """One module that does what this one and its imports do, in the same place."""
    order = in_order(name, texts)
    variables = {each: f"$module{number}" for number, each in enumerate(order)}
    return "\n".join(_part(each, texts[each], variables) for each in order)


def _part(name: str, text: str, variables: Mapping[str, str]) -> str:
    page = list(variables)[-1]

    def taken(found: re.Match[str]) -> str:
        names, path = found.groups()
        if names is None:
            return ""
        here = names.removeprefix("* as ") if names[0] == "*" else _RENAMED.sub(r"\1: \2", names)
        return f"const {here} = {variables[_beside(name, path)]};"

    def later(found: re.Match[str]) -> str:
        other = _beside(name, found[1])
        if other in variables:
            return f"Promise.resolve({variables[other]})"
        return f'import("./{relpath(other, dirname(page))}")'

    inside = _LATER.sub(later, _IMPORT.sub(taken, text))
    body = _EXPORTED.sub("", inside)
    if name == page:  # which may wait at its top level
        return f"// {name}\n{body}"
    result = f"return {{ {', '.join(exported(text))} }};"
    return f"// {name}\nconst {variables[name]} = (() => {{\n{body}\n{result}\n}})();"
