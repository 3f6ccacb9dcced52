"""The Chromium that the browser tests drive: the one named, the system's, or one installed here; and its fonts.

`make test` and `make browser` run this as a program before the tests, so that it is installed once and not by each of their processes.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.support.made_fonts import are_installed

VARIABLE = "PUNTOBANCO_CHROMIUM"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell first: it has no windows of its own to draw, and opens a page in a fifth of the time."""

_INSTALL = ("apt-get", "-q", "install", "-y", "--no-install-recommends")
BY_APT = (("apt-get", "-q", "update"), (*_INSTALL, "chromium-headless-shell"))
BY_APT_WHOLE = ((*_INSTALL, "chromium"),)
FONTS_BY_APT = (BY_APT[0], (*_INSTALL, "fonts-inter", "fonts-noto-cjk"))
BY_PLAYWRIGHT = ((sys.executable, "-m", "playwright", "install", "chromium"),)
INSTALL_S = 900
ADVICE = f"install Chromium (as root: apt-get install chromium) or set {VARIABLE} to its path"


class NoChromium(Exception):
    """There is none, and none could be installed; the message says what to do."""


def executable() -> str:
    """The path of a Chromium that starts; installs nothing."""
    named = os.environ.get(VARIABLE)
    if named:
        if not _starts(named):
            raise NoChromium(
                f"the browser tests cannot start {named}; set {VARIABLE} to a Chromium, or unset it"
            )
        return named
    on_path = (path for name in NAMES if (path := shutil.which(name)))
    found = next((path for path in on_path if _starts(path)), None) or _of_playwright()
    if found is None:
        raise NoChromium(f"the browser tests need Chromium: {ADVICE}")
    return found


def provide() -> str:
    """The same, installed where there is none: by apt-get for root, else by Playwright."""
    try:
        return executable()
    except NoChromium:
        if os.environ.get(VARIABLE):
            raise
    if os.geteuid() == 0 and shutil.which("apt-get"):
        for commands in (BY_APT, BY_APT_WHOLE):
            _run(commands)
            try:
                return executable()
            except NoChromium:
                pass
    _run(BY_PLAYWRIGHT)
    return executable()


def provide_fonts() -> None:
    """Those that a floor serves, for root; a test draws its own where there are none, and says less."""
    if not are_installed() and os.geteuid() == 0 and shutil.which("apt-get"):
        _run(FONTS_BY_APT)


def _starts(path: str) -> bool:
    """Some systems have a script of this name that only says where to get the real one."""
    try:
        return (
            subprocess.run(
                [path, "--version"], capture_output=True, timeout=60, check=False
            ).returncode
            == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


def _of_playwright() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() and _starts(path) else None


def _run(commands: tuple[tuple[str, ...], ...]) -> None:
    """Each in turn; one that fails is not the last word, what is there afterwards is."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in commands:
        print(" ".join(command), file=sys.stderr, flush=True)
        try:
            subprocess.run(
                command, env=environment, stdin=subprocess.DEVNULL, timeout=INSTALL_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            print(error, file=sys.stderr)


def main() -> None:
    """Says what is missing and goes on: the browser tests then fail with the same line, and the others are run."""
    try:
        provide()
    except NoChromium as missing:
        print(missing, file=sys.stderr)
    provide_fonts()


if __name__ == "__main__":
    main()
