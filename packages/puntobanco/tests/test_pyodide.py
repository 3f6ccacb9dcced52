"""The library in a browser's Python: the wheel in Pyodide deals, settles and computes exact odds as here; run in Node."""

import hashlib
import json
import os
import shutil
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from puntobanco import par_sheet, play, removals
from puntobanco.odds.par_report import sheet_json
from puntobanco.rules.games import GAMES
from tests.support.installed import wheel_of
from tests.support.patience import PATIENCE_S
from tools.tree import ROOT

PYODIDE = Path(__file__).with_name("pyodide.mjs")
PINNED = {
    "pyodide/pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide/pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide/pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "pyodide/python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    "@emscripten-forge/numpy/pkg/numpy-2.0.1-py312h4e66579_0.tar.gz": "608a8525a002505e620f9264738a9f95710de52d577276b37ccb881d662be6d6",
}
"""What `npm install` fetches by package.json, and its hashes."""

needs_pyodide = pytest.mark.skipif(
    (shutil.which("node") is None or not (ROOT / "node_modules/pyodide").exists())
    and "CI" not in os.environ,
    reason="no Node or no Pyodide here: npm install --no-package-lock",
)
MADE = date(2026, 1, 1)

SETTLE = """
import json, sys, time
began = time.perf_counter()
import puntobanco as pb
round_ = pb.deal("six-star", "9f 2g Tf 4e")
lines = pb.settle("six-star", round_, [pb.Wager("ann", bet.id, 10_000) for bet in pb.GAMES["six-star"].bets])
settled = time.perf_counter() - began
answer = {
    "platform": sys.platform,
    "round": repr(round_),
    "lines": [[line.outcome, line.net_cents, line.clause] for line in lines],
}
"""
ODDS = """
from datetime import date
from puntobanco.odds.par_report import sheet_json
seconds = {}
for game in pb.GAMES:
    began = time.perf_counter()
    answer[game] = sheet_json(pb.par_sheet(game), stake=None, made=date(2026, 1, 1))
    seconds[game] = time.perf_counter() - began
answer["rounds"] = [repr(one) for one in pb.play("rapid", rounds=20, seed=3)]
answer["removals"] = [repr(removal) for removal in pb.removals("rapid")]
try:
    pb.simulate("rapid", 1e5)
except pb.Refusal as refusal:
    simulated = str(refusal)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(tmp_path_factory, "puntobanco")


def in_pyodide(folder: Path, wheel: Path, program: str, tell: str, *words: str) -> Any:
    file = folder / "program.py"
    file.write_text(f"{program}\nprint(json.dumps({tell}))\n", "utf-8")
    done = subprocess.run(
        ["node", str(PYODIDE), str(wheel), str(file), *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-1500:]
    return json.loads(done.stdout)


def here(program: str) -> dict[str, Any]:
    """What the same program finds in this Python."""
    names: dict[str, Any] = {}
    exec(program, names)
    answer: dict[str, Any] = json.loads(json.dumps(names["answer"]))
    return answer


@needs_pyodide
def test_what_npm_installed_is_what_was_looked_at() -> None:
    found = {}
    for name in PINNED:
        data = (ROOT / "node_modules" / name).read_bytes()
        found[name] = hashlib.sha256(data).hexdigest()
    assert found == PINNED


@needs_pyodide
def test_exact_odds_in_a_browser_are_the_same_fractions(wheel: Path, tmp_path: Path) -> None:
    tell = "{**answer, 'started': started, 'settled': settled, 'seconds': seconds, 'simulated': simulated}"
    found = in_pyodide(tmp_path, wheel, SETTLE + ODDS, tell, "--numpy")
    started, settled, seconds = (found.pop(name) for name in ("started", "settled", "seconds"))
    print(f"start {started:.1f} s, import and settle {settled:.2f} s; par sheets:")
    print(", ".join(f"{game} {taken:.2f} s" for game, taken in seconds.items()))
    assert found.pop("platform") == "emscripten"
    assert "install the extra fast" in found.pop("simulated")
    expected = here(SETTLE)
    del expected["platform"]
    for game in GAMES:
        sheet = sheet_json(par_sheet(game), stake=None, made=MADE)
        expected[game] = json.loads(json.dumps(sheet))
    expected["rounds"] = [repr(one) for one in play("rapid", rounds=20, seed=3)]
    expected["removals"] = [repr(removal) for removal in removals("rapid")]
    assert found == expected


@needs_pyodide
def test_without_numpy_a_round_is_settled_and_the_error_names_numpy(
    wheel: Path, tmp_path: Path
) -> None:
    odds = """
try:
    pb.par_sheet("rapid")
except ImportError as error:
    answer["missing"] = error.name
"""
    found = in_pyodide(tmp_path, wheel, SETTLE + odds, "answer")
    assert found.pop("platform") == "emscripten"
    assert found.pop("missing") == "numpy"
    expected = here(SETTLE)
    del expected["platform"]
    assert found == expected
