"""The audit finds whatever is changed: every byte, every missing, moved or cut entry, every table beside the journal."""

import itertools
import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from puntobanco_floor.audit import floor_audit as audit_module
from puntobanco_floor.audit.floor_audit import Report, audit, audit_reader
from puntobanco_floor.audit.stream_checks import audit_stream
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import chained, read_entry
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import NodeKey, Trust
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.reader import Reader, reading
from puntobanco_floor.store.schema import APPEND_ONLY
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside
from puntobanco_proof.entry.format import Fault, canonical, hash_entry, read_header
from puntobanco_proof.entry.heads import Head, read_head
from tests.storage.played import TABLE, Script, played
from tests.support.served import rerooted

ENTRIES = 200
SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
STEP = 1 if SLOW else 7


class Held:
    """A database in memory that can be spoiled and looked at again and again."""

    def __init__(self, path: Path) -> None:
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        with sqlite3.connect(path) as source:
            source.backup(memory)
        source.close()
        for table in APPEND_ONLY:
            for what in ("update", "delete"):
                memory.execute(f"DROP TRIGGER {table}_no_{what}")
        engine = create_engine("sqlite://", creator=lambda: memory, poolclass=StaticPool)
        self.connection: Connection = engine.connect()
        self.reader = Reader(self.connection)
        self.rows = list(self.reader.entries(TABLE))
        self.heads = [
            read_head(line, n)
            for n, line in enumerate(beside(path, "heads").read_bytes().splitlines(), 1)
        ]
        self.ring = KeyRing.load(beside(path, "keys"))
        self.trust = Trust(self.ring.public())
        self.node = NodeKey.at(beside(path, "node"), self.ring)
        self.do = memory.execute

    def audit(self, *, heads: bool = True) -> Report:
        return audit_reader(self.reader, heads=self.heads if heads else None, trust=self.trust)

    def fault_after(
        self, *statements: tuple[str, tuple[object, ...]], heads: bool = True
    ) -> str | None:
        """The fault that is found when these are done, and undone again."""
        self.do("SAVEPOINT spoiled")
        try:
            for sql, values in statements:
                self.do(sql, values)
            return self.audit(heads=heads).fault
        finally:
            self.do("ROLLBACK TO spoiled")

    def changes(self, sql: str, values: tuple[object, ...] = ()) -> int:
        """How many rows it would change."""
        self.do("SAVEPOINT tried")
        try:
            return self.do(sql, values).rowcount
        finally:
            self.do("ROLLBACK TO tried")

    def put(self, seq: int, data: bytes) -> tuple[str, tuple[object, ...]]:
        return "UPDATE entries SET data = ? WHERE stream = ? AND seq = ?", (data, TABLE, seq)

    def close(self) -> None:
        self.connection.close()


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Held]:
    path = tmp_path_factory.mktemp("audit") / "small.db"
    played(path, entries=ENTRIES)
    found = Held(path)
    yield found
    found.close()


