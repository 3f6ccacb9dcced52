"""What a witness signs and what not: checkpoints that follow, and mixes of shoes that were committed to in the log."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from puntobanco.base.refusal import Refusal
from puntobanco_proof import mix
from puntobanco_proof.tree.checkpoints import Checkpoint, open_checkpoint, sign_checkpoint
from puntobanco_proof.tree.faults import MAX_HASHES, encode_base64
from puntobanco_proof.tree.notes import ED25519, Signature, Signer, add_signatures
from puntobanco_proof.witness.decisions import Decider, OtherSize
from puntobanco_proof.witness.memory import Memory, create_memory
from puntobanco_proof.witness.refusals import BadWitness, WitnessRefuses
from puntobanco_proof.witness.requests import (
    AddCheckpoint,
    BadRequest,
    Mix,
    read_add_checkpoint,
    read_mix,
)
from tests.tlog.keys import LOG, ORIGIN, mix_public
from tests.witness.made import (
    COMMITMENT,
    MIX_KEY,
    NAME,
    Grown,
    encode,
    entry_of,
    identity,
    mix_request,
    shoe_started,
)

AT = 1_763_348_400


class Bench:
    """A witness with its memory, and a log that it knows."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, Grown()
        create_memory(folder)
        self.memory = Memory(folder)
        self.witness = self.with_logs(LOG)

    def with_logs(self, *logs: Signer) -> Decider:
        return Decider(identity(), self.memory, [log.verifier for log in logs], now=lambda: AT)

    def cosign(self, old: int, size: int | None = None) -> Signature:
        return self.witness.cosign(self.log.asked(old, size))

    def status_of(self, request: AddCheckpoint) -> tuple[int, str]:
        with pytest.raises(WitnessRefuses) as caught:
            self.witness.cosign(request)
        assert "\n" not in caught.value.reason
        return caught.value.status, caught.value.reason

    def seen(self) -> int:
        found = self.memory.load_seen(ORIGIN)
        return found.size if found else 0


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.memory.close()


# Checkpoints


def test_a_log_that_grows_is_cosigned_step_by_step(bench: Bench) -> None:
    old = 0
    for count in (1, 1, 5, 0, 250, 1, 300):
        bench.log.grow(count)
        line = bench.cosign(old)
        note = add_signatures(bench.log.note(), [line])
        found = open_checkpoint(note, [LOG.verifier], [identity().cosigner.verifier])
        assert (found.checkpoint.size, dict(found.times)) == (bench.log.size, {NAME: AT})
        old = bench.log.size
        assert bench.seen() == old


def test_another_size_is_told(bench: Bench) -> None:
    bench.log.grow(10)
    bench.cosign(0, 7)
    for old in (0, 3, 8):
        with pytest.raises(OtherSize) as caught:
            bench.cosign(old)
        assert (caught.value.status, caught.value.size) == (409, 7)
    assert bench.seen() == 7


def test_an_unknown_log(bench: Bench) -> None:
    other = Grown(Signer("example.com/other", ED25519, bytes(32)))
    other.grow(3)
    assert bench.status_of(other.asked(0)) == (
        404,
        "this witness does not cosign this log; ask its operator to add the log's key",
    )


def test_a_checkpoint_that_its_log_did_not_sign(bench: Bench) -> None:
    impostor = Grown(Signer(ORIGIN, ED25519, bytes(32)))
    impostor.grow(3)
    assert bench.status_of(impostor.asked(0))[0] == 403
    bench.log.grow(3)
    asked = bench.log.asked(0)
    spoilt = asked._replace(note=asked.note.replace(f"{ORIGIN}\n3\n", f"{ORIGIN}\n4\n"))
    assert bench.status_of(spoilt)[0] == 403
    assert bench.seen() == 0


def test_an_old_size_that_is_larger_is_a_bad_request_whatever_was_seen(bench: Bench) -> None:
    bench.log.grow(5)
    assert bench.status_of(bench.log.asked(0)._replace(old=6))[0] == 400


