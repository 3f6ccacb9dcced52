"""Par sheets: every bet's lines, expected value, variance and flags, exact, for any shoe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TypeAlias

from puntobanco.odds.solve import weights
from puntobanco.rules.game import Bet, Game, Pays
from puntobanco.rules.hands import banker, cards_dealt, player, tie
from puntobanco.rules.money import Dollars, Odds
from puntobanco.rules.predicates import Predicate, all_of, any_of, excluded, leaves, reads_of
from puntobanco.rules.shoe import Shoe

LOWEST_RETURN = Fraction(75, 100)
"""A bet that returns less to patrons is flagged (GLI-19 4.7.1)."""

HIGHEST_RETURN = Fraction(1)
"""A bet that returns more loses money for the house in the long run, and is flagged."""

RAREST_AWARD = Fraction(1, 100_000_000)
"""A top award rarer than this is flagged (GLI-19 4.7.3)."""

MOST_OVERLAPS = 4
"""Up to so many earlier lines are taken apart by inclusion and exclusion; beyond, the tree is
solved as it stands.
"""

Signed: TypeAlias = tuple[tuple[int, Predicate], ...]
"""A probability as a sum of probabilities with signs: P(A and not B) = P(A) - P(A and B)."""


@dataclass(frozen=True, slots=True)
class LineOdds:
    """One pay line: the chance that it decides."""

    line: Pays
    probability: Fraction

    @property
    def pays(self) -> Fraction:
        """Winnings for a stake of one."""
        assert isinstance(self.line.pays, Odds)
        return Fraction(self.line.pays.win, self.line.pays.risk)

    @property
    def contribution(self) -> Fraction:
        return self.probability * self.pays


@dataclass(frozen=True, slots=True)
class BonusOdds:
    """One bonus line: the chance that it is paid, and what the bet's own lines are worth where it
    is.
    """

    line: Pays
    probability: Fraction
    beside: Fraction  # sum over pay lines of the chance of both, times what the line pays

    @property
    def dollars(self) -> int:
        assert isinstance(self.line.pays, Dollars)
        return self.line.pays.amount


@dataclass(frozen=True)
class BetOdds:
    """One bet, for a stake of one and without its bonus unless a stake is named."""

    bet: Bet
    lines: tuple[LineOdds, ...]
    push: Fraction
    bonus: tuple[BonusOdds, ...]

    @cached_property
    def hit(self) -> Fraction:
        return sum((line.probability for line in self.lines), Fraction(0))

    @property
    def lose(self) -> Fraction:
        return 1 - self.hit - self.push

    @cached_property
    def ev(self) -> Fraction:
        return sum((line.contribution for line in self.lines), -self.lose)

    @cached_property
    def variance(self) -> Fraction:
        squares = sum((line.contribution * line.pays for line in self.lines), self.lose)
        return squares - self.ev**2

    @cached_property
    def results(self) -> dict[Fraction, Fraction]:
        """The chance of each net result, the best first; lines that pay the same are one result."""
        chances = [(line.pays, line.probability) for line in self.lines]
        chances += [(Fraction(0), self.push), (Fraction(-1), self.lose)]
        together = dict[Fraction, Fraction]()
        for net, chance in chances:
            together[net] = together.get(net, Fraction(0)) + chance
        return {net: together[net] for net in sorted(together, reverse=True) if together[net]}

    @property
    def largest_payout(self) -> Fraction:
        return max(line.pays for line in self.lines)

    @property
    def bonus_dollars(self) -> Fraction:
        """What the bonus is worth a round, in dollars, whatever the stake."""
        return sum((b.probability * b.dollars for b in self.bonus), Fraction(0))

    @property
    def break_even_stake(self) -> Fraction | None:
        """The stake in dollars at which the bonus makes the bet fair; smaller stakes favour the
        patron.
        """
        return self.bonus_dollars / -self.ev if self.bonus and self.ev < 0 else None

    def ev_at(self, stake: Fraction) -> Fraction:
        """Expected value for each dollar of a stake of so many dollars, the bonus counted in."""
        return self.ev + self.bonus_dollars / stake

    def variance_at(self, stake: Fraction) -> Fraction:
        """Variance for each dollar of such a stake."""
        more = Fraction(
            0
        )  # of the mean square: (pays + bonus)^2 instead of pays^2 wherever a bonus is paid
        for b in self.bonus:
            more += 2 * (b.dollars / stake) * b.beside + (b.dollars / stake) ** 2 * b.probability
        return self.variance + self.ev**2 + more - self.ev_at(stake) ** 2

    @property
    def flags(self) -> tuple[str, ...]:
        found = []
        if 1 + self.ev < LOWEST_RETURN:
            found.append(f"returns less than {LOWEST_RETURN * 100} % to patrons")
        if 1 + self.ev > HIGHEST_RETURN:
            found.append(f"returns more than {HIGHEST_RETURN * 100} % to patrons")
        chances = [line.probability for line in self.lines] + [b.probability for b in self.bonus]
        rarest = min(chances)
        if rarest < RAREST_AWARD:
            found.append("an award rarer than 1 in 100 million")
        return tuple(found)


@dataclass(frozen=True)
class ParSheet:
    """A game's odds for one shoe; `decks` is None for a shoe that is not fresh."""

    game: Game
    decks: int | None
    shoe: Shoe
    player: Fraction
    banker: Fraction
    tie: Fraction
    cards: tuple[Fraction, Fraction, Fraction]  # rounds of four, five and six cards
    bets: tuple[BetOdds, ...]

    def bet(self, id_: str) -> BetOdds:
        self.game.bet(id_)
        return next(odds for odds in self.bets if odds.bet.id == id_)

    @property
    def cards_per_round(self) -> Fraction:
        return sum((n * p for n, p in zip((4, 5, 6), self.cards, strict=True)), Fraction(0))


