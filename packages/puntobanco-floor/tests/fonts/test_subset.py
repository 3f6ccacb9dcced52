"""`puntobanco fonts`: what is in the fonts afterwards, how the style sheet names them, and what is said where there is none."""

import hashlib
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from puntobanco.base.refusal import Refusal
from puntobanco.cli import main
from puntobanco_floor.cli.fonts import FACES, INSTALLED, cut_fonts, find_font, read_characters
from tests.support.made_fonts import are_installed, draw_all, draw_font
from tools.tree import ROOT

FACE = re.compile(
    r'@font-face\{font-family:"([^"]+)";font-weight:(\d+);font-display:swap;'
    r'unicode-range:([U+0-9A-F,]+);src:url\(/fonts/([^)]+)\) format\("woff2"\)\}\n'
)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_all(tmp_path_factory.mktemp("drawn"))


def faces(folder: Path) -> list[tuple[str, str, str, str]]:
    """Return family, weight, range and file of each face that the style sheet names."""
    style = (folder / "fonts.css").read_text()
    found = FACE.findall(style)
    assert len(FACE.sub("", style)) == 0
    assert len(found) == len(FACES)
    return found


def characters(path: Path) -> set[str]:
    return set(map(chr, TTFont(path).getBestCmap()))


def test_a_font_has_the_characters_of_its_range_and_no_other(tmp_path: Path, drawn: Path) -> None:
    cut_fonts(tmp_path, [drawn], read_characters())
    for *_, within, name in faces(tmp_path):
        ranged = {chr(int(code, 16)) for code in within.replace("U+", "").split(",")}
        assert characters(tmp_path / name) == ranged, name


def test_together_they_have_every_character_and_a_browser_can_tell_them_apart(
    tmp_path: Path, drawn: Path
) -> None:
    parts = read_characters()
    cut_fonts(tmp_path, [drawn], parts)
    found = faces(tmp_path)
    held = set[str]().union(*(characters(tmp_path / name) for *_, name in found))
    assert held == set("".join(parts.values()))
    assert len({face[:3] for face in found}) == len({name for *_, name in found}) == len(FACES)


def test_a_font_is_named_by_its_hash_and_an_earlier_one_stays(tmp_path: Path, drawn: Path) -> None:
    parts = read_characters()
    cut_fonts(tmp_path, [drawn], parts)
    before = {name for *_, name in faces(tmp_path)}
    cut_fonts(tmp_path, [drawn], parts)
    assert {name for *_, name in faces(tmp_path)} == before, "the same bytes from the same fonts"
    cut_fonts(tmp_path, [drawn], parts | {"beside": parts["beside"][1:]})
    after = {name for *_, name in faces(tmp_path)}
    assert len(after - before) == 1
    assert {path.name for path in tmp_path.glob("*.woff2")} == before | after
    for path in tmp_path.glob("*.woff2"):
        assert path.stem.endswith(hashlib.sha256(path.read_bytes()).hexdigest()[:16])


def test_a_character_that_the_font_lacks_is_left_to_the_device(tmp_path: Path, drawn: Path) -> None:
    cut_fonts(tmp_path, [drawn], read_characters("龘"))
    [beside] = tmp_path.glob("beside-*")
    assert "龘" not in characters(beside)
    assert "莊" in characters(beside)


def test_the_command_writes_what_serve_serves_with_the_words_of_a_floors_own_game(
    tmp_path: Path, drawn: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, to = tmp_path / "game.py", tmp_path / "fonts"
    text = (ROOT / "examples/lucky_rapid.py").read_text("utf-8")
    game.write_text(text.replace("幸運", "龘"), "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["fonts", str(to), "--from", str(drawn), "--game", str(game)])
    assert ended.value.code == 0
    assert capsys.readouterr().out.endswith(f"puntobanco serve --fonts {to}\n")
    [beside] = (within for *_, within, name in faces(to) if name.startswith("beside"))
    assert f"U+{ord('龘'):X}" in beside.split(",")


def test_where_a_font_is_not_installed_the_packages_are_named(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="install fonts-inter and fonts-noto-cjk"):
        cut_fonts(tmp_path / "to", [tmp_path, tmp_path / "none"], read_characters())
    assert not (tmp_path / "to").exists()


def test_the_first_folder_counts(tmp_path: Path) -> None:
    for name in ("one", "two"):
        draw_font(tmp_path / name / "deep" / "Inter-Bold.ttf", "Inter", "a")
    found = find_font("Inter-Bold", [tmp_path / "two", tmp_path / "one"])
    assert found == tmp_path / "two" / "deep" / "Inter-Bold.ttf"


@pytest.mark.skipif(not are_installed(), reason="fonts-inter and fonts-noto-cjk are not installed")
def test_the_fonts_of_debian_have_every_chinese_character_of_ours(tmp_path: Path) -> None:
    parts = read_characters()
    assert cut_fonts(tmp_path, INSTALLED, parts) < 250_000
    held = set[str]().union(*(characters(tmp_path / name) for *_, name in faces(tmp_path)))
    assert set("".join(parts.values())) - set(parts["latin"]) - held == set()
    [latin] = tmp_path.glob("latin-400-*")
    features = TTFont(latin)["GSUB"].table.FeatureList.FeatureRecord
    assert {each.FeatureTag for each in features} == {"tnum"}, "figures of one width"
