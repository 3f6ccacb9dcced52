"""A house that draws many shoes and commits to the one it likes, with and without the mix.

What it likes is Player wins less Banker wins. Shoes are drawn and played by Numba; a mixed one goes
through the derivation that tables use: commitment, seed, SHAKE-256, whole words with rejection.
`python -m tests.pit.aimed` prints the figures of docs/explanation/mix.md.
"""

import hashlib
import math
import time
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from puntobanco_floor.domain.card_order import commitment
from puntobanco_proof import mix

Cards = NDArray[np.uint8]
DECKS, CUT = 8, 14
CARDS = 52 * DECKS
STREAM_BYTES = 1_792
"""Of SHAKE-256, in the quick way: the words of eight decks and 32 more in place of those rejected;
where they do not do (never seen), the plain way is taken.
"""
SIGNATURES = 2


class Figures(NamedTuple):
    """A shoe's mean score, as it is dealt, against that of all shoes drawn."""

    shoes: int
    drawn: int
    all_mean: float
    chosen_mean: float
    dealt_mean: float
    z: float

    def __str__(self) -> str:
        return (
            f"{self.shoes:,} shoes, each the best of {self.drawn // self.shoes:,}: "
            f"all {self.all_mean:+.4f}, chosen {self.chosen_mean:+.4f}, "
            f"dealt {self.dealt_mean:+.4f}, z {self.z:+.2f}"
        )


@numba.njit(cache=True)
def score_of(order: Cards) -> int:
    """Player wins less Banker wins, from the first card to the cut card; cards are 13 times the
    suit, and the rank from 0.
    """
    place, won = 0, 0
    while order.size - place > CUT:
        player = (_points(order[place]) + _points(order[place + 2])) % 10
        banker = (_points(order[place + 1]) + _points(order[place + 3])) % 10
        place += 4
        if player < 8 and banker < 8:
            third = -1
            if player <= 5:
                third = _points(order[place])
                place += 1
                player = (player + third) % 10
            if _banker_draws(banker, third):
                banker = (banker + _points(order[place])) % 10
                place += 1
        won += (player > banker) - (player < banker)
    return won


@numba.njit(cache=True)
def _points(card: int) -> int:
    rank = card % 13
    return rank + 1 if rank < 9 else 0


@numba.njit(cache=True)
def _banker_draws(banker: int, third: int) -> bool:
    if third < 0 or banker <= 2:
        return banker <= 5 if third < 0 else True
    if banker == 3:
        return third != 8
    if banker == 4:
        return 2 <= third <= 7
    if banker == 5:
        return 4 <= third <= 7
    return banker == 6 and 6 <= third <= 7


@numba.njit(cache=True)
def best_of(seed: int, shoes: int, tries: int) -> tuple[Cards, NDArray[np.int64], float]:
    """For each shoe the best of so many orders: its cards, its score; and the mean of all drawn."""
    state = np.uint64(seed * 2 + 1) * np.uint64(0x9E3779B97F4A7C15)
    order = np.empty(CARDS, np.uint8)
    for n in range(CARDS):
        order[n] = n % 52
    best = np.empty((shoes, CARDS), np.uint8)
    scores = np.full(shoes, -CARDS, np.int64)
    total = 0
    for shoe in range(shoes):
        for _ in range(tries):
            for i in range(CARDS - 1):
                # xorshift64*: quick, and good enough for a house to draw from
                state ^= state >> np.uint64(12)
                state ^= state << np.uint64(25)
                state ^= state >> np.uint64(27)
                word = (state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
                j = i + np.int64((word * np.uint64(CARDS - i)) >> np.uint64(32))
                order[i], order[j] = order[j], order[i]
            score = score_of(order)
            total += score
            if score > scores[shoe]:
                scores[shoe] = score
                best[shoe] = order
    return best, scores, total / (shoes * tries)


@numba.njit(cache=True)
def _permuted(order: Cards, words: NDArray[np.uint32]) -> bool:
    """Fisher-Yates in place, as `mix.mixed` does it; whether the words were enough."""
    place, size = 0, order.size
    for i in range(size):
        n = size - i
        limit = 2**32 - 2**32 % n
        while True:
            if place == words.size:
                return False
            word = np.int64(words[place])
            place += 1
            if word < limit:
                break
        j = i + word % n
        order[i], order[j] = order[j], order[i]
    return True


def quickly_mixed(cards: bytes, seed: bytes) -> Cards:
    """What `mix.mixed` says, and a test holds it to that."""
    stream = hashlib.shake_256(seed).digest(STREAM_BYTES)
    order = np.frombuffer(cards, np.uint8).copy()
    words = np.frombuffer(stream, ">u4").astype(np.uint32)
    if _permuted(order, words):
        return order
    return np.frombuffer(mix.shuffle_by_seed(cards, seed), np.uint8)


def seed_of(cards: bytes, number: int) -> bytes:
    """The seed of a shoe. The witnesses' answers are stood in for by hashes of what they sign: an
    RSA signature takes a thousand times as long, and the house can foretell either as little.
    """
    nonce = hashlib.sha256(b"nonce %d" % number).digest()
    committed = commitment(cards, nonce)
    message = mix.build_message("example.com/log", "table:1", number, committed)
    answers = [
        hashlib.shake_256(b"witness %d\n" % n + message).digest(mix.SIGNATURE_BYTES)
        for n in range(SIGNATURES)
    ]
    return mix.derive_seed(committed, answers)


def aimed(*, shoes: int, tries: int, is_mixed: bool, seed: int, chunk: int = 1_000) -> Figures:
    """What a house gains that commits to the best of so many orders."""
    dealt, chosen, means = list[int](), list[int](), list[float]()
    number = 0
    for first in range(0, shoes, chunk):
        count = min(chunk, shoes - first)
        best, scores, mean = best_of(seed + first, count, tries)
        means.append(mean * count)
        chosen += scores.tolist()
        if not is_mixed:
            dealt += scores.tolist()
            continue
        for order in best:
            number += 1
            cards = order.tobytes()
            dealt.append(score_of(quickly_mixed(cards, seed_of(cards, number))))
    all_mean = sum(means) / shoes
    found = np.array(dealt, float)
    # the mean of all drawn has an error too, much smaller
    error = math.sqrt(found.var(ddof=1) * (1 / shoes + 1 / (shoes * tries)))
    z = (found.mean() - all_mean) / error
    return Figures(
        shoes, shoes * tries, all_mean, float(np.mean(chosen)), float(found.mean()), float(z)
    )


if __name__ == "__main__":
    for is_mixed, shoes, tries in ((True, 1_000_000, 2**6), (False, 10_000, 2**12)):
        began = time.process_time()
        figures = aimed(shoes=shoes, tries=tries, is_mixed=is_mixed, seed=21)
        took = time.process_time() - began
        print("mixed:  " if is_mixed else "unmixed:", figures, f"({took:.0f} s)", flush=True)
