"""Par sheets: every bet's lines, expected value, variance and flags, exact, for any shoe; also of
wagers placed together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement
from math import sqrt
from operator import mul
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from puntobanco.data_table import DataTable, Tidy, labels
from puntobanco.game_files import GameLike, find_game
from puntobanco.odds.plan import fine_reads
from puntobanco.odds.solve import weights
from puntobanco.rules.game import Bet, Dollars, Game, Odds, Pays
from puntobanco.rules.hands import banker, cards_dealt, player, tie
from puntobanco.rules.notebook import html_table
from puntobanco.rules.predicates import Predicate, all_of, any_of, excluded, say
from puntobanco.rules.refusals import PlanTooLarge
from puntobanco.rules.shoe import Shoe

LOWEST_RETURN = Fraction(75, 100)
"""A bet that returns less to patrons is flagged (GLI-19 4.7.1)."""

HIGHEST_RETURN = Fraction(1)
"""A bet that returns more loses money for the house in the long run, and is flagged."""

FAVOURS_PATRON = f"returns more than {HIGHEST_RETURN * 100} % to patrons"

RAREST_AWARD = Fraction(1, 100_000_000)
"""A top award rarer than this is flagged (GLI-19 4.7.3)."""

MOST_OVERLAPS = 4
"""Up to so many earlier lines are taken apart by inclusion and exclusion; with more, the tree is
solved as it stands.
"""

Signed: TypeAlias = tuple[tuple[int, Predicate], ...]
"""A probability as a sum of probabilities with signs: P(A and not B) = P(A) - P(A and B)."""


@dataclass(frozen=True, slots=True)
class LineOdds:
    """One pay line: the chance that it decides."""

    line: Pays
    probability: Fraction

    def __repr__(self) -> str:
        return f"<LineOdds {self.line.pays.words.en}: {percent(self.probability)}>"

    @property
    def pays(self) -> Fraction:
        """Winnings for a stake of one."""
        assert isinstance(self.line.pays, Odds)
        return self.line.pays.ratio

    @property
    def contribution(self) -> Fraction:
        """What the line adds to the expected value."""
        return self.probability * self.pays


@dataclass(frozen=True, slots=True)
class BonusOdds:
    """One bonus line: the chance that it is paid, and paid beside each of the bet's lines."""

    line: Pays
    probability: Fraction
    with_lines: tuple[Fraction, ...]  # the chance of both, for each pay line of the bet

    def __repr__(self) -> str:
        return f"<BonusOdds {self.line.pays.words.en}: {percent(self.probability)}>"

    @property
    def dollars(self) -> int:
        """The award."""
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
        """The chance that it wins."""
        return sum((line.probability for line in self.lines), Fraction(0))

    def __repr__(self) -> str:
        return f"<BetOdds {self.bet.id}: edge {percent(self.edge)}, wins {percent(self.hit)}>"

    @property
    def edge(self) -> Fraction:
        """The house edge: what a stake of one loses on average."""
        return -self.ev

    @property
    def deviation(self) -> float:
        """The standard deviation of the net result."""
        return sqrt(self.variance)

    @property
    def lose(self) -> Fraction:
        """The chance that it loses."""
        return 1 - self.hit - self.push

    @cached_property
    def ev(self) -> Fraction:
        """The expected net result of a stake of one."""
        return sum((line.contribution for line in self.lines), -self.lose)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result."""
        squares = sum((line.contribution * line.pays for line in self.lines), self.lose)
        return squares - self.ev**2

    @cached_property
    def results(self) -> dict[Fraction, Fraction]:
        """The chance of each net result, the best first; lines that pay the same are one result."""
        chances = [(line.pays, line.probability) for line in self.lines]
        chances += [(Fraction(0), self.push), (Fraction(-1), self.lose)]
        together = defaultdict[Fraction, Fraction](Fraction)
        for net, chance in chances:
            together[net] += chance
        return {net: together[net] for net in sorted(together, reverse=True) if together[net]}

    @property
    def largest_payout(self) -> Fraction:
        """The most that a line pays for a stake of one."""
        return max(line.pays for line in self.lines)

    @property
    def bonus_dollars(self) -> Fraction:
        """What the bonus is worth a round, in dollars, whatever the stake."""
        return sum((b.probability * b.dollars for b in self.bonus), Fraction(0))

    @property
    def break_even_stake(self) -> Fraction | None:
        """The stake in dollars at which the bonus makes the bet fair; less favours the patron."""
        if not self.bonus or self.ev >= 0:
            return None
        return self.bonus_dollars / -self.ev

    def ev_at(self, stake: Fraction) -> Fraction:
        """Expected value for each dollar of a stake of so many dollars, the bonus counted in."""
        return self.ev + self.bonus_dollars / stake

    def variance_at(self, stake: Fraction) -> Fraction:
        """Variance for each dollar of such a stake."""
        mean_square = self.variance + self.ev**2
        pays = [line.pays for line in self.lines]
        for bonus in self.bonus:
            # (pays + award)^2 instead of pays^2 wherever the bonus is paid
            award = bonus.dollars / stake
            beside = sum(map(mul, bonus.with_lines, pays))
            mean_square += 2 * award * beside + award**2 * bonus.probability
        return mean_square - self.ev_at(stake) ** 2

    @property
    def all_lines(self) -> tuple[LineOdds | BonusOdds, ...]:
        """Pay lines, then bonus lines."""
        return (*self.lines, *self.bonus)

    @property
    def flags(self) -> tuple[str, ...]:
        """What a laboratory would ask about, in words."""
        found = []
        returned = 1 + self.ev
        if returned < LOWEST_RETURN:
            found.append(f"returns less than {LOWEST_RETURN * 100} % to patrons")
        if returned > HIGHEST_RETURN:
            found.append(FAVOURS_PATRON)
        if min(line.probability for line in self.all_lines) < RAREST_AWARD:
            found.append("an award rarer than 1 in 100 million")
        return tuple(found)


@dataclass(frozen=True)
class ParSheet(Tidy):
    """A game's odds for one shoe; `decks` is None for a shoe that is not fresh."""

    game: Game
    decks: int | None
    shoe: Shoe
    player: Fraction
    banker: Fraction
    tie: Fraction
    cards: tuple[Fraction, Fraction, Fraction]  # rounds of four, five and six cards
    bets: tuple[BetOdds, ...]

    def __repr__(self) -> str:
        edges = ", ".join(f"{odds.bet.id} {percent(odds.edge)}" for odds in self.bets)
        return f"<ParSheet {self.game.id}, {self._dealt_from}: edge {edges}>"

    def _repr_html_(self) -> str:
        rows = []
        for odds in self.bets:
            chances = (odds.edge, odds.hit, odds.push, odds.lose)
            rows.append((odds.bet.title.en, *map(percent, chances), f"{odds.deviation:.4f}"))
        caption = f"{self.game.title.en}, {self._dealt_from}"
        columns = ("bet", "house edge", "wins", "pushes", "loses", "std. dev.")
        return html_table(caption, columns, rows)

    @property
    def _dealt_from(self) -> str:
        if self.decks is None:
            return f"a shoe of {len(self.shoe)} cards"
        return f"{self.decks} decks"

    def table(self) -> DataTable:
        """A row for each bet: its house edge, chances and spread, as floats."""
        of = self.bets
        return DataTable(
            {
                "bet": labels(odds.bet.id for odds in of),
                "title": labels(odds.bet.title.en for odds in of),
                "edge": _floats(odds.edge for odds in of),
                "wins": _floats(odds.hit for odds in of),
                "pushes": _floats(odds.push for odds in of),
                "loses": _floats(odds.lose for odds in of),
                "deviation": _floats(odds.deviation for odds in of),
                "largest_payout": _floats(odds.largest_payout for odds in of),
                "bonus_dollars": _floats(odds.bonus_dollars for odds in of),
            }
        )

    def lines(self) -> DataTable:
        """A row for each pay line and bonus line: what it pays, when, and its chance."""
        of = [(odds.bet, line) for odds in self.bets for line in odds.all_lines]
        bonus = [isinstance(line, BonusOdds) for _, line in of]
        return DataTable(
            {
                "bet": labels(bet.id for bet, _ in of),
                "bonus": np.array(bonus, np.bool_),
                "pays": labels(line.line.pays.words.en for _, line in of),
                "when": labels(say(line.line.when).en for _, line in of),
                "clause": labels(line.line.clause for _, line in of),
                "probability": _floats(line.probability for _, line in of),
            }
        )

    def bet(self, id_: str) -> BetOdds:
        """The odds of one bet; refuses a bet that the game does not have."""
        self.game.bet(id_)
        return next(odds for odds in self.bets if odds.bet.id == id_)

    @property
    def unsolved(self) -> tuple[Bet, ...]:
        """The game's bets that a `partial_sheet` has no exact odds of; else there are none."""
        solved = {odds.bet.id for odds in self.bets}
        return tuple(bet for bet in self.game.bets if bet.id not in solved)

    @property
    def cards_per_round(self) -> Fraction:
        """How many cards a round takes, on average."""
        four, five, six = self.cards
        return 4 * four + 5 * five + 6 * six


