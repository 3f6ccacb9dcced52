"""A game as one value: deck, table of play, announcements, bets, pay lines and grounds, each
with its clause.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd, lcm
from typing import Literal

from puntobanco.base.money import MAX_STAKE_CENTS
from puntobanco.base.words import Words, words
from puntobanco.rules.cards import Deck
from puntobanco.rules.irregularities import Ground, Irregularity
from puntobanco.rules.notebook import html_table
from puntobanco.rules.predicates import Decide, Predicate, decider, measure_size, names, say
from puntobanco.rules.readings import Reading
from puntobanco.rules.refusals import BadGame, DecksRefused, UnknownBet
from puntobanco.rules.shoe import MAX_SHOE_CARDS, Shoe
from puntobanco.rules.tableau import Tableau

HOUSE = "house"
"""The clause of a rule that no rulebook has: a designer's own."""

MAX_BETS = 64
MAX_LINES = 100
MAX_COMPARISONS = 10_000
"""In the conditions of a bet, written out; a definition of more bytes is refused anyway."""
MAX_DEPTH = 60
"""Conditions inside one another; a definition may have fewer, because it counts every value."""
MAX_ODDS = 1_000_000
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def verify_id(kind: str, id_: object) -> None:
    if not (isinstance(id_, str) and _ID.fullmatch(id_)):
        advice = "use small letters, digits and hyphens, such as lucky-red"
        raise BadGame(f"{id_!r} cannot be a {kind}'s id: {advice}")


@dataclass(frozen=True, slots=True)
class Odds:
    """Winnings for a stake: with `Odds(8, 1)`, 8 to 1, a stake of 100 wins 800 and comes back."""

    win: int
    risk: int

    def __post_init__(self) -> None:
        for number in (self.win, self.risk):
            if type(number) is not int or not 0 < number <= MAX_ODDS:
                given = f"{self.win!r} to {self.risk!r}"
                raise BadGame(
                    f"odds are two whole numbers from 1 to {MAX_ODDS:,}, not {given}; "
                    "1.5 to 1 is Odds(3, 2)"
                )

    def winnings(self, stake_cents: int) -> int:
        """What a stake wins, without the stake itself."""
        cents, rest = divmod(stake_cents * self.win, self.risk)
        assert rest == 0, "a stake is checked against its bet's step before it is taken"
        return cents

    @property
    def ratio(self) -> Fraction:
        """Winnings for a stake of one."""
        return Fraction(self.win, self.risk)

    @property
    def step_cents(self) -> int:
        """Stakes that are a multiple of this win whole cents."""
        return self.risk // gcd(self.win, self.risk)

    @property
    def words(self) -> Words:
        """As pay tables write it: "1.2 to 1", not "6 to 5"; in Chinese the stake comes first."""
        tenths, rest = divmod(10 * self.win, self.risk)
        if rest:
            return Words(f"{self.win:,} to {self.risk:,}", f"{self.risk:,} 賠 {self.win:,}")
        each = f"{tenths // 10:,}.{tenths % 10}".removesuffix(".0")
        english = f"{each} to 1" if tenths > 10 else f"{self.win:,} to {self.risk:,}"
        return Words(english, f"1 賠 {each}")


@dataclass(frozen=True, slots=True)
class Dollars:
    """A fixed award, whatever the stake."""

    amount: int

    def __post_init__(self) -> None:
        most = MAX_STAKE_CENTS // 100
        if type(self.amount) is not int or not 0 < self.amount <= most:
            raise BadGame(f"a bonus is whole dollars from 1 to {most:,}, not {self.amount!r}")

    @property
    def cents(self) -> int:
        """The award in cents."""
        return self.amount * 100

    @property
    def words(self) -> Words:
        """As pay tables write it: "$3,000"."""
        return Words(f"${self.amount:,}")


def step_cents(pays: Iterable[Odds]) -> int:
    """The smallest stake whose every payout is whole cents; other good stakes are multiples of it.

    >>> step_cents((Odds(1, 2), Odds(6, 5), Odds(1, 1)))
    10
    """
    return lcm(*(p.step_cents for p in pays))


