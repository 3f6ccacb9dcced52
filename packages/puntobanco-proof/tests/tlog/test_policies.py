"""Policies: who is trusted and how many are enough; each line that cannot be used is named."""

import re
from itertools import combinations

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from hypothesis import given
from hypothesis import strategies as st

from puntobanco_proof.mix import KEY_BYTES
from puntobanco_proof.tree.faults import BadPolicy, encode_base64
from puntobanco_proof.tree.notes import COSIGNATURE, Signer
from puntobanco_proof.tree.policies import (
    MAX_PER_KIND,
    Group,
    Log,
    Policy,
    Witness,
    format_mix_line,
    read_policy,
    require_all,
)
from tests.support.weak_keys import der, weak_key
from tests.tlog.keys import LOG, mix_public, policy, witness

A, B, C, D, E, F = (witness(f"{letter}.example") for letter in "abcdef")
LOG_LINE = f"log {LOG.verifier.text}\n"


def line_of(name: str, url: str = "") -> str:
    return f"witness {name} {witness(name).verifier.text} {url}".rstrip() + "\n"


TWO = LOG_LINE + line_of("a.example") + line_of("b.example")

NESTED = """\
# two houses
log {log} https://example.com/floor/

witness A1 {a}
  witness\tA2 {b}
witness A3 {c} https://c.example/
group A 2 A1 A2 A3
witness B1 {d}
witness B2 {e}
group B any B1 B2
group both all A B
quorum both
""".format(log=LOG.verifier.text, **{s.verifier.name[0]: s.verifier.text for s in (A, B, C, D, E)})


def test_a_policy_with_groups_of_groups() -> None:
    read = read_policy(NESTED)
    assert read.logs == (Log(LOG.verifier, "https://example.com/floor/"),)
    assert [found.name for found in read.witnesses] == ["A1", "A2", "A3", "B1", "B2"]
    assert read.witnesses[2].url == "https://c.example/"
    assert read.groups[0] == Group("A", 2, ("A1", "A2", "A3"))
    names = ("A1", "A2", "A3", "B1", "B2")
    for count in range(6):
        for some in combinations(names, count):
            enough = len({"A1", "A2", "A3"} & set(some)) >= 2 and bool({"B1", "B2"} & set(some))
            assert read.is_witnessed(some) == enough
    assert read_policy(read.text) == read


def test_names_of_groups_and_of_strangers_count_for_nothing() -> None:
    read = read_policy(NESTED)
    assert not read.is_witnessed(["A", "B", "both"])
    assert not read.is_witnessed(["C1", "C2", "C3", "none"])


def test_nobody_is_asked() -> None:
    assert read_policy("quorum none\n") == Policy()
    assert Policy().is_witnessed([])


@pytest.mark.parametrize(("count", "quorum"), [(0, "none"), (1, "a.example"), (3, "all-of-them")])
def test_the_policy_that_we_write_wants_all(count: int, quorum: str) -> None:
    names = ("a.example", "b.example", "c.example")[:count]
    written = policy(*names)
    assert written.quorum == quorum
    assert read_policy(written.text) == written
    for some in (some for n in range(count + 1) for some in combinations(names, n)):
        assert written.is_witnessed(some) == (some == names)


# The mix


def test_a_key_for_the_mix_is_a_comment_to_others() -> None:
    written = policy("a.example", "b.example", with_mix=True)
    assert read_policy(written.text) == written
    assert written.witnesses[0].mix_key == mix_public("a.example")
    plain = "".join(line + "\n" for line in written.text.splitlines() if not line.startswith("#"))
    assert plain == policy("a.example", "b.example").text


KEYS = {
    "KEY": mix_public(),
    "BARE": mix_public()[:KEY_BYTES],
    "SMALL": der(generate_private_key(65537, 1024).public_key().public_numbers().n),
    "WEAK": weak_key(),
}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("# mix a.example KEY more\n", "line 4: write a mix key as"),
        ("# mix a.example\n", "line 4: write a mix key as"),
        ("# mix c.example KEY\n", "line 4: no witness above has the name 'c.example'"),
        (
            "# mix a.example KEY\n# mix a.example KEY\n",
            "line 5: witness 'a.example' already has a mix key",
        ),
        ("# mix a.example AAAA\n", "line 4: the mix key is not a public key in DER"),
        ("# mix a.example AA=A\n", "line 4: 'AA=A' is not base64"),
        ("# mix a.example SMALL\n", "line 4: the mix key must have 2048 bits"),
        ("# mix a.example BARE\n", "line 4: the mix key has no proof"),
        ("# mix a.example WEAK\n", "line 4: the proof of the mix key is wrong"),
    ],
)
def test_a_key_for_the_mix_is_read_strictly(lines: str, said: str) -> None:
    written = re.sub("|".join(KEYS), lambda found: encode_base64(KEYS[found[0]]), lines)
    with pytest.raises(BadPolicy, match=said):
        read_policy(TWO + written + "quorum none\n")


def test_a_witness_mixes_under_the_name_of_its_key() -> None:
    """The journal and the witness know no other."""
    text = f"witness ann {A.verifier.text}\n{format_mix_line('ann', mix_public())}\nquorum ann\n"
    with pytest.raises(
        BadPolicy, match="line 2: no witness above has the name 'ann' for itself and for its key"
    ):
        read_policy(text)


