"""Kernel source: a game as Python code that deals a round and decides every bet, for Numba on a
processor or a GPU.

One 64-bit draw serves a round. Multiplied by the number of cards left it gives the first card in
its high half and the randomness for the next in its low half, six times over; the rare draw that
would favour a card is thrown away (Brackett-Rozinsky and Lemire, "Batched ranged random integer
generation"). All six cards are drawn and swapped to the front, so that there is no branch; cards
that the round does not take stay where they are, and the next round draws from that place on, which
is as random as before.

A round ends as one number, the joint result of all bets, and one counter goes up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from puntobanco.rules.cards import points_of, rank_of, suit_of
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.predicates import Predicate, Source, all_reads
from puntobanco.rules.terms import Mod, Read, Slot, Sum, Term, bounds

MAX_CELLS = 1 << 14
"""Joint results a kernel counts; a game with more is counted in several groups of bets."""


@dataclass(frozen=True)
class Groups:
    """Which bets are counted jointly: each group's ways, one after the other, make its cells."""

    bets: tuple[tuple[str, ...], ...]
    ways: tuple[tuple[int, ...], ...]  # by group, how many ways each entry has

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(map(prod, self.ways))

    @property
    def only(self) -> list[tuple[str, int]]:
        """The entries of the one group, with their ways; there must be no other."""
        [bets] = self.bets
        [ways] = self.ways
        return list(zip(bets, ways, strict=True))


def entries(game: Game) -> list[tuple[str, tuple[Predicate, ...]]]:
    """What is decided each round: each bet's lines and push, each bonus's lines. If none of them
    holds, that is the entry's last way.
    """
    found = []
    for bet in game.bets:
        found.append((bet.id, tuple(bet.deciding)))
        if bet.bonus:
            found.append((f"{bet.id} bonus", tuple(line.when for line in bet.bonus)))
    return found


def list_nets(bet: Bet, stake: float) -> list[float]:
    """The net result of a stake by each way of a bet's entry."""
    won = [stake * odds.win / odds.risk for odds in bet.odds]
    return [*won, 0.0, -stake] if bet.push else [*won, -stake]


def list_awards(bet: Bet) -> list[int]:
    """The dollars by each way of a bonus's entry."""
    return [*(award.amount for award in bet.awards), 0]


def groups(game: Game, limit: int = MAX_CELLS) -> Groups:
    """Bets together as long as their joint results are few enough to count."""
    bets = list[list[str]]()
    ways = list[list[int]]()
    size = limit + 1  # so that the first entry begins a group
    for name, lines in entries(game):
        n = len(lines) + 1
        if size * n > limit:
            bets.append([])
            ways.append([])
            size = 1
        bets[-1].append(name)
        ways[-1].append(n)
        size *= n
    return Groups(tuple(map(tuple, bets)), tuple(map(tuple, ways)))


class KernelSource(Source):
    """Remainders of small sums without a division."""

    def term(self, term: Term) -> str:
        if isinstance(term, Mod):
            low, high = bounds(term.term)
            if low >= 0 and high < 3 * term.modulus:
                return self._once(term, lambda: self._reduced(term))
        return super().term(term)

    def _reduced(self, mod: Mod) -> str:
        modulus = mod.modulus
        smaller = self._smaller(mod)
        inner = self.term(smaller)
        text = f"{inner} - ({modulus} if {inner} >= {modulus} else 0)"
        # a remainder and one more card stay below twice the modulus, whatever the bounds say
        if smaller is not mod.term or bounds(smaller)[1] < 2 * modulus:
            return text
        return f"{text} - ({modulus} if {inner} >= {2 * modulus} else 0)"

    def _smaller(self, mod: Mod) -> Term:
        """A hand's total builds on the total of its first two cards, which is worked out anyway."""
        match mod.term:
            case Sum(
                (
                    Read(a, "points") as first,
                    Read(b, "points") as second,
                    Read(_, "points") as third,
                )
            ) if a < b:
                first_two = Mod(Sum((first, second)), mod.modulus)
                return Sum((first_two, third))
        return mod.term


@dataclass(frozen=True)
class Dialect:
    """How a machine writes what differs between machines."""

    deck: str  # the card at place {}
    count: str  # one more in cell {}
    # how the draw gives card {i}: sets n{i} and j{i} and what is left of the draw
    draw: tuple[str, ...]
    begin: tuple[str, ...]  # the draw x, made ready
    left: str  # what is left of the draw after six cards
    whole: str  # {} as the machine's own whole number

    def number(self, line: str) -> str:
        """An assignment with its right side as the machine's own whole number."""
        name, _, value = line.partition(" = ")
        return f"{name} = {self.whole.format(value)}"