@dataclass(frozen=True, slots=True)
class Pays:
    """A line of a pay table: when it holds, what it pays."""

    when: Predicate
    pays: Odds | Dollars
    clause: str = HOUSE

    def __post_init__(self) -> None:
        _verify_predicate(self.when)
        _verify_clause(self.clause)
        if not isinstance(self.pays, Odds | Dollars):
            raise BadGame(f"a line pays Odds(8, 1) or Dollars(3_000), not {self.pays!r:.60}")

    def __repr__(self) -> str:
        return f"<Pays {self.pays.words.en}: {say(self.when).en}>"


@dataclass(frozen=True, slots=True)
class Pushes:
    """When a wager neither wins nor loses and the stake comes back."""

    when: Predicate
    clause: str = HOUSE

    def __post_init__(self) -> None:
        _verify_predicate(self.when)
        _verify_clause(self.clause)

    def __repr__(self) -> str:
        return f"<Pushes: {say(self.when).en}>"


MAIN_BETS = ("player", "banker")
"""The bets on a hand, by id: a differential holds between them, no house closes one alone, and
nobody counts cards for them.
"""


@dataclass(frozen=True, slots=True)
class Bet:
    """What a game offers: the first pay line that holds decides, else a push, else it loses."""

    id: str
    title: Words
    pays: tuple[Pays, ...] = field(kw_only=True)
    push: Pushes | None = field(default=None, kw_only=True)
    # fixed dollars, once per patron per round
    bonus: tuple[Pays, ...] = field(default=(), kw_only=True)
    # says when the bet wins and that it loses otherwise
    clause: str = field(default=HOUSE, kw_only=True)
    # gives the bet its place on the layout
    spot_clause: str = field(default=HOUSE, kw_only=True)
    odds: tuple[Odds, ...] = field(init=False, compare=False, repr=False)  # of each pay line
    awards: tuple[Dollars, ...] = field(init=False, compare=False, repr=False)  # of each bonus line
    # stakes are a multiple of this: every line pays whole cents
    step_cents: int = field(init=False, compare=False)
    top_odds: Odds = field(init=False, compare=False)  # the best that a line pays
    top_bonus_cents: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        verify_id("bet", self.id)
        pays = _several(self.pays, f"bet {self.id}: pays")
        bonus = _several(self.bonus, f"bet {self.id}: bonus")
        _set(self, title=_title(self.title), pays=pays, bonus=bonus)
        _verify_clause(self.clause)
        _verify_clause(self.spot_clause)
        if self.push is not None and not isinstance(self.push, Pushes):
            raise BadGame(f"bet {self.id}: write push=Pushes(condition), not {self.push!r:.60}")
        if len(self.pays) + len(self.bonus) > MAX_LINES:
            raise BadGame(f"bet {self.id} has more than {MAX_LINES} lines")
        if not self.pays:
            raise BadGame(f"bet {self.id} has no pay line")
        _verify_size(self)
        odds = []
        for line in self.pays:
            if not isinstance(line, Pays) or not isinstance(line.pays, Odds):
                raise BadGame(f"bet {self.id}: a pay line is Pays(condition, Odds(8, 1))")
            odds.append(line.pays)
        awards = []
        for line in self.bonus:
            if not isinstance(line, Pays) or not isinstance(line.pays, Dollars):
                raise BadGame(f"bet {self.id}: a bonus line is Pays(condition, Dollars(3_000))")
            awards.append(line.pays)
        _set(self, odds=tuple(odds), awards=tuple(awards), step_cents=step_cents(odds))
        top_bonus = max((award.cents for award in awards), default=0)
        _set(self, top_odds=max(odds, key=lambda each: each.ratio), top_bonus_cents=top_bonus)

    def __repr__(self) -> str:
        pays = ", ".join(odds.words.en for odds in self.odds)
        return f"<Bet {self.id}: pays {pays}>"

    def exposure_cents(self, stake_cents: int) -> int:
        """Return the most that a stake wins, the bonus left out."""
        return stake_cents * self.top_odds.win // self.top_odds.risk

    def added_exposure_cents(self, by_cents: int, stake_cents: int) -> int:
        """Return what a wager adds to the most that the house can lose when its stake changes by
        `by_cents` to `stake_cents`. The bonus comes with the first stake and goes with the last.
        """
        added = self.exposure_cents(by_cents)
        if self.bonus and stake_cents == by_cents:
            return added + self.top_bonus_cents
        if self.bonus and not stake_cents:
            return added - self.top_bonus_cents
        return added

    @property
    def deciding(self) -> list[Predicate]:
        """The conditions that decide it, in order: of each pay line, then of the push."""
        whens = [line.when for line in self.pays]
        if self.push:
            whens.append(self.push.when)
        return whens

    @property
    def all_lines(self) -> tuple[Pays | Pushes, ...]:
        """Pay lines, bonus lines, and the push."""
        push = (self.push,) if self.push else ()
        return (*self.pays, *self.bonus, *push)


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcements:
    """The literal words that open and close betting, and who says them."""

    open: str
    close: str
    by: Literal["dealer", "terminal"]
    open_clause: str = HOUSE
    close_clause: str = HOUSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Basics:
    """Where a rulebook states what every game has."""

    decks: str = HOUSE
    # says that decks have no jokers and that all backs are alike; empty: it does not say so
    no_jokers: str = ""
    # allows an electronic shuffler that shuffles without end; empty: there is none
    shuffler: str = ""
    suits: str = HOUSE  # what the suits are, where they are not the usual four
    point_values: str = HOUSE
    point_total: str = HOUSE
    wagers: str = HOUSE  # independent, in any combination
    deal: tuple[str, str] = (HOUSE, HOUSE)  # player's first two cards, banker's first two
    announce_totals: str = HOUSE
    winner: str = HOUSE
    tie: str = HOUSE
    late_wager: str = HOUSE
    late_withdrawal: str = HOUSE


