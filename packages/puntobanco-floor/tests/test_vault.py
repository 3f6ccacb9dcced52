"""The vault: every order equally likely, committed to before the first wager, unreadable until it is revealed."""

import ast
import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations, product
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco import GAMES
from puntobanco.rules.cards import codes
from puntobanco.rules.refusals import UnknownCard
from puntobanco_floor.domain.card_order import Order, commitment
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import TABLE as MACHINE
from puntobanco_floor.domain.ledger import account_of
from puntobanco_floor.domain.machine import Funds
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.refusals import VaultFault
from puntobanco_floor.journal.sealed_shoes import (
    NONCE_BYTES,
    Sealed,
    new_order,
    revealed,
    seal,
    unseal,
)
from puntobanco_proof.mix import shuffle
from tests.support.claims import reads
from tools.tree import SOURCES

PLACE = "table:1/shoe/1"


# The shuffle


class Script:
    """A `below` that answers from a list and remembers what it was asked."""

    def __init__(self, answers: tuple[int, ...]) -> None:
        self.answers, self.asked = iter(answers), list[int]()

    def __call__(self, n: int) -> int:
        self.asked.append(n)
        return next(self.answers)


def every_shuffle(cards: int, take: int | None = None) -> Iterator[bytes]:
    """One for each way that the random numbers can come: if those are equally likely, so are these."""
    steps = cards if take is None else take
    for answers in product(*(range(cards - i) for i in range(steps))):
        below = Script(answers)
        yield shuffle(range(cards), take=take, below=below)
        assert below.asked == [cards - i for i in range(steps)], (
            "each swap draws afresh, from the cards that are left"
        )


@pytest.mark.parametrize("cards", range(7))
def test_every_order_of_a_few_cards_comes_equally_often(cards: int) -> None:
    assert Counter(every_shuffle(cards)) == Counter(
        bytes(order) for order in permutations(range(cards))
    )


@pytest.mark.parametrize(("cards", "take"), [(4, 0), (4, 1), (5, 2), (6, 3), (5, 5)])
def test_the_first_cards_of_it_come_equally_often_too(cards: int, take: int) -> None:
    counts = Counter(every_shuffle(cards, take))
    assert set(counts) == {bytes(first) for first in permutations(range(cards), take)}
    assert set(counts.values()) == {1}


def test_cards_that_are_alike_share_their_orders() -> None:
    """Two decks of two cards: 24 ways to draw, six orders to see, four ways each."""
    counts = Counter(
        shuffle([0, 0, 1, 1], below=Script(a)) for a in product(*(range(n) for n in (4, 3, 2, 1)))
    )
    assert sorted(counts.values()) == [4] * 6


@given(st.lists(st.integers(0, 116), max_size=60), st.randoms(use_true_random=False))
def test_a_shuffle_keeps_the_cards_and_leaves_its_argument_alone(
    cards: list[int], rng: random.Random
) -> None:
    before = list(cards)
    assert sorted(shuffle(cards, below=rng.randrange)) == sorted(before)
    assert cards == before


SHUFFLES = 8_000
FREE = (52 - 1) ** 2
"""Degrees of freedom of a table of 52 places by 52 cards whose rows and columns all have the same sum."""


def chi_square(shuffle: Callable[[], bytes]) -> float:
    """How far places by cards lie from equal, over so many shuffles."""
    seen = [[0] * 52 for _ in range(52)]
    for _ in range(SHUFFLES):
        for place, card in enumerate(shuffle()):
            seen[place][card] += 1
    expected = SHUFFLES / 52
    return sum((n - expected) ** 2 / expected for row in seen for n in row) * 51 / 52


def test_real_shuffles_put_every_card_in_every_place_equally_often() -> None:
    """Eight standard deviations from the mean either way: by chance less than once in 10^14 runs."""
    found, far = chi_square(lambda: shuffle(range(52))), 8 * math.sqrt(2 * FREE)
    assert FREE - far < found < FREE + far


def test_that_measure_finds_a_shuffle_that_is_hardly_biased() -> None:
    """Swapping with any place instead of one further on: the classic mistake."""

    def naive() -> bytes:
        order, rng = list(range(52)), random.randrange
        for i in range(52):
            j = rng(52)
            order[i], order[j] = order[j], order[i]
        return bytes(order)

    assert chi_square(naive) > FREE + 8 * math.sqrt(2 * FREE)


def test_a_new_order_is_new_each_time() -> None:
    orders = [new_order(range(52)) for _ in range(50)]
    assert len({order.cards for order in orders}) == len({order.nonce for order in orders}) == 50
    assert {len(order.nonce) for order in orders} == {NONCE_BYTES}
    assert len(new_order(range(52), take=6).cards) == 6


# The commitment


ORDERS = st.builds(
    lambda cards, nonce: Order(cards=bytes(cards), nonce=nonce),
    st.lists(st.integers(0, 116), min_size=1, max_size=20),
    st.binary(min_size=NONCE_BYTES, max_size=NONCE_BYTES),
)


