"""The kernel for a processor: a module in the cache folder, where Numba keeps what it compiled."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from threading import Lock
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from puntobanco.base.cache import cache_folder, code_hash, keep, key
from puntobanco.base.extras import verify_numba
from puntobanco.rules.game import Game
from puntobanco.sim.source import Dialect, card_byte, round_source

Run = Callable[..., int]

_MODULE = '''"""Written by puntobanco: deals and decides {game}. Safe to delete."""

import numpy as np
from numba import njit

from puntobanco.sim.intrinsics import high, mix

U, I = np.uint64, np.int64
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@njit(nogil=True, cache=True, boundscheck=False)
def run({parameters}):
    size = len(template)
    deck = np.empty(size, np.uint8)
    most = U(size) * U(size) * U(size) * U(size) * U(size) * U(size)
{shoes}
'''

_NEW_SHOE = """\
        for place in range(U(size)):
            deck[place] = template[place]
        key = mix(seed + U(number + 1) * GOLDEN)
        draw = U(0)
        at = 0"""

_COUNT = """\
    dealt = 0
    for number in range(first, first + shoes):
{new_shoe}
        for _ in range(rounds):
            if size - at <= cut:
                break
            dealt += 1
{body}
    return dealt"""

DIALECT = Dialect(
    deck="deck[U({})]",
    count="counts[U({})] += 1",
    draw=("n{i} = size - at - {i}", "j{i} = at + {i} + I(high(x, U(n{i})))", "x = x * U(n{i})"),
    begin=(),
    left="x",
    whole="{}",
)


def kernel_source(game: Game, parameters: str, shoes: str, lines: Iterable[str]) -> str:
    """Write a kernel's module. Its loop over `shoes` sets the `number` of each, begins it with
    `{new_shoe}`, and plays a round by the lines, at `{body}`.
    """
    body = "\n".join(f"            {line}" for line in lines)
    loop = shoes.format(new_shoe=_NEW_SHOE, body=body)
    return _MODULE.format(game=game.id, parameters=parameters, shoes=loop)


def module_source(game: Game) -> str:
    parameters = "seed, first, shoes, rounds, cut, template, counts"
    return kernel_source(game, parameters, _COUNT, round_source(game, DIALECT))


_LOADING = Lock()


def kernel(source: str) -> Run:
    """The compiled `run` of this source; compiled once and kept in the cache folder."""
    verify_numba("a simulation")
    with _LOADING:  # threads of one run ask for it at the same time
        return _kernel(source)


def _place(source: str) -> tuple[str, Path]:
    made_by = code_hash(__name__, "puntobanco.sim.intrinsics")
    name = f"kernel_{key((made_by, source))}"
    return name, cache_folder() / "kernels" / f"{name}.py"


def is_kept(source: str) -> bool:
    return _place(source)[1].exists()


@lru_cache(maxsize=64)
def _kernel(source: str) -> Run:
    name, path = _place(source)
    if not path.exists():
        keep(path, lambda target: target.write_text(source, "utf-8"))
    module = _loaded(name, path) if path.exists() else _from_text(name, source)
    run: Run = module.run
    return run


def _loaded(name: str, path: Path) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _from_text(name: str, source: str) -> ModuleType:
    """Where nothing can be written the kernel is compiled anew each time."""
    module = ModuleType(name)
    exec(compile(source.replace("cache=True, ", ""), name, "exec"), module.__dict__)
    return module


def template(game: Game, decks: int) -> NDArray[np.uint8]:
    """The cards of so many fresh decks, as the kernels hold them."""
    cards = [card_byte(game, card) for card in game.deck.cards]
    return np.array(cards * game.shoe(decks).counts[0], np.uint8)