def percent(value: Fraction, places: int = 4) -> str:
    """
    >>> percent(Fraction(-43, 415))
    '-10.3614 %'
    """
    return f"{float(value) * 100:.{places}f} %"


def _floats(values: Iterable[Fraction | float]) -> NDArray[np.float64]:
    return np.array([float(value) for value in values], np.float64)


_ROUND: tuple[Predicate, ...] = (
    player.wins,
    banker.wins,
    tie,
    cards_dealt(4),
    cards_dealt(5),
    cards_dealt(6),
)


def par_sheet(game: GameLike, decks: Shoe | int | None = None) -> ParSheet:
    """The par sheet for a number of fresh decks, or for what is left in a shoe; by default for 8
    decks where the game allows it.

    >>> par_sheet("rapid", 8).bet("player-pair").ev
    Fraction(-43, 415)
    """
    game = find_game(game)
    if decks is None:
        decks = game.default_decks
    shoe = decks if isinstance(decks, Shoe) else game.shoe(decks)
    fresh = None if isinstance(decks, Shoe) else decks
    sheet = _together(game, shoe, fresh)
    if sheet is not None:
        return sheet
    for bet, reason in unsolved(game, shoe):
        raise PlanTooLarge(f"{bet}: {reason}; a simulation can estimate it")
    return _sheet(game, shoe, fresh, game.bets, _apart)


