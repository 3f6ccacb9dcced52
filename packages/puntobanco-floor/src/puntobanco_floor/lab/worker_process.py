"""The lab's worker: one process beside the one that takes wagers, started at the first job.

This module imports little: the process is nice before it imports what it computes with.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from threading import Lock, Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

NICENESS = 10
"""The worker computes when the node leaves a core idle."""


class WorkerProcess(Executor):
    """Run jobs one at a time in a process of their own; start another process if it died."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._is_shut_down = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with self._lock:
            try:
                return self._started().submit(fn, *args, **kwargs)
            except BrokenProcessPool:
                self._pool = None
                return self._started().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Refuse further jobs and kill the process if the caller does not wait for its job."""
        with self._lock:
            self._is_shut_down = True
            pool, self._pool = self._pool, None
        if pool is None:
            return
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=wait, cancel_futures=cancel_futures)
        if not wait:
            for process in processes:
                process.kill()

    def _started(self) -> ProcessPoolExecutor:
        if self._is_shut_down:
            raise BrokenExecutor("the worker is shut down")
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin)
        return self._pool


def _begin() -> None:
    """Leave interrupts of the terminal to the node, and end when the node does, even if killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):  # a systemd unit may forbid it
        os.nice(NICENESS)
    Thread(target=_end_with_node, daemon=True).start()


def _end_with_node() -> None:
    node = multiprocessing.parent_process()
    assert node is not None
    node.join()
    os._exit(0)