def test_a_wrong_proof(bench: Bench) -> None:
    bench.log.grow(7)
    bench.cosign(0, 3)
    asked = bench.log.asked(3)
    for hashes in ((), asked.hashes[:-1], (*asked.hashes, bytes(32)), asked.hashes[::-1]):
        assert bench.status_of(asked._replace(hashes=hashes))[0] == 422
    assert bench.seen() == 3
    assert bench.memory.count_evidence() == 0, "anybody can send a proof that does not hold"


def test_a_first_checkpoint_has_no_proof(bench: Bench) -> None:
    bench.log.grow(2)
    assert bench.status_of(bench.log.asked(0)._replace(hashes=(bytes(32),)))[0] == 422


def test_a_rewritten_history_is_not_cosigned(bench: Bench) -> None:
    bench.log.grow(9)
    bench.cosign(0)
    bench.log.leaves[4] = b"another"
    bench.log.grow(3)
    assert bench.status_of(bench.log.asked(9))[0] == 422


def test_two_checkpoints_of_one_size_are_kept_as_evidence(bench: Bench) -> None:
    bench.log.grow(9)
    first = bench.log.note()
    bench.cosign(0)
    bench.log.leaves[4] = b"another"
    status, reason = bench.status_of(bench.log.asked(9))
    assert (status, reason) == (409, "the log signed two different checkpoints of size 9")
    [(origin, why, shown, seen)] = bench.memory.list_evidence()
    assert (origin, why, shown, seen) == (ORIGIN, reason, bench.log.note(), first)
    for note in (shown, seen):
        assert open_checkpoint(note, [LOG.verifier]).checkpoint.size == 9
    assert bench.witness.status().refused == 1


def test_an_empty_log_may_be_cosigned_and_has_one_root(bench: Bench) -> None:
    bench.cosign(0)
    note = sign_checkpoint(Checkpoint(ORIGIN, 0, bytes(32)), LOG)
    assert bench.status_of(AddCheckpoint(0, (), note))[0] == 409


def test_the_same_again_is_the_same_with_a_newer_time(bench: Bench) -> None:
    """After a crash between the two: the log asks from the size that it is told."""
    bench.log.grow(4)
    assert bench.cosign(0) == bench.cosign(4)


def test_a_log_with_two_keys_is_one_log(bench: Bench) -> None:
    new = Signer(ORIGIN, ED25519, bytes(range(32)))
    bench.witness = bench.with_logs(LOG, new)
    bench.log.grow(3)
    bench.cosign(0)
    bench.log.signer = new
    bench.log.grow(3)
    bench.cosign(3)
    assert bench.seen() == 6


def test_a_witness_takes_keys_of_logs_alone(bench: Bench) -> None:
    with pytest.raises(BadWitness, match="belongs to a witness"):
        bench.with_logs(identity().cosigner)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"old 0\n",
        b"old 0\n\n",
        b"old\n\nnote",
        b"old 00\n\nnote",
        b"old -1\n\nnote",
        b"new 0\n\nnote",
        b"old 0\nAAAA\n\nnote",
        b"old 0\n\xff\n\nnote",
        b"old 0\n"
        + b"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n" * (MAX_HASHES + 1)
        + b"\nnote",
        b"old 0\n\nno checkpoint\n\n\xe2\x80\x94 a AAAAAAA=\n",
    ],
)
def test_what_cannot_be_read_is_a_bad_request(bench: Bench, body: bytes) -> None:
    with pytest.raises(Refusal) as caught:
        bench.witness.cosign(read_add_checkpoint(body))
    refusal = caught.value
    assert isinstance(refusal, BadRequest) or (
        isinstance(refusal, WitnessRefuses) and refusal.status == 400
    )
    assert "\n" not in refusal.reason


def test_a_request_is_read_as_it_was_written(bench: Bench) -> None:
    bench.log.grow(7)
    for old in range(8):
        asked = bench.log.asked(old)
        assert read_add_checkpoint(asked.text.encode()) == asked


