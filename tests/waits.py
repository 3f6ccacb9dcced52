"""The tests that wait, again and again beside two busy loops: python -m tests.waits 30 [words that choose tests]."""

import multiprocessing
import subprocess
import sys
import time

LOOPS = 2
LONGEST_S = 1_800.0
"""Of one time through; a loop that is left over ends by itself after it."""


def busy() -> None:
    until = time.monotonic() + LONGEST_S
    while time.monotonic() < until:
        pass


def once(words: list[str]) -> int:
    """The status of pytest over these tests while every loop runs."""
    loops = [multiprocessing.Process(target=busy, daemon=True) for _ in range(LOOPS)]
    for loop in loops:
        loop.start()
    chosen = ["-k", " and ".join(words)] if words else []
    command = [sys.executable, "-m", "pytest", "-q", "-m", "waits", "-p", "no:xdist", *chosen]
    try:
        return subprocess.run(command, timeout=LONGEST_S, check=False).returncode
    finally:
        for loop in loops:
            loop.terminate()
            loop.join()


def main(times: str = "30", *words: str) -> None:
    failed = 0
    for n in range(1, int(times) + 1):
        began = time.monotonic()
        failed += once(list(words)) != 0
        print(
            f"{n} of {times}: {failed} failed so far, {time.monotonic() - began:.0f} s", flush=True
        )
    sys.exit(min(failed, 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
