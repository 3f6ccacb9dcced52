"""Predicates into code: expressions that mean the same to Python, NumPy, Numba and CUDA."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from puntobanco.rules.predicates import And, AtLeast, Compare, Named, Not, Or, Predicate
from puntobanco.rules.terms import VALUES, Mod, Number, Read, Scaled, Slot, Sum, Term

SLOT_NAMES = tuple(slot.name.lower() for slot in Slot)
Decide: TypeAlias = Callable[[int, int, int, int, int, int], tuple[int, ...]]


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
