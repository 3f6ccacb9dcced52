"""Compare files with a list of their hashes, from outside the program: `python3 -I checkfiles.py`.

One file, Python's standard library only (3.8 or newer). It imports nothing of what it looks at, so
keep it and its lists where nobody who can write the program can write: on a read-only medium, or
at another machine that mounts the folders.

    python3 -I checkfiles.py make  list.json  PATH...   write a list of every file below each PATH
    python3 -I checkfiles.py check list.json            compare: one line for each difference
    python3 -I checkfiles.py check list.json --root DIR the same files, mounted below DIR

PATH is a folder (Python's site-packages, Python's own library) or a file (the configuration). Of a
link to one, both are in the list.
Compiled files are in the list like any other. Ends with 0 where all is as it was, 1 where
something differs, 2 where it could not look. The last line has the digest of all that was found:
compare it with the one that was written down when the list was made.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import stat
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

LINK = "link to "
NO_FILE = "no file, but of type "


def main(arguments: list[str]) -> int:
    """Run with these arguments; the status."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "make":
            return make(options.list, options.paths)
        return check(options.list, options.root)
    except (OSError, ValueError) as error:
        print(f"checkfiles: cannot look: {error}", file=sys.stderr)
        return 2


def make(list_path: str, paths: list[str]) -> int:
    """Write the list."""
    roots = [root for path in paths for root in roots_of(path)]
    files = found_below(roots)
    with open(list_path, "x", encoding="utf-8") as out:
        json.dump({"roots": roots, "files": files}, out, indent=1, sort_keys=True)
        out.write("\n")
    print(f"{len(files)} files, digest {digest_of(files)}")
    return 0


def check(list_path: str, root: str = "") -> int:
    """Say what differs."""
    with open(list_path, encoding="utf-8") as file:
        known = json.load(file)
    files = found_below(known["roots"], root)
    differences = list(compared(known["files"], files))
    for line in differences:
        print(line)
    verdict = f"{len(differences)} differences" if differences else "no difference"
    print(f"{len(files)} files, {verdict}, digest {digest_of(files)}")
    return 1 if differences else 0


def roots_of(path: str) -> list[str]:
    """A path; where it is a link, the link and what it leads to. Either may be exchanged."""
    os.stat(path)  # raises where nothing is there, or links lead in a circle
    roots = [os.path.abspath(path)]
    while os.path.islink(roots[-1]):
        beside = os.path.realpath(os.path.dirname(roots[-1]))
        roots.append(os.path.normpath(os.path.join(beside, os.readlink(roots[-1]))))
    return roots


def found_below(roots: list[str], mounted: str = "") -> dict[str, str]:
    """The hash of every file, by its path as it is on its own machine."""
    files: dict[str, str] = {}
    for root in roots:
        here = mounted.rstrip("/") + root
        if not os.path.lexists(here):
            continue  # each of its files is missing, and is said to be
        if not os.path.isdir(here) or os.path.islink(here):
            files[root] = hash_of(here)
            continue
        for folder, folders, names in os.walk(here, onerror=_raise):
            # a link to a folder is not walked: where it leads is what counts
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            for name in names + links:
                path = os.path.join(folder, name)
                files[root + path[len(here) :]] = hash_of(path)
    return files


def hash_of(path: str) -> str:
    """SHA-256 of what a file holds; a link is where it leads. A pipe or a device is not read: that
    might never end.
    """
    if os.path.islink(path):
        return LINK + os.readlink(path)
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        return NO_FILE + oct(stat.S_IFMT(mode))
    hashed = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            hashed.update(block)
    return hashed.hexdigest()


def compared(known: dict[str, str], found: dict[str, str]) -> Iterator[str]:
    """A line for each difference."""
    for path in sorted(set(known) | set(found)):
        if path not in found:
            yield f"missing  {path}"
        elif path not in known:
            yield f"new      {path}"
        elif known[path] != found[path]:
            yield f"changed  {path}"


def digest_of(files: dict[str, str]) -> str:
    """One number for all of them."""
    lines = "".join(f"{path} {files[path]}\n" for path in sorted(files))
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()


def _raise(error: OSError) -> NoReturn:
    raise error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Compare files with a list of their hashes.")
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write a list of every file below each path")
    making.add_argument("list")
    making.add_argument("paths", nargs="+")
    checking = commands.add_parser("check", help="compare with a list")
    checking.add_argument("list")
    checking.add_argument("--root", default="", help="where the other machine is mounted")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
