"""Rulings to look at: an older journal with voids that today's table refuses replays, is sound, and has them listed."""

from pathlib import Path

import pytest

from puntobanco.rules.irregularities import GROUNDS
from puntobanco_floor.audit.floor_audit import audit, audit_reader
from puntobanco_floor.audit.round_review import review_round
from puntobanco_floor.domain.stream_rules import BeginEpoch
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.rulings import DoubtfulRuling
from puntobanco_floor.evidence.pack import make_pack
from puntobanco_floor.evidence.pack_verifier import verify_files
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.batch import state_hash
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside
from tests.storage.played import TABLE, Script
from tests.support.claims import reads
from tests.support.older_program import OLDER
from tests.test_cli import Runner

FALSE = ("foreign-card", "wrong-card-count", "cards-drawn-together", "order-altered")
"""Card grounds of the MBS books; too few cards and a malfunction besides."""


def void(script: Script, ground: str, *, cards: int = 3, cards_left: int | None = None) -> None:
    """A round with a wager, some cards, and a void by sam and sue."""
    script.do(c.OpenBets(by="dora"))
    number = script.store.table(TABLE).state.rounds
    script.do(c.PlaceWager(by="ann", round=number, session="ann", bet="player", stake_cents=10_000))
    script.do(c.CloseBets(by="dora"))
    for _ in range(cards):
        script.do(c.DealCard(by="dora"))
    script.do(c.DeclareIrregularity(by="dora", ground=ground, cards_left=cards_left))
    asked = script.do(c.VoidRound(by="sam"))
    script.do(c.Approve(by="sue", proposal=asked.proposal))


def begun(store: SqliteStore, game: str = "rapid", *, source: str = "shoe") -> Script:
    script = Script(store)
    script.do(c.OpenTable(by="pit", game=game))
    script.do(c.SeatSession(by="ann", session="ann"))
    script.do(c.BuyIn(by="cage", session="ann", cents=500_000))
    script.do(c.NewShoe(by="pit", dealing="virtual", source=source))  # type: ignore[arg-type]
    return script


def renewed(script: Script) -> None:
    """Another shoe, where the ground has retired the one before."""
    if (shoe := script.store.table(TABLE).state.shoe) and shoe.spoiled:
        script.do(c.EndShoe(by="pit"))
        script.do(c.NewShoe(by="pit", dealing="virtual"))


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """Six false voids and a settled round, by a program before 0.3.0."""
    path = tmp_path / "older.db"
    with SqliteStore(path, clock=False, definitions=OLDER) as store:
        script = begun(store)
        for ground in FALSE:
            void(script, ground)
            renewed(script)
        void(script, "insufficient-cards", cards_left=0)
        void(script, "malfunction")
        script.do(c.OpenBets(by="dora"))
        script.do(c.CloseBets(by="dora"))
        script.deal()
    return path


@reads(49)
def test_an_older_journal_with_false_voids_replays_and_its_voids_are_listed(older: Path) -> None:
    report = audit(older)
    assert report.sound, report.fault
    assert (report.voids, report.rounds) == (6, 1)
    found = [(ruling.round, ruling.ground, ruling.clause) for ruling in report.rulings]
    assert found == [
        (1, "foreign-card", "5.1"),
        (2, "wrong-card-count", "5.2"),
        (3, "cards-drawn-together", "5.3"),
        (4, "order-altered", "5.4"),
        (5, "insufficient-cards", "5.5"),
        (6, "malfunction", "reading 31"),
    ]
    assert {(r.stream, r.proposed_by, r.approved_by) for r in report.rulings} == {
        (TABLE, "sam", "sue")
    }
    whys = [ruling.why for ruling in report.rulings]
    assert whys[:4] == ["void on a ground that cannot exist at a server-dealt table"] * 4
    assert "shoe held" in whys[4]
    assert "declared" in whys[5]
    with SqliteStore(older, clock=False, definitions=OLDER) as store:
        before = state_hash(store.stream(TABLE))
    with SqliteStore(older, clock=False) as store:
        assert state_hash(store.stream(TABLE)) == before