_ROUND: tuple[Predicate, ...] = (
    player.wins,
    banker.wins,
    tie,
    cards_dealt(4),
    cards_dealt(5),
    cards_dealt(6),
)


def par_sheet(game: Game, shoe: Shoe | int) -> ParSheet:
    """The par sheet for a number of fresh decks, or for what is left in a shoe.

    >>> from puntobanco.rules.games import RAPID
    >>> par_sheet(RAPID, 8).bet("player-pair").ev
    Fraction(-43, 415)
    """
    decks = shoe if isinstance(shoe, int) else None
    shoe = game.shoe(shoe) if isinstance(shoe, int) else shoe
    asked = [signed for bet in game.bets for signed in ways_of(bet)]
    chances = signed_probabilities(((*(((1, p),) for p in _ROUND), *asked)), game, shoe)
    whole, each = chances[: len(_ROUND)], iter(chances[len(_ROUND) :])
    bets = []
    for bet in game.bets:
        lines = tuple(LineOdds(line, next(each)) for line in bet.pays)
        push = next(each) if bet.push else Fraction(0)
        chances_of_bonus = [next(each) for _ in bet.bonus]
        beside = _beside(bet, lines, chances_of_bonus, game, shoe)
        bonus = tuple(
            BonusOdds(*parts) for parts in zip(bet.bonus, chances_of_bonus, beside, strict=True)
        )
        bets.append(BetOdds(bet, lines, push, bonus))
    p, b, t, four, five, six = whole
    return ParSheet(game, decks, shoe, p, b, t, (four, five, six), tuple(bets))


def _beside(
    bet: Bet, lines: Sequence[LineOdds], bonus: Sequence[Fraction], game: Game, shoe: Shoe
) -> list[Fraction]:
    """For each bonus, what the pay lines are worth where it is paid; with one line that is simply
    its odds.
    """
    if len(lines) == 1 or not bonus:
        return [chance * lines[0].pays for chance in bonus]
    ways = ways_of(bet)
    pairs = tuple(
        both(line, extra) for extra in ways[len(ways) - len(bonus) :] for line in ways[: len(lines)]
    )
    joint = iter(signed_probabilities(pairs, game, shoe))
    return [sum((next(joint) * line.pays for line in lines), Fraction(0)) for _ in bonus]


def both(a: Signed, b: Signed) -> Signed:
    """Both happen: the product of two sums of probabilities, each pair of events joined."""
    joined = [(sign_a * sign_b, all_of(p, q)) for sign_a, p in a for sign_b, q in b]
    return tuple((sign, together) for sign, together in joined if not excluded(together))


def signed_probabilities(asked: tuple[Signed, ...], game: Game, shoe: Shoe) -> list[Fraction]:
    predicates = tuple(dict.fromkeys(p for signed in asked for _, p in signed))
    counts, orders = weights(predicates, shoe, game.tableau)
    at = dict(zip(predicates, counts, strict=True))
    return [Fraction(sum(sign * at[p] for sign, p in signed), orders) for signed in asked]


@lru_cache(maxsize=1024)
def ways_of(bet: Bet) -> tuple[Signed, ...]:
    """The chance of each pay line deciding, then of a push, then of each bonus line being paid."""
    whens = tuple(line.when for line in bet.pays)
    ways = [first_of(when, whens[:i]) for i, when in enumerate(whens)]
    if bet.push:
        ways.append(first_of(bet.push.when, whens))
    won = any_of(*whens)
    for i, line in enumerate(bet.bonus):
        earlier = tuple(b.when for b in bet.bonus[:i])
        ways.append(first_of(line.when if won in _parts(line.when) else line.when & won, earlier))
    return tuple(ways)


def first_of(when: Predicate, earlier: tuple[Predicate, ...]) -> Signed:
    """The chance that this holds and nothing earlier does.

    Where something reads ranks or suits, "not" would tell cards apart to the end of the round: take
    it apart instead, P(A and not B) = P(A) - P(A and B).
    """
    earlier = tuple(e for e in earlier if not excluded(when & e))
    if len(earlier) > MOST_OVERLAPS or not any(_is_fine(p) for p in (when, *earlier)):
        return ((1, when & ~any_of(*earlier) if earlier else when),)
    taken_apart = [
        ((-1) ** size, all_of(when, *some))
        for size in range(len(earlier) + 1)
        for some in combinations(earlier, size)
    ]
    return tuple((sign, both) for sign, both in taken_apart if not excluded(both))


def _parts(predicate: Predicate) -> tuple[Predicate, ...]:
    return getattr(predicate, "parts", (predicate,))


def _is_fine(predicate: Predicate) -> bool:
    return any(
        read.attribute in ("rank", "suit") for leaf in leaves(predicate) for read in reads_of(leaf)
    )
