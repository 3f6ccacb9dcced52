"""The kernel for a GPU: the same round, from the same source; a deck in shared memory for each thread."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from puntobanco.rules.game import Game
from puntobanco.sim.run import BadRun, Job
from puntobanco.sim.source import Groups, groups, round_source
from puntobanco.sim.tally import Tally

THREADS = 64
CELLS = 512
"""Counters a block keeps in shared memory, beside its decks."""

LAUNCH_ROUNDS = 4_000_000_000
SHARED_BYTES = 227 * 1024

_MODULE = """
import numpy as np
from numba import cuda, uint8, uint32, uint64, int64

U, I = uint64, int64
GOLDEN = uint64(0x9E3779B97F4A7C15)
POINTS = 0x987654321


@cuda.jit(device=True, inline=True)
def mix(z):
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


@cuda.jit(device=True, inline=True)
def high(x, n):
    return ((x >> uint64(32)) * n + (((x & uint64(0xFFFFFFFF)) * n) >> uint64(32))) >> uint64(32)


@cuda.jit
def run(seed, first, shoes, rounds, cut, template, counts, dealt):
    words = cuda.shared.array({words} * {threads}, uint32)
    deck = words.view(np.uint8)
    tally = cuda.shared.array({cells}, uint32)
    tid = cuda.threadIdx.x
    for c in range(tid, {cells}, {threads}):
        tally[c] = 0
    cuda.syncthreads()
    size = {size}
    base = tid * {stride}
    most = U(size) * U(size) * U(size) * U(size) * U(size) * U(size)
    played = 0
    for shoe in range(first + cuda.grid(1), first + shoes, cuda.gridsize(1)):
        for w in range({words}):
            words[tid * {words} + w] = template[w]
        key = mix(seed + U(shoe + 1) * GOLDEN)
        draw = U(0)
        at = 0
        for _ in range(rounds):
            if size - at <= cut:
                break
            played += 1
{body}
    cuda.atomic.add(dealt, 0, played)
    cuda.syncthreads()
    for c in range(tid, {cells}, {threads}):
        cuda.atomic.add(counts, c, uint64(tally[c]))
"""


def _cuda() -> Any:
    try:
        if not hasattr(np, "row_stack"):  # older numba-cuda asks NumPy 2.5 for a name it no longer has
            np.row_stack = np.vstack
        from numba import cuda  # noqa: PLC0415

        if not cuda.is_available():
            raise BadRun("the gpu engine needs an NVIDIA GPU and its driver; none was found")
    except ImportError as error:
        raise BadRun(f"the gpu engine needs numba-cuda: pip install 'puntobanco[gpu]' ({error})") from None
    return cuda


def module_source(game: Game, size: int) -> str:
    """The kernel as source, for a shoe of so many cards."""
    words = (size + 3) // 4 | 1  # an odd number of words: threads' decks start in different banks
    body = round_source(game, deck="deck[base + {}]", count="cuda.atomic.add(tally, {}, 1)", limit=CELLS)
    return _MODULE.format(
        words=words, stride=4 * words, threads=THREADS, size=size, cells=sum(groups(game, CELLS).cells),
        body="\n".join(f"            {line}" for line in body),
    )  # fmt: skip


@lru_cache(maxsize=16)
def _compiled(source: str) -> Any:
    namespace: dict[str, Any] = {"__name__": "puntobanco_gpu_kernel"}
    exec(compile(source, "<puntobanco gpu kernel>", "exec"), namespace)
    return namespace["run"]


def play(game: Game, job: Job, shoes: int) -> Iterator[Tally]:
    """Deal so many shoes, launch after launch; a tally for each launch."""
    cuda = _cuda()
    size = len(job.cards)
    grouped: Groups = groups(game, CELLS)
    kernel = _compiled(module_source(game, size))
    words = (size + 3) // 4 | 1
    cards = np.zeros(words, np.uint32)
    cards.view(np.uint8)[:size] = np.frombuffer(job.cards, np.uint8)
    on_device = cuda.to_device(cards)
    counts = cuda.to_device(np.zeros(sum(grouped.cells), np.uint64))
    dealt = cuda.to_device(np.zeros(1, np.int64))
    shared = words * 4 * THREADS + 4 * sum(grouped.cells) + 1024
    blocks = cuda.get_current_device().MULTIPROCESSOR_COUNT * max(1, SHARED_BYTES // shared)
    each = max(1, LAUNCH_ROUNDS // min(job.rounds, size // 5))
    before, before_dealt = np.zeros(sum(grouped.cells), np.uint64), 0
    for first in range(0, shoes, each):
        some = min(each, shoes - first)
        kernel[blocks, THREADS](np.uint64(job.seed), first, some, job.rounds, job.cut, on_device, counts, dealt)
        now, now_dealt = counts.copy_to_host(), int(dealt.copy_to_host()[0])
        yield Tally(grouped, some, now_dealt - before_dealt, (now - before).astype(np.int64))
        before, before_dealt = now, now_dealt
