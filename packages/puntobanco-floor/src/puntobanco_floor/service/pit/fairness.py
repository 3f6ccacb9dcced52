"""Whether a table's results are those of fair cards: a test that may be looked at after every
round.

For each bet the rounds it won are held against the exact chance p. The evidence is the likelihood
of what was seen, with the chance unknown and spread about p, over its likelihood under p itself.
Under fair cards it is a martingale that starts at 1, so that it ever reaches 1/a with a chance of
at most a, however often one looks (Ville's inequality). The ranks of the cards dealt are held
against an even share in the same way: they show a wrong shoe long before the bets do. Cards come
without replacement, which keeps counts closer to their means: the true rate is lower than stated.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import exp, inf, lgamma, log

from puntobanco.base.words import Words
from puntobanco.odds.par import par_sheet
from puntobanco.rules.cards import rank_of
from puntobanco.rules.game import Game
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Wager, settle
from puntobanco_floor.service.pit.alert_facts import Fact, said
from puntobanco_proof.entry.record import Record

_ROUNDS = Words("{} rounds", "{} 局")
_CARDS = Words("{} cards", "{} 張牌")
_OF = Words("{} of {}", "{}／{}")
_TIMES = Words("{} times", "{} 倍")

FALSE_ALARMS = 0.001
"""A fair table raises the alarm on at most one day in a thousand, all its bets and ranks together.
"""

RANKS = 13


def evidence(hits: int, rounds: int, chance: float) -> float:
    """How many times likelier the hits are with another chance than with this one.

    >>> round(evidence(45, 100, 0.4462), 2) < 1 < round(evidence(75, 100, 0.4462))
    True
    """
    if not 0 < chance < 1:
        return 1.0 if hits == rounds * chance else inf
    a = 1.0
    b = (1 - chance) / chance
    found = _log_beta(a + hits, b + rounds - hits) - _log_beta(a, b)
    found -= hits * log(chance) + (rounds - hits) * log(1 - chance)
    return exp(min(found, 700))


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


class BetReturn(Record):
    """A bet over a table's day: what came of it, and what should."""

    bet: str
    title: Words
    rounds: int
    won: int
    chance: float
    staked_cents: int
    paid_cents: int
    actual: float | None  # what came back of each dollar staked
    exact: float  # of fresh decks, bonuses left out
    evidence: float
    alarm_at: float  # the evidence at which the alarm is raised
    alarm: bool


class Returns:
    """One table, one game, one day."""

    def __init__(self, game: Game, decks: int) -> None:
        """Held against fresh shoes of so many decks."""
        sheet = par_sheet(game, decks)
        self.game = game
        self.decks = decks
        self.chances = {odds.bet.id: odds.hit for odds in sheet.bets}
        self.exact: dict[str, Fraction] = {odds.bet.id: 1 + odds.ev for odds in sheet.bets}
        self.rounds = 0
        self.won = Counter[str]()
        self.ranks = Counter[int]()
        self.staked = Counter[str]()
        self.paid = Counter[str]()
        self.raised = set[str]()

    def saw(self, play: Round) -> list[str]:
        """A settled round; the bets and ranks that raise the alarm now, each once."""
        self.rounds += 1
        wagers = [Wager(f"w{n}", bet.id, bet.step_cents) for n, bet in enumerate(self.game.bets)]
        for line in settle(self.game, play, wagers):
            self.won[line.wager.bet] += line.outcome == "wins"
        self.ranks.update(rank_of(card) for card in play.cards)
        out = [bet for bet in self.chances if self._is_out(self._evidence(bet))]
        dealt = self.ranks.total()
        out += [
            f"rank {rank + 1}"
            for rank in range(RANKS)
            if self._is_out(evidence(self.ranks[rank], dealt, 1 / RANKS))
        ]
        new = [what for what in out if what not in self.raised]
        self.raised.update(new)
        return new

    def took(self, bet: str, stake_cents: int, paid_cents: int) -> None:
        self.staked[bet] += stake_cents
        self.paid[bet] += paid_cents

    def facts(self, what: str) -> list[Fact]:
        """The evidence about a bet, or about a rank (`rank 9`)."""
        if what in self.chances:
            unit = _ROUNDS
            seen = self.won[what]
            of = self.rounds
            chance = float(self.chances[what])
            found = self._evidence(what)
        else:
            unit = _CARDS
            seen = self.ranks[int(what.removeprefix("rank ")) - 1]
            of = self.ranks.total()
            chance = 1 / RANKS
            found = evidence(seen, of, chance)
        return [
            said("Came", _OF.format(f"{seen:,}", unit.format(f"{of:,}"))),
            said("Fair cards", _OF.format(f"{of * chance:,.1f}", f"{of:,}")),
            said("Likelier by another cause", _TIMES.format(f"{min(found, 1e12):,.0f}")),
            said("Alarm at", _TIMES.format(f"{self.alarm_at:,.0f}")),
        ]

    def _evidence(self, bet: str) -> float:
        return evidence(self.won[bet], self.rounds, float(self.chances[bet]))

    @property
    def alarm_at(self) -> float:
        """The evidence at which a bet or a rank raises the alarm."""
        return (len(self.chances) + RANKS) / FALSE_ALARMS

    def _is_out(self, found: float) -> bool:
        return found >= self.alarm_at

    def view(self) -> list[BetReturn]:
        return list(map(self._return, self.chances))

    def _return(self, bet: str) -> BetReturn:
        staked = self.staked[bet]
        paid = self.paid[bet]
        return BetReturn(
            bet=bet,
            title=self.game.bet(bet).title,
            rounds=self.rounds,
            won=self.won[bet],
            chance=float(self.chances[bet]),
            staked_cents=staked,
            paid_cents=paid,
            actual=paid / staked if staked else None,
            exact=float(self.exact[bet]),
            evidence=self._evidence(bet),
            alarm_at=self.alarm_at,
            alarm=bet in self.raised,
        )
