"""Every text that a person reads, and what is wrong with it: for the test of the glossary."""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from puntobanco.rules.games import GAMES
from puntobanco.rules.irregularities import OF_THE_HOUSE
from puntobanco_floor.domain.definitions import OURS
from tools.glossary import LATIN_IN_CHINESE, TERMS, Term
from tools.tree import ROOT, SCREENS, source_files

HAN = re.compile("[\u4e00-\u9fff]")


class Text(NamedTuple):
    """Where it stands, and what it says; a language that it does not speak is empty."""

    where: str
    en: str
    zh: str


# Finding them


def every_text() -> Iterator[Text]:
    yield from in_python()
    yield from in_screens()
    yield from in_documents()


def in_python() -> Iterator[Text]:
    """Chinese with the English before it, and what refusals say in English alone."""
    for path in source_files():
        where = path.relative_to(ROOT).as_posix()
        yield from python_texts(path.read_text("utf-8"), where)


def python_texts(code: str, where: str) -> Iterator[Text]:
    tree = ast.parse(code)
    told = set(_documentation(tree))
    for node in ast.walk(tree):
        place = f"{where}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from _refused(node.exc, place)
        if not isinstance(node, ast.Call | ast.Tuple | ast.List | ast.Dict | ast.keyword):
            continue
        parts = [part for part in ast.iter_child_nodes(node) if id(part) not in told]
        yield from _in_pairs([_text_of(part) for part in parts], place)


OURS_ALONE = ("AssertionError", "Fault", "TypeError", "ValueError")
"""What only a program can do wrong, or whoever changes a journal."""


def _refused(call: ast.Call, place: str) -> Iterator[Text]:
    """What a refusal says in English, where it says nothing in Chinese."""
    kind = ast.unparse(call.func).rpartition(".")[2]
    said = [_text_of(part) for part in call.args]
    if said and said[0] and kind not in OURS_ALONE and not any(map(HAN.search, said)):
        yield Text(place, said[0], "")


def _documentation(tree: ast.Module) -> Iterator[int]:
    """What is a sentence of its own: docstrings are for programmers."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            yield id(node.value)


def _text_of(node: ast.AST) -> str:
    """A text with `{}` where values go in; nothing where it is none."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text_of(part) or _value_of(part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text_of(left) + _text_of(right)
    return ""


def _value_of(node: ast.AST) -> str:
    assert isinstance(node, ast.FormattedValue)
    return "{" + ast.unparse(node.value) + "}"


def _in_pairs(texts: list[str], where: str) -> Iterator[Text]:
    for n, text in enumerate(texts):
        if HAN.search(text):
            before = texts[n - 1] if n else ""
            english = "" if HAN.search(before) else before
            yield Text(where, english, text)


_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_PAIR = re.compile(rf"{_STRING}\s*,\s*{_STRING}")
_LITERAL = re.compile(rf"{_STRING}|`((?:[^`\\]|\\.)*)`")


def in_screens() -> Iterator[Text]:
    """Pairs of words, and every other literal: of templates what is between their values."""
    for path in sorted(SCREENS.rglob("*.js")):
        if path.name == "hans.js":  # characters, and no text
            continue
        where = path.relative_to(ROOT).as_posix()
        yield from script_texts(path.read_text("utf-8"), where)


def script_texts(code: str, where: str) -> Iterator[Text]:
    code = re.sub(r"(?m)(^|\s)//[^\n]*$|/\*(?s:.*?)\*/", "", code)
    code = re.sub(r'"\s*\+\s*"', "", code)  # a text that is written in two lines
    paired = set[str]()
    for english, chinese in _PAIR.findall(code):
        if HAN.search(chinese) and not HAN.search(english):
            paired.add(chinese)
            yield Text(where, english, chinese)
    for plain, template in _LITERAL.findall(code):
        text = plain or _between_values(template)
        if text in paired:
            continue
        if HAN.search(text):
            yield Text(where, "", _chinese_in(text))
        elif " " in text:
            yield Text(where, text, "")


def _between_values(template: str) -> str:
    """A template without what is put into it, and without tags."""
    while (shorter := re.sub(r"\$?\{[^{}]*\}", "\0", template)) != template:
        template = shorter
    template = re.sub(r"\$\{.*|^.*?\}", "\0", template, flags=re.DOTALL)  # one within another
    return re.sub(r"<[^>]*>?", " | ", template).replace("\0", "{}")


def _chinese_in(text: str) -> str:
    """The parts of a template that are Chinese."""
    return " ".join(part for part in text.split("|") if HAN.search(part))


