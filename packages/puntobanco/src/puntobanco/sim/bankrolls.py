"""Sessions: patrons with a staking plan, a bankroll and limits, and how their evenings end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from puntobanco.odds.card_counting import removals
from puntobanco.odds.par import par_sheet
from puntobanco.rules.game import Game
from puntobanco.rules.refusals import BadRun
from puntobanco.rules.settle import Wager, verify_wager
from puntobanco.sim.cpu import DIALECT, kernel, kernel_source, template
from puntobanco.sim.run import rounds_per_shoe
from puntobanco.sim.source import card_byte, groups, list_awards, list_nets, round_source

Floats: TypeAlias = NDArray[np.float64]
MAX_PATRONS = 10_000_000
MAX_ROUNDS = 100_000
BLOCK = 20_000_000
"""Rounds recorded at a time."""


@dataclass(frozen=True)
class Seat:
    """What a staking plan may look at before a round, an entry for each patron still playing."""

    round: int
    bankroll: Floats  # dollars
    last: Floats  # net of the round before, dollars
    edge: Floats  # expected value of the first bet, by the effects of the cards seen


Plan: TypeAlias = Callable[[Seat], Floats]
"""Multiples of the base stakes for the next round; 0 sits it out."""


def flat(seat: Seat) -> Floats:
    return np.ones_like(seat.bankroll)


def counter(seat: Seat) -> Floats:
    """Bets only when the cards seen put the edge on the patron's side."""
    return (seat.edge > 0).astype(np.float64)


@dataclass(frozen=True)
class Sessions:
    """How each patron's session ended."""

    net: Floats  # dollars won or lost
    staked: Floats  # dollars wagered in all
    rounds: NDArray[np.int64]  # with a wager
    ruined: NDArray[np.bool_]  # could not cover the next wager
    stopped: NDArray[np.bool_]  # reached the stop-loss
    won: NDArray[np.bool_]  # reached the goal

    @property
    def hold(self) -> float:
        """The house's share of what was wagered."""
        return _hold(self.net, self.staked)

    def hold_by_day(self, days: int) -> list[float]:
        """Patrons dealt out over so many days, in order."""
        nets = np.array_split(self.net, days)
        stakes = np.array_split(self.staked, days)
        return list(map(_hold, nets, stakes))


def _hold(net: Floats, staked: Floats) -> float:
    total = float(staked.sum())
    if total:
        return -float(net.sum()) / total
    return 0.0


_RECORD = """\
    for shoe in range(shoes):
        number = first + shoe
{new_shoe}
        seen = 0.0
        for r in range(rounds):
            edges[shoe, r] = seen * (size - 1) / (size - at)
            begun = at
{body}
            for place in range(begun, at):
                seen += effects[taken[place - begun]]"""


