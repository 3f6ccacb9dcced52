"""A shoe that witnesses mix: named, waited for, dealt mixed or abandoned."""

import base64

import msgspec
import pytest

from puntobanco.base.refusal import Refusal
from puntobanco.rules.cards import code
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.definitions import TABLE
from puntobanco_floor.domain.table.mixing import Mixing, verified_seed
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.journal.sealed_shoes import revealed
from puntobanco_proof import mix
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.mix import shuffle_by_seed
from tests.support import weak_keys
from tests.support.mixers import answers, key_of, mixers
from tests.table.notation import Table, play, played

OPENED = """
open-table fortune-six automatic=yes shoes=yes betting=10sec pause=3sec -> TableOpened
mixers wit2 wit1
"""
WAITS = f"{OPENED}wait 3sec -> ShoeStarted 1 mix wit1 wit2\n"
BURNS = """
open-table fortune-six burn=first-card -> TableOpened
mixers wit1
shoe -> ShoeStarted 1 mix wit1
"""


def test_no_bet_opens_before_all_have_answered() -> None:
    play(
        WAITS
        + """
        due abandon-shoe 10sec
        open                                  -> refused not-now because "waits to be mixed by wit1, wit2"
        wait 2sec                             -> nothing
        mix wit1                              -> refused mix-refused because "by all of them"
        mix wit1 wit2 wit3                    -> refused mix-refused
        mix shoe=2                            -> refused mix-refused
        mix                                   -> ShoeMixed 1 unseen burn 0
        mix                                   -> refused mix-refused because "does not wait"
        wait 1sec                             -> BetsOpened 1
        """
    )


def test_after_ten_seconds_the_clock_abandons_it_and_the_next_is_decided_anew() -> None:
    table = play(
        WAITS
        + """
        wait 9999ms                           -> nothing
        mixers
        wait 1ms                              -> ShoeEnded 1 abandoned, PeriodSealed, ShoeStarted 2 virtual, BetsOpened
        """
    )
    assert table.state.shoe is not None
    assert table.state.shoe.mixing is None


def test_an_answer_at_the_last_moment_counts_and_one_after_it_is_dropped() -> None:
    play(WAITS + "wait 9999ms -> nothing\nmix -> ShoeMixed\nwait 1ms -> BetsOpened")
    late = played(WAITS)
    again = "ShoeEnded 1 abandoned, PeriodSealed, ShoeStarted 2 mix wit1 wit2"
    play(f"wait 10sec -> {again}\nmix shoe=1 -> refused mix-refused", late)
    assert late.state.last_shoe is not None
    assert late.state.last_shoe.abandoned
    assert late.state.last_shoe.order


def test_whoever_ends_it_before_it_is_mixed_has_abandoned_it() -> None:
    play(
        OPENED.replace("shoes=yes", "")
        + """
        shoe                                  -> ShoeStarted 1 mix wit1 wit2
        end-shoe by=pit                       -> ShoeEnded 1 abandoned, PeriodSealed
        shoe                                  -> ShoeStarted 2 mix wit1 wit2
        close-table by=pit                    -> ShoeEnded 2 abandoned, TableClosed, PeriodSealed
        """
    )


def test_whoever_ends_it_unplayed_when_its_order_is_known_has_abandoned_it_too() -> None:
    """Else a house could have shoes mixed until it likes one."""
    play(
        OPENED.replace("shoes=yes", "").replace("automatic=yes", "")
        + """
        shoe                                  -> ShoeStarted 1 mix wit1 wit2
        mix                                   -> ShoeMixed 1
        end-shoe by=pit                       -> ShoeEnded 1 abandoned, PeriodSealed
        shoe                                  -> ShoeStarted 2 mix wit1 wit2
        mix                                   -> ShoeMixed 2
        open                                  -> BetsOpened 1
        close                                 -> BetsClosed
        deal-out
        settle                                -> RoundSettled
        end-shoe by=pit                       -> ShoeEnded 2 over, PeriodSealed
        """
    )


def test_a_dealers_shoe_and_a_shuffler_are_never_mixed() -> None:
    table = play(
        "open-table fortune-six -> TableOpened\nmixers wit1\nshoe physical -> ShoeStarted 1"
    )
    assert table.state.shoe is not None
    assert table.state.shoe.mixing is None
    table = play(
        "open-table super-six-plus -> TableOpened\nmixers wit1\n"
        "shoe virtual continuous -> ShoeStarted 1"
    )
    assert table.state.shoe is not None
    assert table.state.shoe.mixing is None


def test_first_card_and_burn_are_known_when_it_is_mixed_and_not_before() -> None:
    table = played(BURNS)
    assert table.state.shoe is not None
    assert (table.state.shoe.first_card, table.state.shoe.burn) == ("", 0)
    play("mix -> ShoeMixed 1 burn", table)
    shoe = table.state.shoe
    order = table.orders["table:1/shoe/1"]
    dealt = shuffle_by_seed(order.cards, bytes.fromhex(shoe.seed))
    assert shoe.first_card == code(dealt[0])
    play("open -> BetsOpened\nclose -> BetsClosed\ndeal -> CardDealt", table)
    assert table.state.round is not None
    assert table.state.round.play.cards == (dealt[1 + shoe.burn],)


