"""Patrons by their cards, on every database: one id for a card, and nothing left of one that is erased."""

import asyncio
import threading
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from puntobanco.floor.patrons import BadCard, Patrons, new_id, normal
from puntobanco.house.refusals import Unknown
from puntobanco.house.state import HouseState
from puntobanco.keys import KeyRing
from puntobanco.names import is_patron_id
from puntobanco.storage import schema
from puntobanco.storage.backup import backup
from puntobanco.storage.copy import copy
from puntobanco.storage.locate import connected, is_postgres
from puntobanco.storage.patrons import CardRow, PatronTable, bound
from tests.storage.conftest import Place

HOUSE = HouseState(stream="floor", name="Marina", cards_bound=True)
MANY = 300
"""Rows enough to split pages of the table."""


@pytest.fixture
def patrons(place: Place) -> Patrons:
    place.open()
    return _patrons(place)


def _patrons(place: Place) -> Patrons:
    """As another node would have them."""
    ring = KeyRing.load(place.keys)
    return Patrons(PatronTable(place.url), ring, lambda: 1_000, lambda: HOUSE)


def of_card(patrons: Patrons, card: str) -> str:
    return asyncio.run(patrons.of_card(card))


def test_a_card_has_one_patron_however_it_is_written(patrons: Patrons, place: Place) -> None:
    ann = of_card(patrons, "Ann")
    assert is_patron_id(ann)
    assert ann == of_card(patrons, "ann") == of_card(_patrons(place), " ANN ")
    assert of_card(patrons, "anne") != ann
    assert asyncio.run(patrons.find("ANN")) == asyncio.run(patrons.named(ann)) == ann
    for nobody in ("ben", "p-22222222"):
        with pytest.raises(Unknown):
            asyncio.run(patrons.find(nobody))
    assert asyncio.run(patrons.named("T1:0c4f")) == "T1:0c4f", "a session of nobody"
    assert is_patron_id(asyncio.run(patrons.named("ben"))), "staff may exclude who never came"


@pytest.mark.parametrize(
    "card",
    [
        "",
        " ",
        "a b",
        "a:b",
        "x" * 65,
        "x\n",
        "p-7f3k9m2q",
        "P-7F3K9M2Q",
        "p-00000000",
        "g" + "0" * 16,
    ],
)
def test_what_is_no_card(card: str) -> None:
    with pytest.raises(BadCard):
        normal(card)


def test_two_nodes_that_meet_a_new_card_at_once_have_one_patron(place: Place) -> None:
    place.open()
    nodes = [_patrons(place) for _ in range(4)]
    found = list[tuple[str, str]]()
    gate = threading.Barrier(len(nodes))

    def meet(node: Patrons) -> None:
        for n in range(10):
            gate.wait()
            found.append((f"card-{n}", of_card(node, f"card-{n}")))

    threads = [threading.Thread(target=meet, args=[node]) for node in nodes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40
    assert len(set(found)) == 10


def test_an_id_that_is_taken_is_not_given_again(place: Place) -> None:
    place.open()
    rows = PatronTable(place.url)
    id_ = new_id()
    a = CardRow("a", id_, "mac")
    assert rows.put(a, 1) == a
    assert rows.put(CardRow("b", id_, "mac"), 1) is None
    assert rows.put(CardRow("a", new_id(), "other"), 1) == a


def test_of_an_erased_card_no_byte_is_left(place: Place, tmp_path: Path) -> None:
    store = place.open()
    patrons = _patrons(place)
    rows = PatronTable(place.url)
    cards = {f"card-{n}": new_id() for n in range(MANY)}
    macs = {card: patrons._macs(card)[0] for card in cards}
    ring = KeyRing.load(place.keys)
    bound_rows = [bound(ring, macs[card], patron) for card, patron in cards.items()]
    with connected(place.url) as db:
        made = [{**row._asdict(), "made_at": 1} for row in bound_rows[1:]]
        db.execute(insert(schema.patrons), made)
    assert rows.put(bound_rows[0], 1) == bound_rows[0]
    gone = [f"card-{n}" for n in range(0, MANY, 50)]
    for card in gone:
        rows.erase(cards[card])
        with pytest.raises(Unknown):
            asyncio.run(patrons.find(card))
    kept = b"".join(_bytes_of(place, tmp_path))
    assert [card for card in gone if macs[card].encode() in kept] == []
    assert macs["card-1"].encode() in kept, "the search finds what is there"
    assert not any(card.encode() in kept for card in cards), "and no card in the clear"
    assert of_card(patrons, gone[0]) != cards[gone[0]], "who comes again is somebody new"
    store.close()


def _bytes_of(place: Place, folder: Path) -> list[bytes]:
    """All that the database has on disk, and what a backup or a copy has."""
    if is_postgres(place.url):
        with connected(place.url, read_only=True) as db:
            db.exec_driver_sql("SELECT 1")
            rows = db.execute(select(schema.patrons)).all()
            path = db.exec_driver_sql("SELECT pg_relation_filepath('patrons')").scalar()
            [table] = db.exec_driver_sql("SELECT pg_read_binary_file(%s)", (path,)).one()
        return [bytes(table), repr(rows).encode()]
    files = [file.read_bytes() for file in place.folder.glob("floor.db*")]
    backup(Path(place.url), folder / "backup")
    copied = folder / "copy.db"
    copy(place.url, str(copied), keys=place.keys, target_keys=folder / "copy.keys")
    made = [*(folder / "backup").iterdir(), copied]
    return files + [file.read_bytes() for file in made]
