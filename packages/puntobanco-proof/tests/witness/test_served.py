"""A witness as floors meet it, over HTTP: C2SP's statuses word for word, time limits, and a process that is killed."""

import json
import os
import random
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import pytest

from puntobanco_proof import mix, verifier
from puntobanco_proof.tree.checkpoints import open_checkpoint
from puntobanco_proof.tree.notes import ED25519, Signer, add_signatures, read_note, read_signatures
from puntobanco_proof.tree.policies import read_policy
from puntobanco_proof.tree.proofs import verify_proof
from puntobanco_proof.witness import client as asking
from puntobanco_proof.witness.client import WitnessClient
from puntobanco_proof.witness.identity import KEYS, create_identity, load_identity
from puntobanco_proof.witness.refusals import (
    WitnessHasOtherSize,
    WitnessRefused,
    WitnessUnreachable,
)
from puntobanco_proof.witness.requests import MAX_CHECKPOINT_BYTES, MAX_MIX_BYTES
from tests.support.http import http
from tests.support.patience import PATIENCE_S
from tests.tlog.keys import LOG, ORIGIN
from tests.witness.made import COMMITMENT, NAME, Grown, entry_of, mix_request, shoe_started
from tests.witness.served import ServedWitness, command_line

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
KILLS = 25 if SLOW else 3
OTHERS = [Signer(f"example.com/{number}", ED25519, bytes([number]) * 32) for number in range(12)]
"""Logs of tests that want one of their own."""

_free = iter(OTHERS)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedWitness]:
    folder = tmp_path_factory.mktemp("witness")
    witness = ServedWitness(folder, LOG.verifier, *(other.verifier for other in OTHERS))
    yield witness
    witness.stop()


@pytest.fixture
def log() -> Grown:
    return Grown(next(_free))


def posted(
    served: ServedWitness, body: bytes, path: str = "/add-checkpoint"
) -> tuple[int, str, str]:
    """Status, type and body of the answer."""
    status, headers, answer = http(served, "POST", path, body=body, Content_Type="text/plain")
    return status, headers["content-type"], answer.decode()


def announced(served: ServedWitness, length: int, path: str) -> int:
    """The status for a body of that length, of which nothing is sent: the answer does not wait for it, and who is
    still sending may find the connection closed instead.
    """
    connection = HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE_S)
    with closing(connection):
        connection.putrequest("POST", path)
        connection.putheader("Content-Type", "text/plain")
        connection.putheader("Content-Length", str(length))
        connection.endheaders()
        return connection.getresponse().status


# The protocol, byte by byte


def test_a_checkpoint_is_answered_with_a_line_for_it(served: ServedWitness, log: Grown) -> None:
    log.grow(7)
    before = int(time.time())
    status, kind, line = posted(served, log.asked(0).text.encode())
    assert (status, kind) == (200, "text/plain; charset=utf-8")
    assert line.startswith(f"— {NAME} ")
    assert line.endswith("\n")
    note = add_signatures(log.note(), read_signatures(line))
    verifier = served.identity.cosigner.verifier
    opened = open_checkpoint(note, [log.signer.verifier], [verifier])
    assert before <= opened.times[NAME] <= time.time()


def test_the_other_answers(served: ServedWitness, log: Grown) -> None:
    log.grow(9)
    text = log.asked(0, 5).text
    assert posted(served, text.encode())[0] == 200
    assert posted(served, text.encode()) == (409, "text/x.tlog.size", "5\n")
    rows = [
        (log.asked(5).text.replace("old 5", "old 6"), 409),
        (log.asked(5).text.replace("old 5", "old 10"), 400),
        (log.asked(5)._replace(hashes=()).text, 422),
        (text.replace(log.signer.verifier.name, "example.com/nobody"), 404),
        (text.replace("\n5\n", "\n6\n"), 403),
        ("rubbish", 400),
        ("", 400),
    ]
    for body, expected in rows:
        status, kind, said = posted(served, body.encode())
        assert status == expected, (expected, said)
        assert said.count("\n") == 1
        assert kind in {"text/plain; charset=utf-8", "text/x.tlog.size"}
    log.leaves[2] = b"another"
    status, kind, said = posted(served, log.asked(5, 5).text.encode())
    assert (status, kind) == (409, "text/plain; charset=utf-8")
    assert said == "the log signed two different checkpoints of size 5\n"


def test_only_what_there_is_is_served(served: ServedWitness) -> None:
    assert http(served, "GET", "/add-checkpoint")[0] == 405
    assert http(served, "GET", "/nothing")[0] == 404
    assert announced(served, MAX_CHECKPOINT_BYTES + 1, "/add-checkpoint") == 413
    assert announced(served, MAX_MIX_BYTES + 1, "/mix") == 413
    assert posted(served, b"[]", "/mix")[0] == 400


def test_the_page_names_keys_and_sizes(served: ServedWitness, log: Grown) -> None:
    log.grow(1234)
    served.client().add_checkpoint(0, [], log.note())
    status, headers, body = http(served, "GET", "/")
    text = body.decode()
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]
    assert served.identity.cosigner.verifier.text in text
    assert f"<td>{log.signer.verifier.name}<td>1,234<td>20" in text
    assert f"# mix {NAME} " in text
    assert "<script" not in text


