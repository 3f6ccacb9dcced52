"""A script joined with its modules does what they do, and the screens' modules are such that it can be."""

import re
import subprocess
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from puntobanco_floor.web.bundle import exported, imported, in_order, joined
from puntobanco_floor.web.screen_files import NAMES, SCREENS
from tests.support.node import needs_node

MODULES = {
    "page/main.js": """
import "../base/effect.js";
import { add as plus, LIMIT } from "../base/sums.js";
import * as sums from "../base/sums.js";
import {
  Counter,
  later,
} from "./counter.js";
const counter = new Counter();
counter.count();
const found = await later();
const other = await import("../base/other.js");
console.log(globalThis.effects, plus(1, 2), LIMIT, sums.add(3, 4), counter.n, found.LIMIT, other.name, sums.again);
""",
    "page/counter.js": """import { add } from "../base/sums.js";
export class Counter {
  n = 0;
  count() { this.n = add(this.n, LIMIT); }
}
const LIMIT = 7; // not the one of sums.js
export async function later() { return import("../base/sums.js"); }
""",
    "base/sums.js": """export const LIMIT = 10;
export function add(a, b) { return a + b; }
const again = "again";
export { again };
""",
    "base/effect.js": "globalThis.effects = (globalThis.effects ?? 0) + 1;\n",
    "base/other.js": 'export const name = "asked for later";\n',
}


def output_of(script: Path) -> str:
    done = subprocess.run(["node", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_node
def test_it_does_what_its_modules_do(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    one = tmp_path / "page/one.js"
    one.write_text(joined("page/main.js", MODULES))
    assert output_of(one) == output_of(tmp_path / "page/main.js") != ""


def test_a_module_comes_once_and_after_what_it_imports() -> None:
    order = in_order("page/main.js", MODULES)
    assert order == ["base/effect.js", "base/sums.js", "page/counter.js", "page/main.js"]


TEXTS = {
    name: (SCREENS / name).read_text("utf-8") for name in sorted(NAMES) if name.endswith(".js")
}
IMPORT = re.compile(r'^import\s*(\{[^}]*\}|\* as \w+)\s*from\s*"([^"]+)"', re.MULTILINE)
PAGES = [name for name in TEXTS if name.endswith("/main.js")]


@pytest.mark.parametrize("page", PAGES)
def test_no_module_of_a_page_imports_one_that_comes_later(page: str) -> None:
    """A cycle, which cannot be joined so."""
    order = in_order(page, TEXTS)
    for n, name in enumerate(order):
        assert set(imported(name, TEXTS[name])) <= set(order[:n]), name


@pytest.mark.parametrize("name", TEXTS)
def test_a_module_exports_what_can_be_joined(name: str) -> None:
    exports = re.findall(r"^export .*", TEXTS[name], re.MULTILINE)
    allowed = re.compile(r"export (const \w|class |(async )?function |\{ \w+ \};)")
    assert [line for line in exports if not allowed.match(line)] == []


@pytest.mark.parametrize("name", TEXTS)
def test_what_a_module_imports_is_exported_by_a_statement_of_its_own(name: str) -> None:
    """A second name of one statement would be left out, and nothing there for who imports it."""
    for names, path in IMPORT.findall(TEXTS[name]):
        if names.startswith("*"):
            wanted = re.findall(rf"(?<![/\w]){names.split()[-1]}\.(\w+)", TEXTS[name])
        else:
            wanted = re.findall(r"(\w+)(?: as \w+)?(?=\s*[,}])", names)
        other = normpath(join(dirname(name), path))
        assert set(wanted) <= set(exported(TEXTS[other])), other


@needs_node
@pytest.mark.parametrize("page", PAGES)
def test_what_is_joined_can_be_read_by_a_browser(page: str, tmp_path: Path) -> None:
    script = tmp_path / "page.mjs"
    script.write_text(joined(page, TEXTS), "utf-8")
    checked = subprocess.run(
        ["node", "--check", script], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
