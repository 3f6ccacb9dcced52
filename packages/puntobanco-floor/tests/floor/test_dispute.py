"""Dispute packs: what is in them, that they can be checked alone, and that no byte of them can be changed."""

import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.evidence.disclosure import sessions_of
from puntobanco_floor.evidence.pack import make_pack, write_pack
from puntobanco_floor.evidence.pack_format import FORMAT, MANIFEST, SIGNATURE, Manifest, pem
from puntobanco_floor.evidence.pack_pages import HOW
from puntobanco_floor.evidence.pack_verifier import verify_files, verify_pack
from puntobanco_floor.evidence.refusals import NoPack, NotInDispute
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.backup import copy
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.entry.format import NOTHING, Fault, canonical, hash_bytes, split_entry
from tests.floor.test_reports import shell
from tests.floor.week import HAND, QUICK, VIRTUAL, played
from tests.storage.played import Script
from tests.storage.servers import database, server

NOW = 1_773_000_000_000

HASHED = """sed -n {}p {} | grep -o '{{"at":[^}}]*}}' | head -1 | tr -d '\\n' | sha256sum"""
"""The hash of an entry, as VERIFY.txt tells how."""


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("week") / "floor.db"
    played(path)
    return path


@pytest.fixture(scope="module")
def ring(week: Path) -> KeyRing:
    return KeyRing.load(week.with_name("floor.db.keys"))


@pytest.fixture(scope="module")
def reopened(week: Path, ring: KeyRing) -> dict[str, bytes]:
    """Round 9 by hand: settled, reopened, settled again, a patron gone in between."""
    return make_pack(str(week), HAND, 9, ring=ring, now=NOW)


def resigned(files: dict[str, bytes], ring: KeyRing) -> dict[str, bytes]:
    """As somebody of the house could: the manifest made anew over changed files, and signed."""
    key_id, key = ring.signer
    own = {
        name: hash_bytes(data) for name, data in files.items() if name not in (MANIFEST, SIGNATURE)
    }
    manifest = canonical(Manifest(format=FORMAT, key=key_id, files=own))
    return {**files, MANIFEST: manifest, SIGNATURE: key.sign(manifest)}


def test_a_pack_holds_cards_with_reasons_wagers_lines_with_clauses_and_who_approved(
    reopened: dict[str, bytes],
) -> None:
    told = json.loads(reopened["round.json"])["told"]
    assert [card["card"] for card in told["cards"]] == ["9s", "2h", "Kd", "4c"]
    assert all(card["why"] and card["clause"] for card in told["cards"])
    assert [(s["session"], s["bet"], s["stake_cents"]) for s in told["stakes"]] == [
        ("T2:b", "player", 6_000),
        ("ben", "player", 2_000),
    ]
    assert [x["what"].partition(":")[0] for x in told["outcomes"]] == [
        "settled",
        "reopened",
        "settled",
    ]
    assert "ben Player: $0 taken back, $40 not" in told["outcomes"][1]["note"]
    assert all(line[7] for x in told["outcomes"] for line in x["lines"])
    acts = [act["what"] for act in told["acts"]]
    assert any("reopened" in what and "asked by sam, approved by sue" in what for what in acts)
    page = reopened["dispute.html"].decode()
    for text in (
        "Cards in order",
        "Who did what",
        "Table of play",
        "The chain of hashes",
        "How to check it",
    ):
        assert text in page
    assert reopened["dispute.pdf"].startswith(b"%PDF")
    assert b"| clause |" in reopened["rules.md"]


def test_a_corrected_card_stands_among_the_cards_with_what_it_had_been(
    week: Path, ring: KeyRing
) -> None:
    told = json.loads(make_pack(str(week), HAND, 7, ring=ring, now=NOW)["round.json"])["told"]
    last = told["cards"][-1]
    assert [card["card"] for card in told["cards"]] == ["8s", "9h", "Kd", "Kc", "9s"]
    assert (last["slot"], last["why"]) == ("p1", "corrected from 8s")


def test_its_page_has_words_for_slots_cards_bets_and_results(week: Path, ring: KeyRing) -> None:
    page = make_pack(str(week), HAND, 7, ring=ring, now=NOW)["dispute.html"].decode()
    said = html.unescape(re.sub(r"<[^>]*>", " ", page)).replace("\xa0", " ")
    for words in ("Player's first card", "8 of Spades (8s)", "corrected from 8s"):
        assert words in " ".join(said.split()), words
    assert not re.search(r"\b(settled|reopened) [PBT]\b", said)