def test_the_status_says_what_was_seen(served: ServedWitness, log: Grown) -> None:
    log.grow(3)
    served.client().add_checkpoint(0, [], log.note())
    status = served.client().status()
    [own] = [seen for seen in status.logs if seen.origin == log.signer.verifier.name]
    assert (own.size, own.note) == (3, log.note())
    assert (status.name, status.vkey) == (NAME, served.identity.cosigner.verifier.text)


@pytest.mark.parametrize("name", ["verify.html", "verify.py"])
def test_verifiers_are_served_as_they_are_in_the_package(served: ServedWitness, name: str) -> None:
    status, _, body = http(served, "GET", f"/{name}")
    file = Path(verifier.__file__).with_name(name)
    expected = (200, file.read_bytes()) if file.is_file() else (404, body)
    assert (status, body) == expected


# What a floor asks with


def test_a_log_is_cosigned_and_its_proof_verifies_under_a_policy(served: ServedWitness) -> None:
    """All of it: a shoe is started, logged, cosigned, mixed; the lines of the policy are those that `show` prints."""
    log, client = Grown(), served.client()
    entry = entry_of(shoe_started())
    log.grow(3)
    client.add_checkpoint(0, [], log.note())
    index = log.add(entry)
    log.grow(2)
    asked = log.asked(3)
    [signed] = client.add_checkpoint(3, asked.hashes, asked.note)
    proof = log.proof(index, signed.signature)
    policy = read_policy(
        f"log {LOG.verifier.text}\n{served.identity.build_policy_lines()}quorum {NAME}\n"
    )
    verify_proof(log.leaves[index], proof, policy)
    request = mix_request(entry, proof)
    signature = client.mix(request)
    assert client.mix(request) == signature
    mix.verify(
        signature, mix.build_message(ORIGIN, "table:3", 12, COMMITMENT), policy.witnesses[0].mix_key
    )
    with pytest.raises(
        WitnessRefused, match=r"refused \(422\): the part does not start this shoe"
    ) as caught:
        client.mix(msgspec.structs.replace(request, shoe=13))
    assert caught.value.status == 422


def test_another_size_is_told_to_the_floor(served: ServedWitness, log: Grown) -> None:
    log.grow(8)
    served.client().add_checkpoint(0, [], log.asked(0, 6).note)
    with pytest.raises(WitnessHasOtherSize, match="cosigned size 6 of the log last") as caught:
        served.client().add_checkpoint(0, [], log.note())
    assert caught.value.size == 6


def test_an_answer_by_another_key_is_not_believed(served: ServedWitness, log: Grown) -> None:
    log.grow(2)
    stranger = Signer(NAME, 4, bytes(32)).verifier
    client = WitnessClient(served.address, stranger)
    with pytest.raises(WitnessUnreachable, match="with a key that the policy does not name"):
        client.add_checkpoint(0, [], log.note())


def hang_up(connection: socket.socket) -> None:
    """The end of the answer, and then the rest of the request: to close with any of it unread would
    reset the connection, and the answer would be lost on its way.
    """
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65_536):
            pass