# Mixes


def proven(bench: Bench, entry: bytes, **fields: Any) -> Mix:
    """The request for an entry that the log has, under a checkpoint that the witness cosigned."""
    before = bench.log.size
    bench.log.grow(5)
    index = bench.log.add(entry)
    bench.log.grow(3)
    line = bench.cosign(before)
    return mix_request(entry, bench.log.proof(index, line), **fields)


def refused(bench: Bench, request: Mix) -> tuple[int, str]:
    with pytest.raises(WitnessRefuses) as caught:
        bench.witness.mix(request)
    assert "\n" not in caught.value.reason
    return caught.value.status, caught.value.reason


def test_a_shoe_is_mixed_with_one_signature(bench: Bench) -> None:
    request = proven(bench, entry_of(shoe_started()))
    signature = bench.witness.mix(request)
    mix.verify(signature, mix.build_message(ORIGIN, "table:3", 12, COMMITMENT), MIX_KEY)
    assert bench.witness.mix(read_mix(msgspec.json.encode(request))) == signature


def test_a_shoe_that_names_the_key_too(bench: Bench) -> None:
    other = encode_base64(mix_public("other"))
    keys: dict[str, Any] = {"mix": ["other", NAME], "mix_keys": [other, encode_base64(MIX_KEY)]}
    bench.witness.mix(proven(bench, entry_of(shoe_started(**keys))))
    wrong: dict[str, Any] = {"mix": ["other", NAME], "mix_keys": [encode_base64(MIX_KEY), other]}
    request = proven(bench, entry_of(shoe_started(13, **wrong)), shoe=13)
    assert refused(bench, request) == (403, "the shoe names another mix key for this witness")


