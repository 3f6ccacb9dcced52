"""Policies: which logs and witnesses somebody trusts, and how many witnesses are enough, as C2SP's
tlog-policy writes them.

A witness that mixes shoes has another key for it, which stands in a comment, `# mix NAME KEY`, with
its proof: other programs pass over it. NAME is then the name of the witness's key, since the
witness and the journal know it by no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from puntobanco_proof import mix
from puntobanco_proof.tree.faults import (
    BadLogText,
    BadPolicy,
    from_base64,
    number_from,
    shown,
    to_base64,
)
from puntobanco_proof.tree.notes import COSIGNATURE, ED25519, TYPES, Verifier, read_vkey

NONE = "none"
"""The quorum of a policy that asks for no witness; nobody else may be called so."""

MOST_OF_A_KIND = 64
"""Logs, witnesses, groups."""

MOST_CHARACTERS = 256 * 1024


@dataclass(frozen=True, slots=True)
class Log:
    verifier: Verifier
    url: str = ""


@dataclass(frozen=True, slots=True)
class Witness:
    """`name` is what the policy calls it; `mix_key` what it mixes shoes with, or nothing."""

    name: str
    verifier: Verifier
    url: str = ""
    mix_key: bytes = b""


@dataclass(frozen=True, slots=True)
class Group:
    """Has witnessed something when `least` of its members have: witnesses, or other groups."""

    name: str
    least: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    logs: tuple[Log, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    groups: tuple[Group, ...] = ()  # each after its members
    quorum: str = NONE

    @property
    def verifiers(self) -> tuple[Verifier, ...]:
        """The keys of the witnesses."""
        return tuple(witness.verifier for witness in self.witnesses)

    def names_of(self, keys: Iterable[str]) -> frozenset[str]:
        """What the policy calls witnesses whose keys are called so."""
        wanted = frozenset(keys)
        return frozenset(w.name for w in self.witnesses if w.verifier.name in wanted)

    def is_witnessed(self, names: Iterable[str]) -> bool:
        """Whether these witnesses, as the policy calls them, are enough."""
        have = {NONE} | {witness.name for witness in self.witnesses} & set(names)
        for group in self.groups:
            if len(have.intersection(group.members)) >= group.least:
                have.add(group.name)
        return self.quorum in have

    @property
    def text(self) -> str:
        lines = list[str]()
        for log in self.logs:
            lines.append(_joined("log", log.verifier.text, log.url))
        for witness in self.witnesses:
            lines.append(_joined("witness", witness.name, witness.verifier.text, witness.url))
            if witness.mix_key:
                lines.append(mix_line(witness.name, witness.mix_key))
        for group in self.groups:
            least = "all" if group.least == len(group.members) else str(group.least)
            lines.append(_joined("group", group.name, least, *group.members))
        lines.append(f"quorum {self.quorum}")
        return "".join(f"{line}\n" for line in lines)


def mix_line(name: str, key: bytes) -> str:
    return f"# mix {name} {to_base64(key)}"


def _joined(*words: str) -> str:
    return " ".join(words).rstrip()


def policy_of(
    logs: Iterable[Log], witnesses: Iterable[Witness], group: str = "all-of-them"
) -> Policy:
    """That every one of these witnesses must have cosigned: what we write unless told else."""
    logs, witnesses = tuple(logs), tuple(witnesses)
    names = tuple(witness.name for witness in witnesses)
    if len(names) <= 1:
        return Policy(logs, witnesses, (), names[0] if names else NONE)
    return Policy(logs, witnesses, (Group(group, len(names), names),), group)


# Reading


def read_policy(text: str) -> Policy:
    if len(text) > MOST_CHARACTERS:
        raise BadPolicy(f"a policy has at most {MOST_CHARACTERS} characters")
    *lines, rest = text.split("\n")
    if rest:
        raise BadPolicy("the last line of a policy has no end; it may be cut off")
    policy = Policy(quorum="")
    for number, line in enumerate(lines, 1):
        try:
            policy = _with_line(policy, line)
        except (BadLogText, mix.MixFault) as refusal:
            raise BadPolicy(f"line {number}: {refusal.reason}") from None
    if not policy.quorum:
        raise BadPolicy("a policy says which quorum it wants: quorum NAME, or quorum none")
    return policy


def _with_line(policy: Policy, line: str) -> Policy:
    if any((char < " " and char != "\t") or char == "\x7f" for char in line):
        raise BadPolicy("there is a control character in it")
    words = line.replace("\t", " ").split(" ")
    words = [word for word in words if word]
    if not words:
        return policy
    if words[:2] == ["#", "mix"]:
        return _with_mix(policy, words[2:])
    if words[0].startswith("#"):
        return policy
    reads = _LINES.get(words[0])
    if reads is None:
        raise BadPolicy(f"{shown(words[0])} is none of log, witness, group, quorum")
    return reads(policy, words[1:])


def _with_log(policy: Policy, words: list[str]) -> Policy:
    if len(words) not in {1, 2}:
        raise BadPolicy("a log is written: log KEY [URL]")
    verifier = _key(words[0], ED25519)
    if any(verifier.key == log.verifier.key for log in policy.logs):
        raise BadPolicy("there is a log with that key already")
    log = Log(verifier, *words[1:])
    return replace(policy, logs=_more(policy.logs, log))


def _with_witness(policy: Policy, words: list[str]) -> Policy:
    if len(words) not in {2, 3}:
        raise BadPolicy("a witness is written: witness NAME KEY [URL]")
    name, key, *url = words
    _verify_new(policy, name)
    verifier = _key(key, COSIGNATURE)
    if any(verifier.key == other.verifier.key for other in policy.witnesses):
        raise BadPolicy("there is a witness with that key already")
    if any(verifier.name == other.verifier.name for other in policy.witnesses):
        raise BadPolicy("there is a witness whose key has that name already")
    witness = Witness(name, verifier, url[0] if url else "")
    return replace(policy, witnesses=_more(policy.witnesses, witness))


def _with_mix(policy: Policy, words: list[str]) -> Policy:
    if len(words) != 2:
        raise BadPolicy("a witness's key for the mix is written: # mix NAME KEY")
    name, encoded = words
    found = [witness for witness in policy.witnesses if witness.name == name]
    if not found or found[0].verifier.name != name:
        raise BadPolicy(f"no witness above is called {shown(name)}, and its key so too")
    if found[0].mix_key:
        raise BadPolicy(f"there is a key for the mix of {shown(name)} already")
    key = from_base64(encoded, BadPolicy)
    mix.read_key(key)
    witnesses = [replace(w, mix_key=key) if w.name == name else w for w in policy.witnesses]
    return replace(policy, witnesses=tuple(witnesses))


def _with_group(policy: Policy, words: list[str]) -> Policy:
    if len(words) < 3:
        raise BadPolicy("a group is written: group NAME all|any|NUMBER MEMBER...")
    name, least, *members = words
    _verify_new(policy, name)
    taken = {member for group in policy.groups for member in group.members}
    for member in members:
        if member not in _names(policy):
            raise BadPolicy(f"no witness or group above is called {shown(member)}")
        if member in taken:
            raise BadPolicy(f"{shown(member)} is a member twice")
        taken.add(member)
    group = Group(name, _least(least, len(members)), tuple(members))
    return replace(policy, groups=_more(policy.groups, group))


def _least(text: str, members: int) -> int:
    named = {"all": members, "any": 1}
    least = named[text] if text in named else number_from(text, BadPolicy)
    if not 1 <= least <= members:
        raise BadPolicy(f"{least} of {members} members cannot be")
    return least


def _with_quorum(policy: Policy, words: list[str]) -> Policy:
    if len(words) != 1:
        raise BadPolicy("a quorum is written: quorum NAME")
    if policy.quorum:
        raise BadPolicy("there is a quorum already")
    if words[0] not in {NONE, *_names(policy)}:
        raise BadPolicy(f"no witness or group above is called {shown(words[0])}")
    return replace(policy, quorum=words[0])


_LINES: dict[str, Callable[[Policy, list[str]], Policy]] = {
    "log": _with_log,
    "witness": _with_witness,
    "group": _with_group,
    "quorum": _with_quorum,
}


def _names(policy: Policy) -> set[str]:
    return {witness.name for witness in policy.witnesses} | {group.name for group in policy.groups}


def _verify_new(policy: Policy, name: str) -> None:
    if name == NONE:
        raise BadPolicy(f"nobody may be called {NONE}")
    if name in _names(policy):
        raise BadPolicy(f"{shown(name)} is the name of another already")


def _key(text: str, type_: int) -> Verifier:
    verifier = read_vkey(text)
    if verifier.type != type_:
        raise BadPolicy(f"that is {TYPES[verifier.type]}, not {TYPES[type_]}")
    return verifier


T = TypeVar("T")


def _more(known: tuple[T, ...], one: T) -> tuple[T, ...]:
    if len(known) == MOST_OF_A_KIND:
        raise BadPolicy(f"a policy has at most {MOST_OF_A_KIND} logs, witnesses or groups")
    return (*known, one)
