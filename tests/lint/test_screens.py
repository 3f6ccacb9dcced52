"""The screens as files: every page is there, whole, and loads nothing from elsewhere."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from puntobanco_floor.web.pages import PAGES
from puntobanco_floor.web.screen_files import NAMES, SCREENS
from tools.tree import DISTRIBUTIONS

SCRIPTS = sorted(name for name in NAMES if name.endswith(".js"))
IMPORT = re.compile(
    r"""^\s*(?:import\s*|(?:import|export)\b[^"';=]*\bfrom\s*|.*\bimport\(\s*)["']([^"']+)["']""",
    re.MULTILINE,
)
TESTS = sorted((DISTRIBUTIONS["puntobanco_floor"] / "tests/screens").glob("*.js"))
PATRONS = ("terminal/", "display/")


def read(name: str) -> str:
    return (SCREENS / name).read_text("utf-8")


def test_every_page_has_its_file_and_every_file_is_text_that_is_served() -> None:
    assert {f"{screen}/index.html" for screen in PAGES.values()} <= NAMES
    assert {
        path.relative_to(SCREENS).as_posix() for path in SCREENS.rglob("*") if path.is_file()
    } == NAMES


def verify_none(faults: Iterable[str]) -> None:
    """Fail with every fault that was found, a line each."""
    found = list(faults)
    assert not found, "\n".join(found)


def faults_of_page(text: str) -> Iterator[str]:
    for address in re.findall(r'(?:href|src)="(/screens/[^"]+)"', text):
        if address.removeprefix("/screens/") not in NAMES:
            yield f"no file {address}"
    if "<html lang=" not in text or "<title>" not in text:
        yield "it has no language or no title"
    if re.search(r"<script(?![^>]*\bsrc=)", text):
        yield "a script within the page is not run"


def test_a_page_names_only_files_that_are_there() -> None:
    pages = [name for name in sorted(NAMES) if name.endswith(".html")]
    verify_none(f"{page}: {fault}" for page in pages for fault in faults_of_page(read(page)))


def test_a_module_imports_what_is_there_by_a_relative_path() -> None:
    faults = list[str]()
    for script in SCRIPTS:
        for wanted in IMPORT.findall(read(script)):
            path = (SCREENS / script).parent.joinpath(wanted).resolve()
            if not wanted.startswith(".") or name_in_screens(path) not in NAMES:
                faults.append(f"{script} imports {wanted}")
    verify_none(faults)


def name_in_screens(path: Path) -> str:
    screens = SCREENS.resolve()
    return path.relative_to(screens).as_posix() if path.is_relative_to(screens) else ""


def faults_of_text(name: str, text: str) -> Iterator[str]:
    if re.search(r"https?://(?!www\.w3\.org/(2000|1999)|here\.invalid)", text):
        yield "an address of somebody else"
    # a style sheet's import, not the comment that names a type; a face of the device's own font
    if re.search(r"@import(?! \{)|data:", text):
        yield "an import or data within the file"
    if not all("src:local(" in face for face in re.findall(r"@font-face\{[^}]*\}", text)):
        yield "a font that is not the device's own"
    if name.endswith(".css"):
        return
    if re.search(r"""\sstyle=["'$]""", text):
        yield "a style in line: the content policy refuses it"
    if re.search(r"\son(click|load|error|change|input)=", text):
        yield "a handler in line"
    if "eval(" in text:
        yield "eval"


def test_nothing_comes_from_elsewhere_and_nothing_is_styled_in_line() -> None:
    verify_none(
        f"{name}: {fault}" for name in sorted(NAMES) for fault in faults_of_text(name, read(name))
    )


PLANTED = (
    ("a.js", 'fetch("https://example.org/a")'),
    ("a.css", '@import "other.css";'),
    ("a.css", "@font-face{src:url(a.woff2)}"),
    ("a.js", 'html`<p style="color: red">`'),
    ("a.js", 'html`<p onclick="f()">`'),
    ("a.js", "eval(text)"),
)


def test_what_comes_from_elsewhere_is_found() -> None:
    verify_none(f"{name}: {text}" for name, text in PLANTED if not list(faults_of_text(name, text)))
    assert len(list(faults_of_page('<script>f()</script><a href="/screens/gone.js">'))) == 3


def test_patrons_screens_have_nothing_to_do_with_the_odds_lab() -> None:
    patrons = [name for name in sorted(NAMES) if name.startswith(PATRONS)]
    assert patrons
    verify_none(name for name in patrons if "/odds" in read(name))


def test_the_first_line_of_a_module_says_what_it_contains() -> None:
    firsts = {script: read(script).partition("\n")[0] for script in SCRIPTS}
    verify_none(
        f"{script}: {first}"
        for script, first in firsts.items()
        if not (first.startswith("// ") and len(first) > 20)
    )


def test_lines_can_be_read() -> None:
    """A drawing may be longer: a path is one word."""
    faults = list[str]()
    for path in [*(SCREENS / name for name in sorted(NAMES)), *TESTS]:
        most = {".css": 160, ".js": 120}.get(path.suffix)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1) if most else ():
            if len(line) > (most or 0) and not re.search(r"[dD]=|<path", line):
                faults.append(f"{path.name}:{number} has {len(line)} characters")
    verify_none(faults)
