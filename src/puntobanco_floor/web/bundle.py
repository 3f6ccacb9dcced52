"""A page's script joined with all the modules that it imports into one file (a bundle): a browser
reads one file much sooner than seventy, and the modules stay as they were written.

Each module is a function that is called once and gives what it exports; modules come before those
that import them. That does for what the screens use of JavaScript's modules: no cycles, one name
an export, nothing exported that is assigned later. `tests/lint/test_bundle.py` holds them to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath, relpath

_IMPORT = re.compile(r'^import\s*(?:(\{[^}]*\}|\* as \w+)\s*from\s*)?"([^"]+)";', re.MULTILINE)
_EXPORTED = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) (\w+))", re.MULTILINE)
_EXPORTS = re.compile(r"^export \{([^}]*)\};", re.MULTILINE)
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
    listed = _EXPORTS.findall(text)
    return [*_EXPORTED.findall(text), *(name.strip() for name in listed)]


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

    body = _EXPORTS.sub("", _EXPORTED.sub("", _LATER.sub(later, _IMPORT.sub(taken, text))))
    if name == page:  # which may wait at its top level
        return f"// {name}\n{body}"
    result = f"return {{ {', '.join(exported(text))} }};"
    return f"// {name}\nconst {variables[name]} = (() => {{\n{body}\n{result}\n}})();"
