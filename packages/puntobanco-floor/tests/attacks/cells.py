"""The matrix of attacks as a table of values, and its page."""

from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from tests.attacks.house_cells import house_part

Finder: TypeAlias = Literal["running node", "starting node", "self-test", "audit", "later"]
Outcome: TypeAlias = Literal["found", "unmoved", "misled", "missed"]

FINDERS: tuple[Finder, ...] = ("running node", "starting node", "self-test", "audit", "later")
HOLDERS = (
    "database",
    "database and heads file",
    "database and a retired key",
    "database and a node's key",
    "database, heads file and a node's key",
    "a backup",
    "database and an old ring",
    "database, heads file and an old ring",
)
OLD_RING = HOLDERS[-2:]
PLACES = ("first", "middle", "around a signature", "last")
JOURNAL = ("append", "change", "change in place", "change a part", "remove", "reorder", "cut")
AT_THE_END = ("own key", "other epoch", "new epoch")
BESIDE = {
    "balances": "cash_out",
    "transfers": "seat",
    "voucher made up": "redeem_made_up",
    "voucher raised": "redeem_open",
    "voucher set back": "redeem_again",
    "old voucher set back": "redeem_old_again",
    "answer made up": "seat",
    "answer turned": "sit_again",
    "answer gone": "again",
    "recent answer turned": "again_recent",
    "recent answer gone": "again_recent",
    "snapshots": "cash_out",
    "sealed": "deal",
    "head gone": "seat",
    "head changed": "seat",
    "last head gone": "seat",
    "streams": "seat",
    "login": "log_in",
    "login made up": "log_in_made_up",
    "card swapped": "come_in",
    "card edited": "come_in",
    "card gone": "come_in",
    "card made up": "come_in",
}
"""What is done to a row beside the journal, and what a node is then asked (`tests.attacks.beside`)."""


PROBES = BESIDE | {"another stream": "seat_elsewhere"}
"""What a node is asked after an attack; after any other, for a seat."""


class Cell(NamedTuple):
    holder: str
    attack: str
    place: str


def _cells() -> list[Cell]:
    holders = HOLDERS[: -len(OLD_RING)]
    found = [Cell(*each) for each in product(holders, JOURNAL, PLACES)]
    found += [Cell(*each) for each in product(holders, AT_THE_END, ["last"])]
    copies = ("first", "middle", "last")
    found += [Cell(*each) for each in product(holders, ["roll back"], copies)]
    found += [Cell(*each) for each in product(holders, BESIDE, [""])]
    found += [Cell(*each) for each in product(OLD_RING, ["old root"], ["last"])]
    # who has no key cannot sign there, and a node's own is admitted there
    found.append(Cell("database and a retired key", "another stream", "last"))
    return found


CELLS = _cells()


def _expected() -> dict[Cell, dict[Finder, Outcome]]:
    found = dict[Cell, dict[Finder, Outcome]]()
    for line in (Path(__file__).parent / "expected.txt").read_text("utf-8").splitlines():
        holder, attack, place, *outcomes = (part.strip() for part in line.split("|"))
        said = [msgspec.convert(outcome, Outcome) for outcome in outcomes]
        found[Cell(holder, attack, place)] = dict(zip(FINDERS, said, strict=True))
    return found


EXPECTED = _expected()
"""Who finds what, as it is; a test holds every cell to it."""

