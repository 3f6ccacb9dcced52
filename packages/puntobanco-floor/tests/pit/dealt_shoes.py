"""Shoes dealt for the tests of the pit: what each bet was worth in each round and what it brought, and patrons who stake."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puntobanco.odds.reshuffles import Floats, Reshuffles, reshuffles
from puntobanco.rules.game import Game
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Wager, settle
from puntobanco.rules.shoe import MAX_SHOE_CARDS, Shoe
from puntobanco_floor.domain.events import Cards
from puntobanco_floor.service.pit.advantage import Comparison, Evidence, Stakes, take_in

CUT = Cards().cut
SHOES = 10  # that a patron plays
KEPT = 200  # comparisons


class DealtShoes:
    """So many shoes of a game, to the cut card."""

    def __init__(self, game: Game, bets: Sequence[str], shoes: int, seed: int) -> None:
        self.game = game
        self.bets = bets
        self.dealt = Reshuffles(game, game.default_decks, shoes, seed)
        starts = self.dealt.starts
        cards = self.dealt.order.shape[1]
        plays = starts < cards - CUT
        plays[:, 1:] &= starts[:, 1:] > starts[:, :-1]
        self.rounds = plays.sum(axis=1)
        self._kept = dict[tuple[int, str], Comparison]()
        self.here = {bet: self._worth(self.dealt, bet) for bet in bets}
        self.there = {bet: self._worth(reshuffles(game, game.default_decks), bet) for bet in bets}

    def _worth(self, of: Reshuffles, bet: str) -> Floats:
        return np.stack([of.worth(bet, place) for place in range(self.rounds.max())], axis=1)

    def comparison(self, shoe: int, bet: str) -> Comparison:
        if (shoe, bet) not in self._kept:
            if len(self._kept) == KEPT:
                self._kept.clear()
            n = self.rounds[shoe]
            self._kept[shoe, bet] = Comparison(self.here[bet][shoe, :n], self.there[bet][:, :n])
        return self._kept[shoe, bet]

    @cached_property
    def brings(self) -> dict[str, Floats]:
        """Shoe x round: what a stake of one brought, the stake not counted."""
        game = self.game
        loose = Shoe(game.deck, (MAX_SHOE_CARDS // len(game.deck),) * len(game.deck))
        found = {bet: np.zeros((len(self.rounds), self.rounds.max())) for bet in self.bets}
        wagers = [Wager("w", bet, game.bet(bet).step_cents * 100) for bet in self.bets]
        for shoe, order in enumerate(self.dealt.order):
            cards = [game.deck.cards[place] for place in order]
            for place in range(self.rounds[shoe]):
                round_ = Round.start(game, loose)
                start = self.dealt.starts[shoe, place]
                while not round_.is_complete:
                    round_ = round_.deal(cards[start + len(round_.cards)])
                for line in settle(game, round_, wagers):
                    stake = line.wager.stake_cents
                    found[line.wager.bet][shoe, place] = line.winnings_cents / stake - (
                        line.outcome == "loses"
                    )
        return found


class Seen:
    """What a patron sees of one bet at one shoe; the edge is for counters alone."""

    def __init__(self, edge: Floats, brings: Floats) -> None:
        self.edge = edge
        self.brings = brings
        self.rounds = len(edge)
        self.places = np.arange(self.rounds)
        self.nothing = np.zeros(self.rounds)


Patron = Callable[[np.random.Generator, list[Seen]], list[Floats]]
"""The stakes in dollars for each shoe, by round."""


def each_shoe(stakes: Callable[[np.random.Generator, Seen], NDArray[Any]]) -> Patron:
    return lambda rng, shoes: [stakes(rng, seen).astype(np.float64) for seen in shoes]


def _broke(rng: np.random.Generator, seen: Seen) -> Floats:
    """Flat until nothing is left of what was brought to this shoe."""
    left = 10.0 * rng.integers(5, 50)
    stakes = seen.nothing.copy()
    for place in seen.places:
        if left < 10:
            break
        stakes[place] = 10
        left += 10 * seen.brings[place]
    return stakes


def _goal(rng: np.random.Generator, seen: Seen) -> Floats:
    """Flat until one win, from some round on."""
    start = rng.integers(0, seen.rounds)
    wins = np.flatnonzero(seen.brings[start:] > 0)
    end = start + wins[0] + 1 if len(wins) else seen.rounds
    return np.where((seen.places >= start) & (seen.places < end), 10.0, 0.0)


def _progression(
    after_win: float, after_loss: float, most: float
) -> Callable[[np.random.Generator, Seen], Floats]:
    """The stake is multiplied after a win or a loss, and begins anew after the other, or at the limit."""

    def stakes(rng: np.random.Generator, seen: Seen) -> Floats:
        found, stake = seen.nothing.copy(), 10.0
        for place in range(rng.integers(0, 60), seen.rounds):
            found[place] = stake
            stake *= after_win if seen.brings[place] > 0 else after_loss
            if not 10 <= stake <= most:
                stake = 10.0
        return found

    return stakes


def _overdue(rng: np.random.Generator, seen: Seen) -> Floats:
    """Stakes while the bet has not won for so many rounds."""
    patience, found, waited = rng.integers(3, 30), seen.nothing.copy(), 0
    for place in seen.places:
        found[place] = 10.0 * (waited >= patience)
        waited = 0 if seen.brings[place] > 0 else waited + 1
    return found


def _streak(rng: np.random.Generator, seen: Seen) -> Floats:
    """Stakes for so many rounds after the bet has won."""
    length, found, left = int(rng.integers(1, 12)), seen.nothing.copy(), 0
    for place in seen.places:
        found[place] = 10.0 * (left > 0)
        left = length if seen.brings[place] > 0 else left - 1
    return found


def _between(seen: Seen, start: int, end: int) -> Floats:
    return np.where((seen.places >= start) & (seen.places < end), 10.0, 0.0)


INNOCENTS: dict[str, Patron] = {
    "flat": each_shoe(lambda _, seen: seen.nothing + 10),
    "skips at random": each_shoe(
        lambda rng, seen: 10.0 * (rng.random(seen.rounds) < rng.uniform(0.05, 0.95))
    ),
    "plays, then sits out": each_shoe(
        lambda rng, seen: _between(seen, 0, int(rng.integers(15, 60)))
    ),
    "25 rounds, a break of 25": each_shoe(
        lambda rng, seen: 10.0 * ((seen.places + rng.integers(50)) // 25 % 2)
    ),
    "goes broke": each_shoe(_broke),
    "stops after a win": each_shoe(_goal),
    "arrives late": each_shoe(lambda rng, seen: _between(seen, int(rng.integers(10, 75)), 999)),
    "plays only the end": each_shoe(
        lambda rng, seen: _between(seen, seen.rounds - int(rng.integers(3, 20)), 999)
    ),
    "stakes at random": each_shoe(
        lambda rng, seen: 5.0 * np.ceil(20 * rng.random(seen.rounds) ** 4)
    ),
    "raises at the end": each_shoe(
        lambda rng, seen: 10 + 90.0 * (seen.places > rng.integers(60, 80))
    ),
    "martingale": each_shoe(_progression(0, 2, 640)),
    "paroli": each_shoe(_progression(2, 0, 80)),
    "waits until it is overdue": each_shoe(_overdue),
    "follows a win": each_shoe(_streak),
}
COUNTERS: dict[str, Patron] = {
    "only with the edge": each_shoe(lambda _, seen: 100.0 * (seen.edge > 0)),
    "1 to 10": each_shoe(lambda _, seen: 10 + 90.0 * (seen.edge > 0)),
}


class Found:
    """Patron x bet: the smallest chance after any shoe, and whether the old alarm was raised."""

    def __init__(self, chances: Floats, old: NDArray[np.bool_]) -> None:
        self.chances = chances
        self.old = old


def search(shoes: DealtShoes, patron: Patron, tables: int, patrons: int, seed: int) -> Found:
    """So many patrons play the same ten shoes, at each of so many tables, and stake on every bet."""
    rng = np.random.default_rng(seed)
    chances, old = list[Floats](), list[NDArray[np.bool_]]()
    for _ in range(tables):
        chosen = rng.choice(len(shoes.rounds), SHOES, replace=False)
        by_bet = [_play(shoes, bet, patron, chosen, patrons, rng) for bet in shoes.bets]
        chances.append(np.array([found.chances for found in by_bet]).T)
        old.append(np.array([found.old for found in by_bet]).T)
    return Found(np.concatenate(chances), np.concatenate(old))


def _play(
    shoes: DealtShoes,
    bet: str,
    patron: Patron,
    chosen: NDArray[np.int64],
    patrons: int,
    rng: np.random.Generator,
) -> Found:
    seen = [
        Seen(shoes.here[bet][shoe, :n, 0], shoes.brings[bet][shoe, :n])
        for shoe, n in ((shoe, shoes.rounds[shoe]) for shoe in chosen)
    ]
    stakes = [patron(rng, seen) for _ in range(patrons)]
    known = [Evidence(shoes.game) for _ in stakes]
    least = np.full(patrons, np.inf)
    for i, shoe in enumerate(chosen):
        staked = np.array([each[i] for each in stakes])
        those = np.flatnonzero(staked.any(axis=1))
        if len(those):
            take_in([known[j] for j in those], Stakes(staked[those]), shoes.comparison(shoe, bet))
        least = np.minimum(least, [each.chance for each in known])
    edges = np.concatenate([each.edge for each in seen])
    return Found(least, np.array([raised_before(np.concatenate(each), edges) for each in stakes]))


def raised_before(stakes: Floats, edges: Floats) -> bool:
    """Whether the alarm of version 0.2 is raised: after every round from the first stake on, the edge weighted by stakes
    lies four standard deviations above its plain mean.
    """
    if not stakes.any():
        return False
    first = int(np.flatnonzero(stakes)[0])
    stakes, edges = stakes[first:], edges[first:]
    n = np.arange(1, len(stakes) + 1)
    staked = np.cumsum(stakes)
    mean = np.cumsum(edges) / n
    spread = np.maximum(0, np.cumsum(edges**2) / n - mean**2) * n / np.maximum(1, n - 1)
    weight = np.cumsum(stakes**2) / staked**2 - 1 / n
    judged = (n >= 40) & (spread > 0) & (weight > 1e-12)
    apart = np.cumsum(edges * stakes) / staked - mean
    return bool((apart[judged] >= 4 * np.sqrt(spread[judged] * weight[judged])).any())