@contextmanager
def answering(data: bytes, pause_s: float = 0.0) -> Iterator[str]:
    """A server that sends this, byte by byte where it pauses, whatever it is asked."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        done = threading.Event()

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                pieces = [data[i : i + 1] for i in range(len(data))] if pause_s else [data]
                for piece in pieces:
                    try:
                        connection.sendall(piece)
                    except OSError:
                        return
                    if done.wait(pause_s):
                        return
                hang_up(connection)

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        done.set()
        thread.join(PATIENCE_S)


OK = b"HTTP/1.1 200 OK\r\n\r\n"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"", "cannot reach"),
        (b"rubbish\r\n\r\n", "cannot reach"),
        (OK, "returned an invalid cosignature"),
        (OK + b"\xff\n", "returned an invalid cosignature"),
        (OK + b"<html>\n", "returned an invalid cosignature"),
        (OK + b"x" * (asking.MAX_ANSWER_BYTES + 1), "exceeds 1048576 bytes"),
        (
            b"HTTP/1.1 409 Conflict\r\nContent-Type: text/x.tlog.size\r\n\r\n-5\n",
            "an invalid size",
        ),
        (b"HTTP/1.1 302 Found\r\nLocation: http://example.com/\r\n\r\n", r"refused \(302\)"),
        (b"HTTP/1.1 500 Oh\r\n\r\nwords\nof theirs", r"refused \(500\): words of theirs"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_witness_is_told_in_a_line(answer: bytes, said: str) -> None:
    with answering(answer) as address:
        client = WitnessClient(address, LOG.verifier)
        with pytest.raises((WitnessUnreachable, WitnessRefused), match=said) as caught:
            client.add_checkpoint(0, [], Grown().note())
    assert "\n" not in caught.value.reason


def test_slow_answers_have_an_end() -> None:
    with answering(OK + b"x" * 100_000, pause_s=0.05) as address:
        client = WitnessClient(address, LOG.verifier, timeout_s=0.5)
        with pytest.raises(WitnessUnreachable, match=r"did not answer within 0\.5 s"):
            client.add_checkpoint(0, [], Grown().note())


def test_nobody_there() -> None:
    with pytest.raises(WitnessUnreachable, match=r"cannot reach .*: Connection refused"):
        WitnessClient("http://127.0.0.1:9", LOG.verifier).status()


@pytest.mark.parametrize("url", ["", "ftp://a/", "https://", "w.example", "https://a/?b"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(WitnessUnreachable, match="is not the address of a witness"):
        WitnessClient(url)


def test_who_has_no_certificate_is_not_asked(served: ServedWitness) -> None:
    """A server without TLS, or with a certificate of its own making, is nobody."""
    client = WitnessClient(served.address.replace("http:", "https:"), LOG.verifier)
    with pytest.raises(WitnessUnreachable, match="cannot reach"):
        client.status()
    assert ssl.create_default_context().verify_mode == ssl.CERT_REQUIRED


# Killed


def test_killed_at_any_moment_it_is_never_behind_what_it_answered(tmp_path: Path) -> None:
    """SIGKILL while a log grows as fast as it is cosigned: after each, the witness knows what it answered, or one step
    more; it cosigns on from there, and nothing that contradicts it.
    """
    seeded = random.Random(21)
    witness = ServedWitness(tmp_path / "witness")
    log = Grown()
    answered = 0
    for _ in range(KILLS):
        timer = threading.Timer(seeded.uniform(0.02, 0.4), witness.kill)
        timer.start()
        try:
            while True:
                log.grow(1)
                asked = log.asked(answered)
                witness.client(timeout_s=PATIENCE_S).add_checkpoint(
                    answered, asked.hashes, asked.note
                )
                answered = log.size
        except (WitnessUnreachable, WitnessHasOtherSize):
            pass
        timer.join()
        witness.start()
        [seen] = witness.client().status().logs
        assert seen.size in {answered, log.size}
        assert (
            read_note(seen.note).text == log.head(seen.size).text if seen.size else seen.note == ""
        )
        answered = seen.size
    log.grow(1)
    asked = log.asked(answered)
    witness.client().add_checkpoint(answered, asked.hashes, asked.note)
    log.leaves[0] = b"another"
    log.grow(1)
    forged = log.asked(answered + 1 if answered + 1 < log.size else answered)
    with pytest.raises(WitnessRefused):
        witness.client().add_checkpoint(forged.old, forged.hashes, forged.note)
    witness.stop()


# The command line


def test_init_show_and_the_policy_that_comes_of_it(tmp_path: Path) -> None:
    folder = str(tmp_path / "w")
    made = command_line("witness", "init", "--name", NAME, "--folder", folder)
    assert made.returncode == 0, made.stderr
    shown = command_line("witness", "show", "--folder", folder, "--url", "https://w.example/")
    lines = shown.stdout
    assert lines.startswith(f"witness {NAME} {NAME}+")
    assert " https://w.example/\n# mix " in lines
    policy = read_policy(lines + f"quorum {NAME}\n")
    assert policy.witnesses[0].url == "https://w.example/"
    assert made.stdout.splitlines()[0] == f"created witness {NAME} in {folder}; lines for a policy:"
    again = command_line("witness", "init", "--name", NAME, "--folder", folder)
    assert (again.returncode, again.stdout) == (2, "")
    assert "already exists and will not be replaced" in again.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["init", "--name", "a b", "--folder", "FOLDER"], "is not a valid key name"),
        (["show", "--folder", "FOLDER"], "there is no witness in"),
        (["serve", "--folder", "FOLDER"], "--log"),
        (["serve", "--folder", "FOLDER", "--log", "rubbish"], "'rubbish' is not a verifier key"),
        (["serve", "--folder", "FOLDER", "--log", LOG.verifier.text], "there is no witness in"),
        (
            ["serve", "--folder", "FOLDER", "--log", LOG.verifier.text, "--host", "0.0.0.0"],
            "give --tls-cert",
        ),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, words: list[str], said: str) -> None:
    folder = str(tmp_path / "w")
    run = command_line("witness", *(folder if word == "FOLDER" else word for word in words))
    assert run.returncode == 2
    assert said in run.stderr
    assert run.stderr.count("\n") == 1


def test_a_folder_of_before_there_were_proofs_has_one_when_it_is_read(tmp_path: Path) -> None:
    """The folder holds the secret keys as ever; the proof is made from them."""
    made = create_identity(tmp_path, NAME)
    held = json.loads((tmp_path / KEYS).read_bytes())
    assert held.keys() == {"format", "name", "cosigning", "mixing"}
    assert load_identity(tmp_path).mix_key == made.mix_key
    mix.read_key(made.mix_key)


def test_a_witness_without_its_memory_is_not_served(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    command_line("witness", "init", "--name", NAME, "--folder", str(folder))
    (folder / "witness.db").unlink()
    run = command_line("witness", "serve", "--folder", str(folder), "--log", LOG.verifier.text)
    assert run.returncode == 2
    assert "retire this witness and create another" in run.stderr