SAYS = {
    "append": "credits bought in a cashier's name, put in after an entry",
    "change": "another amount, and every later hash put right",
    "change in place": "another amount in one entry, later ones left as they are signed",
    "change a part": "who asked, under the header as it is signed",
    "remove": "an entry taken out, later ones moved up",
    "reorder": "two neighbours changed over",
    "cut": "all entries of the stream after one",
    "roll back": "the whole database as it was, from a copy",
    "own key": "an entry, signed with a key that he has admitted himself",
    "old root": "the same, and the key is certified by a root key that leaked and was replaced",
    "another stream": "credits at a table that never knew his key, where he admits it with the certificate from this one",
    "other epoch": "an entry, its head signed for an epoch that nobody began",
    "new epoch": "the tail cut off, and an epoch begun in the names of two people",
    "balances": "a patron's balance raised",
    "transfers": "the cents of a transfer",
    "voucher made up": "a voucher that no entry issued",
    "voucher raised": "the cents of a voucher",
    "voucher set back": "a voucher of this period that was redeemed, open again",
    "old voucher set back": "a voucher of a sealed period that was redeemed, open again",
    "answer made up": "an answer to a command that was never done",
    "answer turned": "a command that was done, answered as refused",
    "answer gone": "the answer taken out, and the command sent again",
    "recent answer turned": "the same for a command of the period in play",
    "recent answer gone": "the same for a command of the period in play",
    "snapshots": "other balances in a snapshot",
    "sealed": "other bytes for the undealt cards",
    "head gone": "a signed head, neither the first nor the last, taken out",
    "head changed": "another signature in its place, by the key that he has",
    "last head gone": "the last signed head taken out",
    "streams": "another number in the head row of the stream",
    "login": "the row of a dealer's login, that it be an administrator's",
    "login made up": "a row in the name of an administrator",
    "card swapped": "the cards of an excluded patron and of another one changed over",
    "card edited": "another patron in the row of an excluded patron's card",
    "card gone": "the row of an excluded patron's card taken out",
    "card made up": "that row taken out, and another card's put in for the same patron",
}

BY_PEOPLE = {
    "append": "nobody yet: the count of the cashier's drawer; who holds a node's key writes as that node",
    "new epoch": "nobody yet: the two people it names; a witness",
}
"""Where not even the file of heads of another node tells."""

_HEAD = """# Attacks on the journal

Who holds what, does what, at which place, and who finds it. Generated from `packages/puntobanco-floor/tests/attacks`, where every cell is played with many seeds on
SQLite and on PostgreSQL: what says *found* must be found, and what does not must really not be. The attacker does it well: he chains the hashes
again, puts the tables beside right, signs with the key that he has, and with the file of heads rewrites that too.

- **found**: a node stops the stream or refuses the command, and logs why; self-test and audit fail.
- **unmoved**: the node decides as though nothing had been done, since it does not go by that row, or knows better.
- **misled**: the node goes on from it. **missed**: the self-test or the audit says nothing.
- **running node**: has the stream in memory. **starting node**: with its file of heads. **audit**: with public keys alone, and no file of heads.
- **later**: an audit with the file of heads of another node; where that does not tell either, by what else.

- A **card** is found by the node when it is used: it is refused, and while the row of a protected patron is gone so is every card that nobody
  has come with ([patrons' cards](../how-to/operations.md#patrons-cards)). The self-test has the key ring and checks MACs; an audit sees only that a row is there.
- An **old key ring** certifies nobody an hour after its root key was replaced ([keys](../how-to/operations.md#keys)); until then its holder writes as a node. Of
  other purposes, MACs of cards' rows stay good: who has an old ring makes rows that are believed.
- An **answer** is missed by nodes within the period of its command, which is a shoe or a day; after that by the audit alone, and a
  command that is sent again is then done again.

In the first period the holder of a key writes the whole stream as though there never was another key: that his own is retired is
then gone as well, and only who remembers the stream knows it. A voucher that was set back is refused by every node until it expires; after
that only two people could pay it, and the audit finds it. *Backup*: a copy that lacks the last commit, changed and put back.

| what is done | |
|---|---|
"""


def page() -> str:
    """docs/reference/attacks.md."""
    lines = [f"| {attack} | {says} |" for attack, says in SAYS.items()]
    for holder in HOLDERS:
        rows = [_row(cell, said) for cell, said in EXPECTED.items() if cell.holder == holder]
        lines += ["", f"## Who holds {_the(holder)}", ""]
        lines += [f"| attack | place | {' | '.join(FINDERS)} |", "|---" * (len(FINDERS) + 2) + "|"]
        lines += rows
    return _HEAD + "\n".join(lines) + "\n" + house_part()


def _the(holder: str) -> str:
    return holder if holder.startswith("a ") else f"the {holder}"


def _row(cell: Cell, said: dict[Finder, Outcome]) -> str:
    *nodes, later = said.values()
    told: str = later
    if "found" not in said.values():
        told = BY_PEOPLE.get(cell.attack, later)
    return f"| {cell.attack} | {cell.place} | {' | '.join(nodes)} | {told} |"
