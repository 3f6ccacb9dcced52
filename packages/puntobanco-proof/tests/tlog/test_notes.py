"""Signed notes and checkpoints: one way to write each, and a wrong signature of a known key spoils it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco_proof.tree.checkpoints import (
    Checkpoint,
    cosign_checkpoint,
    open_checkpoint,
    read_checkpoint,
    read_checkpoint_note,
    sign_checkpoint,
)
from puntobanco_proof.tree.faults import MAX_SIZE, BadCheckpoint, BadLogText, BadNote
from puntobanco_proof.tree.notes import (
    COSIGNATURE,
    ED25519,
    MAX_NAME_BYTES,
    MAX_NOTE_BYTES,
    MAX_SIGNATURES,
    Note,
    Signature,
    Signer,
    Verifier,
    add_signatures,
    open_note,
    read_note,
    read_vkey,
)
from tests.tlog.keys import LOG, ORIGIN, witness
from tests.tlog.trees import flipped

ANN = witness("ann.example/w")
BEN = witness("ben.example/w")
AT = 1_763_348_400
HEAD = Checkpoint(ORIGIN, 812, bytes(range(32)))
NOTE = sign_checkpoint(HEAD, LOG)
COSIGNED = add_signatures(NOTE, [cosign_checkpoint(HEAD, ANN, time=AT)])

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Z"], exclude_characters="+ "),
    min_size=1,
    max_size=20,
)
LINES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)
TEXTS = st.lists(LINES, min_size=1, max_size=5).map(lambda lines: "".join(f"{x}\n" for x in lines))


# The examples of the specifications: keys and signatures that others made


def test_a_note_of_the_specification_is_read() -> None:
    """C2SP's signed-note prints this note, without its key; what it says of ids and lengths must hold."""
    note = (
        "Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n"
        "— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n"
    )
    read = read_note(note)
    assert read.text.endswith("\n\ned è subito sera.\n")
    [found] = read.signatures
    assert (found.name, found.id.hex(), len(found.data)) == (
        "quasimodo.example/salvatore",
        "367ba04b",
        64,
    )
    assert read.note == note


def test_a_key_and_a_note_of_the_go_documentation_verify() -> None:
    """Package sumdb/note prints this key and this note."""
    verifier = read_vkey("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    note = (
        "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
        "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    )
    opened = open_note(note, [verifier])
    assert opened.text.startswith("If you think")
    assert opened.signed[0].by is verifier
    with pytest.raises(BadNote, match="the signature of 'PeterNeumann' is wrong"):
        open_note(note.replace("answer", "Answer"), [verifier])


# Keys


def test_a_key_is_written_as_it_is_read() -> None:
    text = LOG.verifier.text
    assert text == "example.com/floor+" + LOG.verifier.id.hex() + text[text.rindex("+") :]
    assert read_vkey(text) == LOG.verifier
    assert read_vkey(ANN.verifier.text) == ANN.verifier


def test_a_log_and_a_witness_of_the_same_seed_have_other_ids() -> None:
    as_log = Signer("a", ED25519, bytes(32)).verifier
    as_witness = Signer("a", COSIGNATURE, bytes(32)).verifier
    assert as_log.key == as_witness.key
    assert as_log.id != as_witness.id


GOOD = LOG.verifier.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "NAME+ID+KEY"),
        ("name+1234", "NAME+ID+KEY"),
        (GOOD.replace("/", " "), "not a valid key name"),
        (GOOD.replace(ORIGIN, ""), "not a valid key name"),
        (GOOD.replace(ORIGIN, "other"), "has the id"),
        (GOOD.replace(LOG.verifier.id.hex(), LOG.verifier.id.hex().upper()), "has the id"),
        (GOOD[:-1], "is not base64"),
        (GOOD + "\n", "is not base64"),
        ("a+12345678+Ag==", "has the unsupported type 2"),
        ("a+12345678+", "has the unsupported type 0"),
        ("a+12345678+AQ==", "has 0 bytes, not 32"),
    ],
)
def test_other_keys_are_refused(text: str, said: str) -> None:
    with pytest.raises(BadNote, match=said.replace("+", r"\+")) as caught:
        read_vkey(text)
    assert "\n" not in caught.value.reason


