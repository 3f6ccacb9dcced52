"""The kernel for a GPU: the same round from the same source, a deck a thread in shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from puntobanco.base.extras import install
from puntobanco.rules.game import Game
from puntobanco.rules.refusals import BadRun
from puntobanco.sim.run import Job, Tally
from puntobanco.sim.source import Dialect, groups, round_source

THREADS = 64
CELLS = 512
"""Counters a block keeps in shared memory, beside its decks."""

LAUNCH_ROUNDS = 20_000_000_000
SHARED_BYTES = 227 * 1024

_MODULE = """
import numpy as np
from numba import cuda, int32, uint8, uint32, uint64

U, I = uint64, int32
GOLDEN = uint64(0x9E3779B97F4A7C15)


@cuda.jit(device=True, inline=True)
def mix(z):
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


@cuda.jit
def run(seed, first, shoes, rounds, cut, template, counts, dealt):
    deck = cuda.shared.array(4 * {words} * {threads}, uint8)
    tally = cuda.shared.array({cells}, uint32)
    tid = int32(cuda.threadIdx.x)
    for c in range(tid, {cells}, {threads}):
        tally[c] = 0
    cuda.syncthreads()
    size = int32({size})
    last = int32(rounds)
    end = int32(cut)
    most = U(size) * U(size) * U(size) * U(size) * U(size) * U(size)
    played = 0
    for shoe in range(first + cuda.grid(1), first + shoes, cuda.gridsize(1)):
        for w in range({words}):
            four = template[uint32(w)]
            deck[uint32(4 * w * {threads} + tid)] = four & uint32(255)
            deck[uint32((4 * w + 1) * {threads} + tid)] = (four >> uint32(8)) & uint32(255)
            deck[uint32((4 * w + 2) * {threads} + tid)] = (four >> uint32(16)) & uint32(255)
            deck[uint32((4 * w + 3) * {threads} + tid)] = four >> uint32(24)
        key = mix(seed + U(shoe + 1) * GOLDEN)
        draw = U(0)
        at = int32(0)
        dealt_here = int32(0)
        while dealt_here < last and int32(size - at) > end:
            dealt_here = int32(dealt_here + 1)
{body}
        played += dealt_here
    cuda.atomic.add(dealt, 0, played)
    cuda.syncthreads()
    for c in range(tid, {cells}, {threads}):
        cuda.atomic.add(counts, c, uint64(tally[c]))
"""


def _cuda() -> Any:
    try:
        # older numba-cuda asks NumPy 2.5 for a name it no longer has
        if not hasattr(np, "row_stack"):
            np.row_stack = np.vstack
        from numba import cuda  # noqa: PLC0415

        if not cuda.is_available():
            raise BadRun("the gpu engine needs an NVIDIA GPU and its driver; none was found")
    except ImportError as error:
        raise BadRun(f"the gpu engine needs numba-cuda ({error}); {install('gpu')}") from None
    return cuda


DIALECT = Dialect(
    # A block's decks lie card by card, thread beside thread: one shift finds a card.
    deck=f"deck[uint32({{0}} * {THREADS} + tid)]",
    count="cuda.atomic.add(tally, uint32({}), uint32(1))",
    # The draw in two halves of 32 bits: two wide products for a card.
    draw=(
        "n{i} = uint32(size - at - {i})",
        "low = uint64(x0) * uint64(n{i})",
        "mid = uint64(x1) * uint64(n{i}) + (low >> uint64(32))",
        "x0 = uint32(low)",
        "x1 = uint32(mid)",
        "j{i} = int32(at + {i} + int32(mid >> uint64(32)))",
    ),
    begin=("x0 = uint32(x)", "x1 = uint32(x >> uint64(32))"),
    left="(uint64(x1) << uint64(32)) | uint64(x0)",
    whole="I({})",
)


def module_source(game: Game, size: int) -> str:
    """The kernel as source, for a shoe of so many cards."""
    body = round_source(game, DIALECT, limit=CELLS)
    return _MODULE.format(
        words=_words(size),
        threads=THREADS,
        size=size,
        cells=sum(groups(game, CELLS).cells),
        body="\n".join(f"            {line}" for line in body),
    )


def _words(size: int) -> int:
    return (size + 3) // 4


@lru_cache(maxsize=16)
def _compiled(source: str) -> Any:
    namespace: dict[str, Any] = {"__name__": "puntobanco_gpu_kernel"}
    exec(compile(source, "<puntobanco gpu kernel>", "exec"), namespace)
    return namespace["run"]


def job_on_gpu(game: Game, job: Job) -> Job:
    """The same run with this kernel's source and its groups of bets."""
    source = module_source(game, len(job.cards))
    return replace(job, source=source, groups=groups(game, CELLS))


def play(job: Job, shoes: int, first: int = 0) -> Iterator[Tally]:
    """Deal these shoes, launch after launch; a tally for each launch."""
    cuda = _cuda()
    kernel = _compiled(job.source)
    size = len(job.cards)
    cells = sum(job.groups.cells)
    words = _words(size)
    cards = np.zeros(words, np.uint32)
    cards.view(np.uint8)[:size] = np.frombuffer(job.cards, np.uint8)
    on_device = cuda.to_device(cards)
    counts = cuda.to_device(np.zeros(cells, np.uint64))
    dealt = cuda.to_device(np.zeros(1, np.int64))
    shared = words * 4 * THREADS + 4 * cells + 1024
    blocks_at_once = max(1, SHARED_BYTES // shared)
    blocks = cuda.get_current_device().MULTIPROCESSOR_COUNT * blocks_at_once
    launch = kernel[blocks, THREADS]
    seed = np.uint64(job.seed)
    each = max(1, LAUNCH_ROUNDS // min(job.rounds, size // 5))
    # the counters on the device go up from launch to launch; a tally is the difference
    before = np.zeros(cells, np.uint64)
    before_dealt = 0
    for start in range(first, shoes, each):
        some = min(each, shoes - start)
        launch(seed, start, some, job.rounds, job.cut, on_device, counts, dealt)
        now = counts.copy_to_host()
        now_dealt = int(dealt.copy_to_host()[0])
        counted = (now - before).astype(np.int64)
        yield Tally(job.groups, some, now_dealt - before_dealt, counted)
        before = now
        before_dealt = now_dealt
