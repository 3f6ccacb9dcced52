"""Policies (C2SP tlog-policy): trusted logs and witnesses, and the required quorum of witnesses.

A witness that mixes shoes has a second key for that. Its line is a comment, `# mix NAME KEY`, which
other programs skip; KEY includes its proof. NAME must also be the name of the witness's cosigning
key, because the witness and the journal use only that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from puntobanco_proof import mix
from puntobanco_proof.tree.faults import (
    BadLogText,
    BadPolicy,
    decode_base64,
    encode_base64,
    parse_number,
    quote_text,
)
from puntobanco_proof.tree.notes import COSIGNATURE, ED25519, TYPES, Verifier, read_vkey

NONE = "none"
"""The quorum of a policy that needs no witness; a reserved name."""

MAX_PER_KIND = 64
"""Limit on logs, on witnesses and on groups."""

MAX_CHARACTERS = 256 * 1024


@dataclass(frozen=True, slots=True)
class Log:
    verifier: Verifier
    url: str = ""


@dataclass(frozen=True, slots=True)
class Witness:
    """A trusted witness: `name` is local to the policy; `mix_key` is empty if it mixes no shoes."""

    name: str
    verifier: Verifier
    url: str = ""
    mix_key: bytes = b""


@dataclass(frozen=True, slots=True)
class Group:
    """A group whose condition holds if `least` of its members, witnesses or groups, have signed."""

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

    def find_names(self, keys: Iterable[str]) -> frozenset[str]:
        """Return the policy's names of the witnesses with these key names."""
        wanted = frozenset(keys)
        return frozenset(w.name for w in self.witnesses if w.verifier.name in wanted)

    def is_witnessed(self, names: Iterable[str]) -> bool:
        """Whether these witnesses, by their names in the policy, meet the quorum."""
        have = {NONE} | {witness.name for witness in self.witnesses} & set(names)
        for group in self.groups:
            if len(have.intersection(group.members)) >= group.least:
                have.add(group.name)
        return self.quorum in have

    @property
    def text(self) -> str:
        lines = list[str]()
        for log in self.logs:
            lines.append(_join_words("log", log.verifier.text, log.url))
        for witness in self.witnesses:
            lines.append(_join_words("witness", witness.name, witness.verifier.text, witness.url))
            if witness.mix_key:
                lines.append(format_mix_line(witness.name, witness.mix_key))
        for group in self.groups:
            least = "all" if group.least == len(group.members) else str(group.least)
            lines.append(_join_words("group", group.name, least, *group.members))
        lines.append(f"quorum {self.quorum}")
        return "".join(f"{line}\n" for line in lines)


def format_mix_line(name: str, key: bytes) -> str:
    return f"# mix {name} {encode_base64(key)}"


def _join_words(*words: str) -> str:
    return " ".join(words).rstrip()


def require_all(
    logs: Iterable[Log], witnesses: Iterable[Witness], group: str = "all-of-them"
) -> Policy:
    """Build the default policy, which requires every one of these witnesses."""
    logs, witnesses = tuple(logs), tuple(witnesses)
    names = tuple(witness.name for witness in witnesses)
    if len(names) <= 1:
        return Policy(logs, witnesses, (), names[0] if names else NONE)
    return Policy(logs, witnesses, (Group(group, len(names), names),), group)


# Reading


def read_policy(text: str) -> Policy:
    if len(text) > MAX_CHARACTERS:
        raise BadPolicy(f"a policy may have at most {MAX_CHARACTERS} characters, not {len(text)}")
    *lines, rest = text.split("\n")
    if rest:
        raise BadPolicy(
            "the last line of the policy does not end in a line feed; the file may be cut off"
        )
    policy = Policy(quorum="")
    for number, line in enumerate(lines, 1):
        try:
            policy = _add_line(policy, line)
        except (BadLogText, mix.MixFault) as refusal:
            raise BadPolicy(f"line {number}: {refusal.reason}") from None
    if not policy.quorum:
        raise BadPolicy("the policy has no quorum line: add quorum NAME or quorum none")
    return policy


def _add_line(policy: Policy, line: str) -> Policy:
    if any((char < " " and char != "\t") or char == "\x7f" for char in line):
        raise BadPolicy("the line contains a control character")
    words = line.replace("\t", " ").split(" ")
    words = [word for word in words if word]
    if not words:
        return policy
    if words[:2] == ["#", "mix"]:
        return _add_mix_key(policy, words[2:])
    if words[0].startswith("#"):
        return policy
    add_line = _LINES.get(words[0])
    if add_line is None:
        raise BadPolicy(f"{quote_text(words[0])} is not one of log, witness, group, quorum")
    return add_line(policy, words[1:])


