"""A second solver for exact odds: loops over every ordered deal by rank, rules written out. No code of the package's.

Ranks 0-12 are ace to ten and three pictures. `counts[suit][rank]` are cards left. Results are numbers of ordered deals
of six cards (rounds of four or five count for all ways the rest could lie).
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]

PLAYER, BANKER, TIE, FOUR, FIVE, SIX = range(6)
SIX_TWO, SIX_THREE, PLAYER_PAIR, BANKER_PAIR, SIX_STARS = range(6, 11)
EVENTS = 11


@njit(cache=True)
def points(rank: int) -> int:
    return rank + 1 if rank < 9 else 0


@njit(cache=True)
def stars(a: int, b: int, c: int) -> bool:
    return a >= 10 and b >= 10 and c >= 10 and a != b and b != c and a != c


@njit(cache=True)
def banker_draws(b: int, third: int) -> bool:
    if b <= 2:
        return True
    if b == 3:
        return third != 8
    if b == 4:
        return 2 <= third <= 7
    if b == 5:
        return 4 <= third <= 7
    return b == 6 and 6 <= third <= 7


@njit(cache=True)
def tally(out: Ints, weight: int, p1: int, p2: int, p3: int, b1: int, b2: int, b3: int) -> None:
    p = points(p1) + points(p2) + (points(p3) if p3 >= 0 else 0)
    b = points(b1) + points(b2) + (points(b3) if b3 >= 0 else 0)
    p, b = p % 10, b % 10
    out[PLAYER if p > b else BANKER if b > p else TIE] += weight
    out[FOUR + (p3 >= 0) + (b3 >= 0)] += weight
    if b > p and b == 6:
        out[SIX_THREE if b3 >= 0 else SIX_TWO] += weight
    if p1 == p2:
        out[PLAYER_PAIR] += weight
    if b1 == b2:
        out[BANKER_PAIR] += weight
    if p3 >= 0 and b3 >= 0 and stars(p1, p2, p3) and stars(b1, b2, b3):
        out[SIX_STARS] += weight


@njit(cache=True)
def by_rank(n: Ints, total: int) -> Ints:
    """Events that ranks decide. `n` are counts by rank; `total` may be larger, for cards that lie elsewhere."""
    out = np.zeros(EVENTS, np.int64)
    left = total - 4
    for p1 in range(13):
        w1 = n[p1]
        n[p1] -= 1
        for b1 in range(13):
            w2 = w1 * n[b1]
            n[b1] -= 1
            for p2 in range(13):
                w3 = w2 * n[p2]
                n[p2] -= 1
                for b2 in range(13):
                    w4 = w3 * n[b2]
                    if w4 == 0:
                        continue
                    n[b2] -= 1
                    p, b = (points(p1) + points(p2)) % 10, (points(b1) + points(b2)) % 10
                    if p >= 8 or b >= 8 or (p >= 6 and b >= 6):
                        tally(out, w4 * left * (left - 1), p1, p2, -1, b1, b2, -1)
                    elif p >= 6:
                        for b3 in range(13):
                            tally(out, w4 * n[b3] * (left - 1), p1, p2, -1, b1, b2, b3)
                    else:
                        for p3 in range(13):
                            w5 = w4 * n[p3]
                            n[p3] -= 1
                            if banker_draws(b, points(p3)):
                                for b3 in range(13):
                                    tally(out, w5 * n[b3], p1, p2, p3, b1, b2, b3)
                            else:
                                tally(out, w5 * (left - 1), p1, p2, p3, b1, b2, -1)
                            n[p3] += 1
                    n[b2] += 1
                n[p2] += 1
            n[b1] += 1
        n[p1] += 1
    return out


@njit(cache=True)
def flaming(fire: Ints, other: Ints, total: int) -> Ints:
    """Player wins with Flaming 9's, banker does, both do: a natural nine of two Fire cards."""
    out = np.zeros(3, np.int64)
    rest = (total - 4) * (total - 5)
    for p1 in range(26):
        for p2 in range(26):
            for b1 in range(26):
                for b2 in range(26):
                    w = 1
                    for i, card in enumerate((p1, p2, b1, b2)):
                        used = 0
                        for j, earlier in enumerate((p1, p2, b1, b2)):
                            if j < i and earlier == card:
                                used += 1
                        w *= (fire[card] if card < 13 else other[card - 13]) - used
                    if w == 0:
                        continue
                    p = (points(p1 % 13) + points(p2 % 13)) % 10
                    b = (points(b1 % 13) + points(b2 % 13)) % 10
                    hot_p = p == 9 and p1 < 13 and p2 < 13
                    hot_b = b == 9 and b1 < 13 and b2 < 13
                    out[0] += w * rest * (hot_p and b != 9)
                    out[1] += w * rest * (hot_b and p != 9)
                    out[2] += w * rest * (hot_p and hot_b)
    return out


def counts_by_rank(counts: Ints) -> Ints:
    return np.asarray(counts.sum(axis=0))


def solve(counts: Ints, *, elements: bool) -> dict[str, int]:
    """Numbers of ordered deals of six for each event; `counts` is suit x rank, Fire first where there are elements."""
    total = int(counts.sum())
    names = (
        "player",
        "banker",
        "tie",
        "cards_4",
        "cards_5",
        "cards_6",
        "six_two",
        "six_three",
        "player_pair",
        "banker_pair",
        "six_stars",
    )
    found: dict[str, Any] = dict(
        zip(names, by_rank(counts_by_rank(counts), total).tolist(), strict=True)
    )
    if elements:
        hot = flaming(counts[0].copy(), counts[1:].sum(axis=0), total)
        found |= dict(
            zip(("player_flaming", "banker_flaming", "both_flaming"), hot.tolist(), strict=True)
        )
        lengths = [by_rank(suit.copy(), total)[FOUR : SIX + 1] for suit in counts]
        found |= dict(
            zip(
                ("element_4", "element_5", "element_6"),
                np.sum(lengths, axis=0).tolist(),
                strict=True,
            )
        )
    return found
