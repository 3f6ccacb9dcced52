"""The mix of a shoe: the witnesses that its start names, and the seed from their answers."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence

import msgspec

import puntobanco_floor.domain.table.events as e
from puntobanco.base.words import Words
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.event import check
from puntobanco_proof import mix


class Mixing(msgspec.Struct, frozen=True, kw_only=True):
    """Who mixes a shoe, as its start names them; and their answers, once all of them are there."""

    log: str  # the origin of the log in which they see its start
    keys: dict[str, str]  # by name: a public key, DER in base64
    entry: int = 0  # that starts it
    burns: e.Burn = 0  # what is burned once it is mixed
    signatures: dict[str, str] = {}
    seed: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.keys))


def mixing_of(event: e.ShoeStarted, entry: int = 0) -> Mixing | None:
    """Who is to mix a shoe that starts with this entry; none: the house alone shuffled it."""
    if not event.mix:
        check(not (event.mix_keys or event.log or event.burns), "a shoe that nobody mixes says how")
        return None
    is_whole = len(event.mix) == len(event.mix_keys) and bool(event.log)
    check(is_whole, "a shoe does not name witnesses, their keys and the log")
    check(event.mix == tuple(sorted(set(event.mix))), "witnesses are named out of order")
    check(bool(event.commitment), "a shoe without a commitment is not mixed")
    check(not (event.first_card or event.burn), "cards left a shoe before it was mixed")
    keys = dict(zip(event.mix, event.mix_keys, strict=True))
    return Mixing(log=event.log, keys=keys, entry=entry, burns=event.burns)


def verified_seed(
    mixing: Mixing, stream: str, shoe: int, commitment: str, signatures: Mapping[str, str]
) -> str:
    """The seed from the answers of all witnesses that the shoe names; refuses any other."""
    if signatures.keys() != mixing.keys.keys():
        raise r.MixRefused(r.MIXED_BY_ALL.format(shoe, ", ".join(mixing.names)))
    message = mix.build_message(mixing.log, stream, shoe, commitment)
    found = list[bytes]()
    for name in mixing.names:
        found.append(_signature(signatures[name]))
        try:
            key = base64.b64decode(mixing.keys[name], validate=True)
        except binascii.Error:
            raise mix.MixFault(f"the key of {name} for the mix is not in base64") from None
        mix.verify(found[-1], message, key)
    return mix.derive_seed(commitment, found).hex()


def _signature(text: str) -> bytes:
    """From hexadecimal; there is one way to write it."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if found.hex() != text:
        raise mix.MixFault("a signature of the mix is not in hexadecimal")
    return found


def shuffled_words(
    dealing: e.Dealing, source: e.Source, names: Sequence[str], *, waits: bool = False
) -> Words:
    """Who has a part in the order of a shoe, as everybody is told.

    >>> shuffled_words("virtual", "shoe", ()).en
    'shuffled by the house alone'
    """
    if dealing == "physical":
        return Words("shuffled by hand, mixed by no witness", "人手洗牌，未經見證人混洗")
    if source == "continuous":
        return Words(
            "shuffled by the house alone: a continuous shoe is not mixed",
            "由娛樂場自行洗牌：連續牌靴不經見證人混洗",
        )
    if not names:
        return Words("shuffled by the house alone", "由娛樂場自行洗牌")
    by = Words(", ".join(names), "、".join(names))
    if waits:
        return Words("waits to be mixed by {}", "正等候 {} 混洗").format(by)
    return Words("mixed by {}", "由 {} 混洗").format(by)
