"""A shoe on the table that witnesses mix: its state with the mix, what is burned then, and what is
kept of it at its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

import puntobanco_floor.domain.table.events as e
from puntobanco.base.words import Words
from puntobanco.rules.cards import Card, points_of
from puntobanco_floor.domain.machine import check
from puntobanco_floor.domain.table.mixing import shuffled_words, verified_seed
from puntobanco_floor.domain.table.scheduled_changes import MAX_FIRST_BURN
from puntobanco_floor.domain.table.state import LastShoe, ShoeState, TableState, parsed
from puntobanco_proof.entry.format import Fault


def waits_for_mix(state: TableState) -> bool:
    return state.shoe is not None and state.shoe.waits_for_mix


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


def told_of_shoe(shoe: ShoeState) -> Words:
    names = shoe.mixing.names if shoe.mixing else ()
    return shuffled_words(shoe.dealing, shoe.source, names, waits=shoe.waits_for_mix)
