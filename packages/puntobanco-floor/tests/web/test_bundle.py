"""A script joined with its modules does the same as the modules."""

import subprocess
from pathlib import Path

from puntobanco_floor.web.screen_files import in_order, joined
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
export const again = "again";
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