ROUNDS = [
    (VIRTUAL, 3),
    (VIRTUAL, 7),
    (VIRTUAL, 11),
    (VIRTUAL, 14),
    (HAND, 1),
    (HAND, 7),
    (HAND, 8),
    (HAND, 9),
    (HAND, 10),
    (QUICK, 1),
    (HAND, 16),
]


@pytest.mark.parametrize(("stream", "number"), ROUNDS)
def test_a_pack_is_sound_alone(week: Path, ring: KeyRing, stream: str, number: int) -> None:
    verdict = verify_files(
        make_pack(str(week), stream, number, ring=ring, now=NOW), known=ring.public()
    )
    assert verdict.fault is None
    proved = " ".join(verdict.proved)
    assert ("committed to" in proved) == (stream == VIRTUAL and number < 12), (
        "a shoe that is on the table is not revealed"
    )
    assert ("by the rules" in proved) == ((stream, number) not in ((HAND, 8), (HAND, 16)))
    assert not any("entries" in text for text in verdict.unproven), "every commit is signed"


def test_flip_any_byte_and_it_fails(reopened: dict[str, bytes]) -> None:
    """Every byte of what is small, every 61st of the rest; and every file taken away, added or cut."""
    assert verify_files(reopened).sound
    flips = 0
    for name, data in reopened.items():
        for place in range(
            0, len(data), 1 if len(data) < 2_000 else 997 if name.endswith("pdf") else 61
        ):
            changed = bytearray(data)
            changed[place] ^= 1 << (place % 8)
            assert not verify_files({**reopened, name: bytes(changed)}).sound, (
                f"{name} byte {place}"
            )
            flips += 1
        assert not verify_files({n: d for n, d in reopened.items() if n != name}).sound, (
            f"{name} taken away"
        )
        assert not verify_files({**reopened, name: data[:-1]}).sound, f"{name} cut"
        assert not verify_files({**reopened, name: data + b"\n"}).sound, f"{name} longer"
    assert flips > 4_000
    assert not verify_files({**reopened, "more.txt": b""}).sound


def test_not_even_the_house_can_change_what_is_in_a_signed_chain(
    reopened: dict[str, bytes], ring: KeyRing
) -> None:
    [name] = [
        name
        for name in reopened
        if name.startswith("entries-") and not name.startswith("entries-1-")
    ]
    lines = reopened[name].split(b"\n")
    changes = {
        "another stake": reopened[name].replace(b'"stake_cents":6000', b'"stake_cents":7000'),
        "a line moved": b"\n".join([lines[1], lines[0], *lines[2:]]),
        "a line twice": b"\n".join([lines[0], *lines]),
        "a line left out": b"\n".join([*lines[:3], *lines[4:]]),
    }
    for what, data in changes.items():
        assert data != reopened[name]
        assert not verify_files(resigned({**reopened, name: data}, ring)).sound, what
    told = reopened["round.json"].replace(b'"card":"9s"', b'"card":"8s"')
    assert (
        verify_files(resigned({**reopened, "round.json": told}, ring)).fault
        == "the cards in round.json are not those of the entries"
    )
    assert verify_files(resigned(reopened, ring)).sound


def test_a_pack_whose_sentences_another_version_wrote_is_sound_and_says_so(
    reopened: dict[str, bytes], ring: KeyRing
) -> None:
    """Figures, cards and people are compared with the entries; the words of a later program may be others."""
    assert not [text for text in verify_files(reopened).unproven if "sentences" in text]
    dispute = json.loads(reopened["round.json"])
    for row in (*dispute["told"]["cards"], *dispute["told"]["acts"]):
        row["why" if "why" in row else "what"] = "reworded"
    reworded = canonical(dispute) + b"\n"
    verdict = verify_files(resigned({**reopened, "round.json": reworded}, ring))
    assert verdict.fault is None
    assert [text for text in verdict.unproven if text.startswith("the sentences in round.json")]
    dispute["told"]["acts"][0]["by"] = "bob"
    changed = canonical(dispute) + b"\n"
    assert (
        verify_files(resigned({**reopened, "round.json": changed}, ring)).fault
        == "the acts in round.json are not those of the entries"
    )


