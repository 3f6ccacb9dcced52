"""Advantage play: whether a patron stakes more in the rounds in which the shoe favours the patron.

Each finished shoe is compared with the same stakes at the same rounds of reshuffled shoes. A
patron's regret is what a player who knew every edge would have gained with the same largest stake,
less what the patron's stakes gain, both in expected money. Somebody who does not look at the cards
has no smaller regret in this shoe than in the others. How much smaller it is gives the shoe an
e-value: a number whose mean over reshuffles is at most 1. The product over shoes reaches 1/a with a
chance of at most a, however long the patron plays (Ville's inequality).

docs/explanation/advantage-play.md has the proof, its assumption, and what was measured.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp, inf, log, sqrt
from typing import NamedTuple

import numpy as np

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.odds.reshuffles import Floats, Reshuffles, reshuffles, values
from puntobanco.rules.cards import parse_cards
from puntobanco.rules.game import MAIN_BETS, Game
from puntobanco.rules.round import Round
from puntobanco.rules.shoe import Shoe
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.service.pit.alert_facts import Fact, said

FALSE_ACCUSATIONS = 0.001
"""At most one innocent patron in a thousand is flagged at a game, all its bets together."""

SCALES = (0.002, 0.01, 0.05)
"""Regret for each dollar of the largest stake that divides a shoe's score by e. Small: for a
patron who knows the edge exactly; large: for one who knows it roughly.
"""

AT_RISK = 0.9
"""The part of the evidence that each shoe may take away."""

TABLE_ERRORS = 3
"""Standard errors by which the mean over reshuffled shoes is taken too large, since they are few.
"""

MAX_ENDED = 1_000
"""Shoes that wait to be compared; the oldest is dropped."""

_AT_MOST = Words("at most 1 in {}", "不高於 1／{}")
_SHOES = Words("{} shoes", "{} 靴")
_MOST_SAID = 1e9
_PATRONS_AT_ONCE = 64


def watched_bets(game: Game) -> list[str]:
    """The bets for which somebody may count cards."""
    return [bet.id for bet in game.bets if bet.id not in MAIN_BETS]


class ShoePlay:
    """One shoe at a table: what could still come as each round began, and who staked what."""

    def __init__(self, game: Game, decks: int, shoe: int) -> None:
        self.game = game
        self.decks = decks
        self.shoe = shoe
        self.round = 0  # the last round that it has
        self.rounds = list[int]()  # places in the shoe, from 0
        self.left = list[tuple[int, ...]]()
        self.stakes = dict[tuple[str, str], dict[int, int]]()  # patron and bet -> place -> cents
        self.sessions = dict[str, str]()  # patron -> session

    def saw(
        self,
        round_: int,
        place: int,
        left: Shoe,
        wagers: Iterable[tuple[str, str, str, int]],
    ) -> None:
        """Add a settled round once. A wager is patron, session, bet and cents."""
        if round_ <= self.round:  # settled again
            return
        self.round = round_
        place = max(place, self.rounds[-1] + 1 if self.rounds else 0)
        self.rounds.append(place)
        self.left.append(left.counts)
        for patron, session, bet, cents in wagers:
            if bet not in MAIN_BETS:
                by_place = self.stakes.setdefault((patron, bet), {})
                by_place[place] = by_place.get(place, 0) + cents
                self.sessions[patron] = session

    @property
    def reshuffled(self) -> Reshuffles:
        return reshuffles(self.game, self.decks)

    def works_out(self) -> bool:
        """Work out one round of the reshuffled shoes; False when none is missing."""
        for bet in {bet for _, bet in self.stakes}:
            for place in self.rounds:
                if self.reshuffled.lacks(bet, place):
                    self.reshuffled.worth(bet, place)
                    return True
        return False

    def compared(self) -> Iterator[tuple[str, Sequence[str], Stakes, Comparison]]:
        """For each bet its patrons, their stakes, and what to compare them with."""
        left = np.array(self.left, np.int64)
        for bet in watched_bets(self.game):
            patrons = [patron for patron, of in self.stakes if of == bet]
            if patrons:
                here = values(self.game.bet(bet), self.game).of(left)
                there = [self.reshuffled.worth(bet, place) for place in self.rounds]
                stakes = np.zeros((len(patrons), len(self.rounds)))
                for row, patron in enumerate(patrons):
                    by_place = self.stakes[patron, bet]
                    stakes[row] = [by_place.get(place, 0) / 100 for place in self.rounds]
                yield bet, patrons, Stakes(stakes), Comparison(here, np.stack(there, axis=1))


class Stakes:
    """Of patrons who staked on one bet at one shoe, in dollars: patron x round."""

    def __init__(self, dollars: Floats) -> None:
        self.dollars = dollars
        least = np.where(dollars > 0, dollars, inf).min(axis=1)
        self.raises = np.maximum(dollars - least[:, None], 0)

    def __len__(self) -> int:
        return len(self.dollars)


class Comparison:
    """One bet at one shoe, and at reshuffled ones: (net result, bonus) by round."""

    def __init__(self, here: Floats, there: Floats) -> None:
        self.here = here
        self.there = there
        self._has_bonus = bool(there[:, :, 1].any())
        self._edges = np.ascontiguousarray(there[:, :, 0])
        self._best = np.maximum(self._edges, 0).sum(axis=1)

    def gain(self, dollars: Floats) -> Floats:
        """What wagers were worth in dollars when they were placed, bonuses included."""
        found: Floats = dollars @ self.here[:, 0] + (dollars > 0) @ self.here[:, 1]
        return found

    def gain_of_raises(self, raises: Floats) -> Floats:
        """The same of what was staked above the smallest wager; a bonus does not grow with it."""
        found: Floats = raises @ self.here[:, 0]
        return found

    def of_stakes(self, dollars: Floats, most: Floats) -> Floats:
        """Logarithms of e-values, patron x scale; `most` is each patron's largest stake."""
        if not self._has_bonus:
            return self.of_raises(dollars, most)
        found = list[Floats]()
        for stakes, largest in zip(dollars, most, strict=True):
            # the edge at this stake: the bonus is so many dollars, whatever the stake
            at = np.where(stakes > 0, stakes, largest)
            here = self.here[:, 0] + self.here[:, 1] / at
            there = self.there[:, :, 0] + self.there[:, :, 1] / at
            shares = stakes / largest
            best = np.maximum(there, 0).sum(axis=1)
            own = np.maximum(here, 0).sum() - shares @ here
            found.append(_log_e_values(own, best - there @ shares))
        return np.array(found)

    def of_raises(self, raises: Floats, most: Floats) -> Floats:
        """The same of what was staked above the smallest wager; where nothing was, 0."""
        found = np.zeros((len(raises), len(SCALES)))
        raised = np.flatnonzero(most)
        here = self.here[:, 0]
        best = np.maximum(here, 0).sum()
        for start in range(0, len(raised), _PATRONS_AT_ONCE):
            some = raised[start : start + _PATRONS_AT_ONCE]
            shares = raises[some] / most[some, None]
            own = best - shares @ here
            others = self._best - shares @ self._edges.T
            for row, regret, regrets in zip(some, own, others, strict=True):
                found[row] = _log_e_values(regret, regrets)
        return found


