"""The characters of our texts: none that a program says is missing, however it comes to say it."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from puntobanco import GAMES
from puntobanco.base.words import Words
from puntobanco.rules.definition import define
from puntobanco.rules.rules_page import rules_page
from puntobanco_floor.cli.fonts import LATIN, SEALS, read_characters
from puntobanco_floor.domain import refusals
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.web.screen_files import NAMES, SCREENS

ALL = set("".join(read_characters().values()))
HAN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def _words() -> Iterator[str]:
    for game in GAMES.values():
        yield msgspec.json.encode(define(game)).decode()
        yield str(rules_page(game))
    yield from (words.zh for words in vars(refusals).values() if isinstance(words, Words))
    for kind in (*OURS.commands, *OURS.events):
        yield str(getattr(kind, "traits", ""))
        yield str(getattr(kind, "words", ""))


def test_everything_that_the_rules_refusals_and_events_say_can_be_written() -> None:
    said = "".join(_words())
    assert len(set(HAN.findall(said))) > 300
    assert set(HAN.findall(said)) - ALL == set()


def test_no_text_hides_a_character_from_who_reads_the_files() -> None:
    """They are read as text: what is written by its number would not be found."""
    hidden = re.compile(r"\\u\{?([2-9a-fA-F][0-9a-fA-F]{3})\b")
    found = {
        chr(int(number, 16))
        for name in sorted(NAMES)
        for number in hidden.findall((SCREENS / name).read_text("utf-8"))
    }
    assert found - ALL == set()


def test_what_only_staff_or_simplified_texts_need_is_no_burden_for_others() -> None:
    found = read_characters()
    staffs = "".join(path.read_text("utf-8") for path in (SCREENS / "cage").glob("*.js"))
    assert set(HAN.findall(staffs)) <= ALL
    hans = set(HAN.findall((SCREENS / "base" / "hans.js").read_text("utf-8")))
    assert hans - set(found["beside"] + found["patrons"]) <= set(
        found["simplified"] + found["staff"]
    )
    assert len(found["simplified"]) > 100
    assert len(found["staff"]) > 50


def test_no_character_is_in_two_fonts_and_seals_are_with_what_english_shows() -> None:
    found = read_characters()
    assert sum(map(len, found.values())) - len(found["seals"]) == len(ALL)
    assert set(SEALS) == set(found["seals"]) <= set(found["beside"])
    assert set(LATIN) <= set(found["latin"])
    assert set("·–…").issubset(found["latin"])


@pytest.mark.parametrize("own", ["龘", "Lucky 龘 Łódź"])
def test_a_game_of_the_floors_own_brings_its_characters(own: str) -> None:
    assert "龘" not in ALL
    found = read_characters(own)
    assert "龘" in found["beside"]
    assert set(own) <= set("".join(found.values()))