def test_a_pack_with_keys_of_somebody_else_is_not_the_houses(
    reopened: dict[str, bytes], ring: KeyRing
) -> None:
    other = KeyRing.fresh()
    assert verify_files(reopened, known=ring.public()).sound
    assert not verify_files(reopened, known=other.public()).sound
    key_id = ring.signer[0]
    forged = {**reopened, f"key-{key_id}.pem": pem(Ed25519PrivateKey.generate().public_key())}
    assert not verify_files(forged).sound


def test_a_nodes_key_counts_by_its_certificate_and_between_its_entries(
    reopened: dict[str, bytes], ring: KeyRing
) -> None:
    """As far as the pack alone can say it; somebody of the house may sign another manifest."""
    [node] = [name[5:-5] for name in reopened if name.startswith("node-") and "json" in name]
    assert node not in ring.public()
    stranger = Ed25519PrivateKey.generate()
    admission, certificate = f"node-{node}.json", f"node-{node}.sig"
    forged = reopened[admission].replace(b'"public":"', b'"public":"00')
    said = json.loads(reopened["round.json"])["context"]["nodes"][node]
    assert said["since"] == 1
    assert said["until"] == 0
    interval = canonical(said)
    seqs = [int(name[5:-5]) for name in reopened if name.startswith("head-") and "json" in name]
    early = interval.replace(b'"until":0', b'"until":%d' % max(seqs))
    late = interval.replace(b'"since":1', b'"since":%d' % (min(seqs) + 1))
    changes = {
        "no certificate": {certificate: b""},
        "of another root key": {certificate: stranger.sign(reopened[admission])},
        "of another key": {admission: forged, certificate: ring.signer[1].sign(forged)},
        "another public key": {f"key-{node}.pem": pem(stranger.public_key())},
        "no interval": {"round.json": reopened["round.json"].replace(node.encode(), b"0" * 16)},
        "retired before": {"round.json": reopened["round.json"].replace(interval, early)},
        "admitted after": {"round.json": reopened["round.json"].replace(interval, late)},
    }
    for what, changed in changes.items():
        assert any(reopened[name] != data for name, data in changed.items()), what
        assert not verify_files(resigned({**reopened, **changed}, ring)).sound, what
    by_node = canonical(
        Manifest(format=FORMAT, key=node, files=json.loads(reopened[MANIFEST])["files"])
    )
    fault = verify_files({**reopened, MANIFEST: by_node}).fault
    assert fault == f"the root key {node} of the manifest is missing"


def test_one_session_only_names_nobody_else_and_says_what_is_then_not_proven(
    week: Path, ring: KeyRing
) -> None:
    files = make_pack(str(week), HAND, 9, ring=ring, now=NOW, session="ben")
    assert not any(
        b"T2:b" in data for name, data in files.items() if not name.endswith((".pdf", ".sig"))
    )
    assert any(b"ben" in data for data in files.values())
    told = json.loads(files["round.json"])["told"]
    assert {stake["session"] for stake in told["stakes"]} == {"ben"}
    assert {line[0] for x in told["outcomes"] for line in x["lines"]} == {"ben"}
    verdict = verify_files(files, known=ring.public())
    assert verdict.sound
    assert any("withheld" in text for text in verdict.unproven)
    with pytest.raises(NotInDispute):
        make_pack(str(week), HAND, 9, ring=ring, now=NOW, session="nobody")


def test_a_proposal_that_names_no_session_is_nobodys_to_see() -> None:
    """Why a supervisor turned something down may be about somebody else."""
    told = Entry(
        stream=HAND,
        seq=1,
        at=NOW,
        by="sue",
        command="reject",
        epoch=1,
        id="",
        rules="",
        prev=NOTHING,
        salt="",
        events=(e.ProposalRejected(proposal=1, by="sue", reason="of cid, who owes us"),),
    )
    assert sessions_of(told) - {"ben"}


