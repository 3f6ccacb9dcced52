"""Receipts of an older journal with voids that today's table refuses, as the house makes them: both verifiers mark them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.evidence.receipt import House, Maker, span_of_round, span_of_shoe
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.receipt_format import What, encode_receipt
from tests.storage.played import TABLE, Script
from tests.storage.test_rulings import begun, void
from tests.support.claims import reads
from tests.support.older_program import OLDER
from tests.verifier.both import Case, Said, verdicts

REFUSED, UNPROVEN = 1, 2


@contextmanager
def maker(path: Path) -> Iterator[Maker]:
    """Of a house without a log: its receipts are recorded and signed."""
    ring = KeyRing.load(path.with_name(f"{path.name}.keys"))
    with SqliteStore(path, clock=False) as store, reading(str(path)) as reader:
        yield Maker(reader, store.log, ring, House("Casino"))


def of_shoe(path: Path, number: int) -> Said:
    with maker(path) as house:
        what = What(kind="shoe", table=TABLE, shoe=number)
        data = encode_receipt(house.receipt(what, span_of_shoe(house.reader, TABLE, number)))
    [said] = verdicts([Case(data)])
    return said


def of_round(path: Path, number: int) -> Said:
    with maker(path) as house:
        what = What(kind="round", table=TABLE, round=number, session="ann")
        data = encode_receipt(house.receipt(what, span_of_round(house.reader, TABLE, number)))
    [said] = verdicts([Case(data)])
    return said


def void_marks(said: Said) -> list[tuple[str, str]]:
    return [(mark, text.partition(":")[0]) for mark, name, text in said.lines if name == "void"]


@reads(49)
def test_both_verifiers_mark_the_false_voids_of_a_shoe(tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    with SqliteStore(path, clock=False, definitions=OLDER) as store:
        script = begun(store)
        void(script, "wrong-card-count")
        void(script, "insufficient-cards", cards_left=0)
        void(script, "malfunction", cards=1)
        script.do(c.OpenBets(by="dora"))
        script.do(c.CloseBets(by="dora"))
        script.deal()
        early = of_shoe(path, 1)
        script.do(c.EndShoe(by="pit"))
    said = of_shoe(path, 1)
    assert early.code == said.code == UNPROVEN  # this house has no log
    marked = [("look", "round 1"), ("look", "round 2"), ("say", "round 3")]
    assert void_marks(early) == void_marks(said) == marked
    texts = " ".join(text for _, _, text in said.lines)
    assert "void on a ground that cannot exist at a server-dealt table" in texts
    assert "were left in the shoe" in texts
    assert void_marks(of_round(path, 1)) == [("say", "round 1")]


@reads(49)
def test_a_round_of_a_continuous_shoe_is_marked_by_its_own_receipt(tmp_path: Path) -> None:
    path = tmp_path / "continuous.db"
    with SqliteStore(path, clock=False, definitions=OLDER) as store:
        script = begun(store, "super-six-plus", source="continuous")
        void(script, "foreign-card")
    assert void_marks(of_round(path, 1)) == [("look", "round 1")]
    assert void_marks(of_shoe(path, 1)) == [("look", "round 1")]


def test_a_round_of_the_shoe_before_is_not_in_the_receipt_of_the_shoe_on_the_table(
    tmp_path: Path,
) -> None:
    """A dealer's round, reopened while the server's shoe lies there, then void, or settled again."""
    path = tmp_path / "reopened.db"
    with SqliteStore(path, clock=False) as store:
        script = Script(store)
        script.do(c.OpenTable(by="pit", game="rapid"))
        for ends in (c.VoidRound(by="sam"), c.Resume(by="sam")):
            script.do(c.NewShoe(by="pit", dealing="physical"))
            script.do(c.OpenBets(by="dora"))
            script.do(c.CloseBets(by="dora"))
            for card in ("9s", "2h", "Td", "4h"):
                script.do(c.EnterCard(by="dora", card=card))
            script.do(c.Settle(by="dora"))
            script.do(c.EndShoe(by="pit"))
            script.do(c.NewShoe(by="pit", dealing="virtual"))
            by_two(script, c.Reopen(by="sam", ground="wrong-card-count"))
            by_two(script, ends)
            if isinstance(ends, c.Resume):
                script.do(c.Settle(by="dora"))
            script.do(c.OpenBets(by="dora"))
            script.do(c.CloseBets(by="dora"))
            script.deal()
            script.do(c.EndShoe(by="pit"))
    for number in (2, 4):
        said = of_shoe(path, number)
        assert said.code == UNPROVEN, said
        assert void_marks(said) == []
        assert "the cards of 1 rounds are those of the order, one after the other" in [
            text for _, _, text in said.lines
        ]


def by_two(script: Script, command: c.Command) -> None:
    asked = script.do(command)
    script.do(c.Approve(by="sue", proposal=asked.proposal))
