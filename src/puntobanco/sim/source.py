"""A game into a kernel: Python source that deals a round and decides every bet, for Numba on a
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

from dataclasses import dataclass
from functools import lru_cache

from puntobanco.rules.cards import RANKS_PER_SUIT, points_of
from puntobanco.rules.compile import Source
from puntobanco.rules.game import Game
from puntobanco.rules.predicates import Predicate, leaves, reads_of
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
        sizes = []
        for ways in self.ways:
            size = 1
            for n in ways:
                size *= n
            sizes.append(size)
        return tuple(sizes)


def entries(game: Game) -> list[tuple[str, tuple[Predicate, ...]]]:
    """What is decided each round: each bet's lines and push, each bonus's lines; what is left is
    the last way.
    """
    found = []
    for bet in game.bets:
        push = (bet.push.when,) if bet.push else ()
        found.append((bet.id, (*(line.when for line in bet.pays), *push)))
        if bet.bonus:
            found.append((f"{bet.id} bonus", tuple(line.when for line in bet.bonus)))
    return found


def groups(game: Game, limit: int = MAX_CELLS) -> Groups:
    """Bets together as long as their joint results are few enough to count."""
    bets, ways, size = list[list[str]](), list[list[int]](), limit + 1
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
        inner = self.term(self._smaller(mod))
        high = (
            bounds(self._smaller(mod))[1] if self._smaller(mod) is mod.term else 2 * mod.modulus - 2
        )
        text = f"{inner} - ({mod.modulus} if {inner} >= {mod.modulus} else 0)"
        return (
            text
            if high < 2 * mod.modulus
            else f"{text} - ({mod.modulus} if {inner} >= {2 * mod.modulus} else 0)"
        )

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
                return Sum((Mod(Sum((first, second)), mod.modulus), third))
        return mod.term


@dataclass(frozen=True)
class Dialect:
    """How a machine writes what differs: places in the deck, counting, drawing a card, and whole
    numbers.
    """

    deck: str  # the card at place {}
    count: str  # one more in cell {}
    draw: tuple[
        str, ...
    ]  # how the draw gives card {i}: sets n{i} and j{i} and what is left of the draw
    begin: tuple[str, ...]  # the draw x, made ready
    left: str  # what is left of the draw after six cards
    whole: str  # {} as the machine's own whole number

    def number(self, line: str) -> str:
        """An assignment with its right side as the machine's own whole number."""
        name, _, value = line.partition(" = ")
        return f"{name} = {self.whole.format(value)}"


def round_source(game: Game, dialect: Dialect, *, limit: int = MAX_CELLS) -> list[str]:
    """Lines that play one round at `at` and count it.

    They need `key`, `draw`, `at`, `size`, `most`, the constant `GOLDEN` and the functions of the
    dialect.
    """
    lines = [
        "while True:",
        "    draw += GOLDEN",
        "    x = mix(key + draw)",
        *(f"    {line}" for line in dialect.begin),
    ]
    for i in range(6):
        lines += [f"    {line.format(i=i)}" for line in dialect.draw]
    lines += [f"    x = {dialect.left}", "    if x >= most:", "        break"]
    lines += ["    ways = U(n0) * U(n1) * U(n2) * U(n3) * U(n4) * U(n5)"]
    lines += ["    if x >= ways or x >= (U(0) - ways) % ways:", "        break"]
    for i in range(6):
        here, there = dialect.deck.format(f"(at + {i})"), dialect.deck.format(f"j{i}")
        lines += [f"swap = {here}", f"c{i} = {there}", f"{there} = swap"]
        lines += [f"{here} = c{i}"] * (i >= 4)  # the first four are taken and never looked at again
    return [*lines, *map(dialect.number, _deal(game)), *_decide(game, dialect, limit)]


def _deal(game: Game) -> list[str]:
    """Which hands take a third card, as bits and shifts."""
    tableau = game.tableau
    naturals, player, alone = (
        _mask(s) for s in (tableau.naturals, tableau.player_draws, tableau.banker_draws_alone)
    )
    rows = [_mask(tableau.banker_draws[b]) for b in range(10)]
    low, rest = (
        sum(row << (10 * i) for i, row in enumerate(part)) for part in (rows[:5], rows[5:])
    )  # no jump table
    return [
        *(
            line.format(i=i)
            for i in range(6)
            for line in (_BY_SUIT if reads_suits(game) else _BY_POINTS)
        ),
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
    return sum(1 << t for t in totals)


def _decide(game: Game, dialect: Dialect, limit: int) -> list[str]:
    source, grouped = KernelSource(), groups(game, limit)
    decided = dict(entries(game))
    joint, start = list[str](), 0
    for names, cells in zip(grouped.bets, grouped.cells, strict=True):
        terms, stride = [str(start)], 1
        for name in names:
            tests = [source.predicate(p) for p in decided[name]]
            way = "".join(f"{i * stride} if {test} else " for i, test in enumerate(tests)) + str(
                len(tests) * stride
            )
            terms.append(f"({way})")
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
    value = line.partition(" = ")[2]
    return (
        any(f" {op} " in value for op in ("==", "!=", "<", "<=", ">", ">=", "&", "|"))
        and " - " not in value
    )


def _read(read: Read) -> str:
    """An attribute of a slot from the six cards drawn; banker's third card is the fifth when player
    stood.
    """
    if read.slot in (Slot.P3, Slot.B3):
        taken = "p3" if read.slot == Slot.P3 else "b3"
        if read.attribute == "present":
            return taken
        absent = "0" if read.attribute == "points" else "-1"
        value = (
            _of("4", read)
            if read.slot == Slot.P3
            else f"({_of('5', read)} if p3 else {_of('4', read)})"
        )
        return f"{value} if {taken} else {absent}"
    return "1" if read.attribute == "present" else _of(str(int(read.slot)), read)


def _of(card: str, read: Read) -> str:
    return {"points": f"v{card}", "rank": f"r{card}", "suit": f"(c{card} >> 4)"}[read.attribute]


_BY_SUIT = ("r{i} = c{i} & 15", "v{i} = r{i} + 1 if r{i} < 9 else 0")
_BY_POINTS = ("v{i} = c{i} & 15", "r{i} = c{i} >> 4")


@lru_cache(maxsize=64)
def reads_suits(game: Game) -> bool:
    """Whether any bet looks at a suit; if none does, the kernels hold points in its place."""
    lines = (line for _, lines in entries(game) for line in lines)
    return any(
        read.attribute == "suit"
        for line in lines
        for leaf in leaves(line)
        for read in reads_of(leaf)
    )


def card_byte(game: Game, card: int) -> int:
    """A card as the game's kernels hold it: rank and suit in four bits each, or points and rank."""
    suit, rank = divmod(card, RANKS_PER_SUIT)
    return rank | suit << 4 if reads_suits(game) else points_of(card) | rank << 4
