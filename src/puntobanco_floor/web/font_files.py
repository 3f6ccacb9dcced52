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
from functools import cached_property

import msgspec

from puntobanco_floor.fonts.subset import Made, Subset
from puntobanco_floor.web.screen_files import HASH_LENGTH, File

_log = logging.getLogger("puntobanco.fonts")
_STYLE = "text/css; charset=utf-8"
_FONT = "font/woff2"
NONE = File(_STYLE, b"")


class FontFiles:
    """The style sheet, empty at first, and the files that it names, by hash and name."""

    def __init__(self) -> None:
        self.style = NONE
        self.files = dict[str, ServedFont]()

    @property
    def are_made(self) -> bool:
        return self.style is not NONE

    def serve(self, made: Made) -> None:
        fonts = [ServedFont(subset) for subset in made.subsets]
        self.files = {font.name: font for font in fonts}
        assert len(self.files) == len(fonts)
        faces = "".join(font.face for font in fonts)
        self.style = File(_STYLE, faces.encode()) if faces else NONE

    async def make(self, folders: list[str], words: str) -> None:
        """By a process of its own: seconds of work that no wager waits for."""
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


class ServedFont:
    """A face at its address."""

    def __init__(self, subset: Subset) -> None:
        self.subset = subset
        self.file = File(_FONT, subset.data)

    @cached_property
    def hash(self) -> str:
        return hashlib.sha256(self.subset.data).hexdigest()[:HASH_LENGTH]

    @property
    def name(self) -> str:
        """
        >>> ServedFont(Subset("puntobanco Han", 400, "U+61,U+78", b"")).name
        'puntobanco-han-400-61.woff2'
        """
        parts = [*self.subset.family.lower().split(), str(self.subset.weight)]
        first, _, _ = self.subset.characters.partition(",")
        if first:
            parts.append(first.removeprefix("U+").partition("-")[0])
        return f"{'-'.join(parts)}.woff2"

    @property
    def face(self) -> str:
        subset = self.subset
        within = f"unicode-range:{subset.characters};" if subset.characters else ""
        return (
            f'@font-face{{font-family:"{subset.family}";font-weight:{subset.weight};'
            f"font-display:swap;{within}"
            f'src:url(/fonts/{self.hash}/{self.name}) format("woff2")}}\n'
        )


@asynccontextmanager
async def making(fonts: FontFiles, folders: str, words: str) -> AsyncIterator[None]:
    """While the floor is served; `folders` as in the setting, and none where it is empty."""
    if not folders:
        yield
        return
    task = asyncio.create_task(fonts.make(folders.split(":"), words))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
