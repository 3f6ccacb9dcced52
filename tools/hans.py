"""Write the map from Traditional to Simplified characters: `make docs`, where OpenCC is installed.

The map holds the characters that our texts use and no others. OpenCC (Apache-2.0), installed for development
only, says what each becomes; `OURS` lists the exceptions. The tables go into `base/simplified.py` of the
library and into `base/hans.js` of the screens.
"""

import re
from collections.abc import Iterable

from puntobanco.base import simplified
from tools.tree import LIBRARY, SCREENS, source_files

TABLES = LIBRARY / "base/simplified.py"
MAP = SCREENS / "base/hans.js"
HAN = re.compile("[\u3400-\u9fff]")
ROW = 48

OURS = {
    "帳": "账",  # books and money are 账 today; 帐 is a tent
    "著": "着",  # as a particle; no text of ours speaks of what is famous
    "枱": "桌",  # a table of any kind
}
"""Characters that we write otherwise than OpenCC."""


def used() -> set[str]:
    """Return every Han character of the program's own texts."""
    found = set[str]()
    for path in source_files(".py", ".js", ".html"):
        if path not in (MAP, TABLES):
            found |= set(HAN.findall(path.read_text("utf-8")))
    return found


def pairs(characters: Iterable[str]) -> dict[str, str]:
    """Map each character to its Simplified form, if that differs."""
    from opencc import OpenCC  # noqa: PLC0415 - development only

    convert = OpenCC("t2s").convert
    found = {one: OURS.get(one) or convert(one) for one in sorted(characters)}
    return {one: other for one, other in found.items() if one != other}


def kept() -> dict[str, str]:
    """Return the committed map."""
    return dict(zip(simplified.PAIRS[::2], simplified.PAIRS[1::2], strict=True))


def python_tables(found: dict[str, str]) -> str:
    rows = "\n    ".join(_rows(found))
    text = TABLES.read_text("utf-8")
    return re.sub(r"PAIRS = \([^)]*\)", f"PAIRS = (\n    {rows}\n)", text)


def browser_tables(found: dict[str, str]) -> str:
    rows = "\n  + ".join(_rows(found))
    words = simplified.WORDS.split()
    both = [f'["{word}", "{other}"]' for word, other in zip(words[::2], words[1::2], strict=True)]
    lines = [", ".join(both[at : at + 6]) for at in range(0, len(both), 6)]
    text = MAP.read_text("utf-8")
    text = re.sub(r"PAIRS =[^;]*;", f"PAIRS = {rows};", text)
    return re.sub(r"WORDS = \[[^;]*\];", "WORDS = [\n  " + ",\n  ".join(lines) + ",\n];", text)


def _rows(found: dict[str, str]) -> list[str]:
    letters = "".join(one + other for one, other in found.items())
    return [f'"{letters[at : at + ROW]}"' for at in range(0, len(letters), ROW)]


def write() -> None:
    made = pairs(used())
    TABLES.write_text(python_tables(made), "utf-8")
    MAP.write_text(browser_tables(made), "utf-8")


if __name__ == "__main__":
    write()