@dataclass(frozen=True, kw_only=True)
class Game:
    """A whole game. Building one checks its shape; `check.findings` checks what it claims."""

    id: str
    title: Words
    rulebook: str = ""  # a key of clauses.CLAUSES, or empty for a designer's own game
    version: str = ""
    effective: str = ""  # the date the rulebook took effect
    deck: Deck
    decks: range
    tableau: Tableau
    announcements: Announcements
    basics: Basics = Basics()
    bets: tuple[Bet, ...]
    irregularities: tuple[Irregularity, ...] = ()
    readings: tuple[Reading, ...] = ()
    house_rules: Mapping[str, str] = field(default_factory=dict)  # a designer's own clauses, by id

    def __post_init__(self) -> None:
        verify_id("game", self.id)
        _set(self, title=_title(self.title))
        for name, kind in _PARTS.items():
            part = getattr(self, name)
            if not isinstance(part, kind):
                raise BadGame(f"game {self.id}: {name} is a {kind.__name__}, not {part!r:.60}")
        for name, kind in _SEVERAL.items():
            parts = _several(getattr(self, name), f"game {self.id}: {name}")
            _set(self, **{name: parts})
            for each in parts:
                if not isinstance(each, kind):
                    raise BadGame(f"game {self.id}: {name} holds {_no(kind, each)}")
        _verify_house_rules(self.house_rules)
        if not self.bets or len(self.bets) > MAX_BETS:
            raise BadGame(f"game {self.id} needs 1 to {MAX_BETS} bets, not {len(self.bets)}")
        self._verify_different("bet", [bet.id for bet in self.bets])
        self._verify_different("ground", [each.ground.id for each in self.irregularities])
        decks = self.decks
        if not (isinstance(decks, range) and decks and decks.step == 1 and decks[0] >= 1):
            raise BadGame(f"game {self.id}: decks is a range such as range(4, 11), not {decks!r}")
        if decks[-1] * len(self.deck) > MAX_SHOE_CARDS:
            raise BadGame(
                f"game {self.id}: {decks[-1]} decks are more than {MAX_SHOE_CARDS:,} cards"
            )

    def _verify_different(self, name: str, ids: list[str]) -> None:
        for id_ in ids:
            if ids.count(id_) > 1:
                raise BadGame(f"game {self.id} has two {name}s named {id_}; give one another id")

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.title.en}, {len(self.bets)} bets, {self._allowed}>"

    def _repr_html_(self) -> str:
        rows = []
        for bet in self.bets:
            for line in (*bet.pays, *bet.bonus):
                rows.append((bet.id, bet.title.en, line.pays.words.en, say(line.when).en))
            if bet.push:
                rows.append((bet.id, bet.title.en, "push", say(bet.push.when).en))
        caption = f"{self.title.en} ({self.id}), {self._allowed}"
        return html_table(caption, ("bet", "title", "pays", "when"), rows)

    @property
    def _allowed(self) -> str:
        low = self.decks[0]
        high = self.decks[-1]
        return f"{low} to {high} decks" if high > low else f"{low} decks"

    def __hash__(self) -> int:
        return hash(self.id)

    def __getstate__(self) -> dict[str, object]:
        """Only what was written: the compiled decider is made anew where it is needed."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @property
    def edition(self) -> str:
        """Which rulebook, in which version."""
        return f"{self.rulebook or 'house'} {self.version}".strip()

    @cached_property  # of the game: every entry of a table names it
    def rules_id(self) -> str:
        """Which game, by which rulebook, in which version."""
        return f"{self.id} {self.edition}"

    @property
    def numbered_readings(self) -> list[Reading]:
        """Our readings of the rulebook, by their numbers."""
        return sorted(self.readings, key=lambda reading: reading.number)

    @property
    def deal_clauses(self) -> tuple[str, str]:
        """Where the rulebook says that first cards go to player, and to banker."""
        return self.basics.deal

    @property
    def default_decks(self) -> int:
        """Eight where the rulebook allows it, else the most it allows."""
        if 8 in self.decks:
            return 8
        return self.decks[-1]

    def shoe(self, decks: int) -> Shoe:
        """That many fresh decks; refuses a number the rulebook does not allow."""
        if decks not in self.decks:
            raise DecksRefused(
                f"{self.id} is played with {self._allowed}, not {decks}", clause=self.basics.decks
            )
        return _fresh(self.deck, decks)

    @cached_property
    def _bets(self) -> dict[str, Bet]:
        return {bet.id: bet for bet in self.bets}

    def bet(self, id_: str) -> Bet:
        """
        >>> from puntobanco.rules.games import RAPID
        >>> RAPID.bet("tie").title.zh
        '和'
        """
        try:
            return self._bets[id_]
        except (KeyError, TypeError):
            known = ", ".join(self._bets)
            raise UnknownBet(f"{self.id} has no bet {id_!r}; it has {known}") from None

    @cached_property
    def decide(self) -> Decide:
        """Six slots in; out, for each bet the number of its deciding line (pays, then push, then
        loses), then for each bet with a bonus the number of its bonus line.
        """
        bets = [bet.deciding for bet in self.bets]
        bonuses = [[line.when for line in bet.bonus] for bet in self.bets if bet.bonus]
        return decider(bets + bonuses)

    @cached_property
    def answers_at(self) -> dict[str, tuple[int, int]]:
        """Where `decide` answers for each bet, and for its bonus (0 when it has none)."""
        places = {}
        next_bonus = len(self.bets)
        for i, bet in enumerate(self.bets):
            places[bet.id] = (i, next_bonus if bet.bonus else 0)
            next_bonus += bool(bet.bonus)
        return places

    def with_bets(
        self,
        *bets: Bet,
        id: str,
        title: Words | str,
        house_rules: Mapping[str, str] | None = None,
        without: Collection[str] = (),
    ) -> Game:
        """This game under a new id with more bets: how most designs begin. Its own bets that are
        named in `without` are left out; a bet with the same id takes the place.
        """
        left_out = {self.bet(str(bet_id)).id for bet_id in _several(without, "without")}
        kept = [bet for bet in self.bets if bet.id not in left_out]
        taken = {bet.id for bet in kept}
        for bet in bets:
            if not isinstance(bet, Bet):
                raise BadGame(f"game {id}: a bet is Bet(...), not {bet!r:.60}")
            if bet.id in taken:
                how = f"write without=({bet.id!r},) to replace it, or give yours another id"
                raise BadGame(f"{self.id} has a bet {bet.id} already; {how}")
        places = {bet.id: place for place, bet in enumerate(self.bets)}
        in_place = sorted((*kept, *bets), key=lambda bet: places.get(bet.id, len(places)))
        added = {} if house_rules is None else house_rules
        _verify_house_rules(added)
        own = {**self.house_rules, **added}
        return replace(self, id=id, title=words(title), bets=tuple(in_place), house_rules=own)

    def cited(self) -> Iterator[tuple[str, str]]:
        """Every clause this definition names, with what names it."""
        for f in fields(self.basics):
            value = getattr(self.basics, f.name)
            clauses = value if isinstance(value, tuple) else (value,)
            for clause in clauses:
                if clause:
                    yield clause, f"basics.{f.name}"
        for f in fields(self.tableau.clauses):
            yield getattr(self.tableau.clauses, f.name), f"tableau.{f.name}"
        yield self.announcements.open_clause, "announcements.open"
        yield self.announcements.close_clause, "announcements.close"
        for bet in self.bets:
            yield bet.clause, f"bet {bet.id}"
            yield bet.spot_clause, f"bet {bet.id}, its spot"
            for line in bet.all_lines:
                yield line.clause, f"bet {bet.id}"
                for name in names(line.when):
                    if name.clause is not None:
                        yield name.clause, f"bet {bet.id}"
        for irregularity in self.irregularities:
            yield irregularity.clause, f"ground {irregularity.ground.id}"


@lru_cache(maxsize=64)
def _fresh(deck: Deck, decks: int) -> Shoe:
    return Shoe.fresh(deck, decks)


_PARTS: dict[str, type] = {
    "deck": Deck,
    "tableau": Tableau,
    "announcements": Announcements,
    "basics": Basics,
}


_SEVERAL: dict[str, type] = {"bets": Bet, "irregularities": Irregularity, "readings": Reading}


def _no(kind: type, part: object) -> str:
    if isinstance(part, Ground):
        return f'the ground {part.id} without its clause; write it with one: FOREIGN_CARD("H1")'
    return f"{part!r:.60}, which is no {kind.__name__}"


def _set(value: Bet | Game, **fields_: object) -> None:
    """While it is made: a frozen value cannot be changed later."""
    for name, held in fields_.items():
        object.__setattr__(value, name, held)


def _title(title: object) -> Words:
    if isinstance(title, Words | str) and words(title).en:
        return words(title)
    raise BadGame(f"a title is a text or Words(english, chinese), not {title!r:.60}")


def _several(values: object, what: str) -> tuple[object, ...]:
    if isinstance(values, tuple | list):
        return tuple(values)
    raise BadGame(f"{what} is a tuple, written (a, b) or (a,), not {type(values).__name__}")


def _verify_size(bet: Bet) -> None:
    sizes = [measure_size(line.when) for line in bet.all_lines if isinstance(line, Pays | Pushes)]
    comparisons = sum(count for count, _ in sizes)
    if comparisons > MAX_COMPARISONS:
        raise BadGame(
            f"bet {bet.id}: its conditions come to {comparisons:,} comparisons when they are"
            f" written out, {MAX_COMPARISONS:,} at most; a condition that is joined with itself"
            " again and again doubles each time, and count(...) does not"
        )
    if max((depth for _, depth in sizes), default=0) > MAX_DEPTH:
        raise BadGame(f"bet {bet.id}: {MAX_DEPTH} conditions inside one another at most")


def _verify_house_rules(rules: object) -> None:
    texts = [*rules, *rules.values()] if isinstance(rules, Mapping) else [rules, None]
    if not all(isinstance(text, str) for text in texts):
        raise BadGame(f'house_rules is texts by clause, such as {{"H1": "..."}}, not {rules!r:.60}')


def _verify_clause(clause: object) -> None:
    if not isinstance(clause, str) or not clause:
        raise BadGame(f"a clause is a text such as '4.1', not {clause!r:.60}")


def _verify_predicate(value: object) -> None:
    if isinstance(value, bool):
        raise BadGame(
            "a measure is not compared with ==: call it with what counts, banker.points(6), or "
            "write same(a, b)"
        )
    if not isinstance(value, Predicate):
        raise BadGame(
            f"{value!r:.60} is not a condition; a measure becomes one when called: banker.points(6)"
        )