def test_the_entry_that_is_listed_is_the_void(older: Path) -> None:
    with SqliteStore(older, clock=False) as store:
        rows = dict(store.entries(TABLE))
    for ruling in audit(older).rulings:
        assert b"RoundVoided" in rows[ruling.seq]


def test_the_command_lists_them_and_still_says_sound(
    older: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Runner(capsys, monkeypatch)
    said = run("audit", "--database", str(older))
    assert said.status == 0
    assert "sound: the journal" in said.out
    assert "rulings to look at: 6; they do not change the verdict" in said.out
    flat = " ".join(said.out.split())
    assert "foreign-card [5.1] by sam and sue; void on a ground that cannot exist" in flat
    found = run("audit", "--database", str(older), "--json").json
    assert found["sound"] is True
    assert [DoubtfulRuling(**each).round for each in found["rulings"]] == [1, 2, 3, 4, 5, 6]


def test_a_review_of_such_a_round_shows_that_the_ground_cannot_be(older: Path) -> None:
    for number, is_doubted in ((1, True), (5, True), (6, False)):
        found = review_round(str(older), TABLE, number, rounds=7)
        doubted = [check for check in found.checks if check.clause == "reading 49"]
        assert [check.agrees for check in doubted] == [False] * is_doubted


def test_a_dispute_pack_of_such_a_round_names_the_ruling(older: Path) -> None:
    ring = KeyRing.load(beside(older, "keys"))
    for number, is_doubted in ((1, True), (5, True), (6, False), (7, False)):
        files = make_pack(str(older), TABLE, number, ring=ring, now=1_773_000_000_000)
        verdict = verify_files(files, known=ring.public())
        assert verdict.sound, verdict.fault
        doubted = [text for text in verdict.unproven if "the ruling on round" in text]
        assert len(doubted) == is_doubted


def test_a_round_that_a_recovery_voids_is_not_listed(tmp_path: Path) -> None:
    """What was lost of it is not known, whether or not the server can read the cards."""
    path = tmp_path / "recovered.db"
    with SqliteStore(path, clock=False) as store:
        script = begun(store)
        script.do(c.OpenBets(by="dora"))
        script.do(c.CloseBets(by="dora"))
        script.do(c.DealCard(by="dora"))
        script.do(BeginEpoch(by="sam", second="sue", epoch=2, reason="a drill"))
    with reading(str(path)) as reader:
        report = audit_reader(reader, heads=None, trust=None)
    assert report.sound, report.fault
    assert (report.voids, report.rulings) == (1, [])


@reads(49)
def test_physical_rounds_void_by_rule_are_not_listed(tmp_path: Path) -> None:
    """On each ground of the book, by two people; and a malfunction."""
    path = tmp_path / "dealer.db"
    with SqliteStore(path, clock=False) as store:
        script = Script(store)
        script.do(c.OpenTable(by="pit", game="rapid"))
        for ground in (*(each.id for each in GROUNDS), "malfunction"):
            if ground == "wrong-deck-count":  # no ground of this book
                continue
            script.do(c.NewShoe(by="pit", dealing="physical"))
            script.do(c.OpenBets(by="dora"))
            script.do(c.CloseBets(by="dora"))
            script.do(c.EnterCard(by="dora", card="9s"))
            left = 0 if ground == "insufficient-cards" else None
            script.do(c.DeclareIrregularity(by="dora", ground=ground, cards_left=left))
            asked = script.do(c.VoidRound(by="sam"))
            script.do(c.Approve(by="sue", proposal=asked.proposal))
            script.do(c.EndShoe(by="pit"))
    report = audit(path)
    assert report.sound, report.fault
    assert (report.voids, report.rulings) == (6, [])


def test_a_continuous_shoe_that_reveals_its_cards_in_a_void_is_listed(tmp_path: Path) -> None:
    """The void itself shows that the server could read them."""
    path = tmp_path / "continuous.db"
    with SqliteStore(path, clock=False, definitions=OLDER) as store:
        script = begun(store, "super-six-plus", source="continuous")
        void(script, "malfunction")
        void(script, "wrong-card-count")
    report = audit(path)
    assert report.sound, report.fault
    assert [ruling.ground for ruling in report.rulings] == ["malfunction", "wrong-card-count"]