def round_source(
    game: Game, dialect: Dialect, *, limit: int = MAX_CELLS, whole_cards: bool = False
) -> list[str]:
    """Lines that play one round at `at` and count it.

    They need `key`, `draw`, `at`, `size`, `most`, `GOLDEN` and the functions of the dialect. With
    whole cards they read bytes of `whole_byte`, else of `card_byte`.
    """
    lines = ["while True:", "    draw += GOLDEN", "    x = mix(key + draw)"]
    lines += [f"    {line}" for line in dialect.begin]
    for i in range(6):
        lines += [f"    {line.format(i=i)}" for line in dialect.draw]
    lines += [f"    x = {dialect.left}", "    if x >= most:", "        break"]
    lines += ["    ways = U(n0) * U(n1) * U(n2) * U(n3) * U(n4) * U(n5)"]
    lines += ["    if x >= ways or x >= (U(0) - ways) % ways:", "        break"]
    for i in range(6):
        here = dialect.deck.format(f"(at + {i})")
        there = dialect.deck.format(f"j{i}")
        lines += [f"swap = {here}", f"c{i} = {there}", f"{there} = swap"]
        if i >= 4:  # the first four are taken and never looked at again
            lines.append(f"{here} = c{i}")
    held = _BY_SUIT if whole_cards or reads_suits(game) else _BY_POINTS
    lines += map(dialect.number, _deal(game, held))
    return lines + _decide(game, dialect, limit)


def _deal(game: Game, held: tuple[str, ...]) -> list[str]:
    """Which hands take a third card, as bits and shifts."""
    tableau = game.tableau
    naturals = _mask(tableau.naturals)
    player = _mask(tableau.player_draws)
    alone = _mask(tableau.banker_draws_alone)
    # banker's ten rows as two numbers, shifted by his total: no jump table
    low = _rows(tableau.banker_draws[:5])
    rest = _rows(tableau.banker_draws[5:])
    lines = [line.format(i=i) for i in range(6) for line in held]
    return [
        *lines,
        "p = v0 + v2",
        "p = p - (10 if p >= 10 else 0)",
        "b = v1 + v3",
        "b = b - (10 if b >= 10 else 0)",
        f"stop = (({naturals} >> p) | ({naturals} >> b)) & 1",
        f"p3 = ({player} >> p) & 1 & (stop ^ 1)",
        f"row = ({low} if b < 5 else {rest}) >> (10 * (b if b < 5 else b - 5))",
        f"b3 = (((row >> v4) if p3 else ({alone} >> b)) & 1) & (stop ^ 1)",
    ]


def _mask(totals: frozenset[int]) -> int:
    return sum(1 << total for total in totals)


def _rows(rows: Sequence[frozenset[int]]) -> int:
    return sum(_mask(row) << (10 * i) for i, row in enumerate(rows))


def _decide(game: Game, dialect: Dialect, limit: int) -> list[str]:
    source = KernelSource()
    grouped = groups(game, limit)
    decided = dict(entries(game))
    joint = []
    start = 0
    for names, cells in zip(grouped.bets, grouped.cells, strict=True):
        terms = [str(start)]
        stride = 1
        for name in names:
            tests = [source.predicate(p) for p in decided[name]]
            choices = [f"{i * stride} if {test} else " for i, test in enumerate(tests)]
            terms.append(f"({''.join(choices)}{len(tests) * stride})")
            stride *= len(tests) + 1
        joint.append(" + ".join(terms))
        start += cells
    given = [dialect.number(f"{read.name} = {_read(read)}") for read in source.reads]
    worked = [line if _is_test(line) else dialect.number(line) for line in source.lines]
    cells_ = [dialect.number(f"cell{i} = {text}") for i, text in enumerate(joint)]
    counted = [dialect.count.format(f"cell{i}") for i in range(len(joint))]
    return [*given, *worked, *cells_, *counted, dialect.number("at = at + 4 + p3 + b3")]


def _is_test(line: str) -> bool:
    """Whether a line of the source gives true or false rather than a number."""
    words = line.partition(" = ")[2].split(" ")
    return "-" not in words and not _TESTS.isdisjoint(words)


_TESTS = frozenset(("==", "!=", "<", "<=", ">", ">=", "&", "|"))


def _read(read: Read) -> str:
    """An attribute of a slot from the six cards drawn; banker's third card is the fifth of them
    when player stood.
    """
    is_third = read.slot in (Slot.P3, Slot.B3)
    taken = read.slot.name.lower()
    if read.attribute == "present":
        return taken if is_third else "1"
    if not is_third:
        return _of(int(read.slot), read)
    value = _of(4, read)
    if read.slot == Slot.B3:
        value = f"({_of(5, read)} if p3 else {value})"
    absent = "0" if read.attribute == "points" else "-1"
    return f"{value} if {taken} else {absent}"


def _of(card: int, read: Read) -> str:
    written = {"points": "v{}", "rank": "r{}", "suit": "(c{} >> 4)"}
    return written[read.attribute].format(card)


_BY_SUIT = ("r{i} = c{i} & 15", "v{i} = r{i} + 1 if r{i} < 9 else 0")
_BY_POINTS = ("v{i} = c{i} & 15", "r{i} = c{i} >> 4")


@lru_cache(maxsize=64)
def reads_suits(game: Game) -> bool:
    """Whether any bet looks at a suit; if none does, the kernels hold points in its place."""
    for _, lines in entries(game):
        for line in lines:
            if any(read.attribute == "suit" for read in all_reads(line)):
                return True
    return False


def card_byte(game: Game, card: int) -> int:
    """A card as the game's kernels hold it: rank and suit in four bits each, or points and rank."""
    if reads_suits(game):
        return whole_byte(card)
    return points_of(card) | rank_of(card) << 4


def whole_byte(card: int) -> int:
    return rank_of(card) | suit_of(card) << 4