# Faults


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the policy has no quorum line"),
        (TWO, "the policy has no quorum line"),
        (TWO + "quorum none", "the last line of the policy does not end"),
        (TWO + "quorum none\nquorum none\n", "line 5: the policy already has a quorum"),
        (TWO + "quorum c.example\n", "line 4: no witness or group above has the name 'c.example'"),
        (TWO + "quorum\n", "line 4: write a quorum as"),
        (TWO + "quorum a.example b.example\n", "line 4: write a quorum as"),
        (TWO + "Quorum none\n", "line 4: 'Quorum' is not one of log, witness, group, quorum"),
        (TWO + LOG_LINE, "line 4: another log already has this key"),
        (TWO + "log\n", "line 4: write a log as"),
        (
            TWO + f"log {A.verifier.text}\n",
            "line 4: the key is a witness's Ed25519 key; this line needs a log's",
        ),
        (TWO + "log rubbish\n", r"line 4: 'rubbish' is not a verifier key"),
        (TWO + f"witness x {LOG.verifier.text}\n", "line 4: the key is a log's Ed25519 key"),
        (
            TWO + line_of("a.example"),
            "line 4: 'a.example' is already the name of a witness or group",
        ),
        (
            TWO + f"witness x {A.verifier.text}\n",
            "line 4: another witness already has this key",
        ),
        (TWO + "witness x\n", "line 4: write a witness as"),
        (TWO + f"witness none {C.verifier.text}\n", "line 4: the name none is reserved"),
        (TWO + "group g all\n", "line 4: write a group as"),
        (
            TWO + "group g 0 a.example\n",
            "line 4: the number must be from 1 to the 1 members of the group, not 0",
        ),
        (
            TWO + "group g 3 a.example b.example\n",
            "line 4: the number must be from 1 to the 2 members of the group, not 3",
        ),
        (TWO + "group g 01 a.example\n", "line 4: '01' is not a whole number"),
        (TWO + "group g some a.example\n", "line 4: 'some' is not a whole number"),
        (
            TWO + "group g any a.example a.example\n",
            "line 4: 'a.example' is a member of two groups, or twice of one",
        ),
        (
            TWO + "group g any a.example\ngroup h any a.example\n",
            "line 5: 'a.example' is a member of two groups, or twice of one",
        ),
        (TWO + "group g any g\n", "line 4: no witness or group above has the name 'g'"),
        (TWO + "group g any none\n", "line 4: no witness or group above has the name 'none'"),
        (
            TWO + "group a.example any b.example\n",
            "line 4: 'a.example' is already the name of a witness or group",
        ),
        (TWO + "group none any b.example\n", "line 4: the name none is reserved"),
        (TWO + "quorum none\r\n", "line 4: the line contains a control character"),
        (TWO + "# \x7f\nquorum none\n", "line 4: the line contains a control character"),
        ("#" * 300_000, "a policy may have at most"),
    ],
)
def test_each_fault_is_one_line(text: str, said: str) -> None:
    with pytest.raises(BadPolicy, match=said) as caught:
        read_policy(text)
    assert "\n" not in caught.value.reason


def test_as_many_witnesses_as_there_may_be() -> None:
    lines = [line_of(f"w{number}") for number in range(MAX_PER_KIND + 1)]
    assert len(read_policy("".join(lines[:-1]) + "quorum none\n").witnesses) == MAX_PER_KIND
    with pytest.raises(BadPolicy, match=f"line {MAX_PER_KIND + 1}: a policy may have at most"):
        read_policy("".join(lines) + "quorum none\n")


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    count = draw(st.integers(0, 5))
    witnesses = [
        Witness(
            f"w{number}", witness(f"k{number}").verifier, draw(st.sampled_from(["", "http://w/"]))
        )
        for number in range(count)
    ]
    groups, free = list[Group](), [found.name for found in witnesses]
    while free and len(groups) < 3 and draw(st.booleans()):
        members = draw(st.lists(st.sampled_from(free), min_size=1, unique=True))
        group = Group(f"g{len(groups)}", draw(st.integers(1, len(members))), tuple(members))
        free = [name for name in free if name not in members] + [group.name]
        groups.append(group)
    quorum = draw(st.sampled_from(["none", *free]))
    return Policy((Log(LOG.verifier),), tuple(witnesses), tuple(groups), quorum)


@given(policies())
def test_a_policy_is_read_as_it_was_written(written: Policy) -> None:
    assert read_policy(written.text) == written


@given(st.text(max_size=200))
def test_rubbish_is_refused_and_nothing_else(text: str) -> None:
    with pytest.raises(BadPolicy):
        read_policy(text + "\nrubbish\n")


def test_two_witnesses_may_not_have_keys_of_one_name() -> None:
    """Times and names of cosignatures are told by the name of the key."""
    twin = Signer("a.example", COSIGNATURE, bytes(32)).verifier
    with pytest.raises(BadPolicy, match="line 4: the key of another witness already has this name"):
        read_policy(TWO + f"witness y {twin.text}\nquorum none\n")


def test_require_all_takes_a_name_for_its_group() -> None:
    made = require_all([], [Witness(s.verifier.name, s.verifier) for s in (A, F)], group="both")
    assert made.text.endswith("group both all a.example f.example\nquorum both\n")