def test_a_name_has_a_length() -> None:
    Signer("n" * MAX_NAME_BYTES, ED25519, bytes(32))
    with pytest.raises(BadNote, match="not a valid key name"):
        Signer("n" * (MAX_NAME_BYTES + 1), ED25519, bytes(32))


# Notes


@given(NAMES, TEXTS, st.integers(0, MAX_SIZE), st.sampled_from([ED25519, COSIGNATURE]))
def test_what_is_signed_opens(name: str, text: str, time: int, type_: int) -> None:
    signer = Signer(name, type_, bytes(32))
    note = Note(text, (signer.sign(text, time=time),)).note
    opened = open_note(note, [signer.verifier, LOG.verifier])
    assert opened.text == text
    [found] = opened.signed
    assert found.by == signer.verifier
    assert found.time == (time if type_ == COSIGNATURE else None)
    assert read_note(note).note == note


@given(st.data())
def test_a_changed_bit_anywhere_is_refused(data: st.DataObject) -> None:
    """Of a note whose signatures are all by known keys. A name that is changed makes its key an unknown one."""
    raw = COSIGNED.encode()
    changed = flipped(raw, data.draw(st.integers(0, len(raw) * 8 - 1)))
    try:
        opened = open_note(changed.decode(), [LOG.verifier, ANN.verifier])
    except (BadLogText, UnicodeDecodeError):
        return
    assert opened.text == HEAD.text
    assert len(opened.signed) == 1


def test_keys_that_are_not_known_are_passed_over() -> None:
    both = add_signatures(COSIGNED, [cosign_checkpoint(HEAD, BEN, time=AT)])
    assert [found.by for found in open_note(both, [BEN.verifier]).signed] == [BEN.verifier]
    with pytest.raises(BadNote, match="no known key has signed"):
        open_note(COSIGNED, [BEN.verifier])
    other = Verifier(
        ANN.verifier.name, COSIGNATURE, BEN.verifier.key
    )  # the name alone is not enough
    with pytest.raises(BadNote, match="no known key has signed"):
        open_note(COSIGNED, [other])


def test_a_wrong_signature_of_a_known_key_spoils_the_note() -> None:
    wrong = cosign_checkpoint(Checkpoint(ORIGIN, 813, bytes(32)), ANN, time=AT)
    note = add_signatures(NOTE, [wrong])
    open_note(note, [LOG.verifier])
    with pytest.raises(BadNote, match=r"the signature of 'ann\.example/w' is wrong"):
        open_note(note, [LOG.verifier, ANN.verifier])


def test_the_time_is_signed() -> None:
    line = cosign_checkpoint(HEAD, ANN, time=AT)
    later = line._replace(data=(AT + 1).to_bytes(8) + line.data[8:])
    assert not ANN.verifier.verifies(HEAD.text, later.data)
    with pytest.raises(BadNote, match="out of range"):
        open_note(
            Note(HEAD.text, (cosign_checkpoint(HEAD, ANN, time=MAX_SIZE + 1),)).note, [ANN.verifier]
        )


def test_a_later_signature_of_the_same_key_takes_the_place_of_the_first() -> None:
    later = add_signatures(COSIGNED, [cosign_checkpoint(HEAD, ANN, time=AT + 5)])
    assert open_checkpoint(later, [LOG.verifier], [ANN.verifier]).times == {"ann.example/w": AT + 5}
    assert later.count("\n") == COSIGNED.count("\n")


