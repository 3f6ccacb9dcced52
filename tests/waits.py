"""The tests that wait, again and again beside two busy loops: python -m tests.waits 30 [words]."""

import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

LOOPS = 2
LANES = 3
"""So many times through at once: they wait most of the time, and crowd each other."""

LONGEST_S = 3_600.0
"""Of one time through."""


def busy() -> None:
    parent = os.getppid()
    while os.getppid() == parent:  # a loop that is left over ends by itself
        pass


def once(words: list[str]) -> tuple[int, str]:
    """The status of pytest over these tests, and what it printed."""
    chosen = ["-k", " and ".join(words)] if words else []
    command = [sys.executable, "-m", "pytest", "-q", "-m", "waits", "-p", "no:xdist", *chosen]
    try:
        done = subprocess.run(
            command, timeout=LONGEST_S, check=False, capture_output=True, text=True
        )
    except subprocess.TimeoutExpired as late:
        return 1, f"not over in {LONGEST_S:g} s\n{(late.stdout or b'').decode()[-4_000:]}"
    return done.returncode, done.stdout


def main(times: str = "30", *words: str) -> None:
    loops = [multiprocessing.Process(target=busy, daemon=True) for _ in range(LOOPS)]
    for loop in loops:
        loop.start()
    failed, began = 0, time.monotonic()
    try:
        with ThreadPoolExecutor(LANES) as lanes:
            runs = lanes.map(lambda _: once(list(words)), range(int(times)))
            for n, (status, said) in enumerate(runs, 1):
                failed += status != 0
                print(said[-6_000:] if status else said.splitlines()[-1])
                took = time.monotonic() - began
                print(f"{n} of {times}: {failed} failed so far, {took:.0f} s", flush=True)
    finally:
        for loop in loops:
            loop.terminate()
            loop.join()
    sys.exit(min(failed, 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