def _add_log(policy: Policy, words: list[str]) -> Policy:
    if len(words) not in {1, 2}:
        raise BadPolicy("write a log as: log KEY [URL]")
    verifier = _read_key(words[0], ED25519)
    if any(verifier.key == log.verifier.key for log in policy.logs):
        raise BadPolicy("another log already has this key")
    log = Log(verifier, *words[1:])
    return replace(policy, logs=_append(policy.logs, log))


def _add_witness(policy: Policy, words: list[str]) -> Policy:
    if len(words) not in {2, 3}:
        raise BadPolicy("write a witness as: witness NAME KEY [URL]")
    name, key, *url = words
    _verify_new(policy, name)
    verifier = _read_key(key, COSIGNATURE)
    if any(verifier.key == other.verifier.key for other in policy.witnesses):
        raise BadPolicy("another witness already has this key")
    if any(verifier.name == other.verifier.name for other in policy.witnesses):
        raise BadPolicy("the key of another witness already has this name")
    witness = Witness(name, verifier, url[0] if url else "")
    return replace(policy, witnesses=_append(policy.witnesses, witness))


def _add_mix_key(policy: Policy, words: list[str]) -> Policy:
    if len(words) != 2:
        raise BadPolicy("write a mix key as: # mix NAME KEY")
    name, encoded = words
    found = [witness for witness in policy.witnesses if witness.name == name]
    if not found or found[0].verifier.name != name:
        raise BadPolicy(
            f"no witness above has the name {quote_text(name)} for itself and for its key"
        )
    if found[0].mix_key:
        raise BadPolicy(f"witness {quote_text(name)} already has a mix key")
    key = decode_base64(encoded, BadPolicy)
    mix.read_key(key)
    witnesses = [replace(w, mix_key=key) if w.name == name else w for w in policy.witnesses]
    return replace(policy, witnesses=tuple(witnesses))


def _add_group(policy: Policy, words: list[str]) -> Policy:
    if len(words) < 3:
        raise BadPolicy("write a group as: group NAME all|any|NUMBER MEMBER...")
    name, least, *members = words
    _verify_new(policy, name)
    taken = {member for group in policy.groups for member in group.members}
    for member in members:
        if member not in _list_names(policy):
            raise BadPolicy(f"no witness or group above has the name {quote_text(member)}")
        if member in taken:
            raise BadPolicy(f"{quote_text(member)} is a member of two groups, or twice of one")
        taken.add(member)
    group = Group(name, _parse_threshold(least, len(members)), tuple(members))
    return replace(policy, groups=_append(policy.groups, group))


def _parse_threshold(text: str, members: int) -> int:
    named = {"all": members, "any": 1}
    least = named[text] if text in named else parse_number(text, BadPolicy)
    if not 1 <= least <= members:
        raise BadPolicy(
            f"the number must be from 1 to the {members} members of the group, not {least}"
        )
    return least


def _set_quorum(policy: Policy, words: list[str]) -> Policy:
    if len(words) != 1:
        raise BadPolicy("write a quorum as: quorum NAME")
    if policy.quorum:
        raise BadPolicy("the policy already has a quorum")
    if words[0] not in {NONE, *_list_names(policy)}:
        raise BadPolicy(f"no witness or group above has the name {quote_text(words[0])}")
    return replace(policy, quorum=words[0])


_LINES: dict[str, Callable[[Policy, list[str]], Policy]] = {
    "log": _add_log,
    "witness": _add_witness,
    "group": _add_group,
    "quorum": _set_quorum,
}


def _list_names(policy: Policy) -> set[str]:
    return {witness.name for witness in policy.witnesses} | {group.name for group in policy.groups}


def _verify_new(policy: Policy, name: str) -> None:
    if name == NONE:
        raise BadPolicy(f"the name {NONE} is reserved; choose another")
    if name in _list_names(policy):
        raise BadPolicy(f"{quote_text(name)} is already the name of a witness or group")


def _read_key(text: str, type_: int) -> Verifier:
    verifier = read_vkey(text)
    if verifier.type != type_:
        raise BadPolicy(f"the key is {TYPES[verifier.type]}; this line needs {TYPES[type_]}")
    return verifier


T = TypeVar("T")


def _append(known: tuple[T, ...], one: T) -> tuple[T, ...]:
    if len(known) == MAX_PER_KIND:
        raise BadPolicy(f"a policy may have at most {MAX_PER_KIND} logs, witnesses or groups each")
    return (*known, one)