def test_it_is_dealt_in_the_mixed_order_and_revealed_as_it_was_committed_to() -> None:
    table = played(BURNS + "mix -> ShoeMixed\nopen -> BetsOpened\nclose -> BetsClosed\ndeal-out")
    play("settle -> RoundSettled\nend-shoe by=pit -> ShoeEnded 1 over, PeriodSealed", table)
    last, order = table.state.last_shoe, table.orders["table:1/shoe/1"]
    assert last is not None
    assert revealed(last.order, last.nonce).cards == order.cards
    assert order.commitment == last.commitment
    assert shuffle_by_seed(order.cards, bytes.fromhex(last.mixing.seed)) != order.cards


def test_a_node_that_reads_the_journal_deals_the_same_cards() -> None:
    table = played(BURNS + "mix -> ShoeMixed\nopen -> BetsOpened\nclose -> BetsClosed")
    other = table.copy()
    other.stream.orders.clear()  # after a crash: what is sealed, and what the journal says
    for each in (table, other):
        play("deal-out", each)
    assert table.state.round is not None
    assert other.state.round is not None
    assert table.state.round.play.cards == other.state.round.play.cards


def _mixed_event(table: Table) -> e.ShoeMixed:
    follow = table.copy()
    play("mix -> ShoeMixed", follow)
    shoe = follow.state.shoe
    assert shoe is not None
    assert shoe.mixing is not None
    return e.ShoeMixed(
        shoe=shoe.number,
        signatures=shoe.mixing.signatures,
        seed=shoe.seed,
        first_card=shoe.first_card,
        burn=shoe.burn,
    )


FAULTS: dict[str, dict[str, object]] = {
    "another seed": {"seed": "00" * 32},
    "no answers": {"signatures": {}},
    "an answer that is none": {"signatures": {"wit1": "ab" * 256}},
    "an answer of nobody": {"signatures": {"wit9": "ab" * 256}},
    "no first card": {"first_card": "", "burn": 0},
    "another burn": {"burn": 49},
    "another shoe": {"shoe": 2},
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_replay_finds_a_mix_that_is_none(what: str) -> None:
    table = played(BURNS)
    good = _mixed_event(table)
    assert TABLE.evolve(table.state, good).shoe is not None
    with pytest.raises((Fault, Refusal)):
        TABLE.evolve(table.state, msgspec.structs.replace(good, **FAULTS[what]))


def with_key(state: TableState, name: str, key: bytes) -> TableState:
    """The shoe names another key of a witness."""
    shoe = state.shoe
    assert shoe is not None
    assert shoe.mixing is not None
    keys = {**shoe.mixing.keys, name: base64.b64encode(key).decode()}
    mixing = msgspec.structs.replace(shoe.mixing, keys=keys)
    return msgspec.structs.replace(state, shoe=msgspec.structs.replace(shoe, mixing=mixing))


def test_a_replay_finds_a_key_that_is_not_proven_to_have_unique_signatures() -> None:
    table = played(BURNS)
    good = _mixed_event(table)
    [name, *_] = good.signatures
    proven = mix.encode_key(key_of(name))
    assert TABLE.evolve(with_key(table.state, name, proven), good).shoe is not None
    for key in (proven[: mix.KEY_BYTES], proven[:-1] + bytes([proven[-1] ^ 1])):
        with pytest.raises(mix.MixFault, match="unique"):
            TABLE.evolve(with_key(table.state, name, key), good)


def test_a_table_takes_no_answer_by_a_key_with_many_signatures() -> None:
    """Whichever of them it is, RSA alone would call it good."""
    named = Mixing(
        log=weak_keys.ORIGIN,
        keys={"weak": base64.b64encode(weak_keys.weak_key()).decode()},
        entry=1,
        burns=0,
    )
    for signature in weak_keys.weak_signatures(2):
        with pytest.raises(mix.MixFault, match="the proof of the mix key is wrong"):
            verified_seed(
                named,
                weak_keys.TABLE,
                weak_keys.SHOE,
                weak_keys.COMMITMENT,
                {"weak": signature.hex()},
            )


def test_a_replay_finds_a_shoe_dealt_without_its_mix() -> None:
    table = played(BURNS)
    opened = e.BetsOpened(round=1, shoe=1, closes_at=None, announcement="")
    with pytest.raises(Fault, match="to be mixed and was not"):
        TABLE.evolve(table.state, opened)
    with pytest.raises(Fault, match="abandoned"):
        TABLE.evolve(table.state, e.ShoeEnded(shoe=1))


STARTS: dict[str, dict[str, object]] = {
    "no keys": {"mix_keys": ()},
    "no log": {"log": ""},
    "out of order": {"mix": ("wit2", "wit1")},
    "twice the same": {"mix": ("wit1", "wit1")},
    "no commitment": {"commitment": ""},
    "a card that left before": {"burn": 3},
    "nobody, and their keys": {"mix": ()},
}


@pytest.mark.parametrize("what", STARTS)
def test_a_start_that_does_not_say_who_mixes_it_is_a_fault(what: str) -> None:
    named = mixers("wit1", "wit2")
    good = e.ShoeStarted(
        shoe=1,
        source="shoe",
        dealing="virtual",
        decks=8,
        cut=14,
        burn=0,
        commitment="ab" * 32,
        mix=named.names,
        mix_keys=tuple(named.keys.values()),
        log=named.log,
    )
    state = played(OPENED).state
    assert TABLE.evolve(state, good).shoe is not None
    with pytest.raises(Fault):
        TABLE.evolve(state, msgspec.structs.replace(good, **STARTS[what]))


def test_who_asks_twice_gets_the_same_order() -> None:
    """The signature is unique: a node that drives the mix again comes to the same seed."""
    table = played(WAITS)
    assert answers(table.state) == answers(table.state)
    assert _mixed_event(table) == _mixed_event(table)
