"""The journal for who inspects it: pages of a stream, one entry with its hashes, rows for a file.

Everything is read from the database, apart from the tables that play. Undealt cards are in no
journal; what the house's stream keeps of passwords and keys, which are hashes, is withheld all the
same.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words, join
from puntobanco.rules.game import Game
from puntobanco_floor.audit.refusals import NoSuchRecord
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.entry import Entry, write_entry
from puntobanco_floor.domain.event import Group
from puntobanco_floor.domain.ledger import WAGERS, is_patron
from puntobanco_floor.domain.stream_names import in_order, place_words
from puntobanco_floor.store.batch import transfers_of
from puntobanco_floor.store.reader import Reader, reading
from puntobanco_proof.entry.format import NOTHING, Fault, hash_entry, read_header
from puntobanco_proof.entry.record import Record

PAGE, MAX_PAGE = 60, 500
SCANNED = 20_000
"""Entries that one page looks through; where more are left, the answer says from where to go on."""

MAX_LINES = 1_000
"""Lines and postings that are told one by one; of more the number, or the sum."""

EXPORTED = 100_000
"""Entries in one file."""

WITHHELD = "(withheld)"


class StreamRow(Record):
    stream: str
    title: str
    seq: int
    hash: str
    at: int
    rounds: int


class Row(Record):
    """An entry in a line. `kind` is its chief event, `hash` the first eight digits."""

    seq: int
    at: int
    by: str
    command: str
    kind: str
    group: Group
    round: int | None
    clause: str
    says: Words
    hash: str


class Page(Record):
    """Newest first. `before` is where the next page begins; none at the stream's beginning."""

    stream: str
    last: int
    rows: list[Row]
    before: int | None


class Posting(Record):
    account: str
    cents: int  # what it gains; below zero, what it loses


class Raw(Record):
    """One entry as it is written, and the chain around it: what it says was before it, what the
    next says of it.
    """

    row: Row
    raw: str
    withheld: bool  # hashes of secrets are left out of `raw`
    prev: str
    before_hash: str  # of the entry before, computed anew
    hash: str  # of this entry, computed anew
    next_prev: str  # what the next entry, or the head, says it is
    agrees: bool
    postings: list[Posting]  # what it did to the ledger


def streams(database: str, titles: dict[str, tuple[str, int]]) -> list[StreamRow]:
    """`titles`: of the tables that are open, their game's title and the number of rounds."""
    with reading(database) as reader:
        standing = reader.streams()
    found = list[StreamRow]()
    for name in sorted(standing, key=in_order):
        seq, hash_, at = standing[name]
        title, rounds = titles.get(name, ("", 0))
        row = StreamRow(stream=name, title=title, seq=seq, hash=hash_, at=at, rounds=rounds)
        found.append(row)
    return found


def chief(entry: Entry) -> e.Event:
    """What an entry is about: not the approval, but what was approved."""
    return next((x for x in entry.events if not isinstance(x, e.ProposalApproved)), entry.events[0])


def row_of(entry: Entry, data: bytes, game: Game | None) -> Row:
    about = chief(entry)
    rounds = [event.round for event in entry.events if hasattr(event, "round")]
    clauses = [_clause(event, game) for event in (about, *entry.events)]
    says = join((event.says() for event in entry.events), en=" · ", zh=" · ")
    return Row(
        seq=entry.seq,
        at=entry.at,
        by=entry.by,
        command=entry.command,
        kind=type(about).__name__,
        group=about.traits.group,
        round=rounds[0] if rounds else None,
        clause=next(filter(None, clauses), ""),
        says=says,
        hash=hash_entry(data)[:8],
    )


def _clause(event: e.Event, game: Game | None) -> str:
    """A stream that is no table's, or has no game yet, knows only what the event cites itself."""
    if game is not None:
        return event.clause_in(game)
    return str(getattr(event, "clause", ""))


def shown(event: e.Event) -> e.Event:
    """The event without hashes of secrets."""
    names = [name for name in event.traits.secret if getattr(event, name) != ""]
    if names:
        return replace(event, **dict.fromkeys(names, WITHHELD))
    return event


def page(
    database: str,
    stream: str,
    game: Game | None,
    *,
    before: int | None = None,
    group: Group | None = None,
    text: str = "",
    clause: str = "",
    round_: int | None = None,
    limit: int = PAGE,
    definitions: Definitions = OURS,
) -> Page:
    """`text` is looked for in what a row says; `clause` is the beginning of one."""
    with reading(database, definitions) as reader:
        last = _last(reader, stream)
        top = min(before or last + 1, last + 1)
        rows = list[Row]()
        wanted = text.lower()
        for seq, data in reader.entries_before(stream, top, most=SCANNED):
            row = _row(reader, stream, seq, data, game)
            is_of = group in (None, row.group) and round_ in (None, row.round)
            if is_of and row.clause.startswith(clause) and wanted in _searched(row):
                rows.append(row)
            if len(rows) == limit:
                top = seq
                break
        else:
            top -= SCANNED
    return Page(stream=stream, last=last, rows=rows, before=top if top > 1 else None)


