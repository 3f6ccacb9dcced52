"""Partial disclosure: one patron's lines are proven alone, nothing of others is in the pack, and nothing in it can be changed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.evidence.disclosure import read_row
from puntobanco_floor.evidence.pack import make_pack
from puntobanco_floor.evidence.pack_format import FORMAT, MANIFEST, SIGNATURE, Manifest
from puntobanco_floor.evidence.pack_verifier import Verdict, verify_files
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.entry.format import Fault, canonical, hash_bytes
from tests.storage.played import TABLE, Script

NOW = 1_773_000_000_000
OWN = "s-cid"
OTHERS = ("s-ann", "s-ben", "s-dee", "s-eve")
SESSIONS = tuple(sorted((*OTHERS, OWN)))

Files = dict[str, bytes]
Row = dict[str, Any]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds of five patrons, their wagers in one commit; the second is void."""
    path = tmp_path_factory.mktemp("disclosed") / "floor.db"
    with SqliteStore(path, clock=False) as store:
        script = Script(store)
        script.do(c.OpenTable(by="pit", game="fortune-six"))
        script.do(c.NewShoe(by="pit", dealing="physical"))
        for session in SESSIONS:
            script.do(c.SeatSession(by=session, session=session, patron=f"of-{session}"))
            script.do(c.BuyIn(by="cage", session=session, cents=50_000))
        for number in (1, 2):
            script.do(c.OpenBets(by="dealer"))
            waiting = [
                store.submit(Request(stream=TABLE, id=f"{number} {session[-1]}", command=command))
                for session in SESSIONS
                for command in [
                    c.PlaceWager(
                        by=session, round=number, session=session, bet="banker", stake_cents=1_000
                    )
                ]
            ]
            assert all(each.result().ok for each in waiting)
            script.do(c.CloseBets(by="dealer"))
            if number == 2:
                script.do(c.DeclareIrregularity(by="dealer", ground="malfunction"))
                asked = script.do(c.VoidRound(by="dealer"))
                script.do(c.Approve(by="pit", proposal=asked.proposal))
                continue
            for card in ("2s", "9h", "Kd", "Kc"):
                script.do(c.EnterCard(by="dealer", card=card))
            script.do(c.Settle(by="dealer"))
    return path


@pytest.fixture(scope="module")
def ring(floor: Path) -> KeyRing:
    return KeyRing.load(floor.with_name("floor.db.keys"))


@pytest.fixture(scope="module")
def pack(floor: Path, ring: KeyRing) -> Files:
    return make_pack(str(floor), TABLE, 1, ring=ring, now=NOW, session=OWN)


def rows_of(files: Files) -> list[tuple[str, int, bytes]]:
    """Each line of the entries: its file, its place there, its bytes."""
    found = list[tuple[str, int, bytes]]()
    for name, data in files.items():
        if name.startswith("entries-"):
            found += [(name, n, row) for n, row in enumerate(data.split(b"\n")[:-1])]
    return found


def settled(files: Files, event: bytes = b'"event":"RoundSettled"') -> tuple[str, int, Row]:
    [(name, place, row)] = [found for found in rows_of(files) if event in found[2]]
    return name, place, json.loads(row)


def checked(files: Files, ring: KeyRing, name: str, place: int, row: bytes) -> Verdict:
    """With another line there, and the manifest signed anew: as somebody of the house could."""
    rows = files[name].split(b"\n")
    rows[place] = row
    changed = {**files, name: b"\n".join(rows)}
    del changed[MANIFEST], changed[SIGNATURE]
    key_id, key = ring.signer
    hashes = {name: hash_bytes(data) for name, data in changed.items()}
    manifest = canonical(Manifest(format=FORMAT, key=key_id, files=hashes))
    return verify_files({**changed, MANIFEST: manifest, SIGNATURE: key.sign(manifest)})


@pytest.mark.parametrize("number", [1, 2])
def test_nothing_of_other_patrons_is_in_the_pack(floor: Path, ring: KeyRing, number: int) -> None:
    files = make_pack(str(floor), TABLE, number, ring=ring, now=NOW, session=OWN)
    whole = make_pack(str(floor), TABLE, number, ring=ring, now=NOW)
    for other in OTHERS:
        assert any(other.encode() in data for data in whole.values())
        assert not [name for name, data in files.items() if other.encode() in data]
    assert files["round.json"].count(OWN.encode()) > 2


def test_the_patrons_own_line_is_proven_and_settled_by_the_rules(
    pack: Files, ring: KeyRing
) -> None:
    verdict = verify_files(pack, known=ring.public())
    assert verdict.fault is None
    assert "1 settlements, every line by the rules" in verdict.proved
    assert f"{len(rows_of(pack))} entries lead to signed heads" in verdict.proved[2]
    assert not any("no signed head" in text for text in verdict.unproven)
    _, _, row = settled(pack)
    cause, event, line = (part["part"] for part in row["parts"])
    assert (cause["by"], cause["command"]) == ("dealer", "settle")
    assert (event["lines"], event["result"]) == ([], "B")
    assert line[:6] == [OWN, "banker", 1_000, "wins", 1_000, 1_000]
    told = json.loads(pack["round.json"])["told"]
    assert [outcome["lines"] for outcome in told["outcomes"]] == [[line]]


