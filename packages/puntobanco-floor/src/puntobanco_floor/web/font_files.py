"""The fonts that a floor serves: those of a folder that `puntobanco fonts` wrote, or none."""

from __future__ import annotations

import logging
from pathlib import Path

from puntobanco_floor.web.screen_files import File

STYLE = "fonts.css"
_log = logging.getLogger("puntobanco.fonts")


def read_fonts(folder: str) -> dict[str, File]:
    """Read the style sheet and the fonts of a folder by their names. Without a folder, or with one
    that cannot be read, devices use fonts of their own.
    """
    found = {STYLE: File("text/css; charset=utf-8", b"")}
    if not folder:
        return found
    try:
        style = Path(folder, STYLE).read_bytes()
        fonts = {path.name: path.read_bytes() for path in Path(folder).glob("*.woff2")}
    except OSError as error:
        _log.warning(
            "fonts not served, devices use their own: %s; write them with puntobanco fonts %s",
            error,
            folder,
        )
        return found
    found[STYLE] = File("text/css; charset=utf-8", style)
    return found | {name: File("font/woff2", data) for name, data in fonts.items()}
