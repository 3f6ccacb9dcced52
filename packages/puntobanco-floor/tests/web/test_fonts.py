"""The floor's fonts as devices ask for them: none at first, and never waited for; then each by its hash, for good."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from puntobanco_floor.web.pages import ASKED_AGAIN, FOR_EVER
from tests.support.http import http
from tests.support.made_fonts import draw_all
from tests.support.patience import wait_until
from tests.support.served import Served

OTHER = "0" * 16
SOURCE = re.compile(r"src:url\((/fonts/([0-9a-f]{16})/([^)]+))\)")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = draw_all(tmp_path_factory.mktemp("fonts"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PUNTOBANCO_CACHE", str(tmp_path_factory.mktemp("cache")))
        found = Served(tmp_path_factory.mktemp("floor"), "--demo", "--fonts", str(folder))
    yield found
    found.stop()


def style(served: Served) -> str:
    return str(http(served, "GET", "/fonts.css")[2].decode())


def log_of(served: Served) -> str:
    return (served.folder / "log").read_text()


def test_when_they_are_made_the_style_sheet_names_each_by_its_hash(served: Served) -> None:
    wait_until(lambda: style(served))
    assert "fonts found: Inter-Regular" in log_of(served)
    _, headers, sheet = http(served, "GET", "/fonts.css")
    assert "stale-while-revalidate" in headers["cache-control"]
    assert sheet.count(b"font-display:swap") == sheet.count(b"@font-face") > 5
    for path, _, name in SOURCE.findall(sheet.decode()):
        status, headers, data = http(served, "GET", path, Accept_Encoding="gzip")
        assert (status, headers["cache-control"]) == (200, FOR_EVER), path
        assert (headers["content-type"], data[:4]) == ("font/woff2", b"wOF2")
        assert headers["content-encoding"] is None, "it is packed already"
        _, headers, same = http(served, "GET", f"/fonts/{OTHER}/{name}")
        assert (headers["cache-control"], same) == (ASKED_AGAIN, data)
    assert http(served, "GET", f"/fonts/{OTHER}/none.woff2")[0] == 404


def test_pages_may_load_fonts_of_ours_and_no_others(served: Served) -> None:
    policy = http(served, "GET", "/")[1]["content-security-policy"]
    assert "font-src 'self';" in policy


def test_a_floor_without_fonts_says_what_to_install_and_is_served_all_the_same(
    tmp_path: Path,
) -> None:
    found = Served(tmp_path, "--demo", "--fonts", str(tmp_path / "none"))
    try:
        wait_until(lambda: "fonts not found" in log_of(found))
        assert "install fonts-inter fonts-noto-cjk" in log_of(found)
        _, headers, sheet = http(found, "GET", "/fonts.css")
        assert sheet == b""
        assert headers["content-type"].startswith("text/css")
        assert headers["cache-control"] == "no-store"
    finally:
        found.stop()
    assert "Traceback" not in log_of(found)


def test_none_is_looked_for_where_the_setting_is_empty(tmp_path: Path) -> None:
    found = Served(tmp_path, "--demo", "--fonts", "")
    assert style(found) == ""
    found.stop()
    assert "puntobanco.fonts" not in log_of(found)


def test_a_file_that_is_no_font_is_told_of_and_stops_nothing(tmp_path: Path) -> None:
    folder = draw_all(tmp_path / "fonts")
    (folder / "Inter-Bold.ttf").write_bytes(b"no font")
    found = Served(tmp_path, "--demo", "--fonts", str(folder))
    wait_until(lambda: "fonts not made" in log_of(found))
    assert http(found, "GET", "/")[0] == 200
    assert style(found) == ""
    found.stop()
    assert "Traceback" not in log_of(found)
