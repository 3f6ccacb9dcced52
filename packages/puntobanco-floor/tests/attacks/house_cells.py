"""The part of the matrix that is against the house: its cells as a table of values, and its page."""

from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

HouseFinder: TypeAlias = Literal[
    "audit", "starting node", "witness", "receipt before", "receipt after"
]
HouseOutcome: TypeAlias = Literal["found", "signed", "said", "unmoved", "missed", "-"]

HOUSE_FINDERS: tuple[HouseFinder, ...] = (
    "audit",
    "starting node",
    "witness",
    "receipt before",
    "receipt after",
)
HOUSE_PLACES = ("first", "middle", "before the checkpoint", "after the checkpoint", "last")
HISTORY = (
    "rewrite",
    "rewrite, log left",
    "late insert",
    "remove",
    "reorder",
    "cut",
    "cut and go on",
)


class Split(NamedTuple):
    """Who was shown the other history, who this one, who signs anything; how many must cosign."""

    other: tuple[str, ...]
    this: tuple[str, ...]
    dishonest: tuple[str, ...]
    least: int


ANN, BOB, CID = "ann.example", "bob.example", "cid.example"
EVE, FAY, GUS = "eve.example", "fay.example", "gus.example"
SPLITS = {
    "all of 3, 1 honest": Split((ANN,), (), (EVE, FAY), 3),
    "all of 3, 2 honest, a view each": Split((ANN,), (BOB,), (EVE,), 3),
    "all of 3, none honest": Split((), (), (EVE, FAY, GUS), 3),
    "2 of 3, 3 honest, two with the other": Split((ANN, CID), (BOB,), (), 2),
    "2 of 3, 2 honest with the other": Split((ANN, BOB), (), (EVE,), 2),
    "2 of 3, 2 honest, a view each": Split((ANN,), (BOB,), (EVE,), 2),
    "2 of 3, 1 honest": Split((ANN,), (), (EVE, FAY), 2),
}
SHOES = {
    "another shoe": ("mixed", "shuffled by the house alone"),
    "second commitment": ("same epoch", "later epoch"),
    "early mix": ("not in the log", "not cosigned", "not named"),
    "deal without the mix": (
        "no mix",
        "committed order",
        "another seed",
        "mixed by the dishonest alone",
    ),
    "shoes until one is liked": ("",),
    "receipt of no entry": ("proof of another", "own checkpoint", "moved cosignatures"),
}


class HouseCell(NamedTuple):
    attack: str
    place: str


def _cells() -> list[HouseCell]:
    found = [HouseCell(*each) for each in product(HISTORY, HOUSE_PLACES)]
    backs = ("roll back", "roll back, folder left")
    found += [HouseCell(*each) for each in product(backs, HOUSE_PLACES[:4])]
    found += [HouseCell("split view", place) for place in SPLITS]
    found += [HouseCell("suppress checkpoints", place) for place in ("first", "middle", "last")]
    found += [HouseCell(attack, place) for attack, places in SHOES.items() for place in places]
    return found


HOUSE_CELLS = _cells()


def _expected() -> dict[HouseCell, dict[HouseFinder, HouseOutcome]]:
    found = dict[HouseCell, dict[HouseFinder, HouseOutcome]]()
    path = Path(__file__).parent / "house_expected.txt"
    for line in path.read_text("utf-8").splitlines():
        attack, place, *outcomes = (part.strip() for part in line.split("|"))
        said = [msgspec.convert(outcome, HouseOutcome) for outcome in outcomes]
        found[HouseCell(attack, place)] = dict(zip(HOUSE_FINDERS, said, strict=True))
    return found


HOUSE_EXPECTED = _expected()
"""Who finds what, as it is; a test holds every cell to it."""