def partial_sheet(game: Game, decks: int) -> ParSheet:
    """A par sheet of the bets that have exact odds; the others are its `unsolved`."""
    shoe = game.shoe(decks)
    sheet = _together(game, shoe, decks)
    if sheet is not None:
        return sheet
    without = dict(unsolved(game, shoe))
    solved = [bet for bet in game.bets if bet.id not in without]
    return _sheet(game, shoe, decks, solved, _apart)


def unsolved(game: Game, shoe: Shoe) -> Iterator[tuple[str, str]]:
    """The bets whose odds cannot be worked out exactly within bounds, each with the reason."""
    if _together(game, shoe, None) is not None:
        return
    for bet in game.bets:
        try:
            _sheet(game, shoe, None, [bet], _apart)
        except PlanTooLarge as refusal:
            yield bet.id, refusal.reason


def _together(game: Game, shoe: Shoe, fresh: int | None) -> ParSheet | None:
    """Solve all bets at once: those that read the same things share one pass over the shoe. None if
    that is too large; each of them may still be solved apart.
    """
    with suppress(PlanTooLarge):
        return _sheet(game, shoe, fresh, game.bets, signed_probabilities)
    return None


def _apart(asked: Sequence[Signed], game: Game, shoe: Shoe) -> list[Fraction]:
    return [chance for each in asked for chance in signed_probabilities([each], game, shoe)]


def _sheet(
    game: Game,
    shoe: Shoe,
    fresh: int | None,
    among: Sequence[Bet],
    solve: Callable[[Sequence[Signed], Game, Shoe], Iterable[Fraction]],
) -> ParSheet:
    asked: list[Signed] = [((1, result),) for result in _ROUND]
    for bet in among:
        asked += ways_of(bet)
    chances = iter(solve(asked, game, shoe))
    player_wins, banker_wins, ties, four, five, six = (next(chances) for _ in _ROUND)
    bets = []
    for bet in among:
        lines = tuple(LineOdds(line, next(chances)) for line in bet.pays)
        push = next(chances) if bet.push else Fraction(0)
        paid = [next(chances) for _ in bet.bonus]
        with_lines = _with_lines(bet, paid, game, shoe)
        bonus = tuple(map(BonusOdds, bet.bonus, paid, with_lines))
        bets.append(BetOdds(bet, lines, push, bonus))
    cards = (four, five, six)
    return ParSheet(game, fresh, shoe, player_wins, banker_wins, ties, cards, tuple(bets))


def _with_lines(
    bet: Bet, paid: Sequence[Fraction], game: Game, shoe: Shoe
) -> list[tuple[Fraction, ...]]:
    """For each bonus the chance of it together with each pay line; where there is one, its own."""
    if len(bet.pays) == 1 or not paid:
        return [(chance,) for chance in paid]
    ways = ways_of(bet)
    lines = ways[: len(bet.pays)]
    pairs = [both(line, bonus) for bonus in ways[-len(paid) :] for line in lines]
    joint = iter(signed_probabilities(pairs, game, shoe))
    return [tuple(next(joint) for _ in lines) for _ in paid]