def test_the_line_of_a_void_is_shown_too(floor: Path, ring: KeyRing) -> None:
    files = make_pack(str(floor), TABLE, 2, ring=ring, now=NOW, session=OWN)
    _, _, row = settled(files, b'"event":"RoundVoided"')
    assert row["parts"][-1]["part"][:4] == [OWN, "banker", 1_000, "void"]
    assert verify_files(files, known=ring.public()).sound


def test_what_another_patron_did_is_a_header_that_names_nobody(pack: Files) -> None:
    rows = [json.loads(row) for *_, row in rows_of(pack) if b'"parts":[]' in row]
    assert len(rows) == len(OTHERS)
    fields = {"at", "epoch", "prev", "root", "rules", "seq", "size", "stream", "v"}
    assert all(set(row["header"]) == fields for row in rows)


def another(text: str) -> str:
    """Hexadecimal with its first digit changed."""
    return ("1" if text[0] == "0" else "0") + text[1:]


def change_stake(row: Row) -> None:
    row["parts"][-1]["part"][2] = 2_000


def change_result(row: Row) -> None:
    row["parts"][-2]["part"]["result"] = "P"


def change_salt(row: Row) -> None:
    row["parts"][-1]["salt"] = another(row["parts"][-1]["salt"])


def change_proof(row: Row) -> None:
    row["parts"][-1]["proof"][1] = another(row["parts"][-1]["proof"][1])


def shorten_proof(row: Row) -> None:
    row["parts"][-1]["proof"].pop()


def change_place(row: Row) -> None:
    row["parts"][-1]["place"] += 1


def change_size(row: Row) -> None:
    row["header"]["size"] += 1


def change_header(row: Row) -> None:
    row["header"]["at"] += 1


def hide_header(row: Row) -> None:
    row["header"] = None


def leave_out_own_line(row: Row) -> None:
    row["parts"].pop()


def show_a_part_twice(row: Row) -> None:
    row["parts"].append(row["parts"][-1])


def put_line_into_event(row: Row) -> None:
    line = row["parts"].pop()
    row["parts"][-1]["part"]["lines"] = [line["part"]]


def write_salt_in_capitals(row: Row) -> None:
    row["parts"][-1]["salt"] = row["parts"][-1]["salt"].upper()


CHANGES: list[Callable[[Row], None]] = [
    change_stake,
    change_result,
    change_salt,
    change_proof,
    shorten_proof,
    change_place,
    change_size,
    change_header,
    hide_header,
    leave_out_own_line,
    show_a_part_twice,
    put_line_into_event,
    write_salt_in_capitals,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_whatever_is_changed_in_what_is_shown_is_found(
    pack: Files, ring: KeyRing, change: Callable[[Row], None]
) -> None:
    name, place, row = settled(pack)
    assert checked(pack, ring, name, place, canonical(row)).sound
    change(row)
    assert not checked(pack, ring, name, place, canonical(row)).sound


def test_a_line_of_another_entry_is_found(floor: Path, ring: KeyRing, pack: Files) -> None:
    """A void line in place of the settled one, with its own proof."""
    void = make_pack(str(floor), TABLE, 2, ring=ring, now=NOW, session=OWN)
    _, _, other = settled(void, b'"event":"RoundVoided"')
    name, place, row = settled(pack)
    row["parts"][-1] = other["parts"][-1]
    fault = checked(pack, ring, name, place, canonical(row)).fault
    assert fault is not None
    assert "is not in it" in fault


def test_every_bit_of_what_is_shown_counts(pack: Files) -> None:
    """Of the line itself, before the manifest and the chain say so."""
    name, place, _ = settled(pack)
    row = pack[name].split(b"\n")[place]
    seq = int(name.split("-")[1]) + place
    good = read_row(row, stream=TABLE, seq=seq)
    for at in range(len(row)):
        changed = bytearray(row)
        changed[at] ^= 1 << (at % 8)
        try:
            found = read_row(bytes(changed), stream=TABLE, seq=seq)
        except Fault:
            continue
        assert found.hash != good.hash, f"byte {at}"


def test_a_bonus_that_another_session_of_the_patron_had_is_not_proven(tmp_path: Path) -> None:
    """A Tie Bonus goes once to each patron; the pack of one session does not show the other."""
    path = tmp_path / "floor.db"
    with SqliteStore(path, clock=False) as store:
        script = Script(store)
        script.do(c.OpenTable(by="pit", game="six-star"))
        script.do(c.NewShoe(by="pit", dealing="physical"))
        for session in ("first", "second"):
            script.do(c.SeatSession(by=session, session=session, patron="both"))
            script.do(c.BuyIn(by="cage", session=session, cents=50_000))
        script.do(c.OpenBets(by="dealer"))
        for session in ("first", "second"):
            wager = c.PlaceWager(by=session, round=1, session=session, bet="tie", stake_cents=1_000)
            script.do(wager)
        script.do(c.CloseBets(by="dealer"))
        for card in ("Fw", "Sf", "Sw", "Fa", "Lf", "Lw"):
            script.do(c.EnterCard(by="dealer", card=card))
        script.do(c.Settle(by="dealer"))
    ring = KeyRing.load(tmp_path / "floor.db.keys")
    for session, is_proven in (("", True), ("first", True), ("second", False)):
        files = make_pack(str(path), TABLE, 1, ring=ring, now=NOW, session=session)
        verdict = verify_files(files, known=ring.public())
        assert verdict.sound
        assert any("no bonus is due on tie" in text for text in verdict.unproven) != is_proven
