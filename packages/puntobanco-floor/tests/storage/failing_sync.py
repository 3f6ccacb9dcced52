"""A process whose disk fails to sync: it plays until the store stops it, and writes down every answer that it hears.

    python -m tests.storage.failing_sync DATABASE ANSWERS NTH

Started with the library of `build_library` preloaded: the NTH sync of the write-ahead log fails with EIO.
The bytes stay in the memory of the system, as on Linux, so that the next process may find them in the log.
"""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

from puntobanco.base.refusal import Refusal
from puntobanco_floor.cli.serve import IO_ERROR
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore

TABLE = "table:1"
SOURCE = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int left = 0;
void fail_sync(int nth) { left = nth; }
static int fails(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (left == 0 || size < 4) return 0;
    path[size] = 0;
    if (strcmp(path + size - 4, "-wal") != 0 || --left) return 0;
    errno = EIO;
    return 1;
}
int fsync(int fd) { return fails(fd) ? -1 : (int) syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : (int) syscall(SYS_fdatasync, fd); }
"""


def build_library(folder: Path, compiler: str) -> Path:
    """The library to preload, built by the C compiler of this machine."""
    source, library = folder / "failing_sync.c", folder / "failing_sync.so"
    source.write_text(SOURCE)
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", str(library), str(source)], check=True, timeout=120
    )
    return library


def play() -> list[tuple[str, Command]]:
    """Commands with their ids: a table, patrons with credits, and cash-outs that end with a voucher."""
    found: list[tuple[str, Command]] = [("open", c.OpenTable(by="boss", game="six-star"))]
    for n in range(8):
        who = f"s{n}"
        found += [
            (f"seat-{n}", c.SeatSession(by=who, session=who)),
            (f"buy-{n}", c.BuyIn(by="cage", session=who, cents=10_000)),
            (f"out-{n}", c.IssueVoucher(by=who, session=who, voucher=f"voucher-{n}")),
        ]
    return found


def main(database: str, answers: str, nth: str) -> None:
    with SqliteStore(Path(database)) as store, Path(answers).open("a", buffering=1) as heard:
        store.on_stopped = lambda _: os._exit(IO_ERROR)
        ctypes.CDLL(None).fail_sync(int(nth))
        for id_, command in play():
            try:
                said = store.ask(Request(stream=TABLE, id=id_, command=command)).code or "ok"
            except Refusal as refusal:
                said = refusal.code
            heard.write(f"{id_} {said}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