def both(a: Signed, b: Signed) -> Signed:
    """Both happen: the product of two sums of probabilities, each pair of events joined."""
    terms = []
    for sign_a, p in a:
        for sign_b, q in b:
            terms.append((sign_a * sign_b, all_of(p, q)))
    return _possible(terms)


def _possible(terms: Iterable[tuple[int, Predicate]]) -> Signed:
    return tuple((sign, event) for sign, event in terms if not excluded(event))


def signed_probabilities(asked: Sequence[Signed], game: Game, shoe: Shoe) -> list[Fraction]:
    predicates = tuple(dict.fromkeys(p for signed in asked for _, p in signed))
    counts, orders = weights(predicates, shoe, game.tableau)
    weight = dict(zip(predicates, counts, strict=True))
    found = []
    for signed in asked:
        favourable = sum(sign * weight[p] for sign, p in signed)
        found.append(Fraction(favourable, orders))
    return found


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
        says_won = won in getattr(line.when, "parts", (line.when,))
        ways.append(first_of(line.when if says_won else line.when & won, earlier))
    return tuple(ways)


def first_of(when: Predicate, earlier: tuple[Predicate, ...]) -> Signed:
    """The chance that this holds and nothing earlier does.

    Where something reads ranks or suits, "not" would tell cards apart to the end of the round: take
    it apart instead, P(A and not B) = P(A) - P(A and B).
    """
    earlier = tuple(e for e in earlier if not excluded(when & e))
    if not earlier:
        return ((1, when),)
    if len(earlier) > MOST_OVERLAPS or not any(map(fine_reads, (when, *earlier))):
        return ((1, when & ~any_of(*earlier)),)
    terms = []
    for size in range(len(earlier) + 1):
        for some in combinations(earlier, size):
            terms.append(((-1) ** size, all_of(when, *some)))
    return _possible(terms)


@dataclass(frozen=True)
class Combination:
    """Several wagers in one round, in dollars; a Tie Bonus is counted in."""

    stakes: Mapping[str, Fraction]
    ev: Fraction
    variance: Fraction
    each: Mapping[str, Fraction]  # bet -> expected value of its wager
    covariance: Mapping[tuple[str, str], Fraction]


def combine(game: Game, shoe: Shoe, stakes: Mapping[str, Fraction]) -> Combination:
    """What these wagers come to together, stakes in dollars by bet.

    >>> from puntobanco.rules.games import RAPID
    >>> both = combine(RAPID, RAPID.shoe(8), {"player": Fraction(1), "banker": Fraction(1)})
    >>> both.variance < both.covariance["player", "player"]
    True
    """
    # A wager loses its stake, and gains something for each of its events that happens:
    # net = -stake + sum of gains.
    events = []
    for bet, stake in stakes.items():
        for way, gain in _events(game.bet(bet), stake):
            events.append((bet, way, gain))
    pairs = list(combinations_with_replacement(range(len(events)), 2))
    ways = [way for _, way, _ in events]
    joint = [both(ways[i], ways[j]) for i, j in pairs]
    chances = signed_probabilities(ways + joint, game, shoe)
    expected = {bet: -stake for bet, stake in stakes.items()}
    for (bet, _, gain), chance in zip(events, chances, strict=False):
        expected[bet] += gain * chance
    covariance = {(a, b): Fraction(0) for a in stakes for b in stakes}
    for (i, j), together in zip(pairs, chances[len(events) :], strict=True):
        bet_i, _, gain_i = events[i]
        bet_j, _, gain_j = events[j]
        shared = gain_i * gain_j * (together - chances[i] * chances[j])
        covariance[bet_i, bet_j] += shared
        if i != j:
            covariance[bet_j, bet_i] += shared
    ev = sum(expected.values(), Fraction(0))
    variance = sum(covariance.values(), Fraction(0))
    return Combination(stakes, ev, variance, expected, covariance)


def _events(bet: Bet, stake: Fraction) -> Iterator[tuple[Signed, Fraction]]:
    """What can happen to a wager, and how much better than a loss it is."""
    gains = [stake + stake * odds.ratio for odds in bet.odds]
    if bet.push:
        gains.append(stake)
    gains += [Fraction(award.amount) for award in bet.awards]
    return zip(ways_of(bet), gains, strict=True)
