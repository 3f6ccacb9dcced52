"""The process that makes a floor's fonts, beside the one that serves: folders as arguments, a
floor's own words as text in, what was made as JSON out.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco_floor.fonts.glyphs import glyphs
from puntobanco_floor.fonts.subset import make

NICER = 10
"""Those who play go first."""


def main(folders: list[str]) -> None:
    with suppress(OSError):  # a systemd unit may forbid it
        os.nice(NICER)
    words = sys.stdin.buffer.read().decode()
    try:
        made = make([Path(folder) for folder in folders], glyphs(words))
    except Refusal as refused:
        sys.exit(str(refused))
    sys.stdout.buffer.write(msgspec.json.encode(made))


if __name__ == "__main__":
    main(sys.argv[1:])
