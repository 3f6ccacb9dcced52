"""The addresses of the screens' files: one hash for the tree, kept for good under it, and only under it."""

import re

import pytest

from puntobanco_floor.web import screen_files
from puntobanco_floor.web.pages import ASKED_AGAIN, FOR_EVER, KEPT_A_MINUTE, PAGES
from puntobanco_floor.web.screen_files import (
    HASH_LENGTH,
    NAMES,
    SCREENS,
    present,
    without_comments,
)
from tests.support.http import http
from tests.support.served import Served

OTHER = "0" * HASH_LENGTH
ADDRESS = re.compile(r'"(/screens/[^"]+)"')


def test_a_page_names_files_of_this_tree_only_each_once(served: Served) -> None:
    status, headers, page = http(served, "GET", "/tables/1")
    named = ADDRESS.findall(page.decode())
    prefix = f"/screens/{present().hash}/"
    assert (status, headers["cache-control"]) == (200, KEPT_A_MINUTE)
    assert all(address.startswith(prefix) for address in named), named
    assert len(set(named)) == len(named)


def test_what_is_made_otherwise_of_the_same_files_has_another_hash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Browsers keep a file for good by it, and a later version may join or strip in another way."""
    before = screen_files._read(())
    monkeypatch.setattr(screen_files, "joined", lambda name, _: f"// {name}")
    screen_files._read.cache_clear()
    after = screen_files._read(())
    screen_files._read.cache_clear()
    assert before.hash != after.hash
    assert before.files["base/dom.js"] == after.files["base/dom.js"]


@pytest.mark.parametrize("screen", sorted(set(PAGES.values())))
def test_the_script_of_a_page_is_all_that_it_imports(screen: str) -> None:
    script = present().files[f"{screen}/main.js"].plain.decode()
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert "// base/dom.js\n" in script


def test_a_file_is_kept_for_good_by_the_hash_of_its_tree_and_asked_for_again_by_any_other(
    served: Served,
) -> None:
    tree = present()
    answers = [
        http(served, "GET", f"/screens/{prefix}base/dom.js")
        for prefix in (f"{tree.hash}/", f"{OTHER}/", "")
    ]
    assert [status for status, _, _ in answers] == [200] * 3
    assert {body for _, _, body in answers} == {tree.files["base/dom.js"].plain}
    assert [headers["cache-control"] for _, headers, _ in answers] == [
        FOR_EVER,
        ASKED_AGAIN,
        ASKED_AGAIN,
    ]


def test_a_browser_that_has_the_file_is_sent_nothing_whatever_hash_it_asks_by(
    served: Served,
) -> None:
    _, headers, _ = http(served, "GET", f"/screens/{OTHER}/base/dom.js")
    path = f"/screens/{present().hash}/base/dom.js"
    status, again, body = http(served, "GET", path, If_None_Match=headers["etag"])
    assert (status, body, again["cache-control"]) == (304, b"", FOR_EVER)


def test_a_page_is_never_kept_since_its_addresses_change(served: Served) -> None:
    path = f"/screens/{present().hash}/lobby/index.html"
    assert http(served, "GET", path)[1]["cache-control"] == ASKED_AGAIN


@pytest.mark.parametrize(
    "path",
    [
        "base/none.js",
        f"{OTHER}/base/none.js",
        f"{OTHER}/{OTHER}/base/dom.js",
        f"{OTHER}/",
        "0/base/dom.js",
    ],
)
def test_what_is_no_file_is_not_found(served: Served, path: str) -> None:
    assert http(served, "GET", f"/screens/{path}")[0] == 404


def test_the_tree_is_all_of_the_files() -> None:
    sheets = {f"{screen}/index.css" for screen in screens()}
    assert present().files.keys() == NAMES | sheets
    assert present() is present()


def screens() -> list[str]:
    return [name.removesuffix("/index.html") for name in sorted(NAMES) if name.endswith(".html")]


@pytest.mark.parametrize("screen", screens())
def test_the_style_sheets_of_a_page_are_sent_as_one_in_their_order(screen: str) -> None:
    """Before those for paper alone, which stay as they are."""
    written = (SCREENS / screen / "index.html").read_text("utf-8")
    sheets = re.findall(r'stylesheet" href="/screens/([^"]+)">', written)
    files, prefix = present().files, f"/screens/{present().hash}"
    page = files[f"{screen}/index.html"].plain.decode()
    named = re.findall(r'stylesheet" href="([^"]+)"( media="print")?>', page)
    assert len(sheets) > 1
    assert named[0] == (f"{prefix}/{screen}/index.css", "")
    assert all(paper for _, paper in named[1:])
    parts = [files[name].plain.decode() for name in sheets]
    assert files[f"{screen}/index.css"].plain.decode() == "\n".join(parts)


@pytest.mark.parametrize(
    ("name", "text", "sent"),
    [
        ("a.js", "// why\nconst a = 1; // stays\n", "\nconst a = 1; // stays\n"),
        ("a.js", "/**\n * @param {string} b\n */\nf();", "\n\n\nf();"),
        ("a.js", "/** @type {A} */ (b)();", "/** @type {A} */ (b)();"),
        ("a.js", "/** one */\nf(); /* two */", "\nf(); /* two */"),
        ("a.js", 'const at = "https://x"; // y', 'const at = "https://x"; // y'),
        ("a.css", ".a{} /* two\nlines */.b{}", ".a{} \n.b{}"),
        ("a.svg", "<!-- <svg> -->", "<!-- <svg> -->"),
    ],
)
def test_what_only_programmers_read_is_not_sent(name: str, text: str, sent: str) -> None:
    assert without_comments(name, text) == sent


def test_every_line_keeps_its_number() -> None:
    for name, file in present().files.items():
        if not name.endswith((".html", "/main.js", "/index.css")):
            assert file.plain.count(b"\n") == (SCREENS / name).read_bytes().count(b"\n"), name
