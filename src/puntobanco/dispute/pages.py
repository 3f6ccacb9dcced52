"""A dispute for people: the round, its evidence, the rules as played, and how to check it all by
hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from puntobanco.dispute.disclosed import Link
from puntobanco.dispute.facts import Dispute, Outcome, Promise, Segment, line_text
from puntobanco.document import Document, Table
from puntobanco.journal import Head
from puntobanco.reports.interval import moment
from puntobanco.reports.pages import DEMO
from puntobanco.reports.sections import Section
from puntobanco.rules.citations import citation
from puntobanco.rules.game import Game
from puntobanco.rules.words import heading, rules_page

_METHOD = (
    "Everything here is taken from the entries of the journal that lie in this folder. "
    "Each entry holds the hash of "
    "the one before it, and signed heads stand before and after the round: no entry can be "
    "changed, left out or put in."
)

HOW = """How to check this pack, without the program that made it

1. The entries. Each line of entries-*.jsonl that begins with [ is one entry of the journal, [header,salt,part,...]. The
   hash of an entry is the SHA-256 of its header, the bytes as they stand; the next header has it in its field "prev":
       sed -n 1p entries-FIRST-LAST.jsonl | grep -o '{"at":[^}]*}' | head -1 | tr -d '\\n' | sha256sum
   "root" in the header is the root of a Merkle tree (RFC 6962) over its "size" parts: who gave the command, the events,
   and behind an event each patron's line of it. Leaf i is the SHA-256 of a byte of zero, 16 bytes of salt, and part i as
   it stands; that salt is the first 16 bytes of the SHA-256 of the entry's salt and i in 4 bytes. A node is the SHA-256
   of a byte of one and the two hashes below it; one that is left over goes up as it is.
2. What is shown in part. A line that begins with { stands for an entry that names other patrons: it has the header, and
   of its parts those that name nobody else, each with its own salt, its place from 0 among "size" in the header, and as
   "proof" the hashes beside the way to the root. Hash the header in the same way; hash a part to its leaf, then go up:
   from an even place the next hash of the proof is on the right, from an odd place on the left, where there is one
   beside it; halve the place at each step.
3. The signatures. head-N.json says which hash entry N has; head-N.sig is its Ed25519 signature by the node that wrote
   it, key-ID.pem the public key of that node, with the ID that head-N.json names:
       openssl pkeyutl -verify -pubin -inkey key-ID.pem -rawin -in head-N.json -sigfile head-N.sig
   node-ID.json names that key ("public": its 32 bytes) and the root key of the house that certifies it, ROOT:
       openssl pkeyutl -verify -pubin -inkey key-ROOT.pem -rawin -in node-ID.json -sigfile node-ID.sig
       openssl pkey -pubin -in key-ID.pem -outform DER | tail -c 32 | od -An -tx1 | tr -d ' \\n'
   It counts for entry N if "nodes" in round.json has it with "since" at most N, and "until" 0 or more than N. The root
   key is the house's if its fingerprint is the one that the house, or the regulator, has given you otherwise:
       openssl pkey -pubin -in key-ROOT.pem -outform DER | tail -c 32 | sha256sum
4. The files. manifest.json has the SHA-256 of every other file, and manifest.sig is its signature by a root key, which
   is named in it, checked in the same way.
5. The cards of a virtual shoe. The commitment in the journal is the SHA-256 of the text "puntobanco shoe 1", a byte of
   zero, the nonce, and the cards from the first to the last, one byte each (13 times the suit, and the rank from 0).
6. The settlement. Every line names the clause it follows from; rules.md is the rulebook as it was played. game.json is
   the definition it was settled by, as the entry that opened the table carries it; for a designer's own game
   game-source.txt is the file that made it, to be read and not to be run.

With the program: puntobanco dispute --verify FOLDER
"""


def document(
    dispute: Dispute, game: Game, links: dict[str, list[Link]], heads: list[Head]
) -> Document:
    c = dispute.context
    told = dispute.told
    facts = [
        ("House", c.house or "not set up"),
        ("Table and round", f"{c.stream} round {c.round}"),
        ("Game", f"{game.title.en}, {c.rules}, definition {c.digest[:12]}"),
        ("Shoe", f"{c.shoe}, {c.decks} decks, {c.dealing}, {c.source}"),
        ("Shown", f"session {c.session} only" if c.session else "all sessions"),
        ("Made", f"{moment(c.at)} UTC by {c.program}"),
    ]
    title = f"Dispute: {c.stream} round {c.round}, {c.house or 'not set up'}"
    if c.demo:
        title = f"DEMO: {title}"
        facts.insert(0, ("Demonstration", DEMO))
    tables = [
        CARDS.table(told.cards),
        WAGERS.table(told.stakes),
        *map(_outcome, told.outcomes),
        ACTS.table(told.acts),
        Table(
            "Commitments and reveals",
            ("entry", "time, UTC", "bytes"),
            [(str(x.entry), moment(x.at), _promise(x)) for x in told.promises],
            text=("time, UTC",),
        ),
    ]
    entries = [(link.row.decode(),) for own in links.values() for link in own]
    how = [(line,) for line in HOW.splitlines()[2:] if line]
    appendix = [
        *_rules(game),
        _chain(c.segments, links, heads),
        Table("The entries", ("bytes",), entries),
        Table("How to check it", ("what",), how, text=("what",)),
    ]
    found = [table if table.rows else Table(table.title, (), [], note="None") for table in tables]
    return Document(title, _METHOD, facts, found, [], appendix, landscape=True)


CARDS = Section("Cards in order", "entry | slot | card | when=why | clause", text=("slot", "card"))
WAGERS = Section(
    "Wagers",
    "entry | time, UTC=at | who=by | session | bet | did=what | amount=by_cents | "
    "stake then=stake_cents",
    text=("time, UTC", "who", "session", "bet", "did"),
)
ACTS = Section(
    "Who did what",
    "entry | time, UTC=at | who=by | command | what",
    text=("time, UTC", "who", "command"),
)
_LINES = (
    "session",
    "bet",
    "stake",
    "outcome",
    "winnings",
    "returned",
    "bonus",
    "set off",
    "clause",
)


def _outcome(outcome: Outcome) -> Table:
    title = f"Entry {outcome.entry}, {moment(outcome.at)}: {outcome.what} {outcome.result}"
    note = f"clause {outcome.clause}. {outcome.note}".strip()
    if outcome.cards:
        note = f"cards {outcome.cards}"
    rows = [line_text(line) for line in outcome.lines]
    return Table(title.rstrip(), _LINES, rows, text=("bet", "outcome"), note=note)


def _chain(segments: list[Segment], links: dict[str, list[Link]], heads: list[Head]) -> Table:
    keys = {head.seq: f"key {head.key}" for head in heads}
    rows = list[tuple[str, str, str]]()
    for segment in segments:
        for seq, link in enumerate(links[segment.file], segment.first):
            rows.append((str(seq), link.hash, keys.get(seq, "")))
    return Table("The chain of hashes", ("entry", "bytes", "signed"), rows, text=("signed",))


def _promise(row: Promise) -> str:
    if row.commitment:
        return f"commitment {row.commitment}"
    return f"revealed {row.order} nonce {row.nonce}"


def _rules(game: Game) -> Iterator[Table]:
    for section in rules_page(game):
        if section.rows:
            columns = [column.en for column in section.columns]
            rows = [
                (*(cell.en for cell in row.cells), citation(row.clause, "en"))
                for row in section.rows
            ]
            yield Table(
                f"Rules: {section.title.en}", (*columns, "clause"), rows, text=tuple(columns)
            )


def rules_text(game: Game) -> str:
    """The rules page as played, in Markdown."""
    lines = [f"# {game.title.en}", "", f"{heading(game).en}"]
    for table in _rules(game):
        title = table.title.removeprefix("Rules: ")
        lines += ["", f"## {title}", "", f"| {' | '.join(table.columns)} |"]
        lines.append("|---" * len(table.columns) + "|")
        lines += [f"| {' | '.join(row)} |" for row in table.rows]
    return "\n".join(lines) + "\n"
