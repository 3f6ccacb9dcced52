"""The screens as files: every page is there, whole, and asks nobody else for anything; and their pure modules, in Node."""

import re
import subprocess
from pathlib import Path

import pytest

from puntobanco_floor.web.pages import PAGES
from puntobanco_floor.web.screen_files import NAMES, SCREENS
from tests.support.node import needs_node

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(name for name in NAMES if name.endswith(".js"))
IMPORT = re.compile(
    r"""^\s*(?:import\s*|(?:import|export)\b[^"';=]*\bfrom\s*|.*\bimport\(\s*)["']([^"']+)["']""",
    re.MULTILINE,
)
TESTS = sorted((ROOT / "tests" / "screens").glob("*.js"))
PATRONS = ("terminal", "display")


def test_every_page_has_its_file_and_every_file_is_text_that_is_served() -> None:
    assert {f"{screen}/index.html" for screen in PAGES.values()} <= NAMES
    assert {
        path.relative_to(SCREENS).as_posix() for path in SCREENS.rglob("*") if path.is_file()
    } == NAMES


@pytest.mark.parametrize("page", sorted(name for name in NAMES if name.endswith(".html")))
def test_a_page_names_only_files_that_are_there(page: str) -> None:
    text = (SCREENS / page).read_text()
    for attribute in re.findall(r'(?:href|src)="(/screens/[^"]+)"', text):
        assert attribute.removeprefix("/screens/") in NAMES, attribute
    assert "<html lang=" in text
    assert "<title>" in text
    assert re.search(r"<script(?![^>]*\bsrc=)", text) is None, "a script within the page is not run"


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_module_imports_what_is_there_by_a_relative_path(script: str) -> None:
    text = (SCREENS / script).read_text()
    for wanted in IMPORT.findall(text):
        assert wanted.startswith("."), f"{script} imports {wanted}"
        assert ((SCREENS / script).parent / wanted).resolve().relative_to(
            SCREENS.resolve()
        ).as_posix() in NAMES, wanted


@pytest.mark.parametrize("name", sorted(NAMES))
def test_nothing_comes_from_elsewhere_and_nothing_is_styled_in_line(name: str) -> None:
    text = (SCREENS / name).read_text()
    assert re.search(r"https?://(?!www\.w3\.org/(2000|1999)|here\.invalid)", text) is None
    # a style sheet's import, not the comment that names a type; a face of the device's own font
    assert re.search(r"@import(?! \{)|data:", text) is None
    assert all("src:local(" in face for face in re.findall(r"@font-face\{[^}]*\}", text))
    if not name.endswith(".css"):
        assert re.search(r"""\sstyle=["'$]""", text) is None, "the content policy refuses it"
        assert re.search(r"\son(click|load|error|change|input)=", text) is None
        assert "eval(" not in text


@pytest.mark.parametrize("page", PATRONS)
def test_patrons_screens_have_nothing_to_do_with_the_odds_lab(page: str) -> None:
    for name in NAMES:
        if name.startswith(f"{page}/"):
            assert "/odds" not in (SCREENS / name).read_text()


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_first_line_of_a_module_says_what_it_is(script: str) -> None:
    first = (SCREENS / script).read_text().partition("\n")[0]
    assert first.startswith("// "), script
    assert len(first) > 20


@pytest.mark.parametrize(
    "name", [*sorted(NAMES), *(f"../../../../tests/screens/{p.name}" for p in TESTS)]
)
def test_lines_can_be_read(name: str) -> None:
    """A drawing may be longer: a path is one word."""
    most = {".css": 160, ".js": 120}.get(Path(name).suffix)
    lines = (SCREENS / name).read_text().splitlines()
    assert [
        line for line in lines if most and len(line) > most and not re.search(r"[dD]=|<path", line)
    ] == []


@needs_node
def test_the_pure_modules_in_node() -> None:
    done = subprocess.run(
        ["node", "--test", "tests/screens"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    ran = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert ran, done.stdout[-400:]
    assert int(ran[1]) > 50
