"""The web site of the documentation: links, lists, nothing from another site; it is built where Zensical is installed."""

import json
from html import unescape
from pathlib import Path

import pytest

from tools import site

NAMES = (
    *("RNG", "RTP", "TITO", "high availability", "reverse proxy", "Docker", "GLI", "meter"),
    *("HA", "PAR sheet", "handle", "progressive", "hold", "drop"),
)


def test_a_link_to_a_file_that_is_no_page_becomes_its_label() -> None:
    text = "[a](install.md#fonts-for-the-screens), [b](../../tests/test_site.py), [c](gone.md), [d](../screens/)"
    adapted = site.adapt("docs/how-to/floor.md", text)
    assert adapted == "[a](install.md#fonts-for-the-screens), b, [c](gone.md), d\n"
    assert site.adapt("README.md", "![a](docs/screens/display-void.webp)") == (
        "![a](docs/screens/display-void.webp)\n"
    )


def test_lists_and_code_are_written_for_the_generator() -> None:
    text = "Text:\n- one\n- two\n\n1. three\n   ```\n   code\n   ```\n```text example\n   [a](../tests)\n```"
    adapted = site.adapt("docs/README.md", text)
    assert adapted == (
        "Text:\n\n- one\n- two\n\n1. three\n    ```\n    code\n    ```\n```text\n   [a](../tests)\n```\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://example.com/a.js"></script>',
        "<script src=https://example.com/a.js></script>",
        '<link rel="stylesheet" href="//example.com/a.css">',
        '<img alt="" src="http://example.com/a.png">',
        "p { background: url(https://example.com/a.png) }",
        '@import "https://example.com/a.css";',
    ],
)
def test_a_planted_outside_address_is_found(text: str) -> None:
    assert len(site.find_outside_addresses(text)) == 1
    assert not site.find_outside_addresses(
        text.replace("http:", "").replace("https:", "").replace("//", "/")
    )


def test_every_page_is_behind_one_door() -> None:
    found = list[str]()

    def collect(entries: list[site.Nav]) -> None:
        for entry in entries:
            for value in entry.values():
                if isinstance(value, str):
                    found.append(value)
                else:
                    collect(value)

    collect(site.navigation())
    assert sorted(found) == sorted(site.list_pages())


@pytest.mark.long
def test_the_site_is_built(tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="Zensical is of the extra site")
    built = site.build(tmp_path)
    for page in site.list_pages():
        assert (built / page.replace("README.md", "index.md")).with_suffix(".html").is_file()

    entries = json.loads((built / "search.json").read_text("utf-8"))["items"]
    [names] = [entry["text"] for entry in entries if entry["title"].endswith("by other names")]
    assert [name for name in NAMES if name not in unescape(names)] == []

    front = (built / "index.html").read_text("utf-8")
    for scheme in ("default", "slate"):
        assert (
            f'data-md-color-scheme="{scheme}"' in front or f"data-md-color-scheme={scheme}" in front
        )
    assert "--md-default-bg-color" in "".join(
        path.read_text("utf-8") for path in built.rglob("*.css")
    )


def test_a_broken_link_fails_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zensical", reason="Zensical is of the extra site")
    monkeypatch.setattr(
        site, "adapt", lambda page, text: f"{text}\n[broken](gone-{len(page)}.md)\n"
    )
    with pytest.raises(SystemExit):
        site.build(tmp_path)
