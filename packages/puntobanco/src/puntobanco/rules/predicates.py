"""Predicates: conditions on a round as frozen values, and what is done with every one of them.

A leaf, `Compare`, states an integer expression and its words; what it reads follows from the
expression. Deciding and folding (`fold`), telling cards apart (`classes`), rendering (`say`) and
compiling (`Source`, to code that means the same to Python, NumPy, Numba and CUDA) are written here
once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from typing import Literal, NoReturn, TypeAlias

from puntobanco.base.words import Words, join, words
from puntobanco.rules.terms import (
    VALUES,
    Attribute,
    Known,
    Mod,
    Node,
    Number,
    Read,
    Scaled,
    Slot,
    Sum,
    Term,
    bounds,
    put_in,
    reads,
)

SLOT_NAMES = tuple(slot.name.lower() for slot in Slot)
Decide: TypeAlias = Callable[[int, int, int, int, int, int], tuple[int, ...]]
Comparison = Literal["==", "!=", "<", "<=", ">", ">="]
_OPPOSITE: dict[Comparison, Comparison] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
}


class _Operators(Node):
    __slots__ = ()

    def __and__(self, other: Predicate) -> Predicate:
        return all_of(_checked(self), _checked(other))

    def __or__(self, other: Predicate) -> Predicate:
        return any_of(_checked(self), _checked(other))

    def __invert__(self) -> Predicate:
        return Not(_checked(self))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a predicate is neither true nor false before cards are dealt: join with & | "
            "~, not and/or/not/if"
        )

    def __repr__(self) -> str:
        return f"<condition: {say(_checked(self)).en}>"

    def named(
        self, text: Words | str, *, clause: str | None = None, means: Words | None = None
    ) -> Predicate:
        """The same condition under a name of its own, with the clause that defines it, and what
        the name means to who plays.
        """
        if not isinstance(text, Words | str) or not isinstance(clause, str | None):
            raise TypeError(
                f"a name is a text, and a clause is too, not {text!r:.40} and {clause!r:.40}"
            )
        return Named(_checked(self), words(text), clause, means=means)

    def said(self, text: Words) -> Predicate:
        """The same condition in words that say all of it."""
        return Named(_checked(self), text, phrase=True)


@dataclass(frozen=True, slots=True, repr=False)
class Compare(_Operators):
    """A leaf: two integer terms compared."""

    left: Term
    op: Comparison
    right: Term
    text: Words = field(compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class And(_Operators):
    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Or(_Operators):
    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True, repr=False)
class AtLeast(_Operators):
    """At least so many of these hold; one that stands here twice counts twice."""

    least: int
    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Not(_Operators):
    part: Predicate


@dataclass(frozen=True, slots=True, repr=False)
class Named(_Operators):
    """A condition under a name. A `phrase` says all of it; any other name has to be explained."""

    part: Predicate
    text: Words
    clause: str | None = None
    phrase: bool = field(default=False, compare=False)
    means: Words | None = field(default=None, compare=False)  # in short, for a rules page


Predicate: TypeAlias = Compare | And | Or | AtLeast | Not | Named
"""A condition on a round, made of hands and measures, joined with `&`, `|`, `~` and `count`."""

Classes: TypeAlias = tuple[tuple[int, ...], ...]
ALWAYS: Predicate = And(())
NEVER: Predicate = Or(())


def _checked(value: object) -> Predicate:
    if isinstance(value, Predicate):
        return value
    raise TypeError(
        f"{value!r} is not a predicate; a measure becomes one when called: banker.points(6)"
    )


def all_of(*parts: Predicate) -> Predicate:
    """All of these hold; `a & b` is the same."""
    return _joined(parts, And, unit=ALWAYS, zero=NEVER)


def any_of(*parts: Predicate) -> Predicate:
    """At least one of these holds; `a | b` is the same."""
    return _joined(parts, Or, unit=NEVER, zero=ALWAYS)


def _joined(
    parts: Iterable[Predicate], kind: type[And] | type[Or], *, unit: Predicate, zero: Predicate
) -> Predicate:
    """A flat conjunction or disjunction without repeats, or what it comes to."""
    flat = dict[Predicate, None]()
    for part in parts:
        inside = part.parts if isinstance(part, kind) else (_checked(part),)
        for p in inside:
            if p == zero:
                return zero
            if p != unit:
                flat[p] = None
    if len(flat) == 1:
        return next(iter(flat))
    return kind(tuple(flat))


def at_least(least: int, parts: Iterable[Predicate]) -> Predicate:
    """At least so many of these hold: all of them and one of them are `all_of` and `any_of`."""
    open_ = list[Predicate]()
    for part in parts:
        if part == ALWAYS:
            least -= 1
        elif part != NEVER:
            open_.append(part)
    if least <= 0:
        return ALWAYS
    if len(open_) < least:
        return NEVER
    if least == len(open_):
        return all_of(*open_)
    return any_of(*open_) if least == 1 else AtLeast(least, tuple(open_))


# As bits, what a comparison allows its left side to be: 1 less, 2 equal, 4 more.
_ALLOWS: dict[Comparison, int] = {"<": 1, "<=": 3, "==": 2, "!=": 5, ">=": 6, ">": 4}
_MIRRORED: dict[Comparison, int] = {"<": 4, "==": 2, "!=": 5, ">": 1}  # with its sides exchanged


def excluded(predicate: Predicate) -> bool:
    """Whether two comparisons joined here plainly exclude each other; False may only mean that
    it is not plain.

    >>> from puntobanco.rules.hands import banker, cards_dealt, tie
    >>> excluded(tie & banker.wins), excluded(cards_dealt(4) & cards_dealt(5))
    (True, True)
    >>> excluded(tie & cards_dealt(4))
    False
    """
    compared = [part for part in all_parts(predicate) if isinstance(part, Compare)]
    for a, b in combinations(compared, 2):
        sides = (a.left, a.right)
        allowed = _ALLOWS[a.op]
        if sides == (b.left, b.right) and not allowed & _ALLOWS[b.op]:
            return True
        mirrored = _MIRRORED.get(b.op)
        if sides == (b.right, b.left) and mirrored and not allowed & mirrored:
            return True
        numbers = isinstance(a.right, Number) and isinstance(b.right, Number)
        if numbers and a.left == b.left and a.op == b.op == "==":
            return a.right != b.right
    return predicate == NEVER


def all_parts(predicate: Predicate) -> Iterator[Predicate]:
    """All that must hold for it: the parts of a conjunction, also of one under a name."""
    match predicate:
        case And(parts):
            for part in parts:
                yield from all_parts(part)
        case Named(part):
            yield from all_parts(part)
        case _:
            yield predicate


def names(predicate: Predicate) -> Iterator[Named]:
    """Yield every name in it, the outer before the inner."""
    if isinstance(predicate, Named):
        yield predicate
    for part in _inside(predicate):
        yield from names(part)


def leaves(predicate: Predicate) -> Iterator[Compare]:
    if isinstance(predicate, Compare):
        yield predicate
    for part in _inside(predicate):
        yield from leaves(part)


def _inside(predicate: Predicate) -> tuple[Predicate, ...]:
    match predicate:
        case And(parts) | Or(parts) | AtLeast(_, parts):
            return parts
        case Not(part) | Named(part):
            return (part,)
        case _:
            return ()


def measure_size(predicate: Predicate) -> tuple[int, int]:
    """Count its comparisons as they are written out, where a part that is used twice counts twice,
    and the conditions that lie inside one another.

    >>> from puntobanco.rules.hands import player
    >>> measure_size((player.pair & player.points(6)) | ~player.pair)
    (3, 4)
    """
    found = dict[int, tuple[int, int]]()  # by identity, so that each part is walked once
    waiting = [predicate]
    while waiting:
        node = waiting[-1]
        parts = _inside(node)
        if new := [part for part in parts if id(part) not in found]:
            waiting += new
            continue
        inside = [found[id(part)] for part in parts]
        count = sum(leaves for leaves, _ in inside) or isinstance(node, Compare)
        found[id(node)] = (int(count), 1 + max((depth for _, depth in inside), default=0))
        waiting.pop()
    return found[id(predicate)]


@cache
def reads_of(leaf: Compare) -> frozenset[Read]:
    return reads(leaf.left) | reads(leaf.right)


def all_reads(predicate: Predicate) -> frozenset[Read]:
    """What any of its leaves reads."""
    return frozenset().union(*map(reads_of, leaves(predicate)))


def fold(predicate: Predicate, known: Known) -> Predicate:
    """The predicate with what is known put in: `ALWAYS`, `NEVER`, or the tree still open."""
    if isinstance(predicate, Compare):
        return _fold_leaf(predicate, known)
    return _rebuilt(predicate, lambda part: fold(part, known))


@lru_cache(maxsize=1 << 18)
def fold_in(predicate: Predicate, slot: Slot, card: int) -> Predicate:
    """`fold` for one card, or `NO_CARD`, in one slot; cached: walks through a deal repeat."""
    if isinstance(predicate, Compare):
        return _fold_leaf(predicate, known_of(slot, card))
    return _rebuilt(predicate, lambda part: fold_in(part, slot, card))


def _fold_leaf(leaf: Compare, known: Known) -> Predicate:
    if known.keys().isdisjoint(reads_of(leaf)):
        return leaf
    op = leaf.op
    left = put_in(leaf.left, known)
    right = put_in(leaf.right, known)
    if _surely(left, op, right):
        return ALWAYS
    if _surely(left, _OPPOSITE[op], right):
        return NEVER
    return Compare(left, op, right, leaf.text)


def _rebuilt(
    predicate: And | Or | AtLeast | Not | Named, folded: Callable[[Predicate], Predicate]
) -> Predicate:
    """The tree joined anew from its folded parts, simplified where one is decided."""
    match predicate:
        case And(parts):
            return all_of(*map(folded, parts))
        case Or(parts):
            return any_of(*map(folded, parts))
        case AtLeast(least, parts):
            return at_least(least, map(folded, parts))
        case Not(part):
            part = folded(part)
            if part == ALWAYS:
                return NEVER
            return ALWAYS if part == NEVER else Not(part)
        case Named(part, text, clause):
            part = folded(part)
            if part in (ALWAYS, NEVER):
                return part
            return Named(part, text, clause, predicate.phrase, predicate.means)


def _surely(left: Term, op: Comparison, right: Term) -> bool:
    """Whether the comparison holds for all the values the two terms can still take."""
    low, high = bounds(left)
    least, most = bounds(right)
    match op:
        case "==":
            return low == high == least == most
        case "!=":
            return high < least or most < low
        case "<":
            return high < least
        case "<=":
            return high <= least
        case ">":
            return low > most
        case ">=":
            return low >= most


def decided(predicate: Predicate, known: Known) -> bool | None:
    """True or False once it can be nothing else; None while it is open."""
    rest = fold(predicate, known)
    if rest == ALWAYS:
        return True
    return False if rest == NEVER else None


@cache
def known_of(slot: Slot, card: int) -> Known:
    """All that a card, or `NO_CARD`, lets one read of its slot."""
    return {Read(slot, attribute): values[card] for attribute, values in VALUES.items()}


def classes(
    predicates: Iterable[Predicate],
    slots: Collection[Slot],
    cards: Iterable[int],
    *,
    also: Sequence[Attribute] = (),
) -> Classes:
    """Cards grouped so that no leaf, looking at any of these slots, tells two of a group apart.

    A leaf that reads one slot only counts by its answer there, any other by the attributes it
    reads; `also` adds attributes that matter for other reasons, as points do to a tableau.
    """
    attributes = set(also)
    answers = set()
    for leaf in {leaf for predicate in predicates for leaf in leaves(predicate)}:
        read_here = reads_of(leaf)
        everywhere = {read.slot for read in read_here}
        for read in read_here:
            if read.slot not in slots:
                continue
            if len(everywhere) == 1:
                answers.add((leaf, read.slot))
            else:
                attributes.add(read.attribute)
    # an answer that follows from attributes told apart anyway adds nothing
    told = set()
    for leaf, slot in answers:
        if not {read.attribute for read in reads_of(leaf)} <= attributes:
            told.add((leaf, slot))
    return _grouped(frozenset(attributes), frozenset(told), tuple(cards))


@lru_cache(maxsize=1 << 12)
def _grouped(
    attributes: frozenset[Attribute],
    answers: frozenset[tuple[Compare, Slot]],
    cards: tuple[int, ...],
) -> Classes:
    groups = dict[tuple[object, ...], list[int]]()
    for card in cards:
        answered = (fold_in(leaf, slot, card) for leaf, slot in answers)
        values = (VALUES[attribute][card] for attribute in attributes)
        groups.setdefault((*values, *answered), []).append(card)
    return tuple(map(tuple, groups.values()))


def say(predicate: Predicate) -> Words:
    """The predicate in words, names with their `[clause]`."""
    return _say(predicate, within=None)


_AND = Words(" and ", "且")
_OR = Words(" or ", "或")


def _say(predicate: Predicate, *, within: type[And | Or] | None) -> Words:
    match predicate:
        case Compare(text=text):
            return text
        case Named(text=text, clause=clause):
            if clause is None:
                return text
            return Words("{} [{}]").format(text, clause)
        case Not(part):
            return Words("not ({})", "非（{}）").format(_say(part, within=None))
        case AtLeast(least, parts):
            each = (_say(part, within=None) for part in parts)
            several = Words("at least {} of ({})", "（{1}）之中至少{0}項")
            return several.format(least, join(each, en="; ", zh="；"))
        case And(()) | Or(()):
            if predicate == ALWAYS:
                return Words("always", "必然")
            return Words("never", "絕不")
        case And(parts) | Or(parts):
            kind = type(predicate)
            link = _AND if kind is And else _OR
            said = [_say(part, within=kind) for part in parts]
            text = join(said, en=link.en, zh=link.zh)
            if within in (None, kind):
                return text
            return Words("({})", "（{}）").format(text)


class Source:
    """Straight-line code, each distinct term and predicate computed once.

    >>> from puntobanco.rules.hands import player
    >>> source = Source()
    >>> source.predicate(player.cards(3))
    't1'
    >>> source.lines
    ['t0 = p3_present + 2', 't1 = t0 == 3']
    """

    def __init__(self) -> None:
        self.lines = list[str]()
        self.reads = dict[Read, None]()
        self._names = dict[Term | Predicate, str]()

    def term(self, term: Term) -> str:
        match term:
            case Number(value):
                return str(value)
            case Read():
                self.reads[term] = None
                return term.name
            case Sum(parts):
                return self._once(term, lambda: " + ".join(map(self.term, parts)))
            case Scaled(factor, inner):
                return self._once(term, lambda: f"{factor} * {self.term(inner)}")
            case Mod(inner, modulus):
                return self._once(term, lambda: f"{self.term(inner)} % {modulus}")

    def predicate(self, predicate: Predicate) -> str:
        match predicate:
            case Compare(left, op, right):
                return self._once(predicate, lambda: f"{self.term(left)} {op} {self.term(right)}")
            case Named(part):
                return self.predicate(part)
            case Not(part):
                return self._once(predicate, lambda: f"{self.predicate(part)} == 0")
            case And(parts):
                return self._once(predicate, lambda: " & ".join(map(self.predicate, parts)) or "1")
            case Or(parts):
                return self._once(predicate, lambda: " | ".join(map(self.predicate, parts)) or "0")
            case AtLeast(least, parts):
                return self._once(predicate, lambda: f"{self._count(parts)} >= {least}")

    def _count(self, parts: tuple[Predicate, ...]) -> str:
        """How many hold, once for all the numbers that are asked for; `0 +` makes it a number."""
        counted = AtLeast(0, parts)
        return self._once(counted, lambda: " + ".join(("0", *map(self.predicate, parts))))

    def _once(self, node: Term | Predicate, expression: Callable[[], str]) -> str:
        """The name of a node's line; `expression` first writes the lines that it needs itself."""
        if node not in self._names:
            text = expression()
            name = f"t{len(self.lines)}"
            self.lines.append(f"{name} = {text}")
            self._names[node] = name
        return self._names[node]


def decider_source(choices: Iterable[Iterable[Predicate]]) -> str:
    """A function of the six slots: for each choice the number of its first predicate that holds,
    else their count.
    """
    source = Source()
    results = []
    for predicates in choices:
        names = [source.predicate(p) for p in predicates]
        tests = [f"{i} if {name} else " for i, name in enumerate(names)]
        results.append(f"{''.join(tests)}{len(names)}")
    lines = [f"def decide({', '.join(SLOT_NAMES)}):"]
    for read in source.reads:
        lines.append(f"{read.name} = {read.attribute.upper()}[{SLOT_NAMES[read.slot]}]")
    lines += source.lines
    lines.append(f"return ({', '.join(results)},)")
    return "\n    ".join(lines) + "\n"


def decider(choices: Iterable[Iterable[Predicate]]) -> Decide:
    """`decider_source`, ready to call with six cards (`NO_CARD` in empty slots)."""
    namespace = {}
    for attribute, values in VALUES.items():
        namespace[attribute.upper()] = values
    code = compile(decider_source(choices), "<puntobanco decider>", "exec")
    exec(code, namespace)
    return namespace["decide"]  # type: ignore[return-value]
