"""The modules of the screens can be joined: no cycle, exports that a statement of their own defines, and nothing lost with comments."""

import re
import subprocess
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from puntobanco_floor.web.screen_files import (
    NAMES,
    SCREENS,
    exported,
    imported,
    in_order,
    joined,
    without_comments,
)
from tests.support.node import needs_node
from tools.tree import ROOT

TEXTS = {
    name: (SCREENS / name).read_text("utf-8") for name in sorted(NAMES) if name.endswith(".js")
}
IMPORT = re.compile(r'^import\s*(\{[^}]*\}|\* as \w+)\s*from\s*"([^"]+)"', re.MULTILINE)
TSC = ROOT / "node_modules/.bin/tsc"
PAGES = [name for name in TEXTS if name.endswith("/main.js")]


def test_no_module_of_a_page_imports_one_that_comes_later() -> None:
    """Two modules that import each other cannot be joined."""
    cycles = list[str]()
    for page in PAGES:
        order = in_order(page, TEXTS)
        for n, name in enumerate(order):
            later = set(imported(name, TEXTS[name])) - set(order[:n])
            cycles += [f"{page}: {name} imports {other}" for other in sorted(later)]
    assert not cycles, "\n".join(cycles)


ALLOWED = re.compile(r"export (const \w|class |(async )?function )")


def strange_exports(text: str) -> list[str]:
    return [
        line for line in re.findall(r"^export .*", text, re.MULTILINE) if not ALLOWED.match(line)
    ]


def test_a_module_exports_only_names_that_can_be_joined() -> None:
    wrong = [f"{name}: {line}" for name, text in TEXTS.items() for line in strange_exports(text)]
    assert not wrong, "\n".join(wrong)


PLANTED = (
    "export default f;",
    "export let n = 0;",
    'export * from "./a.js";',
    "export { a };",
)


def test_an_export_that_cannot_be_joined_is_found() -> None:
    passed = [line for line in PLANTED if not strange_exports(line)]
    assert not passed, "\n".join(passed)


def missing_names(name: str, texts: dict[str, str]) -> list[str]:
    """Names that a module imports and that no statement of the other module exports."""
    missing = list[str]()
    for names, path in IMPORT.findall(texts[name]):
        if names.startswith("*"):
            wanted = re.findall(rf"(?<![/\w]){names.split()[-1]}\.(\w+)", texts[name])
        else:
            wanted = re.findall(r"(\w+)(?: as \w+)?(?=\s*[,}])", names)
        other = normpath(join(dirname(name), path))
        lacking = sorted(set(wanted) - set(exported(texts[other])))
        missing += [f"{name}: {other} does not export {each}" for each in lacking]
    return missing


def test_every_imported_name_is_exported_by_a_statement_of_its_own() -> None:
    """The bundle leaves out a second name of one statement; the importer would find nothing."""
    missing = [each for name in TEXTS for each in missing_names(name, TEXTS)]
    assert not missing, "\n".join(missing)


def test_an_imported_name_that_is_missing_is_found() -> None:
    texts = {"a.js": "export const one = 1;\n", "b.js": 'import { one, two } from "./a.js";\n'}
    assert missing_names("b.js", texts) == ["b.js: a.js does not export two"]


@needs_node
def test_a_browser_can_parse_every_joined_page(tmp_path: Path) -> None:
    faults = list[str]()
    script = tmp_path / "page.mjs"
    for page in PAGES:
        script.write_text(joined(page, TEXTS), "utf-8")
        checked = subprocess.run(
            ["node", "--check", script], capture_output=True, text=True, check=False
        )
        faults += [f"{page}: {checked.stderr}"] if checked.returncode else []
    assert not faults, "\n".join(faults)


# Comments

TEXT_LIKE_A_COMMENT = "export const text = `\n// a line of a text\n`; // a comment\n"


def parse(folder: Path, texts: dict[str, str]) -> dict[str, str]:
    """Return what tsc writes of these modules: it knows a comment from a text."""
    for name, text in texts.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_text(text, "utf-8")
    options = ("--ignoreConfig", "--allowJs", "--noCheck", "--removeComments", "--target", "esnext")
    to = ("--rootDir", folder / "in", "--outDir", folder / "out")
    files = [folder / "in" / name for name in texts]
    subprocess.run([TSC, *options, *to, *files], check=True, timeout=300)
    return {name: (folder / "out" / name).read_text("utf-8") for name in texts}


@needs_node
@pytest.mark.skipif(not TSC.exists(), reason="make lint installs tsc")
def test_nothing_but_comments_is_left_out_of_what_is_sent(tmp_path: Path) -> None:
    """Expressions find comments, and take a line of a text that begins as one does for a comment."""
    texts = {**TEXTS, "planted.js": TEXT_LIKE_A_COMMENT}
    sent = {name: without_comments(name, text) for name, text in texts.items()}
    written, read = parse(tmp_path / "written", texts), parse(tmp_path / "sent", sent)
    assert [name for name in texts if written[name] != read[name]] == ["planted.js"]