def test_a_continuous_shoe_commits_to_each_round_and_a_pack_proves_it(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with SqliteStore(path, clock=False) as store:
        script = Script(store, VIRTUAL)
        script.do(c.OpenTable(by="pit", game="super-six-plus"))
        script.do(c.NewShoe(by="pit", source="continuous"))
        script.do(c.SeatSession(by="ann", session="ann"))
        script.do(c.BuyIn(by="cage", session="ann", cents=50_000))
        for number in (1, 2):
            script.do(c.OpenBets(by="dealer"))
            script.do(
                c.PlaceWager(by="ann", round=number, session="ann", bet="tie", stake_cents=1_000)
            )
            script.do(c.CloseBets(by="dealer"))
            script.deal()
    ring = KeyRing.load(tmp_path / "floor.db.keys")
    for number in (1, 2):
        verdict = verify_files(make_pack(str(path), VIRTUAL, number, ring=ring, now=NOW))
        assert verdict.sound
        assert "the cards dealt are the cards committed to before the bets" in verdict.proved


def test_from_the_command_line_and_with_openssl_alone(week: Path, tmp_path: Path) -> None:
    assert HASHED.format(1, "entries-FIRST-LAST.jsonl") in HOW
    folder = tmp_path / "round-3"
    run = shell("dispute", "--database", str(week), "--round", "table:1:3", "--to", str(folder))
    assert run.returncode == 0, run.stderr
    assert shell("dispute", "--verify", str(folder), "--keys", f"{week}.keys").returncode == 0
    again = shell("dispute", "--database", str(week), "--round", "table:1:3", "--to", str(folder))
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
    if openssl := shutil.which("openssl"):
        for what in folder.glob("*.sig"):
            said = json.loads(what.with_suffix(".json").read_bytes())
            by = said["root"] if what.name.startswith("node-") else said["key"]
            key = folder / f"key-{by}.pem"
            signed = ["-in", str(what.with_suffix(".json")), "-sigfile", str(what)]
            subprocess.run(
                [openssl, "pkeyutl", "-verify", "-pubin", "-inkey", str(key), "-rawin", *signed],
                check=True,
                capture_output=True,
            )
    for rows in folder.glob("entries-*.jsonl"):
        first, last = map(int, rows.stem.split("-")[1:])
        hashed = HASHED.format(last - first + 1, rows)
        said = subprocess.run(["sh", "-c", hashed], check=True, capture_output=True, text=True)
        head = json.loads((folder / f"head-{last}.json").read_bytes())
        assert said.stdout.split()[0] == head["hash"], "a segment ends at a signed head"
    page = folder / "dispute.html"
    page.write_bytes(page.read_bytes().replace(b"banker", b"Banker", 1))
    run = shell("dispute", "--verify", str(folder))
    assert (
        run.returncode,
        "FAULT: dispute.html is not the file that the manifest names" in run.stdout,
    ) == (1, True)
    assert shell("dispute", "--verify", str(tmp_path / "nothing")).returncode == 1
    assert shell("dispute", "--round", "table:1:3").returncode == 2


def root_by_hand(salt: str, parts: list[bytes]) -> str:
    """The root of an entry's parts as VERIFY.txt tells how to come to it."""
    salts = hashlib.shake_128(bytes.fromhex(salt)).digest(16 * len(parts))
    level = [
        hashlib.sha256(b"\0" + salts[16 * i : 16 * i + 16] + part).digest()
        for i, part in enumerate(parts)
    ]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        above = [hashlib.sha256(b"\1" + left + right).digest() for left, right in pairs]
        level = above + level[2 * len(above) :]
    return level[0].hex()


def test_the_text_beside_it_tells_how_to_come_to_the_root_of_an_entry(
    reopened: dict[str, bytes],
) -> None:
    assert "bytes 16i to 16i + 15 of SHAKE-128" in reopened["VERIFY.txt"].decode()
    rows = [
        row
        for name, data in reopened.items()
        if name.startswith("entries-")
        for row in data.splitlines()
    ]
    assert len(rows) > 10
    for row in rows:
        header, salt, parts = split_entry(row)
        assert json.loads(header)["root"] == root_by_hand(salt, parts)


def test_a_round_that_was_not_played_and_a_folder_that_is_there(
    week: Path, ring: KeyRing, tmp_path: Path
) -> None:
    with pytest.raises(Fault, match="no round 999"):
        make_pack(str(week), HAND, 999, ring=ring, now=NOW)
    with pytest.raises(NoPack, match="is there already"):
        write_pack({}, tmp_path)
    (tmp_path / "folder").mkdir()
    assert not verify_pack(tmp_path).sound, "a folder in a pack"


def test_a_floor_on_postgresql_has_the_same_evidence(
    week: Path, ring: KeyRing, tmp_path: Path
) -> None:
    with server() as address, database(address) as url:
        copy(str(week), url, target_keys=tmp_path / "floor.keys")
        there = make_pack(url, VIRTUAL, 3, ring=ring, now=NOW)
    here = make_pack(str(week), VIRTUAL, 3, ring=ring, now=NOW)
    assert {n: d for n, d in there.items() if n.startswith(("entries", "round", "head"))} == {
        n: d for n, d in here.items() if n.startswith(("entries", "round", "head"))
    }
