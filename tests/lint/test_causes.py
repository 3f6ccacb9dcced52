"""Causes: each code that the program gives has words in both languages, and no words are left over."""

import ast
import re
from collections.abc import Iterator

from puntobanco.base.words import Words
from puntobanco.rules.causes import SESSION_CAUSES, STATED, TABLE_CAUSES, WORDS
from puntobanco_floor.domain.definitions import OURS
from tests.support.codes import CODE
from tools.tree import source_files

HAN = re.compile("[\u4e00-\u9fff]")
LATIN = re.compile("[A-Za-z]{2,}")
PLACE = re.compile(r"\{\d?\}")


def wrong_with(code: str, said: Words) -> str:
    """Say why a code or its words are not right; nothing if they are."""
    if not CODE.fullmatch(code):
        return "it is not a code"
    if not HAN.search(said.zh) or HAN.search(said.en):
        return "it needs English and Chinese"
    return "English in Chinese" if LATIN.search(PLACE.sub("", said.zh)) else ""


def test_every_code_has_a_sentence_in_both_languages() -> None:
    wrong = [f"{code}: {why}" for code, said in WORDS.items() if (why := wrong_with(code, said))]
    assert not wrong, "\n".join(wrong)


def test_words_that_are_not_right_are_found() -> None:
    assert wrong_with("Not a code", Words("settled", "已結算"))
    assert wrong_with("settled", Words("settled"))
    assert wrong_with("settled", Words("settled", "已 settled"))


def codes_in_source() -> Iterator[str]:
    """Of every `Cause(...)` that is written out, also where one of two is chosen; what ends proposals."""
    for path in source_files():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == "Cause" and node.args:
                yield from texts(node.args[0])
    for kind in OURS.events:
        if kind.traits.ends:
            yield kind.traits.ends[1]


def texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(code)):
            yield code
        case ast.IfExp():
            yield from (*texts(node.body), *texts(node.orelse))


def test_every_code_that_the_program_gives_has_words_and_no_words_are_left_over() -> None:
    given = {*codes_in_source(), "corrected"}  # a card: not by its kind alone (table/decide.py)
    twice = {code for code in WORDS if code.endswith("-twice")}
    assert {code.removesuffix("-twice") for code in twice} < given
    assert sorted(given | twice | set(STATED)) == sorted(WORDS)
    assert {*TABLE_CAUSES, *SESSION_CAUSES} == set(STATED)
