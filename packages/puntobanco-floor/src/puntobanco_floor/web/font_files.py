"""The fonts that a floor serves: none until a process beside it has made them, which is begun when
the port is open and waited for by nobody.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import msgspec

from puntobanco_floor.fonts import Made
from puntobanco_floor.web.screen_files import HASH_LENGTH, File

_log = logging.getLogger("puntobanco.fonts")
_STYLE = "text/css; charset=utf-8"
NONE = File(_STYLE, b"")


class ServedFont(NamedTuple):
    hash: str
    file: File


class FontFiles:
    """The style sheet, empty at first, and the files that it names."""

    def __init__(self) -> None:
        self.style = NONE
        self.files = dict[str, ServedFont]()

    @property
    def are_made(self) -> bool:
        return self.style is not NONE

    def serve(self, made: Made) -> None:
        style = ""
        files = dict[str, ServedFont]()
        for subset in made.subsets:
            digest = hashlib.sha256(subset.data).hexdigest()[:HASH_LENGTH]
            files[subset.name] = ServedFont(digest, File("font/woff2", subset.data))
            style += subset.style(f"/fonts/{digest}/{subset.name}")
        assert len(files) == len(made.subsets)
        self.files = files
        self.style = File(_STYLE, style.encode()) if style else NONE

    async def make(self, folders: list[str], words: str) -> None:
        """Start a process of its own: seconds of work that no wager waits for."""
        arguments = ("-m", "puntobanco_floor.fonts", *folders)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, *arguments, stdin=pipe, stdout=pipe, stderr=pipe
        )
        try:
            out, wrong = await process.communicate(words.encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            lines = wrong.decode(errors="replace").splitlines()
            _log.warning("fonts not made, devices use their own: %s", lines[-1] if lines else "")
            return
        made = msgspec.json.decode(out, type=Made)
        self.serve(made)
        _log.info("fonts found: %s", ", ".join(made.found) or "none")
        if made.missing:
            _log.warning(
                "fonts not found, devices use their own: install %s", " ".join(made.missing)
            )


@asynccontextmanager
async def making(fonts: FontFiles, folders: str, words: str) -> AsyncIterator[None]:
    """Make fonts while the floor is served; `folders` as in the setting, none if it is empty."""
    if not folders:
        yield
        return
    task = asyncio.create_task(fonts.make(folders.split(":"), words))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