@given(ORDERS, st.data())
def test_a_commitment_changes_with_any_card_and_any_byte_of_the_nonce(
    order: Order, data: st.DataObject
) -> None:
    place, by = (
        data.draw(st.integers(0, NONCE_BYTES + len(order.cards) - 1)),
        data.draw(st.integers(1, 255)),
    )
    whole = bytearray(order.nonce + order.cards)
    whole[place] ^= by
    assert commitment(bytes(whole[NONCE_BYTES:]), bytes(whole[:NONCE_BYTES])) != order.commitment
    assert commitment(order.cards[:-1], order.nonce) != order.commitment
    assert commitment(order.cards + b"\0", order.nonce) != order.commitment


def test_a_commitment_is_this_hash_forever() -> None:
    """SHA-256 of `puntobanco shoe 1`, a zero byte, the nonce, then a byte a card; as anybody can compute it."""
    assert Order(cards=bytes([0, 13, 51]), nonce=bytes(range(32))).commitment == (
        "80c0bc1b47b7b9e87d2e077e5cd01f3df019d6666c9ac2a08417c5660d7a9859"
    )


@given(ORDERS)
def test_a_reveal_reads_back_as_the_order_committed_to(order: Order) -> None:
    again = revealed(order.text, order.nonce.hex())
    assert again == order
    assert again.commitment == order.commitment


def test_a_nonce_of_another_length_is_refused_or_one_hash_would_stand_for_two_orders() -> None:
    order = Order(cards=bytes([7, 20, 33]), nonce=bytes(31) + bytes([7]))
    shifted = Order(cards=order.nonce[-1:] + order.cards, nonce=order.nonce[:-1])
    assert shifted.commitment == order.commitment
    with pytest.raises(VaultFault, match="of 31 bytes; it has 32"):
        revealed(shifted.text, shifted.nonce.hex())


def test_a_reveal_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(VaultFault, match="not hexadecimal"):
        revealed("As", "nonce")
    with pytest.raises(UnknownCard):
        revealed("As Xx", "00" * NONCE_BYTES)


# At rest


@pytest.fixture(scope="module")
def ring() -> KeyRing:
    return KeyRing.fresh()


def test_what_is_sealed_opens_in_its_place(ring: KeyRing) -> None:
    order = new_order(range(52))
    assert unseal(seal(order, ring, place=PLACE), ring, place=PLACE) == order


def test_no_run_of_cards_can_be_read_in_what_is_sealed(ring: KeyRing) -> None:
    """Six cards in a row would come by chance once in a billion rows."""
    for _ in range(5):
        order = new_order([card for card in range(52) for _ in range(8)])
        sealed = seal(order, ring, place=PLACE)
        stored = sealed.nonce + sealed.data
        assert order.nonce not in stored
        assert not any(order.cards[i : i + 6] in stored for i in range(len(order.cards) - 5))
        assert order.text.encode() not in stored


def test_the_same_order_is_sealed_otherwise_each_time(ring: KeyRing) -> None:
    order = new_order(range(52))
    sealed = [seal(order, ring, place=PLACE) for _ in range(20)]
    assert len({row.nonce for row in sealed}) == len({row.data for row in sealed}) == 20


def test_an_order_says_nothing_of_its_cards_when_it_is_printed() -> None:
    order = new_order(range(52))
    assert repr(order) == str(order) == "Order(52 cards)"


def does_not_open(sealed: Sealed, ring: KeyRing, place: str = PLACE) -> bool:
    with pytest.raises(VaultFault) as refused:
        unseal(sealed, ring, place=place)
    return place in refused.value.reason and "\n" not in refused.value.reason


def test_in_another_place_it_does_not_open(ring: KeyRing) -> None:
    sealed = seal(new_order(range(52)), ring, place=PLACE)
    for place in ("table:1/shoe/2", "table:2/shoe/1", "table:1/round/1", ""):
        assert does_not_open(sealed, ring, place)


def test_with_another_key_it_does_not_open(ring: KeyRing) -> None:
    sealed, other = seal(new_order(range(52)), ring, place=PLACE), KeyRing.fresh()
    assert does_not_open(sealed, other)
    other.sealing[sealed.key] = other.sealer[1]  # of the same name
    assert does_not_open(sealed, other)


def test_with_any_byte_changed_it_does_not_open(ring: KeyRing) -> None:
    sealed = seal(new_order(range(52)), ring, place=PLACE)
    for name in ("nonce", "data"):
        raw: bytes = getattr(sealed, name)
        for i in range(len(raw)):
            changed = raw[:i] + bytes([raw[i] ^ 1 << i % 8]) + raw[i + 1 :]
            assert does_not_open(msgspec.structs.replace(sealed, **{name: changed}), ring)
            assert does_not_open(msgspec.structs.replace(sealed, **{name: raw[:i]}), ring)
        assert does_not_open(msgspec.structs.replace(sealed, **{name: raw + b"\0"}), ring)