def _searched(row: Row) -> str:
    text = f"{row.kind} {row.says.en} {row.says.zh} {row.by} {row.command} {row.clause} {row.hash}"
    return text.lower()


def _row(reader: Reader, stream: str, seq: int, data: bytes, game: Game | None) -> Row:
    try:
        entry = reader.definitions.read(data, stream=stream, seq=seq)
    except Fault as fault:
        return _unreadable(seq, data, fault)
    return row_of(entry, data, game)


def _unreadable(seq: int, data: bytes, fault: Fault) -> Row:
    """An entry that cannot be read has a row that says so: it is what an inspector looks for."""
    return Row(
        seq=seq,
        at=0,
        by="",
        command="",
        kind="Unreadable",
        group="table",
        round=None,
        clause="",
        says=fault.words,
        hash=hash_entry(data)[:8],
    )


def _last(reader: Reader, stream: str) -> int:
    found = reader.streams().get(stream)
    if found is None:
        place = place_words(f"{stream:.40}").en
        raise NoSuchRecord(f"there is no record of {place}")
    return found[0]


def record(
    database: str,
    stream: str,
    seq: int,
    game: Game | None,
    *,
    definitions: Definitions = OURS,
) -> Raw:
    with reading(database, definitions) as reader:
        last = _last(reader, stream)
        around = dict(reader.entries(stream, after=seq - 2, upto=seq + 1))
        head = reader.streams()[stream][1]
    if not 1 <= seq <= last or seq not in around:
        place = place_words(stream).en
        raise NoSuchRecord(f"{place} has no entry {seq}; its last is {last}")
    data = around[seq]
    own = hash_entry(data)
    before = NOTHING if seq == 1 else hash_entry(around.get(seq - 1, b""))
    after = head if seq == last else prev_of(around.get(seq + 1, b""))
    prev = prev_of(data)
    written, postings, is_readable = data, list[Posting](), True
    try:
        entry = reader.definitions.read(data, stream=stream, seq=seq)
        row = row_of(entry, data, game)
        postings = postings_of(entry)
        events = tuple(map(shown, entry.events))
        if events != entry.events:
            written = write_entry(replace(entry, events=events)).data
    except Fault as fault:
        row, is_readable = _unreadable(seq, data, fault), False
    return Raw(
        row=row,
        raw=written.decode("utf-8", "replace"),
        withheld=written is not data,
        prev=prev,
        before_hash=before,
        hash=own,
        next_prev=after,
        agrees=is_readable and before == prev and own == after,
        postings=postings,
    )


def prev_of(data: bytes) -> str:
    try:
        return read_header(data)[0].prev
    except Fault:
        return ""


def postings_of(entry: Entry) -> list[Posting]:
    """Sum up what the entry did to each account: the house first, very many patrons as one."""
    moved = Counter[str]()
    for debit, credit, cents in transfers_of(entry):
        moved[debit] -= cents
        moved[credit] += cents
    ordered = sorted(
        moved.items(), key=lambda item: (is_patron(item[0]), item[0] != WAGERS, item[0])
    )
    found = [Posting(account=account, cents=cents) for account, cents in ordered[:MAX_LINES]]
    if rest := ordered[MAX_LINES:]:
        others = sum(cents for _, cents in rest)
        found.append(Posting(account=f"{len(rest)} other sessions", cents=others))
    return found


# To a file

_HEADER = ("stream", "entry", "time", "by", "command", "event", "round", "clause", "what", "hash")


def as_csv(
    database: str,
    stream: str,
    game: Game | None,
    *,
    first: int | None = None,
    last: int | None = None,
    definitions: Definitions = OURS,
) -> str:
    """Write the rounds from `first` to `last`, or the whole stream, and what was left off."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(_HEADER)
    with reading(database, definitions) as reader:
        end = _last(reader, stream)
        for n, (seq, data) in enumerate(_of_rounds(reader, stream, first, last)):
            if n == EXPORTED:
                write([f"the first {EXPORTED:,} entries; entries {seq} to {end} were left off"])
                break
            row = _row(reader, stream, seq, data, game)
            at = datetime.fromtimestamp(row.at / 1000, UTC).isoformat(timespec="milliseconds")
            what = row.by, row.command, row.kind, row.round or "", row.clause, row.says.en
            write([stream, seq, at, *what, hash_entry(data)])
    return out.getvalue()


def _of_rounds(
    reader: Reader, stream: str, first: int | None, last: int | None
) -> Iterator[tuple[int, bytes]]:
    if first is None and last is None:
        yield from reader.entries(stream)
        return
    kept = reader.snapshot_before(stream, first) if first else None
    within = not first
    for seq, data in reader.entries(stream, after=kept[0] if kept else 0):
        entry = reader.definitions.read(data, stream=stream, seq=seq)
        opened = e.round_opened(entry.events)
        if opened is not None:
            if last is not None and opened > last:
                return
            within = within or opened >= (first or 0)
        if within:
            yield seq, data