def some(rows: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Every seventh entry and the last two; all of them in `make slow`."""
    return rows[:-2:STEP] + rows[-2:]


def flipped(data: bytes, at: int, bit: int = 1) -> bytes:
    return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]


def test_what_nobody_touched_is_sound_and_says_what_it_cannot_prove(held: Held) -> None:
    report = held.audit()
    assert report.fault is None
    assert len(held.rows) >= ENTRIES
    assert report.rounds >= 15  # three shoes of six rounds at least, every fifth round void
    assert report.voids >= 3
    assert report.signatures > report.rounds
    assert any("in play: its commitment" in line for line in report.unproven)


def test_every_single_byte_of_every_entry_is_held_by_the_chain(held: Held) -> None:
    """Each byte of 200 entries changed in turn, or every seventh. The chain is the first thing an audit checks, from the entry on."""
    head, changed = "0" * 64, 0
    standing = held.reader.streams()[TABLE][1]
    for i, (seq, data) in enumerate(held.rows):
        after = held.rows[i + 1 : i + 2]
        for at in range(i % STEP, len(data), STEP):
            found, last = False, head
            try:
                *_, (_, last) = chained(
                    [(seq, flipped(data, at)), *after], TABLE, seq=seq - 1, head=head
                )
            except Fault:
                found = True
            assert found or (not after and last != standing), f"entry {seq}, byte {at}"
            changed += 1
        head = hash_entry(data)
    assert changed > 50_000 // STEP


def test_any_byte_changed_in_the_database_is_found(held: Held) -> None:
    """The whole audit, with one byte of an entry changed: another bit of another byte each time."""
    chance = random.Random(1)
    for seq, data in some(held.rows):
        spoiled = flipped(data, chance.randrange(len(data)), 1 << chance.randrange(8))
        assert held.fault_after(held.put(seq, spoiled)), f"entry {seq}"


def test_any_entry_taken_out_is_found(held: Held) -> None:
    last = held.rows[-1][0]
    for seq, _ in some(held.rows):
        delete = ("DELETE FROM entries WHERE seq = ?", (seq,))
        assert held.fault_after(delete), f"entry {seq}"
        if seq < last:  # and also when those after it move up
            aside = ("UPDATE entries SET seq = -seq WHERE seq > ?", (seq,))
            closed_up = ("UPDATE entries SET seq = -seq - 1 WHERE seq < 0", ())
            assert held.fault_after(delete, aside, closed_up), f"entry {seq}, closed up"


def test_any_two_neighbours_changed_over_are_found(held: Held) -> None:
    for seq, data in some(held.rows[:-1]):
        other, after = held.rows[seq]  # entries are numbered from 1
        assert held.fault_after(held.put(seq, after), held.put(other, data)), (
            f"entries {seq} and {other}"
        )


def test_every_cut_tail_is_found_with_the_file_of_heads(held: Held) -> None:
    """Entries, transfers, signatures, snapshots, vouchers and balances cut to any length, and the head put right."""
    hashes = {seq: hash_entry(data) for seq, data in held.rows}
    for cut, _ in some(held.rows[:-1]):
        tables = [
            (f"DELETE FROM {t} WHERE seq > ?", (cut,))
            for t in ("entries", "transfers", "heads", "snapshots")
        ]
        head = ("UPDATE streams SET seq = ?, hash = ?", (cut, hashes[cut]))
        fault = held.fault_after(*tables, head)
        assert fault, f"cut to {cut}"


def test_a_tail_cut_with_everything_made_to_fit_is_found_only_by_the_file_of_heads(
    held: Held,
) -> None:
    """The case the file is for: a database set back whole. Without the file it looks sound, and the audit says so."""
    cut = next(seq for seq, data in reversed(held.rows) if b'"RoundSettled"' in data)
    balances = balances_at(held, cut)
    statements: list[tuple[str, tuple[object, ...]]] = [
        *(
            (f"DELETE FROM {t} WHERE seq > ?", (cut,))
            for t in ("entries", "transfers", "heads", "snapshots")
        ),
        ("UPDATE streams SET seq = ?, hash = ?", (cut, hash_entry(held.rows[cut - 1][1]))),
        ("UPDATE streams SET at = ?", (read_header(held.rows[cut - 1][1])[0].at,)),
        ("DELETE FROM balances", ()),
        *(
            ("INSERT INTO balances VALUES (?, ?, ?)", (TABLE, a, cents))
            for a, cents in balances.items()
        ),
        ("DELETE FROM vouchers WHERE issued_seq > ?", (cut,)),
        ("DELETE FROM answers WHERE json_extract(CAST(answer AS TEXT), '$.seq') > ?", (cut,)),
        (
            "UPDATE vouchers SET redeemed_stream = NULL, redeemed_seq = NULL WHERE redeemed_seq > ?",
            (cut,),
        ),
    ]
    assert held.fault_after(*statements, heads=False) is None
    assert "the tail was cut off" in str(held.fault_after(*statements))


def balances_at(held: Held, seq: int) -> dict[str, int]:
    from puntobanco_floor.store.batch import Stream  # noqa: PLC0415

    stream = Stream.empty(TABLE, OURS.table)
    for entry, head in chained(held.rows[:seq], TABLE):
        stream.follow(entry, head)
    return stream.balances


def rewritten(
    held: Held, change: Callable[[int, bytes], bytes], *, keys: bool = False
) -> list[tuple[str, tuple[object, ...]]]:
    """The journal with a change and every hash after it put right; with the keys every signature too."""
    statements, head = list[tuple[str, tuple[object, ...]]](), "0" * 64
    for seq, data in held.rows:
        again = rerooted(change(seq, data), prev=head)
        head = hash_entry(again)
        statements.append(held.put(seq, again))
        if keys:
            own = held.node.sign(TABLE, 1, seq, head)
            put = "UPDATE heads SET hash = ?, key = ?, signature = ? WHERE seq = ?"
            statements.append((put, (own.hash, own.key, own.signature, seq)))
    return [*statements, ("UPDATE streams SET hash = ?", (head,))]


def test_a_journal_rewritten_with_all_its_hashes_is_found_by_its_signatures(held: Held) -> None:
    # in the last period: one that is sealed is found by its snapshot
    seq = next(seq for seq, data in reversed(held.rows) if b'"by":"ann","command"' in data)
    changed = rewritten(
        held, lambda n, data: data.replace(b'"by":"ann"', b'"by":"eve"') if n == seq else data
    )
    assert "is not the entry" in str(held.fault_after(*changed, heads=False))
    none = ("DELETE FROM heads", ())
    assert held.fault_after(*changed, none, heads=False)
    assert "no node has signed what comes after entry 0" in str(held.fault_after(none, heads=False))


def test_a_settlement_that_is_not_by_the_rules_is_found_whatever_the_hashes_say(held: Held) -> None:
    seq, old = next((seq, data) for seq, data in held.rows if b'"wins",' in data)
    line = next(
        x for e in read_entry(old).events for x in getattr(e, "lines", ()) if x.outcome == "wins"
    )
    right = f'"wins",{line.winnings_cents},'.encode()
    wrong = f'"wins",{line.winnings_cents + 10},'.encode()
    changed = rewritten(
        held, lambda n, data: data.replace(right, wrong, 1) if n == seq else data, keys=True
    )
    report = held.fault_after(*changed, heads=False)
    assert "the table of transfers differs" in str(report) or "the rules say" in str(report)


def test_every_table_beside_the_journal_is_checked(held: Held) -> None:
    spoiled = {
        "transfers: another amount": (
            "UPDATE transfers SET cents = cents + 1 WHERE seq = (SELECT max(seq) FROM transfers)",
            (),
        ),
        "transfers: one missing": (
            "DELETE FROM transfers WHERE seq = (SELECT max(seq) FROM transfers)",
            (),
        ),
        "transfers: one too many": (
            "INSERT INTO transfers VALUES ('table:1', 999999, 0, 'bank', 'cage', 1)",
            (),
        ),
        "balances: another amount": (
            "UPDATE balances SET cents = cents + 1 "
            "WHERE account = (SELECT max(account) FROM balances)",
            (),
        ),
        "balances: an account too many": (
            "INSERT INTO balances VALUES ('table:1', 'session:eve', 100)",
            (),
        ),
        "heads: a signature": ("UPDATE heads SET signature = replace(signature, 'a', 'b')", ()),
        "heads: one missing": ("DELETE FROM heads WHERE seq = (SELECT min(seq) FROM heads)", ()),
        "heads: one for nothing": (
            "UPDATE heads SET seq = 999999 WHERE seq = (SELECT max(seq) FROM heads)",
            (),
        ),
        "snapshots: its bytes": ("UPDATE snapshots SET data = CAST(data AS TEXT) || ' '", ()),
        "snapshots: one missing": (
            "DELETE FROM snapshots WHERE seq = (SELECT max(seq) FROM snapshots)",
            (),
        ),
        "vouchers: another amount": ("UPDATE vouchers SET cents = cents + 1", ()),
        "vouchers: redeemed again": ("UPDATE vouchers SET redeemed_seq = NULL", ()),
        "vouchers: one from nowhere": (
            "INSERT INTO vouchers VALUES ('x', 1, 1, 'table:1', 1, NULL, NULL)",
            (),
        ),
        "answers: one missing": (
            "DELETE FROM answers WHERE command_id = (SELECT max(command_id) FROM answers)",
            (),
        ),
        "answers: done, and says refused": (
            "UPDATE answers SET answer = replace(CAST(answer AS TEXT), 'true', 'false')",
            (),
        ),
        "answers: one for nothing": (
            "INSERT INTO answers SELECT stream, 'eve', command_id, body, answer, at, refused_at "
            "FROM answers WHERE command_id = '5'",
            (),
        ),
        "streams: another number": ("UPDATE streams SET seq = seq + 1", ()),
        "streams: gone": ("DELETE FROM streams", ()),
    }
    idle = [what for what, statement in spoiled.items() if not held.changes(*statement)]
    assert not idle  # an account without money has no row: chance decides which ones have
    missed = [what for what, statement in spoiled.items() if held.fault_after(statement) is None]
    assert not missed


def test_a_stream_that_the_file_of_heads_knows_cannot_vanish(held: Held) -> None:
    gone = [
        (f"DELETE FROM {t}", ())
        for t in ("entries", "transfers", "heads", "snapshots", "balances", "streams", "vouchers")
    ]
    assert "not in the database" in str(held.fault_after(*gone))
    assert held.fault_after(*gone, heads=False) is None  # nothing is left to look at


def test_a_large_journal_is_found_out_at_any_place(tmp_path: Path) -> None:
    path = tmp_path / "large.db"
    played(path, entries=2_500 if SLOW else 600)
    held, chance = Held(path), random.Random(3)
    assert held.audit().fault is None
    for _ in range(12 if SLOW else 3):
        seq, data = chance.choice(held.rows)
        assert held.fault_after(held.put(seq, flipped(data, chance.randrange(len(data)))))
    held.close()


def test_cards_that_were_not_committed_to_are_found(held: Held) -> None:
    """A shoe's reveal with two cards changed over: the commitment no longer fits."""

    def swap(_: int, data: bytes) -> bytes:
        entry = read_entry(data)
        for event in entry.events:
            order = getattr(event, "order", "")
            if type(event).__name__ == "ShoeEnded" and order:
                cards = order.split()
                other = next(i for i, card in enumerate(cards) if card != cards[0])
                cards[0], cards[other] = cards[other], cards[0]
                return data.replace(order.encode(), " ".join(cards).encode())
        return data

    assert "committed to" in str(held.fault_after(*rewritten(held, swap, keys=True), heads=False))


def test_another_key_ring_does_not_pass(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    played(path, entries=30)
    other = tmp_path / "other.keys"
    KeyRing.fresh().save(other)
    assert "is not certified by a root key of this floor" in str(audit(path, keys=other).fault)


def test_half_a_line_at_the_end_of_the_file_of_heads_is_being_written_and_no_fault(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.db"
    played(path, entries=30)
    heads = beside(path, "heads")
    whole = heads.read_bytes()
    line = whole.splitlines(keepends=True)[-1]
    for part in (1, len(line) // 2, len(line) - 1):
        heads.write_bytes(whole + line[:part])
        assert audit(path).sound, line[:part]
    heads.write_bytes(whole.replace(b"\n", b'{"stream":"ta\n', 1))
    assert "line 1 of the file of heads cannot be read" in str(audit(path).fault)


def test_a_file_of_heads_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    played(path, entries=30)
    beside(path, "heads").write_bytes(b'{"no": "head"}\n')
    assert "line 1 of the file of heads" in str(audit(path).fault)
    beside(path, "heads").write_bytes(
        canonical(Head(stream=TABLE, epoch=1, seq=3, hash="0" * 64)) + b"\n"
    )
    assert "is not the entry that the file of heads knows" in str(audit(path).fault)


def test_keys_rotated_in_the_middle_of_a_table_still_prove_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with SqliteStore(path) as store:
        script = Script(store)
        script.do(c.OpenTable(by="pit", game="rapid"))
        script.do(c.NewShoe(by="pit"))
        for _ in range(2):
            script.do(c.OpenBets(by="d"))
            script.do(c.CloseBets(by="d"))
            script.deal()
            store.rotate_keys()
        script.do(c.EndShoe(by="pit"))
    report = audit(path)
    assert report.fault is None
    assert report.unproven == []
    assert len(KeyRing.load(beside(path, "keys")).signing) == 3


def test_a_continuous_shoe_commits_to_and_reveals_every_round(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with SqliteStore(path) as store:
        script = Script(store)
        script.do(c.OpenTable(by="pit", game="super-six-plus"))
        script.do(c.NewShoe(by="pit", source="continuous"))
        for _ in range(3):
            script.do(c.OpenBets(by="d"))
            script.do(c.CloseBets(by="d"))
            script.deal()
        script.do(c.EndShoe(by="pit"))
        assert store.ask(Request(stream=TABLE, id="x", command=c.CloseTable(by="pit"))).ok
    assert audit(path) == Report(
        streams=1, entries=audit(path).entries, rounds=3, shoes=1, signatures=audit(path).signatures
    )


# Several processes


@pytest.fixture
def three_tables(tmp_path: Path) -> Path:
    """Three streams, one of them with rounds and vouchers."""
    path = tmp_path / "two.db"
    played(path, entries=80)
    with SqliteStore(path, clock=False) as store:
        for stream in ("table:2", "table:3"):
            script = Script(store, stream)
            script.do(c.OpenTable(by="pit", game="rapid"))
            for n in range(20):
                script.do(c.SeatSession(by=f"s{n}", session=f"s{n}"))
    return path


def changed(path: Path, stream: str, seq: int) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER IF EXISTS entries_no_update")
        db.execute("UPDATE entries SET data = '[]' WHERE stream = ? AND seq = ?", (stream, seq))


def test_two_processes_come_to_the_same_as_one(
    three_tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_module, "MANY", 1)
    counts = list[int]()
    one = audit(three_tables, begin=lambda *_: counts.append)
    assert one.fault is None
    assert (one.streams, one.entries) == (3, sum(counts))
    both = list[int]()
    assert audit(three_tables, jobs=2, begin=lambda *_: both.append) == one
    assert sum(both) == sum(counts)
    changed(three_tables, "table:3", 5)
    changed(three_tables, "table:2", 7)
    one = audit(three_tables)
    assert one.fault is not None
    assert (one.fault_stream, one.fault_seq) == ("table:2", 7)
    assert audit(three_tables, jobs=2) == one, "the first fault, in the order of the streams"


def test_a_process_whose_view_is_later_counts_nothing_of_what_came_meanwhile(
    three_tables: Path,
) -> None:
    with reading(str(three_tables)) as reader:
        cut = reader.streams()["table:2"]
        before = audit_stream(reader, "table:2", cut, [], None)
    with SqliteStore(three_tables, clock=False) as store:
        script = Script(store, "table:2")
        script.ids = map(str, itertools.count(1_000))
        script.do(c.SeatSession(by="late", session="late"))
    with reading(str(three_tables)) as reader:
        after = audit_stream(reader, "table:2", cut, [], None)
        assert reader.streams()["table:2"].seq > cut.seq
        longer = audit_stream(reader, "table:2", cut._replace(seq=cut.seq + 9), [], None)
    assert before.fault is None
    assert after == before
    assert "was shortened while it was audited" in str(longer.fault)
    changed(three_tables, "table:2", cut.seq + 1)
    with reading(str(three_tables)) as reader:
        assert audit_stream(reader, "table:2", cut, [], None).fault is not None