def _log_e_values(regret: float, regrets: Floats) -> Floats:
    """Of one patron's regret among those at reshuffled shoes, at each scale."""
    found = np.zeros(len(SCALES))
    # from the smallest regret, so that no exponent runs out
    least = min(regret, float(regrets.min()))
    for i, scale in enumerate(SCALES):
        own = exp(max((least - regret) / scale, -700))
        others = np.exp((least - regrets) / scale)
        in_all = own + others.sum() + TABLE_ERRORS * sqrt(others @ others)
        found[i] = log(1 - AT_RISK + AT_RISK * own * (len(regrets) + 1) / in_all)
    return found


class Evidence:
    """What is known of one patron at one bet of a game."""

    def __init__(self, game: Game) -> None:
        self.bets = len(watched_bets(game))
        self.shoes = 0
        self.staked = self.gain = self.raised = self.gain_of_raises = 0.0
        self.most = self.most_raised = 0.0
        self.logs = np.zeros((2, len(SCALES)))

    @property
    def log_value(self) -> float:
        """The logarithm of the evidence: the mean of the products."""
        return float(np.logaddexp.reduce(self.logs, axis=None)) - log(self.logs.size)

    @property
    def chance(self) -> float:
        """Bound the chance of this much from stakes that ignore the cards, over all bets."""
        return self.bets * exp(-self.log_value) if self.log_value > -700 else inf

    @property
    def is_flagged(self) -> bool:
        return self.chance <= FALSE_ACCUSATIONS

    def facts(self) -> list[Fact]:
        """What a supervisor looks at."""
        one_in = f"{min(1 / self.chance, _MOST_SAID):,.0f}"
        return [
            said("Played", _SHOES.format(f"{self.shoes:,}")),
            Fact(name="Stakes", cents=round(self.staked * 100)),
            Fact(name="Expected gain", cents=round(self.gain * 100)),
            Fact(name="Staked above the smallest wager", cents=round(self.raised * 100)),
            Fact(name="Expected gain of that", cents=round(self.gain_of_raises * 100)),
            said("By chance", _AT_MOST.format(one_in)),
        ]


def take_in(evidence: Sequence[Evidence], stakes: Stakes, shoe: Comparison) -> None:
    """A shoe that is over, for the evidence about each of these patrons."""
    dollars = stakes.dollars
    raises = stakes.raises
    gains = shoe.gain(dollars)
    gains_of_raises = shoe.gain_of_raises(raises)
    for i, each in enumerate(evidence):
        each.shoes += 1
        each.staked += float(dollars[i].sum())
        each.raised += float(raises[i].sum())
        each.gain += float(gains[i])
        each.gain_of_raises += float(gains_of_raises[i])
        each.most = max(each.most, float(dollars[i].max()))
        each.most_raised = max(each.most_raised, float(raises[i].max()))
    of_stakes = shoe.of_stakes(dollars, np.array([each.most for each in evidence]))
    of_raises = shoe.of_raises(raises, np.array([each.most_raised for each in evidence]))
    for each, *logs in zip(evidence, of_stakes, of_raises, strict=True):
        each.logs += logs


