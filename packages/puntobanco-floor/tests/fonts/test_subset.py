"""Fonts cut down: what is in them afterwards, what is kept, and what is said where there is none."""

import io
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from puntobanco.base.extras import package
from puntobanco_floor import fonts
from puntobanco_floor.fonts import FACES, Glyphs, find, glyphs
from tests.support.made_fonts import INSTALLED, are_installed, draw_all, draw_font


@pytest.fixture(scope="module")
def ours() -> Glyphs:
    return glyphs()


@pytest.fixture(autouse=True)
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUNTOBANCO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "fonts"


def characters(data: bytes) -> set[str]:
    return set(map(chr, TTFont(io.BytesIO(data)).getBestCmap()))


def test_a_font_has_the_characters_that_are_asked_for_and_no_other(tmp_path: Path) -> None:
    path = draw_font(tmp_path / "x.ttf", "X", "abc莊閒")
    assert characters(fonts.cut(path, "", "b莊龘")) == set("b莊")


def test_all_faces_are_made_of_what_is_found_and_together_have_every_character(
    tmp_path: Path, ours: Glyphs
) -> None:
    made = fonts.make([draw_all(tmp_path / "fonts")], ours)
    assert made.missing == ()
    assert len(made.subsets) == sum(bool(face.of(ours)) for face in FACES)
    assert set().union(*(characters(one.data) for one in made.subsets)) == ours.all
    keys = [(one.family, one.weight, one.characters) for one in made.subsets]
    assert len(set(keys)) == len(keys), "a browser could not tell them apart"


def test_what_was_made_is_kept_until_the_font_is_another(
    tmp_path: Path, cached: Path, monkeypatch: pytest.MonkeyPatch, ours: Glyphs
) -> None:
    folder = draw_all(tmp_path / "fonts")
    first = fonts.make([folder], ours)
    kept = sorted(cached.iterdir())
    with monkeypatch.context() as patched:
        patched.setattr(fonts, "cut", lambda *_: pytest.fail("made again"))
        assert fonts.make([folder], ours) == first
    draw_font(folder / "Inter-Regular.ttf", "Inter", "ab")
    again = fonts.make([folder], ours)
    assert characters(again.subsets[0].data) == set("ab")
    assert len(sorted(cached.iterdir())) == len(kept) + 1


def test_where_nothing_is_installed_the_packages_are_named(tmp_path: Path, ours: Glyphs) -> None:
    made = fonts.make([tmp_path, tmp_path / "none"], ours)
    assert made == fonts.Made(found=(), missing=("fonts-inter", "fonts-noto-cjk"), subsets=())


def test_the_first_folder_counts(tmp_path: Path) -> None:
    for name in ("one", "two"):
        draw_font(tmp_path / name / "deep" / "Inter-Bold.ttf", "Inter", "a")
    found = find([tmp_path / "two", tmp_path / "one"])
    assert found == {"Inter-Bold": tmp_path / "two" / "deep" / "Inter-Bold.ttf"}


@pytest.mark.skipif(not are_installed(), reason="fonts-inter and fonts-noto-cjk are not installed")
def test_the_fonts_of_debian_have_every_chinese_character_of_ours(ours: Glyphs) -> None:
    made = fonts.make(INSTALLED, ours)
    found = set().union(*(characters(one.data) for one in made.subsets))
    assert set("".join(ours[1:])) - found == set()
    sizes = {(one.family, one.characters[:8]): len(one.data) for one in made.subsets}
    assert sum(sizes.values()) < 250_000, sizes


def test_a_package_that_is_missing_is_said_in_a_line_without_names_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def make(*_: object) -> None:
        package("no_such_package.at_all")

    monkeypatch.setattr(fonts, "make", make)
    monkeypatch.setattr(fonts, "NICENESS", 0)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    with pytest.raises(SystemExit) as ended:
        fonts.main([])
    assert ended.value.code == (
        "this needs the package no_such_package: pip install no_such_package"
    )
