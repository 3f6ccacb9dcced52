"""A shoe nobody chose: who mixes it, the seed from their answers, and what is burned then."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco.rules.cards import Card, points_of
from puntobanco_floor.domain.machine import check
from puntobanco_floor.domain.table import refusals as r
from puntobanco_floor.domain.table.scheduled_changes import MAX_FIRST_BURN
from puntobanco_floor.domain.table.state import LastShoe, Mixing, ShoeState, TableState, parsed
from puntobanco_proof import mix
from puntobanco_proof.entry.format import Fault


def waits_for_mix(state: TableState) -> bool:
    return state.shoe is not None and state.shoe.waits_for_mix


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


def mixed_shoe(stream: str, shoe: ShoeState, event: e.ShoeMixed) -> ShoeState:
    """A shoe with its mix, of which everything is checked but the cards, which nobody knows yet."""
    mixing = shoe.mixing
    if mixing is None or mixing.seed:
        raise Fault("a shoe was mixed that was not to be")
    seed = verified_seed(mixing, stream, shoe.number, shoe.commitment, event.signatures)
    check(seed == event.seed, "the seed does not follow from commitment and answers")
    turned = parsed(event.first_card)
    burn = burned_after(shoe, turned)
    check(burn == event.burn, "other cards were burned than the shoe said")
    return replace(
        shoe,
        mixing=replace(mixing, signatures=event.signatures, seed=seed),
        first_card=event.first_card,
        burn=burn,
        left=shoe.left.without(turned),
        drawn=len(turned) + burn,
    )


def ended_shoe(state: TableState, shoe: ShoeState, event: e.ShoeEnded) -> LastShoe | None:
    """What is kept of a shoe that ends, where witnesses were to mix it."""
    is_so = event.abandoned == is_abandoned(state, shoe)
    check(is_so, "a shoe that was to be mixed is abandoned if it is not played, and only then")
    if shoe.mixing is None:
        return None
    return LastShoe(
        number=shoe.number,
        commitment=shoe.commitment,
        mixing=shoe.mixing,
        order=event.order,
        nonce=event.nonce,
        abandoned=event.abandoned,
    )


def is_abandoned(state: TableState, shoe: ShoeState) -> bool:
    """Whether a shoe that ends now was to be mixed and no round was played from it: because it was
    not mixed, or because somebody who knew its order by then ended it.
    """
    was_played = state.round is not None and state.round.shoe == shoe.number
    return shoe.mixing is not None and not was_played


def verified_seed(
    mixing: Mixing, stream: str, shoe: int, commitment: str, signatures: Mapping[str, str]
) -> str:
    """The seed from the answers of all witnesses that the shoe names; refuses any other."""
    if signatures.keys() != mixing.keys.keys():
        raise r.MixRefused(
            Words(
                "shoe {} is mixed by {}, by all of them and nobody else",
                "第 {} 靴由 {} 混洗，缺一不可",
            ).format(shoe, ", ".join(mixing.names))
        )
    message = mix.message(mixing.log, stream, shoe, commitment)
    found = list[bytes]()
    for name in mixing.names:
        found.append(_signature(signatures[name]))
        try:
            key = base64.b64decode(mixing.keys[name], validate=True)
        except binascii.Error:
            raise mix.MixFault(f"the key of {name} for the mix is not in base64") from None
        mix.verify(found[-1], message, key)
    return mix.seed(commitment, found).hex()


def _signature(text: str) -> bytes:
    """From hexadecimal; there is one way to write it."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if found.hex() != text:
        raise mix.MixFault("a signature of the mix is not in hexadecimal")
    return found


def burned_after(shoe: ShoeState, turned: Sequence[Card]) -> int:
    """How many cards leave a shoe unseen when it is mixed, after the card that is turned if one
    is.
    """
    assert shoe.mixing is not None, "the shoe is to be mixed"
    burns = shoe.mixing.burns
    turns = burns == "first-card"
    check(len(turned) == turns, "the first card of a mixed shoe is turned where the shoe says so")
    if burns == "first-card":
        return points_of(turned[0]) or MAX_FIRST_BURN
    return burns


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


def told_of_shoe(shoe: ShoeState) -> Words:
    names = shoe.mixing.names if shoe.mixing else ()
    return shuffled_words(shoe.dealing, shoe.source, names, waits=shoe.waits_for_mix)