HOUSE_SAYS = {
    "rewrite": "another amount; journal, heads, log and checkpoint made and signed anew",
    "rewrite, log left": "the same, and the log stays as witnesses saw it",
    "late insert": "credits bought in a cashier's name, put in after an entry, everything signed anew",
    "remove": "an entry taken out, everything signed anew",
    "reorder": "two neighbours changed over, everything signed anew",
    "cut": "all entries after one, from journal, heads and log",
    "cut and go on": "the same, and others written until there are more than before",
    "roll back": "all that the house has as it was, from a copy",
    "roll back, folder left": "the same without the publication folder; no witness is honest",
    "split view": "a history for some witnesses, another for a patron and for the others",
    "suppress checkpoints": "no witness is shown a checkpoint after that place; nothing is rewritten",
    "another shoe": "drawn anew when the mix is known; who is honest is named no more",
    "second commitment": "another start of a shoe that was mixed, its leaf put into the log and cosigned",
    "early mix": "a witness asked to mix before the commitment binds, or one that is not named",
    "deal without the mix": "a program that deals other cards than those of the mix",
    "shoes until one is liked": "mixed, looked at by who has the keys, ended before a round",
    "receipt of no entry": "a receipt of what is not in the log that witnesses saw",
}

_WINDOW = "nobody outside has seen it yet: only a patron with a signed answer knows better"
_NEW = "nothing is contradicted: it is an entry like any other; the count of the cashier's drawer"
_SHORTER = "what was published last is what the copy has"
_SUPPRESSED = "nothing is contradicted; each of them says how far the log was seen"
WHY = {
    **{HouseCell(a, HOUSE_PLACES[3]): _WINDOW for a in HISTORY if a != "rewrite, log left"},
    **{HouseCell(a, HOUSE_PLACES[4]): _WINDOW for a in HISTORY},
    HouseCell("late insert", "last"): _NEW,
    HouseCell("roll back", "after the checkpoint"): _WINDOW,
    HouseCell("roll back, folder left", "after the checkpoint"): _SHORTER,
    HouseCell("split view", "all of 3, none honest"): "every witness is dishonest",
    **{HouseCell("suppress checkpoints", p): _SUPPRESSED for p in ("first", "middle", "last")},
    HouseCell("another shoe", "shuffled by the house alone"): "no witness mixed it, and it says so",
    HouseCell("deal without the mix", "mixed by the dishonest alone"): (
        "its start names who mixes: it proves as much as they are worth, and the reader sees who"
    ),
    HouseCell("shoes until one is liked", ""): (
        "each is journalled as abandoned and counted by the day; an alarm above a named rate"
    ),
}
"""Of each cell in which nobody finds it, why not."""

_HEAD = """
## The house itself

Who holds everything that the house has: database, files of heads, key ring with every key, keys of nodes, publication folder, and a program of its
own. He rewrites and signs whatever he wants, so that the journal alone tells nothing; others must have seen it. Played with witnesses that
decide and remember as `puntobanco witness` does: one is honest, one signs anything, and both must cosign, unless the place says else. The last
checkpoint that both have cosigned is in the third shoe of four; what comes after it is the **unwitnessed window**, two seconds of a floor in play.

- **audit**: `audit --witness` with the key ring. **starting node**: a node as the program is, on what the house left it. **witness**: is shown the new
  checkpoint, with proofs from any size, or is asked to mix. **receipt before**: of five patrons, one at each place, held by `verify.py` with their own policy and
  then against the journal. **receipt after**: what `verify.py` says of receipts that patrons get of what was never so.
- **found**: refused, with what contradicts it. **signed**: the patron has a node's signature over what is gone: the house against the house, and no witness. **said**:
  nothing contradicts it, and the answer says that it is not proven, or how far it is. **unmoved**: what is asked there is as it was. **missed**: it is believed. **-**: has no part in it.
- With *k* of *n* witnesses a receipt holds wherever *k* signed: *n-k+1* honest ones keep a past that all of them have seen; two histories shown to
  different witnesses need *2(n-k)+1*, or somebody who asks them all, as an audit and a starting node do. With `all`, one is enough.

| what is done | |
|---|---|
"""


def house_part() -> str:
    """The part of docs/reference/attacks.md that is about the house."""
    lines = [f"| {attack} | {says} |" for attack, says in HOUSE_SAYS.items()]
    columns = ("attack", "place", *HOUSE_FINDERS, "why nobody finds it")
    lines += ["", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for cell, said in HOUSE_EXPECTED.items():
        parts = (*cell, *said.values(), WHY.get(cell, ""))
        lines.append(f"| {' | '.join(parts)} |")
    return _HEAD + "\n".join(lines) + "\n"