def play(
    game: Game,
    decks: int,
    stakes: Mapping[str, Fraction],
    *,
    rounds: int,
    patrons: int,
    bankroll: Fraction,
    plan: Plan = flat,
    stop_loss: Fraction | None = None,
    goal: Fraction | None = None,
    seed: int = 1,
    progress: Callable[[int], object] = lambda _: None,
) -> Sessions:
    """Every patron plays shoes of his own until the rounds, his money or a limit ends it."""
    if not 1 <= patrons <= MAX_PATRONS or not 1 <= rounds <= MAX_ROUNDS:
        raise BadRun(f"sessions are 1 to {MAX_PATRONS:,} patrons and 1 to {MAX_ROUNDS:,} rounds")
    for bet, stake in stakes.items():
        verify_wager(game, Wager("patron", bet, int(stake * 100)))
    only = replace(game, bets=tuple(bet for bet in game.bets if bet.id in stakes))
    gains = _gains(only, stakes)
    cards = template(game, decks)
    each = rounds_per_shoe(len(cards))
    shoes = -(-rounds // each)
    record = kernel(record_source(only))  # first: where Numba is missing nobody waits for odds
    base, effects = _effects(game, decks, next(iter(stakes)))
    whole_stake = float(sum(stakes.values()))
    limits = (
        None if stop_loss is None else float(stop_loss),
        None if goal is None else float(goal),
    )
    found = []
    some = max(1, BLOCK // (shoes * each))
    for start in range(0, patrons, some):
        n = min(some, patrons - start)
        cells = np.empty((n * shoes, each), np.uint16)
        edges = np.empty((n * shoes, each), np.float64)
        record(np.uint64(seed), start * shoes, n * shoes, each, cards, effects, cells, edges)
        shape = (n, shoes * each)
        played = cells.reshape(shape)[:, :rounds]
        seen = base + edges.reshape(shape)[:, :rounds]
        found.append(_played(gains, whole_stake, played, seen, plan, float(bankroll), *limits))
        progress(n)
    columns = [[getattr(part, field.name) for part in found] for field in fields(Sessions)]
    return Sessions(*map(np.concatenate, columns))


def record_source(game: Game) -> str:
    """A kernel that records every round's joint result, and what the cards seen before it say of
    the first bet.
    """
    if len(groups(game).cells) > 1:
        raise BadRun("too many bets at once; wager on fewer")
    lines = round_source(game, replace(DIALECT, count="cells[shoe, r] = {}"))
    drawn = next(i for i, line in enumerate(lines) if line.startswith("r0 = "))
    lines.insert(drawn, "taken = (c0, c1, c2, c3, c4, c5)")
    parameters = "seed, first, shoes, rounds, template, effects, cells, edges"
    return kernel_source(game, parameters, _RECORD, lines)


def _gains(game: Game, stakes: Mapping[str, Fraction]) -> Floats:
    """Net dollars of the base stakes for each joint result."""
    found = np.zeros(1)
    for name, _ in groups(game).only:
        bet = game.bet(name.partition(" ")[0])
        stake = float(stakes[bet.id])
        values = list_awards(bet) if name.endswith(" bonus") else list_nets(bet, stake)
        # the first bet changes fastest, so each further one is an axis in front
        found = np.add.outer(np.array(values), found)
    return found.reshape(-1)


def _effects(game: Game, decks: int, bet: str) -> tuple[float, Floats]:
    """The fresh expected value of a bet, and what one card of each kind seen adds to it."""
    by_bet = {removal.bet: removal for removal in removals(game, game.shoe(decks))}
    effects = np.zeros(256)
    for card, effect in by_bet[bet].effects.items():
        effects[card_byte(game, card)] = float(effect)
    return float(par_sheet(game, decks).bet(bet).ev), effects


def _played(
    gains: Floats,
    stake: float,
    cells: NDArray[np.uint16],
    edges: Floats,
    plan: Plan,
    bankroll: float,
    stop_loss: float | None,
    goal: float | None,
) -> Sessions:
    n, rounds = cells.shape
    net, staked, last = np.zeros((3, n))
    played = np.zeros(n, np.int64)
    ruined, stopped, won = np.zeros((3, n), np.bool_)
    active = np.ones(n, np.bool_)
    for r in range(rounds):
        money = bankroll + net
        planned = plan(Seat(r, money, last, edges[:, r]))
        times = np.maximum(np.asarray(planned, np.float64), 0.0)
        short = active & (times > 0) & (money < times * stake)
        ruined |= short
        active &= ~short
        bet = np.where(active, times, 0.0)
        last = bet * gains[cells[:, r]]
        net += last
        staked += bet * stake
        played += bet > 0
        if stop_loss is not None:
            hit = active & (net <= -stop_loss)
            stopped |= hit
            active &= ~hit
        if goal is not None:
            hit = active & (net >= goal)
            won |= hit
            active &= ~hit
        if not active.any():
            break
    return Sessions(net, staked, played, ruined, stopped, won)