def in_documents() -> Iterator[Text]:
    """Chinese pages by line; of others the words in Chinese."""
    for path in sorted((ROOT / "docs").rglob("*.md")):
        where = path.relative_to(ROOT).as_posix()
        if where == "docs/reference/glossary.md":
            continue
        for line in path.read_text("utf-8").splitlines():
            if not HAN.search(line):
                continue
            if where.endswith(".zh.md"):
                yield Text(where, "", _written(line))
            else:
                for found in re.findall("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+", line):
                    yield Text(where, "", found)


def _written(line: str) -> str:
    """A line of a page without its marks, addresses and code; a table's cells are apart."""
    plain = re.sub(r"\]\([^)]*\)|`[^`]*`|「[^」]*」", "", line)
    return plain.replace("|", " ")


# Judging them

PLACE = re.compile(r"\{[^{}]*\}")
_OWN = {term.zh for term in TERMS}
_ALLOWED = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(LATIN_IN_CHINESE)})(?![A-Za-z])")
_PLACES = re.compile(r"\b(?:table|cage|session):(?:\w|\{)")
_CODE = re.compile(r"[a-z]+(?:-[a-z]+)+")
_PLAIN_ENGLISH = frozenset({"cash-out", "buy-in", "first-card"})
"""Ids that are words too."""


def _ids() -> frozenset[str]:
    """Every id with a hyphen that a text could let through: of bets, games, grounds, commands."""
    found = {kind.name() for kind in OURS.commands}
    found |= {each.ground.id for each in OF_THE_HOUSE}
    for game in GAMES.values():
        found |= {game.id, game.deck.id}
        found |= {bet.id for bet in game.bets}
        found |= {each.ground.id for each in game.irregularities}
    return frozenset(id_ for id_ in found if "-" in id_) - _PLAIN_ENGLISH


IDS = _ids()
_ID_VALUES = re.compile(
    r"\{[^{}]*(?:\.id|\.name\(\)|\bground|\.bet|\bbet|\bstream|\.table|\.session|\.slot)\}"
)
_CENTS = re.compile(r"format_cents|_cents\}")


def faults_of(text: Text) -> Iterator[str]:
    """What is wrong with it, a line each."""
    yield from _synonyms(text)
    yield from _ids_in(text)
    if text.zh:
        yield from _chinese(text.zh)


def _synonyms(text: Text) -> Iterator[str]:
    plain = PLACE.sub(" ", text.en)
    for term in TERMS:
        for word in term.not_en:
            if found := re.search(rf"\b{word}\b", plain, re.IGNORECASE):
                yield f"“{found[0]}” is “{term.en}” here"
        for word in term.not_zh:
            found = re.search(word, text.zh)
            if found and (found[0] not in _OWN or _speaks_of(term, plain)):
                yield f"{found[0]} is {term.zh} here ({term.en})"


def _speaks_of(term: Term, english: str) -> bool:
    return re.search(rf"\b{term.en}\b", english, re.IGNORECASE) is not None


def _ids_in(text: Text) -> Iterator[str]:
    for said in (text.en, text.zh):
        plain = PLACE.sub(" ", said)
        named = set(_CODE.findall(plain)) & IDS
        for found in (*sorted(named), *_PLACES.findall(plain)):
            yield f"“{found}” is an id"


def values_of(text: Text) -> Iterator[str]:
    """Of a refusal: values that are ids or bare cents, where a title or `dollars` belongs."""
    for found in _ID_VALUES.findall(text.en):
        yield f"{found} puts an id into a sentence"
    for found in _CENTS.findall(text.en):
        yield f"{found} is no amount that people read: use dollars()"


def _chinese(zh: str) -> Iterator[str]:
    plain = PLACE.sub("", zh)
    foreign = re.search("[A-Za-z]{1,}", _ALLOWED.sub("", plain))
    if foreign:
        yield f"“{foreign[0]}” is English in Chinese"
    if found := re.search("[\u4e00-\u9fff）」]\\s*[.,:;?!](?!\\d)", plain):
        yield f"“{found[0]}” has a western mark in Chinese"
    if found := re.search(r"(?<![\d$,.])\d{4,}(?!\d*[年張-])", plain):
        yield f"{found[0]} has no comma"


def faults(texts: Iterable[Text]) -> list[str]:
    return [
        f"{text.where}: {text.zh or text.en}: {why}" for text in texts for why in faults_of(text)
    ]
