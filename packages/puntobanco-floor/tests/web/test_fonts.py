"""The floor's fonts as devices ask for them: each by its hash, for good; none where the setting names none."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from puntobanco_floor.cli.fonts import cut_fonts, read_characters
from puntobanco_floor.web.pages import FOR_EVER
from tests.support.http import http
from tests.support.made_fonts import draw_all
from tests.support.served import Served

SOURCE = re.compile(r"src:url\((/fonts/[^)]+)\)")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    drawn = draw_all(tmp_path_factory.mktemp("drawn"))
    folder = tmp_path_factory.mktemp("fonts")
    cut_fonts(folder, [drawn], read_characters())
    found = Served(tmp_path_factory.mktemp("floor"), "--demo", "--fonts", str(folder))
    yield found
    found.stop()


def log_of(served: Served) -> str:
    return (served.folder / "log").read_text()


def test_the_style_sheet_names_each_by_its_hash_and_it_is_kept_for_good(served: Served) -> None:
    _, headers, sheet = http(served, "GET", "/fonts.css")
    assert "stale-while-revalidate" in headers["cache-control"]
    paths = SOURCE.findall(sheet.decode())
    assert len(set(paths)) == sheet.count(b"@font-face") > 5
    for path in paths:
        status, headers, data = http(served, "GET", path, Accept_Encoding="gzip")
        assert (status, headers["cache-control"]) == (200, FOR_EVER), path
        assert (headers["content-type"], data[:4]) == ("font/woff2", b"wOF2")
        assert headers["content-encoding"] is None, "it is packed already"


@pytest.mark.parametrize("name", ["none.woff2", "fonts.css", "..%2Ffonts.css", ""])
def test_nothing_else_is_a_font(served: Served, name: str) -> None:
    assert http(served, "GET", f"/fonts/{name}")[0] == 404


def test_pages_may_load_fonts_of_ours_and_no_others(served: Served) -> None:
    policy = http(served, "GET", "/")[1]["content-security-policy"]
    assert "font-src 'self';" in policy


def test_a_folder_without_fonts_is_told_of_and_stops_nothing(tmp_path: Path) -> None:
    found = Served(tmp_path, "--demo", "--fonts", str(tmp_path / "none"))
    _, headers, sheet = http(found, "GET", "/fonts.css")
    assert (headers["content-type"].partition(";")[0], sheet) == ("text/css", b"")
    found.stop()
    log = log_of(found)
    assert f"write them with puntobanco fonts {tmp_path / 'none'}" in log
    assert "Traceback" not in log


def test_where_the_setting_is_empty_devices_use_their_own(tmp_path: Path) -> None:
    found = Served(tmp_path, "--demo")
    status, _, sheet = http(found, "GET", "/fonts.css")
    assert (status, sheet) == (200, b"")
    found.stop()
    assert "puntobanco.fonts" not in log_of(found)
