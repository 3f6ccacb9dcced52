"""Pages of a dispute pack: the round, its evidence, the rules, how to check it by hand."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

import puntobanco_floor.domain.table.events as e
from puntobanco.base.citations import citation
from puntobanco.document import Document, Table
from puntobanco.rules.cards import name, parse_card
from puntobanco.rules.game import Game
from puntobanco.rules.rules_page import heading, rules_page
from puntobanco_floor.domain.table.mixing import shuffled_words
from puntobanco_floor.evidence.disclosure import Link
from puntobanco_floor.evidence.pack_format import Card, Dispute, Outcome, Promise, Segment
from puntobanco_floor.reports.interval import moment
from puntobanco_floor.reports.report_pages import DEMO, Section
from puntobanco_proof.entry.heads import Head

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
   it stands; that salt is bytes 16i to 16i + 15 of SHAKE-128 over the 16 bytes of the entry's salt. A node is the
   SHA-256 of a byte of one and the two hashes below it; one that is left over goes up as it is.
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
   Where "mix" in the shoe's start names witnesses, it is dealt in another order. Each has signed, with the RSA key in
   "mix_keys" (PKCS#1 v1.5, SHA-256), five lines: puntobanco mix 1, "log", the table, the shoe, the commitment, each with
   its end. In base64, "mix_keys" has 294 bytes of DER and eight roots of 256 bytes, which prove that no message has two
   signatures: root i to the power 65537, modulo the key's modulus, is SHAKE-256 of the line "puntobanco mix key 1", the
   modulus and the byte i, read to 272 bytes, modulo the modulus. The seed is the SHA-256 of the line
   "puntobanco mix seed 1", the 32 bytes of the commitment and the signatures in the order of the names. Shuffle the committed order from the first place on: for place i of n swap it with place i + r,
   where r is the next 32-bit word of SHAKE-256 over the seed that is below the largest multiple of n - i, modulo n - i.
6. The settlement. Every line names the clause it follows from; rules.md is the rulebook as it was played. game.json is
   the definition it was settled by, as the entry that opened the table carries it; for a designer's own game
   game-source.txt is the file that made it, to be read and not to be run.

With the program: puntobanco dispute --verify FOLDER
"""


def build_document(
    dispute: Dispute, game: Game, links: dict[str, list[Link]], heads: list[Head]
) -> Document:
    c = dispute.context
    told = dispute.told
    facts = [
        ("House", c.house or "not set up"),
        ("Table and round", f"{c.stream} round {c.round}"),
        ("Game", f"{game.title.en}, {c.rules}, definition {c.digest[:12]}"),
        ("Shoe", f"{c.shoe}, {c.decks} decks, {c.dealing}, {c.source}"),
        ("Shuffled", _shuffled(dispute, links)),
        ("Shown", f"session {c.session} only" if c.session else "all sessions"),
        ("Made", f"{moment(c.at)} UTC by {c.program}"),
    ]
    title = f"Dispute: {c.stream} round {c.round}, {c.house or 'not set up'}"
    if c.demo:
        title = f"DEMO: {title}"
        facts.insert(0, ("Demonstration", DEMO))
    tables = [
        CARDS.table(map(_card_in_words, told.cards)),
        WAGERS.table(replace(stake, bet=_title(game, stake.bet)) for stake in told.stakes),
        *(_outcome(game, outcome) for outcome in told.outcomes),
        ACTS.table(told.acts),
        Table(
            "Commitments and reveals",
            ("entry", "time, UTC", "bytes"),
            [
                *((str(x.entry), moment(x.at), _promise(x)) for x in told.promises),
                *_mixes(links, c.shoe),
            ],
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
LINES = Section(
    "",
    "session | bet | stake=stake_cents | outcome | winnings=winnings_cents | "
    "returned=returned_cents | bonus=bonus_cents | set off=set_off_cents | clause",
    text=("bet", "outcome"),
)


def _card_in_words(row: Card) -> Card:
    """Name its place and the card as people say them, with its code."""
    card = f"{name(parse_card(row.card)).en} ({row.card})"
    return replace(row, slot=e.PLACES[row.slot], card=card)


def _title(game: Game, bet: str) -> str:
    titles = {each.id: each.title.en for each in game.bets}
    return titles.get(bet, bet)


_WON = {"P": "Player wins", "B": "Banker wins", "T": "Tie", "VOID": "void"}
_PAIRS = {"p": "Player Pair", "b": "Banker Pair"}


def result_words(result: str) -> str:
    """
    >>> result_words("Bb"), result_words("T"), result_words("VOID"), result_words("")
    ('Banker wins, Banker Pair', 'Tie', 'void', '')
    """
    if result in _WON or not result:
        return _WON.get(result, "")
    pairs = [_PAIRS[letter] for letter in result[1:] if letter in _PAIRS]
    return ", ".join([_WON.get(result[0], result), *pairs])


def _outcome(game: Game, outcome: Outcome) -> Table:
    what = f"{outcome.what}, {result_words(outcome.result)}" if outcome.result else outcome.what
    title = f"Entry {outcome.entry}, {moment(outcome.at)} UTC: {what}"
    note = f"clause {outcome.clause}. {outcome.note}".strip()
    if outcome.cards:
        note = f"cards {outcome.cards}"
    lines = list[e.Line]()
    for line in outcome.lines:
        clauses = f"{line.clause} {line.bonus_clause}".strip()
        lines.append(replace(line, bet=_title(game, line.bet), clause=clauses))
    return LINES._replace(title=title.rstrip(), note=note).table(lines)


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


def _shuffled(dispute: Dispute, links: dict[str, list[Link]]) -> str:
    """Who has a part in the order of its shoe."""
    shoe = dispute.context.shoe
    events = (event for own in links.values() for link in own for event in link.entry.events)
    start = e.start_of(events, shoe)
    if start is None:
        return "its start is not in this pack"
    return shuffled_words(start.dealing, start.source, start.mix).en


def _mixes(links: dict[str, list[Link]], shoe: int) -> Iterator[tuple[str, str, str]]:
    """The answers of witnesses, and the seed from them, as rows of the promises."""
    for own in links.values():
        for link in own:
            event = e.mix_in(link.entry.events, shoe)
            if event is not None:
                answers = [f"{name} {hex_}" for name, hex_ in sorted(event.signatures.items())]
                text = f"mixed by {', '.join(answers)} seed {event.seed}"
                yield str(link.entry.seq), moment(link.entry.at), text


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
