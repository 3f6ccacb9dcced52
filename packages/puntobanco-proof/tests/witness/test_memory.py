"""What a witness remembers: nothing that it answered is forgotten, whoever asks at once and whenever it is killed."""

import os
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from puntobanco_proof.witness.decisions import Decider, OtherSize
from puntobanco_proof.witness.identity import KEYS, MEMORY, create_identity, load_identity
from puntobanco_proof.witness.memory import MAX_EVIDENCE, Memory, Seen, Shoe, create_memory
from puntobanco_proof.witness.refusals import BadWitness, WitnessRefuses
from tests.tlog.keys import LOG, ORIGIN
from tests.witness.made import NAME, Grown, identity


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_memory(tmp_path)
    return tmp_path


def decider(memory: Memory) -> Decider:
    return Decider(identity(), memory, [LOG.verifier], now=lambda: 1)


@pytest.mark.parametrize("turn", range(10))
def test_of_many_who_ask_at_once_one_is_cosigned(folder: Path, turn: int) -> None:
    """Two histories that both follow from size 5, asked for by eight threads on two connections, as two programs would
    have them.
    """
    memories = [Memory(folder), Memory(folder)]
    witnesses = [decider(memory) for memory in memories]
    logs = [Grown(), Grown()]
    for number, log in enumerate(logs):
        log.grow(5)
        log.append(f"history {number}".encode(), f"turn {turn}".encode())
    witnesses[0].cosign(logs[0].asked(0, 5))
    ready = Barrier(8)

    def ask(number: int) -> str:
        request = logs[number % 2].asked(5)
        ready.wait()
        try:
            witnesses[number // 2 % 2].cosign(request)
        except OtherSize as refusal:
            return f"size is {refusal.size}"
        return "cosigned"

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(8)))
    assert sorted(answers) == ["cosigned"] + ["size is 7"] * 7
    winner = logs[answers.index("cosigned") % 2]
    for memory in memories:
        seen = memory.load_seen(ORIGIN)
        assert seen is not None
        assert (seen.size, seen.root) == (7, winner.head().root)
        memory.close()


def test_what_raises_changes_nothing(folder: Path) -> None:
    memory = Memory(folder)
    memory.advance(ORIGIN, lambda _: Seen(3, bytes(32), "note", 1))

    def refuse(_: Seen | None) -> Seen:
        raise WitnessRefuses(422, "no")

    with pytest.raises(WitnessRefuses):
        memory.advance(ORIGIN, refuse)
    assert memory.load_all_seen() == {ORIGIN: Seen(3, bytes(32), "note", 1)}
    memory.close()


def test_it_is_there_when_another_opens_it(folder: Path) -> None:
    memory = Memory(folder)
    memory.advance(ORIGIN, lambda _: Seen(3, bytes(32), "note", 1))
    other = Memory(folder)
    assert other.load_seen(ORIGIN) == Seen(3, bytes(32), "note", 1)
    shoe = Shoe(ORIGIN, "table:3", 1, 12)
    assert memory.commit_mix(shoe, "first", 1) == (1, "first")
    assert other.commit_mix(shoe, "second", 2) == (1, "first")
    assert other.commit_mix(shoe._replace(epoch=2), "third", 3) == (1, "first")
    memory.close()
    other.close()


def test_every_step_is_written_through(folder: Path) -> None:
    memory = Memory(folder)
    [[level]] = memory._database.execute("PRAGMA synchronous")
    [[mode]] = memory._database.execute("PRAGMA journal_mode")
    assert (level, mode) == (3, "delete")  # 3: EXTRA
    memory.close()


def test_evidence_has_a_bound(folder: Path) -> None:
    memory = Memory(folder)
    memory._database.execute("PRAGMA synchronous = OFF")
    for number in range(MAX_EVIDENCE + 1):
        memory.keep_evidence(ORIGIN, "why", f"shown {number}", "seen", 1)
    assert memory.count_evidence() == MAX_EVIDENCE
    assert memory.list_evidence()[0] == (ORIGIN, "why", "shown 0", "seen")
    memory.close()


# Files


def test_a_memory_that_is_lost_is_not_made_anew(tmp_path: Path) -> None:
    with pytest.raises(BadWitness, match="retire this witness and create another"):
        Memory(tmp_path)
    assert not (tmp_path / MEMORY).exists()


def test_a_file_that_is_no_memory(tmp_path: Path) -> None:
    (tmp_path / MEMORY).write_bytes(b"rubbish" * 1000)
    with pytest.raises(BadWitness, match="is not a witness database"):
        Memory(tmp_path)
    (tmp_path / MEMORY).unlink()
    sqlite3.connect(tmp_path / MEMORY).close()
    with pytest.raises(BadWitness, match="is not a witness database"):
        Memory(tmp_path)


def test_a_witness_is_never_made_over_another(tmp_path: Path) -> None:
    create_identity(tmp_path, NAME)
    create_memory(tmp_path)
    with pytest.raises(BadWitness, match="already exists and will not be replaced"):
        create_identity(tmp_path, "other")
    with pytest.raises(BadWitness, match="already exists and will not be replaced"):
        create_memory(tmp_path)
    assert load_identity(tmp_path).name == NAME


@pytest.mark.skipif(os.name == "nt", reason="other modes there")
def test_keys_and_memory_are_their_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "witness"
    create_identity(folder, NAME)
    create_memory(folder)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {KEYS: 0o600, MEMORY: 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "text", ["", "{}", '{"format":"puntobanco-witness-1","name":"a","cosigning":"","mixing":""}']
)
def test_a_file_without_keys(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadWitness, match="no witness in"):
        load_identity(tmp_path)
    (tmp_path / KEYS).write_text(text)
    with pytest.raises(BadWitness, match="does not hold the keys of a witness"):
        load_identity(tmp_path)


def test_a_name_that_a_policy_cannot_have(tmp_path: Path) -> None:
    with pytest.raises(BadWitness, match="name none is reserved"):
        create_identity(tmp_path, "none")


def test_the_keys_are_loaded_as_they_were_made(tmp_path: Path) -> None:
    made = create_identity(tmp_path, NAME)
    loaded = load_identity(tmp_path)
    assert loaded.build_policy_lines("https://w.example/") == made.build_policy_lines(
        "https://w.example/"
    )
    assert loaded.sign_mix(b"message") == made.sign_mix(b"message")