CHANGES: dict[str, tuple[Callable[[Mix], Mix], int, str]] = {
    "another log": (
        lambda r: msgspec.structs.replace(r, origin="x"),
        404,
        "does not cosign this log",
    ),
    "another table": (
        lambda r: msgspec.structs.replace(r, stream="table:4"),
        422,
        "belongs to table:3",
    ),
    "another shoe": (
        lambda r: msgspec.structs.replace(r, shoe=13),
        422,
        "does not start this shoe",
    ),
    "another order": (
        lambda r: msgspec.structs.replace(r, commitment="ab" * 32),
        422,
        "does not start this shoe",
    ),
    "another salt": (
        lambda r: msgspec.structs.replace(r, salt="ab" * 32),
        422,
        "is not at index 5",
    ),
    "no proof": (
        lambda r: msgspec.structs.replace(r, proof="proof"),
        422,
        "a proof must start with",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_not_proven_is_not_mixed(bench: Bench, change: str) -> None:
    changed, status, said = CHANGES[change]
    request = proven(bench, entry_of(shoe_started()))
    assert refused(bench, changed(request))[0] == status
    assert said in refused(bench, changed(request))[1]


EVENTS: dict[str, tuple[dict[str, Any], int, str]] = {
    "names nobody": (shoe_started(mix=[]), 403, "does not name this witness"),
    "names others": (shoe_started(mix=["ben.example/w"]), 403, "does not name this witness"),
    "names it twice": (shoe_started(mix=[NAME, NAME]), 403, "does not name this witness"),
    "no mix at all": (
        {"event": "ShoeStarted", "shoe": 12, "commitment": COMMITMENT},
        403,
        "does not name",
    ),
    "another event": (shoe_started(event="ShoeEnded"), 422, "does not start this shoe"),
    "no event": ({"shoe": 12}, 422, "not a ShoeStarted event"),
    "names as a text": (shoe_started(mix=NAME), 422, "not a ShoeStarted event"),
}


@pytest.mark.parametrize("name", EVENTS)
def test_what_starts_no_such_shoe_is_not_mixed(bench: Bench, name: str) -> None:
    event, status, said = EVENTS[name]
    found = refused(bench, proven(bench, entry_of(event)))
    assert found[0] == status
    assert said in found[1]


def test_the_proof_must_be_under_its_own_cosignature(bench: Bench) -> None:
    entry = entry_of(shoe_started())
    index = bench.log.add(entry)
    bench.cosign(0)
    bare = mix_request(entry, bench.log.proof(index))
    assert refused(bench, bare) == (422, f"'{NAME}' has not cosigned the checkpoint of the proof")
    other = identity("ben.example/w").cosigner.sign(bench.log.head().text, time=AT)
    assert refused(bench, mix_request(entry, bench.log.proof(index, other)))[0] == 422


def test_a_part_that_is_not_in_the_entry(bench: Bench) -> None:
    request = proven(bench, entry_of(shoe_started(mix=[])))
    part = msgspec.structs.replace(request.part, part=msgspec.Raw(encode(shoe_started())))
    forged = msgspec.structs.replace(request, part=part)
    assert refused(bench, forged) == (422, "part 1 is not in it")


def test_a_header_that_is_not_in_the_log(bench: Bench) -> None:
    request = proven(bench, entry_of(shoe_started(), rules="a"))
    other = mix_request(entry_of(shoe_started(), rules="b"), bench.log.proof(5))
    forged = msgspec.structs.replace(request, header=other.header, part=other.part)
    assert refused(bench, forged)[0] == 422


def test_a_field_that_stands_twice_is_refused(bench: Bench) -> None:
    """One program could read the first commitment, another the second."""
    twice = encode(shoe_started())[:-1] + b',"commitment":"' + COMMITMENT.encode() + b'"}'
    entry = entry_of(msgspec.Raw(twice))  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="not canonical JSON"):
        bench.witness.mix(proven(bench, entry))


def test_a_second_order_of_one_shoe_is_refused_and_kept(bench: Bench) -> None:
    first = proven(bench, entry_of(shoe_started()))
    signature = bench.witness.mix(first)
    other = "cd" * 32
    again = entry_of(shoe_started(commitment=other))
    found = refused(bench, proven(bench, again, commitment=other))
    assert found == (409, f"shoe 12 was already mixed with commitment {COMMITMENT}")
    [(origin, _, shown, seen)] = bench.memory.list_evidence()
    assert (origin, read_mix(shown.encode()).commitment, seen) == (ORIGIN, other, COMMITMENT)
    assert bench.witness.mix(first) == signature


def test_after_a_recovery_a_number_that_was_mixed_is_not_mixed_again(bench: Bench) -> None:
    """What is signed names no epoch: for epochs that it makes up a house could choose among answers. Nor is it evidence."""
    bench.witness.mix(proven(bench, entry_of(shoe_started())))
    other = "cd" * 32
    again = proven(bench, entry_of(shoe_started(commitment=other), epoch=2), commitment=other)
    with pytest.raises(WitnessRefuses, match="in epoch 1; start the next shoe") as caught:
        bench.witness.mix(again)
    assert caught.value.status == 409
    assert bench.memory.list_evidence() == []
    bench.witness.mix(proven(bench, entry_of(shoe_started(13), epoch=2), shoe=13))


def test_a_witness_that_forgot_what_it_cosigned_mixes_nothing(bench: Bench, tmp_path: Path) -> None:
    request = proven(bench, entry_of(shoe_started()))
    rolled_back = tmp_path / "older"
    rolled_back.mkdir()
    create_memory(rolled_back)
    memory = Memory(rolled_back)
    witness = Decider(identity(), memory, [LOG.verifier], now=lambda: AT)
    with pytest.raises(WitnessRefuses, match="was rolled back") as caught:
        witness.mix(request)
    assert caught.value.status == 503
    memory.close()


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"\xff", b'{"origin":1}', b"[" * 100_000])
def test_what_is_no_request_is_refused_in_a_line(body: bytes) -> None:
    with pytest.raises(BadRequest) as caught:
        read_mix(body)
    assert "\n" not in caught.value.reason
