"""`make site`: the documentation as a web site in build/site, made by Zensical from copies of the pages.

The copies lie in build/pages as the originals do in the repository, so that links between pages need no
change. A link to a file that is not on the site, such as a test, becomes its label.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.doc_index import KINDS
from tools.tree import ROOT

PROJECT = ("ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md", "SECURITY.md", "CHANGELOG.md")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#]+)(#[^)]*)?\)")
LIST = re.compile(r"([-*]|\d+\.) ")
LOADED = re.compile(
    r"<(?!a\b)[^>]*?\b(?:src|srcset|href|data|poster)=[\"']?((?:https?:)?//[^\s\"'>]+)"
)
LOADED_BY_STYLE = re.compile(r"(?:url\(|@import )[\"']?((?:https?:)?//[^\s\"')]+)")

Nav = dict[str, "str | list[Nav]"]


def build(folder: Path) -> Path:
    """Build the site below a folder; a broken link or something from another site fails the build."""
    pages, built = folder / "pages", folder / "site"
    for old in (pages, built):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(ROOT / "docs", pages / "docs", ignore=shutil.ignore_patterns("*.md"))
    shutil.copy(ROOT / "tools/site.css", pages)
    for page in list_pages():
        copy = pages / page
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(adapt(page, (ROOT / page).read_text("utf-8")), "utf-8")
    config = folder / "zensical.toml"
    config.write_text(_write_config(), "utf-8")
    zensical = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    if subprocess.run([*zensical, "--config-file", str(config)], check=False).returncode:
        sys.exit("the documentation was not built: see the issues above")
    for path in sorted(built.rglob("*")):
        if path.suffix in (".html", ".css"):
            outside = find_outside_addresses(path.read_text("utf-8"))
            if outside:
                sys.exit(f"{path} loads {', '.join(outside)}")
    return built


def _write_config() -> str:
    """Add the navigation to the settings of the repository."""
    settings = (ROOT / "zensical.toml").read_text("utf-8")
    assert settings.count("# NAV\n") == 1
    return settings.replace("# NAV\n", f"nav = {_toml(navigation())}\n")


def find_outside_addresses(text: str) -> list[str]:
    """List the addresses from which a page or a style sheet loads something of another site."""
    return LOADED.findall(text) + LOADED_BY_STYLE.findall(text)


def list_pages() -> list[str]:
    """List the pages of the site by their paths in the repository."""
    docs = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    return ["README.md", *PROJECT, *docs]


def adapt(page: str, text: str) -> str:
    """Write a page of a code host's Markdown for the generator's, which is stricter about lists."""
    lines = list[str]()
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
            lines.append(line.partition(" ")[0])  # one word, the language
            continue
        if fenced:
            lines.append(line)
            continue
        previous = lines[-1] if lines else ""
        if (
            LIST.match(line)
            and previous
            and not previous.startswith(" ")
            and not LIST.match(previous)
        ):
            lines.append("")  # a list needs an empty line before it
        indented = re.sub("^ {3}", "    ", line)  # what belongs to an item needs four spaces
        lines.append(LINK.sub(lambda link: _link(page, link), indented))
    return "\n".join(lines) + "\n"


def _link(page: str, link: re.Match[str]) -> str:
    """Keep a link to a page or to nothing, which the generator reports; else keep the label."""
    target = (ROOT / page).parent / link[2]
    on_site = target.suffix == ".md" and _name(target) in list_pages()
    in_docs = target.is_file() and _name(target).startswith("docs/")
    return link[0] if on_site or in_docs or not target.exists() else link[1]


def _name(path: Path) -> str:
    resolved = path.resolve()
    return resolved.relative_to(ROOT).as_posix() if resolved.is_relative_to(ROOT) else ""


def navigation() -> list[Nav]:
    """Four doors as in docs/README.md, between the front page and the project's own pages."""
    doors: list[Nav] = [
        {title.partition(":")[0]: list(_door(kind))} for kind, title in KINDS.items()
    ]
    return [
        {"Home": "README.md"},
        *doors,
        {"Project": [{"All pages": "docs/README.md"}, *map(_entry, PROJECT)]},
    ]


def _door(kind: str) -> Iterator[Nav]:
    """Pages of one kind by path, then a section for each folder below."""
    folder = ROOT / "docs" / kind
    yield from (_entry(_name(path)) for path in sorted(folder.glob("*.md")))
    for below in sorted({path.parent for path in folder.glob("*/*.md")}):
        pages = [_entry(_name(path)) for path in sorted(below.glob("*.md"))]
        yield {below.name.capitalize(): pages}


def _entry(page: str) -> Nav:
    return {(ROOT / page).read_text("utf-8").partition("\n")[0].removeprefix("# "): page}


def _toml(value: "Nav | list[Nav] | str") -> str:
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return f"{{ {', '.join(f'{_toml(k)} = {_toml(v)}' for k, v in value.items())} }}"


if __name__ == "__main__":
    print(build(ROOT / "build"))
