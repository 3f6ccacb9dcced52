"""The files of the screens: one tree, whose hash is in the address of every file of it, so that a
browser keeps a file for good and asks for none of it again.

A page is written for the tree: its addresses have the hash, and it names every module that its
script imports, so that a browser asks for all of them at once and not for one after the other.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath

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
_IMPORTS = re.compile(
    r'''^(?:import\s*|(?:import|export)\b[^"';=]*\bfrom\s*)"([^"]+)"''', re.MULTILINE
)
_COMMENT = {
    ".js": re.compile(
        r"^[ \t]*(?://[^\n]*|/\*\*?(?:(?!\*/).)*\*/)[ \t]*$", re.MULTILINE | re.DOTALL
    ),
    ".css": re.compile(r"/\*.*?\*/", re.S),
}
"""What only programmers read. In scripts it has lines of its own: what is beside code, or in a
text, stays.
"""
_SCRIPT = re.compile(r'<script type="module" src="/screens/([^"]+)"></script>')


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
    """As a page last found them: a page asks for fifty files, and looks at the disk once."""
    return _latest[0] if _latest else present()


@lru_cache(maxsize=1)
def _read(changed: tuple[int, ...]) -> Tree:  # noqa: ARG001 - read again when one was changed
    texts = {name: (SCREENS / name).read_bytes() for name in sorted(NAMES)}
    digest = hashlib.sha256()
    for name, text in texts.items():
        digest.update(b"%s\0%d\0%s" % (name.encode(), len(text), text))
    tree = digest.hexdigest()[:HASH_LENGTH]
    pages = {
        name: _page(text.decode(), tree, texts).encode()
        for name, text in texts.items()
        if name.endswith(".html")
    }
    sent = {name: without_comments(name, text) for name, text in texts.items()} | pages
    return Tree(tree, {name: File(_kind(name), text) for name, text in sent.items()})


def without_comments(name: str, text: bytes) -> bytes:
    """A quarter of what a terminal loads; every line keeps its number."""
    comment = _COMMENT.get(Path(name).suffix)
    if comment is None:
        return text
    return comment.sub(lambda found: "\n" * found[0].count("\n"), text.decode()).encode()


def _kind(name: str) -> str:
    return f"{KINDS[Path(name).suffix]}; charset=utf-8"


def _page(text: str, tree: str, texts: dict[str, bytes]) -> str:
    def with_modules(script: re.Match[str]) -> str:
        links = [
            f'<link rel="modulepreload" href="{PREFIX}{name}">'
            for name in modules_of(script[1], texts)
        ]
        return "\n".join([*links, script[0]])

    return _SCRIPT.sub(with_modules, text).replace(f'"{PREFIX}', f'"{PREFIX}{tree}/')


def modules_of(name: str, texts: dict[str, bytes]) -> list[str]:
    """A module and all that it imports, each once, in the order in which they are met."""
    found = [name]
    for each in found:  # grows as it is walked
        for other in _IMPORTS.findall(texts[each].decode()):
            other_name = normpath(join(dirname(each), other))
            if other_name not in found:
                found.append(other_name)
    return found


def split(path: str) -> tuple[str, str]:
    """The hash and the name in an address; of an address without a hash, the name.

    >>> split("0123456789abcdef/base/dom.js"), split("base/dom.js")
    (('0123456789abcdef', 'base/dom.js'), ('', 'base/dom.js'))
    """
    found = _HASHED.fullmatch(path)
    return (found[1], found[2]) if found else ("", path)