def lines_of(count: int) -> str:
    return "".join(Signature(f"k{i}", bytes(4), b"x").line for i in range(count))


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("", "a note must be a text"),
        ("text\n", "a note must be a text"),
        ("text\n\n", "a note must be a text"),
        (NOTE[:-1], "a note must be a text"),
        (NOTE + "\n", "a note must be a text"),
        (NOTE.replace("\n", "\r\n"), "control character"),
        (NOTE.replace("812", "8\t12"), "control character"),
        (NOTE + "more\n", "is not a signature line"),
        (NOTE.replace("— ", "- "), "is not a signature line"),
        (NOTE.replace(f"— {ORIGIN} ", f"— {ORIGIN}  "), "is not base64"),
        (NOTE.replace("=\n\n", "=\n\n— a+b AAAAAAA=\n"), "not a valid key name"),
        (NOTE + "— a AAAAAA==\n", "too short"),
        (NOTE + "— a AAAAAAB=\n", "is not canonical base64"),
        (NOTE + NOTE.split("\n")[-2] + "\n", "more than once"),
        ("a\n\n" + lines_of(MAX_SIGNATURES + 1), "1 to 64 complete signature lines"),
        ("a" * MAX_NOTE_BYTES + NOTE, "at most 262144 bytes"),
        ("\ud800\n\n— a AAAAAAA=\n", "surrogate characters"),
    ],
)
def test_other_notes_are_refused_in_a_line(note: str, said: str) -> None:
    with pytest.raises(BadNote, match=said) as caught:
        read_note(note)
    assert "\n" not in caught.value.reason


def test_as_many_signatures_as_there_may_be() -> None:
    assert len(read_note("a\n\n" + lines_of(MAX_SIGNATURES)).signatures) == MAX_SIGNATURES


# Checkpoints


def test_a_checkpoint_as_text() -> None:
    assert HEAD.text == "example.com/floor\n812\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
    assert read_checkpoint_note(NOTE) == HEAD


@given(
    LINES.filter(bool),
    st.integers(0, MAX_SIZE),
    st.binary(min_size=32, max_size=32),
    st.lists(LINES.filter(bool), max_size=3),
)
def test_a_checkpoint_is_read_as_it_was_written(
    origin: str, size: int, root: bytes, extensions: list[str]
) -> None:
    written = Checkpoint(origin, size, root, tuple(extensions))
    assert read_checkpoint(written.text) == written


CHANGES: dict[str, Callable[[str], str]] = {
    "leading zero": lambda text: text.replace("812", "0812"),
    "sign": lambda text: text.replace("812", "+812"),
    "other digits": lambda text: text.replace("812", "٨١٢"),
    "underscore": lambda text: text.replace("812", "8_12"),
    "too many": lambda text: text.replace("812", str(MAX_SIZE + 1)),
    "no size": lambda text: text.replace("812\n", ""),
    "no origin": lambda text: text.replace(ORIGIN, ""),
    "short root": lambda text: text.replace("AAEC", ""),
    "not base64": lambda text: text.replace("AAEC", "AA-C"),
    "empty extension": lambda text: text + "\n",
    "no last end": lambda text: text[:-1],
}


@pytest.mark.parametrize("change", CHANGES)
def test_other_texts_are_no_checkpoints(change: str) -> None:
    with pytest.raises(BadCheckpoint) as caught:
        read_checkpoint(CHANGES[change](HEAD.text))
    assert "\n" not in caught.value.reason


def test_a_log_signs_under_its_own_name() -> None:
    elsewhere = Checkpoint("example.com/other", 812, HEAD.root)
    note = Note(elsewhere.text, (LOG.sign(elsewhere.text),)).note
    with pytest.raises(BadCheckpoint, match=r"'example\.com/other' has not signed"):
        open_checkpoint(note, [LOG.verifier])
    only_a_witness = Note(HEAD.text, (cosign_checkpoint(HEAD, ANN, time=AT),)).note
    with pytest.raises(BadCheckpoint, match="has not signed its checkpoint"):
        open_checkpoint(only_a_witness, [LOG.verifier], [ANN.verifier])
    assert open_checkpoint(COSIGNED, [LOG.verifier], [ANN.verifier]).times == {"ann.example/w": AT}