# No bet can reach the order of a shoe


def is_for_types(node: ast.stmt) -> bool:
    """Whether a statement is read by the type checker alone, and loads nothing."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imports_of(module: str, seen: set[str] | None = None) -> set[str]:
    """The modules of this package that one imports, and those that they import, read from their source."""
    seen = set() if seen is None else seen
    top, _, below = module.partition(".")
    if module in seen or module == "puntobanco" or top not in SOURCES:
        return seen
    path = SOURCES[top] / Path(*below.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not path.exists():
        return seen
    seen.add(module)
    found = {module.rpartition(".")[0]}  # a package is loaded with its modules
    tree = ast.parse(path.read_text("utf-8"))
    tree.body = [node for node in tree.body if not is_for_types(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    for name in found:
        imports_of(name, seen)
    return seen


def test_the_vault_has_no_way_to_wagers() -> None:
    found = imports_of("puntobanco_floor.journal.sealed_shoes")
    assert found == {
        "puntobanco_floor",
        "puntobanco_floor.domain",
        "puntobanco_floor.domain.card_order",
        "puntobanco_floor.journal",
        "puntobanco_floor.journal.sealed_shoes",
        "puntobanco_floor.journal.refusals",
        "puntobanco.base",
        "puntobanco.base.citations",
        "puntobanco_proof.entry.record",
        "puntobanco.base.refusal",
        "puntobanco.base.words",
        "puntobanco_proof",
        "puntobanco_proof.entry",
        "puntobanco_proof.mix",
        "puntobanco.rules",
        "puntobanco.rules.cards",
        "puntobanco.rules.causes",
        "puntobanco.rules.refusals",
    }
    assert "puntobanco_floor.domain.ledger" in imports_of("puntobanco_floor.domain.table.decide"), (
        "this test can find it"
    )


def test_loading_the_vault_loads_neither_ledger_nor_table() -> None:
    code = "import sys, puntobanco_floor.journal.sealed_shoes; print(*(m for m in sys.modules if m.startswith('puntobanco')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == imports_of("puntobanco_floor.journal.sealed_shoes") | {
        "puntobanco",
        "puntobanco.base.version",
    }


class Table:
    """A table in memory that deals from a given order."""

    def __init__(self, game: str, order: Order) -> None:
        self.state, self.order, self.events = TableState(stream="table:1"), order, list[object]()
        self.funds = Funds({account_of(session): 10**9 for session in ("ann", "ben")})
        self.do(c.OpenTable(by="amy", game=game))
        self.do(c.NewShoe(by="amy", decks=4, cut=0))
        for session in ("ann", "ben"):
            self.do(c.SeatSession(by="amy", session=session))

    def do(self, command: Command) -> None:
        for event in MACHINE.decide(self.state, self.funds, command, 1_000, order=self.order):
            self.state = MACHINE.evolve(self.state, event)

    def play(self, wagers: list[tuple[str, str, int]]) -> str:
        """The cards of a round on which these wagers lay."""
        self.do(c.OpenBets(by="amy"))
        number = self.state.rounds
        for session, bet, stake in wagers:
            self.do(
                c.PlaceWager(by=session, round=number, session=session, bet=bet, stake_cents=stake)
            )
        self.do(c.CloseBets(by="amy"))
        while self.state.round and not self.state.round.play.is_complete:
            self.do(c.DealCard(by="amy"))
        self.do(c.Settle(by="amy"))
        assert self.state.round is not None
        return codes(self.state.round.play.cards)


@st.composite
def wagers(draw: st.DrawFn, game: str) -> list[tuple[str, str, int]]:
    bets = draw(
        st.lists(
            st.tuples(
                st.sampled_from(("ann", "ben")), st.sampled_from([b.id for b in GAMES[game].bets])
            ),
            unique=True,
        )
    )
    return [(session, bet, 1_000 * draw(st.integers(1, 5))) for session, bet in bets]


@reads(19)
@given(st.sampled_from(list(GAMES)), st.integers(0, 2**32), st.data())
def test_the_same_order_gives_the_same_cards_whatever_is_wagered(
    game: str, seed: int, data: st.DataObject
) -> None:
    deck = [card for card in GAMES[game].deck.cards for _ in range(4)]
    order = Order(
        cards=shuffle(deck, below=random.Random(seed).randrange), nonce=bytes(NONCE_BYTES)
    )
    one, other = Table(game, order), Table(game, order)
    dealt = [(one.play([]), other.play(data.draw(wagers(game), label="wagers"))) for _ in range(3)]
    assert [a for a, _ in dealt] == [b for _, b in dealt]
    assert " ".join(a for a, _ in dealt) == " ".join(
        order.text.split()[: sum(len(a.split()) for a, _ in dealt)]
    )