class Suspects:
    """The evidence about every patron, of shoes that are over."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._found = dict[tuple[str, str, str], Evidence]()
        self._flagged = set[tuple[str, str, str]]()

    def saw(self, play: ShoePlay) -> Iterator[tuple[str, str, Evidence]]:
        """Take in a shoe; the patrons and bets that are flagged now, each once."""
        for bet, patrons, stakes, shoe in play.compared():
            keys = [(patron, play.game.id, bet) for patron in patrons]
            for key in keys:  # the newest last
                known = self._found.pop(key, None)
                self._found[key] = known or Evidence(play.game)
            evidence = [self._found[key] for key in keys]
            take_in(evidence, stakes, shoe)
            for key, each in zip(keys, evidence, strict=True):
                if each.is_flagged and key not in self._flagged:
                    self._flagged.add(key)
                    yield key[0], bet, each
        while len(self._found) > self.most:
            oldest = next(iter(self._found))
            del self._found[oldest]
            self._flagged.discard(oldest)

    @property
    def known(self) -> Mapping[tuple[str, str, str], Evidence]:
        """By patron, game and bet."""
        return self._found


class EndedShoe(NamedTuple):
    table: str
    at: int
    play: ShoePlay


class ShoePlays:
    def __init__(self) -> None:
        self.ended = deque[EndedShoe](maxlen=MAX_ENDED)
        self._plays = dict[str, ShoePlay]()  # of the shoe on each table

    def settled(self, state: TableState, play: Round, event: e.Outcome, at: int) -> None:
        """Add a settled round; a set shuffled for each round has no edge that varies."""
        table = state.stream
        shoe = state.shoe
        number = state.current.shoe
        place = 0
        found = self._plays.get(table)
        if shoe is not None and shoe.number == number:
            if shoe.source != "shoe":
                return
            place = len(state.results) + state.voids - 1
            if found is None or found.shoe != number:
                found = self.begin(table, state.playing, shoe.decks, number, at)
        if found is not None and found.shoe == number:
            patrons = state.current.patrons
            found.saw(event.round, place, play.shoe, _wagers(event.lines, patrons))

    def over(self, table: str, shoe: int, at: int) -> None:
        """The shoe has ended: it can be compared."""
        found = self._plays.get(table)
        if found is not None and found.shoe == shoe:
            del self._plays[table]
            if found.stakes:
                self.ended.append(EndedShoe(table, at, found))

    def begin(self, table: str, game: Game, decks: int, shoe: int, at: int) -> ShoePlay:
        if table in self._plays:
            self.over(table, self._plays[table].shoe, at)
        found = self._plays[table] = ShoePlay(game, decks, shoe)
        return found


class PastShoes:
    """Follows a table's entries of the day up to its present state, for shoes that began in it."""

    def __init__(self, plays: ShoePlays, state: TableState) -> None:
        self._plays = plays
        self._state = state
        self._left: Shoe | None = None  # unknown
        self._play: ShoePlay | None = None
        self._patrons = {session: seat.patron for session, seat in state.sessions.items()}

    def saw(self, event: e.Event, at: int) -> None:
        """Take in one event; if the cards left are unknown, leave out the rest of the shoe."""
        try:
            self._saw(event, at)
        except Refusal:  # cards that another game or shoe does not have
            self._left = None

    def _saw(self, event: e.Event, at: int) -> None:
        game = self._state.playing
        if seat := e.seat_taken(event):
            self._patrons[seat.session] = seat.patron
        elif isinstance(event, e.ShoeStarted):
            self._left = None
            if event.source == "shoe":
                self._left = _without(game.shoe(event.decks), event.first_card, game)
                table = self._state.stream
                self._play = self._plays.begin(table, game, event.decks, event.shoe, at)
        elif isinstance(event, e.ShoeMixed) and self._left:
            self._left = _without(self._left, event.first_card, game)
        elif isinstance(event, e.Outcome) and event.settles:
            if self._left and self._play:
                wagers = _wagers(event.lines, self._patrons)
                self._play.saw(event.round, 0, self._left, wagers)
                self._left = _without(self._left, event.cards, game)
        elif isinstance(event, e.CardsBurned | e.Reckoning):  # a void round, or one taken back
            self._left = None
        elif shoe := e.shoe_over(event):
            self._plays.over(self._state.stream, shoe, at)


def _without(left: Shoe, cards: str, game: Game) -> Shoe:
    return left.without(parse_cards(cards, game.deck)) if cards else left


def _wagers(
    lines: Iterable[e.Line], patrons: Mapping[str, str]
) -> Iterable[tuple[str, str, str, int]]:
    for line in lines:
        patron = patrons.get(line.session, line.session)
        yield patron, line.session, line.bet, line.stake_cents
