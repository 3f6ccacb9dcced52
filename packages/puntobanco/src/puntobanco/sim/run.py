"""Runs: shoes by number, in chunks, on threads, processes or a cluster, with the same counts."""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from puntobanco.base.cache import keep, key
from puntobanco.base.extras import package, verify_numba
from puntobanco.rules.game import Game
from puntobanco.rules.refusals import BadRun
from puntobanco.sim import cpu
from puntobanco.sim.source import Groups, groups

Engine = Literal["cpu", "processes", "dask", "gpu"]
ENGINES: tuple[Engine, ...] = ("cpu", "processes", "dask", "gpu")

RESERVE = 14
"""Cards that a verdict run leaves in every shoe, as a cut card would."""

MAX_ROUNDS = 10**15
MAX_SEED = 2**64 - 1
CHUNK_ROUNDS = 8_000_000
RETRIES = 5
SAVE_SECONDS = 5.0


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of joint results, group after group."""

    groups: Groups
    shoes: int
    rounds: int
    counts: NDArray[np.int64]

    @classmethod
    def empty(cls, groups: Groups) -> Tally:
        return cls(groups, 0, 0, np.zeros(sum(groups.cells), np.int64))

    def __repr__(self) -> str:
        return f"<Tally of {self.rounds:,} rounds, {self.shoes:,} shoes>"

    def __add__(self, other: Tally) -> Tally:
        assert self.groups == other.groups, "only tallies of the same game add up"
        shoes = self.shoes + other.shoes
        rounds = self.rounds + other.rounds
        return Tally(self.groups, shoes, rounds, self.counts + other.counts)

    def joint(self, *names: str) -> NDArray[np.int64]:
        """Counts by the ways of these entries, which must be counted in one group."""
        start = 0
        groups = self.groups
        for bets, ways, cells in zip(groups.bets, groups.ways, groups.cells, strict=True):
            if set(names) <= set(bets):
                # the first bet changes fastest, so its axis is the last
                table = self.counts[start : start + cells].reshape(ways[::-1])
                axes = [len(bets) - 1 - bets.index(name) for name in names]
                others = tuple(axis for axis in range(len(bets)) if axis not in axes)
                # summing keeps the axes in their order; put them into the order asked for
                ranked = np.argsort(np.argsort(axes))
                kept = table.sum(axis=others)
                return np.asarray(np.moveaxis(kept, ranked, range(len(axes))))
            start += cells
        raise KeyError(f"{names} are not counted together")

    def ways(self, name: str) -> list[int]:
        """How often a bet ended by each of its lines, by a push, or lost.

        For a bonus: by each of its lines, or not paid.
        """
        return [int(n) for n in self.joint(name)]

    def same(self, other: Tally) -> bool:
        """Whether both counted the same, each bet by itself; engines may group bets differently."""
        names = [name for bets in self.groups.bets for name in bets]
        whole = (self.shoes, self.rounds) == (other.shoes, other.rounds)
        return whole and all(self.ways(name) == other.ways(name) for name in names)


@dataclass(frozen=True)
class Job:
    """All that a worker needs; no game, no file: a kernel's source and the cards."""

    source: str
    groups: Groups
    seed: int
    cards: bytes
    rounds: int  # at most so many from a shoe
    cut: int  # no round begins with so few cards left, or fewer

    @property
    def key(self) -> str:
        numbers = (str(self.rounds), str(self.cut))
        return key((self.source, repr(self.groups), str(self.seed), self.cards.hex(), *numbers))


def job_for(game: Game, decks: int, seed: int, *, cut_card: int | None = None) -> Job:
    """A verdict run, with as many rounds from every shoe; or, with a cut card, as a table deals."""
    verify_numba("a simulation")  # before exact odds are computed to judge it by
    cards = cpu.template(game, decks)
    verify_seed(seed)
    if cut_card is not None and not 6 <= cut_card < len(cards) - 6:
        raise BadRun(f"a cut card lies 6 to {len(cards) - 7} cards from the end, not {cut_card}")
    fixed = rounds_per_shoe(len(cards))
    rounds, cut = (fixed, 0) if cut_card is None else (len(cards), cut_card)
    return Job(cpu.module_source(game), groups(game), seed, cards.tobytes(), rounds, cut)


