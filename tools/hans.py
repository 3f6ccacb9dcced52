"""The map from Traditional to Simplified characters, made anew: `python -m tools.hans` writes it into base/hans.js.

It holds the characters that our texts use and no others; OpenCC (Apache-2.0), which is installed for
development only, says what each becomes. Where we differ from it stands in `OURS`, with the reason.
"""

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/puntobanco"
MAP = SOURCE / "web/screens/base/hans.js"
HAN = re.compile("[\u3400-\u9fff]")
ROW = 48

OURS = {
    "帳": "账",  # books and money are 账 today; 帐 is a tent
    "著": "着",  # as a particle; no text of ours speaks of what is famous
    "枱": "桌",  # a table of any kind
}
"""What OpenCC says otherwise or leaves, character by character."""


def used() -> set[str]:
    """Every Han character of the program's own texts."""
    found = set[str]()
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in {".py", ".js", ".html"} and path != MAP:
            found |= set(HAN.findall(path.read_text("utf-8")))
    return found


def pairs(characters: Iterable[str]) -> dict[str, str]:
    """What each becomes, where that is another."""
    from opencc import OpenCC  # noqa: PLC0415 - development only

    convert = OpenCC("t2s").convert
    found = {one: OURS.get(one) or convert(one) for one in sorted(characters)}
    return {one: other for one, other in found.items() if one != other}


def kept() -> dict[str, str]:
    """The map as it is committed."""
    rows = re.search(r"PAIRS =((?:\s*\+?\s*\"[^\"]*\")+);", MAP.read_text("utf-8"))
    assert rows, "base/hans.js has no PAIRS"
    letters = "".join(re.findall(r'"([^"]*)"', rows[1]))
    return dict(zip(letters[::2], letters[1::2], strict=True))


def written(found: dict[str, str]) -> str:
    letters = "".join(one + other for one, other in found.items())
    rows = [f'"{letters[at : at + ROW]}"' for at in range(0, len(letters), ROW)]
    text = MAP.read_text("utf-8")
    return re.sub(r"PAIRS =(?:\s*\+?\s*\"[^\"]*\")+;", "PAIRS = " + "\n  + ".join(rows) + ";", text)


if __name__ == "__main__":
    made = pairs(used())
    MAP.write_text(written(made), "utf-8")
    print(f"{len(made)} characters differ, of {len(used())} that are used")