def verify_seed(seed: int) -> None:
    if not 0 <= seed <= MAX_SEED:
        raise BadRun(f"a seed is a whole number from 0 to 2^64 - 1, not {seed}")


def read_rounds(rounds: float) -> int:
    """A number of rounds, as people write large ones: 1e6."""
    is_number = isinstance(rounds, int | float) and not isinstance(rounds, bool)
    if not is_number or not 1 <= rounds <= MAX_ROUNDS or rounds != int(rounds):
        most = f"from 1 to {MAX_ROUNDS:.0e}"
        raise BadRun(f"rounds are a whole number {most}, such as 1e6, not {rounds!r:.40}")
    return int(rounds)


def rounds_per_shoe(cards: int) -> int:
    """Rounds that every shoe can give whatever is drawn: each may take six cards."""
    return (cards - RESERVE) // 6


def shoes_for(rounds: int, job: Job) -> int:
    """As many whole shoes as hold so many rounds; with a cut card, as they are expected to hold."""
    if not 1 <= rounds <= MAX_ROUNDS:
        raise BadRun(f"a run is 1 to {MAX_ROUNDS:.0e} rounds, not {rounds}")
    each = job.rounds
    if job.cut:
        each = max(1, (len(job.cards) - job.cut) // 5)
    return ceil(rounds / each)


def play(job: Job, first: int, shoes: int) -> Tally:
    counts = np.zeros(sum(job.groups.cells), np.int64)
    cards: NDArray[np.uint8] = np.frombuffer(job.cards, np.uint8)
    deal = cpu.kernel(job.source)
    dealt = deal(np.uint64(job.seed), first, shoes, job.rounds, job.cut, cards, counts)
    return Tally(job.groups, shoes, int(dealt), counts)


@dataclass
class Progress:
    """What is done of a run; `tally` is whole whenever it is looked at."""

    job: Job
    shoes: int
    tally: Tally  # of the first shoes, without a gap

    @property
    def complete(self) -> bool:
        return self.tally.shoes == self.shoes


def run(
    job: Job,
    shoes: int,
    *,
    executor: Callable[[], Executor] | None = None,
    workers: int = 1,
    deal: Callable[[int], Iterator[Tally]] | None = None,
    checkpoint: Path | None = None,
    report: Callable[[Tally], object] = lambda _: None,
) -> Progress:
    """Deal so many shoes, chunk by chunk; if a worker dies, its chunk is dealt again.

    An engine with no workers gives `deal`: tallies from a shoe on. Interrupted by Ctrl-C a run
    returns what is done so far. With a checkpoint it goes on from there.
    """
    progress = _resumed(job, shoes, checkpoint) or Progress(job, shoes, Tally.empty(job.groups))
    saved = time.monotonic()
    if deal:
        tallies = deal(progress.tally.shoes)
    else:
        make = executor or (lambda: ThreadPoolExecutor(workers))
        tallies = _in_order(job, progress.tally.shoes, shoes, make, workers)
    try:
        for tally in tallies:
            progress.tally = progress.tally + tally
            report(tally)
            if checkpoint and time.monotonic() - saved > SAVE_SECONDS:
                _save(progress, checkpoint)
                saved = time.monotonic()
    except KeyboardInterrupt:
        pass
    if checkpoint:
        _save(progress, checkpoint)
    return progress


def _chunks(job: Job, first: int, shoes: int, workers: int) -> Iterator[tuple[int, int]]:
    """Runs of shoes: large enough to be worth sending, small enough that all workers have some."""
    per_shoe = min(job.rounds, len(job.cards) // 4)
    for_each_worker = ceil((shoes - first) / (4 * workers))
    size = max(1, min(CHUNK_ROUNDS // per_shoe, for_each_worker))
    for start in range(first, shoes, size):
        yield start, min(size, shoes - start)


def _in_order(
    job: Job, first: int, shoes: int, make: Callable[[], Executor], workers: int
) -> Iterator[Tally]:
    """Tallies of the chunks from the first on, each as soon as all before it are there."""
    todo = _chunks(job, first, shoes, workers)
    again = list[tuple[int, int]]()  # chunks to be dealt once more
    waiting = dict[Future[Tally], tuple[int, int]]()
    ready = {}  # by first shoe
    expected = first
    failed = 0
    pool = make()
    try:
        while expected < shoes:
            broken = False
            while not broken and len(waiting) < 2 * workers + 2:
                chunk = again.pop() if again else next(todo, None)
                if chunk is None:
                    break
                try:
                    waiting[pool.submit(play, job, *chunk)] = chunk
                except BrokenExecutor:
                    again.append(chunk)
                    broken = True
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                chunk = waiting.pop(future)
                try:
                    ready[chunk[0]] = future.result()
                except (BrokenExecutor, CancelledError, ConnectionError):
                    again.append(chunk)
                    broken = True
            if broken:  # a worker died: others of its pool may have too, so begin with a new one
                failed += 1
                if failed > RETRIES:
                    raise BadRun(f"workers died {failed} times; try fewer of them")
                again += waiting.values()
                waiting.clear()
                pool.shutdown(wait=False, cancel_futures=True)
                pool = make()
            while expected in ready:
                tally = ready.pop(expected)
                expected += tally.shoes
                yield tally
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def processes(workers: int) -> Executor:
    # a browser's Python has neither
    from concurrent.futures.process import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


@contextmanager
def compiling(job: Job) -> Iterator[None]:
    """A kernel not seen before is compiled by a process of its own while the block runs."""
    if cpu.is_kept(job.source):
        yield
        return
    code = (
        "import gc; gc.disable()\n"  # a fifth faster, and it ends soon
        "import pickle, sys; from puntobanco.sim.run import play; "
        "play(pickle.load(sys.stdin.buffer), 0, 0)"
    )
    with Popen([sys.executable, "-c", code], stdin=PIPE, stderr=DEVNULL) as child:
        assert child.stdin is not None
        # a child that dies is no failure: what it did not compile is compiled here
        with suppress(BrokenPipeError), child.stdin as pipe:
            pipe.write(pickle.dumps(job))
        yield


def dask(address: str | None, workers: int) -> Executor:
    """Dask's own executor: a scheduler by address, or a cluster on this machine."""
    distributed = package("distributed")
    own = None
    if not address:
        own = distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
        )
    client = distributed.Client(address or own)
    executor: Executor = client.get_executor(retries=RETRIES)
    shutdown = executor.shutdown

    def close(wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG001 - Dask cannot cancel
        """With the executor goes what was started for it."""
        shutdown(wait=wait)
        client.close()
        if own is not None:
            own.close()

    executor.shutdown = close  # type: ignore[method-assign]
    return executor


def default_workers() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _save(progress: Progress, path: Path) -> None:
    state = {
        "key": progress.job.key,
        "shoes": progress.shoes,
        "done": progress.tally.shoes,
        "rounds": progress.tally.rounds,
        "counts": progress.tally.counts.tolist(),
    }
    keep(path, lambda target: target.write_text(json.dumps(state), "utf-8"))
    if not path.exists():
        raise BadRun(f"cannot write the checkpoint {path}")


def _resumed(job: Job, shoes: int, path: Path | None) -> Progress | None:
    if path is None or not path.exists():
        return None
    try:
        state = json.loads(path.read_text("utf-8"))
        if (state["key"], state["shoes"]) != (job.key, shoes):
            other = f"{path} is the checkpoint of another run"
            raise BadRun(f"{other}; name another file, or remove it")
        counts = np.array(state["counts"], np.int64)
        tally = Tally(job.groups, int(state["done"]), int(state["rounds"]), counts)
        assert counts.shape == (sum(job.groups.cells),)
    except (OSError, ValueError, KeyError, TypeError, AssertionError):
        raise BadRun(f"{path} is no checkpoint") from None
    return Progress(job, shoes, tally)
